//! Whether a formula can tell a letter from the same letter twice.
//!
//! Partial order reduction and merging of steps are sound only for formulas that cannot. Without
//! `X` none can. Otherwise: a language is stutter invariant just where no word of it and no word of
//! its complement have a common stretched form (every letter repeated, finitely often), so both
//! automata are stretched and their product is tested for emptiness (Michaud and Duret-Lutz,
//! *Practical stutter-invariance checks for ω-regular languages*, SPIN 2015, section 3,
//! "self-loopization").
//!
//! An automaton without a formula has no complement at hand. Its language is stutter invariant if
//! the automaton simulates its stutter closure, which repeats letters, and its shortcut closure,
//! which reads several equal letters as one: a word of the language is first shortened to a word
//! without finite repetitions, then stretched to any other one.
//!
//! *Entry points:* [`is_stutter_invariant`] for formulas, [`is_surely_stutter_invariant`] for
//! automata.
//! *Invariant:* the answer yes is correct. For automata, the answer no means only that the language
//! is not known to be stutter invariant.

use crate::automaton::{Automaton, Cube, Transition};
use crate::effort::Effort;
use crate::fair_simulation::{Explicit, is_simulated};
use crate::formula::Formula;
use crate::lasso::is_empty;
use crate::translate::{TooLarge, translate_within};
use rustc_hash::FxHashMap;

/// Whether every two words that differ only in repeated letters agree on the formula; an error
/// where that takes too much work.
pub fn is_stutter_invariant(formula: &Formula) -> Result<bool, TooLarge> {
    is_stutter_invariant_within(formula, &mut Effort::of(Effort::OPTIONAL))
}

/// The same within an effort.
pub fn is_stutter_invariant_within(formula: &Formula, effort: &mut Effort<'_>) -> Result<bool, TooLarge> {
    if !formula.has_next() {
        return Ok(true);
    }
    let half = effort.left() / 2;
    match effort.part(half, |effort| by_automata(formula, effort)) {
        Err(TooLarge::Work | TooLarge::States) if half > LEAST_WORK => {}
        answer => return answer,
    }
    // Every operator but `X` keeps stutter invariance, by induction over the formula.
    let parts = match formula {
        Formula::Next(_) => return Err(TooLarge::Work),
        formula => formula.operands(),
    };
    for part in &parts {
        let share = effort.left() / parts.len() as u64;
        if !effort.part(share, |effort| is_stutter_invariant_within(part, effort))? {
            return Err(TooLarge::Work);
        }
    }
    Ok(true)
}

/// Work below which the parts of a formula are not decided one by one.
const LEAST_WORK: u64 = 100_000;

/// Decides by the stretched automata of the formula and of its negation.
fn by_automata(formula: &Formula, effort: &mut Effort<'_>) -> Result<bool, TooLarge> {
    let (yes, no) = (translate_within(formula, true, effort)?, translate_within(formula, false, effort)?);
    if yes.sets.max(1) + no.sets.max(1) > 64 {
        return Err(TooLarge::Untils);
    }
    let atoms = yes.reads() | no.reads();
    if atoms.count_ones() > MOST_WRITTEN {
        return Err(TooLarge::Work);
    }
    let (yes, no) = (stutter_closure(&yes, atoms, effort)?, stutter_closure(&no, atoms, effort)?);
    Ok(is_empty(&intersection(&yes, &no, effort)?))
}

/// Propositions up to which the letters of the automata of a formula are written out: 4,096 for a
/// state.
const MOST_WRITTEN: u32 = 12;

/// Propositions and states up to which an automaton is written out letter by letter.
const MOST_ATOMS: u32 = 6;
const MOST_STATES: usize = 64;

/// Whether the language of an automaton with at most one acceptance set is known to be stutter
/// invariant. The answer no means "not known".
pub fn is_surely_stutter_invariant(automaton: &Automaton) -> bool {
    let atoms = automaton.reads();
    if automaton.sets > 1 || atoms.count_ones() > MOST_ATOMS || automaton.states.len() > MOST_STATES {
        return false;
    }
    let Some(trimmed) = trim(automaton) else { return true };
    let letters = letters(atoms);
    let whole = explicit(&trimmed, &letters);
    let Ok(closure) = stutter_closure(&trimmed, atoms, &mut Effort::of(Effort::OPTIONAL)) else {
        return false;
    };
    let stretched = explicit(&closure, &letters);
    is_simulated(&shortcut_closure(&whole), &whole) && is_simulated(&stretched, &whole)
}

