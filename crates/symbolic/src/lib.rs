//! Symbolic search of a transition relation: sets of states are binary decision diagrams, so that wide
//! data and many processes multiply states without multiplying the work.
//!
//! The relation of `axle-relation` is lowered into diagrams: variables into as few bits as their values
//! need ([`widths`]), terms into vectors of diagrams ([`vector`]), each group into a transition relation
//! over its support ([`transition`]). A [`Strategy`] computes the reachable states. Faults are
//! conditions on them; a counterexample is found backwards and read as positions among the successors
//! of the interpreter.
//!
//! *Entry points:* [`Symbolic::new`], [`Symbolic::explore`], [`accepts`], [`accepts_in_parts`].
//! *Invariant:* the states counted are those of the explicit search: states in which no process is in
//! control of a sequence.

mod channel_roles;
mod claims;
mod count;
mod diagrams;
mod encoding;
mod facts;
mod faults;
mod guard_ranges;
mod independence;
mod liveness;
mod node_table;
mod operations;
mod order;
mod package;
mod reach;
mod reordering;
mod search;
mod sifting;
mod space;
mod steps;
mod transition;
mod vector;
mod watch;
mod widths;
mod witness;

use axle_outcome::{Claim, Fairness, Stop, Violation};
use axle_relation::{Action, Relation, Taken, VariableId};
use num_bigint::BigUint;

use claims::Coding;
use diagrams::Diagrams;
use package::Package;
use search::{Halt, Search};
use space::{Space, TooLarge};
use watch::Watch;
use widths::Code;

type Diagram = <Diagrams as Package>::Diagram;

pub use claims::{ClaimAnswer, GroupPath, ProductStep, accepts, accepts_in_parts};
pub use facts::Facts;
pub use watch::Progress;

/// Options of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The most nodes of all diagrams.
    pub nodes: usize,
    /// The number of results in the cache of the operations.
    pub cache: usize,
    /// The most bytes of all tables; the two numbers above then do not count.
    pub memory: Option<u64>,
    /// The number of live nodes at which another order of the variables is first looked for.
    pub reorder: usize,
}

impl Options {
    /// The most nodes and results of the cache.
    fn sizes(&self) -> (usize, usize) {
        self.memory.map_or((self.nodes, self.cache), diagrams::sizes)
    }
}

impl Default for Options {
    fn default() -> Options {
        Options { nodes: 1 << 24, cache: 1 << 22, memory: None, reorder: reordering::FIRST_NODES }
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
    /// Two phases with partial order reduction: fewer states, with the same faults.
    Improviso,
}

/// The result that a search is made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// The faults, each with some counterexample.
    Faults,
    /// The number of states, and facts of them.
    States,
    /// The faults, each with a shortest counterexample.
    ShortestPaths,
}

/// Why a strategy is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// Levels are needed for shortest counterexamples.
    ShortestPaths,
    /// The steps begin at different variables, so that most work is done on small diagrams.
    Locality,
    /// All steps depend on the top variable, so that saturation is chaining with more bookkeeping.
    NoLocality,
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
    /// A step assigns a value that the widest code of its variable does not have, or an initial value does not
    /// fit.
    #[error("a step assigns a value that its variable cannot have")]
    Overflow,
    /// The states need more bits than the recursion of the operations is meant for.
    #[error("a state has {0} bits, more than {MOST_BITS}")]
    TooManyBits(u32),
    /// A claim needs steps from a state outside sequences to the next one, and a sequence has too many paths.
    #[error("a sequence has too many paths for a claim")]
    Sequences,
    /// A text is no order of the variables of the relation.
    #[error("the text is no order of the variables of the relation")]
    Order,
    /// The callback has ended the lowering into diagrams.
    #[error("the search was ended before its first step")]
    Stopped(Stop),
    /// The claim is not well-formed, or has atoms that are not propositions of the relation.
    #[error("the claim does not belong to the relation")]
    Claim,
}

