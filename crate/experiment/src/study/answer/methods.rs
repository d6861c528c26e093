//! How a result was made, for the section on methods of a paper: a paragraph with its sources, and
//! these as BibTeX.

use crate::language::composition::{preset_of, presets};
use crate::language::expression::Preset;
use crate::language::scenario::{KEYS, PolicySpec, Scenario, ValueKind};
use crate::language::words::{latex, listed};
use crate::study::answer::Answer;
use crate::study::answer::summary::notes;

impl Answer<'_> {
    /// A paragraph for the section on the method: every parameter that has an effect, the seed,
    /// version and digest, with references by the numbers of [`sources`].
    pub fn methods(&self) -> String {
        let scenario = self.scenario;
        let sources = sources(scenario);
        let cited = |source: &str| match sources.iter().position(|known| *known == source) {
            Some(place) => format!(" [{}]", place + 1),
            None => String::new(),
        };
        let policies: Vec<String> = scenario
            .policies()
            .iter()
            .map(|policy| {
                let (queue, placement) = (policy.queue.choice(), policy.placement.choice());
                let mut cite = cited(queue.source);
                if placement.source != queue.source {
                    cite += &cited(placement.source);
                }
                for preset in presets(policy) {
                    cite += &ordered(preset, &cited);
                }
                format!("{}{cite}", policy.full_label())
            })
            .collect();
        let mut text = format!(
            "Simulated with Backfill {}. Policies: {}.",
            self.results.core(),
            listed(policies.iter().map(String::as_str))
        );
        let axes: Vec<_> = [scenario.x(), scenario.y()].into_iter().flatten().collect();
        for axis in &axes {
            let unit = spaced(axis.key.unit);
            text += &format!(
                " {} takes the values {}{unit}.",
                axis.key.label,
                listed(axis.values.iter().map(String::as_str))
            );
        }
        let fixed: Vec<String> = KEYS
            .iter()
            .filter(|key| {
                let covered = matches!(
                    key.kind,
                    ValueKind::Policies
                        | ValueKind::Reference
                        | ValueKind::Sweep
                        | ValueKind::Metric
                );
                let swept = axes.iter().any(|axis| axis.key.name == key.name);
                !covered
                    && !swept
                    && scenario.relevant(key.name)
                    && !scenario.get(key.name).is_empty()
            })
            .map(|key| {
                let value = scenario.get(key.name);
                let (value, choice) = match key.kind {
                    ValueKind::Choice { choices } => choices
                        .iter()
                        .find(|choice| choice.value == value)
                        .map_or((value, ""), |choice| (choice.label, choice.source)),
                    _ => (value, ""),
                };
                let mut cite = cited(key.source);
                if choice != key.source {
                    cite += &cited(choice);
                }
                if let Some(preset) = preset_of(key, value) {
                    cite += &ordered(preset, &cited);
                }
                format!("{} {value}{}{cite}", key.label, spaced(key.unit))
            })
            .collect();
        text += &format!(" Parameters: {}.", fixed.join("; "));
        for note in notes(scenario) {
            text += &format!(" {note}");
        }
        if scenario.policies().len() > 1 {
            let reference = scenario.policies()[scenario.reference()].full_label();
            text += &format!(" Differences to {reference} are taken pair by pair.");
        }
        text += &match self.results.digest() {
            Some(digest) => format!(" Digest of all runs: {digest}."),
            None => " Some runs are missing.".to_owned(),
        };
        for (place, source) in sources.iter().enumerate() {
            text += &format!("\n[{}] {source}.", place + 1);
        }
        text.push('\n');
        text
    }
}

/// The formula behind the name of an order, and its reference.
fn ordered(preset: &Preset, cited: &impl Fn(&str) -> String) -> String {
    let source = preset.published().map_or(String::new(), cited);
    format!(", {} being {}{source}", preset.name, preset.formula)
}

