//! The solver of the crate `batsat`, in which a budget is a number of decisions, where a learnt clause
//! counts as many: a run is the same on every machine.

use std::cell::Cell;

use batsat::{Callbacks, Lit as Literal, SolverInterface, Var, lbool};

use super::{Lit, SatAnswer, Solver};

/// The decisions as many of which a conflict counts, and the literals of a learnt clause as many of which
/// count as one.
const CONFLICT: u64 = 16;
const LITERALS: u64 = 4;

/// The decisions that are left. `batsat` polls before each decision.
#[derive(Debug, Default)]
struct Budget {
    left: Cell<u64>,
}

impl Callbacks for Budget {
    fn on_new_clause(&mut self, clause: &[Literal], _: batsat::ClauseKind) {
        let cost = CONFLICT + clause.len() as u64 / LITERALS;
        self.left.set(self.left.get().saturating_sub(cost));
    }

    fn stop(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left == 0
    }
}

/// The solver.
pub struct Batsat {
    solver: batsat::Solver<Budget>,
    /// The literals of added clauses, for the estimate of the memory.
    literals: u64,
    /// The work that was reported.
    reported: u64,
}

impl Default for Batsat {
    fn default() -> Batsat {
        let options = batsat::SolverOpts::default();
        Batsat { solver: batsat::Solver::new(options, Budget::default()), literals: 0, reported: 0 }
    }
}

fn literal(literal: Lit) -> Literal {
    Literal::new(Var::unsafe_from_idx(literal.variable()), !literal.is_negated())
}

impl Solver for Batsat {
    fn variable(&mut self) -> Lit {
        Lit::positive(self.solver.new_var_default().idx())
    }

    fn clause(&mut self, clause: &[Lit]) {
        self.literals += clause.len() as u64 + 4;
        let mut clause: Vec<_> = clause.iter().map(|of| literal(*of)).collect();
        self.solver.add_clause_reuse(&mut clause);
    }

    fn solve(&mut self, assumptions: &[Lit], budget: u64) -> SatAnswer {
        self.solver.cb().left.set(budget);
        let assumptions: Vec<_> = assumptions.iter().map(|of| literal(*of)).collect();
        let answer = self.solver.solve_limited(&assumptions);
        if answer == lbool::TRUE {
            SatAnswer::Sat
        } else if answer == lbool::FALSE {
            SatAnswer::Unsat
        } else {
            SatAnswer::Unknown
        }
    }

    fn value(&self, of: Lit) -> bool {
        self.solver.value_lit(literal(of)) == lbool::TRUE
    }

    fn in_core(&self, assumption: Lit) -> bool {
        self.solver.unsat_core_contains_lit(!literal(assumption))
    }

    fn simplify(&mut self) {
        self.solver.simplify();
    }

    fn take_work(&mut self) -> u64 {
        let work = self.solver.num_propagations() + self.literals;
        let new = work - self.reported;
        self.reported = work;
        new
    }

    fn memory(&self) -> u64 {
        // Four bytes for a literal, and what a variable has in tables and lists of watchers.
        self.literals * 8 + u64::from(self.solver.num_vars()) * 150
    }
}
