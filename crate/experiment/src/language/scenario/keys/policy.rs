//! Keys of the policies compared.

use super::super::key::{Group, Key, ON_OFF, PLAIN, ValueKind, When, ZERO, decimal};
use super::super::plan::SAME;
use backfill_sim::choice::Choice;
use backfill_sim::decimal::Decimal;
use backfill_sim::policy::Queue;
use backfill_sim::policy::parts::{Behind, MayPreempt, Preempt, WhenBlocked};
use backfill_sim::policy::zomt::{LongWait, LongWaitOrder};
use backfill_sim::source::{PAPER_1, PAPER_4};
use backfill_sim::system::SystemKind;

const MIGRATING: &[When] = &[When::Policy(Queue::preempts)];
/// The policies for which paper 1 is ambiguous on when a job counts as backfilled.
const BGMBF: &[When] = &[When::Policy(Queue::is_bgmbf)];
/// The list scheduler that a user composes.
const LIST: &[When] = &[When::Policy(|queue| queue == Queue::List)];
const ZOMT: &[When] = &[When::Policy(|queue| queue == Queue::Zomt)];
/// The policies before which a pool may route jobs.
const ROUTED: &[When] = &[
    When::System(SystemKind::Pool),
    When::Policy(|queue| queue != Queue::None && queue.runs_on(SystemKind::Pool)),
];

/// The choices behind a blocked job: all but having no queue.
const BEHIND: &[Choice] = Behind::CHOICES.split_last().expect("a choice").1;