/// The automaton without the states that accept no word; `None` if that is all of them.
fn trim(automaton: &Automaton) -> Option<Automaton> {
    let accepts = |state: usize| !is_empty(&Automaton { initial: state as u32, ..automaton.clone() });
    let useful: Vec<bool> = (0..automaton.states.len()).map(accepts).collect();
    let keep = |out: &Vec<Transition>| out.iter().copied().filter(|t| useful[t.to as usize]).collect();
    let states = automaton.states.iter().map(keep).collect();
    useful[automaton.initial as usize].then_some(Automaton { states, ..*automaton })
}

/// An automaton with at most one acceptance set, letter by letter.
fn explicit(automaton: &Automaton, letters: &[u64]) -> Explicit {
    let of = |out: &Vec<Transition>| {
        let reading = |letter: &u64| {
            let fitting = out.iter().filter(|t| t.label.holds(*letter));
            fitting.map(|t| (t.to as usize, automaton.sets == 0 || t.marks != 0)).collect()
        };
        letters.iter().map(reading).collect()
    };
    Explicit { initial: automaton.initial as usize, states: automaton.states.iter().map(of).collect() }
}

/// The automaton that may read any number of equal letters as one. The marks of the transitions
/// are united.
fn shortcut_closure(automaton: &Explicit) -> Explicit {
    let mut closed = automaton.clone();
    for state in &mut closed.states {
        for (letter, targets) in state.iter_mut().enumerate() {
            let mut next = 0;
            while let Some(&(at, marked)) = targets.get(next) {
                next += 1;
                for &(to, also) in &automaton.states[at][letter] {
                    let target = (to, marked || also);
                    if !targets.contains(&target) {
                        targets.push(target);
                    }
                }
            }
        }
    }
    closed
}

/// All valuations of the propositions in `atoms`.
fn letters(atoms: u64) -> Vec<u64> {
    let mut all = vec![0u64];
    for bit in (0..64).map(|i| 1u64 << i).filter(|bit| atoms & bit != 0) {
        let with: Vec<u64> = all.iter().map(|v| v | bit).collect();
        all.extend(with);
    }
    all
}

/// The automaton of all words that arise from accepted ones by repeating letters finitely often: a
/// state remembers the letter by which it was entered and may read it again, without marks.
fn stutter_closure(
    automaton: &Automaton,
    atoms: u64,
    effort: &mut Effort<'_>,
) -> Result<Automaton, TooLarge> {
    let all = letters(atoms);
    let full = |letter: u64| Cube { must: letter & atoms, must_not: !letter & atoms };
    let mut ids: FxHashMap<(u32, Option<u64>), u32> = FxHashMap::default();
    let mut order = vec![(automaton.initial, None)];
    ids.insert(order[0], 0);
    let mut states: Vec<Vec<Transition>> = Vec::new();
    // One acceptance set at least, so that reading one letter forever in one state is not
    // accepting.
    let sets = automaton.sets.max(1);
    while let Some(&(state, entered)) = order.get(states.len()) {
        let here = states.len() as u32;
        let mut out = Vec::new();
        if let Some(letter) = entered {
            out.push(Transition { label: full(letter), to: here, marks: 0 });
        }
        effort.spend(automaton.states[state as usize].len(), all.len())?;
        for t in &automaton.states[state as usize] {
            for &letter in all.iter().filter(|l| t.label.holds(**l)) {
                let target = (t.to, Some(letter));
                let fresh = order.len() as u32;
                let to = *ids.entry(target).or_insert_with(|| {
                    order.push(target);
                    fresh
                });
                let marks = if automaton.sets == 0 { 1 } else { t.marks };
                out.push(Transition { label: full(letter), to, marks });
            }
        }
        states.push(out);
    }
    Ok(Automaton { initial: 0, states, sets })
}

/// The automaton of the words that both accept. Together they may have at most 64 acceptance sets;
/// the stretched automata of one formula and its negation stay far below.
pub(crate) fn intersection(
    a: &Automaton,
    b: &Automaton,
    effort: &mut Effort<'_>,
) -> Result<Automaton, TooLarge> {
    assert!(a.sets + b.sets <= 64, "acceptance sets fit one word of marks");
    let mut ids: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let mut order = vec![(a.initial, b.initial)];
    ids.insert(order[0], 0);
    let mut states = Vec::new();
    while let Some(&(left, right)) = order.get(states.len()) {
        let mut out = Vec::new();
        effort.spend(a.states[left as usize].len(), b.states[right as usize].len())?;
        for x in &a.states[left as usize] {
            for y in &b.states[right as usize] {
                let Some(label) = x.label.and(y.label) else { continue };
                let target = (x.to, y.to);
                let fresh = order.len() as u32;
                let to = *ids.entry(target).or_insert_with(|| {
                    order.push(target);
                    fresh
                });
                out.push(Transition { label, to, marks: x.marks | y.marks << a.sets });
            }
        }
        states.push(out);
    }
    Ok(Automaton { initial: 0, states, sets: a.sets + b.sets })
}
