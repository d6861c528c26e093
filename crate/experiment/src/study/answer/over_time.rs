//! Policies compared over the calendar, where nothing is random: what was in use and waiting by
//! day, and waits week by week.
//!
//! A run in which nothing is random is made once, so that replications say nothing. Its weeks do:
//! for each calendar week of submission two policies have the same jobs. The interval of the change
//! of the mean wait is that of a moving-block bootstrap over these weeks, paired: blocks of
//! successive weeks, about the cube root of their number long, are drawn with replacement until
//! they are as many as there are weeks, and the ratio of both means is taken over them.
//!
//! Source: H. Künsch, "The jackknife and the bootstrap for general stationary observations", Annals
//! of Statistics 17(3), 1989; the length of blocks by P. Hall, J. Horowitz, B.-Y. Jing, "On blocking
//! rules for the bootstrap with dependent data", Biometrika 82(3), 1995.

use backfill_sim::metrics::position;
use backfill_sim::over_time::{OverTime, WeekOfJobs};
use backfill_sim::policy::Queue;
use backfill_sim::rng::Stream;
use backfill_sim::stats::quantile;
use serde::Serialize;

use crate::language::words::with_minus;
use crate::study::answer::Answer;
use crate::study::answer::compare::DifferenceVerdict;

/// How often weeks are drawn.
const DRAWS: usize = 2000;

/// The fewest weeks in which jobs wait for an interval: with fewer, one week is the whole change,
/// however often weeks are drawn.
const FEWEST: usize = 8;

/// A policy and the reference week by week.
#[derive(Clone, Debug, PartialEq)]
pub struct WeekByWeek {
    /// The weeks in which jobs of both were submitted.
    pub weeks: usize,
    /// Those in which the policy's jobs wait less on average.
    pub less: usize,
    /// Those in which they wait more.
    pub more: usize,
    /// The change of the mean wait over all jobs, as a share of the reference's.
    pub change: f64,
    /// Its 95 % interval; `None` where the reference's jobs wait in fewer than [`FEWEST`] weeks.
    pub interval: Option<[f64; 2]>,
}

impl WeekByWeek {
    /// Of the weeks of two runs of the same jobs; `None` where the reference's jobs never wait.
    pub fn of(policy: &[WeekOfJobs], reference: &[WeekOfJobs], seed: u64) -> Option<WeekByWeek> {
        let pairs = policy.iter().zip(reference);
        let pairs: Vec<(WeekOfJobs, WeekOfJobs)> = pairs
            .filter(|(one, other)| one.jobs > 0 && other.jobs > 0)
            .map(|(one, other)| (*one, *other))
            .collect();
        let change = change(sums(&pairs))?;
        let mean = |week: &WeekOfJobs| week.wait_s / f64::from(week.jobs);
        let count = |test: fn(f64, f64) -> bool| {
            let weeks = pairs.iter();
            weeks
                .filter(|(one, other)| test(mean(one), mean(other)))
                .count()
        };
        let waits = pairs.iter().filter(|(_, other)| other.wait_s > 0.0).count();
        Some(WeekByWeek {
            weeks: pairs.len(),
            less: count(|one, other| one < other),
            more: count(|one, other| one > other),
            change,
            interval: (waits >= FEWEST).then(|| interval(&pairs, seed)),
        })
    }

    /// The verdict on the wait, which is better if it is shorter.
    pub fn verdict(&self) -> DifferenceVerdict {
        match self.interval {
            _ if self.less + self.more == 0 => DifferenceVerdict::Equal,
            None => DifferenceVerdict::Single,
            Some([_, high]) if high < 0.0 => DifferenceVerdict::Better,
            Some([low, _]) if low > 0.0 => DifferenceVerdict::Worse,
            Some(_) => DifferenceVerdict::Open,
        }
    }

