//! Which column of a table is what: `target:column` pairs between commas, as in
//! `submit:submit_time,run:duration,size:nodes*cores`; or the names of all columns of a file of
//! sacct that has no heading.
//!
//! A column may be multiplied by others and by numbers: `estimate:minutes*60`.

use std::fmt;

use super::presets::{PRESETS, Preset};
use backfill_sim::sorting;

/// What a column may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// The number of the job.
    Job,
    /// When it was submitted.
    Submit,
    /// When it started.
    Start,
    /// When it ended.
    End,
    /// How long it waited.
    Wait,
    /// How long it ran.
    Run,
    /// Its processors.
    Size,
    /// Its nodes.
    Nodes,
    /// Its requested time.
    Estimate,
    /// Who submitted it.
    User,
    /// The group of that user.
    Group,
    /// Its queue.
    Queue,
    /// Its partition.
    Partition,
    /// The account that pays for it.
    Account,
    /// How it ended.
    State,
    /// The memory that it used, which is read but not simulated.
    Memory,
}

impl Target {
    /// All targets by name.
    pub const ALL: [(&'static str, Target); 16] = [
        ("job", Target::Job),
        ("submit", Target::Submit),
        ("start", Target::Start),
        ("end", Target::End),
        ("wait", Target::Wait),
        ("run", Target::Run),
        ("size", Target::Size),
        ("nodes", Target::Nodes),
        ("estimate", Target::Estimate),
        ("user", Target::User),
        ("group", Target::Group),
        ("queue", Target::Queue),
        ("partition", Target::Partition),
        ("account", Target::Account),
        ("state", Target::State),
        ("memory", Target::Memory),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Target::ALL[self as usize].0
    }

    /// Whether its value is a number or a time, which may be multiplied.
    fn is_number(self) -> bool {
        use Target::{Estimate, Memory, Nodes, Run, Size, Wait};
        matches!(self, Wait | Run | Size | Nodes | Estimate | Memory)
    }
}

/// Columns whose values are multiplied, and a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Product {
    /// The names of the columns, at least one.
    pub columns: Vec<String>,
    /// The number.
    pub factor: f64,
}

/// What the columns of a table are.
#[derive(Clone, Debug, PartialEq)]
pub enum Columns {
    /// Each target with its columns, in the order of targets.
    Mapping(Vec<(Target, Product)>),
    /// A known table.
    Preset(&'static Preset),
    /// The names of all columns of sacct.
    Heading(String),
}

impl Columns {
    /// Reads a mapping, the name of a preset, or the names of columns.
    ///
    /// # Errors
    /// A sentence says what is wrong.
    pub fn parse(text: &str) -> Result<Columns, String> {
        let text = text.trim();
        if let Some(preset) = PRESETS.iter().find(|preset| preset.name == text) {
            return Ok(Columns::Preset(preset));
        }
        if !text.contains(':') {
            let names: Vec<&str> = text.split([',', '|']).map(str::trim).collect();
            let is_id = |name: &&str| ["jobid", "jobidraw"].contains(&&*name.to_ascii_lowercase());
            if names.len() > 1 && names.iter().any(is_id) {
                return Ok(Columns::Heading(names.join("|")));
            }
            let presets: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
            return Err(format!(
                "must be pairs such as submit:submit_time,run:duration,size:cores, the columns of sacct, or one of {}",
                presets.join(", ")
            ));
        }
        let mut mapping = Vec::new();
        for pair in text.split(',') {
            let (target, product) = pair_of(pair)?;
            if mapping.iter().any(|(other, _)| *other == target) {
                return Err(format!("names {} twice", target.name()));
            }
            mapping.push((target, product));
        }
        sorting::by_key(&mut mapping, |pair: &(Target, Product)| pair.0);
        let has = |target| mapping.iter().any(|(other, _)| *other == target);
        use Target::{End, Nodes, Run, Size, Start, Submit, Wait};
        let starts = has(Start) || has(Wait);
        let lacks = [
            (has(Submit) || has(Start), "submit"),
            (has(Run) || has(End) && starts, "run, or start and end"),
            (has(Size) || has(Nodes), "size"),
        ];
        match lacks.into_iter().find(|(given, _)| !given) {
            Some((_, what)) => Err(format!("must say which column is {what}")),
            None => Ok(Columns::Mapping(mapping)),
        }
    }

