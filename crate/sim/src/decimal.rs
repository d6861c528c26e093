//! Exact decimal numbers: what a person typed, without binary rounding.
//!
//! Invariant: canonical, that is without trailing zeros in the fraction, so that equal numbers are
//! equal values and print alike. At most 18 digits, at most 9 of them after the point.

use std::cmp::Ordering;
use std::fmt;
use std::iter;
use std::str::FromStr;

use serde::Serialize;

use crate::unit::{Kbps, MICROS, Span};

/// `units / 10^scale`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(into = "String")]
pub struct Decimal {
    units: i64,
    scale: u8,
}

/// The most digits after the point.
const MAX_SCALE: u8 = 9;

/// The most digits in all.
const MAX_DIGITS: usize = 18;

impl Decimal {
    /// A whole number.
    pub const fn whole(value: i64) -> Decimal {
        Decimal {
            units: value,
            scale: 0,
        }
    }

    /// `10^-places`, for instance 0.001 of 3.
    pub const fn tenth_power(places: u8) -> Decimal {
        assert!(places <= MAX_SCALE);
        Decimal {
            units: 1,
            scale: places,
        }
    }

    /// Reads digits with at most one point between them and an optional minus sign; no exponent.
    pub fn parse(text: &str) -> Option<Decimal> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let only_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !only_digits(whole) || !only_digits(fraction) {
            return None;
        }
        if digits.ends_with('.') {
            return None;
        }
        let whole = whole.trim_start_matches('0');
        let fraction = fraction.trim_end_matches('0');
        let scale = u8::try_from(fraction.len()).ok()?;
        if scale > MAX_SCALE || whole.len() + fraction.len() > MAX_DIGITS {
            return None;
        }
        let units = format!("0{whole}{fraction}").parse::<i64>().ok()?;
        Some(Decimal {
            units: if negative { -units } else { units },
            scale,
        })
    }

    /// `numerator / denominator` to six digits after the point, rounded half up and never to 0.
    ///
    /// # Panics
    /// The denominator is 0, or the number has more than 18 digits.
    pub fn of_ratio(numerator: u128, denominator: u128) -> Decimal {
        let millionths = (numerator * 2_000_000 + denominator) / (2 * denominator);
        let nanos = millionths.max(1) as i128 * 1000;
        Decimal::from_nanos(nanos).expect("few enough digits")
    }

    /// The canonical number `units / 10^MAX_SCALE`, if it has few enough digits.
    fn from_nanos(mut units: i128) -> Option<Decimal> {
        let mut scale = MAX_SCALE;
        while scale > 0 && units % 10 == 0 {
            units /= 10;
            scale -= 1;
        }
        let units = i64::try_from(units).ok()?;
        (units.unsigned_abs() < 10u64.pow(MAX_DIGITS as u32)).then_some(Decimal { units, scale })
    }

    fn nanos(self) -> i128 {
        i128::from(self.units) * 10i128.pow(u32::from(MAX_SCALE - self.scale))
    }

    /// The number of digits after the point.
    pub fn places(self) -> u8 {
        self.scale
    }

    /// The number as an exact ratio; a negative number becomes 0.
    pub fn ratio(self) -> (u128, u128) {
        (
            u128::try_from(self.units).unwrap_or(0),
            10u128.pow(u32::from(self.scale)),
        )
    }

    /// The nearest binary number, ties to even, the same on every machine; never minus zero.
    ///
    /// Computed in whole numbers: the standard library's parser of floating-point numbers would add
    /// a large table to the page's module.
    pub fn to_f64(self) -> f64 {
        if self.units == 0 {
            return 0.0;
        }
        let units = u128::from(self.units.unsigned_abs());
        let shift = units.leading_zeros();
        let power = 10u128.pow(u32::from(self.scale));
        let (quotient, rest) = ((units << shift) / power, (units << shift) % power);
        // A rest rounds away from a tie.
        let size = (quotient | u128::from(rest > 0)) as f64 / (1u128 << shift) as f64;
        if self.units < 0 { -size } else { size }
    }

    /// The number times `factor`, rounded half away from zero; a negative number becomes 0.
    fn times(self, factor: u64) -> u64 {
        let (units, unit) = self.ratio();
        let product = (units * u128::from(factor) * 2 + unit) / (unit * 2);
        u64::try_from(product).unwrap_or(u64::MAX)
    }

    /// The number as seconds.
    pub fn seconds(self) -> Span {
        Span(self.times(MICROS))
    }

    /// The number as Mbit/s.
    pub fn mbps(self) -> Kbps {
        Kbps(self.times(1000))
    }

    /// `first`, `first + step`, … up to `last`, which is included if it is hit exactly. `None` if
    /// `step` is not positive or `last` is below `first`.
    pub fn range(
        first: Decimal,
        last: Decimal,
        step: Decimal,
    ) -> Option<impl Iterator<Item = Decimal>> {
        let (mut next, last, step) = (first.nanos(), last.nanos(), step.nanos());
        (step > 0 && next <= last).then(|| {
            iter::from_fn(move || {
                let value = (next <= last).then_some(next)?;
                next += step;
                Decimal::from_nanos(value)
            })
        })
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Decimal) -> Ordering {
        self.nanos().cmp(&other.nanos())
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Decimal) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.units < 0 { "-" } else { "" };
        let unit = 10u64.pow(u32::from(self.scale));
        let (whole, fraction) = (
            self.units.unsigned_abs() / unit,
            self.units.unsigned_abs() % unit,
        );
        write!(f, "{sign}{whole}")?;
        if self.scale > 0 {
            write!(f, ".{fraction:0width$}", width = usize::from(self.scale))?;
        }
        Ok(())
    }
}

