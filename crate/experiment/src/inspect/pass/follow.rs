//! A run followed from pass to pass, whatever its system and policy.

use backfill_sim::engine::{Engine, Pass, PassCount, Policy};
use backfill_sim::job::Jobs;
use backfill_sim::machine::System;
use backfill_sim::record::Outcome;
use backfill_sim::run::{self, OnPolicy};
use backfill_sim::setup::Setup;
use backfill_sim::system::describe::Examined;
use backfill_sim::unit::Span;
use backfill_sim::workload::Arrivals;

/// A run that is followed.
pub(super) trait Follow {
    /// Simulates the next pass and counts what it does; `None` where the run is over.
    fn next(&mut self) -> Option<PassCount>;

    /// Simulates the next pass step by step; `None` where the run is over.
    fn observe(&mut self) -> Option<Pass>;

    /// What has become of the jobs.
    fn outcomes(self: Box<Self>) -> Vec<Outcome>;
}

/// A run of `jobs` as `setup` says, at its beginning.
pub(super) fn follow(setup: &Setup, jobs: Jobs) -> Box<dyn Follow> {
    let migration_cost = setup.options.migration_cost;
    run::on_policy(setup, Arrivals::from(jobs), Followed { migration_cost })
}

struct Followed {
    migration_cost: Span,
}

impl OnPolicy for Followed {
    type Out = Box<dyn Follow>;

    fn on<S: Examined + 'static>(
        self,
        system: S,
        policy: Box<dyn Policy<S>>,
        jobs: Arrivals,
    ) -> Box<dyn Follow> {
        Box::new(Engine::new(
            system,
            policy,
            jobs,
            self.migration_cost,
            false,
        ))
    }
}

impl<S: System> Follow for Engine<'static, S> {
    fn next(&mut self) -> Option<PassCount> {
        self.next_pass()
    }

    fn observe(&mut self) -> Option<Pass> {
        self.observe_next_pass()
    }

    fn outcomes(self: Box<Self>) -> Vec<Outcome> {
        let (_, _, record) = self.into_parts();
        record.histories.iter().map(|of| of.outcome).collect()
    }
}
