//! When a job would start that is submitted now: a distribution, not an instant.
//!
//! A [`state::State`] is what is known at an instant: jobs that run, jobs that wait, and the history.
//! A future of it is a run of the simulator in which everything unknown is drawn: the run times of
//! the known jobs, and the jobs that arrive later. The job that is asked about starts once in each.
//!
//! Invariants: nothing that happens after the instant is read; future r draws from the stream
//! `forecast` with seed r, whatever job is asked about; no clock, no floating point in a draw.
//!
//! - `simulation`: the machine of a state, and runs that begin from it
//! - `state`: what is known; `timeline`: the states of a simulated log; `pasted`: that of a running
//!   cluster
//! - `samples`: run times of jobs that have ended; `support`: which setups have a forecast
//! - `future`: one future; `answer`: what many of them say; `map`: the same by size and time limit
//! - `calibration`: forecasts beside what came; `report`: an answer as it is written, by its
//!   `schema`; `clock`: dates

pub mod answer;
pub mod calibration;
pub mod clock;
pub mod future;
pub mod map;
pub mod pasted;
pub mod report;
pub mod samples;
pub mod schema;
pub mod simulation;
pub mod state;
pub mod support;
pub mod timeline;
