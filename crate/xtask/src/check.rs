//! `cargo xtask test`: every check, the quick ones first.
//!
//! Each step has a heading and is counted; a step that fails does not keep the others from running.
//! The last line is the tally of all steps and of all tests in them. What the tests need to know
//! comes in environment variables:
//!
//! | variable | value |
//! |---|---|
//! | `BACKFILL_SITE`, `BACKFILL_DIST` | the folders of the assembled and of the published page |
//! | `BACKFILL_NODE_PKG` | the folder of the module for Node |
//! | `BACKFILL_CLI` | the command line's program |
//! | `BACKFILL_CHROMIUM`, `BACKFILL_FIREFOX` | the browsers |
//! | `BACKFILL_TRACES` | the folder of real logs, where there is one |
//! | `BACKFILL_SLURM` | 1 where a cluster of Slurm can be started |
//! | `BACKFILL_HYPERQUEUE` | a Python with HyperQueue's package, where there is one |
//! | `BACKFILL_PYTHON` | a Python with pandas and pyarrow, where there is one |
//! | `BACKFILL_WHEEL` | the Python package, where there is one |
//! | `BACKFILL_LONG`, `BACKFILL_WEBKIT` | with `--long`: 1, and WebKitGTK's browser |

use crate::fuzz;
use crate::licence;
use crate::node;
use crate::project::{Project, absolute};
use crate::run::{cargo, lines, output, run};
use crate::site;
use crate::system;
use crate::tally::Tally;
use crate::wasm::{self, Route};
use crate::wheel;
use anyhow::{Context, Result, bail};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the user asked for.
pub(crate) struct Options {
    /// Run the long tests too.
    pub(crate) long: bool,
    /// Let missing system packages be installed.
    pub(crate) install: bool,
    /// Run only tests whose name contains this, and none of the other checks.
    pub(crate) filter: Option<String>,
}

impl Options {
    /// Of what needs the tests' browsers or machine, but is no test.
    fn outside_of_tests(install: bool) -> Options {
        Options {
            long: false,
            install,
            filter: None,
        }
    }
}

/// Runs the checks; true if nothing failed.
pub(crate) fn check(project: &Project, options: &Options) -> Result<bool> {
    let mut environment = prepare(project, options)?;
    if system::slurm(options.install) {
        environment.push(("BACKFILL_SLURM", "1".into()));
    }
    let python = system::hyperqueue(&project.target.join("hyperqueue"), options.install);
    environment.extend(python.map(|python| ("BACKFILL_HYPERQUEUE", python.into())));
    let python = system::data_frames(&project.data_frames(), options.install);
    environment.extend(
        python
            .iter()
            .map(|python| ("BACKFILL_PYTHON", python.into())),
    );
    let route = wasm::find_route(options.install)?;
    let mut test = Test {
        project,
        options,
        environment,
    };
    let mut report = Report::default();

    if options.filter.is_none() {
        report.step("rustfmt", || {
            simple(cargo(project).args(["fmt", "--all", "--check"]))
        });
        report.step("clippy", || test.clippy());
        report.step("clippy for wasm", || test.clippy_for_wasm(route));
        report.step("rustdoc", || {
            simple(
                cargo(project)
                    .args(["doc", "--locked", "--workspace", "--no-deps"])
                    // Its readers are those who work on the code.
                    .arg("--document-private-items")
                    .env(
                        "RUSTDOCFLAGS",
                        "-D warnings -A rustdoc::private-intra-doc-links",
                    ),
            )
        });
    }
    report.step("command line", || {
        simple(cargo(project).args(["build", "--locked", "--package", "backfill"]))
    });
    report.step("Python package", || {
        let Some(python) = python else {
            return Ok(Tally::skipped("there is no Python with maturin"));
        };
        let wheel = wheel::build(project, &python, "dev", &project.target.join("wheel"))?;
        test.environment.push(("BACKFILL_WHEEL", wheel.into()));
        Ok(Tally::PASSED)
    });
    report.step("node packages", || {
        node::packages(project)?;
        Ok(Tally::PASSED)
    });
    report.step("page", || {
        wasm::build(project, options.install)?;
        wasm::optimise(project)?;
        let site = site::assemble(project)?;
        site::publish(&site, &test.dist())?;
        Ok(Tally::PASSED)
    });
    report.step("Rust tests", || test.rust());
    if options.filter.is_none() {
        report.step("JavaScript format and lint", || test.javascript());
        report.step("types of the page", || test.types());
    }
    report.step("page tests", || test.page());
    if options.long && options.filter.is_none() {
        report.step("fuzzing", || fuzz::check(project));
        report.step("the same module from another folder", || {
            wasm::reproduce(project, options.install)?;
            Ok(Tally::PASSED)
        });
    }
    if options.filter.is_none() {
        report.step("licences", || licence::licences(project));
        report.step("rules and advisories for crates", || {
            licence::crates(project)
        });
        report.step("advisories for node packages", || {
            licence::module_advisories(project)
        });
    }
    Ok(report.close())
}

