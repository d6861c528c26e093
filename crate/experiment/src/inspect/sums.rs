//! Amounts that are held for a time each, summed at every instant at which they change.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use backfill_sim::unit::Time;

/// The sum of amounts over time; whole, so that it is exact.
pub(super) struct Sums {
    /// (instant, sum from then on), ascending.
    steps: Vec<(Time, i64)>,
    sum: i64,
    /// The ends to come, and what is held until then.
    ends: BinaryHeap<Reverse<(Time, i64)>>,
}

impl Sums {
    /// Of this many amounts at most.
    pub(super) fn of(amounts: usize) -> Sums {
        Sums {
            steps: Vec::with_capacity(2 * amounts),
            sum: 0,
            ends: BinaryHeap::new(),
        }
    }

    /// Adds an amount held `from` an instant, which is not before that of another one, `until`
    /// another instant. Complexity: O(log held).
    pub(super) fn during(&mut self, from: Time, until: Time, amount: i64) {
        if from < until && amount > 0 {
            self.end(from);
            self.change(from, amount);
            self.ends.push(Reverse((until, amount)));
        }
    }

    /// Ends what is held up to an instant.
    fn end(&mut self, now: Time) {
        while let Some(&Reverse((until, amount))) = self.ends.peek()
            && until <= now
        {
            self.ends.pop();
            self.change(until, -amount);
        }
    }

    fn change(&mut self, now: Time, amount: i64) {
        self.sum += amount;
        match self.steps.last_mut() {
            Some(last) if last.0 == now => last.1 = self.sum,
            _ => self.steps.push((now, self.sum)),
        }
    }

    /// The sums, one for each instant.
    pub(super) fn steps(mut self) -> Vec<(Time, i64)> {
        self.end(Time(u64::MAX));
        self.steps.shrink_to_fit();
        self.steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_all_that_is_held_at_each_instant() {
        let held = [
            (1, 4, 2),
            (1, 9, 1),
            (3, 3, 7),
            (4, 6, 5),
            (4, 9, 0),
            (7, 9, 1),
        ];
        let mut sums = Sums::of(held.len());
        for (from, until, amount) in held {
            sums.during(Time(from), Time(until), amount);
        }
        let steps: Vec<(u64, i64)> = sums
            .steps()
            .into_iter()
            .map(|(at, sum)| (at.0, sum))
            .collect();
        assert_eq!(steps, [(1, 3), (4, 6), (6, 1), (7, 2), (9, 0)]);
    }

    #[test]
    fn sums_are_those_of_adding_up_anew_at_each_instant() {
        let mut held = Vec::new();
        for of in 0..500_u64 {
            let (from, length) = (of / 3, of * 7919 % 23);
            held.push((Time(from), Time(from + length), (of * 31 % 5) as i64));
        }
        let mut sums = Sums::of(held.len());
        for &(from, until, amount) in &held {
            sums.during(from, until, amount);
        }
        let steps = sums.steps();
        assert!(steps.is_sorted_by(|one, next| one.0 < next.0));
        for now in (0..200).map(Time) {
            let is_held = |each: &&(Time, Time, i64)| each.0 <= now && now < each.1;
            let sum: i64 = held.iter().filter(is_held).map(|each| each.2).sum();
            let last = steps.iter().rfind(|step| step.0 <= now);
            assert_eq!(last.map_or(0, |step| step.1), sum, "{now:?}");
        }
    }
}
