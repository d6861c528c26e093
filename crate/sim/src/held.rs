//! What an allocation holds, in few bytes: a run of a million jobs keeps as many allocations.
//!
//! Its numbers stand one after the other, each in groups of seven bits from the lowest; the highest
//! bit of a byte says that another one follows. Servers and links are written as differences, which
//! are small since both ascend.

use crate::id::LinkId;
use crate::machine::Stretch;
use crate::unit::Kbps;

/// Servers or nodes, processes and links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held(Box<[u8]>);

impl Held {
    /// The stretches with the slots on each of their servers or nodes; which process of the job
    /// holds each share, empty if they are in the order of the shares or do not differ; and the
    /// bandwidth reserved on each link.
    pub fn new(stretches: &[Stretch], processes: &[u32], reservations: &[(LinkId, Kbps)]) -> Held {
        let mut bytes = places(stretches);
        let mut links = Vec::new();
        let mut before = 0;
        for &(link, bandwidth) in reservations {
            write(&mut links, u64::from(link.0.wrapping_sub(before)));
            write(&mut links, bandwidth.0);
            before = link.0;
        }
        append(&mut bytes, &links);
        for &process in processes {
            write(&mut bytes, u64::from(process));
        }
        Held(bytes.into())
    }

    /// The same on other servers or nodes.
    pub(crate) fn on(&self, stretches: &[Stretch]) -> Held {
        let mut rest = Numbers(&self.0);
        rest.part();
        let mut bytes = places(stretches);
        bytes.extend_from_slice(rest.0);
        Held(bytes.into())
    }

    /// The servers or nodes, and the slots on each.
    pub fn stretches(&self) -> impl Iterator<Item = Stretch> {
        let mut numbers = Numbers(&self.0).part();
        let mut before = 0_u32;
        std::iter::from_fn(move || {
            before = before.wrapping_add(numbers.next()? as u32);
            Some(Stretch {
                first: before,
                count: numbers.next()? as u32,
                slots: numbers.next()? as u32,
            })
        })
    }

    /// (link, bandwidth reserved on it).
    pub fn reservations(&self) -> impl Iterator<Item = (LinkId, Kbps)> {
        let mut numbers = Numbers(&self.0);
        numbers.part();
        let mut numbers = numbers.part();
        let mut before = 0_u32;
        std::iter::from_fn(move || {
            before = before.wrapping_add(numbers.next()? as u32);
            Some((LinkId(before), Kbps(numbers.next()?)))
        })
    }

    /// Which process of the job holds each share; empty if they are in the order of the shares or do
    /// not differ.
    pub fn processes(&self) -> impl Iterator<Item = u32> {
        let mut numbers = Numbers(&self.0);
        numbers.part();
        numbers.part();
        numbers.map(|process| process as u32)
    }
}

/// The part of the stretches.
fn places(stretches: &[Stretch]) -> Vec<u8> {
    let mut places = Vec::new();
    let mut before = 0;
    for stretch in stretches {
        write(&mut places, u64::from(stretch.first.wrapping_sub(before)));
        write(&mut places, u64::from(stretch.count));
        write(&mut places, u64::from(stretch.slots));
        before = stretch.first;
    }
    let mut bytes = Vec::with_capacity(places.len() + 2);
    append(&mut bytes, &places);
    bytes
}

/// Appends a part, which begins with its length in bytes.
fn append(bytes: &mut Vec<u8>, part: &[u8]) {
    write(bytes, part.len() as u64);
    bytes.extend_from_slice(part);
}

fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The numbers that are left to be read.
struct Numbers<'a>(&'a [u8]);

impl<'a> Numbers<'a> {
    /// The numbers of the next part, which begins with its length in bytes.
    fn part(&mut self) -> Numbers<'a> {
        let length = self.next().unwrap_or(0) as usize;
        let (part, rest) = self.0.split_at(length);
        self.0 = rest;
        Numbers(part)
    }
}

impl Iterator for Numbers<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let mut number = 0;
        let mut place = 0;
        while let Some((&byte, rest)) = self.0.split_first() {
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << place;
            if byte < 0x80 {
                return Some(number);
            }
            place += 7;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_is_read_as_it_was_written() {
        let stretch = |first, count, slots| Stretch {
            first,
            count,
            slots,
        };
        let all = [u32::MAX, 0, 127, 128, 1 << 14, 7].map(|first| stretch(first, 300, first));
        let links = [(9, 0), (3, u64::MAX), (u32::MAX, 1 << 35), (4, 100_000)];
        let links = links.map(|(link, kbps)| (LinkId(link), Kbps(kbps)));
        for (stretches, processes, reservations) in [
            (&all[..], &[5, 0, u32::MAX][..], &links[..]),
            (&all[..1], &[], &links[..1]),
            (&all[2..4], &[1], &[]),
            (&[], &[], &[]),
        ] {
            let held = Held::new(stretches, processes, reservations);
            assert_eq!(held.stretches().collect::<Vec<_>>(), stretches);
            assert_eq!(held.processes().collect::<Vec<_>>(), processes);
            assert_eq!(held.reservations().collect::<Vec<_>>(), reservations);
            let elsewhere = Held::new(&all[1..3], processes, reservations);
            assert_eq!(held.on(&all[1..3]), elsewhere);
        }
    }
}
