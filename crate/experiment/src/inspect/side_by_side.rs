//! Two runs of one system, part by part: their use and where it differs most. Or one run alone.

use backfill_sim::sorting;

/// The share of each part in use, in a run and in the one compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct SharesBeside {
    /// In the run itself.
    pub own: Vec<f32>,
    /// In the one compared with, if any.
    pub other: Option<Vec<f32>>,
}

impl SharesBeside {
    /// The use of a part in this run minus that in the one compared with, if any.
    pub fn apart(&self, part: usize) -> f32 {
        self.own[part] - self.other.as_ref().map_or(0.0, |other| other[part])
    }

    /// The same for every part.
    pub fn all_apart(&self) -> Vec<f32> {
        let parts = 0..self.own.len();
        parts.map(|part| self.apart(part)).collect()
    }

    /// In how many parts this run has at least this much more, and in how many this much less.
    pub fn counts(&self, at_least: f32) -> (usize, usize) {
        let apart = self.all_apart();
        let more = apart.iter().filter(|&&apart| apart >= at_least).count();
        let less = apart.iter().filter(|&&apart| apart <= -at_least).count();
        (more, less)
    }

    /// The first part with the largest difference.
    pub fn furthest(&self) -> Option<usize> {
        let apart = self.all_apart();
        (0..apart.len()).reduce(|one, other| {
            let further = apart[other].abs() > apart[one].abs();
            if further { other } else { one }
        })
    }

    /// The parts for which `listed` holds, by descending difference, equal ones in their order.
    pub fn arranged(&self, listed: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut parts: Vec<usize> = (0..self.own.len()).filter(|&part| listed(part)).collect();
        sorting::by(&mut parts, |&one, &two| {
            let size = |part: usize| self.apart(part).abs();
            size(two).total_cmp(&size(one))
        });
        parts
    }
}

/// The mean of shares; 0 if there are none.
pub fn mean(shares: &[f32]) -> f64 {
    let sum: f64 = shares.iter().copied().map(f64::from).sum();
    sum / shares.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_listed_by_the_difference_of_both_runs() {
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
