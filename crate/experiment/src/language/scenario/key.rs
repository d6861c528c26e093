//! The definition of a key of a scenario, and its valid values.

use serde::Serialize;

use super::plan::{MOST_JOBS, Plan, SAME, Toggle, Value, slice, written_slice};
use crate::language::columns::Columns;
use crate::language::{expression, tree};
use backfill_sim::choice::{Choice, choices, either};
use backfill_sim::decimal::{Decimal, whole};
use backfill_sim::metrics::{self, METRICS};
use backfill_sim::policy::Queue;
use backfill_sim::system::SystemKind;
use backfill_sim::system::tree::place::SwitchLimit;
use backfill_sim::unit::{MICROS, Span};
use backfill_sim::workload::{Distribution, SourceKind};

choices! {
    /// The part of a scenario to which a key belongs.
    pub enum Group {
        System = "system", "System", "What the jobs run on.", "";
        Workload = "workload", "Workload", "Which jobs there are.", "";
        Policies = "policies", "Policies", "Who decides when and where jobs run.", "";
        Sweep = "sweep", "Sweep", "Which runs are made and compared.", "";
    }
}

/// A key of a scenario.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// Its default, in canonical form.
    pub default: &'static str,
    /// Its valid values.
    pub kind: ValueKind,
    /// The part of a scenario to which it belongs.
    pub group: Group,
    /// Its label.
    pub label: &'static str,
    /// Its meaning, in one sentence.
    pub help: &'static str,
    /// The unit of its numbers; empty if they have none, or if the label names it.
    pub unit: &'static str,
    /// Its source: authors, title, year; empty if it is our own. Explains, too.
    pub source: &'static str,
    /// Whether `x` or `y` may sweep it.
    pub sweep: bool,
    /// Whether a policy may have a value of its own, in parentheses.
    pub per_policy: bool,
    /// Whether the form shows it at once; the others are folded away.
    pub essential: bool,
    /// It has an effect only where all of these hold.
    pub when: &'static [When],
    /// Applies a valid value in canonical form to the plan of a run.
    pub(crate) apply: fn(&mut Plan, Value<'_>),
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.name == other.name
    }
}

/// A condition under which a key has an effect.
#[derive(Clone, Copy, Debug)]
pub enum When {
    /// The jobs run on this system.
    System(SystemKind),
    /// The jobs come from one of these.
    Source(&'static [SourceKind]),
    /// The condition holds for the scheduling policy of at least one of the policies compared.
    Policy(fn(Queue) -> bool),
    /// Another key has one of these values.
    Is(&'static str, &'static [&'static str]),
    /// Another key has another value than this one, for some of the policies compared.
    Not(&'static str, &'static str),
}

impl When {
    /// The key of the condition.
    pub fn key(self) -> &'static str {
        match self {
            When::System(_) => "system",
            When::Source(_) => "workload",
            When::Policy(_) => "policy",
            When::Is(key, _) | When::Not(key, _) => key,
        }
    }

    /// The values of that key with which it holds, or the one with which it does not.
    pub fn values(self) -> Vec<&'static str> {
        match self {
            When::System(system) => vec![system.name()],
            When::Source(sources) => sources.iter().map(|source| source.name()).collect(),
            When::Policy(holds) => {
                let queues = Queue::ALL.iter().filter(|queue| holds(**queue));
                queues.map(|queue| queue.name()).collect()
            }
            When::Is(_, values) => values.to_vec(),
            When::Not(_, value) => vec![value],
        }
    }
}

/// The valid values of a key.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ValueKind {
    /// A whole number.
    Integer {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
        /// Whether it must be even.
        even: bool,
    },
    /// A decimal number.
    Decimal {
        /// The smallest.
        min: Decimal,
        /// The largest.
        max: Decimal,
        /// The most digits after the point.
        places: u8,
    },
    /// One of several names.
    Choice {
        /// The names and their meanings.
        choices: &'static [Choice],
    },
    /// A word, or a decimal number.
    WordOrDecimal {
        /// The word.
        word: &'static str,
        /// The smallest number.
        min: Decimal,
        /// The largest number.
        max: Decimal,
        /// The most digits after the point.
        places: u8,
    },
    /// One number for all clusters, or one for each, joined by `+`.
    PerCluster {
        /// The smallest number.
        min: Decimal,
        /// The largest number.
        max: Decimal,
        /// The most digits after the point.
        places: u8,
    },
    /// A distribution.
    Distribution {
        /// Whether the mean of an exponential distribution may be omitted.
        open_mean: bool,
    },
    /// An order of the queue: a name, or an expression.
    Order {
        /// Whether `same` refers to the order of another key.
        same: bool,
    },
    /// A list of policies.
    Policies,
    /// One of the policies, or `first`.
    Reference,
    /// A key to sweep and its values, or `none`.
    Sweep,
    /// A file's name or path, or empty.
    File,
    /// A SHA-256 in hexadecimal, or empty.
    Sha256,
    /// The name of a metric, or empty.
    Metric,
    /// The bandwidth of every pair of centres in Mbit/s, or `equal`.
    Bandwidths,
    /// A part of a trace.
    Slice,
    /// Which column of a table is what, or empty.
    Columns,
    /// A name, `!` and a name, or empty.
    Name,
    /// A tree of switches, or blocks.
    Tree,
    /// For how few leaves jobs wait and, after `@`, for how many seconds at most; 0 for any number.
    Switches,
}

