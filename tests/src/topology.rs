//! Slurm's placements on trees and blocks, done slowly and plainly: sets of nodes, recomputed
//! whenever they are asked for.

use std::collections::BTreeSet;

use backfill_sim::rng::Stream;

/// Nodes, from 0, in node order.
pub type Nodes = BTreeSet<u32>;

/// A switch or block of a file.
#[derive(Clone, Debug)]
pub struct Line {
    /// The nodes of a leaf or block.
    pub nodes: Vec<u32>,
    /// The switches that it lists, by their lines.
    pub children: Vec<usize>,
}

/// A machine as its file gives it.
#[derive(Clone, Debug)]
pub struct Machine {
    /// How many nodes it has.
    pub nodes: u32,
    /// The switches or blocks, in the order of the file.
    pub lines: Vec<Line>,
    /// The sizes of blocks; empty for a tree.
    pub sizes: Vec<u32>,
}

impl Machine {
    /// The text of its topology.conf.
    pub fn conf(&self) -> String {
        let mut text = String::new();
        let kind = if self.sizes.is_empty() {
            "Switch"
        } else {
            "Block"
        };
        for (line, switch) in self.lines.iter().enumerate() {
            let names = |prefix: &str, all: &mut dyn Iterator<Item = u32>| {
                let names: Vec<String> = all.map(|number| format!("{prefix}{number}")).collect();
                names.join(",")
            };
            text += &format!("{kind}Name=s{line}");
            if !switch.children.is_empty() {
                let mut children = switch.children.iter().map(|&child| child as u32);
                text += &format!(" Switches={}", names("s", &mut children));
            } else if !switch.nodes.is_empty() {
                let mut nodes = switch.nodes.iter().map(|node| node + 1);
                text += &format!(" Nodes={}", names("n", &mut nodes));
            }
            text.push('\n');
        }
        if !self.sizes.is_empty() {
            let sizes: Vec<String> = self.sizes.iter().map(u32::to_string).collect();
            text += &format!("BlockSizes={}\n", sizes.join(","));
        }
        text
    }

    fn parent(&self, line: usize) -> Option<usize> {
        (0..self.lines.len()).rfind(|&above| self.lines[above].children.contains(&line))
    }

    fn level(&self, line: usize) -> u32 {
        let children = self.lines[line].children.iter();
        children
            .map(|&child| 1 + self.level(child))
            .max()
            .unwrap_or(0)
    }

    fn below(&self, line: usize) -> Nodes {
        let mut below: Nodes = self.lines[line].nodes.iter().copied().collect();
        for &child in &self.lines[line].children {
            below.append(&mut self.below(child));
        }
        below
    }

    /// A switch and all that are below it.
    fn under(&self, line: usize) -> BTreeSet<usize> {
        let mut under = BTreeSet::from([line]);
        for &child in &self.lines[line].children {
            under.append(&mut self.under(child));
        }
        under
    }

    fn root(&self, line: usize) -> usize {
        self.parent(line).map_or(line, |parent| self.root(parent))
    }

    /// The least number of steps from one switch to each, by trying all ways of growing length.
    fn hops(&self, from: usize) -> Vec<Option<u32>> {
        let mut hops = vec![None; self.lines.len()];
        hops[from] = Some(0);
        for length in 1..=self.lines.len() as u32 {
            for above in 0..self.lines.len() {
                for &child in &self.lines[above].children {
                    for (one, other) in [(above, child), (child, above)] {
                        if hops[one] == Some(length - 1) && hops[other].is_none() {
                            hops[other] = Some(length);
                        }
                    }
                }
            }
        }
        hops
    }

    /// What topology/tree gives a job of `count` nodes.
    pub fn tree(&self, free: &Nodes, count: usize, rule: u32) -> Option<Nodes> {
        if rule == 26 && count == 1 {
            return free.first().map(|&node| Nodes::from([node]));
        }
        let idle = |line: usize| self.below(line).intersection(free).count();
        let lines = 0..self.lines.len();
        let top = lines.clone().filter(|&line| idle(line) >= count);
        let top = top.max_by_key(|&line| (self.level(line), line))?;
        let inside = self.below(top);
        let mut counts: Vec<usize> = lines
            .clone()
            .map(|line| {
                self.below(line)
                    .intersection(free)
                    .filter(|n| inside.contains(n))
                    .count()
            })
            .collect();
        let mut far: Vec<Option<u32>> = vec![Some(0); self.lines.len()];
        let mut taken = Nodes::new();
        while taken.len() < count {
            let missing = count - taken.len();
            let mut best: Option<usize> = None;
            for line in lines.clone().filter(|&line| self.level(line) == 0) {
                let Some(own) = far[line].filter(|_| counts[line] > 0) else {
                    continue;
                };
                let replaces = best.is_none_or(|best| {
                    let (sign, fits) = self.compare(&counts, missing, line, best);
                    let may = if rule == 22 { sign >= 0 } else { fits };
                    let other = far[best].expect("it was reached");
                    own < other && may || own == other && sign > 0
                });
                if replaces {
                    best = Some(line);
                }
            }
            let best = best?;
            let own = self.below(best);
            taken.extend(own.intersection(free).take(missing));
            for (far, hops) in far.iter_mut().zip(self.hops(best)) {
                *far = far.zip(hops).map(|(far, hops)| far + hops);
            }
            let had = std::mem::take(&mut counts[best]);
            let mut above = self.parent(best).filter(|_| rule != 22);
            while let Some(line) = above {
                counts[line] -= had;
                above = self.parent(line);
            }
        }
        Some(taken)
    }

