//! Numbers of the workloads of a paper.
//!
//! A row is computed from the first jobs of a log, with bandwidths sampled in several replications.
//! If the log is not available it is computed from the look-alike, and claims are not judged. Jobs
//! sampled from stated distributions need no log.

use super::claim::{
    self, Claim, ClaimStatement, Evidence, Found, JudgedClaim, Judgement, Rule, Side, inside,
    inside_words,
};
use super::content::{self, Content, FigureNumber, OF_ANOTHER_KIND, Other};
use super::data::Data;
use super::effort::Effort;
use super::log::{Log, WorkloadFrom};
use super::pair::Pair;
use super::ran;
use backfill_experiment::language::scenario::Scenario;
use backfill_sim::job::{Job, Jobs};
use backfill_sim::problem::Problem;
use backfill_sim::stats::estimate;
use backfill_sim::unit::MICROS;
use backfill_sim::workload::{self, Trace};

pub use super::data::{TableColumn, TableRow, WorkloadSource};

/// Workloads described by a table.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The sources of the workloads, one for each row.
    pub workloads: &'static [WorkloadSource],
    /// The columns of the table.
    pub columns: &'static [TableColumn],
    /// The claims that numbers are printed.
    pub claims: &'static [Claim<TableCheck>],
}

impl WorkloadSource {
    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            WorkloadSource::Log(log) => log.title,
            WorkloadSource::Laws { title, .. } => title,
        }
    }

    /// Its log, if there is one.
    pub fn log(self) -> Option<&'static Log> {
        match self {
            WorkloadSource::Log(log) => Some(log),
            WorkloadSource::Laws { .. } => None,
        }
    }

    /// A scenario of only its jobs.
    pub(super) fn scenario(self, from: WorkloadFrom) -> Scenario {
        match self {
            WorkloadSource::Log(log) => log.scenario(from),
            WorkloadSource::Laws { pairs, .. } => {
                let fixed = [("x", "none"), ("policy", "none")];
                let pairs = pairs.iter().copied().chain(fixed);
                Scenario::parse(pairs).expect("the tables hold valid scenarios")
            }
        }
    }
}

/// A printed number, and its largest distance from the number found.
#[derive(Clone, Copy, Debug)]
pub struct TableCheck {
    /// The title of its workload.
    pub workload: &'static str,
    /// The column of the number.
    pub column: TableColumn,
    /// The claims that numbers are printed.
    pub printed: f64,
    /// The largest distance: half of its last digit, or chance.
    pub within: f64,
    /// Why it is true by construction, if it is.
    pub because: Option<&'static str>,
}

impl Rule for TableCheck {
    fn rule(&self) -> String {
        let range = format!("{} ± {} {}", self.printed, self.within, self.column.unit());
        match self.because {
            Some(because) => because.to_owned(),
            None => format!("What is found {}", inside_words(range.trim_end())),
        }
    }

    fn by_construction(&self) -> bool {
        self.because.is_some()
    }
}

impl Claim<TableCheck> {
    /// The claim as true by construction, with the reason in a sentence.
    pub(super) const fn by_construction(mut self, because: &'static str) -> Claim<TableCheck> {
        self.check.because = Some(because);
        self
    }
}

/// The claim that a number is printed.
pub(super) const fn printed(
    id: &'static str,
    text: &'static str,
    workload: &'static str,
    column: TableColumn,
    printed: f64,
    within: f64,
) -> Claim<TableCheck> {
    Claim {
        id,
        text,
        check: TableCheck {
            workload,
            column,
            printed,
            within,
            because: None,
        },
    }
}

impl TableColumn {
    /// The name of the column in a file.
    pub fn name(self) -> &'static str {
        match self {
            TableColumn::Runtime => "mean_runtime",
            TableColumn::Jobs => "jobs",
            TableColumn::Bandwidth => "mean_bandwidth",
            TableColumn::LargestSize => "largest_size",
            TableColumn::Single => "single",
            TableColumn::Small => "small",
        }
    }

    /// The name of the column on the page.
    pub fn label(self) -> &'static str {
        match self {
            TableColumn::Runtime => "Mean runtime",
            TableColumn::Jobs => "Jobs",
            TableColumn::Bandwidth => "Mean bandwidth",
            TableColumn::LargestSize => "Largest size",
            TableColumn::Single => "Jobs of one process",
            TableColumn::Small => "Jobs of less than 20 processes",
        }
    }

    /// The unit of the column; empty if it has none.
    pub fn unit(self) -> &'static str {
        match self {
            TableColumn::Runtime => "min",
            TableColumn::Jobs => "",
            TableColumn::Bandwidth => "Mbit/s",
            TableColumn::LargestSize => "slots",
            TableColumn::Single | TableColumn::Small => "%",
        }
    }

    /// The value for these jobs.
    fn of(self, jobs: &Jobs) -> f64 {
        let count = jobs.len() as f64;
        let mean = |value: fn(&Job) -> u64| jobs.iter().map(value).sum::<u64>() as f64 / count;
        let share = |most| {
            let small = jobs.iter().filter(|job| job.size <= most).count();
            100.0 * small as f64 / count
        };
        match self {
            TableColumn::Runtime => mean(|job| job.runtime.0) / (60 * MICROS) as f64,
            TableColumn::Jobs => count,
            TableColumn::Bandwidth => mean(|job| job.bandwidth.0) / 1000.0,
            TableColumn::LargestSize => {
                jobs.iter().map(|job| job.size).max().map_or(0.0, f64::from)
            }
            TableColumn::Single => share(1),
            TableColumn::Small => share(19),
        }
    }
}

