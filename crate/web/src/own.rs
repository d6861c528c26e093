//! Policies that a user composes: the choices of the page's composer, its start, checks and result.

use crate::scenario::parse;
use crate::tables::Field;
use crate::{plain, refusal};
use backfill_experiment::language::composition::{
    PARTS, PartMistake, SampleJob, composed, description, relevant, sample, start,
};
use backfill_experiment::language::expression::{
    FUNCTIONS, Function, Mistake, PRESETS, Preset, operators,
};
use backfill_experiment::language::scenario::{Key, PolicySpec, Scenario};
use backfill_sim::choice::Choice;
use backfill_sim::policy::expression::Name;
use backfill_sim::problem::Problem;
use backfill_sim::system::PlacementPolicy;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The choices for composing a policy, and the start.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct Composer {
    /// The label of the policy from which it starts.
    label: String,
    /// The parts of that policy.
    own: Own,
    /// How the policy is more than these parts; null if it is not.
    remark: Option<String>,
    /// The keys of the parts.
    fields: Vec<PartField>,
    /// The named orders.
    presets: &'static [Preset],
    /// The names of a formula.
    names: Vec<FormulaName>,
    /// The functions of a formula.
    functions: Vec<FunctionName>,
    /// The operators of a formula, from loose to tight.
    operators: Vec<&'static str>,
}

/// The key of a part.
#[derive(Serialize, ts_rs::TS)]
struct PartField {
    #[serde(flatten)]
    field: Field,
    /// The meaning of the part.
    help: &'static str,
}

/// A name in a formula.
#[derive(Serialize, ts_rs::TS)]
struct FormulaName {
    /// Its notation.
    value: &'static str,
    /// Its meaning.
    help: &'static str,
}

/// A function of a formula.
#[derive(Serialize, ts_rs::TS)]
struct FunctionName {
    /// Its notation.
    name: &'static str,
    /// Whether it takes two or more values, not one.
    many: bool,
}

/// A policy that is being composed.
#[derive(Serialize, Deserialize, ts_rs::TS)]
#[ts(rename = "OwnPolicy")]
pub(crate) struct Own {
    /// What it is called; empty if it has no name.
    name: String,
    /// The name of its placement.
    placement: String,
    /// The value of each of its parts, in the order of their fields.
    parts: [String; PARTS.len()],
    /// The other keys that are set for it alone.
    further: Vec<(String, String)>,
}

/// The check of a policy that is being composed.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct Judged {
    /// Its notation in a scenario; empty if it has a mistake.
    value: String,
    /// Its description in plain words; empty if it has a mistake.
    told: String,
    /// Whether the scenario compares it already.
    present: bool,
    /// Whether it can be compared with all policies of the scenario, not only in the place of the
    /// one that it starts from.
    can_add: bool,
    /// The keys of its parts that have an effect.
    relevant: Vec<&'static str>,
    /// Mistakes in single parts.
    mistakes: Vec<PartMistake>,
    /// Problems of the parts in combination.
    problems: Vec<String>,
    /// Three waiting jobs in its order, the first one tried first; empty if the order has a
    /// mistake.
    sample: Vec<SampleJob>,
}

/// The choices for composing a policy, starting from one of a scenario.
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
            name: from.name.clone().unwrap_or_default(),
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

/// Checks a policy that is being composed against those of a scenario; `from` is the position of
/// the one that it starts from.
///
/// # Errors
/// `text` is no valid scenario, or `own` no policy of its system.
#[wasm_bindgen(unchecked_return_type = "Judged")]
pub fn judge(
    text: &str,
    from: usize,
    #[wasm_bindgen(unchecked_param_type = "OwnPolicy")] own: JsValue,
) -> Result<JsValue, JsValue> {
    let scenario = parse(text)?;
    let own: Own = serde_wasm_bindgen::from_value(own)?;
    Ok(plain(&judged(&scenario, from, &own).map_err(refusal)?))
}

fn judged(scenario: &Scenario, from: usize, own: &Own) -> Result<Judged, String> {
    let placement = PlacementPolicy::named_on(scenario.system(), &own.placement);
    let placement = placement.ok_or_else(|| format!("there is no placement {}", own.placement))?;
    let sample = sample(own.parts[0].trim_end()).map_or(Vec::new(), Vec::from);
    let wrong = |mistakes, problems| Judged {
        value: String::new(),
        told: String::new(),
        present: false,
        can_add: false,
        relevant: relevant(&own.parts),
        mistakes,
        problems,
        sample: sample.clone(),
    };
    let mut policy = match composed(scenario, placement, &own.parts, &own.further) {
        Ok(policy) => policy,
        Err(mistakes) => return Ok(wrong(mistakes, Vec::new())),
    };
    if let Err(why) = policy.rename(&own.name) {
        let mistake = Mistake {
            column: 1,
            end: own.name.chars().count() + 1,
            why: format!("A name {why}"),
        };
        let key = "name";
        return Ok(wrong(vec![PartMistake { key, mistake }], Vec::new()));
    }
    let policies = scenario.policies();
    let mut all: Vec<&PolicySpec> = policies.iter().chain([&policy]).collect();
    let can_add = with_policies(scenario, &all).is_ok();
    all.swap_remove(from.min(policies.len()));
    if let Err(problems) = with_policies(scenario, &all) {
        let messages = problems.into_iter().map(|problem| problem.message);
        return Ok(wrong(Vec::new(), messages.collect()));
    }
    Ok(Judged {
        value: policy.to_string(),
        told: description(&own.parts),
        present: policies.contains(&policy),
        can_add,
        relevant: relevant(&own.parts),
        mistakes: Vec::new(),
        problems: Vec::new(),
        sample,
    })
}

/// The scenario with these policies instead of its own.
fn with_policies(scenario: &Scenario, policies: &[&PolicySpec]) -> Result<Scenario, Vec<Problem>> {
    let policies: Vec<String> = policies.iter().map(|policy| policy.to_string()).collect();
    let policies = policies.join(",");
    let others = scenario.changed();
    let others = others.filter(|(key, _)| !["policy", "reference"].contains(key));
    Scenario::parse(others.chain([("policy", policies.as_str())]))
}