    /// The comparison in one sentence.
    pub fn words(&self, policy: &str, reference: &str) -> String {
        let weeks = self.weeks;
        if self.less + self.more == 0 {
            return format!("{policy} and {reference} wait equally long in every week.");
        }
        let (how, of) = if self.change <= 0.0 {
            ("less", self.less)
        } else {
            ("more", self.more)
        };
        // Many times the reference are no per cent.
        let times = self.change >= 2.0;
        let percent = |share: f64| with_minus(&format!("{:.0}", share * 100.0));
        let amount = match self.change {
            change if times => format!("{:.1} times as long", change + 1.0),
            change if change <= 0.0 => format!("{} % lower", percent(-change)),
            change => format!("{} % higher", percent(change)),
        };
        let plural = if weeks == 1 { "" } else { "s" };
        let known = format!(
            "{policy} waits {how} than {reference} in {of} of {weeks} week{plural}; over all jobs its mean wait is {amount}"
        );
        let range = match self.interval {
            None if weeks < FEWEST => return format!("{known} (too few weeks for an interval)."),
            None => return format!("{known} (too few weeks with waits for an interval)."),
            Some([low, high]) if times => format!("{:.1} to {:.1} times", low + 1.0, high + 1.0),
            Some([low, high]) => format!("{} to {} %", percent(low), percent(high)),
        };
        let open = match self.verdict() {
            DifferenceVerdict::Open => ", not significant",
            _ => "",
        };
        format!("{known} (95 % CI {range}{open}).")
    }

    /// How the interval is made, in one sentence; `None` without one.
    pub fn method(&self) -> Option<String> {
        let block = block(self.weeks);
        self.interval.map(|_| {
            format!(
                "Intervals: moving-block bootstrap over weeks of submission, blocks of {block}."
            )
        })
    }
}

/// The weeks of a block.
fn block(weeks: usize) -> usize {
    let mut lengths = 1..;
    let length = lengths.find(|length: &usize| (length + 1).pow(3) > weeks);
    length.expect("some length is enough")
}

/// Wait and number of jobs of the policy, and the same of the reference, over these weeks.
fn sums(weeks: &[(WeekOfJobs, WeekOfJobs)]) -> [f64; 4] {
    weeks.iter().fold([0.0; 4], |sums, (one, other)| {
        let [wait, wait_of] = [one, other].map(|week| week.wait_s);
        let [jobs, jobs_of] = [one, other].map(|week| f64::from(week.jobs));
        plus(sums, [wait, jobs, wait_of, jobs_of])
    })
}

fn plus(sums: [f64; 4], others: [f64; 4]) -> [f64; 4] {
    std::array::from_fn(|place| sums[place] + others[place])
}

/// The change of the mean wait with these sums, as a share of the reference's.
fn change([wait, jobs, wait_of, jobs_of]: [f64; 4]) -> Option<f64> {
    (wait_of > 0.0).then(|| (wait / jobs) / (wait_of / jobs_of) - 1.0)
}

/// The 95 % interval of the change.
fn interval(pairs: &[(WeekOfJobs, WeekOfJobs)], seed: u64) -> [f64; 2] {
    let length = block(pairs.len());
    let blocks = pairs.len().div_ceil(length);
    let starts = pairs.len() - length + 1;
    // The last block is cut to the number of weeks.
    let [whole, cut] = [length, pairs.len() - (blocks - 1) * length].map(|weeks| {
        let blocks = (0..starts).map(|start| sums(&pairs[start..start + weeks]));
        blocks.collect::<Vec<[f64; 4]>>()
    });
    let mut draws = Stream::new(seed, 0, "weeks", 0);
    let mut draw = || draws.below(starts as u64) as usize;
    let mut changes: Vec<f64> = (0..DRAWS)
        .filter_map(|_| {
            let sums = (1..blocks).fold([0.0; 4], |sums, _| plus(sums, whole[draw()]));
            change(plus(sums, cut[draw()]))
        })
        .collect();
    changes.sort_unstable_by(f64::total_cmp);
    [0.025, 0.975].map(|share| quantile(&changes, share).unwrap_or(0.0))
}

/// What is shown by day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Daily {
    /// Slots in use.
    InUse,
    /// Waiting jobs.
    Waiting,
}

