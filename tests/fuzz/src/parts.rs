//! Written parts of a scenario.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use backfill_experiment::study::part::{Merge, Parts, read, read_all};
use serde_json::{Map, Value, from_str, json, to_string};
use sha2::{Digest as _, Sha256};

/// Parts, whose hashes are made to fit, are put together to a result, or refused by a sentence. In
/// the input a line without a JSON object ends a part.
///
/// # Panics
/// It is not so.
pub fn parts(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Some(parts) = text
        .lines()
        .next()
        .and_then(|line| line.parse::<Parts>().ok())
    {
        assert_eq!(parts.to_string().parse::<Parts>().as_ref(), Ok(&parts));
    }
    let _ = read_all(input);
    let mut written = String::new();
    for part in text.split("\n\n") {
        written.push_str(&sealed(part));
    }
    let Ok(parts) = read_all(written.as_bytes()) else {
        return;
    };
    let mut merge: Option<Merge> = None;
    for (number, part) in parts.into_iter().enumerate() {
        let name = number.to_string();
        merge = match merge {
            None => Merge::begin(&name, part).ok(),
            Some(mut merge) => {
                let _ = merge.add(&name, part);
                Some(merge)
            }
        };
    }
    if let Some(merge) = merge {
        let is_whole = merge.missing().is_none();
        let (_, results, _) = merge.result();
        assert_eq!(results.digest().is_some(), is_whole);
        results.points();
    }
}

/// A part with the hashes that belong to it.
fn sealed(part: &str) -> String {
    let mut lines = part.lines();
    let mut text = String::new();
    if let Some(heading) = lines.next() {
        let heading = from_str::<Map<String, Value>>(heading).map_or_else(
            |_| heading.to_owned(),
            |mut fields| {
                let pairs = fields.get("scenario").cloned().unwrap_or_default();
                let pairs: BTreeMap<String, String> =
                    serde_json::from_value(pairs).unwrap_or_default();
                let pairs = pairs
                    .iter()
                    .map(|(key, value)| format!("{key} = {value}\n"));
                fields.insert(
                    "scenario_sha256".to_owned(),
                    json!(hash(&pairs.collect::<String>())),
                );
                to_string(&fields).expect("JSON")
            },
        );
        text += &heading;
        text.push('\n');
    }
    for line in lines {
        text += line;
        text.push('\n');
    }
    let ending = json!({ "sha256": hash(&text) });
    text += &format!("{ending}\n");
    let sealed = read(text.as_bytes());
    assert_ne!(sealed.err().as_deref(), Some("was cut short"));
    text
}

fn hash(text: &str) -> String {
    let mut digits = String::new();
    for byte in Sha256::digest(text) {
        write!(digits, "{byte:02x}").expect("memory takes all");
    }
    digits
}
