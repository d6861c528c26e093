//! One run, typed: what the simulator is given for one policy at one point of a sweep.
//!
//! Built from a valid [`Scenario`](super::Scenario), so building it cannot fail.

use super::choice::choices;
use super::decimal::Decimal;
use super::law::Law;
use super::policy::{PAPER_1, PAPER_3, PAPER_4, PolicySpec};
use crate::id::CentreId;
use crate::system::nodes::Sharing;
use crate::unit::{Kbps, Span};

/// Everything that decides a run, apart from the trace it may read and the replication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// What the jobs run on.
    pub system: SystemSpec,
    /// Which jobs there are.
    pub workload: Workload,
    /// Who decides when and where they run.
    pub policy: PolicySpec,
    /// How the queue is read.
    pub queueing: QueueOptions,
    /// How the placement is read.
    pub placing: PlacementOptions,
    /// How the run is carried out and measured.
    pub options: RunOptions,
}

choices! {
    /// Which system the jobs run on.
    pub enum SystemKind {
        FatTree = "fat-tree", "Fat-tree",
            "A three-layer fat-tree of servers whose links are reserved for the jobs.",
            "M. Al-Fares, A. Loukissas, A. Vahdat, A scalable, commodity data center network architecture, SIGCOMM 2008";
        Nodes = "nodes", "Plain nodes",
            "A cluster of equal nodes without a network, one process on each.",
            "";
        MultiCluster = "multi-cluster", "Multi-cluster",
            "Clusters of nodes around a switch, over whose links jobs on several clusters communicate.",
            PAPER_3;
        Pool = "pool", "Pool of VMs",
            "Identical virtual machines in one or several data centres, without a network.",
            PAPER_4;
    }
}

/// What the jobs run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SystemSpec {
    /// A fat-tree of `k` pods: k³/4 servers.
    FatTree {
        /// Pods, an even number.
        k: u32,
        /// Slots of each server (L in the paper).
        slots: u32,
        /// Rate of each link (C in the paper).
        link: Kbps,
        /// How parallel links are used.
        fabric: Fabric,
        /// By how much the links above the servers are thinner than those below them.
        oversubscription: Decimal,
        /// What a job reserves on a link that several of its servers share.
        reservation: Reservation,
    },
    /// Plain nodes of one slot each.
    Nodes {
        /// How many.
        nodes: u32,
        /// How their background works; without it each runs one process at a time.
        background: Option<Sharing>,
    },
    /// Clusters of nodes around a switch.
    MultiCluster {
        /// Nodes of each cluster.
        nodes: Vec<u32>,
        /// Rate of the link of each.
        links: Vec<Kbps>,
        /// The share of its time in which a job computes (K in the paper).
        computation: Decimal,
        /// What becomes of jobs whose links are asked for too much.
        sharing: LinkSharing,
        /// By what the time of co-allocated jobs is multiplied where that is fixed; where it is
        /// open, their mean penalty in a run that shares links dynamically.
        penalty: Option<Decimal>,
    },
    /// Identical virtual machines in data centres.
    Pool {
        /// Machines of each centre.
        vms: u32,
        /// The centres in the order in which they are opened.
        opening_order: Vec<CentreId>,
        /// By which power of the machines it holds, in multiples of what it asked for, a job speeds up.
        speed_up: Decimal,
    },
}

impl SystemSpec {
    /// All slots, those in the background of nodes included.
    pub fn slots(&self) -> u64 {
        let background = matches!(
            self,
            SystemSpec::Nodes {
                background: Some(_),
                ..
            }
        );
        self.capacity().slots * if background { 2 } else { 1 }
    }

