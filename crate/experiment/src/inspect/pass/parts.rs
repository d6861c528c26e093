//! Where a system has no subtrees: which of its free nodes a job gets, or how much of each centre or
//! cluster.
//!
//! It follows from the steps alone: what each part has free before a job starts is known from who
//! runs, starts and is suspended. No order is said but that of numbers, and of nodes that they are
//! the lowest where they are.

use std::collections::BTreeMap;

use backfill_sim::engine::{RunningJob, Step};
use backfill_sim::id::JobId;
use backfill_sim::policy::elastic::MachinesOn;
use backfill_sim::setup::Setup;

use super::names::{counted, units};
use super::subtrees::{ToldPlacement, ToldSubtree, shown};

/// Slots held on parts.
type Shares = Vec<(u32, u32)>;

/// What is free of each part of a system, from step to step.
pub(super) struct Parts {
    part: &'static str,
    unit: &'static str,
    free: Vec<u32>,
    /// Whether a part is one slot.
    is_single: bool,
    held: BTreeMap<JobId, Shares>,
}

impl Parts {
    /// As a pass begins; `None` where parts differ in size, are shared or may be off, or are those of
    /// a tree.
    pub(super) fn before(setup: &Setup, running: &[RunningJob]) -> Option<Parts> {
        let system = &setup.system;
        let about = system.kind().about();
        let capacity = system.capacity();
        let is_equal = capacity.servers * capacity.slots_per_server == system.slots();
        let all_on = setup.queueing.elasticity.interpretation == MachinesOn::All;
        if system.fat_tree().is_some() || system.tree().is_some() || !is_equal || !all_on {
            return None;
        }
        let slots = capacity.slots_per_server as u32;
        let mut parts = Parts {
            part: about.part,
            unit: about.unit,
            free: vec![slots; capacity.servers as usize],
            is_single: slots == 1 && capacity.servers > 1,
            held: BTreeMap::new(),
        };
        for of in running {
            parts.hold(of.job, &of.shares);
        }
        Some(parts)
    }

    /// Follows a step; tells the placement of a job that starts.
    pub(super) fn after(&mut self, step: &Step) -> Option<ToldPlacement> {
        match step {
            Step::Suspended { job } => self.release(*job),
            Step::Moved { job, shares, .. } => {
                self.release(*job);
                self.hold(*job, shares);
            }
            Step::Started { job, shares, .. } => {
                let told = self.told(shares);
                self.hold(*job, shares);
                return told;
            }
            _ => {}
        }
        None
    }

    fn hold(&mut self, job: JobId, shares: &[(u32, u32)]) {
        for &(part, slots) in shares {
            let free = &mut self.free[part as usize];
            *free = free.saturating_sub(slots);
        }
        self.held.insert(job, shares.to_vec());
    }

    fn release(&mut self, job: JobId) {
        for (part, slots) in self.held.remove(&job).unwrap_or_default() {
            self.free[part as usize] += slots;
        }
    }

    fn told(&self, shares: &[(u32, u32)]) -> Option<ToldPlacement> {
        let (part, unit) = (self.part, self.unit);
        if self.is_single {
            let free = (0..).zip(&self.free).filter(|of| *of.1 > 0).map(|of| of.0);
            let all = free.clone().count();
            let are_lowest = free.take(shares.len()).eq(shares.iter().map(|of| of.0));
            let rule = match (shares.len(), all) {
                (1, 1) => format!("It gets the only free {part}."),
                (taken, _) if taken == all => format!("It gets all {all} free {part}s."),
                (taken, _) => {
                    let lowest = if are_lowest {
                        ", those of the lowest numbers"
                    } else {
                        ""
                    };
                    format!("It gets {taken} of the {all} free {part}s{lowest}.")
                }
            };
            return Some(ToldPlacement {
                rule,
                subtrees: Vec::new(),
                more: String::new(),
            });
        }
        if self.free.len() < 2 {
            return None;
        }
        let taken_of = |own: usize| {
            let taken = shares.iter().find(|of| of.0 as usize == own);
            taken.map_or(0, |of| of.1)
        };
        let needed: u32 = shares.iter().map(|of| of.1).sum();
        let state = |own| (self.free[own] > 0, taken_of(own) > 0);
        let listed = shown((0..self.free.len()).map(state));
        let unit = format!("free {unit}");
        let entry = |&own: &usize| {
            let (free, taken) = (self.free[own], taken_of(own));
            let has = units(free, &unit);
            ToldSubtree {
                name: format!("{part} {own}"),
                free,
                most: free.min(needed),
                taken,
                sentence: match taken {
                    0 if free == 0 => format!("has {has}"),
                    0 => format!("has {has} and gives none"),
                    _ if taken == needed => format!("takes all {taken}; it has {has}"),
                    _ => format!("takes {taken} of the {needed}; it has {has}"),
                },
            }
        };
        let rest = (0..self.free.len()).filter(|own| listed.binary_search(own).is_err());
        let full = rest.clone().filter(|&own| self.free[own] == 0).count() as u32;
        let other = rest.count() as u32 - full;
        Some(ToldPlacement {
            rule: format!("The {part}s are listed by number."),
            subtrees: listed.iter().map(entry).collect(),
            more: counted([
                (other, format!("with {unit}s").as_str()),
                (full, &format!("with no {unit}")),
            ]),
        })
    }
}
