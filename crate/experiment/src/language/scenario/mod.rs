//! A scenario: one plain description of an experiment.
//!
//! It is a flat list of `key = value` pairs with a default for each ([`keys::KEYS`]). The same
//! pairs are written in a file, on the command line ([`text`]) and in a link ([`link`]).
//!
//! Invariants: a [`Scenario`] is valid and canonical, so that one experiment has one form and
//! `Scenario` → pairs → `Scenario` is exact; a run can be set up from any valid scenario
//! ([`Scenario::setup`]).
//!
//! - `key`, `keys`: the definition of a key, and the table of keys
//! - `policy`, `axis`: a policy of a scenario, and a swept key
//! - `draft`, `check`: from pairs to a scenario, and checks of values against each other
//! - `plan`: from values to the simulator's setup
//! - `text`, `link`: the file and link forms

pub mod axis;
mod check;
mod draft;
pub mod key;
pub mod keys;
pub mod link;
mod plan;
pub mod policy;
pub mod text;

pub use axis::Axis;
pub use key::{Key, ValueKind};
pub use keys::KEYS;
pub(crate) use plan::SAME;
pub use policy::PolicySpec;

use backfill_sim::metrics::{ACCEPT_RATE, position};
use backfill_sim::policy::Queue;
use backfill_sim::setup::Setup;
use backfill_sim::system::SystemKind;
use backfill_sim::workload::{BandwidthKind, Estimate, HomeRule, SourceKind};
use key::{NO_VM_MIGRATIONS, When};
use plan::{Plan, Value};

/// The most runs that a scenario may have.
pub const MAX_RUNS: usize = 1_000_000;

/// The most policies that a scenario may compare.
pub(crate) const MAX_POLICIES: usize = 64;

/// A valid scenario in canonical form.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// One value per entry of [`KEYS`].
    values: Vec<String>,
    policies: Vec<PolicySpec>,
    x: Option<Axis>,
    y: Option<Axis>,
}

impl Scenario {
    /// The value of a key, in canonical form. A swept key has its default here.
    ///
    /// # Panics
    /// If there is no such key.
    pub fn get(&self, key: &str) -> &str {
        &self.values[keys::position(key).expect("the key is in the table")]
    }

