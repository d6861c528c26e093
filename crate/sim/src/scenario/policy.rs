//! Which policy decides when a job starts and which placement decides where.
//!
//! A policy is written `<queue>[+<placement>][(key=value,…)]`, for instance `bgmbf+adaba`, `easy`
//! or `sbf+adaba(blocked=skip)`. Without a placement it takes the system's own default.

use std::fmt;

use serde::Serialize;

use super::choice::{choices, either};
use super::key::KEYS;
use super::setup::SystemKind;
use super::shown;

/// The paper in which AdaBa and BgMBF are defined.
pub(crate) const PAPER_1: &str = "Bandwidth-Guaranteed Resource Allocation and Scheduling for Parallel Jobs in Cloud Data Center, Symmetry 2018";

/// The paper in which CMBF, AMBF, CMCBF and AMCBF are defined.
pub(crate) const PAPER_2: &str =
    "Priority-Based Consolidation of Parallel Workloads in the Cloud, TPDS 2013";

/// The paper in which the schedulers of multi-clusters are defined.
pub(crate) const PAPER_3: &str = "Characterization of Bandwidth-Aware Meta-Schedulers for Co-Allocating Jobs Across Multiple Clusters, J. Supercomputing 34(2), 2005";

/// The paper in which ZOMT and Fair are defined.
pub(crate) const PAPER_4: &str =
    "Zero-one scheduling with multiple targets for parallel tasks in multi-Clouds (ZOMT)";

choices! {
    /// When a job starts.
    pub enum Queue {
        None = "none", "No queue",
            "Every job starts when it arrives or is rejected at once.",
            PAPER_1;
        Fcfs = "fcfs", "FCFS",
            "First come, first served: the queue stands while its first job does not fit.",
            PAPER_1;
        Sbf = "sbf", "SBF",
            "Smallest bandwidth first: the queue ordered by the bandwidth asked for.",
            PAPER_1;
        Sdf = "sdf", "SDF",
            "Shortest duration first: the queue ordered by the estimated runtime.",
            PAPER_1;
        Easy = "easy", "EASY",
            "Backfilling that never delays the estimated start of the queue's first job.",
            "D. Feitelson, A. Weil, Utilization and predictability in scheduling the IBM SP2 with backfilling, IPPS 1998";
        Bgmbf = "bgmbf", "BgMBF",
            "Backfilling in order of arrival; backfilled jobs are preempted when the first job then fits.",
            PAPER_1;
        BgmbfSdf = "bgmbf-sdf", "BgMBF-SDF",
            "BgMBF that backfills the jobs with the shortest estimate first.",
            PAPER_1;
        Cmbf = "cmbf", "CMBF",
            "Every job, in order of arrival, may preempt those that arrived after it, as few as it needs.",
            PAPER_2;
        Ambf = "ambf", "AMBF",
            "Only the queue's first job may preempt those that arrived after it, as few as it needs.",
            PAPER_2;
        Cmcbf = "cmcbf", "CMCBF",
            "CMBF in the foreground; what does not fit there runs in the background of nodes with CPU to spare.",
            PAPER_2;
        Amcbf = "amcbf", "AMCBF",
            "AMBF in the foreground; what does not fit there runs in the background of nodes with CPU to spare.",
            PAPER_2;
        Conservative = "conservative", "Conservative",
            "Backfilling that never delays the estimated start of any waiting job.",
            "A. Mu'alem, D. Feitelson, Utilization, predictability, workloads, and user runtime estimates in scheduling the IBM SP2 with backfilling, TPDS 2001";
        Fpfs = "fpfs", "FPFS",
            "First processor fit, first served (AFCFS): every waiting job in order of arrival starts if it fits.",
            PAPER_3;
        Ljfs = "ljfs", "LJFS",
            "Largest job first served: every waiting job that fits starts, the largest first.",
            PAPER_4;
        Qljfs = "qljfs", "QLJFS",
            "LJFS that sorts the queue at each arrival. Sizes never change, so its schedule is that of LJFS.",
            PAPER_4;
        Pljfs = "pljfs", "PLJFS",
            "LJFS that sorts the queue at the end of each period; who came since is behind, by arrival.",
            PAPER_4;
        Fair = "fair", "Fair",
            "FPFS that gives machines which would stay idle to the jobs that start, in multiples of their requests.",
            PAPER_4;
        Zomt = "zomt", "ZOMT",
            "Long waits first, then the set of jobs that an exact 0-1 program chooses, then what still fits.",
            PAPER_4;
    }
}

