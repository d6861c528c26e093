//! Forecasts of start times beside what came, over a log or over generated jobs.
//!
//! Cases in the order of their instants are cut into consecutive parts, as many as other figures have
//! replications: intervals are over these. Forecasts that are made soon after one another resemble
//! each other, so that an interval over single cases would be too narrow.
//!
//! Source: for batch means C. Alexopoulos, A. Seila, "Output data analysis", in: J. Banks (ed.),
//! "Handbook of Simulation", 1998, chapter 7.

use super::claim::{
    Claim, ClaimStatement, Evidence, Found, JudgedClaim, Judgement, Rule, Side, exact, inside,
    inside_words,
};
use super::content::{self, Content, FigureNumber, OF_ANOTHER_KIND, Other};
use super::data::Data;
use super::effort::Effort;
use super::log::{Log, WorkloadFrom};
use super::pair::Pair;
use super::ran;
use backfill_experiment::forecast::calibration::{Case, Group, groups, parts, waits};
use backfill_experiment::forecast::timeline::Timeline;
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::language::words::grouped;
use backfill_experiment::study::sweep;
use backfill_sim::problem::Problem;
use backfill_sim::setup::Setup;
use backfill_sim::stats::{MeanEstimate, estimate, ratio};
use backfill_sim::workload::Trace;

/// Forecasts over a log or over generated jobs.
#[derive(Clone, Copy, Debug)]
pub struct Calibration {
    /// The log; generated jobs have none.
    pub log: Option<&'static Log>,
    /// The keys on the command line of `backfill forecast`.
    pub pairs: &'static [Pair],
    /// At how many instants a job is asked about, with full effort.
    pub instants: u32,
    /// Why forecasts are right or wrong here: what was measured, and what is a conjecture.
    pub remark: &'static str,
}

/// A statement on forecasts.
#[derive(Clone, Copy, Debug)]
pub enum CalibrationCheck {
    /// The interval from P10 to P90 has its share of true starts.
    Interval,
    /// The same where a start that several futures share is spread over their shares.
    Spread,
    /// The same of the jobs that wait by P50.
    Waiting,
    /// The mean absolute error of P50 is at most half of the optimist's.
    Error,
}

/// The least and the largest share of true starts from P10 to P90.
const SHARE: [f64; 2] = [0.75, 0.85];

/// The least and the largest error of P50 by that of the optimist.
const ERROR: [f64; 2] = [0.0, 0.5];

/// The statements, which are the same for all jobs.
const CLAIMS: &[Claim<CalibrationCheck>] = &[
    Claim {
        id: "interval",
        text: "75 to 85 % of the jobs start from P10 to P90, both included.",
        check: CalibrationCheck::Interval,
    },
    Claim {
        id: "spread",
        text: "75 to 85 % of the jobs start from P10 to P90, ties spread.",
        check: CalibrationCheck::Spread,
    },
    Claim {
        id: "waiting",
        text: "Of the jobs that wait by P50, 75 to 85 % start from P10 to P90, ties spread.",
        check: CalibrationCheck::Waiting,
    },
    Claim {
        id: "error",
        text: "The mean absolute error of P50 is at most half of the optimist's.",
        check: CalibrationCheck::Error,
    },
];

/// The numbers of a group of cases: the name in files, the unit and the label of each. The last ten are
/// the tenths of the probability integral transform.
pub const COLUMNS: [(&str, &str, &str); 15] = [
    ("cases", "", "Cases"),
    ("p10_to_p90", "%", "P10–P90"),
    ("p10_to_p90_spread", "%", "Ties spread"),
    ("p50_error", "s", "Error of P50"),
    ("optimist_error", "s", "Of the optimist"),
    ("pit_10", "%", "To 0.1"),
    ("pit_20", "%", "0.2"),
    ("pit_30", "%", "0.3"),
    ("pit_40", "%", "0.4"),
    ("pit_50", "%", "0.5"),
    ("pit_60", "%", "0.6"),
    ("pit_70", "%", "0.7"),
    ("pit_80", "%", "0.8"),
    ("pit_90", "%", "0.9"),
    ("pit_100", "%", "1"),
];