    /// What a workload needs to know of the system.
    pub fn capacity(&self) -> Capacity {
        match self {
            &SystemSpec::FatTree { k, slots, link, .. } => {
                let half = u64::from(k / 2);
                let servers = u64::from(k) * half * half;
                Capacity {
                    slots: servers * u64::from(slots),
                    servers,
                    slots_per_server: u64::from(slots),
                    line_rate: link,
                }
            }
            &SystemSpec::Nodes { nodes, .. } => Capacity {
                slots: u64::from(nodes),
                servers: u64::from(nodes),
                slots_per_server: 1,
                line_rate: Kbps(u64::MAX),
            },
            SystemSpec::MultiCluster { nodes, .. } => Capacity {
                slots: nodes.iter().map(|&count| u64::from(count)).sum(),
                servers: nodes.len() as u64,
                slots_per_server: u64::from(nodes.iter().copied().max().unwrap_or(0)),
                line_rate: Kbps(u64::MAX),
            },
            SystemSpec::Pool {
                vms, opening_order, ..
            } => {
                let centres = opening_order.len() as u64;
                Capacity {
                    slots: centres * u64::from(*vms),
                    servers: centres,
                    slots_per_server: u64::from(*vms),
                    line_rate: Kbps(u64::MAX),
                }
            }
        }
    }
}

/// The size of a system, as far as it shapes a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Slots of all servers together.
    pub slots: u64,
    /// Servers, nodes or data centres.
    pub servers: u64,
    /// Slots of each of them.
    pub slots_per_server: u64,
    /// Rate of a server's link; where servers have none, more than any job asks for.
    pub line_rate: Kbps,
}

choices! {
    /// How the parallel links of a fat-tree carry a job's traffic.
    pub enum Fabric {
        Aggregated = "aggregated", "Aggregated",
            "Parallel links work as one of their summed rate: traffic is split evenly over them.",
            "H. Ballani, P. Costa, T. Karagiannis, A. Rowstron, Towards predictable datacenter networks, SIGCOMM 2011";
        SingleRoot = "single-root", "Single root",
            "All traffic of a job goes over the unique paths down from one switch.",
            PAPER_1;
    }
}

choices! {
    /// What a job reserves on a link: M of its N machines are below the link, m of them on a server.
    pub enum Reservation {
        Hose = "hose", "Hose model",
            "min(M, N − M)·B, all machines below the link counted together: valid and tight.",
            "H. Ballani, P. Costa, T. Karagiannis, A. Rowstron, Towards predictable datacenter networks, SIGCOMM 2011";
        Sum = "sum", "Sum over servers",
            "The sum of min(m, N − m)·B over the servers below the link: valid but wasteful.",
            "";
        Literal = "literal", "As printed (overbooks)",
            "Each server is tested alone with min(m, N − m)·B, as Eq. 6 is printed: links shared by servers are overbooked.",
            PAPER_1;
    }
}

choices! {
    /// Whether a single server that can hold the whole job is looked for first.
    pub enum LevelZero {
        Auto = "auto", "As published",
            "Oktopus does, the others do not.",
            "";
        On = "on", "Always",
            "Every placement looks for one.",
            "";
        Off = "off", "Never",
            "No placement does.",
            "";
    }
}

choices! {
    /// What becomes of jobs on several clusters whose links are asked for too much.
    pub enum LinkSharing {
        Dynamic = "dynamic", "Dynamic",
            "They get shares of their links in proportion to their needs, and communicate as much longer.",
            PAPER_3;
        Ideal = "ideal", "Ideal",
            "Links carry whatever they are asked for.",
            PAPER_3;
        Fixed = "fixed", "Fixed penalty",
            "Every job on several clusters takes longer by the same factor, whatever its links are asked for.",
            PAPER_3;
    }
}

choices! {
    /// At which cluster a job is submitted.
    pub enum HomeRule {
        Drawn = "drawn", "Drawn",
            "Each cluster is as likely as any other, for each job anew.",
            PAPER_3;
        InTurn = "in-turn", "In turn",
            "The clusters take turns.",
            "";
        ByUser = "by-user", "By user",
            "All jobs of a user at one cluster; new users take the clusters in turn.",
            "";
    }
}

choices! {
    /// Which of the switches of a level is tried first.
    pub enum Root {
        First = "first", "By index",
            "In the order of their numbers.",
            PAPER_1;
        LeastLoaded = "least-loaded", "Least loaded",
            "By what is reserved on their links downwards, the least first.",
            "";
    }
}

