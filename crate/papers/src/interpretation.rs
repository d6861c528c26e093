//! Ambiguities of a text, and its interpretations.

use std::collections::BTreeSet;
use std::fmt;

use super::pair::Pair;

/// A key that the text leaves ambiguous.
#[derive(Clone, Copy, Debug)]
pub struct Ambiguity {
    /// The name of the key.
    pub key: &'static str,
    /// Its possible values; the first is the default interpretation.
    pub values: &'static [&'static str],
}

/// An interpretation of a figure: a value for each ambiguity; empty if there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interpretation(pub Vec<Pair>);

impl Interpretation {
    /// Every combination of values of some ambiguities, the default one first.
    pub(super) fn all(ambiguities: &[Ambiguity]) -> Vec<Interpretation> {
        let mut all = vec![Interpretation::default()];
        for ambiguity in ambiguities {
            let with = |one: &Interpretation| {
                let pairs = one.0.clone();
                let values = ambiguity.values.iter();
                values.map(move |value| {
                    Interpretation([pairs.as_slice(), &[(ambiguity.key, *value)]].concat())
                })
            };
            all = all.iter().flat_map(with).collect();
        }
        all
    }

    /// The interpretations at these positions in words: by the ambiguities that matter if they, or
    /// all others, are the combinations of some values; otherwise by their number.
    pub(super) fn under(
        ambiguities: &[Ambiguity],
        interpretations: &[Interpretation],
        held: &[usize],
    ) -> String {
        let others: Vec<usize> = (0..interpretations.len())
            .filter(|position| !held.contains(position))
            .collect();
        if let Some(words) = combinations(ambiguities, interpretations, held) {
            words
        } else if let Some(words) = combinations(ambiguities, interpretations, &others) {
            format!("all interpretations but {words}")
        } else {
            format!(
                "{} of {} interpretations",
                held.len(),
                interpretations.len()
            )
        }
    }
}

impl fmt::Display for Interpretation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs: Vec<String> = self
            .0
            .iter()
            .map(|(key, value)| format!("{key} = {value}"))
            .collect();
        f.write_str(&pairs.join(", "))
    }
}

/// The values that the interpretations at these positions combine, if they are all combinations.
fn combinations(
    ambiguities: &[Ambiguity],
    interpretations: &[Interpretation],
    positions: &[usize],
) -> Option<String> {
    let values = |at: usize| -> Vec<&str> {
        let taken: BTreeSet<&str> = positions
            .iter()
            .map(|&position| interpretations[position].0[at].1)
            .collect();
        let known = ambiguities[at].values.iter().copied();
        known.filter(|value| taken.contains(value)).collect()
    };
    let values: Vec<Vec<&str>> = (0..ambiguities.len()).map(values).collect();
    if values.iter().map(Vec::len).product::<usize>() != positions.len() {
        return None;
    }
    let restricted = ambiguities.iter().zip(&values);
    let restricted = restricted.filter(|(ambiguity, values)| values.len() < ambiguity.values.len());
    let parts: Vec<String> = restricted
        .map(|(ambiguity, values)| format!("{} = {}", ambiguity.key, values.join(" or ")))
        .collect();
    Some(parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpretations_are_named_by_the_ambiguities_that_matter() {
        const AMBIGUITIES: &[Ambiguity] = &[
            Ambiguity {
                key: "fabric",
                values: &["aggregated", "single-root"],
            },
            Ambiguity {
                key: "size",
                values: &["constant:1", "constant:2", "constant:3"],
            },
        ];
        let interpretations = Interpretation::all(AMBIGUITIES);
        assert_eq!(interpretations.len(), 6);
        assert_eq!(
            interpretations[1].to_string(),
            "fabric = aggregated, size = constant:2"
        );
        let under = |held: &[usize]| Interpretation::under(AMBIGUITIES, &interpretations, held);
        assert_eq!(under(&[3, 4, 5]), "fabric = single-root");
        assert_eq!(under(&[1, 2, 4, 5]), "size = constant:2 or constant:3");
        assert_eq!(
            under(&[0, 1, 2, 3, 5]),
            "all interpretations but fabric = single-root, size = constant:2"
        );
        assert_eq!(under(&[0, 4]), "2 of 6 interpretations");
    }
}
