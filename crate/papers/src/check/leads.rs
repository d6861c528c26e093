//! Sizes of leads.

use super::rule::{Check, Mentions, inside_rule, points};
use crate::claim::{Evidence, Found, Judgement, Rule, Side, inside};
use crate::curves::Curves;
use backfill_sim::stats::{MeanEstimate, estimate};

/// At that x the policy's lead over the other lies in a range.
#[derive(Clone, Copy, Debug)]
pub struct LeadAt {
    /// The policy that is said to lead.
    pub policy: &'static str,
    /// The policy that it is compared with.
    pub than: &'static str,
    /// The value of x at which the curves are looked at.
    pub x: &'static str,
    /// The range in which the lead must lie, as shares.
    pub range: [f64; 2],
}

impl Rule for LeadAt {
    fn rule(&self) -> String {
        let subject = format!("The lead at {}", self.x);
        inside_rule(&subject, points(self.range), "points")
    }
}

impl Check for LeadAt {
    fn names(&self) -> Mentions {
        Mentions {
            x: vec![self.x],
            in_points: true,
            ..Mentions::of(&[&[self.policy, self.than]])
        }
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let lead = here.lead(here.position(self.x), self.policy, self.than);
        Found::all(lead.map(|lead| Evidence {
            side: inside(lead.value, self.range),
            ..lead
        }))
    }
}

/// At no x the policy leads one of the others by so much.
#[derive(Clone, Copy, Debug)]
pub struct LeadBelow {
    /// The policy that is said to lead.
    pub policy: &'static str,
    /// The policies that it is compared with.
    pub than: &'static [&'static str],
    /// The lead that is not reached, as a share.
    pub limit: f64,
}

impl Rule for LeadBelow {
    fn rule(&self) -> String {
        inside_rule(
            "The largest lead at each value of x",
            points([f64::NEG_INFINITY, self.limit]),
            "points",
        )
    }
}

impl Check for LeadBelow {
    fn names(&self) -> Mentions {
        Mentions {
            in_points: true,
            ..Mentions::of(&[&[self.policy], self.than])
        }
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let below = |x: usize| {
            let below = self.than.iter().filter_map(|than| {
                let leads = here.leads(x, self.policy, than);
                let left: Vec<f64> = leads.iter().map(|lead| self.limit - lead).collect();
                let left = Evidence::of_leads(String::new(), "", &left)?;
                let lead = here.lead(x, self.policy, than)?;
                Some((left, lead))
            });
            let (left, lead) = below.min_by(|a, b| a.0.value.mean.total_cmp(&b.0.value.mean))?;
            Some(Evidence {
                side: left.side,
                ..lead
            })
        };
        Found::all(here.all_x(below))
    }
}

/// The largest lead of one of the policies over the other, over all x, lies in a range.
#[derive(Clone, Copy, Debug)]
pub struct LargestLead {
    /// The policies that are said to lead.
    pub policies: &'static [&'static str],
    /// The policy that it is compared with.
    pub than: &'static str,
    /// The range in which the lead must lie, as shares.
    pub range: [f64; 2],
}

impl Rule for LargestLead {
    fn rule(&self) -> String {
        inside_rule(
            "The largest mean lead at any x",
            points(self.range),
            "points",
        )
    }
}

impl Check for LargestLead {
    fn names(&self) -> Mentions {
        Mentions {
            in_points: true,
            ..Mentions::of(&[self.policies, &[self.than]])
        }
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let leads = (0..here.x.len()).flat_map(|x| {
            let lead = move |policy: &&str| here.lead(x, policy, self.than);
            self.policies.iter().filter_map(lead)
        });
        let largest = leads.max_by(|a, b| a.value.mean.total_cmp(&b.value.mean));
        Found::all(largest.map(|lead| Evidence {
            side: inside(lead.value, self.range),
            ..lead
        }))
    }
}

/// At that x the largest lead of one of the policies over the other, in per cent of the other's
/// metric, lies in a range.
#[derive(Clone, Copy, Debug)]
pub struct RelativeLeadAt {
    /// The policies that are said to lead.
    pub policies: &'static [&'static str],
    /// The policy that it is compared with.
    pub than: &'static str,
    /// The value of x at which the curves are looked at.
    pub x: &'static str,
    /// The range in which the lead must lie, in per cent.
    pub range: [f64; 2],
}

