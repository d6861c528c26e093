//! A pool in pictures: a block of machines for each centre. A run records only how many machines of
//! a centre a job held; here each job gets its own.

use serde::{Deserialize, Serialize};

use super::place::Count;
use super::{Pool, PoolSpec, Portion};
use crate::choice::Choice;
use crate::job::Request;
use crate::place::Placer;
use crate::record::{Allocation, Allocations};
use crate::source::PAPER_4;
use crate::system::describe::{
    About, Describe, Examined, Examiner, Kept, Lanes, Layout, Measure, columns, columns_of_equal,
    numbered,
};

/// Texts about pools.
pub static ABOUT: About = About {
    unit: "machine",
    part: "centre",
    layers: &[],
    headline: &[
        "response_mean",
        "response_weighted",
        "wait_mean",
        "wait_weighted",
    ],
    headline_of_shared: &[],
    placements: &[Choice {
        value: "count",
        label: "Free VMs",
        help: "Free VMs, data centre by data centre in the order in which these are opened; only their number decides.",
        source: PAPER_4,
    }],
    compared: &["count"],
    network: false,
    fits_nowhere: None,
    confinement: None,
    chosen_in_sets: true,
};

/// A pool in pictures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
pub struct ShownPool {
    /// Machines of each centre.
    pub vms: u32,
    /// The number of centres.
    pub centres: u32,
}

impl ShownPool {
    /// A pool of this specification.
    pub fn of(spec: &PoolSpec) -> ShownPool {
        ShownPool {
            vms: spec.vms,
            centres: spec.opening_order.len() as u32,
        }
    }
}

impl Describe for ShownPool {
    fn parts(&self) -> usize {
        self.vms as usize * self.centres as usize
    }

    fn part(&self, part: usize) -> String {
        let (centre, vm) = (part / self.vms as usize, part % self.vms as usize);
        if self.centres == 1 {
            format!("VM {vm}")
        } else {
            format!("VM {vm}, centre {centre}")
        }
    }

    fn layout(&self) -> Layout {
        let vms = self.vms as usize;
        let columns = if self.centres == 1 {
            columns_of_equal(vms)
        } else {
            columns(vms)
        };
        let centre = |centre| vec![(centre * self.vms..(centre + 1) * self.vms).collect()];
        Layout {
            columns,
            bands: vec![vms.div_ceil(columns.max(1))],
            across: self.centres as usize,
            close: false,
            blocks: (0..self.centres).map(centre).collect(),
        }
    }

    fn blocks(&self) -> Vec<String> {
        if self.centres < 2 {
            return Vec::new();
        }
        numbered("centre", self.centres as usize)
    }

    fn words(&self) -> [&'static str; 3] {
        ["held", "of a machine held", "Which machines are held"]
    }
}

impl Measure for ShownPool {
    fn holder(&self, number: u32) -> String {
        self.part(number as usize)
    }

    fn lanes(&self) -> Lanes {
        Lanes::alike(1, self.centres as usize, self.vms as usize)
    }

    fn prepare(&self, allocations: &mut Allocations) {
        allocations.number_slots(self.vms);
    }

    fn add(&self, shares: &mut [f32], allocation: &Allocation, weight: f64, _: Kept<'_>) {
        for (vm, _) in allocation.shares() {
            shares[vm as usize] += weight as f32;
        }
    }
}

impl Examined for Pool {
    const ABOUT: &'static About = &ABOUT;
}

impl Examiner<Pool> for Count {
    fn possible(&self, pool: &Pool, request: &Request) -> Option<Portion> {
        Count.place(pool, request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::describe::tests::{allocation, shows_every_part};

    #[test]
    fn machines_are_counted_over_the_centres() {
        let pool = ShownPool { vms: 5, centres: 3 };
        shows_every_part(&pool);
        assert_eq!(pool.layout().blocks[2][0], [10, 11, 12, 13, 14]);
        assert_eq!(pool.part(7), "VM 2, centre 1");
        assert_eq!(pool.blocks().len(), 3);
        let alone = ShownPool { vms: 5, centres: 1 };
        assert_eq!((alone.part(4), alone.blocks().len()), ("VM 4".into(), 0));
    }

    #[test]
    fn an_allocation_uses_all_of_each_of_its_machines() {
        let pool = ShownPool { vms: 2, centres: 2 };
        let run = Kept {
            jobs: &Vec::new().into(),
            links: &[],
        };
        let allocation = allocation(&[(0, 1), (3, 1)], &[]);
        assert_eq!(pool.in_use(&[&allocation], run), [1.0, 0.0, 0.0, 1.0]);
    }
}
