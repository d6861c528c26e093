//! Warnings, before a run, about jobs that request more than a system has.
//!
//! Jobs of a trace are counted; for generated jobs the largest possible request is known. Only
//! slots are considered, which every policy needs: whether bandwidth can be guaranteed shows in the
//! run.

use crate::language::scenario::{Axis, PolicySpec, Scenario};
use crate::language::words::grouped;
use backfill_sim::setup::Setup;
use backfill_sim::system::describe::Confinement;
use backfill_sim::workload::{self, Model, Source, Trace};

/// The most values of each axis that are considered.
const VALUES: usize = 20;

/// A warning before a run: the number of jobs that can never run, at the point of a sample of the
/// sweep where it is largest. `None` if all can run.
pub fn warning(scenario: &Scenario, trace: Option<&Trace>) -> Option<String> {
    let axes = [scenario.x(), scenario.y()];
    let [xs, ys] = axes.map(|axis| {
        let count = axis.map_or(1, |axis| axis.values.len());
        (0..count)
            .step_by(count.div_ceil(VALUES))
            .collect::<Vec<usize>>()
    });
    let at = |x: usize, y: usize| {
        let setup = scenario.setup(axes[0].map(|_| x), axes[1].map(|_| y), 0);
        let setup = setup.fitted(trace);
        OversizeJobs::of(scenario, &setup, trace)
    };
    let mut worst = (0, (0, 0));
    for &y in &ys {
        for &x in &xs {
            let rejected = at(x, y).rejected();
            if rejected > worst.0 {
                worst = (rejected, (x, y));
            }
        }
    }
    let (most, (x, y)) = worst;
    let words = at(x, y).words()?;
    let alike = [
        xs.iter().all(|&other| at(other, y).rejected() == most),
        ys.iter().all(|&other| at(x, other).rejected() == most),
    ];
    let places = axes.into_iter().zip([x, y]).zip(alike);
    let places: Vec<String> = places
        .filter(|&(_, alike)| !alike)
        .filter_map(|((axis, value), _)| Some((axis?, value)))
        .map(|(axis, value)| format!("{} = {}", axis.key.name, axis.values[value]))
        .collect();
    Some(if places.is_empty() {
        words
    } else {
        format!("With {}: {words}", places.join(" and "))
    })
}

/// Whether generated jobs may be larger than the system somewhere in the sweep, so that [`warning`]
/// is not `None`. It takes less code.
pub fn may_exceed(scenario: &Scenario) -> bool {
    let count = |axis: Option<&Axis>| axis.map_or(1, |axis| axis.values.len());
    let [xs, ys] = [scenario.x(), scenario.y()].map(count);
    let exceeds = |x: usize, y: usize| {
        let setup = scenario.setup(scenario.x().map(|_| x), scenario.y().map(|_| y), 0);
        largest(&setup.workload.source).is_some_and(|most| {
            let capacity = setup.system.capacity();
            let confined = setup.system.kind().about().confinement.is_some();
            most > if confined {
                capacity.slots_per_server
            } else {
                capacity.slots
            }
        })
    };
    (0..ys).any(|y| (0..xs).any(|x| exceeds(x, y)))
}

/// The sizes of jobs.
enum Sizes {
    /// The size of each job.
    Counted(Vec<u32>),
    /// The largest possible size; `None` if unknown.
    UpTo(Option<u64>),
}

/// Limits and requests at one point of a sweep.
struct OversizeJobs {
    sizes: Sizes,
    /// (limit, its owner, the policies that reject larger jobs).
    limits: Vec<(u64, String, String)>,
    unit: String,
}

impl OversizeJobs {
    fn of(scenario: &Scenario, setup: &Setup, trace: Option<&Trace>) -> OversizeJobs {
        let about = setup.system.kind().about();
        let capacity = setup.system.capacity();
        let all = (
            capacity.slots,
            "this system".to_owned(),
            "every policy rejects".to_owned(),
        );
        let mut limits = vec![all];
        if let Some(Confinement { part, placements }) = about.confinement {
            let confined = |policy: &&PolicySpec| placements.contains(&policy.placement.name());
            let confined = scenario.policies().iter().filter(confined);
            let names: Vec<String> = confined.map(PolicySpec::label).collect();
            let reject = if names.len() == 1 {
                "rejects"
            } else {
                "reject"
            };
            if !names.is_empty() {
                limits.push((
                    capacity.slots_per_server,
                    part.to_owned(),
                    format!("{} {reject}", names.join(" and ")),
                ));
            }
        }
        OversizeJobs {
            sizes: sizes(setup, trace),
            limits,
            unit: format!("{}s", about.unit),
        }
    }

    /// The number of jobs that some policy rejects, or the possible excess over the limits.
    fn rejected(&self) -> u64 {
        let beyond = self.limits.iter().map(|&(limit, ..)| match &self.sizes {
            Sizes::Counted(sizes) => above(sizes, limit),
            Sizes::UpTo(most) => most.unwrap_or(0).saturating_sub(limit),
        });
        beyond.sum()
    }

