//! The numbers of steps after which continuations are searched, and the limits of these searches.
//!
//! Violating executions mostly diverge late from satisfying ones. The search therefore proceeds from
//! the end backwards with doubled distances until a continuation exists, and then bisects. Each search
//! stores a limited number of states. While a limit leaves a longer prefix undecided, the searches
//! are repeated with a higher limit.
//!
//! *Entry point:* [`longest`].
//! *Source:* J. L. Bentley and A. C. Yao, "An Almost Optimal Algorithm for Unbounded Searching",
//! Information Processing Letters 5(3), 1976.
//! *Invariant:* a prefix is called the longest only if a search that ended by itself refuted the next
//! longer one.
//! *Cost:* for n steps at most 2 log n searches with each limit.

use axle_evidence::lasso::SystemRun;

/// States that each of the first searches may store.
const FEWEST_STATES: u64 = 10_000;

/// Factor from one limit on states to the next.
const GROWTH: u64 = 8;

/// The result of a search for a continuation.
pub(crate) enum Continuation {
    /// A satisfying execution that begins with the steps.
    Found(SystemRun),
    /// None exists.
    None,
    /// The limit on states ended the search.
    Limited,
    /// The search found an execution that is not suitable, and no other.
    Unsuitable,
    /// A limit that applies to all searches together was reached.
    Stopped,
}

/// The longest prefix with a continuation.
#[derive(Default)]
pub(crate) struct Longest {
    /// The satisfying execution; none if no search found one.
    pub run: Option<SystemRun>,
    /// Whether all longer prefixes were refuted.
    pub is_certain: bool,
}

/// Searches for a satisfying execution with the longest prefix of `violating`. `search` receives a
/// number of steps and the most states to store.
pub(crate) fn longest(violating: &SystemRun, search: impl FnMut(usize, u64) -> Continuation) -> Longest {
    let refuted = violating.steps.len() + 1;
    let mut bounds =
        PrefixSearch { violating, search, best: None, refuted, is_limited: false, is_stopped: false };
    let mut states = FEWEST_STATES;
    loop {
        bounds.is_limited = false;
        bounds.pass(states);
        if !bounds.is_limited || bounds.is_stopped || bounds.open() >= bounds.refuted {
            break;
        }
        states = states.saturating_mul(GROWTH);
    }
    let is_certain = bounds.open() >= bounds.refuted;
    Longest { run: bounds.best.map(|(_, run)| run), is_certain }
}

struct PrefixSearch<'a, F> {
    violating: &'a SystemRun,
    search: F,
    /// The satisfying execution with the longest common prefix so far, and the length of that.
    best: Option<(usize, SystemRun)>,
    /// The smallest number of steps after which no continuation exists.
    refuted: usize,
    /// Whether a limit on states ended a search.
    is_limited: bool,
    is_stopped: bool,
}

impl<F: FnMut(usize, u64) -> Continuation> PrefixSearch<'_, F> {
    /// The smallest number of steps after which no continuation is known.
    fn open(&self) -> usize {
        self.best.as_ref().map_or(0, |(steps, _)| steps + 1)
    }

    /// One pass with a limit on states.
    fn pass(&mut self, states: u64) {
        // Backwards from the longest prefix that is not refuted.
        let (mut above, mut distance) = (self.refuted, 1);
        let first = self.open();
        loop {
            if above <= first || self.is_stopped {
                return;
            }
            let steps = above.saturating_sub(distance).max(first);
            if self.has_continuation(steps, states) {
                break;
            }
            (above, distance) = (steps, distance * 2);
        }
        // Between the longest prefix with a continuation and the shortest one above without.
        while self.open() < above && !self.is_stopped {
            let open = self.open();
            let middle = open + (above - open) / 2;
            if !self.has_continuation(middle, states) {
                above = middle;
            }
        }
    }

    fn has_continuation(&mut self, steps: usize, states: u64) -> bool {
        match (self.search)(steps, states) {
            Continuation::Found(run) => {
                // The continuation may begin as the violating execution does.
                let common = common_transitions(self.violating, &run).max(steps);
                self.best = Some((common, run));
                return true;
            }
            Continuation::None => self.refuted = self.refuted.min(steps),
            Continuation::Limited => self.is_limited = true,
            Continuation::Unsuitable => {}
            Continuation::Stopped => self.is_stopped = true,
        }
        false
    }
}

