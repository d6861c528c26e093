use super::rule::{Check, Names, inside_rule};
use crate::claim::{Found, Rule};
use crate::curves::Curves;
use backfill_sim::metrics;

/// The greatest mean of a metric, over policies and x and times a factor, lies in a range.
#[derive(Clone, Copy, Debug)]
pub struct Peak {
    /// The name of the metric that is looked at.
    pub metric: &'static str,
    /// The policies whose curves are looked at.
    pub policies: &'static [&'static str],
    /// The factor that the metric is multiplied by.
    pub factor: f64,
    /// The unit of the product, as it is printed.
    pub unit: &'static str,
    /// The range in which it must lie, in that unit.
    pub range: [f64; 2],
}

impl Rule for Peak {
    fn rule(&self) -> String {
        let subject = "The greatest mean of any policy at any x";
        inside_rule(subject, self.range, self.unit)
    }
}

impl Check for Peak {
    fn names(&self) -> Names {
        Names {
            metric: Some(self.metric),
            ..Names::of(&[self.policies])
        }
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let position = metrics::position(self.metric).expect("it stands in the table");
        let chosen: Vec<usize> = self.policies.iter().map(|name| here.policy(name)).collect();
        let points = here.results.points();
        let within = here.first..here.first + here.x.len();
        let of_it = points.iter().filter(|point| {
            point.metric == position && chosen.contains(&point.policy) && within.contains(&point.x)
        });
        let top = of_it.max_by(|a, b| a.value.mean.total_cmp(&b.value.mean));
        Found::all(top.and_then(|top| {
            let name = here.scenario.policies()[top.policy].to_string();
            let x = top.x - here.first;
            let what = format!("greatest of {}, at {}", here.label(&name), here.x[x]);
            let of = (self.metric, self.factor, self.unit);
            here.mean_at((x, top.policy), of, what, self.range)
        }))
    }
}
