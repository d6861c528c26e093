//! The page of what changed from version to version, from the change log.
//!
//! The log is Markdown of the simplest kind: a title, paragraphs, a heading `##` for each version
//! and `###` for what its entries are about, entries that begin with `- `, and names between
//! backticks. Lines that follow belong to what they follow. Its text is escaped, so that it is
//! never HTML.

use crate::bake::{Baked, escaped};
use anyhow::{Result, ensure};
use std::fmt::Write as _;

/// The change log as the content of its page.
///
/// # Errors
/// The log is not of that kind, or does not begin with `version`.
pub(crate) fn page(log: &str, version: &str) -> Result<Baked> {
    let newest = log.lines().find_map(|line| line.strip_prefix("## "));
    ensure!(
        newest == Some(version),
        "it begins with {} and this is {version}: say what changed under `## {version}`",
        newest.unwrap_or("no version")
    );
    let mut html = String::new();
    for block in blocks(log) {
        let (name, text) = match block.split_once(' ') {
            Some(("#", _)) => continue,
            Some(("##", text)) => ("h2", text),
            Some(("###", text)) => ("h3", text),
            Some(("-", text)) => ("li", text),
            _ => ("p", block.as_str()),
        };
        let in_list = html.ends_with("</li>");
        match name {
            "li" if !in_list => html.push_str("<ul>"),
            "li" => {}
            _ if in_list => html.push_str("</ul>"),
            _ => {}
        }
        write!(html, "<{name}>{}</{name}>", with_code(text)?).expect("a string takes all");
    }
    if html.ends_with("</li>") {
        html.push_str("</ul>");
    }
    Ok(Baked::from([("changes", html)]))
}

/// The headings, entries and paragraphs of a log, each as one line.
fn blocks(log: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut follows = false;
    for line in log.lines() {
        let heading = line.starts_with('#');
        match blocks.last_mut() {
            Some(block) if follows && !heading && !line.is_empty() && !line.starts_with("- ") => {
                block.push(' ');
                block.push_str(line.trim());
            }
            _ if line.is_empty() => {}
            _ => blocks.push(line.to_owned()),
        }
        follows = !heading && !line.is_empty();
    }
    blocks
}

/// A text as it stands in HTML, what is between backticks as code.
fn with_code(text: &str) -> Result<String> {
    let parts: Vec<&str> = text.split('`').collect();
    ensure!(parts.len() % 2 == 1, "a backtick is left open in `{text}`");
    let parts = parts.iter().enumerate();
    Ok(parts
        .map(|(place, part)| match place % 2 {
            0 => escaped(part),
            _ => format!("<code>{}</code>", escaped(part)),
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_becomes_headings_lists_and_paragraphs_and_never_html_of_its_own() {
        let log = "# Changes\n\nOf every\nversion.\n\n## 1.1.0\n\n### Files\n\n- One <b>key</b>,\n  \
                   `a<b`\n- Two\n\n## 1.0.0\n\nThe first.\n";
        assert_eq!(
            page(log, "1.1.0").unwrap()["changes"],
            "<p>Of every version.</p><h2>1.1.0</h2><h3>Files</h3><ul><li>One &lt;b&gt;key&lt;/b&gt;, \
             <code>a&lt;b</code></li><li>Two</li></ul><h2>1.0.0</h2><p>The first.</p>"
        );
    }

    #[test]
    fn a_version_that_is_not_in_the_log_and_an_open_backtick_are_refused() {
        let error = page("# Changes\n\n## 1.0.0\n", "1.1.0").unwrap_err();
        assert_eq!(
            error.to_string(),
            "it begins with 1.0.0 and this is 1.1.0: say what changed under `## 1.1.0`"
        );
        let error = page("## 1.0.0\n\n- a `key\n", "1.0.0").unwrap_err();
        assert!(error.to_string().contains("backtick"), "{error}");
    }

    #[test]
    fn the_log_says_what_changed_in_this_version() {
        let log = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.github/CHANGELOG.md");
        let log = std::fs::read_to_string(log).expect("the log is there");
        let changes = &page(&log, env!("CARGO_PKG_VERSION")).unwrap()["changes"];
        for about in [
            "Results",
            "Files and links",
            "Page",
            "Command line",
            "Verdicts",
        ] {
            assert!(changes.contains(&format!("<h3>{about}</h3>")), "{about}");
        }
    }
}
