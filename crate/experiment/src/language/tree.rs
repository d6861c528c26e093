//! A tree of switches on one line, as links carry it: `(18,18,12)(18,18)`.
//!
//! A number is a leaf of so many nodes, parentheses are a switch over what stands in them, and what
//! stands outside is a root: `(18,18,12)(18,18)` is two islands, of three leaves and of two. Nodes
//! are counted from 1 in the order in which they are written. In full:
//!
//! - `3x18` or `3x(4,4)`: the same three times
//! - `18:40000`, `(4,4):40000`: the link to the switch above has 40,000 Mbit/s
//! - `n1-4.9`: a leaf of these nodes, where they are not the next ones
//! - `18~3`: the leaf that comes third where ties between leaves are decided, if not as written
//! - `_3`: a switch that stands elsewhere is listed here, too: the third, leaves counted first
//! - `…+2`: at the end, nodes in no switch
//! - `blocks:18,72:4x18`: base blocks, and after `blocks:` the sizes that Slurm aggregates

use std::fmt::Write;

use backfill_sim::decimal::Decimal;
use backfill_sim::sorting;
use backfill_sim::system::tree::{Irregular, Ordered, Shape, Switch};
use backfill_sim::unit::Kbps;

/// The most nodes of a machine.
pub(crate) const MOST_NODES: u32 = 100_000;

/// The most switches.
pub(crate) const MOST_SWITCHES: usize = 20_000;

/// The most switches above one another.
const MOST_LEVELS: u32 = 32;

/// Precedes the sizes of blocks.
const BLOCKS: &str = "blocks:";

/// Reads a shape.
///
/// # Errors
/// A sentence without its subject, the text: what is wrong with it.
pub fn parse(text: &str) -> Result<Shape, String> {
    let mut reader = Reader {
        rest: text,
        next: 0,
        named: Vec::new(),
        switches: Vec::new(),
        leaf: Vec::new(),
        ranks: Vec::new(),
        references: Vec::new(),
    };
    let mut sizes = Vec::new();
    if let Some(rest) = text.strip_prefix(BLOCKS) {
        let (list, rest) = rest
            .split_once(':')
            .ok_or("needs block sizes and blocks, as blocks:18,72:4x18")?;
        for size in list.split(',') {
            let size = size
                .parse()
                .map_err(|_| format!("has no block size {size:?}"));
            sizes.push(size?);
        }
        check_sizes(&sizes)?;
        reader.rest = rest;
    }
    reader.items(None, 0)?;
    if reader.takes('+') {
        reader.nodes()?;
    }
    if !reader.rest.is_empty() {
        return Err(reader.unexpected());
    }
    let shape = reader.shape(sizes)?;
    let is_base = |leaf: &Switch| leaf.children.is_empty() && leaf.parent.is_none();
    if !shape.block_sizes().is_empty() && !shape.switches().iter().all(is_base) {
        return Err("has switches among its blocks, which are numbers of nodes".to_owned());
    }
    if shape.nodes() == 0 {
        return Err("has no node".to_owned());
    }
    Ok(shape)
}

/// Checks the sizes of blocks: each the first one times a power of two.
///
/// # Errors
/// A sentence without its subject that names the size.
pub(crate) fn check_sizes(sizes: &[u32]) -> Result<(), String> {
    let base = sizes.first().copied().unwrap_or(0);
    for &size in sizes {
        let times = size.checked_div(base).filter(|&times| times * base == size);
        if !times.is_some_and(|times| times.is_power_of_two() && times <= 1 << 15) {
            return Err(format!(
                "has block size {size}, which must be the first one times 1, 2, 4, … 32768"
            ));
        }
    }
    Ok(())
}

/// What is read from the left to the right.
struct Reader<'a> {
    rest: &'a str,
    /// The node after the last one of the last leaf.
    next: u32,
    /// The nodes named so far.
    named: Vec<u32>,
    switches: Vec<Switch>,
    /// By switch: whether it is a leaf.
    leaf: Vec<bool>,
    /// (switch, rank) of leaves that say it.
    ranks: Vec<(u32, u32)>,
    /// (switch, number of the one it lists, too).
    references: Vec<(u32, u32)>,
}