impl From<Decimal> for String {
    fn from(decimal: Decimal) -> String {
        decimal.to_string()
    }
}

/// The whole number that a text of only digits is; `None` for any other text, and beyond the type.
pub fn whole<T: FromStr>(text: &str) -> Option<T> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap_or_else(|| panic!("{text} is a decimal"))
    }

    #[test]
    fn prints_the_shortest_form() {
        for (typed, canonical) in [
            ("0.30", "0.3"),
            ("007", "7"),
            ("-0", "0"),
            ("-1.250", "-1.25"),
            ("100", "100"),
            ("0.000000001", "0.000000001"),
            ("123456789.123456789", "123456789.123456789"),
        ] {
            assert_eq!(decimal(typed).to_string(), canonical);
        }
    }

    #[test]
    fn refuses_what_is_no_plain_decimal() {
        for text in [
            "",
            ".",
            "1.",
            ".5",
            "1e3",
            "+1",
            "--1",
            "1.2.3",
            "NaN",
            "inf",
            "0x1",
            " 1",
            "1 ",
            "١",
            "0.0000000001",
            "1234567890123456789",
        ] {
            assert_eq!(Decimal::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn compares_by_value() {
        assert!(decimal("0.3") < decimal("0.31"));
        assert!(decimal("-2") < decimal("-1.5"));
        assert_eq!(decimal("0.50"), decimal("0.5"));
    }

    #[test]
    fn a_range_includes_an_end_that_it_hits_and_drifts_nowhere() {
        let range = |text: &str| {
            let [first, last, step] = [0, 1, 2].map(|i| decimal(text.split(':').nth(i).unwrap()));
            Decimal::range(first, last, step)
                .map(|values| values.map(|v| v.to_string()).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(range("0.3:0.9:0.2").unwrap(), "0.3 0.5 0.7 0.9");
        assert_eq!(range("0.1:1:0.2").unwrap(), "0.1 0.3 0.5 0.7 0.9");
        assert_eq!(range("1:1:5").unwrap(), "1");
        assert_eq!(range("1:2:0"), None);
        assert_eq!(range("2:1:1"), None);
        let tenths = range("0.1:1.2:0.1").unwrap();
        assert!(tenths.ends_with("1.1 1.2"), "{tenths}");
    }

    #[test]
    fn converts_to_whole_units_exactly() {
        assert_eq!(decimal("0.000001").seconds(), Span(1));
        assert_eq!(decimal("20").seconds(), Span(20_000_000));
        assert_eq!(decimal("0.0000005").seconds(), Span(1));
        assert_eq!(decimal("1000").mbps(), Kbps(1_000_000));
        assert_eq!(decimal("0.3").ratio(), (3, 10));
        assert_eq!(decimal("0.3").to_f64(), 0.3);
    }
}
