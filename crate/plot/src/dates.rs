//! The ticks of an axis of dates: every few days, weeks, months or years, on the first day of each.

use time::{Date, Month};

use crate::scale::{AxisSpan, Tick};

/// 1 January 1970 as a Julian day.
const EPOCH: i32 = 2_440_588;

/// A step between two ticks.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// So many days, counted from a Monday.
    Days(i32),
    /// So many months, counted from January.
    Months(i32),
}

/// From the closest on.
const STEPS: [Step; 12] = [
    Step::Days(1),
    Step::Days(2),
    Step::Days(7),
    Step::Days(14),
    Step::Months(1),
    Step::Months(2),
    Step::Months(3),
    Step::Months(6),
    Step::Months(12),
    Step::Months(24),
    Step::Months(60),
    Step::Months(120),
];

/// The closest ticks that are at most `most`, on an axis of days since 1 January 1970.
pub(crate) fn ticks(span: AxisSpan, most: usize) -> Vec<Tick> {
    let (first, last) = (span.low.ceil() as i32, span.high.floor() as i32);
    let fits = |step: Step| {
        let shortest = match step {
            Step::Days(days) => days,
            Step::Months(months) => months * 28,
        };
        let days = i64::from(last) - i64::from(first);
        // Nobody counts the days of a long axis one by one.
        if days / i64::from(shortest) > 2 * most as i64 + 2 {
            return None;
        }
        Some(at(step, first, last)).filter(|ticks| ticks.len() <= most)
    };
    STEPS.into_iter().find_map(fits).unwrap_or_default()
}

/// The ticks of a step from one day to another one.
fn at(step: Step, first: i32, last: i32) -> Vec<Tick> {
    let tick = |day: i32| {
        let date = Date::from_julian_day(day + EPOCH).ok()?;
        let month = &date.month().to_string()[..3];
        let label = match step {
            Step::Days(_) => format!("{} {month}", date.day()),
            Step::Months(months) if months >= 12 => date.year().to_string(),
            Step::Months(_) => format!("{month} {}", date.year()),
        };
        let value = f64::from(day);
        Some(Tick { value, label })
    };
    match step {
        // Day 4 of 1970 was a Monday.
        Step::Days(days) => (first..=last)
            .filter(|day| (day - 4).rem_euclid(days) == 0)
            .filter_map(tick)
            .collect(),
        Step::Months(months) => {
            let Ok(date) = Date::from_julian_day(first + EPOCH) else {
                return Vec::new();
            };
            let from = date.year() * 12 + i32::from(u8::from(date.month())) - 1;
            let day = |month: i32| {
                let number = month.rem_euclid(12) as u8 + 1;
                let month_of = Month::try_from(number).ok()?;
                let date = Date::from_calendar_date(month.div_euclid(12), month_of, 1).ok()?;
                Some(date.to_julian_day() - EPOCH)
            };
            (from..)
                .filter(|month| month.rem_euclid(months) == 0)
                .map_while(day)
                .take_while(|&day| day <= last)
                .filter(|&day| day >= first)
                .filter_map(tick)
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, most: usize) -> Vec<String> {
        let span = AxisSpan {
            low,
            high,
            logarithmic: false,
        };
        ticks(span, most)
            .into_iter()
            .map(|tick| tick.label)
            .collect()
    }

    #[test]
    fn ticks_are_on_first_days_and_few() {
        // 23 September 1996 is day 9762.
        assert_eq!(
            labels(9762.0, 10_102.0, 6),
            ["Nov 1996", "Jan 1997", "Mar 1997", "May 1997", "Jul 1997"]
        );
        assert_eq!(
            labels(9762.0, 9765.5, 6),
            ["23 Sep", "24 Sep", "25 Sep", "26 Sep"]
        );
        assert_eq!(
            labels(9762.0, 9790.0, 6),
            ["23 Sep", "30 Sep", "7 Oct", "14 Oct", "21 Oct"]
        );
        assert_eq!(labels(0.0, 12_000.0, 4), ["1970", "1980", "1990", "2000"]);
        assert!(labels(0.0, 0.5, 1).len() == 1);
    }
}
