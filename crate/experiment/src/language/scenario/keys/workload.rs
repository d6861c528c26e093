//! Keys of the jobs: their source and its options.

use super::super::key::{
    DISTRIBUTION, Group, Key, ON_OFF, PLAIN, RATE, ValueKind, When, ZERO, decimal, integer,
};
use backfill_sim::decimal::Decimal;
use backfill_sim::source::{PAPER_1, PAPER_4};
use backfill_sim::workload::{
    BandwidthCap, BandwidthKind, Cancelled, Estimate, Flurries, LoadScaling, Processors,
    SourceKind, Statuses,
};

const TRACE: &[When] = &[When::Source(&[SourceKind::Swf, SourceKind::Csv])];
const LOG: &[When] = &[When::Source(&[SourceKind::Swf])];
const GENERATED: &[When] = &[When::Source(&[
    SourceKind::Poisson,
    SourceKind::Lublin,
    SourceKind::Feitelson,
    SourceKind::Jann,
])];
/// Jobs that are sampled from distributions of the scenario.
const SAMPLED: &[When] = &[When::Source(&[SourceKind::Poisson])];
const FEITELSON: &[When] = &[When::Source(&[SourceKind::Feitelson])];

/// The rows, in the order in which they are written and shown.
pub(super) const KEYS: &[Key] = &[
    Key {
        name: "workload",
        default: "poisson",
        kind: ValueKind::Choice {
            choices: SourceKind::CHOICES,
        },
        group: Group::Workload,
        label: "Workload",
        help: "Where the jobs come from.",
        sweep: false,
        apply: |plan, value| plan.source.kind = value.choice(SourceKind::named),
        essential: true,
        ..PLAIN
    },
    Key {
        name: "file",
        group: Group::Workload,
        label: "File",
        help: "The trace's file; a link carries its base name only, never its contents.",
        sweep: false,
        when: TRACE,
        essential: true,
        ..PLAIN
    },
    Key {
        name: "sha256",
        kind: ValueKind::Sha256,
        group: Group::Workload,
        label: "SHA-256",
        help: "Fingerprint of the trace's decompressed bytes; another trace is refused.",
        sweep: false,
        when: TRACE,
        ..PLAIN
    },
    Key {
        name: "first",
        default: "all",
        kind: ValueKind::WordOrDecimal {
            word: "all",
            min: Decimal::whole(1),
            max: Decimal::whole(10_000_000),
            places: 0,
        },
        group: Group::Workload,
        label: "Jobs used",
        help: "How many jobs from the start of the trace, or of its part, are used.",
        unit: "",
        when: TRACE,
        apply: |plan, value| plan.workload.first = value.count(),
        essential: true,
        ..PLAIN
    },
    Key {
        name: "jobs",
        default: "400",
        kind: integer(1, 10_000_000),
        group: Group::Workload,
        label: "Jobs",
        help: "How many jobs are generated in each replication.",
        unit: "",
        when: GENERATED,
        apply: |plan, value| plan.source.jobs = value.integer(),
        essential: true,
        ..PLAIN
    },
    Key {
        name: "size",
        default: "uniform:1:15",
        kind: DISTRIBUTION,
        group: Group::Workload,
        label: "Size",
        help: "Distribution of the number of slots a job requests (N in the paper).",
        unit: "slots",
        source: PAPER_1,
        when: SAMPLED,
        apply: |plan, value| plan.source.size = value.distribution(),
        ..PLAIN
    },
    Key {
        name: "runtime",
        default: "exponential:3600",
        kind: DISTRIBUTION,
        group: Group::Workload,
        label: "Run time",
        help: "Distribution of a job's run time.",
        unit: "s",
        source: PAPER_1,
        when: SAMPLED,
        apply: |plan, value| plan.source.runtime = value.distribution(),
        ..PLAIN
    },
    Key {
        name: "interarrival",
        default: "exponential",
        kind: ValueKind::Distribution { open_mean: true },
        group: Group::Workload,
        label: "Interarrival time",
        help: "Distribution of the time between two arrivals; without a mean, the load determines it.",
        unit: "s",
        source: PAPER_1,
        when: &[When::Source(&[SourceKind::Poisson, SourceKind::Feitelson])],
        apply: |plan, value| plan.source.interarrival = value.distribution(),
        ..PLAIN
    },
    Key {
        name: "max_size",
        default: "as-published",
        kind: ValueKind::WordOrDecimal {
            word: "as-published",
            min: Decimal::whole(8),
            max: Decimal::whole(1_000_000),
            places: 0,
        },
        group: Group::Workload,
        label: "Largest size",
        help: "The largest size that a model gives; as published it is 128 for Lublin and Feitelson's and 256 for the one like Feitelson's.",
        unit: "slots",
        when: &[When::Source(&[SourceKind::Lublin, SourceKind::Feitelson])],
        apply: |plan, value| plan.source.largest = value.count(),
        ..PLAIN
    },
    Key {
        name: "job_classes",
        default: "off",
        kind: ON_OFF,
        group: Group::Workload,
        label: "Batch and interactive",
        help: "Whether batch and interactive jobs are sampled separately, each with parameters and arrivals of its own.",
        when: &[When::Source(&[SourceKind::Lublin])],
        apply: |plan, value| plan.source.classes = value.is_on(),
        ..PLAIN
    },
    Key {
        name: "serial_share",
        default: "0.35",
        kind: decimal(ZERO, 1, 6),
        group: Group::Workload,
        label: "Share of serial jobs",
        help: "Which share of the jobs has size 1; ours, of the order of real logs.",
        sweep: false,
        when: FEITELSON,
        apply: |plan, value| plan.source.feitelson.serial_share = value.decimal(),
        ..PLAIN
    },
    Key {
        name: "power_share",
        default: "0.75",
        kind: decimal(ZERO, 1, 6),
        group: Group::Workload,
        label: "Share of powers of two",
        help: "Which share of the jobs has a power of two as its size, 1 included; ours, of the order of real logs.",
        sweep: false,
        when: FEITELSON,
        apply: |plan, value| plan.source.feitelson.power_share = value.decimal(),
        ..PLAIN
    },
    Key {
        name: "round_factor",
        default: "2",
        kind: decimal(Decimal::whole(1), 1000, 6),
        group: Group::Workload,
        label: "Round sizes",
        help: "How many times as often as their neighbours multiples of ten and squares are sizes; ours.",
        when: FEITELSON,
        apply: |plan, value| plan.source.feitelson.round_factor = value.decimal(),
        ..PLAIN
    },
    Key {
        name: "short_mean_s",
        default: "1800",
        kind: decimal(Decimal::whole(1), 1_000_000, 6),
        group: Group::Workload,
        label: "Mean of short runs",
        help: "Mean of the shorter of the two distributions of run times; that of the longer one is seven times as long; ours.",
        unit: "s",
        when: FEITELSON,
        apply: |plan, value| plan.source.feitelson.short_mean = value.decimal(),
        ..PLAIN
    },
    Key {
        name: "repeats_order",
        default: "2.5",
        kind: decimal(Decimal::whole(1), 10, 6),
        group: Group::Workload,
        label: "Order of repetitions",
        help: "A job is run r times with a weight of r to the power of minus this; ours.",
        when: FEITELSON,
        apply: |plan, value| plan.source.feitelson.repeats_order = value.decimal(),
        ..PLAIN
    },
    Key {
        name: "repeats_max",
        default: "1000",
        kind: integer(1, 100_000),
        group: Group::Workload,
        label: "Most repetitions",
        help: "How many times a job is run at most; ours.",
        when: FEITELSON,
        apply: |plan, value| plan.source.feitelson.repeats_max = value.integer(),
        ..PLAIN
    },
    Key {
        name: "upper_share",
        default: "0.8",
        kind: decimal(ZERO, 1, 6),
        group: Group::Workload,
        label: "Share of the largest size",
        help: "Which share of the jobs in each range of sizes has the largest one; ours.",
        when: &[When::Source(&[SourceKind::Jann])],
        apply: |plan, value| plan.source.upper = value.decimal(),
        ..PLAIN
    },
    Key {
        name: "arrivals_per_hour",
        default: "by-law",
        kind: ValueKind::WordOrDecimal {
            word: "by-law",
            min: Decimal::tenth_power(3),
            max: Decimal::whole(1_000_000),
            places: 3,
        },
        group: Group::Workload,
        label: "Arrival rate (λ)",
        help: "Mean number of arrivals per hour, with exponential interarrival times; by-law keeps the distribution of interarrival times.",
        unit: "jobs per hour",
        source: PAPER_4,
        when: GENERATED,
        apply: |plan, value| plan.source.arrivals_per_hour = value.number(),
        ..PLAIN
    },
    Key {
        name: "load",
        default: "0.5",
        kind: ValueKind::WordOrDecimal {
            word: "as-logged",
            min: Decimal::tenth_power(3),
            max: Decimal::whole(1000),
            places: 6,
        },
        group: Group::Workload,
        label: "Load",
        help: "The load to which submit times are scaled, or as-logged to leave them alone.",
        source: PAPER_1,
        apply: |plan, value| plan.load = value.number(),
        essential: true,
        ..PLAIN
    },
    Key {
        name: "load_law",
        default: "offered",
        kind: ValueKind::Choice {
            choices: LoadScaling::CHOICES,
        },
        group: Group::Workload,
        label: "Meaning of the load",
        help: "What a number given as load means.",
        apply: |plan, value| plan.load_law = value.choice(LoadScaling::named),
        ..PLAIN
    },
    Key {
        name: "bandwidth",
        default: "normal",
        kind: ValueKind::Choice {
            choices: BandwidthKind::CHOICES,
        },
        group: Group::Workload,
        label: "Bandwidth",
        help: "How much bandwidth each virtual machine of a job asks for, on a multi-cluster its even bisection.",
        source: PAPER_1,
        apply: |plan, value| plan.bandwidth = value.choice(BandwidthKind::named),
        essential: true,
        ..PLAIN
    },
    Key {
        name: "bandwidth_mbps",
        default: "250",
        kind: RATE,
        group: Group::Workload,
        label: "Mean bandwidth",
        help: "Mean bandwidth asked for (AvgB in paper 1); on a multi-cluster what an even bisection of a job needs (BSBW in paper 3).",
        unit: "Mbit/s",
        source: PAPER_1,
        when: &[When::Is("bandwidth", &["normal", "constant"])],
        apply: |plan, value| plan.mean_bandwidth = value.mbps(),
        essential: true,
        ..PLAIN
    },
    Key {
        name: "cap_bandwidth",
        default: "on",
        kind: ValueKind::Choice {
            choices: BandwidthCap::CHOICES,
        },
        group: Group::Workload,
        label: "Cap of the bandwidth",
        help: "How much bandwidth a job asks for at most.",
        when: &[
            When::Is("system", &["fat-tree", "tree"]),
            When::Is(
                "bandwidth",
                &["normal", "constant", "per-size", "per-server", "column"],
            ),
        ],
        apply: |plan, value| plan.workload.cap_bandwidth = value.choice(BandwidthCap::named),
        ..PLAIN
    },
    Key {
        name: "estimate",
        default: "exact",
        kind: ValueKind::Choice {
            choices: Estimate::CHOICES,
        },
        group: Group::Workload,
        label: "Estimates",
        help: "What a job's estimated run time is, the only one that policies see.",
        apply: |plan, value| plan.workload.estimate = value.choice(Estimate::named),
        ..PLAIN
    },
    Key {
        name: "estimate_max_s",
        default: "64800",
        kind: integer(7200, 10_000_000),
        group: Group::Workload,
        label: "Longest estimate",
        help: "The longest time that users may request; jobs that run longer are killed there.",
        unit: "s",
        source: "D. Tsafrir, Y. Etsion, D. Feitelson, Modeling user runtime estimates, JSSPP 2005",
        when: &[When::Is("estimate", &["tsafrir"])],
        apply: |plan, value| plan.workload.longest_estimate = value.seconds(),
        ..PLAIN
    },
    Key {
        name: "processors",
        default: "alloc-then-req",
        kind: ValueKind::Choice {
            choices: Processors::CHOICES,
        },
        group: Group::Workload,
        label: "Processors",
        help: "Which column of a log is a job's size.",
        sweep: false,
        when: LOG,
        apply: |plan, value| plan.workload.processors = value.choice(Processors::named),
        ..PLAIN
    },
    Key {
        name: "cancelled",
        default: "drop",
        kind: ValueKind::Choice {
            choices: Cancelled::CHOICES,
        },
        group: Group::Workload,
        label: "Cancelled before they started",
        help: "What is done with jobs of a log that were cancelled before they started.",
        sweep: false,
        when: LOG,
        apply: |plan, value| plan.workload.cancelled = value.choice(Cancelled::named),
        ..PLAIN
    },
    Key {
        name: "feedback",
        default: "off",
        kind: ON_OFF,
        group: Group::Workload,
        label: "Users wait for results",
        help: "Whether a job of a log arrives only after the job it names as preceding has ended and its think time has passed, and a repetition after the one before.",
        source: "S. Chapin et al., Benchmarks and standards for the evaluation of parallel job schedulers, JSSPP 1999",
        when: &[When::Source(&[SourceKind::Swf, SourceKind::Feitelson])],
        apply: |plan, value| plan.workload.feedback = value.is_on(),
        ..PLAIN
    },
    Key {
        name: "flurries",
        default: "keep",
        kind: ValueKind::Choice {
            choices: Flurries::CHOICES,
        },
        group: Group::Workload,
        label: "Flurries",
        help: "What is done with bursts of similar jobs of one user, which can dominate a result although they will not recur.",
        source: "D. Tsafrir, D. G. Feitelson, Instability in parallel job scheduling simulation: the role of workload flurries, IPDPS 2006",
        when: LOG,
        apply: |plan, value| plan.workload.flurries = value.choice(Flurries::named),
        ..PLAIN
    },
    Key {
        name: "statuses",
        default: "all",
        kind: ValueKind::Choice {
            choices: Statuses::CHOICES,
        },
        group: Group::Workload,
        label: "Jobs by status",
        help: "Which jobs of a log are taken by how they ended.",
        when: LOG,
        apply: |plan, value| plan.workload.statuses = value.choice(Statuses::named),
        ..PLAIN
    },
    Key {
        name: "shake_s",
        default: "0",
        kind: decimal(ZERO, 86_400, 6),
        group: Group::Workload,
        label: "Shake submit times",
        help: "The largest shift of a submit time, earlier or later, sampled again in every replication; results then do not depend on exact submit times.",
        unit: "s",
        source: "D. Tsafrir, K. Ouaknine, D. G. Feitelson, Reducing performance evaluation sensitivity and variability by input shaking, MASCOTS 2007",
        when: TRACE,
        apply: |plan, value| plan.workload.shake = value.seconds(),
        ..PLAIN
    },
    Key {
        name: "slice",
        default: "all",
        kind: ValueKind::Slice,
        group: Group::Workload,
        label: "Part of the log",
        help: "Which jobs of the trace are used: all, the successive ones under which most of the machine was in use (busiest:1000), or those from one position to another one by submit time (1001-2000).",
        sweep: false,
        when: TRACE,
        apply: |plan, value| plan.workload.slice = value.slice(),
        essential: true,
        ..PLAIN
    },
    Key {
        name: "columns",
        kind: ValueKind::Columns,
        group: Group::Workload,
        label: "Columns",
        help: "Which column of a table is what, as in submit:submit_time,run:duration,size:nodes*cores, or the name of a known table; of a file of sacct without a heading, the names of its columns.",
        sweep: false,
        when: TRACE,
        ..PLAIN
    },
    Key {
        name: "queue",
        kind: ValueKind::Name,
        group: Group::Workload,
        label: "Queue",
        help: "Take the jobs of this queue of a log only, or of all others after !; a number where the log has no names.",
        sweep: false,
        when: LOG,
        apply: |plan, value| plan.workload.selection.queue = value.pick(),
        ..PLAIN
    },
    Key {
        name: "partition",
        kind: ValueKind::Name,
        group: Group::Workload,
        label: "Partition",
        help: "Take the jobs of this partition of a log only, or of all others after !; a number where the log has no names.",
        sweep: false,
        when: LOG,
        apply: |plan, value| plan.workload.selection.partition = value.pick(),
        ..PLAIN
    },
    Key {
        name: "user",
        kind: ValueKind::Name,
        group: Group::Workload,
        label: "User",
        help: "Take the jobs of this user of a log only, or of all others after !; a number where the log has no names.",
        sweep: false,
        when: LOG,
        apply: |plan, value| plan.workload.selection.user = value.pick(),
        ..PLAIN
    },
    Key {
        name: "account",
        kind: ValueKind::Name,
        group: Group::Workload,
        label: "Account",
        help: "Take the jobs of this account or group of a log only, or of all others after !; a number where the log has no names.",
        sweep: false,
        when: LOG,
        apply: |plan, value| plan.workload.selection.account = value.pick(),
        ..PLAIN
    },
];