    /// Every value of a key, in canonical form: several if it is swept.
    ///
    /// # Panics
    /// If there is no such key.
    pub fn taken(&self, key: &str) -> Vec<&str> {
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

    /// The same scenario with the base name of its log instead of its path, for use on other
    /// machines.
    pub fn portable(&self) -> Scenario {
        let mut portable = self.clone();
        let file = &mut portable.values[keys::position("file").expect("the key is in the table")];
        *file = base_name(file).to_owned();
        portable
    }

    /// Whether a key has an effect on this scenario.
    ///
    /// # Panics
    /// If there is no such key.
    pub fn relevant(&self, key: &str) -> bool {
        let key = Key::named(key).expect("the key is in the table");
        key.when.iter().all(|&when| match when {
            When::System(system) => self.system() == system,
            When::Source(sources) => sources.contains(&self.source()),
            When::Policy(holds) => self.policies.iter().any(|policy| holds(policy.queue)),
            When::Is(other, values) => self.taken(other).iter().any(|value| values.contains(value)),
            When::Not(other, value) => {
                let mut policies = self.policies.iter();
                policies.any(|policy| self.taken_by(policy, other) != [value])
            }
        })
    }

    /// The system that the jobs run on.
    pub fn system(&self) -> SystemKind {
        SystemKind::named(self.get("system")).expect("a valid system")
    }

    /// The source of the jobs.
    pub fn source(&self) -> SourceKind {
        SourceKind::named(self.get("workload")).expect("a valid source")
    }

    /// The policies compared.
    pub fn policies(&self) -> &[PolicySpec] {
        &self.policies
    }

    /// The metrics shown by default, as positions in [`METRICS`](backfill_sim::metrics::METRICS):
    /// the [headline](backfill_sim::system::describe::About::headline) of the system, another one
    /// if jobs slow one another down on shared links; preceded by the accept rate if a policy has
    /// no queue, so that jobs without room are rejected.
    pub fn headline(&self) -> Vec<usize> {
        let about = self.system().about();
        let headline = if self.relevant("communication") {
            about.headline_of_shared
        } else {
            about.headline
        };
        let names = headline.iter().copied();
        let turns_away = self
            .policies
            .iter()
            .any(|policy| policy.queue == Queue::None);
        let accept_rate = (turns_away && !headline.contains(&ACCEPT_RATE)).then_some(ACCEPT_RATE);
        let position = |name| position(name).expect("a known metric");
        accept_rate.into_iter().chain(names).map(position).collect()
    }

    /// The position of the reference policy.
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

    /// The seed of all random streams.
    pub fn seed(&self) -> u64 {
        self.get("seed").parse().expect("a valid seed")
    }

    /// How many futures a forecast simulates.
    pub fn futures(&self) -> u32 {
        self.get("futures").parse().expect("a valid number")
    }

    /// The number of replications: one if the scenario has no randomness.
    pub fn reps(&self) -> u32 {
        if self.deterministic() {
            1
        } else {
            self.get("reps")
                .parse()
                .expect("a valid number of replications")
        }
    }

    /// The number of runs: values of both axes × policies × replications.
    pub fn runs(&self) -> usize {
        let length = |axis: &Option<Axis>| axis.as_ref().map_or(1, |axis| axis.values.len());
        // In a browser a count has 32 bits.
        [length(&self.y), self.policies.len(), self.reps() as usize]
            .into_iter()
            .fold(length(&self.x), usize::saturating_mul)
    }

    /// Whether the scenario has no randomness, so that all replications would be the same: a trace
    /// without shaking, whose jobs request no bandwidth, or the bandwidth it states, or a sampled
    /// one that neither links nor orders use.
    pub(crate) fn deterministic(&self) -> bool {
        let several = self.system() == SystemKind::MultiCluster;
        let homes_drawn = several && self.taken("home").contains(&HomeRule::Drawn.name());
        let unseen = !self.system().about().network
            && self
                .policies
                .iter()
                .all(|policy| !self.orders_by_bandwidth(policy));
        let fixed =
            |bandwidth: &&str| BandwidthKind::named(bandwidth).is_some_and(|kind| !kind.drawn());
        let mut queues = self.policies.iter().map(|policy| policy.queue);
        let pool = self.system() == SystemKind::Pool;
        let migrate = pool && self.taken("vm_migrations") != [NO_VM_MIGRATIONS];
        self.relevant("file")
            && !self.taken("estimate").contains(&Estimate::Tsafrir.name())
            && self.taken("shake_s") == ["0"]
            && !homes_drawn
            && !queues.any(Queue::consolidates)
            && !migrate
            && (unseen || self.taken("bandwidth").iter().all(fixed))
    }

    /// Whether a policy orders jobs by their bandwidth.
    fn orders_by_bandwidth(&self, policy: &PolicySpec) -> bool {
        let names_it = |key| {
            self.taken_by(policy, key)
                .iter()
                .any(|order| order.contains("bandwidth"))
        };
        match policy.queue {
            Queue::Sbf => true,
            Queue::List => names_it("order") || names_it("backfill_order"),
            _ => false,
        }
    }

    /// Every value of a key for a policy: its own, or those of the scenario.
    fn taken_by<'a>(&'a self, policy: &'a PolicySpec, key: &str) -> Vec<&'a str> {
        let own = policy.own.iter().find(|(name, _)| *name == key);
        own.map_or_else(|| self.taken(key), |(_, value)| vec![value])
    }

    /// The run of one policy at one point of the sweep.
    ///
    /// `x` and `y` count the values of the axes and are ignored where there is no axis.
    ///
    /// # Panics
    /// If an index is out of range.
    pub fn setup(&self, x: Option<usize>, y: Option<usize>, policy: usize) -> Setup {
        let PolicySpec {
            queue,
            placement,
            own,
            ..
        } = &self.policies[policy];
        let own = own.iter().map(|(name, value)| (*name, value.as_str()));
        // The policy's own values precede those of the sweep, and these the scenario's.
        let special: Vec<(&str, &str)> = own.chain(at(&self.x, x)).chain(at(&self.y, y)).collect();
        let mut plan = Plan::new(self.system(), *queue, *placement);
        for (key, value) in KEYS.iter().zip(&self.values) {
            let special = special.iter().find(|(name, _)| *name == key.name);
            (key.apply)(
                &mut plan,
                Value::new(special.map_or(value, |(_, value)| value)),
            );
        }
        plan.finish()
    }
}

/// The name of a file without its folder.
fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path).trim()
}

