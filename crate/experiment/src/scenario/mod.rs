//! A scenario: one plain description of an experiment.
//!
//! It is a flat list of `key = value` pairs with a default for each ([`key::KEYS`]). The same pairs
//! are written in a file, on the command line ([`text`]) and in a link ([`link`]).
//!
//! Invariants: a [`Scenario`] is valid and canonical, so that one experiment has one form and
//! `Scenario` → pairs → `Scenario` is exact; from a valid scenario a run can always be set up
//! ([`Scenario::setup`]).
//!
//! - `policy`: a policy of a scenario
//! - `key`: the table of keys
//! - `axis`: a swept key
//! - `text`: the file form
//! - `link`: the link form

pub mod axis;
pub mod key;
pub mod link;
pub mod policy;
pub mod text;

pub use axis::Axis;
pub use key::{KEYS, Key, Kind};
pub use policy::PolicySpec;

use backfill_sim::choice::either;
use backfill_sim::decimal::Decimal;
use backfill_sim::id::{CentreId, Id};
use backfill_sim::job::Percent;
use backfill_sim::metrics::{ACCEPT_RATE, RunOptions, Timed, position};
use backfill_sim::place::{Placement, PlacementOptions};
use backfill_sim::policy::elastic::{Elasticity, MachinesOn};
use backfill_sim::policy::fsteq::Routing;
use backfill_sim::policy::list::{Victims, WhenBlocked};
use backfill_sim::policy::zomt::{LongWait, LongWaitOrder, ZeroOne};
use backfill_sim::policy::{Queue, QueueOptions};
use backfill_sim::problem::Problem;
use backfill_sim::setup::Setup;
use backfill_sim::system::fat_tree::place::{LargestBandwidth, LevelZero, Root};
use backfill_sim::system::fat_tree::{Fabric, Layer, Reservation, Topology};
use backfill_sim::system::multi_cluster::LinkSharing;
use backfill_sim::system::nodes::Sharing;
use backfill_sim::system::pool::opening_order;
use backfill_sim::system::{SystemKind, SystemSpec};
use backfill_sim::unit::Kbps;
use backfill_sim::workload::{
    Bandwidth, BandwidthKind, Estimate, Feitelson, Flurries, HomeRule, Homes, Law, Load, LoadLaw,
    Model, Processors, Source, SourceKind, Statuses, Usage, VmMigration, Workload,
};
use key::Toggle;

/// The most runs that a scenario may have.
pub const MAX_RUNS: usize = 1_000_000;
/// How many machines may migrate in a slot, on average.
const MOST_VM_MIGRATIONS: f64 = 10.0;

/// The most policies that a scenario may compare.
pub const MAX_POLICIES: usize = 64;

/// A valid scenario in canonical form.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// One value per entry of [`KEYS`].
    values: Vec<String>,
    policies: Vec<PolicySpec>,
    x: Option<Axis>,
    y: Option<Axis>,
}

impl Default for Scenario {
    fn default() -> Scenario {
        Scenario::parse::<&str, &str>([]).expect("the defaults are valid")
    }
}

/// A scenario under construction: what was given and what is wrong with it.
struct Draft {
    /// One value per entry of [`KEYS`], the default where none was given or it was wrong.
    values: Vec<String>,
    given: Vec<bool>,
    problems: Vec<Problem>,
}

impl Draft {
    fn index(key: &str) -> usize {
        key::position(key).expect("the key is in the table")
    }

    fn get(&self, key: &str) -> &str {
        &self.values[Self::index(key)]
    }

    fn set(&mut self, key: &str, value: String) {
        self.values[Self::index(key)] = value;
    }

    fn given(&self, key: &str) -> bool {
        self.given[Self::index(key)]
    }

    fn refuse(&mut self, key: &str, message: impl Into<String>) {
        let problem = Problem::new(key, self.get(key), message);
        self.problems.push(problem);
    }

    fn wrong(&self, key: &str) -> bool {
        self.problems.iter().any(|problem| problem.key == key)
    }

    fn read<K: AsRef<str>, V: AsRef<str>>(pairs: impl IntoIterator<Item = (K, V)>) -> Draft {
        let mut draft = Draft {
            values: KEYS.iter().map(|key| key.default.to_owned()).collect(),
            given: vec![false; KEYS.len()],
            problems: Vec::new(),
        };
        for (name, value) in pairs {
            let (name, value) = (name.as_ref(), value.as_ref().trim());
            let refused = match key::position(name) {
                None if key::RESERVED.contains(&name) => "is for links only".to_owned(),
                None => match key::nearest(name) {
                    Some(near) => format!("there is no such key; did you mean {near}?"),
                    None => "there is no such key; `backfill keys` lists them all".to_owned(),
                },
                Some(index) if draft.given[index] => "is given twice".to_owned(),
                Some(index) => {
                    draft.given[index] = true;
                    match KEYS[index].kind.canonical(value) {
                        Ok(canonical) => {
                            draft.values[index] = canonical;
                            continue;
                        }
                        Err(message) => message,
                    }
                }
            };
            draft.problems.push(Problem::new(name, value, refused));
        }
        draft
    }

