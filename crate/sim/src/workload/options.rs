//! Options of a workload: the jobs taken from a trace, their estimates, load and bandwidth.

use crate::choice::choices;
use crate::decimal::Decimal;
use crate::source::{PAPER_1, PAPER_3, PAPER_4};
use crate::unit::Kbps;

choices! {
    /// At what the bandwidth that jobs request is capped.
    pub enum BandwidthCap {
        On = "on", "At the link rate",
            "No job asks for more than a link has.",
            "";
        Off = "off", "Nowhere",
            "A job may ask for more than a link has.",
            "";
        Fits = "fits", "At what the empty system can guarantee",
            "No job asks for more than the system could guarantee to a job of its size while nothing else runs, so that none is rejected for its bandwidth alone.",
            "";
    }
}

choices! {
    /// Whether bursts of one user's similar jobs are taken.
    pub enum Flurries {
        Keep = "keep", "Keep",
            "They are jobs like all others.",
            "";
        Remove = "remove", "Remove",
            "Bursts of 100 or more jobs of one user and one size, each at most ten minutes after the one before, are left out.",
            "D. Tsafrir, D. G. Feitelson, Instability in parallel job scheduling simulation: the role of workload flurries, IPDPS 2006";
    }
}

choices! {
    /// Which jobs of a log are taken by how they ended.
    pub enum Statuses {
        All = "all", "All",
            "Every job that used the machine.",
            "";
        NotCancelled = "not-cancelled", "Without cancelled ones",
            "Jobs of status 5 are left out.",
            "";
        Completed = "completed", "Without failed and cancelled ones",
            "Jobs of status 0 or 5 are left out.",
            "";
        Executed = "executed", "Executed",
            "Jobs of status 5 and those that ran for no time are left out.",
            PAPER_4;
    }
}

/// How submit times are scaled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Load {
    /// Not at all.
    #[default]
    AsLogged,
    /// Scaled until the jobs request this share of all slot-time between first and last submit (ρ).
    Offered(Decimal),
    /// Every gap between submits is multiplied by this.
    GapRatio(Decimal),
}

choices! {
    /// What a number given as load means.
    pub enum LoadScaling {
        Offered = "offered", "Offered load",
            "The load is the share of all slot-time that the jobs ask for. Jobs that may leave the queue are not counted: in the log they never ran.",
            "";
        GapRatio = "gap-ratio", "Gap ratio",
            "The load is a factor on the time between submits: 0.5 makes jobs arrive twice as fast.",
            "";
    }
}

choices! {
    /// The bandwidth that jobs request.
    pub enum BandwidthKind {
        None = "none", "None",
            "No job asks for bandwidth.",
            "";
        Normal = "normal", "Normal",
            "Sampled from a normal distribution around the mean, regardless of the size of the job.",
            PAPER_1;
        Constant = "constant", "Constant",
            "Every job asks for the mean.",
            PAPER_3;
        PerSize = "per-size", "By size, as printed",
            "Sampled around half of what all servers' links together offer each virtual machine.",
            PAPER_1;
        PerServer = "per-server", "By servers needed",
            "Sampled around half of what the links of the servers needed offer each virtual machine.",
            PAPER_1;
        Column = "column", "From the job list",
            "Taken from the column bandwidth_kbps of the job list.",
            "";
    }
}

impl BandwidthKind {
    /// Whether it is drawn for each job.
    pub fn drawn(self) -> bool {
        use BandwidthKind::{Normal, PerServer, PerSize};
        matches!(self, Normal | PerSize | PerServer)
    }
}

/// The bandwidth that jobs request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bandwidth {
    /// None.
    #[default]
    None,
    /// A normal distribution that does not depend on the job's size.
    Normal {
        /// Its mean (AvgB in the paper).
        mean: Kbps,
    },
    /// The same for every job.
    Constant(Kbps),
    /// A normal distribution around half of the largest share of all servers' links.
    PerSize,
    /// A normal distribution around half of the largest share of the links of the servers needed.
    PerServer,
    /// As the job list says.
    Column,
}

choices! {
    /// What a job's estimated runtime is.
    pub enum Estimate {
        Exact = "exact", "Exact",
            "The estimate is the true run time.",
            PAPER_1;
        Kill = "kill", "Kill at the estimate",
            "The estimate is the user's; a job that runs longer is killed at its estimate.",
            "";
        Extend = "extend", "Extend to the run time",
            "The estimate is the user's, or the run time where that is longer.",
            "";
        Keep = "keep", "Keep",
            "The estimate is the user's, also for jobs that run longer.",
            "";
        Tsafrir = "tsafrir", "Tsafrir's model",
            "Few round values, sampled as users of four machines chose them, none shorter than the run time; jobs are killed at the longest.",
            "D. Tsafrir, Y. Etsion, D. Feitelson, Modeling user runtime estimates, JSSPP 2005";
    }
}
