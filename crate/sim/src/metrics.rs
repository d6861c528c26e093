//! What is measured of a run: one table of metrics, each with its unit, formula and source.
//!
//! Job metrics are over the jobs that ran; warm-up and cool-down jobs are left out of them. Metrics
//! of slots and links are over the whole time from the first submit to the last completion.
//!
//! Sources: paper 1, Eq. 1 and 2; D. Feitelson, L. Rudolph, U. Schwiegelshohn, K. Sevcik, P. Wong,
//! "Theory and practice in parallel job scheduling", JSSPP 1997 (bounded slowdown). Departure: Eq. 2
//! divides by an end time, which must mean the runtime; Eq. 1 is called response time there and is
//! the waiting time.

use crate::choice::choices;
use crate::unit::Span;
use std::ops::Range;

use crate::decimal::Decimal;
use crate::id::{Id, IdVec, JobId, LinkId};
use crate::job::{Job, Jobs};
use crate::record::{Course, Fate, Record};
use crate::sample::{Sample, Weighted};
use crate::unit::Time;

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

/// Which way a metric is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Better {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
    /// It only describes.
    Neither,
}

/// One metric of a run.
#[derive(Clone, Copy, Debug, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Metric {
    /// Its name in scenarios and tables.
    pub name: &'static str,
    /// What a person reads.
    pub label: &'static str,
    /// `share` (0 to 1), `s`, `jobs`, or nothing for a ratio.
    pub unit: &'static str,
    /// Which way it is better.
    pub better: Better,
    /// How it is computed, in one sentence.
    pub help: &'static str,
    /// Whether it is over times of jobs, so that it can be taken over the jobs that every policy ran.
    #[serde(skip)]
    pub of_times: bool,
    #[serde(skip)]
    of: fn(&Measured) -> Option<f64>,
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
        label: "Waiting time (rpt in paper 1)",
        unit: "s",
        better: Better::Lower,
        help: "First start − submit, mean over the jobs that ran (Eq. 1).",
        of_times: true,
        of: |m| m.waits.mean(),
    },
    Metric {
        name: "bsd_mean",
        label: "Bounded slowdown",
        unit: "",
        better: Better::Lower,
        help: "(Completion − submit) / max(Γ, runtime), at least 1 unless that is off, mean over the jobs that ran (Eq. 2).",
        of_times: true,
        of: |m| m.slowdowns.mean(),
    },
    Metric {
        name: "wait_median",
        label: "Waiting time, median",
        unit: "s",
        better: Better::Lower,
        help: "Half of the jobs wait no longer.",
        of_times: true,
        of: |m| m.waits.quantile(0.5),
    },
    Metric {
        name: "wait_p95",
        label: "Waiting time, 95 %",
        unit: "s",
        better: Better::Lower,
        help: "95 % of the jobs wait no longer.",
        of_times: true,
        of: |m| m.waits.quantile(0.95),
    },
    Metric {
        name: "wait_max",
        label: "Waiting time, longest",
        unit: "s",
        better: Better::Lower,
        help: "The longest wait of any job.",
        of_times: true,
        of: |m| m.waits.quantile(1.0),
    },
    Metric {
        name: "wait_sd",
        label: "Waiting time, deviation",
        unit: "s",
        better: Better::Lower,
        help: "Standard deviation of the waiting times (SDWT in paper 4, Eq. 8).",
        of_times: true,
        of: |m| m.wait_spread.deviation(),
    },
    Metric {
        name: "wait_weighted",
        label: "Weighted waiting time",
        unit: "s",
        better: Better::Lower,
        help: "First start − submit, mean weighted by the slots asked for (AWWT in paper 4).",
        of_times: true,
        of: |m| m.sized_waits.mean(),
    },
    Metric {
        name: "wait_weighted_sd",
        label: "Weighted waiting time, deviation",
        unit: "s",
        better: Better::Lower,
        help: "Standard deviation around the weighted mean, weighted alike (SDWWT in paper 4, Eq. 7 and 9 corrected).",
        of_times: true,
        of: |m| m.sized_waits.deviation(),
    },
    Metric {
        name: "wait_weighted_sd_literal",
        label: "SDWWT as printed",
        unit: "s",
        better: Better::Lower,
        help: "Eq. 7 of paper 4 as printed: weighted deviation of the waiting time by the slots from the weighted mean wait.",
        of_times: true,
        of: |m| m.waits_by_size.deviation_from(m.sized_waits.mean()?),
    },
    Metric {
        name: "wait_gini",
        label: "Inequality of waits",
        unit: "share",
        better: Better::Lower,
        help: "Gini coefficient of the waiting times: twice the area between their Lorenz curve and that of equal waits.",
        of_times: true,
        of: |m| m.waits.gini(),
    },
    Metric {
        name: "response_weighted",
        label: "Weighted response time",
        unit: "s",
        better: Better::Lower,
        help: "Completion − submit, mean weighted by the slots asked for (AWRT in paper 4).",
        of_times: true,
        of: |m| m.sized_responses.mean(),
    },
    Metric {
        name: "response_mean",
        label: "Response time (turnaround in paper 3)",
        unit: "s",
        better: Better::Lower,
        help: "Completion − submit, mean over the jobs that ran.",
        of_times: true,
        of: |m| m.responses.mean(),
    },
    Metric {
        name: "response_median",
        label: "Response time, median",
        unit: "s",
        better: Better::Lower,
        help: "Half of the jobs are done no later after their submit.",
        of_times: true,
        of: |m| m.responses.quantile(0.5),
    },
    Metric {
        name: "response_p95",
        label: "Response time, 95 %",
        unit: "s",
        better: Better::Lower,
        help: "95 % of the jobs are done no later after their submit.",
        of_times: true,
        of: |m| m.responses.quantile(0.95),
    },
    Metric {
        name: "response_max",
        label: "Response time, longest",
        unit: "s",
        better: Better::Lower,
        help: "The longest time from submit to completion of any job.",
        of_times: true,
        of: |m| m.responses.quantile(1.0),
    },
    Metric {
        name: "total_wait_mean",
        label: "Total waiting time",
        unit: "s",
        better: Better::Lower,
        help: "Response − runtime: all time not at work, suspended time included, mean.",
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
        label: "Bounded slowdown, 95 %",
        unit: "",
        better: Better::Lower,
        help: "95 % of the jobs have no larger bounded slowdown.",
        of_times: true,
        of: |m| m.slowdowns.quantile(0.95),
    },
    Metric {
        name: "bsd_max",
        label: "Bounded slowdown, largest",
        unit: "",
        better: Better::Lower,
        help: "The largest bounded slowdown of any job.",
        of_times: true,
        of: |m| m.slowdowns.quantile(1.0),
    },
    Metric {
        name: "missed",
        label: "Rejected though feasible",
        unit: "jobs",
        better: Better::Lower,
        help: "Jobs turned away though the exact test found an embedding at that moment; undefined where no exact test applies.",
        of_times: false,
        of: |m| (m.undecided == 0).then(|| f64::from(m.missed)),
    },
    Metric {
        name: "blocked",
        label: "Rejected for want of room",
        unit: "jobs",
        better: Better::Lower,
        help: "Jobs turned away while no embedding existed.",
        of_times: false,
        of: |m| (m.undecided == 0).then(|| f64::from(m.blocked)),
    },
    Metric {
        name: INFEASIBLE,
        label: "Infeasible",
        unit: "jobs",
        better: Better::Neither,
        help: "Jobs that no placement could embed even on the empty system.",
        of_times: false,
        of: |m| Some(f64::from(m.infeasible)),
    },
    Metric {
        name: UNPLACEABLE,
        label: "Unplaceable",
        unit: "jobs",
        better: Better::Lower,
        help: "Jobs that this placement cannot embed on the empty system, though it is possible.",
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
        label: "Migrations a job",
        unit: "",
        better: Better::Lower,
        help: "Restarts of suspended jobs and migrations of their virtual machines, by the jobs that ran.",
        of_times: false,
        of: |m| ratio(m.migrations, f64::from(m.ran)),
    },
    Metric {
        name: "preemptions_per_job",
        label: "Migrations from the foreground",
        unit: "",
        better: Better::Lower,
        help: "Restarts of jobs that were suspended in the foreground, by the jobs that ran.",
        of_times: false,
        of: |m| m.per_job(m.migrations - m.evictions - m.promotions),
    },
    Metric {
        name: "evictions_per_job",
        label: "Migrations from the background",
        unit: "",
        better: Better::Lower,
        help: "Restarts of jobs that were suspended in the background, by the jobs that ran.",
        of_times: false,
        of: |m| m.per_job(m.evictions),
    },
    Metric {
        name: "promotions_per_job",
        label: "Promotions that moved",
        unit: "",
        better: Better::Lower,
        help: "Changes from background to foreground with a process moved, by the jobs that ran.",
        of_times: false,
        of: |m| m.per_job(m.promotions),
    },
    Metric {
        name: "swaps_per_job",
        label: "Changes of tier in place",
        unit: "",
        better: Better::Neither,
        help: "Changes of tier with no process moved, which cost nothing, by the jobs that ran.",
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
        help: "Work done times the CPU it uses, by all nodes over the makespan.",
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
        help: "Slot-time held, migration cost included, by all slots over the makespan.",
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
        help: "(Completion − first start) / runtime, mean over the jobs that ran on several clusters.",
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
        help: "Bandwidth required of the links of clusters by their rates, mean over links and makespan.",
        of_times: false,
        of: |m| m.uplinks.map(|uplinks| uplinks.mean),
    },
    Metric {
        name: "cluster_links_peak",
        label: "Cluster links, peak",
        unit: "share",
        better: Better::Neither,
        help: "The most bandwidth required of any cluster's link at any time, by its rate.",
        of_times: false,
        of: |m| m.uplinks.map(|uplinks| uplinks.peak),
    },
    Metric {
        name: "hidden",
        label: "Hidden clusters",
        unit: "share",
        better: Better::Neither,
        help: "Jobs of more than one machine that all ended on one server, of those that ran.",
        of_times: false,
        of: |m| ratio(f64::from(m.hidden), f64::from(m.parallel)),
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
        help: "Jobs waiting, mean over the makespan: all time spent in the queue by the makespan.",
        of_times: false,
        of: |m| m.queue_mean,
    },
    Metric {
        name: "queue_max",
        label: "Queue length, longest",
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
        help: "Jobs that ask for more slots than the system has; every policy rejects them.",
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
];

