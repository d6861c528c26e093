//! An exact 0-1 program: which items to take when their total size must lie in a window.
//!
//! *Decides*: the set of greatest value among those that use at least `least` and at most `most`.
//! *Ties*: of sets with equal value those that use more; among these the one with the first item,
//! if any has it, then the second, and so on. *Complexity*: O(items · most) steps and bits. Where
//! earlier items of a size are worth at least as much as later ones, only the first ⌊most / size⌋
//! of that size can be chosen: the rest may be omitted without changing the choice or its ties.
//! *Source*: paper 4, Eq. 3 to 6. Its two goals, machines used and machines used times waiting
//! time, have equal weights and so are one; its two constraints bound the same sum. The program
//! given to `bintprog` is therefore a knapsack with a window, which dynamic programming over the
//! exact size solves.

/// An item of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it uses, at least 1.
    pub size: u32,
    /// Its value.
    pub value: u128,
}

/// A set of items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Their positions, ascending.
    pub items: Vec<usize>,
    /// What they use together.
    pub used: u32,
    /// Their total value.
    pub value: u128,
}

/// The best set of `items` that uses at least `least` and at most `most`; `None` if no set does.
///
/// # Panics
/// The values add up to more than 2¹²⁷.
pub fn best(items: &[Item], least: u32, most: u32) -> Option<Chosen> {
    // The greatest value of the items from some position on, by their exact total size.
    let mut values: Vec<Option<u128>> = vec![None; most as usize + 1];
    values[0] = Some(0);
    let row = most as usize + 1;
    let mut taken = vec![0_u64; (items.len() * row).div_ceil(64)];
    for (position, item) in items.iter().enumerate().rev() {
        let size = item.size as usize;
        for used in (size..row).rev() {
            let Some(rest) = values[used - size] else {
                continue;
            };
            let with = rest + item.value;
            if values[used].is_none_or(|without| with >= without) {
                values[used] = Some(with);
                let bit = position * row + used;
                taken[bit / 64] |= 1 << (bit % 64);
            }
        }
    }
    let window = values.iter().enumerate().skip(least as usize);
    let (value, used) = window
        .filter_map(|(used, value)| Some(((*value)?, used)))
        .max()?;
    let mut left = used;
    let is_taken = |&position: &usize| {
        let bit = position * row + left;
        let is_taken = taken[bit / 64] >> (bit % 64) & 1 == 1;
        if is_taken {
            left -= items[position].size as usize;
        }
        is_taken
    };
    Some(Chosen {
        items: (0..items.len()).filter(is_taken).collect(),
        used: used as u32,
        value,
    })
}

/// The number of entries that [`best`] looks at for these items: a measure of cost without a clock.
pub fn steps(items: &[Item], most: u32) -> u64 {
    let entries = |item: &Item| u64::from((most + 1).saturating_sub(item.size));
    items.iter().map(entries).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Jobs as (machines, hours waited): worth pl·(1 + wt), twice the paper's objective.
    fn solve(jobs: &[(u32, f64)], least: u32, most: u32) -> Option<(Vec<usize>, u32, f64)> {
        let item = |&(size, waited): &(u32, f64)| Item {
            size,
            value: u128::from(size) * (2.0 + 2.0 * waited) as u128,
        };
        let items: Vec<Item> = jobs.iter().map(item).collect();
        let chosen = best(&items, least, most)?;
        Some((chosen.items, chosen.used, chosen.value as f64 / 4.0))
    }

    #[test]
    fn the_knapsack_by_hand() {
        let jobs = [(6, 4.0), (5, 3.0), (4, 2.0), (3, 1.0)];
        for least in [0, 9, 10] {
            assert_eq!(solve(&jobs, least, 10), Some((vec![0, 2], 10, 21.0)));
        }
    }

    #[test]
    fn two_that_fill_beat_the_one_that_waited_longest() {
        let jobs = [(6, 2.0), (5, 2.0), (5, 1.0), (3, 0.5)];
        assert_eq!(solve(&jobs, 9, 10), Some((vec![1, 2], 10, 12.5)));
    }

    #[test]
    fn no_set_in_the_window_is_no_answer() {
        let jobs = [(6, 4.0), (6, 3.0)];
        assert_eq!(solve(&jobs, 9, 10), None);
        assert_eq!(solve(&jobs, 5, 10), Some((vec![0], 6, 15.0)));
    }

    #[test]
    fn three_small_ones_beat_a_large_one() {
        let jobs = [(10, 5.0), (4, 5.0), (4, 5.0), (4, 5.0)];
        assert_eq!(solve(&jobs, 11, 12), Some((vec![1, 2, 3], 12, 36.0)));
    }

    #[test]
    fn a_step_is_an_entry_in_which_an_item_can_end() {
        let items = [6, 5, 4, 3, 11].map(|size| Item { size, value: 1 });
        assert_eq!(steps(&items, 10), 5 + 6 + 7 + 8);
    }

    #[test]
    fn nothing_is_a_set_too() {
        assert_eq!(solve(&[], 0, 0), Some((vec![], 0, 0.0)));
        assert_eq!(solve(&[], 0, 7), Some((vec![], 0, 0.0)));
        assert_eq!(solve(&[], 1, 7), None);
        assert_eq!(solve(&[(8, 1.0)], 0, 7), Some((vec![], 0, 0.0)));
    }

    #[test]
    fn of_equal_values_more_is_used_then_the_first_taken() {
        let item = |size, value| Item { size, value };
        let items = [item(2, 6), item(3, 6)];
        assert_eq!(best(&items, 0, 3).unwrap().items, [1]);
        let items = [item(2, 3), item(1, 2), item(2, 3), item(1, 2)];
        assert_eq!(best(&items, 0, 3).unwrap().items, [0, 1]);
        assert_eq!(best(&items, 0, 2).unwrap().items, [1, 3]);
    }
}
