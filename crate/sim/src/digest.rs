//! FNV-1a with 64 bits. It fingerprints a run, so that two machines can compare results, and names
//! random streams.
//!
//! A byte b maps the hash h to (h xor b) · p; the xor changes only h mod 256. So for h = 256 · u +
//! l, m bytes give pᵐ · 256 · u plus the hash of l: [`Pairs`] tabulates the latter for each l.
//!
//! Source: G. Fowler, L. C. Noll, K.-P. Vo, "The FNV non-cryptographic hash algorithm".

use std::fmt;
use std::ops::Range;

const PRIME: u64 = 0x0000_0100_0000_01b3;

/// The factor by which n zero bytes multiply a hash, by n.
const POWERS: [u64; 9] = {
    let mut powers = [1; 9];
    let mut bytes = 1;
    while bytes < powers.len() {
        powers[bytes] = PRIME.wrapping_mul(powers[bytes - 1]);
        bytes += 1;
    }
    powers
};

/// A running FNV-1a-64 hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(u64);

impl Digest {
    /// The hash of no bytes.
    pub fn new() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    }

    /// Adds one word, its lowest byte first.
    ///
    /// A zero byte only multiplies the hash, so the leading zero bytes take one multiplication.
    #[inline]
    pub fn word(&mut self, mut word: u64) {
        let mut left = 8;
        while word > 0xff {
            self.0 = (self.0 ^ word & 0xff).wrapping_mul(PRIME);
            word >>= 8;
            left -= 1;
        }
        self.0 = (self.0 ^ word).wrapping_mul(POWERS[left]);
    }

    /// The hash as a number.
    pub fn value(self) -> u64 {
        self.0
    }
}

/// What the words n, 1 do to a hash, for numbers n that follow each other: a step for each n.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    /// For each m, in blocks of 256: the hash of each value below 256 after the words m, 1, where m
    /// is the first number of the block.
    after: Vec<[u64; 256]>,
}

impl Pairs {
    /// Adds to a digest the words n, 1 for each number n of a range.
    pub fn add(&mut self, digest: &mut Digest, numbers: Range<u32>) {
        let power = POWERS[8].wrapping_mul(POWERS[8]);
        let mut hash = digest.0;
        let mut next = numbers.start;
        while next < numbers.end {
            let after = self.after(next / 256);
            let end = numbers.end.min((next | 0xff) + 1);
            for number in next..end {
                let lowest = (hash ^ u64::from(number)) & 0xff;
                let above = (hash & !0xff).wrapping_mul(power);
                hash = above.wrapping_add(after[lowest as usize]);
            }
            next = end;
        }
        digest.0 = hash;
    }

    fn after(&mut self, of: u32) -> &[u64; 256] {
        for next in self.after.len() as u32..=of {
            self.after.push(std::array::from_fn(|hash| {
                let mut digest = Digest(hash as u64);
                digest.word(256 * u64::from(next));
                digest.word(1);
                digest.0
            }));
        }
        &self.after[of as usize]
    }
}

impl Default for Digest {
    fn default() -> Self {
        Digest::new()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    #[test]
    fn published_vectors() {
        let of = |text: &str| {
            let mut digest = Digest::new();
            digest.bytes(text.as_bytes());
            digest.to_string()
        };
        assert_eq!(of(""), "cbf29ce484222325");
        assert_eq!(of("a"), "af63dc4c8601ec8c");
        assert_eq!(of("foobar"), "85944171f73967e8");
    }

    #[test]
    fn words_and_ranges_are_their_bytes() {
        let mut draws = Stream::new(42, 0, "digest", 0);
        let mut pairs = Pairs::default();
        let (mut fast, mut plain) = (Digest::new(), Digest::new());
        for round in 0..3000 {
            let word = draws.below(u64::MAX) >> draws.below(64);
            fast.word(word);
            plain.bytes(&word.to_le_bytes());
            let largest = if round % 100 == 0 { 70_000 } else { 1000 };
            let start = draws.below(largest) as u32;
            let end = start + draws.below(400) as u32;
            pairs.add(&mut fast, start..end);
            for number in start..end {
                plain.bytes(&u64::from(number).to_le_bytes());
                plain.bytes(&1_u64.to_le_bytes());
            }
            assert_eq!(fast, plain, "{word}, {start}..{end}");
        }
    }
}
