//! The generations of Slurm's rules, and for how few leaves a job waits.

use crate::choice::choices;
use crate::unit::{MICROS, Span};

/// Where the rules of Slurm's placements are from.
pub(super) const SLURM: &str =
    "Slurm, topology.conf(5) and the placements of its controllers 22.05, 24.11 and 26.05";

choices! {
    /// Which generation of Slurm's rules a placement follows.
    pub enum Generation {
        Slurm22 = "22", "22", "Slurm 21.08 to 24.05.2.", SLURM;
        Slurm24 = "24", "24", "Slurm 24.05.3 to 25.11.", SLURM;
        Slurm26 = "26", "26", "Slurm from 26.05 on.", SLURM;
    }
}

/// For how few leaves a job waits, as sbatch(1) has it under `--switches`: where its nodes would be
/// on more, it does not start before it has waited so long since its submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchLimit {
    /// The most leaves that it takes before that, at least 1.
    pub most: u32,
    /// How long it waits at most, [`SwitchLimit::LONGEST`] or less.
    pub wait: Span,
}

impl SwitchLimit {
    /// The longest wait, and that where none is given: the default of `max_switch_wait` in
    /// slurm.conf(5).
    pub const LONGEST: Span = Span(300 * MICROS);
}
