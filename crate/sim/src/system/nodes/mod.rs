//! A cluster of equal nodes, each with one virtual machine, or with two: one in the foreground and one in
//! the background, which gets what CPU the foreground leaves over. Links are not modelled.
//!
//! A job holds virtual machines of one tier, one for each of its processes, and goes as fast as its
//! slowest process. In the foreground a process loses a little speed while the background of its node
//! is occupied. In the background it runs at full speed where the foreground of its node is idle; else
//! at its job's background efficiency, and slower yet where less CPU is idle than it uses. A virtual
//! machine is occupied while a job holds it, also while that job is paused.
//!
//! - [`place`]: where a job goes
//! - [`describe`]: its parts, for people and pictures
//!
//! Invariant: a virtual machine is held by at most one process.
//!
//! Source: paper 2, sections 3 and 5.1: rates are its run times' reciprocals, exact between events
//! instead of by time slices.

pub mod describe;
pub mod place;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::id::{Id, IdVec, JobId, NodeId, VmId};
use crate::job::{Cpu, Jobs, Percent, Request};
use crate::system::{Capacity, Place, System};
use crate::unit::Kbps;

/// Plain nodes of one slot each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodesSpec {
    /// How many.
    pub nodes: u32,
    /// How their background works; without it each runs one process at a time.
    pub background: Option<Sharing>,
}

impl NodesSpec {
    /// What a workload needs to know of them: the foreground alone.
    pub fn capacity(&self) -> Capacity {
        Capacity {
            slots: u64::from(self.nodes),
            servers: u64::from(self.nodes),
            slots_per_server: 1,
            line_rate: Kbps(u64::MAX),
        }
    }
}

/// A cluster of nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Nodes {
    count: u32,
    /// One bit for each virtual machine, set while it is free.
    free: Vec<u64>,
    /// How many are free in the foreground.
    free_count: u32,
    background: Option<Background>,
}

/// How a node is shared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sharing {
    /// The CPU usage of a foreground process from which on nothing runs behind it.
    pub threshold: Percent,
    /// Whether background processes run at full speed whatever is in front of them, as the paper's
    /// worked example has it.
    pub full_background: bool,
}

/// What is kept where nodes have a background.
#[derive(Clone, Debug, PartialEq)]
struct Background {
    sharing: Sharing,
    /// What the processes of each job use.
    cpus: Arc<IdVec<JobId, Arc<Cpu>>>,
    /// Which process of which job holds each virtual machine.
    holders: IdVec<VmId, Option<(JobId, u32)>>,
    /// The jobs in the foreground and in the background.
    tiers: [BTreeSet<JobId>; 2],
    touched: BTreeSet<JobId>,
}

/// The virtual machines of one job, process by process, all of one tier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vms {
    /// Whether they are in the background.
    pub background: bool,
    /// Which.
    pub vms: Vec<VmId>,
}

impl Nodes {
    /// A cluster of `count` idle nodes that run one process each.
    pub fn new(count: u32) -> Nodes {
        Nodes::of(count, count, None)
    }

    /// A cluster of `count` idle nodes with a background, for these jobs. A job of which nothing is
    /// known uses its nodes entirely.
    pub fn with_background(count: u32, sharing: Sharing, jobs: &Jobs) -> Nodes {
        let cpu = |job: &crate::job::Job| {
            let unknown = || Arc::new(Cpu::whole(job.size.min(count)));
            job.cpu.clone().unwrap_or_else(unknown)
        };
        let background = Background {
            sharing,
            cpus: Arc::new(jobs.iter().map(cpu).collect::<Vec<_>>().into()),
            holders: IdVec::filled(None, 2 * count as usize),
            tiers: [BTreeSet::new(), BTreeSet::new()],
            touched: BTreeSet::new(),
        };
        Nodes::of(count, 2 * count, Some(background))
    }

    fn of(count: u32, vms: u32, background: Option<Background>) -> Nodes {
        let mut free = vec![0; vms.div_ceil(64) as usize];
        for vm in 0..vms as usize {
            free[vm / 64] |= 1 << (vm % 64);
        }
        Nodes {
            count,
            free,
            free_count: count,
            background,
        }
    }

