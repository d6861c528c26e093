//! Elastic machines: only as many machines are on as jobs are expected to need.
//!
//! *Decides*, before every pass of the inner policy: λ is the arrival rate of the finished jobs,
//! AP their mean size. The powered-on capacity becomes λ·AP·(1 + α), with λ per hour, as printed,
//! or per mean runtime of the finished jobs. Running jobs are never stopped. The capacity is enough
//! for every waiting job once no job runs. Until two jobs with different arrival times have
//! finished, all machines are on. *Ties*: none. *Complexity*: a few operations. *Source*: paper 4,
//! section 4.1 and line 20 of Algorithm 1. By Little's law jobs that run for E\[S\] need
//! λ·AP·E\[S\] machines; the text omits E\[S\], as if every job ran for one hour. It does not say
//! how λ is measured nor for which jobs it keeps machines on.

use crate::choice::choices;
use crate::decimal::Decimal;
use crate::engine::{Context, Done, Policy, Step};
use crate::id::JobId;
use crate::job::Request;
use crate::machine::System;
use crate::source::PAPER_4;
use crate::system::pool::Pool;
use crate::unit::{MICROS, Span};

/// The rule for the powered-on capacity of a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Elasticity {
    /// The interpretation of the paper's formula.
    pub interpretation: MachinesOn,
    /// The relative margin above the needed machines (α in the paper).
    pub more: Decimal,
}

choices! {
    /// The rule for the powered-on capacity of a pool.
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

/// The unit of time in which the paper counts arrivals.
const HOUR: Span = Span(3600 * MICROS);

/// Elastic machines before a policy.
pub struct Elastic {
    /// The policy, which sees only machines that are on.
    pub policy: Box<dyn Policy<Pool>>,
    /// The rule for the powered-on capacity.
    pub rules: Elasticity,
}

/// The powered-on capacity after these jobs (inivm in the paper); `None` for all machines.
fn wanted(rules: &Elasticity, done: &Done) -> Option<u64> {
    let jobs = u128::from(done.jobs);
    let span = u128::from((done.last? - done.first?).0);
    if span == 0 {
        return None;
    }
    let unit = match rules.interpretation {
        MachinesOn::All => return None,
        MachinesOn::Literal => u128::from(HOUR.0),
        MachinesOn::Corrected => done.held / jobs,
    };
    let (more, whole) = rules.more.ratio();
    // λ·AP = (jobs − 1)/span · slots/jobs
    let machines = (jobs - 1) * u128::from(done.slots) * unit * (whole + more);
    let machines = machines.div_ceil(span * jobs * whole);
    Some(u64::try_from(machines).unwrap_or(u64::MAX))
}

impl Policy<Pool> for Elastic {
    fn heard(&mut self, job: &Request) {
        self.policy.heard(job);
    }

    fn arrive(&mut self, cx: &mut Context<Pool>, job: JobId) {
        self.policy.arrive(cx, job);
    }

    fn pass(&mut self, cx: &mut Context<Pool>) {
        let all = cx.system().slots();
        let expected = wanted(&self.rules, cx.done());
        let largest = cx.waiting_sizes().next_back().map_or(0, u64::from);
        let slots = expected.unwrap_or(all).max(largest).min(all);
        cx.set_powered_on(slots);
        cx.observe(|| Step::PoweredOn {
            slots,
            expected,
            largest,
        });
        self.policy.pass(cx);
    }

    fn withdrawn(&mut self, cx: &mut Context<Pool>, job: JobId) {
        self.policy.withdrawn(cx, job);
    }
}