/// The rows, in the order in which they are written and shown.
pub(super) const KEYS: &[Key] = &[
    Key {
        name: "policy",
        default: "fcfs+adaba,easy+adaba,bgmbf+adaba,none+adaba",
        kind: ValueKind::Policies,
        group: Group::Policies,
        label: "Policies",
        help: "The policies compared, each scheduling policy + placement, with keys of its own in parentheses; name=… is what it is called.",
        sweep: false,
        essential: true,
        ..PLAIN
    },
    Key {
        name: "migration_cost_s",
        default: "0",
        kind: decimal(ZERO, 1_000_000, 6),
        group: Group::Policies,
        label: "Migration cost",
        help: "How long a preempted job holds its slots and links without computing each time it restarts.",
        unit: "s",
        source: PAPER_1,
        per_policy: true,
        when: MIGRATING,
        apply: |plan, value| plan.options.migration_cost = value.seconds(),
        ..PLAIN
    },
    Key {
        name: "blocked",
        default: "strict",
        kind: ValueKind::Choice {
            choices: WhenBlocked::CHOICES,
        },
        group: Group::Policies,
        label: "When a job does not fit",
        help: "Whether SBF and SDF stop at a job that does not fit or skip it.",
        per_policy: true,
        when: &[When::Policy(Queue::may_skip)],
        apply: |plan, value| {
            plan.queueing.skip_blocked = value.choice(WhenBlocked::named) == WhenBlocked::Skip;
        },
        ..PLAIN
    },
    Key {
        name: "promote",
        default: "on",
        kind: ON_OFF,
        group: Group::Policies,
        label: "Backfilled only while an older job waits",
        help: "Whether a running job counts as backfilled only while a job that arrived before it waits; off counts every job that started past the head of the queue, as Algorithm 2 is printed.",
        source: PAPER_1,
        per_policy: true,
        when: BGMBF,
        apply: |plan, value| plan.queueing.promote = value.is_on(),
        ..PLAIN
    },
    Key {
        name: "preempt",
        default: "all",
        kind: ValueKind::Choice {
            choices: Preempt::CHOICES,
        },
        group: Group::Policies,
        label: "Who is preempted",
        help: "Which running jobs give way to the first job of the queue.",
        source: PAPER_1,
        per_policy: true,
        when: &[When::Policy(Queue::chooses_victims)],
        apply: |plan, value| plan.queueing.preempt = value.choice(Preempt::named),
        ..PLAIN
    },
    Key {
        name: "period_s",
        default: "3600",
        kind: decimal(Decimal::tenth_power(6), 100_000_000, 6),
        group: Group::Policies,
        label: "Sorting period",
        help: "Interval at which PLJFS sorts its queue, counted from time 0.",
        unit: "s",
        source: PAPER_4,
        per_policy: true,
        when: &[When::Policy(|queue| queue == Queue::Pljfs)],
        apply: |plan, value| plan.queueing.period = value.seconds(),
        ..PLAIN
    },
    Key {
        name: "rratio",
        default: "0.9",
        kind: decimal(ZERO, 1, 3),
        group: Group::Policies,
        label: "Least share used (rratio)",
        help: "The least share of the free VMs that a set chosen by the 0-1 program uses.",
        source: PAPER_4,
        per_policy: true,
        when: ZOMT,
        apply: |plan, value| plan.queueing.zero_one.least_used = value.decimal(),
        ..PLAIN
    },
    Key {
        name: "long_wait",
        default: "job",
        kind: ValueKind::Choice {
            choices: LongWait::CHOICES,
        },
        group: Group::Policies,
        label: "Long waits",
        help: "Which long-waiting jobs start before the 0-1 program is solved.",
        source: PAPER_4,
        per_policy: true,
        when: ZOMT,
        apply: |plan, value| plan.queueing.zero_one.long_wait = value.choice(LongWait::named),
        ..PLAIN
    },
    Key {
        name: "long_wait_order",
        default: "auto",
        kind: ValueKind::Choice {
            choices: LongWaitOrder::CHOICES,
        },
        group: Group::Policies,
        label: "Order of long waits",
        help: "In which order jobs start that have waited long.",
        source: PAPER_4,
        per_policy: true,
        when: ZOMT,
        apply: |plan, value| {
            plan.queueing.zero_one.long_wait_order = value.choice(LongWaitOrder::named);
        },
        ..PLAIN
    },
    Key {
        name: "unit_s",
        default: "3600",
        kind: decimal(Decimal::tenth_power(6), 100_000_000, 6),
        group: Group::Policies,
        label: "Unit of time",
        help: "The wait that counts as much in the 0-1 program as the requested VMs themselves.",
        unit: "s",
        source: PAPER_4,
        per_policy: true,
        when: ZOMT,
        apply: |plan, value| plan.queueing.zero_one.unit = value.seconds(),
        ..PLAIN
    },
    Key {
        name: "slist_capacity",
        default: "unlimited",
        kind: ValueKind::WordOrDecimal {
            word: "unlimited",
            min: Decimal::whole(1),
            max: Decimal::whole(1_000_000_000),
            places: 0,
        },
        group: Group::Policies,
        label: "Scheduling list (FSTEQ)",
        help: "How many VMs the jobs on the scheduling list may request together; other jobs are deferred until they are admitted, and a job that requests more than this is rejected.",
        unit: "VMs",
        source: PAPER_4,
        per_policy: true,
        when: ROUTED,
        apply: |plan, value| {
            let routed = plan.system == SystemKind::Pool && plan.queue != Queue::None;
            plan.queueing.routing.capacity = value.count().filter(|_| routed);
        },
        ..PLAIN
    },
    Key {
        name: "time1_s",
        default: "0",
        kind: decimal(ZERO, 100_000_000, 6),
        group: Group::Policies,
        label: "Admitted first after (time1)",
        help: "Deferred jobs that have waited longer than this are admitted first; as both passes go by arrival, this changes nothing unless users wait for results.",
        unit: "s",
        source: PAPER_4,
        per_policy: true,
        when: ROUTED,
        apply: |plan, value| plan.queueing.routing.long = value.seconds(),
        ..PLAIN
    },
    Key {
        name: "order",
        default: "arrival",
        kind: ValueKind::Order { same: false },
        group: Group::Policies,
        label: "Order",
        help: "Which waiting job is tried first: the one with the smallest value, jobs of one value by arrival.",
        sweep: false,
        per_policy: true,
        when: LIST,
        apply: |plan, value| plan.queueing.order = value.order().unwrap_or_default(),
        ..PLAIN
    },
    Key {
        name: "behind",
        default: "stop",
        kind: ValueKind::Choice { choices: BEHIND },
        group: Group::Policies,
        label: "Behind a job that does not fit",
        help: "What happens to the jobs behind the first one that cannot start.",
        per_policy: true,
        when: LIST,
        apply: |plan, value| plan.queueing.behind = value.choice(Behind::named),
        ..PLAIN
    },
    Key {
        name: "depth",
        default: "1",
        kind: ValueKind::WordOrDecimal {
            word: "all",
            min: Decimal::whole(1),
            max: Decimal::whole(1_000_000),
            places: 0,
        },
        group: Group::Policies,
        label: "Reservations",
        help: "How many jobs that cannot start get a reservation, made again at every pass, where jobs behind them are tried around reservations; 1 is EASY.",
        unit: "jobs",
        source: "S.-H. Chiang, A. Arpaci-Dusseau, M. Vernon, The impact of more accurate requested runtimes on production job scheduling performance, JSSPP 2002",
        per_policy: true,
        when: LIST,
        apply: |plan, value| plan.queueing.depth = value.count(),
        ..PLAIN
    },
    Key {
        name: "backfill_order",
        default: SAME,
        kind: ValueKind::Order { same: true },
        group: Group::Policies,
        label: "Order of backfilling",
        help: "In which order the jobs are tried that are behind one that cannot start and have no reservation; same is that of the queue.",
        sweep: false,
        per_policy: true,
        when: LIST,
        apply: |plan, value| plan.queueing.backfill_order = value.order(),
        ..PLAIN
    },
    Key {
        name: "may_preempt",
        default: "nobody",
        kind: ValueKind::Choice {
            choices: MayPreempt::CHOICES,
        },
        group: Group::Policies,
        label: "Who may preempt",
        help: "Which waiting jobs may suspend running jobs that arrived after them.",
        per_policy: true,
        when: LIST,
        apply: |plan, value| plan.queueing.may_preempt = value.choice(MayPreempt::named),
        ..PLAIN
    },
];
