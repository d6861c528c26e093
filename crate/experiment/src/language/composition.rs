//! List schedulers that a user composes: the parts of a policy to start from, mistakes in parts,
//! and their description in plain words.
//!
//! A part is the value of a key in the parentheses of a policy, [`PARTS`]. Its other keys, such as
//! a migration cost, are kept.

use backfill_sim::sorting;
use serde::Serialize;

use crate::language::expression::{self, Mistake, Preset};
use crate::language::scenario::key::When;
use crate::language::scenario::{KEYS, Key, PolicySpec, SAME, Scenario, ValueKind};
use backfill_sim::policy::Queue;
use backfill_sim::policy::expression::{Name, Names, rank};
use backfill_sim::policy::order::Order;
use backfill_sim::policy::parts::{Behind, MayPreempt, Parts};
use backfill_sim::system::PlacementPolicy;

/// The keys of the parts, in the order of the form.
pub const PARTS: [&str; 6] = [
    "order",
    "behind",
    "depth",
    "backfill_order",
    "may_preempt",
    "preempt",
];

/// The policies that are more than a list of parts: the one with the closest parts, and what these
/// lack.
const MORE: [(Queue, Queue, &str); 7] = [
    (
        Queue::None,
        Queue::Fcfs,
        "rejects a job that cannot start when it arrives; a list scheduler keeps it in a queue",
    ),
    (
        Queue::Pljfs,
        Queue::Ljfs,
        "sorts its queue once in a period; a list scheduler sorts it at every pass",
    ),
    (
        Queue::Conservative,
        Queue::Easy,
        "keeps each reservation until the job starts; a list scheduler makes all of them again at every pass",
    ),
    (
        Queue::Zomt,
        Queue::Fpfs,
        "starts the set of jobs that a 0-1 program chooses; a list scheduler tries one job after the other",
    ),
    (
        Queue::Fair,
        Queue::Fpfs,
        "gives machines that would stay idle to the jobs that start; under a list scheduler a job gets what it asks for",
    ),
    (
        Queue::Cmcbf,
        Queue::Cmbf,
        "also runs jobs in the background of nodes; a list scheduler does not",
    ),
    (
        Queue::Amcbf,
        Queue::Ambf,
        "also runs jobs in the background of nodes; a list scheduler does not",
    ),
];

/// The start of a composition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The value of each of [`PARTS`].
    pub parts: [String; PARTS.len()],
    /// The other keys of the policy that a list scheduler may also have.
    pub further: Vec<(&'static str, String)>,
    /// How the policy is more than these parts; `None` if they are equal to the digest.
    pub remark: Option<String>,
}

/// The parts of a policy of a scenario, by its position.
///
/// # Panics
/// If there is no such policy.
pub fn start(scenario: &Scenario, policy: usize) -> Start {
    let PolicySpec { queue, own, .. } = &scenario.policies()[policy];
    let is_list = |when: &When| !matches!(when, When::Policy(holds) if !holds(Queue::List));
    let further = own.iter().filter(|(name, _)| {
        let key = Key::named(name).expect("an own key is in the table");
        !PARTS.contains(name) && key.when.iter().all(is_list)
    });
    let further = further.cloned().collect();
    if *queue == Queue::List {
        let value = |name| {
            let given = own.iter().find(|(own, _)| *own == name);
            given.map_or_else(|| scenario.get(name).to_owned(), |(_, value)| value.clone())
        };
        return Start {
            parts: PARTS.map(value),
            further,
            remark: None,
        };
    }
    let queueing = scenario.setup(None, None, policy).queueing;
    let label = queue.choice().label;
    let more = MORE.iter().find(|(more, ..)| more == queue);
    let closest = more.map_or(*queue, |&(_, closest, _)| closest);
    let mut parts = queueing.parts(closest).expect("a list of parts");
    if *queue == Queue::Conservative {
        parts.depth = None;
    }
    let remark = match more {
        Some((_, _, more)) => Some(format!("{label} {more}.")),
        None if !parts.promote => Some(format!(
            "{label} with promote = off remembers which jobs were backfilled; for a list scheduler \
             those are the running jobs that arrived after the first one of the queue."
        )),
        None => None,
    };
    Start {
        parts: written(&parts),
        further,
        remark,
    }
}

