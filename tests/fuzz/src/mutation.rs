//! Inputs similar to others: parts of them left out, repeated, and recombined.

use backfill_sim::rng::Stream;

/// The most bytes of an input.
const LONGEST: usize = 4096;

/// The most changes that make one input of another.
const CHANGES: u64 = 5;

/// Makes inputs of seeds, the same ones for the same number.
///
/// Text is cut where words begin and end as often as anywhere else, so that much of what comes out
/// is still text of its language.
#[derive(Debug)]
pub struct Mutator<'a> {
    seeds: &'a [Vec<u8>],
    stream: Stream,
    input: Vec<u8>,
}

impl<'a> Mutator<'a> {
    /// Of these seeds.
    ///
    /// # Panics
    /// There is no seed.
    pub fn new(seeds: &'a [Vec<u8>], number: u64) -> Mutator<'a> {
        assert!(!seeds.is_empty(), "inputs are made of others");
        Mutator {
            seeds,
            stream: Stream::new(number, 0, "inputs", 0),
            input: Vec::new(),
        }
    }

    /// Another input.
    pub fn input(&mut self) -> &[u8] {
        let seed = self.seed();
        self.input.clear();
        self.input.extend_from_slice(seed);
        for _ in 0..=self.stream.below(CHANGES) {
            self.change();
        }
        self.input.truncate(LONGEST);
        &self.input
    }

    fn seed(&mut self) -> &'a [u8] {
        &self.seeds[self.stream.below(self.seeds.len() as u64) as usize]
    }

    fn change(&mut self) {
        let (start, end) = cut(&mut self.stream, &self.input);
        match self.stream.below(6) {
            0 => {
                self.input.drain(start..end);
            }
            1 if start < end => {
                let at = start + self.stream.below((end - start) as u64) as usize;
                self.input[at] = self.stream.bits() as u8;
            }
            2 => {
                let piece = self.input[start..end].to_vec();
                let times = 1 + self.stream.below(8) as usize;
                self.input.splice(end..end, piece.repeat(times));
            }
            change => {
                let other = self.seed();
                let (from, until) = cut(&mut self.stream, other);
                let end = if change == 3 { start } else { end };
                self.input
                    .splice(start..end, other[from..until].iter().copied());
            }
        }
    }
}

/// Where a piece of a text begins and ends.
fn cut(stream: &mut Stream, text: &[u8]) -> (usize, usize) {
    let mut place = |from: usize, most: usize| {
        let at = from + stream.below((text.len() - from).min(most) as u64 + 1) as usize;
        if stream.below(2) == 0 {
            return at;
        }
        let in_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let is_border = |at: &usize| in_word(text[at - 1]) != in_word(text[*at]);
        (at.max(1)..text.len())
            .find(is_border)
            .unwrap_or(text.len())
    };
    let start = place(0, usize::MAX);
    // Most pieces are short.
    let end = place(start, 12);
    (start, end)
}
