//! Values that come one by one, and their statistics.
//!
//! Up to [`EXACT`] values are kept. Beyond that only counts are kept, over 1,024 steps from each
//! power of two to the next, so that a run of any length takes the same memory: quantiles are then
//! exact to 0.05 %, mean and deviation as before. Only the last digits of sums depend on the order
//! of the values.
//!
//! Sources: D. H. D. West, "Updating mean and variance estimates: an improved method",
//! Communications of the ACM 22(9), 1979 (deviations in one pass); G. Tene's HdrHistogram (steps
//! that grow with the value).

use crate::stats::quantile;

/// The number of values kept.
const EXACT: usize = 1 << 19;

/// The lowest bits of a value that make no difference in a count: ten of the 52 behind the leading
/// one are left.
const DROPPED: u32 = 42;

/// Values that are not negative.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    count: u64,
    sum: f64,
    largest: f64,
    /// The values, while they are few.
    values: Vec<f64>,
    /// Their highest bits, ascending, and how many have these, once they are not.
    counts: Vec<(u64, u64)>,
}

impl Sample {
    /// One more value.
    pub(crate) fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.largest = self.largest.max(value);
        if self.counts.is_empty() {
            if self.values.len() < EXACT {
                return self.values.push(value);
            }
            self.sort();
            let values = std::mem::take(&mut self.values);
            let alike = values.chunk_by(|a, b| key(*a) == key(*b));
            let counts = alike.map(|values| (key(values[0]), values.len() as u64));
            self.counts = counts.collect();
        }
        match self.counts.binary_search_by_key(&key(value), |of| of.0) {
            Ok(place) => self.counts[place].1 += 1,
            Err(place) => self.counts.insert(place, (key(value), 1)),
        }
    }

    /// Sorts the kept values, as [`Sample::quantile`] and [`Sample::gini`] require.
    pub(crate) fn sort(&mut self) {
        self.values.sort_unstable_by(f64::total_cmp);
    }

    /// The mean; `None` of no value.
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// The value that this share of all values (0 to 1) does not exceed: see [`quantile`].
    pub(crate) fn quantile(&self, share: f64) -> Option<f64> {
        if self.counts.is_empty() {
            return quantile(&self.values, share);
        }
        let rank = ((share * self.count as f64).ceil() as u64).max(1);
        let mut below = 0;
        let holds = |(_, count): &&(u64, u64)| {
            below += count;
            below >= rank
        };
        let &(key, _) = self.counts.iter().find(holds)?;
        if rank == self.count {
            Some(self.largest)
        } else {
            Some(middle(key).min(self.largest))
        }
    }

    /// The Gini coefficient; `None` where all values are 0.
    pub(crate) fn gini(&self) -> Option<f64> {
        if self.counts.is_empty() {
            gini(self.values.iter().map(|&value| (value, 1)))
        } else {
            gini(self.counts.iter().map(|&(key, count)| (middle(key), count)))
        }
    }
}

/// The highest bits of a value: the greater it is, the greater they are.
fn key(value: f64) -> u64 {
    value.to_bits() >> DROPPED
}

/// The value that represents all values with the same highest bits.
fn middle(key: u64) -> f64 {
    match key {
        0 => 0.0,
        key => f64::from_bits(key << DROPPED | 1 << (DROPPED - 1)),
    }
}

/// The Gini coefficient of ascending values, each with how often it occurs; `None` where all are 0.
pub fn gini(values: impl Iterator<Item = (f64, u64)> + Clone) -> Option<f64> {
    let all: u64 = values.clone().map(|of| of.1).sum();
    let (mut before, mut spread, mut sum) = (0, 0.0, 0.0);
    for (value, count) in values {
        // Σ (2 · rank + 1 − n) over the ranks of these.
        let ranks = (2 * before + count) as f64 - all as f64;
        spread += count as f64 * ranks * value;
        sum += count as f64 * value;
        before += count;
    }
    (sum > 0.0).then(|| spread / (all as f64 * sum))
}

