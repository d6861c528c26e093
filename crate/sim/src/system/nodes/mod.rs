//! A cluster of equal nodes, each with one virtual machine, or with two: one in the foreground and
//! one in the background, which gets what CPU the foreground leaves over. Links are not modelled.
//!
//! A job holds virtual machines of one tier, one for each of its processes, and goes as fast as its
//! slowest process. In the foreground a process loses a little speed while the background of its
//! node is occupied. In the background it runs at full speed where the foreground of its node is
//! idle; else at its job's background efficiency, and slower yet where less CPU is idle than it
//! uses. A virtual machine is occupied while a job holds it, also while that job is paused.
//!
//! What a job holds is kept as runs of virtual machines that follow each other, what is free as one
//! bit for each. A job costs the runs it holds and the words of bits below them.
//!
//! - `free`: which virtual machines are free
//! - [`place`]: where a job goes
//! - [`describe`]: its parts, for people and pictures
//!
//! Invariant: a virtual machine is held by at most one process.
//!
//! Source: paper 2, sections 3 and 5.1: rates are its run times' reciprocals, exact between events
//! instead of by time slices.

pub mod describe;
mod free;
pub mod place;

use crate::sorting;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use free::FreeSet;

use crate::id::{IdVec, JobId, NodeId, VmId};
use crate::job::{Cpu, Jobs, Percent, Request};
use crate::machine::{Capacity, Placement, Stretch, System};
use crate::unit::Kbps;

/// Plain nodes of one slot each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodesSpec {
    /// The number of nodes.
    pub nodes: u32,
    /// How their background works; without it each runs one process at a time.
    pub background: Option<BackgroundSharing>,
}

impl NodesSpec {
    /// What a workload needs to know of them: the foreground alone.
    pub fn capacity(&self) -> Capacity {
        Capacity {
            slots: u64::from(self.nodes),
            servers: u64::from(self.nodes),
            slots_per_server: 1,
            line_rate: Kbps(u64::MAX),
            thinnest_shared: None,
            most_guaranteed: None,
        }
    }
}

/// A cluster of nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Nodes {
    count: u32,
    free: FreeSet,
    /// How many are free in the foreground.
    free_count: u32,
    background: Option<Background>,
}

/// How a node is shared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BackgroundSharing {
    /// The CPU usage of a foreground process from which on nothing runs behind it.
    pub threshold: Percent,
    /// Whether background processes run at full speed whatever is in front of them, as the paper's
    /// worked example has it.
    pub full_background: bool,
}

/// What is kept where nodes have a background.
#[derive(Clone, Debug, PartialEq)]
struct Background {
    sharing: BackgroundSharing,
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
    background: bool,
    /// Runs of machines that follow each other: the first and how many, in the order of the
    /// processes.
    runs: Vec<(VmId, u32)>,
}

impl Vms {
    /// These machines, process by process, of the background or of the foreground.
    pub fn new(background: bool, vms: impl IntoIterator<Item = VmId>) -> Vms {
        let mut runs: Vec<(VmId, u32)> = Vec::new();
        for vm in vms {
            match runs.last_mut() {
                Some((first, count)) if first.0 + *count == vm.0 => *count += 1,
                _ => runs.push((vm, 1)),
            }
        }
        Vms { background, runs }
    }

    /// Which they are, process by process.
    pub fn vms(&self) -> impl Iterator<Item = VmId> {
        let runs = self.runs.iter();
        runs.flat_map(|&(first, count)| (first.0..first.0 + count).map(VmId))
    }

    /// The runs by machine.
    fn ascending(&self) -> Cow<'_, [(VmId, u32)]> {
        if self.runs.is_sorted() {
            return Cow::Borrowed(&self.runs);
        }
        let mut runs = self.runs.clone();
        runs.sort_unstable();
        Cow::Owned(runs)
    }
}

impl Nodes {
    /// A cluster of `count` idle nodes that run one process each.
    pub fn new(count: u32) -> Nodes {
        Nodes::of(count, count, None)
    }

    /// A cluster of `count` idle nodes with a background, for these jobs. A job of which nothing is
    /// known uses its nodes entirely.
    pub fn with_background(count: u32, sharing: BackgroundSharing, jobs: &Jobs) -> Nodes {
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
        Nodes {
            count,
            free: FreeSet::all(vms),
            free_count: count,
            background,
        }
    }

