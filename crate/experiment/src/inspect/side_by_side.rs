//! Two runs of one system, part by part: which has more in use, and where they are furthest apart.
//! Or one run alone.

use backfill_sim::sorting;

/// The share of each part in use, in a run and in the one beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct SharesBeside {
    /// In the run itself.
    pub own: Vec<f32>,
    /// In the one beside it, where there is one.
    pub other: Option<Vec<f32>>,
}

impl SharesBeside {
    /// What this run has more of a part than the one beside it, or all it has.
    pub fn apart(&self, part: usize) -> f32 {
        self.own[part] - self.other.as_ref().map_or(0.0, |other| other[part])
    }

    /// The same of every part.
    pub fn all_apart(&self) -> Vec<f32> {
        let parts = 0..self.own.len();
        parts.map(|part| self.apart(part)).collect()
    }

    /// In how many parts this run has at least so much more, and in how many so much less.
    pub fn counts(&self, at_least: f32) -> (usize, usize) {
        let apart = self.all_apart();
        let more = apart.iter().filter(|&&apart| apart >= at_least).count();
        let less = apart.iter().filter(|&&apart| apart <= -at_least).count();
        (more, less)
    }

    /// The part where both are furthest apart, and the first of several such.
    pub fn furthest(&self) -> Option<usize> {
        let apart = self.all_apart();
        (0..apart.len()).reduce(|one, other| {
            let further = apart[other].abs() > apart[one].abs();
            if further { other } else { one }
        })
    }

    /// The parts for which `listed` holds, those furthest apart first, equal ones in their order.
    pub fn arranged(&self, listed: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut parts: Vec<usize> = (0..self.own.len()).filter(|&part| listed(part)).collect();
        sorting::by(&mut parts, |&one, &two| {
            let size = |part: usize| self.apart(part).abs();
            size(two).total_cmp(&size(one))
        });
        parts
    }
}

/// The mean of shares; 0 where there is none.
pub fn mean(shares: &[f32]) -> f64 {
    let sum: f64 = shares.iter().copied().map(f64::from).sum();
    sum / shares.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_listed_by_how_far_both_runs_are_apart() {
        let beside = SharesBeside {
            own: vec![0.5, 0.25, 1.0, 0.0],
            other: Some(vec![0.5, 0.75, 0.75, 0.5]),
        };
        assert_eq!(beside.all_apart(), [0.0, -0.5, 0.25, -0.5]);
        assert_eq!(beside.counts(0.25), (1, 2));
        assert_eq!(beside.furthest(), Some(1));
        assert_eq!(beside.arranged(|_| true), [1, 3, 2, 0]);
        assert_eq!(beside.arranged(|part| part % 2 == 0), [2, 0]);
    }

    #[test]
    fn one_run_alone_is_listed_by_what_is_in_use() {
        let alone = SharesBeside {
            own: vec![0.25, 0.75],
            other: None,
        };
        assert_eq!(alone.arranged(|_| true), [1, 0]);
        assert_eq!((mean(&alone.own), mean(&[])), (0.5, 0.0));
        let nothing = SharesBeside {
            own: Vec::new(),
            other: None,
        };
        assert_eq!(nothing.furthest(), None);
    }
}
