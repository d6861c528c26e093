//! Why no placement is found for a job on parts of a system over which it may not be spread, in
//! words.

use std::fmt;

use super::facts::Explanation;
use super::list::{list, many};
use backfill_sim::system::describe::{Barrier, Refusal, Room};

/// Says what keeps a job from running, and what there is in each part.
pub(super) fn say(
    refusal: &Refusal,
    explanation: &Explanation,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let &Explanation { part, unit, .. } = explanation;
    write!(f, "{}: ", barrier(refusal, explanation))?;
    let home = match refusal.barrier {
        Barrier::Home { part } => Some(part as usize),
        _ => None,
    };
    let rooms: Vec<(usize, &Room)> = refusal.rooms.iter().enumerate().collect();
    let own = |&(number, _): &(usize, &Room)| home.is_none_or(|home| home == number);
    let rooms: Vec<(usize, &Room)> = rooms.into_iter().filter(own).collect();
    list(f, &rooms, |&(number, room), f| {
        write!(f, "{part} {number} has {} free", many(room.free, unit))?;
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

/// Why no placement is found for a job.
fn barrier(refusal: &Refusal, explanation: &Explanation) -> String {
    let &Explanation {
        size, part, unit, ..
    } = explanation;
    let units = many(size, unit);
    match refusal.barrier {
        Barrier::Home { .. } => format!("its home {part} does not have {units} free"),
        Barrier::Single => format!("no {part} has {units} free"),
        Barrier::TooFew => format!("fewer than {units} are free in all {part}s together"),
        Barrier::Loaded { threshold } => format!(
            "no {part} has {units} free, and the {part}s whose links are loaded below {threshold} % \
             do not have {units} free together"
        ),
        Barrier::Large { threshold, least } => format!(
            "no {part} has {units} free, and none whose link is loaded below {threshold} % has {} \
             free for the big chunk",
            many(least, unit)
        ),
        Barrier::Split { threshold } => format!(
            "no {part} has {units} free, and every split would load a link above {threshold} %"
        ),
    }
}
