//! The use of shared links in a finished run with partial guarantees: the load of links, and the
//! link that limited each job.
//!
//! The shares of jobs are read from the record. The link that limited a job follows from the jobs
//! on its links: the engine's own progressive filling is repeated, with the shares of the run to
//! the bit, and its rule chooses the link if several on the path are full.

use backfill_sim::sorting;
use std::rc::Rc;

use crate::inspect::explain::SlowedDuring;
use backfill_sim::id::{Id, JobId, LinkId};
use backfill_sim::machine::Guarantee;
use backfill_sim::machine::sharing::{Shares, Sharing, speed};
use backfill_sim::record::Allocation;
use backfill_sim::run::Replay;
use backfill_sim::setup::Setup;
use backfill_sim::system::describe::Measure;
use backfill_sim::unit::{Kbps, Time, round};

/// A job's demand on each link of its path.
type Demand<'a> = &'a [(LinkId, Kbps)];

/// A finished run in which jobs shared links.
#[derive(Clone, Debug)]
pub struct LinkUsage {
    run: Rc<Replay>,
    guarantee: Guarantee,
    /// By position of the allocation in the record: its demand on each link of its path.
    demands: Vec<Vec<(LinkId, Kbps)>>,
    /// The changes of shares (instant, new share): job by job, in order of time.
    changes: Vec<(Time, f64)>,
    /// The start of each job's changes, and the end of the last one's.
    begins: Vec<usize>,
}

/// The full link that limited a job: no other job on it had a larger share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The link.
    pub link: LinkId,
    /// The other jobs on it, ascending.
    pub with: Vec<JobId>,
}

/// A period in which a job had the same share, limited by the same link, with the same others on
/// it.
#[derive(Clone, Debug, PartialEq)]
pub struct SlowStretch {
    /// Its start.
    pub from: Time,
    /// Its end.
    pub until: Time,
    /// The share of its demand that it got, less than 1.
    pub share: f64,
    /// The limiting link.
    pub limit: Limit,
}

impl LinkUsage {
    /// Extracts the shares on shared links from the record of a run with this setup; `None` if no
    /// links were shared, or allocations were not kept.
    pub fn taken(mut run: Replay, setup: &Setup) -> (Rc<Replay>, Option<LinkUsage>) {
        let shares = run.record.shares.take();
        let run = Rc::new(run);
        let usage = shares.and_then(|shares| LinkUsage::of(&run, shares, setup));
        (run, usage)
    }

    fn of(run: &Rc<Replay>, shares: Shares, setup: &Setup) -> Option<LinkUsage> {
        let guarantee = setup.system.guarantee()?;
        let mut begins = vec![0; run.jobs.len() + 1];
        for &(_, job, _) in &shares.changes {
            begins[job.index() + 1] += 1;
        }
        for job in 0..run.jobs.len() {
            begins[job + 1] += begins[job];
        }
        let mut next = begins.clone();
        let mut changes = vec![(Time(0), 0.0); shares.changes.len()];
        for (time, job, share) in shares.changes {
            changes[next[job.index()]] = (time, share);
            next[job.index()] += 1;
        }
        Some(LinkUsage {
            run: run.clone(),
            guarantee,
            demands: shares.demands,
            changes,
            begins,
        })
    }

    fn changes_of(&self, job: JobId) -> &[(Time, f64)] {
        &self.changes[self.begins[job.index()]..self.begins[job.index() + 1]]
    }

    /// The allocations at `time`, or all, with their demands.
    fn held(&self, time: Option<Time>) -> impl Iterator<Item = (&Allocation, &[(LinkId, Kbps)])> {
        let allocations = self.run.record.allocations.as_ref();
        let allocations = allocations.expect("else there is no usage").all();
        let begun = time.map_or(allocations.len(), |time| {
            allocations.partition_point(|allocation| allocation.start <= time)
        });
        let demands = self.demands.iter().map(Vec::as_slice);
        allocations[..begun]
            .iter()
            .zip(demands)
            .filter(move |(allocation, _)| time.is_none_or(|time| time < allocation.end))
    }

    /// (instant, share) of an allocation's job from its start on, in order of time.
    pub fn steps(&self, allocation: &Allocation) -> Vec<(Time, f64)> {
        let Allocation { start, end, .. } = *allocation;
        let changes = self.changes_of(allocation.job);
        let first = changes.partition_point(|change| change.0 < start);
        let mut steps = vec![(start, 1.0)];
        for &(time, share) in changes[first..].iter().take_while(|change| change.0 < end) {
            if time == start {
                steps.clear();
            }
            steps.push((time, share));
        }
        steps
    }

