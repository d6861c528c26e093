//! Consolidation on two tiers: CMCBF and AMCBF.
//!
//! *Decides*, in every pass: first, waiting and background jobs in order of arrival get the
//! foreground if enough of it is idle, or if jobs that arrived later can give way, the latest first
//! and no more than needed; under AMCBF only for the first that cannot start. A background job that
//! gets the foreground keeps its nodes if it can. Second, a background job is suspended if one of
//! its nodes no longer leaves enough CPU. Third, waiting jobs in order of arrival get the
//! background if enough nodes have CPU to spare; one that has just lost the foreground stays on its
//! nodes if it can. A change of tier without a move costs nothing. *Ties*: processes are matched by
//! usage, greatest first, then by number, with nodes by the usage in their other tier, smallest
//! first, then by number. *Complexity*: a pass costs the candidates that could fit, times the jobs
//! in the foreground, and one look at every node for each job placed. *Source*: paper 2, section
//! 4.2 and Algorithms 2 to 4; the matching after X. Liu et al., "Scheduling parallel jobs using
//! migration and consolidation in the cloud", Mathematical Problems in Engineering, 2012, Algorithm
//! 2.

use std::ops::Bound;

use crate::engine::{Context, Policy, Step, Turn};
use crate::id::{JobId, VmId};
use crate::machine::System;
use crate::system::nodes::place::Index;
use crate::system::nodes::{Nodes, Vms};

/// CMCBF or AMCBF.
#[derive(Clone, Debug)]
pub struct Consolidate {
    /// Whether only the first job that cannot start may make others give way (AMCBF).
    pub head_only: bool,
}

impl Policy<Nodes> for Consolidate {
    fn arrive(&mut self, cx: &mut Context<Nodes>, job: JobId) {
        cx.enqueue_if_possible(&Index, job);
    }

    fn pass(&mut self, cx: &mut Context<Nodes>) {
        let evicted = self.give_foreground(cx);
        clear_background(cx);
        fill_background(cx, &evicted);
    }
}

impl Consolidate {
    /// The first stage. Returns the jobs that lost the foreground, and their placements there.
    fn give_foreground(&self, cx: &mut Context<Nodes>) -> Vec<(JobId, Vms)> {
        let mut evicted = Vec::new();
        let mut head_blocked = false;
        let mut after = Bound::Unbounded;
        // No larger job can start any more.
        let mut most = u64::MAX;
        loop {
            let range = (after, Bound::Unbounded);
            let behind = cx.system().jobs_in(true).range(range).copied();
            let observed = cx.is_observed();
            let fits = |&job: &JobId| observed || u64::from(cx.request(job).size) <= most;
            let behind = { behind }.find(fits);
            let waiting = cx.next_observed(after, most);
            let Some(job) = waiting.into_iter().chain(behind).min() else {
                return evicted;
            };
            after = Bound::Excluded(job);
            let size = u64::from(cx.request(job).size);
            let idle = cx.system().free_slots();
            if cx.observe_count(job, Turn::Next, idle) {
                deploy(cx, job);
                continue;
            }
            if head_blocked {
                most = idle;
                continue;
            }
            let foreground = cx.system().jobs_in(false);
            let later: Vec<JobId> = foreground
                .range((after, Bound::Unbounded))
                .copied()
                .collect();
            let held: u64 = later
                .iter()
                .map(|&job| u64::from(cx.request(job).size))
                .sum();
            let found = (idle + held >= size).then(|| fewest(cx, &later, size - idle));
            cx.observe(|| Step::Preempts {
                job,
                candidates: later,
                victims: found.clone(),
            });
            let Some(victims) = found else {
                head_blocked = self.head_only;
                most = if head_blocked { idle } else { idle + held };
                continue;
            };
            for victim in victims {
                let placement = cx.place(victim).expect("a running job").clone();
                evicted.push((victim, placement));
                cx.suspend(victim);
            }
            deploy(cx, job);
        }
    }
}

/// The latest of these jobs, until they hold as much as is needed, without those that can be
/// spared, the earliest first.
fn fewest(cx: &Context<Nodes>, running: &[JobId], needed: u64) -> Vec<JobId> {
    let size = |job: JobId| u64::from(cx.request(job).size);
    let mut first = running.len();
    let mut held = 0;
    while held < needed {
        first -= 1;
        held += size(running[first]);
    }
    let mut surplus = held - needed;
    let mut victims = running[first..].to_vec();
    victims.retain(|&job| {
        if size(job) <= surplus {
            surplus -= size(job);
            false
        } else {
            true
        }
    });
    victims
}