impl Rule for RelativeLeadAt {
    fn rule(&self) -> String {
        let subject = format!(
            "The largest lead at {}, as a share of what it leads over,",
            self.x
        );
        inside_rule(&subject, self.range, "%")
    }
}

impl Check for RelativeLeadAt {
    fn names(&self) -> Mentions {
        Mentions {
            x: vec![self.x],
            ..Mentions::of(&[self.policies, &[self.than]])
        }
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let at = here.position(self.x);
        let relative = |policy: &&str| {
            let share = |r: usize| {
                let there = here.cost(at, self.than, r)?;
                let here = here.cost(at, policy, r)?;
                Some(100.0 * (there - here) / there.abs())
            };
            let value = estimate(&here.each_replication(share))?;
            Some(Evidence {
                what: format!(
                    "at {}: relative lead of {} over {}",
                    self.x,
                    here.label(policy),
                    here.label(self.than)
                ),
                unit: "%",
                side: inside(value, self.range),
                value,
            })
        };
        let relative = self.policies.iter().filter_map(relative);
        Found::all(relative.max_by(|a, b| a.value.mean.total_cmp(&b.value.mean)))
    }
}

/// The policy lowers the metric of the other by so many per cent: the average over all x, here and
/// in other figures.
///
/// The average is that of the relative lowering over all cases: every x of every figure that the
/// text sums up, pair by pair in each replication. A percentage holds where the whole 95 % interval
/// of that average lies within a tenth of what is printed; an interval that lies wholly outside
/// refutes it. The sign is judged with the size, since a tenth of a number never reaches zero.
/// Papers print no intervals beside their percentages, so there must be some tolerance; a tenth
/// keeps apart all that paper 4 prints of one measure, the closest of which are 6.79 and 8.39 %.
#[derive(Clone, Copy, Debug)]
pub struct Lowers {
    /// The other figures, under the interpretations at the same positions.
    pub among: &'static [&'static str],
    /// The policy that is said to lower it.
    pub policy: &'static str,
    /// The policy that it is compared with.
    pub than: &'static str,
    /// The percentage that the text prints.
    pub percent: f64,
}

impl Rule for Lowers {
    fn rule(&self) -> String {
        let percent = self.percent;
        format!(
            "The average of the relative lowering over all values of x of all figures named: its whole 95 % \
             interval must lie within a tenth of {percent} %; one that lies wholly outside refutes the claim."
        )
    }
}

impl Check for Lowers {
    fn names(&self) -> Mentions {
        Mentions {
            among: self.among,
            ..Mentions::of(&[&[self.policy, self.than]])
        }
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        if here.among.len() < self.among.len() {
            return Found::undecided();
        }
        let there = here.among.iter().map(|(place, there)| (*place, there));
        let cases: Vec<(&str, Vec<Option<f64>>)> = there
            .chain([("here", here)])
            .map(|(place, curves)| (place, self.averages(curves)))
            .collect();
        let [own, other] = [self.policy, self.than].map(|name| here.label(name));
        judged(&format!("{own} below {other}"), &cases, self.percent)
    }
}

impl Lowers {
    /// By how many per cent the policy lowers the metric of the other, on average over x, in each
    /// replication; `None` where one of these numbers is missing.
    fn averages(&self, curves: &Curves<'_>) -> Vec<Option<f64>> {
        let count = curves.x.len();
        let average = |r: usize| {
            let each = (0..count).map(|x| {
                percent(
                    curves.cost(x, self.policy, r)?,
                    curves.cost(x, self.than, r)?,
                )
            });
            Some(each.sum::<Option<f64>>()? / count as f64)
        };
        (0..curves.replications()).map(average).collect()
    }
}

/// The part of a printed percentage by which the average may differ from it.
const TOLERANCE: f64 = 0.1;

/// By how many per cent the first number is below the second; `None` below nothing.
fn percent(here: f64, there: f64) -> Option<f64> {
    match (here, there) {
        (0.0, 0.0) => Some(0.0),
        (_, 0.0) => None,
        _ => Some(100.0 * (there - here) / there.abs()),
    }
}