/// The references of a scenario, in the order in which the method cites them.
pub fn sources(scenario: &Scenario) -> Vec<&'static str> {
    let policies = scenario.policies().iter().flat_map(|policy: &PolicySpec| {
        let named = [
            policy.queue.choice().source,
            policy.placement.choice().source,
        ];
        named
            .into_iter()
            .chain(presets(policy).filter_map(Preset::published))
    });
    let keys = KEYS
        .iter()
        .filter(|key| scenario.relevant(key.name))
        .flat_map(|key| {
            let value = scenario.get(key.name);
            let chosen = match key.kind {
                ValueKind::Choice { choices } => {
                    choices.iter().find(|choice| choice.value == value)
                }
                _ => None,
            };
            let order = preset_of(key, value).and_then(Preset::published);
            [
                key.source,
                chosen.map_or("", |choice| choice.source),
                order.unwrap_or_default(),
            ]
        });
    let mut sources = Vec::new();
    for source in policies.chain(keys) {
        if !source.is_empty() && !sources.contains(&source) {
            sources.push(source);
        }
    }
    sources
}

/// The references of a scenario, and the simulator of that release, as BibTeX entries; each has its
/// whole reference in one field.
pub fn bibliography(scenario: &Scenario, core: &str) -> String {
    let entry = |(place, source): (usize, &&str)| {
        let number = place + 1;
        format!(
            "@misc{{source{number},\n  note = {{{}}}\n}}\n",
            latex(source)
        )
    };
    let simulator =
        format!("@misc{{backfill,\n  title = {{Backfill}},\n  note = {{Version {core}}}\n}}\n");
    let sources = sources(scenario);
    let entries: Vec<String> = sources.iter().enumerate().map(entry).collect();
    simulator + &entries.concat()
}

/// A unit after its number.
fn spaced(unit: &str) -> String {
    if unit.is_empty() {
        String::new()
    } else {
        format!(" {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::answer::tests::simulated;

    #[test]
    fn the_method_names_parameters_seed_digest_and_sources() {
        let (scenario, results) =
            &simulated(&[("jobs", "20"), ("reps", "2"), ("x", "load:0.5,0.9")]);
        let text = Answer { scenario, results }.methods();
        let digest = results.digest().unwrap();
        assert!(
            text.contains(&format!("Digest of all runs: {digest}.")),
            "{text}"
        );
        assert!(text.contains(" takes the values 0.5 and 0.9"), "{text}");
        assert!(text.contains("Simulated with Backfill "));
        let seed = format!("Seed {};", scenario.seed());
        assert!(text.contains(&seed), "{text}");
        let sources = sources(scenario);
        assert!(!sources.is_empty());
        for (place, source) in sources.iter().enumerate() {
            assert!(
                text.contains(&format!("\n[{}] {source}.", place + 1)),
                "{text}"
            );
        }
        let entries = bibliography(scenario, "1.2.3");
        assert_eq!(entries.matches("@misc{").count(), sources.len() + 1);
    }

    #[test]
    fn the_method_cites_who_published_an_order_and_gives_its_formula() {
        let own = "list(order=wfp3,behind=reserve),list(order=f2,backfill_order=spt,behind=skip)";
        let (scenario, results) = &simulated(&[
            ("jobs", "20"),
            ("reps", "2"),
            ("x", "load:0.9"),
            ("policy", own),
        ]);
        let text = Answer { scenario, results }.methods();
        let entries = bibliography(scenario, "1.2.3");
        for (formula, authors) in [
            ("wfp3 being -(wait/max(estimate,1))^3*size [", "W. Tang"),
            (
                "f2 being sqrt(estimate)*size+25600*log10(max(submit,1)) [",
                "D. Carastan-Santos",
            ),
        ] {
            let number = text.split(formula).nth(1).expect("the formula is there");
            let number = number.split(']').next().expect("a number");
            assert!(text.contains(&format!("\n[{number}] {authors}")), "{text}");
            assert!(entries.contains(authors), "{entries}");
        }
        assert!(text.contains(", spt being estimate"), "{text}");
        assert!(!text.contains("textbook"), "{text}");
        // A user's formula is printed in full.
        let long = "-(wait/max(estimate,1))^3*size*(1+load)*waiting";
        let policy = format!("list(order={long})");
        let pairs = [
            ("jobs", "20"),
            ("reps", "2"),
            ("x", "load:0.9"),
            ("policy", &policy),
        ];
        let (scenario, results) = &simulated(&pairs);
        let answer = Answer { scenario, results };
        assert!(answer.methods().contains(long));
        let label = answer.policies().next().expect("a policy");
        assert_eq!(label, "List + AdaBa (order = -(wait/max(estimate,1))^…)");
    }
}
