//! Reservations of several jobs in the future that estimates foresee.
//!
//! A reservation is an instant for a job that cannot start now: the first one at which it finds a
//! placement, given what runs and what is reserved before it, so that every reservation before it
//! is kept. A reservation is *kept* while its job still finds a placement at that instant, which
//! need not be the placement that it found at first: on the fat-tree it holds slots and links
//! alike, and gives them up for others that do as well. Reservations last for one pass: even with
//! one for every job this is not [`conservative`](crate::policy::conservative), which keeps them.
//!
//! Instants that come into question are those at which by estimates a running job or one with a
//! reservation ends; a job that runs longer than estimated is taken to end now.
//!
//! *Complexity*: a reservation costs the instants before it, times one placement each at most; a
//! job that would start costs one placement for each reservation whose start it reaches. Each
//! reservation keeps the system as it is at its instant. *Source*: EASY, of which this is the
//! generalisation to several reservations: D. Lifka, "The ANL/IBM SP scheduling system", JSSPP
//! 1995; depths of reservation as S.-H. Chiang, A. Arpaci-Dusseau and M. Vernon, "The impact of
//! more accurate requested runtimes on production job scheduling performance", JSSPP 2002, have
//! them.

use super::ListPolicy;
use crate::engine::{Context, Effect, Step, Turn};
use crate::id::JobId;
use crate::job::Request;
use crate::machine::System;
use crate::place::Placer;
use crate::sorting;
use crate::unit::{Span, Time};

impl<S: System> ListPolicy<'_, S> {
    /// Starts jobs that delay no reservation. Who cannot start gets one, as long as there are not
    /// enough: first the head, which has been tried.
    pub(super) fn backfill_around_several(&mut self, cx: &mut Context<S>, head: JobId) {
        let depth = self.parts.depth;
        let mut reservations = Reservations::none();
        let mut next = Some(head);
        while let Some(job) = next
            && depth.is_none_or(|depth| reservations.count() < depth as usize)
        {
            let blocked = job == head || !self.start_around(cx, job, Turn::Next, &mut reservations);
            if blocked && !self.declined.have(job) {
                let (request, length) = (cx.request(job), cx.estimated_length(job));
                reservations.reserve(cx, &mut *self.placer, request, length);
            }
            next = self.ranking.behind(cx, job);
        }
        if next.is_some() {
            for job in self.not_refused(cx, |job| !reservations.has(job)) {
                self.start_around(cx, job, Turn::Behind, &mut reservations);
            }
        }
        self.reserved = reservations.into_starts();
    }

    /// Starts a job if it fits and every reservation is kept.
    fn start_around(
        &mut self,
        cx: &mut Context<S>,
        job: JobId,
        turn: Turn,
        reservations: &mut Reservations<S>,
    ) -> bool {
        let request = cx.request(job);
        let Some(placement) = self.placement(cx, &request, turn) else {
            return false;
        };
        let start = cx.now();
        let stay = Stay {
            request,
            placement,
            start,
            end: start + cx.estimated_length(job),
        };
        let kept = reservations.admit(&mut *self.placer, &stay);
        cx.observe(|| reservations.compared(&stay, kept.err()));
        if kept.is_ok() {
            self.start(cx, &request, stay.placement);
        }
        kept.is_ok()
    }
}

/// A job that holds a placement for a time.
#[derive(Clone, Debug)]
struct Stay<T> {
    request: Request,
    placement: T,
    start: Time,
    /// It holds nothing from here on.
    end: Time,
}

/// A reservation.
struct Reservation<S: System> {
    stay: Stay<S::Placement>,
    /// The system at its start, without itself and whoever starts later.
    then: S,
}

/// The system at the start of a reservation and its placement, where they change.
type Change<S> = Option<(S, <S as System>::Placement)>;

/// The reservations of a pass.
struct Reservations<S: System> {
    /// By start; of one start in the order in which they were made.
    all: Vec<Reservation<S>>,
    /// Whose they are and when they start, in the order in which they were made.
    made: Vec<(JobId, Time)>,
}

impl<S: System> Reservations<S> {
    fn none() -> Reservations<S> {
        Reservations {
            all: Vec::new(),
            made: Vec::new(),
        }
    }

    fn count(&self) -> usize {
        self.all.len()
    }

    /// Whether a job has one.
    fn has(&self, job: JobId) -> bool {
        self.made.iter().any(|made| made.0 == job)
    }

    /// The jobs that have one and their starts, in the order in which they were made.
    fn into_starts(self) -> Vec<(JobId, Time)> {
        self.made
    }

    /// Lets a job stay that starts now, if every reservation is kept; else says whose is not.
    fn admit(
        &mut self,
        placer: &mut dyn Placer<S>,
        stay: &Stay<S::Placement>,
    ) -> Result<(), JobId> {
        let kept = self.kept(0, placer, stay)?;
        self.change(0, kept);
        Ok(())
    }