    fn words(&self) -> Option<String> {
        let unit = &self.unit;
        let sentences = self.limits.iter().filter_map(|(limit, whose, who)| {
            let has = grouped(*limit);
            match &self.sizes {
                Sizes::Counted(sizes) => {
                    let count = above(sizes, *limit);
                    let largest = sizes.iter().max().filter(|_| count > 0)?;
                    Some(format!(
                        "{} of {} jobs ask for more than the {has} {unit} of {whose}, the largest for {}: \
                         {who} them.",
                        grouped(count),
                        grouped(sizes.len() as u64),
                        grouped(u64::from(*largest)),
                    ))
                }
                Sizes::UpTo(most) => {
                    let most = most.filter(|most| most > limit)?;
                    Some(format!(
                        "Jobs may ask for up to {} {unit}, and {whose} has {has}: {who} those that ask \
                         for more.",
                        grouped(most)
                    ))
                }
            }
        });
        let sentences: Vec<String> = sentences.collect();
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }
}

fn above(sizes: &[u32], limit: u64) -> u64 {
    let above = sizes.iter().filter(|&&size| u64::from(size) > limit);
    above.count() as u64
}

fn sizes(setup: &Setup, trace: Option<&Trace>) -> Sizes {
    match &setup.workload.source {
        Source::Swf | Source::Csv => {
            let taken = trace.map(|trace| workload::sizes(&setup.workload, trace));
            Sizes::Counted(taken.unwrap_or_default())
        }
        generated => Sizes::UpTo(largest(generated)),
    }
}

/// The largest size of a generated job; `None` if its distribution has none.
fn largest(source: &Source) -> Option<u64> {
    match source {
        Source::Swf | Source::Csv => None,
        Source::Poisson { size, .. } => size.largest(),
        Source::Model { model, .. } => match model {
            Model::Lublin { largest, .. } => Some(u64::from(*largest)),
            Model::Feitelson(model) => Some(u64::from(model.largest)),
            Model::Jann { .. } => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::logs::{Options, TraceReader};
    use backfill_sim::workload::Format;

    /// Seven jobs, the fifth of which was cancelled.
    fn trace() -> Trace {
        let mut reader = TraceReader::new(Format::Swf, Options::named("log"));
        for (number, size) in (1..).zip([1, 10, 100, 1000, 79_920, 79_920, 2]) {
            let status = if number == 5 { 5 } else { 1 };
            let line =
                format!("{number} {number} 0 9 {size} -1 -1 -1 9 -1 {status} 1 1 1 1 -1 -1 -1\n");
            reader.push(line.as_bytes()).expect("a line");
        }
        reader.finish().expect("a log")
    }

    #[track_caller]
    fn said(scenario: &str, expected: &str) {
        let pairs = scenario
            .split(' ')
            .map(|pair| pair.split_once('=').expect("key=value"));
        let scenario = Scenario::parse(pairs).expect("a valid scenario");
        let trace = scenario.relevant("file").then(trace);
        assert_eq!(
            warning(&scenario, trace.as_ref()).unwrap_or_default(),
            expected
        );
    }

    #[test]
    fn jobs_of_a_log_that_can_never_run_are_counted() {
        let log = |more: &str| format!("workload=swf load=as-logged {more}");
        said(
            &log("k=6"),
            "3 of 7 jobs ask for more than the 432 slots of this system, the largest for 79,920: every \
             policy rejects them.",
        );
        said(&log("k=6 first=3"), "");
        said(&log("k=64"), "");
        said(
            &log("k=6 statuses=not-cancelled"),
            "2 of 6 jobs ask for more than the 432 slots of this system, the largest for 79,920: every \
             policy rejects them.",
        );
        said(
            &log("x=k:64,4,16"),
            "With k = 4: 3 of 7 jobs ask for more than the 128 slots of this system, the largest for \
             79,920: every policy rejects them.",
        );
        said(
            &log("x=k:16,4 y=first:3,4"),
            "With k = 4 and first = 4: 1 of 4 jobs ask for more than the 128 slots of this system, the \
             largest for 1,000: every policy rejects them.",
        );
        said(
            &log("system=nodes nodes=99"),
            "4 of 7 jobs ask for more than the 99 nodes of this system, the largest for 79,920: every \
             policy rejects them.",
        );
        said(
            &log("system=pool vms=1000 centres=2"),
            "2 of 7 jobs ask for more than the 2,000 machines of this system, the largest for 79,920: \
             every policy rejects them.",
        );
    }

    #[test]
    fn clusters_reject_what_may_not_be_spread_over_several() {
        let clusters =
            "workload=swf load=as-logged system=multi-cluster nodes_per_cluster=600+500 clusters=2";
        said(
            &format!("{clusters} policy=fpfs+first-fit"),
            "2 of 7 jobs ask for more than the 1,100 nodes of this system, the largest for 79,920: every \
             policy rejects them.",
        );
        said(
            &format!("{clusters} first=4 policy=fpfs+no-share,fpfs+first-fit"),
            "1 of 4 jobs ask for more than the 600 nodes of the largest cluster, the largest for 1,000: \
             FPFS + No share rejects them.",
        );
    }

    #[test]
    fn for_generated_jobs_the_largest_possible_size_is_named() {
        said("jobs=10", "");
        said("jobs=10 size=exponential:4", "");
        said(
            "k=2 slots=4",
            "Jobs may ask for up to 15 slots, and this system has 8: every policy rejects those that ask \
             for more.",
        );
        said(
            "workload=lublin load=as-logged max_size=512 x=k:6,8",
            "With k = 6: Jobs may ask for up to 512 slots, and this system has 432: every policy rejects \
             those that ask for more.",
        );
    }
}