    /// The share of an allocation's job at an instant.
    pub fn share(&self, allocation: &Allocation, time: Time) -> f64 {
        let changes = self.changes_of(allocation.job);
        let until = changes.partition_point(|change| change.0 <= time);
        let last = changes[..until].last();
        last.filter(|change| change.0 >= allocation.start)
            .map_or(1.0, |change| change.1)
    }

    /// The speed of a job with such a share relative to its undisturbed speed.
    pub fn speed(&self, share: f64) -> f64 {
        speed(self.guarantee.communication.to_f64(), share)
    }

    /// The share of each link in use at an instant; without one, averaged over the run, from its
    /// first submit to its end.
    pub fn in_use(&self, time: Option<Time>, ends: (Time, Time)) -> Vec<f32> {
        let mut used = vec![0.0; self.run.links.len()];
        let length = (ends.1 - ends.0).0 as f64;
        for (allocation, demand) in self.held(time) {
            let share = match time {
                Some(time) => self.share(allocation, time),
                None => self.integral(allocation) / length.max(1.0),
            };
            for &(link, asked) in demand {
                used[link.index()] += share * asked.0 as f64;
            }
        }
        let shares = used.iter().zip(&self.run.links);
        shares
            .map(|(used, capacity)| (used / capacity.0 as f64) as f32)
            .collect()
    }

    /// The share of an allocation's job, integrated over the allocation, in microseconds.
    fn integral(&self, allocation: &Allocation) -> f64 {
        let steps = self.steps(allocation);
        let until = steps.iter().skip(1).map(|step| step.0);
        steps
            .iter()
            .zip(until.chain([allocation.end]))
            .map(|(&(from, share), until)| share * (until - from).0 as f64)
            .sum()
    }

    /// The total use of links, each kbit/s weighted by `weight`: (instant, change) at every start
    /// or end of a job. Amounts are whole, so that sums are exact.
    pub fn together(&self, weight: impl Fn(LinkId) -> f64) -> Vec<(Time, i64)> {
        let ends = |(held, _): (&Allocation, _)| [(held.start, 0), (held.end, 0)];
        let mut sums: Vec<(Time, i64)> = self.held(None).flat_map(ends).collect();
        sorting::by_key(&mut sums, |&sum| sum);
        sums.dedup();
        for (allocation, demand) in self.held(None) {
            let asked = demand.iter();
            let asked = asked.map(|&(link, asked)| asked.0 as f64 * weight(link));
            let asked: f64 = asked.sum();
            let mut before = 0;
            for (time, share) in self
                .steps(allocation)
                .into_iter()
                .chain([(allocation.end, 0.0)])
            {
                let used = round(share * asked) as i64;
                let position = sums.partition_point(|sum| sum.0 < time);
                sums[position].1 += used - before;
                before = used;
            }
        }
        let mut sum = 0;
        for (_, change) in &mut sums {
            sum += *change;
            *change = sum;
        }
        sums
    }

    /// The links on which the job of an allocation has a demand.
    pub fn links_of(&self, allocation: &Allocation) -> impl Iterator<Item = LinkId> {
        let allocations = self.run.record.allocations.as_ref();
        let allocations = allocations.expect("else there is no usage").all();
        let first = allocations.partition_point(|other| other.start < allocation.start);
        let mut own = allocations[first..].iter();
        let own =
            own.position(|other| other.job == allocation.job && other.start == allocation.start);
        let demand = &self.demands[first + own.expect("an allocation of this run")];
        let asked = demand.iter().filter(|asks| asks.1 > Kbps(0));
        asked.map(|asks| asks.0)
    }

    /// The link that limits a job at an instant; `None` if it gets its full demand, or does not
    /// run.
    pub fn limit(&self, job: JobId, time: Time) -> Option<Limit> {
        limit(&self.sharing(time), job)
    }

    /// The sharing of links among the running jobs at an instant.
    fn sharing(&self, time: Time) -> Sharing {
        let Guarantee {
            percent,
            communication,
        } = self.guarantee;
        let mut sharing = Sharing::new(&self.run.links, percent, communication);
        for (allocation, demand) in self.held(Some(time)) {
            sharing.start(allocation.job, demand.to_vec());
        }
        sharing.share_out();
        sharing
    }

