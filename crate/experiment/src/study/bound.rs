//! Upper bounds on the number of jobs that any policy could have accepted.
//!
//! - [`feasible`], the structural ceiling: the jobs that fit on the empty system at all;
//! - [`Relaxation`], for policies without a queue: a relaxation in hindsight.
//!
//! A solver outside this crate solves the model. [`Relaxation::bound`] turns any multipliers of the
//! rows into a certain bound (weak duality), so a solver that stops early makes it loose, never
//! wrong.
//!
//! Source: Lagrange multipliers of a packing problem, as in any text on linear programming; D.
//! Bertsimas, J. Tsitsiklis, "Introduction to Linear Optimization", 1997, section 4.3.

use backfill_sim::id::{IdVec, JobId};
use backfill_sim::job::{Job, Jobs};
use backfill_sim::machine::Capacity;
use backfill_sim::machine::hose::Cluster;
use backfill_sim::place::Placer;
use backfill_sim::run::topology_placement;
use backfill_sim::setup::Setup;
use backfill_sim::system::fat_tree::FatTreeSpec;
use backfill_sim::system::fat_tree::place::exact;
use backfill_sim::system::tree::TreeSpec;
use backfill_sim::unit::{Kbps, Time};

/// Whether each job fits on the empty system; `None` where reservations are tested as printed,
/// which embeds more than fits.
pub fn feasible(setup: &Setup, jobs: &Jobs) -> Option<IdVec<JobId, bool>> {
    let tree = setup.system.fat_tree().map(FatTreeSpec::build);
    let uneven = setup.system.tree().map(TreeSpec::build);
    let uneven = uneven.map(|tree| (tree, topology_placement(setup)));
    let slots = setup.system.capacity().slots;
    let fits = |(id, job): (JobId, &Job)| match (&tree, &uneven) {
        (Some(tree), _) => exact::decide(tree, &job.request(id)),
        (_, Some((tree, placement))) => {
            Some(placement.exists(tree, &job.request(id)) != Some(false))
        }
        _ => Some(u64::from(job.size) <= slots),
    };
    let all: Option<Vec<bool>> = jobs.iter_enumerated().map(fits).collect();
    all.map(IdVec::from)
}

/// The relaxation of one replication.
///
/// With x the accepted share of each job, maximise Σ x such that at every arrival the jobs that
/// would then run have enough slots, Σ size · x ≤ all slots, and room on the servers' links, Σ w ·
/// x ≤ their summed rate, where w is the least that the job reserves on servers' links however it
/// is split. Links above the servers are left out, and shares of jobs may be accepted, so no policy
/// exceeds it.
#[derive(Clone, Debug)]
pub struct Relaxation {
    /// Jobs that no row restricts.
    certain: usize,
    /// Jobs in a row: the variables, each between 0 and 1.
    jobs: Vec<JobId>,
    rows: Vec<BoundRow>,
}

/// Σ weight · x ≤ 1 over some variables.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundRow {
    /// (variable, share of the limit that it takes).
    pub terms: Vec<(usize, f64)>,
}

/// A job during the construction of rows.
struct BoundedJob {
    id: JobId,
    submit: Time,
    end: Time,
    slots: u64,
    bandwidth: u64,
}

