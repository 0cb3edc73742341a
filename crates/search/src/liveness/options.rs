//! Options of a liveness search, and whether they are supported.

use axle_outcome::claim::Malformed;
use axle_outcome::{Algorithm, Claim, Fairness, Limits};
use axle_step::{Batch, Graph, Observe};

use crate::paths::cheapest::Measure;

/// Options of a liveness search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LivenessOptions {
    /// Fairness assumption. Any value except [`Fairness::None`] requires a successor function that
    /// reports the executing processes ([`axle_step::Options::movers`]).
    pub fairness: Fairness,
    /// Search algorithm.
    pub algorithm: Algorithm,
    /// Whether to spend more time on a shortest counterexample: one with the fewest steps or, under
    /// fairness, a shortest path to the shortest cycle among those tried. Otherwise only the path to the
    /// component is shortest.
    pub shorten: bool,
    /// The measure by which the path of the counterexample is the cheapest one to its cycle or to its end.
    pub prefer: Option<Measure>,
    /// States that the search by components enters depth-first, without a cycle through several of
    /// them, before it starts again in order of distance; none for a number that suits large
    /// products.
    pub trial: Option<u64>,
    /// Resource limits. With [`Limits::depth`] the search covers all states within that many steps
    /// (`Explorer::explore_to`). [`Limits::errors`] does not apply: there is one finding.
    pub limits: Limits,
}

impl LivenessOptions {
    /// Checks that the combination of claim, options and successor function is supported.
    pub(crate) fn check(
        &self,
        stepper: &mut impl Graph,
        observer: &dyn Observe,
        claim: &Claim,
    ) -> Result<(), Refused> {
        claim.check().map_err(Refused::Claim)?;
        if claim.words() != observer.words() {
            return Err(Refused::Atoms);
        }
        if self.algorithm == Algorithm::NestedDfs {
            if claim.sets > 1 {
                return Err(Refused::Sets);
            }
            if self.fairness != Fairness::None {
                return Err(Refused::Fairness);
            }
        }
        if self.fairness != Fairness::None && !says_who_moves(stepper) {
            return Err(Refused::Movers);
        }
        Ok(())
    }
}

/// Reason why a search is not supported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The claim is not well-formed.
    Claim(Malformed),
    /// The claim has more atoms than the observer evaluates.
    Atoms,
    /// Nested depth-first search supports at most one acceptance set: degeneralise the claim.
    Sets,
    /// Nested depth-first search does not support fairness.
    Fairness,
    /// Fairness requires a successor function that reports the executing processes.
    Movers,
}

/// Whether a successor function reports the executing processes, judged by the first expansion.
fn says_who_moves(stepper: &mut impl Graph) -> bool {
    let start = stepper.initial(&mut Vec::new());
    let mut batch = Batch::default();
    // An expansion that exceeds the layout is repeated by the search, which decides then.
    stepper.expand(&start, &mut batch).is_err() || batch.states.is_empty() || !batch.movers.is_empty()
}
