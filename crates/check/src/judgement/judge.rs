//! Confirms that a run violates a property, independently of the search that found it.
//!
//! *Entry point:* [`breaks`]. The interpreter has replayed the run and evaluated every proposition
//! in every state ([`axle_evidence::lasso`]). On these letters a formula is evaluated by its
//! definition, or by progression if the run is a finite bad prefix; a never claim is executed;
//! labels are looked up on the cycle; fairness is checked by the processes that are enabled and
//! that move.
//!
//! *Invariant:* no report contains a run that does not violate its property.

use axle_evidence::lasso::{SystemRun, Walked};
use axle_ltl::automaton::{Automaton, Cube, Transition};
use axle_ltl::bad_prefix;
use axle_ltl::lasso::{Lasso, is_empty, satisfies};
use axle_question::claims::{Source, Stated};
use axle_search::Fairness;
use axle_search::claim::Claim;

/// Whether a run breaks a property; where not, says what is wrong with it.
pub fn breaks(stated: &Stated, run: &SystemRun, walked: &Walked, fairness: Fairness) -> Result<(), String> {
    if let Source::Events(events) = &stated.source {
        let events = events.as_ref().map_err(String::clone)?;
        let end = walked.events.iter().try_fold(events.start(), |at, event| events.follow(at, event));
        return match end {
            None => Ok(()),
            Some(_) => Err("the run does what the event trace says".to_string()),
        };
    }
    let Some(cycle) = Cycle::of(run) else {
        if let Source::Formula(formula) = &stated.source {
            return is_bad_prefix(stated, formula, walked);
        }
        let claim = stated.claim.as_ref().map_err(String::clone)?;
        return match stops(claim, &walked.letters) {
            true => Ok(()),
            false => Err("the claim does not reach an end on this run".to_string()),
        };
    };
    fair(&cycle, walked, fairness)?;
    let on_cycle = || walked.letters[cycle.first..cycle.end].iter();
    let broken = match &stated.source {
        Source::Formula(formula) => !satisfies(&cycle.word(walked), formula),
        Source::Never => accepts(stated.claim.as_ref().map_err(String::clone)?, &walked.letters, &cycle),
        Source::Acceptance => on_cycle().any(|letter| letter[0]),
        Source::Progress => on_cycle().all(|letter| letter[0]),
        Source::Events(_) => false,
    };
    match broken {
        true => Ok(()),
        false => Err("the run does not break the property".to_string()),
    }
}

/// Whether a finite run violates a formula however it continues.
fn is_bad_prefix(stated: &Stated, formula: &axle_ltl::Formula, walked: &Walked) -> Result<(), String> {
    let word = || walked.letters.iter().map(|letter| valuation(letter));
    // A formula that progression makes too large is left to its monitor.
    let by_monitor =
        || (stated.bad_prefixes.as_ref()).is_some_and(|it| it.monitor.shortest(word()).is_some());
    match bad_prefix::is_bad(formula, word()).unwrap_or_else(by_monitor) {
        true => Ok(()),
        false => Err("some continuation of the run satisfies the property".to_string()),
    }
}

/// A letter as bits: a formula has at most 64 propositions.
pub(crate) fn valuation(letter: &[bool]) -> u64 {
    letter.iter().take(64).enumerate().fold(0, |bits, (i, &holds)| bits | u64::from(holds) << i)
}

/// The states of a run that repeat: from `first`, up to and without `end`.
struct Cycle {
    first: usize,
    end: usize,
}

impl Cycle {
    fn of(run: &SystemRun) -> Option<Cycle> {
        (run.cycle > 0).then_some(Cycle { first: run.prefix(), end: run.steps.len() })
    }

    /// The state after this one.
    fn next(&self, at: usize) -> usize {
        if at + 1 == self.end { self.first } else { at + 1 }
    }

    /// The letters as a word.
    fn word(&self, walked: &Walked) -> Lasso {
        let letters = |range: std::ops::Range<usize>| {
            walked.letters[range].iter().map(|letter| valuation(letter)).collect()
        };
        Lasso { prefix: letters(0..self.first), cycle: letters(self.first..self.end) }
    }
}

