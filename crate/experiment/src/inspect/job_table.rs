//! The jobs of a finished run as a table that is sorted and filtered.
//!
//! Instants of the table count from the first submit, in seconds. A filter is conditions apart by
//! spaces, all of which a job must meet: `wait>3600 size>=8`, a word as `outcome=rejected`, or a
//! job's number alone. The names are those of [`COLUMNS`].

use std::cmp::Ordering;

use serde::Serialize;

use crate::inspect::inspection::Inspection;
use backfill_sim::id::JobId;
use backfill_sim::metrics::bounded_slowdown;
use backfill_sim::record::OUTCOMES;

/// The kind of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[derive(ts_rs::TS)]
#[ts(rename = "ColumnKind")]
pub enum ColumnKind {
    /// A whole number.
    Count,
    /// An instant: seconds since the first submit.
    Instant,
    /// A length of time in seconds.
    Span,
    /// Mbit/s.
    Rate,
    /// A ratio.
    Ratio,
    /// A number of any size.
    Number,
    /// A word: the position among [`OUTCOMES`].
    Word,
}

/// A column of the table of jobs.
#[derive(Clone, Copy, Debug, Serialize, ts_rs::TS)]
#[ts(rename = "Column")]
pub struct JobColumn {
    /// Its name in filters.
    pub name: &'static str,
    /// Its label.
    pub label: &'static str,
    /// The kind of its values.
    pub kind: ColumnKind,
    /// Its meaning, in one sentence.
    pub help: &'static str,
    #[serde(skip)]
    of: fn(&Inspection, JobId) -> Option<f64>,
}

/// Every column, in the order in which they are shown.
pub const COLUMNS: [JobColumn; 14] = [
    JobColumn {
        name: "job",
        label: "Job",
        kind: ColumnKind::Count,
        help: "Its number in the input.",
        of: |run, id| Some(run.replay.jobs[id].number as f64),
    },
    JobColumn {
        name: "outcome",
        label: "Outcome",
        kind: ColumnKind::Word,
        help: "What became of it.",
        of: |run, id| Some(run.replay.record.histories[id].outcome.word_position() as f64),
    },
    JobColumn {
        name: "submit",
        label: "Submit",
        kind: ColumnKind::Instant,
        help: "When it arrived.",
        of: |run, id| Some(run.since_first(run.replay.jobs[id].submit)),
    },
    JobColumn {
        name: "wait",
        label: "Wait",
        kind: ColumnKind::Span,
        help: "From its submit to its first start.",
        of: |run, id| Some((run.ran(id)?.0 - run.replay.jobs[id].submit).seconds()),
    },
    JobColumn {
        name: "start",
        label: "Start",
        kind: ColumnKind::Instant,
        help: "When it started first.",
        of: |run, id| Some(run.since_first(run.ran(id)?.0)),
    },
    JobColumn {
        name: "end",
        label: "End",
        kind: ColumnKind::Instant,
        help: "When it was complete.",
        of: |run, id| Some(run.since_first(run.ran(id)?.1)),
    },
    JobColumn {
        name: "runtime",
        label: "Run time",
        kind: ColumnKind::Span,
        help: "Run time without suspension or slowdown.",
        of: |run, id| Some(run.replay.jobs[id].runtime.seconds()),
    },
    JobColumn {
        name: "size",
        label: "Size",
        kind: ColumnKind::Count,
        help: "Slots asked for.",
        of: |run, id| Some(f64::from(run.replay.jobs[id].size)),
    },
    JobColumn {
        name: "bandwidth",
        label: "Bandwidth",
        kind: ColumnKind::Rate,
        help: "Asked for by each of its machines.",
        of: |run, id| {
            let modelled = !run.replay.links.is_empty();
            modelled.then(|| run.replay.jobs[id].bandwidth.mbps())
        },
    },
    JobColumn {
        name: "slowdown",
        label: "Slowdown",
        kind: ColumnKind::Ratio,
        help: "Its bounded slowdown.",
        of: |run, id| {
            let end = run.ran(id)?.1;
            Some(bounded_slowdown(&run.replay.jobs[id], end, &run.options))
        },
    },
    JobColumn {
        name: "stretch",
        label: "Work dilation",
        kind: ColumnKind::Ratio,
        help: "Time at work / run time: how much longer it worked because other jobs slowed it down.",
        of: |run, id| {
            run.ran(id).filter(|_| run.stretched)?;
            let runtime = run.replay.jobs[id].runtime.seconds();
            let worked = run.replay.record.histories[id].worked.seconds();
            (runtime > 0.0).then(|| worked / runtime)
        },
    },
    JobColumn {
        name: "late",
        label: "Late",
        kind: ColumnKind::Span,
        help: "How long after its first start plus its estimate it ended; 0 where it was not late.",
        of: |run, id| {
            let (start, end) = run.ran(id).filter(|_| run.stretched)?;
            let expected = start + run.replay.jobs[id].estimate;
            Some((end.max(expected) - expected).seconds())
        },
    },
    JobColumn {
        name: "migrations",
        label: "Migrations",
        kind: ColumnKind::Count,
        help: "How often it was suspended and restarted, or changed tier with a process moved.",
        of: |run, id| Some(f64::from(run.replay.record.histories[id].migrations)),
    },
    JobColumn {
        name: "order",
        label: "Order",
        kind: ColumnKind::Number,
        help: "Value of the chosen formula at this instant, for waiting jobs; the smallest is first.",
        of: |run, id| run.order.get(id.0 as usize).copied().flatten(),
    },
];

