//! The queue of a running cluster: what `squeue` and `sinfo` of Slurm print.
//!
//! Rows are those of `squeue -o "%i %u %P %D %C %l %M %t %V %S"`, in that order or by their headings,
//! separated by blanks or `|`. Users become numbers; their names are not kept. A row that cannot be
//! is refused with its line, what is wrong and what to do. Instants are seconds since 1970 as if the
//! cluster's clock had no zone.
//!
//! Source: the manuals of squeue and sinfo, Slurm 24.11.

use super::values::{duration, instant, whole};
use backfill_sim::problem::shown;
use backfill_sim::sorting;
use backfill_sim::unit::{MICROS, Span};
use backfill_sim::workload::labels::Labels;

/// How much rows may differ in what time it is: `squeue` rounds to seconds, and prints for a while.
const SLACK_S: i64 = 60;

/// A job of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueRow {
    /// Its number.
    pub number: u64,
    /// The number of its user: that in the labels of a log, where they know the name.
    pub user: u32,
    /// Nodes that it holds or asks for.
    pub nodes: u32,
    /// Processors that it holds or asks for.
    pub processors: u32,
    /// Its time limit.
    pub limit: Span,
    /// When it was submitted, in seconds since 1970.
    pub submit_s: i64,
    /// When it started, likewise; `None` if it waits.
    pub start_s: Option<i64>,
}

/// The queue of a cluster at an instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    /// The instant: start and run time of the running jobs, or the last submit where none runs.
    pub now_s: i64,
    /// The jobs by submit and line.
    pub rows: Vec<QueueRow>,
}

/// The columns: letter of the format, heading, and what it is.
const COLUMNS: [(char, &str, &str); 10] = [
    ('i', "JOBID", "job number"),
    ('u', "USER", "user"),
    ('P', "PARTITION", "partition"),
    ('D', "NODES", "number of nodes"),
    ('C', "CPUS", "number of processors"),
    ('l', "TIME_LIMIT", "time limit"),
    ('M', "TIME", "time used"),
    ('t', "ST", "state"),
    ('V', "SUBMIT_TIME", "submit time"),
    ('S', "START_TIME", "start time"),
];

/// The command that prints what is read.
pub const COMMAND: &str = "squeue -r -o \"%i %u %P %D %C %l %M %t %V %S\"";

/// Reads what `squeue` prints. Users that `labels` know have their numbers there.
///
/// # Errors
/// A sentence: which line, what is wrong with it, and what to do.
pub fn read(text: &str, labels: &Labels) -> Result<Queue, String> {
    let mut lines = (1..).zip(text.lines());
    let mut lines = lines.by_ref().filter(|(_, line)| !line.trim().is_empty());
    let mut order: Vec<usize> = (0..COLUMNS.len()).collect();
    let mut rows = Vec::new();
    let mut users: Vec<u64> = labels.user_hashes.clone();
    let mut now: Vec<(usize, i64)> = Vec::new();
    let mut first = true;
    for (line, text) in &mut lines {
        let fields = fields(text);
        if std::mem::take(&mut first) && fields.iter().any(|field| position(field).is_some()) {
            order = headings(&fields)?;
            continue;
        }
        let refused = |why: String| format!("line {line}: {why}");
        if fields.len() != order.len() {
            return Err(refused(format!(
                "it has {} fields and not {}; print the queue by {COMMAND}",
                fields.len(),
                order.len()
            )));
        }
        let field = |letter: char| {
            let column = COLUMNS.iter().position(|column| column.0 == letter);
            let place = order.iter().position(|&of| Some(of) == column);
            place.map_or("", |place| fields[place])
        };
        let (row, at) = row(&field, &mut users).map_err(refused)?;
        now.extend(at.map(|at| (line, at)));
        rows.push(row);
    }
    let Some(last) = rows.iter().map(|row| row.submit_s).max() else {
        return Err(format!(
            "there is no job in it; print the queue by {COMMAND}"
        ));
    };
    let mut instants: Vec<i64> = now.iter().map(|of| of.1).collect();
    sorting::by_key(&mut instants, |&at| at);
    let now_s = instants.get(instants.len() / 2).copied().unwrap_or(last);
    for (line, at) in now {
        if at.abs_diff(now_s) > SLACK_S as u64 {
            return Err(format!(
                "line {line}: start time and time used add up to an instant {} s away from that of \
                 most rows; leave out jobs that were suspended, and paste one output of squeue",
                at.abs_diff(now_s)
            ));
        }
    }
    sorting::by_key(&mut rows, |row| row.submit_s);
    // Clocks that are read one after another: nothing is known to come after now.
    for row in &mut rows {
        row.submit_s = row.submit_s.min(now_s);
        row.start_s = row.start_s.map(|start| start.min(now_s));
    }
    Ok(Queue { now_s, rows })
}

/// The fields of a line.
fn fields(line: &str) -> Vec<&str> {
    if line.contains('|') {
        let line = line.trim().trim_end_matches('|');
        return line.split('|').map(str::trim).collect();
    }
    line.split_whitespace().collect()
}

/// The column of a heading.
fn position(heading: &str) -> Option<usize> {
    COLUMNS.iter().position(|column| column.1 == heading)
}

