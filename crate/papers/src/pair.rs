//! Keys of scenarios with their values.

/// A key of a scenario and its value.
pub type Pair = (&'static str, &'static str);
