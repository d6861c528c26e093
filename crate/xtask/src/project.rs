//! Where the project's files are.

use std::env;
use std::path::{Path, PathBuf};

/// The folders that commands read and write.
pub(crate) struct Project {
    /// The workspace's own folder.
    pub(crate) root: PathBuf,
    /// Cargo's build folder, which also holds everything else that can be made again.
    pub(crate) target: PathBuf,
}

impl Project {
    /// The project that this program was started from.
    pub(crate) fn here() -> Project {
        let package = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = package
            .ancestors()
            .nth(2)
            .expect("xtask lies in crate/xtask")
            .to_path_buf();
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(folder) => absolute(Path::new(&folder)),
            None => root.join("target"),
        };
        Project { root, target }
    }

    /// The page's sources and its build script, with the generated module in `pkg/`.
    pub(crate) fn page(&self) -> PathBuf {
        self.root.join("www")
    }

    /// The module of the page: `backfill_web.js`, its types and `backfill_web_bg.wasm`.
    pub(crate) fn page_module(&self) -> PathBuf {
        self.page().join("pkg")
    }

    /// What finds out what a first visit calls of the core.
    pub(crate) fn visit(&self) -> PathBuf {
        self.page().join("visit.mjs")
    }

    /// The module that judges claims in the page: `backfill_claims.js`, its types and
    /// `backfill_claims_bg.wasm`.
    pub(crate) fn claims_module(&self) -> PathBuf {
        self.page().join("pkg-claims")
    }

    /// The types of what crosses to the module of the page.
    pub(crate) fn boundary(&self) -> PathBuf {
        self.root.join("crate/web/src/boundary.d.ts")
    }

    /// The module of the page for Node: `backfill_web.js` and `backfill_web_bg.wasm`.
    pub(crate) fn node_module(&self) -> PathBuf {
        self.target.join("node-pkg")
    }

    /// The module of what is built into the page, for Node: `backfill_bake.js`.
    pub(crate) fn baker(&self) -> PathBuf {
        self.target.join("bake-pkg")
    }

    /// The npm package of the core, and its archive.
    pub(crate) fn npm_package(&self) -> PathBuf {
        self.target.join("package")
    }

    /// What a step that makes `name` was given when it was last done.
    pub(crate) fn stamp(&self, name: &str) -> PathBuf {
        self.target.join("stamps").join(name)
    }

    /// The assembled page that `play` and the page's tests use.
    pub(crate) fn site(&self) -> PathBuf {
        self.target.join("site")
    }

    /// Which packages build the page and drive its tests.
    pub(crate) fn lock_file(&self) -> PathBuf {
        self.root.join("package-lock.json")
    }

    /// The program of a package, to be started by Node.
    pub(crate) fn package(&self, program: &str) -> PathBuf {
        self.root.join("node_modules").join(program)
    }

    /// The tests in real browsers.
    pub(crate) fn page_tests(&self) -> PathBuf {
        self.root.join("tests/page")
    }

    /// The curves of the papers' figures that are on file.
    pub(crate) fn curves(&self) -> PathBuf {
        self.root.join("tests/golden/curves.txt")
    }

    /// The digests of what links to the papers' figures open that are on file.
    pub(crate) fn digests(&self) -> PathBuf {
        self.root.join("tests/golden/figure-digests.txt")
    }

    /// The verdicts on the papers' claims that are on file.
    pub(crate) fn verdicts(&self) -> PathBuf {
        self.root.join("tests/golden/claims.txt")
    }

    /// Which crates may be part of the project.
    pub(crate) fn crate_rules(&self) -> PathBuf {
        self.root.join(".cargo/deny.toml")
    }

    /// What changed from version to version.
    pub(crate) fn changes(&self) -> PathBuf {
        self.root.join(".github/CHANGELOG.md")
    }

    /// A Python with what reads tables and makes the Python package, where there is one.
    pub(crate) fn data_frames(&self) -> PathBuf {
        self.target.join("data-frames")
    }

    /// The Python package.
    pub(crate) fn python(&self) -> PathBuf {
        self.root.join("crate/python")
    }

    /// The page as it is published.
    pub(crate) fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }
}

/// `path` seen from the folder that the command was started in.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
