//! A table that no reader knows: what its columns may be, for its owner to say with `columns`.
//!
//! Guesses are by the names of columns alone, in lower case and without what is no letter or digit;
//! of several columns that may be the same the first one is taken. Nothing is read by a guess.

use serde::Serialize;

use super::table;
use crate::language::columns::{Columns, Target};

/// The fewest columns of a table with jobs: a submit time, a run time and a size.
const FEWEST: usize = 3;

/// Values that are shown of a column.
const SHOWN: usize = 3;

/// Names of columns, by what they hold; `runtimes` is `run time (s)`.
const NAMES: [(Target, &[&str]); 15] = [
    (
        Target::Job,
        &["job", "jobid", "id", "jobnumber", "idjob", "jobname"],
    ),
    (
        Target::Submit,
        &[
            "submit",
            "submittime",
            "submissiontime",
            "submitted",
            "submittedat",
            "submission",
            "arrival",
            "arrivaltime",
            "queued",
            "queuedat",
            "queuetime",
            "created",
            "createdat",
            "createtime",
            "creationtime",
            "qtime",
            "timesubmit",
            "submitts",
        ],
    ),
    (
        Target::Start,
        &[
            "start",
            "starttime",
            "started",
            "startedat",
            "begin",
            "begintime",
            "timestart",
            "startts",
        ],
    ),
    (
        Target::End,
        &[
            "end",
            "endtime",
            "ended",
            "endedat",
            "finish",
            "finishtime",
            "finished",
            "finishedat",
            "completiontime",
            "stop",
            "stoptime",
            "timeend",
            "endts",
        ],
    ),
    (
        Target::Wait,
        &[
            "wait",
            "waittime",
            "waiting",
            "waitingtime",
            "waits",
            "queuewait",
        ],
    ),
    (
        Target::Run,
        &[
            "run",
            "runtime",
            "runtimes",
            "duration",
            "durations",
            "elapsed",
            "elapsedtime",
            "executiontime",
            "walltimeused",
            "usedwalltime",
            "runseconds",
            "durationseconds",
        ],
    ),
    (
        Target::Size,
        &[
            "size",
            "cores",
            "ncores",
            "numcores",
            "corecount",
            "cpus",
            "ncpus",
            "numcpus",
            "cpucount",
            "alloccpus",
            "allocatedcpus",
            "processors",
            "nprocessors",
            "procs",
            "nprocs",
            "numprocs",
            "slots",
            "gpus",
            "ngpus",
            "numgpus",
            "gpucount",
            "gpunum",
            "requestednumberofresources",
            "resources",
        ],
    ),
    (
        Target::Nodes,
        &[
            "nodes",
            "nnodes",
            "numnodes",
            "nodecount",
            "nodenum",
            "nodesalloc",
            "allocnodes",
        ],
    ),
    (
        Target::Estimate,
        &[
            "estimate",
            "timelimit",
            "limit",
            "walltime",
            "wallclock",
            "requestedtime",
            "requestedwalltime",
            "walltimerequested",
            "reqtime",
            "reqwalltime",
            "timelimits",
        ],
    ),
    (
        Target::User,
        &["user", "userid", "username", "uid", "iduser", "owner"],
    ),
    (Target::Group, &["group", "groupid", "gid", "groupname"]),
    (Target::Queue, &["queue", "queuename", "qos", "vc"]),
    (Target::Partition, &["partition", "partitionname"]),
    (
        Target::Account,
        &["account", "project", "projectid", "allocation"],
    ),
    (
        Target::State,
        &["state", "status", "jobstate", "jobstatus", "exitstatus"],
    ),
];

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ts_rs::TS)]
pub struct UnknownColumn {
    /// Its name in the heading.
    pub name: String,
    /// Its first values.
    pub values: Vec<String>,
    /// What it may be, a name of [`Target`].
    pub guess: Option<&'static str>,
}

