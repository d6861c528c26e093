//! The subtrees among which a placement was chosen, as they are listed: in the order in which they
//! were considered, taken or left, the rest counted.

use std::fmt;

use backfill_sim::place::{SubtreeRoot, Subtrees};
use backfill_sim::system::describe::About;
use serde::Serialize;

use super::names::Names;
use super::reasons::Reasons;

/// The most subtrees that are listed, before the rest is counted.
pub(super) const LISTED: usize = 16;

/// Why a job was placed where it was, and not elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, ts_rs::TS)]
pub struct ToldPlacement {
    /// By which rule, in one or more sentences.
    pub rule: String,
    /// The subtrees, or other parts, in the order in which they were considered.
    pub subtrees: Vec<ToldSubtree>,
    /// The others, counted; empty where all are listed.
    pub more: String,
}

/// A subtree, or another part, before the job started.
#[derive(Clone, Debug, PartialEq, Serialize, ts_rs::TS)]
pub struct ToldSubtree {
    /// What it is called.
    pub name: String,
    /// The slots that were free, or the nodes, where whole nodes are taken.
    pub free: u32,
    /// What of the job it could take at most.
    pub most: u32,
    /// What of the job it took.
    pub taken: u32,
    /// Why, without its name.
    pub sentence: String,
}

impl ToldPlacement {
    /// The placement that was chosen among such subtrees.
    pub(super) fn of(subtrees: &Subtrees, names: &Names, about: &About) -> ToldPlacement {
        let reasons = Reasons::new(subtrees, names, about);
        let list = &subtrees.list;
        let shown = shown(list.iter().map(|of| (of.free > 0, of.taken > 0)));
        let entry = |&position: &usize| {
            let of = &list[position];
            ToldSubtree {
                name: match of.root {
                    // Each is alone where parts of nodes are taken.
                    SubtreeRoot::Loose if !subtrees.whole_nodes => {
                        "the emptiest node in no switch".to_owned()
                    }
                    root => names.of_root(root),
                },
                free: of.free,
                most: of.most,
                taken: of.taken,
                sentence: reasons.sentence(position),
            }
        };
        let rest = (0..list.len()).filter(|position| shown.binary_search(position).is_err());
        ToldPlacement {
            rule: reasons.rule(),
            subtrees: shown.iter().map(entry).collect(),
            more: reasons.more(rest.map(|position| &list[position])),
        }
    }
}

/// Which of some parts are listed, ascending, given for each whether something is free in it and
/// whether something was taken: all where they are few; else those taken first, then those with
/// something free.
pub(super) fn shown(parts: impl Iterator<Item = (bool, bool)>) -> Vec<usize> {
    let parts: Vec<(bool, bool)> = parts.collect();
    let with = |wanted: fn((bool, bool)) -> bool| {
        let positions = 0..parts.len();
        positions
            .filter(|&position| wanted(parts[position]))
            .collect::<Vec<usize>>()
    };
    let taken = with(|part| part.1);
    let free = with(|part| part.0 && !part.1);
    let full = with(|part| !part.0 && !part.1);
    let mut is_shown = vec![false; parts.len()];
    for position in [taken, free, full].into_iter().flatten().take(LISTED) {
        is_shown[position] = true;
    }
    let positions = 0..parts.len();
    positions.filter(|&position| is_shown[position]).collect()
}

impl fmt::Display for ToldPlacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "   {}", self.rule)?;
        for of in &self.subtrees {
            write!(f, "\n   - {}: {}", of.name, of.sentence)?;
        }
        if !self.more.is_empty() {
            write!(f, "\n   {}", self.more)?;
        }
        Ok(())
    }
}