/// The weighted mean of values and the deviation around it. The mean is sum over weights;
/// deviations are updated around a centre that is nearly the mean.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Weighted {
    weights: f64,
    sum: f64,
    centre: f64,
    squares: f64,
}

impl Weighted {
    /// One more value behind its weight, which is not 0.
    pub(crate) fn add(&mut self, weight: f64, value: f64) {
        let off = value - self.centre;
        let moved = off * weight / (self.weights + weight);
        self.squares += self.weights * off * moved;
        self.centre += moved;
        self.weights += weight;
        self.sum += weight * value;
    }

    /// The weighted mean; `None` of no value.
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.weights > 0.0).then(|| self.sum / self.weights)
    }

    /// The root of the weighted mean square off this centre.
    pub(crate) fn deviation_from(&self, centre: f64) -> Option<f64> {
        let off = self.mean()? - centre;
        Some((self.squares / self.weights + off * off).sqrt())
    }

    /// The weighted standard deviation; `None` of no value.
    pub(crate) fn deviation(&self) -> Option<f64> {
        self.deviation_from(self.mean()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    fn sample(values: &[f64]) -> Sample {
        let mut sample = Sample::default();
        values.iter().for_each(|&value| sample.add(value));
        sample.sort();
        sample
    }

    #[test]
    fn few_values_are_kept_as_they_are() {
        let sample = sample(&[4.0, 1.0, 3.0, 2.0]);
        assert_eq!(sample.mean(), Some(2.5));
        assert_eq!(sample.quantile(0.5), Some(2.0));
        assert_eq!(sample.quantile(1.0), Some(4.0));
        assert_eq!(sample.gini(), Some(0.25));
    }

    /// A quarter of the values is 0, as are the waits of jobs that start at once.
    #[test]
    fn quantiles_of_many_values_are_right_to_a_share_of_them() {
        let mut draws = Stream::new(42, 0, "sample", 0);
        let draw = |_| match draws.below(4) {
            0 => 0.0,
            _ => draws.exponential(300.0),
        };
        let mut values: Vec<f64> = (0..EXACT + 1000).map(draw).collect();
        let sample = sample(&values);
        assert!(sample.values.is_empty() && sample.counts.len() < 40_000);
        values.sort_unstable_by(f64::total_cmp);
        for share in [0.0, 0.1, 0.25, 0.3, 0.5, 0.95, 0.999, 1.0] {
            let (found, exact) = (sample.quantile(share), quantile(&values, share));
            let (found, exact) = (found.expect("values"), exact.expect("values"));
            assert!(
                (found - exact).abs() <= 5e-4 * exact,
                "{share}: {found} {exact}"
            );
        }
        assert_eq!(sample.quantile(1.0), values.last().copied());
        let exact = gini(values.iter().map(|&value| (value, 1))).expect("values");
        assert!((sample.gini().expect("values") - exact).abs() < 1e-4);
    }

    #[test]
    fn deviations_worked_by_hand() {
        let mut values = Weighted::default();
        for (weight, value) in [(1.0, 2.0), (2.0, 5.0), (1.0, 8.0)] {
            values.add(weight, value);
        }
        // Mean 5, squares 9 + 0 + 9 over a weight of 4; off 4 one more in each unit.
        assert_eq!(values.mean(), Some(5.0));
        assert_eq!(values.deviation(), Some(4.5_f64.sqrt()));
        assert_eq!(values.deviation_from(4.0), Some(5.5_f64.sqrt()));
        assert_eq!(Weighted::default().deviation(), None);
    }

    #[test]
    fn values_that_are_all_alike_have_a_deviation() {
        let mut draws = Stream::new(42, 0, "alike", 0);
        for _ in 0..10_000 {
            let (value, count) = (draws.exponential(10.0), 1 + draws.below(5));
            let mut values = Weighted::default();
            for _ in 0..count {
                values.add(1.0 + draws.below(50) as f64, value);
            }
            let deviation = values.deviation().expect("values");
            assert!(deviation <= 1e-7 * value, "{deviation} of {value}");
        }
    }
}
