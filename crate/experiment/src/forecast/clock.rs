//! Instants as dates of a log's own clock, and back.

use backfill_sim::unit::{MICROS, Span, Time};
use backfill_sim::workload::{Load, Trace, Workload};
use time::{Date, Month, OffsetDateTime};

/// The clock of a log: when its time 0 was, in seconds since 1970 by its own zone, if that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock(Option<i64>);

impl Clock {
    /// The clock of a workload: that of its trace where its submit times are as logged.
    pub fn of(workload: &Workload, trace: Option<&Trace>) -> Clock {
        let dated = trace.filter(|_| workload.load == Load::AsLogged);
        Clock(dated.and_then(Trace::begins_in_zone))
    }

    /// A clock whose time 0 was so many seconds after 1970 began.
    pub fn beginning(seconds: i64) -> Clock {
        Clock(Some(seconds))
    }

    /// When time 0 was, in seconds since 1970 by the log's own zone, if that is known.
    pub fn begins(self) -> Option<i64> {
        self.0
    }

    /// An instant as `1997-03-03 14:05:00`, rounded down to a second; `None` where the date is not
    /// known.
    pub fn date(self, instant: Time) -> Option<String> {
        let seconds = self.0? + i64::try_from(instant.0 / MICROS).ok()?;
        let date = OffsetDateTime::from_unix_timestamp(seconds).ok()?;
        let (hour, minute, second) = date.to_hms();
        Some(format!(
            "{:04}-{:02}-{:02} {hour:02}:{minute:02}:{second:02}",
            date.year(),
            u8::from(date.month()),
            date.day()
        ))
    }

    /// Reads an instant: seconds since time 0, or a date with or without a time of day.
    ///
    /// # Errors
    /// A sentence on what is wrong with it.
    pub fn read(self, text: &str) -> Result<Time, String> {
        if let Ok(seconds) = text.parse::<f64>() {
            return match (0.0..1e12).contains(&seconds) {
                true => Ok(Time(backfill_sim::unit::round(seconds * MICROS as f64))),
                false => Err(format!("{text}: it must be from 0 to 1e12 seconds")),
            };
        }
        let seconds = seconds_of(text).ok_or_else(|| {
            format!("{text}: it must be seconds, or a date such as 1997-03-03T14:05:00")
        })?;
        let Some(begins) = self.0 else {
            return Err(format!(
                "{text}: the log does not say on which date it begins; give seconds since its first \
                 instant"
            ));
        };
        let since = u64::try_from(seconds - begins).map_err(|_| {
            let first = self.date(Time(0)).unwrap_or_default();
            format!("{text}: the log begins on {first}")
        })?;
        Ok(Time(0) + Span(since * MICROS))
    }
}

/// The seconds since 1970 of `1997-03-03`, `1997-03-03T14:05` or `1997-03-03 14:05:00`.
fn seconds_of(text: &str) -> Option<i64> {
    let (date, clock) = text.split_once(['T', ' ']).unwrap_or((text, "00:00"));
    let numbers = |text: &str, between| -> Option<Vec<u16>> {
        text.split(between).map(|part| part.parse().ok()).collect()
    };
    let [year, month, day] = numbers(date, '-')?[..] else {
        return None;
    };
    let (hour, minute, second) = match numbers(clock, ':')?[..] {
        [hour, minute] => (hour, minute, 0),
        [hour, minute, second] => (hour, minute, second),
        _ => return None,
    };
    let month = Month::try_from(u8::try_from(month).ok()?).ok()?;
    let date = Date::from_calendar_date(year.into(), month, u8::try_from(day).ok()?).ok()?;
    let part = |value: u16| u8::try_from(value).ok();
    let instant = date
        .with_hms(part(hour)?, part(minute)?, part(second)?)
        .ok()?;
    Some(instant.assume_utc().unix_timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_reads_back_as_it_is_written() {
        let clock = Clock::beginning(857_347_200);
        let date = clock.date(Time(3_661 * MICROS)).unwrap();
        assert_eq!(date, "1997-03-03 01:01:01");
        assert_eq!(clock.read(&date), Ok(Time(3_661 * MICROS)));
        assert_eq!(clock.read("1997-03-04"), Ok(Time(86_400 * MICROS)));
        assert_eq!(clock.read("2.5"), Ok(Time(2_500_000)));
        for (text, said) in [
            ("1997-03-02T23:59", "the log begins on 1997-03-03 00:00:00"),
            ("1997-02-30", "it must be seconds, or a date"),
            ("noon", "it must be seconds, or a date"),
            ("-1", "it must be from 0"),
        ] {
            let sentence = clock.read(text).unwrap_err();
            assert!(sentence.contains(said), "{sentence}");
        }
        let unknown = Clock::default().read("1997-03-04").unwrap_err();
        assert!(unknown.contains("give seconds"), "{unknown}");
        assert_eq!(Clock::default().date(Time(0)), None);
    }
}
