//! Plain reference implementations: slow, obvious, sharing no code with what they check.
//!
//! - [`embedding`]: Algorithm 1 transcribed line by line, an exhaustive search, and an independent
//!   check of a finished embedding

pub mod embedding;
