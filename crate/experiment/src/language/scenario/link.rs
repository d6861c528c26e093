//! The link form of a scenario: the fragment of an address.
//!
//! `#v1?` + the pairs that differ from their defaults, separated by `&` + `&sum=` + the CRC-32 of
//! all bytes from `v1?` up to there, as 8 lower-case hexadecimal digits. Keys and values escape
//! every byte but `A–Z a–z 0–9 - . _ ~ + , : ( ) =` as `%XX`; `+` is literal. An empty fragment or
//! `#` alone is no link.
//!
//! Invariants: every link that version 1 ever wrote remains readable with the same meaning; one with a
//! changed character or a missing end is refused, or read as typed by hand: without a checksum, which
//! [`Extras::typed`] says, and without a result.

use backfill_sim::problem::shown;
use std::fmt;

use crc::{CRC_32_ISO_HDLC, Crc, NoTable};
use serde::{Deserialize, Serialize};

use super::{Scenario, base_name};
use backfill_sim::problem::Problem;

/// The most characters of a written link: mail and chat programs cut longer ones.
pub const MAX_LENGTH: usize = 2000;

/// The most characters of a link in its short form, which is packed.
pub const MAX_UNPACKED: usize = 100_000;

/// The start of a link.
const START: &str = "#v1?";

/// Precedes the checksum.
const SUM: &str = "&sum=";

const CRC: Crc<u32, NoTable> = Crc::<u32, NoTable>::new(&CRC_32_ISO_HDLC);

/// The contents of a link besides its scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Extras {
    /// The digest of the sender's run.
    pub digest: Option<String>,
    /// The version of the simulator that made it.
    pub core: Option<String>,
    /// The view of the result on the page.
    pub view: Option<String>,
    /// The hidden parts of the page.
    pub hide: Option<String>,
    /// Whether it has no checksum: somebody typed it, or its end is missing.
    pub typed: bool,
}

impl Extras {
    fn pairs(&self) -> impl Iterator<Item = (&'static str, &str)> {
        [
            ("digest", &self.digest),
            ("core", &self.core),
            ("view", &self.view),
            ("hide", &self.hide),
        ]
        .into_iter()
        .filter_map(|(key, value)| Some((key, value.as_deref()?)))
    }

    fn slot(&mut self, key: &str) -> Option<&mut Option<String>> {
        match key {
            "digest" => Some(&mut self.digest),
            "core" => Some(&mut self.core),
            "view" => Some(&mut self.view),
            "hide" => Some(&mut self.hide),
            _ => None,
        }
    }
}

/// Why a link could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// It is no link.
    Foreign,
    /// It was made by another version, given here.
    Version(String),
    /// Its end is missing.
    CutShort,
    /// Its checksum does not fit the rest.
    Altered,
    /// A part of it is no escaped `key=value`.
    Pair(String),
    /// Its checksum fits, but its scenario is not valid.
    Scenario(Vec<Problem>),
    /// The link would have this many characters.
    TooLong(usize),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkError::Foreign => write!(
                f,
                "this is no link to a scenario: one begins with {START}; \
                 copy the whole address again"
            ),
            LinkError::Version(version) => write!(
                f,
                "this link has version {version} and only v1 is known here: \
                 open it with the release that made it"
            ),
            LinkError::CutShort => write!(
                f,
                "the end of this link is missing: copy the whole address again"
            ),
            LinkError::Altered => write!(
                f,
                "this link was altered or cut on its way, its checksum does not fit: \
                 copy the whole address again"
            ),
            LinkError::Pair(pair) => {
                write!(
                    f,
                    "{} in this link is not of the form key=value",
                    shown(pair)
                )
            }
            LinkError::Scenario(problems) => {
                write!(f, "this link's scenario is not valid")?;
                for (index, problem) in problems.iter().enumerate() {
                    write!(f, "{} {problem}", if index == 0 { ":" } else { ";" })?;
                }
                Ok(())
            }
            LinkError::TooLong(length) => write!(
                f,
                "a link to this scenario would have {length} characters, more than {MAX_LENGTH}: \
                 save the scenario as a file instead"
            ),
        }
    }
}

impl std::error::Error for LinkError {}

/// The link of a scenario, starting with `#`. It has only the base name of the trace's file.
///
/// # Errors
/// It would have more than [`MAX_LENGTH`] characters.
pub fn write(scenario: &Scenario, extras: &Extras) -> Result<String, LinkError> {
    up_to(MAX_LENGTH, scenario, extras)
}

