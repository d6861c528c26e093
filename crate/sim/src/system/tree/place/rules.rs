//! The generations of Slurm's rules.

use crate::choice::choices;

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