    fn compare(&self, counts: &[usize], missing: usize, one: usize, other: usize) -> (i32, bool) {
        let sign = |better: bool, worse: bool| i32::from(better) - i32::from(worse);
        let (a, b) = (counts[one], counts[other]);
        let (low, high) = (self.level(one), self.level(other));
        let lower = sign(low < high, low > high);
        match (a >= missing, b >= missing) {
            (true, true) if a != b => (sign(a < b, a > b), true),
            (true, true) => (lower, true),
            (true, false) => (1, true),
            (false, true) => (-1, false),
            (false, false) => match (self.parent(one), self.parent(other)) {
                (Some(above), Some(beside)) if above != beside => {
                    self.compare(counts, missing, above, beside)
                }
                _ if a != b => (sign(a > b, a < b), false),
                _ => (lower, false),
            },
        }
    }

    /// What topology/block gives a job of `count` nodes, in segments of `segment` or whole.
    pub fn block(&self, free: &Nodes, count: usize, rule: u32, cut: Cut) -> Option<Nodes> {
        let all: Nodes = self
            .lines
            .iter()
            .flat_map(|line| line.nodes.clone())
            .collect();
        let mut open: Nodes = free.intersection(&all).copied().collect();
        if rule == 26 && count == 1 || open.is_empty() {
            return linear(free, count, rule);
        }
        let base = self.sizes[0] as usize;
        let segment = match cut.segment {
            0 => count,
            segment if segment > count && rule == 26 => count,
            segment if segment > count || !count.is_multiple_of(segment) => return None,
            segment if segment > base && rule != 26 => return None,
            segment => segment,
        };
        loop {
            let mut taken = Nodes::new();
            match self.attempt(&open, count, segment, cut, &mut taken) {
                Ok(()) => return Some(taken),
                Err(hard) if hard && rule == 26 && open.len() > count => {
                    let first = *taken.first()?;
                    open.remove(&first);
                }
                Err(_) => return None,
            }
        }
    }

    fn aggregate(&self, nodes: usize) -> usize {
        let size = self.sizes.iter().find(|&&size| size as usize >= nodes);
        size.map_or(self.lines.len(), |size| (size / self.sizes[0]) as usize)
    }

    fn attempt(
        &self,
        open: &Nodes,
        count: usize,
        segment: usize,
        cut: Cut,
        taken: &mut Nodes,
    ) -> Result<(), bool> {
        let within = |blocks: &[Line]| -> Nodes {
            let nodes = blocks.iter().flat_map(|block| block.nodes.clone());
            nodes.filter(|node| open.contains(node)).collect()
        };
        if !cut.consolidate {
            return self.rest(open.clone(), count / segment, segment, cut, taken);
        }
        let base = self.sizes[0] as usize;
        let size = match cut.spread {
            true => segment.div_ceil(base) * base * (count / segment),
            false => count,
        };
        let mut aggregates: Vec<Nodes> = self
            .lines
            .chunks(self.aggregate(size))
            .map(within)
            .collect();
        aggregates.retain(|nodes| nodes.len() >= count);
        loop {
            taken.clear();
            let first: Nodes = aggregates.iter().flatten().copied().collect();
            self.place(&first, segment, taken)?;
            let chosen = aggregates.iter().position(|nodes| taken.is_subset(nodes));
            let chosen = chosen.expect("a segment lies in one aggregate");
            let mut left = aggregates[chosen].clone();
            self.close(&mut left, taken, cut);
            let others = count / segment - 1;
            if self.rest(left, others, segment, cut, taken).is_ok() {
                return Ok(());
            }
            aggregates.remove(chosen);
        }
    }

