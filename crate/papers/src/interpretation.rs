//! What a text leaves open, and the ways to read it.

use std::fmt;

use super::sweep::Pair;

/// A key that the text leaves open.
#[derive(Clone, Copy, Debug)]
pub struct Switch {
    /// The key.
    pub key: &'static str,
    /// What it may mean; the first is the default reading.
    pub values: &'static [&'static str],
}

/// One way to read what a figure leaves open: a value for each switch; none where nothing is open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading(pub Vec<Pair>);

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs: Vec<String> = self
            .0
            .iter()
            .map(|(key, value)| format!("{key} = {value}"))
            .collect();
        f.write_str(&pairs.join(", "))
    }
}