impl ValueKind {
    /// Whether `first:last:step` means the numbers from first to last.
    pub(crate) fn has_ranges(&self) -> bool {
        matches!(
            self,
            ValueKind::Integer { .. } | ValueKind::Decimal { .. } | ValueKind::WordOrDecimal { .. }
        )
    }

    /// Whether its values are free text, neither chosen from a list nor composed of other names.
    pub(crate) fn is_written(&self) -> bool {
        !matches!(
            self,
            ValueKind::Choice { .. }
                | ValueKind::Policies
                | ValueKind::Reference
                | ValueKind::Sweep
                | ValueKind::File
                | ValueKind::Sha256
                | ValueKind::Metric
        )
    }

    /// The valid values, as the rest of a sentence that starts with the key and its value.
    pub fn allowed(&self) -> String {
        match self {
            ValueKind::Integer { min, max, even } => {
                let even = if *even { "an even" } else { "a" };
                format!("must be {even} whole number from {min} to {max}")
            }
            ValueKind::Decimal { min, max, places } => {
                format!("must be a number from {min} to {max}{}", digits(*places))
            }
            ValueKind::Choice { choices } => {
                format!("must be {}", either(choices.iter().map(|c| c.value)))
            }
            ValueKind::WordOrDecimal {
                word,
                min,
                max,
                places: 0,
            } => format!("must be {word} or a whole number from {min} to {max}"),
            ValueKind::WordOrDecimal {
                word,
                min,
                max,
                places,
            } => format!(
                "must be {word} or a number from {min} to {max}{}",
                digits(*places)
            ),
            ValueKind::PerCluster { min, max, .. } => format!(
                "must be a number from {min} to {max}, or one for each cluster as {max}+{min}"
            ),
            ValueKind::Distribution { .. } => format!(
                "must be one of {}",
                backfill_sim::workload::distribution::FORMS
            ),
            ValueKind::Order { same } => format!(
                "must be {}the name of an order, such as arrival, estimate or wfp3, or an expression \
                 such as wait/estimate*size",
                if *same { "same, " } else { "" }
            ),
            ValueKind::Policies => {
                "must be policies such as fcfs+adaba, separated by commas".to_owned()
            }
            ValueKind::Reference => "must be first or one of the policies".to_owned(),
            ValueKind::Sweep => "must be none, key:first:last:step or key:value,value".to_owned(),
            ValueKind::File => "must be a file name of at most 500 bytes on one line".to_owned(),
            ValueKind::Sha256 => "must be 64 hexadecimal digits".to_owned(),
            ValueKind::Metric => {
                let names = METRICS.iter().map(|metric| metric.name);
                format!("must be {}", either(names))
            }
            ValueKind::Bandwidths => {
                "must be equal or numbers from 0 to 100000000 separated by colons: \
                centres 0 and 1, 0 and 2, …, 1 and 2, …"
                    .to_owned()
            }
            ValueKind::Columns => {
                "must be pairs such as submit:submit_time,run:duration,size:cores".to_owned()
            }
            ValueKind::Name => "must be a name, or !name for all but it".to_owned(),
            ValueKind::Tree => {
                "must be nodes of leaves in the parentheses of switches, as (18,18,12)(18,18), or \
                 blocks:18,72:4x18"
                    .to_owned()
            }
            ValueKind::Switches => format!(
                "must be 0, or the most leaves and for how many seconds a job waits for them, at most \
                 {0}, such as 1 or 2@60",
                SwitchLimit::LONGEST.0 / MICROS
            ),
            ValueKind::Slice => format!(
                "must be all, busiest:JOBS or FIRST-LAST, with whole numbers from 1 to {MOST_JOBS}"
            ),
        }
    }

