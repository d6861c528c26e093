//! One stable sort for everything that is not sorted often.
//!
//! The standard library compiles a sort of four kilobytes for each type and each comparison, which
//! every visitor of the page loads. Here one sort of positions serves all: it costs an indirect
//! call a comparison, and four bytes an item. What is sorted at every placement uses the standard
//! library.

use std::cmp::Ordering;

/// Sorts by a key; equal keys keep their order.
pub fn by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    by(items, |one, other| key(one).cmp(&key(other)));
}

/// Sorts by a comparison; equal items keep their order.
pub fn by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = positions(items.len(), &|one, other| {
        compare(&items[one], &items[other])
    });
    arrange(order, &mut |one, other| items.swap(one, other));
}

/// Which item comes first, which second, and so on.
fn positions(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.sort_by(|&one, &other| compare(one as usize, other as usize));
    order
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
}
