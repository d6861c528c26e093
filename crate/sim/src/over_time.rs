//! A run over the calendar: what was in use and waiting by day, and waits by week of submission.
//!
//! Days begin at midnight and weeks on Monday where the log says when it began; otherwise both are
//! counted from time 0. Days and weeks are those of the log's own time zone, without changes
//! between winter and summer time.

use serde::{Deserialize, Serialize};

use crate::unit::{MICROS, Span, Time};

/// Microseconds of a day and of a week.
const DAY: u64 = 86_400 * MICROS;
const WEEK: u64 = 7 * DAY;

/// The most days that are told apart; later ones are added to the last.
const MOST_DAYS: u64 = 40_000;

/// Where time 0 lies in the calendar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CalendarStart {
    /// From the Monday before time 0, 00:00, to time 0.
    pub since_monday: Span,
    /// That Monday, in days since 1 January 1970; `None` where the log does not say it.
    pub monday: Option<i64>,
}

/// Quantities by day while a run is in progress.
#[derive(Clone, Debug)]
pub(crate) struct Days {
    start: CalendarStart,
    in_use: Buckets,
    waiting: Buckets,
}

/// Sums by day: of a quantity times microseconds.
#[derive(Clone, Debug, Default)]
struct Buckets(Vec<u128>);

impl Days {
    pub(crate) fn new(start: CalendarStart) -> Days {
        Days {
            start,
            in_use: Buckets::default(),
            waiting: Buckets::default(),
        }
    }

    /// So many slots were held from one instant to another.
    pub(crate) fn held(&mut self, from: Time, to: Time, slots: u64) {
        self.in_use.add(self.start.since_monday, from, to, slots);
    }

    /// So many jobs waited from one instant to another.
    pub(crate) fn waited(&mut self, from: Time, to: Time, jobs: u64) {
        self.waiting.add(self.start.since_monday, from, to, jobs);
    }
}

impl Buckets {
    fn add(&mut self, phase: Span, from: Time, to: Time, amount: u64) {
        if amount == 0 || from >= to {
            return;
        }
        let (mut from, to) = (from.0 + phase.0, to.0 + phase.0);
        while from < to {
            let day = (from / DAY).min(MOST_DAYS - 1);
            let end = match day {
                last if last == MOST_DAYS - 1 => to,
                day => to.min((day + 1) * DAY),
            };
            let day = day as usize;
            if self.0.len() <= day {
                self.0.resize(day + 1, 0);
            }
            self.0[day] += u128::from(amount) * u128::from(end - from);
            from = end;
        }
    }

    /// The mean of a day.
    fn mean(&self, day: usize) -> f64 {
        self.0.get(day).map_or(0.0, |sum| *sum as f64 / DAY as f64)
    }
}

/// Waits by week of submission while a run is in progress.
#[derive(Clone, Debug)]
pub(crate) struct Weeks {
    phase: Span,
    weeks: Vec<WeekOfJobs>,
}

impl Weeks {
    pub(crate) fn new(start: CalendarStart) -> Weeks {
        Weeks {
            phase: start.since_monday,
            weeks: Vec::new(),
        }
    }

    /// A job that was submitted then has started after this wait.
    pub(crate) fn add(&mut self, submit: Time, wait: Span) {
        let week = (submit.0 + self.phase.0) / WEEK;
        let week = week.min(MOST_DAYS / 7) as usize;
        if self.weeks.len() <= week {
            self.weeks.resize(week + 1, WeekOfJobs::default());
        }
        let week = &mut self.weeks[week];
        week.jobs += 1;
        week.wait_s += wait.seconds();
    }
}

/// The jobs submitted in a week that ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ts_rs::TS)]
pub struct WeekOfJobs {
    /// Their number.
    pub jobs: u32,
    /// The sum of their waits, in seconds.
    pub wait_s: f64,
}

/// A run over the calendar.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ts_rs::TS)]
pub struct OverTime {
    /// When the first day begins, in seconds since time 0 of the log.
    pub from_s: f64,
    /// The first day, in days since 1 January 1970 by the log's own clock; null where the log does
    /// not say when it began.
    pub first_day: Option<i32>,
    /// Mean number of slots in use, by day.
    pub in_use: Vec<f64>,
    /// Mean number of waiting jobs, by day.
    pub waiting: Vec<f64>,
    /// The jobs submitted in each week, from the week of the first day on.
    pub weeks: Vec<WeekOfJobs>,
}

impl OverTime {
    /// Of a finished run, from the week of the first submit on, which all policies have.
    pub(crate) fn of(days: Days, weeks: Weeks, first_submit: Time) -> OverTime {
        let count = days.in_use.0.len().max(days.waiting.0.len());
        let quiet = (first_submit.0 + days.start.since_monday.0) / WEEK;
        let quiet = quiet.min(MOST_DAYS / 7) as usize;
        let first = quiet * 7;
        let means = |of: &Buckets| (first..count).map(|day| of.mean(day)).collect();
        OverTime {
            from_s: (first as f64) * 86_400.0 - days.start.since_monday.seconds(),
            first_day: days
                .start
                .monday
                .map(|monday| (monday + first as i64) as i32),
            in_use: means(&days.in_use),
            waiting: means(&days.waiting),
            weeks: weeks.weeks.get(quiet..).unwrap_or_default().to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: u64) -> Time {
        Time(day * DAY)
    }

    #[test]
    fn a_quantity_is_shared_out_to_the_days_that_it_spans() {
        // Time 0 is Wednesday noon: 2.5 days after Monday.
        let start = CalendarStart {
            since_monday: Span(DAY * 5 / 2),
            monday: Some(4),
        };
        let mut days = Days::new(start);
        days.held(day(0), day(2), 4);
        days.waited(Time(DAY / 2), Time(DAY), 3);
        let mut weeks = Weeks::new(start);
        weeks.add(day(0), Span(2 * MICROS));
        weeks.add(day(5), Span(3 * MICROS));
        let found = OverTime::of(days.clone(), weeks.clone(), day(0));
        assert_eq!((found.from_s, found.first_day), (-2.5 * 86_400.0, Some(4)));
        assert_eq!(found.in_use, [0.0, 0.0, 2.0, 4.0, 2.0]);
        assert_eq!(found.waiting, [0.0, 0.0, 0.0, 1.5, 0.0]);
        assert_eq!(
            found.weeks,
            [(1, 2.0), (1, 3.0)].map(|(jobs, wait_s)| WeekOfJobs { jobs, wait_s })
        );
        // Whether the first jobs ran makes no difference, but when they were submitted does.
        let mut later = Weeks::new(start);
        later.add(day(12), Span(MICROS));
        let early = OverTime::of(days.clone(), later.clone(), day(0));
        assert_eq!((early.weeks.len(), early.first_day), (3, Some(4)));
        let late = OverTime::of(days, later, day(12));
        assert_eq!((late.weeks.len(), late.first_day), (1, Some(18)));
        assert!(late.in_use.is_empty());
    }
}
