//! A pool of identical virtual machines in one or several data centres. Links are not modelled; a
//! bandwidth between centres decides only in which order they are opened.
//!
//! A job holds machines for as long as it runs, at least as many as it asks for. With k times as
//! many it goes k^σ times as fast, where σ is the pool's speed-up exponent: 1 shares the work among
//! them all, 0 leaves what is beyond the request idle.
//!
//! - [`place`]: where a job goes
//! - [`describe`]: its parts, for people and pictures
//!
//! Invariant: no more machines of a centre are held than it has.
//!
//! Source: paper 4, sections 3 and 4.2: 120 machines a centre, and Algorithm 3's `initiate`, which
//! opens the centre with the largest bandwidth to the one opened last. Which comes first the paper
//! does not say: it is centre 0. Whom a pass opens centres for is a matter of order alone, since it
//! opens further ones until the job fits; so what is kept here is that order.

pub mod describe;
pub mod place;

use std::sync::Arc;

use crate::decimal::Decimal;
use crate::id::{CentreId, Id, IdVec};
use crate::job::Request;
use crate::machine::{Capacity, Placement, System};
use crate::math;
use crate::unit::Kbps;

/// How large a pool is and in which order its centres are opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PoolSpec {
    /// Machines of each centre.
    pub vms: u32,
    /// The centres in the order in which they are opened.
    pub opening_order: Vec<CentreId>,
    /// By which power of the machines it holds, in multiples of what it asked for, a job speeds up.
    pub speed_up: Decimal,
}

impl PoolSpec {
    /// What a workload needs to know about it.
    pub fn capacity(&self) -> Capacity {
        let centres = self.opening_order.len() as u64;
        Capacity {
            slots: centres * u64::from(self.vms),
            servers: centres,
            slots_per_server: u64::from(self.vms),
            line_rate: Kbps(u64::MAX),
            thinnest_shared: None,
            most_guaranteed: None,
        }
    }

    /// The pool, idle.
    pub fn build(&self) -> Pool {
        Pool::new(self.vms, self.opening_order.clone(), self.speed_up.to_f64())
    }
}

/// A pool of virtual machines.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// Machines of each centre.
    size: u32,
    free: IdVec<CentreId, u32>,
    /// How many are free in all centres, on or off.
    idle: u32,
    /// How many are on.
    on: u32,
    opening_order: Arc<[CentreId]>,
    speed_up: f64,
}

/// The machines of one job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Portion {
    /// (centre, machines there), by centre.
    pub parts: Vec<(CentreId, u32)>,
}

impl Portion {
    /// How many machines it has.
    pub fn machines(&self) -> u32 {
        self.parts.iter().map(|part| part.1).sum()
    }
}

/// The order in which centres are opened: from centre 0 always the one with the largest bandwidth
/// to the one before, equal ones by number.
pub fn opening_order(centres: u32, between: impl Fn(CentreId, CentreId) -> Kbps) -> Vec<CentreId> {
    let mut closed: Vec<CentreId> = (1..centres).map(CentreId).collect();
    let mut order = vec![CentreId(0)];
    let mut last = CentreId(0);
    while !closed.is_empty() {
        let (mut next, mut most) = (0, between(last, closed[0]));
        for (position, &centre) in closed.iter().enumerate().skip(1) {
            let bandwidth = between(last, centre);
            if bandwidth > most {
                (next, most) = (position, bandwidth);
            }
        }
        last = closed.remove(next);
        order.push(last);
    }
    order
}

impl Pool {
    /// Idle centres of `size` machines each, opened in that order, in which jobs speed up with that
    /// exponent.
    pub fn new(size: u32, opening_order: Vec<CentreId>, speed_up: f64) -> Pool {
        Pool {
            size,
            free: IdVec::filled(size, opening_order.len()),
            idle: size * opening_order.len() as u32,
            on: size * opening_order.len() as u32,
            opening_order: opening_order.into(),
            speed_up,
        }
    }

    /// One idle centre of `size` machines, where more machines than asked for give no speed.
    pub fn single(size: u32) -> Pool {
        Pool::new(size, vec![CentreId(0)], 0.0)
    }

    /// How many machines each centre has.
    pub(crate) fn centre_size(&self) -> u32 {
        self.size
    }

    /// How many machines are on and free in all centres.
    pub fn free_count(&self) -> u32 {
        self.on.saturating_sub(self.all() - self.idle)
    }

    /// How many there are, on or off.
    fn all(&self) -> u32 {
        self.size * self.free.len() as u32
    }

