//! The sentence of an answer: how many jobs run, and which policies do best; what they differ in
//! comes first.

use backfill_sim::metrics::{Better, METRICS};
use backfill_sim::policy::Queue;
use backfill_sim::stats::MeanEstimate;

use crate::language::words::{capital, listed, lower};
use crate::study::answer::numbers::{shown, spoken};
use crate::study::answer::{Answer, Estimates, SAME_JOBS, accept_rate};

impl Answer<'_> {
    /// The summary at the last value of x: how many jobs run, and which policy is best otherwise
    /// among those that run about as many. A policy that rejects more jobs is not comparable on the
    /// others, so it is left out; so is a policy without a queue if times are compared.
    pub(super) fn who_does_best(&self, estimates: &[Estimates], y: usize) -> String {
        let last = self.places().len() - 1;
        let names: Vec<String> = self.policies().collect();
        let at = |metric: usize| {
            let curves = estimates[metric].iter().enumerate();
            curves.filter_map(move |(policy, curve)| Some((policy, curve[last]?)))
        };
        let point = match self.point(last, y) {
            point if point.is_empty() => point,
            point => point + ", ",
        };
        let accepted = accept_rate();
        let most = at(accepted).map(|(_, rate)| rate.mean).fold(0.0, f64::max);
        let (alike, fewer): (Vec<_>, Vec<_>) =
            at(accepted).partition(|(_, rate)| most - rate.mean <= SAME_JOBS);
        if alike.is_empty() {
            return capital(format!("{point}no job is counted."));
        }
        let who = match alike.len() {
            1 => format!("{} accepts", names[alike[0].0]),
            2 if names.len() == 2 => "both policies accept".to_owned(),
            all if all == names.len() => format!("all {all} policies accept"),
            _ => listed(alike.iter().map(|(policy, _)| names[*policy].as_str())) + " accept",
        };
        let least = alike.iter().map(|(_, rate)| rate.mean).fold(most, f64::min);
        let rates = match (per_cent(least), per_cent(most)) {
            _ if least == 1.0 => "all jobs".to_owned(),
            _ if most == 0.0 => "no job".to_owned(),
            (least, most) if least == most => format!("{most} % of the jobs"),
            (least, most) => format!("{least} to {most} % of the jobs"),
        };
        let mut sentence = format!("{point}{who} {rates}");
        if !fewer.is_empty() {
            let fewer: Vec<String> = fewer
                .iter()
                .map(|(policy, rate)| {
                    let rate = shown(&METRICS[accepted], *rate);
                    format!("{} only {rate} %", names[*policy])
                })
                .collect();
            sentence += &format!("; {}", listed(fewer.iter().map(String::as_str)));
        }
        sentence += ".";
        let comparable = |metric: usize| -> Vec<(usize, MeanEstimate)> {
            let queue = |policy: usize| self.scenario.policies()[policy].queue;
            let queues = |policy: usize| queue(policy) != Queue::None;
            at(metric)
                .filter(|&(policy, _)| queue(policy) != Queue::Recorded)
                .filter(|&(policy, _)| alike.iter().any(|(other, _)| *other == policy))
                .filter(|&(policy, _)| !METRICS[metric].of_times || queues(policy))
                .collect()
        };
        let others = self.scenario.headline().into_iter();
        let best: Vec<String> = others
            .filter(|&metric| metric != accepted)
            .filter_map(|metric| self.best(metric, comparable(metric), [last, y]))
            .collect();
        if best.is_empty() {
            return capital(sentence);
        }
        let best = best.join("; ") + self.of_one_replication();
        if fewer.is_empty() && least == 1.0 {
            return capital(format!("{point}{best}. {} {rates}.", capital(who)));
        }
        let among = if fewer.is_empty() {
            "them"
        } else {
            "the former"
        };
        capital(format!("{sentence} Among {among}, {best}."))
    }

    /// The best of these policies in a metric at a point, and those that do not differ
    /// significantly from it; `None` if there is nothing to compare.
    fn best(
        &self,
        metric: usize,
        found: Vec<(usize, MeanEstimate)>,
        [x, y]: [usize; 2],
    ) -> Option<String> {
        let about = &METRICS[metric];
        let cost = |(_, value): &(usize, MeanEstimate)| match about.better {
            Better::Higher => -value.mean,
            Better::Lower | Better::Neither => value.mean,
        };
        if about.better == Better::Neither {
            return None;
        }
        // The few policies are inserted one by one: a general sort takes 6 kB of the module.
        let mut ranked: Vec<(usize, MeanEstimate)> = Vec::new();
        for one in found {
            let place = ranked.partition_point(|before| cost(before) <= cost(&one));
            ranked.insert(place, one);
        }
        let found = ranked;
        let [(first, best), _, ..] = found[..] else {
            return None;
        };
        let names: Vec<String> = self.policies().collect();
        let unit = self.unit(metric);
        let label = lower(about.label);
        let value = spoken(unit, about.unit, best);
        let (equal, rest): (Vec<_>, Vec<_>) =
            (found.into_iter()).partition(|(_, other)| other.mean == best.mean);
        if rest.is_empty() {
            return Some(format!("equal {label} ({value})"));
        }
        let named = |those: &[(usize, MeanEstimate)]| {
            listed(those.iter().map(|(policy, _)| names[*policy].as_str()))
        };
        let open: Vec<_> = (rest.into_iter())
            .filter(|&(other, _)| {
                let difference = self.difference(metric, [x, y], other, first);
                difference.is_some_and(|of| of.half_width.is_some_and(|half| of.mean.abs() <= half))
            })
            .collect();
        let (equal, open) = (named(&equal), named(&open));
        Some(match open.as_str() {
            "" => format!("best {label}: {equal} ({value})"),
            open => {
                format!("best {label}: {equal} ({value}), not significantly different from {open}")
            }
        })
    }
}

/// A share in per cent, never rounded to all or nothing.
fn per_cent(share: f64) -> String {
    match format!("{:.1}", share * 100.0) {
        all if all == "100.0" && share < 1.0 => "over 99.9".to_owned(),
        none if none == "0.0" && share > 0.0 => "under 0.1".to_owned(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::answer::tests::simulated;

    #[test]
    fn a_policy_that_runs_fewer_jobs_is_not_praised_for_short_waits() {
        let (scenario, results) = &simulated(&[
            ("jobs", "200"),
            ("reps", "2"),
            ("policy", "none,fcfs,easy"),
            ("x", "load:0.9"),
        ]);
        let sentence = Answer { scenario, results }.summary(0).sentence;
        assert!(sentence.contains("No queue + AdaBa only"), "{sentence}");
        assert!(!sentence.contains("time: No queue + AdaBa"), "{sentence}");
    }
}
