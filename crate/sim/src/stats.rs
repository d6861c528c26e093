//! Means with intervals, and paired differences.
//!
//! Intervals are Student's t at 95 % over independent replications. Two policies meet the same
//! random numbers in a replication, so their difference is taken pair by pair, which is far
//! narrower than the difference of two means.

/// A mean over replications.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct MeanEstimate {
    /// The mean.
    pub mean: f64,
    /// Half the width of its 95 % interval; `None` for fewer than two values.
    pub half_width: Option<f64>,
    /// The number of values.
    pub n: u32,
}

/// The mean of `values` with its 95 % interval; `None` where there is no value.
pub fn estimate(values: &[f64]) -> Option<MeanEstimate> {
    let n = values.len();
    if n == 0 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / n as f64;
    let half_width = (n > 1).then(|| {
        let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
        let deviation = (squares / (n - 1) as f64).sqrt();
        student_t(n - 1) * deviation / (n as f64).sqrt()
    });
    Some(MeanEstimate {
        mean,
        half_width,
        n: n as u32,
    })
}

/// The ratio of two means over `pairs` of values, with its 95 % interval; `None` if the second mean
/// is not above zero.
///
/// The interval is that of the ratio estimator, from the residuals of the pairs (W. Cochran,
/// Sampling Techniques, 3rd edition, 1977, section 6.4). Correlated pairs give a narrow one.
pub fn ratio(pairs: &[(f64, f64)]) -> Option<MeanEstimate> {
    let n = pairs.len() as f64;
    let below = pairs.iter().map(|(_, below)| below).sum::<f64>() / n;
    if pairs.is_empty() || below <= 0.0 {
        return None;
    }
    let mean = pairs.iter().map(|(above, _)| above).sum::<f64>() / n / below;
    let left: Vec<f64> = pairs.iter().map(|(a, b)| a - mean * b).collect();
    let half_width = estimate(&left)?.half_width.map(|half| half / below);
    Some(MeanEstimate {
        mean,
        half_width,
        n: pairs.len() as u32,
    })
}

/// The value at `share` (0 to 1) of ascending `values`, by the nearest rank: the smallest value
/// that at least this share of all does not exceed.
pub fn quantile(ascending: &[f64], share: f64) -> Option<f64> {
    let rank = (share * ascending.len() as f64).ceil() as usize;
    ascending.get(rank.max(1) - 1).copied()
}

/// The 97.5 % point of Student's t with `df` ≥ 1 degrees of freedom: tabled to 30, beyond that by
/// the Cornish–Fisher expansion (M. Abramowitz, I. Stegun, Handbook of Mathematical Functions,
/// 26.7.5), whose error there is below 10⁻⁵.
pub fn student_t(df: usize) -> f64 {
    const TABLE: [f64; 30] = [
        12.706_205, 4.302_653, 3.182_446, 2.776_445, 2.570_582, 2.446_912, 2.364_624, 2.306_004,
        2.262_157, 2.228_139, 2.200_985, 2.178_813, 2.160_369, 2.144_787, 2.131_450, 2.119_905,
        2.109_816, 2.100_922, 2.093_024, 2.085_963, 2.079_614, 2.073_873, 2.068_658, 2.063_899,
        2.059_539, 2.055_529, 2.051_831, 2.048_407, 2.045_230, 2.042_272,
    ];
    if let Some(&tabled) = TABLE.get(df - 1) {
        return tabled;
    }
    const Z: f64 = 1.959_963_984_540_054;
    let v = df as f64;
    let z2 = Z * Z;
    let first = (z2 + 1.0) / 4.0;
    let second = ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
    let third = (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    Z * (1.0 + (first + (second + third / v) / v) / v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_t_meets_published_values() {
        for (df, t) in [
            (1, 12.706),
            (9, 2.262),
            (19, 2.093),
            (29, 2.045),
            (40, 2.021),
            (60, 2.000),
            (120, 1.980),
            (1_000_000, 1.960),
        ] {
            assert!((student_t(df) - t).abs() < 0.0006, "{df}");
        }
    }

    #[test]
    fn the_expansion_continues_the_table() {
        assert!((student_t(31) - 2.039_513).abs() < 1e-5);
    }

    #[test]
    fn an_interval_worked_by_hand() {
        // mean 3, squares 4 + 0 + 4 = 8, deviation 2, half width 4.302653 · 2 / √3
        let estimate = estimate(&[1.0, 3.0, 5.0]).unwrap();
        assert_eq!(estimate.mean, 3.0);
        assert!((estimate.half_width.unwrap() - 4.968_274).abs() < 1e-5);
        assert_eq!(super::estimate(&[7.0]).unwrap().half_width, None);
    }

    #[test]
    fn a_ratio_worked_by_hand() {
        // Means 3 and 6, ratio 1/2; residuals −1, 0, 1, deviation 1, half width 4.302653 / √3 / 6.
        let found = ratio(&[(1.0, 4.0), (3.0, 6.0), (5.0, 8.0)]).unwrap();
        assert_eq!((found.mean, found.n), (0.5, 3));
        assert!((found.half_width.unwrap() - 0.414_023).abs() < 1e-6);
        // A constant ratio leaves no residuals.
        let exact = ratio(&[(1.0, 2.0), (4.0, 8.0)]).unwrap();
        assert_eq!((exact.mean, exact.half_width), (0.5, Some(0.0)));
        assert_eq!(ratio(&[(1.0, 0.0)]), None);
        assert_eq!(ratio(&[]), None);
    }

    #[test]
    fn quantiles_are_values_that_occur() {
        let values = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(quantile(&values, 0.5), Some(2.0));
        assert_eq!(quantile(&values, 0.95), Some(4.0));
        assert_eq!(quantile(&values, 0.0), Some(1.0));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
