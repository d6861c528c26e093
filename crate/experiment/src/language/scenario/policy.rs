//! A policy of a scenario: a scheduling policy with a placement.
//!
//! It is written `<queue>[+<placement>][(key=value,…)]`, for instance `bgmbf+adaba`, `easy` or
//! `sbf+adaba(blocked=skip)`. Its own keys may also follow the queue:
//! `list(order=wait/estimate*size,behind=reserve)+adaba`. Without a placement it takes the system's
//! default. Commas within nested parentheses belong to a value. Among its own keys, `name` is what it
//! is called: `easy(name=Today)`.

use std::fmt;

use serde::Serialize;

use super::key::When;
use super::keys::KEYS;
use backfill_sim::choice::either;
use backfill_sim::policy::Queue;
use backfill_sim::problem::shown;
use backfill_sim::system::PlacementPolicy;
use backfill_sim::system::SystemKind;

/// One of the policies that a scenario compares. Its canonical name, which it prints, identifies it
/// in results and charts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PolicySpec {
    /// The scheduling policy.
    pub queue: Queue,
    /// The placement.
    pub placement: PlacementPolicy,
    /// What the user calls it; it changes no run. `None` if it is called by what it does.
    pub name: Option<String>,
    /// Keys that are set for this policy alone, in the order of the table of keys.
    pub own: Vec<(&'static str, String)>,
}

/// The policies compared by default.
pub(super) fn compared_by_default(system: SystemKind, two_tiers: bool) -> Vec<PolicySpec> {
    let queues = Queue::compared_by_default(system, two_tiers).iter();
    let of_queue = |&queue| {
        let plain = move |placement| PolicySpec {
            queue,
            placement,
            name: None,
            own: Vec::new(),
        };
        PlacementPolicy::compared_by_default(system).map(plain)
    };
    queues.flat_map(of_queue).collect()
}

/// The items of a list of policies, or of the keys of one; commas within parentheses do not
/// separate.
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

/// The most characters of an own value in the label of a policy.
const LONGEST_OWN: usize = 24;

/// The own key that names a policy.
const NAME: &str = "name";

/// The most characters of a name.
const LONGEST_NAME: usize = 32;

/// A name without the spaces around it; an error says what is allowed.
fn named(text: &str) -> Result<String, String> {
    let name = text.trim();
    let allowed = |letter: char| letter.is_alphanumeric() || " -_.:+/'".contains(letter);
    let well_begun = name.starts_with(char::is_alphanumeric);
    if well_begun && name.chars().count() <= LONGEST_NAME && name.chars().all(allowed) {
        return Ok(name.to_owned());
    }
    Err(format!(
        "must begin with a letter or digit and have at most {LONGEST_NAME} characters: \
         letters, digits, spaces or - _ . : + / '"
    ))
}

impl PolicySpec {
    /// Its name, if it has one; else `BgMBF + AdaBa`, or `EASY` where a system has one placement
    /// alone, followed by its own keys, whose long values, such as formulas, are cut short.
    pub fn label(&self) -> String {
        self.name
            .clone()
            .unwrap_or_else(|| self.label_within(LONGEST_OWN))
    }

    /// What it does, with every value in full, after its name if it has one.
    pub fn full_label(&self) -> String {
        let label = self.label_within(usize::MAX);
        match &self.name {
            Some(name) => format!("{name}: {label}"),
            None => label,
        }
    }

    /// Whether another policy is the same apart from its name.
    pub(crate) fn does_the_same(&self, other: &PolicySpec) -> bool {
        let of = |policy: &PolicySpec| (policy.queue, policy.placement);
        of(self) == of(other) && self.own == other.own
    }

    /// Gives it a name; an empty one takes its name away.
    ///
    /// # Errors
    /// The text is no name.
    pub fn rename(&mut self, name: &str) -> Result<(), String> {
        self.name = match name.trim() {
            "" => None,
            name => Some(named(name)?),
        };
        Ok(())
    }

