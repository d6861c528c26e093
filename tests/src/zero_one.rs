//! Paper 4 step by step: sets of jobs by trying them all, and schedules on one or several data
//! centres without an engine.

use backfill_sim::id::JobId;
use backfill_sim::job::Jobs;
use backfill_sim::policy::Queue;
use backfill_sim::policy::elastic::MachinesOn;
use backfill_sim::policy::knapsack::{Chosen, Item};
use backfill_sim::policy::zomt::{LongWait, LongWaitOrder};
use backfill_sim::setup::Setup;
use backfill_sim::system::SystemSpec;
use backfill_sim::system::pool::PoolSpec;
use backfill_sim::unit::Time;

use crate::runs::leaves_at;

/// The best of all subsets of a few items: by value, then by use, then the one that has the first
/// item.
pub fn best_of_all(items: &[Item], least: u32, most: u32) -> Option<Chosen> {
    let subset = |mask: u32| -> Chosen {
        let is_in = |position: &usize| mask >> position & 1 == 1;
        let positions: Vec<usize> = (0..items.len()).filter(is_in).collect();
        Chosen {
            used: positions.iter().map(|&at| items[at].size).sum(),
            value: positions.iter().map(|&at| items[at].value).sum(),
            items: positions,
        }
    };
    // As a number that is greater where an earlier item is in.
    let earliest = |chosen: &Chosen| -> u32 { chosen.items.iter().map(|at| 1 << (31 - at)).sum() };
    (0..1_u32 << items.len())
        .map(subset)
        .filter(|chosen| (least..=most).contains(&chosen.used))
        .max_by_key(|chosen| (chosen.value, chosen.used, earliest(chosen)))
}

/// A job's stay on the pool: from when to when in microseconds, and on how many machines.
pub type Stay = (u64, u64, u32);

/// The stay of each job under FPFS, ZOMT or Fair without speed-up, with or without FSTEQ before it;
/// `None` for a job that left the queue, or is larger than the pool or than the list that is
/// scheduled.
///
/// # Panics
/// The setup is for something else.
pub fn stays(setup: &Setup, jobs: &Jobs) -> Vec<Option<Stay>> {
    let SystemSpec::Pool(PoolSpec {
        vms,
        ref opening_order,
        ..
    }) = setup.system
    else {
        panic!("no pool");
    };
    let centres = opening_order.len() as u32;
    let vms = vms * centres;
    // A job that requests more than the whole list holds is rejected, too.
    let capacity = setup.queueing.routing.capacity;
    let most = capacity.map_or(vms, |capacity| capacity.min(vms));
    let mut centre = Centre {
        setup,
        jobs,
        now: 0,
        centres,
        vms,
        idle: vms,
        free: vms,
        done: Vec::new(),
        waiting: Vec::new(),
        aside: Vec::new(),
        running: Vec::new(),
        stays: vec![None; jobs.len()],
    };
    let mut to_come: Vec<JobId> = jobs.ids().collect();
    loop {
        let submits = to_come.iter().map(|&job| jobs[job].submit.0);
        let ends = centre.running.iter().map(|of| of.2);
        let waiting = centre.waiting.iter().chain(&centre.aside);
        let leaving = waiting.filter_map(|&job| leaves_at(&jobs[job]));
        let Some(now) = submits.chain(ends).chain(leaving).min() else {
            break;
        };
        centre.now = now;
        centre.end_jobs();
        let stays = |&job: &JobId| leaves_at(&jobs[job]) != Some(now);
        centre.waiting.retain(stays);
        centre.aside.retain(stays);
        to_come.retain(|&job| {
            let arrives = jobs[job].submit.0 == now;
            if arrives && jobs[job].size <= most {
                if centre.has_room(job) {
                    centre.waiting.push(job)
                } else {
                    centre.aside.push(job)
                }
            }
            !arrives
        });
        centre.call();
        centre.pass();
    }
    centre.stays
}

