//! Shares of links: progressive filling, slowly and plainly, and whether the result is fair.

/// The share of each job for links of these capacities and its demand on each link, kbit/s.
/// Rounding depends on the order of the steps, which is that of the definition: the link that is
/// full first, the lowest of several, and on it job by job.
pub fn shares(capacity: &[u64], guaranteed_percent: u32, asked: &[Vec<u64>]) -> Vec<f64> {
    let filled = filled(capacity, guaranteed_percent, asked);
    filled.into_iter().map(|(share, _)| share).collect()
}

/// The same, each with the link that was full when the job stopped; `None` where it has all.
pub fn filled(
    capacity: &[u64],
    guaranteed_percent: u32,
    asked: &[Vec<u64>],
) -> Vec<(f64, Option<usize>)> {
    let guaranteed = f64::from(guaranteed_percent) / 100.0;
    let mut left: Vec<f64> = capacity.iter().map(|&capacity| capacity as f64).collect();
    let mut shares: Vec<Option<(f64, usize)>> = vec![None; asked.len()];
    loop {
        let mut next: Option<(f64, usize)> = None;
        for (link, &capacity) in capacity.iter().enumerate() {
            let all: u64 = asked.iter().map(|asked| asked[link]).sum();
            let open = asked.iter().zip(&shares);
            let open = open.filter(|(_, share)| share.is_none());
            let open: u64 = open.map(|(asked, _)| asked[link]).sum();
            if all <= capacity || open == 0 {
                continue;
            }
            let alike = capacity as f64 / all as f64;
            let full_at = (left[link] / open as f64).max(alike).max(guaranteed);
            if next.is_none_or(|(least, _)| full_at < least) {
                next = Some((full_at, link));
            }
        }
        let Some((share, full)) = next.filter(|next| next.0 < 1.0) else {
            let all = shares.into_iter();
            let all =
                all.map(|stopped| stopped.map_or((1.0, None), |(share, link)| (share, Some(link))));
            return all.collect();
        };
        for (job, asked) in asked.iter().enumerate() {
            if shares[job].is_none() && asked[full] > 0 {
                shares[job] = Some((share, full));
                for (left, &asked) in left.iter_mut().zip(asked) {
                    *left -= share * asked as f64;
                }
            }
        }
    }
}

/// The violation of the definition by some shares; `None` if there is none. No share is above 1 or
/// below the guarantee; no link carries more than its rate, unless the guarantees on it are
/// `overbooked`; and a job with a share below 1 has a full link on its path on which no share is
/// larger.
pub fn fault(
    capacity: &[u64],
    guaranteed_percent: u32,
    overbooked: bool,
    asked: &[Vec<u64>],
    shares: &[f64],
) -> Option<String> {
    const CLOSE: f64 = 1e-9;
    let guaranteed = f64::from(guaranteed_percent) / 100.0;
    let in_use = |link: usize| -> f64 {
        let jobs = asked.iter().zip(shares);
        jobs.map(|(asked, share)| asked[link] as f64 * share).sum()
    };
    for (link, &carries) in capacity.iter().enumerate() {
        let carries = carries as f64;
        let all: u64 = asked.iter().map(|asked| asked[link]).sum();
        let most = if overbooked {
            carries.max(guaranteed * all as f64)
        } else {
            carries
        };
        if in_use(link) > most * (1.0 + CLOSE) {
            return Some(format!("link {link} carries {} of {carries}", in_use(link)));
        }
    }
    for (job, &share) in shares.iter().enumerate() {
        if share > 1.0 || share < guaranteed {
            return Some(format!("job {job} has a share of {share}"));
        }
        let holds_up = |link: usize| {
            let others = asked
                .iter()
                .zip(shares)
                .filter(|(asked, _)| asked[link] > 0);
            let largest = others.map(|(_, &share)| share).fold(0.0, f64::max);
            asked[job][link] > 0
                && in_use(link) >= capacity[link] as f64 * (1.0 - CLOSE)
                && largest <= share * (1.0 + CLOSE)
        };
        if share < 1.0 - CLOSE && !(0..capacity.len()).any(holds_up) {
            return Some(format!("nothing holds job {job} at a share of {share}"));
        }
    }
    None
}