/// The same to be packed into a short link.
///
/// # Errors
/// It would have more than [`MAX_UNPACKED`] characters.
pub fn write_unpacked(scenario: &Scenario, extras: &Extras) -> Result<String, LinkError> {
    up_to(MAX_UNPACKED, scenario, extras)
}

fn up_to(most: usize, scenario: &Scenario, extras: &Extras) -> Result<String, LinkError> {
    let pairs = scenario
        .changed()
        .map(|(key, value)| match key {
            "file" => (key, base_name(value)),
            _ => (key, value),
        })
        .filter(|&(key, value)| key != "file" || !value.is_empty())
        .chain(extras.pairs())
        .map(|(key, value)| format!("{}={}", escaped(key), escaped(value)))
        .collect::<Vec<String>>()
        .join("&");
    let mut link = format!("{START}{pairs}");
    let sum = checksum(&link);
    link.push_str(SUM);
    link.push_str(&sum);
    if link.len() > most {
        return Err(LinkError::TooLong(link.len()));
    }
    Ok(link)
}

/// Reads a fragment with its `#`; `None` if there is no link.
///
/// ```
/// use backfill_experiment::language::scenario::link::{Extras, read, write};
/// use backfill_experiment::language::scenario::Scenario;
///
/// let scenario = Scenario::parse([("k", "4"), ("load", "0.7")]).expect("a valid scenario");
/// let link = write(&scenario, &Extras::default()).expect("it fits in a link");
/// let (again, _) = read(&link).expect("it is whole").expect("it is a link");
/// assert_eq!(again, scenario);
/// assert!(read(&link.replace("k=4", "k=6")).is_err(), "a changed link is refused");
/// ```
pub fn read(fragment: &str) -> Result<Option<(Scenario, Extras)>, LinkError> {
    if matches!(fragment, "" | "#") {
        return Ok(None);
    }
    if !fragment.starts_with(START) {
        return Err(match version(fragment) {
            Some(version) => LinkError::Version(version.to_owned()),
            None if START.starts_with(fragment) => LinkError::CutShort,
            None => LinkError::Foreign,
        });
    }
    let body = match fragment.rsplit_once(SUM) {
        Some((_, sum)) if sum.len() < 8 => return Err(LinkError::CutShort),
        Some((body, sum)) if sum != checksum(body) => return Err(LinkError::Altered),
        Some((body, _)) => body,
        None if fragment.ends_with(['?', '&']) => return Err(LinkError::CutShort),
        None => fragment,
    };
    let mut extras = Extras {
        typed: body == fragment,
        ..Extras::default()
    };
    let mut pairs: Vec<(String, String)> = Vec::new();
    for pair in body[START.len()..]
        .split('&')
        .filter(|pair| !pair.is_empty())
    {
        let no_pair = || LinkError::Pair(pair.to_owned());
        let (key, value) = pair.split_once('=').ok_or_else(no_pair)?;
        let key = unescaped(key).ok_or_else(no_pair)?;
        let value = unescaped(value).ok_or_else(no_pair)?;
        match extras.slot(&key) {
            Some(Some(_)) => {
                let twice = Problem::new(&key, &value, "is given twice");
                return Err(LinkError::Scenario(vec![twice]));
            }
            Some(slot) => *slot = Some(value),
            None => pairs.push((key, value)),
        }
    }
    // Nobody types the result of a run.
    if extras.typed && (extras.digest.is_some() || extras.core.is_some()) {
        return Err(LinkError::CutShort);
    }
    let scenario = Scenario::parse(pairs).map_err(LinkError::Scenario)?;
    Ok(Some((scenario, extras)))
}

/// The version of a link of another version.
fn version(fragment: &str) -> Option<&str> {
    let (version, _) = fragment.strip_prefix('#')?.split_once('?')?;
    let number = version.strip_prefix('v')?;
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (digits && number.len() <= 9).then_some(version)
}

