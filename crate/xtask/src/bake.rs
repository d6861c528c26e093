//! What the page shows before any script has run.
//!
//! `www/index.html` holds markers such as `<!-- baked:table -->`; each is replaced by HTML made at build time.

use anyhow::{Result, bail};
use std::collections::BTreeMap;

/// HTML by the name of the marker that it takes the place of.
pub(crate) type Baked = BTreeMap<&'static str, String>;

/// The default scenario's result.
pub(crate) fn default_result() -> Result<Baked> {
    Ok(Baked::new())
}

/// `page` with its markers replaced.
///
/// # Errors
/// Something baked has no marker in the page.
pub(crate) fn apply(page: &str, baked: &Baked) -> Result<String> {
    let mut page = page.to_owned();
    for (name, html) in baked {
        let marker = format!("<!-- baked:{name} -->");
        if !page.contains(&marker) {
            bail!("www/index.html has no place for what is baked: add `{marker}`");
        }
        page = page.replace(&marker, html);
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_marker_is_replaced() {
        let baked = Baked::from([("digest", "<b>1f</b>".to_owned()), ("table", String::new())]);
        let page = "<p><!-- baked:digest --></p><!-- baked:table --><i><!-- baked:digest --></i>";
        assert_eq!(
            apply(page, &baked).unwrap(),
            "<p><b>1f</b></p><i><b>1f</b></i>"
        );
    }

    #[test]
    fn a_missing_marker_is_named() {
        let baked = Baked::from([("table", String::new())]);
        let error = apply("<p></p>", &baked).unwrap_err().to_string();
        assert_eq!(
            error,
            "www/index.html has no place for what is baked: add `<!-- baked:table -->`"
        );
    }
}
