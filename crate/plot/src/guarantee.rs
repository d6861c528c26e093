//! What a guarantee is worth, in a sentence: where the guaranteed bandwidth is swept, with how much
//! of it each policy has its shortest mean response time.

use backfill_experiment::words::listed;
use backfill_sim::metrics::{METRICS, position};
use backfill_sim::policy::Queue;
use backfill_sim::stats::{MeanEstimate, estimate};

use crate::answer::{Answer, SAME_JOBS, accept_rate, spoken};

/// The key that says how much is guaranteed.
const GUARANTEE: &str = "guarantee";

/// The metric in which waiting and being slowed down meet.
const RESPONSE: &str = "response_mean";

impl Answer<'_> {
    /// With how much guaranteed each policy that has a queue has its shortest mean response time, a
    /// sentence each, at a value of the second axis; none where that is not swept or runs are
    /// missing.
    pub fn best_guarantees(&self, y: usize) -> Vec<String> {
        let swept = self.scenario.x();
        let swept = swept.is_some_and(|axis| axis.key.name == GUARANTEE);
        if !swept || self.results.digest().is_none() {
            return Vec::new();
        }
        let policies = self.scenario.policies().iter().zip(self.policies());
        let sentences = policies.enumerate().filter_map(|(policy, (spec, name))| {
            let fixed = spec.own.iter().any(|(key, _)| *key == GUARANTEE);
            let compared = !fixed && spec.queue != Queue::None;
            compared.then(|| self.best_guarantee(policy, &name, y))?
        });
        sentences.collect()
    }

    /// The sentence for a policy: among the values with which it runs about as many jobs as with
    /// any; `None` where there is nothing to compare.
    fn best_guarantee(&self, policy: usize, name: &str, y: usize) -> Option<String> {
        let values = &self.scenario.x()?.values;
        let metric = position(RESPONSE)?;
        let rates: Vec<f64> = (0..values.len())
            .map(|x| {
                self.mean_at([y, x], policy, accept_rate())
                    .map_or(0.0, |rate| rate.mean)
            })
            .collect();
        let most = rates.iter().copied().fold(0.0, f64::max);
        let comparable = (0..values.len()).filter(|&x| most - rates[x] <= SAME_JOBS);
        let found: Vec<(usize, MeanEstimate)> = comparable
            .filter_map(|x| Some((x, self.mean_at([y, x], policy, metric)?)))
            .collect();
        let least =
            |a: &&(usize, MeanEstimate), b: &&(usize, MeanEstimate)| a.1.mean.total_cmp(&b.1.mean);
        let &(best, shortest) = found.iter().min_by(least).filter(|_| found.len() > 1)?;
        let unit = self.unit(metric);
        let said = |time| spoken(unit, METRICS[metric].unit, time);
        let others = || found.iter().filter(|(x, _)| *x != best);
        let ends = ["100", "0"].into_iter().filter_map(|end| {
            let (_, time) = others().find(|(x, _)| values[*x] == end)?;
            Some(format!("{} with {}", said(*time), part(end)))
        });
        let ends: Vec<String> = ends.collect();
        let open = others().filter(|(x, _)| {
            let longer = self.longer(metric, policy, y, [*x, best]);
            longer.is_some_and(|of| of.half_width.is_some_and(|half| of.mean <= half))
        });
        let open: Vec<String> = open.map(|(x, _)| part(&values[*x])).collect();
        let against = match listed(ends.iter().map(String::as_str)) {
            ends if ends.is_empty() => ends,
            ends => format!(", against {ends}"),
        };
        let open = match listed(open.iter().map(String::as_str)) {
            open if open.is_empty() => open,
            open => format!("; no significant difference to {open}"),
        };
        Some(format!(
            "With {} guaranteed, {name} has its shortest mean response time: {}{against}{open}.",
            part(&values[best]),
            said(shortest)
        ))
    }

    /// The mean of a metric over replications at the values `[y, x]`.
    fn mean_at(&self, [y, x]: [usize; 2], policy: usize, metric: usize) -> Option<MeanEstimate> {
        let values = self.results.values(y, x, policy, metric).into_iter();
        estimate(&values.flatten().collect::<Vec<f64>>())
    }

    /// By how much a metric is larger at one value of x than at another, replication by
    /// replication.
    fn longer(
        &self,
        metric: usize,
        policy: usize,
        y: usize,
        [x, than]: [usize; 2],
    ) -> Option<MeanEstimate> {
        let [values, those] = [x, than].map(|x| self.results.values(y, x, policy, metric));
        let pairs = values.into_iter().zip(those);
        let differences = pairs.filter_map(|(value, that)| Some(value? - that?));
        estimate(&differences.collect::<Vec<f64>>())
    }
}

/// How much is guaranteed, in words.
fn part(percent: &str) -> String {
    match percent {
        "0" => "nothing".to_owned(),
        "100" => "all".to_owned(),
        percent => format!("{percent} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::tests::simulated;

    fn said(pairs: &[(&str, &str)]) -> Vec<String> {
        let others = [("jobs", "150"), ("reps", "3"), ("load", "0.9")];
        let all: Vec<_> = pairs.iter().chain(&others).copied().collect();
        let (scenario, results) = &simulated(&all);
        let answer = Answer { scenario, results };
        let said = answer.best_guarantees(0);
        assert!(answer.summary(0).sentence.starts_with(&said.join(" ")));
        said
    }

    #[test]
    fn the_guarantee_with_the_shortest_response_times_is_told() {
        let sweep = ("x", "guarantee:0,40,80,100");
        // Who has no queue or a guarantee of its own is left out.
        let told = said(&[sweep, ("policy", "easy,none,fcfs(guarantee=50)")]);
        assert_eq!(
            told,
            [
                "With 80 % guaranteed, EASY + AdaBa has its shortest mean response time: 67.1 ± 15.3 min, against \
                 71.6 ± 12.2 min with all and 75.5 ± 18.3 min with nothing."
            ]
        );
        let both = said(&[sweep, ("policy", "easy,fcfs")]);
        assert_eq!((both.len(), &both[0]), (2, &told[0]));
        assert!(
            both[1].contains("FCFS + AdaBa has its shortest"),
            "{both:?}"
        );
    }

    #[test]
    fn where_something_else_is_swept_nothing_is_told() {
        let told = said(&[
            ("x", "communication:0,1"),
            ("policy", "easy"),
            ("guarantee", "0"),
        ]);
        assert!(told.is_empty());
    }
}
