//! Results as files.

use std::collections::BTreeMap;

use backfill_experiment::files::report::{Document, Opened, ResultForm, runs_csv};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::stored::StoredOutcome;
use backfill_experiment::study::sweep::Results;
use serde_json::{Value, from_slice, from_value, json, to_vec};

/// A result, whose digest is made to fit, is read to one that reads back as itself, or refused by a
/// sentence.
///
/// # Panics
/// It is not so.
pub fn result(input: &[u8]) {
    if let Ok(form) = from_slice::<ResultForm>(input) {
        let _ = form.check();
    }
    let Ok(mut value) = from_slice::<Value>(input) else {
        return;
    };
    if let Some(object) = value.as_object_mut() {
        let digest = digest(&Value::Object(object.clone()));
        object.insert("digest".to_owned(), json!(digest));
    }
    let Ok(opened) = from_value::<Opened>(value) else {
        return;
    };
    match opened.result() {
        Ok((scenario, results)) => {
            let document = to_vec(&Document::naming(&scenario, &results, None)).expect("JSON");
            runs_csv(&scenario, &results);
            let again: Opened = from_slice(&document).expect("a result");
            let (same, again) = again.result().expect("a result");
            assert_eq!(same, scenario);
            let again = to_vec(&Document::naming(&same, &again, None)).expect("JSON");
            assert_eq!(again, document);
        }
        Err(sentence) => assert!(!sentence.is_empty()),
    }
}

/// The digest of the runs of a written result, as far as they are runs of its scenario.
fn digest(result: &Value) -> Option<String> {
    let pairs: BTreeMap<String, String> = from_value(result.get("scenario")?.clone()).ok()?;
    let scenario = Scenario::parse(&pairs).ok()?;
    let mut results = Results::new(&scenario);
    for outcome in result.get("outcomes")?.as_array()? {
        let stored: StoredOutcome = from_value(outcome.clone()).ok()?;
        results.restore(stored).ok()?;
    }
    results.digest()
}
