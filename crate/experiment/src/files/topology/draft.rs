//! Switches and blocks by name, as a file gives them, checked and put together.

use std::collections::BTreeMap;
use std::fmt;

use super::{hostlist, order};
use crate::language::tree::{MOST_NODES, MOST_SWITCHES, check_sizes};
use backfill_sim::problem::shown;
use backfill_sim::sorting;
use backfill_sim::system::tree::{Irregular, Shape, Switch};

/// A place in a file, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// The line.
    pub line: usize,
    /// The column, in bytes.
    pub column: usize,
}

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Where.
    pub at: At,
    /// What, and what to do.
    pub message: String,
}

impl Mistake {
    pub(super) fn new(at: At, message: impl Into<String>) -> Mistake {
        let message = message.into();
        Mistake { at, message }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let At { line, column } = self.at;
        write!(f, "line {line}, column {column}: {}", self.message)
    }
}

impl std::error::Error for Mistake {}

/// A topology that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    /// How its nodes and switches, or blocks, hang together, with their names.
    pub shape: Shape,
    /// What is worth knowing of it, in sentences.
    pub notes: Vec<String>,
}

/// A list of names, and where it begins.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub text: String,
    pub at: At,
}

/// A switch or a block.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub name: String,
    pub at: At,
    pub nodes: Option<List>,
    pub children: Option<List>,
}

/// What a file gives.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    /// Switches or blocks, in the order of the file.
    pub entries: Vec<Entry>,
    /// Whether they are blocks.
    pub blocks: bool,
    /// The sizes of blocks, if it gives any.
    pub sizes: Option<(Vec<u32>, At)>,
}