    /// Reads the policies for the scenario's system; their canonical text replaces what was given.
    fn policies(&mut self) -> Vec<PolicySpec> {
        let system = SystemKind::named(self.get("system")).expect("a valid system");
        if !self.given("policy") {
            let placement = Placement::default_on(system);
            use Queue::*;
            let queues: &[Queue] = match (system, self.get("tiers")) {
                (SystemKind::Nodes, "2") => &[Fcfs, Easy, Cmbf, Ambf, Cmcbf, Amcbf],
                (SystemKind::MultiCluster, _) => &[],
                (SystemKind::Pool, _) => &[Fpfs, Ljfs, Fair, Zomt],
                _ => &[Fcfs, Easy, Bgmbf, Queue::None],
            };
            let mut names: Vec<String> =
                queues.iter().map(|q| format!("{q}+{placement}")).collect();
            if system == SystemKind::MultiCluster {
                use Placement::*;
                let placements = [
                    NoShare,
                    MigrationOnly,
                    FirstFit,
                    Satisfy,
                    LargestFree,
                    Chunk,
                ];
                names.extend(placements.map(|placement| format!("{Fpfs}+{placement}")));
            }
            self.set("policy", names.join(","));
        }
        if self.wrong("system") {
            return Vec::new();
        }
        let text = self.get("policy").to_owned();
        let mut policies: Vec<PolicySpec> = Vec::new();
        let before = self.problems.len();
        for item in policy::split(&text) {
            match PolicySpec::parse(item, system) {
                Ok(policy) if policies.contains(&policy) => self.problems.push(Problem::new(
                    "policy",
                    item,
                    format!("{policy} stands in the list twice"),
                )),
                Ok(policy) => policies.push(policy),
                Err(why) => self.problems.push(Problem::new("policy", item, why)),
            }
        }
        if policies.len() > MAX_POLICIES {
            self.refuse("policy", format!("has more than {MAX_POLICIES} policies"));
        }
        if self.problems.len() > before {
            return Vec::new();
        }
        let names: Vec<String> = policies.iter().map(PolicySpec::to_string).collect();
        self.set("policy", names.join(","));
        if self.get("reference") != "first" {
            match PolicySpec::parse(self.get("reference"), system) {
                Ok(reference) if policies.contains(&reference) => {
                    self.set("reference", reference.to_string());
                }
                _ => {
                    let possible = either(names.iter().map(String::as_str));
                    self.refuse("reference", format!("must be first, {possible}"));
                }
            }
        }
        policies
    }

    /// Reads both axes; the default one gives way to what is given.
    fn axes(&mut self) -> [Option<Axis>; 2] {
        let mut read = |key: &str| {
            let text = self.get(key).to_owned();
            match axis::parse(&text) {
                Ok((axis, canonical)) => {
                    self.set(key, canonical);
                    axis
                }
                Err(why) => {
                    self.problems.push(Problem::new(key, &text, why));
                    None
                }
            }
        };
        let (mut x, y) = (read("x"), read("y"));
        let same = |x: &Axis| y.as_ref().is_some_and(|y| y.key == x.key);
        if let Some(axis) = &x {
            if !self.given("x") && (self.given(axis.key.name) || same(axis)) {
                self.set("x", "none".to_owned());
                x = None;
            } else if same(axis) {
                self.refuse("y", format!("{} is already swept as x", axis.key.name));
            }
        }
        if x.is_none() && y.is_some() && !self.wrong("x") {
            self.refuse(
                "y",
                "sweep it as x: there is no second axis without a first",
            );
        }
        for axis in [&x, &y].into_iter().flatten() {
            if self.given(axis.key.name) && !self.wrong(axis.key.name) {
                self.refuse(
                    axis.key.name,
                    "is given although it is also swept: remove one of the two",
                );
            }
        }
        [x, y]
    }
}

