//! Lists of names as Slurm writes them: `n[001-010,7],login`.

/// The most names of one list.
const MOST_NAMES: usize = 100_000;

/// The names of a list, in its order, doubles left in.
///
/// # Errors
/// What is wrong with it, and the byte at which it is.
pub(super) fn expand(list: &str) -> Result<Vec<String>, (usize, String)> {
    let mut names = Vec::new();
    let (mut start, mut depth) = (0, 0);
    for (end, byte) in list.bytes().chain([b',']).enumerate() {
        match byte {
            b'[' if depth == 0 => depth = 1,
            b'[' => return Err((end, "has a bracket within brackets".to_owned())),
            b']' if depth == 1 => depth = 0,
            b']' => return Err((end, "closes a bracket that is not open".to_owned())),
            b',' if depth == 0 => {
                let item = &list[start..end];
                // Within quotes a blank may stand beside a comma.
                let trimmed = item.trim();
                if !trimmed.is_empty() {
                    product(trimmed, &mut names).map_err(|why| (start, why))?;
                }
                start = end + 1;
            }
            _ => {}
        }
    }
    if depth > 0 {
        let open = list.rfind('[').unwrap_or(0);
        return Err((open, "opens a bracket that is not closed".to_owned()));
    }
    Ok(names)
}

/// The names of one item: every choice of one number from each of its brackets.
fn product(item: &str, names: &mut Vec<String>) -> Result<(), String> {
    if item.contains(char::is_whitespace) {
        return Err(format!(
            "has a blank within {item:?}: separate names by commas"
        ));
    }
    let mut found = vec![String::new()];
    let mut rest = item;
    while let Some((before, after)) = rest.split_once('[') {
        let (ranges, after) = after
            .split_once(']')
            .ok_or("opens a bracket that is not closed")?;
        let numbers = numbers(ranges)?;
        if numbers.len().saturating_mul(found.len()) + names.len() > MOST_NAMES {
            return Err(format!("has more than {MOST_NAMES} names"));
        }
        let longer = found.iter().flat_map(|name| {
            let with = move |number: &String| format!("{name}{before}{number}");
            numbers.iter().map(with)
        });
        found = longer.collect();
        rest = after;
    }
    names.extend(found.into_iter().map(|name| name + rest));
    match names.len() > MOST_NAMES {
        true => Err(format!("has more than {MOST_NAMES} names")),
        false => Ok(()),
    }
}

/// The numbers of brackets, each as wide as the first of its range.
fn numbers(ranges: &str) -> Result<Vec<String>, String> {
    let mut numbers = Vec::new();
    for range in ranges.split(',') {
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let number = text.parse::<u64>().ok().filter(|_| digits);
            number.ok_or_else(|| {
                format!("has {range:?} in brackets, which is no number or range such as 1-4")
            })
        };
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        let (first, last) = (number(low)?, number(high)?);
        if last < first {
            return Err(format!(
                "has the range {range}, which goes down: write {high}-{low}"
            ));
        }
        if last - first >= MOST_NAMES as u64 || numbers.len() > MOST_NAMES {
            return Err(format!("has more than {MOST_NAMES} names"));
        }
        let width = low.len();
        numbers.extend((first..=last).map(|number| format!("{number:0width$}")));
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_keep_their_width_and_several_brackets_are_a_product() {
        let of = |list| expand(list).map(|names| names.join(" "));
        assert_eq!(of("n[008-010,7]").unwrap(), "n008 n009 n010 n7");
        assert_eq!(
            of("r[1-2]n[1,3]x,login").unwrap(),
            "r1n1x r1n3x r2n1x r2n3x login"
        );
        assert_eq!(of("a, b ,a").unwrap(), "a b a");
        assert_eq!(
            of("ip-0A[010006-010007]").unwrap(),
            "ip-0A010006 ip-0A010007"
        );
        for refused in [
            "n[4-1]",
            "n[1-9:2]",
            "n[1",
            "n1]",
            "n[[1]]",
            "n[a]",
            "n[-1]",
            "a b",
            "n[]",
            "n[1-999999]",
        ] {
            assert!(expand(refused).is_err(), "{refused}");
        }
        assert_eq!(expand("ab,n[4-1]").unwrap_err().0, 3);
    }
}