impl Reader<'_> {
    fn takes(&mut self, expected: char) -> bool {
        let rest = self.rest.strip_prefix(expected);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn unexpected(&self) -> String {
        let rest: String = self.rest.chars().take(12).collect();
        match rest.is_empty() {
            true => "ends too early".to_owned(),
            false => {
                format!("has {rest:?} where a leaf such as 18 or a switch such as (18,18) belongs")
            }
        }
    }

    fn number(&mut self) -> Result<u32, String> {
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = self.rest.split_at(digits);
        let number = number.parse().map_err(|_| self.unexpected())?;
        self.rest = rest;
        Ok(number)
    }

    /// The items of a switch or, without one, the roots.
    fn items(&mut self, parent: Option<u32>, depth: u32) -> Result<(), String> {
        if depth > MOST_LEVELS {
            return Err(format!(
                "has more than {MOST_LEVELS} switches above one another"
            ));
        }
        loop {
            self.item(parent, depth)?;
            // Between parentheses a comma may be missing.
            if !self.takes(',') && !self.rest.starts_with('(') {
                return Ok(());
            }
        }
    }

    fn item(&mut self, parent: Option<u32>, depth: u32) -> Result<(), String> {
        if let Some(parent) = parent.filter(|_| self.rest.starts_with('_')) {
            self.takes('_');
            let number = self.number()?;
            self.references.push((parent, number));
            return Ok(());
        }
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let times = match self.rest[digits..].starts_with('x') {
            true => {
                let times = self.number()?;
                self.takes('x');
                times
            }
            false => 1,
        };
        let again = self.rest;
        for _ in 0..times {
            self.rest = again;
            self.switch(parent, depth)?;
        }
        match times {
            0 => Err("has 0x, which says nothing".to_owned()),
            _ => Ok(()),
        }
    }

    fn switch(&mut self, parent: Option<u32>, depth: u32) -> Result<(), String> {
        if self.switches.len() == MOST_SWITCHES {
            return Err(format!("has more than {MOST_SWITCHES} switches"));
        }
        let switch = self.switches.len();
        self.switches.push(Switch {
            parent,
            ..Switch::default()
        });
        if let Some(parent) = parent {
            self.switches[parent as usize].children.push(switch as u32);
        }
        self.leaf.push(!self.rest.starts_with('('));
        if self.takes('(') {
            self.items(Some(switch as u32), depth + 1)?;
            if !self.takes(')') {
                return Err(self.unexpected());
            }
        } else {
            self.switches[switch].nodes = self.nodes()?;
            if self.takes('~') {
                let rank = self.number()?;
                self.ranks.push((switch as u32, rank));
            }
        }
        if self.takes(':') {
            let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
            let end = self.rest.bytes().take_while(is_part).count();
            let (rate, rest) = self.rest.split_at(end);
            let rate = Decimal::parse(rate).filter(|rate| {
                rate.places() <= 3
                    && (Decimal::tenth_power(3)..=Decimal::whole(100_000_000)).contains(rate)
            });
            let rate = rate.ok_or("has a link that is no rate from 0.001 to 100000000 Mbit/s")?;
            self.switches[switch].uplink = Some(rate.mbps());
            self.rest = rest;
        }
        Ok(())
    }

    /// The nodes of a leaf: so many next ones, or these.
    fn nodes(&mut self) -> Result<Vec<u32>, String> {
        let mut nodes = Vec::new();
        if self.takes('n') {
            loop {
                let first = self.number()?;
                let last = if self.takes('-') {
                    self.number()?
                } else {
                    first
                };
                if first == 0 || last < first || last > MOST_NODES {
                    return Err(format!(
                        "has nodes {first}-{last}: they are counted up from 1"
                    ));
                }
                nodes.extend(first - 1..last);
                if nodes.len() > MOST_NODES as usize {
                    return Err(too_many_nodes());
                }
                if !self.takes('.') {
                    break;
                }
            }
        } else {
            let count = self.number()?;
            let end = self.next.saturating_add(count);
            if end > MOST_NODES {
                return Err(too_many_nodes());
            }
            nodes.extend(self.next..end);
        }
        if let Some(last) = nodes.last() {
            self.next = last + 1;
        }
        self.named.extend(&nodes);
        if self.named.len() > MOST_NODES as usize {
            return Err(too_many_nodes());
        }
        Ok(nodes)
    }

    fn shape(mut self, sizes: Vec<u32>) -> Result<Shape, String> {
        self.named.sort_unstable();
        for (place, &node) in (0..).zip(&self.named) {
            if node != place {
                let (what, node) = match node < place {
                    true => ("twice", node),
                    false => ("nowhere", place),
                };
                return Err(format!("has node {} {what}", node + 1));
            }
        }
        self.rank()?;
        for &(switch, number) in &self.references {
            let which = |leaf| (0..).zip(&self.leaf).filter(move |known| *known.1 == leaf);
            let mut counted = which(true).chain(which(false)).map(|known| known.0);
            let listed = (number as usize).checked_sub(1);
            let listed = listed.and_then(|position| counted.nth(position));
            let listed = listed.ok_or_else(|| format!("has _{number}, but no such switch"))?;
            let children = &mut self.switches[switch as usize].children;
            if children.contains(&listed) {
                return Err(format!("has _{number} in a switch that lists it already"));
            }
            children.push(listed);
        }
        let nodes = self.named.len() as u32;
        match Shape::ordered(nodes, self.switches, sizes) {
            Ok(Ordered { shape, .. }) => Ok(shape),
            Err(Irregular::Cycle(_)) => Err("has a switch below itself".to_owned()),
            Err(Irregular::TwoRoots { .. }) => Err("has a switch below two roots".to_owned()),
            Err(Irregular::NodeTwice { node, .. }) => Err(format!("has node {} twice", node + 1)),
        }
    }

    /// Puts the leaves in the order of their ranks, if they have any.
    fn rank(&mut self) -> Result<(), String> {
        if self.ranks.is_empty() {
            return Ok(());
        }
        let leaves = (0..).zip(&self.leaf).filter(|known| *known.1);
        let places: Vec<u32> = leaves.map(|known| known.0).collect();
        sorting::by_key(&mut self.ranks, |&(_, rank)| rank);
        let as_said = self.ranks.iter().map(|&(_, rank)| rank as usize);
        if !as_said.eq(1..=places.len()) {
            return Err("has ranks that do not count its leaves from ~1 up".to_owned());
        }
        let mut moved: Vec<u32> = (0..self.switches.len() as u32).collect();
        for (&place, &(leaf, _)) in places.iter().zip(&self.ranks) {
            moved[leaf as usize] = place;
        }
        let mut switches = vec![Switch::default(); self.switches.len()];
        for (mut switch, &place) in std::mem::take(&mut self.switches).into_iter().zip(&moved) {
            for child in &mut switch.children {
                *child = moved[*child as usize];
            }
            switches[place as usize] = switch;
        }
        self.switches = switches;
        Ok(())
    }
}

