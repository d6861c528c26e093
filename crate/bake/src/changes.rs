//! The page of what changed from version to version, from the change log.
//!
//! The log is Markdown of the simplest kind: a title, paragraphs, a heading `##` for each version
//! and `###` for what its entries are about, entries that begin with `- `, and names between
//! backticks. Lines that follow belong to what they follow. Its text is escaped, so that it is
//! never HTML. Every heading is a link to itself, and under a version stand links to what its
//! entries are about.

use crate::opening::{Baked, escaped};
use anyhow::{Result, ensure};

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
    let mut version = "";
    let blocks = blocks(log);
    for (position, block) in blocks.iter().enumerate() {
        let (name, text) = block.split_once(' ').unwrap_or(("", block));
        let in_list = html.ends_with("</li>");
        match name {
            "-" if !in_list => html.push_str("<ul>"),
            "-" => {}
            _ if in_list => html.push_str("</ul>"),
            _ => {}
        }
        match name {
            "#" => {}
            "##" => {
                version = text;
                html += &heading("h2", &format!("v{version}"), text);
                html += &contents(version, &blocks[position + 1..]);
            }
            "###" => html += &heading("h3", &place(version, text), text),
            "-" => html += &format!("<li>{}</li>", with_code(text)?),
            _ => html += &format!("<p>{}</p>", with_code(block)?),
        }
    }
    if html.ends_with("</li>") {
        html.push_str("</ul>");
    }
    Ok(Baked::from([("changes", html)]))
}

/// The name in addresses of what some entries of a version are about.
fn place(version: &str, about: &str) -> String {
    format!("v{version}-{}", about.to_lowercase().replace(' ', "-"))
}

/// A heading that is a link to itself.
fn heading(element: &str, place: &str, text: &str) -> String {
    let (place, text) = (escaped(place), escaped(text));
    format!(r##"<{element} id="{place}"><a href="#{place}">{text}</a></{element}>"##)
}

/// Links to what the entries of a version are about, which `blocks` begin with.
fn contents(version: &str, blocks: &[String]) -> String {
    let own = blocks.iter().take_while(|block| !block.starts_with("## "));
    let abouts = own.filter_map(|block| block.strip_prefix("### "));
    let link = |about: &str| {
        let place = escaped(&place(version, about));
        format!(r##"<a href="#{place}">{}</a>"##, escaped(about))
    };
    let links: Vec<String> = abouts.map(link).collect();
    match links.as_slice() {
        [] => String::new(),
        links => format!(r#"<p class="names">{}</p>"#, links.join("; ")),
    }
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
        let log = "# Changes\n\nOf every\nversion.\n\n## 1.1.0\n\n### Own files\n\n- One <b>key</b>,\n  \
                   `a<b`\n- Two\n\n## 1.0.0\n\nThe first.\n";
        assert_eq!(
            page(log, "1.1.0").unwrap()["changes"],
            "<p>Of every version.</p><h2 id=\"v1.1.0\"><a href=\"#v1.1.0\">1.1.0</a></h2>\
             <p class=\"names\"><a href=\"#v1.1.0-own-files\">Own files</a></p>\
             <h3 id=\"v1.1.0-own-files\"><a href=\"#v1.1.0-own-files\">Own files</a></h3>\
             <ul><li>One &lt;b&gt;key&lt;/b&gt;, <code>a&lt;b</code></li><li>Two</li></ul>\
             <h2 id=\"v1.0.0\"><a href=\"#v1.0.0\">1.0.0</a></h2><p>The first.</p>"
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
            assert!(changes.contains(&format!("{about}</a></h3>")), "{about}");
        }
    }
}
