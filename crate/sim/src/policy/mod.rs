//! Scheduling policies: which waiting jobs start at a pass and which running ones give way.
//!
//! A policy acts only through its [`Context`](crate::engine::Context), which shows estimates and
//! never a true runtime.
//!
//! - [`list`]: one list scheduler whose parts make loss mode, FCFS, SBF, SDF, EASY, FPFS, BgMBF,
//!   BgMBF-SDF, AMBF, CMBF and any that a user composes. Its [`parts`], the [`order`] in which jobs
//!   are tried, and an order by a formula ([`expression`])
//! - [`conservative`]: backfilling where every waiting job has a reservation
//! - [`recorded`]: what the scheduler of a log did
//! - [`consolidate`]: CMCBF and AMCBF on nodes with two tiers
//! - On a pool: [`zomt`] (long waits, then the set chosen by an exact 0-1 program, [`knapsack`]),
//!   [`fair`] (AFCFS that shares idle machines among starting jobs), [`elastic`] (powered-on
//!   capacity follows demand), [`fsteq`] (two lists before another policy, which sees one of them)

pub mod list;

pub mod parts;

pub mod order;

pub mod expression;

pub mod conservative;

pub mod consolidate;

pub mod recorded;

pub mod zomt;

pub mod fair;

pub mod elastic;

pub mod fsteq;

pub mod knapsack;

use crate::choice::choices;
use crate::source::{PAPER_1, PAPER_2, PAPER_3, PAPER_4};
use crate::system::SystemKind;
use crate::unit::Span;
use elastic::Elasticity;
use fsteq::Routing;
use order::Order;
use parts::{Behind, MayPreempt, Parts, Preempt};
use zomt::ZeroOne;

choices! {
    /// When a job starts.
    pub enum Queue {
        None = "none", "No queue",
            "Every job starts when it arrives or is rejected at once.",
            PAPER_1;
        Fcfs = "fcfs", "FCFS",
            "First come, first served: no job starts while the first job of the queue does not fit.",
            PAPER_1;
        Sbf = "sbf", "SBF",
            "Smallest bandwidth first: the queue ordered by the requested bandwidth.",
            PAPER_1;
        Sdf = "sdf", "SDF",
            "Shortest duration first: the queue ordered by the estimated runtime.",
            PAPER_1;
        Easy = "easy", "EASY",
            "Backfilling that never delays the estimated start of the queue's first job.",
            "D. Feitelson, A. Weil, Utilization and predictability in scheduling the IBM SP2 with backfilling, IPPS 1998";
        Bgmbf = "bgmbf", "BgMBF",
            "Backfilling in order of arrival; backfilled jobs are preempted when the first job then fits.",
            PAPER_1;
        BgmbfSdf = "bgmbf-sdf", "BgMBF-SDF",
            "BgMBF that backfills the jobs with the shortest estimate first.",
            PAPER_1;
        Cmbf = "cmbf", "CMBF",
            "Every job, in order of arrival, may preempt those that arrived after it, as few as it needs.",
            PAPER_2;
        Ambf = "ambf", "AMBF",
            "Only the queue's first job may preempt those that arrived after it, as few as it needs.",
            PAPER_2;
        Cmcbf = "cmcbf", "CMCBF",
            "CMBF in the foreground; what does not fit there runs in the background of nodes with CPU to spare.",
            PAPER_2;
        Amcbf = "amcbf", "AMCBF",
            "AMBF in the foreground; what does not fit there runs in the background of nodes with CPU to spare.",
            PAPER_2;
        Conservative = "conservative", "Conservative",
            "Backfilling that never delays the estimated start of any waiting job.",
            "A. Mu'alem, D. Feitelson, Utilization, predictability, workloads, and user runtime estimates in scheduling the IBM SP2 with backfilling, TPDS 2001";
        Fpfs = "fpfs", "FPFS",
            "Fit processors first served (AFCFS, adapted first come first served, in paper 4): every waiting job that fits starts, in order of arrival.",
            PAPER_3;
        Ljfs = "ljfs", "LJFS",
            "Largest job first served: every waiting job that fits starts, the largest first.",
            PAPER_4;
        Qljfs = "qljfs", "QLJFS",
            "LJFS that sorts the queue at each arrival. Sizes never change, so its schedule is that of LJFS.",
            PAPER_4;
        Pljfs = "pljfs", "PLJFS",
            "LJFS that sorts the queue at the end of each period; jobs that arrived since are behind, by arrival.",
            PAPER_4;
        Fair = "fair", "Fair",
            "FPFS that gives machines which would stay idle to the jobs that start, in multiples of their requests.",
            PAPER_4;
        Zomt = "zomt", "ZOMT",
            "Long waits first, then the set of jobs that an exact 0-1 program chooses, then what still fits.",
            PAPER_4;
        Recorded = "recorded", "As recorded",
            "What the log's own scheduler did: every job starts when the log says. Its machine had partitions, outages and priorities that the log does not tell.",
            "";
        List = "list", "List",
            "A list scheduler of your own: its order, what happens behind a job that does not fit, and who preempts are keys of it.",
            "";
    }
}