choices! {
    /// Where a job is placed.
    pub enum Placement {
        Adaba = "adaba", "AdaBa",
            "Servers whose free slots match the bandwidth asked for come first, within the lowest switch that can hold the job.",
            PAPER_1;
        Oktopus = "oktopus", "Oktopus",
            "The lowest subtree that can hold the job, filled child by child; a job that fits one server goes there.",
            "H. Ballani, P. Costa, T. Karagiannis, A. Rowstron, Towards predictable datacenter networks, SIGCOMM 2011";
        BestFit = "best-fit", "Best fit",
            "Servers with the fewest free slots come first, within the lowest switch that can hold the job.",
            PAPER_1;
        FirstFit = "first-fit", "First fit",
            "Servers in their order, within the lowest switch that can hold the job; clusters by free nodes, the most first, whatever their links carry.",
            PAPER_1;
        Greedy = "greedy", "Greedy",
            "Virtual machine by virtual machine, each where the busiest link stays least occupied.",
            "L. Yu, H. Shen, Bandwidth guarantee under demand uncertainty in multi-tenant clouds, ICDCS 2014";
        MinMaxDp = "min-max-dp", "Min-max DP",
            "The split over the servers of the lowest switch that leaves the busiest link least occupied, by dynamic programming.",
            "L. Yu, H. Shen, Bandwidth guarantee under demand uncertainty in multi-tenant clouds, ICDCS 2014";
        Exact = "exact", "Exact",
            "The embedding that reserves the least bandwidth, wherever any exists, by dynamic programming.",
            "M. Rost, C. Fuerst, S. Schmid, Beyond the stars: revisiting virtual cluster embeddings, CCR 45(3), 2015";
        AdabaExact = "adaba-exact", "AdaBa or exact",
            "AdaBa; where it finds no place though one exists, the one that reserves the least bandwidth.",
            PAPER_1;
        Index = "index", "Lowest index",
            "The free nodes with the lowest numbers.",
            "";
        NoShare = "no-share", "No share",
            "Jobs run on the cluster at which they are submitted, or wait.",
            PAPER_3;
        MigrationOnly = "migration-only", "Migration only",
            "Jobs run on one cluster: their own, else that with the fewest free nodes that are enough.",
            PAPER_3;
        Satisfy = "a1", "Satisfy (A1)",
            "Jobs that no cluster has room for are spread so that no link is asked for more than its threshold.",
            PAPER_3;
        LargestFree = "b1", "Largest free (B1)",
            "Jobs that no cluster has room for are spread over the clusters with most nodes free.",
            PAPER_3;
        LeastSaturated = "b2", "Least saturated (B2)",
            "Jobs that no cluster has room for are spread over the clusters with the least loaded links.",
            PAPER_3;
        Chunk = "b3", "Big and small chunks (B3)",
            "Jobs that no cluster has room for are spread if one cluster takes a large part of them.",
            PAPER_3;
        RoundRobin = "b4", "Load balancing (B4)",
            "Jobs that no cluster has room for are spread evenly.",
            PAPER_3;
        Count = "count", "Count",
            "Free machines of the centres in the order in which these are opened.",
            PAPER_4;
    }
}

impl Queue {
    /// The systems on which it can run.
    pub fn systems(self) -> &'static [SystemKind] {
        match self {
            Queue::Cmcbf | Queue::Amcbf | Queue::Conservative => &[SystemKind::Nodes],
            Queue::Zomt | Queue::Fair => &[SystemKind::Pool],
            _ => SystemKind::ALL,
        }
    }

    /// The queues that run on `system`.
    pub fn on(system: SystemKind) -> impl Iterator<Item = Queue> {
        let all = Queue::ALL.iter().copied();
        all.filter(move |queue| queue.systems().contains(&system))
    }

    /// Whether it uses the background of nodes.
    pub fn consolidates(self) -> bool {
        matches!(self, Queue::Cmcbf | Queue::Amcbf)
    }
}

impl Placement {
    /// The systems on which it can place jobs.
    pub fn systems(self) -> &'static [SystemKind] {
        match self {
            Placement::Adaba
            | Placement::Oktopus
            | Placement::BestFit
            | Placement::Greedy
            | Placement::MinMaxDp
            | Placement::Exact
            | Placement::AdabaExact => &[SystemKind::FatTree],
            Placement::Index => &[SystemKind::Nodes],
            Placement::FirstFit => &[SystemKind::FatTree, SystemKind::MultiCluster],
            Placement::NoShare
            | Placement::MigrationOnly
            | Placement::Satisfy
            | Placement::LargestFree
            | Placement::LeastSaturated
            | Placement::Chunk
            | Placement::RoundRobin => &[SystemKind::MultiCluster],
            Placement::Count => &[SystemKind::Pool],
        }
    }

    /// The placement that a policy takes on `system` when it names none.
    pub fn default_on(system: SystemKind) -> Placement {
        match system {
            SystemKind::FatTree => Placement::Adaba,
            SystemKind::Nodes => Placement::Index,
            SystemKind::MultiCluster => Placement::FirstFit,
            SystemKind::Pool => Placement::Count,
        }
    }

    /// The placements that run on `system`.
    pub fn on(system: SystemKind) -> impl Iterator<Item = Placement> {
        Placement::ALL
            .iter()
            .copied()
            .filter(move |placement| placement.systems().contains(&system))
    }
}

