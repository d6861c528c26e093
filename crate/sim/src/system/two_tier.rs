//! A cluster of equal nodes, each with two virtual machines: one in the foreground and one in the
//! background, which gets what CPU the foreground leaves over. Links are not modelled.
//!
//! A job holds virtual machines of one tier, one for each of its processes, and goes as fast as its
//! slowest process. In the foreground a process loses a little speed while the background of its node
//! is occupied. In the background it runs at full speed where the foreground of its node is idle; else
//! at its job's background efficiency, and slower yet where less CPU is idle than it uses. A virtual
//! machine is occupied while a job holds it, also while that job is paused.
//!
//! Invariant: a virtual machine is held by at most one process.
//!
//! Source: paper 2, sections 3 and 5.1: rates are its run times' reciprocals, exact between events
//! instead of by time slices.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::id::{IdVec, JobId, NodeId, VmId};
use crate::job::{Ask, Cpu, Jobs, Percent};

/// A cluster of nodes with two tiers.
#[derive(Clone, Debug, PartialEq)]
pub struct TwoTier {
    nodes: u32,
    rules: Rules,
    /// What the processes of each job use.
    cpus: Arc<IdVec<JobId, Arc<Cpu>>>,
    /// Which process of which job holds each virtual machine.
    vms: IdVec<VmId, Option<(JobId, u32)>>,
    /// The jobs in each tier.
    tiers: [BTreeSet<JobId>; 2],
    free_foreground: u32,
    touched: Vec<JobId>,
}

/// How the background works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The CPU usage of a foreground process from which on nothing runs behind it.
    pub threshold: Percent,
    /// Whether background processes run at full speed whatever is in front of them, as the paper's
    /// worked example has it.
    pub full_background: bool,
}

/// The virtual machines of one job, process by process, all of one tier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vms {
    /// Whether they are in the background.
    pub background: bool,
    /// Which.
    pub vms: Vec<VmId>,
}

impl TwoTier {
    /// A cluster of idle nodes for these jobs. A job of which nothing is known uses its nodes
    /// entirely.
    pub fn new(nodes: u32, rules: Rules, jobs: &Jobs) -> TwoTier {
        let cpu = |job: &crate::job::Job| {
            let unknown = || Arc::new(Cpu::whole(job.size.min(nodes)));
            job.cpu.clone().unwrap_or_else(unknown)
        };
        TwoTier {
            nodes,
            rules,
            cpus: Arc::new(jobs.iter().map(cpu).collect::<Vec<_>>().into()),
            vms: IdVec::filled(None, 2 * nodes as usize),
            tiers: [BTreeSet::new(), BTreeSet::new()],
            free_foreground: nodes,
            touched: Vec::new(),
        }
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The jobs in the foreground, or in the background.
    pub fn jobs_in(&self, background: bool) -> &BTreeSet<JobId> {
        &self.tiers[usize::from(background)]
    }

    /// The virtual machine of a node.
    pub fn vm(&self, node: NodeId, background: bool) -> VmId {
        VmId(node.0 + if background { self.nodes } else { 0 })
    }

    /// The node of a virtual machine.
    pub fn node(&self, vm: VmId) -> NodeId {
        NodeId(vm.0 % self.nodes)
    }

    /// The virtual machine of the same node in the other tier.
    pub fn other(&self, vm: VmId) -> VmId {
        VmId((vm.0 + self.nodes) % (2 * self.nodes))
    }

    /// Whether nobody holds a virtual machine.
    pub fn is_free(&self, vm: VmId) -> bool {
        self.vms[vm].is_none()
    }

    /// What a job's process is said to use.
    pub fn reported(&self, job: JobId, process: u32) -> Percent {
        self.cpus[job].processes[process as usize].reported
    }

    /// What the process on a virtual machine is said to use; nothing if there is none.
    pub fn reported_on(&self, vm: VmId) -> Percent {
        self.vms[vm].map_or(Percent(0.0), |(job, process)| self.reported(job, process))
    }

    /// Whether a node leaves CPU enough for something in its background.
    pub fn leaves_enough(&self, node: NodeId) -> bool {
        self.reported_on(self.vm(node, false)) < self.rules.threshold
    }

    /// The free virtual machines of the foreground, or those of the background of nodes that leave
    /// CPU enough; by node.
    pub fn available(&self, background: bool) -> impl Iterator<Item = VmId> {
        let nodes = (0..self.nodes).map(NodeId);
        nodes
            .filter(move |&node| !background || self.leaves_enough(node))
            .map(move |node| self.vm(node, background))
            .filter(|&vm| self.is_free(vm))
    }

    /// Whoever shares a node with these virtual machines, and `job`, may change its rate.
    fn touch(&mut self, job: JobId, place: &Vms) {
        self.touched.push(job);
        for &vm in &place.vms {
            self.touched
                .extend(self.vms[self.other(vm)].map(|(job, _)| job));
        }
    }
}

impl super::System for TwoTier {
    type Place = Vms;

    fn hold(&mut self, ask: &Ask, place: &Vms) {
        for (process, &vm) in place.vms.iter().enumerate() {
            let free = self.vms[vm].replace((ask.index, process as u32)).is_none();
            assert!(free, "{vm} is not free for {}", ask.index);
        }
        if !place.background {
            self.free_foreground -= ask.size;
        }
        self.tiers[usize::from(place.background)].insert(ask.index);
        self.touch(ask.index, place);
    }

