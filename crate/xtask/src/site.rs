//! The page as files: what the browser gets from `www/`, in one folder.
//!
//! `assemble` makes the plain folder that `play` and the tests use. `publish` makes of it what a
//! host gets: the pages, the service worker, the web manifest, the schemas of scenarios and results
//! and `manifest.json` at the top, everything else under its own name in one folder named by a hash
//! of all contents. So scripts and module always come from one build, and a host may keep the folder
//! of the release before. The service worker is told the release, which a browser then keeps as a
//! whole. Scripts and style sheets go without the lines that hold nothing but comments, and scripts
//! without types. Each page names the scripts that its own imports, so that a browser asks for all
//! of them at once and not for those that it finds in what it got.
//!
//! The playground stands there a second time under the name of its version, which is what links
//! name the core by that made their digest: a host that keeps that page and its folder can show any
//! link's result as it was made.

use crate::node;
use crate::project::Project;
use crate::stamp;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

const PLAYGROUND: &str = "index.html";
const PAPERS: &str = "papers.html";
const CHANGES: &str = "changes.html";

/// What visitors' addresses name, so that it stays where it is.
const PAGES: [&str; 3] = [PLAYGROUND, PAPERS, CHANGES];

/// What scenarios and results look like: for other programs, which name them by their addresses.
const SCHEMAS: [&str; 2] = ["scenario.schema.json", "result.schema.json"];

/// The version of the core that a release has.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Its scope is the folder it lies in.
const SERVICE_WORKER: &str = "sw.js";

/// Its addresses begin at the folder it lies in.
const WEB_MANIFEST: &str = "backfill.webmanifest";

/// The line of the service worker that knows no release.
const NO_RELEASE: &str = "const RELEASE = { folder: '', pages: [], files: [] };";

/// Copies the page to its folder under the build folder, with what is built into it; returns that
/// folder. It is left as it is while nothing changed.
pub(crate) fn assemble(project: &Project) -> Result<PathBuf> {
    let (from, to) = (project.page(), project.site());
    let (baker, verdicts, changes) = (project.baker(), project.verdicts(), project.changes());
    let inputs = [&from, &baker, &verdicts, &changes].map(PathBuf::as_path);
    stamp::unless_fresh(&project.stamp("site"), &inputs, &[&to], || {
        empty(&to)?;
        for file in files(&from)? {
            if is_for_the_browser(&file) {
                copy(&from, &to, &file)?;
            }
        }
        let baked = node::baked(project, [&verdicts, &changes])?;
        let baked: Value = serde_json::from_str(&baked)?;
        for name in PAGES {
            let page = fs::read_to_string(from.join(name))
                .with_context(|| format!("cannot read www/{name}"))?;
            let page = apply(name, &page, &baked["pages"][name])?;
            fs::write(to.join(name), preload(&page, &to)?)?;
        }
        for name in SCHEMAS {
            let schema = baked["files"][name].as_str();
            fs::write(to.join(name), schema.context("a schema is a text")?)?;
        }
        Ok(())
    })?;
    Ok(to)
}

/// `page`, of that name, with each marker such as `<!-- baked:table -->` replaced by the HTML of
/// that name.
///
/// # Errors
/// Something baked has no marker in the page.
fn apply(name: &str, page: &str, baked: &Value) -> Result<String> {
    let mut page = page.to_owned();
    for (place, html) in baked.as_object().into_iter().flatten() {
        let marker = format!("<!-- baked:{place} -->");
        if !page.contains(&marker) {
            bail!("www/{name} has no place for what is baked: add `{marker}`");
        }
        page = page.replace(&marker, html.as_str().unwrap_or_default());
    }
    Ok(page)
}

/// What stands before the name of a page's script, and after it.
const SCRIPT: [&str; 2] = ["<script type=\"module\" src=\"./", "\"></script>"];