/// The metric that says how many of the jobs a policy serves at all.
pub const ACCEPT_RATE: &str = "accept_rate";

/// The same without the jobs that no policy could run.
pub const ACCEPT_POSSIBLE: &str = "accept_possible";

/// The metric that counts the jobs that no placement could embed even on the empty system.
pub const INFEASIBLE: &str = "infeasible";

/// The metric that counts the jobs that one placement cannot embed there.
pub const UNPLACEABLE: &str = "unplaceable";

/// The metric that counts the jobs that ask for more slots than there are.
pub const OVERSIZE: &str = "oversize";

/// The position of a metric in [`METRICS`].
pub fn position(name: &str) -> Option<usize> {
    METRICS.iter().position(|metric| metric.name == name)
}

/// What the metrics are computed from; times in seconds.
#[derive(Clone, Debug, Default)]
struct Measured {
    jobs: u32,
    ran: u32,
    waits: Sample,
    /// The same waits, for their deviation.
    wait_spread: Weighted,
    responses: Sample,
    total_waits: Weighted,
    slowdowns: Sample,
    /// Waits weighted by the slots asked for.
    sized_waits: Weighted,
    /// Waits divided by the slots asked for, weighted by these.
    waits_by_size: Weighted,
    /// Responses weighted by the slots asked for.
    sized_responses: Weighted,
    missed: u32,
    blocked: u32,
    undecided: u32,
    infeasible: u32,
    unplaceable: u32,
    /// Of these two, those that ask for more slots than there are.
    oversize: u32,
    migrations: f64,
    evictions: f64,
    promotions: f64,
    swaps: f64,
    foreground_loss: f64,
    /// Work done times the CPU that it uses, node · s; `None` where nothing is known of CPUs.
    cpu_time: Option<f64>,
    cpu_utilisation: Option<f64>,
    parallel: u32,
    hidden: u32,
    makespan: Option<f64>,
    slot_utilisation: Option<f64>,
    queue_mean: Option<f64>,
    longest_queue: usize,
    decision_steps: Option<u64>,
    overbooked: u32,
    layers: Vec<LayerUse>,
    /// Time from first start to completion by runtime, of jobs on several clusters.
    penalties: Weighted,
    /// How many such jobs there are, where there are several clusters.
    several: Option<u32>,
    /// Use of the links of clusters.
    uplinks: Option<LayerUse>,
}