    /// How many nodes have their foreground free.
    pub fn free_count(&self) -> u32 {
        self.free_count
    }

    /// The free virtual machines of the foreground, ascending.
    pub fn free_vms(&self) -> impl Iterator<Item = VmId> {
        self.all_free().take_while(|vm| vm.0 < self.count)
    }

    /// The free virtual machines, ascending.
    fn all_free(&self) -> impl Iterator<Item = VmId> {
        self.free.iter().enumerate().flat_map(|(word, &bits)| {
            std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)))
                .take_while(|&bits| bits != 0)
                .map(move |bits| VmId::new(word * 64 + bits.trailing_zeros() as usize))
        })
    }

    /// The node of a virtual machine.
    pub fn node(&self, vm: VmId) -> NodeId {
        NodeId(vm.0 % self.count)
    }

    /// The virtual machine of the same node in the other tier.
    pub fn other(&self, vm: VmId) -> VmId {
        VmId((vm.0 + self.count) % (2 * self.count))
    }

    /// Whether nobody holds a virtual machine.
    pub fn is_free(&self, vm: VmId) -> bool {
        self.free[vm.index() / 64] >> (vm.index() % 64) & 1 == 1
    }

    /// What there is in the background.
    ///
    /// # Panics
    /// The nodes have none.
    fn behind(&self) -> &Background {
        self.background.as_ref().expect("nodes with a background")
    }

    /// The jobs in the foreground, or in the background.
    ///
    /// # Panics
    /// The nodes have no background; so do the following.
    pub fn jobs_in(&self, background: bool) -> &BTreeSet<JobId> {
        &self.behind().tiers[usize::from(background)]
    }

    /// What a job's process is said to use.
    pub fn reported(&self, job: JobId, process: u32) -> Percent {
        self.behind().cpus[job].processes[process as usize].reported
    }

    /// What the process on a virtual machine is said to use; nothing if there is none.
    pub fn reported_on(&self, vm: VmId) -> Percent {
        let holder = self.behind().holders[vm];
        holder.map_or(Percent(0.0), |(job, process)| self.reported(job, process))
    }

    /// Whether a process in the background of a virtual machine's node has CPU enough.
    pub fn leaves_enough(&self, vm: VmId) -> bool {
        self.reported_on(VmId(self.node(vm).0)) < self.behind().sharing.threshold
    }

    /// The free virtual machines of the foreground, or those of the background of nodes that leave
    /// CPU enough; by node.
    pub fn available(&self, background: bool) -> impl Iterator<Item = VmId> {
        self.all_free().filter(move |&vm| match vm.0 < self.count {
            true => !background,
            false => background && self.leaves_enough(vm),
        })
    }

    /// Turns every virtual machine of a place from free to held, or back.
    fn flip(&mut self, request: &Request, place: &Vms, free: bool) {
        for (process, &vm) in place.vms.iter().enumerate() {
            let (word, bit) = (vm.index() / 64, 1 << (vm.index() % 64));
            let state = if free { "free for" } else { "held by" };
            let as_expected = (self.free[word] & bit != 0) == free;
            assert!(as_expected, "{vm} is not {state} {}", request.index);
            self.free[word] ^= bit;
            let other = self.background.is_some().then(|| self.other(vm));
            if let Some((behind, other)) = self.background.as_mut().zip(other) {
                behind.holders[vm] = free.then_some((request.index, process as u32));
                // Whoever shares the node may go at another rate now.
                if let Some((neighbour, _)) = behind.holders[other] {
                    behind.touched.insert(neighbour);
                }
            }
        }
        if let Some(behind) = &mut self.background {
            behind.touched.insert(request.index);
            let tier = &mut behind.tiers[usize::from(place.background)];
            match free {
                true => tier.insert(request.index),
                false => tier.remove(&request.index),
            };
        }
        match (place.background, free) {
            (true, _) => {}
            (false, true) => self.free_count -= place.vms.len() as u32,
            (false, false) => self.free_count += place.vms.len() as u32,
        }
    }
}

