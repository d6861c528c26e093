//! The policies of the paper, by their names in scenarios.

pub(super) const AFCFS: &str = "fpfs+count";
pub(super) const LJFS: &str = "ljfs+count";
pub(super) const FAIR: &str = "fair+count";
pub(super) const ZOMT: &str = "zomt+count";
