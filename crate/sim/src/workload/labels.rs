//! The names behind the numbers of users, accounts, queues and partitions of a trace.

use std::collections::BTreeMap;

use crate::digest::Digest;

/// The names of a file, as far as it has any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// [`Labels::hash`] of the name of each user from number 1 on. The names are not kept.
    pub user_hashes: Vec<u64>,
    /// Names of accounts by number.
    pub accounts: BTreeMap<i32, String>,
    /// Names of queues by number.
    pub queues: BTreeMap<i32, String>,
    /// Names of partitions by number.
    pub partitions: BTreeMap<i32, String>,
}

impl Labels {
    /// By what a user's name is known that is not kept.
    pub fn hash(name: &[u8]) -> u64 {
        let mut digest = Digest::new();
        digest.bytes(name);
        digest.value()
    }
}