/// Parts of a named policy as text.
fn written(parts: &Parts) -> [String; PARTS.len()] {
    let order = |order: &Order| match order {
        Order::ShortestEstimate => "estimate",
        Order::SmallestBandwidth => "bandwidth",
        Order::LargestSize => "largest",
        Order::Arrival => "arrival",
        Order::LargestSizeEvery(_) | Order::Value(_) => {
            unreachable!("no named policy is in this order")
        }
    };
    let backfill_order = if parts.backfill_order == parts.order {
        SAME
    } else {
        order(&parts.backfill_order)
    };
    let depth = parts
        .depth
        .map_or("all".to_owned(), |depth| depth.to_string());
    [
        order(&parts.order).to_owned(),
        parts.behind.name().to_owned(),
        depth,
        backfill_order.to_owned(),
        parts.may_preempt.name().to_owned(),
        parts.preempt.name().to_owned(),
    ]
}

/// A mistake in a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ts_rs::TS)]
pub struct PartMistake {
    /// The key of the part.
    pub key: &'static str,
    /// The mistake in its value, and its position.
    #[serde(flatten)]
    pub mistake: Mistake,
}

/// The policy of some parts in a scenario: each of [`PARTS`] has a value, without effect if it
/// depends on another part that is not set so. Values equal to those of the scenario are left out.
///
/// # Errors
/// The mistakes in the parts.
///
/// # Panics
/// If a key of `further` is not in the table.
pub fn composed(
    scenario: &Scenario,
    placement: PlacementPolicy,
    parts: &[String; PARTS.len()],
    further: &[(String, String)],
) -> Result<PolicySpec, Vec<PartMistake>> {
    let mut mistakes = Vec::new();
    let mut own = Vec::new();
    for (name, text) in PARTS.into_iter().zip(parts) {
        let key = Key::named(name).expect("a part is a key");
        match canonical(key, text.trim_end()) {
            Err(mistake) => mistakes.push(PartMistake { key: name, mistake }),
            Ok(value) if value != scenario.get(name) => own.push((name, value)),
            Ok(_) => {}
        }
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let relevant = relevant(parts);
    own.retain(|(name, _)| relevant.contains(name));
    own.extend(further.iter().map(|(name, value)| {
        let key = Key::named(name).expect("a further key is in the table");
        (key.name, value.clone())
    }));
    sorting::by_key(&mut own, |(name, _)| {
        KEYS.iter().position(|key| key.name == *name)
    });
    Ok(PolicySpec {
        queue: Queue::List,
        placement,
        name: None,
        own,
    })
}

/// The keys of the parts that have an effect.
pub fn relevant(parts: &[String; PARTS.len()]) -> Vec<&'static str> {
    let [_, behind, depth, _, may_preempt, _] = parts.each_ref().map(|part| part.as_str());
    let behind = Behind::named(behind);
    let has_effect = |name: &&str| match *name {
        "depth" => behind == Some(Behind::Reserve),
        "backfill_order" => match behind {
            Some(Behind::Skip) => true,
            Some(Behind::Reserve) => depth != "all",
            _ => false,
        },
        "preempt" => may_preempt != MayPreempt::Never.name(),
        _ => true,
    };
    PARTS.into_iter().filter(has_effect).collect()
}

/// The canonical form of a part; an error says what is wrong where.
fn canonical(key: &Key, text: &str) -> Result<String, Mistake> {
    match key.kind {
        ValueKind::Order { same } if !(same && text == SAME) => expression::canonical(text),
        kind => kind.canonical(text).map_err(|why| Mistake {
            column: 1,
            end: text.chars().count() + 1,
            why: format!("{} {why}", key.label),
        }),
    }
}

