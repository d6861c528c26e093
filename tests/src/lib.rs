//! Plain references.
