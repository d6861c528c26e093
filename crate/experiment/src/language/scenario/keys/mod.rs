//! The table of a scenario's keys, a file for each owner: values, default, texts and effect of
//! each.
//!
//! Invariant: a link has only what differs from the defaults, so the default of a key never
//! changes, and a new key's default keeps the behaviour from before it existed.
//!
//! - `fat_tree`, `nodes`, `multi_cluster`, `pool`, `tree`: a system and its placements
//! - `workload`, `policy`, `sweep`: the jobs, the policies and the runs

mod fat_tree;
mod multi_cluster;
mod nodes;
mod policy;
mod pool;
mod sweep;
mod tree;
mod workload;

use super::key::{Key, PLAIN, ValueKind};
use backfill_sim::system::SystemKind;

/// The key of the system.
const SYSTEM: &[Key] = &[Key {
    name: "system",
    default: "fat-tree",
    kind: ValueKind::Choice {
        choices: SystemKind::CHOICES,
    },
    label: "System",
    help: "What the jobs run on.",
    sweep: false,
    essential: true,
    ..PLAIN
}];

const PARTS: [&[Key]; 9] = [
    SYSTEM,
    fat_tree::KEYS,
    nodes::KEYS,
    multi_cluster::KEYS,
    pool::KEYS,
    tree::KEYS,
    workload::KEYS,
    policy::KEYS,
    sweep::KEYS,
];

const COUNT: usize = {
    let (mut count, mut part) = (0, 0);
    while part < PARTS.len() {
        count += PARTS[part].len();
        part += 1;
    }
    count
};

/// All keys, in the order in which a scenario is written and shown. A static, as a constant would
/// be copied into every crate.
pub static KEYS: &[Key] = {
    static ALL: [Key; COUNT] = {
        let mut all = [PLAIN; COUNT];
        let (mut count, mut part) = (0, 0);
        while part < PARTS.len() {
            let mut row = 0;
            while row < PARTS[part].len() {
                all[count] = PARTS[part][row];
                count += 1;
                row += 1;
            }
            part += 1;
        }
        all
    };
    &ALL
};

impl Key {
    /// The key of that name.
    pub fn named(name: &str) -> Option<&'static Key> {
        position(name).map(|index| &KEYS[index])
    }
}

/// The position of the key of that name in the table.
pub(super) fn position(name: &str) -> Option<usize> {
    KEYS.iter().position(|key| key.name == name)
}

/// The known key of which `name` is most likely a misspelling.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    let name: String = name.chars().take(40).collect();
    KEYS.iter()
        .map(|key| (strsim::osa_distance(&name, key.name), key.name))
        .filter(|&(distance, known)| distance <= 1 + known.len() / 4 && distance < known.len())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::super::key::RESERVED;
    use super::*;

    #[test]
    fn every_key_is_documented_and_named_once() {
        for (index, key) in KEYS.iter().enumerate() {
            assert_eq!(position(key.name), Some(index), "{} appears once", key.name);
            assert!(!RESERVED.contains(&key.name));
            assert!(!key.label.is_empty(), "{}", key.name);
            assert!(key.help.ends_with('.'), "{}", key.name);
            assert_eq!(key.kind.canonical(key.default).as_deref(), Ok(key.default));
            for when in key.when {
                let other = Key::named(when.key()).expect("the other key exists");
                if let ValueKind::Choice { choices } = other.kind {
                    let known = |value| choices.iter().any(|choice| choice.value == value);
                    assert!(when.values().into_iter().all(known), "{}", key.name);
                }
            }
        }
    }

    #[test]
    fn a_misspelt_key_finds_its_neighbour_and_nonsense_none() {
        assert_eq!(nearest("slot"), Some("slots"));
        assert_eq!(nearest("polcy"), Some("policy"));
        assert_eq!(nearest("link_mpbs"), Some("link_mbps"));
        assert_eq!(nearest("K"), None);
        assert_eq!(nearest("frobnicate"), None);
    }
}