/// The description of a list scheduler of such parts, all of them valid.
pub fn description(parts: &[String; PARTS.len()]) -> String {
    let [order, behind, depth, backfill_order, may_preempt, preempt] =
        parts.each_ref().map(|part| part.as_str());
    let mut text = match order {
        "arrival" => "Waiting jobs are tried in order of arrival.".to_owned(),
        _ => format!(
            "The waiting job with the smallest {} is tried first.",
            ordered(order)
        ),
    };
    let behind = Behind::named(behind);
    text += &match (behind, depth) {
        (Some(Behind::Skip), _) => {
            " A job that does not fit is skipped, and the jobs behind it are tried.".to_owned()
        }
        (Some(Behind::Reserve), "1") => {
            " The first job that does not fit gets a reservation; the others start only where they \
             do not delay it, by estimates."
                .to_owned()
        }
        (Some(Behind::Reserve), "all") => {
            " Every job that does not fit gets a reservation; a job starts only where it delays \
             none of them, by estimates."
                .to_owned()
        }
        (Some(Behind::Reserve), depth) => format!(
            " The first {depth} jobs that do not fit get reservations; the others start only where \
             they delay none of them, by estimates."
        ),
        _ => " While the first one does not fit, the jobs behind it wait.".to_owned(),
    };
    if backfill_order != SAME && relevant(parts).contains(&"backfill_order") {
        text += &match backfill_order {
            "arrival" => " These are tried in order of arrival.".to_owned(),
            order => format!(
                " Of these, the one with the smallest {} is tried first.",
                ordered(order)
            ),
        };
    }
    let who = match MayPreempt::named(may_preempt) {
        Some(MayPreempt::Head) => "the first job of the queue",
        Some(MayPreempt::Anyone) => "every waiting job",
        _ => return text + " No running job is suspended.",
    };
    let which = if preempt == "all" {
        "all of them"
    } else {
        "no more of them than it needs"
    };
    text + &format!(" To start, {who} may suspend running jobs that arrived after it: {which}.")
}

/// The values that an order uses, in words for a sentence.
fn ordered(order: &str) -> String {
    let preset = expression::preset(order);
    let formula = preset.map_or(order, |preset| preset.formula);
    match (Name::named(formula), preset) {
        (Some(name), _) => name.choice().label.to_lowercase(),
        (None, Some(Preset { name, .. })) => format!("value of {formula} ({name})"),
        (None, None) => format!("value of {formula}"),
    }
}

/// A job of the [`SAMPLE`], in an order.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ts_rs::TS)]
pub struct SampleJob {
    /// Its number.
    pub number: u32,
    /// The requested slots.
    pub size: f64,
    /// The user's estimate of its run time, in seconds.
    pub estimate: f64,
    /// Seconds waited so far.
    pub wait: f64,
    /// The value of the order for it; null if not finite.
    pub value: Option<f64>,
}

/// Three waiting jobs that show an order without a run: a wide and long one that has waited
/// longest, a small and short one, and one in between that has just arrived.
const SAMPLE: [Names; 3] = {
    const JOB: Names = Names {
        size: 0.0,
        estimate: 0.0,
        bandwidth: 100.0,
        submit: 0.0,
        wait: 0.0,
        load: 0.75,
        waiting: 3.0,
    };
    [
        Names {
            size: 16.0,
            estimate: 7200.0,
            submit: 3600.0,
            wait: 3600.0,
            ..JOB
        },
        Names {
            size: 1.0,
            estimate: 600.0,
            bandwidth: 400.0,
            submit: 5400.0,
            wait: 1800.0,
            ..JOB
        },
        Names {
            size: 4.0,
            estimate: 1800.0,
            bandwidth: 250.0,
            submit: 6600.0,
            wait: 600.0,
            ..JOB
        },
    ]
};

/// Three waiting jobs in the order in which they are tried.
///
/// # Errors
/// The first mistake in the order.
pub fn sample(order: &str) -> Result<[SampleJob; SAMPLE.len()], Mistake> {
    let program = expression::parse(order)?;
    let mut numbers: [usize; SAMPLE.len()] = std::array::from_fn(|place| place);
    sorting::by_key(&mut numbers, |&place| rank(program.value(&SAMPLE[place])));
    Ok(numbers.map(|place| {
        let job = SAMPLE[place];
        SampleJob {
            number: place as u32 + 1,
            size: job.size,
            estimate: job.estimate,
            wait: job.wait,
            value: Some(program.value(&job)).filter(|value| value.is_finite()),
        }
    }))
}

