//! All suites.