/// Whether a run with a cycle is unfair to a process that is enabled throughout the cycle.
pub fn is_weakly_unfair(run: &SystemRun, walked: &Walked) -> bool {
    Cycle::of(run).is_some_and(|cycle| fair(&cycle, walked, Fairness::Weak).is_err())
}

/// Whether every process is treated as the assumption says.
fn fair(cycle: &Cycle, walked: &Walked, fairness: Fairness) -> Result<(), String> {
    let steps = &walked.movers[cycle.first..cycle.end];
    let mut pids: Vec<u32> = steps.iter().flat_map(|step| step.enabled.iter().copied()).collect();
    pids.sort_unstable();
    pids.dedup();
    for pid in pids {
        let enabled = |step: &axle_evidence::lasso::Movers| step.enabled.contains(&pid);
        let due = match fairness {
            Fairness::None => false,
            Fairness::Weak => steps.iter().all(enabled),
            Fairness::Strong => steps.iter().any(enabled),
        };
        if due && !steps.iter().any(|step| step.moved.contains(&pid)) {
            return Err(format!("process {pid} could move and never does"));
        }
    }
    Ok(())
}

/// Whether an infinite run satisfies a never claim, which does not match it; where not, says what is
/// wrong with it.
pub fn avoids(claim: &Claim, run: &SystemRun, walked: &Walked, fairness: Fairness) -> Result<(), String> {
    let cycle = Cycle::of(run).ok_or("the run is finite")?;
    fair(&cycle, walked, fairness)?;
    match matches_word(claim, &walked.letters[..cycle.first], &walked.letters[cycle.first..cycle.end]) {
        false => Ok(()),
        true => Err("the never claim matches the run".to_string()),
    }
}

/// Whether a claim accepts an infinite word, or comes to an end on it.
pub fn matches_word(claim: &Claim, prefix: &[Vec<bool>], cycle: &[Vec<bool>]) -> bool {
    // A way to an end visits no pair of a position and a location twice.
    let passes = std::iter::repeat_n(cycle, claim.locations.len() + 1).flatten();
    let finite: Vec<Vec<bool>> = prefix.iter().chain(passes).cloned().collect();
    let letters: Vec<Vec<bool>> = prefix.iter().chain(cycle).cloned().collect();
    stops(claim, &finite) || accepts(claim, &letters, &Cycle { first: prefix.len(), end: letters.len() })
}

/// Whether a claim can come to its end, or to an assertion that fails, on a finite run.
fn stops(claim: &Claim, letters: &[Vec<bool>]) -> bool {
    let mut here = claim.initial.clone();
    for letter in letters {
        let word = bits(letter);
        let mut next = Vec::new();
        for edge in here.iter().flat_map(|&at| &claim.locations[at as usize].edges) {
            if !edge.guard.holds(&word) {
                continue;
            }
            let failed = edge.asserts.is_some_and(|atom| !letter[atom as usize]);
            if failed || claim.locations[edge.to as usize].end {
                return true;
            }
            next.push(edge.to);
        }
        next.sort_unstable();
        next.dedup();
        here = next;
    }
    false
}

/// Whether a claim accepts an infinite run: the product of the two is an automaton over a single
/// letter, which accepts where its language is not empty.
fn accepts(claim: &Claim, letters: &[Vec<bool>], cycle: &Cycle) -> bool {
    let positions = cycle.end;
    let at = |location: u32, position: usize| (location as usize * positions + position) as u32;
    let mut states = vec![Vec::new(); claim.locations.len() * positions];
    for (from, edge) in claim.edges() {
        for position in 0..positions {
            if edge.guard.holds(&bits(&letters[position])) {
                let to = at(edge.to, cycle.next(position));
                let marks = edge.marks;
                states[at(from, position) as usize].push(Transition { label: Cube::TRUE, to, marks });
            }
        }
    }
    claim.initial.iter().any(|&initial| {
        let states = states.clone();
        !is_empty(&Automaton { initial: at(initial, 0), states, sets: claim.sets })
    })
}

/// A letter as the words of a valuation.
fn bits(letter: &[bool]) -> Vec<u64> {
    let mut words = vec![0u64; letter.len().div_ceil(64)];
    for (atom, _) in letter.iter().enumerate().filter(|(_, holds)| **holds) {
        words[atom / 64] |= 1 << (atom % 64);
    }
    words
}
