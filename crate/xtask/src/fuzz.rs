//! `cargo xtask fuzz`: tries what must hold of any input on as many as there is time for.
//!
//! A target is tried in one of two ways. Coverage-guided, libFuzzer keeps each input that reaches
//! code which no other has reached, and makes further ones of it; the compiler counts what is
//! reached by passes that a stable toolchain has, too. Plain, inputs are made of those on file and
//! of those that were kept, and nothing is counted: several times as many in the same time.
//!
//! Inputs on file stand in `tests/fuzz/corpus/`. Those that are kept go to the build folder, as do
//! those that fail: put one of these on file once its fault is mended.

use crate::node;
use crate::project::Project;
use crate::run::{cargo, output, run};
use crate::tally::Tally;
use crate::wasm;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The package of the targets.
const PACKAGE: &str = "backfill-fuzz";

/// The target that draws a whole scenario of its input: which one is not told by its bytes.
const DRAWN: &str = "runs";

/// What makes the compiler count which code is reached, and what is compared.
const COUNTING: [&str; 5] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
];

/// How to try targets.
pub(crate) struct Options {
    /// That one alone.
    pub(crate) target: Option<String>,
    /// So long each.
    pub(crate) minutes: f64,
    /// Without looking at what is reached.
    pub(crate) plain: bool,
    /// So, and within wasm32.
    pub(crate) wasm: bool,
}

/// Tries targets; a failure is an error that names the input.
pub(crate) fn fuzz(project: &Project, options: &Options) -> Result<()> {
    let all = targets(project)?;
    let chosen = match &options.target {
        None => all,
        Some(name) if all.contains(name) => vec![name.clone()],
        Some(name) => bail!("there is no target {name}; there are {}", all.join(", ")),
    };
    if options.wasm {
        return within(project, &chosen, options.minutes);
    }
    let (drawn, mut guided): (Vec<String>, Vec<String>) =
        chosen.into_iter().partition(|name| name == DRAWN);
    let mut plain = drawn;
    if options.plain {
        plain.append(&mut guided);
    }
    if !guided.is_empty() {
        let program = build_counting(project)?;
        for name in &guided {
            run_guided(project, &program, name, options.minutes)?;
        }
    }
    if !plain.is_empty() {
        let program = build_plain(project)?;
        for name in &plain {
            let [kept, on_file, failed] = folders(project, name)?;
            run(Command::new(&program)
                .arg(name)
                .arg(options.minutes.to_string())
                .args([&failed, &kept, &on_file]))
            .with_context(|| format!("{name}: see {}", failed.display()))?;
        }
    }
    Ok(())
}

/// Tries targets within wasm32, in Node.
fn within(project: &Project, chosen: &[String], minutes: f64) -> Result<()> {
    node::is_there()?;
    let module = wasm::build_targets(project)?;
    for name in chosen {
        let [kept, on_file, failed] = folders(project, name)?;
        run(Command::new("node")
            .arg(project.root.join("tests/fuzz/within.js"))
            .arg(&module)
            .arg(name)
            .arg(minutes.to_string())
            .args([&failed, &kept, &on_file]))
        .with_context(|| format!("{name}: see {}", failed.display()))?;
    }
    Ok(())
}

/// One minute of each target, and some seconds of it within wasm32, as a check.
pub(crate) fn check(project: &Project) -> Result<Tally> {
    for (minutes, wasm) in [(1.0, false), (0.1, true)] {
        let options = Options {
            target: None,
            minutes,
            plain: false,
            wasm,
        };
        fuzz(project, &options)?;
    }
    Ok(Tally::PASSED)
}

/// The targets: each has a folder of inputs.
fn targets(project: &Project) -> Result<Vec<String>> {
    let entries = fs::read_dir(project.root.join("tests/fuzz/corpus"))?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names: Vec<String> = names.collect::<Result<_>>()?;
    names.sort();
    Ok(names)
}

/// The folders of the inputs of a target: those kept, those on file, those that failed.
fn folders(project: &Project, name: &str) -> Result<[PathBuf; 3]> {
    let made = project.target.join("fuzz");
    let (kept, failed) = (made.join("kept").join(name), made.join("failed"));
    fs::create_dir_all(&kept)?;
    fs::create_dir_all(&failed)?;
    Ok([
        kept,
        project.root.join("tests/fuzz/corpus").join(name),
        failed,
    ])
}

/// Builds the program that counts what is reached.
fn build_counting(project: &Project) -> Result<PathBuf> {
    // With a target given, the flags are not for what runs while building.
    let host = output(Command::new("rustc").args(["--print", "host-tuple"]))
        .context("`rustc --print host-tuple` gave no answer")?;
    let folder = project.target.join("fuzz/counting");
    run(build(project, &folder)
        .args(["--bin", "guided", "--features", "libfuzzer"])
        .args(["--target", &host])
        .env("RUSTFLAGS", COUNTING.join(" ")))?;
    Ok(folder.join(host).join("fuzz/guided"))
}

fn build_plain(project: &Project) -> Result<PathBuf> {
    let folder = project.target.join("fuzz/plain");
    run(build(project, &folder).args(["--bin", "plain"]))?;
    Ok(folder.join("fuzz/plain"))
}

fn build(project: &Project, folder: &Path) -> Command {
    let mut command = cargo(project);
    command
        .args([
            "build",
            "--locked",
            "--profile",
            "fuzz",
            "--package",
            PACKAGE,
        ])
        .arg("--target-dir")
        .arg(folder);
    command
}

fn run_guided(project: &Project, program: &Path, name: &str, minutes: f64) -> Result<()> {
    let [kept, on_file, failed] = folders(project, name)?;
    let words = project.root.join("tests/fuzz/words").join(name);
    let mut command = Command::new(program);
    if words.is_file() {
        command.arg(format!("-dict={}", words.display()));
    }
    println!("{name}:");
    run(command
        .env("BACKFILL_FUZZ_TARGET", name)
        .arg(format!("-max_total_time={:.0}", 60.0 * minutes))
        .args(["-max_len=4096", "-timeout=10", "-rss_limit_mb=2048"])
        .args(["-print_final_stats=1", "-verbosity=0"])
        .arg(format!("-artifact_prefix={}/{name}-", failed.display()))
        .args([kept, on_file]))
    .with_context(|| format!("{name}: see {}", failed.display()))
}
