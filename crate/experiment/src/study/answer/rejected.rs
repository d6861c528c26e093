//! Sentences on jobs that can never run, which are not a policy's fault, and on jobs that left the
//! queue.

use crate::language::scenario::Axis;
use crate::language::words::{capital, grouped_digits, listed};
use backfill_sim::metrics::{
    ACCEPT_POSSIBLE, INFEASIBLE, LEFT, METRICS, OVERSIZE, UNPLACEABLE, position,
};
use backfill_sim::stats::{MeanEstimate, estimate};

use crate::study::answer::Answer;
use crate::study::answer::numbers::printed;

/// Jobs that cannot run at one point of a sweep.
struct NeverRun {
    /// Larger than the system.
    oversize: f64,
    /// These, and jobs that no policy of the scenario could run for other reasons.
    everywhere: f64,
    /// By policy: further jobs without a placement even on the empty system.
    more: Vec<f64>,
}

impl Answer<'_> {
    /// How many jobs can never run at the value `y` of the second axis, and how many of the others
    /// do, with a leading space; `None` if all can. Of the values of x it is the last with the most
    /// such jobs.
    pub fn never_run(&self, y: usize) -> Option<String> {
        let values = self.scenario.x().map_or(1, |axis| axis.values.len());
        let points = (0..values).filter_map(|x| Some((x, self.never(y, x)?)));
        let worst = |one: &(usize, NeverRun), other: &(usize, NeverRun)| {
            let sum = |never: &NeverRun| never.everywhere + never.more.iter().sum::<f64>();
            sum(&one.1).total_cmp(&sum(&other.1))
        };
        let (x, never) = points.max_by(worst)?;
        let (axes, values) = ([self.scenario.y(), self.scenario.x()], [y, x]);
        let place = |(axis, value): (Option<&Axis>, usize)| {
            let axis = axis?;
            Some(format!("{} = {}", axis.key.name, axis.values[value]))
        };
        let places: Vec<String> = axes.into_iter().zip(values).filter_map(place).collect();
        let at = if places.is_empty() {
            String::new()
        } else {
            format!("at {}, ", places.join(" and "))
        };
        let mut sentences = Vec::new();
        let bandwidth = never.everywhere - never.oversize;
        let jobs = self.jobs(y, x);
        if never.everywhere > 0.0 {
            let about = self.scenario.system().about();
            let oversize = format!("ask for more {}s than this system has", about.unit);
            let reasons = [
                (never.oversize, oversize.as_str()),
                (bandwidth, about.fits_nowhere.unwrap_or_default()),
            ];
            let reasons = reasons.into_iter().filter(|(jobs, _)| *jobs > 0.0);
            let reasons: Vec<String> = reasons
                .map(|(rejected, why)| format!("{} {jobs} {why}", count(rejected)))
                .collect();
            let reasons = listed(reasons.iter().map(String::as_str));
            sentences.push(format!("{at}{reasons}: every policy rejects them"));
        }
        for (policy, &more) in self.policies().zip(&never.more) {
            if more > 0.0 {
                let at = if sentences.is_empty() {
                    at.as_str()
                } else {
                    ""
                };
                let more = count(more);
                sentences.push(format!(
                    "{at}{policy} finds no placement for {more} {jobs} even on the empty system"
                ));
            }
        }
        let possible = position(ACCEPT_POSSIBLE)?;
        let rates = (0..never.more.len()).filter_map(|policy| {
            let rate = mean(&self.results.values(y, x, policy, possible))?;
            let half_width = None;
            let n = 1;
            let rate = MeanEstimate {
                mean: rate,
                half_width,
                n,
            };
            Some(printed(METRICS[possible].unit, rate).mean)
        });
        let rates: Vec<String> = rates.collect();
        let alike = rates.windows(2).all(|pair| pair[0] == pair[1]);
        let rates = match (alike, rates.first()) {
            (_, None) => String::new(),
            (true, Some(rate)) => format!(" Of the jobs that can run, {rate} % are accepted."),
            (false, _) => {
                let named = self.policies().zip(&rates);
                let named: Vec<String> = named
                    .map(|(policy, rate)| format!("{policy} accepts {rate} %"))
                    .collect();
                let named = listed(named.iter().map(String::as_str));
                format!(" Of the jobs that can run, {named}.")
            }
        };
        let sentences = sentences.into_iter().map(capital).collect::<Vec<_>>();
        Some(format!(" {}.{rates}", sentences.join(". ")))
    }

    /// How many jobs left the queue at the value `y` of the second axis, with a leading space;
    /// `None` if none did.
    pub fn left_queue(&self, y: usize) -> Option<String> {
        let metric = position(LEFT)?;
        let points = self.results.points().into_iter();
        let points = points.filter(|point| (point.y, point.metric) == (y, metric));
        let left: Vec<f64> = points.map(|point| point.value.mean).collect();
        let least = left.iter().copied().reduce(f64::min)?;
        let most = left
            .into_iter()
            .reduce(f64::max)
            .filter(|&most| most > 0.0)?;
        let jobs = if most == 1.0 { "job" } else { "jobs" };
        let from = if least < most {
            format!("{} to ", count(least))
        } else {
            String::new()
        };
        Some(format!(
            " {from}{} {jobs} left the queue without having started: rates and times are over the others.",
            count(most)
        ))
    }

    /// The jobs that cannot run at one point; `None` if all can, or a run is missing.
    fn never(&self, y: usize, x: usize) -> Option<NeverRun> {
        let value = |policy, name| {
            let metric = position(name)?;
            mean(&self.results.values(y, x, policy, metric))
        };
        let policies = self.scenario.policies().len();
        let mut everywhere = f64::INFINITY;
        let mut rejected = Vec::new();
        let mut oversize = 0.0;
        for policy in 0..policies {
            let infeasible = value(policy, INFEASIBLE)?;
            oversize = value(policy, OVERSIZE)?;
            // If no exact test applies, jobs that are too large are counted as unplaceable.
            everywhere = f64::min(everywhere, infeasible.max(oversize));
            rejected.push(infeasible + value(policy, UNPLACEABLE)?);
        }
        let more: Vec<f64> = rejected.iter().map(|all| all - everywhere).collect();
        let some = everywhere > 0.0 || more.iter().any(|&more| more > 0.0);
        some.then_some(NeverRun {
            oversize,
            everywhere,
            more,
        })
    }

    /// The total of the counts at one point, in words.
    fn jobs(&self, y: usize, x: usize) -> String {
        let all = ["warmup", "cooldown"].map(|key| self.scenario.get(key) == "0");
        let mut outcomes = self.results.outcomes();
        let here = outcomes.find(|outcome| (outcome.cell.y, outcome.cell.x) == (y, x));
        match here.filter(|_| all == [true; 2]) {
            Some(outcome) => format!("of {} jobs", count(outcome.jobs as f64)),
            None => "of the jobs counted".to_owned(),
        }
    }
}

