//! `cargo xtask test`: every check, tests first, or the tests of a name with what they need.
//!
//! Each step has a heading and is counted; a step that fails does not keep the others from running.
//! At the end stand where the time went, and the tally of all steps and of all tests in them. What
//! the tests need to know comes in environment variables:
//!
//! | variable | value |
//! |---|---|
//! | `BACKFILL_SITE`, `BACKFILL_DIST` | the folders of the assembled and of the published page |
//! | `BACKFILL_NODE_PKG` | the folder of the module for Node |
//! | `BACKFILL_PACKAGE` | the folder of the npm package and its archive |
//! | `BACKFILL_CLI` | the command line's program |
//! | `BACKFILL_CHROMIUM`, `BACKFILL_FIREFOX` | the browsers |
//! | `BACKFILL_TRACES` | the folder of real logs, where there is one |
//! | `BACKFILL_SLURM` | 1 where a cluster of Slurm can be started |
//! | `BACKFILL_HYPERQUEUE` | a Python with HyperQueue's package, where there is one |
//! | `BACKFILL_PYTHON` | a Python with pandas and pyarrow, where there is one |
//! | `BACKFILL_WHEEL` | the Python package, where there is one |
//! | `BACKFILL_LONG`, `BACKFILL_WEBKIT` | with `--long`: 1, and WebKitGTK's browser |

use crate::features;
use crate::fuzz;
use crate::licence;
use crate::node;
use crate::package;
use crate::project::{Project, absolute};
use crate::published;
use crate::report::Report;
use crate::run::{cargo, lines, output, run};
use crate::select::{UNITS, pattern, select};
use crate::site;
use crate::system;
use crate::tally::Tally;
use crate::wasm;
use crate::wheel;
use anyhow::{Context, Result, bail};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// What the user asked for.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    /// Run the long tests too.
    pub(crate) long: bool,
    /// Let missing system packages be installed.
    pub(crate) install: bool,
}

/// The line by which a script of the page's tests asks for the whole machine.
const ALONE: &str = "\n// Alone:";

/// Runs every check; true if nothing failed.
pub(crate) fn check(project: &Project, options: Options) -> Result<bool> {
    components(project)?;
    let mut test = Test::new(project, options)?;
    test.find_browsers()?;
    let mut report = Report::default();

    report.step("rustfmt", || {
        simple(cargo(project).args(["fmt", "--all", "--check"]))
    });
    report.step("one set of features", || features::check(project));
    report.step("unit tests of the simulator and of experiments", || {
        let mut tally = Tally::default();
        for units in UNITS {
            tally += test.rust(units, None)?;
        }
        Ok(tally)
    });
    report.step("Rust tests", || {
        let mut tally = test.rust(
            &[
                "--workspace",
                "--exclude=backfill",
                "--exclude=xtask",
                "--exclude=backfill-sim",
                "--exclude=backfill-experiment",
            ],
            None,
        )?;
        let examples = [
            "--package=backfill-sim",
            "--package=backfill-experiment",
            "--doc",
        ];
        tally += test.rust(&examples, None)?;
        Ok(tally)
    });
    let modules = test.begin_modules();
    report.step("tests of the commands", || {
        test.rust(&["--package=xtask"], None)
    });
    report.step("tools of the command line's tests", || test.find_tools());
    report.step("tests of the command line", || {
        test.rust(&["--package=backfill"], None)
    });
    report.step("modules of the page, begun before", || {
        if let Some(mut modules) = modules {
            modules.wait()?;
        }
        Ok(Tally::default())
    });
    report.step("node packages", || {
        node::packages(project, node::Purpose::All)?;
        Ok(Tally::PASSED)
    });
    report.step("format and lint of scripts", || test.javascript());
    report.step("page", || {
        test.build_page()?;
        Ok(Tally::PASSED)
    });
    // The types of the core come with its module.
    report.step("types of the page", || test.types());
    report.step("page tests", || {
        let (alone, beside) = test.scripts()?;
        let mut tally = test.page(&beside, cores(), None)?;
        tally += test.page(&alone, 1, None)?;
        Ok(tally)
    });
    report.step("clippy", || test.clippy());
    report.step("rustdoc", || test.rustdoc());
    if options.long {
        report.step("fuzzing", || fuzz::check(project));
        report.step("the same module from another folder", || {
            wasm::reproduce(project, options.install)?;
            Ok(Tally::PASSED)
        });
    }
    report.step("crates for others", || published::check(project));
    report.step("licences", || licence::licences(project));
    report.step("rules and advisories for crates", || {
        licence::crates(project)
    });
    report.step("advisories for node packages", || {
        licence::module_advisories(project)
    });
    Ok(report.close())
}