    /// The canonical form of a value that depends on no other key; an error says what is wrong.
    pub(crate) fn canonical(&self, text: &str) -> Result<String, String> {
        let refused = || self.allowed();
        let valid = |text: &str, min: Decimal, max: Decimal, places: u8| {
            Decimal::parse(text)
                .filter(|value| (min..=max).contains(value) && value.places() <= places)
                .map(|value| value.to_string())
        };
        let number = |min, max, places| valid(text, min, max, places).ok_or_else(refused);
        match *self {
            ValueKind::Integer { min, max, even } => Some(text)
                .and_then(whole::<u64>)
                .filter(|value| (min..=max).contains(value) && (!even || value % 2 == 0))
                .map(|value| value.to_string())
                .ok_or_else(refused),
            ValueKind::Decimal { min, max, places } => number(min, max, places),
            ValueKind::WordOrDecimal { word, .. } if text == word => Ok(word.to_owned()),
            ValueKind::WordOrDecimal {
                min, max, places, ..
            } => number(min, max, places),
            ValueKind::PerCluster { min, max, places } => {
                let numbers = text.split('+').map(str::trim);
                let numbers = numbers.map(|number| valid(number, min, max, places));
                let numbers: Option<Vec<String>> = numbers.collect();
                numbers.map(|all| all.join("+")).ok_or_else(refused)
            }
            ValueKind::Choice { choices } => choices
                .iter()
                .find(|choice| choice.value == text)
                .map(|choice| choice.value.to_owned())
                .ok_or_else(refused),
            ValueKind::Distribution { open_mean } => match Distribution::parse(text)? {
                Distribution::Exponential(None) if !open_mean => {
                    Err("needs its mean: exponential:MEAN".to_owned())
                }
                distribution => Ok(distribution.to_string()),
            },
            ValueKind::Order { same: true } if text == SAME => Ok(text.to_owned()),
            ValueKind::Order { .. } => {
                expression::canonical(text).map_err(|mistake| mistake.to_string())
            }
            ValueKind::File => Some(text)
                .filter(|text| text.len() <= 500 && !text.chars().any(char::is_control))
                .map(str::to_owned)
                .ok_or_else(refused),
            ValueKind::Sha256 => Some(text.to_ascii_lowercase())
                .filter(|text| {
                    text.is_empty()
                        || text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
                })
                .ok_or_else(refused),
            ValueKind::Metric => Some(text)
                .filter(|text| text.is_empty() || metrics::position(text).is_some())
                .map(str::to_owned)
                .ok_or_else(refused),
            ValueKind::Bandwidths if text == "equal" => Ok(text.to_owned()),
            ValueKind::Bandwidths => {
                let numbers = bandwidths(text).ok_or_else(refused)?;
                let numbers: Vec<String> = numbers.iter().map(Decimal::to_string).collect();
                Ok(numbers.join(":"))
            }
            ValueKind::Columns if text.is_empty() => Ok(String::new()),
            ValueKind::Columns => Columns::parse(text).map(|columns| columns.to_string()),
            ValueKind::Name => Some(text)
                .filter(|text| text.len() <= 200 && !text.chars().any(char::is_control))
                .filter(|text| *text != "!")
                .map(str::to_owned)
                .ok_or_else(refused),
            ValueKind::Tree => tree::parse(text).map(|shape| tree::written(&shape)),
            ValueKind::Switches => match switches(text).ok_or_else(refused)? {
                None => Ok("0".to_owned()),
                Some(limit) if limit.wait == SwitchLimit::LONGEST => Ok(limit.most.to_string()),
                Some(limit) => Ok(format!("{}@{}", limit.most, limit.wait.0 / MICROS)),
            },
            ValueKind::Slice => slice(text).map(written_slice).ok_or_else(refused),
            ValueKind::Policies | ValueKind::Reference | ValueKind::Sweep => Ok(text.to_owned()),
        }
    }
}

