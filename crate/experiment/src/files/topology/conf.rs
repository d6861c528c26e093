//! `topology.conf`, and what `scontrol show topology` prints of it.
//!
//! A line is `SwitchName=` or `BlockName=` and the keys of that switch or block. `#` begins a
//! remark, a backslash at the end joins the next line, values may stand in quotes.

use super::draft::{At, Draft, Entry, List, Mistake};
use backfill_sim::problem::shown;

/// The keys, as they are written; case makes no difference.
const KEYS: [&str; 10] = [
    "SwitchName",
    "BlockName",
    "BlockSizes",
    "Nodes",
    "Switches",
    "LinkSpeed",
    // What only `scontrol show topology` prints.
    "Level",
    "BlockIndex",
    "BlockSize",
    "AggregatedBlock",
];

/// One `Key=Value`.
struct Pair {
    key: &'static str,
    at: At,
    value: List,
}

pub(super) fn read(text: &str) -> Result<Draft, Mistake> {
    let mut draft = Draft::default();
    // Sizes that `scontrol` prints with each block.
    let mut printed: Vec<u32> = Vec::new();
    let mut lines = Lines { text, line: 0 };
    while let Some(line) = lines.next() {
        let pairs = line.pairs()?;
        let Some(first) = pairs.first() else { continue };
        let name = || List {
            text: first.value.text.clone(),
            at: first.at,
        };
        match first.key {
            "SwitchName" | "BlockName" => {
                let blocks = first.key == "BlockName";
                if !draft.entries.is_empty() && draft.blocks != blocks {
                    let message = "switches and blocks stand in one file: keep one kind of them";
                    return Err(Mistake::new(first.at, message));
                }
                draft.blocks = blocks;
                let sizes = entry(name(), &pairs, &mut draft)?;
                printed.extend(sizes.filter(|size| !printed.contains(size)));
            }
            "BlockSizes" => {
                only(&pairs, &["BlockSizes"])?;
                let sizes = first
                    .value
                    .text
                    .split(',')
                    .map(|size| number(size, &first.value));
                draft.sizes = Some((sizes.collect::<Result<_, _>>()?, first.value.at));
            }
            "AggregatedBlock" => {
                only(
                    &pairs,
                    &["AggregatedBlock", "BlockIndex", "Nodes", "BlockSize"],
                )?;
                let size = pairs.iter().find(|pair| pair.key == "BlockSize");
                let size = size
                    .map(|pair| number(&pair.value.text, &pair.value))
                    .transpose()?;
                printed.extend(size.filter(|size| !printed.contains(size)));
            }
            key => {
                let message = format!(
                    "begins with {key}, but a line begins with SwitchName, BlockName or BlockSizes"
                );
                return Err(Mistake::new(first.at, message));
            }
        }
    }
    if draft.sizes.is_none() && !printed.is_empty() {
        let at = draft
            .entries
            .first()
            .map_or(At::default(), |entry| entry.at);
        draft.sizes = Some((printed, at));
    }
    Ok(draft)
}

/// Adds a switch or a block; returns the size that `scontrol` prints with a block.
fn entry(name: List, pairs: &[Pair], draft: &mut Draft) -> Result<Option<u32>, Mistake> {
    if draft.blocks {
        only(pairs, &["BlockName", "Nodes", "BlockIndex", "BlockSize"])?;
    } else {
        only(
            pairs,
            &["SwitchName", "Nodes", "Switches", "LinkSpeed", "Level"],
        )?;
    }
    let value = |key| {
        pairs
            .iter()
            .find(|pair| pair.key == key)
            .map(|pair| &pair.value)
    };
    for key in ["LinkSpeed", "Level", "BlockIndex"] {
        if let Some(value) = value(key) {
            number(&value.text, value)?;
        }
    }
    let given = |key| value(key).filter(|list| list.text != "(null)").cloned();
    let children = given("Switches");
    // Printed, a switch has the nodes of all below it.
    let printed = value("Level").is_some() && children.is_some();
    draft.entries.push(Entry {
        name: name.text,
        at: name.at,
        nodes: given("Nodes").filter(|_| !printed),
        children,
    });
    value("BlockSize")
        .map(|value| number(&value.text, value))
        .transpose()
}

