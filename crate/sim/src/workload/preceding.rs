//! Which jobs of a file each one must wait for, by the numbers that its line names.
//!
//! A number that several jobs have means the last of them before the job in order of submit, else
//! the first after it. Where jobs would wait for each other in a circle, one of them does not wait
//! for those behind it.

use super::trace::LogRow;
use crate::sorting;

/// Positions of the jobs that precede others, by the position of the one that waits, in order.
pub fn known(rows: &[LogRow]) -> Vec<(usize, Vec<usize>)> {
    if rows.iter().all(|row| row.preceding.is_none()) {
        return Vec::new();
    }
    let positions = rows.iter().enumerate();
    let mut numbers: Vec<(u64, usize)> = positions.map(|(at, row)| (row.number, at)).collect();
    sorting::by_number(&mut numbers, |&(number, _)| number);
    let find = |number: u64, waiting: usize| -> Option<usize> {
        let later = numbers.partition_point(|&entry| entry < (number, waiting));
        let of_number = |at: usize| {
            let entry = numbers.get(at).filter(|entry| entry.0 == number)?;
            (entry.1 != waiting).then_some(entry.1)
        };
        let before = later.checked_sub(1).and_then(of_number);
        before
            .or_else(|| of_number(later))
            .or_else(|| of_number(later + 1))
    };
    let mut found: Vec<(usize, Vec<usize>)> = Vec::new();
    for (waiting, row) in rows.iter().enumerate() {
        let named = row
            .preceding
            .iter()
            .flat_map(|preceding| &preceding.numbers);
        let mut jobs: Vec<usize> = named.filter_map(|&number| find(number, waiting)).collect();
        sorting::by_key(&mut jobs, |&job| job);
        jobs.dedup();
        if !jobs.is_empty() {
            found.push((waiting, jobs));
        }
    }
    open_circles(rows.len(), &mut found);
    found
}

/// Lets no job wait for itself: one after the other, the jobs are ready whose preceding ones are;
/// where none is, the first that is not gives up those behind it.
fn open_circles(count: usize, found: &mut Vec<(usize, Vec<usize>)>) {
    let is_later = |(waiting, jobs): &(usize, Vec<usize>)| jobs.iter().any(|job| job > waiting);
    if !found.iter().any(is_later) {
        return;
    }
    let mut entry = vec![None; count];
    for (at, (waiting, _)) in found.iter().enumerate() {
        entry[*waiting] = Some(at);
    }
    let mut left = vec![0; found.len()];
    let mut followers = vec![Vec::new(); found.len()];
    for (at, (_, jobs)) in found.iter().enumerate() {
        for before in jobs.iter().filter_map(|&job| entry[job]) {
            left[at] += 1;
            followers[before].push(at);
        }
    }
    let mut is_ready = vec![false; found.len()];
    let mut ready: Vec<usize> = (0..found.len()).filter(|&at| left[at] == 0).collect();
    let mut first = 0;
    loop {
        while let Some(at) = ready.pop() {
            is_ready[at] = true;
            for &follower in &followers[at] {
                left[follower] -= 1;
                if left[follower] == 0 && !is_ready[follower] {
                    ready.push(follower);
                }
            }
        }
        let Some(stuck) = (first..found.len()).find(|&at| !is_ready[at]) else {
            break;
        };
        found[stuck]
            .1
            .retain(|&job| entry[job].is_none_or(|before| is_ready[before]));
        first = stuck + 1;
        ready.push(stuck);
    }
    found.retain(|(_, jobs)| !jobs.is_empty());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Span;
    use crate::workload::trace::Preceding;

    /// Jobs of these numbers, each after these.
    fn rows(jobs: &[(u64, &[u64])]) -> Vec<LogRow> {
        let row = |&(number, after): &(u64, &[u64])| LogRow {
            number,
            preceding: (!after.is_empty()).then(|| {
                Box::new(Preceding {
                    numbers: after.into(),
                    think: Span(0),
                })
            }),
            ..LogRow::default()
        };
        jobs.iter().map(row).collect()
    }

    #[test]
    fn preceding_jobs_are_known_wherever_they_are() {
        let known = |jobs: &[(u64, &[u64])]| known(&rows(jobs));
        assert_eq!(known(&[(1, &[]), (2, &[])]), []);
        assert_eq!(known(&[(1, &[]), (2, &[1])]), [(1, vec![0])]);
        assert_eq!(known(&[(2, &[1]), (1, &[])]), [(0, vec![1])]);
        assert_eq!(
            known(&[(1, &[]), (2, &[]), (3, &[2, 1, 9])]),
            [(2, vec![0, 1])]
        );
        // Of several jobs with a number the last before, else the first after.
        assert_eq!(
            known(&[(7, &[]), (7, &[]), (2, &[7]), (7, &[])]),
            [(2, vec![1])]
        );
        assert_eq!(known(&[(2, &[7]), (7, &[]), (7, &[])]), [(0, vec![1])]);
        assert_eq!(known(&[(7, &[7]), (7, &[7])]), [(1, vec![0])]);
    }

    #[test]
    fn no_job_waits_for_itself() {
        let known = |jobs: &[(u64, &[u64])]| known(&rows(jobs));
        assert_eq!(known(&[(1, &[1])]), []);
        assert_eq!(known(&[(1, &[2]), (2, &[1])]), [(1, vec![0])]);
        assert_eq!(
            known(&[(1, &[3]), (2, &[1]), (3, &[2])]),
            [(1, vec![0]), (2, vec![1])]
        );
    }
}