fn too_many_nodes() -> String {
    format!("has more than {MOST_NODES} nodes")
}

/// The shape as it is written.
pub fn written(shape: &Shape) -> String {
    let mut writer = Writer::new(shape);
    let all = 0..shape.switches().len() as u32;
    let is_root = |switch: &u32| shape.parent(*switch).is_none();
    let roots = writer.by_leaves(all.filter(is_root));
    roots.iter().for_each(|&root| writer.count_inner(root));
    let mut text = writer.items(&roots);
    // Where leaves do not follow one another as they are written, each says where it stands.
    if !writer.leaves.is_sorted() {
        writer.next = 0;
        writer.leaves.clear();
        writer.ranked = true;
        text = writer.items(&roots);
    }
    let loose: Vec<u32> = shape.loose().collect();
    if !loose.is_empty() {
        text.push('+');
        text += &writer.nodes(&loose);
    }
    if shape.block_sizes().is_empty() {
        return text;
    }
    let sizes: Vec<String> = shape.block_sizes().iter().map(u32::to_string).collect();
    format!("{BLOCKS}{}:{text}", sizes.join(","))
}

struct Writer<'a> {
    shape: &'a Shape,
    next: u32,
    /// By switch: the first leaf below it.
    first_leaf: Vec<u32>,
    /// The leaves, as they are written.
    leaves: Vec<u32>,
    ranked: bool,
    /// The other switches, as they are written.
    inner: Vec<u32>,
}