impl Measured {
    fn per_job(&self, count: f64) -> Option<f64> {
        self.cpu_time?;
        ratio(count, f64::from(self.ran))
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct LayerUse {
    mean: f64,
    peak: f64,
}

/// What metrics ask of a system.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Its slots, those in the background of nodes included.
    pub slots: u64,
    /// Its slots without those.
    pub foreground: u64,
    /// The layers of its links.
    pub layers: Vec<Range<usize>>,
    /// Its links between clusters.
    pub uplinks: Range<usize>,
}

/// The jobs of a run as they are counted, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    measured: Measured,
    options: RunOptions,
    /// The slots that jobs may ask for.
    slots: u64,
    /// The first job that the warm-up does not leave out.
    first_counted: JobId,
    first_submit: Option<Time>,
    last_end: Option<Time>,
}

impl Tally {
    /// Nothing counted yet of so many jobs on a system of so many slots with these links between clusters.
    pub(crate) fn new(
        options: &RunOptions,
        jobs: usize,
        slots: u64,
        uplinks: &Range<usize>,
    ) -> Tally {
        Tally {
            measured: Measured {
                several: (!uplinks.is_empty()).then_some(0),
                ..Measured::default()
            },
            options: options.clone(),
            slots,
            first_counted: first_counted(jobs, options),
            first_submit: None,
            last_end: None,
        }
    }

