//! Folders that run a study in parts on a cluster.
//!
//! A study is a scenario, or published figures, cut into [parts](crate::study::part). Its folder
//! has its inputs and a few scripts that call the command line. The cluster's own system
//! distributes the parts; nothing here schedules. Each such system has a list of templates, so that
//! another one needs only its templates and a [`BatchSystem`].
//!
//! This is the only definition of the files' contents. Front ends write them and add the logs.

use std::num::NonZero;

use crate::language::scenario::{Scenario, text};
use crate::language::shell::quoted;

/// The default number of parts at most: Slurm's default limit for an array.
pub const MOST_PARTS: u32 = 1000;

/// The folder of logs in a study of figures.
pub const TRACES: &str = "traces";

/// The system that distributes the parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchSystem {
    /// Job arrays of Slurm.
    Slurm {
        /// Further options of `sbatch`.
        options: Vec<String>,
        /// The most parts at once; `None` for Slurm's limit.
        at_once: Option<NonZero<u32>>,
    },
    /// Task arrays of HyperQueue.
    HyperQueue {
        /// Further options of `hq submit`.
        options: Vec<String>,
    },
}

/// The work of a study.
#[derive(Clone, Debug)]
pub enum Work {
    /// A scenario.
    Scenario(Scenario),
    /// Figures: the arguments of `backfill figure`.
    Figures(String),
}

/// Work in parts.
#[derive(Clone, Debug)]
pub struct Study<'a> {
    /// The work.
    pub work: Work,
    /// The number of its runs.
    pub runs: usize,
    /// The number of parts.
    pub parts: u32,
    /// The path of the program that makes the parts, on the machines that run it. `None` if the
    /// folder is written elsewhere: the user then provides program and log.
    pub program: Option<&'a str>,
}

/// Least jobs of a part if their cost is unknown: from 10 s, where only counted nodes are scheduled
/// first come first served, to an hour on a large fat-tree.
const JOBS_OF_A_PART: u64 = 10_000_000;

/// The number of parts for `runs` runs of `jobs` jobs each, if no run can be tried.
pub fn parts_of(jobs: u32, runs: usize) -> u32 {
    let worth = u64::from(jobs) * runs as u64 / JOBS_OF_A_PART;
    worth.clamp(1, u64::from(MOST_PARTS).min(runs as u64)) as u32
}

/// A file of a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyFile {
    /// Its name.
    pub name: &'static str,
    /// Its contents.
    pub text: String,
    /// Whether it is a program.
    pub is_program: bool,
}

/// The name of a file, its template, and whether it is a program.
type Template = (&'static str, &'static str, bool);

/// The files of every study.
const COMMON: [Template; 3] = [
    ("part", include_str!("../../templates/part"), true),
    ("merge", include_str!("../../templates/merge"), true),
    ("status", include_str!("../../templates/status"), true),
];

const SLURM: [Template; 4] = [
    ("submit", include_str!("../../templates/slurm/submit"), true),
    (
        "study.sbatch",
        include_str!("../../templates/slurm/study.sbatch"),
        false,
    ),
    (
        "merge.sbatch",
        include_str!("../../templates/slurm/merge.sbatch"),
        false,
    ),
    (
        "README",
        include_str!("../../templates/slurm/README"),
        false,
    ),
];

const HYPERQUEUE: [Template; 2] = [
    ("submit", include_str!("../../templates/hq/submit"), true),
    ("README", include_str!("../../templates/hq/README"), false),
];

impl BatchSystem {
    /// The engine of the command of this name, without options; `None` if there is none.
    pub fn named(name: &str) -> Option<BatchSystem> {
        match name {
            "slurm" => Some(BatchSystem::Slurm {
                options: Vec::new(),
                at_once: None,
            }),
            "hq" => Some(BatchSystem::HyperQueue {
                options: Vec::new(),
            }),
            _ => None,
        }
    }