/// Bandwidths separated by colons; `None` for anything else.
pub(super) fn bandwidths(text: &str) -> Option<Vec<Decimal>> {
    let allowed = |number: &Decimal| {
        number.places() <= 3 && (ZERO..=Decimal::whole(100_000_000)).contains(number)
    };
    let number = |part: &str| Decimal::parse(part.trim()).filter(allowed);
    text.split(':').map(number).collect()
}

/// For how few leaves jobs wait, and for how long: `C@T`, or `C` for the longest wait; nothing within
/// is 0 or `0@T`. `None` for anything else.
pub(super) fn switches(text: &str) -> Option<Option<SwitchLimit>> {
    let number = |text: &str| whole::<u32>(text.trim());
    let (most, seconds) = match text.split_once('@') {
        Some((most, seconds)) => (most, Some(number(seconds)?)),
        None => (text, None),
    };
    let most = number(most)?;
    let wait = seconds.map_or(SwitchLimit::LONGEST, |seconds| {
        Span(u64::from(seconds) * MICROS)
    });
    let valid = wait <= SwitchLimit::LONGEST;
    valid.then(|| (most > 0).then_some(SwitchLimit { most, wait }))
}

fn digits(places: u8) -> String {
    match places {
        1 => " with at most 1 digit after the point".to_owned(),
        _ => format!(" with at most {places} digits after the point"),
    }
}

pub(super) const ON_OFF: ValueKind = ValueKind::Choice {
    choices: Toggle::CHOICES,
};
pub(super) const RATE: ValueKind = ValueKind::Decimal {
    min: Decimal::tenth_power(3),
    max: Decimal::whole(100_000_000),
    places: 3,
};
pub(super) const DISTRIBUTION: ValueKind = ValueKind::Distribution { open_mean: false };
pub(super) const fn integer(min: u64, max: u64) -> ValueKind {
    ValueKind::Integer {
        min,
        max,
        even: false,
    }
}

pub(super) const fn decimal(min: Decimal, max: i64, places: u8) -> ValueKind {
    ValueKind::Decimal {
        min,
        max: Decimal::whole(max),
        places,
    }
}

pub(super) const ZERO: Decimal = Decimal::whole(0);

/// The default migration of virtual machines.
pub(super) const NO_VM_MIGRATIONS: &str = "constant:0";

/// The default fields of a key.
pub(super) const PLAIN: Key = Key {
    name: "",
    default: "",
    kind: ValueKind::File,
    group: Group::System,
    label: "",
    help: "",
    unit: "",
    source: "",
    sweep: true,
    per_policy: false,
    essential: false,
    when: &[],
    apply: |_, _| {},
};

/// Keys of a link that do not belong to the scenario.
pub const RESERVED: [&str; 4] = ["digest", "core", "view", "hide"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_leaves_are_written_shortly_and_wait_for_300_s_at_most() {
        for (text, canonical) in [
            ("0", "0"),
            ("0@9", "0"),
            ("2", "2"),
            ("02@300", "2"),
            (" 3 @ 060", "3@60"),
            ("1@0", "1@0"),
        ] {
            let found = ValueKind::Switches.canonical(text);
            assert_eq!(found.as_deref(), Ok(canonical), "{text}");
        }
        for text in [
            "",
            "@5",
            "2@",
            "2@301",
            "-1",
            "+1",
            "1@2@3",
            "2@5min",
            "4294967296",
        ] {
            assert!(ValueKind::Switches.canonical(text).is_err(), "{text}");
        }
    }
}
