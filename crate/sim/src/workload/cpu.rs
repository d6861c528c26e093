//! The CPU usage of processes, and how much neighbours slow them.
//!
//! The only process of a job uses its node entirely; the processes of a parallel job use U(2m −
//! 100, 100) per cent each, independently. A process in the foreground loses a share U(0, 0.037) of
//! its speed to a neighbour, drawn once for each process. A background job runs at a share of its
//! speed drawn once for each job: U(0.8, 1) for a single process, else normal(0.428, 0.144) where
//! that lies in [0.2, 0.8], drawn again until it does.
//!
//! Source: paper 2, sections 3 and 5.1. The text leaves open how often the shares are drawn and how
//! the normal distribution is restricted.

use crate::decimal::Decimal;
use std::sync::Arc;

use crate::job::{Cpu, Job, Percent, Process};
use crate::rng::Stream;

/// The CPU usage of processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Mean usage of the processes of parallel jobs, per cent.
    pub mean: Decimal,
    /// Largest relative error of the usage reported to the scheduler.
    pub error: Decimal,
    /// Whether the scheduler knows the usage.
    pub known: bool,
}

/// The usage assumed for every process by a scheduler that does not know it.
const UNKNOWN: Percent = Percent(70.0);

/// The largest share of speed that a foreground process loses to its neighbour.
const LARGEST_OVERHEAD: f64 = 0.037;

/// Samples the CPU usage of each job that fits on `nodes` nodes.
pub(super) fn draw(jobs: &mut [Job], usage: Usage, nodes: u64, seed: u64, replication: u64) {
    let (mean, error) = (usage.mean.to_f64(), usage.error.to_f64());
    for (index, job) in jobs.iter_mut().enumerate() {
        if u64::from(job.size) > nodes {
            continue;
        }
        let stream = |purpose| Stream::new(seed, replication, purpose, index as u64);
        let (mut usages, mut overheads) = (stream("usage"), stream("overhead"));
        let mut errors = stream("usage error");
        let process = |_| {
            let used = match job.size {
                1 => 100.0,
                _ => 100.0 - (200.0 - 2.0 * mean) * (1.0 - usages.unit()),
            };
            let reported = used * (1.0 + error * (2.0 * errors.unit() - 1.0));
            Process {
                usage: Percent(used),
                reported: if usage.known {
                    Percent(reported.clamp(0.0, 100.0))
                } else {
                    UNKNOWN
                },
                overhead: LARGEST_OVERHEAD * overheads.unit(),
            }
        };
        let processes = (0..job.size).map(process).collect();
        let mut shares = stream("eff");
        let efficiency = match job.size {
            1 => 0.8 + 0.2 * shares.unit(),
            _ => loop {
                let share = 0.428 + 0.144 * shares.normal();
                if (0.2..=0.8).contains(&share) {
                    break share;
                }
            },
        };
        job.cpu = Some(Arc::new(Cpu {
            processes,
            efficiency,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decimal::Decimal;
    use crate::unit::{Span, Time};

    fn job(size: u32) -> Job {
        Job::new(0, Time(0), size, Span(1))
    }

    fn drawn(size: u32, mean: i64, error: &str, known: bool) -> Vec<Arc<Cpu>> {
        let usage = Usage {
            mean: Decimal::whole(mean),
            error: Decimal::parse(error).unwrap(),
            known,
        };
        let mut jobs = vec![job(size); 20_000];
        draw(&mut jobs, usage, 64, 42, 0);
        jobs.into_iter().map(|job| job.cpu.unwrap()).collect()
    }

    fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
        values.clone().sum::<f64>() / values.count() as f64
    }

    #[test]
    fn draws_have_the_means_of_their_laws() {
        let cpus = drawn(2, 70, "0", true);
        let usages = cpus.iter().map(|cpu| cpu.processes[1].usage.0);
        assert!((mean(usages.clone()) - 70.0).abs() < 0.4);
        assert!(usages.clone().all(|usage| (40.0..=100.0).contains(&usage)));
        // 4 in 60 parts of the usages are 96 per cent or more.
        let high = usages.filter(|&usage| usage >= 96.0).count() as f64 / 20_000.0;
        assert!((high - 0.0667).abs() < 0.006, "{high}");
        let overheads = cpus.iter().map(|cpu| cpu.processes[0].overhead);
        assert!((mean(overheads) - 0.0185).abs() < 0.0003);
        // The mean of the normal distribution that is cut at both ends.
        let shares = cpus.iter().map(|cpu| cpu.efficiency);
        assert!(
            (mean(shares.clone()) - 0.4433).abs() < 0.004,
            "{}",
            mean(shares)
        );
        let alone = drawn(1, 70, "0", true);
        assert!(
            alone
                .iter()
                .all(|cpu| cpu.processes[0].usage == Percent(100.0))
        );
        assert!((mean(alone.iter().map(|cpu| cpu.efficiency)) - 0.9).abs() < 0.002);
        let high = drawn(2, 95, "0", true);
        let least = high.iter().map(|cpu| cpu.processes[0].usage).min().unwrap();
        assert!(least >= Percent(90.0) && least < Percent(90.1));
    }

    #[test]
    fn the_scheduler_knows_the_true_usage_within_the_error() {
        for cpu in drawn(2, 70, "0", true) {
            assert!(
                cpu.processes
                    .iter()
                    .all(|process| process.reported == process.usage)
            );
        }
        let wrong = drawn(2, 70, "0.4", true);
        let exact = drawn(2, 70, "0", true);
        for (wrong, exact) in wrong.iter().zip(&exact) {
            for (wrong, exact) in wrong.processes.iter().zip(&exact.processes) {
                assert_eq!(wrong.usage, exact.usage);
                let most = (exact.usage.0 * 1.4).min(100.0);
                assert!((exact.usage.0 * 0.6..=most).contains(&wrong.reported.0));
            }
        }
        let blind = drawn(2, 70, "0", false);
        assert!(
            blind
                .iter()
                .all(|cpu| cpu.processes[0].reported == Percent(70.0))
        );
    }

    #[test]
    fn a_job_larger_than_the_cluster_draws_nothing() {
        let usage = Usage {
            mean: Decimal::whole(70),
            error: Decimal::whole(0),
            known: true,
        };
        let mut jobs = [job(4), job(u32::MAX)];
        draw(&mut jobs, usage, 4, 42, 0);
        assert!(jobs[0].cpu.is_some() && jobs[1].cpu.is_none());
    }
}