/// `cargo xtask bench`: the Rust benches, then each script of `tests/benches/`, which compare
/// wasm and the page with native.
pub(crate) fn bench(project: &Project, install: bool) -> Result<()> {
    let options = Options::outside_of_tests(install);
    let test = Test::with_page(project, &options)?;
    run(cargo(project).args(["build", "--locked", "--release", "--package", "backfill"]))?;
    run(test.with_environment(cargo(project).args([
        "bench",
        "--locked",
        "--package",
        "backfill-tests",
    ])))?;
    for script in scripts(&project.root.join("tests/benches"), ".js")? {
        let mut node = Command::new("node");
        node.arg(script);
        run(test
            .with_environment(&mut node)
            .env("BACKFILL_CLI", project.target.join("release/backfill")))?;
    }
    Ok(())
}

/// `cargo xtask tour`: the pictures of the README, of the page as it is built.
pub(crate) fn tour(project: &Project, install: bool) -> Result<()> {
    let options = Options::outside_of_tests(install);
    let test = Test::with_page(project, &options)?;
    let mut node = Command::new("node");
    node.arg(project.page_tests().join("tour.js"))
        .arg(project.root.join(".github"));
    run(test.with_environment(&mut node))
}

/// Fetches what the checks need; returns what tests must know about this machine.
fn prepare(project: &Project, options: &Options) -> Result<Vec<(&'static str, OsString)>> {
    let mut environment = traces()?;
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if output(cargo(project).args([tool, "--version"])).is_none() {
            let line = format!("rustup component add {component}");
            println!("{component} is missing: {line}");
            run(Command::new("rustup").args(["component", "add", component]))
                .with_context(|| format!("{component} is missing: run `{line}`"))?;
        }
    }
    node::is_there()?;
    let (chromium, firefox) = system::browsers(options.install)?;
    environment.push(("BACKFILL_CHROMIUM", chromium.into()));
    environment.push(("BACKFILL_FIREFOX", firefox.into()));
    if options.long {
        environment.push(("BACKFILL_LONG", "1".into()));
        environment.push(("BACKFILL_WEBKIT", system::webkit(options.install)?.into()));
    }
    Ok(environment)
}

/// The folder of real logs as a variable with an absolute path, where the user gave one.
fn traces() -> Result<Vec<(&'static str, OsString)>> {
    let Some(folder) = env::var_os("BACKFILL_TRACES") else {
        return Ok(Vec::new());
    };
    let folder = absolute(Path::new(&folder));
    if !folder.is_dir() {
        bail!(
            "BACKFILL_TRACES: {} is not a folder: name one with real logs, or unset it",
            folder.display()
        );
    }
    Ok(vec![("BACKFILL_TRACES", folder.into())])
}

/// The steps that run tests.
struct Test<'a> {
    project: &'a Project,
    options: &'a Options,
    environment: Vec<(&'static str, OsString)>,
}