    fn close(&self, open: &mut Nodes, taken: &Nodes, cut: Cut) {
        open.retain(|node| !taken.contains(node));
        if cut.spread {
            for block in &self.lines {
                if block.nodes.iter().any(|node| taken.contains(node)) {
                    open.retain(|node| !block.nodes.contains(node));
                }
            }
        }
    }

    fn rest(
        &self,
        mut open: Nodes,
        segments: usize,
        segment: usize,
        cut: Cut,
        taken: &mut Nodes,
    ) -> Result<(), bool> {
        for _ in 0..segments {
            let mut own = Nodes::new();
            let result = self.place(&open, segment, &mut own);
            taken.extend(&own);
            result?;
            self.close(&mut open, &own, cut);
        }
        Ok(())
    }

    /// One segment; an error says whether a limit is in the way.
    fn place(&self, open: &Nodes, count: usize, taken: &mut Nodes) -> Result<(), bool> {
        let base = self.sizes[0] as usize;
        let mut need = 0;
        while base << need < count {
            need += 1;
        }
        let level = |size: u32| (size / self.sizes[0]).trailing_zeros();
        let per = self.aggregate(base << need);
        let low = self
            .sizes
            .iter()
            .map(|&size| level(size))
            .filter(|&level| level < need)
            .max();
        let lower = 1_usize << low.unwrap_or(0);
        let most = count.div_ceil(lower * base);
        let limited = per != lower * most;
        let idle = |block: usize| -> usize {
            let nodes = self.lines[block].nodes.iter();
            nodes.filter(|node| open.contains(node)).count()
        };
        let idle: Vec<usize> = (0..self.lines.len()).map(idle).collect();
        let sum = |blocks: &[usize]| blocks.iter().sum::<usize>();
        let mut chosen: Option<usize> = None;
        for (aggregate, blocks) in idle.chunks(per).enumerate() {
            let mut lowers: Vec<usize> = blocks.chunks(lower).map(sum).collect();
            lowers.truncate(per / lower);
            lowers.sort_unstable();
            lowers.reverse();
            lowers.truncate(most);
            let available = if limited { sum(&lowers) } else { sum(blocks) };
            let least = |other: usize| sum(idle.chunks(per).nth(other).expect("an aggregate"));
            if available >= count && chosen.is_none_or(|other| sum(blocks) <= least(other)) {
                chosen = Some(aggregate);
            }
        }
        let start = chosen.ok_or(false)? * per;
        let mut unused: Vec<usize> = (start..idle.len().min(start + per)).collect();
        let lower_of = |block: usize| (block - start) / lower;
        let in_lower = |block: usize| {
            let first = start + lower_of(block) * lower;
            sum(&idle[first..(first + lower).min(idle.len()).min(start + per)])
        };
        let mut lowers: BTreeSet<usize> = BTreeSet::new();
        let mut missing = count;
        while missing > 0 {
            let mut best: Option<usize> = None;
            for &block in &unused {
                let Some(other) = best else {
                    best = Some(block);
                    continue;
                };
                // 1 better, −1 worse, 0 the same.
                let by_fit = |one: usize, other: usize| match (one >= missing, other >= missing) {
                    (true, false) => 1,
                    (false, true) => -1,
                    (true, true) => i32::from(one < other) - i32::from(one > other),
                    (false, false) => i32::from(one > other) - i32::from(one < other),
                };
                let mut verdict = 0;
                if limited && lower_of(block) != lower_of(other) {
                    let used = |block| i32::from(lowers.contains(&lower_of(block)));
                    verdict = used(block) - used(other);
                    if verdict == 0 {
                        verdict = by_fit(in_lower(block), in_lower(other));
                    }
                }
                if verdict == 0 {
                    verdict = by_fit(idle[block], idle[other]);
                }
                if verdict >= 0 {
                    best = Some(block);
                }
            }
            let best = best.ok_or(true)?;
            if limited && !lowers.contains(&lower_of(best)) && lowers.len() == most {
                return Err(true);
            }
            lowers.insert(lower_of(best));
            unused.retain(|&block| block != best);
            let own: Nodes = self.lines[best]
                .nodes
                .iter()
                .copied()
                .filter(|n| open.contains(n))
                .collect();
            if own.is_empty() {
                return Err(true);
            }
            let own: Vec<u32> = own.into_iter().take(missing).collect();
            missing -= own.len();
            taken.extend(own);
        }
        Ok(())
    }
}

/// How a job is cut for blocks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cut {
    /// Nodes of a segment; 0 for the whole job.
    pub segment: usize,
    /// Each on base blocks of its own.
    pub spread: bool,
    /// All in one aggregate.
    pub consolidate: bool,
}