/// The named list schedulers, by their parts.
static LISTS: &[(Queue, Parts)] = {
    use {Behind::*, MayPreempt::*, Order::*, Preempt::*};
    const fn parts(
        order: Order,
        backfill_order: Order,
        behind: Behind,
        may_preempt: MayPreempt,
        preempt: Preempt,
    ) -> Parts {
        Parts {
            order,
            backfill_order,
            behind,
            depth: Some(1),
            may_preempt,
            preempt,
            promote: true,
        }
    }
    &[
        (Queue::None, parts(Arrival, Arrival, Reject, Never, All)),
        (Queue::Fcfs, parts(Arrival, Arrival, Stop, Never, All)),
        (
            Queue::Sbf,
            parts(SmallestBandwidth, SmallestBandwidth, Stop, Never, All),
        ),
        (
            Queue::Sdf,
            parts(ShortestEstimate, ShortestEstimate, Stop, Never, All),
        ),
        (Queue::Easy, parts(Arrival, Arrival, Reserve, Never, All)),
        (Queue::Bgmbf, parts(Arrival, Arrival, Skip, Head, All)),
        (
            Queue::BgmbfSdf,
            parts(Arrival, ShortestEstimate, Skip, Head, All),
        ),
        (
            Queue::Cmbf,
            parts(Arrival, Arrival, Skip, Anyone, Conflicting),
        ),
        (
            Queue::Ambf,
            parts(Arrival, Arrival, Skip, Head, Conflicting),
        ),
        (Queue::Fpfs, parts(Arrival, Arrival, Skip, Never, All)),
        (
            Queue::Ljfs,
            parts(LargestSize, LargestSize, Skip, Never, All),
        ),
        (
            Queue::Qljfs,
            parts(LargestSize, LargestSize, Skip, Never, All),
        ),
    ]
};

