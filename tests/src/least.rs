//! The least that any embedding reserves, by trying all of them: only for very small trees.

use std::collections::BTreeMap;

use backfill_sim::id::LinkId;
use backfill_sim::job::Ask;
use backfill_sim::system::fat_tree::{FatTree, Switch};

use crate::embedding::{need, path, servers_below, switches};

/// The smallest sum of reservations over all links, in kbit/s, in the hose model; `None` where no
/// embedding exists.
pub fn least_reservation(tree: &FatTree, ask: &Ask) -> Option<u64> {
    let mut all = switches(tree);
    let servers = servers_below(tree, Switch::Core { j: 0, i: 0 });
    all.extend(servers.into_iter().map(Switch::Server));
    let least_below = |switch: Switch| {
        let servers = servers_below(tree, switch);
        least(tree, ask, switch, &servers, ask.size, &mut BTreeMap::new())
    };
    all.into_iter().filter_map(least_below).min()
}

fn least(
    tree: &FatTree,
    ask: &Ask,
    switch: Switch,
    servers: &[u32],
    left: u32,
    below: &mut BTreeMap<u32, u32>,
) -> Option<u64> {
    let Some((&server, others)) = servers.split_first() else {
        let needs = || below.iter().map(|(&link, &count)| (link, need(count, ask)));
        let fits = needs().all(|(link, need)| need <= tree.residual(LinkId(link)));
        return (left == 0 && fits).then(|| needs().map(|entry| entry.1.0).sum());
    };
    let links = path(tree, server, switch);
    let with = |machines| {
        for link in &links {
            *below.entry(*link).or_default() += machines;
        }
        let found = least(tree, ask, switch, others, left - machines, below);
        for link in &links {
            *below.entry(*link).or_default() -= machines;
        }
        found
    };
    (0..=left.min(tree.free_slots(server)))
        .filter_map(with)
        .min()
}