    /// The periods in which the job of an allocation worked with less than its demand, in order of
    /// time.
    pub fn slow_stretches(&self, allocation: &Allocation) -> Vec<SlowStretch> {
        let Allocation {
            job, start, end, ..
        } = *allocation;
        // At one instant, jobs end before others start, or the same job starts elsewhere.
        let mut events: Vec<(Time, Option<Demand<'_>>, JobId)> = Vec::new();
        for (other, demand) in self.held(None).filter(|(other, _)| other.start < other.end) {
            if start < other.start && other.start < end {
                events.push((other.start, Some(demand), other.job));
            }
            if start < other.end && other.end < end {
                events.push((other.end, None, other.job));
            }
        }
        sorting::by_key(&mut events, |&(time, demand, _)| (time, demand.is_some()));
        let mut sharing = self.sharing(start);
        let mut stretches: Vec<SlowStretch> = Vec::new();
        let mut note = |sharing: &Sharing, from: Time, until: Time| {
            let from = from.max(allocation.works_from);
            let Some(limit) = limit(sharing, job).filter(|_| from < until) else {
                return;
            };
            let share = sharing.share_of(job);
            match stretches.last_mut() {
                Some(last) if last.until == from && last.share == share && last.limit == limit => {
                    last.until = until;
                }
                _ => stretches.push(SlowStretch {
                    from,
                    until,
                    share,
                    limit,
                }),
            }
        };
        let mut now = start;
        for at_once in events.chunk_by(|one, other| one.0 == other.0) {
            note(&sharing, now, at_once[0].0);
            for &(time, demand, job) in at_once {
                now = time;
                match demand {
                    Some(demand) => sharing.start(job, demand.to_vec()),
                    None => sharing.stop(job),
                }
            }
            sharing.share_out();
        }
        note(&sharing, now, end);
        stretches
    }

    /// What slowed the job of an allocation, in order of time, with the names of links and the
    /// numbers of jobs.
    pub fn slowed_during(&self, allocation: &Allocation, links: &dyn Measure) -> Vec<SlowedDuring> {
        let number = |job: &JobId| self.run.jobs[*job].number;
        let named = |stretch: SlowStretch| SlowedDuring {
            from: stretch.from,
            until: stretch.until,
            share: stretch.share,
            speed: self.speed(stretch.share),
            link: stretch.limit.link,
            name: links.link(stretch.limit.link),
            with: stretch.limit.with.iter().map(number).collect(),
        };
        let stretches = self.slow_stretches(allocation).into_iter();
        stretches.map(named).collect()
    }
}

/// The link that limits a job.
fn limit(sharing: &Sharing, job: JobId) -> Option<Limit> {
    let link = sharing.limit_of(job)?;
    let others = sharing.users_of(link).filter(|&other| other != job);
    Some(Limit {
        link,
        with: others.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::explain::{Statement, explain};
    use crate::language::scenario::Scenario;
    use crate::study::sweep::{self, CellRun};
    use backfill_sim::job::Jobs;
    use backfill_sim::run::Keep;

    /// A run in which jobs share links, its setup, and its jobs.
    fn run(pairs: &[(&str, &str)]) -> (Replay, Setup, Jobs) {
        let common = [
            ("policy", "fcfs+adaba"),
            ("x", "none"),
            ("reps", "1"),
            ("jobs", "120"),
            ("load", "0.9"),
            ("communication", "1"),
        ];
        let scenario = Scenario::parse([&common, pairs].concat()).expect("a valid scenario");
        let cell = sweep::cells(&scenario)[0];
        let run = CellRun::new(&scenario, cell, None, Keep::Allocations).expect("no log");
        let (setup, jobs) = sweep::parts(&scenario, cell, None).expect("no log");
        (run.finish().1, setup, jobs)
    }

    fn cases() -> Vec<(Rc<Replay>, LinkUsage, Setup, Jobs)> {
        let tree = [
            ("system", "tree"),
            ("tree", "((4,3)(5,4))"),
            ("node_slots", "4"),
            ("oversubscription", "4"),
        ];
        let systems: [&[(&str, &str)]; 3] = [
            &[("fabric", "aggregated")],
            &[("fabric", "single-root")],
            &tree,
        ];
        ["0", "40"]
            .into_iter()
            .flat_map(|guarantee| {
                systems.map(|system| {
                    let (replay, setup, jobs) =
                        run(&[&[("guarantee", guarantee)], system].concat());
                    let (replay, usage) = LinkUsage::taken(replay, &setup);
                    (replay, usage.expect("links are shared"), setup, jobs)
                })
            })
            .collect()
    }

    #[test]
    fn a_job_that_only_communicates_gets_its_run_time_in_shares() {
        for (replay, usage, ..) in cases() {
            let mut slowed = 0;
            for (allocation, _) in usage.held(None) {
                let runtime = replay.jobs[allocation.job].runtime.0 as f64;
                let held = (allocation.end - allocation.start).0 as f64;
                assert!((usage.integral(allocation) - runtime).abs() < 3.0);
                slowed += usize::from(held > runtime + 3.0);
            }
            assert!(slowed > 5, "{slowed} went slower");
        }
    }

    #[test]
    fn no_link_is_used_beyond_its_capacity_and_some_are_full() {
        for (replay, usage, ..) in cases() {
            let ends = (Time(0), replay.record.end().expect("jobs ran"));
            let starts = usage.held(None).map(|held| held.0.start);
            let mut full = 0;
            for time in starts.collect::<Vec<_>>() {
                let used = usage.in_use(Some(time), ends);
                assert!(used.iter().all(|&share| share <= 1.000_001));
                full += used.iter().filter(|&&share| share > 0.999_999).count();
            }
            assert!(full > 0);
            let mean = usage.in_use(None, ends);
            assert!(mean.iter().all(|&share| (0.0..=1.0).contains(&share)));
        }
    }

    #[test]
    fn a_job_is_slowed_as_its_explanation_says() {
        let mut slowed = 0;
        for (replay, usage, setup, jobs) in cases() {
            for (allocation, _) in usage.held(None).step_by(7) {
                let at = Time((allocation.start.0 + allocation.end.0) / 2);
                let explanation = explain(&setup, jobs.clone(), allocation.job, Some(at));
                let expected =
                    explanation
                        .statements
                        .iter()
                        .find_map(|statement| match statement {
                            Statement::Slowed {
                                share,
                                speed,
                                link,
                                with,
                                ..
                            } => Some((*share, *speed, *link, with.clone())),
                            _ => None,
                        });
                let share = usage.share(allocation, at);
                let limit = usage.limit(allocation.job, at);
                let number = |job: &JobId| replay.jobs[*job].number;
                let found = limit.map(|Limit { link, with }| {
                    let with = with.iter().map(number).collect();
                    (share, usage.speed(share), link, with)
                });
                assert_eq!(found, expected);
                assert_eq!(found.is_some(), share < 1.0);
                slowed += usize::from(found.is_some());
            }
        }
        assert!(slowed > 5, "{slowed} were slowed");
    }

    /// Periods do not overlap, neighbours differ, and each agrees with the limit at any instant in
    /// it.
    #[test]
    fn periods_agree_with_the_limit_at_each_instant() {
        let mut slow = 0;
        for (_, usage, ..) in cases() {
            for (allocation, _) in usage.held(None) {
                let stretches = usage.slow_stretches(allocation);
                slow += stretches.len();
                for pair in stretches.windows(2) {
                    let [one, next] = pair else { unreachable!() };
                    assert!(one.until <= next.from);
                    let differ = one.share != next.share || one.limit != next.limit;
                    assert!(differ || one.until < next.from);
                }
                let ends = stretches.iter().flat_map(|each| [each.from, each.until]);
                let all = usage.held(None).map(|held| held.0.start).chain(ends);
                let (start, end) = (allocation.start, allocation.end);
                for at in all.filter(|at| start <= *at && *at < end) {
                    let covers = |each: &&SlowStretch| each.from <= at && at < each.until;
                    let found = stretches.iter().find(covers);
                    let share = found.map_or(1.0, |found| found.share);
                    assert_eq!(share, usage.share(allocation, at));
                    let limit = found.map(|found| found.limit.clone());
                    assert_eq!(limit, usage.limit(allocation.job, at));
                }
            }
        }
        assert!(slow > 100, "{slow} stretches");
    }

    #[test]
    fn where_all_is_guaranteed_there_is_nothing_to_share() {
        let (replay, setup, _) = run(&[("guarantee", "100")]);
        assert!(LinkUsage::taken(replay, &setup).1.is_none());
    }

    #[test]
    fn what_a_run_keeps_of_its_sharing_is_kept_once() {
        let (replay, setup, _) = run(&[("guarantee", "0")]);
        let shares = replay.record.shares.clone().expect("links are shared");
        let (replay, usage) = LinkUsage::taken(replay, &setup);
        assert_eq!(replay.record.shares, None);
        let usage = usage.expect("links are shared");
        assert_eq!(usage.demands, shares.demands);
        assert_eq!(usage.changes.capacity(), shares.changes.len());
        for job in replay.jobs.ids() {
            let of_job = shares.changes.iter().filter(|change| change.1 == job);
            let of_job: Vec<(Time, f64)> = of_job.map(|change| (change.0, change.2)).collect();
            assert_eq!(usage.changes_of(job), of_job);
        }
    }
}
