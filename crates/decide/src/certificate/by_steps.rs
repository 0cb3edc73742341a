//! Consecution and safety of an invariant over terms, one step of the system at a time: the value of a term
//! after a step is its weakest precondition, in which sums cancel out before they become circuits.
//!
//! *Entry point:* [`accepts`].
//! *Source:* Dijkstra, "A Discipline of Programming", 1976.
//! *Invariant:* an invariant that is accepted passes consecution and safety for the next values of the
//! system: the steps are used only for variables of which they are the next values, which is checked.

use axle_outcome::Stop;

use super::check::word_term;
use crate::circuit::{Bit, Circuit};
use crate::cnf::Encoder;
use crate::invariant::{Clause, Invariant, Literal};
use crate::sat::{Solver, solver};
use crate::substitute::Substitution;
use crate::system::System;
use crate::term::TermId;
use crate::watch::Watch;

/// Whether every state that satisfies the clauses is good, and leads to states that satisfy them; `false` also
/// if this method does not apply.
///
/// # Errors
/// The check was stopped.
pub(super) fn accepts(
    system: &System,
    bads: &[usize],
    invariant: &Invariant,
    watch: &mut Watch<'_>,
) -> Result<bool, Stop> {
    if invariant.depth != 1 || invariant.distinct {
        return Ok(false);
    }
    let mut extended = system.clone();
    let Some((words, next)) = values(&mut extended, invariant) else { return Ok(false) };
    let count = words.len() as u32;
    let is_bit = |literal: &Literal| {
        let word = words.get(literal.bit.of as usize);
        word.is_some_and(|word| literal.bit.bit < extended.terms.width(*word))
    };
    if !invariant.clauses.iter().flatten().all(is_bit) {
        return Ok(false);
    }
    let after =
        |literal: &Literal| Literal { bit: Bit { of: literal.bit.of + count, ..literal.bit }, ..*literal };
    let mut clauses: Vec<Clause> = invariant.clauses.clone();
    clauses.extend(invariant.clauses.iter().map(|clause| clause.iter().map(after).collect()));
    let words = [words, next].concat();
    let mut circuit = Circuit::whole_with_facts(&extended, bads, &words, &clauses);
    let (mut solver, mut encoder): (Box<dyn Solver>, _) = (solver(), Encoder::default());
    let facts = std::mem::take(&mut circuit.facts);
    let (now, after) = facts.split_at(invariant.clauses.len());
    for clause in now {
        let literals: Vec<_> =
            clause.iter().map(|signal| encoder.literal(&mut *solver, &circuit.aig, *signal)).collect();
        solver.clause(&literals);
    }
    let bad = circuit.aig.any(circuit.bads.clone());
    let mut excluded = vec![bad];
    for clause in after {
        excluded.push(!circuit.aig.any(clause.clone()));
    }
    for signal in excluded {
        let literal = encoder.literal(&mut *solver, &circuit.aig, signal);
        if watch.solve(&mut *solver, &[literal])? {
            return Ok(false);
        }
        solver.clause(&[!literal]);
    }
    Ok(true)
}

/// The state variables and words, and their values after a step; none if a word does not belong to the system,
/// or depends on a variable of which the steps are not the next values.
fn values(system: &mut System, invariant: &Invariant) -> Option<(Vec<TermId>, Vec<TermId>)> {
    let mut words: Vec<TermId> = system.states.iter().map(|state| state.variable).collect();
    let mut next: Vec<TermId> = system.states.iter().map(|state| state.next).collect();
    let mut used: Vec<u32> = invariant.words.iter().flat_map(crate::invariant::Word::variables).collect();
    used.sort_unstable();
    used.dedup();
    for of in used {
        let expected = system.states.get(of as usize)?.next;
        system.compose(of);
        if system.states[of as usize].next != expected {
            return None;
        }
    }
    let own: Option<Vec<TermId>> = invariant.words.iter().map(|word| word_term(system, word)).collect();
    // Forms of one equality are one term, so that sums need not be compared as circuits.
    let own: Vec<TermId> = own?.into_iter().map(|word| system.terms.canonical(word)).collect();
    let mut after = own.clone();
    for step in system.steps.clone() {
        let replaced = step.updates.iter().map(|(of, value)| (system.states[*of as usize].variable, *value));
        let mut substitution = Substitution::new(replaced);
        for (term, next) in own.iter().zip(&mut after) {
            let value = substitution.term(&mut system.terms, *term);
            let value = system.terms.canonical(value);
            if value != *term {
                *next = system.terms.choose(step.selected, value, *next);
            }
        }
    }
    words.extend(own);
    next.extend(after);
    Some((words, next))
}
