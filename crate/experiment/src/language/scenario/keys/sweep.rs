//! Keys of the runs: their choice, measurement and comparison.

use super::super::key::{Group, Key, ON_OFF, PLAIN, ValueKind, ZERO, decimal, integer};
use backfill_sim::decimal::Decimal;
use backfill_sim::metrics::Timed;
use backfill_sim::source::PAPER_1;

/// The rows, in the order in which they are written and shown.
pub(super) const KEYS: &[Key] = &[
    Key {
        name: "gamma_s",
        default: "10",
        kind: decimal(Decimal::tenth_power(3), 1_000_000, 6),
        group: Group::Sweep,
        label: "Slowdown bound (Γ)",
        help: "Bounded slowdown counts a job as at least this long.",
        unit: "s",
        source: PAPER_1,
        apply: |plan, value| plan.options.gamma = value.seconds(),
        ..PLAIN
    },
    Key {
        name: "floor_one",
        default: "on",
        kind: ON_OFF,
        group: Group::Sweep,
        label: "Slowdown of at least 1",
        help: "Whether bounded slowdown is never below 1.",
        source: "D. Feitelson, L. Rudolph, Metrics and benchmarking for parallel job scheduling, JSSPP 1998",
        apply: |plan, value| plan.options.floor_one = value.is_on(),
        ..PLAIN
    },
    Key {
        name: "warmup",
        default: "0",
        kind: decimal(ZERO, 1, 6),
        group: Group::Sweep,
        label: "Warm-up",
        help: "Share of the first arrivals that the metrics leave out.",
        apply: |plan, value| plan.options.warmup = value.decimal(),
        ..PLAIN
    },
    Key {
        name: "cooldown",
        default: "0",
        kind: decimal(ZERO, 1, 6),
        group: Group::Sweep,
        label: "Cool-down",
        help: "Share of the jobs ending after the last arrival that the metrics leave out.",
        apply: |plan, value| plan.options.cooldown = value.decimal(),
        ..PLAIN
    },
    Key {
        name: "x",
        default: "load:0.3:0.9:0.2",
        kind: ValueKind::Sweep,
        group: Group::Sweep,
        label: "Horizontal axis",
        help: "The key swept and its values, as key:first:last:step or key:value,value; or none.",
        sweep: false,
        essential: true,
        ..PLAIN
    },
    Key {
        name: "y",
        default: "none",
        kind: ValueKind::Sweep,
        group: Group::Sweep,
        label: "Second swept key",
        help: "A second key swept, written like the first; or none.",
        sweep: false,
        ..PLAIN
    },
    Key {
        name: "seed",
        default: "42",
        kind: integer(0, u64::MAX),
        group: Group::Sweep,
        label: "Seed",
        help: "The seed of all random numbers of the scenario.",
        sweep: false,
        apply: |plan, value| plan.options.seed = value.large_integer(),
        ..PLAIN
    },
    Key {
        name: "reps",
        default: "10",
        kind: integer(1, 10_000),
        group: Group::Sweep,
        label: "Replications",
        help: "Runs of each point with different random numbers; one run where no input is random.",
        sweep: false,
        essential: true,
        ..PLAIN
    },
    Key {
        name: "reference",
        default: "first",
        kind: ValueKind::Reference,
        group: Group::Sweep,
        label: "Reference",
        help: "The policy from which differences are taken: one of the policies, or first.",
        sweep: false,
        ..PLAIN
    },
    Key {
        name: "metric",
        kind: ValueKind::Metric,
        group: Group::Sweep,
        label: "Metric",
        help: "The metric that is shown first.",
        sweep: false,
        ..PLAIN
    },
    Key {
        name: "timed",
        default: "own",
        kind: ValueKind::Choice {
            choices: Timed::CHOICES,
        },
        group: Group::Sweep,
        label: "Statistics over",
        help: "Which jobs the wait, response and slowdown statistics are over: policies that reject more jobs are not comparable on them.",
        sweep: false,
        apply: |plan, value| plan.options.timed = value.choice(Timed::named),
        ..PLAIN
    },
    Key {
        name: "futures",
        default: "200",
        kind: integer(1, 10_000),
        group: Group::Sweep,
        label: "Futures of a forecast",
        help: "How many futures are simulated to forecast when a job would start.",
        sweep: false,
        ..PLAIN
    },
];
