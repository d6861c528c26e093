//! Checks of values against each other.

use super::key::bandwidths;
use super::plan::{MachineSize, SAME, Toggle};
use super::{MAX_RUNS, Scenario};
use crate::language::tree;
use backfill_sim::decimal::Decimal;
use backfill_sim::policy::Queue;
use backfill_sim::policy::parts::{Behind, MayPreempt};
use backfill_sim::problem::Problem;
use backfill_sim::system::SystemKind;
use backfill_sim::system::fat_tree::{Fabric, Layer, Topology};
use backfill_sim::system::tree::place::Generation;
use backfill_sim::unit::Kbps;
use backfill_sim::workload::{BandwidthKind, Distribution, HomeRule, LoadScaling, SourceKind};

/// The most VM migrations between two checkpoints, on average.
const MOST_VM_MIGRATIONS: f64 = 10.0;

/// Checks valid values against each other.
pub(super) fn cross_check(scenario: &Scenario, problems: &mut Vec<Problem>) {
    let mut refuse = |key: &str, value: &str, why: &str| {
        problems.push(Problem::new(key, value, why));
    };
    let has = |key: &str, value: &str| scenario.taken(key).contains(&value);
    if has("bandwidth", BandwidthKind::Column.name()) && scenario.source() != SourceKind::Csv {
        refuse(
            "bandwidth",
            "column",
            "only a job list has that column: set workload = csv or another bandwidth",
        );
    }
    for distribution in [BandwidthKind::PerSize, BandwidthKind::PerServer].map(BandwidthKind::name)
    {
        if has("bandwidth", distribution) && scenario.system() != SystemKind::FatTree {
            refuse(
                "bandwidth",
                distribution,
                "only servers of a fat-tree have links: must be none, normal, constant or column",
            );
        }
    }
    if scenario.system() == SystemKind::Pool {
        check_vm_migrations(scenario, &mut refuse);
    }
    if scenario.system() == SystemKind::Pool
        && let Some(pairs) = bandwidths(scenario.get("centre_mbps"))
    {
        let wrong = |centres: &&str| match centres.parse::<usize>() {
            Ok(centres) => centres * (centres - 1) / 2 != pairs.len(),
            Err(_) => true,
        };
        if let Some(centres) = scenario.taken("centres").into_iter().find(wrong) {
            refuse(
                "centres",
                centres,
                "needs one bandwidth for each pair of centres: set centre_mbps to as many, or to equal",
            );
        }
    }
    if has("feedback", Toggle::On.name())
        && scenario
            .policies()
            .iter()
            .any(|policy| policy.queue == Queue::Zomt)
    {
        refuse(
            "feedback",
            "on",
            "zomt assumes that a job earlier in the log has waited longer: set feedback = off",
        );
    }
    if scenario.system() == SystemKind::Nodes && has("machine", MachineSize::Log.name()) {
        check_machine_of_log(scenario, &mut refuse);
    }
    let mut policies = scenario.policies().iter();
    if let Some(policy) = policies.find(|policy| policy.queue == Queue::Recorded) {
        check_recorded(scenario, &policy.to_string(), &mut refuse);
    }
    let mut policies = scenario.policies().iter();
    if scenario.get("tiers") == "1"
        && let Some(policy) = policies.find(|policy| policy.queue.consolidates())
    {
        let why = format!(
            "{} needs the background of nodes: set tiers = 2",
            policy.queue
        );
        refuse("tiers", "1", &why);
    }
    for policy in scenario.policies() {
        let takes = |key| scenario.taken_by(policy, key);
        let in_turn = takes("order") == ["arrival"]
            && takes("behind") == [Behind::Skip.name()]
            && takes("backfill_order") == [SAME];
        let anyone = takes("may_preempt").contains(&MayPreempt::Anyone.name());
        if policy.queue == Queue::List && anyone && !in_turn {
            refuse(
                "policy",
                &policy.to_string(),
                "may_preempt = anyone needs order = arrival, behind = skip and backfill_order = same: \
                 set these, or may_preempt = head",
            );
        }
    }
    for key in ["nodes_per_cluster", "cluster_mbps"] {
        for (clusters, list) in product(&scenario.taken("clusters"), &scenario.taken(key)) {
            let given = list.split('+').count();
            if given > 1 && clusters != given.to_string() {
                let why = format!("gives {given} clusters a number, but there are {clusters}");
                refuse(key, list, &why);
            }
        }
    }
    if has("home", HomeRule::ByUser.name()) && scenario.source() != SourceKind::Swf {
        refuse(
            "home",
            "by-user",
            "only a log names users: set workload = swf or another rule",
        );
    }
    let thinner = scenario
        .taken("oversubscription")
        .into_iter()
        .find(|&ov| ov != "1");
    if let Some(ov) = thinner.filter(|_| has("fabric", Fabric::SingleRoot.name())) {
        refuse(
            "oversubscription",
            ov,
            "goes with fabric = aggregated only: leave it at 1 for single-root",
        );
    }
    if scenario.system() == SystemKind::FatTree {
        check_links(scenario, &mut refuse);
    }
    if scenario.system() == SystemKind::Tree {
        check_blocks(scenario, &mut refuse);
    }
    let by_law = has("arrivals_per_hour", "by-law") || !scenario.relevant("arrivals_per_hour");
    if !by_law && scenario.taken("load") != ["as-logged"] {
        refuse(
            "arrivals_per_hour",
            scenario.taken("arrivals_per_hour")[0],
            "would be scaled away by the load: set load = as-logged",
        );
    }
    let mean_open =
        has("interarrival", "exponential") && scenario.relevant("interarrival") && by_law;
    if mean_open && (has("load", "as-logged") || has("load_law", LoadScaling::GapRatio.name())) {
        refuse(
            "interarrival",
            "exponential",
            "needs its mean, exponential:MEAN, unless an offered load decides it",
        );
    }
    let share = |key| Decimal::parse(scenario.get(key));
    if share("serial_share") > share("power_share") {
        refuse(
            "serial_share",
            scenario.get("serial_share"),
            "is more than power_share, of which it is a part",
        );
    }
    if scenario.runs() > MAX_RUNS {
        let message = format!(
            "the scenario has {} runs, more than {MAX_RUNS}: take fewer replications or values",
            scenario.runs()
        );
        refuse("reps", scenario.get("reps"), &message);
    }
}