    fn label_within(&self, longest: usize) -> String {
        let mut label = self.queue.choice().label.to_owned();
        if !self.placement.is_only_one() {
            label = format!("{label} + {}", self.placement.choice().label);
        }
        let mut before = " (";
        for (key, value) in &self.own {
            let (kept, cut) = match value.char_indices().nth(longest) {
                Some((end, _)) => (&value[..end], "…"),
                None => (value.as_str(), ""),
            };
            label.push_str(&format!("{before}{key} = {kept}{cut}"));
            before = ", ";
        }
        if !self.own.is_empty() {
            label.push(')');
        }
        label
    }

    /// Reads one policy of a scenario with that system; an error says what is wrong.
    pub(crate) fn parse(text: &str, system: SystemKind) -> Result<PolicySpec, String> {
        let end = text.find(['+', '(']).unwrap_or(text.len());
        let (queue, rest) = text.split_at(end);
        let (first, rest) = parenthesis(rest)?;
        let (placement, rest) = match rest.strip_prefix('+') {
            Some(rest) => {
                let (placement, rest) = rest.split_at(rest.find('(').unwrap_or(rest.len()));
                (Some(placement.trim()), rest)
            }
            None => (None, rest),
        };
        let (last, rest) = parenthesis(rest)?;
        if !rest.is_empty() {
            return Err("its parenthesis must close at its end".to_owned());
        }
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
            None => PlacementPolicy::default_on(system),
            Some(name) => {
                let possible = either(PlacementPolicy::on(system).map(PlacementPolicy::name));
                let elsewhere = || {
                    PlacementPolicy::all()
                        .iter()
                        .any(|other| other.name() == name)
                };
                match PlacementPolicy::named_on(system, name) {
                    Some(placement) => placement,
                    None if elsewhere() => {
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
        let (name, own) = own_keys(first.into_iter().chain(last), queue)?;
        Ok(PolicySpec {
            queue,
            placement,
            name,
            own,
        })
    }
}

/// The contents of the parenthesis at the start of a text, if there is one, and the rest.
fn parenthesis(text: &str) -> Result<(Option<&str>, &str), String> {
    let text = text.trim();
    let Some(inside) = text.strip_prefix('(') else {
        return Ok((None, text));
    };
    let mut open = 1;
    let closes = |c| {
        open += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        open == 0
    };
    let end = inside
        .find(closes)
        .ok_or("its parenthesis must close at its end")?;
    Ok((Some(&inside[..end]), inside[end + 1..].trim_start()))
}

/// A policy's name and its own keys.
type OwnKeys = (Option<String>, Vec<(&'static str, String)>);

/// Reads a policy's own keys, of which there may be several lists.
fn own_keys<'a>(lists: impl Iterator<Item = &'a str>, queue: Queue) -> Result<OwnKeys, String> {
    let mut called = None;
    let mut own: Vec<(usize, String)> = Vec::new();
    for pair in lists.flat_map(split) {
        let Some((name, value)) = pair.split_once('=') else {
            return Err(
                "its parentheses must contain key=value pairs, separated by commas".to_owned(),
            );
        };
        let (name, value) = (name.trim(), value.trim());
        if name == NAME {
            let given = named(value).map_err(|why| format!("{NAME} = {}: {why}", shown(value)))?;
            if called.replace(given).is_some() {
                return Err(format!("{NAME} is given twice"));
            }
            continue;
        }
        let known = |&(_, key): &(usize, &super::Key)| key.name == name && key.per_policy;
        let Some((index, key)) = KEYS.iter().enumerate().find(known) else {
            let possible = either(KEYS.iter().filter(|key| key.per_policy).map(|key| key.name));
            let name = shown(name);
            return Err(format!(
                "{name} cannot be given for one policy; possible are {NAME}, {possible}"
            ));
        };
        let without_effect = |when: &&When| matches!(when, When::Policy(holds) if !holds(queue));
        if let Some(when) = key.when.iter().find(without_effect) {
            let queues = either(when.values());
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
    let own = own.into_iter();
    let own = own.map(|(index, value)| (KEYS[index].name, value));
    Ok((called, own.collect()))
}

impl fmt::Display for PolicySpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.queue, self.placement)?;
        let mut before = '(';
        if let Some(name) = &self.name {
            write!(f, "{before}{NAME}={name}")?;
            before = ',';
        }
        for (key, value) in &self.own {
            write!(f, "{before}{key}={value}")?;
            before = ',';
        }
        f.write_str(if before == '(' { "" } else { ")" })
    }
}
