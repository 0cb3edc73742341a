//! Makes an automaton smaller without changing its language.
//!
//! It repeats, until nothing changes: drop what cannot be reached or cannot be part of an accepting
//! run; drop acceptance sets that another implies; merge states that simulate each other and drop
//! transitions that a better one makes useless (direct simulation with acceptance on transitions:
//! Etessami and Holzmann, CONCUR 2000, section 4; Babiak, Badie, Duret-Lutz, Křetínský and
//! Strejček, SPIN 2013, section 3); the same backwards.
//!
//! *Entry point:* [`simplify`].
//!
//! *Invariant:* each pass keeps the language. Marks on transitions between components never matter,
//! since a run takes only finitely many of them; the comparison uses that in both directions.

use crate::automaton::{Automaton, Transition};
use crate::effort::Effort;
use crate::scc::components;
use crate::translate::TooLarge;

/// Work on one comparison of all states: where it takes more, they are not compared.
const MOST_WORK: u64 = 500_000_000;

/// A smaller automaton for the same language.
pub fn simplify(automaton: Automaton) -> Automaton {
    let plain = automaton.clone();
    simplify_within(automaton, &mut Effort::of(Effort::NEEDED)).unwrap_or(plain)
}

/// The same within an effort.
pub fn simplify_within(automaton: Automaton, effort: &mut Effort<'_>) -> Result<Automaton, TooLarge> {
    let size = |a: &Automaton| (a.states.len(), a.transitions(), a.sets);
    let mut best = drop_sets(normalise_marks(prune(automaton), Between::NoMarks));
    loop {
        let before = size(&best);
        for between in [Between::NoMarks, Between::AllMarks] {
            best = prune(forward(normalise_marks(best, between), effort)?);
            best = prune(backward(normalise_marks(best, between), effort)?);
        }
        best = drop_sets(normalise_marks(best, Between::NoMarks));
        if size(&best) >= before {
            return Ok(best);
        }
    }
}

/// Keeps the states that can be reached and from which an accepting run is possible, renumbered in
/// the order in which a breadth-first walk meets them.
pub fn prune(automaton: Automaton) -> Automaton {
    let scc = components(&automaton);
    let all = automaton.all_marks();
    let count = scc.cyclic.len();
    // Components come in reverse topological order, so what a state leads to is settled before it.
    let mut useful: Vec<bool> = (0..count as u32).map(|c| scc.accepting(c, all)).collect();
    let mut by_component: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (s, &c) in scc.of.iter().enumerate().filter(|(_, c)| **c != u32::MAX) {
        by_component[c as usize].push(s);
    }
    for c in 0..count {
        let leads = by_component[c].iter().flat_map(|&s| &automaton.states[s]);
        useful[c] |= leads.into_iter().any(|t| useful[scc.of[t.to as usize] as usize]);
    }
    if !useful[scc.of[automaton.initial as usize] as usize] {
        return Automaton::empty();
    }
    let mut number = vec![u32::MAX; automaton.states.len()];
    let mut order = vec![automaton.initial];
    number[automaton.initial as usize] = 0;
    let mut states = Vec::new();
    let mut at = 0;
    while let Some(&old) = order.get(at) {
        at += 1;
        let mut out = Vec::new();
        for t in &automaton.states[old as usize] {
            if !useful[scc.of[t.to as usize] as usize] {
                continue;
            }
            if number[t.to as usize] == u32::MAX {
                number[t.to as usize] = order.len() as u32;
                order.push(t.to);
            }
            out.push(Transition { to: number[t.to as usize], ..*t });
        }
        out.sort();
        out.dedup();
        states.push(out);
    }
    Automaton { initial: 0, states, sets: automaton.sets }
}

/// What transitions between components carry: a run takes only finitely many of them, so either
/// will do. It has to be the same for all of them while states are compared, since merging states
/// can make new cycles.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    NoMarks,
    AllMarks,
}

/// Gives transitions on which marks cannot matter the same marks: between components as asked,
/// inside components in which no run is accepting none.
fn normalise_marks(mut automaton: Automaton, between: Between) -> Automaton {
    let scc = components(&automaton);
    let all = automaton.all_marks();
    for from in 0..automaton.states.len() as u32 {
        for t in &mut automaton.states[from as usize] {
            if !scc.inner(from, t.to) {
                t.marks = if between == Between::AllMarks { all } else { 0 };
            } else if !scc.accepting(scc.of[from as usize], all) {
                t.marks = 0;
            }
        }
    }
    automaton
}

/// Drops acceptance sets that follow from another in every accepting component, or that every cycle
/// there meets. Rejecting components carry no marks by now, so they stay rejecting as long as a set
/// is left.
fn drop_sets(mut automaton: Automaton) -> Automaton {
    let scc = components(&automaton);
    let all = automaton.all_marks();
    let accepting: Vec<bool> = (0..scc.cyclic.len() as u32).map(|c| scc.accepting(c, all)).collect();
    let rejecting_cycle = (0..accepting.len()).any(|c| scc.cyclic[c] && !accepting[c]);
    let inner = |automaton: &Automaton, good: &dyn Fn(u64) -> bool| {
        automaton.states.iter().enumerate().all(|(from, out)| {
            let live = accepting[scc.of[from] as usize];
            out.iter().all(|t| !live || !scc.inner(from as u32, t.to) || good(t.marks))
        })
    };
    let mut set = 0;
    while set < automaton.sets {
        let bit = 1u64 << set;
        let follows =
            |other: u32| other != set && inner(&automaton, &|m| m & (1 << other) == 0 || m & bit != 0);
        let always = inner(&automaton, &|m| m & bit != 0) && (automaton.sets > 1 || !rejecting_cycle);
        if always || (0..automaton.sets).any(follows) {
            let low = bit - 1;
            for t in automaton.states.iter_mut().flatten() {
                t.marks = (t.marks & low) | ((t.marks >> 1) & !low);
            }
            automaton.sets -= 1;
        } else {
            set += 1;
        }
    }
    automaton
}

