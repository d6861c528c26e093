//! The wasm build: compile the modules of the page and that of what is built into it, and write the
//! JavaScript around them.
//!
//! The target's standard library comes from one of two places. Rustup has it ready-made; Debian
//! ships its sources, and cargo compiles them along. Each route has a build folder of its own, so
//! that neither undoes the other's work. Their modules differ in bytes and agree in every result.
//!
//! The version of wasm-bindgen's command line is the one in `Cargo.lock`: it is linked into this
//! program.

use crate::arrange;
use crate::node;
use crate::project::Project;
use crate::run::{cargo, find, output, run};
use crate::split::{self, Parts};
use crate::stamp;
use crate::system;
use anyhow::{Context, Result, anyhow, bail};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";
/// A module and the JavaScript around it.
const SCRIPT: &str = "backfill_web.js";
const MODULE: &str = "backfill_web_bg.wasm";
/// The part of the page's module that a first visit does not call.
const REST: &str = "backfill_web_rest.wasm";
const DEBIAN_PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-19"];

/// Where the target's standard library comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route {
    /// Ready-made, beside the compiler in use.
    Rustup,
    /// Compiled from Debian's sources by Debian's compiler.
    Debian,
}

/// Builds the modules of the page, fetching the wasm target where it is missing, and has the module of
/// what is built into the page compute it. What did not change since is not made again.
pub(crate) fn build(project: &Project, install: bool) -> Result<()> {
    let module = compile(project, install)?;
    thread::scope(|scope| {
        let baked = scope.spawn(|| {
            bind_others(project, &module)?;
            node::baked(project)
        });
        bind_core(project, &module)?;
        baked.join().expect("it does not panic")?;
        Ok(())
    })
}

/// Makes the module of the page, in two parts, and the whole one of Node and the npm package, of the
/// core as it was compiled.
fn bind_core(project: &Project, module: &Path) -> Result<()> {
    let (page, node) = (project.page_module(), project.node_module());
    let visit = project.visit();
    stamp::unless_fresh(
        &project.stamp("module"),
        &[module, &visit],
        &[&page, &node],
        || {
            bind(module, &page, |bindgen| bindgen.web(true))?;
            let bound = fs::read(page.join(MODULE))?;
            fs::create_dir_all(&node)?;
            fs::copy(page.join(SCRIPT), node.join(SCRIPT))?;
            take_as(&node, "module")?;
            let ((whole, places), called) = thread::scope(|scope| {
                let arranged = scope.spawn(|| arrange::arrange(&bound));
                let watched = project.target.join("watched.wasm");
                fs::write(&watched, split::watch(&bound)?)?;
                let called = node::visit(&visit, &node.join(SCRIPT), &watched)?;
                anyhow::Ok((arranged.join().expect("it does not panic")?, called))
            })?;
            fs::write(node.join(MODULE), &whole)?;
            let called = called.iter().map(|&function| places[function]).collect();
            let Parts { first, rest } = split::split(&whole, &called)?;
            fs::write(page.join(MODULE), first)?;
            fs::write(page.join(REST), rest)?;
            Ok(())
        },
    )
}

/// Makes the modules of claims and of what is built into the page, compiled beside the core.
fn bind_others(project: &Project, core: &Path) -> Result<()> {
    let claims = core.with_file_name("backfill_claims.wasm");
    let folder = project.claims_module();
    stamp::unless_fresh(&project.stamp("claims"), &[&claims], &[&folder], || {
        bind(&claims, &folder, |bindgen| bindgen.web(true))
    })?;
    let baker = core.with_file_name("backfill_bake.wasm");
    let folder = project.baker();
    stamp::unless_fresh(&project.stamp("baker"), &[&baker], &[&folder], || {
        bind(&baker, &folder, |bindgen| bindgen.nodejs(true))?;
        take_as(&folder, "commonjs")
    })
}

/// Compiles all modules; returns the one of the core as the compiler leaves it, with its names.
pub(crate) fn compile(project: &Project, install: bool) -> Result<PathBuf> {
    let route = find_route(install)?;
    println!("building the wasm module");
    run(command(project, route, "build")
        .args(["--profile", "module", "--package", "backfill-web"])
        .args(["--package", "backfill-claims", "--package", "backfill-bake"]))?;
    let built = target_folder(project, route).join(TARGET);
    Ok(built.join("module/backfill_web.wasm"))
}

/// Builds the targets of `cargo xtask fuzz` as a module for Node; returns its script.
pub(crate) fn build_targets(project: &Project) -> Result<PathBuf> {
    let route = find_route(false)?;
    run(command(project, route, "build")
        .args(["--profile", "fuzz", "--package", "backfill-fuzz"])
        .args(["--example", "within", "--features", "wasm"]))?;
    let built = target_folder(project, route).join(TARGET);
    let folder = project.target.join("fuzz/within");
    bind(
        &built.join("fuzz/examples/within.wasm"),
        &folder,
        |bindgen| bindgen.nodejs(true),
    )?;
    take_as(&folder, "commonjs")?;
    Ok(folder.join("within.js"))
}

/// Has Node take the scripts in `folder` as this kind of module, whatever a package.json further up
/// says.
fn take_as(folder: &Path, kind: &str) -> Result<()> {
    let package = format!("{{\"type\":\"{kind}\"}}\n");
    Ok(fs::write(folder.join("package.json"), package)?)
}

