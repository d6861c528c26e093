//! Where the nodes of a drawn network stand: level by level, groups apart.

use backfill_sim::system::describe::Level;

/// The part of a group's width that stays free on either side of its nodes.
const MARGIN: f32 = 0.06;

/// Where the nodes of a level stand from left to right: 0 is the left edge and 1 the right one.
pub fn places(level: Level) -> Vec<f32> {
    let Level { groups, nodes, .. } = level;
    let group = 1.0 / groups as f32;
    let apart = group * (1.0 - 2.0 * MARGIN) / nodes as f32;
    (0..groups * nodes)
        .map(|node| {
            let left = (node / nodes) as f32 * group + MARGIN * group;
            left + ((node % nodes) as f32 + 0.5) * apart
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
    fn nodes_stand_in_order_within_the_picture_and_groups_stand_apart() {
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
    fn a_switch_stands_over_the_middle_of_what_hangs_below_it() {
        let (switches, servers) = (places(level(4, 2)), places(level(4, 4)));
        for (switch, below) in switches.iter().zip(servers.chunks(2)) {
            assert!((switch - (below[0] + below[1]) / 2.0).abs() < 1e-6);
        }
    }
}
