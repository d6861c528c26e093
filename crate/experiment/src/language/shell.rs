//! Words as a shell takes them.

/// A word in quotes, where a shell would take it apart otherwise.
pub fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.,:+=/%@".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_would_take_apart_stands_in_quotes() {
        for (word, expected) in [
            ("jobs=300", "jobs=300"),
            ("", "''"),
            ("easy+adaba(blocked=skip)", "'easy+adaba(blocked=skip)'"),
            ("it's", "'it'\\''s'"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }
}