impl System for Nodes {
    type Place = Vms;

    fn hold(&mut self, request: &Request, place: &Vms) {
        self.flip(request, place, true);
    }

    fn free(&mut self, request: &Request, place: &Vms) {
        self.flip(request, place, false);
    }

    fn rate(&self, request: &Request, place: &Vms) -> f64 {
        let Some(behind) = &self.background else {
            return 1.0;
        };
        let cpu = &behind.cpus[request.index];
        let mut rate: f64 = 1.0;
        for (process, &vm) in cpu.processes.iter().zip(&place.vms) {
            let Some((job, other)) = behind.holders[self.other(vm)] else {
                continue;
            };
            if !place.background {
                rate = rate.min(1.0 - process.overhead);
            } else if !behind.sharing.full_background {
                let idle = 100.0 - behind.cpus[job].processes[other as usize].usage.0;
                let enough = idle >= process.usage.0;
                let factor = if enough { 1.0 } else { idle / process.usage.0 };
                rate = rate.min(cpu.efficiency * factor);
            }
        }
        rate
    }

    fn touched(&mut self, out: &mut Vec<JobId>) {
        if let Some(behind) = &mut self.background {
            out.extend(&behind.touched);
            behind.touched.clear();
        }
    }

    fn slots(&self) -> u64 {
        u64::from(self.count)
    }

    fn free_slots(&self) -> u64 {
        u64::from(self.free_count)
    }
}

impl Place for Vms {
    fn shares(&self) -> impl Iterator<Item = (u32, u32)> {
        let vms = self.vms.iter().map(|vm| (u64::from(vm.0), 1));
        let mut shares: Vec<(u64, u32)> = vms.collect();
        shares.sort_unstable();
        shares.into_iter().map(|(vm, one)| (vm as u32, one))
    }

    fn processes(&self) -> Vec<u32> {
        let mut processes: Vec<u32> = (0..self.vms.len() as u32).collect();
        processes.sort_unstable_by_key(|&process| self.vms[process as usize]);
        processes
    }

    fn slots(&self) -> u32 {
        self.vms.len() as u32
    }

    fn background(&self) -> bool {
        self.background
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Job, Process};

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
            home: 0,
            vm_migrations: None,
            cpu: Some(Arc::new(Cpu {
                processes: processes.iter().map(process).collect(),
                efficiency,
            })),
        }
    }

    /// The rates of all jobs, each in its tier on the nodes given process by process.
    fn rates(jobs: &[Job], places: &[(bool, &[u32])]) -> Vec<f64> {
        let jobs: Jobs = jobs.to_vec().into();
        let sharing = Sharing {
            threshold: Percent(96.0),
            full_background: false,
        };
        let mut system = Nodes::with_background(4, sharing, &jobs);
        let place = |&(background, nodes): &(bool, &[u32])| Vms {
            background,
            vms: nodes
                .iter()
                .map(|&node| VmId(node + if background { 4 } else { 0 }))
                .collect(),
        };
        let places: Vec<Vms> = places.iter().map(place).collect();
        let requests: Vec<Request> = jobs
            .iter_enumerated()
            .map(|(id, job)| job.request(id))
            .collect();
        for (request, place) in requests.iter().zip(&places) {
            system.hold(request, place);
        }
        let rates = requests.iter().zip(&places);
        rates
            .map(|(request, place)| system.rate(request, place))
            .collect()
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
        let sharing = Sharing {
            threshold: Percent(96.0),
            full_background: false,
        };
        let mut system = Nodes::with_background(3, sharing, &jobs);
        for (id, job) in jobs.iter_enumerated() {
            let vms = vec![VmId(id.0)];
            let place = Vms {
                background: false,
                vms,
            };
            system.hold(&job.request(id), &place);
        }
        let behind: Vec<VmId> = system.available(true).collect();
        assert_eq!(behind, [VmId(3), VmId(5)]);
        assert!(system.available(false).eq([VmId(2)]));
    }
}
