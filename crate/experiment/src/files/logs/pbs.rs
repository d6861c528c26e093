//! The accounting of PBS and Torque: a record a line, `date;type;job;attributes`.
//!
//! Records of type `E` are jobs that have ended; those of queued and started jobs belong to them.
//! Element 4 of array 123 has the number 1230000004.
//!
//! Source: Altair, "PBS Professional Administrator's Guide", chapter "Accounting"; Adaptive
//! Computing, "Torque Administrator Guide", section "Accounting records".

use std::collections::BTreeSet;

use super::draft::{Fault, LineReader, TraceDraft, bytes_of_entries};
use super::ledger::{Entry, FieldNames, Ledger, Size};
use super::sacct::task_number;
use super::values::{duration, raw_duration, seconds, whole};
use backfill_sim::unit::Span;
use backfill_sim::workload::report::FindingKind;
use backfill_sim::workload::trace::Status;
use backfill_sim::workload::{Cancelled, Processors};

const FIELD_NAMES: FieldNames = FieldNames {
    start: "start",
    end: "end",
};

/// Reads the lines of such a file.
#[derive(Debug)]
pub(super) struct PbsReader {
    ledger: Ledger,
    /// The numbers of the jobs that have ended.
    ended: BTreeSet<u64>,
    /// Records of jobs of which the end is not known yet: their jobs and their lines.
    others: Vec<(u64, u32)>,
}

/// The attributes used.
#[derive(Default)]
struct Attributes<'a> {
    user: &'a str,
    group: &'a str,
    account: &'a str,
    queue: &'a str,
    /// Created, queued, and eligible to run.
    submits: [&'a str; 3],
    start: &'a str,
    end: &'a str,
    exec_host: &'a str,
    ncpus: &'a str,
    slots: &'a str,
    procs: &'a str,
    nodes: &'a str,
    select: &'a str,
    node_count: &'a str,
    walltime: &'a str,
    exit_status: &'a str,
}

impl<'a> Attributes<'a> {
    fn of(text: &'a str) -> Attributes<'a> {
        let mut found = Attributes::default();
        for (key, value) in text.split(' ').filter_map(|pair| pair.split_once('=')) {
            let field = match key {
                "user" => &mut found.user,
                "group" => &mut found.group,
                "account" => &mut found.account,
                "queue" => &mut found.queue,
                "ctime" => &mut found.submits[0],
                "qtime" => &mut found.submits[1],
                "etime" => &mut found.submits[2],
                "start" => &mut found.start,
                "end" => &mut found.end,
                "exec_host" => &mut found.exec_host,
                "Resource_List.ncpus" => &mut found.ncpus,
                "total_execution_slots" => &mut found.slots,
                "Resource_List.procs" => &mut found.procs,
                "Resource_List.nodes" => &mut found.nodes,
                "Resource_List.select" => &mut found.select,
                "Resource_List.nodect" | "unique_node_count" => &mut found.node_count,
                "Resource_List.walltime" => &mut found.walltime,
                "Exit_status" => &mut found.exit_status,
                _ => continue,
            };
            *field = value.trim_matches('"');
        }
        found
    }

    /// What the attributes say of the size.
    fn size(&self) -> Size {
        let (slots, hosts) = used(self.exec_host);
        let requested = [self.ncpus, self.slots, self.procs].map(whole);
        let requested = requested.into_iter().flatten().find(|&count| count > 0);
        let chunks = || requested_by_chunks(self.select, "ncpus=");
        let nodes = || requested_by_chunks(self.nodes, "ppn=");
        let count = whole(self.node_count).filter(|&count| count > 0);
        Size {
            allocated: positive(slots),
            requested: requested.or_else(chunks).or_else(nodes),
            nodes: positive(hosts).or(count),
            in_nodes: false,
        }
    }
}

/// Whether a line is a record of such a file.
pub(super) fn is_record(line: &[u8]) -> bool {
    let mut parts = line.splitn(4, |byte| *byte == b';');
    let (Some(date), Some([kind]), Some(_), Some(_)) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let form = b"00/00/0000 00:00:00";
    let fits = |(byte, form): (&u8, &u8)| match form {
        b'0' => byte.is_ascii_digit(),
        other => byte == other,
    };
    kind.is_ascii_alphabetic() && date.len() == form.len() && date.iter().zip(form).all(fits)
}

impl PbsReader {
    pub(super) fn new(processors: Processors, cancelled: Cancelled) -> PbsReader {
        PbsReader {
            ledger: Ledger::new(processors, cancelled, &FIELD_NAMES),
            ended: BTreeSet::new(),
            others: Vec::new(),
        }
    }

