//! A sentence on the worth of a guarantee: if the guaranteed bandwidth is swept, the guarantee with
//! which each policy has its shortest mean response time.

use crate::language::scenario::Axis;
use crate::language::words::listed;
use backfill_sim::metrics::{METRICS, position};
use backfill_sim::policy::Queue;
use backfill_sim::stats::{MeanEstimate, estimate};

use crate::study::answer::numbers::spoken;
use crate::study::answer::{Answer, SAME_JOBS, accept_rate, at_value};

/// The key of the guaranteed part.
const GUARANTEE: &str = "guarantee";

/// The metric that covers both waiting and slowing down.
const RESPONSE: &str = "response_mean";

/// A sweep of the guarantee.
struct Swept<'a> {
    values: &'a [String],
    /// The point `[y, x]` of each of the values.
    at: &'a dyn Fn(usize) -> [usize; 2],
    /// The value of these points on the other axis, as "load 0.9".
    elsewhere: Option<String>,
}

impl Answer<'_> {
    /// A sentence for each policy with a queue: the guarantee with its shortest mean response time,
    /// at a value of the second axis if the first sweeps the guarantee, at the last value of the
    /// first axis if the second does. Empty if neither does or runs are missing.
    pub fn best_guarantees(&self, y: usize) -> Vec<String> {
        if self.results.digest().is_none() {
            return Vec::new();
        }
        let last = self.places().len() - 1;
        let sweeps = |axis: &Option<&Axis>| axis.is_some_and(|axis| axis.key.name == GUARANTEE);
        let [of_x, of_y] = [self.scenario.x(), self.scenario.y()];
        let swept = match (sweeps(&of_x), sweeps(&of_y)) {
            (true, _) => Swept {
                values: of_x.map_or(&[], |axis| &axis.values),
                at: &|x| [y, x],
                elsewhere: of_y.map(|axis| at_value(axis, y)),
            },
            (_, true) => Swept {
                values: of_y.map_or(&[], |axis| &axis.values),
                at: &|y| [y, last],
                elsewhere: of_x.map(|axis| at_value(axis, last)),
            },
            _ => return Vec::new(),
        };
        let policies = self.scenario.policies().iter().zip(self.policies());
        let sentences = policies.enumerate().filter_map(|(policy, (spec, name))| {
            let fixed = spec.own.iter().any(|(key, _)| *key == GUARANTEE);
            let compared = !fixed && spec.queue != Queue::None;
            compared.then(|| self.best_guarantee(policy, &name, &swept))?
        });
        sentences.collect()
    }

    /// The sentence for a policy, over the values with which it runs about as many jobs as with
    /// any; `None` if there is nothing to compare.
    fn best_guarantee(&self, policy: usize, name: &str, swept: &Swept<'_>) -> Option<String> {
        let Swept { values, at, .. } = *swept;
        let metric = position(RESPONSE)?;
        let mean = |value: usize, metric| {
            let [y, x] = at(value);
            let values = self.results.values(y, x, policy, metric).into_iter();
            estimate(&values.flatten().collect::<Vec<f64>>())
        };
        let rates = (0..values.len()).map(|value| mean(value, accept_rate()));
        let rates: Vec<f64> = rates
            .map(|rate| rate.map_or(0.0, |rate| rate.mean))
            .collect();
        let most = rates.iter().copied().fold(0.0, f64::max);
        let (comparable, left): (Vec<usize>, Vec<usize>) =
            (0..values.len()).partition(|&value| most - rates[value] <= SAME_JOBS);
        let found = comparable.into_iter();
        let found = found.filter_map(|value| Some((value, mean(value, metric)?)));
        let found: Vec<(usize, MeanEstimate)> = found.collect();
        let least =
            |a: &&(usize, MeanEstimate), b: &&(usize, MeanEstimate)| a.1.mean.total_cmp(&b.1.mean);
        let &(best, shortest) = found.iter().min_by(least).filter(|_| found.len() > 1)?;
        let unit = self.unit(metric);
        let time_of = |time| spoken(unit, METRICS[metric].unit, time);
        let parts = |those: Vec<usize>| {
            let parts: Vec<String> = those.iter().map(|&value| part(&values[value])).collect();
            listed(parts.iter().map(String::as_str))
        };
        let others = || found.iter().filter(|(value, _)| *value != best);
        let ends = ["100", "0"].into_iter().filter_map(|end| {
            let (_, time) = others().find(|(value, _)| values[*value] == end)?;
            Some(format!("{} with {}", time_of(*time), part(end)))
        });
        let ends: Vec<String> = ends.collect();
        let ends = listed(ends.iter().map(String::as_str));
        let (mut equal, mut open) = (Vec::new(), Vec::new());
        for &(value, _) in others() {
            let longer = self.longer(metric, policy, at(value), at(best));
            match longer {
                Some(MeanEstimate { mean: 0.0, .. }) => equal.push(value),
                Some(of) if of.half_width.is_some_and(|half| of.mean <= half) => open.push(value),
                _ => {}
            }
        }
        let with = match &swept.elsewhere {
            Some(elsewhere) => format!("At {elsewhere} and with"),
            None => "With".to_owned(),
        };
        let mut sentence = format!(
            "{with} {} guaranteed, {name} has its shortest mean response time: {}",
            part(&values[best]),
            time_of(shortest)
        );
        for (before, what) in [
            (", against ", ends),
            ("; the same with ", parts(equal)),
            ("; not significantly different from ", parts(open)),
            ("; not compared, since fewer jobs run: ", parts(left)),
        ] {
            if !what.is_empty() {
                sentence += before;
                sentence += &what;
            }
        }
        sentence += self.of_one_replication();
        Some(sentence + ".")
    }

    /// How much larger a metric is at one point `[y, x]` than at another, replication by
    /// replication.
    fn longer(
        &self,
        metric: usize,
        policy: usize,
        here: [usize; 2],
        there: [usize; 2],
    ) -> Option<MeanEstimate> {
        let [values, those] = [here, there].map(|[y, x]| self.results.values(y, x, policy, metric));
        let pairs = values.into_iter().zip(those);
        let differences = pairs.filter_map(|(value, that)| Some(value? - that?));
        estimate(&differences.collect::<Vec<f64>>())
    }
}

