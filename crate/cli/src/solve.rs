//! Multipliers that make a bound tight, by an interior-point solver.
//!
//! The bound is valid for any multipliers, however well the solver works.

use backfill_experiment::study::bound::Relaxation;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver, SupportedConeT::NonnegativeConeT,
};

/// Maximises Σ x for 0 ≤ x ≤ 1 under the rows: x, and a multiplier for each row.
pub(crate) fn solve(model: &Relaxation) -> (Vec<f64>, Vec<f64>) {
    let variables = model.variables().len();
    let rows = model.rows().len();
    if rows == 0 {
        return (vec![], vec![]);
    }
    // Column by column: the rows' terms, then x ≤ 1, then −x ≤ 0.
    let mut columns: Vec<Vec<(usize, f64)>> = vec![Vec::new(); variables];
    for (index, row) in model.rows().iter().enumerate() {
        for &(variable, weight) in &row.terms {
            columns[variable].push((index, weight));
        }
    }
    for (variable, column) in columns.iter_mut().enumerate() {
        column.push((rows + variable, 1.0));
        column.push((rows + variables + variable, -1.0));
    }
    let starts = columns.iter().scan(0, |end, column| {
        *end += column.len();
        Some(*end)
    });
    let constraints = CscMatrix::new(
        rows + 2 * variables,
        variables,
        std::iter::once(0).chain(starts).collect(),
        columns.iter().flatten().map(|entry| entry.0).collect(),
        columns.iter().flatten().map(|entry| entry.1).collect(),
    );
    let mut limits = vec![1.0; rows + variables];
    limits.resize(rows + 2 * variables, 0.0);
    let settings = DefaultSettings {
        verbose: false,
        ..DefaultSettings::default()
    };
    let mut solver = DefaultSolver::new(
        &CscMatrix::zeros((variables, variables)),
        &vec![-1.0; variables],
        &constraints,
        &limits,
        &[NonnegativeConeT(limits.len())],
        settings,
    )
    .expect("the sizes agree");
    solver.solve();
    let mut multipliers = solver.solution.z;
    multipliers.truncate(rows);
    (solver.solution.x, multipliers)
}

#[cfg(test)]
mod tests {
    use backfill_experiment::language::scenario::Scenario;
    use backfill_experiment::study::sweep;

    use super::*;

    /// The solver's acceptances, scaled to keep every row, are at most any bound; so where both
    /// agree, each is the optimum.
    #[test]
    fn the_bound_is_what_can_be_accepted_in_shares() {
        for (load, fabric) in [("0.9", "aggregated"), ("3", "single-root")] {
            let scenario = Scenario::parse([
                ("policy", "none"),
                ("jobs", "300"),
                ("load", load),
                ("fabric", fabric),
                ("bandwidth_mbps", "450"),
                ("reps", "3"),
            ])
            .expect("a valid scenario");
            for cell in sweep::cells(&scenario) {
                let (setup, jobs) = sweep::parts(&scenario, cell, None).expect("jobs");
                let model = Relaxation::new(&setup, &jobs);
                assert!(!model.rows().is_empty());
                let (accepted, multipliers) = solve(&model);
                let accepted: Vec<f64> =
                    accepted.iter().map(|share| share.clamp(0.0, 1.0)).collect();
                let taken = model.rows().iter().map(|row| {
                    let shares = row.terms.iter();
                    shares.map(|&(job, weight)| weight * accepted[job]).sum()
                });
                let fullest = taken.fold(1.0, f64::max);
                let sum = accepted.iter().sum::<f64>() / fullest;
                let bound = model.bound(&multipliers) - model.certain();
                assert!(bound as f64 + 1.0 > sum, "{bound} is no bound of {sum}");
                assert!(bound as f64 <= sum + 1e-3, "{bound} is not {sum} rounded");
            }
        }
    }
}