impl<'a> Test<'a> {
    /// With the page as it is now, and what drives it.
    fn with_page(project: &'a Project, options: &'a Options) -> Result<Test<'a>> {
        let test = Test {
            project,
            options,
            environment: prepare(project, options)?,
        };
        node::packages(project)?;
        wasm::build(project, options.install)?;
        wasm::optimise(project)?;
        site::assemble(project)?;
        Ok(test)
    }

    /// Where the tests find the page as it is published.
    fn dist(&self) -> PathBuf {
        self.project.target.join("dist")
    }

    fn with_environment<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command
            .env("BACKFILL_SITE", self.project.site())
            .env("BACKFILL_DIST", self.dist())
            .env("BACKFILL_NODE_PKG", self.project.node_module())
            .env("BACKFILL_CLI", self.project.target.join("debug/backfill"))
            .envs(self.environment.iter().cloned())
    }

    fn clippy(&self) -> Result<Tally> {
        simple(cargo(self.project).args([
            "clippy",
            "--locked",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]))
    }

    fn clippy_for_wasm(&self, route: Route) -> Result<Tally> {
        match route {
            Route::Rustup => simple(
                wasm::command(self.project, route, "clippy")
                    .args(["--package", "backfill-web", "--package", "backfill-plot"])
                    .args([
                        "--package",
                        "backfill-papers",
                        "--package",
                        "backfill-experiment",
                        "--package",
                        "backfill-sim",
                    ])
                    .args(["--", "-D", "warnings"]),
            ),
            Route::Debian => Ok(Tally::skipped("Debian's compiler comes without clippy")),
        }
    }

    fn rust(&self) -> Result<Tally> {
        let mut command = cargo(self.project);
        command.args(["test", "--locked", "--workspace", "--no-fail-fast"]);
        command.args(&self.options.filter);
        command.args(["--", "--show-output"]);
        count(self.with_environment(&mut command), Tally::read_cargo)
    }

    /// Checks the JavaScript of each folder by the settings in the `biome.json` there.
    fn javascript(&self) -> Result<Tally> {
        let biome = self
            .project
            .page_tests()
            .join("node_modules/@biomejs/biome/bin/biome");
        for folder in [self.project.page(), self.project.root.join("tests")] {
            run(Command::new("node")
                .arg(&biome)
                .args(["ci", "--error-on-warnings"])
                .current_dir(folder))?;
        }
        Ok(Tally::PASSED)
    }

    fn types(&self) -> Result<Tally> {
        simple(
            Command::new("node")
                .arg(
                    self.project
                        .page_tests()
                        .join("node_modules/typescript/bin/tsc"),
                )
                .arg("-p")
                .arg(self.project.page()),
        )
    }

    fn page(&self) -> Result<Tally> {
        let mut command = Command::new("node");
        // One file at a time: browsers want the whole machine.
        command.args([
            "--test",
            "--test-reporter=spec",
            "--test-concurrency=1",
            "--test-timeout=900000",
        ]);
        if let Some(filter) = &self.options.filter {
            command.arg(format!("--test-name-pattern={filter}"));
        }
        command.args(scripts(&self.project.page_tests(), ".test.js")?);
        count(self.with_environment(&mut command), Tally::read_node)
    }
}

/// The files of `folder` whose names end in `end`, in order; none where there is no such folder.
fn scripts(folder: &Path, end: &str) -> Result<Vec<PathBuf>> {
    let mut scripts = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.to_string_lossy().ends_with(end) {
                scripts.push(path);
            }
        }
    }
    scripts.sort();
    Ok(scripts)
}

/// A check that is one program's success.
fn simple(command: &mut Command) -> Result<Tally> {
    run(command)?;
    Ok(Tally::PASSED)
}

/// Runs a test program and counts its tests as `read` finds them in each line.
fn count(command: &mut Command, read: fn(&mut Tally, &str)) -> Result<Tally> {
    let mut tally = Tally::default();
    let status = lines(command, |line| read(&mut tally, line))?;
    if !status.success() && tally.failed == 0 {
        tally.failed = 1;
    }
    Ok(tally)
}

/// What happened so far.
#[derive(Default)]
struct Report {
    tally: Tally,
    failed: Vec<&'static str>,
}

impl Report {
    fn step(&mut self, name: &'static str, run: impl FnOnce() -> Result<Tally>) {
        println!("\n== {name}");
        let tally = run().unwrap_or_else(|error| {
            println!("error: {error:#}");
            Tally::FAILED
        });
        if tally.failed > 0 {
            self.failed.push(name);
        }
        self.tally += tally;
    }

    /// Prints the tally; true if nothing failed.
    fn close(self) -> bool {
        println!();
        if !self.failed.is_empty() {
            println!("failed: {}", self.failed.join(", "));
        }
        println!("{}", self.tally);
        self.failed.is_empty()
    }
}