    /// How many nodes have their foreground free.
    pub fn free_count(&self) -> u32 {
        self.free_count
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
        self.free.contains(vm)
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
    pub(crate) fn reported_on(&self, vm: VmId) -> Percent {
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
        self.free.vms().filter(move |&vm| {
            if vm.0 < self.count {
                !background
            } else {
                background && self.leaves_enough(vm)
            }
        })
    }

    /// Turns every virtual machine of a place from free to held, or back.
    fn flip(&mut self, request: &Request, placement: &Vms, free: bool) {
        for &run in &placement.runs {
            if let Err(vm) = self.free.flip(run, free) {
                let state = if free { "free for" } else { "held by" };
                panic!("{vm} is not {state} {}", request.index);
            }
        }
        if self.background.is_some() {
            self.hand_over(request.index, placement, free);
        }
        if !placement.background && free {
            self.free_count -= placement.slots();
        } else if !placement.background {
            self.free_count += placement.slots();
        }
    }

    /// Notes who holds the virtual machines of a place that turned from free to held, or back.
    fn hand_over(&mut self, job: JobId, placement: &Vms, free: bool) {
        for (process, vm) in placement.vms().enumerate() {
            let other = self.other(vm);
            let behind = self.background.as_mut().expect("nodes with a background");
            behind.holders[vm] = free.then_some((job, process as u32));
            // Whoever shares the node may go at another rate now.
            if let Some((neighbour, _)) = behind.holders[other] {
                behind.touched.insert(neighbour);
            }
        }
        let behind = self.background.as_mut().expect("nodes with a background");
        behind.touched.insert(job);
        let tier = &mut behind.tiers[usize::from(placement.background)];
        if free {
            tier.insert(job);
        } else {
            tier.remove(&job);
        }
    }
}

impl System for Nodes {
    type Placement = Vms;

    fn hold(&mut self, request: &Request, placement: &Vms) {
        self.flip(request, placement, true);
    }

    fn free(&mut self, request: &Request, placement: &Vms) {
        self.flip(request, placement, false);
    }

