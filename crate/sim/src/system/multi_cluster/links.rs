//! The bandwidth that a co-allocated job requires of the link of each of its clusters.
//!
//! Every process sends to every other one alike, so with x of n processes in the cluster x · (n −
//! x) / (n − 1) times the bandwidth of a process leaves it (Eq. 1). That bandwidth is such that an
//! even bisection of the job requires the bandwidth it requests: B · 4 (n − 1) / n² (Eq. 8).
//! Together: 4 B · x (n − x) / n².
//!
//! Source: paper 3, Eq. 1, 2 and 8. Departure: whole bit/s, halves rounded up, so that equal loads
//! are equal.

/// Bandwidth in bit/s that a job of `size` processes requires of the link of a cluster with
/// `inside` of them, where an even bisection requires `bisection` bit/s.
pub fn required(bisection: u64, inside: u32, size: u32) -> u64 {
    if inside == 0 || inside >= size {
        return 0;
    }
    let [inside, outside, size] = [inside, size - inside, size].map(u64::from);
    let square = size * size;
    let in_64_bits = || {
        let above = bisection.checked_mul(8 * inside)?.checked_mul(outside)?;
        Some(above.checked_add(square)? / square.checked_mul(2)?)
    };
    // A division of 128 bits takes many times as long, especially in wasm.
    in_64_bits().unwrap_or_else(|| {
        let [bisection, inside, outside, square] =
            [bisection, inside, outside, square].map(u128::from);
        ((8 * bisection * inside * outside + square) / (2 * square)) as u64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MBPS: u64 = 1_000_000;

    /// P3-T1.
    #[test]
    fn six_nodes_on_three_clusters_require_what_the_paper_says() {
        let at = |inside| required(180 * MBPS, inside, 6) / MBPS;
        assert_eq!([at(3), at(2), at(1)], [180, 160, 100]);
        assert_eq!([at(0), at(6)], [0, 0]);
    }

    /// P3-T2: what a process sends is such that an even bisection takes all.
    #[test]
    fn an_even_bisection_requires_what_the_job_asks_for() {
        let expected = [
            (2, 300.0, 300.0),
            (3, 266.666_667, 266.666_667),
            (5, 192.0, 288.0),
            (10, 108.0, 300.0),
            (50, 23.52, 300.0),
            (90, 13.185_185, 300.0),
        ];
        for (size, process, half) in expected {
            let at = |inside| required(300 * MBPS, inside, size) as f64 / MBPS as f64;
            assert!((at(size / 2) - half).abs() < 2e-6, "{size}");
            // With one process inside, all that it sends leaves the cluster.
            assert!((at(1) - process).abs() < 2e-6, "{size}");
        }
        assert_eq!(required(300 * MBPS, 1, 1), 0);
    }

    /// Beyond 64 bits on the way, halves round up as below: 4 · 2⁴⁴ · 2²⁰ · 3 · 2²⁰ / 2⁴⁴ = 3 ·
    /// 2⁴².
    #[test]
    fn what_is_large_is_exact_too() {
        assert_eq!(required(1 << 44, 1 << 20, 1 << 22), 3 << 42);
        assert_eq!(required(u64::MAX, 1, 2), u64::MAX);
        assert_eq!(required(3, 1, 4), 2);
        assert_eq!(required(2, 1, 4), 2);
    }
}