    /// Counts a job that is done with. Jobs come by index. Metrics of jobs are over those that neither the
    /// warm-up leaves out nor the cool-down (`late`), metrics of times over those that are `timed` as well.
    ///
    /// # Panics
    /// The job is not done with.
    pub(crate) fn add(&mut self, id: JobId, job: &Job, course: &Course, late: bool, timed: bool) {
        self.first_submit.get_or_insert(job.submit);
        self.last_end = self.last_end.max(course.fate.end());
        let measured = &mut self.measured;
        let runtime = job.runtime.seconds();
        if let Some(cpu) = &job.cpu
            && course.fate.end().is_some()
        {
            *measured.cpu_time.get_or_insert(0.0) += runtime * cpu.nodes();
        }
        if id < self.first_counted || late {
            return;
        }
        measured.jobs += 1;
        measured.oversize += u32::from(u64::from(job.size) > self.slots);
        let (start, end) = match course.fate {
            Fate::Open => panic!("a job that is not done with"),
            Fate::Missed => return measured.missed += 1,
            Fate::Blocked => return measured.blocked += 1,
            Fate::Rejected => return measured.undecided += 1,
            Fate::Infeasible => return measured.infeasible += 1,
            Fate::Unplaceable => return measured.unplaceable += 1,
            Fate::Ran { start, end } => (start, end),
        };
        measured.ran += 1;
        if timed {
            let response = (end - job.submit).seconds();
            let wait = (start - job.submit).seconds();
            let size = f64::from(job.size);
            measured.waits.add(wait);
            measured.wait_spread.add(1.0, wait);
            measured.responses.add(response);
            measured.sized_waits.add(size, wait);
            measured.waits_by_size.add(size, wait / size);
            measured.sized_responses.add(size, response);
            measured.total_waits.add(1.0, response - runtime);
            let slowdown = bounded_slowdown(job, end, &self.options);
            measured.slowdowns.add(slowdown);
        }
        measured.migrations += f64::from(course.migrations);
        measured.evictions += f64::from(course.evictions);
        measured.promotions += f64::from(course.promotions);
        measured.swaps += f64::from(course.swaps);
        if let Some(several) = &mut measured.several
            && !course.hidden
        {
            *several += 1;
            if runtime > 0.0 {
                let penalty = (end - start).seconds() / runtime;
                measured.penalties.add(1.0, penalty);
            }
        }
        if job.size > 1 {
            measured.parallel += 1;
            measured.hidden += u32::from(course.hidden);
        }
    }

    /// The values of all metrics of a finished run whose jobs have all been counted, in the order of
    /// [`METRICS`]; `None` where one is not defined.
    pub(crate) fn values(self, machine: &Machine, record: &Record) -> Vec<Option<f64>> {
        let mut measured = self.measured;
        measured.longest_queue = record.longest_queue;
        measured.decision_steps = record.decision_steps;
        measured.overbooked = record.overbooked;
        measured.foreground_loss = 1.0 - record.slowest;
        measured.waits.sort();
        measured.responses.sort();
        measured.slowdowns.sort();
        if let (Some(first), Some(end)) = (self.first_submit, self.last_end)
            && end > first
        {
            let makespan = (end - first).0 as f64;
            measured.makespan = Some((end - first).seconds());
            measured.slot_utilisation =
                Some(record.slot_time as f64 / (machine.slots as f64 * makespan));
            let nodes = machine.foreground as f64;
            let cpu_time = measured.cpu_time;
            measured.cpu_utilisation =
                cpu_time.map(|time| time / (nodes * (end - first).seconds()));
            measured.queue_mean = Some(record.queue_time as f64 / makespan);
            let layers = machine.layers.iter();
            measured.layers = layers.map(|links| layer(links, record, makespan)).collect();
            measured.uplinks = measured
                .several
                .map(|_| layer(&machine.uplinks, record, makespan));
        }
        METRICS
            .iter()
            .map(|metric| (metric.of)(&measured))
            .collect()
    }
}

