//! From pairs of text to a scenario: reports all problems, up to a hundred.

use super::check::cross_check;
use super::key::RESERVED;
use super::keys::{self, KEYS};
use super::{Axis, MAX_POLICIES, PolicySpec, Scenario, axis, policy};
use backfill_sim::choice::either;
use backfill_sim::problem::Problem;
use backfill_sim::system::SystemKind;

/// The most problems reported at once.
const MOST_PROBLEMS: usize = 100;

/// A scenario under construction: the given values and their problems.
struct ScenarioDraft {
    /// One value per entry of [`KEYS`], the default if none was given or it was invalid.
    values: Vec<String>,
    given: Vec<bool>,
    problems: Vec<Problem>,
}

impl ScenarioDraft {
    fn index(key: &str) -> usize {
        keys::position(key).expect("the key is in the table")
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

    fn new() -> ScenarioDraft {
        ScenarioDraft {
            values: KEYS.iter().map(|key| key.default.to_owned()).collect(),
            given: vec![false; KEYS.len()],
            problems: Vec::new(),
        }
    }

    /// Gives a key a value.
    fn give(&mut self, name: &str, value: &str) {
        let refused = match keys::position(name) {
            None if RESERVED.contains(&name) => "is for links only".to_owned(),
            None => match keys::nearest(name) {
                Some(near) => format!("there is no such key; did you mean {near}?"),
                None => "there is no such key; `backfill keys` lists them all".to_owned(),
            },
            Some(index) if self.given[index] => "is given twice".to_owned(),
            Some(index) => {
                self.given[index] = true;
                match KEYS[index].kind.canonical(value) {
                    Ok(canonical) => {
                        self.values[index] = canonical;
                        return;
                    }
                    Err(message) => message,
                }
            }
        };
        self.problems.push(Problem::new(name, value, refused));
    }

    /// Reads the policies for the scenario's system; their canonical text replaces the given one.
    fn policies(&mut self) -> Vec<PolicySpec> {
        let system = SystemKind::named(self.get("system")).expect("a valid system");
        if !self.given("policy") {
            let two_tiers = system == SystemKind::Nodes && self.get("tiers") == "2";
            let names: Vec<String> = policy::compared_by_default(system, two_tiers)
                .iter()
                .map(PolicySpec::to_string)
                .collect();
            self.set("policy", names.join(","));
        }
        if self.wrong("system") {
            return Vec::new();
        }
        let text = self.get("policy").to_owned();
        let items = policy::split(&text);
        if items.len() > MAX_POLICIES {
            self.refuse("policy", format!("has more than {MAX_POLICIES} policies"));
            return Vec::new();
        }
        let mut policies: Vec<PolicySpec> = Vec::new();
        let before = self.problems.len();
        for item in items {
            match PolicySpec::parse(item, system) {
                Ok(policy) if policies.iter().any(|other| other.does_the_same(&policy)) => {
                    let why = format!("{policy} appears twice in the list");
                    self.problems.push(Problem::new("policy", item, why));
                }
                Ok(policy) => policies.push(policy),
                Err(why) => self.problems.push(Problem::new("policy", item, why)),
            }
        }
        let is_taken = |policy: &&PolicySpec| {
            let name = policy.name.as_ref();
            let same = |other: &&PolicySpec| name.is_some_and(|name| other.label() == *name);
            policies.iter().filter(same).count() > 1
        };
        if let Some(policy) = policies.iter().find(is_taken) {
            let name = policy.label();
            let why = format!("another policy is called {name} as well: choose another name");
            let text = policy.to_string();
            self.problems.push(Problem::new("policy", &text, why));
        }
        if self.problems.len() > before {
            return Vec::new();
        }
        let names: Vec<String> = policies.iter().map(PolicySpec::to_string).collect();
        self.set("policy", names.join(","));
        if self.get("reference") != "first" {
            let reference = PolicySpec::parse(self.get("reference"), system).ok();
            let reference = reference.as_ref();
            let is_it = |policy: &&PolicySpec| reference.is_some_and(|it| policy.does_the_same(it));
            match policies.iter().find(is_it) {
                Some(policy) => self.set("reference", policy.to_string()),
                None => {
                    let possible = either(names.iter().map(String::as_str));
                    self.refuse("reference", format!("must be first, {possible}"));
                }
            }
        }
        policies
    }

    /// Reads both axes; a given one replaces the default.
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

    /// The scenario of all that was given.
    fn finish(mut self) -> Result<Scenario, Vec<Problem>> {
        let policies = self.policies();
        let [x, y] = self.axes();
        let scenario = Scenario {
            values: self.values,
            policies,
            x,
            y,
        };
        let mut problems = self.problems;
        if problems.is_empty() {
            cross_check(&scenario, &mut problems);
        }
        if problems.is_empty() {
            Ok(scenario)
        } else {
            Err(problems)
        }
    }
}

impl Scenario {
    /// Reads pairs; missing keys have their defaults. All problems are reported.
    pub fn parse<K: AsRef<str>, V: AsRef<str>>(
        pairs: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Scenario, Vec<Problem>> {
        let mut draft = ScenarioDraft::new();
        for (name, value) in pairs {
            if draft.problems.len() == MOST_PROBLEMS {
                break;
            }
            draft.give(name.as_ref(), value.as_ref().trim());
        }
        draft.finish()
    }
}

impl Default for Scenario {
    fn default() -> Scenario {
        Scenario::parse::<&str, &str>([]).expect("the defaults are valid")
    }
}
