//! Closed lists of named choices: each an enum of which every variant has a name, a label, a
//! sentence and a source. Parser, command-line help and the page's form are drawn from them.

use serde::Serialize;

/// One of the values that a key may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// How it is written in a scenario.
    pub value: &'static str,
    /// Its label.
    pub label: &'static str,
    /// What it does, in one sentence.
    pub help: &'static str,
    /// Where it is defined: authors, title, year; empty where it is our own.
    pub source: &'static str,
}

/// Defines an enum together with the table of its [`Choice`]s.
#[macro_export]
macro_rules! choices {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $($variant:ident = $value:literal, $label:literal, $help:literal, $source:expr;)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $(#[doc = $help] $variant,)+
        }

        impl $name {
            /// All variants, in the order in which they are shown.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The texts about each, in the same order.
            pub const CHOICES: &'static [$crate::choice::Choice] = {
                // One table for all uses, however many crates there are.
                static TABLE: [$crate::choice::Choice; [$($value),+].len()] = [
                    $($crate::choice::Choice {
                        value: $value,
                        label: $label,
                        help: $help,
                        source: $source,
                    }),+
                ];
                &TABLE
            };

            /// The variant of that name.
            pub fn named(name: &str) -> Option<$name> {
                let position = Self::CHOICES.iter().position(|choice| choice.value == name)?;
                Some(Self::ALL[position])
            }

            /// The texts about this variant.
            pub fn choice(self) -> &'static $crate::choice::Choice {
                &Self::CHOICES[self as usize]
            }

            /// Its name in a scenario.
            pub fn name(self) -> &'static str {
                self.choice().value
            }
        }

        /// The first one.
        impl Default for $name {
            fn default() -> $name {
                Self::ALL[0]
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    };
}

pub use choices;

/// The names of `choices` in a sentence: `a, b or c`.
pub fn either<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}