/// The named order in a value of a key, if it is one.
pub(crate) fn preset_of(key: &Key, value: &str) -> Option<&'static Preset> {
    matches!(key.kind, ValueKind::Order { .. })
        .then(|| expression::preset(value))
        .flatten()
}

/// The named orders that are set for a policy alone.
pub fn presets(policy: &PolicySpec) -> impl Iterator<Item = &'static Preset> {
    policy.own.iter().filter_map(|(name, value)| {
        let key = Key::named(name).expect("an own key is in the table");
        preset_of(key, value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario(pairs: &[(&str, &str)]) -> Scenario {
        Scenario::parse(pairs.iter().copied()).expect("a valid scenario")
    }

    /// The parts of EASY with some replaced.
    fn parts(others: &[(&str, &str)]) -> [String; PARTS.len()] {
        let mut parts = start(&scenario(&[("policy", "easy")]), 0).parts;
        for (name, value) in others {
            let place = PARTS.iter().position(|part| part == name);
            parts[place.expect("a part")] = (*value).to_owned();
        }
        parts
    }

    fn compose(others: &[(&str, &str)]) -> Result<String, Vec<PartMistake>> {
        let scenario = scenario(&[]);
        let placement = scenario.policies()[0].placement;
        composed(&scenario, placement, &parts(others), &[]).map(|policy| policy.to_string())
    }

    #[test]
    fn a_policy_has_only_the_keys_that_change_it() {
        let composed = |others| compose(others).expect("valid parts");
        assert_eq!(composed(&[]), "list+adaba(behind=reserve)");
        assert_eq!(
            composed(&[("order", "wait / estimate"), ("depth", "3")]),
            "list+adaba(order=wait/estimate,behind=reserve,depth=3)"
        );
        assert_eq!(
            composed(&[
                ("behind", "skip"),
                ("depth", "3"),
                ("backfill_order", "spt")
            ]),
            "list+adaba(behind=skip,backfill_order=spt)"
        );
        assert_eq!(
            composed(&[
                ("behind", "stop"),
                ("backfill_order", "spt"),
                ("preempt", "conflicting")
            ]),
            "list+adaba"
        );
        assert_eq!(
            composed(&[("may_preempt", "head"), ("preempt", "conflicting")]),
            "list+adaba(preempt=conflicting,behind=reserve,may_preempt=head)"
        );
    }

    #[test]
    fn a_policy_is_described_in_words() {
        let described = |others| description(&parts(others));
        assert_eq!(
            described(&[]),
            "Waiting jobs are tried in order of arrival. The first job that does not fit gets a \
             reservation; the others start only where they do not delay it, by estimates. No \
             running job is suspended."
        );
        assert_eq!(
            described(&[
                ("order", "spt"),
                ("behind", "skip"),
                ("backfill_order", "size"),
                ("may_preempt", "head"),
                ("preempt", "conflicting"),
            ]),
            "The waiting job with the smallest estimate is tried first. A job that does not fit \
             is skipped, and the jobs behind it are tried. Of these, the one with the smallest \
             size is tried first. To start, the first job of the queue may suspend running jobs \
             that arrived after it: no more of them than it needs."
        );
        assert_eq!(
            described(&[("order", "largest"), ("depth", "4")]),
            "The waiting job with the smallest value of -size (largest) is tried first. The first 4 jobs \
             that do not fit get reservations; the others start only where they delay none of \
             them, by estimates. No running job is suspended."
        );
    }

    #[test]
    fn three_jobs_are_in_the_order_of_their_values() {
        let numbers = |order| sample(order).expect("an order").map(|job| job.number);
        assert_eq!(numbers("arrival"), [1, 2, 3]);
        assert_eq!(numbers("spt"), [2, 3, 1]);
        assert_eq!(numbers("-submit"), [3, 2, 1]);
        let last = sample("1/(size-1)").expect("an order")[2];
        assert_eq!((last.number, last.value), (2, None));
        assert_eq!(sample("wait/").expect_err("an end is missing").column, 6);
    }

    #[test]
    fn the_jobs_of_the_sample_have_waited_since_they_were_submitted() {
        let now = SAMPLE[0].submit + SAMPLE[0].wait;
        assert!(SAMPLE.iter().all(|job| job.submit + job.wait == now));
    }
}