impl Relaxation {
    /// The model of `jobs` in `setup`, without redundant rows: those whose terms sum to less than
    /// their limit, or whose jobs are all in another row.
    pub fn new(setup: &Setup, jobs: &Jobs) -> Relaxation {
        let capacity = setup.system.capacity();
        let fat_tree = setup.system.fat_tree().map(|tree| tree.guarantee);
        let tree = setup.system.tree().map(|tree| tree.guarantee);
        let guarantee = fat_tree.or(tree).unwrap_or_default();
        let feasible = feasible(setup, jobs);
        let candidates: Vec<BoundedJob> = jobs
            .iter_enumerated()
            .filter(|(id, _)| feasible.as_ref().is_none_or(|feasible| feasible[*id]))
            .filter_map(|(id, job)| {
                let reserved = guarantee.of(job.bandwidth);
                Some(BoundedJob {
                    id,
                    submit: job.submit,
                    end: job.submit + job.runtime,
                    slots: u64::from(job.size),
                    bandwidth: least_on_server_links(job.size, reserved, &capacity)?,
                })
            })
            .collect();
        let slots = u128::from(capacity.slots);
        let bandwidth = u128::from(capacity.servers) * u128::from(capacity.line_rate.0);
        let mut rows: Vec<Vec<(JobId, f64)>> = Vec::new();
        let mut active: Vec<&BoundedJob> = Vec::new();
        let mut instants = candidates.chunk_by(|a, b| a.submit == b.submit).peekable();
        while let Some(arriving) = instants.next() {
            active.extend(arriving);
            let next = instants.peek().map(|next| next[0].submit);
            let stays = |job: &&BoundedJob| next.is_some_and(|next| job.end > next);
            if !active.iter().all(stays) {
                let mut row = |limit: u128, weight: fn(&BoundedJob) -> u64| {
                    let total: u128 = active.iter().map(|job| u128::from(weight(job))).sum();
                    if total > limit {
                        let terms = active.iter().filter(|job| weight(job) > 0);
                        let share = |job: &&BoundedJob| weight(job) as f64 / limit as f64;
                        rows.push(terms.map(|job| (job.id, share(job))).collect());
                    }
                };
                row(slots, |job| job.slots);
                row(bandwidth, |job| job.bandwidth);
                active.retain(stays);
            }
        }
        let mut variable: IdVec<JobId, Option<usize>> = IdVec::filled(None, jobs.len());
        let mut held_back = Vec::new();
        for &(id, _) in rows.iter().flatten() {
            variable[id].get_or_insert_with(|| {
                held_back.push(id);
                held_back.len() - 1
            });
        }
        let named = |id| variable[id].expect("every job of a row is a variable");
        Relaxation {
            certain: candidates.len() - held_back.len(),
            jobs: held_back,
            rows: rows
                .into_iter()
                .map(|terms| BoundRow {
                    terms: terms.into_iter().map(|(id, w)| (named(id), w)).collect(),
                })
                .collect(),
        }
    }

    /// The jobs that are the variables, in their order.
    pub fn variables(&self) -> &[JobId] {
        &self.jobs
    }

    /// The rows.
    pub fn rows(&self) -> &[BoundRow] {
        &self.rows
    }

    /// Jobs that fit on the empty system and that no row restricts.
    pub fn certain(&self) -> usize {
        self.certain
    }

    /// No policy without a queue accepts more jobs than this, whatever the multipliers of the rows
    /// (negative ones count as 0): Σ multiplier + Σ over the variables of max(0, 1 − Σ multiplier ·
    /// weight), the gain of a job beyond its cost.
    ///
    /// # Panics
    /// There are not as many multipliers as rows.
    pub fn bound(&self, multipliers: &[f64]) -> usize {
        assert_eq!(multipliers.len(), self.rows.len(), "a multiplier a row");
        let mut worth = vec![1.0; self.jobs.len()];
        let mut total = 0.0;
        for (row, multiplier) in self.rows.iter().zip(multipliers) {
            let multiplier = multiplier.max(0.0);
            total += multiplier;
            for &(variable, weight) in &row.terms {
                worth[variable] -= multiplier * weight;
            }
        }
        total += worth.iter().map(|worth| worth.max(0.0)).sum::<f64>();
        // Whole jobs are accepted; rounding errors are far smaller than the margin.
        self.certain + (total + 1e-6).floor() as usize
    }
}

/// The least that a job of `size` machines with `bandwidth` each reserves on the links of servers,
/// in kbit/s, however it is split over them; `None` if no server can take part of it. A server with
/// m of N machines reserves min(m, N − m) times that of one, and never more than the line rate.
pub fn least_on_server_links(size: u32, bandwidth: Kbps, capacity: &Capacity) -> Option<u64> {
    let cluster = Cluster {
        size,
        bandwidth,
        intra_server_free: true,
    };
    let most = u64::from(size).min(capacity.slots_per_server) as u32;
    let shares: Vec<(usize, u64)> = (1..=most)
        .map(|machines| (machines as usize, cluster.need(machines)))
        .filter(|&(_, need)| need <= capacity.line_rate)
        .map(|(machines, need)| (machines, need.0))
        .collect();
    let mut least: Vec<Option<u64>> = vec![Some(0)];
    for count in 1..=size as usize {
        let with = |&(machines, need): &(usize, u64)| {
            least[count.checked_sub(machines)?].map(|rest| rest + need)
        };
        least.push(shares.iter().filter_map(with).min());
    }
    least[size as usize]
}
