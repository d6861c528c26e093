//! Which setups have a forecast: those whose policy needs nothing but what a queue shows.

use backfill_sim::policy::Queue;
use backfill_sim::policy::expression::Name;
use backfill_sim::policy::order::Order;
use backfill_sim::policy::parts::{Behind, MayPreempt};
use backfill_sim::run;
use backfill_sim::setup::Setup;
use backfill_sim::unit::Time;
use backfill_sim::workload::Cancelled;

/// The policy that is asked about where none is given.
pub const USUAL: Queue = Queue::Easy;

/// Why nothing can be forecast under a setup, in a sentence; `None` where it can.
pub fn unsupported(setup: &Setup) -> Option<String> {
    let queue = setup.queue;
    let Some(parts) = setup.queueing.parts(queue) else {
        return Some(format!(
            "policy = {}: what it decides depends on more than the queue shows; choose a list \
             scheduler such as easy, fcfs or sdf",
            queue.name()
        ));
    };
    if parts.behind == Behind::Reject {
        let name = queue.name();
        return Some(format!(
            "policy = {name}: no job waits; choose a policy with a queue"
        ));
    }
    if parts.may_preempt != MayPreempt::Never {
        return Some(format!(
            "policy = {}: it suspends running jobs, so that their starts do not tell how far they \
             are; choose a policy without preemption",
            queue.name()
        ));
    }
    for order in [&parts.order, &parts.backfill_order] {
        match order {
            Order::LargestSizeEvery(_) => {
                return Some(format!(
                    "policy = {}: its queue depends on when it was last sorted; choose ljfs",
                    queue.name()
                ));
            }
            Order::Value(program) if program.names(Name::Submit) => {
                return Some(
                    "order: submit counts from the first job of the whole workload, which a \
                     forecast does not have; use wait instead"
                        .to_owned(),
                );
            }
            _ => {}
        }
    }
    let workload = &setup.workload;
    if workload.feedback {
        return Some(
            "feedback = on: who submits after another job ends is not known in advance; use \
             feedback=off"
                .to_owned(),
        );
    }
    if workload.cancelled == Cancelled::Leave {
        return Some(
            "cancelled = leave: when a waiting job will leave is not known in advance; use \
             cancelled=drop or cancelled=run"
                .to_owned(),
        );
    }
    let runs = run::resumed(setup, Vec::new().into(), Time(0)).is_some();
    (!runs).then(|| {
        "system: a forecast starts from jobs that run on plain nodes; use system=nodes without a \
         background"
            .to_owned()
    })
}
