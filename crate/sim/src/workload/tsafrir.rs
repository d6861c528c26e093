//! User estimates after the model of Tsafrir, Etsion and Feitelson: few round values, one of them
//! the largest allowed, and none shorter than the run time.
//!
//! Twenty popular values cover 89 per cent of the jobs; their popularity is sampled as in four real
//! logs. Less popular values, spread up to the largest, share the rest. Values are then assigned to
//! jobs at random, as far as they cover the run times. A job that runs longer than the largest
//! estimate is cut there. Departures: no values specific to a user; the numbers of jobs are made to
//! add up in proportion and then one by one, largest first.
//!
//! Source: D. Tsafrir, Y. Etsion, D. Feitelson, "Modeling user runtime estimates", JSSPP 2005, and
//! the program est_model that the authors publish.

use std::cmp::Reverse;

use crate::sorting;
use std::collections::BTreeSet;

use crate::job::Job;
use crate::math;
use crate::problem::Problem;
use crate::rng::Stream;
use crate::unit::{MICROS, Span};

/// The number of popular values.
const HEAD: usize = 20;

/// The share of the jobs, in per cent, with a popular value.
const HEAD_SHARE: f64 = 89.0;

/// The fewest jobs that the model is made for.
const FEWEST: usize = 200;

const MINUTE: u64 = 60;
const HOUR: u64 = 3600;

/// Values that users prefer wherever they are allowed.
const LIKED: [u64; 15] = [
    5 * MINUTE,
    15 * MINUTE,
    10 * MINUTE,
    20 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    3 * HOUR,
    4 * HOUR,
    5 * HOUR,
    6 * HOUR,
    8 * HOUR,
    10 * HOUR,
    12 * HOUR,
    18 * HOUR,
];

/// The divisors of the largest estimate that give further ones.
const STEPS: [u64; 10] = [
    200 * HOUR,
    100 * HOUR,
    50 * HOUR,
    10 * HOUR,
    5 * HOUR,
    2 * HOUR,
    HOUR,
    20 * MINUTE,
    10 * MINUTE,
    5 * MINUTE,
];

/// How popular the longest value, the shortest one, the second shortest one and so on are in four
/// logs: 1 is the most popular.
const POPULARITY: [[usize; 4]; HEAD] = [
    [3, 1, 1, 1],
    [1, 3, 4, 6],
    [4, 4, 10, 5],
    [17, 2, 14, 3],
    [13, 12, 20, 7],
    [7, 9, 2, 2],
    [8, 8, 3, 18],
    [18, 18, 7, 19],
    [2, 6, 12, 4],
    [6, 7, 6, 11],
    [16, 11, 19, 20],
    [10, 20, 5, 9],
    [5, 16, 18, 10],
    [15, 5, 16, 14],
    [14, 14, 9, 13],
    [19, 13, 17, 16],
    [11, 10, 15, 15],
    [12, 15, 13, 17],
    [9, 17, 8, 8],
    [20, 19, 11, 12],
];

/// Gives each job an estimate of at most `most`, which must be two hours or longer, and cuts those
/// that run longer.
///
/// # Errors
/// There are fewer than 200 jobs, or too many long ones for any assignment of the values.
pub(super) fn estimate(
    jobs: &mut [Job],
    most: Span,
    seed: u64,
    replication: u64,
) -> Result<(), Problem> {
    if jobs.len() < FEWEST {
        return Err(Problem::new(
            "estimate",
            "tsafrir",
            format!("is made for {FEWEST} jobs and more: take more jobs or another distribution"),
        ));
    }
    let stream = |purpose| Stream::new(seed, replication, purpose, 0);
    let bins = bins(jobs.len(), most.0 / MICROS, &mut stream("estimate values"));
    let mut estimates: Vec<u64> = Vec::with_capacity(jobs.len());
    for &(seconds, count) in bins.iter().rev() {
        estimates.extend(std::iter::repeat_n(seconds * MICROS, count));
    }
    for job in jobs.iter_mut() {
        job.runtime = job.runtime.min(most);
    }
    // The longest job first.
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    sorting::by_key(&mut order, |&place| Reverse(jobs[place].runtime));
    let covered = order.iter().zip(&estimates);
    if { covered }.any(|(&place, &estimate)| jobs[place].runtime.0 > estimate) {
        return Err(Problem::new(
            "estimate_max_s",
            &(most.0 / MICROS).to_string(),
            "the jobs run too long for what users would say: let them ask for more, or take shorter jobs",
        ));
    }
    let mut draws = stream("estimate");
    let sorted = estimates.clone();
    let mut last = 0;
    for (place, &job) in order.iter().enumerate() {
        let runtime = jobs[job].runtime.0;
        while last + 1 < sorted.len() && sorted[last + 1] >= runtime {
            last += 1;
        }
        let dealt = place + draws.below((last - place + 1) as u64) as usize;
        jobs[job].estimate = Span(estimates[dealt]);
        estimates[dealt] = estimates[place];
    }
    Ok(())
}