/// Runs the tests whose name contains `name`, and builds only what these need; true if nothing
/// failed.
pub(crate) fn check_named(project: &Project, options: Options, name: &str) -> Result<bool> {
    let found = select(project, name)?;
    let mut test = Test::new(project, options)?;
    let mut report = Report::default();
    let is_page = !found.page.is_empty() || !found.whole.is_empty();
    if found.rust.is_empty() && !is_page {
        bail!(
            "no test has a name with `{name}`: `grep -rn '#\\[test\\]\\|test(' crate tests` lists all"
        );
    }
    for suite in found.rust {
        if suite.contains(&"--test=cli") {
            report.step("tools of the command line's tests", || test.find_tools());
        }
        report.step("Rust tests", || test.rust(suite, Some(name)));
    }
    if is_page {
        test.find_browsers()?;
        report.step("page", || {
            node::packages(project, node::Purpose::All)?;
            test.build_page()?;
            let scripts = found.page.iter().chain(&found.whole);
            let texts: Vec<_> = scripts.flat_map(fs::read_to_string).collect();
            let names = |part: &str| texts.iter().any(|text| text.contains(part));
            if names("commandLine") {
                run(cargo(project).args(["build", "--locked", "--package", "backfill"]))?;
            }
            if names("inWheel") {
                test.find_tools()?;
            }
            Ok(Tally::PASSED)
        });
        report.step("page tests", || {
            let mut tally = test.page(&found.page, cores(), Some(name))?;
            tally += test.page(&found.whole, 1, None)?;
            Ok(tally)
        });
    }
    Ok(report.close())
}

/// How many programs can run side by side.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// `cargo xtask bench`: the Rust benches, then each script of `tests/benches/`, which compare
/// wasm and the page with native.
pub(crate) fn bench(project: &Project, install: bool) -> Result<()> {
    let test = Test::with_page(project, install)?;
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
    let test = Test::with_page(project, install)?;
    let mut node = Command::new("node");
    node.arg(project.page_tests().join("tour.js"))
        .arg(project.root.join(".github"));
    run(test.with_environment(&mut node))
}

/// Adds the parts of the toolchain that the checks need.
fn components(project: &Project) -> Result<()> {
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if output(cargo(project).args([tool, "--version"])).is_none() {
            let line = format!("rustup component add {component}");
            println!("{component} is missing: {line}");
            run(Command::new("rustup").args(["component", "add", component]))
                .with_context(|| format!("{component} is missing: run `{line}`"))?;
        }
    }
    Ok(())
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

/// The variable with the seed of the random inputs of properties.
const SEED: &str = "PROPTEST_RNG_SEED";

/// The steps that run tests.
struct Test<'a> {
    project: &'a Project,
    options: Options,
    environment: Vec<(&'static str, OsString)>,
}

