//! English for several sentences: lists, numbers with grouped thousands, capital letters.

/// Names as a list in a sentence: `a, b and c`.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// A number with grouped thousands: `12,345`.
pub fn grouped(number: u64) -> String {
    grouped_digits(&number.to_string())
}

/// A printed number with grouped thousands in its whole part: `−12,345.6789`.
pub fn grouped_digits(number: &str) -> String {
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    let digits = whole.trim_start_matches('-').len();
    let mut grouped = String::new();
    for (index, character) in whole.chars().enumerate() {
        let left = whole.len() - index;
        if left < digits && left.is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(character);
    }
    with_minus(&(grouped + rest))
}

/// A printed number whose hyphen is a minus sign; zero has neither.
pub fn with_minus(number: &str) -> String {
    match number.strip_prefix('-') {
        Some(size) if size.contains(|digit| ('1'..='9').contains(&digit)) => format!("−{size}"),
        Some(zero) => zero.to_owned(),
        None => number.to_owned(),
    }
}

/// A sentence with a capital first letter.
pub(crate) fn capital(mut sentence: String) -> String {
    if let Some(first) = sentence.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    sentence
}

/// A label with a small first letter, unless it starts with an abbreviation.
pub fn lower(label: &str) -> String {
    let mut label = label.to_owned();
    let second = label.as_bytes().get(1);
    if second.is_some_and(u8::is_ascii_lowercase) {
        label[..1].make_ascii_lowercase();
    }
    label
}

/// A text escaped for a LaTeX document.
pub fn latex(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(character);
            }
            'Γ' => escaped.push_str("$\\Gamma$"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// The unit for times up to `seconds`, and its length in seconds.
pub fn unit_of_time(seconds: f64) -> (&'static str, f64) {
    match seconds {
        up_to if up_to < 3.0 * 60.0 => ("s", 1.0),
        up_to if up_to < 3.0 * 3600.0 => ("min", 60.0),
        up_to if up_to < 3.0 * 86_400.0 => ("h", 3600.0),
        _ => ("d", 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped_in_the_whole_part_only() {
        for (number, words) in [
            ("0", "0"),
            ("999", "999"),
            ("1000", "1,000"),
            ("-1000", "−1,000"),
            ("-999", "−999"),
            ("-0.0", "0.0"),
            ("1234567.8901", "1,234,567.8901"),
        ] {
            assert_eq!(grouped_digits(number), words);
        }
        assert_eq!(grouped(79_920), "79,920");
    }

    #[test]
    fn a_list_has_one_and() {
        assert_eq!(listed([]), "");
        assert_eq!(listed(["a"]), "a");
        assert_eq!(listed(["a", "b", "c"]), "a, b and c");
    }

    #[test]
    fn times_choose_their_unit() {
        assert_eq!(unit_of_time(90.0), ("s", 1.0));
        assert_eq!(unit_of_time(5400.0), ("min", 60.0));
        assert_eq!(unit_of_time(40_000.0), ("h", 3600.0));
        assert_eq!(unit_of_time(1e7), ("d", 86_400.0));
    }
}
