//! Where a system has no subtrees: which of its free nodes a job gets, or how much of each centre or
//! cluster.
//!
//! It follows from the steps alone: what each part has free before a job starts is known from who
//! runs, starts and is suspended. Centres are listed as they are opened, other parts by number. Of
//! nodes it is said that they are the lowest where they are, of clusters by which rule they are
//! taken.

use std::collections::BTreeMap;

use backfill_sim::engine::{RunningJob, Step};
use backfill_sim::id::JobId;
use backfill_sim::job::Jobs;
use backfill_sim::policy::elastic::MachinesOn;
use backfill_sim::setup::Setup;

use super::clusters::Clusters;
use super::names::{counted, units};
use super::subtrees::{ToldPlacement, ToldSubtree, shown};

/// Slots held on parts.
type Shares = Vec<(u32, u32)>;

/// What is free of each part of a system, from step to step.
pub(super) struct Parts<'a> {
    setup: &'a Setup,
    jobs: &'a Jobs,
    part: &'static str,
    /// What is free in a part, in the singular.
    unit: String,
    /// The parts in the order in which they are listed.
    order: Vec<u32>,
    free: Vec<u32>,
    /// Whether a part is one slot.
    is_single: bool,
    held: BTreeMap<JobId, Shares>,
}

impl<'a> Parts<'a> {
    /// As a pass begins; `None` where parts are those of a tree, or shared by two jobs: how these
    /// get theirs is a step.
    pub(super) fn before(
        setup: &'a Setup,
        jobs: &'a Jobs,
        running: &[RunningJob],
    ) -> Option<Parts<'a>> {
        let system = &setup.system;
        let about = system.kind().about();
        let capacity = system.capacity();
        let slots = capacity.slots_per_server as u32;
        let is_tree = system.fat_tree().is_some() || system.tree().is_some();
        if is_tree || setup.queue.consolidates() {
            return None;
        }
        let free = match system.multi_cluster() {
            Some(spec) => spec.nodes.clone(),
            None => vec![slots; capacity.servers as usize],
        };
        let order = match system.pool() {
            Some(spec) => spec.opening_order.iter().map(|centre| centre.0).collect(),
            None => (0..free.len() as u32).collect(),
        };
        // Which machines are off is no matter of centres.
        let all_on = setup.queueing.elasticity.interpretation == MachinesOn::All;
        let state = if all_on { "free" } else { "idle" };
        let mut parts = Parts {
            setup,
            jobs,
            part: about.part,
            unit: format!("{state} {}", about.unit),
            order,
            is_single: slots == 1 && capacity.servers > 1,
            free,
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
                let told = self.told(*job, shares);
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

    fn told(&self, job: JobId, shares: &[(u32, u32)]) -> Option<ToldPlacement> {
        let (part, unit) = (self.part, &self.unit);
        if self.is_single {
            let free = (0..).zip(&self.free).filter(|of| *of.1 > 0).map(|of| of.0);
            let all = free.clone().count();
            let are_lowest = free.take(shares.len()).eq(shares.iter().map(|of| of.0));
            let rule = match (shares.len(), all) {
                (1, 1) => format!("It gets the only {unit}."),
                (taken, _) if taken == all => format!("It gets all {all} {unit}s."),
                (taken, _) => {
                    let lowest = if are_lowest {
                        ", those of the lowest numbers"
                    } else {
                        ""
                    };
                    format!("It gets {taken} of the {all} {unit}s{lowest}.")
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
        let taken_of = |own: u32| {
            let taken = shares.iter().find(|of| of.0 == own);
            taken.map_or(0, |of| of.1)
        };
        let free_of = |own: u32| self.free[own as usize];
        let needed: u32 = shares.iter().map(|of| of.1).sum();
        let state = |&own: &u32| (free_of(own) > 0, taken_of(own) > 0);
        let listed = shown(self.order.iter().map(state));
        let clusters = Clusters::with(self.setup, self.jobs, &self.held);
        let entry = |&position: &usize| {
            let own = self.order[position];
            let (free, taken) = (free_of(own), taken_of(own));
            let mut has = units(free, unit);
            if let Some(clusters) = &clusters {
                has += &clusters.load(own);
            }
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
        let all = 0..self.order.len();
        let rest = { all }.filter(|position| listed.binary_search(position).is_err());
        let is_full = |&position: &usize| free_of(self.order[position]) == 0;
        let full = rest.clone().filter(is_full).count() as u32;
        let other = rest.count() as u32 - full;
        let rule = match &clusters {
            Some(clusters) => clusters.rule(&self.jobs[job].request(job)),
            None => format!("The {part}s are listed in the order in which they are opened."),
        };
        Some(ToldPlacement {
            rule,
            subtrees: listed.iter().map(entry).collect(),
            more: counted([
                (other, format!("with {unit}s").as_str()),
                (full, &format!("with no {unit}")),
            ]),
        })
    }
}