/// The values of all metrics of a finished run that has forgotten no job, as [`Tally::values`] has them. Those
/// of times are taken over the jobs `among` which it holds, where that is given.
pub(crate) fn evaluate(
    jobs: &Jobs,
    machine: &Machine,
    record: &Record,
    options: &RunOptions,
    among: Option<&[bool]>,
) -> Vec<Option<f64>> {
    let mut tally = Tally::new(options, jobs.len(), machine.foreground, &machine.uplinks);
    let late = late(jobs, record, options);
    for ((id, job), course) in jobs.iter_enumerated().zip(record.courses.iter()) {
        let timed = among.is_none_or(|among| among[id.index()]);
        tally.add(id, job, course, late[id], timed);
    }
    tally.values(machine, record)
}

/// The waits that metrics of times are taken over, in seconds, ascending.
pub fn waits(
    jobs: &Jobs,
    record: &Record,
    options: &RunOptions,
    among: Option<&[bool]>,
) -> Vec<f64> {
    let late = late(jobs, record, options);
    let first_counted = first_counted(jobs.len(), options);
    let wait = |(id, job): (JobId, &Job)| {
        let left_out = id < first_counted || late[id];
        let counts = !left_out && among.is_none_or(|among| among[id.index()]);
        match record.courses[id].fate {
            Fate::Ran { start, .. } if counts => Some((start - job.submit).seconds()),
            _ => None,
        }
    };
    let mut waits: Vec<f64> = jobs.iter_enumerated().filter_map(wait).collect();
    waits.sort_unstable_by(f64::total_cmp);
    waits
}

/// The bounded slowdown of a job that ended then (Eq. 2), at least 1 where the options say so.
pub fn bounded_slowdown(job: &Job, end: Time, options: &RunOptions) -> f64 {
    let response = (end - job.submit).seconds();
    let slowdown = response / job.runtime.max(options.gamma).seconds();
    match options.floor_one {
        true => slowdown.max(1.0),
        false => slowdown,
    }
}

/// How many of so many jobs a share of them is.
fn share(of: usize, share: Decimal) -> usize {
    let (numerator, denominator) = share.ratio();
    (of as u128 * numerator / denominator) as usize
}

/// The first of so many jobs that the warm-up does not leave out.
fn first_counted(jobs: usize, options: &RunOptions) -> JobId {
    JobId::new(share(jobs, options.warmup))
}

/// The jobs that the cool-down leaves out: a share of those that end after the last arrival, those that end
/// last first.
fn late(jobs: &Jobs, record: &Record, options: &RunOptions) -> IdVec<JobId, bool> {
    let last_arrival = jobs.iter().map(|job| job.submit).max().unwrap_or_default();
    let ended = record.courses.iter_enumerated();
    let ended = ended.filter_map(|(id, course)| Some((course.fate.end()?, id)));
    let mut after: Vec<(Time, JobId)> = ended.filter(|&(end, _)| end > last_arrival).collect();
    after.sort_unstable();
    let mut late = IdVec::filled(false, jobs.len());
    let count = share(after.len(), options.cooldown);
    for &(_, job) in after.iter().rev().take(count) {
        late[job] = true;
    }
    late
}

/// How much the links of one layer were used.
fn layer(links: &Range<usize>, record: &Record, makespan: f64) -> LayerUse {
    let uses = links.clone().map(|link| {
        let used = record.links[LinkId::new(link)];
        let capacity = used.capacity.0 as f64;
        let mean = used.integral as f64 / (capacity * makespan);
        (mean, used.peak.0 as f64 / capacity)
    });
    uses.fold(LayerUse::default(), |sum, (mean, peak)| LayerUse {
        mean: sum.mean + mean / links.len() as f64,
        peak: sum.peak.max(peak),
    })
}

fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}
