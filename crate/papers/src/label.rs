//! The label of a policy in a figure.

use super::pair::Pair;
use backfill_experiment::language::expression::preset;
use backfill_experiment::language::scenario::Scenario;
use backfill_sim::system::PlacementPolicy;

/// The label of a policy in a figure: the parts in which it differs from the others, with
/// scheduling policies by the paper's names in `called`. A list in a published order has the name
/// of that order.
pub fn label(scenario: &Scenario, policy: usize, called: &[Pair]) -> String {
    let policies = scenario.policies();
    let policy = &policies[policy];
    let system = scenario.system();
    let usual = PlacementPolicy::default_on(system);
    let one_queue = policies.iter().all(|other| other.queue == policy.queue);
    let as_usual = policies.iter().all(|other| other.placement == usual);
    let mut own: Vec<_> = policy.own.iter().collect();
    let ordered = own.iter().position(|(key, _)| *key == "order");
    let order = ordered.and_then(|place| Some((place, preset(&own[place].1)?)));
    let name = if let Some((place, order)) = order {
        own.remove(place);
        here(called, order.name, order.label)
    } else if one_queue && !as_usual {
        policy.placement.choice().label
    } else {
        let usual = policy.queue.choice();
        here(called, usual.value, usual.label)
    };
    let own: Vec<String> = own
        .iter()
        .map(|(key, value)| format!("{key} = {value}"))
        .collect();
    if own.is_empty() {
        name.to_owned()
    } else {
        format!("{name} ({})", own.join(", "))
    }
}

/// The paper's name of the policy, or else its usual label.
fn here(called: &[Pair], name: &str, usual: &'static str) -> &'static str {
    let found = called.iter().find(|(known, _)| *known == name);
    found.map_or(usual, |(_, label)| label)
}