choices! {
    /// Which jobs the largest bandwidth of AdaBa's weight is taken over.
    pub enum LargestBandwidth {
        Arrived = "arrived", "Arrived so far",
            "Of all jobs that have arrived so far, infeasible ones included.",
            PAPER_1;
        Attempted = "attempted", "Attempted so far",
            "Of all jobs that the policy has really tried to start.",
            PAPER_1;
        Accepted = "accepted", "Accepted so far",
            "Of all jobs that have started.",
            PAPER_1;
        Oracle = "oracle", "Of the whole workload",
            "Of all jobs, those to come included.",
            "";
    }
}

choices! {
    /// Which running jobs give way to the first job of the queue.
    pub enum Victims {
        All = "all", "All backfilled",
            "All that were backfilled, whether or not they are in the way.",
            PAPER_1;
        Conflicting = "conflicting", "Only conflicting",
            "The youngest first until it fits, and those of them that turn out not to be in the way stay.",
            "";
    }
}

/// How the queue is read where the paper can be read in several ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueOptions {
    /// Whether SBF and SDF go on with the rest of the queue after a job that does not fit.
    pub skip_blocked: bool,
    /// Whether a job counts as backfilled only while the first job of the queue is older.
    pub promote: bool,
    /// Which running jobs give way.
    pub victims: Victims,
    /// After how long PLJFS sorts its queue anew.
    pub period: Span,
    /// How ZOMT chooses.
    pub zero_one: ZeroOne,
    /// What comes before the policy of a pool.
    pub routing: Routing,
    /// How many machines of a pool are on.
    pub elasticity: Elasticity,
}

/// How many machines of a pool are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elasticity {
    /// By which reading.
    pub reading: MachinesOn,
    /// By which share there are more than needed (α in the paper).
    pub more: Decimal,
}

choices! {
    /// How many machines of a pool are on.
    pub enum MachinesOn {
        All = "off", "All",
            "All machines are on all the time.",
            "";
        Literal = "literal", "As printed",
            "λ·AP·(1 + α): what the jobs that arrive in an hour ask for, however long they run.",
            PAPER_4;
        Corrected = "corrected", "By Little's law",
            "λ·AP·(1 + α) times the mean run time: what the jobs that arrive while one runs ask for.",
            PAPER_4;
    }
}

/// Who joins the list that the policy of a pool schedules (FSTEQ in paper 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Routing {
    /// For how many machines the jobs of that list may ask together; without a number, everybody joins.
    pub capacity: Option<u32>,
    /// Who has waited longer than this is called first (time1 in the paper).
    pub long: Span,
}

/// How ZOMT chooses where the paper leaves a value or a reading open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZeroOne {
    /// The share of the free machines that a chosen set uses at least (rratio in the paper).
    pub least_used: Decimal,
    /// Who has waited long.
    pub long_wait: LongWait,
    /// In which order those start.
    pub long_wait_order: LongWaitOrder,
    /// The time whose waiting counts as much as the machines do.
    pub unit: Span,
}

choices! {
    /// Which jobs ZOMT starts first because they have waited long.
    pub enum LongWait {
        Job = "job", "Twice the mean wait",
            "Who has waited more than twice the mean of the jobs started so far, weighted by machines.",
            PAPER_4;
        Weighted = "weighted", "Twice the mean weighted wait",
            "Whose wait times machines is more than twice the mean of that over the jobs started so far.",
            PAPER_4;
        Off = "off", "None",
            "No job: the program alone decides.",
            "";
    }
}

choices! {
    /// In which order ZOMT starts jobs that have waited long.
    pub enum LongWaitOrder {
        Auto = "auto", "As published",
            "By arrival in one centre (Algorithm 2), the largest first in several (Algorithm 3).",
            PAPER_4;
        Arrival = "arrival", "By arrival",
            "In order of arrival.",
            PAPER_4;
        Size = "size", "Largest first",
            "The one that asks for most machines first.",
            PAPER_4;
    }
}