    /// The preset, if it is one.
    pub fn preset(&self) -> Option<&'static Preset> {
        match self {
            Columns::Preset(preset) => Some(preset),
            _ => None,
        }
    }

    /// The mapping of a table; `None` for sacct.
    pub fn mapping(&self) -> Option<Vec<(Target, Product)>> {
        match self {
            Columns::Mapping(mapping) => Some(mapping.clone()),
            Columns::Preset(preset) => match Columns::parse(preset.columns) {
                Ok(Columns::Mapping(mapping)) => Some(mapping),
                _ => None,
            },
            Columns::Heading(_) => None,
        }
    }
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mapping = match self {
            Columns::Preset(preset) => return f.write_str(preset.name),
            Columns::Heading(names) => return f.write_str(&names.replace('|', ",")),
            Columns::Mapping(mapping) => mapping,
        };
        for (at, (target, product)) in mapping.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            let columns = product.columns.join("*");
            write!(f, "{comma}{}:{columns}", target.name())?;
            if product.factor != 1.0 {
                write!(f, "*{}", product.factor)?;
            }
        }
        Ok(())
    }
}

/// A target and its columns.
fn pair_of(pair: &str) -> Result<(Target, Product), String> {
    let (name, product) = pair.split_once(':').ok_or(format!(
        "has {pair:?}, which is no pair such as submit:submit_time"
    ))?;
    let name = name.trim();
    let found = Target::ALL.iter().find(|(known, _)| *known == name);
    let names = Target::ALL.map(|(name, _)| name).join(", ");
    let &(_, target) = found.ok_or(format!("has no target {name:?}; there are {names}"))?;
    let (mut columns, mut factor) = (Vec::new(), 1.0);
    for part in product.split('*').map(str::trim) {
        match part.parse::<f64>() {
            Ok(number) if number.is_finite() && number > 0.0 => factor *= number,
            Ok(_) => return Err(format!("multiplies {name} by {part}")),
            Err(_) if part.is_empty() => return Err(format!("names no column for {name}")),
            Err(_) => columns.push(part.to_owned()),
        }
    }
    if columns.is_empty() {
        return Err(format!("names no column for {name}"));
    }
    if !target.is_number() && (columns.len() > 1 || factor != 1.0) {
        return Err(format!("multiplies {name}, which is no number"));
    }
    Ok((target, Product { columns, factor }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_is_read_and_written() {
        let text = "size:nodes*cores*2,submit:at,run:took*60,user:who";
        let columns = Columns::parse(text).unwrap();
        let written = "submit:at,run:took*60,size:nodes*cores*2,user:who";
        assert_eq!(columns.to_string(), written);
        assert_eq!(Columns::parse(written), Ok(columns));
        let heading = Columns::parse("JobID, Submit|End").unwrap();
        assert_eq!(heading, Columns::Heading("JobID|Submit|End".to_owned()));
        assert_eq!(Columns::parse("JobID,Submit,End"), Ok(heading));
        for (name, target) in Target::ALL {
            assert_eq!(target.name(), name);
        }
    }

    #[test]
    fn what_is_no_mapping_is_refused() {
        for (text, problem) in [
            ("submit:a,run:b,size:c,submit:d", "names submit twice"),
            ("submit:a,run:b", "must say which column is size"),
            (
                "submit:a,end:b,size:c",
                "must say which column is run, or start and end",
            ),
            ("run:b,size:c", "must say which column is submit"),
            ("submit:a,run:b,size:", "names no column for size"),
            ("submit:a,run:b,size:4", "names no column for size"),
            (
                "submit:a*2,run:b,size:c",
                "multiplies submit, which is no number",
            ),
            ("submit:a,run:b*-1,size:c", "multiplies run by -1"),
        ] {
            assert_eq!(Columns::parse(text), Err(problem.to_owned()), "{text}");
        }
        assert!(
            Columns::parse("walltime:a")
                .unwrap_err()
                .contains("has no target")
        );
        assert!(Columns::parse("odd").unwrap_err().contains("must be pairs"));
    }
}
