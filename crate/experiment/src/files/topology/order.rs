//! The order of nodes, which decides all ties between them: that of their names.

use std::cmp::Ordering;

/// Compares two names: runs of digits by value, those that begin with 0 digit by digit, the rest
/// byte by byte.
pub(super) fn by_name(one: &str, other: &str) -> Ordering {
    let (mut a, mut b) = (one.as_bytes(), other.as_bytes());
    while let ([first, ..], [second, ..]) = (a, b) {
        if !(first.is_ascii_digit() && second.is_ascii_digit()) {
            if first != second {
                return first.cmp(second);
            }
            (a, b) = (&a[1..], &b[1..]);
            continue;
        }
        let (x, y) = (digits(a), digits(b));
        let padded = *first == b'0' || *second == b'0';
        let order = if padded {
            x.cmp(y)
        } else {
            (x.len(), x).cmp(&(y.len(), y))
        };
        if order.is_ne() {
            return order;
        }
        (a, b) = (&a[x.len()..], &b[y.len()..]);
    }
    a.len().cmp(&b.len())
}

/// The digits with which a text begins.
fn digits(text: &[u8]) -> &[u8] {
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    &text[..count]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ordered_by_the_values_in_them() {
        let ordered = [
            "N1", "a0", "a01", "a1", "a2", "a10", "b-1-2", "b-1-10", "b-2-1", "n010", "n2",
        ];
        for (place, one) in ordered.iter().enumerate() {
            for (other_place, other) in ordered.iter().enumerate() {
                assert_eq!(
                    by_name(one, other),
                    place.cmp(&other_place),
                    "{one} {other}"
                );
            }
        }
    }
}