/// The values in seconds, ascending, and the number of jobs with each.
fn bins(jobs: usize, most: u64, stream: &mut Stream) -> Vec<(u64, usize)> {
    let values = distinct(jobs);
    let mut shares = popular(most, stream);
    let head: BTreeSet<u64> = shares.iter().map(|bin| bin.0).collect();
    shares.extend(tail(values, most, &head, stream));
    sorting::by_key(&mut shares, |bin| bin.0);
    let counts = counted(&shares, jobs);
    let times = shares.into_iter().map(|bin| bin.0);
    times.zip(counts).filter(|bin| bin.1 > 0).collect()
}

/// The number of different values among `jobs` jobs: linear between the points of real logs.
fn distinct(jobs: usize) -> usize {
    const POINTS: [(f64, f64); 7] = [
        (0.0, 0.0),
        (20.0, 10.0),
        (200.0, 20.0),
        (1000.0, 35.0),
        (10_000.0, 90.0),
        (70_000.0, 340.0),
        (250_000.0, 565.0),
    ];
    let jobs = jobs as f64;
    let part = POINTS.windows(2).find(|part| jobs <= part[1].0);
    part.map_or(565, |part| {
        let [(x, y), (to_x, to_y)] = [part[0], part[1]];
        (y + (to_y - y) * (jobs - x) / (to_x - x)).round() as usize
    })
}

/// The popular values and the share of the jobs, in per cent, that each has.
fn popular(most: u64, stream: &mut Stream) -> Vec<(u64, f64)> {
    let mut times: BTreeSet<u64> = LIKED.into_iter().filter(|&time| time < most).collect();
    times.insert(most);
    let round = |step: u64| (1..=most / step).rev().map(move |times| times * step);
    for time in STEPS.into_iter().flat_map(round) {
        if times.len() == HEAD {
            break;
        }
        times.insert(time);
    }
    let mut shares: Vec<f64> = (2..=HEAD)
        .map(|rank| 14.0491 * math::exp(-0.177_531 * rank as f64) + 0.462_513)
        .collect();
    shares.insert(0, HEAD_SHARE - shares.iter().sum::<f64>());
    sorting::by(&mut shares, |a, b| b.total_cmp(a));
    // The largest estimate, then the others from the shortest on.
    let ordered = times
        .iter()
        .next_back()
        .into_iter()
        .chain(&times)
        .take(HEAD);
    let ranks = ranks(stream);
    let given = ordered.zip(ranks);
    given
        .map(|(&time, rank)| (time, shares[rank - 1]))
        .collect()
}

/// How popular each of the popular values is, in the order of [`POPULARITY`].
fn ranks(stream: &mut Stream) -> [usize; HEAD] {
    let last_row = |rank: usize| POPULARITY.iter().rposition(|row| row.contains(&rank));
    let mut ranks = [1; HEAD];
    let mut pool: Vec<usize> = POPULARITY[0].to_vec();
    pool.retain(|&rank| rank != 1);
    let mut used = BTreeSet::from([1]);
    for (row, place) in ranks.iter_mut().enumerate().skip(1) {
        let new = POPULARITY[row].iter().filter(|rank| !used.contains(*rank));
        pool.extend(new);
        let due = pool
            .iter()
            .copied()
            .filter(|&rank| last_row(rank) <= Some(row));
        let rank = due.min().unwrap_or_else(|| {
            let mut one = || pool[stream.below(pool.len() as u64) as usize];
            one().min(one())
        });
        pool.retain(|&other| other != rank);
        used.insert(rank);
        *place = rank;
    }
    ranks
}

/// The values that few jobs have, and their shares.
fn tail(values: usize, most: u64, head: &BTreeSet<u64>, stream: &mut Stream) -> Vec<(u64, f64)> {
    let count = values.saturating_sub(HEAD);
    let bend = 1.0 + 12.1039 * math::pow(values as f64, -0.6026);
    let mut taken = head.clone();
    let mut times = Vec::new();
    for place in 1..=count {
        let x = place as f64 / count as f64;
        let y = (bend - 1.0) * x / (bend - x);
        let minutes = (y * most as f64 / MINUTE as f64).round() as i64;
        let near = [0, 30, -30, 20, -20, 10, -10].map(|seconds| minutes * 60 + seconds);
        let fits = |&time: &i64| time > 0 && time < most as i64 && !taken.contains(&(time as u64));
        if let Some(time) = near.into_iter().find(fits) {
            taken.insert(time as u64);
            times.push(time as u64);
        }
    }
    let sizes = (HEAD + 1..).take(times.len());
    let mut sizes: Vec<f64> = sizes
        .map(|rank| 795.6 * math::pow(rank as f64, -2.267))
        .collect();
    let all: f64 = sizes.iter().sum();
    for place in (1..sizes.len()).rev() {
        sizes.swap(place, stream.below(place as u64 + 1) as usize);
    }
    let share = |size| size * (100.0 - HEAD_SHARE) / all;
    times
        .into_iter()
        .zip(sizes.into_iter().map(share))
        .collect()
}

