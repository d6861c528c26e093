//! The functions of a module in an order in which like stands by like.
//!
//! The module is sent compressed, and what compresses it looks back 32 kilobytes. wasm-bindgen
//! leaves functions by size, so that copies of one generic function are far from each other.

use anyhow::Result;
use std::collections::HashMap;
use std::convert::Infallible;
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{CodeSectionReader, FunctionSectionReader, Parser, Payload, TypeRef};

/// What two functions have in common is counted in runs of so many bytes,
const RUN: usize = 6;
/// which no more than so many functions have.
const COMMON: usize = 300;
/// How far back, in bytes, something in common is of use.
const REACH: f64 = 32_768.0;

/// The same module with its functions rearranged, and the new position of each of its own functions
/// by its old one.
pub(crate) fn arrange(module: &[u8]) -> Result<(Vec<u8>, Vec<usize>)> {
    let mut imported = 0;
    let mut bodies = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += usize::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(&module[body.range()]),
            _ => {}
        }
    }
    let order = order(&bodies);
    let mut places = vec![0; order.len()];
    for (place, &function) in order.iter().enumerate() {
        places[function] = place;
    }
    let mut arranged = Module::new();
    let mut arrangement = Arrangement {
        imported,
        order,
        places,
    };
    arrangement.parse_core_module(&mut arranged, Parser::new(0), module)?;
    Ok((arranged.finish(), arrangement.places))
}

/// The positions of functions in their new order: next is always the one that has most in common
/// with those just before it.
fn order(bodies: &[&[u8]]) -> Vec<usize> {
    let mut known = HashMap::new();
    // The functions that have a run.
    let mut holders: Vec<Vec<usize>> = Vec::new();
    for (function, body) in bodies.iter().enumerate() {
        for run in body.windows(RUN) {
            let position = *known.entry(run).or_insert(holders.len());
            if position == holders.len() {
                holders.push(Vec::new());
            }
            let functions = &mut holders[position];
            if functions.last() != Some(&function) {
                functions.push(function);
            }
        }
    }
    let mut runs = vec![Vec::new(); bodies.len()];
    for functions in &holders {
        if (2..=COMMON).contains(&functions.len()) {
            for &function in functions {
                runs[function].push(functions);
            }
        }
    }
    let mut left: Vec<usize> = (0..bodies.len()).collect();
    let mut score = vec![0.0; bodies.len()];
    // The later, the more: what is far back counts for nothing.
    let mut weight = 1.0;
    let mut order = Vec::new();
    while !left.is_empty() {
        let mut best = 0;
        for place in 1..left.len() {
            if score[left[place]] > score[left[best]] {
                best = place;
            }
        }
        let next = left.remove(best);
        order.push(next);
        weight *= 1.0 + bodies[next].len() as f64 / REACH;
        for functions in &runs[next] {
            for &other in functions.iter() {
                let length = bodies[other].len() as f64;
                score[other] += weight / functions.len() as f64 / length.sqrt();
            }
        }
    }
    order
}

/// Functions by their old and by their new position.
struct Arrangement {
    /// How many functions are imported; they come before all others.
    imported: usize,
    order: Vec<usize>,
    places: Vec<usize>,
}

impl Reencode for Arrangement {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Infallible>> {
        Ok(match (function as usize).checked_sub(self.imported) {
            Some(own) => (self.imported + self.places[own]) as u32,
            None => function,
        })
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let types = section.into_iter().collect::<Result<Vec<u32>, _>>()?;
        for &function in &self.order {
            functions.function(types[function]);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let bodies = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for function in self.order.clone() {
            self.parse_function_body(code, bodies[function].clone())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_stands_by_like() {
        let [one, other]: [Vec<u8>; 2] = [0_u8, 100].map(|first| (first..first + 90).collect());
        assert_eq!(order(&[&one, &other, &one, &other]), [0, 2, 1, 3]);
    }
}
