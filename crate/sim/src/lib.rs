//! The simulator of Backfill: parallel jobs, the systems they run on, where they are placed and
//! when they start.
//!
//! It is pure: no input or output, no text, no clock, no thread, no drawing. A [`setup::Setup`] and
//! jobs go in; a record, metrics and a digest come out, the same bits on every machine. What is
//! written in scenarios and logs is read by the crate above. The modules stand in the order data
//! passes through them.
//!
//! A virtual cluster of five machines on an idle fat-tree:
//!
//! ```
//! use backfill_sim::id::JobId;
//! use backfill_sim::job::Request;
//! use backfill_sim::place::Placer;
//! use backfill_sim::machine::System;
//! use backfill_sim::system::fat_tree::place::Adaba;
//! use backfill_sim::system::fat_tree::{Fabric, FatTree, Reservation, Topology};
//! use backfill_sim::unit::{Kbps, Span, Time};
//!
//! let topology = Topology::new(4, Fabric::Aggregated);
//! let rates = topology.capacities(Kbps(1_000_000), backfill_sim::decimal::Decimal::whole(1));
//! let mut tree = FatTree::new(topology, 2, rates, Reservation::Hose);
//! let request = Request {
//!     index: JobId(0),
//!     submit: Time(0),
//!     size: 5,
//!     bandwidth: Kbps(100_000),
//!     estimate: Span(60_000_000),
//!     home: 0,
//! };
//! let place = Adaba::default().place(&tree, &request).expect("it fits an idle tree");
//! tree.hold(&request, &place);
//! assert_eq!(tree.free_total(), 16 * 2 - 5);
//! ```

pub mod unit;

pub mod decimal;

pub mod choice;

pub mod problem;

pub mod sorting;

pub mod source;

pub mod id;

pub mod math;

pub mod digest;

pub mod rng;

pub mod job;

pub mod machine;

pub mod workload;

pub mod system;

pub mod place;

pub mod policy;

mod calendar;

pub mod over_time;

pub mod held;

pub mod record;

pub mod engine;

pub mod stats;

pub mod sample;

pub mod metrics;

pub mod setup;

pub mod run;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
