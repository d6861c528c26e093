//! The positions of nodes in a drawn network: level by level, in groups.

use backfill_sim::system::describe::Level;

/// The part of a group's width that is free on either side of its nodes.
const MARGIN: f32 = 0.06;

/// The positions of the nodes of a level from left to right, from 0 at the left edge to 1 at the
/// right one.
pub fn places(level: Level) -> Vec<f32> {
    let Level { groups, nodes, .. } = level;
    let group = 1.0 / groups as f32;
    let step = group * (1.0 - 2.0 * MARGIN) / nodes as f32;
    (0..groups * nodes)
        .map(|node| {
            let left = (node / nodes) as f32 * group + MARGIN * group;
            left + ((node % nodes) as f32 + 0.5) * step
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(groups: u32, nodes: u32) -> Level {
        Level {
            name: "",
            groups,
            nodes,
        }
    }

    #[test]
    fn nodes_are_in_order_within_the_picture_with_gaps_between_groups() {
        for (groups, nodes) in [(1, 1), (1, 16), (4, 2), (8, 16)] {
            let places = places(level(groups, nodes));
            assert_eq!(places.len(), (groups * nodes) as usize);
            assert!(places.windows(2).all(|ends| ends[0] < ends[1]));
            assert!(places[0] > 0.0 && places[places.len() - 1] < 1.0);
            for between in (nodes as usize..places.len()).step_by(nodes as usize) {
                let within = if nodes > 1 {
                    places[1] - places[0]
                } else {
                    0.0
                };
                assert!(places[between] - places[between - 1] > within);
            }
        }
    }

    #[test]
    fn a_switch_is_over_the_middle_of_its_children() {
        let (switches, servers) = (places(level(4, 2)), places(level(4, 4)));
        for (switch, below) in switches.iter().zip(servers.chunks(2)) {
            assert!((switch - (below[0] + below[1]) / 2.0).abs() < 1e-6);
        }
    }
}