    /// The centres in the order in which they are opened, and how many machines are free in each.
    pub(crate) fn free_by_opening(&self) -> impl Iterator<Item = (CentreId, u32)> {
        let order = self.opening_order.iter();
        order.map(|&centre| (centre, self.free[centre]))
    }
}

impl System for Pool {
    type Placement = Portion;

    fn hold(&mut self, request: &Request, placement: &Portion) {
        for &(centre, machines) in &placement.parts {
            let free = &mut self.free[centre];
            let enough = *free >= machines;
            assert!(
                enough,
                "{centre} has {free} of {machines} machines for {}",
                request.index
            );
            *free -= machines;
            self.idle -= machines;
        }
    }

    fn free(&mut self, request: &Request, placement: &Portion) {
        for &(centre, machines) in &placement.parts {
            let free = &mut self.free[centre];
            *free += machines;
            assert!(
                *free <= self.size,
                "{centre} gets back too much from {}",
                request.index
            );
            self.idle += machines;
        }
    }

    fn rate(&self, request: &Request, placement: &Portion) -> f64 {
        let machines = placement.machines();
        if machines == request.size || self.speed_up == 0.0 {
            1.0
        } else {
            math::pow(f64::from(machines) / f64::from(request.size), self.speed_up)
        }
    }

    fn slots(&self) -> u64 {
        u64::from(self.all())
    }

    fn set_powered_on(&mut self, slots: u64) {
        self.on = slots.min(u64::from(self.all())) as u32;
    }

    fn free_slots(&self) -> u64 {
        u64::from(self.free_count())
    }
}

impl Placement for Portion {
    fn shares(&self) -> impl Iterator<Item = (u32, u32)> {
        let parts = self.parts.iter();
        parts.map(|&(centre, machines)| (centre.index() as u32, machines))
    }

    fn slots(&self) -> u32 {
        self.machines()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::JobId;

    use crate::unit::{Span, Time};

    fn request(size: u32) -> Request {
        Request {
            index: JobId(0),
            submit: Time(0),
            size,
            bandwidth: Kbps(0),
            estimate: Span(1),
            home: 0,
        }
    }

    #[test]
    fn centres_open_by_bandwidth_to_the_last_one_and_equal_ones_by_number() {
        let matrix = [[0, 5, 9, 9], [5, 0, 7, 1], [9, 7, 0, 2], [9, 1, 2, 0]];
        let between = |a: CentreId, b: CentreId| Kbps(matrix[a.index()][b.index()]);
        assert_eq!(opening_order(4, between), [0, 2, 1, 3].map(CentreId));
        assert_eq!(opening_order(3, |_, _| Kbps(1)), [0, 1, 2].map(CentreId));
        assert_eq!(opening_order(1, |_, _| Kbps(1)), [CentreId(0)]);
    }

    #[test]
    fn a_job_speeds_up_by_the_exponent() {
        let six = Portion {
            parts: vec![(CentreId(0), 6)],
        };
        let rate = |speed_up, size| {
            let pool = Pool::new(8, vec![CentreId(0)], speed_up);
            pool.rate(&request(size), &six)
        };
        assert_eq!(rate(1.0, 2), 3.0);
        assert_eq!(rate(0.0, 2), 1.0);
        assert_eq!(rate(0.5, 6), 1.0);
        assert!((rate(0.5, 3) - 2_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn what_is_off_is_not_free_and_what_is_held_stays() {
        let mut pool = Pool::new(4, vec![CentreId(1), CentreId(0)], 0.0);
        let placement = Portion {
            parts: vec![(CentreId(0), 1), (CentreId(1), 4)],
        };
        pool.set_powered_on(6);
        pool.hold(&request(5), &placement);
        assert_eq!((pool.free_count(), pool.slots()), (1, 8));
        pool.set_powered_on(2);
        assert_eq!(pool.free_slots(), 0);
        pool.free(&request(5), &placement);
        assert_eq!(pool.free_count(), 2);
        pool.set_powered_on(100);
        assert_eq!(pool.free_count(), 8);
    }

    #[test]
    fn freeing_undoes_holding() {
        let mut pool = Pool::new(4, vec![CentreId(1), CentreId(0)], 0.0);
        let idle = pool.clone();
        let placement = Portion {
            parts: vec![(CentreId(0), 1), (CentreId(1), 4)],
        };
        pool.hold(&request(5), &placement);
        assert_eq!((pool.free_count(), pool.slots()), (3, 8));
        assert!(
            pool.free_by_opening()
                .eq([(CentreId(1), 0), (CentreId(0), 3)])
        );
        pool.free(&request(5), &placement);
        assert_eq!(pool, idle);
    }
}
