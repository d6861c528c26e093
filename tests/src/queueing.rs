//! Queueing theory: recursions that give every start exactly, and closed forms of mean waits.

use backfill_sim::job::Jobs;

/// FCFS on one server, or for jobs that each need the whole machine: D. V. Lindley, "The theory of
/// queues with a single server", 1952. The waits of all jobs.
pub fn lindley(jobs: &Jobs) -> Vec<u64> {
    let mut wait = 0;
    let waits = jobs.iter().zip(jobs.iter().skip(1)).map(|(job, next)| {
        let gap = next.submit - job.submit;
        wait = (wait + job.runtime.0).saturating_sub(gap.0);
        wait
    });
    std::iter::once(0).chain(waits).take(jobs.len()).collect()
}

/// FCFS of rigid jobs on `processors` processors: J. Kiefer, J. Wolfowitz, "On the theory of queues
/// with many servers", 1955, with several processors taken at once. The release times of all
/// processors stay sorted; a job starts once as many as it needs are released, and not before the
/// job ahead of it. The starts of all jobs; a job that needs more than there are has none.
pub fn kiefer_wolfowitz(jobs: &Jobs, processors: usize) -> Vec<Option<u64>> {
    let mut released = vec![0; processors];
    let mut ahead = 0;
    let starts = jobs.iter().map(|job| {
        let needed = job.size as usize;
        if needed > processors {
            return None;
        }
        let start = job.submit.0.max(ahead).max(released[needed - 1]);
        released[..needed].fill(start + job.runtime.0);
        released.sort_unstable();
        ahead = start;
        Some(start)
    });
    starts.collect()
}

/// The probability to wait in M/M/c (A. K. Erlang, 1917), for `servers` servers with the load
/// `utilisation` each, below 1.
pub fn erlang_c(servers: u32, utilisation: f64) -> f64 {
    let offered = f64::from(servers) * utilisation;
    let blocked = (1..=servers).fold(1.0, |blocked, server| {
        offered * blocked / (f64::from(server) + offered * blocked)
    });
    blocked / (1.0 - utilisation * (1.0 - blocked))
}

/// The mean wait in M/M/c in units of the mean service time.
pub fn mmc_wait(servers: u32, utilisation: f64) -> f64 {
    erlang_c(servers, utilisation) / (f64::from(servers) * (1.0 - utilisation))
}

/// The mean wait in M/G/1 in units of the mean service time (F. Pollaczek, 1930, A. Khinchine,
/// 1932); `variation` is the squared coefficient of variation of the service time.
pub fn mg1_wait(utilisation: f64, variation: f64) -> f64 {
    utilisation * (1.0 + variation) / (2.0 * (1.0 - utilisation))
}