impl<'a> Writer<'a> {
    fn new(shape: &'a Shape) -> Writer<'a> {
        let mut first_leaf = vec![u32::MAX; shape.switches().len()];
        for leaf in (0..shape.leaves().len() as u32).rev() {
            shape
                .chain(leaf)
                .for_each(|above| first_leaf[above as usize] = leaf);
        }
        Writer {
            shape,
            next: 0,
            first_leaf,
            leaves: Vec::new(),
            ranked: false,
            inner: Vec::new(),
        }
    }

    /// Those with earlier leaves first.
    fn by_leaves(&self, switches: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut switches: Vec<u32> = switches.collect();
        sorting::by_key(&mut switches, |&switch| self.first_leaf[switch as usize]);
        switches
    }

    /// The switches that have this one as their parent.
    fn own(&self, number: u32) -> Vec<u32> {
        let switches = self.shape.switches();
        let children = switches[number as usize].children.iter().copied();
        self.by_leaves(children.filter(|&child| switches[child as usize].parent == Some(number)))
    }

    fn count_inner(&mut self, number: u32) {
        if !self.shape.switches()[number as usize].children.is_empty() {
            self.inner.push(number);
            for child in self.own(number) {
                self.count_inner(child);
            }
        }
    }

    /// The number by which another switch lists this one, too.
    fn number(&self, switch: u32) -> usize {
        let leaves = self.shape.leaves().len();
        let inner = self.inner.iter().position(|&inner| inner == switch);
        1 + inner.map_or(switch as usize, |inner| leaves + inner)
    }

    fn items(&mut self, switches: &[u32]) -> String {
        let items: Vec<String> = switches.iter().map(|&switch| self.switch(switch)).collect();
        let mut text = String::new();
        for alike in items.chunk_by(|a, b| a == b) {
            for (place, item) in alike.iter().enumerate() {
                let folded = alike.len() > 3;
                if folded && place > 0 {
                    break;
                }
                let between = text.ends_with(')') && item.starts_with('(') && !folded;
                if !text.is_empty() && !between {
                    text.push(',');
                }
                if folded {
                    let _ = write!(text, "{}x", alike.len());
                }
                text += item;
            }
        }
        text
    }

    fn switch(&mut self, number: u32) -> String {
        let switch = &self.shape.switches()[number as usize];
        let mut text = if switch.children.is_empty() {
            self.leaves.push(number);
            let mut text = self.nodes(&switch.nodes);
            if self.ranked {
                let _ = write!(text, "~{}", number + 1);
            }
            text
        } else {
            let own = self.own(number);
            let mut items = self.items(&own);
            for &other in switch.children.iter().filter(|child| !own.contains(child)) {
                if !items.is_empty() {
                    items.push(',');
                }
                let _ = write!(items, "_{}", self.number(other));
            }
            format!("({items})")
        };
        if let Some(Kbps(rate)) = switch.uplink {
            let _ = write!(text, ":{}", Decimal::of_ratio(rate.into(), 1000));
        }
        text
    }

    fn nodes(&mut self, nodes: &[u32]) -> String {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for &node in nodes {
            match ranges.last_mut() {
                Some(range) if range.1 + 1 == node => range.1 = node,
                _ => ranges.push((node, node)),
            }
        }
        let text = match ranges[..] {
            [] => return "0".to_owned(),
            [(first, _)] if first == self.next => nodes.len().to_string(),
            _ => {
                let range = |&(first, last): &(u32, u32)| match first == last {
                    true => (first + 1).to_string(),
                    false => format!("{}-{}", first + 1, last + 1),
                };
                let ranges: Vec<String> = ranges.iter().map(range).collect();
                format!("n{}", ranges.join("."))
            }
        };
        self.next = nodes[nodes.len() - 1] + 1;
        text
    }
}
