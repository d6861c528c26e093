//! Policies that a user composes: what the page's composer offers, starts from, judges and shows.

use crate::scenario::parse;
use crate::tables::Field;
use crate::{plain, refusal};
use backfill_experiment::language::composition::{
    PARTS, PartMistake, SampleJob, composed, description, relevant, sample, start,
};
use backfill_experiment::language::expression::{FUNCTIONS, Function, PRESETS, Preset, operators};
use backfill_experiment::language::scenario::{Key, PolicySpec, Scenario};
use backfill_sim::choice::Choice;
use backfill_sim::policy::expression::Name;
use backfill_sim::system::PlacementPolicy;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// What a user composes a policy from, and where this starts.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct Composer {
    /// What the policy is called from which it starts.
    label: String,
    /// The parts of that policy.
    own: Own,
    /// In which way the policy is more than these parts; null where it is nothing else.
    remark: Option<String>,
    /// The keys of the parts.
    fields: Vec<PartField>,
    /// The orders that are known by name.
    presets: &'static [Preset],
    /// What a formula may name.
    names: Vec<FormulaName>,
    /// The functions that a formula may call.
    functions: Vec<FunctionName>,
    /// The operators of a formula, from loose to tight.
    operators: Vec<&'static str>,
}

/// The key of a part.
#[derive(Serialize, ts_rs::TS)]
struct PartField {
    #[serde(flatten)]
    field: Field,
    /// What the part decides.
    help: &'static str,
}

/// What a formula may name.
#[derive(Serialize, ts_rs::TS)]
struct FormulaName {
    /// How it is written.
    value: &'static str,
    /// What it is.
    help: &'static str,
}

/// A function of a formula.
#[derive(Serialize, ts_rs::TS)]
struct FunctionName {
    /// How it is written.
    name: &'static str,
    /// Whether it takes two or more values, not one.
    many: bool,
}

/// A policy that is being composed.
#[derive(Serialize, Deserialize, ts_rs::TS)]
#[ts(rename = "OwnPolicy")]
pub(crate) struct Own {
    /// The name of its placement.
    placement: String,
    /// The value of each of its parts, in the order of their fields.
    parts: [String; PARTS.len()],
    /// The other keys that have another value for it alone.
    further: Vec<(String, String)>,
}

/// What the core makes of a policy that is being composed.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct Judged {
    /// How it is written in a scenario; empty where something is wrong with it.
    value: String,
    /// What it does, in plain words; empty where something is wrong with it.
    told: String,
    /// Whether the scenario compares it already.
    present: bool,
    /// The keys of its parts that have an effect beside the others.
    relevant: Vec<&'static str>,
    /// What is wrong with its parts.
    mistakes: Vec<PartMistake>,
    /// What is wrong with the parts beside each other.
    problems: Vec<String>,
    /// Three waiting jobs in its order, the one that is tried first in front; empty where the order
    /// is wrong.
    sample: Vec<SampleJob>,
}

/// What a user composes a policy from, who starts from one of the policies of a scenario.
///
/// # Errors
/// `text` is no valid scenario, or has no such policy.
#[wasm_bindgen(unchecked_return_type = "Composer")]
pub fn composer(text: &str, policy: usize) -> Result<JsValue, JsValue> {
    let scenario = parse(text)?;
    let from = scenario.policies().get(policy);
    let from = from.ok_or_else(|| refusal(format!("the scenario has no policy {policy}")))?;
    let start = start(&scenario, policy);
    let further = start.further.into_iter();
    let field = |name| {
        let key = Key::named(name).expect("a part is a key");
        PartField {
            field: Field::of(key),
            help: key.help,
        }
    };
    Ok(plain(&Composer {
        label: from.full_label(),
        own: Own {
            placement: from.placement.name().to_owned(),
            parts: start.parts,
            further: further
                .map(|(key, value)| (key.to_owned(), value))
                .collect(),
        },
        remark: start.remark,
        fields: PARTS.into_iter().map(field).collect(),
        presets: PRESETS,
        names: Name::CHOICES
            .iter()
            .map(|&Choice { value, help, .. }| FormulaName { value, help })
            .collect(),
        functions: FUNCTIONS
            .iter()
            .map(|&(name, function)| FunctionName {
                name,
                many: matches!(function, Function::OfMany(_)),
            })
            .collect(),
        operators: operators().collect(),
    }))
}

/// What the core makes of a policy that is being composed beside those of a scenario.
///
/// # Errors
/// `text` is no valid scenario, or `own` no policy of its system.
#[wasm_bindgen(unchecked_return_type = "Judged")]
pub fn judge(
    text: &str,
    #[wasm_bindgen(unchecked_param_type = "OwnPolicy")] own: JsValue,
) -> Result<JsValue, JsValue> {
    let scenario = parse(text)?;
    let own: Own = serde_wasm_bindgen::from_value(own)?;
    Ok(plain(&judged(&scenario, &own).map_err(refusal)?))
}

fn judged(scenario: &Scenario, own: &Own) -> Result<Judged, String> {
    let placement = PlacementPolicy::named_on(scenario.system(), &own.placement);
    let placement = placement.ok_or_else(|| format!("there is no placement {}", own.placement))?;
    let sample = sample(own.parts[0].trim_end()).map_or(Vec::new(), Vec::from);
    let wrong = |mistakes, problems| Judged {
        value: String::new(),
        told: String::new(),
        present: false,
        relevant: relevant(&own.parts),
        mistakes,
        problems,
        sample: sample.clone(),
    };
    let policy = match composed(scenario, placement, &own.parts, &own.further) {
        Ok(policy) => policy,
        Err(mistakes) => return Ok(wrong(mistakes, Vec::new())),
    };
    let alone = with_policy(scenario, &policy);
    if let Err(problems) = Scenario::parse(alone) {
        let messages = problems.into_iter().map(|problem| problem.message);
        return Ok(wrong(Vec::new(), messages.collect()));
    }
    Ok(Judged {
        value: policy.to_string(),
        told: description(&own.parts),
        present: scenario.policies().contains(&policy),
        relevant: relevant(&own.parts),
        mistakes: Vec::new(),
        problems: Vec::new(),
        sample,
    })
}

/// The pairs of a scenario that has this policy alone.
fn with_policy(scenario: &Scenario, policy: &PolicySpec) -> Vec<(&'static str, String)> {
    let others = scenario.changed();
    let others = others.filter(|(key, _)| !["policy", "reference"].contains(key));
    let others = others.map(|(key, value)| (key, value.to_owned()));
    others.chain([("policy", policy.to_string())]).collect()
}
