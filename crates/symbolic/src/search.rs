//! What all strategies share: images with their limits, garbage collection, interruption and progress.
//!
//! *Entry point:* [`Search`].
//! *Invariant:* no step of a reached state is lost: a step whose values do not fit ends the search
//! ([`Halt::Overflow`]), and an operation without memory is repeated once after a garbage collection
//! and otherwise ends it.

use axle_outcome::Stop;

use crate::count::count;
use crate::package::{Package, Refusal};
use crate::space::Space;
use crate::transition::Transition;
use crate::watch::{PATIENCE, Progress};

/// The reason why a search has ended early.
#[derive(Clone, Debug)]
pub(crate) enum Halt {
    /// A limit, or the callback.
    Stop(Stop),
    /// A step from this state assigns a value that does not fit.
    Overflow { step: usize, state: Vec<i64> },
    /// The live nodes exceed the number at which another order is looked for.
    Order,
}

impl From<Refusal> for Halt {
    fn from(_: Refusal) -> Halt {
        Halt::Stop(Stop::Memory)
    }
}

/// A search in progress.
pub(crate) struct Search<'s, P: Package> {
    pub space: &'s Space<P>,
    observe: &'s mut dyn FnMut(Progress) -> Option<Stop>,
    pub iterations: u64,
    pub images: u64,
    /// The largest number of live nodes that was seen after a garbage collection or at an iteration.
    pub peak: usize,
    /// The number of nodes at which garbage is collected next.
    threshold: usize,
    /// The number of live nodes at which the search ends, for another order.
    most_live: usize,
}

/// The fewest nodes at which garbage is collected.
const FIRST_COLLECTION: usize = 1 << 17;

/// Images between two calls of the callback.
const IMAGES: u64 = 32;

/// The most nodes of a set whose states are counted for the progress.
const MOST_COUNTED: usize = 20_000;

impl<P: Package> Drop for Search<'_, P> {
    fn drop(&mut self) {
        self.space.package().set_patience(None);
        self.space.package().begin();
    }
}