/// How the placement is read where the paper can be read in several ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacementOptions {
    /// Whether first fit on clusters comes after the home cluster and migration.
    pub local_first: bool,
    /// The share of a link's rate, per cent, that what is required of it should stay below (LSLT in
    /// the paper).
    pub threshold: u32,
    /// The part of a spread job, per cent, that one cluster must take at least.
    pub chunk: u32,
    /// Whether a single server is looked for first.
    pub level0: LevelZero,
    /// Whether the placements other than AdaBa know that machines on one server need no link.
    pub hide_aware: bool,
    /// Which switch of a level is tried first.
    pub root: Root,
    /// Which jobs AdaBa's largest bandwidth is taken over.
    pub bmax: LargestBandwidth,
}

/// How a run is carried out and measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOptions {
    /// What a preempted job pays, holding its slots, before it goes on.
    pub migration_cost: Span,
    /// The runtime below which bounded slowdown counts a job as this long (Γ in the paper).
    pub gamma: Span,
    /// Whether bounded slowdown is at least 1.
    pub floor_one: bool,
    /// Share of the first arrivals that the metrics leave out.
    pub warmup: Decimal,
    /// Share of the jobs ending after the last arrival that the metrics leave out.
    pub cooldown: Decimal,
    /// The number from which every random stream starts.
    pub seed: u64,
    /// Over which jobs metrics of times are taken.
    pub timed: Timed,
}

choices! {
    /// Over which jobs metrics of times are taken.
    pub enum Timed {
        Own = "own", "Those the policy runs",
            "Each policy's waits and slowdowns are over the jobs that it runs.",
            "";
        Common = "common", "Those every policy runs",
            "They are over the jobs that all policies of the scenario run, so that no policy looks better for turning the hard ones away. Each run then also runs the other policies.",
            "";
    }
}

/// Which jobs there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// Where they come from.
    pub source: Source,
    /// Only so many of the first ones of a trace; all where there is no number.
    pub first: Option<u32>,
    /// How their submit times are scaled.
    pub load: Load,
    /// How much bandwidth they ask for.
    pub bandwidth: Bandwidth,
    /// Whether no job asks for more than the line rate.
    pub cap_bandwidth: bool,
    /// What their estimates are and what happens to a job that runs longer.
    pub estimate: Estimate,
    /// The longest estimate where users are modelled.
    pub longest_estimate: Span,
    /// Which column of a log is a job's size.
    pub processors: Processors,
    /// Whether a job of a log arrives only after the job it names as preceding has ended.
    pub feedback: bool,
    /// What the processes of the jobs use of their nodes, where nodes are shared.
    pub usage: Option<Usage>,
    /// At which of how many clusters jobs are submitted, where there are several.
    pub homes: Option<Homes>,
    /// Whether bursts of one user's similar jobs are taken.
    pub flurries: Flurries,
    /// Which jobs of a log are taken by how they ended.
    pub statuses: Statuses,
    /// By how much each submit time of a trace may be moved, earlier or later.
    pub shake: Span,
    /// How virtual machines migrate, where they do.
    pub vm_migration: Option<VmMigration>,
}

/// How virtual machines migrate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VmMigration {
    /// Which share of them migrates in an hour, per cent: at least and at most.
    pub rate: [Decimal; 2],
    /// How long that stops a job at least and at most.
    pub stop: [Span; 2],
    /// The work of a slot, from the last completed one of which the job goes on.
    pub slot: Span,
}

/// At which clusters jobs are submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Homes {
    /// How many clusters there are.
    pub clusters: u32,
    /// Who is at which.
    pub rule: HomeRule,
}

/// What processes use of their nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Mean usage of the processes of parallel jobs, per cent.
    pub mean: Decimal,
    /// By which share at most the usage that the scheduler is told is wrong.
    pub error: Decimal,
    /// Whether the scheduler is told anything.
    pub known: bool,
}