/// One of the policies that a scenario compares. It prints its canonical name, by which results
/// and charts know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PolicySpec {
    /// When jobs start.
    pub queue: Queue,
    /// Where they go.
    pub placement: Placement,
    /// Keys that have another value for this policy alone, in the order of the table of keys.
    pub own: Vec<(&'static str, String)>,
}

/// The items of a list of policies: commas within parentheses part the policy's own keys.
pub(crate) fn split(list: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    list.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth <= 0
    })
    .map(str::trim)
    .collect()
}

impl PolicySpec {
    /// How it is shown to a reader: `BgMBF + AdaBa`, its own keys behind it.
    pub fn label(&self) -> String {
        let mut label = format!(
            "{} + {}",
            self.queue.choice().label,
            self.placement.choice().label
        );
        if !self.own.is_empty() {
            let own: Vec<String> = self.own.iter().map(|(k, v)| format!("{k} = {v}")).collect();
            label.push_str(&format!(" ({})", own.join(", ")));
        }
        label
    }

    /// Reads one policy of a scenario with that system; an error says what is wrong.
    pub(crate) fn parse(text: &str, system: SystemKind) -> Result<PolicySpec, String> {
        let (name, own) = match text.split_once('(') {
            None => (text, None),
            Some((name, rest)) => match rest.strip_suffix(')') {
                Some(own) => (name, Some(own)),
                None => return Err("its parenthesis must close at its end".to_owned()),
            },
        };
        let (queue, placement) = match name.split_once('+') {
            None => (name, None),
            Some((queue, placement)) => (queue, Some(placement.trim())),
        };
        let possible = || either(Queue::on(system).map(Queue::name));
        let queue = Queue::named(queue.trim()).ok_or_else(|| {
            let (queue, possible) = (shown(queue), possible());
            format!("there is no policy {queue}; possible are {possible}")
        })?;
        if !queue.systems().contains(&system) {
            return Err(format!(
                "{queue} does not run on {system}; possible there are {}",
                possible()
            ));
        }
        let placement = match placement {
            None => Placement::default_on(system),
            Some(name) => {
                let possible = either(Placement::on(system).map(Placement::name));
                match Placement::named(name) {
                    Some(placement) if placement.systems().contains(&system) => placement,
                    Some(_) => {
                        return Err(format!(
                            "{name} cannot place jobs on {system}; possible there are {possible}"
                        ));
                    }
                    None => {
                        let name = shown(name);
                        return Err(format!(
                            "there is no placement {name}; possible are {possible}"
                        ));
                    }
                }
            }
        };
        let own = match own {
            None => Vec::new(),
            Some(pairs) => own_keys(pairs, queue)?,
        };
        Ok(PolicySpec {
            queue,
            placement,
            own,
        })
    }
}

/// Reads the keys that a policy has for itself.
fn own_keys(pairs: &str, queue: Queue) -> Result<Vec<(&'static str, String)>, String> {
    let mut own: Vec<(usize, String)> = Vec::new();
    for pair in pairs.split(',') {
        let Some((name, value)) = pair.split_once('=') else {
            return Err("in its parentheses stand key=value, separated by commas".to_owned());
        };
        let (name, value) = (name.trim(), value.trim());
        let known = |&(_, key): &(usize, &super::Key)| key.name == name && key.per_policy;
        let Some((index, key)) = KEYS.iter().enumerate().find(known) else {
            let possible = either(KEYS.iter().filter(|key| key.per_policy).map(|key| key.name));
            let name = shown(name);
            return Err(format!(
                "{name} cannot be given for one policy; possible are {possible}"
            ));
        };
        let mut conditions = key.when.iter().filter(|when| when.key == "policy");
        if let Some(when) = conditions.find(|when| !when.values.contains(&queue.name())) {
            let queues = either(when.values.iter().copied());
            return Err(format!(
                "{name} has no effect with {queue}, only with {queues}"
            ));
        }
        let value = key
            .kind
            .canonical(value)
            .map_err(|why| format!("{name} = {}: {why}", shown(value)))?;
        let place = own.partition_point(|&(other, _)| other < index);
        if own.get(place).is_some_and(|&(other, _)| other == index) {
            return Err(format!("{name} is given twice"));
        }
        own.insert(place, (index, value));
    }
    Ok(own
        .into_iter()
        .map(|(index, value)| (KEYS[index].name, value))
        .collect())
}

impl fmt::Display for PolicySpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.queue, self.placement)?;
        if !self.own.is_empty() {
            let own: Vec<String> = self.own.iter().map(|(k, v)| format!("{k}={v}")).collect();
            write!(f, "({})", own.join(","))?;
        }
        Ok(())
    }
}
