//! Keys of the pool of virtual machines and of the steps before its policies.

use super::super::key::{
    DISTRIBUTION, Key, NO_VM_MIGRATIONS, PLAIN, ValueKind, When, ZERO, bandwidths, decimal, integer,
};
use backfill_sim::decimal::Decimal;
use backfill_sim::id::{CentreId, Id};
use backfill_sim::policy::Queue;
use backfill_sim::policy::elastic::MachinesOn;
use backfill_sim::source::PAPER_4;
use backfill_sim::system::SystemKind;
use backfill_sim::system::pool::{PoolSpec, opening_order};
use backfill_sim::workload::VmMigration;

const POOL: &[When] = &[When::System(SystemKind::Pool)];

/// The rows, in the order in which they are written and shown.
pub(super) const KEYS: &[Key] = &[
    Key {
        name: "vms",
        default: "120",
        kind: integer(1, 1_000_000),
        label: "VMs",
        help: "Virtual machines of each data centre (vmmax in the paper).",
        unit: "",
        source: PAPER_4,
        when: POOL,
        apply: |plan, value| plan.specs.pool.vms = value.integer(),
        essential: true,
        ..PLAIN
    },
    Key {
        name: "centres",
        default: "1",
        kind: integer(1, 64),
        label: "Data centres",
        help: "How many data centres share the jobs.",
        source: PAPER_4,
        when: POOL,
        apply: |plan, value| {
            plan.specs.pool.opening_order = (0..value.integer()).map(CentreId).collect()
        },
        ..PLAIN
    },
    Key {
        name: "centre_mbps",
        default: "equal",
        kind: ValueKind::Bandwidths,
        label: "Bandwidth between centres",
        help: "Data centres are opened by bandwidth to the one opened last, the largest first.",
        unit: "Mbit/s",
        source: PAPER_4,
        sweep: false,
        when: POOL,
        apply: |plan, value| {
            // On other systems the number of bandwidths is not checked.
            if let Some(pairs) =
                bandwidths(value.text()).filter(|_| plan.system == SystemKind::Pool)
            {
                open_by_bandwidth(&mut plan.specs.pool, &pairs);
            }
        },
        ..PLAIN
    },
    Key {
        name: "speed_up",
        default: "0",
        kind: decimal(ZERO, 1, 6),
        label: "Speed-up exponent (σ)",
        help: "A job that gets k times the VMs it requested runs k to this power times as fast.",
        per_policy: true,
        when: &[POOL[0], When::Policy(|queue| queue == Queue::Fair)],
        apply: |plan, value| plan.specs.pool.speed_up = value.decimal(),
        ..PLAIN
    },
    Key {
        name: "vm_migrations",
        default: NO_VM_MIGRATIONS,
        kind: DISTRIBUTION,
        label: "Migrating VMs",
        help: "Share of the VMs that migrate per hour, constant or uniform, sampled once per run; the job on such a VM stops and resumes from its last checkpoint.",
        unit: "%",
        source: PAPER_4,
        when: POOL,
        apply: |plan, value| {
            let migrate = plan.system == SystemKind::Pool && value.text() != NO_VM_MIGRATIONS;
            plan.workload.vm_migration = migrate.then(|| VmMigration {
                rate: value.range(),
                ..VmMigration::default()
            });
        },
        ..PLAIN
    },
    Key {
        name: "vm_migration_s",
        default: "uniform:120:600",
        kind: DISTRIBUTION,
        label: "Pause per VM migration",
        help: "How long a job stops for the migration of one of its VMs, constant or uniform.",
        unit: "s",
        source: PAPER_4,
        when: POOL,
        apply: |plan, value| {
            if let Some(migration) = &mut plan.workload.vm_migration {
                migration.stop = value.range().map(Decimal::seconds);
            }
        },
        ..PLAIN
    },
    Key {
        name: "slot_s",
        default: "3600",
        kind: decimal(Decimal::tenth_power(6), 100_000_000, 6),
        label: "Checkpoint interval",
        help: "Work between two checkpoints (slot in paper 4); after a VM migration a job resumes from its last checkpoint.",
        unit: "s",
        source: PAPER_4,
        when: POOL,
        apply: |plan, value| {
            if let Some(migration) = &mut plan.workload.vm_migration {
                migration.slot = value.seconds();
            }
        },
        ..PLAIN
    },
    Key {
        name: "elastic",
        default: "off",
        kind: ValueKind::Choice {
            choices: MachinesOn::CHOICES,
        },
        label: "Elastic VMs",
        help: "How many VMs are powered on, computed from the completed jobs.",
        source: PAPER_4,
        per_policy: true,
        when: POOL,
        apply: |plan, value| {
            if plan.system == SystemKind::Pool {
                plan.queueing.elasticity.interpretation = value.choice(MachinesOn::named);
            }
        },
        ..PLAIN
    },
    Key {
        name: "elastic_share",
        default: "0.5",
        kind: decimal(ZERO, 100, 6),
        label: "Spare powered-on VMs (α)",
        help: "Powered-on VMs beyond the number needed, as a share of that number.",
        source: PAPER_4,
        per_policy: true,
        when: POOL,
        apply: |plan, value| plan.queueing.elasticity.more = value.decimal(),
        ..PLAIN
    },
];

/// Opens the centres by the bandwidth between them: one of `pairs` for each pair of centres, the
/// smaller number first, row by row of the upper triangle.
fn open_by_bandwidth(pool: &mut PoolSpec, pairs: &[Decimal]) {
    let centres = pool.opening_order.len();
    let between = |a: CentreId, b: CentreId| {
        let (low, high) = (a.index().min(b.index()), a.index().max(b.index()));
        pairs[low * (2 * centres - low - 1) / 2 + high - low - 1].mbps()
    };
    pool.opening_order = opening_order(centres as u32, between);
}