/// Splits `jobs` jobs into shares; each share gets at least one.
fn counted(shares: &[(u64, f64)], jobs: usize) -> Vec<usize> {
    let all: f64 = shares.iter().map(|bin| bin.1).sum();
    let count = |bin: &(u64, f64)| ((bin.1 / all * jobs as f64).round() as usize).max(1);
    let mut counts: Vec<usize> = shares.iter().map(count).collect();
    let mut largest: Vec<usize> = (0..counts.len()).collect();
    sorting::by_key(&mut largest, |&place| Reverse(counts[place]));
    let mut sum: usize = counts.iter().sum();
    while sum != jobs {
        for &place in &largest {
            if sum < jobs {
                counts[place] += 1;
                sum += 1;
            } else if sum > jobs && counts[place] > 1 {
                counts[place] -= 1;
                sum -= 1;
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Time;

    fn jobs(count: u64, mean: f64) -> Vec<Job> {
        let job = |index| {
            let seconds = Stream::new(42, 0, "runtime", index).exponential(mean);
            let runtime = Span((seconds * MICROS as f64) as u64);
            Job::new(index + 1, Time(index * MICROS), 1, runtime)
        };
        (0..count).map(job).collect()
    }

    #[test]
    fn no_job_runs_longer_than_its_estimate_and_none_asks_for_more_than_the_most() {
        let most = Span(18 * HOUR * MICROS);
        for replication in 0..20 {
            let mut jobs = jobs(5000, 1500.0);
            estimate(&mut jobs, most, 42, replication).unwrap();
            assert!(
                jobs.iter()
                    .all(|job| job.runtime <= job.estimate && job.estimate <= most)
            );
            let values: BTreeSet<Span> = jobs.iter().map(|job| job.estimate).collect();
            // 35 + 55 · 4/9 values are wanted; a few collide.
            assert!((50..=59).contains(&values.len()), "{}", values.len());
            let mut counts: Vec<usize> = values
                .iter()
                .map(|&value| jobs.iter().filter(|job| job.estimate == value).count())
                .collect();
            counts.sort_unstable_by(|a, b| b.cmp(a));
            let head = counts[..HEAD].iter().sum::<usize>() as f64 / 5000.0;
            assert!((head - 0.89).abs() < 0.01, "{head}");
            // The first share: 89 per cent less the sum of the others.
            let longest = jobs.iter().filter(|job| job.estimate == most).count() as f64;
            assert!((longest / 5000.0 - counts[0] as f64 / 5000.0).abs() < 1e-9);
        }
    }

    #[test]
    fn every_popularity_is_given_once() {
        for index in 0..200 {
            let ranks = ranks(&mut Stream::new(42, 0, "ranks", index));
            assert_eq!(ranks[0], 1);
            assert_eq!(BTreeSet::from(ranks), (1..=HEAD).collect());
        }
    }

    #[test]
    fn twenty_values_are_popular_whatever_the_most() {
        for most in [2 * HOUR, 4 * HOUR, 18 * HOUR, 24 * HOUR, 400 * HOUR] {
            let popular = popular(most, &mut Stream::new(42, 0, "head", 0));
            assert_eq!(popular.len(), HEAD, "{most}");
            let sum: f64 = popular.iter().map(|bin| bin.1).sum();
            assert!((sum - HEAD_SHARE).abs() < 1e-9, "{most}: {sum}");
        }
    }

    #[test]
    fn the_number_of_values_follows_the_number_of_jobs() {
        let found = [20, 200, 600, 1000, 10_000, 40_000, 1_000_000].map(distinct);
        assert_eq!(found, [10, 20, 28, 35, 90, 215, 565]);
    }

    #[test]
    fn what_cannot_be_estimated_is_refused_with_a_sentence() {
        let refused = |mut jobs: Vec<Job>, hours: u64| {
            let refused = estimate(&mut jobs, Span(hours * HOUR * MICROS), 42, 0);
            refused.unwrap_err().to_string()
        };
        assert_eq!(
            refused(jobs(199, 100.0), 4),
            "estimate = tsafrir: is made for 200 jobs and more: take more jobs or another distribution"
        );
        assert_eq!(
            refused(jobs(1000, 100_000.0), 4),
            "estimate_max_s = 14400: the jobs run too long for what users would say: let them ask for more, or take shorter jobs"
        );
    }
}
