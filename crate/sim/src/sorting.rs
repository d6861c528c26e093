//! One stable sort for everything that is not sorted often.
//!
//! The standard library compiles a sort of four kilobytes for each type and each comparison, which
//! every visitor of the page loads. Here one sort of positions serves all: it costs an indirect
//! call a comparison, and four bytes an item. What logs have hundreds of thousands of is sorted by
//! numbers. What is sorted at every placement uses the standard library.

use std::cmp::Ordering;

/// Sorts by a key; equal keys keep their order.
pub fn by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    by(items, |one, other| key(one).cmp(&key(other)));
}

/// Sorts by a comparison; equal items keep their order.
pub fn by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let compared = |one: usize, other: usize| compare(&items[one], &items[other]);
    if let Some(order) = positions(items.len(), &compared) {
        arrange(order, &mut |one, other| items.swap(one, other));
    }
}

/// Sorts by a number; equal numbers keep their order. Complexity: O(items) where they are
/// spread evenly.
pub fn by_number<T: Copy>(items: &mut [T], number: impl Fn(&T) -> u64) {
    let numbers: Vec<u64> = items.iter().map(number).collect();
    if !numbers.is_sorted() {
        let order = positions_of_numbers(&numbers);
        // Swaps would wait for memory at each step.
        let sorted: Vec<T> = order.iter().map(|&item| items[item as usize]).collect();
        items.copy_from_slice(&sorted);
    }
}

/// Which number comes first, which second, and so on; equal numbers keep their order. They are put
/// in as many ranges of equal length as there are numbers, and sorted within each.
pub(crate) fn positions_of_numbers(numbers: &[u64]) -> Vec<u32> {
    let least = numbers.iter().copied().min().unwrap_or(0);
    let span = numbers.iter().copied().max().unwrap_or(0) - least;
    let bits = u64::BITS - span.leading_zeros();
    let shift = bits.saturating_sub(numbers.len().max(1).ilog2());
    let range = |number: u64| ((number - least) >> shift) as usize;
    // Where each range begins, and at last where it ends.
    let mut places = vec![0_u32; (span >> shift) as usize + 1];
    for &number in numbers {
        places[range(number)] += 1;
    }
    let mut before = 0;
    for place in &mut places {
        before += std::mem::replace(place, before);
    }
    let mut order = vec![0; numbers.len()];
    for (item, &number) in (0..).zip(numbers) {
        let place = &mut places[range(number)];
        order[*place as usize] = item;
        *place += 1;
    }
    let mut begin = 0;
    for end in places {
        let alike = &mut order[begin as usize..end as usize];
        if alike.len() > 1 {
            alike.sort_by_key(|&item| numbers[item as usize]);
        }
        begin = end;
    }
    order
}

/// Which item comes first, which second, and so on; `None` if they are in order.
fn positions(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Option<Vec<u32>> {
    if (1..count).all(|item| compare(item - 1, item).is_le()) {
        return None;
    }
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.sort_by(|&one, &other| compare(one as usize, other as usize));
    Some(order)
}

/// Brings items into such an order by swaps, cycle by cycle.
fn arrange(mut order: Vec<u32>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut place = start;
        loop {
            let next = std::mem::replace(&mut order[place], place as u32) as usize;
            if next == start {
                break;
            }
            swap(place, next);
            place = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    #[test]
    fn items_are_sorted_as_by_the_standard_library() {
        for count in 0..200 {
            let mut stream = Stream::new(count, 0, "sorting", 0);
            let mut items: Vec<(u64, u64)> =
                (0..count).map(|item| (stream.below(20), item)).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            by_key(&mut items, |item| item.0);
            assert_eq!(items, expected);
        }
    }

    #[test]
    fn numbers_are_sorted_as_by_the_standard_library() {
        for (count, most) in [(10, 5), (3_000, 7), (5_000, 1 << 40), (4_000, u64::MAX)] {
            let mut stream = Stream::new(count, 0, "sorting", 0);
            let mut items: Vec<(u64, u64)> =
                (0..count).map(|item| (stream.below(most), item)).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            by_number(&mut items, |item| item.0);
            assert_eq!(items, expected);
        }
    }
}
