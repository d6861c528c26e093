//! Curves of AdaBa's weight of a server by its free slots.
//!
//! w(a) = −½a² + (L·B/Bmax)·a, paper 1, Eq. 7. Its peak is found in whole numbers, as the smallest
//! |a·Bmax − L·B|, as in the placement.

use super::claim::{self, Claim, ClaimStatement, Evidence, Found, JudgedClaim, Rule};
use super::content::{self, Content, FigureNumber, OF_ANOTHER_KIND, Other};
use super::data::Data;
use super::pair::Pair;

pub use super::data::WeightCurve as Curve;

/// A figure of curves of the weight.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// Slots of a server, L.
    pub slots: u32,
    /// The largest bandwidth seen, Bmax, in Mbit/s.
    pub largest_mbps: u32,
    /// The requested bandwidths, B, in Mbit/s, ascending.
    pub bandwidths_mbps: &'static [u32],
    /// The claims of the text.
    pub claims: &'static [Claim<WeightCheck>],
}

/// A check of the curves. Peaks are over servers with a free slot.
#[derive(Clone, Copy, Debug)]
pub enum WeightCheck {
    /// The curves of these bandwidths peak at this number of free slots.
    PeaksAt {
        /// The bandwidths of the curves, in Mbit/s.
        bandwidths_mbps: &'static [u32],
        /// The number of free slots.
        free: u32,
    },
    /// The peak never moves back from curve to curve, and that of the last curve is in this range.
    PeakMovesTo {
        /// Free slots, the least and the most.
        free: [u32; 2],
    },
}

impl Rule for WeightCheck {
    fn rule(&self) -> String {
        "The curves are the text's own formula, so it cannot fail unless that is computed wrongly."
            .to_owned()
    }

    fn by_construction(&self) -> bool {
        true
    }
}

impl Weights {
    /// Computes the curves, one for each bandwidth.
    pub fn curves(&self) -> Vec<Curve> {
        let curve = |&bandwidth_mbps: &u32| {
            let reach = self.slots * bandwidth_mbps;
            let slope = f64::from(reach) / f64::from(self.largest_mbps);
            let distance = |free: &u32| (free * self.largest_mbps).abs_diff(reach);
            Curve {
                bandwidth_mbps,
                weights: (0..=self.slots)
                    .map(|free| f64::from(free) * (slope - 0.5 * f64::from(free)))
                    .collect(),
                peak: (1..=self.slots).min_by_key(distance).unwrap_or(0),
            }
        };
        self.bandwidths_mbps.iter().map(curve).collect()
    }
}

impl Content for Weights {
    fn statements(&self) -> Vec<ClaimStatement> {
        content::statements(self.claims)
    }

    fn judge<'a>(
        &self,
        data: &'a Data,
        _: &'static [Pair],
        _: &dyn Fn(&str) -> Option<Other<'a>>,
    ) -> Vec<JudgedClaim> {
        let curves = curves_of(data);
        let judge =
            |claim: &Claim<WeightCheck>| claim.judged_once(Found::all(claim.check.look(curves)));
        self.claims.iter().map(judge).collect()
    }

    fn lines(&self, data: &Data) -> Vec<FigureNumber> {
        let of_curve = |curve: &Curve| {
            let series = format!("B={}", curve.bandwidth_mbps);
            let weights = curve.weights.iter().enumerate();
            let lines = weights.map(|(free, &weight)| FigureNumber {
                x: free.to_string(),
                ..FigureNumber::of(series.clone(), "weight", claim::exact(weight))
            });
            lines.collect::<Vec<FigureNumber>>()
        };
        curves_of(data).iter().flat_map(of_curve).collect()
    }
}

fn curves_of(data: &Data) -> &[Curve] {
    let Data::Weights(curves) = data else {
        panic!("{OF_ANOTHER_KIND}");
    };
    curves
}

impl WeightCheck {
    /// The peaks of the curves that a check is about.
    fn look(&self, curves: &[Curve]) -> Vec<Evidence> {
        let peak = |curve: &Curve, holds| {
            let what = format!(
                "free slots at the peak for B = {} Mbit/s",
                curve.bandwidth_mbps
            );
            Evidence::fact(what, "", f64::from(curve.peak), holds)
        };
        match *self {
            WeightCheck::PeaksAt {
                bandwidths_mbps,
                free,
            } => curves
                .iter()
                .filter(|curve| bandwidths_mbps.contains(&curve.bandwidth_mbps))
                .map(|curve| peak(curve, curve.peak == free))
                .collect(),
            WeightCheck::PeakMovesTo { free: [low, high] } => {
                let before = [0].into_iter().chain(curves.iter().map(|curve| curve.peak));
                let last = curves.len().saturating_sub(1);
                let steps = curves.iter().zip(before).enumerate();
                steps
                    .map(|(position, (curve, before))| {
                        let ends = position < last || (low..=high).contains(&curve.peak);
                        peak(curve, curve.peak >= before && ends)
                    })
                    .collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_worked_by_hand() {
        let weights = Weights {
            slots: 8,
            largest_mbps: 800,
            bandwidths_mbps: &[210],
            claims: &[],
        };
        // L·B/Bmax = 2.1: 0, 1.6, 2.2, 1.8, …
        let curve = &weights.curves()[0];
        assert_eq!(curve.peak, 2);
        let found: Vec<String> = curve
            .weights
            .iter()
            .take(4)
            .map(|w| format!("{w:.1}"))
            .collect();
        assert_eq!(found, ["0.0", "1.6", "2.2", "1.8"]);
    }
}