/// Judges a printed percentage by the average over figures, each with its place and with one
/// number for each replication. The average decides; the number of each figure stands beside it.
fn judged(what: &str, figures: &[(&str, Vec<Option<f64>>)], printed: f64) -> Found {
    let replications = figures.iter().map(|(_, values)| values.len()).min();
    let average = |r: usize| {
        let each = figures.iter().map(|(_, values)| values[r]);
        Some(each.sum::<Option<f64>>()? / figures.len() as f64)
    };
    let averages = (0..replications.unwrap_or(0)).map(average).collect();
    let of_each = figures
        .iter()
        .map(|(place, values)| ((*place).to_owned(), values.clone()));
    let numbers = [(format!("{what}, all cases"), averages)]
        .into_iter()
        .chain(of_each);
    let evidence: Vec<Evidence> = numbers
        .filter_map(|(what, values)| {
            let known: Vec<f64> = values.iter().copied().flatten().collect();
            let value = estimate(&known)?;
            Some(Evidence {
                what,
                unit: "%",
                value,
                // Some replications alone would tell another story.
                side: if known.len() == values.len() {
                    side(value, printed)
                } else {
                    Side::Open
                },
            })
        })
        .collect();
    let outcome = match evidence.first().map(|average| average.side) {
        Some(Side::For) => Judgement::Holds,
        Some(Side::Against) => Judgement::DoesNotHold,
        Some(Side::Equal | Side::Open) | None => Judgement::Undecided,
    };
    Found { outcome, evidence }
}

/// What an average says of a printed percentage.
fn side(average: MeanEstimate, printed: f64) -> Side {
    let tolerance = TOLERANCE * printed.abs();
    let away = (average.mean - printed).abs();
    match average.half_width {
        Some(half) if away + half <= tolerance => Side::For,
        Some(half) if away - half > tolerance => Side::Against,
        _ => Side::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Replications around a mean, so that half of the 95 % interval of the three is that wide.
    fn around(mean: f64, half: f64) -> Vec<Option<f64>> {
        let step = half / 4.302_652_729_749_462 * 3_f64.sqrt();
        [mean - step, mean, mean + step].map(Some).to_vec()
    }

    #[test]
    fn a_percentage_holds_where_the_whole_interval_is_near_it() {
        for (mean, half, side) in [
            (22.48, 0.5, Side::For),
            (24.0, 0.7, Side::For),
            (24.0, 0.8, Side::Open),
            (25.4, 0.5, Side::Against),
            (25.0, 0.6, Side::Open),
            // However wide, an interval that holds the printed number is not enough.
            (22.48, 3.0, Side::Open),
            (2.0, 0.5, Side::Against),
            // The size alone does not do.
            (-22.48, 0.5, Side::Against),
        ] {
            let Found { outcome, evidence } =
                judged("A below B", &[("here", around(mean, half))], 22.48);
            let follows = match side {
                Side::For => Judgement::Holds,
                Side::Against => Judgement::DoesNotHold,
                Side::Equal | Side::Open => Judgement::Undecided,
            };
            assert_eq!(
                (evidence[0].side, outcome),
                (side, follows),
                "{mean} ± {half}"
            );
        }
    }

    #[test]
    fn the_average_over_all_figures_decides() {
        let figures = [("Figure 2", around(26.0, 0.1)), ("here", around(19.0, 0.1))];
        let Found { outcome, evidence } = judged("A below B", &figures, 22.48);
        assert_eq!(outcome, Judgement::Holds);
        let numbers = evidence
            .iter()
            .map(|one| (one.what.as_str(), one.value.mean.round()));
        let expected = [
            ("A below B, all cases", 23.0),
            ("Figure 2", 26.0),
            ("here", 19.0),
        ];
        assert!(numbers.eq(expected), "{evidence:?}");
        assert_eq!(evidence[1].side, Side::Against);
    }

    #[test]
    fn a_missing_number_decides_nothing() {
        let mut values = around(22.48, 0.1);
        values.push(None);
        let Found { outcome, evidence } = judged("A below B", &[("here", values)], 22.48);
        assert_eq!((outcome, evidence[0].value.n), (Judgement::Undecided, 3));
        assert_eq!(
            judged("A below B", &[("here", vec![None])], 22.48),
            Found::undecided()
        );
        assert_eq!([percent(0.0, 0.0), percent(1.0, 0.0)], [Some(0.0), None]);
        assert_eq!(percent(3.0, 4.0), Some(25.0));
    }
}