    fn templates(&self) -> &'static [Template] {
        match self {
            BatchSystem::Slurm { .. } => &SLURM,
            BatchSystem::HyperQueue { .. } => &HYPERQUEUE,
        }
    }

    /// The values of the marks in its own templates.
    fn values(&self) -> Vec<(&'static str, String)> {
        match self {
            BatchSystem::Slurm { options, at_once } => {
                let at_once = at_once.map_or(String::new(), |at_once| format!("%{at_once}"));
                vec![("@OPTIONS@\n", directives(options)), ("@AT_ONCE@", at_once)]
            }
            BatchSystem::HyperQueue { options } => {
                let options: Vec<String> = options.iter().map(|word| quoted(word)).collect();
                vec![("@OPTIONS@", options.join(" "))]
            }
        }
    }
}

/// Options of `sbatch` as lines of a script: each with the words after it that are no options.
fn directives(options: &[String]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for option in options {
        match lines.last_mut() {
            Some(line) if !option.starts_with('-') => *line += &format!(" {}", quoted(option)),
            _ => lines.push(format!("#SBATCH {}", quoted(option))),
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

impl Work {
    /// The values of the marks of the work.
    fn values(&self) -> Vec<(&'static str, String)> {
        let [make, merge, printed, written, input] = match self {
            Work::Scenario(_) => [
                "run scenario.toml --part \"$1/@PARTS@\" --out parts",
                "merge parts --json result.json --csv result.csv --svg charts",
                "the table and its digest",
                "result.json opens in the page of Backfill",
                "The scenario is scenario.toml. Do not change it once parts have been made.",
            ]
            .map(str::to_owned),
            Work::Figures(which) => {
                let figure = format!("figure {which} --trace-dir {TRACES} --parts parts");
                [
                    format!("{figure} --part \"$1/@PARTS@\""),
                    format!("{figure} --out result"),
                    "each claim and its verdict".to_owned(),
                    "result/ holds charts, tables and reports".to_owned(),
                    format!(
                        "Workload logs are in {TRACES}/; generated jobs stand in for one that is \
                         missing there.\nDo not change that folder once parts have been made."
                    ),
                ]
            }
        };
        vec![
            ("@MAKE@", make),
            ("@MERGE@", merge),
            ("@PRINTED@", printed),
            ("@WRITTEN@", written),
            ("@INPUT@", input),
        ]
    }
}

impl Study<'_> {
    /// The folders inside its own.
    pub fn folders(&self) -> Vec<&'static str> {
        let traces = matches!(self.work, Work::Figures(_)).then_some(TRACES);
        ["parts", "logs"].into_iter().chain(traces).collect()
    }

    /// What must be provided before parts can be made.
    fn needs(&self) -> String {
        let needs =
            "This folder must lie where each machine that makes parts sees it, and ".to_owned();
        match (self.program, &self.work) {
            (Some(program), _) => needs + &format!("so must\n{program}."),
            (None, Work::Scenario(scenario)) if scenario.relevant("file") => {
                let scenario = scenario.portable();
                let (file, sha256) = (scenario.get("file"), scenario.get("sha256"));
                let check = if sha256.is_empty() {
                    String::new()
                } else {
                    format!(
                        " What it holds, decompressed, has the\nSHA-256 {sha256}: each part checks that."
                    )
                };
                needs
                    + &format!(
                        "the program\nbackfill in its PATH. Put the log {file} here first.{check}"
                    )
            }
            (None, _) => needs + "the program\nbackfill in its PATH.",
        }
    }

    /// The files of its folder, for that engine.
    pub fn files(&self, engine: &BatchSystem) -> Vec<StudyFile> {
        let known = vec![
            ("@PARTS@", self.parts.to_string()),
            ("@RUNS@", self.runs.to_string()),
            ("@NEEDS@", self.needs()),
            ("@BACKFILL@", quoted(self.program.unwrap_or("backfill"))),
        ];
        let values = [self.work.values(), engine.values(), known].concat();
        let fill = |&(name, template, is_program): &Template| StudyFile {
            name,
            text: values
                .iter()
                .fold(template.to_owned(), |text, (mark, value)| {
                    text.replace(mark, value)
                }),
            is_program,
        };
        let mut files: Vec<StudyFile> = COMMON.iter().chain(engine.templates()).map(fill).collect();
        if let Work::Scenario(scenario) = &self.work {
            files.push(StudyFile {
                name: "scenario.toml",
                text: text::write(&scenario.portable()),
                is_program: false,
            });
        }
        files
    }
}
