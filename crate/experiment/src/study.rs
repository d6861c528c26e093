//! Folders that run a study in parts on a cluster.
//!
//! A study is a scenario, or published figures, cut into [parts](crate::part). Its folder holds what
//! is run and a few scripts. The cluster's own system hands out the parts; nothing here schedules.
//! What differs between these systems is a list of templates, so that another one costs its
//! templates and an [`Engine`].
//!
//! What the files hold is said here and nowhere else: a front gives the folder a place, and the
//! program and the log to it.

use std::num::NonZero;

use crate::scenario::{Scenario, text};
use crate::shell::quoted;

/// The most parts where nobody says how many: as many as Slurm takes in an array by default.
pub const MOST_PARTS: u32 = 1000;

/// The folders of a study, which are empty until its parts are run.
pub const FOLDERS: [&str; 2] = ["parts", "logs"];

/// The system that hands out the parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Job arrays of Slurm.
    Slurm {
        /// Further options of `sbatch`.
        options: Vec<String>,
        /// How many parts may run at once; nothing for as many as Slurm lets.
        at_once: Option<NonZero<u32>>,
    },
    /// Task arrays of HyperQueue.
    HyperQueue {
        /// Further options of `hq submit`.
        options: Vec<String>,
    },
}

/// A scenario in parts.
#[derive(Clone, Debug)]
pub struct Study<'a> {
    /// What is run.
    pub scenario: &'a Scenario,
    /// Into how many parts it is cut.
    pub parts: u32,
    /// Where the program stands that makes the parts.
    pub program: &'a str,
}

/// A file of a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyFile {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub text: String,
    /// Whether it is a program.
    pub is_program: bool,
}

/// The name of a file, its template, and whether it is a program.
type Template = (&'static str, &'static str, bool);

/// What every study has.
const COMMON: [Template; 3] = [
    ("part", include_str!("../templates/part"), true),
    ("merge", include_str!("../templates/merge"), true),
    ("status", include_str!("../templates/status"), true),
];

const SLURM: [Template; 4] = [
    ("submit", include_str!("../templates/slurm/submit"), true),
    (
        "study.sbatch",
        include_str!("../templates/slurm/study.sbatch"),
        false,
    ),
    (
        "merge.sbatch",
        include_str!("../templates/slurm/merge.sbatch"),
        false,
    ),
    ("README", include_str!("../templates/slurm/README"), false),
];

const HYPERQUEUE: [Template; 2] = [
    ("submit", include_str!("../templates/hq/submit"), true),
    ("README", include_str!("../templates/hq/README"), false),
];

impl Engine {
    fn templates(&self) -> &'static [Template] {
        match self {
            Engine::Slurm { .. } => &SLURM,
            Engine::HyperQueue { .. } => &HYPERQUEUE,
        }
    }

    /// What stands for the marks in its own templates.
    fn values(&self) -> Vec<(&'static str, String)> {
        match self {
            Engine::Slurm { options, at_once } => {
                let at_once = at_once.map_or(String::new(), |at_once| format!("%{at_once}"));
                vec![("@OPTIONS@\n", directives(options)), ("@AT_ONCE@", at_once)]
            }
            Engine::HyperQueue { options } => {
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

impl Study<'_> {
    /// The files of its folder, for that engine.
    pub fn files(&self, engine: &Engine) -> Vec<StudyFile> {
        let values = [
            engine.values(),
            vec![
                ("@PARTS@", self.parts.to_string()),
                ("@RUNS@", self.scenario.runs().to_string()),
                ("@BACKFILL@", quoted(self.program)),
            ],
        ]
        .concat();
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
        files.push(StudyFile {
            name: "scenario.toml",
            text: text::write(&self.scenario.portable()),
            is_program: false,
        });
        files
    }
}