/// The mean of a metric over replications; `None` if one has no value.
fn mean(values: &[Option<f64>]) -> Option<f64> {
    let values: Option<Vec<f64>> = values.iter().copied().collect();
    Some(estimate(&values?)?.mean)
}

/// A number of jobs; a mean over replications need not be whole.
fn count(jobs: f64) -> String {
    if jobs.fract() == 0.0 {
        grouped_digits(&format!("{jobs:.0}"))
    } else {
        format!("on average {}", grouped_digits(&format!("{jobs:.1}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::logs::{Options, TraceReader};
    use crate::language::scenario::Scenario;
    use crate::study::answer::tests::simulated;
    use crate::study::sweep::{CellRun, Results, cells};
    use backfill_sim::run::Keep;
    use backfill_sim::workload::{Cancelled, Format};

    #[track_caller]
    fn assert_says(pairs: &[(&str, &str)], expected: &str) {
        let given = |key: &str| pairs.iter().any(|(name, _)| *name == key);
        let others = [("jobs", "60"), ("reps", "1"), ("x", "none")];
        let others = others.iter().filter(|(key, _)| !given(key));
        let all: Vec<_> = pairs.iter().chain(others).copied().collect();
        let (scenario, results) = &simulated(&all);
        let answer = Answer { scenario, results };
        let sentences = answer.never_run(0).unwrap_or_default();
        assert_eq!(sentences.trim_start(), expected);
        if !expected.is_empty() {
            assert!(answer.summary(0).sentence.ends_with(expected));
        }
    }

    /// Behind the first job, which holds three of four nodes, wait one for four nodes and one for a
    /// single node, which starts only by backfilling before it leaves.
    #[test]
    fn jobs_that_left_the_queue_are_reported() {
        let log = "1 0 0 100 3 -1 -1 3 100 -1 1 1 1 1 1 1 -1 -1\n\
                   2 1 50 -1 -1 -1 -1 4 10 -1 5 1 1 1 1 1 -1 -1\n\
                   3 5 20 -1 -1 -1 -1 1 10 -1 5 1 1 1 1 1 -1 -1\n";
        let options = Options {
            cancelled: Cancelled::Leave,
            strict: true,
            ..Options::named("log.swf")
        };
        let mut reader = TraceReader::new(Format::Swf, options);
        reader.push(log.as_bytes()).expect("a log");
        let trace = reader.finish().expect("a log");
        for (policies, expected) in [
            (
                "fcfs,easy",
                " 1 to 2 jobs left the queue without having started: rates and times are over the others.",
            ),
            (
                "easy",
                " 1 job left the queue without having started: rates and times are over the others.",
            ),
        ] {
            let scenario = Scenario::parse([
                ("system", "nodes"),
                ("nodes", "4"),
                ("workload", "swf"),
                ("file", "log.swf"),
                ("cancelled", "leave"),
                ("load", "as-logged"),
                ("policy", policies),
            ]);
            let scenario = &scenario.expect("a valid scenario");
            let mut results = Results::new(scenario);
            for cell in cells(scenario) {
                let run = CellRun::new(scenario, cell, Some(&trace), Keep::Metrics);
                results.add(run.expect("jobs").finish().0);
            }
            let results = &results;
            let answer = Answer { scenario, results };
            assert_eq!(answer.left_queue(0).as_deref(), Some(expected));
            assert!(answer.summary(0).sentence.ends_with(expected));
        }
    }

    #[test]
    fn jobs_that_no_policy_can_run_are_reported() {
        assert_says(&[("policy", "fcfs,none")], "");
        assert_says(
            &[("policy", "fcfs,easy"), ("k", "2"), ("slots", "4")],
            "40 of 60 jobs ask for more slots than this system has and 1 of 60 jobs ask for more \
             bandwidth than this system can guarantee them: every policy rejects them. Of the jobs that can run, \
             100.0 % are accepted.",
        );
        let slow = [
            ("policy", "fcfs"),
            ("slots", "8"),
            ("bandwidth", "constant"),
            ("bandwidth_mbps", "900"),
            ("x", "k:2,8"),
        ];
        assert_says(
            &slow,
            "At k = 2, 37 of 60 jobs ask for more bandwidth than this system can guarantee them: every policy \
             rejects them. Of the jobs that can run, 100.0 % are accepted.",
        );
    }
}
