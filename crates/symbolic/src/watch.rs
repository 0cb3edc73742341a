//! What is asked during long work: whether to go on, with the progress so far.
//!
//! *Entry points:* [`Watch`], [`Watcher`].

use std::cell::{Cell, RefCell};

use axle_outcome::Stop;
use num_bigint::BigUint;

use crate::package::{Package, Refusal};

/// Steps of operations between two calls of the callback: a tenth of a second.
pub(crate) const PATIENCE: u32 = 1 << 20;

/// Progress of a symbolic search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The number of iterations: levels of a breadth-first search, rounds of other strategies.
    pub iterations: u64,
    /// The number of images computed.
    pub images: u64,
    /// The number of steps of operations.
    pub steps: u64,
    /// The number of nodes of all diagrams, dead ones included.
    pub nodes: usize,
    /// The number of bytes of all tables.
    pub bytes: u64,
    /// The number of nodes of the set of reached states, and of states in it, at the end of an
    /// iteration that has reached a set of few nodes.
    pub reached: Option<(usize, BigUint)>,
}

/// The callback while the relation is lowered into diagrams.
pub(crate) struct Watch<'w> {
    observe: RefCell<&'w mut dyn FnMut(Progress) -> Option<Stop>>,
    stop: Cell<Option<Stop>>,
}

impl<'w> Watch<'w> {
    pub(crate) fn new(observe: &'w mut dyn FnMut(Progress) -> Option<Stop>) -> Watch<'w> {
        Watch { observe: RefCell::new(observe), stop: Cell::new(None) }
    }

    /// The reason that the callback has given.
    pub(crate) fn stop(&self) -> Option<Stop> {
        self.stop.get()
    }
}

/// What is asked while the relation is lowered into diagrams.
pub(crate) trait Watcher {
    /// Whether to go on.
    fn goes_on(&self, progress: Progress) -> bool;
}

impl Watcher for Watch<'_> {
    fn goes_on(&self, progress: Progress) -> bool {
        self.stop.set((self.observe.borrow_mut())(progress));
        self.stop.get().is_none()
    }
}

impl dyn Watcher + '_ {
    /// A refusal if there is a reason to stop.
    pub(crate) fn poll<P: Package>(&self, package: &P) -> Result<(), Refusal> {
        let (nodes, bytes) = (package.nodes(), package.bytes());
        let steps = package.steps();
        let progress = Progress { iterations: 0, images: 0, steps, nodes, bytes, reached: None };
        if self.goes_on(progress) { Ok(()) } else { Err(Refusal::Full) }
    }

    /// The result of operations that are repeated after pauses.
    pub(crate) fn run<P: Package, T>(
        &self,
        package: &P,
        op: impl Fn() -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        package.begin();
        let result = loop {
            package.set_patience(Some(PATIENCE));
            match op() {
                Err(Refusal::Paused) => {
                    if let Err(refusal) = self.poll(package) {
                        break Err(refusal);
                    }
                }
                result => break result,
            }
        };
        package.set_patience(None);
        package.begin();
        result
    }
}