    fn record(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft) -> Result<(), Fault> {
        let text = String::from_utf8_lossy(text);
        let mut parts = text.splitn(4, ';').skip(1);
        let (Some(kind), Some(id), Some(attributes)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err((FindingKind::FieldCount, None));
        };
        let number = match job_number(id) {
            Some(number) => number,
            // Licences, reservations and the like.
            None if kind != "E" => {
                draft.report.comments += 1;
                return Ok(());
            }
            None => return Err((FindingKind::Malformed, Some("job"))),
        };
        if kind != "E" || id.contains("[]") {
            self.others.push((number, line));
            return Ok(());
        }
        self.ended.insert(number);
        let found = Attributes::of(attributes);
        let submit = found.submits.into_iter().find_map(seconds);
        let (start, end) = (seconds(found.start), seconds(found.end));
        let limit = duration(found.walltime).or_else(|| raw_duration(found.walltime, 1));
        let account = if found.account.is_empty() {
            found.group
        } else {
            found.account
        };
        let entry = Entry {
            number,
            line,
            submit: submit.ok_or((FindingKind::NoSubmitTime, Some("ctime")))?,
            start,
            end,
            elapsed: None,
            estimate: limit.unwrap_or(Span(0)),
            status: Some(match found.exit_status {
                "0" => Status::Completed,
                "" => Status::Unknown,
                _ => Status::Failed,
            }),
            started: start.is_some(),
            size: found.size(),
            user: found.user.as_bytes(),
            account: account.as_bytes(),
            queue: found.queue.as_bytes(),
            partition: b"",
        };
        if start.is_some() && end.is_none() {
            return Err((FindingKind::NotEnded, Some("end")));
        }
        let (row, repaired) = self.ledger.row(entry, draft)?;
        draft.accept(row, repaired);
        Ok(())
    }
}

impl LineReader for PbsReader {
    fn line(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft) {
        if let Err((kind, field)) = self.record(line, text, draft) {
            draft.reject(kind, line, field);
        }
    }

    fn finish(&mut self, draft: &mut TraceDraft) {
        for (number, line) in std::mem::take(&mut self.others) {
            // The array as a whole has no number of its own among its elements.
            if self.ended.contains(&number) || self.has_elements(number) {
                draft.report.folded += 1;
            } else {
                draft.reject(FindingKind::NotEnded, line, Some("type"));
            }
        }
        self.ledger.finish(draft);
    }

    fn bytes(&self) -> usize {
        self.ledger.bytes()
            + bytes_of_entries::<u64>(self.ended.len())
            + 3 * self.others.capacity() * size_of::<(u64, u32)>()
    }

    fn wanted(&self) -> &'static str {
        "the accounting of PBS has a record of type E for each job that has ended"
    }
}

impl PbsReader {
    /// Whether an element of this array has ended.
    fn has_elements(&self, array: u64) -> bool {
        let (first, last) = (task_number(array, 0), task_number(array + 1, 0));
        let (Some(first), Some(last)) = (first, last) else {
            return false;
        };
        self.ended.range(first..last).next().is_some()
    }
}

