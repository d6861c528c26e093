//! `topology.yaml`: a list of topologies, of which the first with `cluster_default` is used, else
//! the first.

use super::document::{self, Kind, Value};
use super::draft::{Draft, Entry, List, Mistake};
use backfill_sim::problem::shown;

/// The kinds of topologies that have no switches.
const OTHERS: [&str; 3] = ["flat", "ring", "torus3d"];

pub(super) fn read(text: &str) -> Result<Draft, Mistake> {
    let document = document::read(text)?;
    let topologies = list(&document, "the file")?;
    for topology in topologies {
        text_of(topology, "topology")?;
    }
    let is_default = |topology: &&Value| {
        let scalar = topology.get("cluster_default").map(|value| &value.kind);
        matches!(scalar, Some(Kind::Scalar(word)) if word.eq_ignore_ascii_case("true"))
    };
    let chosen = topologies.iter().find(is_default).or(topologies.first());
    let chosen = chosen.ok_or_else(|| Mistake::new(document.at, "defines no topology"))?;
    let parts = ["tree", "block"].iter().chain(&OTHERS);
    let parts: Vec<&str> = parts
        .copied()
        .filter(|part| chosen.get(part).is_some())
        .collect();
    let part = match parts[..] {
        [part] => part,
        [] => {
            return Err(Mistake::new(
                chosen.at,
                "has neither tree nor block: give it one",
            ));
        }
        _ => {
            let message = format!("has {}: keep one", parts.join(" and "));
            return Err(Mistake::new(chosen.at, message));
        }
    };
    let value = chosen.get(part).unwrap_or(chosen);
    match part {
        "tree" => tree(value),
        "block" => block(value),
        _ => {
            let message = format!(
                "is {part}, which has no switches: give the number of nodes instead, as tree = 120 \
                 with placement slurm-linear"
            );
            Err(Mistake::new(value.at, message))
        }
    }
}

fn tree(value: &Value) -> Result<Draft, Mistake> {
    let mut draft = Draft::default();
    for switch in list(needed(value, "switches")?, "switches")? {
        draft.entries.push(Entry {
            name: text_of(switch, "switch")?.text,
            at: switch.at,
            nodes: names(switch, "nodes")?,
            children: names(switch, "children")?,
        });
    }
    Ok(draft)
}

fn block(value: &Value) -> Result<Draft, Mistake> {
    let mut draft = Draft {
        blocks: true,
        ..Draft::default()
    };
    if let Some(sizes) = value.get("block_sizes") {
        let number = |value: &Value| match &value.kind {
            Kind::Scalar(word) if word.bytes().all(|byte| byte.is_ascii_digit()) => word
                .parse()
                .map_err(|_| Mistake::new(value.at, "is too large for a block")),
            _ => Err(Mistake::new(
                value.at,
                "is no whole number: block_sizes are numbers",
            )),
        };
        let numbers = list(sizes, "block_sizes")?.iter().map(number);
        let numbers: Vec<u32> = numbers.collect::<Result<_, _>>()?;
        draft.sizes = (!numbers.is_empty()).then_some((numbers, sizes.at));
    }
    for block in list(needed(value, "blocks")?, "blocks")? {
        draft.entries.push(Entry {
            name: text_of(block, "block")?.text,
            at: block.at,
            nodes: names(block, "nodes")?,
            children: None,
        });
    }
    Ok(draft)
}

fn needed<'a>(value: &'a Value, key: &str) -> Result<&'a Value, Mistake> {
    let found = value.get(key);
    found.ok_or_else(|| Mistake::new(value.at, format!("has no {key}: add it")))
}

fn list<'a>(value: &'a Value, what: &str) -> Result<&'a [Value], Mistake> {
    match &value.kind {
        Kind::List(items) => Ok(items),
        _ => Err(Mistake::new(
            value.at,
            format!("{what} must be a list, each line with a dash"),
        )),
    }
}

/// The name that an item needs.
fn text_of(item: &Value, key: &str) -> Result<List, Mistake> {
    let found = names(item, key)?;
    found.ok_or_else(|| Mistake::new(item.at, format!("has no {key}: give it a name")))
}

/// The text of a key, which may be missing.
fn names(item: &Value, key: &str) -> Result<Option<List>, Mistake> {
    let Some(value) = item.get(key) else {
        return Ok(None);
    };
    match &value.kind {
        Kind::Scalar(text) => Ok(Some(List {
            text: text.clone(),
            at: value.at,
        })),
        _ => {
            let message = format!(
                "{} must be one text such as n[1-18], not a list",
                shown(key)
            );
            Err(Mistake::new(value.at, message))
        }
    }
}
