//! Explicit search over the groups of a relation: the shortest execution to each cause of a bad state.

use std::collections::HashMap;

use axle_decide::system::Cause;
use axle_outcome::FaultKind;
use axle_relation::{Evaluation, Relation};

/// What an explicit search found.
#[derive(Debug, Default)]
pub struct Explicit {
    /// The least number of steps to each cause; the edges of blocked and endless sequences are left
    /// out, as in the system.
    pub depths: HashMap<Cause, usize>,
    /// All states within this number of steps were visited.
    pub complete: usize,
    /// Whether there are no others.
    pub is_whole: bool,
    /// The states, by their number of steps.
    pub states: Vec<(Vec<i64>, usize)>,
}

/// Explores at most `most` states.
pub fn explore(relation: &Relation, most: usize) -> Explicit {
    let mut found = Explicit { complete: usize::MAX, is_whole: true, ..Explicit::default() };
    let mut known: HashMap<Vec<i64>, usize> = HashMap::new();
    let mut edges: Vec<Vec<usize>> = Vec::new();
    let mut evaluation = Evaluation::default();
    known.insert(relation.initial.clone(), 0);
    found.states.push((relation.initial.clone(), 0));
    for fault in &relation.initial_faults {
        found.report(Cause::Fault { kind: fault.kind, pid: fault.pid, edge: fault.edge }, 0);
    }
    let mut at = 0;
    while at < found.states.len() {
        let (state, depth) = found.states[at].clone();
        if at >= most {
            // Faults of this level are incomplete.
            found.complete = depth.saturating_sub(1);
            found.is_whole = false;
            break;
        }
        at += 1;
        evaluation.begin(&relation.terms);
        for fault in relation.faults.iter().chain(&relation.ends) {
            if evaluation.holds(&relation.terms, &state, fault.condition) {
                found.report(Cause::Fault { kind: fault.kind, pid: fault.pid, edge: fault.edge }, depth);
            }
        }
        for (pid, blocked) in &relation.blocked_sequences {
            if evaluation.holds(&relation.terms, &state, *blocked) {
                let kind = FaultKind::DeterministicBlocks;
                found.report(Cause::Fault { kind, pid: *pid, edge: None }, depth);
            }
        }
        let mut own = Vec::new();
        for group in &relation.groups {
            if !evaluation.holds(&relation.terms, &state, group.enabled) {
                continue;
            }
            if evaluation.holds(&relation.terms, &state, group.beyond) {
                found.report(Cause::Beyond, depth);
                continue;
            }
            for fault in &group.faults {
                if evaluation.holds(&relation.terms, &state, fault.condition) {
                    let cause = Cause::Fault { kind: fault.kind, pid: fault.pid, edge: fault.edge };
                    found.report(cause, depth);
                }
            }
            let mut next = state.clone();
            for (variable, value) in &group.updates {
                next[variable.index()] = evaluation.value(&relation.terms, &state, *value);
            }
            let number = *known.entry(next.clone()).or_insert_with(|| {
                found.states.push((next, depth + 1));
                found.states.len() - 1
            });
            own.push(number);
        }
        edges.push(own);
    }
    found.endless(relation, &edges);
    found
}

impl Explicit {
    fn report(&mut self, cause: Cause, depth: usize) {
        let known = self.depths.entry(cause).or_insert(depth);
        *known = depth.min(*known);
    }

    /// The shortest executions in which a state is repeated inside a sequence.
    fn endless(&mut self, relation: &Relation, edges: &[Vec<usize>]) {
        let Some((control, _)) = relation.variables.control() else { return };
        let inside = |at: usize| self.states[at].0[control.index()] != 0 && at < edges.len();
        let mut best: Option<usize> = None;
        for start in (0..edges.len()).filter(|at| inside(*at)) {
            // A search for the start within the sequence.
            let mut distance: HashMap<usize, usize> = HashMap::new();
            let mut queue = std::collections::VecDeque::from([(start, 0)]);
            while let Some((at, steps)) = queue.pop_front() {
                for next in edges[at].iter().copied().filter(|next| inside(*next)) {
                    if let std::collections::hash_map::Entry::Vacant(entry) = distance.entry(next) {
                        entry.insert(steps + 1);
                        queue.push_back((next, steps + 1));
                    }
                }
            }
            if let Some(cycle) = distance.get(&start) {
                let whole = self.states[start].1 + cycle;
                best = Some(best.map_or(whole, |best| best.min(whole)));
            }
        }
        if let Some(depth) = best {
            self.report(Cause::Fault { kind: FaultKind::EndlessSequence, pid: 0, edge: None }, depth);
        }
    }
}