impl Table {
    /// The row of a workload; for a log without a trace, of its look-alike.
    ///
    /// # Errors
    /// The trace cannot be scaled to the load of the figures.
    pub fn row(
        &self,
        source: WorkloadSource,
        trace: Option<&Trace>,
        effort: Effort,
    ) -> Result<TableRow, Problem> {
        let from = match source {
            WorkloadSource::Log(_) => WorkloadFrom::of(trace),
            WorkloadSource::Laws { .. } => WorkloadFrom::Log,
        };
        let setup = source.scenario(from).setup(None, None, 0);
        let mut replications = Vec::new();
        for replication in 0..u64::from(effort.replications()) {
            replications.push(workload::jobs(
                &setup.workload,
                trace,
                &setup.system.capacity(),
                setup.options.seed,
                replication,
            )?);
        }
        let value = |&column: &TableColumn| {
            let values: Vec<f64> = replications.iter().map(|jobs| column.of(jobs)).collect();
            // Only sampled values have an interval.
            let value = if values.iter().all(|&value| value == values[0]) {
                claim::exact(values[0])
            } else {
                estimate(&values).expect("there is a replication")
            };
            (column, value)
        };
        Ok(TableRow {
            source,
            from,
            values: self.columns.iter().map(value).collect(),
        })
    }
}

impl Content for Table {
    fn statements(&self) -> Vec<ClaimStatement> {
        content::statements(self.claims)
    }

    fn judge<'a>(
        &self,
        data: &'a Data,
        _: &'static [Pair],
        _: &dyn Fn(&str) -> Option<Other<'a>>,
    ) -> Vec<JudgedClaim> {
        let rows = rows_of(data);
        let judge = |claim: &Claim<TableCheck>| claim.judged_once(claim.check.look(rows));
        self.claims.iter().map(judge).collect()
    }

    fn lines(&self, data: &Data) -> Vec<FigureNumber> {
        let of_row = |row: &TableRow| {
            let title = row.source.title();
            let values = row.values.iter().map(|&(column, value)| FigureNumber {
                workload: row.from.name(),
                unit: column.unit(),
                ..FigureNumber::of(title.to_owned(), column.name(), value)
            });
            values.collect::<Vec<FigureNumber>>()
        };
        rows_of(data).iter().flat_map(of_row).collect()
    }

    fn ran(&self, effort: Effort, at_hand: &dyn Fn(&Log) -> bool) -> Option<String> {
        let jobs = self.workloads.iter().map(|source| {
            let scenario = source.scenario(WorkloadFrom::at_hand(source.log(), at_hand));
            ran::jobs_of(&scenario, source.title())
        });
        let jobs = jobs.collect::<Vec<String>>().join(" and ");
        Some(format!("{} replications of {jobs}.", effort.replications()))
    }
}

fn rows_of(data: &Data) -> &[TableRow] {
    let Data::Table(rows) = data else {
        panic!("{OF_ANOTHER_KIND}");
    };
    rows
}

impl TableCheck {
    /// The finding on the printed number.
    fn look(&self, rows: &[TableRow]) -> Found {
        let &TableCheck {
            workload,
            column,
            printed,
            within,
            because,
        } = self;
        let mut needs_log = false;
        let mut evidence = Vec::new();
        for row in rows.iter().filter(|row| row.source.title() == workload) {
            needs_log |= row.from == WorkloadFrom::LookAlike;
            let found = row.values.iter().find(|(other, _)| *other == column);
            let value = found.expect("a column of the table").1;
            evidence.push(Evidence {
                what: format!("{} of {workload}", column.label()),
                unit: column.unit(),
                value,
                side: match inside(value, [printed - within, printed + within]) {
                    // True by construction: chance does not decide it.
                    Side::Open if because.is_some() => Side::For,
                    side => side,
                },
            });
        }
        let found = Found::all(evidence);
        if needs_log {
            let outcome = Judgement::NeedsLog;
            Found { outcome, ..found }
        } else {
            found
        }
    }
}