/// The columns in the order of their headings.
fn headings(fields: &[&str]) -> Result<Vec<usize>, String> {
    let known = |field: &&str| {
        position(field).ok_or_else(|| {
            format!(
                "line 1: the heading {} is none of squeue's that are read here; print the queue by \
                 {COMMAND}",
                shown(field)
            )
        })
    };
    let order: Vec<usize> = fields.iter().map(known).collect::<Result<_, _>>()?;
    for (column, (letter, heading, _)) in COLUMNS.iter().enumerate() {
        // A partition decides nothing here.
        if !order.contains(&column) && *letter != 'P' {
            return Err(format!(
                "line 1: the column {heading} (%{letter}) is missing; print the queue by {COMMAND}"
            ));
        }
    }
    Ok(order)
}

/// The job of a row, and what time it was as the row was made, where it runs.
fn row<'a>(
    field: &impl Fn(char) -> &'a str,
    users: &mut Vec<u64>,
) -> Result<(QueueRow, Option<i64>), String> {
    let wrong = |letter: char, remedy: &str| {
        let column = COLUMNS.iter().find(|column| column.0 == letter);
        let name = column.map_or("", |column| column.2);
        format!("{} is no {name}; {remedy}", shown(field(letter)))
    };
    let number = field('i');
    if number.contains('[') {
        return Err(format!(
            "{} stands for several tasks; print each of them by squeue -r",
            shown(number)
        ));
    }
    let digits = number.split(['_', '+']).next().unwrap_or("");
    let number: u64 = digits
        .parse()
        .map_err(|_| wrong('i', "it must be a number such as 7 or 12_1"))?;
    let count = |letter| {
        let count = whole::<u32>(field(letter)).filter(|&count| count > 0);
        count.ok_or_else(|| wrong(letter, "it must be a whole number from 1"))
    };
    let (nodes, processors) = (count('D')?, count('C')?);
    let limit = duration(field('l')).filter(|&limit| limit > Span(0));
    let limit = limit.ok_or_else(|| {
        wrong(
            'l',
            "write the longest time that the job may run, as days-hours:minutes:seconds",
        )
    })?;
    let at = |letter| {
        let seconds = instant(field(letter)).map(|of| of.0);
        seconds.ok_or_else(|| wrong(letter, "it must be a date such as 2024-01-02T03:04:05"))
    };
    let submit_s = at('V')?;
    let runs = match field('t') {
        "R" | "CF" | "CG" => true,
        "PD" => false,
        _ => {
            return Err(wrong(
                't',
                "only jobs that run (R, CF, CG) or wait (PD) are read; leave out the others",
            ));
        }
    };
    let mut start_s = None;
    let mut now_s = None;
    if runs {
        let start = at('S')?;
        if start < submit_s {
            return Err(
                "the job started before it was submitted; correct one of both times".to_owned(),
            );
        }
        let used = duration(field('M'));
        let used = used.ok_or_else(|| wrong('M', "it must be as days-hours:minutes:seconds"))?;
        start_s = Some(start);
        now_s = Some(start + (used.0 / MICROS) as i64);
    }
    let hash = Labels::hash(field('u').as_bytes());
    let known = users.iter().position(|&user| user == hash);
    let user = known.unwrap_or_else(|| {
        users.push(hash);
        users.len() - 1
    });
    let row = QueueRow {
        number,
        user: user as u32 + 1,
        nodes,
        processors,
        limit,
        submit_s,
        start_s,
    };
    Ok((row, now_s))
}

/// States of nodes on which no job can start, by the beginnings of their names.
const UNUSABLE: [&str; 8] = [
    "down", "drain", "drng", "fail", "maint", "unk", "boot", "power",
];

/// The nodes of a partition that can be used, from what `sinfo` prints with headings.
///
/// # Errors
/// A sentence: which line, what is wrong with it, and what to do.
pub fn usable_nodes(text: &str) -> Result<u32, String> {
    let mut lines = (1..).zip(text.lines());
    let mut lines = lines.by_ref().filter(|(_, line)| !line.trim().is_empty());
    let heading = lines.next().map_or(Vec::new(), |(_, line)| fields(line));
    let place = |name: &str| heading.iter().position(|field| *field == name);
    let (Some(partition), Some(nodes), Some(state)) =
        (place("PARTITION"), place("NODES"), place("STATE"))
    else {
        return Err(
            "line 1: it must have the headings PARTITION, NODES and STATE; print it by \
                    sinfo -p PARTITION"
                .to_owned(),
        );
    };
    let mut sum = 0_u32;
    let mut name = None;
    for (line, text) in lines {
        let fields = fields(text);
        let field = |place: usize| fields.get(place).copied().unwrap_or("");
        if *name.get_or_insert(field(partition)) != field(partition) {
            return Err(format!(
                "line {line}: a second partition, which may have the same nodes; print one by sinfo \
                 -p PARTITION"
            ));
        }
        let Some(count) = whole::<u32>(field(nodes)) else {
            return Err(format!(
                "line {line}: {} is no number of nodes; print it by sinfo -p PARTITION",
                shown(field(nodes))
            ));
        };
        if !UNUSABLE
            .iter()
            .any(|state_of| field(state).starts_with(state_of))
        {
            sum = sum.saturating_add(count);
        }
    }
    match sum {
        0 => Err("no node can be used; print the nodes by sinfo -p PARTITION".to_owned()),
        sum => Ok(sum),
    }
}
