//! Playback of a finished run: the use of each part of its system at an instant or on average, and
//! the numbers of running and waiting jobs.
//!
//! Everything is read from the record; nothing is simulated again. Seconds count from the first
//! submit.

use std::rc::Rc;

use crate::inspect::explain::{Statement, longest};
use crate::inspect::sums::Sums;
use crate::inspect::usage::LinkUsage;
use backfill_sim::id::{Id, JobId};
use backfill_sim::job::Jobs;
use backfill_sim::record::{Allocation, Allocations, Outcome};
use backfill_sim::run::{Keep, Replay, Run};
use backfill_sim::setup::Setup;
use backfill_sim::system::Shown;
use backfill_sim::system::describe::{Kept, Measure};
use backfill_sim::unit::{self, Time};

/// A finished run that kept its allocations, and its system in pictures.
#[derive(Clone, Debug)]
pub struct Playback {
    run: Rc<Replay>,
    /// The use of shared links, if links are shared.
    usage: Option<Rc<LinkUsage>>,
    shown: Shown,
    first: Time,
    end: Time,
}

/// The numbers of jobs at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobsAt {
    /// Running jobs.
    pub running: usize,
    /// Waiting jobs.
    pub waiting: usize,
    /// Jobs that hold their resources without working, since they pay for a migration.
    pub paused: usize,
    /// Migrations so far.
    pub migrations: usize,
}

impl Playback {
    /// Of a run with this setup; `None` if it did not keep its allocations.
    pub fn new(mut run: Replay, setup: &Setup) -> Option<Playback> {
        let shown = Shown::of(&setup.system, setup.placing.multi_cluster.threshold);
        shown.measure().prepare(run.record.allocations.as_mut()?);
        let first = run.jobs.iter().next().map_or(Time(0), |job| job.submit);
        let end = run.record.end().unwrap_or(first);
        let (run, usage) = LinkUsage::taken(run, setup);
        Some(Playback {
            run,
            usage: usage.map(Rc::new),
            shown,
            first,
            end,
        })
    }

    /// The run.
    pub fn run(&self) -> &Rc<Replay> {
        &self.run
    }

    /// The use of shared links; `None` if links are not shared.
    pub fn usage(&self) -> Option<&Rc<LinkUsage>> {
        self.usage.as_ref()
    }

    /// Its system.
    pub fn shown(&self) -> &Shown {
        &self.shown
    }

    /// Its system, for measurements.
    pub fn system(&self) -> &dyn Measure {
        self.shown.measure()
    }

    /// From the first submit to the last completion, in seconds.
    pub fn length(&self) -> f64 {
        self.seconds(self.end)
    }

    /// From the first submit to an instant, in seconds.
    pub fn seconds(&self, time: Time) -> f64 {
        (time - self.first).seconds()
    }

    /// The instant at these seconds after the first submit, at most the last completion.
    pub fn instant(&self, seconds: f64) -> Time {
        let micros = unit::round(seconds * 1e6);
        Time((self.first.0 + micros).min(self.end.0))
    }

    fn allocations(&self) -> &Allocations {
        let allocations = self.run.record.allocations.as_ref();
        allocations.expect("else there is no playback")
    }

    fn kept(&self) -> Kept<'_> {
        Kept {
            jobs: &self.run.jobs,
            links: &self.run.links,
        }
    }

    /// The first instant with the greatest use. On shared links the use counts, not the
    /// reservations.
    pub fn busiest(&self) -> Time {
        if let Some(usage) = &self.usage {
            let links = &self.run.links;
            let used = usage.together(|link| 1e6 / links[link.index()].0 as f64);
            let most = used.iter().map(|step| step.1).max().unwrap_or(0);
            let first = used.iter().find(|step| step.1 == most && most > 0);
            return first.map_or(self.first, |step| step.0);
        }
        let system = self.system();
        let allocations = self.allocations().all();
        let mut sums = Sums::of(allocations.len());
        for allocation in allocations {
            // Whole millionths, so that sums are exact.
            let millionths = (system.held(allocation, &self.run.links) * 1e6) as i64;
            sums.during(allocation.start, allocation.end, millionths);
        }
        let (mut most, mut busiest) = (0, self.first);
        for (time, sum) in sums.steps() {
            if sum > most {
                (most, busiest) = (sum, time);
            }
        }
        busiest
    }

    /// The share of each part in use at an instant, else averaged over the run.
    pub fn shares(&self, at: Option<Time>) -> Vec<f32> {
        let Some(now) = at else {
            return self.averaged();
        };
        let active: Vec<&Allocation> = self.allocations().active_at(now).collect();
        self.system().in_use(&active, self.kept())
    }

    fn averaged(&self) -> Vec<f32> {
        let system = self.system();
        let mut shares = vec![0.0; system.parts()];
        let length = self.length();
        if length > 0.0 {
            for allocation in self.allocations().all() {
                let held = (allocation.end - allocation.start).seconds();
                system.add(&mut shares, allocation, held / length, self.kept());
            }
        }
        shares
    }

    fn paused_allocations(&self, now: Time) -> impl Iterator<Item = &Allocation> {
        let active = self.allocations().active_at(now);
        active.filter(move |allocation| now < allocation.works_from)
    }

    /// The parts held at an instant by jobs that pay for a migration.
    pub fn paused(&self, now: Time) -> Vec<u32> {
        let system = self.system();
        let paused = self.paused_allocations(now);
        paused
            .flat_map(|allocation| system.paused(allocation))
            .collect()
    }

    /// The numbers of jobs at an instant.
    pub fn jobs_at(&self, now: Time) -> JobsAt {
        let running = self.allocations().active_at(now).count();
        let in_system = self
            .run
            .jobs
            .iter_enumerated()
            .filter(|(id, job)| {
                let ends = match self.run.record.histories[*id].outcome {
                    Outcome::Ran { end, .. } | Outcome::Left { time: end } => end,
                    _ => return false,
                };
                job.submit <= now && now < ends
            })
            .count();
        let migrations = self.allocations().all().iter();
        let migrations =
            migrations.filter(|allocation| allocation.migrated && allocation.start <= now);
        JobsAt {
            running,
            waiting: in_system.saturating_sub(running),
            paused: self.paused_allocations(now).count(),
            migrations: migrations.count(),
        }
    }
}