impl Scenario {
    /// Reads pairs; keys that are not given have their defaults. All problems are reported.
    pub fn parse<K: AsRef<str>, V: AsRef<str>>(
        pairs: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Scenario, Vec<Problem>> {
        let mut draft = Draft::read(pairs);
        let policies = draft.policies();
        let [x, y] = draft.axes();
        let scenario = Scenario {
            values: draft.values,
            policies,
            x,
            y,
        };
        let mut problems = draft.problems;
        if problems.is_empty() {
            scenario.cross_check(&mut problems);
        }
        if problems.is_empty() {
            Ok(scenario)
        } else {
            Err(problems)
        }
    }

    /// Checks values against each other, each of them valid by itself.
    fn cross_check(&self, problems: &mut Vec<Problem>) {
        let mut refuse = |key: &str, value: &str, why: &str| {
            problems.push(Problem::new(key, value, why));
        };
        let has = |key: &str, value: &str| self.taken(key).contains(&value);
        if has("bandwidth", "column") && self.get("workload") != "csv" {
            refuse(
                "bandwidth",
                "column",
                "only a job list has that column: set workload = csv or another bandwidth",
            );
        }
        for law in ["per-size", "per-server"] {
            if has("bandwidth", law) && self.get("system") != "fat-tree" {
                refuse(
                    "bandwidth",
                    law,
                    "only servers of a fat-tree have links: must be none, normal, constant or column",
                );
            }
        }
        if self.get("system") == "pool" {
            self.check_vm_migrations(&mut refuse);
        }
        if self.get("system") == "pool"
            && let Some(pairs) = key::bandwidths(self.get("centre_mbps"))
        {
            let wrong = |centres: &&str| match centres.parse::<usize>() {
                Ok(centres) => centres * (centres - 1) / 2 != pairs.len(),
                Err(_) => true,
            };
            if let Some(centres) = self.taken("centres").into_iter().find(wrong) {
                refuse(
                    "centres",
                    centres,
                    "needs one bandwidth for each pair of centres: set centre_mbps to as many, or to equal",
                );
            }
        }
        if has("feedback", "on")
            && self
                .policies
                .iter()
                .any(|policy| policy.queue == Queue::Zomt)
        {
            refuse(
                "feedback",
                "on",
                "zomt takes who stands earlier in the log to have waited longer: leave it off",
            );
        }
        let mut policies = self.policies.iter();
        if self.get("tiers") == "1"
            && let Some(policy) = policies.find(|policy| policy.queue.consolidates())
        {
            let why = format!(
                "{} needs the background of nodes: set tiers = 2",
                policy.queue
            );
            refuse("tiers", "1", &why);
        }
        for key in ["nodes_per_cluster", "cluster_mbps"] {
            for (clusters, list) in product(&self.taken("clusters"), &self.taken(key)) {
                let given = list.split('+').count();
                if given > 1 && clusters != given.to_string() {
                    let why = format!("gives {given} clusters a number, but there are {clusters}");
                    refuse(key, list, &why);
                }
            }
        }
        if has("home", "by-user") && self.get("workload") != "swf" {
            refuse(
                "home",
                "by-user",
                "only a log names users: set workload = swf or another rule",
            );
        }
        let thinner = self
            .taken("oversubscription")
            .into_iter()
            .find(|&ov| ov != "1");
        if let Some(ov) = thinner.filter(|_| has("fabric", "single-root")) {
            refuse(
                "oversubscription",
                ov,
                "goes with fabric = aggregated only: leave it at 1 for single-root",
            );
        }
        if self.get("system") == "fat-tree" {
            self.check_links(&mut refuse);
        }
        let by_law = has("arrivals_per_hour", "by-law") || !self.relevant("arrivals_per_hour");
        if !by_law && self.taken("load") != ["as-logged"] {
            refuse(
                "arrivals_per_hour",
                self.taken("arrivals_per_hour")[0],
                "would be scaled away by the load: set load = as-logged",
            );
        }
        let mean_open =
            has("interarrival", "exponential") && self.relevant("interarrival") && by_law;
        if mean_open && (has("load", "as-logged") || has("load_law", "gap-ratio")) {
            refuse(
                "interarrival",
                "exponential",
                "needs its mean, exponential:MEAN, unless an offered load decides it",
            );
        }
        let share = |key| Decimal::parse(self.get(key));
        if share("serial_share") > share("power_share") {
            refuse(
                "serial_share",
                self.get("serial_share"),
                "is more than power_share, of which it is a part",
            );
        }
        if self.runs() > MAX_RUNS {
            let message = format!(
                "the scenario has {} runs, more than {MAX_RUNS}: take fewer replications or values",
                self.runs()
            );
            refuse("reps", self.get("reps"), &message);
        }
    }

    /// Whether every link of a fat-tree carries at least 1 kbit/s: with the fewest of the slowest links and
    /// the largest oversubscription, those to the core switches carry least.
    fn check_links(&self, refuse: &mut impl FnMut(&str, &str, &str)) {
        let numbers = |key: &str| self.taken(key).into_iter().filter_map(Decimal::parse);
        let pods = self.taken("k").into_iter().filter_map(|k| k.parse().ok());
        let (Some(k), Some(link), Some(thinner)) = (
            pods.min(),
            numbers("link_mbps").min(),
            numbers("oversubscription").max(),
        ) else {
            return;
        };
        let tree = Topology::new(k, Fabric::Aggregated);
        let carries = |&layer: &Layer| tree.capacity(layer, link.mbps(), thinner) > Kbps(0);
        if !Layer::ALL.iter().all(carries) {
            let why = format!(
                "leaves links of less than 1 kbit/s with k = {k} and link_mbps = {link}: take less of it, \
                 or faster links"
            );
            refuse("oversubscription", &thinner.to_string(), &why);
        }
    }

    /// Whether migrations can be drawn and jobs come to an end all the same: not in every slot of a job that
    /// has all machines one of them migrates.
    fn check_vm_migrations(&self, refuse: &mut impl FnMut(&str, &str, &str)) {
        let largest = |key: &str| {
            let values = self.taken(key).into_iter().filter_map(Decimal::parse);
            values.max().map_or(0.0, Decimal::to_f64)
        };
        let machine_hours = largest("vms") * largest("centres") * largest("slot_s") / 3600.0;
        for (key, most) in [
            ("vm_migrations", MOST_VM_MIGRATIONS),
            ("vm_migration_s", f64::INFINITY),
        ] {
            for law in self.taken(key) {
                match Law::parse(law).ok().and_then(Law::uniform) {
                    None => refuse(key, law, "must be constant:VALUE or uniform:LOW:HIGH"),
                    Some([_, high]) if machine_hours * high.to_f64() / 100.0 > most => refuse(
                        key,
                        law,
                        "stops a job on all machines more than 10 times in a slot, which it would hardly \
                         ever complete: take less, or a shorter slot_s",
                    ),
                    Some(_) => {}
                }
            }
        }
    }

    /// The value of a key, in canonical form. A swept key has its default here.
    ///
    /// # Panics
    /// If there is no such key.
    pub fn get(&self, key: &str) -> &str {
        &self.values[key::position(key).expect("the key is in the table")]
    }

    /// Every value that a key takes: several where it is swept.
    fn taken(&self, key: &str) -> Vec<&str> {
        let axes = [&self.x, &self.y].into_iter().flatten();
        match axes.into_iter().find(|axis| axis.key.name == key) {
            Some(axis) => axis.values.iter().map(String::as_str).collect(),
            None => vec![self.get(key)],
        }
    }

    /// All keys and their values, without those that are swept.
    pub fn pairs(&self) -> impl Iterator<Item = (&'static str, &str)> {
        KEYS.iter()
            .zip(&self.values)
            .filter(|(key, _)| {
                let mut axes = [&self.x, &self.y].into_iter().flatten();
                !axes.any(|axis| axis.key == *key)
            })
            .map(|(key, value)| (key.name, value.as_str()))
    }

    /// The keys whose values differ from their defaults.
    pub fn changed(&self) -> impl Iterator<Item = (&'static str, &str)> {
        KEYS.iter()
            .zip(&self.values)
            .filter(|(key, value)| key.default != *value)
            .map(|(key, value)| (key.name, value.as_str()))
    }

    /// Whether a key has an effect on this scenario.
    ///
    /// # Panics
    /// If there is no such key.
    pub fn relevant(&self, key: &str) -> bool {
        let key = Key::named(key).expect("the key is in the table");
        key.when.iter().all(|when| match when.key {
            "policy" => {
                let mut queues = self.policies.iter().map(|policy| policy.queue.name());
                queues.any(|queue| when.values.contains(&queue))
            }
            other => self
                .taken(other)
                .iter()
                .any(|value| when.values.contains(value)),
        })
    }

    /// The policies compared.
    pub fn policies(&self) -> &[PolicySpec] {
        &self.policies
    }

    /// The metrics that are shown where nobody chose, as positions in [`METRICS`](backfill_sim::metrics::METRICS):
    /// the [headline](backfill_sim::system::describe::About::headline) of the system, and the accept rate in front of it where a policy has no queue, so
    /// that jobs which find no room are turned away.
    pub fn headline(&self) -> Vec<usize> {
        let system = SystemKind::named(self.get("system")).expect("a valid system");
        let headline = system.about().headline;
        let names = headline.iter().copied();
        let turns_away = self
            .policies
            .iter()
            .any(|policy| policy.queue == Queue::None);
        let accept_rate = (turns_away && !headline.contains(&ACCEPT_RATE)).then_some(ACCEPT_RATE);
        let position = |name| position(name).expect("it stands in the table");
        accept_rate.into_iter().chain(names).map(position).collect()
    }

    /// Which of the policies differences are taken from.
    pub fn reference(&self) -> usize {
        let name = self.get("reference");
        let position = self
            .policies
            .iter()
            .position(|policy| policy.to_string() == name);
        position.unwrap_or(0)
    }

    /// The first swept key.
    pub fn x(&self) -> Option<&Axis> {
        self.x.as_ref()
    }

    /// The second swept key.
    pub fn y(&self) -> Option<&Axis> {
        self.y.as_ref()
    }

    /// The number from which every random stream starts.
    pub fn seed(&self) -> u64 {
        self.get("seed").parse().expect("a valid seed")
    }

    /// How often each cell is run: once where nothing is drawn.
    pub fn reps(&self) -> u32 {
        if self.deterministic() {
            1
        } else {
            self.get("reps")
                .parse()
                .expect("a valid number of replications")
        }
    }

    /// How many runs it takes: values of both axes × policies × replications.
    pub fn runs(&self) -> usize {
        let length = |axis: &Option<Axis>| axis.as_ref().map_or(1, |axis| axis.values.len());
        length(&self.x) * length(&self.y) * self.policies.len() * self.reps() as usize
    }

    /// Whether nothing is drawn, so that every replication would be the same: a trace that is not shaken,
    /// whose jobs ask for no bandwidth or for what it says, or without links for bandwidth nobody looks at.
    pub fn deterministic(&self) -> bool {
        let several = self.get("system") == SystemKind::MultiCluster.name();
        let homes_drawn = several && self.taken("home").contains(&HomeRule::Drawn.name());
        let unseen = matches!(self.get("system"), "nodes" | "pool")
            && self
                .policies
                .iter()
                .all(|policy| policy.queue != Queue::Sbf);
        let fixed = |bandwidth: &&str| matches!(*bandwidth, "none" | "constant" | "column");
        let mut queues = self.policies.iter().map(|policy| policy.queue);
        let pool = self.get("system") == SystemKind::Pool.name();
        let migrate = pool && self.taken("vm_migrations") != [key::NO_VM_MIGRATIONS];
        self.relevant("file")
            && !self.taken("estimate").contains(&Estimate::Tsafrir.name())
            && self.taken("shake_s") == ["0"]
            && !homes_drawn
            && !queues.any(Queue::consolidates)
            && !migrate
            && (unseen || self.taken("bandwidth").iter().all(fixed))
    }

    /// The run of one policy at one point of the sweep.
    ///
    /// `x` and `y` count the values of the axes and are ignored where there is no axis.
    ///
    /// # Panics
    /// If an index is out of range.
    pub fn setup(&self, x: Option<usize>, y: Option<usize>, policy: usize) -> Setup {
        let policy = &self.policies[policy];
        Point {
            scenario: self,
            swept: [(&self.x, x), (&self.y, y)]
                .into_iter()
                .filter_map(|(axis, index)| {
                    let axis = axis.as_ref()?;
                    Some((axis.key.name, axis.values[index?].as_str()))
                })
                .collect(),
            policy,
        }
        .setup()
    }
}

/// Every pair of one value of each.
fn product<'a>(
    first: &'a [&'a str],
    second: &'a [&'a str],
) -> impl Iterator<Item = (&'a str, &'a str)> {
    first
        .iter()
        .flat_map(move |&one| second.iter().map(move |&other| (one, other)))
}

