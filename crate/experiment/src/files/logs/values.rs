//! Values as accounting files write them: whole numbers, counts with units, instants and durations.

use std::ops::Range;

use time::{Date, Month, PrimitiveDateTime, Time as Clock, UtcOffset};

use super::draft::MAX_SECONDS;
pub(super) use backfill_sim::decimal::whole;
use backfill_sim::unit::{MICROS, Span, Time};

/// A count as printed without `--noconvert`: 1536 is also `1.50K`, and `M` and `G` are further
/// multiples of 1024. `None` if it is not whole.
pub(super) fn in_units(text: &str) -> Option<u32> {
    if let Some(count) = whole(text) {
        return Some(count);
    }
    let units = [('K', 1 << 10), ('M', 1 << 20), ('G', 1 << 30)];
    let of_unit = |(letter, unit)| Some((text.strip_suffix(letter)?, unit));
    let (number, unit) = units.into_iter().find_map(of_unit).unwrap_or((text, 1));
    let (count, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let parts = 10_u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let in_parts = whole::<u64>(fraction)?.checked_mul(unit)?;
    let count = whole::<u64>(count)?.checked_mul(unit)?;
    if in_parts % parts > 0 {
        return None;
    }
    u32::try_from(count.checked_add(in_parts / parts)?).ok()
}

/// An instant such as `2024-01-02T03:04:05`, with or without a zone such as `Z` or `+01:00` after
/// it, or with a blank instead of the `T`, or as seconds since 1970: these seconds, and whether it
/// has a zone or needs none.
pub(super) fn instant(text: &str) -> Option<(i64, bool)> {
    if let Some(seconds) = whole(text) {
        return Some((seconds, true));
    }
    let (local, zone) = text.split_at_checked("2024-01-02T03:04:05".len())?;
    let part = |range: Range<usize>| local.get(range).and_then(whole::<u8>);
    let marks = [4, 7, 10, 13, 16].map(|at| local.as_bytes()[at]);
    if !matches!(marks, [b'-', b'-', b'T' | b' ', b':', b':']) {
        return None;
    }
    let year = whole::<u16>(local.get(..4)?)?;
    let month = Month::try_from(part(5..7)?).ok()?;
    let date = Date::from_calendar_date(year.into(), month, part(8..10)?).ok()?;
    let clock = Clock::from_hms(part(11..13)?, part(14..16)?, part(17..19)?).ok()?;
    let local = PrimitiveDateTime::new(date, clock);
    let names_zone = !zone.is_empty();
    let offset = if names_zone {
        offset(zone)?
    } else {
        UtcOffset::UTC
    };
    Some((local.assume_offset(offset).unix_timestamp(), names_zone))
}

/// An instant as [`instant`] reads it, perhaps with a fraction of a second or without a clock: in
/// microseconds.
pub(super) fn precise_instant(text: &str) -> Option<(i64, bool)> {
    if text.len() == "2024-01-02".len() {
        return precise_instant(&format!("{text}T00:00:00"));
    }
    let (seconds, rest) = text.split_at_checked("2024-01-02T03:04:05".len())?;
    let (fraction, zone) = fraction(rest)?;
    let zone = zone.strip_prefix(' ').unwrap_or(zone);
    let zone = if zone == "UTC" { "Z" } else { zone };
    let (seconds, names_zone) = instant(&format!("{seconds}{zone}"))?;
    Some((
        seconds.checked_mul(MICROS as i64)?.checked_add(fraction)?,
        names_zone,
    ))
}

/// The microseconds of a fraction such as `.25` at the start of a text, and the text after it.
fn fraction(text: &str) -> Option<(i64, &str)> {
    let Some(digits) = text.strip_prefix('.') else {
        return Some((0, text));
    };
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    let (digits, rest) = digits.split_at(end);
    let micros = format!("{digits:0<6}");
    Some((whole(micros.get(..6)?)?, rest))
}

/// Seconds since 1970 as an instant; `None` of 0, which stands for none.
pub(super) fn seconds(text: &str) -> Option<Time> {
    let span = raw_duration(text, 1)?;
    (span > Span(0)).then_some(Time(span.0))
}

/// The offset of a zone from UTC: `Z`, `+01`, `+0100` or `+01:00`.
fn offset(zone: &str) -> Option<UtcOffset> {
    if zone == "Z" {
        return Some(UtcOffset::UTC);
    }
    let (sign, digits) = match zone.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-", digits) => (-1, digits),
        _ => return None,
    };
    let (hours, minutes) = digits.split_at_checked(2)?;
    let minutes = match minutes.strip_prefix(':').unwrap_or(minutes) {
        "" => "0",
        minutes => minutes,
    };
    let (hours, minutes): (i8, i8) = (whole(hours)?, whole(minutes)?);
    UtcOffset::from_hms(sign * hours, sign * minutes, 0).ok()
}

/// Exactly `COUNT` whole numbers, each of only digits.
fn parts<const COUNT: usize>(text: &str, between: char) -> Option<[u16; COUNT]> {
    let mut numbers = [0; COUNT];
    let mut texts = text.split(between);
    for number in &mut numbers {
        *number = whole(texts.next()?)?;
    }
    texts.next().is_none().then_some(numbers)
}