impl Daily {
    /// Both, with the name and the label of each.
    pub const ALL: [(Daily, &'static str, &'static str); 2] = [
        (Daily::InUse, "in_use", "In use"),
        (Daily::Waiting, "waiting", "Jobs waiting"),
    ];

    /// The values of a run.
    pub fn of(self, run: &OverTime) -> &[f64] {
        match self {
            Daily::InUse => &run.in_use,
            Daily::Waiting => &run.waiting,
        }
    }
}

/// The policies of a point by day.
#[derive(Clone, Debug, PartialEq, Serialize, ts_rs::TS)]
pub struct ByDay {
    /// The first day, in days since 1 January 1970; null where it is unknown.
    pub first_day: Option<i32>,
    /// When it begins, in seconds since time 0 of the log.
    pub from_s: f64,
    /// The number of days.
    pub days: usize,
    /// For each policy the slots in use and the jobs waiting by day; null where it has not run.
    pub policies: Vec<Option<[Vec<f32>; 2]>>,
}

impl Answer<'_> {
    /// The run of a policy at a point over the calendar, if it was measured.
    pub fn over_time(&self, [x, y]: [usize; 2], policy: usize) -> Option<&OverTime> {
        self.results.over_time([x, y], policy)
    }

    /// A policy and the reference week by week at a point; `None` for the reference itself, where
    /// they were not measured over the calendar, and where their accept rates are too far from each
    /// other, so that their jobs are not the same.
    pub(crate) fn week_by_week(&self, [x, y]: [usize; 2], policy: usize) -> Option<WeekByWeek> {
        self.pair(wait(), y, x, policy)
            .filter(|pair| !pair.excluded)?;
        let weeks = |policy| Some(&self.over_time([x, y], policy)?.weeks[..]);
        let reference = weeks(self.scenario.reference())?;
        WeekByWeek::of(weeks(policy)?, reference, self.scenario.seed())
    }

    /// The sentences on all policies but the reference, week by week, at a point, and how their
    /// intervals are made.
    pub fn weeks_in_words(&self, point: [usize; 2]) -> Vec<String> {
        let names: Vec<String> = self.policies().collect();
        let reference = &names[self.scenario.reference()];
        let compared = |(policy, name)| Some((self.week_by_week(point, policy)?, name));
        let compared: Vec<(WeekByWeek, &String)> =
            names.iter().enumerate().filter_map(compared).collect();
        let words = compared
            .iter()
            .map(|(weeks, name)| weeks.words(name, reference));
        let method = compared.iter().find_map(|(weeks, _)| weeks.method());
        words.chain(method).collect()
    }

    /// All policies of a point by day; `None` where no run of it was measured over the calendar.
    pub fn by_day(&self, point: [usize; 2]) -> Option<ByDay> {
        let runs = (0..self.scenario.policies().len()).map(|policy| self.over_time(point, policy));
        let runs: Vec<Option<&OverTime>> = runs.collect();
        let first = runs.iter().flatten().next()?;
        let lengths = runs.iter().flatten().map(|run| run.in_use.len());
        let values = |run: &OverTime| {
            Daily::ALL.map(|(what, ..)| what.of(run).iter().map(|&value| value as f32).collect())
        };
        Some(ByDay {
            first_day: first.first_day,
            from_s: first.from_s,
            days: lengths.max().unwrap_or(0),
            policies: runs.iter().map(|run| run.map(values)).collect(),
        })
    }

    /// What is to be known of a policy that is what the log records, beside others; empty without
    /// one.
    pub fn about_recorded(&self) -> &'static str {
        let mut policies = self.scenario.policies().iter();
        if policies.any(|policy| policy.queue == Queue::Recorded) {
            "As recorded is what the log's own scheduler did: its machine had partitions, outages and priorities that the log does not tell, so it is not ranked."
        } else {
            ""
        }
    }
}