/// Checks that there is a log whose machine can be taken.
fn check_machine_of_log(scenario: &Scenario, refuse: &mut impl FnMut(&str, &str, &str)) {
    if !scenario.relevant("file") {
        let why = "needs a log: set workload = swf, or machine = given and nodes";
        refuse("machine", "log", why);
    }
}

/// Checks that nothing is changed of what a log records.
fn check_recorded(scenario: &Scenario, policy: &str, refuse: &mut impl FnMut(&str, &str, &str)) {
    let needed = [
        ("workload", SourceKind::Swf.name()),
        ("machine", MachineSize::Log.name()),
        ("machine_scale", "1"),
        ("load", "as-logged"),
        ("shake_s", "0"),
        ("feedback", Toggle::Off.name()),
    ];
    let changed = needed
        .iter()
        .find(|(key, value)| scenario.taken(key) != [*value]);
    if let Some((key, value)) = changed {
        let why = format!(
            "is what happened in the log, of which nothing can be changed: set {key} = {value}, or \
             leave the policy out"
        );
        refuse("policy", policy, &why);
    }
}

/// Checks that every link of a fat-tree carries at least 1 kbit/s: with the fewest of the slowest
/// links and the largest oversubscription, those to the core switches carry least.
fn check_links(scenario: &Scenario, refuse: &mut impl FnMut(&str, &str, &str)) {
    let numbers = |key: &str| scenario.taken(key).into_iter().filter_map(Decimal::parse);
    let pods = scenario
        .taken("k")
        .into_iter()
        .filter_map(|k| k.parse().ok());
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

/// Checks that the rules of Slurm that are asked for accept the blocks.
fn check_blocks(scenario: &Scenario, refuse: &mut impl FnMut(&str, &str, &str)) {
    let Ok(shape) = tree::parse(scenario.get("tree")) else {
        return;
    };
    let older = scenario
        .taken("rule")
        .into_iter()
        .find(|rule| *rule != Generation::Slurm26.name());
    if let Some(rule) = older.filter(|_| shape.smaller_block().is_some()) {
        let why =
            "refuses blocks smaller than the base size: set rule = 26, or lower the block sizes";
        refuse("rule", rule, why);
    }
}

/// Checks that migrations can be sampled and jobs still finish: a job that holds all VMs must not
/// lose one of them before every checkpoint.
fn check_vm_migrations(scenario: &Scenario, refuse: &mut impl FnMut(&str, &str, &str)) {
    let largest = |key: &str| {
        let values = scenario.taken(key).into_iter().filter_map(Decimal::parse);
        values.max().map_or(0.0, Decimal::to_f64)
    };
    let machine_hours = largest("vms") * largest("centres") * largest("slot_s") / 3600.0;
    for (key, most) in [
        ("vm_migrations", MOST_VM_MIGRATIONS),
        ("vm_migration_s", f64::INFINITY),
    ] {
        for distribution in scenario.taken(key) {
            match Distribution::parse(distribution)
                .ok()
                .and_then(Distribution::uniform)
            {
                None => refuse(
                    key,
                    distribution,
                    "must be constant:VALUE or uniform:LOW:HIGH",
                ),
                Some([_, high]) if machine_hours * high.to_f64() / 100.0 > most => refuse(
                    key,
                    distribution,
                    "stops a job that holds all VMs more than 10 times per slot_s on average, so that it \
                     would hardly ever finish: lower this value or slot_s",
                ),
                Some(_) => {}
            }
        }
    }
}

/// Every pair of a value of each.
fn product<'a>(
    first: &'a [&'a str],
    second: &'a [&'a str],
) -> impl Iterator<Item = (&'a str, &'a str)> {
    first
        .iter()
        .flat_map(move |&one| second.iter().map(move |&other| (one, other)))
}