impl Draft {
    /// The word for an entry.
    fn word(&self) -> &'static str {
        if self.blocks { "block" } else { "switch" }
    }

    /// Puts it together.
    pub(super) fn finish(self) -> Result<Topology, Mistake> {
        let word = self.word();
        if self.entries.is_empty() {
            let message = "defines no switch and no block: Slurm does not start on it; add lines such \
                           as SwitchName=leaf1 Nodes=n[1-18]";
            return Err(Mistake::new(At { line: 1, column: 1 }, message));
        }
        if let Some(entry) = self.entries.get(MOST_SWITCHES) {
            let message = format!("is one {word} more than {MOST_SWITCHES}");
            return Err(Mistake::new(entry.at, message));
        }
        let mut by_name = BTreeMap::new();
        for (position, entry) in self.entries.iter().enumerate() {
            if let Some(first) = by_name.insert(entry.name.as_str(), position) {
                let message = format!(
                    "{word} {} stands in line {}, too: leave one of them out",
                    shown(&entry.name),
                    self.entries[first].at.line
                );
                return Err(Mistake::new(entry.at, message));
            }
        }
        let mut listed = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            listed.push(entry.expand(word)?);
        }
        let mut nodes: Vec<&str> = listed
            .iter()
            .flat_map(|l| l.0.iter().map(String::as_str))
            .collect();
        sorting::by(&mut nodes, |one, other| order::by_name(one, other));
        nodes.dedup();
        let numbers: BTreeMap<&str, u32> = nodes.iter().copied().zip(0..).collect();
        let mut switches: Vec<Switch> = Vec::with_capacity(listed.len());
        for (own, _) in &listed {
            let mut own: Vec<u32> = own.iter().map(|name| numbers[name.as_str()]).collect();
            own.sort_unstable();
            own.dedup();
            switches.push(Switch {
                nodes: own,
                ..Switch::default()
            });
        }
        for (position, entry) in self.entries.iter().enumerate() {
            for child in &listed[position].1 {
                let found = by_name.get(child.as_str()).copied();
                let wrong = |what: &str| {
                    let (of, child) = (shown(&entry.name), shown(child));
                    let at = entry.children.as_ref().map_or(entry.at, |list| list.at);
                    Mistake::new(at, format!("switch {of} lists {child}, {what}"))
                };
                let Some(found) = found else {
                    return Err(wrong(
                        "which no line defines: add a line for that switch, or correct the name",
                    ));
                };
                if found == position {
                    return Err(wrong("which is itself: take it out of the list"));
                }
                let child = found as u32;
                if !switches[position].children.contains(&child) {
                    switches[position].children.push(child);
                }
                switches[found].parent = Some(position as u32);
            }
        }
        let sizes = self.block_sizes(&switches)?;
        let mut notes = self.notes_on_sizes(&switches, &sizes);
        let ordered = Shape::ordered(nodes.len() as u32, switches, sizes);
        let ordered = ordered.map_err(|irregular| self.irregular(irregular, &nodes))?;
        if nodes.is_empty() || nodes.len() > MOST_NODES as usize {
            let message = format!("has {} nodes, not 1 to {MOST_NODES}", nodes.len());
            return Err(Mistake::new(self.entries[0].at, message));
        }
        let named = |position: usize| self.entries[position].name.clone();
        for twin in &ordered.twins {
            let [earlier, later] = twin.map(named);
            notes.push(format!(
                "{earlier} lists the same switches as {later}, which is their parent as it stands \
                 last; it makes no difference where jobs go."
            ));
        }
        let roots = ordered.shape.switches().iter();
        let roots = roots.filter(|switch| switch.parent.is_none()).count();
        if !self.blocks && roots > 1 {
            notes.push(format!("Jobs never span the {roots} roots."));
        }
        let switches = ordered.origins.iter().map(|&origin| named(origin));
        let names = nodes.into_iter().map(str::to_owned).chain(switches);
        Ok(Topology {
            shape: ordered.shape.called(names.collect()),
            notes,
        })
    }

    /// The sizes of blocks: those given, or the first block that has nodes times 1, 2, 4, 8, 16.
    fn block_sizes(&self, switches: &[Switch]) -> Result<Vec<u32>, Mistake> {
        if !self.blocks {
            return Ok(Vec::new());
        }
        let Some((sizes, at)) = &self.sizes else {
            let mut counts = switches.iter().map(|block| block.nodes.len() as u32);
            let base = counts.find(|&count| count > 0).unwrap_or(1);
            return Ok([1, 2, 4, 8, 16].map(|times| times * base).to_vec());
        };
        let wrong = |why| Mistake::new(*at, format!("BlockSizes {why}"));
        check_sizes(sizes).map_err(wrong)?;
        let mut sizes = sizes.clone();
        sizes.sort_unstable();
        sizes.dedup();
        Ok(sizes)
    }

    /// What older versions of Slurm do not accept.
    fn notes_on_sizes(&self, switches: &[Switch], sizes: &[u32]) -> Vec<String> {
        let mut notes = Vec::new();
        let counts = switches
            .iter()
            .map(|switch| switch.nodes.len() + switch.children.len());
        let empty = counts.filter(|&count| count == 0).count();
        let word = self.word();
        if empty > 0 {
            let (plural, have) = if empty == 1 {
                ("", "has")
            } else {
                ("s", "have")
            };
            let plural = if word == "switch" && empty > 1 {
                "es"
            } else {
                plural
            };
            notes.push(format!(
                "{empty} {word}{plural} {have} no node: Slurm before 26.05 does not start on this file."
            ));
        }
        let base = sizes.first().map_or(0, |&base| base as usize);
        let is_small = |count: usize| count > 0 && count < base;
        let small = switches
            .iter()
            .position(|block| is_small(block.nodes.len()));
        if let Some(small) = small {
            notes.push(format!(
                "Block {} has fewer nodes than the base size {base}: Slurm before 26.05 does not start \
                 on this file; rule = 26 is taken.",
                shown(&self.entries[small].name)
            ));
        }
        notes
    }

    fn irregular(&self, irregular: Irregular, nodes: &[&str]) -> Mistake {
        let name = |position: usize| shown(&self.entries[position].name);
        let word = self.word();
        let (at, message) = match irregular {
            Irregular::Cycle(switch) => (
                switch,
                format!(
                    "switch {} is below itself: take it out of a list below it",
                    name(switch)
                ),
            ),
            Irregular::TwoRoots { switch, roots } => (
                switch,
                format!(
                    "switch {} is below two roots, {} and {}, and Slurm's placements are not reliable \
                     then: list it below one, or list the same switches below both",
                    name(switch),
                    name(roots[0]),
                    name(roots[1])
                ),
            ),
            Irregular::NodeTwice { node, leaves } => (
                leaves[1],
                format!(
                    "node {} is in two {word}{}, {} and {}, and Slurm's placements are not reliable \
                     then: list it once",
                    shown(nodes[node as usize]),
                    if self.blocks { "s" } else { "es" },
                    name(leaves[0]),
                    name(leaves[1])
                ),
            ),
        };
        Mistake::new(self.entries[at].at, message)
    }
}

impl Entry {
    /// The names of its nodes and of its children.
    fn expand(&self, word: &str) -> Result<(Vec<String>, Vec<String>), Mistake> {
        if let (Some(nodes), Some(_)) = (&self.nodes, &self.children) {
            let message = format!(
                "switch {} has nodes and switches: give it switches only, and the nodes a leaf of their own",
                shown(&self.name)
            );
            return Err(Mistake::new(nodes.at, message));
        }
        let names = |list: &Option<List>| match list {
            None => Ok(Vec::new()),
            Some(list) => hostlist::expand(&list.text).map_err(|(byte, why)| {
                let at = At {
                    line: list.at.line,
                    column: list.at.column + byte,
                };
                Mistake::new(
                    at,
                    format!("the list of {word} {} {why}", shown(&self.name)),
                )
            }),
        };
        Ok((names(&self.nodes)?, names(&self.children)?))
    }
}
