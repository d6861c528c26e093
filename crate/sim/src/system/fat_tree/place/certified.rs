//! A placement that remembers what it has proven.
//!
//! It gives the placements of the inner one, and lets policies know which requests certainly fail:
//! see [`certificates`](super::certificates) and [`head_room`](super::head_room).

use super::certificates::Certificates;
use super::head_room::HeadRoom;
use super::rules::Rules;
use crate::job::Request;
use crate::place::{Placer, Prover, Refused, State, Subtrees, Tries};
use crate::system::fat_tree::{Embedding, FatTree, Topology};

/// A placement with its proofs.
pub struct Certified {
    placer: Box<dyn Placer<FatTree>>,
    rules: Rules,
    /// Whether every attempt must be made, since the placement counts them.
    counts_attempts: bool,
    present: Certificates,
    without_younger: Certificates,
    head: Option<HeadRoom>,
    /// Whether the last attempt failed: then the next one likely does, and is proven to before it
    /// is made.
    last_failed: bool,
    /// Whether the last job that would delay the head was proven to.
    last_delayed: bool,
    tries: Tries,
}

impl Certified {
    /// With `placer` under its rules; `counts_attempts` says whether its largest bandwidth is taken
    /// over the jobs that were attempted.
    pub fn new(
        placer: Box<dyn Placer<FatTree>>,
        rules: Rules,
        counts_attempts: bool,
        topology: Topology,
    ) -> Certified {
        Certified {
            placer,
            rules,
            counts_attempts,
            present: Certificates::none(topology),
            without_younger: Certificates::none(topology),
            head: None,
            last_failed: false,
            last_delayed: false,
            tries: Tries::default(),
        }
    }

    fn certificates(&mut self, state: State) -> &mut Certificates {
        match state {
            State::Present => &mut self.present,
            State::WithoutYounger => &mut self.without_younger,
        }
    }

    fn head(&self) -> &HeadRoom {
        self.head.as_ref().expect("a head is expected")
    }

    fn head_mut(&mut self) -> &mut HeadRoom {
        self.head.as_mut().expect("a head is expected")
    }
}

impl Placer<FatTree> for Certified {
    fn place(&mut self, tree: &FatTree, request: &Request) -> Option<Embedding> {
        let placement = self.placer.place(tree, request);
        self.last_failed = placement.is_none();
        placement
    }

    fn finds(&mut self, tree: &FatTree, request: &Request) -> bool {
        self.placer.finds(tree, request)
    }

    fn exists(&self, tree: &FatTree, request: &Request) -> Option<bool> {
        self.placer.exists(tree, request)
    }

    fn subtrees(
        &self,
        tree: &FatTree,
        request: &Request,
        placement: &Embedding,
    ) -> Option<Subtrees> {
        self.placer.subtrees(tree, request, placement)
    }

    fn revision(&self) -> u64 {
        self.placer.revision()
    }

    fn prover(&mut self) -> Option<&mut dyn Prover<FatTree>> {
        Some(self)
    }

    fn arrived(&mut self, request: &Request) {
        self.placer.arrived(request);
    }

    fn attempted(&mut self, request: &Request) {
        self.placer.attempted(request);
    }

    fn started(&mut self, request: &Request) {
        self.placer.started(request);
    }
}

impl Prover<FatTree> for Certified {
    fn departed(&mut self, state: State, placement: &Embedding) {
        self.certificates(state).departed(placement);
        if let (State::Present, Some(head)) = (state, &mut self.head) {
            head.changed(placement);
        }
    }

    fn taken(&mut self, placement: &Embedding) {
        self.present.taken(placement);
        if let Some(head) = &mut self.head {
            head.changed(placement);
        }
    }

    fn rules_out(&mut self, state: State, tree: &FatTree, request: &Request) -> bool {
        let cluster = self.rules.cluster(tree, request);
        if self.certificates(state).rules_out(tree, cluster) {
            self.tries.ruled_out += 1;
            return true;
        }
        if self.last_failed {
            self.last_failed = self.certificates(state).failed(tree, cluster);
            self.tries.certified += u64::from(self.last_failed);
        }
        self.tries.tried += u64::from(!self.last_failed);
        self.last_failed
    }

    fn failed(&mut self, state: State, tree: &FatTree, request: &Request) {
        let cluster = self.rules.cluster(tree, request);
        let proven = self.certificates(state).failed(tree, cluster);
        self.tries.certified += u64::from(proven);
        self.tries.escaped += u64::from(!proven);
    }

    fn refused(&mut self, tree: &FatTree) -> Option<&Refused> {
        (!self.counts_attempts).then(|| self.present.refused(tree))
    }

    fn expect(&mut self, tree: &FatTree, head: &Request) {
        let room = self.head.get_or_insert_with(|| HeadRoom::none(tree));
        room.expect(tree, self.rules.cluster(tree, head));
    }

    fn expect_change(&mut self, then: &FatTree, placement: &Embedding) {
        self.head_mut().measure(then, placement);
    }

    fn never_fits(&self) -> bool {
        !self.head().may_fit()
    }

    fn delays(&mut self, now: &FatTree, then: &FatTree, job: &Request, at: &Embedding) -> bool {
        let cluster = self.rules.cluster(now, job);
        self.head_mut().delays(now, then, cluster, at)
    }

    fn delaying(&mut self, now: &FatTree, then: &FatTree) -> &Refused {
        self.head_mut().delaying(now, then)
    }

    fn hopeless(&mut self, now: &FatTree, then: Option<&FatTree>) -> Option<(&Refused, &Refused)> {
        static NOBODY: Refused = Refused::nobody();
        let delaying = match (then, &mut self.head) {
            (Some(then), Some(head)) => head.delaying(now, then),
            _ => &NOBODY,
        };
        (!self.counts_attempts).then(|| (self.present.refused(now), delaying))
    }

    fn delayed(&mut self, now: &FatTree, then: &FatTree, request: &Request) {
        let cluster = self.rules.cluster(now, request);
        self.last_delayed = self.head_mut().delayed(now, then, cluster);
    }

    fn foresees(&mut self, now: &FatTree, then: &FatTree, request: &Request) -> bool {
        if self.last_delayed && !self.counts_attempts {
            self.delayed(now, then, request);
            return self.last_delayed;
        }
        false
    }

    fn tries(&self) -> Tries {
        self.tries
    }
}