/// The numbers of each group of cases, by its name; none without cases.
pub fn numbers(cases: &[Case]) -> Vec<(String, Vec<f64>)> {
    let numbers = |group: Group| {
        let shares = [group.inside, group.inside_spread].map(|share| 100.0 * share);
        let errors = [group.median_error_s, group.optimist_error_s];
        let tenths = group.histogram.into_iter().map(|share| 100.0 * share);
        let count = [group.cases as f64];
        let all = count.into_iter().chain(shares).chain(errors).chain(tenths);
        (group.name, all.collect())
    };
    let some = groups(cases).into_iter().filter(|group| group.cases > 0);
    some.map(numbers).collect()
}

impl Rule for CalibrationCheck {
    fn rule(&self) -> String {
        let share = "The share of true starts not before P10 and not after P90";
        let spread = "a start that several futures share counted by their shares from 10 to 90 %";
        let range = inside_words("75 to 85 %");
        match self {
            CalibrationCheck::Interval => {
                format!("{share}, over consecutive parts of the cases, {range}")
            }
            CalibrationCheck::Spread => {
                format!("{share}, {spread}, over consecutive parts of the cases, {range}")
            }
            CalibrationCheck::Waiting => format!(
                "{share}, {spread}, over consecutive parts of the cases whose P50 is after their \
                 submission, {range}"
            ),
            CalibrationCheck::Error => format!(
                "The mean absolute error of P50 by that of the optimist, for whom every job runs for \
                 its time limit and none arrives, over consecutive parts of the cases, {}",
                inside_words("0.5 or less")
            ),
        }
    }
}

impl CalibrationCheck {
    /// The finding on cases, over so many parts of them.
    fn look(self, cases: &[Case], count: usize) -> Found {
        let share = |cases: &[Case], of: &str, share: fn(&Group) -> f64| {
            let shares: Vec<f64> = parts(cases, count).iter().map(share).collect();
            let found = evidence("from P10 to P90", "share", estimate(&shares), SHARE);
            found.unwrap_or(open(of, "", cases.len() as f64))
        };
        let found = match self {
            CalibrationCheck::Interval => share(cases, "cases", |part| part.inside),
            CalibrationCheck::Spread => share(cases, "cases", |part| part.inside_spread),
            CalibrationCheck::Waiting => {
                let waiting: Vec<Case> = cases.iter().filter(|case| waits(case)).copied().collect();
                share(&waiting, "jobs that wait by P50", |part| part.inside_spread)
            }
            CalibrationCheck::Error => {
                let errors = |part: &Group| (part.median_error_s, part.optimist_error_s);
                let errors: Vec<(f64, f64)> = parts(cases, count).iter().map(errors).collect();
                let what = "error of P50 by that of the optimist";
                let found = evidence(what, "", ratio(&errors), ERROR);
                found.unwrap_or(open("mean absolute error of the optimist", "s", 0.0))
            }
        };
        Found::all([found])
    }
}

/// A number beside the range that it must be in.
fn evidence(
    what: &str,
    unit: &'static str,
    value: Option<MeanEstimate>,
    range: [f64; 2],
) -> Option<Evidence> {
    value.map(|value| Evidence {
        what: what.to_owned(),
        unit,
        value,
        side: inside(value, range),
    })
}

/// A number that decides nothing.
fn open(what: &str, unit: &'static str, value: f64) -> Evidence {
    Evidence {
        what: what.to_owned(),
        unit,
        value: exact(value),
        side: Side::Open,
    }
}

impl Calibration {
    /// The keys of the command line where there is no log.
    const GENERATED: [Pair; 3] = [("system", "nodes"), ("x", "none"), ("reps", "1")];