/// The number of a job such as `21.server`, `21[4].server`, `21[].server` or `21-4.server`.
fn job_number(id: &str) -> Option<u64> {
    let id = id.split('.').next()?;
    let digits = id.find(|c: char| !c.is_ascii_digit()).unwrap_or(id.len());
    let (job, element) = id.split_at(digits);
    let job = whole(job).filter(|&job: &u64| job <= u64::from(u32::MAX))?;
    let element = element.trim_matches(['[', ']', '-']);
    match element {
        "" => Some(job),
        element => task_number(job, whole(element)?),
    }
}

/// The slots and the different hosts of `n1/0+n1/1`, `n1/0-3,7+n2/0` or `n1/0*4+n2/0*4`.
fn used(exec_host: &str) -> (u64, u64) {
    let mut hosts = BTreeSet::new();
    let mut slots = 0;
    let parts = exec_host.split('+').filter(|part| !part.is_empty());
    for (host, place) in parts.map(|part| part.split_once('/').unwrap_or((part, "0"))) {
        hosts.insert(host);
        slots += match place.split_once('*') {
            Some((_, count)) => whole(count).unwrap_or(1),
            None => place.split(',').map(range).sum(),
        };
    }
    (slots, hosts.len() as u64)
}

/// The length of a range such as `0-3`, 1 of anything else.
fn range(text: &str) -> u64 {
    let ends = text.split_once('-');
    let ends = ends.and_then(|(first, last)| Some((whole::<u32>(first)?, whole::<u32>(last)?)));
    ends.map_or(1, |(first, last)| u64::from(last.saturating_sub(first)) + 1)
}

/// The processors of a request such as `2:ppn=4+n7:ppn=8` or `2:ncpus=4+1:ncpus=8`.
fn requested_by_chunks(text: &str, each: &str) -> Option<u32> {
    let chunk = |chunk: &str| {
        let mut parts = chunk.split(':');
        let count: u64 = parts.next().and_then(whole).unwrap_or(1);
        let each = parts.find_map(|part| part.strip_prefix(each));
        let each: u64 = each.and_then(whole).unwrap_or(1);
        count.checked_mul(each)
    };
    let chunks = text.split('+').filter(|chunk| !chunk.is_empty());
    positive(
        chunks
            .map(chunk)
            .try_fold(0_u64, |sum, chunk| sum.checked_add(chunk?))?,
    )
}

fn positive(count: u64) -> Option<u32> {
    u32::try_from(count).ok().filter(|&count| count > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_and_hosts_are_counted_in_all_forms() {
        for (hosts, expected) in [
            ("n1/0+n1/1", (2, 1)),
            ("n1/0-3,7+n2/0", (6, 2)),
            ("n1/0*4+n2/0*4", (8, 2)),
            ("n1/2", (1, 1)),
            ("n1", (1, 1)),
            ("", (0, 0)),
        ] {
            assert_eq!(used(hosts), expected, "{hosts}");
        }
    }

    #[test]
    fn requests_are_counted_chunk_by_chunk() {
        assert_eq!(requested_by_chunks("2:ppn=4+n7:ppn=8", "ppn="), Some(16));
        assert_eq!(
            requested_by_chunks("2:ncpus=4:mem=1gb+1:ncpus=8", "ncpus="),
            Some(16)
        );
        assert_eq!(requested_by_chunks("3", "ppn="), Some(3));
        assert_eq!(requested_by_chunks("", "ppn="), None);
        assert_eq!(
            requested_by_chunks("4294967295:ppn=4294967295", "ppn="),
            None
        );
    }

    #[test]
    fn jobs_and_elements_of_arrays_have_numbers() {
        for (id, number) in [
            ("21.srv", Some(21)),
            ("21[4].srv.org", Some(210_000_004)),
            ("21-4.srv", Some(210_000_004)),
            ("21[].srv", Some(21)),
            ("R3.srv", None),
            ("license", None),
            ("", None),
        ] {
            assert_eq!(job_number(id), number, "{id}");
        }
    }
}
