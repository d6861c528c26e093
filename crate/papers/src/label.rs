//! What a reader calls a policy of a figure.

use super::pair::Pair;
use backfill_experiment::scenario::Scenario;
use backfill_sim::place::PlacementPolicy;

/// How a reader knows a policy of a figure: by what tells it from the others, and as a paper calls
/// it whose words for scheduling policies are `called`.
pub fn label(scenario: &Scenario, policy: usize, called: &[Pair]) -> String {
    let policies = scenario.policies();
    let policy = &policies[policy];
    let system = scenario.system();
    let usual = PlacementPolicy::default_on(system);
    let one_queue = policies.iter().all(|other| other.queue == policy.queue);
    let as_usual = policies.iter().all(|other| other.placement == usual);
    let name = if one_queue && !as_usual {
        policy.placement.choice().label
    } else {
        let usual = policy.queue.choice();
        let here = called.iter().find(|(queue, _)| *queue == usual.value);
        here.map_or(usual.label, |(_, name)| name)
    };
    let own = policy.own.iter();
    let own: Vec<String> = own.map(|(key, value)| format!("{key} = {value}")).collect();
    if own.is_empty() {
        name.to_owned()
    } else {
        format!("{name} ({})", own.join(", "))
    }
}
