//! Composition: some processes are abstracted, the others keep their data.
//!
//! The data of a process that is not abstracted is *kept*: its own, and the shared data that it uses. Kept
//! data has values, all other data is known by predicates alone. Wide shared data into which an abstracted
//! process computes values, and data that receives wide values from data that is not kept, would need
//! all its values, and is abstracted: statements of every process over it are computed by predicates. A
//! few bits may be kept even so, since their possible values can be enumerated.
//!
//! Predicates over kept and other data are changed by the statements of all processes; each step states
//! their values after it, so that no update is missed.
//!
//! *Entry point:* [`Composition::new`].
//! *Source:* Clarke, Grumberg and Long, "Model Checking and Abstraction", TOPLAS 1994 (products of
//! abstractions of single components); Donaldson, Kaiser, Kroening and Wahl, "Symmetry-Aware Predicate
//! Abstraction for Shared-Variable Concurrent Programs", CAV 2011 (updates of predicates over shared data).
//! *Invariant:* a step gives a kept variable a value that is a function of kept data and of locations,
//! except at most [`MOST_OPEN`] bits of each step.

use std::collections::BTreeSet;

use axle_decide::model::Problem;
use axle_decide::term::{FALSE, Term, TermId, Terms};
use axle_relation::{Action, Part, Relation};
use rustc_hash::FxHashMap;

use crate::expression::{Read, Writer};
use crate::place::{is_control, support};

/// The most bits of kept variables whose values after one step are not determined by kept data.
const MOST_OPEN: u32 = 8;

/// The data of a composition.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Composition {
    /// The processes that are not abstracted, by their numbers.
    pub concrete: Vec<u32>,
    /// The state variables that are kept, by their positions, in ascending order.
    pub kept: Vec<u32>,
    /// Those that such a process uses, but which are abstracted.
    pub abstracted: Vec<u32>,
}

impl Composition {
    /// The composition where the processes with these numbers are not abstracted.
    #[must_use]
    pub fn new(problem: &Problem, relation: &Relation, concrete: &[u32]) -> Composition {
        let concrete = concrete.to_vec();
        if concrete.is_empty() {
            return Composition::default();
        }
        let used = used(problem, relation, &concrete);
        let mut kept: BTreeSet<u32> = used.iter().copied().filter(|of| has_type(problem, *of)).collect();
        while let Some(lost) = lost(problem, relation, &concrete, &kept) {
            lost.iter().for_each(|of| {
                kept.remove(of);
            });
        }
        let abstracted = used.iter().copied().filter(|of| !kept.contains(of)).collect();
        Composition { concrete, kept: kept.into_iter().collect(), abstracted }
    }
}

/// The processes that make the step of a group.
fn movers(relation: &Relation, group: usize) -> Vec<u32> {
    match relation.groups[group].action {
        Action::Release(pid) => vec![pid],
        Action::Step { by, partner, .. } => [by].into_iter().chain(partner).map(|taken| taken.pid).collect(),
    }
}

/// The process that data belongs to; none for shared data.
fn owner(relation: &Relation, of: u32) -> Option<u32> {
    match relation.variables.list()[of as usize].part {
        Part::Local(slot, ..) | Part::Priority(slot) => Some(slot),
        Part::Length(channel) | Part::Message(channel, ..) => {
            relation.variables.channels[channel.0 as usize].owner.map(|(slot, _)| slot)
        }
        _ => None,
    }
}

/// The own data of processes, and the shared data in their steps.
fn used(problem: &Problem, relation: &Relation, concrete: &[u32]) -> BTreeSet<u32> {
    let list = relation.variables.list();
    let is_data = |of: &u32| (*of as usize) < list.len() && !is_control(&list[*of as usize].part);
    let own =
        (0..list.len() as u32).filter(|of| owner(relation, *of).is_some_and(|slot| concrete.contains(&slot)));
    let mut used: BTreeSet<u32> = own.filter(is_data).collect();
    for (group, command) in problem.commands.iter().enumerate().filter(|(_, of)| of.enabled != FALSE) {
        if movers(relation, group).iter().any(|mover| concrete.contains(mover)) {
            let mut roots: Vec<TermId> = command.updates.iter().map(|(_, value)| *value).collect();
            roots.push(command.enabled);
            let mut all = support(problem, &problem.system.terms, &roots);
            all.extend(command.updates.iter().map(|(of, _)| *of));
            used.extend(all.into_iter().filter(|of| is_data(of) && owner(relation, *of).is_none()));
        }
    }
    used
}

/// Whether values of a variable can be written.
fn has_type(problem: &Problem, of: u32) -> bool {
    let ty = problem.system.states[of as usize].ty;
    match ty.signed {
        true => matches!(ty.bits, 16 | 32),
        false => ty.bits < 32,
    }
}

/// Kept variables that cannot be kept; none if all can.
fn lost(problem: &Problem, relation: &Relation, concrete: &[u32], kept: &BTreeSet<u32>) -> Option<Vec<u32>> {
    let terms = &problem.system.terms;
    let states = problem.system.states.iter().enumerate();
    let list = relation.variables.list();
    let is_known = |of: usize| {
        kept.contains(&(of as u32)) || list.get(of).is_some_and(|variable| is_control(&variable.part))
    };
    let reads: FxHashMap<TermId, bool> = states
        .filter(|(index, _)| is_known(*index))
        .map(|(_, state)| (state.variable, state.ty.signed))
        .collect();
    let variable =
        |id: TermId| reads.get(&id).map(|signed| Read { text: "v".to_owned(), is_signed: *signed });
    for (group, command) in problem.commands.iter().enumerate().filter(|(_, of)| of.enabled != FALSE) {
        let is_concrete = movers(relation, group).iter().all(|mover| concrete.contains(mover));
        let (mut open, mut bits) = (Vec::new(), 0);
        for (of, value) in command.updates.iter().filter(|(of, _)| kept.contains(of)) {
            let own = problem.system.states[*of as usize].ty.bits;
            let is_function = Writer::new(terms, &variable).text(*value).is_some();
            let is_wide = u32::from(own) > MOST_OPEN;
            if is_function && (is_concrete || !is_wide || is_copy(terms, *value)) {
                continue;
            }
            // A wide value that an abstracted process computes needs no other bits to be refused.
            bits += if is_function { MOST_OPEN + 1 } else { u32::from(own) };
            open.push(*of);
        }
        if bits > MOST_OPEN {
            return Some(open);
        }
    }
    None
}

/// Whether a value is a number, or that of a variable, by choice.
fn is_copy(terms: &Terms, value: TermId) -> bool {
    match terms.get(value) {
        Term::Const(_) | Term::Variable(_) => true,
        Term::If(_, a, b) => is_copy(terms, a) && is_copy(terms, b),
        _ => false,
    }
}
