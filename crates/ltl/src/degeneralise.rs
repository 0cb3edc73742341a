//! From several acceptance sets to one, by counting through them.
//!
//! The flag construction (Choueka 1974; on transitions with jumps over several levels: Gastin and
//! Oddoux, CAV 2001, section 5): a copy of the automaton for each level, level `i` waits for a mark
//! of set `i`; passing the last level is accepting.
//!
//! *Entry point:* [`degeneralise`].
//! *Invariant:* a run of the result passes the last level again and again just where the run below
//! it meets every set again and again.

use crate::automaton::{Automaton, Transition};
use crate::scc::components;
use crate::simplify::prune;
use rustc_hash::FxHashMap;

/// A Büchi automaton with one acceptance set, on transitions, for the same language.
pub fn degeneralise(automaton: &Automaton) -> Automaton {
    let last = automaton.sets;
    if last == 0 {
        let mut all = automaton.clone();
        all.sets = 1;
        all.states.iter_mut().flatten().for_each(|t| t.marks = 1);
        return all;
    }
    if last == 1 {
        return automaton.clone();
    }
    let scc = components(automaton);
    let mut ids: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let mut order = vec![(automaton.initial, 0)];
    ids.insert(order[0], 0);
    let mut states = Vec::new();
    while let Some(&(state, level)) = order.get(states.len()) {
        let mut out = Vec::new();
        for t in &automaton.states[state as usize] {
            // A new component starts counting anew: what was met before it does not matter.
            let inner = scc.inner(state, t.to);
            let mut next = if inner { level } else { 0 };
            while inner && next < last && t.marks & (1 << next) != 0 {
                next += 1;
            }
            let passed = next == last;
            let target = (t.to, if passed { 0 } else { next });
            let fresh = order.len() as u32;
            let to = *ids.entry(target).or_insert_with(|| {
                order.push(target);
                fresh
            });
            out.push(Transition { label: t.label, to, marks: u64::from(passed) });
        }
        states.push(out);
    }
    prune(Automaton { initial: 0, states, sets: 1 })
}

/// A Büchi automaton with acceptance on states, as a never claim writes it: the transitions of the
/// result carry the mark of the state that they leave.
pub fn state_based(automaton: &Automaton) -> Automaton {
    let one = degeneralise(automaton);
    let scc = components(&one);
    let mut ids: FxHashMap<(u32, bool), u32> = FxHashMap::default();
    let mut order = vec![(one.initial, false)];
    ids.insert(order[0], 0);
    let mut states = Vec::new();
    while let Some(&(state, accepting)) = order.get(states.len()) {
        // Where every transition that stays in the component is marked, so may be the state itself:
        // then one copy of the state is enough.
        let mut out = Vec::new();
        for t in &one.states[state as usize] {
            let target =
                (t.to, always_marked(&one, &scc, t.to) || (t.marks & 1 != 0 && scc.inner(state, t.to)));
            let fresh = order.len() as u32;
            let to = *ids.entry(target).or_insert_with(|| {
                order.push(target);
                fresh
            });
            out.push(Transition { label: t.label, to, marks: u64::from(accepting) });
        }
        states.push(out);
    }
    if always_marked(&one, &scc, one.initial) && !states.is_empty() {
        states[0].iter_mut().for_each(|t| t.marks = 1);
    }
    let mut pruned = prune(Automaton { initial: 0, states, sets: 1 });
    merge_equal(&mut pruned);
    prune(pruned)
}

fn always_marked(automaton: &Automaton, scc: &crate::scc::Components, state: u32) -> bool {
    let inner = |t: &&Transition| scc.inner(state, t.to);
    let mut all = automaton.states[state as usize].iter().filter(inner).peekable();
    all.peek().is_some() && all.all(|t| t.marks & 1 != 0)
}

/// Merges states with equal transitions until there are none.
fn merge_equal(automaton: &mut Automaton) {
    loop {
        let mut first: FxHashMap<Vec<Transition>, u32> = FxHashMap::default();
        let alias: Vec<u32> = (automaton.states.iter().enumerate())
            .map(|(s, out)| *first.entry(out.clone()).or_insert(s as u32))
            .collect();
        if alias.iter().enumerate().all(|(s, &a)| s as u32 == a) {
            return;
        }
        for out in &mut automaton.states {
            out.iter_mut().for_each(|t| t.to = alias[t.to as usize]);
            out.sort();
            out.dedup();
        }
        automaton.initial = alias[automaton.initial as usize];
        *automaton = prune(std::mem::replace(automaton, Automaton::empty()));
    }
}