/// The key of an axis and its value at an index; `None` if either is missing.
fn at(axis: &Option<Axis>, index: Option<usize>) -> Option<(&'static str, &str)> {
    let axis = axis.as_ref()?;
    Some((axis.key.name, &axis.values[index?]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use backfill_sim::decimal::Decimal;
    use backfill_sim::machine::Guarantee;
    use backfill_sim::metrics::METRICS;
    use backfill_sim::problem::Problem;
    use backfill_sim::system::SystemSpec;
    use backfill_sim::system::fat_tree::{Fabric, FatTreeSpec, Reservation};
    use backfill_sim::unit::{Kbps, Span};
    use backfill_sim::workload::{Bandwidth, Load};

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
            SystemSpec::FatTree(FatTreeSpec {
                k: 6,
                slots: 8,
                link: Kbps(1_000_000),
                fabric: Fabric::Aggregated,
                oversubscription: Decimal::whole(1),
                reservation: Reservation::Hose,
                guarantee: Guarantee {
                    percent: 100,
                    communication: Decimal::parse("0.5").unwrap(),
                },
            })
        );
        assert_eq!(
            setup.system.capacity(),
            backfill_sim::machine::Capacity {
                slots: 432,
                servers: 54,
                slots_per_server: 8,
                line_rate: Kbps(1_000_000),
                thinnest_shared: None,
                most_guaranteed: setup.system.capacity().most_guaranteed,
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
            (setup.queue, setup.placement.name()),
            (Queue::Bgmbf, "adaba")
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
    fn jobs_communicate_only_where_bandwidth_is_not_all_guaranteed() {
        let relevant = |text: &str| valid(text).relevant("communication");
        assert!(!relevant(""));
        assert!(!relevant("guarantee=100; policy=easy,fcfs"));
        assert!(relevant("guarantee=99"));
        assert!(relevant("x=guarantee:100,50"));
        assert!(relevant("policy=easy,easy(guarantee=0)"));
        assert!(!relevant("guarantee=0; policy=easy(guarantee=100)"));
        assert!(!relevant("system=nodes"));
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
             none, fcfs, sbf, sdf, easy, bgmbf, bgmbf-sdf, cmbf, ambf, fpfs, ljfs, qljfs, pljfs or list",
        );
        refused(
            "policy=cmcbf",
            "policy = cmcbf: cmcbf does not run on fat-tree; possible there are \
             none, fcfs, sbf, sdf, easy, bgmbf, bgmbf-sdf, cmbf, ambf, fpfs, ljfs, qljfs, pljfs or list",
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
             possible are name, reservation, level0, hide_aware, root, bmax, guarantee, threshold, usage_error, usage_known, sharing, penalty, lslt, chunk, local_first, speed_up, elastic, elastic_share, rule, segment, spread, consolidate, switches, migration_cost_s, blocked, promote, preempt, period_s, rratio, long_wait, long_wait_order, unit_s, slist_capacity, time1_s, order, behind, depth, backfill_order or may_preempt",
        );
        refused(
            "policy=fcfs(order=size)",
            "policy = fcfs(order=size): order has no effect with fcfs, only with list",
        );
        refused(
            "policy=list(order=min(size,4)",
            "policy = list(order=min(size,4): its parenthesis must close at its end",
        );
        refused(
            "policy=list(order=size)+adaba(order=wait)",
            "policy = list(order=size)+adaba(order=wait): order is given twice",
        );
        refused(
            "policy=list(order=wait/runtime)",
            "policy = list(order=wait/runtime): order = wait/runtime: column 6: \"runtime\" is not \
             known to a scheduler; its estimate is \"estimate\"",
        );
        refused(
            "policy=list(behind=reject)",
            "policy = list(behind=reject): behind = reject: must be stop, skip or reserve",
        );
        refused(
            "policy=list(order=size,may_preempt=anyone)",
            "policy = list+adaba(order=size,may_preempt=anyone): may_preempt = anyone needs order = \
             arrival, behind = skip and backfill_order = same: set these, or may_preempt = head",
        );
        refused(
            "policy=fcfs,fcfs+adaba",
            "policy = fcfs+adaba: fcfs+adaba appears twice in the list",
        );
        refused(
            "policy=fcfs,easy;reference=bgmbf",
            "reference = bgmbf: must be first, fcfs+adaba or easy+adaba",
        );
    }

    #[test]
    fn own_keys_follow_the_queue_or_the_placement() {
        let canonical = "list+adaba(order=min(size,4)/wait,behind=reserve,depth=all)";
        for text in [
            canonical,
            "list(order=min(size,4)/wait,behind=reserve,depth=all)+adaba",
            "list ( depth = all , order = min(size, 4) / wait ) + adaba ( behind = reserve )",
            "list(behind=reserve,depth=all,order=min(size,4)/wait)",
        ] {
            let scenario = valid(&format!("policy=fcfs,{text},easy;reference={text}"));
            assert_eq!(scenario.policies()[1].to_string(), canonical);
            assert_eq!(scenario.policies().len(), 3, "{text}");
            assert_eq!(scenario.reference(), 1, "{text}");
        }
    }

    #[test]
    fn drawn_bandwidths_count_without_links_only_where_jobs_are_ordered_by_them() {
        let log = "system=nodes;workload=swf;load=as-logged;bandwidth=constant";
        for (policy, reads) in [
            ("sdf", false),
            ("sbf", true),
            ("list(order=size)", false),
            ("list(order=bandwidth*size)", true),
            ("list(backfill_order=bandwidth)", true),
        ] {
            let drawn = format!("{log};policy={policy}").replace("constant", "normal");
            assert_eq!(valid(&drawn).deterministic(), !reads, "{policy}");
        }
    }

    #[test]
    fn wrong_axes_say_why() {
        refused(
            "x=load",
            "x = load: must be none, key:first:last:step or key:value,value",
        );
        refused(
            "x=laod:0.1,0.2",
            "x = laod:0.1,0.2: laod is not a key; did you mean load?",
        );
        refused(
            "x=k:4,7",
            "x = k:4,7: k = 7: must be an even whole number from 2 to 64",
        );
        refused(
            "x=k:4:8:0",
            "x = k:4:8:0: a range is first:last:step with first ≤ last and a step above 0",
        );
        refused("x=k:4,4", "x = k:4,4: 4 appears twice");
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
    fn a_policy_may_have_a_name() {
        let scenario = valid("policy = list(order = wait/size, name = Small first), easy");
        let names: Vec<String> = scenario.policies().iter().map(PolicySpec::label).collect();
        assert_eq!(names, ["Small first", "EASY + AdaBa"]);
        assert_eq!(
            scenario.get("policy"),
            "list+adaba(name=Small first,order=wait/size),easy+adaba"
        );
        assert_eq!(
            scenario.policies()[0].full_label(),
            "Small first: List + AdaBa (order = wait/size)"
        );
        let unnamed = valid("policy = list(order=wait/size), easy");
        assert_eq!(scenario.setup(None, None, 0), unnamed.setup(None, None, 0));
        // Both name the reference: the policy, and the policy with its name.
        for reference in ["easy", "easy(name=Today)"] {
            let text = format!("policy=fcfs,easy(name=Today);reference={reference}");
            let scenario = valid(&text);
            assert_eq!(scenario.get("reference"), "easy+adaba(name=Today)");
            assert_eq!(scenario.reference(), 1);
        }
        let long = "a".repeat(33);
        for name in ["", "-1", "<b>", &long] {
            refused(
                &format!("policy=easy(name={name})"),
                &format!(
                    "policy = easy(name={name}): name = {name}: must begin with a letter or digit \
                     and have at most 32 characters: letters, digits, spaces or - _ . : + / '"
                ),
            );
        }
        refused(
            "policy=easy(name=A,name=B)",
            "policy = easy(name=A,name=B): name is given twice",
        );
        for (text, taken) in [
            ("easy(name=A),fcfs(name=A)", "easy+adaba(name=A)"),
            (
                "easy(name=FCFS + AdaBa),fcfs",
                "easy+adaba(name=FCFS + AdaBa)",
            ),
        ] {
            let name = valid(&format!("policy={}", text.split(',').next().unwrap()));
            let name = name.policies()[0].label();
            refused(
                &format!("policy={text}"),
                &format!(
                    "policy = {taken}: another policy is called {name} as well: choose another name"
                ),
            );
        }
        refused(
            "policy=easy(name=A),easy(name=B)",
            "policy = easy(name=B): easy+adaba(name=B) appears twice in the list",
        );
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