    fn free(&mut self, ask: &Ask, place: &Vms) {
        for &vm in &place.vms {
            let held = self.vms[vm].take();
            let own = held.is_some_and(|(job, _)| job == ask.index);
            assert!(own, "{vm} is not held by {}", ask.index);
        }
        if !place.background {
            self.free_foreground += ask.size;
        }
        self.tiers[usize::from(place.background)].remove(&ask.index);
        self.touch(ask.index, place);
    }

    fn rate(&self, ask: &Ask, place: &Vms) -> f64 {
        let cpu = &self.cpus[ask.index];
        let processes = cpu.processes.iter().zip(&place.vms);
        let beside = processes.filter_map(|(process, &vm)| {
            let (job, other) = self.vms[self.other(vm)]?;
            Some((process, &self.cpus[job].processes[other as usize]))
        });
        let rates = beside.map(|(process, other)| match place.background {
            false => 1.0 - process.overhead,
            true if self.rules.full_background => 1.0,
            true => {
                let idle = 100.0 - other.usage.0;
                let enough = idle >= process.usage.0;
                cpu.efficiency * if enough { 1.0 } else { idle / process.usage.0 }
            }
        });
        rates.fold(1.0, f64::min)
    }

    fn touched(&mut self, out: &mut Vec<JobId>) {
        out.append(&mut self.touched);
        out.sort_unstable();
        out.dedup();
    }

    fn slots(&self) -> u64 {
        u64::from(self.nodes)
    }

    fn free_slots(&self) -> u64 {
        u64::from(self.free_foreground)
    }
}

impl super::Place for Vms {
    fn shares(&self) -> impl Iterator<Item = (u32, u32)> {
        let mut vms = self.vms.clone();
        vms.sort_unstable();
        vms.into_iter().map(|vm| (vm.0, 1))
    }

    fn background(&self) -> bool {
        self.background
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Job, Process};
    use crate::system::System;
    use crate::unit::{Kbps, Span, Time};

    fn job(efficiency: f64, processes: &[(f64, f64)]) -> Job {
        let process = |&(usage, overhead): &(f64, f64)| Process {
            usage: Percent(usage),
            reported: Percent(usage),
            overhead,
        };
        Job {
            number: 0,
            submit: Time(0),
            size: processes.len() as u32,
            bandwidth: Kbps(0),
            runtime: Span(1),
            estimate: Span(1),
            after: None,
            cpu: Some(Arc::new(Cpu {
                processes: processes.iter().map(process).collect(),
                efficiency,
            })),
        }
    }

    /// The rates of all jobs, each in its tier on the nodes given process by process.
    fn rates(jobs: &[Job], places: &[(bool, &[u32])]) -> Vec<f64> {
        let jobs: Jobs = jobs.to_vec().into();
        let rules = Rules {
            threshold: Percent(96.0),
            full_background: false,
        };
        let mut system = TwoTier::new(4, rules, &jobs);
        let place = |&(background, nodes): &(bool, &[u32])| Vms {
            background,
            vms: nodes
                .iter()
                .map(|&node| system.vm(NodeId(node), background))
                .collect(),
        };
        let places: Vec<Vms> = places.iter().map(place).collect();
        let asks: Vec<Ask> = jobs
            .iter_enumerated()
            .map(|(id, job)| job.ask(id))
            .collect();
        for (ask, place) in asks.iter().zip(&places) {
            system.hold(ask, place);
        }
        let rates = asks.iter().zip(&places);
        rates.map(|(ask, place)| system.rate(ask, place)).collect()
    }

    #[test]
    fn rates_are_those_of_the_slowest_process() {
        let front = |usage, overhead| job(1.0, &[(usage, overhead)]);
        let behind = job(0.5, &[(80.0, 0.0), (60.0, 0.0)]);
        let jobs = [front(40.0, 0.01), front(70.0, 0.03), behind.clone()];
        // Idle are 60 and 30 per cent.
        let matched = rates(&jobs, &[(false, &[0]), (false, &[1]), (true, &[0, 1])]);
        assert_eq!(matched[..2], [1.0 - 0.01, 1.0 - 0.03]);
        assert_eq!(matched[2], 0.25);
        let crossed = rates(&jobs, &[(false, &[0]), (false, &[1]), (true, &[1, 0])]);
        assert_eq!(crossed[2], 0.1875);
        let one_idle = rates(&jobs, &[(false, &[0]), (false, &[1]), (true, &[3, 1])]);
        assert_eq!((one_idle[0], one_idle[2]), (1.0, 0.25));
        let both_idle = rates(&jobs, &[(false, &[0]), (false, &[1]), (true, &[3, 2])]);
        assert_eq!(both_idle, [1.0, 1.0, 1.0]);
        let wide = job(1.0, &[(40.0, 0.01), (70.0, 0.03)]);
        assert_eq!(
            rates(&[wide, behind], &[(false, &[0, 1]), (true, &[0, 1])])[0],
            0.97
        );
    }

    #[test]
    fn nothing_runs_behind_a_process_from_the_threshold_on() {
        let jobs: Jobs = vec![job(1.0, &[(95.999, 0.0)]), job(1.0, &[(96.0, 0.0)])].into();
        let rules = Rules {
            threshold: Percent(96.0),
            full_background: false,
        };
        let mut system = TwoTier::new(3, rules, &jobs);
        for (id, job) in jobs.iter_enumerated() {
            let vms = vec![VmId(id.0)];
            let place = Vms {
                background: false,
                vms,
            };
            system.hold(&job.ask(id), &place);
        }
        let behind: Vec<VmId> = system.available(true).collect();
        assert_eq!(behind, [VmId(3), VmId(5)]);
        assert!(system.available(false).eq([VmId(2)]));
    }
}
