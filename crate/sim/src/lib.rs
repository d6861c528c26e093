//! The simulator of Backfill: parallel jobs, the systems they run on, where they are placed and
//! when they start.
//!
//! It is pure: no input or output, no text, no clock, no thread, no drawing. A [`setup::Setup`] and
//! jobs go in; a record, metrics and a digest come out, the same bits on every machine. What is
//! written in scenarios and logs is read by the crate above. The modules stand in the order data
//! passes through them.

/// Whether this build simulates every system, placement and workload. The small build, which a visitor of
/// the page loads first, simulates what the page opens with; where something is chosen that it leaves
/// out, the code behind the choice is not compiled into it.
pub const COMPLETE: bool = cfg!(feature = "complete");

pub mod unit;

pub mod decimal;

pub mod choice;

pub mod problem;

pub mod source;

pub mod id;

pub mod math;

pub mod digest;

pub mod rng;

pub mod job;

pub mod workload;

pub mod system;

pub mod place;

pub mod policy;

pub mod calendar;

pub mod record;

pub mod engine;

pub mod stats;

pub mod sample;

pub mod metrics;

pub mod setup;

pub mod run;