impl Inspection {
    /// The largest value of each column.
    pub fn largest(&self) -> [Option<f64>; COLUMNS.len()] {
        COLUMNS.map(|column| {
            let jobs = self.replay.jobs.ids();
            let values = jobs.filter_map(|job| self.value(job, &column));
            values.reduce(f64::max)
        })
    }

    /// The value of a job in a column; `None` if it has none.
    pub fn value(&self, job: JobId, column: &JobColumn) -> Option<f64> {
        (column.of)(self, job)
    }

    /// Its values, column by column.
    pub fn row(&self, job: JobId) -> [Option<f64>; COLUMNS.len()] {
        COLUMNS.map(|column| self.value(job, &column))
    }

    /// The jobs that meet a filter, sorted by a column; those without a value are last, and those
    /// with equal values are in order of their index.
    pub fn arranged(&self, sort: &JobColumn, descending: bool, filter: &Filter) -> Vec<JobId> {
        let jobs = self.replay.jobs.ids();
        let listed =
            jobs.filter(|job| filter.0.iter().all(|condition| condition.holds(self, *job)));
        // Allocated once, and sorted in place: there may be millions.
        let mut keyed: Vec<(Option<f64>, JobId)> = Vec::with_capacity(self.replay.jobs.len());
        keyed.extend(listed.map(|job| (self.value(job, sort), job)));
        keyed.sort_unstable_by(|(one, first), (other, second)| {
            let values = match (one, other) {
                (Some(one), Some(other)) if descending => other.total_cmp(one),
                (Some(one), Some(other)) => one.total_cmp(other),
                (one, other) => other.is_some().cmp(&one.is_some()),
            };
            values.then(first.cmp(second))
        });
        keyed.into_iter().map(|(_, job)| job).collect()
    }
}

/// The conditions that a job must meet.
#[derive(Clone, Debug, Default)]
pub struct Filter(Vec<Condition>);

/// Whether a value may compare like this with the given one.
type HoldsFor = fn(Ordering) -> bool;

#[derive(Clone, Copy, Debug)]
struct Condition {
    column: JobColumn,
    holds: HoldsFor,
    value: f64,
}

impl Condition {
    fn holds(&self, run: &Inspection, job: JobId) -> bool {
        let value = run.value(job, &self.column);
        value.is_some_and(|value| (self.holds)(value.total_cmp(&self.value)))
    }
}

