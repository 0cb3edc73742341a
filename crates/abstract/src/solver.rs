//! Satisfiability of conditions on states, in incremental solvers: queries are assumptions, so that clauses
//! learnt in one query serve the others.
//!
//! Each local command has a solver, which knows only the conditions that were asked about its steps: an answer
//! assigns all variables of its solver, and those of one command are a small part of all.
//!
//! *Entry points:* [`Formulas::signal`], [`Formulas::query`], [`Formulas::is_satisfiable`].
//! *Invariant:* the only states that are excluded from all queries are those outside the ranges of
//! variables, an inductive invariant of the problem.

use std::time::Duration;

use axle_decide::aig::{Aig, Signal};
use axle_decide::blast::Blaster;
use axle_decide::cnf::Encoder;
use axle_decide::model::Problem;
use axle_decide::sat::{Lit, Solver, solver};
use axle_decide::term::{BinaryOp, Term, TermId, Terms};
use axle_decide::watch::Watch;
use axle_outcome::Stop;
use rustc_hash::FxHashMap;

use crate::Clock;
use crate::local::LocalId;

/// The decisions of a query at first.
const FIRST_EFFORT: u64 = 10_000;

/// Queries that share a solver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Scope {
    /// Those about states.
    States,
    /// Those about the steps of a local command.
    Steps(LocalId),
}

/// The solver of a scope.
struct Context {
    encoder: Encoder,
    solver: Box<dyn Solver>,
}

/// Conditions on the states of one problem, and the solvers that decide them.
pub(crate) struct Formulas {
    /// The terms of the problem, and further ones.
    pub terms: Terms,
    aig: Aig,
    blaster: Blaster,
    signals: FxHashMap<TermId, Signal>,
    /// What holds in all states within the ranges of variables, as clauses.
    facts: Vec<Vec<Signal>>,
    contexts: FxHashMap<Scope, Context>,
    /// The number of queries so far.
    pub queries: u64,
    /// The decisions after which a query has no answer.
    pub effort: u64,
    clock: Option<Clock>,
    /// The time of the decision procedure, with the translation of conditions, if there is a clock.
    pub deciding: Duration,
}

impl Formulas {
    /// For the states of a problem within the ranges of its variables.
    pub fn new(problem: &Problem, clock: Option<Clock>) -> Formulas {
        let mut formulas = Formulas {
            terms: problem.system.terms.clone(),
            aig: Aig::default(),
            blaster: Blaster::default(),
            signals: FxHashMap::default(),
            facts: Vec::new(),
            contexts: FxHashMap::default(),
            queries: 0,
            effort: FIRST_EFFORT,
            clock,
            deciding: Duration::ZERO,
        };
        let mut words: Vec<Vec<Signal>> = Vec::new();
        for state in &problem.system.states {
            let word: Vec<Signal> = (0..state.ty.bits).map(|_| formulas.aig.input()).collect();
            formulas.blaster.bind(state.variable, word.clone());
            words.push(word);
        }
        let facts = problem.facts.iter().map(|fact| {
            let literals = fact.iter().map(|literal| {
                let signal = words[literal.bit.of as usize][usize::from(literal.bit.bit)];
                signal.inverted_if(!literal.value)
            });
            literals.collect()
        });
        formulas.facts = facts.collect();
        formulas
    }

    /// The signal of a condition.
    pub fn signal(&mut self, condition: TermId) -> Signal {
        if let Some(signal) = self.signals.get(&condition) {
            return *signal;
        }
        let begin = self.clock.map(|clock| clock());
        let signal = self.blaster.word(&mut self.aig, &self.terms, condition)[0];
        self.count(begin);
        self.signals.insert(condition, signal);
        signal
    }