/// Where the pair of two centres, the smaller number first, stands in the list of all pairs: row by row
/// of the part of a square above its diagonal.
fn pair_of_centres(low: usize, high: usize, centres: usize) -> usize {
    low * (2 * centres - low - 1) / 2 + high - low - 1
}

/// The values in force for one policy at one point of a sweep: the policy's own before the swept
/// ones before the scenario's.
struct Point<'a> {
    scenario: &'a Scenario,
    swept: Vec<(&'static str, &'a str)>,
    policy: &'a PolicySpec,
}

/// What reads one value is asked for every key: inlined, it would make the page's module larger.
impl Point<'_> {
    #[inline(never)]
    fn get(&self, key: &str) -> &str {
        let own = self
            .policy
            .own
            .iter()
            .map(|(name, value)| (*name, value.as_str()));
        let mut special = own.chain(self.swept.iter().copied());
        match special.find(|(name, _)| *name == key) {
            Some((_, value)) => value,
            None => self.scenario.get(key),
        }
    }

    #[inline(never)]
    fn integer(&self, key: &str) -> u32 {
        self.get(key).parse().expect("a valid whole number")
    }

    #[inline(never)]
    fn decimal(&self, key: &str) -> Decimal {
        Decimal::parse(self.get(key)).expect("a valid decimal")
    }

    #[inline(never)]
    fn law(&self, key: &str) -> Law {
        Law::parse(self.get(key)).expect("a valid law")
    }

    fn choice<T>(&self, key: &str, named: fn(&str) -> Option<T>) -> T {
        named(self.get(key)).expect("a valid choice")
    }

    fn on(&self, key: &str) -> bool {
        self.choice(key, Toggle::named) == Toggle::On
    }

    fn setup(&self) -> Setup {
        Setup {
            system: self.system(),
            workload: self.workload(),
            queue: self.policy.queue,
            placement: self.policy.placement,
            queueing: QueueOptions {
                skip_blocked: self.choice("blocked", WhenBlocked::named) == WhenBlocked::Skip,
                promote: self.on("promote"),
                victims: self.choice("preempt", Victims::named),
                period: self.decimal("period_s").seconds(),
                zero_one: ZeroOne {
                    least_used: self.decimal("rratio"),
                    long_wait: self.choice("long_wait", LongWait::named),
                    long_wait_order: self.choice("long_wait_order", LongWaitOrder::named),
                    unit: self.decimal("unit_s").seconds(),
                },
                elasticity: Elasticity {
                    reading: match self.get("system") == SystemKind::Pool.name() {
                        true => self.choice("elastic", MachinesOn::named),
                        false => MachinesOn::All,
                    },
                    more: self.decimal("elastic_share"),
                },
                routing: Routing {
                    capacity: self.scheduling_list(),
                    long: self.decimal("time1_s").seconds(),
                },
            },
            placing: PlacementOptions {
                local_first: self.on("local_first"),
                threshold: self.integer("lslt"),
                chunk: self.integer("chunk"),
                level0: self.choice("level0", LevelZero::named),
                hide_aware: self.on("hide_aware"),
                root: self.choice("root", Root::named),
                bmax: self.choice("bmax", LargestBandwidth::named),
            },
            options: RunOptions {
                migration_cost: self.decimal("migration_cost_s").seconds(),
                gamma: self.decimal("gamma_s").seconds(),
                floor_one: self.on("floor_one"),
                warmup: self.decimal("warmup"),
                cooldown: self.decimal("cooldown"),
                seed: self.scenario.seed(),
                timed: self.choice("timed", Timed::named),
            },
        }
    }

    fn system(&self) -> SystemSpec {
        match self.choice("system", SystemKind::named) {
            SystemKind::FatTree => SystemSpec::FatTree {
                k: self.integer("k"),
                slots: self.integer("slots"),
                link: self.decimal("link_mbps").mbps(),
                fabric: self.choice("fabric", Fabric::named),
                oversubscription: self.decimal("oversubscription"),
                reservation: self.choice("reservation", Reservation::named),
            },
            SystemKind::Nodes => SystemSpec::Nodes {
                nodes: self.integer("nodes"),
                background: self.two_tiers().then(|| Sharing {
                    threshold: Percent(self.decimal("threshold").to_f64()),
                    full_background: self.on("full_background"),
                }),
            },
            SystemKind::MultiCluster => SystemSpec::MultiCluster {
                nodes: self.per_cluster("nodes_per_cluster", |number| {
                    number.parse().expect("a valid whole number")
                }),
                links: self.per_cluster("cluster_mbps", |number| {
                    Decimal::parse(number).expect("a valid decimal").mbps()
                }),
                computation: self.decimal("computation"),
                sharing: self.choice("sharing", LinkSharing::named),
                penalty: Decimal::parse(self.get("penalty")),
            },
            SystemKind::Pool => {
                let pairs = key::bandwidths(self.get("centre_mbps"));
                let between = |a: CentreId, b: CentreId| {
                    let (low, high) = (a.index().min(b.index()), a.index().max(b.index()));
                    let pair = pair_of_centres(low, high, self.integer("centres") as usize);
                    pairs.as_ref().map_or(Kbps(0), |pairs| pairs[pair].mbps())
                };
                SystemSpec::Pool {
                    vms: self.integer("vms"),
                    opening_order: opening_order(self.integer("centres"), between),
                    speed_up: self.decimal("speed_up"),
                }
            }
        }
    }

    fn workload(&self) -> Workload {
        Workload {
            source: match self.choice("workload", SourceKind::named) {
                SourceKind::Swf => Source::Swf,
                SourceKind::Csv => Source::Csv,
                SourceKind::Poisson => Source::Poisson {
                    jobs: self.integer("jobs"),
                    size: self.law("size"),
                    runtime: self.law("runtime"),
                    interarrival: self.interarrival(),
                },
                SourceKind::Lublin => self.model(Model::Lublin {
                    largest: self.get("max_size").parse().unwrap_or(128),
                    classes: self.on("job_classes"),
                }),
                SourceKind::Feitelson => self.model(Model::Feitelson(Feitelson {
                    largest: self.get("max_size").parse().unwrap_or(256),
                    serial_share: self.decimal("serial_share"),
                    power_share: self.decimal("power_share"),
                    round_factor: self.decimal("round_factor"),
                    short_mean: self.decimal("short_mean_s"),
                    repeats_order: self.decimal("repeats_order"),
                    repeats_max: self.integer("repeats_max"),
                    interarrival: self.law("interarrival"),
                })),
                SourceKind::Jann => self.model(Model::Jann {
                    upper: self.decimal("upper_share"),
                }),
            },
            first: self.get("first").parse().ok(),
            load: match (
                Decimal::parse(self.get("load")),
                self.choice("load_law", LoadLaw::named),
            ) {
                (None, _) => Load::AsLogged,
                (Some(load), LoadLaw::Offered) => Load::Offered(load),
                (Some(ratio), LoadLaw::GapRatio) => Load::GapRatio(ratio),
            },
            bandwidth: match self.choice("bandwidth", BandwidthKind::named) {
                BandwidthKind::None => Bandwidth::None,
                BandwidthKind::Normal => Bandwidth::Normal {
                    mean: self.decimal("bandwidth_mbps").mbps(),
                },
                BandwidthKind::Constant => {
                    Bandwidth::Constant(self.decimal("bandwidth_mbps").mbps())
                }
                BandwidthKind::PerSize => Bandwidth::PerSize,
                BandwidthKind::PerServer => Bandwidth::PerServer,
                BandwidthKind::Column => Bandwidth::Column,
            },
            cap_bandwidth: self.on("cap_bandwidth"),
            estimate: self.choice("estimate", Estimate::named),
            longest_estimate: self.decimal("estimate_max_s").seconds(),
            processors: self.choice("processors", Processors::named),
            feedback: self.on("feedback"),
            usage: self.two_tiers().then(|| Usage {
                mean: self.decimal("usage_mean"),
                error: self.decimal("usage_error"),
                known: self.on("usage_known"),
            }),
            homes: (self.get("system") == SystemKind::MultiCluster.name()).then(|| Homes {
                clusters: self.integer("clusters"),
                rule: self.choice("home", HomeRule::named),
            }),
            flurries: self.choice("flurries", Flurries::named),
            statuses: self.choice("statuses", Statuses::named),
            shake: self.decimal("shake_s").seconds(),
            vm_migration: self.vm_migration(),
        }
    }

    fn model(&self, model: Model) -> Source {
        Source::Model {
            jobs: self.integer("jobs"),
            model,
        }
    }

    /// What each cluster has: one number for all of them, or one for each.
    fn per_cluster<T: Clone>(&self, key: &str, read: impl Fn(&str) -> T) -> Vec<T> {
        let mut numbers: Vec<T> = self.get(key).split('+').map(read).collect();
        let clusters = self.integer("clusters") as usize;
        let last = numbers.last().expect("one number at least").clone();
        numbers.resize(clusters, last);
        numbers
    }

    fn interarrival(&self) -> Law {
        match Decimal::parse(self.get("arrivals_per_hour")) {
            None => self.law("interarrival"),
            Some(rate) => {
                let (arrivals, hours) = rate.ratio();
                Law::Exponential(Some(Decimal::of_ratio(3600 * hours, arrivals)))
            }
        }
    }

    /// How virtual machines migrate, where they do.
    fn vm_migration(&self) -> Option<VmMigration> {
        let migrate = self.get("system") == SystemKind::Pool.name()
            && self.get("vm_migrations") != key::NO_VM_MIGRATIONS;
        let uniform = |key| self.law(key).uniform().expect("it was checked");
        migrate.then(|| VmMigration {
            rate: uniform("vm_migrations"),
            stop: uniform("vm_migration_s").map(Decimal::seconds),
            slot: self.decimal("slot_s").seconds(),
        })
    }

    /// What the scheduling list before a queue of a pool holds, if it is limited.
    fn scheduling_list(&self) -> Option<u32> {
        let routed =
            self.get("system") == SystemKind::Pool.name() && self.policy.queue != Queue::None;
        let capacity = self.get("slist_capacity").parse().ok();
        capacity.filter(|_| routed)
    }

    fn two_tiers(&self) -> bool {
        self.get("system") == SystemKind::Nodes.name() && self.get("tiers") == "2"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use backfill_sim::metrics::METRICS;
    use backfill_sim::unit::{Kbps, Span};

    fn read(text: &str) -> Result<Scenario, Vec<String>> {
        let pairs = text.split(';').filter(|pair| !pair.trim().is_empty());
        let pairs = pairs.map(|pair| {
            let (key, value) = pair.split_once('=').expect("key = value");
            (key.trim(), value)
        });
        Scenario::parse(pairs).map_err(|problems| problems.iter().map(Problem::to_string).collect())
    }

    fn valid(text: &str) -> Scenario {
        read(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"))
    }

    #[track_caller]
    fn refused(text: &str, sentence: &str) {
        assert_eq!(read(text), Err(vec![sentence.to_owned()]), "{text}");
    }

    #[test]
    fn the_default_compares_four_policies_over_four_loads_ten_times() {
        let scenario = Scenario::default();
        assert_eq!(scenario.changed().count(), 0);
        assert_eq!(scenario.policies().len(), 4);
        assert_eq!(
            scenario.x().expect("loads are swept").values,
            ["0.3", "0.5", "0.7", "0.9"]
        );
        assert_eq!(scenario.runs(), 160);
        let setup = scenario.setup(Some(3), None, 2);
        assert_eq!(
            setup.system,
            SystemSpec::FatTree {
                k: 6,
                slots: 8,
                link: Kbps(1_000_000),
                fabric: Fabric::Aggregated,
                oversubscription: Decimal::whole(1),
                reservation: Reservation::Hose,
            }
        );
        assert_eq!(
            setup.system.capacity(),
            backfill_sim::system::Capacity {
                slots: 432,
                servers: 54,
                slots_per_server: 8,
                line_rate: Kbps(1_000_000),
            }
        );
        assert_eq!(
            setup.workload.load,
            Load::Offered(Decimal::parse("0.9").unwrap())
        );
        assert_eq!(
            setup.workload.bandwidth,
            Bandwidth::Normal {
                mean: Kbps(250_000)
            }
        );
        assert_eq!(
            (setup.queue, setup.placement),
            (Queue::Bgmbf, Placement::Adaba)
        );
        assert_eq!(setup.options.gamma, Span(10_000_000));
        assert_eq!(setup.options.seed, 42);
    }

    #[test]
    fn the_default_axis_gives_way_to_a_load() {
        let scenario = valid("load = 0.7");
        assert_eq!(scenario.x(), None);
        assert_eq!(scenario.get("x"), "none");
        assert_eq!(scenario.runs(), 40);
        assert_eq!(valid("y = load:0.5,0.9; x = k:4,6").runs(), 160);
        assert_eq!(valid("x = k:4,6,8").get("load"), "0.5");
        refused(
            "load = 0.7; x = load:0.5,0.9",
            "load = 0.7: is given although it is also swept: remove one of the two",
        );
    }

    #[test]
    fn what_is_shown_first_is_what_the_paper_on_the_system_judges_by() {
        let shown = |text: &str| {
            let metrics = valid(text).headline();
            let names = metrics.iter().map(|&metric| METRICS[metric].name);
            names.collect::<Vec<_>>().join(" ")
        };
        for (text, expected) in [
            ("", "accept_rate wait_mean bsd_mean"),
            ("policy=none,fcfs", "accept_rate wait_mean bsd_mean"),
            (
                "system=nodes;policy=easy",
                "response_mean bsd_mean wait_mean",
            ),
            ("system=nodes;tiers=2", "response_mean bsd_mean wait_mean"),
            ("system=multi-cluster", "response_mean penalty wait_mean"),
            (
                "system=pool",
                "response_mean response_weighted wait_mean wait_weighted",
            ),
            (
                "system=nodes;policy=easy,none",
                "accept_rate response_mean bsd_mean wait_mean",
            ),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn the_default_policies_are_those_of_the_system() {
        let scenario = valid("system = nodes");
        assert_eq!(
            scenario.get("policy"),
            "fcfs+index,easy+index,bgmbf+index,none+index"
        );
        assert_eq!(
            valid("system=nodes; policy=easy").get("policy"),
            "easy+index"
        );
    }

    #[test]
    fn a_policy_may_have_keys_of_its_own() {
        let scenario = valid(
            "policy = sbf, sbf+adaba ( blocked = skip ) ,bgmbf(migration_cost_s=20.0); \
             migration_cost_s = 5; reference = bgmbf(migration_cost_s=20)",
        );
        assert_eq!(
            scenario.get("policy"),
            "sbf+adaba,sbf+adaba(blocked=skip),bgmbf+adaba(migration_cost_s=20)"
        );
        assert_eq!(scenario.reference(), 2);
        let options = |policy| scenario.setup(Some(0), None, policy).options;
        assert!(!scenario.setup(None, None, 0).queueing.skip_blocked);
        assert!(scenario.setup(None, None, 1).queueing.skip_blocked);
        assert_eq!(options(1).migration_cost, Span(5_000_000));
        assert_eq!(options(2).migration_cost, Span(20_000_000));
    }

    #[test]
    fn wrong_values_get_one_sentence_each() {
        refused("k=7", "k = 7: must be an even whole number from 2 to 64");
        refused(
            "slots=0",
            "slots = 0: must be a whole number from 1 to 1024",
        );
        refused(
            "load=0",
            "load = 0: must be as-logged or a number from 0.001 to 1000 \
             with at most 6 digits after the point",
        );
        refused(
            "jobs=1e12",
            "jobs = 1e12: must be a whole number from 1 to 10000000",
        );
        refused(
            "first=0",
            "first = 0: must be all or a whole number from 1 to 10000000",
        );
        refused(
            "fabric=agregated",
            "fabric = agregated: must be aggregated or single-root",
        );
        refused(
            "slot=4",
            "slot = 4: there is no such key; did you mean slots?",
        );
        refused(
            "frobnicate=1",
            "frobnicate = 1: there is no such key; `backfill keys` lists them all",
        );
        refused("digest=1", "digest = 1: is for links only");
        refused("k=4;k=6", "k = 6: is given twice");
        refused(
            "size=exponential",
            "size = exponential: needs its mean: exponential:MEAN",
        );
        refused("sha256=12", "sha256 = 12: must be 64 hexadecimal digits");
        refused(
            "seed=-1",
            "seed = -1: must be a whole number from 0 to 18446744073709551615",
        );
    }

    #[test]
    fn impossible_policies_are_refused_with_the_possible_ones() {
        refused(
            "policy=fifo",
            "policy = fifo: there is no policy fifo; possible are \
             none, fcfs, sbf, sdf, easy, bgmbf, bgmbf-sdf, cmbf, ambf, fpfs, ljfs, qljfs or pljfs",
        );
        refused(
            "policy=cmcbf",
            "policy = cmcbf: cmcbf does not run on fat-tree; possible there are \
             none, fcfs, sbf, sdf, easy, bgmbf, bgmbf-sdf, cmbf, ambf, fpfs, ljfs, qljfs or pljfs",
        );
        refused(
            "system=nodes;policy=fcfs,amcbf",
            "tiers = 1: amcbf needs the background of nodes: set tiers = 2",
        );
        refused(
            "policy=fcfs+index",
            "policy = fcfs+index: index cannot place jobs on fat-tree; possible there are \
             adaba, oktopus, best-fit, first-fit, greedy, min-max-dp, exact or adaba-exact",
        );
        refused(
            "policy=fcfs+worst-fit",
            "policy = fcfs+worst-fit: there is no placement worst-fit; possible are \
             adaba, oktopus, best-fit, first-fit, greedy, min-max-dp, exact or adaba-exact",
        );
        refused(
            "policy=fcfs(blocked=skip)",
            "policy = fcfs(blocked=skip): blocked has no effect with fcfs, only with sbf or sdf",
        );
        refused(
            "policy=fcfs(k=4)",
            "policy = fcfs(k=4): k cannot be given for one policy; \
             possible are reservation, level0, hide_aware, root, bmax, threshold, usage_error, usage_known, sharing, penalty, lslt, chunk, local_first, speed_up, elastic, elastic_share, migration_cost_s, blocked, promote, preempt, period_s, rratio, long_wait, long_wait_order, unit_s, slist_capacity or time1_s",
        );
        refused(
            "policy=fcfs,fcfs+adaba",
            "policy = fcfs+adaba: fcfs+adaba stands in the list twice",
        );
        refused(
            "policy=fcfs,easy;reference=bgmbf",
            "reference = bgmbf: must be first, fcfs+adaba or easy+adaba",
        );
    }

    #[test]
    fn wrong_axes_say_why() {
        refused(
            "x=load",
            "x = load: must be none, key:first:last:step or key:value,value",
        );
        refused(
            "x=laod:0.1,0.2",
            "x = laod:0.1,0.2: laod is no key; did you mean load?",
        );
        refused(
            "x=k:4,7",
            "x = k:4,7: k = 7: must be an even whole number from 2 to 64",
        );
        refused(
            "x=k:4:8:0",
            "x = k:4:8:0: a range is first:last:step with first ≤ last and a step above 0",
        );
        refused("x=k:4,4", "x = k:4,4: 4 stands in it twice");
        refused(
            "x=jobs:1:2000:1",
            "x = jobs:1:2000:1: has more than 1000 values",
        );
        refused("x=k:4,6;y=k:4,6", "y = k:4,6: k is already swept as x");
        refused(
            "x=none;y=k:4,6",
            "y = k:4,6: sweep it as x: there is no second axis without a first",
        );
        refused(
            "reps=10000;x=jobs:1:100:1",
            "reps = 10000: the scenario has 4000000 runs, more than 1000000: \
             take fewer replications or values",
        );
    }

    #[test]
    fn values_that_contradict_each_other_are_refused() {
        refused(
            "bandwidth=column",
            "bandwidth = column: only a job list has that column: \
             set workload = csv or another bandwidth",
        );
        refused(
            "load=as-logged",
            "interarrival = exponential: needs its mean, exponential:MEAN, \
             unless an offered load decides it",
        );
        refused(
            "system=nodes;x=bandwidth:none,per-size",
            "bandwidth = per-size: only servers of a fat-tree have links: \
             must be none, normal, constant or column",
        );
    }

    #[test]
    fn a_fat_tree_with_links_that_carry_nothing_is_refused() {
        // h²·C/v² = 1 / 2.25 kbit/s.
        refused(
            "k=2;link_mbps=0.001;oversubscription=1.5",
            "oversubscription = 1.5: leaves links of less than 1 kbit/s with k = 2 and \
             link_mbps = 0.001: take less of it, or faster links",
        );
        refused(
            "k=4;x=oversubscription:1,4;y=link_mbps:0.001,1000",
            "oversubscription = 4: leaves links of less than 1 kbit/s with k = 4 and \
             link_mbps = 0.001: take less of it, or faster links",
        );
        valid("k=2;link_mbps=0.001");
        valid("k=2;link_mbps=0.003;oversubscription=1.5");
        valid("k=64;link_mbps=0.001;oversubscription=32");
        valid("system=nodes;k=2;link_mbps=0.001;oversubscription=1.5");
    }

    #[test]
    fn all_problems_are_reported_together() {
        let problems = read("k=7;slots=0;polcy=easy;policy=fifo;x=slots:1,0").unwrap_err();
        assert_eq!(problems.len(), 5, "{problems:#?}");
    }

    #[test]
    fn values_become_canonical_and_pairs_read_back_exactly() {
        for text in [
            "",
            "k = 08; load = 0.30",
            "x = load : 0.10 : 0.50 : 0.1 , as-logged; interarrival = exponential:60",
            "x = size:uniform:1.0:15,pow2:16; policy = easy, bgmbf-sdf+oktopus",
            "workload=swf;file=KTH-SP2.swf.gz;sha256=ABCD;first=1000"
                .replace("ABCD", &"AB".repeat(32))
                .as_str(),
        ] {
            let scenario = valid(text);
            assert_eq!(
                Scenario::parse(scenario.pairs()),
                Ok(scenario.clone()),
                "{text}"
            );
            assert_eq!(Scenario::parse(scenario.changed()), Ok(scenario), "{text}");
        }
        assert_eq!(valid("k = 08; load = 0.30").get("load"), "0.3");
    }

    #[test]
    fn a_trace_without_drawn_bandwidth_is_run_once() {
        assert_eq!(valid("workload=swf;bandwidth=none").reps(), 1);
        assert_eq!(valid("workload=csv;bandwidth=column").reps(), 1);
        assert_eq!(valid("workload=swf").reps(), 10);
        assert_eq!(valid("workload=swf;x=bandwidth:none,normal").reps(), 10);
        assert_eq!(valid("workload=swf;system=nodes").reps(), 1);
        assert_eq!(valid("workload=swf;system=nodes;policy=sbf").reps(), 10);
        assert_eq!(valid("bandwidth=none").reps(), 10);
        assert_eq!(valid("workload=swf;bandwidth=none;shake_s=60").reps(), 10);
        let pool = "workload=swf;system=pool;load=as-logged";
        assert_eq!(valid(pool).reps(), 1);
        assert_eq!(
            valid(&format!("{pool};vm_migrations=uniform:1:5;vms=100")).reps(),
            10
        );
    }

    #[test]
    fn a_key_is_relevant_where_it_has_an_effect() {
        let scenario = valid("policy=easy,sbf");
        for (key, relevant) in [("k", true), ("nodes", false), ("blocked", true)] {
            assert_eq!(scenario.relevant(key), relevant, "{key}");
        }
        assert!(!scenario.relevant("migration_cost_s"));
        assert!(valid("x=bandwidth:none,normal").relevant("bandwidth_mbps"));
    }
}