/// `page` with a link before its script to each script of `site` that the page cannot begin without.
fn preload(page: &str, site: &Path) -> Result<String> {
    let [open, close] = SCRIPT;
    let (before, rest) = page
        .split_once(open)
        .with_context(|| format!("a page has no `{open}`"))?;
    let (script, _) = rest
        .split_once(close)
        .with_context(|| format!("a page's `{open}` has no `{close}`"))?;
    let mut found = vec![PathBuf::from(script)];
    let mut read = 0;
    while let Some(script) = found.get(read) {
        let text = fs::read_to_string(site.join(script))
            .with_context(|| format!("cannot read the script {}", script.display()))?;
        for import in imports(&text) {
            let folder = found[read].parent().unwrap_or(Path::new(""));
            let import = plain(&folder.join(import));
            if !found.contains(&import) {
                found.push(import);
            }
        }
        read += 1;
    }
    let links = found.iter().skip(1).map(|script| {
        let script = script.to_string_lossy().replace('\\', "/");
        format!("<link rel=\"modulepreload\" href=\"./{script}\">\n")
    });
    let links: String = links.collect();
    Ok(format!("{before}{links}{}", &page[before.len()..]))
}

/// The files that a script imports before it begins, as it names them.
fn imports(script: &str) -> impl Iterator<Item = &str> {
    script.lines().filter_map(|line| {
        let begins = ["import ", "export ", "} from "];
        let (_, name) = line.rsplit_once(" from '")?;
        let statement = begins.iter().any(|begin| line.starts_with(begin));
        statement.then(|| name.strip_suffix("';"))?
    })
}

/// `path` without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            _ => plain.push(part),
        }
    }
    plain
}

/// Writes the assembled `site` to the folder `dist` as it is published.
pub(crate) fn publish(site: &Path, dist: &Path) -> Result<()> {
    let all: Vec<_> = files(site)?
        .into_iter()
        .map(|name| name.to_string_lossy().replace('\\', "/"))
        .collect();
    let mut hash = FNV_START;
    for name in &all {
        hash = fnv(hash, name.as_bytes());
        hash = fnv(hash, &published(site, name)?);
    }
    let is_on_top = |name: &String| {
        let beside = [SERVICE_WORKER, WEB_MANIFEST];
        let mut top = PAGES.iter().chain(&SCHEMAS).chain(&beside);
        top.any(|file| name == file)
    };
    let names: Vec<_> = all.into_iter().filter(|name| !is_on_top(name)).collect();
    let folder = format!("{hash:016x}");

    empty(dist)?;
    for page in PAGES {
        let text = fs::read_to_string(site.join(page))?;
        let text = point_into(&folder, &text, &names).with_context(|| format!("www/{page}"))?;
        fs::write(dist.join(page), &text)?;
        if page == PLAYGROUND {
            fs::write(dist.join(of_version(VERSION)), &text)?;
        }
    }
    for schema in SCHEMAS {
        fs::copy(site.join(schema), dist.join(schema))?;
    }
    let web_manifest = fs::read_to_string(site.join(WEB_MANIFEST))?;
    let web_manifest = web_manifest.replace("\"./icon", &format!("\"./{folder}/icon"));
    fs::write(dist.join(WEB_MANIFEST), web_manifest)?;
    let service_worker = without_comments(&fs::read_to_string(site.join(SERVICE_WORKER))?);
    fs::write(
        dist.join(SERVICE_WORKER),
        tell_release(&service_worker, &folder, &names)?,
    )?;
    for name in &names {
        let target = dist.join(&folder).join(name);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&target, published(site, name)?)
            .with_context(|| format!("cannot write {}", target.display()))?;
    }
    let manifest = serde_json::json!({ "version": VERSION, "folder": folder, "files": names });
    fs::write(dist.join("manifest.json"), format!("{manifest:#}\n"))?;
    println!("wrote {} (release {folder})", dist.display());
    Ok(())
}

/// The bytes of a file of `site` as a host gets them.
fn published(site: &Path, name: &str) -> Result<Vec<u8>> {
    let bytes = fs::read(site.join(name))?;
    if !name.ends_with(".js") && !name.ends_with(".css") {
        return Ok(bytes);
    }
    let text = String::from_utf8(bytes).with_context(|| format!("{name} is no text"))?;
    Ok(without_comments(&text).into_bytes())
}

/// A comment that gives the type of what follows it in its line.
const TYPE: &str = "/** @type {";

