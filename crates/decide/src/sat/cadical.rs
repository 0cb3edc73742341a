//! CaDiCaL, and its use for the queries on which `batsat` spends its budget.
//!
//! *Entry point:* [`Escalating`].
//! *Source:* Biere, Faller, Fazekas, Fleury, Froleyks and Pollitt, "CaDiCaL 2.0", CAV 2024.
//! *Invariant:* both solvers have the same clauses.

use super::{Batsat, Lit, SatAnswer, Solver};

/// The decisions for each conflict that CaDiCaL may have.
const DECISIONS: u64 = 8;
/// The decisions that `batsat` spends on a query before it is handed on.
const HANDED_ON: u64 = 150_000;

/// The literals that a decision propagates, and those of a query within its budget, for the estimate of
/// the work: the solver does not report them.
const PROPAGATED: u64 = 50;
const QUERY: u64 = 5_000;

/// The solver CaDiCaL.
#[derive(Default)]
pub struct Cadical {
    solver: cadical::Solver,
    variables: u32,
    literals: u64,
    /// The work of the queries, estimated, and what was reported of it.
    queries: u64,
    reported: u64,
    /// The values of the last model.
    model: Vec<bool>,
    /// The assumptions in the last core.
    core: Vec<Lit>,
}

fn number(literal: Lit) -> i32 {
    let variable = literal.variable() as i32 + 1;
    if literal.is_negated() { -variable } else { variable }
}

impl Solver for Cadical {
    fn variable(&mut self) -> Lit {
        self.variables += 1;
        Lit::positive(self.variables - 1)
    }

    fn clause(&mut self, clause: &[Lit]) {
        self.literals += clause.len() as u64 + 4;
        self.solver.add_clause(clause.iter().map(|literal| number(*literal)));
    }

    fn solve(&mut self, assumptions: &[Lit], budget: u64) -> SatAnswer {
        let most = i32::try_from(budget / DECISIONS).unwrap_or(i32::MAX).max(1);
        self.solver.set_limit("conflicts", most).expect("the name of a limit");
        self.queries += QUERY;
        match self.solver.solve_with(assumptions.iter().map(|literal| number(*literal))) {
            Some(true) => {
                let value = |variable| self.solver.value(number(Lit::positive(variable))) == Some(true);
                // Variables without clauses have no value.
                let known = self.solver.max_variable() as u32;
                self.model =
                    (0..self.variables).map(|variable| variable < known && value(variable)).collect();
                SatAnswer::Sat
            }
            Some(false) => {
                let failed = assumptions.iter().filter(|literal| self.solver.failed(number(**literal)));
                self.core = failed.copied().collect();
                SatAnswer::Unsat
            }
            None => {
                self.queries += budget.saturating_mul(PROPAGATED);
                SatAnswer::Unknown
            }
        }
    }

    fn value(&self, literal: Lit) -> bool {
        self.model[literal.variable() as usize] != literal.is_negated()
    }

    fn in_core(&self, assumption: Lit) -> bool {
        self.core.contains(&assumption)
    }

    fn simplify(&mut self) {}

    fn take_work(&mut self) -> u64 {
        let work = self.queries + self.literals;
        let new = work - self.reported;
        self.reported = work;
        new
    }

    fn memory(&self) -> u64 {
        self.literals * 8 + u64::from(self.variables) * 200
    }
}

/// `batsat`, followed by CaDiCaL on hard queries.
#[derive(Default)]
pub struct Escalating {
    first: Batsat,
    /// All clauses, each ended by a marker, for CaDiCaL to be filled when it is needed.
    clauses: Vec<Option<Lit>>,
    variables: u32,
    second: Option<Cadical>,
    /// The assumptions of the query in progress, and the decisions spent on it.
    query: (Vec<Lit>, u64),
    /// Whether the last answer is that of CaDiCaL.
    is_second: bool,
}

impl Escalating {
    fn second(&mut self) -> &mut Cadical {
        let (clauses, variables) = (&self.clauses, self.variables);
        self.second.get_or_insert_with(|| {
            let mut solver = Cadical::default();
            (0..variables).for_each(|_| {
                solver.variable();
            });
            let mut clause = Vec::new();
            for literal in clauses {
                match literal {
                    Some(literal) => clause.push(*literal),
                    None => solver.clause(&std::mem::take(&mut clause)),
                }
            }
            solver
        })
    }
}

impl Solver for Escalating {
    fn variable(&mut self) -> Lit {
        self.variables += 1;
        if let Some(second) = &mut self.second {
            second.variable();
        }
        self.first.variable()
    }

    fn clause(&mut self, clause: &[Lit]) {
        match &mut self.second {
            Some(second) => second.clause(clause),
            None => {
                self.clauses.extend(clause.iter().map(|literal| Some(*literal)));
                self.clauses.push(None);
            }
        }
        self.first.clause(clause);
        self.query = (Vec::new(), 0);
    }

    fn solve(&mut self, assumptions: &[Lit], budget: u64) -> SatAnswer {
        if self.query.0 != assumptions {
            self.query = (assumptions.to_vec(), 0);
        }
        self.is_second = self.query.1 >= HANDED_ON;
        if self.is_second {
            return self.second().solve(assumptions, budget);
        }
        self.query.1 = self.query.1.saturating_add(budget);
        self.first.solve(assumptions, budget)
    }

    fn value(&self, literal: Lit) -> bool {
        match &self.second {
            Some(second) if self.is_second => second.value(literal),
            _ => self.first.value(literal),
        }
    }

    fn in_core(&self, assumption: Lit) -> bool {
        match &self.second {
            Some(second) if self.is_second => second.in_core(assumption),
            _ => self.first.in_core(assumption),
        }
    }

    fn simplify(&mut self) {
        self.first.simplify();
    }

    fn take_work(&mut self) -> u64 {
        self.first.take_work() + self.second.as_mut().map_or(0, Solver::take_work)
    }

    fn memory(&self) -> u64 {
        let kept = self.clauses.len() as u64 * 8;
        self.first.memory() + kept + self.second.as_ref().map_or(0, Solver::memory)
    }
}