/// Makes the module of the published page once more, from nothing and in another folder: its parts must
/// be those at hand, byte by byte.
pub(crate) fn reproduce(project: &Project, install: bool) -> Result<()> {
    let folder = project.target.join("reproduced");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let again = Project {
        root: folder.join("elsewhere"),
        target: folder.join("target"),
    };
    copy_sources(project, &again.root)?;
    build(&again, install)?;
    for part in [MODULE, REST] {
        let [at_hand, again] = [project, &again].map(|project| project.page_module().join(part));
        if fs::read(&again)? != fs::read(&at_hand)? {
            bail!("{} and {} differ", at_hand.display(), again.display());
        }
    }
    fs::remove_dir_all(folder)?;
    Ok(())
}

/// Copies the files that belong to the project, as they are now.
fn copy_sources(project: &Project, folder: &Path) -> Result<()> {
    let mut list = Command::new("git");
    list.args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ])
    .current_dir(&project.root);
    let files = output(&mut list).context("`git ls-files` failed: is this a clone?")?;
    for file in files.split_terminator('\0') {
        let (from, to) = (project.root.join(file), folder.join(file));
        // One that was removed is still listed until that is committed.
        if from.is_file() {
            fs::create_dir_all(to.parent().context("a file lies in a folder")?)?;
            fs::copy(from, to)?;
        }
    }
    Ok(())
}

/// Cargo's `subcommand` for the wasm target.
pub(crate) fn command(project: &Project, route: Route, subcommand: &str) -> Command {
    let mut command = match route {
        Route::Rustup => cargo(project),
        Route::Debian => {
            let mut command = Command::new("/usr/bin/cargo");
            let path = env::var_os("PATH").unwrap_or_default();
            let path = env::join_paths(
                std::iter::once(PathBuf::from("/usr/bin")).chain(env::split_paths(&path)),
            );
            command
                .current_dir(&project.root)
                .env("PATH", path.unwrap_or_else(|_| "/usr/bin".into()))
                .env("RUSTC", "/usr/bin/rustc")
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld-19");
            command
        }
    };
    command
        // These would replace the flags that the project sets for this target.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("CARGO_BUILD_TARGET")
        .args([subcommand, "--locked", "--target", TARGET, "--target-dir"])
        .arg(target_folder(project, route))
        .args(["--config", &remap(project)]);
    if route == Route::Debian {
        command.args(["-Z", "build-std=std,panic_abort"]);
    }
    command
}

/// Finds the way to build for the target, adding what is missing.
pub(crate) fn find_route(install: bool) -> Result<Route> {
    if has_target() {
        return Ok(Route::Rustup);
    }
    if find(&["rustup"]).is_some() {
        println!("adding the wasm target: rustup target add {TARGET}");
        let mut command = Command::new("rustup");
        command.args(["target", "add", TARGET]);
        if run(&mut command).is_ok() && has_target() {
            return Ok(Route::Rustup);
        }
    }
    if !has_debian_packages() {
        let purpose = format!(
            "the wasm build: `rustup target add {TARGET}` did not work here, and the other way"
        );
        system::install(&purpose, &DEBIAN_PACKAGES, install)?;
    }
    if !has_debian_packages() {
        bail!(
            "the wasm target is missing: run `rustup target add {TARGET}`, or on Debian `apt-get install {}`",
            DEBIAN_PACKAGES.join(" ")
        );
    }
    Ok(Route::Debian)
}

fn has_target() -> bool {
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(compiler);
    command.args(["--print", "target-libdir", "--target", TARGET]);
    output(&mut command).is_some_and(|folder| Path::new(&folder).is_dir())
}

fn has_debian_packages() -> bool {
    ["/usr/bin/cargo", "/usr/bin/rustc", "/usr/bin/wasm-ld-19"]
        .iter()
        .all(|file| Path::new(file).exists())
        && output(Command::new("/usr/bin/rustc").args(["--print", "sysroot"])).is_some_and(|root| {
            Path::new(&root)
                .join("lib/rustlib/src/rust/library/std")
                .is_dir()
        })
}

fn target_folder(project: &Project, route: Route) -> PathBuf {
    project.target.join(match route {
        Route::Rustup => "wasm-rustup",
        Route::Debian => "wasm-debian",
    })
}

/// A setting that takes this machine's folders out of the module: it is the same wherever it is
/// built.
fn remap(project: &Project) -> String {
    let cargo_home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(env::home_dir()?.join(".cargo")));
    let mut flags = vec![format!(
        "--remap-path-prefix={}=backfill",
        project.root.display()
    )];
    if let Some(home) = cargo_home {
        flags.push(format!("--remap-path-prefix={}=cargo", home.display()));
    }
    let flags: Vec<_> = flags.iter().map(|flag| format!("{flag:?}")).collect();
    format!("target.{TARGET}.rustflags=[{}]", flags.join(", "))
}

fn bind(
    module: &Path,
    folder: &Path,
    kind: impl FnOnce(&mut Bindgen) -> Result<&mut Bindgen>,
) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(module)
        .typescript(true)
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true);
    kind(&mut bindgen)?;
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    bindgen
        .generate(folder)
        .map_err(|error| anyhow!("{error:#}"))
        .with_context(|| format!("cannot write the module to {}", folder.display()))
}