/// `script`, or a style sheet, without the lines that hold nothing but a comment, and without types:
/// visitors load what authors read there. Lines of a template stay as they are.
fn without_comments(script: &str) -> String {
    let mut kept = String::new();
    let (mut in_comment, mut in_template) = (false, false);
    for line in script.lines() {
        let text = line.trim();
        if in_comment {
            if let Some((_, code)) = text.split_once("*/") {
                in_comment = false;
                if !code.is_empty() {
                    kept += code;
                    kept.push('\n');
                }
            }
            continue;
        }
        if !in_template {
            if text.starts_with("//") {
                continue;
            }
            if text.starts_with("/*") {
                in_comment = !text.contains("*/");
                if in_comment || text.ends_with("*/") {
                    continue;
                }
            }
        }
        in_template ^= line.matches('`').count() % 2 == 1;
        kept += &without_types(line);
        kept.push('\n');
    }
    kept
}

/// A line without the types in it.
fn without_types(line: &str) -> String {
    let mut parts = line.split(TYPE);
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once("*/") {
            Some((_, code)) => kept += code.strip_prefix(' ').unwrap_or(code),
            None => kept = kept + TYPE + part,
        }
    }
    kept
}

/// The page of a version of the core; `www/link.js` looks for it by this name.
fn of_version(version: &str) -> String {
    format!("v{version}.html")
}

/// `service_worker` with the release that it is to keep: the files `names` in `folder` and what
/// lies beside it.
fn tell_release(service_worker: &str, folder: &str, names: &[String]) -> Result<String> {
    if !service_worker.contains(NO_RELEASE) {
        bail!("www/{SERVICE_WORKER} has no line `{NO_RELEASE}`, which takes the release");
    }
    // Hosts serve the playground under the name of its folder.
    let pages = ["./", PAPERS, CHANGES];
    let beside = pages.iter().chain(&PAGES).chain(&[WEB_MANIFEST]);
    let inside = names.iter().map(|name| format!("{folder}/{name}"));
    let files: BTreeSet<_> = beside
        .map(|name| (*name).to_owned())
        .chain(inside)
        .collect();
    let release = serde_json::json!({ "folder": folder, "pages": pages, "files": files });
    Ok(service_worker.replace(NO_RELEASE, &format!("const RELEASE = {release};")))
}

/// `page` with its links to the files `names` leading into `folder`.
fn point_into(folder: &str, page: &str, names: &[String]) -> Result<String> {
    let mut page = page.to_owned();
    for attribute in ["href", "src"] {
        for name in names {
            page = page.replace(
                &format!("{attribute}=\"./{name}\""),
                &format!("{attribute}=\"./{folder}/{name}\""),
            );
        }
        let inside = format!("./{folder}/");
        let start = format!("{attribute}=\"");
        for link in page.split(&start).skip(1) {
            let link = link.split('"').next().unwrap_or_default();
            let file = link.split('#').next().unwrap_or_default();
            let page = PAGES
                .iter()
                .any(|page| file.strip_prefix("./") == Some(page));
            let elsewhere = page
                || file.strip_prefix("./") == Some(WEB_MANIFEST)
                || matches!(file, "" | "./")
                || file.contains(':');
            if !elsewhere && !file.starts_with(&inside) {
                bail!("links to `{link}`: write a link to a file of the page as `./NAME`");
            }
        }
    }
    Ok(page)
}

/// The settings of the checks that lie beside the page.
const SETTINGS: [&str; 2] = ["tsconfig.json", "biome.json"];

/// Types and settings are for the checks alone.
fn is_for_the_browser(file: &Path) -> bool {
    let is_type = file.extension().is_some_and(|extension| extension == "ts");
    let is_setting = file
        .file_name()
        .is_some_and(|name| SETTINGS.iter().any(|setting| name == *setting));
    !is_type && !is_setting
}

/// All files under `folder`, relative to it, in order.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(inner) = folders.pop() {
        let here = folder.join(&inner);
        let entries =
            fs::read_dir(&here).with_context(|| format!("cannot read {}", here.display()))?;
        for entry in entries {
            let entry = entry?;
            let name = inner.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                folders.push(name);
            } else {
                found.push(name);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

fn copy(from: &Path, to: &Path, file: &Path) -> Result<()> {
    let target = to.join(file);
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from.join(file), &target)
        .with_context(|| format!("cannot write {}", target.display()))?;
    Ok(())
}