/// The checksum of a link up to its `&sum=`, without `#`.
fn checksum(link: &str) -> String {
    format!("{:08x}", CRC.checksum(&link.as_bytes()[1..]))
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~+,:()=".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}

fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                u8::try_from(digit()? * 16 + digit()?).ok()?
            }
            _ => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario(pairs: &[(&str, &str)]) -> Scenario {
        Scenario::parse(pairs.iter().copied()).expect("a valid scenario")
    }

    fn link(body: &str) -> String {
        let body = format!("#{body}");
        format!("{body}&sum={}", checksum(&body))
    }

    fn refusal_of(fragment: &str) -> String {
        read(fragment).expect_err("it must be refused").to_string()
    }

    #[test]
    fn an_empty_fragment_is_no_link() {
        assert_eq!(read(""), Ok(None));
        assert_eq!(read("#"), Ok(None));
    }

    #[test]
    fn a_link_carries_what_differs_and_the_base_name_of_the_file() {
        let scenario = scenario(&[
            ("workload", "swf"),
            ("file", "/home/a/logs/KTH SP2 & more.swf"),
            ("policy", "easy,sbf(blocked=skip)"),
            ("x", "load:0.1:0.3:0.1"),
        ]);
        let extras = Extras {
            view: Some("heat map".to_owned()),
            ..Extras::default()
        };
        let link = write(&scenario, &extras).unwrap();
        assert_eq!(
            link,
            "#v1?workload=swf&file=KTH%20SP2%20%26%20more.swf\
             &policy=easy+adaba,sbf+adaba(blocked=skip)&x=load:0.1:0.3:0.1&view=heat%20map\
             &sum=91c172e1"
        );
        let (read, also) = read(&link).unwrap().unwrap();
        assert_eq!(read.get("file"), "KTH SP2 & more.swf");
        assert_eq!(read.get("policy"), scenario.get("policy"));
        assert_eq!(also, extras);
    }

    #[test]
    fn a_link_is_typed_without_a_checksum() {
        let (typed, extras) = read("#v1?k=4&policy=easy&hide=compact").unwrap().unwrap();
        assert_eq!(typed, scenario(&[("k", "4"), ("policy", "easy")]));
        assert!(extras.typed);
        let link = write(&typed, &extras).unwrap();
        let whole = Extras {
            typed: false,
            ..extras
        };
        assert_eq!(read(&link), Ok(Some((typed, whole))));
        assert_eq!(
            refusal_of("#v1?k=7"),
            "this link's scenario is not valid: k = 7: must be an even whole number from 2 to 64"
        );
        assert_eq!(
            refusal_of("#v1?k=8&sum"),
            "sum in this link is not of the form key=value"
        );
    }

    #[test]
    fn a_refused_link_says_why() {
        assert_eq!(
            refusal_of("#results"),
            "this is no link to a scenario: one begins with #v1?; copy the whole address again"
        );
        assert_eq!(
            refusal_of("#v2?k=8&sum=00000000"),
            "this link has version v2 and only v1 is known here: \
             open it with the release that made it"
        );
        for cut in [
            "#v",
            "#v1?",
            "#v1?k=8&",
            "#v1?k=8&digest=0123",
            "#v1?k=8&sum=",
            "#v1?k=8&sum=1234567",
        ] {
            assert_eq!(
                refusal_of(cut),
                "the end of this link is missing: copy the whole address again"
            );
        }
        assert_eq!(
            refusal_of("#v1?k=8&sum=00000000"),
            "this link was altered or cut on its way, its checksum does not fit: \
             copy the whole address again"
        );
        assert_eq!(
            refusal_of(&link("v1?k=7&slots=0")),
            "this link's scenario is not valid: k = 7: must be an even whole number from 2 to 64; \
             slots = 0: must be a whole number from 1 to 1024"
        );
        assert_eq!(
            refusal_of(&link("v1?k")),
            "k in this link is not of the form key=value"
        );
        assert_eq!(
            refusal_of(&link("v1?file=%zz")),
            "file=%zz in this link is not of the form key=value"
        );
        assert_eq!(
            refusal_of(&link("v1?file=%ff")),
            "file=%ff in this link is not of the form key=value"
        );
        assert!(refusal_of(&link("v1?core=1&core=2")).ends_with("core = 2: is given twice"));
    }

    #[test]
    fn a_link_that_would_be_cut_on_its_way_is_written_only_to_be_packed() {
        let values: Vec<String> = (1..=600).map(|jobs| (jobs * 7).to_string()).collect();
        let scenario = scenario(&[("x", &format!("jobs:{}", values.join(",")))]);
        let extras = Extras::default();
        let unpacked = write_unpacked(&scenario, &extras).unwrap();
        assert_eq!(
            read(&unpacked),
            Ok(Some((scenario.clone(), extras.clone())))
        );
        let view = Some("x".repeat(MAX_UNPACKED));
        assert!(
            write_unpacked(
                &scenario,
                &Extras {
                    view,
                    ..extras.clone()
                }
            )
            .is_err()
        );
        let error = write(&scenario, &extras).unwrap_err();
        assert!(matches!(error, LinkError::TooLong(length) if length > MAX_LENGTH));
        assert!(
            error
                .to_string()
                .ends_with("save the scenario as a file instead")
        );
    }
}