/// Moves a job to the foreground, of which enough is idle.
fn deploy(cx: &mut Context<Nodes>, job: JobId) {
    let system = cx.system();
    let Some(placement) = cx.place(job) else {
        let placement = matched(cx, job, false, &vec![None; cx.request(job).size as usize]);
        return cx.start(job, placement);
    };
    let in_front = placement.vms().map(|vm| system.other(vm));
    let kept: Vec<_> = in_front
        .map(|vm| system.is_free(vm).then_some(vm))
        .collect();
    let placement = matched(cx, job, false, &kept);
    if kept.contains(&None) {
        cx.promote(job, placement)
    } else {
        cx.swap(job, placement)
    }
}

/// Suspends the background jobs that have a node without enough free CPU.
fn clear_background(cx: &mut Context<Nodes>) {
    let behind: Vec<JobId> = cx.system().jobs_in(true).iter().copied().collect();
    for job in behind {
        let system = cx.system();
        let placement = cx.place(job).expect("a running job");
        if !placement.vms().all(|vm| system.leaves_enough(vm)) {
            cx.observe(|| Step::Crowded { job });
            cx.suspend(job);
        }
    }
}

/// Gives waiting jobs the background; `evicted` have just lost the foreground.
fn fill_background(cx: &mut Context<Nodes>, evicted: &[(JobId, Vms)]) {
    let mut available = cx.system().available(true).count() as u64;
    let mut after = Bound::Unbounded;
    while let Some(job) = cx.next_observed(after, available) {
        after = Bound::Excluded(job);
        if !cx.observe_count(job, Turn::Background, available) {
            continue;
        }
        let size = cx.request(job).size;
        available -= u64::from(size);
        let system = cx.system();
        let former = evicted.iter().find(|(other, _)| *other == job);
        let stays = former.and_then(|(_, placement)| {
            let behind = placement.vms().map(|vm| {
                let vm = system.other(vm);
                let free = system.is_free(vm) && system.leaves_enough(vm);
                free.then_some(vm)
            });
            behind.collect::<Option<Vec<_>>>()
        });
        match stays {
            Some(vms) => cx.swap(job, Vms::new(true, vms)),
            None => {
                let placement = matched(cx, job, true, &vec![None; size as usize]);
                cx.start(job, placement);
            }
        }
    }
}

/// The placement of a job in a tier: processes keep the VM in `kept`; the others, by usage in
/// descending order, get the available VMs whose neighbours use least.
fn matched(cx: &mut Context<Nodes>, job: JobId, background: bool, kept: &[Option<VmId>]) -> Vms {
    let system = cx.system();
    let mut processes: Vec<(u64, u32)> = (0..kept.len() as u32)
        .filter(|&process| kept[process as usize].is_none())
        .map(|process| (system.reported(job, process).rank(), !process))
        .collect();
    let free = system.available(background);
    let mut free: Vec<(u64, u32)> = free
        .filter(|&vm| !kept.contains(&Some(vm)))
        .map(|vm| (system.reported_on(system.other(vm)).rank(), vm.0))
        .collect();
    processes.sort_unstable();
    free.sort_unstable();
    let mut vms = kept.to_vec();
    for (&(_, process), &(_, vm)) in processes.iter().rev().zip(&free) {
        vms[!process as usize] = Some(VmId(vm));
    }
    if cx.is_observed() && !processes.is_empty() {
        let pairs = processes.iter().rev().zip(&free);
        let usages = |(&(_, process), &(_, vm)): (&(u64, u32), &(u64, u32))| {
            let (own, vm) = (system.reported(job, !process), VmId(vm));
            let beside = system.reported_on(system.other(vm));
            (own.0, system.node(vm).0, beside.0)
        };
        let processes = pairs.map(usages).collect();
        cx.observe(|| Step::Matched {
            job,
            background,
            available: free.len(),
            processes,
        });
    }
    let vms = vms.into_iter().map(|vm| vm.expect("enough are available"));
    Vms::new(background, vms)
}