impl<'a> Test<'a> {
    /// Without anything that is built or installed.
    fn new(project: &'a Project, options: Options) -> Result<Test<'a>> {
        let mut environment = traces()?;
        if options.long {
            environment.push(("BACKFILL_LONG", "1".into()));
        } else if env::var_os(SEED).is_none() {
            // The same sources give the same verdict; `--long` tries other random inputs each time.
            environment.push((SEED, "1".into()));
        }
        Ok(Test {
            project,
            options,
            environment,
        })
    }

    /// With the page as it is now, and what drives it.
    fn with_page(project: &'a Project, install: bool) -> Result<Test<'a>> {
        let options = Options {
            long: false,
            install,
        };
        let mut test = Test::new(project, options)?;
        test.find_browsers()?;
        node::packages(project, node::Purpose::All)?;
        test.build_page()?;
        Ok(test)
    }

    /// Finds what drives the page, or installs it.
    fn find_browsers(&mut self) -> Result<()> {
        node::is_there()?;
        let (chromium, firefox) = system::browsers(self.options.install)?;
        self.environment
            .push(("BACKFILL_CHROMIUM", chromium.into()));
        self.environment.push(("BACKFILL_FIREFOX", firefox.into()));
        if self.options.long {
            let webkit = system::webkit(self.options.install)?;
            self.environment.push(("BACKFILL_WEBKIT", webkit.into()));
        }
        Ok(())
    }

    /// Finds what the tests of the command line work together with, and makes the Python package;
    /// tests skip themselves without.
    fn find_tools(&mut self) -> Result<Tally> {
        let (project, install) = (self.project, self.options.install);
        if system::slurm(install) {
            self.environment.push(("BACKFILL_SLURM", "1".into()));
        }
        let python = system::hyperqueue(&project.target.join("hyperqueue"), install);
        let python = python.map(|python| ("BACKFILL_HYPERQUEUE", python.into()));
        self.environment.extend(python);
        let Some(python) = system::data_frames(&project.data_frames(), install) else {
            return Ok(Tally::skipped("there is no Python with maturin"));
        };
        let wheel = wheel::build(project, &python, "dev", &project.target.join("wheel"))?;
        self.environment.push(("BACKFILL_PYTHON", python.into()));
        self.environment.push(("BACKFILL_WHEEL", wheel.into()));
        Ok(Tally::PASSED)
    }

    /// Begins to make the modules of the page and the npm package beside steps that leave a processor
    /// idle. It is silent: what fails in it fails again in [`Test::build_page`], and is said there.
    fn begin_modules(&self) -> Option<Child> {
        let install = self.options.install;
        // So that nothing is installed beside what the other steps install.
        wasm::find_route(install).ok()?;
        let mut package = Command::new(env::current_exe().ok()?);
        package.arg("package");
        package.args(install.then_some("--install"));
        package.stdout(Stdio::null()).stderr(Stdio::null());
        package.spawn().ok()
    }

    /// Builds the page as it is served here and as it is published, and the npm package.
    fn build_page(&self) -> Result<()> {
        wasm::build(self.project, self.options.install)?;
        site::assemble(self.project)?;
        site::publish(self.project, &self.dist())?;
        package::build(self.project)
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
            .env("BACKFILL_PACKAGE", self.project.npm_package())
            .env("BACKFILL_CLI", self.project.target.join("debug/backfill"))
            .envs(self.environment.iter().cloned())
    }

    fn clippy(&self) -> Result<Tally> {
        let mut command = cargo(self.project);
        command.args(["clippy", "--locked", "--workspace", "--all-targets"]);
        simple(command.args(["--", "-D", "warnings"]))
    }

    fn rustdoc(&self) -> Result<Tally> {
        let mut command = cargo(self.project);
        command.args(["doc", "--locked", "--workspace", "--no-deps"]);
        // Its readers are those who work on the code.
        command.arg("--document-private-items");
        let flags = "-D warnings -A rustdoc::private-intra-doc-links";
        simple(command.env("RUSTDOCFLAGS", flags))
    }

    /// Runs the Rust tests of some packages, or those of them whose name contains `name`.
    fn rust(&self, packages: &[&str], name: Option<&str>) -> Result<Tally> {
        let mut command = cargo(self.project);
        command.args(["test", "--locked", "--no-fail-fast"]);
        command.args(packages).args(name);
        command.args(["--", "--show-output"]);
        count(self.with_environment(&mut command), Tally::read_cargo)
    }

    /// Checks the scripts of each folder by the settings in the `biome.json` there.
    fn javascript(&self) -> Result<Tally> {
        let biome = self.project.package("@biomejs/biome/bin/biome");
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
                .arg(self.project.package("typescript/bin/tsc"))
                .arg("-p")
                .arg(self.project.page()),
        )
    }

    /// The scripts of the page's tests: those that need the whole machine, and the others.
    fn scripts(&self) -> Result<(Vec<PathBuf>, Vec<PathBuf>)> {
        let scripts = scripts(&self.project.page_tests(), ".test.js")?;
        let alone =
            |script: &PathBuf| fs::read_to_string(script).is_ok_and(|text| text.contains(ALONE));
        Ok(scripts.into_iter().partition(alone))
    }

    /// Runs scripts of the page's tests, so many at once, or those of their tests whose name
    /// contains `name`.
    fn page(&self, scripts: &[PathBuf], at_once: usize, name: Option<&str>) -> Result<Tally> {
        if scripts.is_empty() {
            return Ok(Tally::default());
        }
        let mut command = Command::new("node");
        command.args(["--test", "--test-reporter=spec", "--test-timeout=900000"]);
        command.arg(format!("--test-concurrency={at_once}"));
        if let Some(name) = name {
            command.arg(format!("--test-name-pattern={}", pattern(name)));
        }
        count(
            self.with_environment(command.args(scripts)),
            Tally::read_node,
        )
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
