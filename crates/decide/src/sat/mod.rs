//! Satisfiability of clauses, behind a trait: incremental, under assumptions, with models, cores and a
//! budget.
//!
//! *Entry points:* [`Solver`]; [`solver`] for the default one.

mod batsat;
#[cfg(feature = "cadical")]
mod cadical;

pub use batsat::Batsat;
#[cfg(feature = "cadical")]
pub use cadical::{Cadical, Escalating};

/// A literal: twice the number of its variable, plus 1 if negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(pub u32);

impl Lit {
    /// The literal of a variable.
    #[must_use]
    pub fn positive(variable: u32) -> Lit {
        Lit(variable << 1)
    }

    /// The number of the variable.
    #[must_use]
    pub fn variable(self) -> u32 {
        self.0 >> 1
    }

    /// Whether the literal is the negation of its variable.
    #[must_use]
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The literal, negated if a condition holds.
    #[must_use]
    pub fn negated_if(self, condition: bool) -> Lit {
        Lit(self.0 ^ u32::from(condition))
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// The answer to a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SatAnswer {
    /// There is a model.
    Sat,
    /// There is none under the assumptions.
    Unsat,
    /// The budget was spent.
    Unknown,
}

/// An incremental solver.
pub trait Solver {
    /// A further variable.
    fn variable(&mut self) -> Lit;

    /// Adds a clause.
    fn clause(&mut self, clause: &[Lit]);

    /// Decides the clauses under assumptions, with at most `budget` decisions.
    fn solve(&mut self, assumptions: &[Lit], budget: u64) -> SatAnswer;

    /// The value of a literal in the model, after [`SatAnswer::Sat`].
    fn value(&self, literal: Lit) -> bool;

    /// Whether the answer [`SatAnswer::Unsat`] depends on an assumption.
    fn in_core(&self, assumption: Lit) -> bool;

    /// Removes clauses that a literal without assumptions satisfies.
    fn simplify(&mut self);

    /// The work since the last call: propagated literals and literals of added clauses.
    fn take_work(&mut self) -> u64;

    /// An estimate of the memory, in bytes.
    fn memory(&self) -> u64;
}

/// The default solver: `batsat`, with the feature `cadical` followed by CaDiCaL on hard queries.
#[must_use]
pub fn solver() -> Box<dyn Solver> {
    #[cfg(feature = "cadical")]
    return Box::new(Escalating::default());
    #[cfg(not(feature = "cadical"))]
    Box::new(Batsat::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_models_cores_and_budgets() {
        answers(Box::new(Batsat::default()));
        #[cfg(feature = "cadical")]
        for solver in [Box::<Cadical>::default() as Box<dyn Solver>, Box::<Escalating>::default()] {
            answers(solver);
        }
    }

    fn answers(mut solver: Box<dyn Solver>) {
        let [a, b, c] = [solver.variable(), solver.variable(), solver.variable()];
        solver.clause(&[!a, b]);
        assert_eq!(solver.solve(&[a], u64::MAX), SatAnswer::Sat);
        assert!(solver.value(a) && solver.value(b) && !solver.value(!b));
        assert_eq!(solver.solve(&[c, a, !b], u64::MAX), SatAnswer::Unsat);
        assert!(solver.in_core(a) && solver.in_core(!b) && !solver.in_core(c) && !solver.in_core(!a));
        assert_eq!(solver.solve(&[c, !b], u64::MAX), SatAnswer::Sat);
        assert!(!solver.value(a) && solver.value(c));
        // Seven pigeons in six holes.
        let holes: Vec<Vec<Lit>> = (0..7).map(|_| (0..6).map(|_| solver.variable()).collect()).collect();
        for (pigeon, own) in holes.iter().enumerate() {
            solver.clause(own);
            for other in &holes[..pigeon] {
                own.iter().zip(other).for_each(|(x, y)| solver.clause(&[!*x, !*y]));
            }
        }
        assert_eq!(solver.solve(&[], 3), SatAnswer::Unknown);
        assert_eq!(solver.solve(&[c], u64::MAX), SatAnswer::Unsat);
        assert!(!solver.in_core(c));
    }
}