impl<'s, P: Package> Search<'s, P> {
    pub(crate) fn new(
        space: &'s Space<P>,
        observe: &'s mut dyn FnMut(Progress) -> Option<Stop>,
    ) -> Search<'s, P> {
        space.package().set_patience(Some(PATIENCE));
        Search {
            space,
            observe,
            iterations: 0,
            images: 0,
            peak: 0,
            threshold: FIRST_COLLECTION,
            most_live: usize::MAX,
        }
    }

    /// From now on, the search ends when more nodes than this are live ([`Halt::Order`]).
    pub(crate) fn limit_live(&mut self, nodes: usize) {
        self.most_live = nodes;
        self.threshold = self.threshold.min(nodes);
    }

    /// An operation, repeated after a pause, and once after a garbage collection if memory is exhausted.
    pub(crate) fn run<T>(&mut self, op: impl Fn(&P) -> Result<T, Refusal>) -> Result<T, Halt> {
        let package = self.space.package();
        package.begin();
        let mut is_collected = false;
        loop {
            match op(package) {
                Ok(result) => return Ok(result),
                Err(Refusal::Paused) => self.poll(None)?,
                Err(Refusal::Full) if is_collected => return Err(Halt::Stop(Stop::Memory)),
                Err(Refusal::Full) => {
                    self.collect();
                    is_collected = true;
                }
            }
        }
    }

    /// An operation that cannot be repeated, and does not pause.
    pub(crate) fn run_once<T>(&mut self, op: impl FnOnce() -> Result<T, Refusal>) -> Result<T, Halt> {
        self.space.package().set_patience(None);
        let result = op();
        self.space.package().set_patience(Some(PATIENCE));
        Ok(result?)
    }

    /// Frees the dead nodes; returns the number of live ones.
    pub(crate) fn collect(&mut self) -> usize {
        let live = self.space.package().collect();
        self.peak = self.peak.max(live);
        self.threshold = FIRST_COLLECTION.min(self.most_live).max(2 * live);
        live
    }

    /// The successors of a set by one transition.
    pub(crate) fn image(&mut self, transition: usize, set: &P::Diagram) -> Result<P::Diagram, Halt> {
        let transition = &self.space.transitions[transition];
        self.image_by(transition, set)
    }

    /// The successors of a set by one union of transitions.
    pub(crate) fn image_of_union(&mut self, union: usize, set: &P::Diagram) -> Result<P::Diagram, Halt> {
        let union = &self.space.unions[union];
        self.image_by(union, set)
    }

    /// The successors of a set by a transition, or by a union of transitions of the space.
    pub(crate) fn image_by(
        &mut self,
        transition: &Transition<P>,
        set: &P::Diagram,
    ) -> Result<P::Diagram, Halt> {
        self.images += 1;
        if self.images.is_multiple_of(IMAGES) {
            self.poll(None)?;
        }
        if !self.space.package().is_empty(&transition.overflow) {
            let lost = self.run(|package| package.and(set, &transition.overflow))?;
            if let Some(state) = self.space.encoding.pick(&lost) {
                let contains = |of: &&Transition<P>| self.space.encoding.contains(&of.overflow, &state);
                let step = self.space.transitions.iter().find(contains).map_or(transition.step, |of| of.step);
                return Err(Halt::Overflow { step, state });
            }
        }
        self.run(|package| transition.image(package, set))
    }

    /// The predecessors of a set by one transition.
    pub(crate) fn preimage(&mut self, transition: usize, set: &P::Diagram) -> Result<P::Diagram, Halt> {
        let transition = &self.space.transitions[transition];
        self.preimage_by(transition, set)
    }

    /// The predecessors of a set by one union of transitions.
    pub(crate) fn preimage_of_union(&mut self, union: usize, set: &P::Diagram) -> Result<P::Diagram, Halt> {
        let union = &self.space.unions[union];
        self.preimage_by(union, set)
    }

    fn preimage_by(&mut self, transition: &Transition<P>, set: &P::Diagram) -> Result<P::Diagram, Halt> {
        self.images += 1;
        if self.images.is_multiple_of(IMAGES) {
            self.poll(None)?;
        }
        self.run(|package| transition.preimage(package, set))
    }

    pub(crate) fn union(&mut self, a: &P::Diagram, b: &P::Diagram) -> Result<P::Diagram, Halt> {
        self.run(|package| package.or(a, b))
    }

    pub(crate) fn intersection(&mut self, a: &P::Diagram, b: &P::Diagram) -> Result<P::Diagram, Halt> {
        self.run(|package| package.and(a, b))
    }

    pub(crate) fn difference(&mut self, a: &P::Diagram, b: &P::Diagram) -> Result<P::Diagram, Halt> {
        self.run(|package| package.without(a, b))
    }

    /// Reports the end of an iteration.
    pub(crate) fn iteration(&mut self, reached: &P::Diagram) -> Result<(), Halt> {
        self.iterations += 1;
        self.poll(Some(reached))
    }

    /// Asks the callback during work that is not in the package.
    pub(crate) fn goes_on(&mut self) -> Result<(), Halt> {
        self.poll(None)
    }

    /// Collects garbage where it pays, and asks the callback.
    fn poll(&mut self, reached: Option<&P::Diagram>) -> Result<(), Halt> {
        let package = self.space.package();
        package.set_patience(None);
        if package.nodes() > self.threshold && self.collect() > self.most_live {
            package.set_patience(Some(PATIENCE));
            return Err(Halt::Order);
        }
        // Counting takes as long as an image; the states of a large set are not counted on the way.
        let mut observed = None;
        if let Some(set) = reached {
            let size = package.size(set);
            if size <= MOST_COUNTED {
                let states = package.and(set, &self.space.observable)?;
                observed = Some((size, count(package, &states, self.space.bits())));
            }
        }
        let reached = observed;
        let nodes = package.nodes();
        let bytes = package.bytes();
        let (iterations, images, steps) = (self.iterations, self.images, package.steps());
        let progress = Progress { iterations, images, steps, nodes, bytes, reached };
        match (self.observe)(progress) {
            None => {
                package.set_patience(Some(PATIENCE));
                Ok(())
            }
            Some(stop) => Err(Halt::Stop(stop)),
        }
    }
}
