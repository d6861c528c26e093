//! Quoting for a shell.

/// A word, quoted if a shell would split or expand it.
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
    fn words_that_a_shell_would_split_are_quoted() {
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
