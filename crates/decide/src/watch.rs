//! Queries within the limits of a search, and the callback that an engine polls.
//!
//! *Entry point:* [`Watch::solve`].
//! *Invariant:* between two polls, solvers do a bounded amount of work, in one query or in many.

use axle_outcome::{Limits, Progress, Stop};

use crate::sat::{Lit, SatAnswer, Solver};

/// The callback that an engine polls: it receives the progress, and may stop the engine.
pub type Poll<'a> = &'a mut dyn FnMut(Progress) -> Option<Stop>;

/// The decisions of a query before the first poll. Each further part of a query is twice as long.
const FIRST_BUDGET: u64 = 5_000;
/// The most decisions between two polls.
const LAST_BUDGET: u64 = 40_000;

/// The work of queries between two polls.
const POLLED_WORK: u64 = 500_000;

/// Bytes of new formulas whose construction takes as long as the propagation of a literal.
const BYTES: u64 = 16;

/// The limits and the progress of a search.
pub struct Watch<'a> {
    limits: Limits,
    poll: Poll<'a>,
    /// The progress so far. Its transitions are the work: that of the solvers ([`Solver::take_work`]), and of
    /// the growth of formulas.
    pub progress: Progress,
    /// The work at the last poll.
    polled: u64,
}

impl<'a> Watch<'a> {
    /// For limits and a callback.
    pub fn new(limits: &Limits, poll: Poll<'a>) -> Watch<'a> {
        Watch { limits: *limits, poll, progress: Progress::default(), polled: 0 }
    }

    /// Polls the callback, with the memory in use.
    ///
    /// # Errors
    /// The search must stop.
    pub fn check(&mut self, memory: u64) -> Result<(), Stop> {
        let growth = memory.saturating_sub(self.progress.memory);
        self.progress.transitions += growth / BYTES;
        self.progress.memory = memory;
        self.polled = self.progress.transitions;
        if self.limits.memory.is_some_and(|most| memory > most) {
            return Err(Stop::Memory);
        }
        (self.poll)(self.progress.clone()).map_or(Ok(()), Err)
    }

    /// Whether a depth is beyond the limit.
    #[must_use]
    pub fn is_too_deep(&self, depth: u64) -> bool {
        self.limits.depth.is_some_and(|most| depth > most)
    }

    /// Whether clauses have a model under assumptions.
    ///
    /// # Errors
    /// The search must stop.
    pub fn solve(&mut self, solver: &mut dyn Solver, assumptions: &[Lit]) -> Result<bool, Stop> {
        loop {
            if let Some(found) = self.solve_within(solver, assumptions, u64::MAX)? {
                return Ok(found);
            }
        }
    }

    /// Whether clauses have a model under assumptions; none if more than about `most` decisions are needed.
    ///
    /// # Errors
    /// The search must stop.
    pub fn solve_within(
        &mut self,
        solver: &mut dyn Solver,
        assumptions: &[Lit],
        most: u64,
    ) -> Result<Option<bool>, Stop> {
        let (mut budget, mut left) = (FIRST_BUDGET, most);
        // What the engine has beside this solver.
        let others = self.progress.memory.saturating_sub(solver.memory());
        loop {
            // Learnt clauses remain, so that a query goes on where it stopped.
            let answer = solver.solve(assumptions, budget.min(left));
            self.progress.transitions += solver.take_work();
            if answer == SatAnswer::Unknown || self.progress.transitions - self.polled >= POLLED_WORK {
                self.check(others + solver.memory())?;
            }
            match answer {
                SatAnswer::Sat => return Ok(Some(true)),
                SatAnswer::Unsat => return Ok(Some(false)),
                SatAnswer::Unknown => {}
            }
            left = left.saturating_sub(budget);
            if left == 0 {
                return Ok(None);
            }
            budget = (budget * 2).min(LAST_BUDGET);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::solver;

    /// A solver in which one assumption propagates many literals without a decision.
    fn chain() -> (Box<dyn Solver>, Lit) {
        let mut solver = solver();
        let literals: Vec<Lit> = (0..20_000).map(|_| solver.variable()).collect();
        literals.windows(2).for_each(|pair| solver.clause(&[!pair[0], pair[1]]));
        (solver, literals[0])
    }

    #[test]
    fn short_queries_are_polled_by_their_work() {
        let (mut solver, first) = chain();
        let mut polls = 0;
        let mut poll = |_| {
            polls += 1;
            (polls == 3).then_some(Stop::Time)
        };
        let mut watch = Watch::new(&Limits::default(), &mut poll);
        let ended = (0..1_000).map(|_| watch.solve(&mut *solver, &[first])).find(Result::is_err);
        assert_eq!(ended, Some(Err(Stop::Time)));
    }

    #[test]
    fn the_memory_beside_a_solver_is_part_of_all() {
        let (mut solver, first) = chain();
        let mut least = u64::MAX;
        let mut poll = |progress: Progress| {
            least = least.min(progress.memory);
            None
        };
        let mut watch = Watch::new(&Limits::default(), &mut poll);
        watch.check(1 << 40).expect("no limit");
        (0..100).for_each(|_| assert_eq!(watch.solve(&mut *solver, &[first]), Ok(true)));
        assert_eq!(least, 1 << 40);
    }
}