/// What slows a job over its allocations in a run of these jobs with this setup; `None` if nothing
/// does. Costs one run if links are shared.
pub fn slowed_over(setup: &Setup, jobs: Jobs, job: JobId) -> Option<Statement> {
    let guarantee = setup.system.guarantee();
    guarantee.filter(|guarantee| !guarantee.is_full())?;
    let run = Run::new(setup, jobs, Keep::Allocations).finish().replay;
    let playback = Playback::new(run, setup)?;
    let usage = playback.usage()?;
    let stays = playback.allocations().all().iter();
    let stays = stays.filter(|stay| stay.job == job);
    let stretches = stays.flat_map(|stay| usage.slowed_during(stay, playback.system()));
    let (longest, more) = longest(stretches.collect());
    (!longest.is_empty()).then_some(Statement::SlowedOver { longest, more })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::scenario::Scenario;
    use crate::study::sweep::{self, CellRun};

    /// The only run of a scenario.
    fn playback(pairs: &[(&str, &str)]) -> Playback {
        let pairs = [&[("x", "none"), ("reps", "1"), ("jobs", "80")], pairs].concat();
        let scenario = Scenario::parse(pairs).expect("a valid scenario");
        let cell = sweep::cells(&scenario)[0];
        let run =
            CellRun::new(&scenario, cell, None, Keep::Allocations).expect("no trace is needed");
        let setup = scenario.setup(None, None, 0);
        Playback::new(run.finish().1, &setup).expect("the allocations were kept")
    }

    #[test]
    fn on_average_links_are_reserved_as_the_record_says() {
        let playback = playback(&[("policy", "fcfs"), ("load", "0.9")]);
        let record = &playback.run.record;
        let span = (playback.end - playback.first).0 as f64;
        for (share, link) in playback.shares(None).iter().zip(record.links.iter()) {
            let mean = link.integral as f64 / link.capacity.0 as f64 / span;
            assert!((f64::from(*share) - mean).abs() < 1e-4, "{share} {mean}");
        }
    }

    #[test]
    fn as_many_parts_are_in_use_as_jobs_hold_and_at_the_busiest_instant_most() {
        for system in ["nodes", "pool"] {
            let playback = playback(&[("system", system), ("bandwidth", "none"), ("load", "0.9")]);
            let held = |now| playback.shares(Some(now)).iter().sum::<f32>();
            let most = held(playback.busiest());
            assert!(most > 0.0);
            for allocation in playback.allocations().all() {
                assert!(held(allocation.start) <= most);
            }
            assert_eq!(held(playback.end), 0.0);
        }
    }

    #[test]
    fn where_links_are_shared_most_of_them_is_in_use_at_the_busiest_instant() {
        for guarantee in ["0", "40"] {
            let playback = playback(&[("load", "0.9"), ("guarantee", guarantee)]);
            let usage = playback.usage().expect("links are shared");
            let ends = (playback.first, playback.end);
            let used = |now| usage.in_use(Some(now), ends).iter().sum::<f32>();
            let most = used(playback.busiest());
            assert!(most > 1.0);
            let reserved = playback.shares(Some(playback.busiest()));
            assert_eq!(reserved.iter().sum::<f32>() > 0.0, guarantee != "0");
            for allocation in playback.allocations().all() {
                assert!(used(allocation.start) <= most + 1e-3);
                assert!(used(allocation.end) <= most + 1e-3);
            }
        }
    }

    #[test]
    fn jobs_that_run_and_wait_are_those_in_the_system() {
        let playback = playback(&[("policy", "fcfs"), ("load", "1.2")]);
        let before = playback.jobs_at(Time(playback.first.0.wrapping_sub(1)));
        assert_eq!((before.running, before.waiting), (0, 0));
        let busy = playback.jobs_at(playback.busiest());
        assert!(busy.running > 0);
        let after = playback.jobs_at(playback.end);
        assert_eq!((after.running, after.waiting, after.paused), (0, 0, 0));
        assert_eq!(playback.instant(playback.length()), playback.end);
    }
}