impl Queue {
    /// The systems on which it can run.
    pub fn systems(self) -> &'static [SystemKind] {
        match self {
            Queue::Cmcbf | Queue::Amcbf | Queue::Conservative | Queue::Recorded => {
                &[SystemKind::Nodes]
            }
            Queue::Zomt | Queue::Fair => &[SystemKind::Pool],
            _ => SystemKind::ALL,
        }
    }

    /// The queues that run on `system`.
    pub fn on(system: SystemKind) -> impl Iterator<Item = Queue> {
        let all = Queue::ALL.iter().copied();
        all.filter(move |queue| queue.systems().contains(&system))
    }

    /// Whether it can run on `system`.
    pub fn runs_on(self, system: SystemKind) -> bool {
        self.systems().contains(&system)
    }

    /// The queues that are compared on `system` where none is given.
    pub fn compared_by_default(system: SystemKind, two_tiers: bool) -> &'static [Queue] {
        use Queue::{Ambf, Amcbf, Bgmbf, Cmbf, Cmcbf, Easy, Fair, Fcfs, Fpfs, Ljfs, Zomt};
        match system {
            SystemKind::Nodes if two_tiers => &[Fcfs, Easy, Cmbf, Ambf, Cmcbf, Amcbf],
            SystemKind::MultiCluster => &[Fpfs],
            SystemKind::Pool => &[Fpfs, Ljfs, Fair, Zomt],
            _ => &[Fcfs, Easy, Bgmbf, Queue::None],
        }
    }

    /// Whether it preempts jobs, or can be set to.
    pub fn preempts(self) -> bool {
        self.is_bgmbf()
            || self.consolidates()
            || matches!(self, Queue::Cmbf | Queue::Ambf | Queue::List)
    }

    /// Whether it is BgMBF, in whichever order it backfills.
    pub fn is_bgmbf(self) -> bool {
        matches!(self, Queue::Bgmbf | Queue::BgmbfSdf)
    }

    /// Whether the running jobs that give way can be chosen.
    pub fn chooses_victims(self) -> bool {
        self.is_bgmbf() || self == Queue::List
    }

    /// Whether it can be set to continue behind a job that does not fit.
    pub fn may_skip(self) -> bool {
        matches!(self, Queue::Sbf | Queue::Sdf)
    }

    /// Whether it uses the background of nodes.
    pub fn consolidates(self) -> bool {
        matches!(self, Queue::Cmcbf | Queue::Amcbf)
    }
}

/// The interpretation of the policy where the paper is ambiguous, and the parts of a list that the
/// user composes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueOptions {
    /// The order of a composed list.
    pub order: Order,
    /// The order in which it tries jobs without a reservation behind a blocked head; `None` for the
    /// order of the queue.
    pub backfill_order: Option<Order>,
    /// What happens to them.
    pub behind: Behind,
    /// The number of blocked jobs that get a reservation there; `None` for all.
    pub depth: Option<u32>,
    /// Which waiting jobs may suspend running ones there.
    pub may_preempt: MayPreempt,
    /// Whether SBF and SDF go on with the rest of the queue after a job that does not fit.
    pub skip_blocked: bool,
    /// Whether a job counts as backfilled only while the first job of the queue is older.
    pub promote: bool,
    /// Which running jobs give way.
    pub preempt: Preempt,
    /// After how long PLJFS sorts its queue again.
    pub period: Span,
    /// How ZOMT chooses.
    pub zero_one: ZeroOne,
    /// The lists before the policy of a pool.
    pub routing: Routing,
    /// The rule for the powered-on capacity of a pool.
    pub elasticity: Elasticity,
}

impl QueueOptions {
    /// The parts of a policy; `None` if it is no list scheduler.
    pub fn parts(&self, queue: Queue) -> Option<Parts> {
        let parts = match queue {
            Queue::List => {
                let order = self.order.clone();
                Parts {
                    backfill_order: self.backfill_order.clone().unwrap_or(order),
                    depth: self.depth,
                    may_preempt: self.may_preempt,
                    preempt: self.preempt,
                    ..Parts::new(self.order.clone(), self.behind)
                }
            }
            Queue::Pljfs => Parts::new(Order::LargestSizeEvery(self.period), Behind::Skip),
            _ => LISTS.iter().find(|list| list.0 == queue)?.1.clone(),
        };
        Some(match queue {
            Queue::Bgmbf | Queue::BgmbfSdf => Parts {
                preempt: self.preempt,
                promote: self.promote,
                ..parts
            },
            Queue::Sbf | Queue::Sdf if self.skip_blocked => Parts {
                behind: Behind::Skip,
                ..parts
            },
            _ => parts,
        })
    }
}