struct Centre<'a> {
    setup: &'a Setup,
    jobs: &'a Jobs,
    now: u64,
    centres: u32,
    /// Of all centres.
    vms: u32,
    /// Machines that no job holds, on or off.
    idle: u32,
    /// Of these, those that are on.
    free: u32,
    done: Vec<JobId>,
    /// slist of FSTEQ.
    waiting: Vec<JobId>,
    /// wlist of FSTEQ.
    aside: Vec<JobId>,
    /// (job, machines, end)
    running: Vec<(JobId, u32, u64)>,
    stays: Vec<Option<Stay>>,
}

impl Centre<'_> {
    fn size(&self, job: JobId) -> u32 {
        self.jobs[job].size
    }

    fn waited(&self, job: JobId) -> u128 {
        u128::from(self.now - self.jobs[job].submit.0)
    }

    fn end_jobs(&mut self) {
        let now = self.now;
        let (idle, done) = (&mut self.idle, &mut self.done);
        self.running.retain(|&(job, machines, end)| {
            let over = end <= now;
            if over {
                *idle += machines;
                done.push(job);
            }
            !over
        });
    }

    fn start(&mut self, job: JobId, machines: u32) {
        let end = self.end(job, machines);
        self.free -= machines;
        self.idle -= machines;
        self.waiting.retain(|&other| other != job);
        self.running.push((job, machines, end));
        self.stays[job.0 as usize] = Some((self.now, end, machines));
    }

    /// The end of a job that starts now on this many machines, by all its stops from there on.
    fn end(&self, job: JobId, machines: u32) -> u64 {
        let (now, runtime) = (self.now, self.jobs[job].runtime.0);
        let Some(mut migrations) = self.jobs[job].vm_migrations.clone() else {
            return now + runtime;
        };
        let (mut from, mut done) = (now, 0);
        loop {
            let ran = Time(0).after(migrations.time_to_next(machines)).0;
            if ran >= runtime - done {
                return from + runtime - done;
            }
            done = (done + ran) / migrations.slot.0 * migrations.slot.0;
            from += ran + migrations.stop().0;
        }
    }

    fn start_all_that_fit(&mut self, jobs: &[JobId]) {
        for &job in jobs {
            if self.size(job) <= self.free {
                self.start(job, self.size(job));
            }
        }
    }

    /// Algorithm 1: whether the scheduling list has room for a job.
    fn has_room(&self, job: JobId) -> bool {
        let asked: u32 = self.waiting.iter().map(|&job| self.size(job)).sum();
        let capacity = self.setup.queueing.routing.capacity;
        capacity.is_none_or(|capacity| asked + self.size(job) <= capacity)
    }

    fn call(&mut self) {
        let time1 = u128::from(self.setup.queueing.routing.long.0);
        for least in [Some(time1), None] {
            for job in self.aside.clone() {
                let waited = least.is_none_or(|least| self.waited(job) > least);
                if waited && self.has_room(job) {
                    self.aside.retain(|&other| other != job);
                    self.waiting.push(job);
                    self.waiting.sort_unstable();
                }
            }
        }
    }

    /// The number of machines that are on.
    fn on(&self) -> u32 {
        let rules = self.setup.queueing.elasticity;
        let arrivals = self.done.iter().map(|&job| self.jobs[job].submit.0);
        let (Some(first), Some(last)) = (arrivals.clone().min(), arrivals.max()) else {
            return self.vms;
        };
        if rules.interpretation == MachinesOn::All || first == last {
            return self.vms;
        }
        let count = self.done.len() as u128;
        let sizes: u32 = self.done.iter().map(|&job| self.size(job)).sum();
        let held = self.done.iter().map(|job| {
            let stay = self.stays[job.0 as usize].expect("it ran");
            u128::from(stay.1 - stay.0)
        });
        let unit = match rules.interpretation {
            MachinesOn::Corrected => held.sum::<u128>() / count,
            _ => 3_600_000_000,
        };
        let permille = 1000 + (rules.more.to_f64() * 1000.0).round() as u128;
        // The fewest that are as many as arrive in that time on average, and that share more.
        let needed = (count - 1) * u128::from(sizes) * unit * permille;
        let enough = |&on: &u32| u128::from(on) * u128::from(last - first) * count * 1000 >= needed;
        (0..self.vms).find(enough).unwrap_or(self.vms)
    }

    fn pass(&mut self) {
        let largest = self.waiting.iter().map(|&job| self.size(job)).max();
        let on = self.on().max(largest.unwrap_or(0));
        self.free = on.saturating_sub(self.vms - self.idle);
        let queue = self.waiting.clone();
        match self.setup.queue {
            Queue::Fpfs => self.start_all_that_fit(&queue),
            Queue::Zomt => self.zomt(&queue),
            Queue::Fair => self.fair(&queue),
            queue => panic!("no reference for {queue}"),
        }
    }

    fn zomt(&mut self, queue: &[JobId]) {
        let rules = &self.setup.queueing.zero_one;
        let started: Vec<(u128, u128)> = self
            .jobs
            .iter()
            .zip(&self.stays)
            .filter_map(|(job, stay)| {
                let waited = u128::from((*stay)?.0 - job.submit.0);
                Some((u128::from(job.size), waited))
            })
            .collect();
        let machines: u128 = started.iter().map(|of| of.0).sum();
        let weighted: u128 = started.iter().map(|of| of.0 * of.1).sum();
        let is_long = |job: &&JobId| {
            let (size, waited) = (u128::from(self.size(**job)), self.waited(**job));
            let any = !started.is_empty();
            match rules.long_wait {
                LongWait::Off => false,
                LongWait::Job => any && waited * machines > 2 * weighted,
                LongWait::Weighted => any && size * waited * started.len() as u128 > 2 * weighted,
            }
        };
        let mut long: Vec<JobId> = queue.iter().filter(is_long).copied().collect();
        if rules.long_wait_order == LongWaitOrder::Size
            || rules.long_wait_order == LongWaitOrder::Auto && self.centres > 1
        {
            long.sort_by_key(|&job| (u32::MAX - self.size(job), job));
        }
        self.start_all_that_fit(&long);
        if self.centres > 1 {
            self.fill_whole_centres();
        }
        // All subsets of all that wait, none left out because another is better.
        let queue = self.waiting.clone();
        let item = |&job: &JobId| Item {
            size: self.size(job),
            value: u128::from(self.size(job)) * (u128::from(rules.unit.0) + self.waited(job)),
        };
        let items: Vec<Item> = queue.iter().map(item).collect();
        let permille = (rules.least_used.to_f64() * 1000.0).round() as u32;
        let least = (permille * self.free).div_ceil(1000);
        if let Some(chosen) = best_of_all(&items, least, self.free) {
            let chosen: Vec<JobId> = chosen.items.iter().map(|&at| queue[at]).collect();
            self.start_all_that_fit(&chosen);
        }
        let rest = self.waiting.clone();
        self.start_all_that_fit(&rest);
    }

    /// Algorithm 3 before Algorithm 2: AFCFS while there are the machines of a centre and jobs for
    /// them.
    fn fill_whole_centres(&mut self) {
        let one = self.vms / self.centres;
        loop {
            let asked: u32 = self.waiting.iter().map(|&job| self.size(job)).sum();
            let mut waiting = self.waiting.iter().copied();
            let fits = waiting.find(|&job| self.size(job) <= self.free);
            match fits {
                Some(job) if self.free >= one && asked >= one => self.start(job, self.size(job)),
                _ => return,
            }
        }
    }

    fn fair(&mut self, queue: &[JobId]) {
        let mut left = self.free;
        let mut given: Vec<(JobId, u32)> = Vec::new();
        for &job in queue {
            if self.size(job) <= left {
                left -= self.size(job);
                given.push((job, self.size(job)));
            }
        }
        loop {
            let sizes: Vec<u32> = given.iter().map(|of| self.size(of.0)).collect();
            let could = given.iter_mut().zip(sizes).filter(|of| of.1 <= left);
            let Some((poorest, size)) = could.min_by_key(|of| (of.0.1, of.0.0)) else {
                break;
            };
            poorest.1 += size;
            left -= size;
        }
        for (job, machines) in given {
            self.start(job, machines);
        }
    }
}