/// The guaranteed part, in words.
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
    use crate::study::answer::tests::simulated;

    fn sentences(pairs: &[(&str, &str)]) -> Vec<String> {
        let others = [("jobs", "150"), ("reps", "3"), ("load", "0.9")];
        let others = others
            .iter()
            .filter(|(key, _)| pairs.iter().all(|(own, _)| own != key));
        let all: Vec<_> = pairs.iter().chain(others).copied().collect();
        let (scenario, results) = &simulated(&all);
        let answer = Answer { scenario, results };
        let sentences = answer.best_guarantees(0);
        assert!(answer.summary(0).sentence.starts_with(&sentences.join(" ")));
        sentences
    }

    #[test]
    fn the_guarantee_with_the_shortest_response_times_is_named() {
        let sweep = ("x", "guarantee:0,40,80,100");
        // Policies without a queue or with a guarantee of their own are left out.
        let alone = sentences(&[sweep, ("policy", "easy,none,fcfs(guarantee=50)")]);
        assert_eq!(
            alone,
            [
                "With 80 % guaranteed, EASY + AdaBa has its shortest mean response time: 67.1 ± 15.3 min, against \
                 71.6 ± 12.2 min with all and 75.5 ± 18.3 min with nothing."
            ]
        );
        let both = sentences(&[sweep, ("policy", "easy,fcfs")]);
        assert_eq!((both.len(), &both[0]), (2, &alone[0]));
        assert!(
            both[1].contains("FCFS + AdaBa has its shortest"),
            "{both:?}"
        );
    }

    #[test]
    fn the_other_axis_is_named_whichever_sweeps_the_guarantee() {
        let along_x = sentences(&[("x", "guarantee:0,80"), ("y", "k:6,4"), ("policy", "easy")]);
        let along_y = sentences(&[("x", "k:4,6"), ("y", "guarantee:0,80"), ("policy", "easy")]);
        let begin = "At pods (k) 6 and with 80 % guaranteed, EASY + AdaBa has its shortest";
        assert!(along_x[0].starts_with(begin), "{along_x:?}");
        assert_eq!(along_x, along_y);
    }

    #[test]
    fn guarantees_with_which_fewer_jobs_run_are_named_and_not_compared() {
        let found = sentences(&[
            ("x", "guarantee:0,20,100"),
            ("policy", "easy"),
            ("bandwidth_mbps", "900"),
            ("cap_bandwidth", "off"),
        ]);
        let end = "; not compared, since fewer jobs run: all.";
        assert!(found[0].ends_with(end), "{found:?}");
    }

    #[test]
    fn one_replication_and_equal_times_are_named_as_such() {
        let found = sentences(&[
            ("x", "guarantee:0,10,100"),
            ("policy", "easy"),
            ("communication", "0"),
            ("bandwidth_mbps", "50"),
            ("reps", "1"),
        ]);
        assert!(found[0].contains("; the same with "), "{found:?}");
        assert!(found[0].ends_with(", from one replication."), "{found:?}");
    }

    #[test]
    fn without_a_sweep_of_the_guarantee_there_is_no_sentence() {
        let found = sentences(&[
            ("x", "communication:0,1"),
            ("policy", "easy"),
            ("guarantee", "0"),
        ]);
        assert!(found.is_empty());
    }
}
