//! Why a job finds no place on clusters, in words.

use std::fmt;

use super::list::{list, many};
use backfill_sim::system::multi_cluster::place::{Barrier, Refusal, Room};

/// Says what keeps a job of so many nodes from running, and what there is in each cluster.
pub(super) fn say(refusal: &Refusal, size: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{}: ", barrier(refusal, size))?;
    let home = match refusal.barrier {
        Barrier::Home { cluster } => Some(cluster as usize),
        _ => None,
    };
    let rooms: Vec<(usize, &Room)> = refusal.rooms.iter().enumerate().collect();
    let own = |&(cluster, _): &(usize, &Room)| home.is_none_or(|home| home == cluster);
    let rooms: Vec<(usize, &Room)> = rooms.into_iter().filter(own).collect();
    list(f, &rooms, |&(cluster, room), f| {
        write!(f, "cluster {cluster} has {} free", many(room.free, "node"))?;
        if room.most < room.free {
            write!(f, ", of which it may have {}", room.most)?;
        }
        match home {
            Some(_) => Ok(()),
            None => write!(f, " (link: {} of {})", room.asked.mbps(), room.capacity),
        }
    })?;
    write!(f, ".")
}

/// Why a job of so many nodes finds no place on clusters.
fn barrier(refusal: &Refusal, size: u32) -> String {
    let nodes = many(size, "node");
    match refusal.barrier {
        Barrier::Home { .. } => format!("its home does not have {nodes} free"),
        Barrier::Single => format!("no cluster has {nodes} free"),
        Barrier::TooFew => format!("fewer than {nodes} are free in all clusters together"),
        Barrier::Loaded { threshold } => format!(
            "no cluster has {nodes} free, and neither have those together whose links are asked for \
             less than {threshold} %"
        ),
        Barrier::Part { threshold, least } => format!(
            "no cluster has {nodes} free, and none whose link is asked for less than {threshold} % \
             has {} for its large part",
            many(least, "node")
        ),
        Barrier::Split { threshold } => format!(
            "no cluster has {nodes} free, and every split would have a link asked for more than \
             {threshold} %"
        ),
    }
}
