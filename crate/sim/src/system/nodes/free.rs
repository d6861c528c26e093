//! Which virtual machines are free: one bit for each, looked at and changed a word at a time.
//!
//! Invariants: bits beyond the last machine are never set; `lowest` is the first word with a bit
//! set, or their number. A run costs the words it spans, the lowest runs those between them as
//! well.

use crate::id::{Id, VmId};

/// A set of virtual machines.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FreeSet {
    words: Vec<u64>,
    lowest: usize,
}

impl FreeSet {
    /// The first `count` machines.
    pub(super) fn all(count: u32) -> FreeSet {
        let mut words = vec![u64::MAX; count.div_ceil(64) as usize];
        if let Some(last) = words.last_mut().filter(|_| !count.is_multiple_of(64)) {
            *last >>= 64 - count % 64;
        }
        FreeSet { words, lowest: 0 }
    }

    /// Whether a machine is one of them.
    pub(super) fn contains(&self, vm: VmId) -> bool {
        self.words[vm.index() / 64] >> (vm.index() % 64) & 1 == 1
    }

    /// The machines, ascending.
    pub(super) fn vms(&self) -> impl Iterator<Item = VmId> {
        let words = self.words.iter().enumerate().skip(self.lowest);
        words.flat_map(|(word, &bits)| {
            std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)))
                .take_while(|&bits| bits != 0)
                .map(move |bits| VmId::new(64 * word + bits.trailing_zeros() as usize))
        })
    }

    /// The lowest `count` free machines as runs (first machine, length), ascending.
    ///
    /// # Panics
    /// Fewer are free.
    pub(super) fn lowest(&self, count: u32) -> Vec<(VmId, u32)> {
        let mut runs = Vec::with_capacity(1);
        let (mut place, mut missing) = (64 * self.lowest, count as usize);
        while missing > 0 {
            let first = self.next(place, true, 64 * self.words.len());
            place = self.next(first, false, first + missing);
            missing -= place - first;
            runs.push((VmId::new(first), (place - first) as u32));
        }
        runs
    }

    /// The first place from one on that is in the set, or that is not; `end` if none is before it.
    fn next(&self, from: usize, present: bool, end: usize) -> usize {
        let absent = if present { 0 } else { u64::MAX };
        let mut from_here = u64::MAX << (from % 64);
        for word in from / 64..end.div_ceil(64) {
            let bits = (self.words[word] ^ absent) & from_here;
            if bits != 0 {
                return end.min(64 * word + bits.trailing_zeros() as usize);
            }
            from_here = u64::MAX;
        }
        end
    }

    /// Removes a run if `present`, or inserts it. Fails with its first machine that is missing, or
    /// already there.
    pub(super) fn flip(&mut self, (first, count): (VmId, u32), present: bool) -> Result<(), VmId> {
        let absent = if present { u64::MAX } else { 0 };
        let (mut place, end) = (first.index(), first.index() + count as usize);
        while place < end {
            let (word, bit) = (place / 64, place % 64);
            let here = (64 - bit).min(end - place);
            let mask = u64::MAX >> (64 - here) << bit;
            let wrong = (self.words[word] ^ absent) & mask;
            if wrong != 0 {
                return Err(VmId::new(64 * word + wrong.trailing_zeros() as usize));
            }
            self.words[word] ^= mask;
            place += here;
        }
        if present {
            let words = self.words[self.lowest..].iter();
            self.lowest += words.take_while(|&&bits| bits == 0).count();
        } else {
            self.lowest = self.lowest.min(first.index() / 64);
        }
        Ok(())
    }
}