/// A duration: `[days-]hours:minutes:seconds` or `minutes:seconds`; fractions of a second, which
/// only processor times have, are refused.
pub(super) fn duration(text: &str) -> Option<Span> {
    let (days, clock) = match text.split_once('-') {
        Some((days, clock)) => (whole(days)?, clock),
        None => (0_u32, text),
    };
    let with_hours = parts::<3>(clock, ':');
    let [hours, minutes, seconds] = match with_hours {
        Some(parts) => parts,
        None => {
            let [minutes, seconds] = parts(clock, ':')?;
            [0, minutes, seconds]
        }
    };
    let seconds = ((u64::from(days) * 24 + u64::from(hours)) * 60 + u64::from(minutes)) * 60
        + u64::from(seconds);
    span(seconds)
}

/// A duration as [`duration`] reads it, perhaps as `2 days 03:04:05.25`.
pub(super) fn precise_duration(text: &str) -> Option<Span> {
    let (clock, micros) = match text.split_once('.') {
        Some((clock, _)) => (clock, fraction(&text[clock.len()..])?.0),
        None => (text, 0),
    };
    let spelled = clock.replace(" days ", "-").replace(" day ", "-");
    let span = duration(&spelled)?;
    Some(Span(span.0 + micros.unsigned_abs()))
}

/// A duration as a whole number of units of `unit` seconds.
pub(super) fn raw_duration(text: &str, unit: u64) -> Option<Span> {
    span(u64::from(whole::<u32>(text)?) * unit)
}

/// Seconds as a span, if a trace may be that long.
pub(super) fn span(seconds: u64) -> Option<Span> {
    (seconds as f64 <= MAX_SECONDS).then(|| Span(seconds * MICROS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_be_multiples_of_1024() {
        for (text, expected) in [
            ("0", Some(0)),
            ("96", Some(96)),
            ("96.0", Some(96)),
            ("1K", Some(1024)),
            ("1.50K", Some(1536)),
            ("2.5M", Some(2_621_440)),
            ("3G", Some(3_221_225_472)),
            ("4G", None),
            ("1.07K", None),
            ("1.5", None),
            (".5K", None),
            ("1.K", None),
            ("K", None),
            ("1k", None),
            ("1.00000000000000000000K", None),
            ("18446744073709551615G", None),
        ] {
            assert_eq!(in_units(text), expected, "{text}");
        }
    }

    #[test]
    fn instants_are_read_with_and_without_a_zone() {
        let seconds = |text| instant(text).map(|(seconds, _)| seconds);
        let at = Some(1_704_164_645);
        for text in [
            "2024-01-02T03:04:05",
            "2024-01-02T03:04:05Z",
            "2024-01-02T04:04:05+01:00",
            "2024-01-01T22:34:05-0430",
            "2024-01-02T05:04:05+02",
            "2024-01-02 03:04:05",
            "2024-01-02 04:04:05+01:00",
            "1704164645",
        ] {
            assert_eq!(seconds(text), at, "{text}");
        }
        for text in [
            "2024-02-30T00:00:00",
            "2024-01-02_03:04:05",
            "-1704164645",
            "2024-01-02T24:00:00",
            "2024-01-02T03:04:05+1",
            "2024-01-02T03:04:05 CET",
            "2024-01-02T03:04",
            "2024-01-02T03:04:0é",
            "Unknown",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn instants_may_have_fractions_and_durations_days_in_words() {
        let at = 1_704_164_645_000_000;
        for (text, micros, zone) in [
            ("2024-01-02T03:04:05", at, false),
            ("2024-01-02 03:04:05.25", at + 250_000, false),
            ("2024-01-02T03:04:05.1234567Z", at + 123_456, true),
            ("2024-01-02 05:04:05.5+02:00", at + 500_000, true),
            ("2024-01-02 03:04:05 UTC", at, true),
            ("2024-01-02", at - 11_045_000_000, false),
        ] {
            assert_eq!(precise_instant(text), Some((micros, zone)), "{text}");
        }
        for text in ["", "2024-01-02T03:04", "1704164645", "2024-01-0é"] {
            assert_eq!(precise_instant(text), None, "{text}");
        }
        let span = |text| precise_duration(text).map(|span| span.0);
        assert_eq!(span("2 days 03:04:05.25"), Some(183_845_250_000));
        assert_eq!(span("1-00:00:00"), Some(86_400_000_000));
        assert_eq!(span("60"), None);
    }

    #[test]
    fn durations_have_days_or_not() {
        let seconds = |text| duration(text).map(|span| span.0 / MICROS);
        assert_eq!(seconds("00:00:00"), Some(0));
        assert_eq!(seconds("01:02"), Some(62));
        assert_eq!(seconds("03:04:05"), Some(11_045));
        assert_eq!(seconds("2-03:04:05"), Some(183_845));
        for text in ["", "5", "1-", "-1:00:00", "1:2:3:4", "4294967295-00:00:00"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
