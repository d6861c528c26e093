//! Random numbers in named streams.
//!
//! A stream is named by (seed, replication, purpose, index); the four are mixed and SplitMix64
//! fills the state of a xoshiro256++ generator from the mix. A draw in one stream moves no other:
//! another policy, load or number of jobs leaves every other job's draws alone, which is what makes
//! paired comparisons possible.
//!
//! Sources: D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS
//! 47(4), 2021 (xoshiro256++); G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number
//! generators", OOPSLA 2014 (SplitMix64); G. Marsaglia, T. Bray, "A convenient method for
//! generating normal variables", SIAM Review 6(3), 1964 (the polar method).

use crate::math;

/// A generator of one named stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    state: [u64; 4],
}

/// SplitMix64: the next state and its output.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Stream {
    /// The stream for one `purpose` (for instance `"runtime"`) of job `index` in a replication.
    pub fn new(seed: u64, replication: u64, purpose: &str, index: u64) -> Stream {
        let mut name = crate::digest::Digest::new();
        name.bytes(purpose.as_bytes());
        let mut mix = 0;
        for word in [seed, replication, name.value(), index] {
            mix ^= word;
            mix = split_mix(&mut mix);
        }
        Stream {
            state: std::array::from_fn(|_| split_mix(&mut mix)),
        }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// Uniform on [0, 1), a multiple of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Uniform on the whole numbers `0..n` by rejection; `n` must not be 0.
    pub fn below(&mut self, n: u64) -> u64 {
        let limit = u64::MAX - (u64::MAX % n + 1) % n;
        loop {
            let bits = self.bits();
            if bits <= limit {
                return bits % n;
            }
        }
    }

    /// Exponential with the given mean.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * math::ln(1.0 - self.unit())
    }

    /// Standard normal by the polar method; the pair's second deviate is discarded.
    pub fn normal(&mut self) -> f64 {
        loop {
            let x = 2.0 * self.unit() - 1.0;
            let y = 2.0 * self.unit() - 1.0;
            let s = x * x + y * y;
            if s > 0.0 && s < 1.0 {
                return x * (-2.0 * math::ln(s) / s).sqrt();
            }
        }
    }
}

/// Distributions that only models of workloads use.
impl Stream {
    /// Gamma of a shape of at least 1 and a scale (G. Marsaglia, W. Tsang, "A simple method for
    /// generating gamma variables", ACM TOMS 26(3), 2000).
    pub fn gamma(&mut self, shape: f64, scale: f64) -> f64 {
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.normal();
            let root = 1.0 + c * x;
            if root <= 0.0 {
                continue;
            }
            let v = root * root * root;
            let u = 1.0 - self.unit();
            if u < 1.0 - 0.0331 * (x * x) * (x * x)
                || math::ln(u) < 0.5 * x * x + d * (1.0 - v + math::ln(v))
            {
                return d * v * scale;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_mix_matches_its_published_sequence() {
        let mut state = 1_234_567;
        let drawn: Vec<u64> = (0..3).map(|_| split_mix(&mut state)).collect();
        assert_eq!(
            drawn,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn xoshiro_matches_its_published_sequence() {
        let mut stream = Stream {
            state: [1, 2, 3, 4],
        };
        let drawn: Vec<u64> = (0..4).map(|_| stream.bits()).collect();
        assert_eq!(
            drawn,
            [
                41_943_041,
                58_720_359,
                3_588_806_011_781_223,
                3_591_011_842_654_386
            ]
        );
    }

    #[test]
    fn streams_differ_in_every_part_of_their_name() {
        let first = |seed, rep, purpose, index| Stream::new(seed, rep, purpose, index).bits();
        let base = first(1, 2, "size", 3);
        assert_eq!(base, first(1, 2, "size", 3));
        for other in [
            first(2, 2, "size", 3),
            first(1, 3, "size", 3),
            first(1, 2, "runtime", 3),
            first(1, 2, "size", 4),
            first(2, 1, "size", 3),
        ] {
            assert_ne!(base, other);
        }
    }

    #[test]
    fn moments_are_those_of_the_laws() {
        let mut stream = Stream::new(7, 0, "moments", 0);
        let n = 200_000;
        let (mut unit, mut exponential, mut normal, mut square) = (0.0, 0.0, 0.0, 0.0);
        for _ in 0..n {
            unit += stream.unit();
            exponential += stream.exponential(5.0);
            let z = stream.normal();
            normal += z;
            square += z * z;
        }
        let n = f64::from(n);
        assert!((unit / n - 0.5).abs() < 0.004);
        assert!((exponential / n - 5.0).abs() < 0.06);
        assert!((normal / n).abs() < 0.012);
        assert!((square / n - 1.0).abs() < 0.016);
    }

    #[test]
    fn below_reaches_every_value_and_no_other() {
        let mut stream = Stream::new(7, 0, "below", 0);
        let mut seen = [0; 5];
        for _ in 0..5000 {
            seen[stream.below(5) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| count > 800), "{seen:?}");
    }
}
