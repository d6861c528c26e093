//! The file form of a scenario: TOML, one `key = value` a line, overridden by `key=value`
//! arguments.
//!
//! A list may also be a TOML array and a switch a TOML boolean. An argument overrides the file: it
//! replaces the file's value of its key; if one of the two sweeps a key that the other sets, the
//! argument wins.

use backfill_sim::sorting;
use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::Scenario;
use backfill_sim::decimal::Decimal;
use backfill_sim::problem::{Problem, shown};

/// A key and its value as written.
struct WrittenPair {
    key: String,
    value: String,
    /// The line in the file; `None` for an argument.
    line: Option<usize>,
}

/// The most bytes of a scenario's file, many times the longest one needed.
pub(crate) const MAX_BYTES: usize = 500_000;

/// Reads a scenario file.
pub fn read(toml: &str) -> Result<Scenario, Vec<Problem>> {
    read_with(toml, &[])
}

/// Reads a scenario file, `""` if there is none, and `key=value` arguments.
pub fn read_with(toml: &str, arguments: &[String]) -> Result<Scenario, Vec<Problem>> {
    let mut pairs = pairs(toml)?;
    for argument in arguments {
        let Some((key, value)) = argument.split_once('=') else {
            let message = format!("{} is not of the form key=value", shown(argument));
            return Err(vec![Problem::new("", "", message)]);
        };
        let argument = WrittenPair {
            key: key.trim().to_owned(),
            value: value.trim().to_owned(),
            line: None,
        };
        give_way(&mut pairs, &argument);
        pairs.push(argument);
    }
    let texts = pairs.iter().map(|pair| (&pair.key, &pair.value));
    Scenario::parse(texts).map_err(|mut problems| {
        for problem in &mut problems {
            let pair = pairs.iter().find(|pair| pair.key == problem.key);
            problem.line = pair.and_then(|pair| pair.line);
        }
        problems
    })
}

/// Removes from the file's pairs those that an argument overrides.
fn give_way(pairs: &mut Vec<WrittenPair>, argument: &WrittenPair) {
    let is_axis = |key: &str| matches!(key, "x" | "y");
    let swept = |axis: &str| axis.split(':').next().unwrap_or_default().trim().to_owned();
    pairs.retain_mut(|pair| {
        if pair.line.is_none() {
            return true;
        }
        if is_axis(&pair.key) && swept(&pair.value) == argument.key {
            pair.value = "none".to_owned();
        }
        pair.key != argument.key && !(is_axis(&argument.key) && pair.key == swept(&argument.value))
    });
}

/// The pairs of a file in its order.
fn pairs(toml: &str) -> Result<Vec<WrittenPair>, Vec<Problem>> {
    if toml.len() > MAX_BYTES {
        let length = toml.len();
        let why = format!("a scenario has at most {MAX_BYTES} bytes, this one {length}");
        return Err(vec![Problem::new("", "", why)]);
    }
    let line = |at: usize| 1 + toml.bytes().take(at).filter(|&byte| byte == b'\n').count();
    let table = DeTable::parse(toml).map_err(|error| {
        let message = error.message().replace('\n', "; ");
        vec![Problem {
            line: error.span().map(|span| line(span.start)),
            ..Problem::new("", "", format!("this is not TOML: {message}"))
        }]
    })?;
    let mut pairs = Vec::new();
    let mut problems = Vec::new();
    for (key, value) in table.get_ref() {
        let (name, line) = (key.get_ref().to_string(), Some(line(key.span().start)));
        match plain(value.get_ref(), value.span(), toml) {
            Some(value) => pairs.push(WrittenPair {
                key: name,
                value,
                line,
            }),
            None => problems.push(Problem {
                line,
                ..Problem::new(
                    &name,
                    &toml[value.span()],
                    "a scenario is a flat list of keys: \
                     must be a number, a text in quotes, true, false or an array of these",
                )
            }),
        }
    }
    sorting::by_key(&mut pairs, |pair| pair.line);
    sorting::by_key(&mut problems, |problem| problem.line);
    if problems.is_empty() {
        Ok(pairs)
    } else {
        Err(problems)
    }
}

