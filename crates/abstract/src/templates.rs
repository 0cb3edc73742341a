//! Templates: processes of one type differ by their numbers, so that a predicate about one of them is one
//! about each, and a step of one is abstracted as that of the others.
//!
//! *Entry points:* [`Templates::images`] for predicates, [`Templates::renamed`] for steps.
//! *Source:* Donaldson, Kaiser, Kroening and Wahl, "Symmetry-Aware Predicate Abstraction for Shared-Variable
//! Concurrent Programs", CAV 2011.
//! *Invariant:* renamed terms are equivalent in the renamed state, and the states that are possible are
//! renamed to such states. Steps need not be the same: their terms are compared.

use std::collections::{BTreeMap, BTreeSet};

use axle_decide::model::Problem;
use axle_decide::substitute::Substitution;
use axle_decide::term::{TermId, Terms};
use axle_relation::Relation;

use crate::place::support;

/// The most images of a predicate.
const MOST_IMAGES: usize = 30;

/// The processes of each type.
#[derive(Debug, Default)]
pub(crate) struct Templates {
    /// For each type with several processes, the variables of each process, in the same order.
    instances: Vec<Vec<Vec<u32>>>,
    /// For each variable of such a process, the type, the process and its position.
    of: BTreeMap<u32, (usize, usize, usize)>,
    /// For each type, whether each process can take the place of the first one in all facts.
    alike: Vec<Vec<bool>>,
}

impl Templates {
    /// The processes of a relation that have one type only. Some variables are fixed to their initial values.
    pub fn new(problem: &Problem, relation: &Relation, is_fixed: &dyn Fn(u32) -> bool) -> Templates {
        let mut by_type: BTreeMap<_, Vec<Vec<u32>>> = BTreeMap::new();
        for (slot, types) in relation.variables.slots.iter().enumerate() {
            if let [only] = types[..] {
                let own = relation.variables.of_process(slot as u32, only);
                by_type.entry(only).or_default().push(own.map(|of| of.0).collect());
            }
        }
        let ty = |of: u32| problem.system.states[of as usize].ty;
        let is_aligned = |one: &[u32], other: &[u32]| {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| ty(*a) == ty(*b))
        };
        let mut templates = Templates::default();
        for instances in by_type.into_values() {
            if instances.len() < 2 || !instances.iter().all(|one| is_aligned(one, &instances[0])) {
                continue;
            }
            let number = templates.instances.len();
            for (instance, own) in instances.iter().enumerate() {
                templates.of.extend(own.iter().enumerate().map(|(at, of)| (*of, (number, instance, at))));
            }
            let alike = instances.iter().map(|own| is_alike(problem, &instances[0], own, is_fixed)).collect();
            templates.instances.push(instances);
            templates.alike.push(alike);
        }
        templates
    }

    /// The processes that variables belong to.
    fn processes(&self, variables: &[u32]) -> BTreeSet<(usize, usize)> {
        variables.iter().filter_map(|of| self.of.get(of)).map(|(ty, process, _)| (*ty, *process)).collect()
    }

    /// A term with processes in the places of others.
    fn moved(
        &self,
        problem: &Problem,
        terms: &mut Terms,
        root: TermId,
        targets: &BTreeMap<(usize, usize), usize>,
    ) -> TermId {
        let variable = |of: u32| problem.system.states[of as usize].variable;
        let replaced = support(problem, terms, &[root]).into_iter().filter_map(|of| {
            let (ty, process, at) = self.of.get(&of)?;
            let target = targets.get(&(*ty, *process))?;
            Some((variable(of), variable(self.instances[*ty][*target][*at])))
        });
        let replaced: Vec<(TermId, TermId)> = replaced.collect();
        Substitution::new(replaced).term(terms, root)
    }

    /// A predicate for all other choices of the processes that it is about; none if they are too many.
    pub fn images(&self, problem: &Problem, terms: &mut Terms, predicate: TermId) -> Vec<TermId> {
        let used: Vec<(usize, usize)> =
            self.processes(&support(problem, terms, &[predicate])).into_iter().collect();
        let mut all: Vec<BTreeMap<(usize, usize), usize>> = vec![BTreeMap::new()];
        for process in &used {
            let mut next = Vec::new();
            for targets in &all {
                for target in 0..self.instances[process.0].len() {
                    // Different processes remain different.
                    if targets.iter().all(|((ty, _), known)| *ty != process.0 || *known != target) {
                        let mut with = targets.clone();
                        with.insert(*process, target);
                        next.push(with);
                    }
                }
            }
            if next.len() > MOST_IMAGES {
                return Vec::new();
            }
            all = next;
        }
        let mut found = Vec::new();
        for targets in all {
            let image = self.moved(problem, terms, predicate, &targets);
            let image = terms.canonical(image);
            if image != predicate && !found.contains(&image) {
                found.push(image);
            }
        }
        found
    }

    /// Terms with the processes that they are about in the places of the first ones of their types; none
    /// where facts distinguish these processes.
    pub fn renamed(&self, problem: &Problem, terms: &mut Terms, roots: &[TermId]) -> Option<Vec<TermId>> {
        let used = self.processes(&support(problem, terms, roots));
        let mut next: BTreeMap<usize, usize> = BTreeMap::new();
        let mut targets = BTreeMap::new();
        for (ty, process) in used {
            let target = next.entry(ty).or_default();
            if process != *target && !(self.alike[ty][process] && self.alike[ty][*target]) {
                return None;
            }
            targets.insert((ty, process), *target);
            *target += 1;
        }
        Some(roots.iter().map(|root| self.moved(problem, terms, *root, &targets)).collect())
    }
}

/// Whether facts, initial values and what is fixed are the same after two processes have changed places.
fn is_alike(problem: &Problem, one: &[u32], other: &[u32], is_fixed: &dyn Fn(u32) -> bool) -> bool {
    let states = &problem.system.states;
    let mut exchanged: BTreeMap<u32, u32> = BTreeMap::new();
    for (a, b) in one.iter().zip(other) {
        if states[*a as usize].initial != states[*b as usize].initial || is_fixed(*a) != is_fixed(*b) {
            return false;
        }
        exchanged.extend([(*a, *b), (*b, *a)]);
    }
    let key = |is_exchanged: bool| -> BTreeSet<Vec<(u32, u8, bool)>> {
        let of = |of: u32| if is_exchanged { *exchanged.get(&of).unwrap_or(&of) } else { of };
        let clause = |clause: &axle_decide::invariant::Clause| {
            let mut literals: Vec<(u32, u8, bool)> =
                clause.iter().map(|literal| (of(literal.bit.of), literal.bit.bit, literal.value)).collect();
            literals.sort_unstable();
            literals
        };
        problem.facts.iter().map(clause).collect()
    };
    key(false) == key(true)
}
