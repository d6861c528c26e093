//! The hose model: what a virtual cluster of N machines, each guaranteed B, needs on a link.
//!
//! With m of the N machines below a link, at most min(m, N − m) of them talk across it at once, so
//! it must carry min(m, N − m) · B. The feasible counts are therefore a set with a gap, [0, q] and
//! [N − q, N] with q = ⌊residual / B⌋, never just an upper limit.
//!
//! Source: paper 1, Eq. 5 and 6; H. Ballani, P. Costa, T. Karagiannis, A. Rowstron, "Towards
//! predictable datacenter networks", SIGCOMM 2011. Departure: Eq. 6 is printed with the machines of
//! one server on every link of its path, which overbooks links shared by two servers; here the
//! count is that of all machines below the link.

use crate::unit::Kbps;

/// A virtual cluster: `size` machines (N), each guaranteed `bandwidth` (B).
#[derive(Clone, Copy, Debug)]
pub struct Cluster {
    /// Machines of the cluster, N.
    pub size: u32,
    /// Bandwidth of each machine, B.
    pub bandwidth: Kbps,
    /// Whether traffic among machines below a link is free on it. If not, m machines need m · B,
    /// unless all N are there.
    pub intra_server_free: bool,
}

impl Cluster {
    /// For how many machines a link must carry the bandwidth that has `below` of them under it.
    #[inline]
    pub fn weight(self, below: u32) -> u32 {
        if self.intra_server_free {
            below.min(self.size - below)
        } else if below == self.size {
            0
        } else {
            below
        }
    }

    /// The need of a link with `below` of the cluster's machines under it.
    #[inline]
    pub fn need(self, below: u32) -> Kbps {
        self.times(self.weight(below))
    }

    /// The bandwidth of `machines` machines.
    #[inline]
    pub fn times(self, machines: u32) -> Kbps {
        Kbps(u64::from(machines) * self.bandwidth.0)
    }

    /// The largest count of machines, at most `limit`, that may be **added** below a link which has
    /// `below` of them already and `residual` left; 0 where none may. `below + limit` must not
    /// exceed N.
    #[inline(always)]
    pub fn largest(self, below: u32, limit: u32, residual: Kbps) -> u32 {
        if self.need(below + limit) <= residual {
            return limit;
        }
        // A link that carries no machine needs no division.
        if residual < self.bandwidth {
            return 0;
        }
        // The need at the limit is not met, so B > 0 and the limit is in the gap above q.
        let q = (residual.0 / self.bandwidth.0) as u32;
        q.saturating_sub(below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_is_what_a_scan_from_above_finds() {
        for size in 1..=9 {
            for (bandwidth, intra_server_free) in [(0, true), (1, true), (250, false), (600, true)]
            {
                let cluster = Cluster {
                    size,
                    bandwidth: Kbps(bandwidth),
                    intra_server_free,
                };
                for below in 0..=size {
                    for limit in 0..=size - below {
                        for residual in (0..=2500).step_by(125).map(Kbps) {
                            let scan = (1..=limit)
                                .rev()
                                .find(|m| cluster.need(below + m) <= residual)
                                .unwrap_or(0);
                            assert_eq!(cluster.largest(below, limit, residual), scan);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_gap_can_be_jumped() {
        let cluster = Cluster {
            size: 4,
            bandwidth: Kbps(600),
            intra_server_free: true,
        };
        let feasible: Vec<u32> = (0..=4).filter(|&m| cluster.need(m) <= Kbps(1000)).collect();
        assert_eq!(feasible, [0, 1, 3, 4]);
        assert_eq!(cluster.largest(0, 3, Kbps(1000)), 3);
        assert_eq!(cluster.largest(0, 2, Kbps(1000)), 1);
    }
}
