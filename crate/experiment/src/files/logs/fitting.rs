//! The fat-tree on which every job of a log fits.
//!
//! Nothing here changes a scenario: a [`FittingTree`] is a list of keys and values.

use crate::language::words::grouped;
use backfill_sim::workload::trace::{MachineSource, Trace};

/// Pods of the proposed fat-trees: with fewer, switches have no alternatives.
const PODS: std::ops::RangeInclusive<u32> = 4..=64;
/// Slots of their servers, as powers of two, if the log does not state the size of its nodes.
const POWERS: std::ops::RangeInclusive<u32> = 0..=6;
/// The preferred power: eight slots, the default of a scenario.
const PREFERRED: u32 = 3;
/// The most slots of a server.
const MOST_SLOTS: u32 = 1024;

/// A fat-tree as keys of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FittingTree {
    /// Its keys and their values.
    pub pairs: Vec<(&'static str, String)>,
    /// Its description.
    pub text: String,
}

/// The processors that a system needs for a log: those of its machine, or of its widest job if that
/// has more.
pub fn processors(trace: &Trace) -> u32 {
    let widest = trace.rows.iter().map(|row| row.size).max();
    trace.machine.max(widest.unwrap_or(0))
}

/// Processors of each node of the log's machine, if the header says that nodes have several.
fn slots_of_nodes(trace: &Trace) -> Option<u32> {
    // Then jobs request nodes, or nothing is known about them.
    if matches!(
        trace.machine_source,
        MachineSource::MaxNodes | MachineSource::LargestJob
    ) {
        return None;
    }
    let count = |key| trace.header.count(key).filter(|&count| count > 0);
    let (processors, nodes) = (count("MaxProcs")?, count("MaxNodes")?);
    let slots = u32::try_from(processors / nodes).ok()?;
    (processors % nodes == 0 && (2..=MOST_SLOTS).contains(&slots)).then_some(slots)
}

/// The fat-tree for a log, if one is large enough: its servers are the log's nodes; without nodes, of
/// the smallest one and those at most a tenth larger, the one whose servers have nearest to eight
/// slots.
pub fn fat_tree(trace: &Trace) -> Option<FittingTree> {
    fitting_tree(processors(trace), slots_of_nodes(trace))
}

/// The fat-tree of at least that many processors, with so many slots in each server if they are
/// known.
fn fitting_tree(processors: u32, slots: Option<u32>) -> Option<FittingTree> {
    let sizes = match slots {
        Some(slots) => vec![slots],
        None => POWERS.map(|power| 1 << power).collect(),
    };
    let servers = |k: u32| u64::from(k).pow(3) / 4;
    let smallest = |slots: u32| {
        let k = PODS
            .step_by(2)
            .find(|&k| servers(k) * u64::from(slots) >= u64::from(processors))?;
        Some((k, slots, servers(k) * u64::from(slots)))
    };
    let trees: Vec<(u32, u32, u64)> = sizes.into_iter().filter_map(smallest).collect();
    let least = trees.iter().map(|&(.., all)| all).min()?;
    let near = trees
        .into_iter()
        .filter(|&(.., all)| all * 10 <= least * 11);
    let (k, slots, all) =
        near.min_by_key(|&(_, slots, all)| (slots.ilog2().abs_diff(PREFERRED), all))?;
    let each = if slots == 1 { "slot" } else { "slots" };
    Some(FittingTree {
        pairs: vec![
            ("system", "fat-tree".to_owned()),
            ("k", k.to_string()),
            ("slots", slots.to_string()),
        ],
        text: format!(
            "a fat-tree with k = {k} and {slots} {each} per server ({} slots)",
            grouped(all)
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::logs::{Options, TraceReader};
    use crate::language::scenario::Scenario;
    use backfill_sim::workload::Format;

    /// A log with this header and a job of each of these sizes.
    fn log(header: &str, sizes: &[u32]) -> Trace {
        let mut reader = TraceReader::new(Format::Swf, Options::named("log"));
        reader.push(header.as_bytes()).expect("a header");
        for (number, size) in (1..).zip(sizes) {
            let line = format!("{number} {number} 0 9 {size} -1 -1 -1 9 -1 1 1 1 1 1 -1 -1 -1\n");
            reader.push(line.as_bytes()).expect("a line");
        }
        reader.finish().expect("a log")
    }

    #[track_caller]
    fn proposes(trace: &Trace, expected: &[&str]) {
        let texts: Vec<String> = fat_tree(trace).into_iter().map(|each| each.text).collect();
        assert_eq!(texts, expected);
    }

    /// The slots of a proposed system, which must be valid in a scenario.
    fn slots(system: FittingTree) -> u64 {
        let scenario = Scenario::parse(system.pairs).expect("a valid scenario");
        scenario.setup(None, None, 0).system.capacity().slots
    }

    #[test]
    fn every_width_up_to_100_000_fits_on_a_fat_tree() {
        for width in 1..=100_000 {
            let wanted = u64::from(width);
            let tree = fitting_tree(width, None).expect("a fat-tree");
            let [_, (_, k), (_, per_server)] = &tree.pairs[..] else {
                panic!("{tree:?}");
            };
            let [k, per_server] =
                [k, per_server].map(|text| text.parse::<u64>().expect("a number"));
            let all = k * k * k / 4 * per_server;
            assert!(all >= wanted, "{width}: {tree:?}");
            // The smallest tree has 16 servers.
            assert!(all == 16 || all < 2 * wanted, "{width}: {tree:?}");
            // Reading a whole scenario each time would take minutes.
            if width % 997 == 1 || width > 99_998 {
                assert_eq!(slots(tree), all);
            }
        }
    }

    #[test]
    fn a_log_is_proposed_systems_of_the_size_of_its_machine() {
        let header = "; MaxProcs: 430\n; MaxNodes: 430\n";
        proposes(
            &log(header, &[1, 16]),
            &["a fat-tree with k = 6 and 8 slots per server (432 slots)"],
        );
        // Its widest job is wider than its header says.
        proposes(
            &log("; MaxNodes: 64\n", &[1, 128]),
            &["a fat-tree with k = 4 and 8 slots per server (128 slots)"],
        );
        proposes(
            &log("", &[93_312]),
            &["a fat-tree with k = 36 and 8 slots per server (93,312 slots)"],
        );
    }

    #[test]
    fn servers_are_the_nodes_of_the_log_where_these_have_several_processors() {
        proposes(
            &log("; MaxProcs: 8192\n; MaxNodes: 1024\n", &[1]),
            &["a fat-tree with k = 16 and 8 slots per server (8,192 slots)"],
        );
        proposes(
            &log("; MaxProcs: 600\n; MaxNodes: 50\n", &[1]),
            &["a fat-tree with k = 6 and 12 slots per server (648 slots)"],
        );
    }

    #[test]
    fn what_is_too_large_for_a_system_is_not_proposed() {
        proposes(
            &log("; MaxProcs: 2000000\n", &[1]),
            &["a fat-tree with k = 64 and 32 slots per server (2,097,152 slots)"],
        );
        proposes(&log("; MaxProcs: 2000000000\n", &[1]), &[]);
    }
}