/// The most bits of a state. Operations recur once for each bit; the stack of a thread has 2 MB.
const MOST_BITS: u32 = 4096;

/// A relation that is ready for a symbolic search.
pub struct Symbolic<'r> {
    relation: &'r Relation,
    options: Options,
    order: Vec<VariableId>,
    codes: Vec<Code>,
    /// None only while another one is lowered: the tables of two would exceed the limit on memory.
    space: Option<Space<Diagrams>>,
    reached: Option<Diagram>,
}

/// The result of a search for the reachable states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reached {
    /// The number of states of the explicit search that were reached; 0 if the search did not end.
    pub states: BigUint,
    /// The faults of these states and of the steps from them, each with a path, after a breadth-first
    /// search a shortest one.
    pub violations: Vec<Violation>,
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
    /// The number of bytes of all tables at the end: they do not shrink.
    pub bytes: u64,
    /// How often the search started again with wider codes.
    pub widened: u32,
    /// How often the search started again with another order of the variables.
    pub reordered: u32,
}

impl Reached {
    /// The result of a search that has counted nothing.
    fn nothing(stop: Option<Stop>) -> Reached {
        Reached {
            states: BigUint::ZERO,
            violations: Vec::new(),
            stop,
            is_beyond: false,
            iterations: 0,
            images: 0,
            peak: 0,
            nodes: 0,
            bytes: 0,
            widened: 0,
            reordered: 0,
        }
    }
}

impl<'r> Symbolic<'r> {
    /// Lowers a relation into diagrams.
    ///
    /// # Errors
    /// The diagrams exceed the limit on nodes.
    pub fn new(relation: &'r Relation, options: Options) -> Result<Symbolic<'r>, SymbolicError> {
        Symbolic::new_watched(relation, options, &mut |_| None)
    }

    /// As [`Symbolic::new`]; `observe` is called several times a second, and a reason that it returns ends
    /// the work.
    ///
    /// # Errors
    /// The diagrams exceed the limit on nodes, or [`SymbolicError::Stopped`].
    pub fn new_watched(
        relation: &'r Relation,
        options: Options,
        observe: &mut dyn FnMut(Progress) -> Option<Stop>,
    ) -> Result<Symbolic<'r>, SymbolicError> {
        let codes = widths::estimate(relation);
        Symbolic::in_order(relation, options, order::order(relation, &codes), observe)
    }