    /// What a job that fits now means to the reservations, of which it would delay that one.
    fn compared(&self, stay: &Stay<S::Placement>, delayed: Option<JobId>) -> Step {
        let mut all = self.all.iter().map(|reservation| &reservation.stay);
        let first = &self.all[0].stay;
        let own = all.find(|own| Some(own.request.index) == delayed);
        let reserved = own.unwrap_or(first);
        Step::Compared {
            job: stay.request.index,
            end: stay.end,
            reserved: reserved.request.index,
            start: reserved.start,
            effect: match own {
                Some(_) => Effect::Delays,
                None if stay.end <= first.start => Effect::EndsBefore,
                None => Effect::FitsBeside,
            },
        }
    }

    /// Makes a reservation for a job that cannot start now and is to hold its placement for
    /// `length`, behind all others.
    fn reserve(
        &mut self,
        cx: &mut Context<S>,
        placer: &mut dyn Placer<S>,
        request: Request,
        length: Span,
    ) {
        let running = cx.running().iter().map(|&job| {
            let placement = cx.place(job).expect("it runs");
            (cx.estimated_end(job), cx.request(job), placement)
        });
        let stays = || {
            let stays = self.all.iter().map(|reservation| &reservation.stay);
            stays.filter(|stay| stay.end > stay.start)
        };
        let reserved = stays().map(|stay| (stay.end, stay.request, &stay.placement));
        let mut ends: Vec<(Time, Request, &S::Placement)> = running.chain(reserved).collect();
        sorting::by_key(&mut ends, |&(end, ..)| end);
        let mut then = cx.system().clone();
        let mut found = None;
        let mut count = 0;
        for ended in ends.chunk_by(|one, other| one.0 == other.0) {
            let start = ended[0].0;
            count += ended.len();
            for (_, request, placement) in ended {
                then.free(request, placement);
            }
            // Who has a reservation starts when another job ends.
            for stay in stays().filter(|stay| stay.start == start) {
                then.hold(&stay.request, &stay.placement);
            }
            if then.free_slots() < u64::from(request.size) {
                continue;
            }
            let Some(placement) = placer.place(&then, &request) else {
                continue;
            };
            let end = start + length;
            let stay = Stay {
                request,
                placement,
                start,
                end,
            };
            let position = self.all.partition_point(|other| other.stay.start <= start);
            if let Ok(kept) = self.kept(position, placer, &stay) {
                let last = ended.iter().map(|(_, request, _)| request.index);
                let last = cx.is_observed().then(|| last.collect::<Vec<JobId>>());
                found = Some((position, stay, kept, last));
                break;
            }
        }
        let (position, stay, kept, last) =
            found.expect("a queued job can be placed once nothing runs");
        if let Some(last) = last {
            cx.observe(|| Step::Reserved {
                job: request.index,
                start: stay.start,
                last,
                ended: count,
            });
        }
        self.change(position, kept);
        self.made.push((request.index, stay.start));
        self.all.insert(position, Reservation { stay, then });
    }

    /// How the reservations from that position on change if a job that starts before them stays:
    /// the system at the start of each and its placement, where either changes; else the first job
    /// whose reservation is not kept.
    fn kept(
        &self,
        first: usize,
        placer: &mut dyn Placer<S>,
        stay: &Stay<S::Placement>,
    ) -> Result<Vec<Change<S>>, JobId> {
        let mut kept: Vec<Change<S>> = Vec::new();
        for Reservation { stay: own, then } in &self.all[first..] {
            let before = self.all[first..].iter().map(|other| &other.stay);
            let moved = before.zip(&kept).filter_map(|(other, change)| {
                let (_, placement) = change.as_ref()?;
                let moves = other.end > own.start && other.placement != *placement;
                moves.then_some((other, placement))
            });
            let stays = stay.end > own.start;
            if !stays && moved.clone().next().is_none() {
                kept.push(None);
                continue;
            }
            let mut then = then.clone();
            // First room is made, then it is taken.
            for (other, _) in moved.clone() {
                then.free(&other.request, &other.placement);
            }
            if stays {
                then.hold(&stay.request, &stay.placement);
            }
            for (other, placement) in moved {
                then.hold(&other.request, placement);
            }
            let placement = placer.place(&then, &own.request);
            let placement = placement.ok_or(own.request.index)?;
            kept.push(Some((then, placement)));
        }
        Ok(kept)
    }

    fn change(&mut self, first: usize, kept: Vec<Change<S>>) {
        for (reservation, change) in self.all[first..].iter_mut().zip(kept) {
            if let Some((then, placement)) = change {
                reservation.then = then;
                reservation.stay.placement = placement;
            }
        }
    }
}
