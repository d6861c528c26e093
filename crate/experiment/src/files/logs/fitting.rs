//! Systems on which every job of a log fits.
//!
//! Nothing here changes a scenario: a [`FittingSystem`] is a list of keys and values.

use crate::language::words::grouped;
use backfill_sim::workload::trace::{MachineSource, Trace};
use serde::Serialize;

/// Pods of the proposed fat-trees: with fewer, switches have no alternatives.
const PODS: std::ops::RangeInclusive<u32> = 4..=64;
/// Slots of their servers, as powers of two, if the log does not state the size of its nodes.
const POWERS: std::ops::RangeInclusive<u32> = 0..=6;
/// The preferred power: eight slots, the default of a scenario.
const PREFERRED: u32 = 3;
/// The most nodes of a cluster, and slots of a server.
const MOST_NODES: u32 = 1_000_000;
const MOST_SLOTS: u32 = 1024;

/// A system as keys of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ts_rs::TS)]
pub struct FittingSystem {
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

/// Systems with at least that many processors: a fat-tree and a cluster of nodes; each is left out
/// if none is large enough.
pub fn systems(trace: &Trace) -> Vec<FittingSystem> {
    let processors = processors(trace);
    let tree = fat_tree(processors, slots_of_nodes(trace));
    [tree, cluster(processors)].into_iter().flatten().collect()
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

/// The fat-tree whose servers are the log's nodes; without nodes, of the smallest one and those at
/// most a tenth larger, the one whose servers have nearest to eight slots.
fn fat_tree(processors: u32, slots: Option<u32>) -> Option<FittingSystem> {
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
    Some(FittingSystem {
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

fn cluster(processors: u32) -> Option<FittingSystem> {
    let nodes = if processors == 1 { "node" } else { "nodes" };
    (processors <= MOST_NODES).then(|| FittingSystem {
        pairs: vec![
            ("system", "nodes".to_owned()),
            ("nodes", processors.to_string()),
        ],
        text: format!("a cluster of {} {nodes}", grouped(u64::from(processors))),
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
        let texts: Vec<String> = systems(trace).into_iter().map(|each| each.text).collect();
        assert_eq!(texts, expected);
    }

    /// The slots of a proposed system, which must be valid in a scenario.
    fn slots(system: FittingSystem) -> u64 {
        let scenario = Scenario::parse(system.pairs).expect("a valid scenario");
        scenario.setup(None, None, 0).system.capacity().slots
    }

    #[test]
    fn every_width_up_to_100_000_fits_on_both_systems() {
        for width in 1..=100_000 {
            let wanted = u64::from(width);
            let tree = fat_tree(width, None).expect("a fat-tree");
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
                assert_eq!(slots(cluster(width).expect("a cluster")), wanted);
            }
        }
    }

    #[test]
    fn a_log_is_proposed_systems_of_the_size_of_its_machine() {
        let header = "; MaxProcs: 430\n; MaxNodes: 430\n";
        proposes(
            &log(header, &[1, 16]),
            &[
                "a fat-tree with k = 6 and 8 slots per server (432 slots)",
                "a cluster of 430 nodes",
            ],
        );
        // Its widest job is wider than its header says.
        proposes(
            &log("; MaxNodes: 64\n", &[1, 128]),
            &[
                "a fat-tree with k = 4 and 8 slots per server (128 slots)",
                "a cluster of 128 nodes",
            ],
        );
        proposes(
            &log("", &[93_312]),
            &[
                "a fat-tree with k = 36 and 8 slots per server (93,312 slots)",
                "a cluster of 93,312 nodes",
            ],
        );
    }

    #[test]
    fn servers_are_the_nodes_of_the_log_where_these_have_several_processors() {
        proposes(
            &log("; MaxProcs: 8192\n; MaxNodes: 1024\n", &[1]),
            &[
                "a fat-tree with k = 16 and 8 slots per server (8,192 slots)",
                "a cluster of 8,192 nodes",
            ],
        );
        proposes(
            &log("; MaxProcs: 600\n; MaxNodes: 50\n", &[1]),
            &[
                "a fat-tree with k = 6 and 12 slots per server (648 slots)",
                "a cluster of 600 nodes",
            ],
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
