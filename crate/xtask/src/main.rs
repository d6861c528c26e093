//! The project's commands: `cargo xtask play` shows the page, `cargo xtask test` runs every check.
//!
//! `main` reads the arguments; [`wasm`] builds the module, [`arrange`] has it compress well, [`split`]
//! takes out what a first visit does not call, [`site`] puts the page together around it, [`serve`]
//! gives it to a browser, [`size`] says what the module consists of, [`wheel`] makes the Python package
//! and [`package`] that for npm, [`check`] tests it all, [`select`] finds tests by name, and [`fuzz`]
//! tries random inputs.

// These commands talk to the person who ran them.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod arrange;
mod check;
mod features;
mod fuzz;
mod licence;
mod node;
mod package;
mod project;
mod published;
mod report;
mod run;
mod select;
mod serve;
mod site;
mod size;
mod split;
mod stamp;
mod system;
mod tally;
mod wasm;
mod wheel;

use anyhow::Result;
use clap::{Parser, Subcommand};
use project::Project;
use std::process::ExitCode;
use std::thread;

/// Backfill's project commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build the page and serve it on this machine, anew after each change of it.
    Play {
        /// Port of 127.0.0.1; a free one by default.
        #[arg(long, default_value_t = 0)]
        port: u16,
        /// Let missing system packages be installed.
        #[arg(long)]
        install: bool,
    },
    /// Run every check, or only the tests of a name.
    Test {
        /// Run the long tests too.
        #[arg(long)]
        long: bool,
        /// Let missing system packages be installed.
        #[arg(long)]
        install: bool,
        /// Run only the tests whose name contains this, and build only what they need.
        name: Option<String>,
    },
    /// List the largest functions of the page's module.
    Size {
        /// How many of them.
        #[arg(long, default_value_t = 40)]
        functions: usize,
        /// Let missing system packages be installed.
        #[arg(long)]
        install: bool,
    },
    /// Try what must hold of any input on random ones.
    Fuzz {
        /// That target alone; all by default.
        target: Option<String>,
        /// How long each is tried.
        #[arg(long, default_value_t = 1.0)]
        minutes: f64,
        /// Do not look at what inputs reach: several times as many in that time.
        #[arg(long)]
        plain: bool,
        /// The same in Node, by the targets as a wasm module.
        #[arg(long)]
        wasm: bool,
    },
    /// Make the module of the page once more, in another folder: it must be the same bytes.
    Reproduce {
        /// Let missing system packages be installed.
        #[arg(long)]
        install: bool,
    },
    /// Measure speed, natively and in wasm.
    Bench {
        /// Let missing system packages be installed.
        #[arg(long)]
        install: bool,
    },
    /// Make the pictures of the README again.
    Tour {
        /// Let missing system packages be installed.
        #[arg(long)]
        install: bool,
    },
    /// Write the npm package of the core, and its archive, to `package/` in the build folder.
    Package {
        /// Let missing system packages be installed.
        #[arg(long)]
        install: bool,
    },
    /// Write the page as it is published, and the npm and Python packages, to `dist/`.
    Dist {
        /// Let missing system packages be installed.
        #[arg(long)]
        install: bool,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs `command`; false if it found something wrong and said so.
fn run(command: Command) -> Result<bool> {
    let project = Project::here();
    match command {
        Command::Play { port, install } => {
            node::is_there()?;
            // What npm brings comes meanwhile.
            thread::scope(|scope| {
                let packages = scope.spawn(|| node::packages(&project, node::Purpose::Page));
                wasm::build(&project, install)?;
                packages.join().expect("it does not panic")
            })?;
            let site = site::assemble(&project)?;
            serve::serve(&site, port, &site::watch(project))?;
        }
        Command::Test {
            long,
            install,
            name,
        } => {
            let options = check::Options { long, install };
            return match name {
                Some(name) => check::check_named(&project, options, &name),
                None => check::check(&project, options),
            };
        }
        Command::Size { functions, install } => {
            let module = wasm::compile(&project, install)?;
            print!("{}", size::of(&std::fs::read(module)?, functions)?);
        }
        Command::Fuzz {
            target,
            minutes,
            plain,
            wasm,
        } => {
            let options = fuzz::Options {
                target,
                minutes,
                plain,
                wasm,
            };
            fuzz::fuzz(&project, &options)?;
        }
        Command::Bench { install } => check::bench(&project, install)?,
        Command::Tour { install } => check::tour(&project, install)?,
        Command::Reproduce { install } => {
            node::is_there()?;
            wasm::build(&project, install)?;
            wasm::reproduce(&project, install)?;
            println!("the module is the same bytes");
        }
        Command::Package { install } => {
            node::is_there()?;
            wasm::build(&project, install)?;
            package::build(&project)?;
            println!("wrote {}", project.npm_package().display());
        }
        Command::Dist { install } => {
            node::is_there()?;
            wasm::build(&project, install)?;
            site::publish(&project, &project.dist())?;
            println!("wrote {}", package::publish(&project)?.display());
            match system::data_frames(&project.data_frames(), install) {
                Some(python) => {
                    let wheel = wheel::build(&project, &python, "release", &project.dist())?;
                    println!("wrote {}", wheel.display());
                }
                None => println!("skipped: the Python package, as there is no Python with maturin"),
            }
        }
    }
    Ok(true)
}
