//! Plain reference implementations: slow, obvious, sharing no code with what they check; and the real
//! logs.
//!
//! - [`embedding`]: Algorithm 1 transcribed line by line, an exhaustive search, and an independent
//!   check of a finished embedding
//! - [`logs`]: real logs, where they are at hand

pub mod embedding;

pub mod logs;