    /// The scenario of the jobs: a log is answered by EASY on its own machine, as logged.
    pub(super) fn scenario(&self) -> Scenario {
        let given = |key: &str| self.pairs.iter().any(|(name, _)| *name == key);
        let of_log = self.log.map_or(Vec::new(), |log| {
            let own = [("machine", "log"), ("load", "as-logged")];
            let own = own.into_iter().filter(|(key, _)| match *key {
                "machine" => !given("nodes"),
                key => !given(key),
            });
            log.pairs(WorkloadFrom::Log)
                .into_iter()
                .chain(own)
                .collect()
        });
        let pairs = Calibration::GENERATED
            .into_iter()
            .chain([("policy", "easy")]);
        let pairs = pairs.chain(of_log).chain(self.pairs.iter().copied());
        Scenario::parse(pairs).expect("the tables hold valid scenarios")
    }

    /// The command that prints its numbers, with full effort.
    pub fn command(&self) -> String {
        let (log, keys) = match self.log {
            Some(log) => (Some(log.file.to_owned()), &[][..]),
            None => (None, &Calibration::GENERATED[..]),
        };
        let pairs = keys.iter().chain(self.pairs);
        let pairs = pairs.map(|(key, value)| format!("{key}={value}"));
        let words: Vec<String> = log.into_iter().chain(pairs).collect();
        let words = words.join(" ");
        format!("backfill forecast {words} --calibrate {}", self.instants)
    }

    /// At how many instants a job is asked about.
    pub fn instants(&self, effort: Effort) -> u32 {
        match effort {
            Effort::Quick => self.instants / 10,
            Effort::Full => self.instants,
        }
    }

    /// How many futures a forecast has.
    pub fn futures(&self, effort: Effort) -> u32 {
        match effort {
            Effort::Quick => 50,
            Effort::Full => 200,
        }
    }

    /// The jobs as they are simulated, with the setup.
    ///
    /// # Errors
    /// The jobs of the scenario cannot be made.
    ///
    /// # Panics
    /// The table of figures holds no valid scenario.
    pub fn timeline(&self, trace: Option<&Trace>) -> Result<(Setup, Timeline), Problem> {
        let scenario = self.scenario();
        let cell = sweep::cells(&scenario)[0];
        let (setup, jobs) = sweep::parts(&scenario, cell, trace)?;
        let timeline = Timeline::new(&setup, trace, jobs)?;
        Ok((setup, timeline))
    }
}

impl Content for Calibration {
    fn statements(&self) -> Vec<ClaimStatement> {
        content::statements(CLAIMS)
    }

    fn judge<'a>(
        &self,
        data: &'a Data,
        _: &'static [Pair],
        _: &dyn Fn(&str) -> Option<Other<'a>>,
    ) -> Vec<JudgedClaim> {
        let Data::Calibration { cases, effort } = data else {
            panic!("{OF_ANOTHER_KIND}");
        };
        let judge = |claim: &Claim<CalibrationCheck>| {
            claim.judged_once(if cases.is_empty() {
                Found {
                    outcome: Judgement::NeedsLog,
                    evidence: Vec::new(),
                }
            } else {
                claim.check.look(cases, effort.replications() as usize)
            })
        };
        CLAIMS.iter().map(judge).collect()
    }

    fn lines(&self, data: &Data) -> Vec<FigureNumber> {
        let Data::Calibration { cases, .. } = data else {
            panic!("{OF_ANOTHER_KIND}");
        };
        let mut lines = Vec::new();
        for (group, numbers) in numbers(cases) {
            lines.extend(COLUMNS.iter().zip(numbers).map(|(column, value)| {
                let &(metric, unit, _) = column;
                FigureNumber {
                    unit,
                    ..FigureNumber::of(group.clone(), metric, exact(value))
                }
            }));
        }
        lines
    }

    fn log(&self) -> Option<&'static Log> {
        self.log
    }

    fn ran(&self, effort: Effort, _: &dyn Fn(&Log) -> bool) -> Option<String> {
        let title = self.log.map_or("", |log| log.title);
        Some(format!(
            "{} instants spread over the second half of {}, {} futures each.",
            grouped(self.instants(effort).into()),
            ran::jobs_of(&self.scenario(), title),
            self.futures(effort)
        ))
    }
}
