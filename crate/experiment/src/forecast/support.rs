//! Which setups have a forecast: those whose machine and queue tell all that the policy needs.

use backfill_sim::policy::Queue;
use backfill_sim::policy::order::Order;
use backfill_sim::policy::parts::{Behind, MayPreempt};
use backfill_sim::policy::zomt::LongWait;
use backfill_sim::setup::Setup;
use backfill_sim::system::fat_tree::place::LargestBandwidth;
use backfill_sim::workload::{Cancelled, Workload};

/// The policy that is asked about where none is given.
pub const USUAL: Queue = Queue::Easy;

/// Why nothing can be forecast under a setup, in a sentence; `None` where it can.
pub fn unsupported(setup: &Setup) -> Option<String> {
    let policy = of_policy(setup).map(|why| format!("policy = {}: {why}", setup.queue.name()));
    policy.or_else(|| of_machine(setup).map(str::to_owned))
}

fn of_policy(setup: &Setup) -> Option<&'static str> {
    let queueing = &setup.queueing;
    let Some(parts) = queueing.parts(setup.queue) else {
        return match setup.queue {
            Queue::Recorded => Some("it does what the log says; choose another policy"),
            queue if queue.consolidates() => Some(
                "how busy the processors of later jobs will be is not known; choose a policy without \
                 a background",
            ),
            Queue::Zomt if queueing.zero_one.long_wait != LongWait::Off => {
                Some("which wait is long depends on all jobs before; use long_wait=off")
            }
            _ => None,
        };
    };
    if parts.behind == Behind::Reject {
        return Some("no job waits; choose a policy with a queue");
    }
    if parts.may_preempt != MayPreempt::Never && !parts.promote {
        return Some("whom it may suspend depends on who was the head before; use promote=on");
    }
    let orders = [&parts.order, &parts.backfill_order];
    let is_sorted_now_and_then = |order: &&Order| matches!(order, Order::LargestSizeEvery(_));
    orders
        .iter()
        .any(is_sorted_now_and_then)
        .then_some("its queue depends on when it was last sorted; choose ljfs")
}

fn of_machine(setup: &Setup) -> Option<&'static str> {
    let Workload {
        feedback,
        cancelled,
        vm_migration,
        ..
    } = &setup.workload;
    let clusters = setup.system.multi_cluster();
    let fixed = clusters.is_some_and(|spec| spec.known_sharing().is_none());
    let refusals = [
        (
            *feedback,
            "feedback = on: who submits after another job ends is not known in advance; use \
             feedback=off",
        ),
        (
            *cancelled == Cancelled::Leave,
            "cancelled = leave: when a waiting job will leave is not known in advance; use \
             cancelled=drop or cancelled=run",
        ),
        (
            vm_migration.is_some(),
            "vm_migrations: when machines of later jobs migrate is not known in advance; use \
             vm_migrations=constant:0",
        ),
        (
            setup.placing.fat_tree.bmax == LargestBandwidth::Oracle,
            "bmax = oracle: the largest bandwidth of all jobs is not known in advance; use \
             bmax=arrived",
        ),
        (
            fixed,
            "sharing = fixed: the mean penalty is that of the whole log; give it by penalty",
        ),
    ];
    let refusal = refusals.into_iter().find(|refusal| refusal.0);
    refusal.map(|(_, why)| why)
}