/// FNV-1a, 64 bits (Fowler, Noll and Vo): names a release, guards nothing.
const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_marker_is_replaced() {
        let baked = serde_json::json!({ "digest": "<b>1f</b>", "table": "" });
        let page = "<p><!-- baked:digest --></p><!-- baked:table --><i><!-- baked:digest --></i>";
        assert_eq!(
            apply("index.html", page, &baked).unwrap(),
            "<p><b>1f</b></p><i><b>1f</b></i>"
        );
    }

    #[test]
    fn a_missing_marker_is_named() {
        let baked = serde_json::json!({ "table": "" });
        let error = apply("index.html", "<p></p>", &baked)
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            "www/index.html has no place for what is baked: add `<!-- baked:table -->`"
        );
    }

    #[test]
    fn links_lead_into_the_releases_folder() {
        let names = ["main.js".to_owned(), "style.css".to_owned()];
        let between = "<a href=\"#top\"><a href=\"./\"><a href=\"./#v1?k=4\">\
                       <a href=\"./papers.html#fig4\"><a href=\"https://example.org/\">";
        let page = |folder| {
            format!(
                "<link href=\"./{folder}style.css\">{between}<script src=\"./{folder}main.js\">"
            )
        };
        assert_eq!(point_into("1f", &page(""), &names).unwrap(), page("1f/"));
    }

    #[test]
    fn a_script_is_imported_before_its_page_begins() {
        let script = "import { a } from './a.js';\nimport {\n  b,\n} from '../b.js';\n/** @typedef \
                      {import('./c.js').C} C */\nexport { d } from './view/d.js';\nawait import('./e.js');\n\
                      const f = 'text from \'./f.js\'';\n";
        let found: Vec<_> = imports(script).collect();
        assert_eq!(found, ["./a.js", "../b.js", "./view/d.js"]);
        assert_eq!(plain(Path::new("view/.././b.js")), Path::new("b.js"));
    }

    #[test]
    fn lines_that_are_comments_are_left_out() {
        let script = "/**\n * What.\n */\nlet a = 1; // stays\n  // goes\n/** @type {X} */\nlet b =\n  \
                      /** @type {Y} */ (a);\nconst c = `\n// stays\n`;\nlet d =\n  /** @type {Y |\n   * Z} */ (a);\n";
        assert_eq!(
            without_comments(script),
            "let a = 1; // stays\nlet b =\n  (a);\nconst c = `\n// stays\n`;\nlet d =\n (a);\n"
        );
    }

    #[test]
    fn types_are_left_out_of_their_lines() {
        assert_eq!(
            without_comments("const f = (/** @type {A & {b: C}} */ a, /** @type {D} */ e) => a;\n"),
            "const f = (a, e) => a;\n"
        );
        assert_eq!(
            without_comments("/* Colours. */\n.a { color: red; }\n"),
            ".a { color: red; }\n"
        );
    }

    #[test]
    fn the_service_worker_is_told_every_file_of_the_release() {
        let names = ["main.js".to_owned()];
        let told = tell_release(&format!("a\n{NO_RELEASE}\nb"), "1f", &names).unwrap();
        assert_eq!(
            told,
            "a\nconst RELEASE = {\"files\":[\"./\",\"1f/main.js\",\"backfill.webmanifest\",\"changes.html\",\
             \"index.html\",\"papers.html\"],\"folder\":\"1f\",\"pages\":[\"./\",\"papers.html\",\"changes.html\"]};\nb"
        );
        let error = tell_release("no such line", "1f", &names).unwrap_err();
        assert!(error.to_string().contains("sw.js"), "{error}");
    }

    #[test]
    fn a_link_to_nothing_is_refused() {
        let error = point_into("1f", "<script src=\"gone.js\">", &[]).unwrap_err();
        assert!(error.to_string().contains("`gone.js`"), "{error}");
    }
}