/// What Slurm without a topology gives a job of `count` nodes.
pub fn linear(free: &Nodes, count: usize, rule: u32) -> Option<Nodes> {
    if free.len() < count {
        return None;
    }
    if rule == 26 && count == 1 {
        return free.first().map(|&node| Nodes::from([node]));
    }
    let mut runs: Vec<Vec<u32>> = Vec::new();
    for &node in free {
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|last| last + 1 == node) => run.push(node),
            _ => runs.push(vec![node]),
        }
    }
    let mut taken = Nodes::new();
    while taken.len() < count {
        let missing = count - taken.len();
        let enough = (0..runs.len()).filter(|&run| runs[run].len() >= missing);
        let shortest = enough.min_by_key(|&run| (runs[run].len(), run));
        let longest = (0..runs.len()).max_by_key(|&run| (runs[run].len(), usize::MAX - run));
        let run = runs.remove(shortest.or(longest)?);
        taken.extend(run.into_iter().take(missing));
    }
    Some(taken)
}

/// A random tree: one to three roots, uneven depth, lines and nodes shuffled; its nodes are all in
/// switches.
pub fn random_tree(draws: &mut Stream, leaves: u64) -> Machine {
    let mut below = |n: u64| draws.below(n);
    let count = 2 + below(leaves) as usize;
    let sizes: Vec<u64> = (0..count).map(|_| 1 + below(6)).collect();
    let total: u64 = sizes.iter().sum();
    let mut nodes: Vec<u32> = (0..total as u32).collect();
    if below(2) == 0 {
        shuffle(&mut nodes, &mut below);
    }
    let mut nodes = nodes.into_iter();
    let mut lines: Vec<Line> = sizes
        .iter()
        .map(|&size| Line {
            nodes: nodes.by_ref().take(size as usize).collect(),
            children: Vec::new(),
        })
        .collect();
    let roots = 1 + below(3) as usize;
    let mut open: Vec<usize> = (0..count).collect();
    while open.len() > roots {
        let many = (1 + below(4) as usize).min(open.len());
        let children = (0..many).map(|_| open.remove(below(open.len() as u64) as usize));
        let children: Vec<usize> = children.collect();
        open.push(lines.len());
        lines.push(Line {
            nodes: Vec::new(),
            children,
        });
        if lines.len() > 3 * count {
            break;
        }
    }
    let mut order: Vec<usize> = (0..lines.len()).collect();
    if below(2) == 0 {
        shuffle(&mut order, &mut below);
    }
    let place = |line: usize| order.iter().position(|&old| old == line).expect("a line");
    let moved = |&old: &usize| Line {
        children: lines[old]
            .children
            .iter()
            .map(|&child| place(child))
            .collect(),
        ..lines[old].clone()
    };
    Machine {
        nodes: total as u32,
        lines: order.iter().map(moved).collect(),
        sizes: Vec::new(),
    }
}

/// Random blocks, of which some are small or empty where `uneven`.
pub fn random_blocks(draws: &mut Stream, uneven: bool) -> Machine {
    let mut below = |n: u64| draws.below(n);
    let base = 2 + below(4) as u32;
    let mut first = 0;
    let lines = (0..2 + below(10)).map(|_| {
        let size = match below(4) {
            0 if uneven => below(u64::from(base) + 1) as u32,
            1 => base + below(2) as u32,
            _ => base,
        };
        first += size;
        Line {
            nodes: (first - size..first).collect(),
            children: Vec::new(),
        }
    });
    let lines: Vec<Line> = lines.collect();
    let mut sizes = vec![base];
    sizes.extend((1..4).map(|level| base << level).filter(|_| below(2) == 0));
    Machine {
        nodes: first,
        lines,
        sizes,
    }
}

fn shuffle<T>(items: &mut [T], below: &mut impl FnMut(u64) -> u64) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(last as u64 + 1) as usize);
    }
}

/// The same where some switches are listed by a second one below the same root.
pub fn with_second_parents(mut machine: Machine, draws: &mut Stream) -> Machine {
    let count = machine.lines.len();
    for _ in 0..4 {
        let mut line = || draws.below(count as u64) as usize;
        let (child, other) = (line(), line());
        let under = machine.under(child);
        let inner = !machine.lines[other].children.is_empty();
        let listed = machine.lines[other].children.contains(&child);
        if inner && !listed && !under.contains(&other) && machine.parent(child).is_some() {
            let mut changed = machine.clone();
            changed.lines[other].children.push(child);
            let root = |line: usize| changed.root(line);
            let one_root = (0..count).all(|above| {
                let children = changed.lines[above].children.iter();
                children.clone().all(|&child| root(child) == root(above))
            });
            if one_root {
                machine = changed;
            }
        }
    }
    machine
}
