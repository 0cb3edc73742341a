//! Satisfiability of conditions on states, in one incremental solver: queries are assumptions, so that
//! clauses learnt in one query serve the others.
//!
//! *Entry points:* [`Formulas::literal`], [`Formulas::is_satisfiable`].
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

/// The decisions of a query at first.
const FIRST_EFFORT: u64 = 10_000;

/// Conditions on the states of one problem, and the solver that decides them.
pub(crate) struct Formulas {
    /// The terms of the problem, and further ones.
    pub terms: Terms,
    aig: Aig,
    blaster: Blaster,
    encoder: Encoder,
    solver: Box<dyn Solver>,
    literals: FxHashMap<TermId, Lit>,
    /// The number of queries so far.
    pub queries: u64,
    /// The decisions after which a query has no answer.
    pub effort: u64,
    /// The number of queries without an answer.
    pub unanswered: u64,
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
            encoder: Encoder::default(),
            solver: solver(),
            literals: FxHashMap::default(),
            queries: 0,
            effort: FIRST_EFFORT,
            unanswered: 0,
            clock,
            deciding: Duration::ZERO,
        };
        let mut words: Vec<Vec<Signal>> = Vec::new();
        for state in &problem.system.states {
            let word: Vec<Signal> = (0..state.ty.bits).map(|_| formulas.aig.input()).collect();
            formulas.blaster.bind(state.variable, word.clone());
            words.push(word);
        }
        for fact in &problem.facts {
            let clause: Vec<Lit> = (fact.iter())
                .map(|literal| {
                    let signal = words[literal.bit.of as usize][usize::from(literal.bit.bit)];
                    formulas.of_signal(signal.inverted_if(!literal.value))
                })
                .collect();
            formulas.solver.clause(&clause);
        }
        formulas
    }

    fn of_signal(&mut self, signal: Signal) -> Lit {
        self.encoder.literal(&mut *self.solver, &self.aig, signal)
    }

    /// The literal of a condition.
    pub fn literal(&mut self, condition: TermId) -> Lit {
        if let Some(literal) = self.literals.get(&condition) {
            return *literal;
        }
        let begin = self.clock.map(|clock| clock());
        let signal = self.blaster.word(&mut self.aig, &self.terms, condition)[0];
        let literal = self.of_signal(signal);
        self.count(begin);
        self.literals.insert(condition, literal);
        literal
    }

    /// Counts the time since a moment.
    fn count(&mut self, begin: Option<Duration>) {
        if let (Some(clock), Some(begin)) = (self.clock, begin) {
            self.deciding += clock().saturating_sub(begin);
        }
    }

    /// Whether some state satisfies all literals; none if the query needs more effort than permitted.
    ///
    /// # Errors
    /// The search must stop.
    pub fn query(&mut self, literals: &[Lit], watch: &mut Watch<'_>) -> Result<Option<bool>, Stop> {
        self.queries += 1;
        if self.queries.is_multiple_of(256) {
            watch.check(self.memory())?;
        }
        let begin = self.clock.map(|clock| clock());
        let answer = watch.solve_within(&mut *self.solver, literals, self.effort);
        self.count(begin);
        let answer = answer?;
        self.unanswered += u64::from(answer.is_none());
        Ok(answer)
    }

    /// Whether some state may satisfy all literals.
    ///
    /// # Errors
    /// The search must stop.
    pub fn is_satisfiable(&mut self, literals: &[Lit], watch: &mut Watch<'_>) -> Result<bool, Stop> {
        Ok(self.query(literals, watch)? != Some(false))
    }

    /// The value of a literal in the state that the last query has found.
    pub fn value(&self, literal: Lit) -> bool {
        self.solver.value(literal)
    }

    /// Whether a literal is a part of the contradiction that the last query has found.
    pub fn in_core(&self, literal: Lit) -> bool {
        self.solver.in_core(literal)
    }

    /// Whether a condition is an equality of words.
    pub fn is_equality(&self, condition: TermId) -> bool {
        matches!(self.terms.get(condition), Term::Binary(BinaryOp::Eq, ..))
    }

    /// A literal by which clauses are switched on and, with [`Formulas::forget`], removed.
    pub fn switch(&mut self) -> Lit {
        self.solver.variable()
    }

    /// Adds a clause.
    pub fn clause(&mut self, clause: &[Lit]) {
        self.solver.clause(clause);
    }

    /// Removes the clauses of a switch.
    pub fn forget(&mut self, switch: Lit) {
        self.solver.clause(&[!switch]);
    }

    /// An estimate of the memory, in bytes.
    pub fn memory(&self) -> u64 {
        self.solver.memory() + self.aig.memory() + 64 * self.terms.len() as u64
    }
}