/// A relation over states: `holds[s * n + t]`.
struct Relation {
    n: usize,
    holds: Vec<bool>,
}

impl Relation {
    fn new(n: usize, initially: impl Fn(usize, usize) -> bool) -> Relation {
        Relation { n, holds: (0..n * n).map(|i| initially(i / n, i % n)).collect() }
    }

    fn get(&self, s: u32, t: u32) -> bool {
        self.holds[s as usize * self.n + t as usize]
    }

    /// Takes out pairs for which `keep` fails until it fails for none. `cost` is the work of one
    /// question. The answer is whether the work sufficed: before, too many pairs are left.
    fn refine(
        &mut self,
        effort: &mut Effort<'_>,
        cost: impl Fn(usize, usize) -> usize,
        keep: impl Fn(&Relation, usize, usize) -> bool,
    ) -> Result<bool, TooLarge> {
        match effort.part(MOST_WORK, |effort| self.refine_within(effort, cost, keep)) {
            Ok(()) => Ok(true),
            Err(TooLarge::Work) => Ok(false),
            Err(fault) => Err(fault),
        }
    }

    fn refine_within(
        &mut self,
        effort: &mut Effort<'_>,
        cost: impl Fn(usize, usize) -> usize,
        keep: impl Fn(&Relation, usize, usize) -> bool,
    ) -> Result<(), TooLarge> {
        let mut changed = true;
        while changed {
            changed = false;
            for s in 0..self.n {
                for t in 0..self.n {
                    if s == t || !self.holds[s * self.n + t] {
                        continue;
                    }
                    effort.spend(cost(s, t), 1)?;
                    if !keep(self, s, t) {
                        self.holds[s * self.n + t] = false;
                        changed = true;
                    }
                }
            }
        }
        Ok(())
    }

    /// For each state, the first state that it is equivalent to.
    fn representatives(&self) -> Vec<u32> {
        let n = self.n as u32;
        (0..n).map(|s| (0..s).find(|&t| self.get(s, t) && self.get(t, s)).unwrap_or(s)).collect()
    }
}

/// Above so many states the relations (quadratic in space) are not worth their cost.
const MOST_COMPARED: usize = 1_500;

/// Merges states that simulate each other and drops transitions beside a better one.
fn forward(mut automaton: Automaton, effort: &mut Effort<'_>) -> Result<Automaton, TooLarge> {
    let n = automaton.states.len();
    if n > MOST_COMPARED {
        return Ok(automaton);
    }
    let mut simulated = Relation::new(n, |_, _| true);
    let cost = |s: usize, t: usize| automaton.states[s].len().saturating_mul(automaton.states[t].len());
    let is_complete = simulated.refine(effort, cost, |relation, s, t| {
        automaton.states[s].iter().all(|x| automaton.states[t].iter().any(|y| better(x, y, relation)))
    })?;
    if !is_complete {
        return Ok(automaton);
    }
    let first = simulated.representatives();
    for out in &mut automaton.states {
        let all = std::mem::take(out);
        let beaten = |i: usize| {
            all.iter().enumerate().any(|(j, y)| {
                let x = &all[i];
                i != j && better(x, y, &simulated) && (!better(y, x, &simulated) || j < i)
            })
        };
        *out = (0..all.len()).filter(|&i| !beaten(i)).map(|i| all[i]).collect();
        out.iter_mut().for_each(|t| t.to = first[t.to as usize]);
    }
    automaton.initial = first[automaton.initial as usize];
    Ok(automaton)
}

/// Whether `y` can stand in for `x`.
fn better(x: &Transition, y: &Transition, simulated: &Relation) -> bool {
    x.label.implies(y.label) && x.marks & !y.marks == 0 && simulated.get(x.to, y.to)
}

/// Merges states that can be reached in the same ways (reverse simulation).
fn backward(mut automaton: Automaton, effort: &mut Effort<'_>) -> Result<Automaton, TooLarge> {
    let n = automaton.states.len();
    if n > MOST_COMPARED {
        return Ok(automaton);
    }
    let mut into: Vec<Vec<(u32, Transition)>> = vec![Vec::new(); n];
    for (from, out) in automaton.states.iter().enumerate() {
        out.iter().for_each(|t| into[t.to as usize].push((from as u32, *t)));
    }
    let initial = automaton.initial as usize;
    let mut covered = Relation::new(n, |s, t| s != initial || t == initial);
    let cost = |s: usize, t: usize| into[s].len().saturating_mul(into[t].len());
    let is_complete = covered.refine(effort, cost, |relation, s, t| {
        into[s].iter().all(|(p, x)| {
            into[t]
                .iter()
                .any(|(q, y)| x.label.implies(y.label) && x.marks & !y.marks == 0 && relation.get(*p, *q))
        })
    })?;
    if !is_complete {
        return Ok(automaton);
    }
    let first = covered.representatives();
    if first.iter().enumerate().all(|(s, &f)| s as u32 == f) {
        return Ok(automaton);
    }
    for s in 0..n {
        let to = first[s] as usize;
        let mut out = std::mem::take(&mut automaton.states[s]);
        out.iter_mut().for_each(|t| t.to = first[t.to as usize]);
        automaton.states[to].extend(out);
    }
    for out in &mut automaton.states {
        out.sort();
        out.dedup();
    }
    automaton.initial = first[initial];
    Ok(automaton)
}