choices! {
    /// Where the jobs come from.
    pub enum SourceKind {
        Swf = "swf", "Workload log (SWF)",
            "A log in the Standard Workload Format, plain or gzipped.",
            "S. Chapin et al., Benchmarks and standards for the evaluation of parallel job schedulers, JSSPP 1999";
        Csv = "csv", "Job list (CSV)",
            "A table with the columns job, submit_us, size, bandwidth_kbps and runtime_us.",
            "";
        Poisson = "poisson", "Generated",
            "Independent jobs, their sizes, runtimes and interarrival times drawn from laws.",
            "";
        Lublin = "lublin", "Lublin and Feitelson",
            "The authors' model, complete: sizes, run times that hang on them, arrivals in a daily cycle.",
            "U. Lublin, D. Feitelson, The workload on parallel supercomputers: modeling the characteristics of rigid jobs, JPDC 63(11), 2003";
        Feitelson = "feitelson96-like", "Like Feitelson's of 1996",
            "Of the kind of that model and not that model: its weights of sizes and its constants of run times and repetitions are not to be had, those here are ours.",
            "D. Feitelson, Packing schemes for gang scheduling, JSSPP 1996";
        Jann = "jann97-refit", "Jann's of 1997, fitted anew",
            "The model's laws with parameters fitted anew to the log CTC-SP2 of the same months, as the published table is not to be had; sizes within a range are ours.",
            "J. Jann et al., Modeling of workload in MPPs, JSSPP 1997";
    }
}

/// Where the jobs come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A log in the Standard Workload Format.
    Swf,
    /// A job list.
    Csv,
    /// A generator of independent jobs.
    Poisson {
        /// How many.
        jobs: u32,
        /// Their sizes, in slots.
        size: Law,
        /// Their runtimes, in seconds.
        runtime: Law,
        /// The times between them, in seconds.
        interarrival: Law,
    },
    /// A model of real workloads.
    Model {
        /// How many jobs.
        jobs: u32,
        /// Which.
        model: Model,
    },
}

/// A model of real workloads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Model {
    /// Of Lublin and Feitelson.
    Lublin {
        /// The largest size.
        largest: u32,
        /// Whether batch and interactive jobs are drawn apart.
        classes: bool,
    },
    /// Of the kind of Feitelson's of 1996.
    Feitelson(Feitelson),
    /// Of Jann et al., fitted anew.
    Jann {
        /// The share of a range's jobs that have its largest size.
        upper: Decimal,
    },
}

/// What can be chosen of a model of the kind of Feitelson's of 1996.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feitelson {
    /// The largest size.
    pub largest: u32,
    /// The share of jobs of size 1.
    pub serial_share: Decimal,
    /// The share of jobs whose size is a power of two, 1 included.
    pub power_share: Decimal,
    /// How many times as often as their neighbours multiples of ten and squares are sizes.
    pub round_factor: Decimal,
    /// The mean of the short run times, in seconds.
    pub short_mean: Decimal,
    /// A job is run r times with the weight r to the power of minus this.
    pub repeats_order: Decimal,
    /// How many times a job is run at most.
    pub repeats_max: u32,
    /// The times between different jobs, and between repetitions of one.
    pub interarrival: Law,
}

impl Source {
    /// Its kind.
    pub fn kind(&self) -> SourceKind {
        match self {
            Source::Swf => SourceKind::Swf,
            Source::Csv => SourceKind::Csv,
            Source::Poisson { .. } => SourceKind::Poisson,
            Source::Model { model, .. } => match model {
                Model::Lublin { .. } => SourceKind::Lublin,
                Model::Feitelson(_) => SourceKind::Feitelson,
                Model::Jann { .. } => SourceKind::Jann,
            },
        }
    }
}

/// How submit times are scaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// Not at all.
    AsLogged,
    /// Until the jobs ask for this share of all slot-time between first and last submit (ρ).
    Offered(Decimal),
    /// Every gap between submits is multiplied by this.
    GapRatio(Decimal),
}

choices! {
    /// What a number given as load means.
    pub enum LoadLaw {
        Offered = "offered", "Offered load",
            "The load is the share of all slot-time that the jobs ask for.",
            "";
        GapRatio = "gap-ratio", "Gap ratio",
            "The load is a factor on the time between submits: 0.5 makes jobs arrive twice as fast.",
            "";
    }
}