/// The comparison signs; a sign precedes those that are its prefix.
const SIGNS: [(&str, HoldsFor); 5] = [
    ("<=", Ordering::is_le),
    (">=", Ordering::is_ge),
    ("<", Ordering::is_lt),
    (">", Ordering::is_gt),
    ("=", Ordering::is_eq),
];

/// The column of that name.
pub fn column(name: &str) -> Option<&'static JobColumn> {
    COLUMNS.iter().find(|column| column.name == name)
}

impl Filter {
    /// Reads conditions separated by spaces.
    ///
    /// # Errors
    /// A sentence says what cannot be read and what can.
    pub fn parse(text: &str) -> Result<Filter, String> {
        text.split_whitespace()
            .map(condition)
            .collect::<Result<_, _>>()
            .map(Filter)
    }
}

fn condition(text: &str) -> Result<Condition, String> {
    let signed = SIGNS.iter().find_map(|(sign, holds)| {
        let (name, value) = text.split_once(sign)?;
        Some((name, *holds, value))
    });
    let (name, holds, value): (_, HoldsFor, _) = signed.unwrap_or(("job", Ordering::is_eq, text));
    let named = column(&name.to_lowercase());
    let column = *named.ok_or_else(|| {
        let names: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
        format!(
            "{text}: there is no column {name}; there are {}",
            names.join(", ")
        )
    })?;
    let value = match column.kind {
        ColumnKind::Word => {
            let word = value.to_lowercase();
            let position = OUTCOMES.iter().position(|outcome| *outcome == word);
            let position = position.map(|position| position as f64);
            position.ok_or_else(|| format!("{text}: {name} is one of {}", OUTCOMES.join(", ")))?
        }
        _ => {
            let number = value.parse().ok().filter(|number: &f64| number.is_finite());
            number.ok_or_else(|| {
                format!("{text}: expected a number, or a condition as wait>60 or outcome=ran")
            })?
        }
    };
    Ok(Condition {
        column,
        holds,
        value,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::inspection::tests::{inspection, loaded};
    use crate::language::expression::parse;
    use backfill_sim::job::Job;
    use backfill_sim::policy::expression::rank;
    use backfill_sim::record::Outcome;

    #[test]
    fn rows_hold_what_the_record_says() {
        let run = loaded();
        for (id, job) in run.replay.jobs.iter_enumerated() {
            let row = run.row(id);
            assert_eq!(row[0], Some(job.number as f64));
            let Outcome::Ran { start, end } = run.replay.record.histories[id].outcome else {
                assert_eq!([row[3], row[4], row[5], row[9]], [None; 4]);
                continue;
            };
            assert_eq!(row[3], Some((start - job.submit).seconds()));
            assert_eq!(row[5], Some((end - run.first()).seconds()));
        }
    }

    #[test]
    fn jobs_are_sorted_and_filtered() {
        let run = loaded();
        let [wait, size] = ["wait", "size"].map(|name| column(name).expect("a column"));
        let filter = Filter::parse("wait>600  size<=8").expect("a filter");
        let found = run.arranged(wait, true, &filter);
        assert!(found.len() > 3 && found.len() < 300);
        let waits: Vec<f64> = found
            .iter()
            .map(|&job| run.value(job, wait).expect("it ran"))
            .collect();
        assert!(waits.is_sorted_by(|one, other| one >= other));
        assert!(waits.iter().all(|&wait| wait > 600.0));
        let all = run.arranged(size, false, &Filter::default());
        assert_eq!(all.len(), 300);
        let keys: Vec<(u32, JobId)> = all
            .iter()
            .map(|&job| (run.replay.jobs[job].size, job))
            .collect();
        assert!(keys.is_sorted());
        let one = Filter::parse("17").expect("a number");
        let one = run.arranged(size, true, &one);
        assert_eq!(one.len(), 1);
        assert_eq!(run.replay.jobs[one[0]].number, 17);
    }

    #[test]
    fn jobs_that_others_slowed_are_sorted_and_filtered() {
        let pairs = [("load", "0.9"), ("jobs", "120"), ("guarantee", "0")];
        let run = inspection(&pairs);
        let [stretch, late] = ["stretch", "late"].map(|name| column(name).expect("a column"));
        let slowed = Filter::parse("stretch>1.2 late>0").expect("a filter");
        let slowed = run.arranged(stretch, true, &slowed);
        assert!(slowed.len() > 5, "{}", slowed.len());
        let values: Vec<f64> = slowed
            .iter()
            .map(|&job| run.value(job, stretch).expect("it ran"))
            .collect();
        assert!(values.is_sorted_by(|one, other| one >= other));
        for &job in &slowed {
            let (start, end) = run.ran(job).expect("it ran");
            let Job {
                runtime, estimate, ..
            } = run.replay.jobs[job];
            // None of them migrated: it worked from its start to its end.
            let expected = (end - start).seconds() / runtime.seconds();
            assert_eq!(run.value(job, stretch), Some(expected));
            let expected = (end - start).seconds() - estimate.seconds();
            assert!((run.value(job, late).expect("it ran") - expected).abs() < 1e-9);
        }
        let all = run.arranged(late, false, &Filter::default());
        assert_eq!(run.value(all[0], late), Some(0.0));
    }

    #[test]
    fn jobs_without_a_value_come_last_either_way() {
        let run = inspection(&[("policy", "none"), ("load", "1.3"), ("jobs", "200")]);
        let start = column("start").expect("a column");
        for descending in [false, true] {
            let jobs = run.arranged(start, descending, &Filter::default());
            let ran = |&job: &JobId| run.ran(job).is_some();
            assert!(jobs.iter().any(ran) && !jobs.iter().all(ran));
            assert!(jobs.iter().map(ran).is_sorted_by(|one, other| one >= other));
        }
        let refused = Filter::parse("outcome=rejected").expect("a filter");
        let refused = run.arranged(start, false, &refused);
        assert!(!refused.is_empty() && refused.iter().all(|&job| run.ran(job).is_none()));
    }

    #[test]
    fn jobs_that_wait_are_sorted_by_an_order() {
        let mut run = inspection(&[("policy", "bgmbf"), ("load", "1.5"), ("jobs", "300")]);
        let at = run.longest_queue();
        let waiting = run.waiting(at);
        assert_eq!(run.lines()[1].at(at), waiting.len() as f64);
        assert!(waiting.len() > 9);
        let column = column("order").expect("a column");
        assert_eq!(run.value(waiting[0], column), None);

        let order = parse("if size>8 then 1/0 else -size").expect("an expression");
        let ordered = run.ordered(&order, at);
        let size = |job: JobId| f64::from(run.replay.jobs[job].size);
        for &(job, value) in &ordered {
            let infinite = size(job) > 8.0;
            let expected = if infinite { f64::INFINITY } else { -size(job) };
            assert_eq!(value, expected);
        }
        let keys = ordered.iter().map(|&(job, value)| (rank(value), job));
        assert!(keys.is_sorted());

        run.order_by(&order, at);
        let listed = run.arranged(column, false, &Filter::default());
        let front: Vec<JobId> = ordered.iter().map(|&(job, _)| job).collect();
        let finite = ordered.iter().filter(|(_, value)| value.is_finite());
        let finite = finite.count();
        assert!(finite > 0 && finite < front.len());
        assert_eq!(listed[..finite], front[..finite]);
        assert_eq!(listed.len(), 300);
    }

    #[test]
    fn a_filter_that_cannot_be_read_is_refused_in_a_sentence() {
        let refused = |text| Filter::parse(text).expect_err("no filter");
        assert_eq!(
            refused("size>1 waits>5"),
            "waits>5: there is no column waits; there are job, outcome, submit, wait, start, end, \
             runtime, size, bandwidth, slowdown, stretch, late, migrations, order"
        );
        assert_eq!(
            refused("outcome=lost"),
            "outcome=lost: outcome is one of ran, rejected, infeasible, unplaceable, left"
        );
        for text in ["big", "wait>", "wait>x", "wait>nan", ">5"] {
            assert!(refused(text).starts_with(text), "{text}");
        }
    }
}
