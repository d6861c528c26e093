//! The scheduling passes of a run: where they are, and each of them step by step.
//!
//! [`Passes::new`] counts what every pass of a run does. [`Passes::pass`] follows the run again up
//! to one of them, which is then observed: it looks at every job, one by one, and starts, suspends
//! and reserves what the run does. A pass after the one that was told last costs what lies between;
//! an earlier one costs the run from its beginning.
//!
//! - `follow`: a run followed from pass to pass
//! - `told`: a pass with what its jobs ask for
//! - `words`: the steps in sentences
//! - `subtrees`: the subtrees among which a placement was chosen, listed; `reasons`: why each was
//!   taken or left, in words; `names`: what they are called
//! - `parts`: the nodes, centres or clusters where there is no tree; `clusters`: by which rule those
//!   are taken

mod clusters;
mod follow;
mod names;
mod parts;
mod reasons;
mod subtrees;
mod told;
mod words;

pub use backfill_sim::engine::{Effect, Pass, PassCount, QueuedJob, RunningJob, Step, Turn};
pub use subtrees::{ToldPlacement, ToldSubtree};
pub use told::{Asked, ToldPass, ToldQueued, ToldRunning, ToldStep};
pub use words::Teller;

use backfill_sim::id::{Id, JobId};
use backfill_sim::job::Jobs;
use backfill_sim::record::Outcome;
use backfill_sim::setup::Setup;
use backfill_sim::unit::Time;
use follow::{Follow, follow};

/// The scheduling passes of a run.
pub struct Passes {
    setup: Setup,
    jobs: Jobs,
    counts: Vec<PassCount>,
    outcomes: Vec<Outcome>,
    followed: Box<dyn Follow>,
    /// How many passes the followed run has behind it.
    passed: usize,
}

/// Which pass is meant by an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nearest {
    /// The last one up to it.
    UpTo,
    /// The last one before it.
    Before,
    /// The first one after it.
    After,
}

impl Passes {
    /// The passes of a run of `jobs` as `setup` says; costs one run.
    pub fn new(setup: &Setup, jobs: Jobs) -> Passes {
        let mut run = follow(setup, jobs.clone());
        let counts = std::iter::from_fn(|| run.next()).collect();
        Passes {
            outcomes: run.outcomes(),
            followed: follow(setup, jobs.clone()),
            passed: 0,
            setup: setup.clone(),
            jobs,
            counts,
        }
    }

    /// What each of them does, in order; several may be at one instant.
    pub fn counts(&self) -> &[PassCount] {
        &self.counts
    }

    /// The jobs of the run.
    pub fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    /// What puts their steps into words.
    pub fn teller(&self) -> Teller<'_> {
        Teller::new(&self.setup, &self.jobs)
    }

    /// The position of the pass that is nearest to an instant; `None` where there is none on that
    /// side.
    pub fn nearest(&self, at: Time, which: Nearest) -> Option<usize> {
        let before = self.counts.partition_point(|pass| pass.time < at);
        let up_to = self.counts.partition_point(|pass| pass.time <= at);
        match which {
            Nearest::UpTo => up_to.checked_sub(1),
            Nearest::Before => before.checked_sub(1),
            Nearest::After => Some(up_to).filter(|&next| next < self.counts.len()),
        }
    }

    /// The position of the nearest pass after another one, or before it with `back`, that starts or
    /// suspends a job.
    pub fn decision(&self, from: usize, back: bool) -> Option<usize> {
        let decides = |&position: &usize| {
            let pass = &self.counts[position];
            pass.starts + pass.suspensions > 0
        };
        if back {
            (0..from.min(self.counts.len())).rev().find(decides)
        } else {
            (from.saturating_add(1)..self.counts.len()).find(decides)
        }
    }

    /// The position of the pass that starts a job for the first time; `None` where none does.
    pub fn start_of(&mut self, job: JobId) -> Option<usize> {
        let Outcome::Ran { start, .. } = *self.outcomes.get(job.index())? else {
            return None;
        };
        let first = self.counts.partition_point(|pass| pass.time < start);
        let last = self.nearest(start, Nearest::UpTo)?;
        let starts =
            |step: &Step| matches!(step, Step::Started { job: other, .. } if *other == job);
        // Several passes at an instant are rare.
        (first..last)
            .find(|&position| {
                let pass = self.pass(position);
                pass.is_some_and(|pass| pass.steps.iter().any(starts))
            })
            .or(Some(last))
    }

    /// The pass at a position, step by step; `None` where there is none.
    pub fn pass(&mut self, position: usize) -> Option<Pass> {
        if position >= self.counts.len() {
            return None;
        }
        if position < self.passed {
            self.followed = follow(&self.setup, self.jobs.clone());
            self.passed = 0;
        }
        while self.passed < position {
            self.followed.next()?;
            self.passed += 1;
        }
        self.passed += 1;
        self.followed.observe()
    }
}
