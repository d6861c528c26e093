//! The table of metrics. A row has a metric's name, label, unit, direction and formula. A new
//! metric of values that are already counted needs one row and nothing else.

use super::measured::{Measured, ratio};

/// The direction in which a metric is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[derive(ts_rs::TS)]
pub enum Better {
    /// A larger value is better.
    Higher,
    /// A smaller value is better.
    Lower,
    /// Neither is better: the metric is descriptive.
    Neither,
}

/// One metric of a run.
#[derive(Clone, Copy, Debug, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Metric {
    /// Its name in scenarios and tables.
    pub name: &'static str,
    /// The label that a person reads.
    pub label: &'static str,
    /// `share` (0 to 1), `s`, `jobs`, or nothing for a ratio.
    pub unit: &'static str,
    /// The direction in which it is better.
    pub better: Better,
    /// How it is computed, in one sentence.
    pub help: &'static str,
    /// Whether it averages times of jobs, so that it can be restricted to the jobs that ran under
    /// every policy.
    #[serde(skip)]
    pub of_times: bool,
    #[serde(skip)]
    pub(super) of: fn(&Measured) -> Option<f64>,
}

/// Every metric, in the order in which results list their values.
pub static METRICS: &[Metric] = &[
    Metric {
        name: ACCEPT_RATE,
        label: "Accept rate",
        unit: "share",
        better: Better::Higher,
        help: "Jobs that ran, of all jobs.",
        of_times: false,
        of: |m| ratio(f64::from(m.ran), f64::from(m.jobs)),
    },
    Metric {
        name: "wait_mean",
        label: "Wait time",
        unit: "s",
        better: Better::Lower,
        help: "First start − submit, mean over the jobs that ran (rpt in paper 1, Eq. 1).",
        of_times: true,
        of: |m| m.waits.mean(),
    },
    Metric {
        name: "bsd_mean",
        label: "Bounded slowdown",
        unit: "",
        better: Better::Lower,
        help: "(Completion − submit) / max(Γ, run time), at least 1 unless that is off, mean over the jobs that ran (Eq. 2).",
        of_times: true,
        of: |m| m.slowdowns.mean(),
    },
    Metric {
        name: "wait_median",
        label: "Wait time, median",
        unit: "s",
        better: Better::Lower,
        help: "Half of the jobs wait no longer.",
        of_times: true,
        of: |m| m.waits.quantile(0.5),
    },
    Metric {
        name: "wait_p95",
        label: "Wait time, 95th percentile",
        unit: "s",
        better: Better::Lower,
        help: "95 % of the jobs wait no longer.",
        of_times: true,
        of: |m| m.waits.quantile(0.95),
    },
    Metric {
        name: "wait_max",
        label: "Wait time, maximum",
        unit: "s",
        better: Better::Lower,
        help: "The longest wait of any job.",
        of_times: true,
        of: |m| m.waits.quantile(1.0),
    },
    Metric {
        name: "wait_sd",
        label: "Wait time, standard deviation",
        unit: "s",
        better: Better::Lower,
        help: "Standard deviation of the wait times (SDWT in paper 4, Eq. 8).",
        of_times: true,
        of: |m| m.wait_spread.deviation(),
    },
    Metric {
        name: "wait_weighted",
        label: "Weighted wait time",
        unit: "s",
        better: Better::Lower,
        help: "First start − submit, mean weighted by the slots requested (AWWT in paper 4).",
        of_times: true,
        of: |m| m.sized_waits.mean(),
    },
    Metric {
        name: "wait_weighted_sd",
        label: "Weighted wait time, standard deviation",
        unit: "s",
        better: Better::Lower,
        help: "Standard deviation from the weighted mean, with the same weights (SDWWT in paper 4, Eq. 7 and 9 corrected).",
        of_times: true,
        of: |m| m.sized_waits.deviation(),
    },
    Metric {
        name: "wait_weighted_sd_literal",
        label: "SDWWT as printed",
        unit: "s",
        better: Better::Lower,
        help: "Eq. 7 of paper 4 as printed: standard deviation of wait time / slots, weighted by slots, from the weighted mean wait time.",
        of_times: true,
        of: |m| m.waits_by_size.deviation_from(m.sized_waits.mean()?),
    },
    Metric {
        name: "wait_gini",
        label: "Gini coefficient of wait times",
        unit: "share",
        better: Better::Lower,
        help: "Twice the area between the Lorenz curve of wait times and that of equal wait times.",
        of_times: true,
        of: |m| m.waits.gini(),
    },
    Metric {
        name: "response_weighted",
        label: "Weighted response time",
        unit: "s",
        better: Better::Lower,
        help: "Completion − submit, mean weighted by the slots requested (AWRT in paper 4).",
        of_times: true,
        of: |m| m.sized_responses.mean(),
    },
    Metric {
        name: "response_mean",
        label: "Response time",
        unit: "s",
        better: Better::Lower,
        help: "Completion − submit (turnaround in paper 3), mean over the jobs that ran.",
        of_times: true,
        of: |m| m.responses.mean(),
    },
    Metric {
        name: "response_median",
        label: "Response time, median",
        unit: "s",
        better: Better::Lower,
        help: "Half of the jobs have no longer response time.",
        of_times: true,
        of: |m| m.responses.quantile(0.5),
    },
    Metric {
        name: "response_p95",
        label: "Response time, 95th percentile",
        unit: "s",
        better: Better::Lower,
        help: "95 % of the jobs have no longer response time.",
        of_times: true,
        of: |m| m.responses.quantile(0.95),
    },
    Metric {
        name: "response_max",
        label: "Response time, maximum",
        unit: "s",
        better: Better::Lower,
        help: "The longest time from submit to completion of any job.",
        of_times: true,
        of: |m| m.responses.quantile(1.0),
    },
    Metric {
        name: "total_wait_mean",
        label: "Total wait time",
        unit: "s",
        better: Better::Lower,
        help: "Response time − run time, mean: waiting, suspended, and lost by running slower.",
        of_times: true,
        of: |m| m.total_waits.mean(),
    },
    Metric {
        name: "bsd_median",
        label: "Bounded slowdown, median",
        unit: "",
        better: Better::Lower,
        help: "Half of the jobs have no larger bounded slowdown.",
        of_times: true,
        of: |m| m.slowdowns.quantile(0.5),
    },
    Metric {
        name: "bsd_p95",
        label: "Bounded slowdown, 95th percentile",
        unit: "",
        better: Better::Lower,
        help: "95 % of the jobs have no larger bounded slowdown.",
        of_times: true,
        of: |m| m.slowdowns.quantile(0.95),
    },
    Metric {
        name: "bsd_max",
        label: "Bounded slowdown, maximum",
        unit: "",
        better: Better::Lower,
        help: "The largest bounded slowdown of any job.",
        of_times: true,
        of: |m| m.slowdowns.quantile(1.0),
    },
    Metric {
        name: "missed",
        label: "Rejected although a placement exists",
        unit: "jobs",
        better: Better::Lower,
        help: "Jobs rejected although the exact test found a placement at that moment; undefined where no exact test applies.",
        of_times: false,
        of: |m| (m.undecided == 0).then(|| f64::from(m.missed)),
    },
    Metric {
        name: "blocked",
        label: "Rejected, no placement exists",
        unit: "jobs",
        better: Better::Lower,
        help: "Jobs rejected while no placement existed.",
        of_times: false,
        of: |m| (m.undecided == 0).then(|| f64::from(m.blocked)),
    },
    Metric {
        name: INFEASIBLE,
        label: "Infeasible",
        unit: "jobs",
        better: Better::Neither,
        help: "Jobs for which no placement exists even on the empty system.",
        of_times: false,
        of: |m| Some(f64::from(m.infeasible)),
    },
    Metric {
        name: UNPLACEABLE,
        label: "Unplaceable",
        unit: "jobs",
        better: Better::Lower,
        help: "Jobs for which this policy finds no placement on the empty system, although one exists.",
        of_times: false,
        of: |m| Some(f64::from(m.unplaceable)),
    },
    Metric {
        name: "migrations",
        label: "Migrations",
        unit: "",
        better: Better::Lower,
        help: "Restarts of suspended jobs, and migrations of virtual machines that run one.",
        of_times: false,
        of: |m| Some(m.migrations),
    },
    Metric {
        name: "migrations_per_job",
        label: "Migrations per job",
        unit: "",
        better: Better::Lower,
        help: "Restarts of suspended jobs and migrations of their virtual machines, divided by the jobs that ran.",
        of_times: false,
        of: |m| ratio(m.migrations, f64::from(m.ran)),
    },
    Metric {
        name: "preemptions_per_job",
        label: "Migrations from the foreground",
        unit: "",
        better: Better::Lower,
        help: "Restarts of jobs that were suspended in the foreground, divided by the jobs that ran.",
        of_times: false,
        of: |m| m.per_job(m.migrations - m.evictions - m.promotions),
    },
    Metric {
        name: "evictions_per_job",
        label: "Migrations from the background",
        unit: "",
        better: Better::Lower,
        help: "Restarts of jobs that were suspended in the background, divided by the jobs that ran.",
        of_times: false,
        of: |m| m.per_job(m.evictions),
    },
    Metric {
        name: "promotions_per_job",
        label: "Tier changes with migration",
        unit: "",
        better: Better::Lower,
        help: "Changes from background to foreground in which a process moved, divided by the jobs that ran.",
        of_times: false,
        of: |m| m.per_job(m.promotions),
    },
    Metric {
        name: "swaps_per_job",
        label: "Tier changes without migration",
        unit: "",
        better: Better::Neither,
        help: "Tier changes in which no process moved, which cost nothing, divided by the jobs that ran.",
        of_times: false,
        of: |m| m.per_job(m.swaps),
    },
    Metric {
        name: "foreground_loss",
        label: "Loss in the foreground",
        unit: "share",
        better: Better::Lower,
        help: "The most speed that any job in the foreground lost to the background at any time.",
        of_times: false,
        of: |m| m.cpu_utilisation.map(|_| m.foreground_loss),
    },
    Metric {
        name: "cpu_utilisation",
        label: "CPU in use",
        unit: "share",
        better: Better::Higher,
        help: "Processor time used by jobs, divided by nodes × makespan.",
        of_times: false,
        of: |m| m.cpu_utilisation,
    },
    Metric {
        name: "makespan",
        label: "Makespan",
        unit: "s",
        better: Better::Lower,
        help: "First submit to last completion.",
        of_times: false,
        of: |m| m.makespan,
    },
    Metric {
        name: "slot_utilisation",
        label: "Slots in use",
        unit: "share",
        better: Better::Higher,
        help: "Slot-time held, migration cost included, divided by slots × makespan.",
        of_times: false,
        of: |m| m.slot_utilisation,
    },
    Metric {
        name: "server_links",
        label: "Server links reserved",
        unit: "share",
        better: Better::Neither,
        help: "Reserved share of the links of servers, mean over links and makespan.",
        of_times: false,
        of: |m| m.layers.first().map(|layer| layer.mean),
    },
    Metric {
        name: "edge_links",
        label: "Edge links reserved",
        unit: "share",
        better: Better::Neither,
        help: "Reserved share of the links from edge to aggregation switches, mean.",
        of_times: false,
        of: |m| m.layers.get(1).map(|layer| layer.mean),
    },
    Metric {
        name: "core_links",
        label: "Core links reserved",
        unit: "share",
        better: Better::Neither,
        help: "Reserved share of the links from aggregation to core switches, mean.",
        of_times: false,
        of: |m| m.layers.get(2).map(|layer| layer.mean),
    },
    Metric {
        name: "server_links_peak",
        label: "Server links, peak",
        unit: "share",
        better: Better::Neither,
        help: "The largest reserved share of any server link at any time.",
        of_times: false,
        of: |m| m.layers.first().map(|layer| layer.peak),
    },
    Metric {
        name: "edge_links_peak",
        label: "Edge links, peak",
        unit: "share",
        better: Better::Neither,
        help: "The largest reserved share of any edge link at any time.",
        of_times: false,
        of: |m| m.layers.get(1).map(|layer| layer.peak),
    },
    Metric {
        name: "core_links_peak",
        label: "Core links, peak",
        unit: "share",
        better: Better::Neither,
        help: "The largest reserved share of any core link at any time.",
        of_times: false,
        of: |m| m.layers.get(2).map(|layer| layer.peak),
    },
    Metric {
        name: "penalty",
        label: "Execution penalty",
        unit: "",
        better: Better::Lower,
        help: "(Completion − first start) / run time, mean over the jobs that ran on several clusters.",
        of_times: false,
        of: |m| m.penalties.mean(),
    },
    Metric {
        name: "co_allocated",
        label: "Co-allocated jobs",
        unit: "share",
        better: Better::Neither,
        help: "Jobs that ran on several clusters, of those that ran.",
        of_times: false,
        of: |m| {
            m.several
                .and_then(|several| ratio(f64::from(several), f64::from(m.ran)))
        },
    },
    Metric {
        name: "cluster_links",
        label: "Cluster links required",
        unit: "share",
        better: Better::Neither,
        help: "Bandwidth required on the cluster links, divided by their rates, mean over links and makespan.",
        of_times: false,
        of: |m| m.uplinks.map(|uplinks| uplinks.mean),
    },
    Metric {
        name: "cluster_links_peak",
        label: "Cluster links, peak",
        unit: "share",
        better: Better::Neither,
        help: "The largest bandwidth required on any cluster link at any time, divided by its rate.",
        of_times: false,
        of: |m| m.uplinks.map(|uplinks| uplinks.peak),
    },
    Metric {
        name: "hidden",
        label: "Jobs inside one server",
        unit: "share",
        better: Better::Neither,
        help: "Jobs of several virtual machines that all ran on one server (or in one cluster), as a share of the jobs of several virtual machines that ran.",
        of_times: false,
        of: |m| ratio(f64::from(m.intra_server), f64::from(m.parallel)),
    },
    Metric {
        name: "overbooked",
        label: "Overbooking starts",
        unit: "jobs",
        better: Better::Lower,
        help: "Starts after which some link had more reserved than it can carry; 0 in a valid run on a fat-tree.",
        of_times: false,
        of: |m| Some(f64::from(m.overbooked)),
    },
    Metric {
        name: "queue_mean",
        label: "Queue length",
        unit: "jobs",
        better: Better::Lower,
        help: "Mean number of waiting jobs: total time in the queue divided by the makespan.",
        of_times: false,
        of: |m| m.queue_mean,
    },
    Metric {
        name: "queue_max",
        label: "Queue length, maximum",
        unit: "jobs",
        better: Better::Lower,
        help: "The most jobs left waiting after a scheduling pass.",
        of_times: false,
        of: |m| Some(m.longest_queue as f64),
    },
    Metric {
        name: "decision_steps",
        label: "Steps of a decision, most",
        unit: "steps",
        better: Better::Lower,
        help: "Entries that the largest 0-1 program of any scheduling pass looked at.",
        of_times: false,
        of: |m| Some(m.decision_steps? as f64),
    },
    Metric {
        name: OVERSIZE,
        label: "Larger than the system",
        unit: "jobs",
        better: Better::Neither,
        help: "Jobs that request more slots than the system has; every policy rejects them.",
        of_times: false,
        of: |m| Some(f64::from(m.oversize)),
    },
    Metric {
        name: ACCEPT_POSSIBLE,
        label: "Accept rate of jobs that can run",
        unit: "share",
        better: Better::Higher,
        help: "Jobs that ran, of those that are neither infeasible nor larger than the system.",
        of_times: false,
        of: |m| {
            let never = m.infeasible.max(m.oversize);
            ratio(f64::from(m.ran), f64::from(m.jobs - never))
        },
    },
    Metric {
        name: "stretch_mean",
        label: "Work dilation",
        unit: "",
        better: Better::Lower,
        help: "Time at work / run time, mean over the jobs that ran: how much longer jobs work because they slow one another down.",
        of_times: true,
        of: |m| m.stretches.mean(),
    },
    Metric {
        name: "stretch_p95",
        label: "Work dilation, 95th percentile",
        unit: "",
        better: Better::Lower,
        help: "95 % of the jobs have no larger work dilation.",
        of_times: true,
        of: |m| m.stretches.quantile(0.95),
    },
    Metric {
        name: "stretch_max",
        label: "Work dilation, maximum",
        unit: "",
        better: Better::Lower,
        help: "The largest work dilation of any job.",
        of_times: true,
        of: |m| m.stretches.quantile(1.0),
    },
    Metric {
        name: "late",
        label: "Late jobs",
        unit: "share",
        better: Better::Lower,
        help: "Jobs that ended later than their first start plus their estimate, of those that ran.",
        of_times: true,
        of: |m| ratio(f64::from(m.late), f64::from(m.timed)),
    },
    Metric {
        name: "not_finite",
        label: "Starts without a finite value",
        unit: "jobs",
        better: Better::Neither,
        help: "Starts of jobs whose value in the order of the queue was not finite: they were behind all others, by arrival.",
        of_times: false,
        of: |m| Some(m.not_finite? as f64),
    },
    Metric {
        name: LEFT,
        label: "Left the queue",
        unit: "jobs",
        better: Better::Neither,
        help: "Jobs that left the queue before they were started; rates and times are over the others.",
        of_times: false,
        of: |m| m.left.map(f64::from),
    },
    Metric {
        name: "leaves_used",
        label: "Leaves per job",
        unit: "",
        better: Better::Lower,
        help: "The leaves of a tree of switches, or base blocks, that a job's nodes are in, mean over the jobs that ran.",
        of_times: false,
        of: |m| m.leaves.mean(),
    },
    Metric {
        name: "leaves_excess",
        label: "Leaves too many",
        unit: "",
        better: Better::Lower,
        help: "The same beyond the fewest leaves that could hold the job on the empty machine.",
        of_times: false,
        of: |m| m.leaves_excess.mean(),
    },
    Metric {
        name: "fragmentation",
        label: "Fragmentation",
        unit: "share",
        better: Better::Lower,
        help: "Slurm's fragmentation of blocks, and of switches likewise: nodes in use, and the sizes of all blocks or switches that no job could have whole, mean over the makespan, divided by what it is with every node in use.",
        of_times: false,
        of: |m| m.fragmentation,
    },
];

/// The metric that says how many of the jobs a policy serves at all.
pub const ACCEPT_RATE: &str = "accept_rate";

/// The metric that says the same without the jobs that no policy could run.
pub const ACCEPT_POSSIBLE: &str = "accept_possible";

/// The metric that counts the jobs that no placement could embed even on the empty system.
pub const INFEASIBLE: &str = "infeasible";

/// The metric that counts the jobs that one placement cannot embed there.
pub const UNPLACEABLE: &str = "unplaceable";

/// The metric that counts jobs that request more slots than the system has.
pub const OVERSIZE: &str = "oversize";

/// The metric that counts the jobs that left the queue.
pub const LEFT: &str = "left";

/// The position of a metric in [`METRICS`].
pub fn position(name: &str) -> Option<usize> {
    METRICS.iter().position(|metric| metric.name == name)
}
