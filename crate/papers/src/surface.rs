//! Curves that are cuts through a surface.

use backfill_experiment::language::scenario::{KEYS, PolicySpec, Scenario};

/// Curves that are cuts through a surface: of one policy, by x and by a key of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweptSurface {
    /// The policy without that key.
    pub policy: PolicySpec,
    /// The only key in which the policies differ.
    pub key: &'static str,
    /// The value of the key in each curve.
    pub values: Vec<String>,
}

impl SweptSurface {
    /// The least number of curves that make a surface.
    const LEAST: usize = 4;

    /// The surface of a scenario whose policies differ only in one key that could be swept.
    pub fn of(scenario: &Scenario) -> Option<SweptSurface> {
        let (first, policies) = (scenario.policies().first()?, scenario.policies());
        if policies.len() < SweptSurface::LEAST {
            return None;
        }
        let without = |policy: &PolicySpec, key: &str| {
            let mut policy = policy.clone();
            policy.own.retain(|(other, _)| *other != key);
            policy
        };
        let keys = first.own.iter().map(|&(key, _)| key);
        let mut keys = keys.filter(|name| KEYS.iter().any(|key| key.name == *name && key.sweep));
        keys.find_map(|key| {
            let policy = without(first, key);
            let value = |other: &PolicySpec| {
                let own = other.own.iter().find(|(name, _)| *name == key)?;
                (without(other, key) == policy).then(|| own.1.clone())
            };
            let values: Option<Vec<String>> = policies.iter().map(value).collect();
            Some(SweptSurface {
                policy,
                key,
                values: values?,
            })
        })
    }
}
