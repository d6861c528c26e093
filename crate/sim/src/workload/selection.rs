//! Which jobs of a trace are taken by queue, partition, user and account.

use std::collections::BTreeMap;
use std::fmt;

use super::labels::Labels;
use super::trace::LogRow;

/// Jobs of one name, or all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The name, or a number where the file has no names.
    pub name: String,
    /// Whether it is the others that are taken.
    pub others: bool,
}

impl Pick {
    /// Reads `name` or `!name`; `None` if nothing is named.
    pub fn parse(text: &str) -> Option<Pick> {
        let name = text.strip_prefix('!').unwrap_or(text);
        (!name.is_empty()).then(|| Pick {
            name: name.to_owned(),
            others: name.len() < text.len(),
        })
    }

    /// Whether a job with this number is taken, if `number` is that of the name.
    fn takes(&self, number: Option<i64>, of_job: i64) -> bool {
        (number == Some(of_job)) != self.others
    }
}

impl fmt::Display for Pick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.others { "!" } else { "" }, self.name)
    }
}

/// Which jobs of a log are taken by name; all where nothing is named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// By queue.
    pub queue: Option<Pick>,
    /// By partition.
    pub partition: Option<Pick>,
    /// By user.
    pub user: Option<Pick>,
    /// By account or group.
    pub account: Option<Pick>,
}

impl Selection {
    /// Whether a job of a file with these names is taken.
    pub fn takes(&self, labels: &Labels) -> impl Fn(&LogRow) -> bool {
        let named = |pick: &Option<Pick>, names: &BTreeMap<i32, String>| {
            let pick = pick.clone()?;
            let mut named = names.iter().filter(|(_, name)| **name == pick.name);
            let number = named.next().map(|(number, _)| i64::from(*number));
            let number = number.or_else(|| pick.name.parse().ok());
            Some((pick, number))
        };
        let queue = named(&self.queue, &labels.queues);
        let partition = named(&self.partition, &labels.partitions);
        let account = named(&self.account, &labels.accounts);
        let user = self.user.clone().map(|pick| {
            let hash = Labels::hash(pick.name.as_bytes());
            let known = labels.user_hashes.iter().position(|other| *other == hash);
            let number = known.map(|at| at as i64 + 1);
            let number = number.or_else(|| pick.name.parse().ok());
            (pick, number)
        });
        let picks = [queue, partition, account, user];
        let all = picks.iter().all(Option::is_none);
        move |row| {
            let of_job = [
                i64::from(row.queue),
                i64::from(row.partition),
                i64::from(row.account),
                i64::from(row.user),
            ];
            let takes = |(pick, of_job): (&Option<(Pick, Option<i64>)>, i64)| {
                pick.as_ref()
                    .is_none_or(|(pick, number)| pick.takes(*number, of_job))
            };
            all || picks.iter().zip(of_job).all(takes)
        }
    }

    /// The first key by which jobs are left out, and its value.
    pub fn first(&self) -> Option<(&'static str, &Pick)> {
        let picks = [
            ("queue", &self.queue),
            ("partition", &self.partition),
            ("user", &self.user),
            ("account", &self.account),
        ];
        picks
            .into_iter()
            .find_map(|(key, pick)| Some((key, pick.as_ref()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_taken_by_name_or_number() {
        let labels = Labels {
            user_hashes: vec![Labels::hash(b"ann"), Labels::hash(b"bob")],
            partitions: BTreeMap::from([(1, "gpu".to_owned()), (2, "cpu".to_owned())]),
            ..Labels::default()
        };
        let row = |user, partition, queue| LogRow {
            user,
            partition,
            queue,
            ..LogRow::default()
        };
        let rows = [row(1, 1, 7), row(2, 2, 8), row(1, 2, 7)];
        let taken = |selection: Selection| {
            let takes = selection.takes(&labels);
            rows.iter().map(takes).collect::<Vec<_>>()
        };
        let none = Selection::default;
        let pick = Pick::parse;
        assert_eq!(taken(none()), [true, true, true]);
        let (partition, user) = (pick("cpu"), pick("ann"));
        assert_eq!(
            taken(Selection {
                partition,
                ..none()
            }),
            [false, true, true]
        );
        assert_eq!(taken(Selection { user, ..none() }), [true, false, true]);
        let (partition, user) = (pick("!cpu"), pick("!2"));
        assert_eq!(
            taken(Selection {
                partition,
                user,
                ..none()
            }),
            [true, false, false]
        );
        let queue = pick("7");
        assert_eq!(taken(Selection { queue, ..none() }), [true, false, true]);
        let partition = pick("odd");
        assert_eq!(
            taken(Selection {
                partition,
                ..none()
            }),
            [false; 3]
        );
        assert_eq!(pick(""), None);
        assert_eq!(pick("!odd").unwrap().to_string(), "!odd");
    }
}