    fn rate(&self, request: &Request, placement: &Vms) -> f64 {
        let Some(behind) = &self.background else {
            return 1.0;
        };
        let cpu = &behind.cpus[request.index];
        let mut rate: f64 = 1.0;
        for (process, vm) in cpu.processes.iter().zip(placement.vms()) {
            let Some((job, other)) = behind.holders[self.other(vm)] else {
                continue;
            };
            if !placement.background {
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

impl Placement for Vms {
    fn shares(&self) -> impl Iterator<Item = (u32, u32)> {
        self.stretches().flat_map(Stretch::shares)
    }

    fn stretches(&self) -> impl Iterator<Item = Stretch> {
        let runs = self.ascending();
        let stretch = |(first, count): (VmId, u32)| Stretch {
            first: first.0,
            count,
            slots: 1,
        };
        (0..runs.len()).map(move |run| stretch(runs[run]))
    }

    fn processes(&self) -> Vec<u32> {
        if self.runs.is_sorted() {
            return Vec::new();
        }
        let vms: Vec<VmId> = self.vms().collect();
        let mut processes: Vec<u32> = (0..vms.len() as u32).collect();
        sorting::by_key(&mut processes, |&process| vms[process as usize]);
        processes
    }

    fn slots(&self) -> u32 {
        self.runs.iter().map(|run| run.1).sum()
    }

    fn background(&self) -> bool {
        self.background
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Job, Process};
    use crate::place::Placer;
    use crate::rng::Stream;
    use crate::unit::{Span, Time};
    use place::Index;

    fn job(efficiency: f64, processes: &[(f64, f64)]) -> Job {
        let process = |&(usage, overhead): &(f64, f64)| Process {
            usage: Percent(usage),
            reported: Percent(usage),
            overhead,
        };
        Job {
            cpu: Some(Arc::new(Cpu {
                processes: processes.iter().map(process).collect(),
                efficiency,
            })),
            ..Job::new(0, Time(0), processes.len() as u32, Span(1))
        }
    }

    /// The rates of all jobs, each in its tier on the nodes given process by process.
    fn rates(jobs: &[Job], places: &[(bool, &[u32])]) -> Vec<f64> {
        let jobs: Jobs = jobs.to_vec().into();
        let sharing = BackgroundSharing {
            threshold: Percent(96.0),
            full_background: false,
        };
        let mut system = Nodes::with_background(4, sharing, &jobs);
        let placement = |&(background, nodes): &(bool, &[u32])| {
            let first = if background { 4 } else { 0 };
            Vms::new(background, nodes.iter().map(|&node| VmId(first + node)))
        };
        let places: Vec<Vms> = places.iter().map(placement).collect();
        let requests: Vec<Request> = jobs
            .iter_enumerated()
            .map(|(id, job)| job.request(id))
            .collect();
        for (request, placement) in requests.iter().zip(&places) {
            system.hold(request, placement);
        }
        let rates = requests.iter().zip(&places);
        rates
            .map(|(request, placement)| system.rate(request, placement))
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
        let sharing = BackgroundSharing {
            threshold: Percent(96.0),
            full_background: false,
        };
        let mut system = Nodes::with_background(3, sharing, &jobs);
        for (id, job) in jobs.iter_enumerated() {
            let placement = Vms::new(false, [VmId(id.0)]);
            system.hold(&job.request(id), &placement);
        }
        let behind: Vec<VmId> = system.available(true).collect();
        assert_eq!(behind, [VmId(3), VmId(5)]);
        assert!(system.available(false).eq([VmId(2)]));
    }

    /// Random holds and frees in both tiers, against one flag for each virtual machine: what is
    /// free, where the lowest are, what a place says of itself, and that an idle cluster is left.
    #[test]
    fn runs_hold_and_free_what_single_machines_would() {
        let mut draws = Stream::new(42, 0, "nodes", 0);
        for count in [1, 5, 64, 100, 200] {
            let sizes: Vec<Job> = (0..60).map(|_| job(1.0, &[(50.0, 0.0); 9])).collect();
            let jobs: Jobs = sizes.into();
            let requests = jobs.iter_enumerated().map(|(id, job)| job.request(id));
            let mut idle: Vec<Request> = requests.collect();
            let mut system = Nodes::with_background(count, BackgroundSharing::default(), &jobs);
            let empty = system.clone();
            let mut plain = vec![true; 2 * count as usize];
            let mut held: Vec<(Request, Vms)> = Vec::new();
            for step in 0..2000 {
                let frees = step > 1900 || draws.below(5) < 2;
                if frees && !held.is_empty() {
                    let (request, placement) =
                        held.swap_remove(draws.below(held.len() as u64) as usize);
                    system.free(&request, &placement);
                    placement.vms().for_each(|vm| plain[vm.0 as usize] = true);
                    idle.push(request);
                } else if let Some(mut request) = idle.pop().filter(|_| step <= 1900) {
                    request.size = 1 + draws.below(9) as u32;
                    let background = draws.below(3) == 0;
                    let tier = if background { count } else { 0 };
                    let free = (tier..tier + count).filter(|&vm| plain[vm as usize]);
                    let mut vms: Vec<VmId> = free.map(VmId).collect();
                    let lowest = !background && draws.below(3) > 0;
                    if !lowest {
                        vms.sort_by_cached_key(|_| draws.bits());
                    }
                    vms.truncate(request.size as usize);
                    let enough = vms.len() == request.size as usize;
                    let placement = if lowest {
                        Index.place(&system, &request)
                    } else {
                        enough.then(|| Vms::new(background, vms.iter().copied()))
                    };
                    let Some(placement) = placement else {
                        assert!(!enough);
                        idle.push(request);
                        continue;
                    };
                    assert!(placement.vms().eq(vms.iter().copied()));
                    let mut order: Vec<u32> = (0..vms.len() as u32).collect();
                    order.sort_unstable_by_key(|&process| vms[process as usize]);
                    let said = placement.processes();
                    assert!(said == order || said.is_empty() && vms.is_sorted());
                    let shares = order.iter().map(|&process| (vms[process as usize].0, 1));
                    assert!(placement.shares().eq(shares));
                    assert_eq!(placement.slots(), request.size);
                    system.hold(&request, &placement);
                    vms.iter().for_each(|vm| plain[vm.0 as usize] = false);
                    held.push((request, placement));
                }
                let free = (0..2 * count).filter(|&vm| plain[vm as usize]).map(VmId);
                assert!(system.free.vms().eq(free));
                let in_front = plain[..count as usize].iter().filter(|&&free| free);
                assert_eq!(system.free_count() as usize, in_front.count());
            }
            assert!(held.is_empty());
            system.touched(&mut Vec::new());
            assert_eq!(system, empty);
        }
    }
}
