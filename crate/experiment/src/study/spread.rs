//! The distribution of waits over the jobs of a run, behind their mean.
//!
//! Two curves over the share of jobs, in order of wait: the wait that this share does not exceed
//! (quantiles of the empirical distribution), and its share of all waiting (M. O. Lorenz, "Methods
//! of measuring the concentration of wealth", 1905). If all waits are equal the second is a
//! straight line; the Gini coefficient is twice the area between the two.

use serde::{Deserialize, Serialize};

use backfill_sim::sample::gini;
use backfill_sim::stats::quantile;

/// The shares of jobs at which curves are given, in per cent; closer where few jobs wait long.
pub const LEVELS: [u32; 23] = [
    0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 98, 99, 100,
];

/// The distribution of the waits of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
pub struct Spread {
    /// For each of [`LEVELS`] the wait in seconds that this share of jobs does not exceed; `None`
    /// if no job ran.
    pub waits: Vec<Option<f64>>,
    /// For each of [`LEVELS`] the share of all waiting by this share of jobs, 0 to 1; `None` if no
    /// job waited.
    pub lorenz: Vec<Option<f64>>,
    /// The Gini coefficient of the waits; `None` if no job waited.
    pub gini: Option<f64>,
}

impl Spread {
    /// Of these waits in seconds, ascending.
    pub fn of(waits: &[f64]) -> Spread {
        let share = |percent: u32| quantile(waits, f64::from(percent) / 100.0);
        Spread {
            waits: LEVELS.into_iter().map(share).collect(),
            lorenz: LEVELS
                .into_iter()
                .map(|percent| lorenz(waits, percent))
                .collect(),
            gini: gini(waits.iter().map(|&wait| (wait, 1))),
        }
    }
}

/// The share of the sum of ascending values in the first `percent` of them; a value that is partly
/// included counts in part.
fn lorenz(ascending: &[f64], percent: u32) -> Option<f64> {
    let all: f64 = ascending.iter().sum();
    let hundredths = ascending.len() * percent as usize;
    let (whole, part) = (hundredths / 100, (hundredths % 100) as f64 / 100.0);
    let next = ascending.get(whole).copied().unwrap_or(0.0);
    let least = ascending[..whole].iter().sum::<f64>() + part * next;
    (all > 0.0).then(|| least / all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_waits_give_a_straight_line() {
        let spread = Spread::of(&[7.0; 30]);
        for (level, share) in LEVELS.into_iter().zip(&spread.lorenz) {
            let share = share.expect("they wait");
            assert!((share - f64::from(level) / 100.0).abs() < 1e-12, "{level}");
        }
        assert!(spread.waits.iter().all(|wait| *wait == Some(7.0)));
        assert_eq!(spread.gini, Some(0.0));
    }

    #[test]
    fn one_of_four_waits_for_all() {
        let spread = Spread::of(&[0.0, 0.0, 0.0, 8.0]);
        let at = |level| LEVELS.iter().position(|of| *of == level).expect("a level");
        assert_eq!(spread.waits[at(75)], Some(0.0));
        assert_eq!(spread.waits[at(80)], Some(8.0));
        assert_eq!(spread.lorenz[at(75)], Some(0.0));
        // Half of the last job.
        let half = spread.lorenz[at(80)].expect("it waits");
        assert!((half - 0.2).abs() < 1e-12, "{half}");
        assert_eq!(spread.lorenz[at(100)], Some(1.0));
        assert_eq!(spread.gini, Some(0.75));
    }

    #[test]
    fn without_waits_no_share_is_defined() {
        let spread = Spread::of(&[0.0, 0.0]);
        assert_eq!(spread.waits[0], Some(0.0));
        assert!(spread.lorenz.iter().all(Option::is_none));
        assert_eq!(spread.gini, None);
        assert!(Spread::of(&[]).waits.iter().all(Option::is_none));
    }
}