choices! {
    /// How much bandwidth jobs ask for.
    pub enum BandwidthKind {
        None = "none", "None",
            "No job asks for bandwidth.",
            "";
        Normal = "normal", "Normal",
            "Drawn from a normal law around the mean, whatever the size of the job.",
            PAPER_1;
        Constant = "constant", "Constant",
            "Every job asks for the mean.",
            PAPER_3;
        PerSize = "per-size", "By size, as printed",
            "Drawn around half of what all servers' links together offer each virtual machine.",
            PAPER_1;
        PerServer = "per-server", "By servers needed",
            "Drawn around half of what the links of the servers needed offer each virtual machine.",
            PAPER_1;
        Column = "column", "From the job list",
            "Taken from the column bandwidth_kbps of the job list.",
            "";
    }
}

/// How much bandwidth jobs ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bandwidth {
    /// None.
    None,
    /// A normal law that does not depend on the job's size.
    Normal {
        /// Its mean (AvgB in the paper).
        mean: Kbps,
    },
    /// The same for every job.
    Constant(Kbps),
    /// A normal law around half of the largest share of all servers' links.
    PerSize,
    /// A normal law around half of the largest share of the links of the servers needed.
    PerServer,
    /// As the job list says.
    Column,
}

choices! {
    /// Whether bursts of one user's similar jobs are taken.
    pub enum Flurries {
        Keep = "keep", "Keep",
            "They are jobs like all others.",
            "";
        Remove = "remove", "Remove",
            "Bursts of 100 or more jobs of one user and one size, each at most ten minutes after the one before, are left out.",
            "D. Tsafrir, D. G. Feitelson, Instability in parallel job scheduling simulation: the role of workload flurries, IPDPS 2006";
    }
}

choices! {
    /// Which jobs of a log are taken by how they ended.
    pub enum Statuses {
        All = "all", "All",
            "Every job that used the machine.",
            "";
        NotCancelled = "not-cancelled", "Without cancelled ones",
            "Jobs of status 5 are left out.",
            "";
        Completed = "completed", "Without failed and cancelled ones",
            "Jobs of status 0 or 5 are left out.",
            "";
        Executed = "executed", "Executed",
            "Jobs of status 5 and those that ran for no time are left out.",
            PAPER_4;
    }
}

choices! {
    /// What a job's estimated runtime is.
    pub enum Estimate {
        Exact = "exact", "Exact",
            "The estimate is the true runtime.",
            PAPER_1;
        Kill = "kill", "Kill at the estimate",
            "The estimate is the user's; a job that runs longer is cut there.",
            "";
        Extend = "extend", "Extend to the runtime",
            "The estimate is the user's, or the runtime where that is longer.",
            "";
        Keep = "keep", "Keep",
            "The estimate is the user's, also for jobs that run longer.",
            "";
        Tsafrir = "tsafrir", "As users would say",
            "Few round values, drawn as users of four machines say them, none shorter than the runtime; jobs are cut at the longest.",
            "D. Tsafrir, Y. Etsion, D. Feitelson, Modeling user runtime estimates, JSSPP 2005";
    }
}

choices! {
    /// Which column of a log is a job's size.
    pub enum Processors {
        AllocThenReq = "alloc-then-req", "Allocated, else requested",
            "Processors allocated, or requested where none are recorded.",
            "";
        ReqThenAlloc = "req-then-alloc", "Requested, else allocated",
            "Processors requested, or allocated where no request is recorded.",
            "";
        Max = "max", "The larger of both",
            "The larger of processors allocated and requested.",
            "";
    }
}

choices! {
    /// What SBF and SDF do when a job does not fit.
    pub enum Blocked {
        Strict = "strict", "Stop",
            "They wait for it.",
            PAPER_1;
        Skip = "skip", "Skip it",
            "They go on with the rest of the queue, in order.",
            "";
    }
}

choices! {
    /// A switch.
    pub enum Toggle {
        On = "on", "On", "In force.", "";
        Off = "off", "Off", "Not in force.", "";
    }
}
