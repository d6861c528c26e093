//! What must hold of any input, whatever it is: one function for each door through which text comes
//! in, which panics where it does not.
//!
//! - [`expression()`]: orders of the queue by a formula
//! - [`swf()`], [`sacct()`], [`csv()`], [`gz()`]: logs and job lists, plain and packed; accounting files
//!   of every batch system, and tables, are tried as those of Slurm
//! - [`scenario()`], [`link()`]: scenarios as files and in links
//! - [`topology()`]: topologies of clusters
//! - [`filter()`]: conditions on the jobs of a run
//! - [`result()`], [`parts()`]: results and parts of them, read back
//! - [`runs()`]: small scenarios of every system and policy, run to their end
//!
//! Beside them, [`TARGETS`] names them all and [`Mutator`] makes inputs like those in `corpus/`.

use std::fs;
use std::path::{Path, PathBuf};

mod expression;
mod filter;
mod logs;
mod mutation;
mod parts;
mod result;
mod runs;
mod scenario;
mod topology;

pub use expression::expression;
pub use filter::filter;
pub use logs::{csv, gz, sacct, swf};
pub use mutation::Mutator;
pub use parts::parts;
pub use result::result;
pub use runs::runs;
pub use scenario::{link, scenario};
pub use topology::topology;

/// Something to try on any input.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which is that of its folder in `corpus/`.
    pub name: &'static str,
    /// Panics where what must hold does not.
    pub run: fn(&[u8]),
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target {
        name: "expression",
        run: expression,
    },
    Target {
        name: "swf",
        run: swf,
    },
    Target {
        name: "sacct",
        run: sacct,
    },
    Target {
        name: "pbs",
        run: sacct,
    },
    Target {
        name: "sge",
        run: sacct,
    },
    Target {
        name: "lsf",
        run: sacct,
    },
    Target {
        name: "jobcomp",
        run: sacct,
    },
    Target {
        name: "sacct-json",
        run: sacct,
    },
    Target {
        name: "table",
        run: sacct,
    },
    Target {
        name: "csv",
        run: csv,
    },
    Target {
        name: "gz",
        run: gz,
    },
    Target {
        name: "scenario",
        run: scenario,
    },
    Target {
        name: "link",
        run: link,
    },
    Target {
        name: "filter",
        run: filter,
    },
    Target {
        name: "result",
        run: result,
    },
    Target {
        name: "parts",
        run: parts,
    },
    Target {
        name: "topology",
        run: topology,
    },
    Target {
        name: "runs",
        run: runs,
    },
];

impl Target {
    /// The target of that name.
    pub fn named(name: &str) -> Option<&'static Target> {
        TARGETS.iter().find(|target| target.name == name)
    }
}

/// The files of a folder by name; none where there is no such folder.
pub fn inputs(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths.retain(|path| path.is_file());
    let read = |path: PathBuf| {
        let input = fs::read(&path).expect("a file that can be read");
        (path, input)
    };
    paths.into_iter().map(read).collect()
}