/// The position of the mean wait among the metrics.
fn wait() -> usize {
    position("wait_mean").expect("a known metric")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weeks(waits: &[f64]) -> Vec<WeekOfJobs> {
        let week = |&wait_s: &f64| WeekOfJobs { jobs: 10, wait_s };
        waits.iter().map(week).collect()
    }

    #[test]
    fn where_every_week_is_alike_the_interval_is_a_point() {
        let found = WeekByWeek::of(&weeks(&[30.0; 40]), &weeks(&[40.0; 40]), 7).expect("they wait");
        assert_eq!((found.weeks, found.less, found.more), (40, 40, 0));
        assert_eq!(found.change, -0.25);
        assert_eq!(found.interval, Some([-0.25, -0.25]));
        assert_eq!(found.verdict(), DifferenceVerdict::Better);
        assert_eq!(
            found.words("EASY", "FCFS"),
            "EASY waits less than FCFS in 40 of 40 weeks; over all jobs its mean wait is 25 % lower \
             (95 % CI −25 to −25 %)."
        );
        assert_eq!(
            found.method().as_deref(),
            Some("Intervals: moving-block bootstrap over weeks of submission, blocks of 3.")
        );
    }

    #[test]
    fn many_times_the_wait_are_said_as_such() {
        let found = WeekByWeek::of(&weeks(&[200.0; 9]), &weeks(&[40.0; 9]), 7).expect("they wait");
        assert_eq!(
            found.words("As recorded", "FCFS"),
            "As recorded waits more than FCFS in 9 of 9 weeks; over all jobs its mean wait is 5.0 \
             times as long (95 % CI 5.0 to 5.0 times)."
        );
    }

    #[test]
    fn one_week_of_waits_gives_no_interval() {
        let of = |wait: f64| weeks(&[[0.0; 6].as_slice(), &[wait], &[0.0; 7]].concat());
        let found = WeekByWeek::of(&of(20.0), &of(40.0), 7).expect("they wait");
        assert_eq!(
            found.words("EASY", "FCFS"),
            "EASY waits less than FCFS in 1 of 14 weeks; over all jobs its mean wait is 50 % lower \
             (too few weeks with waits for an interval)."
        );
    }

    #[test]
    fn weeks_without_jobs_of_both_do_not_count() {
        let mut one = weeks(&[1.0, 9.0, 2.0]);
        one[1].jobs = 0;
        let found = WeekByWeek::of(&one, &weeks(&[2.0, 2.0, 1.0]), 7).expect("they wait");
        assert_eq!((found.weeks, found.less, found.more), (2, 1, 1));
        assert_eq!((found.change, found.interval), (0.0, None));
    }

    /// The same interval, drawn week by week without blocks being cut out of a slice.
    #[test]
    fn the_bootstrap_equals_a_plain_one() {
        let mut stream = Stream::new(3, 0, "waits", 0);
        let waits = |stream: &mut Stream| -> Vec<f64> {
            (0..50).map(|_| stream.below(1000) as f64).collect()
        };
        let (one, other) = (weeks(&waits(&mut stream)), weeks(&waits(&mut stream)));
        let found = WeekByWeek::of(&one, &other, 11).expect("they wait");
        let mut draws = Stream::new(11, 0, "weeks", 0);
        let mut changes = Vec::new();
        for _ in 0..DRAWS {
            let mut drawn = Vec::new();
            for _ in 0..17 {
                let start = draws.below(48) as usize;
                drawn.extend([start, start + 1, start + 2]);
            }
            let sum = |of: &[WeekOfJobs]| -> f64 {
                drawn[..50].iter().map(|&week| of[week].wait_s).sum()
            };
            changes.push(sum(&one) / sum(&other) - 1.0);
        }
        changes.sort_by(f64::total_cmp);
        let [low, high] = found.interval.expect("enough weeks");
        assert!((low - changes[49]).abs() < 1e-12, "{low} {}", changes[49]);
        assert!(
            (high - changes[1949]).abs() < 1e-12,
            "{high} {}",
            changes[1949]
        );
    }

    #[test]
    fn blocks_are_about_as_long_as_the_cube_root_of_the_weeks() {
        assert_eq!([7, 8, 26, 27, 63, 64].map(block), [1, 2, 2, 3, 3, 4]);
    }
}