/// The columns of a file by its first bytes, if it looks like a table with a heading: names without
/// a number among them in the first line, and as many fields in the next ones.
pub fn columns(start: &[u8]) -> Option<Vec<UnknownColumn>> {
    let mut lines = start
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty() && !line.starts_with(b"#"));
    let (mut record, names) = table::names(lines.next()?);
    let is_name = |name: &String| !name.is_empty() && name.parse::<f64>().is_err();
    if names.len() < FEWEST || !names.iter().all(is_name) {
        return None;
    }
    let guesses = guesses(&names);
    let column = |(name, guess)| UnknownColumn {
        name,
        guess,
        values: Vec::new(),
    };
    let mut columns: Vec<_> = names.into_iter().zip(guesses).map(column).collect();
    for line in lines.take(SHOWN) {
        record.read(line);
        if record.len() != columns.len() {
            break;
        }
        for (column, value) in columns.iter_mut().zip(record.fields()) {
            let value = String::from_utf8_lossy(value.trim_ascii());
            column.values.push(value.into_owned());
        }
    }
    (!columns[0].values.is_empty()).then_some(columns)
}

/// What each column may be.
fn guesses(names: &[String]) -> Vec<Option<&'static str>> {
    let plain = |name: &String| -> String {
        let known = name.chars().filter(|c| c.is_ascii_alphanumeric());
        known.map(|c| c.to_ascii_lowercase()).collect()
    };
    let plain: Vec<String> = names.iter().map(plain).collect();
    let mut guesses = vec![None; names.len()];
    for (target, known) in NAMES {
        let found = plain.iter().position(|name| known.contains(&&**name));
        if let Some(column) = found {
            guesses[column] = Some(target.name());
        }
    }
    guesses
}

/// What to do about a file that looks like such a table, with its guesses as an example.
pub(super) fn remedy(start: &[u8]) -> Option<String> {
    let columns = columns(start)?;
    let guessed = |column: &UnknownColumn| Some(format!("{}:{}", column.guess?, column.name));
    let guessed: Vec<String> = columns.iter().filter_map(guessed).collect();
    let example = guessed.join(",");
    // A name that cannot be typed is no example.
    let example = if Columns::parse(&example).is_ok() && !example.contains(char::is_control) {
        example
    } else {
        "submit:COLUMN,run:COLUMN,size:COLUMN".to_owned()
    };
    let names: Vec<&str> = columns.iter().map(|column| &*column.name).collect();
    Some(format!(
        "no reader knows a table with the columns {}; say which is what, as in columns={example}",
        names.join(", ").replace(char::is_control, "\u{fffd}")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str =
        "id;arrived;Queue Time;run time;n_cores;who\n1;x;5;60;4;ann\n2;y;6;70;8;bob\n";

    #[test]
    fn a_name_that_cannot_be_typed_is_no_example() {
        let table = "id;submit;run\u{17};size\n1;0;60;4\n2;5;70;8\n";
        let remedy = remedy(table.as_bytes()).expect("a table");
        assert!(!remedy.contains(char::is_control), "{remedy:?}");
        assert!(
            remedy.ends_with("columns=submit:COLUMN,run:COLUMN,size:COLUMN"),
            "{remedy}"
        );
    }

    #[test]
    fn columns_are_guessed_by_their_names() {
        let columns = columns(TABLE.as_bytes()).expect("a table");
        let guesses: Vec<_> = columns.iter().map(|column| column.guess).collect();
        assert_eq!(
            guesses,
            [
                Some("job"),
                None,
                Some("submit"),
                Some("run"),
                Some("size"),
                None
            ]
        );
        assert_eq!(columns[5].values, ["ann", "bob"]);
    }

    #[test]
    fn what_is_no_table_has_no_columns() {
        for text in [
            "",
            "a,b\n1,2\n",
            "1,2,3\n4,5,6\n",
            "a,b,c\n",
            "a,b,c\n1,2\n",
        ] {
            assert_eq!(columns(text.as_bytes()), None, "{text:?}");
        }
    }
}
