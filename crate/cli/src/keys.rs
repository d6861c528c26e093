//! Prints the table of keys.

use std::io::Write;

use anyhow::Result;
use backfill_experiment::language::expression::{FUNCTIONS, PRESETS};
use backfill_experiment::language::scenario::key::{Group, When};
use backfill_experiment::language::scenario::{KEYS, Key, ValueKind};
use backfill_sim::choice::Choice;
use backfill_sim::policy::Queue;
use backfill_sim::policy::expression::Name;
use backfill_sim::system::PlacementPolicy;

/// `backfill keys`.
pub(crate) fn keys(out: &mut impl Write) -> Result<()> {
    for group in Group::ALL {
        writeln!(out, "{}: {}", group.choice().label, group.choice().help)?;
        for key in KEYS.iter().filter(|key| key.group == *group) {
            writeln!(out)?;
            describe(key, out)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn describe(key: &Key, out: &mut impl Write) -> Result<()> {
    let default = match key.default {
        "" => "nothing",
        default => default,
    };
    writeln!(out, "  {} = {default}", key.name)?;
    writeln!(out, "      {}", key.help)?;
    match key.kind {
        ValueKind::Choice { choices } => list(choices, out)?,
        ValueKind::Order { .. } => {
            writeln!(out, "      {}.", capitalised(&key.kind.allowed()))?;
            writeln!(out, "      known by name:")?;
            for preset in PRESETS {
                let (name, formula, source) = (preset.name, preset.formula, preset.source);
                writeln!(out, "      {name:<14}  {formula} ({source})")?;
            }
            let functions = FUNCTIONS.iter().map(|&(name, _)| name);
            let functions: Vec<&str> = functions.collect();
            writeln!(
                out,
                "      with + - * / ^, comparisons, and, or, if c then a else b, {}, and:",
                functions.join(", ")
            )?;
            list(Name::CHOICES, out)?;
        }
        ValueKind::Policies => {
            writeln!(out, "      scheduling policy:")?;
            list(Queue::CHOICES, out)?;
            writeln!(out, "      placement:")?;
            let placements = PlacementPolicy::all();
            list(placements.into_iter().map(PlacementPolicy::choice), out)?;
        }
        kind => {
            let unit = match key.unit {
                "" => String::new(),
                unit => format!(", in {unit}"),
            };
            writeln!(out, "      {}{unit}.", capitalised(&kind.allowed()))?;
        }
    }
    let mut notes: Vec<String> = Vec::new();
    for when in key.when {
        let sign = if matches!(when, When::Not(..)) {
            "≠"
        } else {
            "="
        };
        let values = when.values().join(", ");
        notes.push(format!("With {} {sign} {values}.", when.key()));
    }
    if key.sweep {
        notes.push("May be swept.".to_owned());
    }
    if key.per_policy {
        notes.push("May be given for one policy, in parentheses.".to_owned());
    }
    if !notes.is_empty() {
        writeln!(out, "      {}", notes.join(" "))?;
    }
    if !key.source.is_empty() {
        writeln!(out, "      Source: {}.", key.source)?;
    }
    Ok(())
}

fn list(choices: impl IntoIterator<Item = &'static Choice>, out: &mut impl Write) -> Result<()> {
    for Choice {
        value,
        help,
        source,
        ..
    } in choices
    {
        let source = match *source {
            "" => String::new(),
            source => format!(" ({source})"),
        };
        writeln!(out, "      {value:<14}  {help}{source}")?;
    }
    Ok(())
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}
