//! Symbolic search of a transition relation: sets of states are binary decision diagrams, so that wide
//! data and many processes multiply states without multiplying the work.
//!
//! The relation of `axle-relation` is lowered into diagrams: variables into as few bits as their values
//! need ([`widths`]), terms into vectors of diagrams ([`vector`]), each group into a transition relation
//! over its support ([`transition`]). A [`Strategy`] computes the reachable states. Faults are
//! conditions on them; a counterexample is found backwards and read as positions among the successors
//! of the interpreter.
//!
//! *Entry points:* [`Symbolic::new`], [`Symbolic::explore`].
//! *Invariant:* the states counted are those of the explicit search: states in which no process is in
//! control of a sequence.

mod complement_edges;
mod count;
mod encoding;
mod order;
mod package;
mod reach;
mod search;
mod space;
mod transition;
mod vector;
mod widths;

use axle_outcome::Stop;
use axle_relation::{Action, Relation, Taken, VariableId};
use num_bigint::BigUint;

use complement_edges::ComplementEdges;
use package::Package;
use search::{Halt, Search};
use space::{Space, TooLarge};
use widths::Code;

pub use search::Progress;

/// Options of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The most nodes of all diagrams.
    pub nodes: usize,
    /// The number of results in the cache of the operations.
    pub cache: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { nodes: 1 << 24, cache: 1 << 20 }
    }
}

/// The order in which the states are reached.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strategy {
    /// Level by level.
    BreadthFirst,
    /// One group after the other, each from all states reached so far.
    Chaining,
    /// Node by node, from the bottom up.
    Saturation,
}

/// Why a relation cannot be searched symbolically.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SymbolicError {
    /// The diagrams of the relation exceed the limit on nodes.
    #[error("the decision diagrams of the transition relation exceed {nodes} nodes")]
    TooLarge {
        /// The limit.
        nodes: usize,
        /// The step whose diagrams exceed it; none for a condition on states.
        step: Option<Taken>,
    },
}

/// A relation that is ready for a symbolic search.
pub struct Symbolic<'r> {
    relation: &'r Relation,
    options: Options,
    order: Vec<VariableId>,
    codes: Vec<Code>,
    space: Space<ComplementEdges>,
    reached: Option<<ComplementEdges as Package>::Diagram>,
}

/// The result of a search for the reachable states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reached {
    /// The number of states of the explicit search that were reached. It is a lower bound if the search
    /// did not end.
    pub states: BigUint,
    /// The reason for an incomplete search.
    pub stop: Option<Stop>,
    /// A step would create more processes than the relation has: states are missing.
    pub is_beyond: bool,
    /// The number of iterations.
    pub iterations: u64,
    /// The number of images.
    pub images: u64,
    /// The largest number of live nodes seen.
    pub peak: usize,
    /// The number of nodes of the set of states.
    pub nodes: usize,
    /// How often the search started again with wider codes.
    pub widened: u32,
}

impl<'r> Symbolic<'r> {
    /// Lowers a relation into diagrams.
    ///
    /// # Errors
    /// The diagrams exceed the limit on nodes.
    pub fn new(relation: &'r Relation, options: Options) -> Result<Symbolic<'r>, SymbolicError> {
        let order = order::order(relation);
        let codes = widths::estimate(relation);
        let space = build(relation, &codes, &order, options)?;
        Ok(Symbolic { relation, options, order, codes, space, reached: None })
    }

    /// Computes the reachable states. `observe` is called between images; a reason that it returns ends
    /// the search.
    ///
    /// # Errors
    /// Values need more bits than estimated, and the diagrams of the wider relation exceed the limit.
    pub fn explore(
        &mut self,
        strategy: Strategy,
        observe: &mut dyn FnMut(Progress) -> Option<Stop>,
    ) -> Result<Reached, SymbolicError> {
        let mut widened = 0;
        loop {
            let mut search = Search::new(&self.space, observe);
            let found = match strategy {
                Strategy::BreadthFirst => reach::breadth_first::breadth_first(&mut search),
                Strategy::Chaining => reach::chaining::chaining(&mut search),
                Strategy::Saturation => reach::saturation::saturation(&mut search),
            };
            let (iterations, images, peak) = (search.iterations, search.images, search.peak);
            let nothing = || self.space.package().constant(false);
            let (reached, stop) = match found {
                Ok(reached) => (reached, None),
                Err(Halt::Stop(stop)) => (nothing(), Some(stop)),
                Err(Halt::Overflow { group, state }) => {
                    let changed = encoding::widen(self.relation, &mut self.codes, &state, group);
                    assert!(changed, "a step whose values do not fit assigns a wide value");
                    widened += 1;
                    self.space = build(self.relation, &self.codes, &self.order, self.options)?;
                    continue;
                }
            };
            let package = self.space.package();
            let live = package.collect();
            let observable = package.and(&reached, &self.space.observable);
            let beyond = package.intersects(&reached, &self.space.beyond);
            let (Ok(observable), Ok(is_beyond)) = (observable, beyond) else {
                return Err(SymbolicError::TooLarge { nodes: self.options.nodes, step: None });
            };
            let result = Reached {
                states: count::count(package, &observable, self.space.bits()),
                stop,
                is_beyond,
                iterations,
                images,
                peak: peak.max(live),
                nodes: package.size(&reached),
                widened,
            };
            self.reached = Some(reached);
            return Ok(result);
        }
    }
}

/// The relation as diagrams.
fn build(
    relation: &Relation,
    codes: &[Code],
    order: &[VariableId],
    options: Options,
) -> Result<Space<ComplementEdges>, SymbolicError> {
    Space::new(relation, codes.to_vec(), order, (options.nodes, options.cache)).map_err(|TooLarge { group }| {
        let step = group.and_then(|group| match relation.groups[group].action {
            Action::Step { by, .. } => Some(by),
            Action::Release(_) => None,
        });
        SymbolicError::TooLarge { nodes: options.nodes, step }
    })
}
