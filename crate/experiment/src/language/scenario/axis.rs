//! A swept key and its values, written `key:first:last:step`, `key:value,value` or a list of both.

use super::key::{Key, ValueKind};
use super::keys::{KEYS, nearest};
use backfill_sim::choice::either;
use backfill_sim::decimal::Decimal;
use backfill_sim::problem::shown;

/// A swept key.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The key.
    pub key: &'static Key,
    /// Its values in order, in canonical form; at least one, all different.
    pub values: Vec<String>,
}

/// The most values that an axis may have.
pub(crate) const MAX_VALUES: usize = 1000;

/// Reads an axis; returns it with its canonical text. An error says what is wrong.
pub(crate) fn parse(text: &str) -> Result<(Option<Axis>, String), String> {
    if text == "none" {
        return Ok((None, text.to_owned()));
    }
    let (name, list) = text
        .split_once(':')
        .ok_or_else(|| ValueKind::Sweep.allowed())?;
    let name = name.trim();
    let Some(key) = Key::named(name) else {
        let hint = nearest(name).map_or(String::new(), |near| format!("; did you mean {near}?"));
        return Err(format!("{} is not a key{hint}", shown(name)));
    };
    if !key.sweep {
        let possible = either(KEYS.iter().filter(|key| key.sweep).map(|key| key.name));
        return Err(format!("{name} cannot be swept; possible are {possible}"));
    }
    let mut values: Vec<String> = Vec::new();
    let mut canonical: Vec<String> = Vec::new();
    for item in list.split(',').map(str::trim) {
        let parts: Vec<&str> = item.split(':').map(str::trim).collect();
        let members: Vec<String> = match (key.kind.has_ranges(), parts.as_slice()) {
            (true, [first, last, step]) => {
                let [first, last, step] = bounds([first, last, step])?;
                canonical.push(format!("{first}:{last}:{step}"));
                Decimal::range(first, last, step)
                    .ok_or("a range is first:last:step with first ≤ last and a step above 0")?
                    .take(MAX_VALUES + 1)
                    .map(|value| value.to_string())
                    .collect()
            }
            _ => {
                let value = key
                    .kind
                    .canonical(item)
                    .map_err(|why| named(key, item, &why))?;
                canonical.push(value);
                vec![item.to_owned()]
            }
        };
        for member in members {
            let value = key
                .kind
                .canonical(&member)
                .map_err(|why| named(key, &member, &why))?;
            if values.contains(&value) {
                return Err(format!("{value} appears twice"));
            }
            values.push(value);
            if values.len() > MAX_VALUES {
                return Err(format!("has more than {MAX_VALUES} values"));
            }
        }
    }
    let canonical = format!("{name}:{}", canonical.join(","));
    Ok((Some(Axis { key, values }), canonical))
}

fn named(key: &Key, value: &str, why: &str) -> String {
    format!("{} = {}: {why}", key.name, shown(value))
}

fn bounds(texts: [&str; 3]) -> Result<[Decimal; 3], String> {
    let mut bounds = [Decimal::whole(0); 3];
    for (bound, text) in bounds.iter_mut().zip(texts) {
        *bound = Decimal::parse(text).ok_or_else(|| format!("{} is not a number", shown(text)))?;
    }
    Ok(bounds)
}