/// The number of first transitions that two executions share, at most those of the first.
fn common_transitions(first: &SystemRun, second: &SystemRun) -> usize {
    let same = |at: &usize| position(second, *at).is_some_and(|other| other == first.steps[*at]);
    (0..first.steps.len()).take_while(same).count()
}

/// The transition of an execution at a position, which may lie behind the first pass of its cycle.
fn position(run: &SystemRun, at: usize) -> Option<Option<u32>> {
    let behind = at.checked_sub(run.steps.len());
    match behind {
        None => Some(run.steps[at]),
        Some(_) if run.cycle == 0 => None,
        Some(behind) => Some(run.steps[run.prefix() + behind % run.cycle]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(steps: usize, cycle: usize) -> SystemRun {
        SystemRun { steps: (0..steps as u32).map(Some).collect(), cycle, claim: Vec::new() }
    }

    /// An execution that shares a number of steps with [`run`].
    fn sharing(steps: usize) -> SystemRun {
        let mut other = run(steps, 0);
        other.steps.push(Some(u32::MAX));
        SystemRun { cycle: 1, ..other }
    }

    /// The number of steps shared by the result, the numbers searched, and whether it is certain.
    fn searched(
        steps: usize,
        answer: impl Fn(usize, u64) -> Continuation,
    ) -> (Option<usize>, Vec<usize>, bool) {
        let (violating, mut asked) = (run(steps, 1), Vec::new());
        let found = longest(&violating, |steps, states| {
            asked.push(steps);
            answer(steps, states)
        });
        (found.run.map(|run| common_transitions(&violating, &run)), asked, found.is_certain)
    }

    #[test]
    fn the_largest_number_of_steps_is_found_with_few_searches() {
        for length in [0, 1, 2, 3, 7, 40, 1000] {
            for largest in (0..=length).filter(|at| length < 100 || at % 37 == 0) {
                let (found, asked, is_certain) = searched(length, |steps, _| match steps <= largest {
                    true => Continuation::Found(sharing(steps)),
                    false => Continuation::None,
                });
                assert_eq!((found, is_certain), (Some(largest), true), "{length}");
                let most = 2 * (length + 2).ilog2() as usize + 2;
                assert!(asked.len() <= most, "{length} {largest}: {asked:?}");
            }
        }
        let (found, _, is_certain) = searched(9, |_, _| Continuation::None);
        assert_eq!((found, is_certain), (None, true));
    }

    #[test]
    fn a_continuation_that_begins_as_the_violating_execution_counts_as_far() {
        let (found, asked, is_certain) = searched(100, |steps, _| match steps <= 40 {
            true => Continuation::Found(sharing(40)),
            false => Continuation::None,
        });
        assert_eq!((found, is_certain), (Some(40), true));
        assert!(asked.iter().filter(|steps| **steps <= 40).count() == 1, "{asked:?}");
    }

    #[test]
    fn limits_grow_while_a_longer_prefix_is_undecided() {
        let answer = |least: u64| {
            move |steps: usize, states: u64| match (steps <= 5, states >= least) {
                (_, false) if steps > 2 => Continuation::Limited,
                (true, _) => Continuation::Found(sharing(steps)),
                (false, _) => Continuation::None,
            }
        };
        let (found, _, is_certain) = searched(9, answer(FEWEST_STATES * GROWTH * GROWTH));
        assert_eq!((found, is_certain), (Some(5), true));
    }

    #[test]
    fn without_a_refutation_nothing_is_called_the_longest() {
        let by = |other: fn() -> Continuation| {
            searched(9, move |steps, _| match steps <= 3 {
                true => Continuation::Found(sharing(steps)),
                false => other(),
            })
        };
        let (found, _, is_certain) = by(|| Continuation::Unsuitable);
        assert_eq!((found, is_certain), (Some(3), false));
        let (found, asked, is_certain) = by(|| Continuation::Stopped);
        assert_eq!((found, asked, is_certain), (None, vec![9], false));
    }

    #[test]
    fn the_first_pass_of_a_cycle_counts() {
        let violating = run(4, 2);
        let again =
            SystemRun { steps: [0, 1, 2, 3, 2, 3, 9].map(Some).to_vec(), cycle: 1, claim: Vec::new() };
        assert_eq!(common_transitions(&violating, &again), 4);
        let short = SystemRun { steps: [0, 1].map(Some).to_vec(), cycle: 1, claim: Vec::new() };
        assert_eq!(common_transitions(&violating, &short), 2);
    }
}
