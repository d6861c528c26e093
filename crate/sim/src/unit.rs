//! Quantities that decide feasibility and order: time in whole microseconds, bandwidth in whole
//! kbit/s. A fractional value is rounded once, where it enters, in [`round`].

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub, SubAssign};

use serde::Serialize;

/// Microseconds in a second.
pub const MICROS: u64 = 1_000_000;

/// An instant: microseconds since time 0 of the trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Time(pub u64);

/// A length of time in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Span(pub u64);

/// A bandwidth in kbit/s; 1 Mbit/s is 1000 of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Kbps(pub u64);

impl Time {
    /// The instant at which work of `micros` ends, rounded **up** to the next microsecond. This is
    /// the only place where a fractional completion becomes an instant. A remainder below 1/1024 µs
    /// is treated as floating-point error.
    pub fn after(self, micros: f64) -> Time {
        let whole = (micros - 1.0 / 1024.0).ceil() as u64;
        Time(self.0.saturating_add(whole))
    }

    /// Seconds since time 0.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / MICROS as f64
    }
}

impl Span {
    /// The longest span.
    pub const MAX: Span = Span(u64::MAX);

    /// In seconds.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / MICROS as f64
    }

    /// This span minus `used`; 0 if `used` is longer.
    pub fn less(self, used: Span) -> Span {
        Span(self.0.saturating_sub(used.0))
    }
}

impl Kbps {
    /// In Mbit/s.
    pub fn mbps(self) -> f64 {
        self.0 as f64 / 1000.0
    }
}

/// Rounds half away from zero to a whole number that is not negative; a negative value, or one
/// that is no number, becomes 0. Every drawn or read fraction enters through here.
pub fn round(value: f64) -> u64 {
    value.round() as u64
}

impl Add<Span> for Time {
    type Output = Time;
    fn add(self, span: Span) -> Time {
        Time(self.0 + span.0)
    }
}

impl Sub for Time {
    type Output = Span;
    fn sub(self, earlier: Time) -> Span {
        Span(self.0 - earlier.0)
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0 + other.0)
    }
}

impl AddAssign for Span {
    fn add_assign(&mut self, other: Span) {
        self.0 += other.0;
    }
}

impl Sub for Span {
    type Output = Span;
    fn sub(self, other: Span) -> Span {
        Span(self.0 - other.0)
    }
}

impl Sum for Span {
    fn sum<I: Iterator<Item = Span>>(spans: I) -> Span {
        Span(spans.map(|span| span.0).sum())
    }
}

impl AddAssign for Kbps {
    fn add_assign(&mut self, other: Kbps) {
        self.0 += other.0;
    }
}

impl SubAssign for Kbps {
    fn sub_assign(&mut self, other: Kbps) {
        self.0 -= other.0;
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", self.seconds())
    }
}

impl fmt::Display for Kbps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} Mbit/s", self.mbps())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_completion_rounds_up_and_an_exact_one_stays() {
        assert_eq!(Time(10).after(2.0), Time(12));
        assert_eq!(Time(10).after(0.0), Time(10));
        assert_eq!(Time(10).after(2.000_1), Time(12));
        assert_eq!(Time(10).after(2.001), Time(13));
    }

    #[test]
    fn halves_round_away_from_zero_and_nothing_is_negative() {
        assert_eq!(round(2.5), 3);
        assert_eq!(round(2.4), 2);
        assert_eq!(round(-7.0), 0);
        assert_eq!(round(f64::NAN), 0);
    }
}
