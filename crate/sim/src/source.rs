//! References of the simulated policies and placements.

/// The paper in which AdaBa and BgMBF are defined.
pub const PAPER_1: &str = "Bandwidth-Guaranteed Resource Allocation and Scheduling for Parallel Jobs in Cloud Data Center, Symmetry 2018";

/// The paper in which CMBF, AMBF, CMCBF and AMCBF are defined.
pub const PAPER_2: &str =
    "Priority-Based Consolidation of Parallel Workloads in the Cloud, TPDS 2013";

/// The paper in which the schedulers of multi-clusters are defined.
pub const PAPER_3: &str = "Characterization of Bandwidth-Aware Meta-Schedulers for Co-Allocating Jobs Across Multiple Clusters, J. Supercomputing 34(2), 2005";

/// The paper in which ZOMT and Fair are defined.
pub const PAPER_4: &str =
    "Zero-one scheduling with multiple targets for parallel tasks in multi-Clouds (ZOMT)";
