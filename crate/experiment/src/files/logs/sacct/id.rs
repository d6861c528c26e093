//! The `JobID` of a line of sacct: a job, a task of an array, a component, a step.

use super::super::swf::LARGEST_NUMBER;
use super::super::values::whole;
use backfill_sim::workload::report::FindingKind;

/// The factor of an array's number in those of its tasks. Slurm has no index above 4,000,000.
const TASKS: u64 = 10_000_000;

/// The most tasks of an array on one line.
const MOST_TASKS: usize = 100_000;

/// The largest number of a Slurm job.
const LARGEST_JOB: u64 = u32::MAX as u64;

/// The subject of a line.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) enum Subject<'a> {
    /// A job, or the task of an array.
    Job(u64),
    /// A component of a heterogeneous job, and its number.
    Component(u64, u32),
    /// A step of a job.
    Step(u64),
    /// Tasks of an array none of which has started: the array and the list of its tasks.
    Tasks(u64, &'a str),
}

/// The subject of a line by its `JobID`: `123`, `123_4`, `123_[5-9]` or `123+1`, with `.` and the
/// name of a step after it. `None` if its number is too large for a log, as that of a task of an
/// array with ten digits may be.
pub(in super::super) fn subject(id: &str) -> Option<Subject<'_>> {
    let job_number = |text| whole(text).filter(|&job: &u64| job <= LARGEST_JOB);
    if let Some((array, _)) = id.split_once("_[") {
        let list = &id[array.len() + 1..];
        return Some(Subject::Tasks(job_number(array)?, list));
    }
    let (id, is_step) = match id.split_once('.') {
        Some((id, _)) => (id, true),
        None => (id, false),
    };
    let (id, component) = match id.split_once('+') {
        Some((id, component)) => (id, Some(whole(component)?)),
        None => (id, None),
    };
    let (job, task) = match id.split_once('_') {
        Some((job, task)) => (job, Some(task)),
        None => (id, None),
    };
    let job = job_number(job)?;
    let number = match task {
        Some(task) => job * TASKS + whole(task).filter(|&task: &u64| task < TASKS)?,
        None => job,
    };
    if number > LARGEST_NUMBER {
        return None;
    }
    Some(match component {
        _ if is_step => Subject::Step(number),
        Some(component) => Subject::Component(number, component),
        None => Subject::Job(number),
    })
}

/// The number of the task of an array.
pub(in super::super) fn task_number(array: u64, task: u64) -> Option<u64> {
    let number = array.checked_mul(TASKS)?.checked_add(task)?;
    (task < TASKS && number <= LARGEST_NUMBER).then_some(number)
}

/// The number of a job as people write it: `12`, or Slurm's `12_1` for a task of an array and `12+1`
/// for a component of a heterogeneous job, which is one job.
pub fn job_number(text: &str) -> Option<u64> {
    if let Some(number) = whole(text) {
        return Some(number);
    }
    match subject(text)? {
        Subject::Job(number) | Subject::Component(number, _) => Some(number),
        Subject::Step(_) | Subject::Tasks(..) => None,
    }
}

/// The numbers of the tasks of an array by a list such as `[1,3-7,10-20:5%2]`; the number after `%`
/// limits how many run at a time.
pub(super) fn tasks(array: u64, list: &str) -> Result<Vec<u64>, FindingKind> {
    if list.contains("...") {
        return Err(FindingKind::CutTasks);
    }
    let inner = list
        .strip_prefix('[')
        .and_then(|list| list.strip_suffix(']'));
    let list = inner.ok_or(FindingKind::Malformed)?;
    let list = list.split_once('%').map_or(list, |(tasks, _)| tasks);
    let mut numbers = Vec::new();
    for range in list.split(',') {
        let (range, step) = range.split_once(':').unwrap_or((range, "1"));
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (Some(first), Some(last), Some(step @ 1..)) =
            (whole::<u64>(first), whole(last), whole(step))
        else {
            return Err(FindingKind::Malformed);
        };
        if first > last || last >= TASKS || array * TASKS + last > LARGEST_NUMBER {
            return Err(FindingKind::Malformed);
        }
        for task in (first..=last).step_by(step) {
            if numbers.len() == MOST_TASKS {
                return Err(FindingKind::TooManyTasks);
            }
            numbers.push(array * TASKS + task);
        }
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_id_says_what_a_line_is_about() {
        for (id, expected) in [
            ("123", Some(Subject::Job(123))),
            ("123_4", Some(Subject::Job(1_230_000_004))),
            ("123_[5-9%2]", Some(Subject::Tasks(123, "[5-9%2]"))),
            ("123+1", Some(Subject::Component(123, 1))),
            ("123.batch", Some(Subject::Step(123))),
            ("123.extern", Some(Subject::Step(123))),
            ("123_4.0", Some(Subject::Step(1_230_000_004))),
            ("123+1.0", Some(Subject::Step(123))),
            ("", None),
            ("+1", None),
            ("123_", None),
            ("123_10000000", None),
            ("4294967296", None),
            ("123+x", None),
            ("job", None),
        ] {
            assert_eq!(subject(id), expected, "{id}");
        }
    }

    #[test]
    fn jobs_have_the_numbers_that_people_write() {
        for (text, number) in [
            ("12", Some(12)),
            ("9007199254740991", Some(9_007_199_254_740_991)),
            ("12_1", Some(120_000_001)),
            ("12+1", Some(12)),
            ("12.batch", None),
            ("12_[1-3]", None),
            ("x", None),
        ] {
            assert_eq!(job_number(text), number, "{text}");
        }
    }

    #[test]
    fn a_list_names_the_tasks_of_an_array() {
        let tasks =
            |list| tasks(2, list).map(|numbers| numbers.iter().map(|n| n - 2 * TASKS).collect());
        assert_eq!(tasks("[4]"), Ok(vec![4]));
        assert_eq!(
            tasks("[1,3-7,10-20:5%2]"),
            Ok(vec![1, 3, 4, 5, 6, 7, 10, 15, 20])
        );
        for (list, kind) in [
            ("[1,3,...]", FindingKind::CutTasks),
            ("[0...%3]", FindingKind::CutTasks),
            ("[0-100000]", FindingKind::TooManyTasks),
            ("[0-49999,50000-9999999]", FindingKind::TooManyTasks),
            ("[]", FindingKind::Malformed),
            ("[1-3", FindingKind::Malformed),
            ("[3-1]", FindingKind::Malformed),
            ("[1-3:0]", FindingKind::Malformed),
            ("[10000000]", FindingKind::Malformed),
            ("[1-x]", FindingKind::Malformed),
        ] {
            assert_eq!(tasks(list), Err(kind), "{list}");
        }
    }
}