    /// The solver of a scope.
    fn context(&mut self, scope: Scope) -> (&mut Context, &Aig) {
        let Formulas { contexts, aig, facts, .. } = self;
        let context = contexts.entry(scope).or_insert_with(|| {
            let mut context = Context { encoder: Encoder::default(), solver: solver() };
            for fact in facts.iter() {
                let clause: Vec<Lit> = (fact.iter())
                    .map(|signal| context.encoder.literal(&mut *context.solver, aig, *signal))
                    .collect();
                context.solver.clause(&clause);
            }
            context
        });
        (context, aig)
    }

    /// The literal of a signal in the solver of a scope.
    pub fn literal(&mut self, scope: Scope, signal: Signal) -> Lit {
        if let Some(known) = self.context(scope).0.encoder.known(signal) {
            return known;
        }
        let begin = self.clock.map(|clock| clock());
        let (context, aig) = self.context(scope);
        let literal = context.encoder.literal(&mut *context.solver, aig, signal);
        self.count(begin);
        literal
    }

    /// The literal of a condition in the solver of a scope.
    pub fn literal_of(&mut self, scope: Scope, condition: TermId) -> Lit {
        let signal = self.signal(condition);
        self.literal(scope, signal)
    }

    /// Counts the time since a moment.
    fn count(&mut self, begin: Option<Duration>) {
        if let (Some(clock), Some(begin)) = (self.clock, begin) {
            self.deciding += clock().saturating_sub(begin);
        }
    }

    /// Whether some state satisfies all literals of a scope; none if the query needs more effort than permitted.
    ///
    /// # Errors
    /// The search must stop.
    pub fn query(
        &mut self,
        scope: Scope,
        literals: &[Lit],
        watch: &mut Watch<'_>,
    ) -> Result<Option<bool>, Stop> {
        self.queries += 1;
        if self.queries.is_multiple_of(256) {
            watch.check(self.memory())?;
        }
        let begin = self.clock.map(|clock| clock());
        let effort = self.effort;
        let answer = watch.solve_within(&mut *self.context(scope).0.solver, literals, effort);
        self.count(begin);
        answer
    }

    /// Whether some state may satisfy all conditions.
    ///
    /// # Errors
    /// The search must stop.
    pub fn is_satisfiable(&mut self, conditions: &[Signal], watch: &mut Watch<'_>) -> Result<bool, Stop> {
        let scope = Scope::States;
        let literals: Vec<Lit> = conditions.iter().map(|of| self.literal(scope, *of)).collect();
        Ok(self.query(scope, &literals, watch)? != Some(false))
    }

    /// The value of a literal in the state that the last query of its scope has found.
    pub fn value(&self, scope: Scope, literal: Lit) -> bool {
        self.contexts.get(&scope).is_some_and(|context| context.solver.value(literal))
    }

    /// Whether a condition is a part of the contradiction that the last query about states has found.
    pub fn in_core(&self, condition: Signal) -> bool {
        let context = self.contexts.get(&Scope::States);
        let literal = |context: &Context| context.encoder.known(condition);
        context.is_some_and(|of| literal(of).is_some_and(|literal| of.solver.in_core(literal)))
    }

    /// Whether a condition is an equality of words.
    pub fn is_equality(&self, condition: TermId) -> bool {
        matches!(self.terms.get(condition), Term::Binary(BinaryOp::Eq, ..))
    }

    /// A literal by which clauses are switched on and, with [`Formulas::forget`], removed.
    pub fn switch(&mut self, scope: Scope) -> Lit {
        self.context(scope).0.solver.variable()
    }

    /// Adds a clause to the solver of a scope.
    pub fn clause(&mut self, scope: Scope, clause: &[Lit]) {
        self.context(scope).0.solver.clause(clause);
    }

    /// Removes the clauses of a switch.
    pub fn forget(&mut self, scope: Scope, switch: Lit) {
        self.clause(scope, &[!switch]);
    }

    /// An estimate of the memory, in bytes.
    pub fn memory(&self) -> u64 {
        let solvers = self.contexts.values().map(|of| of.solver.memory() + of.encoder.memory());
        solvers.sum::<u64>() + self.aig.memory() + 64 * self.terms.len() as u64
    }
}
