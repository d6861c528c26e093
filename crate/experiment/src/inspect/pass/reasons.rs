//! Why a subtree was taken or left, in words: by the state before and by what was taken.

use backfill_sim::place::{Subtree, SubtreeOrder, Subtrees};
use backfill_sim::system::describe::About;

use super::names::{Names, counted, units};
use crate::language::words::{capital, listed};

/// The most numbers of free slots that a sentence lists.
const PREFERRED: usize = 6;

/// `1st`, `2nd`, `3rd`, `4th` and so on.
fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (1, last) if last != 11 => "st",
        (2, last) if last != 12 => "nd",
        (3, last) if last != 13 => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// Puts subtrees into words.
pub(super) struct Reasons<'a> {
    of: &'a Subtrees,
    names: &'a Names,
    about: &'a About,
}

impl<'a> Reasons<'a> {
    /// For such subtrees, called by these names.
    pub(super) fn new(of: &'a Subtrees, names: &'a Names, about: &'a About) -> Reasons<'a> {
        Reasons { of, names, about }
    }

    /// What subtrees have: free slots, or idle nodes where whole nodes are taken.
    fn unit(&self) -> String {
        if self.of.whole_nodes {
            format!("idle {}", self.about.part)
        } else {
            format!("free {}", self.about.unit)
        }
    }

    fn free(&self, count: u32) -> String {
        units(count, &self.unit())
    }

    /// The first subtree that took something, and its position.
    fn first(&self) -> Option<(usize, &Subtree)> {
        let mut list = self.of.list.iter().enumerate();
        list.find(|of| of.1.taken > 0)
    }

    fn is_spread(&self) -> bool {
        self.of.whole_nodes || self.of.order == SubtreeOrder::Parts
    }

    /// By which rule the job is where it is.
    pub(super) fn rule(&self) -> String {
        let Subtrees { needed, below, .. } = *self.of;
        let plural = self.names.plural(&self.of.list);
        let mut said = Vec::new();
        match below {
            Some(most) if most < needed => said.push(format!(
                "No smaller subtree has room for all {needed}: the most that one could take is {most}."
            )),
            Some(_) => said.push(format!("No smaller subtree was filled with all {needed}.")),
            None => {}
        }
        let title = capital(plural.to_owned());
        said.push(match (self.of.single, self.of.order) {
            (Some(_), _) if self.of.whole_nodes => {
                format!("It is the first idle {}.", self.about.part)
            }
            (Some(_), _) => format!(
                "It is the first {} with room for all {needed}, so that no link is used. {title} are listed by number.",
                self.about.part
            ),
            (_, SubtreeOrder::First) => format!(
                "{title} are tried by number until one is filled with all {needed}."
            ),
            (_, SubtreeOrder::LeastLoaded) => format!(
                "{title} are tried by what is reserved on their links downwards, the least first, until one is filled with all {needed}."
            ),
            (_, SubtreeOrder::Parts) => {
                format!("Several {plural} are filled together; they are listed by number.")
            }
            (_, SubtreeOrder::Number) => format!(
                "{title} are listed by number, which is not the order of this placement."
            ),
            (_, SubtreeOrder::Nearest) => format!(
                "{title} give their idle nodes one after the other, chosen by how many these are and how far from those before, until {needed} are found."
            ),
        });
        said.extend(self.preference());
        said.join(" ")
    }

    /// In which order servers are filled.
    fn preference(&self) -> Option<String> {
        let preference = &self.of.preference;
        let part = self.about.part;
        match &preference[..] {
            [] => None,
            [alike] if alike.len() < 2 => None,
            [_] => Some(format!("Below, {part}s are filled by number.")),
            [first, rest @ ..] => {
                let numbers = |alike: &Vec<u32>| {
                    let numbers: Vec<String> = alike.iter().map(u32::to_string).collect();
                    numbers.join(" or ")
                };
                let mut others: Vec<String> = rest.iter().take(PREFERRED).map(numbers).collect();
                if rest.len() > PREFERRED {
                    others.push("so on".to_owned());
                }
                Some(format!(
                    "Below, {part}s whose free {}s are {} are filled first, then those with {}.",
                    self.about.unit,
                    numbers(first),
                    listed(others.iter().map(String::as_str))
                ))
            }
        }
    }

    /// Why a subtree was taken or left, without its name.
    pub(super) fn sentence(&self, position: usize) -> String {
        let of = &self.of.list[position];
        let needed = self.of.needed;
        let free = self.free(of.free);
        if of.taken > 0 {
            return self.taken(position, of);
        }
        if of.free == 0 {
            return format!("has {free}");
        }
        if of.outside {
            return format!("has {free}, but is not below the root that was chosen");
        }
        let first = self.first();
        if self.is_spread() {
            let Some((_, first)) = first.filter(|_| self.of.order == SubtreeOrder::Nearest) else {
                return match of.bound {
                    Some(_) => format!("has {free} and gives none; {}", self.bound(of)),
                    None => format!("has {free} and gives none"),
                };
            };
            let name = self.names.of_root(first.root);
            return match () {
                () if first.taken < needed => {
                    format!("has {free}, but none was missing any more")
                }
                () if of.free < needed => format!("has {free} of the {needed} needed"),
                () if of.free > first.free => format!("has {free}, more than {name}"),
                () => format!("has {free}, as many as {name}, but comes later"),
            };
        }
        if of.free < needed {
            return format!("has {free} of the {needed} needed");
        }
        if of.most < needed {
            return format!("has {free}, but {}", self.bound(of));
        }
        let is_ordered = self.of.order != SubtreeOrder::Number;
        match first.filter(|_| is_ordered) {
            Some((at, _)) if position < at => format!(
                "has {free} and might take all {needed}, but was not filled with all of them"
            ),
            Some((_, first)) => {
                let name = self.names.of_root(first.root);
                format!("has {free}, but comes after {name}")
            }
            None => format!("has {free}"),
        }
    }

    /// Of a subtree that took something.
    fn taken(&self, position: usize, of: &Subtree) -> String {
        let (taken, free) = (of.taken, self.free(of.free));
        let before = &self.of.list[..position];
        let Some(distance) = of.distance else {
            let part = match self.of.needed {
                all if all == taken => format!("all {all}"),
                all => format!("{taken} of the {all}"),
            };
            let takes = format!("takes {part}; it has {free}");
            return match of.bound {
                Some(_) if taken == of.most => format!("{takes}, and {}", self.bound(of)),
                _ => takes,
            };
        };
        let missing = self.of.needed - before.iter().map(|of| of.taken).sum::<u32>();
        let nth = ordinal(position + 1);
        match position {
            0 if of.free >= missing => {
                format!("{nth}: gives {taken} of {free}; no leaf with enough has fewer")
            }
            0 => format!("{nth}: gives {taken} of {free}, {missing} being needed"),
            _ => format!(
                "{nth}: gives {taken} of {free}, {missing} being needed still; its distances to those before add up to {distance}"
            ),
        }
    }

    /// What links let a subtree take.
    fn bound(&self, of: &Subtree) -> String {
        let most = match of.most {
            0 => "none".to_owned(),
            most => format!("at most {most}"),
        };
        let Some((link, left)) = of.bound else {
            return format!("it can take {most}");
        };
        let link = self.names.shown.measure().link(link);
        format!("links let it take {most}: {link} has {left} left")
    }

    /// The subtrees that are not listed.
    pub(super) fn more<'s>(&self, rest: impl Iterator<Item = &'s Subtree>) -> String {
        let [mut full, mut taking, mut other, mut taken] = [0; 4];
        for of in rest {
            match of {
                Subtree { taken: 1.., .. } => {
                    taking += 1;
                    taken += of.taken;
                }
                Subtree { free: 0, .. } => full += 1,
                _ => other += 1,
            }
        }
        let taking_words = format!("that take {taken} together");
        let unit = self.unit();
        counted([
            (taking, taking_words.as_str()),
            (other, &format!("with {unit}s")),
            (full, &format!("with no {unit}")),
        ])
    }
}
