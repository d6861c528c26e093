//! The guaranteed part of the bandwidth that a job requests.
//!
//! Of a bandwidth B of which g % are guaranteed a machine reserves ⌈B · g / 100⌉ kbit/s; placement,
//! admission and reservations know only that. With g = 100 links are reserved for all that jobs
//! request; with less, jobs share the links ([`sharing`](crate::machine::sharing)); with 0 a job
//! needs only slots.
//!
//! Source: the project's own. Without guarantees it is the baseline of H. Ballani, P. Costa, T.
//! Karagiannis, A. Rowstron, "Towards predictable datacenter networks", SIGCOMM 2011, section 5.

use crate::decimal::Decimal;
use crate::unit::Kbps;

/// The guaranteed part of a job's bandwidth, and how the job uses the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guarantee {
    /// The part that is guaranteed, in per cent: 100 at most (g).
    pub percent: u32,
    /// The part of its run time that a job spends communicating when it has all of its bandwidth, 0
    /// to 1 (c). It makes no difference where all is guaranteed.
    pub communication: Decimal,
}

impl Guarantee {
    /// All of it is guaranteed.
    pub const FULL: Guarantee = Guarantee {
        percent: 100,
        communication: Decimal::whole(0),
    };

    /// Whether links carry all that jobs request.
    pub fn is_full(self) -> bool {
        self.percent == 100
    }

    /// The guaranteed part of a bandwidth, rounded up to whole kbit/s.
    pub fn of(self, bandwidth: Kbps) -> Kbps {
        // Hundreds and rest apart: their products need no 128 bits, which wasm has not.
        let (hundreds, rest) = (bandwidth.0 / 100, bandwidth.0 % 100);
        let percent = u64::from(self.percent);
        Kbps(hundreds * percent + (rest * percent).div_ceil(100))
    }

    /// The least requested bandwidth whose guarantee is `guaranteed`, if any: a larger request is
    /// guaranteed no less, a smaller one less.
    pub(crate) fn least_asked(self, guaranteed: Kbps) -> Kbps {
        match guaranteed.0 {
            0 => Kbps(0),
            kbps => Kbps((kbps - 1) * 100 / u64::from(self.percent) + 1),
        }
    }
}

impl Default for Guarantee {
    fn default() -> Guarantee {
        Guarantee::FULL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_guaranteed_is_rounded_up_and_inverted() {
        let of = |percent, bandwidth| {
            let communication = Decimal::whole(0);
            let guarantee = Guarantee {
                percent,
                communication,
            };
            guarantee.of(Kbps(bandwidth)).0
        };
        assert_eq!([of(100, 7), of(40, 500), of(33, 10)], [7, 200, 4]);
        assert_eq!([of(1, 1), of(1, 0), of(0, 900)], [1, 0, 0]);
        for percent in 0..=100 {
            let guarantee = Guarantee {
                percent,
                communication: Decimal::whole(0),
            };
            for asked in (0..400).map(Kbps) {
                let guaranteed = guarantee.of(asked);
                let least = guarantee.least_asked(guaranteed);
                let scan = (0..=asked.0).map(Kbps);
                let first = scan.clone().find(|&less| guarantee.of(less) >= guaranteed);
                assert_eq!(Some(least), first, "{percent} % of {asked}");
            }
        }
    }
}