/// Refuses a key that does not belong to a line, or that stands there twice.
fn only(pairs: &[Pair], known: &[&str]) -> Result<(), Mistake> {
    for (place, pair) in pairs.iter().enumerate() {
        if !known.contains(&pair.key) {
            let message = format!("{} does not belong to a line of {}", pair.key, known[0]);
            return Err(Mistake::new(pair.at, message));
        }
        if pairs[..place].iter().any(|other| other.key == pair.key) {
            let message = format!("{} stands twice in one line: keep one", pair.key);
            return Err(Mistake::new(pair.at, message));
        }
    }
    Ok(())
}

/// A whole number below 2³².
fn number(text: &str, value: &List) -> Result<u32, Mistake> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or_else(|| {
        let message = format!(
            "has {:?}, which is no whole number up to {}: leave out its unit",
            shown(text),
            u32::MAX
        );
        Mistake::new(value.at, message)
    })
}

/// The lines of a file, joined where a backslash says so, without remarks.
struct Lines<'a> {
    text: &'a str,
    line: usize,
}

/// A line, and where its pieces stand in the file.
struct Line {
    text: String,
    /// (first byte of the piece, its line).
    pieces: Vec<(usize, usize)>,
}

impl Lines<'_> {
    fn next(&mut self) -> Option<Line> {
        let mut line = Line {
            text: String::new(),
            pieces: Vec::new(),
        };
        while !self.text.is_empty() {
            let (piece, rest) = self.text.split_once('\n').unwrap_or((self.text, ""));
            self.text = rest;
            self.line += 1;
            line.pieces.push((line.text.len(), self.line));
            let (piece, remark) = match piece.split_once('#') {
                Some((piece, _)) => (piece, true),
                None => (piece, false),
            };
            let piece = piece.trim_end();
            match piece.strip_suffix('\\').filter(|_| !remark) {
                Some(joined) => line.text += joined,
                None => {
                    line.text += piece;
                    break;
                }
            }
        }
        (!line.pieces.is_empty()).then_some(line)
    }
}

impl Line {
    /// The place of a byte.
    fn at(&self, byte: usize) -> At {
        let piece = self.pieces.partition_point(|&(first, _)| first <= byte);
        let (first, line) = self.pieces[piece.saturating_sub(1)];
        let column = 1 + byte - first;
        At { line, column }
    }

    fn pairs(&self) -> Result<Vec<Pair>, Mistake> {
        let mut pairs = Vec::new();
        let text = self.text.as_str();
        let skip = |from: usize| {
            let rest = &text[from..];
            from + rest.len() - rest.trim_start().len()
        };
        let mut next = skip(0);
        while next < text.len() {
            let start = next;
            let is_end = |c: char| c.is_whitespace() || c == '=';
            let end = text[start..]
                .find(is_end)
                .map_or(text.len(), |end| start + end);
            let word = &text[start..end];
            let equals = skip(end);
            if word.eq_ignore_ascii_case("include") {
                let message = "includes another file: put its lines here";
                return Err(Mistake::new(self.at(start), message));
            }
            if !text[equals..].starts_with('=') {
                let message = format!(
                    "{:?} has no =: write Key=Value, and put a list with blanks in quotes",
                    shown(word)
                );
                return Err(Mistake::new(self.at(start), message));
            }
            let known = KEYS.iter().find(|key| key.eq_ignore_ascii_case(word));
            let key = *known.ok_or_else(|| {
                let near = KEYS
                    .iter()
                    .map(|key| (strsim::osa_distance(word, key), key))
                    .min();
                let near = near.filter(|near| near.0 <= 3);
                let hint = near.map_or(String::new(), |near| format!("; did you mean {}?", near.1));
                let message = format!("there is no key {:?}{hint}", shown(word));
                Mistake::new(self.at(start), message)
            })?;
            let from = skip(equals + 1);
            let quoted = text[from..].starts_with('"');
            let (first, last) = if quoted {
                let close = text[from + 1..].find('"').map(|close| from + 1 + close);
                let close = close.ok_or_else(|| {
                    Mistake::new(self.at(from), "opens a quote that is not closed")
                })?;
                (from + 1, close)
            } else {
                let end = text[from..].find(char::is_whitespace);
                (from, end.map_or(text.len(), |end| from + end))
            };
            if first == last {
                let message = format!("{key} has no value: give it one, or leave it out");
                return Err(Mistake::new(self.at(start), message));
            }
            pairs.push(Pair {
                key,
                at: self.at(start),
                value: List {
                    text: text[first..last].to_owned(),
                    at: self.at(first),
                },
            });
            next = skip(last + usize::from(quoted));
        }
        Ok(pairs)
    }
}