/// A TOML value at these bytes, as it is written on the command line.
fn plain(value: &DeValue<'_>, at: Range<usize>, toml: &str) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(_) | DeValue::Float(_) => Some(toml[at].replace('_', "")),
        DeValue::Boolean(on) => Some(if *on { "on" } else { "off" }.to_owned()),
        DeValue::Array(items) => {
            let items = items.iter().map(|item| match item.get_ref() {
                DeValue::Array(_) => None,
                scalar => plain(scalar, item.span(), toml),
            });
            Some(items.collect::<Option<Vec<String>>>()?.join(","))
        }
        DeValue::Datetime(_) | DeValue::Table(_) => None,
    }
}

/// Writes the keys that differ from their defaults as TOML.
pub fn write(scenario: &Scenario) -> String {
    scenario
        .changed()
        .map(|(key, value)| format!("{key} = {}\n", quoted(value)))
        .collect()
}

/// A number unchanged, anything else in quotes.
fn quoted(value: &str) -> String {
    let number = if value.contains('.') {
        Decimal::parse(value).is_some_and(|number| number.to_string() == value)
    } else {
        value
            .parse::<i64>()
            .is_ok_and(|number| number.to_string() == value)
    };
    if number {
        value.to_owned()
    } else {
        format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(toml: &str, arguments: &[&str]) -> Vec<String> {
        let arguments: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
        match read_with(toml, &arguments) {
            Ok(scenario) => panic!("{toml} was read: {scenario:?}"),
            Err(problems) => problems.iter().map(Problem::to_string).collect(),
        }
    }

    fn changed(toml: &str, arguments: &[&str]) -> String {
        let arguments: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
        write(&read_with(toml, &arguments).expect("a valid scenario"))
    }

    #[test]
    fn every_way_to_write_a_value_is_understood() {
        let toml = "# a comment\nk = 8\nload = 0.70\nlink_mbps = 10_000\nfloor_one = false\n\
                    policy = [\"easy\", \"bgmbf\"]\nfirst = \"all\"\nseed = \"18446744073709551615\"\n";
        assert_eq!(
            changed(toml, &[]),
            "k = 8\nlink_mbps = 10000\nload = 0.7\npolicy = \"easy+adaba,bgmbf+adaba\"\n\
             floor_one = \"off\"\nx = \"none\"\nseed = \"18446744073709551615\"\n"
        );
        assert_eq!(changed("", &[]), "");
    }

    #[test]
    fn what_is_written_reads_back() {
        let toml = "file = \"a \\\"b\\\" \\\\ ü 🌲.swf\"\nworkload = \"swf\"\nload = \"as-logged\"\n\
                    gamma_s = 0.5\nfirst = 1000\n";
        let scenario = read(toml).unwrap();
        assert_eq!(scenario.get("file"), "a \"b\" \\ ü 🌲.swf");
        assert_eq!(read(&write(&scenario)), Ok(scenario));
    }

    #[test]
    fn an_argument_wins_over_the_file() {
        assert_eq!(changed("k = 8\n", &["k=4"]), "k = 4\n");
        assert_eq!(
            changed("load = 0.7\n", &["x=load:0.1,0.2"]),
            "x = \"load:0.1,0.2\"\n"
        );
        assert_eq!(
            changed("x = \"k:4,8\"\n", &["k=8"]),
            "k = 8\nx = \"none\"\n"
        );
        assert_eq!(
            changed("x = \"k:4,8\"\n", &["x=slots:1,2"]),
            "x = \"slots:1,2\"\n"
        );
    }

    #[test]
    fn problems_name_the_line() {
        assert_eq!(
            problems("k = 7\n\nslots = 0\npolcy = \"easy\"\n", &["jobs=0"]),
            [
                "line 1: k = 7: must be an even whole number from 2 to 64",
                "line 3: slots = 0: must be a whole number from 1 to 1024",
                "line 4: polcy = easy: there is no such key; did you mean policy?",
                "jobs = 0: must be a whole number from 1 to 10000000",
            ]
        );
        assert_eq!(
            problems("k = 6\n[fabric]\nk = 4\n", &[]),
            [
                "line 2: fabric = [fabric]: a scenario is a flat list of keys: must be a number, \
                 a text in quotes, true, false or an array of these"
            ]
        );
        assert_eq!(problems("k = 0x10", &[]).len(), 1);
        assert_eq!(
            problems("k = 6", &["4"]),
            ["4 is not of the form key=value"]
        );
        assert_eq!(
            problems("k = 4\nk = 6\n", &[]),
            ["line 2: this is not TOML: duplicate key"]
        );
        assert_eq!(
            problems("k = 4\npolicy = easy\n", &[]),
            ["line 2: this is not TOML: string values must be quoted, expected literal string"]
        );
    }
}