    /// As [`Symbolic::new_watched`], with the order of the variables that [`Symbolic::order`] has written.
    ///
    /// # Errors
    /// [`SymbolicError::Order`] if the text is not an order of all variables of the relation.
    pub fn with_order(
        relation: &'r Relation,
        options: Options,
        text: &str,
        observe: &mut dyn FnMut(Progress) -> Option<Stop>,
    ) -> Result<Symbolic<'r>, SymbolicError> {
        let order = order::read(relation, text).ok_or(SymbolicError::Order)?;
        Symbolic::in_order(relation, options, order, observe)
    }

    /// The order of the variables from top to bottom as text: a line for each, which begins with its number.
    #[must_use]
    pub fn order(&self) -> String {
        order::write(self.relation, &self.order)
    }

    fn in_order(
        relation: &'r Relation,
        options: Options,
        order: Vec<VariableId>,
        observe: &mut dyn FnMut(Progress) -> Option<Stop>,
    ) -> Result<Symbolic<'r>, SymbolicError> {
        let codes = widths::estimate(relation);
        let space = build(relation, &codes, &order, options, observe)?;
        Ok(Symbolic { relation, options, order, codes, space: Some(space), reached: None })
    }

    /// Computes the reachable states and their faults. `observe` is called between images; a reason that
    /// it returns ends the search.
    ///
    /// # Errors
    /// Values need more bits than estimated, and the diagrams of the wider relation exceed the limit.
    pub fn explore(
        &mut self,
        strategy: Strategy,
        observe: &mut dyn FnMut(Progress) -> Option<Stop>,
    ) -> Result<Reached, SymbolicError> {
        let mut reordered = 0;
        let (mut widened, mut most_live) = (0, self.options.reorder);
        loop {
            let (found, reached) = self.attempt(strategy, most_live, observe);
            let halt = match found {
                Ok(found) => {
                    self.reached = reached;
                    return Ok(Reached { widened, reordered, ..found });
                }
                Err(halt) => halt,
            };
            self.reached = None;
            let halt = match halt {
                Halt::Order => {
                    most_live = most_live.saturating_mul(reordering::FACTOR);
                    match self.better_order(observe) {
                        Ok(None) => continue,
                        Ok(Some(order)) => {
                            let is_new = match self.lower_in(order, observe) {
                                Ok(is_new) => is_new,
                                Err(SymbolicError::Stopped(stop)) => {
                                    return Ok(Reached {
                                        widened,
                                        reordered,
                                        ..Reached::nothing(Some(stop))
                                    });
                                }
                                Err(error) => return Err(error),
                            };
                            reordered += u32::from(is_new);
                            most_live = if is_new { most_live } else { usize::MAX };
                            continue;
                        }
                        Err(halt) => halt,
                    }
                }
                halt => halt,
            };
            match halt {
                Halt::Overflow { step, state } => {
                    let groups = self.space().steps[step].clone();
                    if !encoding::widen(self.relation, &mut self.codes, state, &groups) {
                        return Err(SymbolicError::Overflow);
                    }
                    widened += 1;
                }
                Halt::Stop(stop) => {
                    return Ok(Reached { widened, reordered, ..Reached::nothing(Some(stop)) });
                }
                Halt::Order => {}
            }
            self.space = None;
            match build(self.relation, &self.codes, &self.order, self.options, observe) {
                Ok(space) => self.space = Some(space),
                Err(SymbolicError::Stopped(stop)) => {
                    return Ok(Reached { widened, reordered, ..Reached::nothing(Some(stop)) });
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn space(&self) -> &Space<Diagrams> {
        self.space.as_ref().expect("the relation is lowered")
    }

    /// Another order of the variables, if there is a better one.
    fn better_order(
        &self,
        observe: &mut dyn FnMut(Progress) -> Option<Stop>,
    ) -> Result<Option<Vec<VariableId>>, Halt> {
        let mut search = Search::new(self.space(), observe);
        reordering::better_order(&mut search, order::is_same_block(self.relation))
    }

    /// Lowers the relation in another order. Returns whether it is kept: if it would make the relation much
    /// larger, the relation is lowered in the order before.
    fn lower_in(
        &mut self,
        order: Vec<VariableId>,
        observe: &mut dyn FnMut(Progress) -> Option<Stop>,
    ) -> Result<bool, SymbolicError> {
        let most = reordering::MOST_GROWTH * self.space().package().collect();
        self.space = None;
        let lowered = build_within(self.relation, &self.codes, &order, (self.options, most), observe)?;
        if let Some(space) = lowered {
            (self.order, self.space) = (order, Some(space));
            return Ok(true);
        }
        self.space = Some(build(self.relation, &self.codes, &self.order, self.options, observe)?);
        Ok(false)
    }

    /// A search with the present codes and order, and the reached states if it has ended; or the reason why
    /// it needs others.
    #[allow(clippy::type_complexity, reason = "a result beside the diagram that belongs to it")]
    fn attempt(
        &self,
        strategy: Strategy,
        most_live: usize,
        observe: &mut dyn FnMut(Progress) -> Option<Stop>,
    ) -> (Result<Reached, Halt>, Option<Diagram>) {
        let mut search = Search::new(self.space(), observe);
        search.limit_live(most_live);
        let mut result = Reached::nothing(None);
        let mut rings = Vec::new();
        let found = match strategy {
            Strategy::BreadthFirst => reach::breadth_first::breadth_first(&mut search, &mut rings),
            Strategy::Chaining => reach::chaining::chaining(&mut search),
            Strategy::Saturation => reach::saturation::saturation(&mut search),
            Strategy::Improviso => reach::improviso::improviso(&mut search, self.relation),
        };
        let found = found.and_then(|reached| {
            result.iterations = search.iterations;
            result.images = search.images;
            search.limit_live(usize::MAX);
            search.collect();
            let package = self.space().package();
            let observable = search.intersection(&reached, &self.space().observable)?;
            result.states = count::count(package, &observable, self.space().bits());
            result.nodes = package.size(&reached);
            result.is_beyond = search.run(|package| package.intersects(&reached, &self.space().beyond))?;
            self.violations(&mut search, &reached, &rings, &mut result)?;
            Ok(reached)
        });
        result.peak = search.peak;
        result.bytes = self.space().package().bytes();
        match found {
            Ok(reached) => (Ok(result), Some(reached)),
            Err(Halt::Stop(stop)) => {
                result.stop = Some(stop);
                result.iterations = search.iterations;
                result.images = search.images;
                (Ok(result), None)
            }
            Err(halt) => (Err(halt), None),
        }
    }

    /// Searches for an execution that a claim accepts, whose atoms are the propositions of the relation.
    ///
    /// # Errors
    /// The claim or the relation is not supported, or the diagrams of the product exceed the limit.
    pub fn accepts(
        &mut self,
        claim: &Claim,
        fairness: Fairness,
        observe: &mut dyn FnMut(Progress) -> Option<Stop>,
    ) -> Result<ClaimAnswer, SymbolicError> {
        self.accepts_by(claim, fairness, false, observe)
    }

    /// As [`Symbolic::accepts`]; on request with a shortest stem to the states of the cycle that is found,
    /// or to the violation, for which the product is searched level by level.
    ///
    /// # Errors
    /// As [`Symbolic::accepts`].
    pub fn accepts_by(
        &mut self,
        claim: &Claim,
        fairness: Fairness,
        shortest: bool,
        observe: &mut dyn FnMut(Progress) -> Option<Stop>,
    ) -> Result<ClaimAnswer, SymbolicError> {
        let coding = Coding { codes: self.codes.clone(), order: self.order.clone() };
        let question = claims::Question { claim, fairness, shortest, parts: None };
        Ok(claims::search(self.relation, self.options, coding, question, observe)?.remove(0))
    }

    /// Facts of the states that the last search has reached; none if it has not ended.
    ///
    /// # Errors
    /// The reason that ends the search: memory, or the answer of `observe`.
    pub fn facts(&self, observe: &mut dyn FnMut(Progress) -> Option<Stop>) -> Result<Option<Facts>, Stop> {
        let Some(reached) = &self.reached else { return Ok(None) };
        facts::facts(&mut Search::new(self.space(), observe), self.relation, reached).map(Some).map_err(stop)
    }

    /// For each group of the relation, whether the last search has reached a state in which a step that
    /// contains it is executable; none if it has not ended.
    ///
    /// # Errors
    /// As [`Symbolic::facts`].
    pub fn executed(
        &self,
        observe: &mut dyn FnMut(Progress) -> Option<Stop>,
    ) -> Result<Option<Vec<bool>>, Stop> {
        let Some(reached) = &self.reached else { return Ok(None) };
        let mut search = Search::new(self.space(), observe);
        facts::executed(&mut search, self.relation.groups.len(), reached).map(Some).map_err(stop)
    }

    /// Whether the last search has reached a state outside sequences in which variables have these values;
    /// none if it has not ended. Two locations that exclude each other are an example.
    ///
    /// # Errors
    /// As [`Symbolic::facts`].
    pub fn reaches(
        &self,
        values: &[(VariableId, i64)],
        observe: &mut dyn FnMut(Progress) -> Option<Stop>,
    ) -> Result<Option<bool>, Stop> {
        let Some(reached) = &self.reached else { return Ok(None) };
        let mut search = Search::new(self.space(), observe);
        let found = search.run(|package| {
            let states = self.space().encoding.assignment(values.iter().copied())?;
            let states = package.and(&states, &self.space().observable)?;
            package.intersects(&states, reached)
        });
        found.map(Some).map_err(stop)
    }

    /// The strategy for a goal, and the reason.
    #[must_use]
    pub fn choose(&self, goal: Goal) -> (Strategy, Reason) {
        match goal {
            Goal::ShortestPaths => (Strategy::BreadthFirst, Reason::ShortestPaths),
            Goal::Faults | Goal::States => {
                let tops: rustc_hash::FxHashSet<_> =
                    self.space().transitions.iter().filter_map(transition::Transition::top).collect();
                match tops.len() {
                    0 | 1 => (Strategy::Chaining, Reason::NoLocality),
                    _ => (Strategy::Saturation, Reason::Locality),
                }
            }
        }
    }

    /// The faults of the reached states.
    fn violations(
        &self,
        search: &mut Search<'_, Diagrams>,
        reached: &Diagram,
        rings: &[Diagram],
        result: &mut Reached,
    ) -> Result<(), Halt> {
        for fault in faults::faults(search, self.relation, reached)? {
            let path = witness::path(search, reached, rings, &fault.states)?;
            match witness::violation(self.space(), self.relation, &path, &fault) {
                Ok(violation) => result.violations.push(violation),
                Err(stop) => result.stop = Some(stop),
            }
        }
        Ok(())
    }
}

/// The reason of a search without values that do not fit: the reached states have been computed.
fn stop(halt: Halt) -> Stop {
    match halt {
        Halt::Stop(stop) => stop,
        // The values of all reached states fit.
        Halt::Overflow { .. } | Halt::Order => Stop::NotApplicable,
    }
}

/// The relation as diagrams; none if more than this many nodes are made on the way.
fn build_within(
    relation: &Relation,
    codes: &[Code],
    order: &[VariableId],
    (options, most): (Options, usize),
    observe: &mut dyn FnMut(Progress) -> Option<Stop>,
) -> Result<Option<Space<Diagrams>>, SymbolicError> {
    let mut is_large = false;
    let mut limited = |progress: Progress| {
        is_large |= progress.nodes > most;
        if is_large { Some(Stop::Memory) } else { observe(progress) }
    };
    match build(relation, codes, order, options, &mut limited) {
        Ok(space) => Ok(Some(space)),
        Err(SymbolicError::TooLarge { .. }) => Ok(None),
        Err(_) if is_large => Ok(None),
        Err(error) => Err(error),
    }
}

/// The relation as diagrams.
fn build(
    relation: &Relation,
    codes: &[Code],
    order: &[VariableId],
    options: Options,
    observe: &mut dyn FnMut(Progress) -> Option<Stop>,
) -> Result<Space<Diagrams>, SymbolicError> {
    let bits = codes.iter().map(|code| code.bits).sum();
    if bits > MOST_BITS {
        return Err(SymbolicError::TooManyBits(bits));
    }
    let watch = Watch::new(observe);
    let space: Result<Space<Diagrams>, TooLarge> =
        Space::new(relation, codes.to_vec(), order, options.sizes(), &watch);
    let space = space.map_err(|TooLarge { group }| {
        if let Some(stop) = watch.stop() {
            return SymbolicError::Stopped(stop);
        }
        let step = group.and_then(|group| match relation.groups[group].action {
            Action::Step { by, .. } => Some(by),
            Action::Release(_) => None,
        });
        SymbolicError::TooLarge { nodes: options.sizes().0, step }
    })?;
    // Without an initial state, every property would hold.
    if space.package().is_empty(&space.initial) {
        return Err(SymbolicError::Overflow);
    }
    Ok(space)
}
