//! The targets within wasm32, as a browser has the code that they try: `within.js` calls them in
//! Node, an input at a time, since nothing of a module is to be used after it trapped.

use std::panic;

use backfill_fuzz::{Mutator, Target};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn error(words: &str);
}

/// One target, and inputs for it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Within {
    target: &'static Target,
    mutator: Mutator<'static>,
}

#[wasm_bindgen]
impl Within {
    /// The target of a name, with inputs like `seeds`, the same ones for the same number.
    ///
    /// # Panics
    /// There is no such target, or no seed.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, seeds: Vec<Uint8Array>, number: u64) -> Within {
        panic::set_hook(Box::new(|panic| error(&panic.to_string())));
        let seeds: Vec<Vec<u8>> = seeds.iter().map(Uint8Array::to_vec).collect();
        Within {
            target: Target::named(name).expect("a target"),
            // A program tries one target.
            mutator: Mutator::new(Vec::leak(seeds), number),
        }
    }

    /// Another input.
    pub fn input(&mut self) -> Vec<u8> {
        self.mutator.input().to_vec()
    }

    /// Tries an input.
    ///
    /// # Panics
    /// What must hold does not.
    pub fn run(&self, input: &[u8]) {
        (self.target.run)(input);
    }
}
