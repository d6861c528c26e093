//! What is wrong with a scenario or with the input that it names.

use std::fmt;

use serde::Serialize;

/// Something wrong with a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The line of the file, from 1, if it was read from one.
    pub line: Option<usize>,
    /// The key; empty where the form itself is wrong.
    pub key: String,
    /// The value given.
    pub value: String,
    /// What is wrong with it and what is allowed.
    pub message: String,
}

impl Problem {
    /// A problem with the value of a key, without a line.
    pub fn new(key: &str, value: &str, message: impl Into<String>) -> Problem {
        Problem {
            line: None,
            key: key.to_owned(),
            value: value.to_owned(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.key.is_empty() {
            write!(f, "{} = {}: ", shown(&self.key), shown(&self.value))?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

/// Foreign text shortened for use in a sentence: one line, not long.
pub fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().nth(60).is_some() {
        shown.push('…');
    }
    shown
}
