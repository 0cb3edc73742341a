//! Claims: monitors that observe the system, and the reduction of their acceptance to bad states.
//!
//! A monitor has a location. At each state outside sequences in which a step is made, or no process can
//! execute a statement, an input selects an edge; if its guard does not hold, the claim accepts nothing
//! from there on. The system itself is unchanged. An execution is accepted if each of a list of signals
//! holds infinitely often: one for each acceptance set, and under weak fairness one for each process, which
//! holds where the process is not enabled or executes.
//!
//! * Loops: an input saves a state outside sequences; a state that equals the saved one, after all
//!   signals have held, is bad. It closes a lasso.
//! * Rounds: the executions in which all signals hold, one after the other and again, a number of times end
//!   in a bad state. If none does, none is accepted.
//!
//! *Entry point:* [`Problem::with_claims`].
//! *Source:* Biere, Artho and Schuppan, "Liveness Checking as Safety Checking", FMICS 2002 (loops);
//! Claessen and Sorensson, "A Liveness Checking Algorithm that Counts", FMCAD 2012 (rounds).
//! *Invariant:* without a reachable bad state of another cause, the claim accepts an execution of the model
//! if and only if a loop is closed. Processes that are enabled by long sequences only count as not enabled,
//! so that a loop may be unfair, and must be confirmed.

use axle_model::{Atomicity, IntType};
use axle_outcome::Claim;
use axle_relation::{Action, ClaimConditions, FALSE as NEVER};

use super::{Builder, bits};
use crate::system::{Bad, Cause, Justice};
use crate::term::{FALSE, TRUE, TermId};

/// A claim of a system.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'c> {
    /// The name of the property.
    pub name: &'c str,
    /// The claim.
    pub claim: &'c Claim,
    /// Its conditions in the relation.
    pub conditions: &'c ClaimConditions,
}

/// How the acceptance of a claim is stated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Acceptance {
    /// By bad states that close a loop.
    Loops,
    /// By bad states after so many rounds of all signals.
    Rounds(u32),
    /// By the signals, for the exchange formats.
    Justice,
}

/// The signals of a monitor.
struct Monitor {
    location: TermId,
    /// Each holds infinitely often on an accepted execution.
    signals: Vec<TermId>,
}

/// An edge of a claim with its conditions.
struct Way {
    from: u32,
    index: u32,
    to: u32,
    marks: u64,
    guard: TermId,
    alarm: TermId,
}

impl Builder<'_> {
    /// Adds claims. `taken`: where a step is made; `repeats`: whether some sequence may be endless.
    pub(super) fn claims(
        &mut self,
        claims: &[Observed<'_>],
        (acceptance, is_fair): (Acceptance, bool),
        (taken, repeats): (TermId, bool),
    ) {
        let outside = self.outside();
        let blocked = self.condition(self.relation.blocked);
        let terms = &mut self.system.terms;
        let stepping = terms.conjunction(outside, taken);
        let moment = terms.disjunction(stepping, blocked);
        let fairness = if is_fair { self.fairness(outside, repeats) } else { Vec::new() };
        for (number, observed) in (0u32..).zip(claims) {
            self.system.claims.push(observed.name.to_owned());
            let Monitor { location, mut signals } = self.monitor(number, observed, (outside, moment));
            if acceptance == Acceptance::Justice {
                self.system.justice.push(Justice { claim: number, signals });
                continue;
            }
            signals.extend(fairness.iter().copied());
            match acceptance {
                Acceptance::Loops => self.loops(number, outside, location, &signals),
                Acceptance::Rounds(rounds) => self.rounds(number, &signals, rounds),
                Acceptance::Justice => {}
            }
        }
        if acceptance == Acceptance::Justice {
            self.system.fairness = fairness;
        }
    }

    /// Where no process is in control of a sequence.
    fn outside(&mut self) -> TermId {
        let Some((control, _)) = self.relation.variables.control() else { return TRUE };
        let inside = self.in_control(self.system.states[control.index()].variable);
        self.system.terms.not(inside)
    }

    /// For each process, where it is not enabled or executes.
    fn fairness(&mut self, outside: TermId, repeats: bool) -> Vec<TermId> {
        let relation = self.relation;
        // A sequence that blocks or repeats has no successor.
        let completes = !repeats && relation.blocked_sequences.iter().all(|(_, blocked)| *blocked == NEVER);
        let mut signals = Vec::new();
        for pid in 0..relation.variables.slots.len() as u32 {
            let mut enabled = Vec::new();
            for group in &relation.groups {
                let Action::Step { by, partner, keep } = group.action else { continue };
                let is_own = by.pid == pid || partner.is_some_and(|partner| partner.pid == pid);
                if is_own && (completes || keep == Atomicity::Release) {
                    enabled.push(self.executable(group));
                }
            }
            let executes = self.movers.iter().filter(|(of, _)| *of == pid).map(|(_, selected)| *selected);
            let executes = executes.collect();
            let terms = &mut self.system.terms;
            let executes = terms.balanced(executes);
            let enabled = terms.balanced(enabled);
            let disabled = terms.not(enabled);
            let disabled = terms.conjunction(outside, disabled);
            signals.push(terms.disjunction(disabled, executes));
        }
        signals.retain(|signal| *signal != TRUE);
        signals
    }

    /// The edges of a claim, those of several initial locations also from a location before them.
    fn ways(&mut self, observed: &Observed<'_>) -> (Vec<Way>, u32) {
        let Observed { claim, conditions, .. } = observed;
        let count = claim.locations.len() as u32;
        let mut ways: Vec<Way> = Vec::new();
        for (number, (from, edge)) in claim.edges().enumerate() {
            let guard = self.condition(conditions.guards[number]);
            let alarm = self.condition(conditions.alarms[number]);
            let index = ways.iter().filter(|way| way.from == from).count() as u32;
            ways.push(Way { from, index, to: edge.to, marks: edge.marks, guard, alarm });
        }
        let [initial] = claim.initial[..] else {
            // The location after all others and the one in which nothing is accepted.
            let first = count + 1;
            let edges = ways.iter().filter(|way| claim.initial.contains(&way.from));
            let edges: Vec<Way> =
                (0u32..).zip(edges).map(|(index, way)| Way { from: first, index, ..*way }).collect();
            ways.extend(edges);
            return (ways, first);
        };
        (ways, initial)
    }

    /// Adds the monitor of a claim with its violations and propositions without a value.
    fn monitor(
        &mut self,
        number: u32,
        observed: &Observed<'_>,
        (outside, moment): (TermId, TermId),
    ) -> Monitor {
        let (ways, initial) = self.ways(observed);
        let count = observed.claim.locations.len() as u32;
        let dead = count;
        let name = observed.name;
        let location_bits = bits(dead.max(initial));
        let ty = IntType { bits: location_bits, signed: false };
        let position = self.system.states.len();
        let location = self.system.state(format!("_claim({name})"), ty, initial.into());
        let most = ways.iter().map(|way| way.index).max().unwrap_or_default();
        let edge_bits = bits(most);
        let edge = self.system.input(format!("_edge({name})"), edge_bits);
        let terms = &mut self.system.terms;
        let mut next = terms.constant(location_bits, dead.into());
        let (mut marked, mut alarms) = (vec![Vec::new(); observed.claim.sets as usize], Vec::new());
        let mut all = Vec::new();
        for way in ways.iter().rev() {
            let from = terms.constant(location_bits, way.from.into());
            let here = terms.equal(location, from);
            let index = terms.constant(edge_bits, way.index.into());
            let chosen = terms.equal(edge, index);
            let enabled = terms.conjunction(here, way.guard);
            let fires = terms.conjunction(enabled, chosen);
            let to = terms.constant(location_bits, way.to.into());
            next = terms.choose(fires, to, next);
            for (set, marked) in marked.iter_mut().enumerate() {
                if way.marks >> set & 1 == 1 {
                    marked.push(fires);
                }
            }
            all.push(fires);
            alarms.push(terms.conjunction(here, way.alarm));
        }
        let next = terms.choose(moment, next, location);
        self.system.states[position].next = next;
        // Without acceptance sets, every infinite execution on which the claim has moves is accepted.
        if marked.is_empty() {
            marked.push(all);
        }
        let terms = &mut self.system.terms;
        let signal = |fires: Vec<TermId>| {
            let any = terms.balanced(fires);
            terms.conjunction(moment, any)
        };
        let signals = marked.into_iter().map(signal).collect();
        let alarm = self.system.terms.balanced(alarms);
        let alarm = self.system.terms.conjunction(outside, alarm);
        self.claim_bad(Cause::Alarm { claim: number }, alarm);
        self.propositions(number, observed, (outside, location, location_bits), initial);
        Monitor { location, signals }
    }

    /// Adds the propositions without a value as bad states.
    fn propositions(
        &mut self,
        number: u32,
        observed: &Observed<'_>,
        (outside, location, location_bits): (TermId, TermId, u8),
        initial: u32,
    ) {
        for fault in &observed.conditions.faults {
            let condition = self.condition(fault.condition);
            let terms = &mut self.system.terms;
            let from = terms.constant(location_bits, fault.location.into());
            let mut here = terms.equal(location, from);
            if observed.claim.initial.contains(&fault.location) {
                let first = terms.constant(location_bits, initial.into());
                let first = terms.equal(location, first);
                here = terms.disjunction(here, first);
            }
            let here = terms.conjunction(here, outside);
            let condition = terms.conjunction(here, condition);
            let (atom, kind) = (fault.atom, fault.kind);
            self.claim_bad(Cause::Proposition { claim: number, atom, kind }, condition);
        }
    }

    fn claim_bad(&mut self, cause: Cause, condition: TermId) {
        if condition != FALSE {
            self.bad(cause, condition);
        }
    }

    /// Adds the states that close a loop.
    fn loops(&mut self, number: u32, outside: TermId, location: TermId, signals: &[TermId]) {
        let save = self.system.input(format!("_save({number})"), 1);
        let copied: Vec<(TermId, IntType, String)> = (self.system.states.iter())
            .take(self.relation.variables.list().len())
            .chain(self.system.states.iter().filter(|state| state.variable == location))
            .map(|state| (state.variable, state.ty, state.name.clone()))
            .collect();
        let position = self.system.states.len();
        let saved = self.system.state(format!("_saved({number})"), IntType::BIT, 0);
        let terms = &mut self.system.terms;
        let not_yet = terms.not(saved);
        let now = terms.conjunction(save, not_yet);
        let now = terms.conjunction(now, outside);
        let active = terms.disjunction(saved, now);
        self.system.states[position].next = active;
        self.saved.push(position as u32);
        let first = self.system.states.len();
        for (index, signal) in signals.iter().enumerate() {
            let flag = self.system.state(format!("_seen({number}.{index})"), IntType::BIT, 0);
            let terms = &mut self.system.terms;
            let held = terms.disjunction(flag, *signal);
            self.system.states[first + index].next = terms.conjunction(active, held);
        }
        let terms = &mut self.system.terms;
        let mut closed = terms.conjunction(saved, outside);
        for flag in &self.system.states[first..] {
            closed = terms.conjunction(closed, flag.variable);
        }
        for (variable, ty, name) in copied {
            let position = self.system.states.len();
            let copy = self.system.state(format!("_copy({number}.{name})"), ty, 0);
            let terms = &mut self.system.terms;
            self.system.states[position].next = terms.choose(now, variable, copy);
            let equal = terms.equal(variable, copy);
            closed = terms.conjunction(closed, equal);
        }
        self.claim_bad(Cause::Cycle { claim: number }, closed);
    }

    /// Adds the states after so many rounds.
    fn rounds(&mut self, number: u32, signals: &[TermId], rounds: u32) {
        let first = self.system.states.len();
        // A round is complete if each signal has held in it or holds now.
        let count_bits = bits(rounds);
        let mut complete = TRUE;
        for (index, signal) in signals.iter().enumerate() {
            let flag = self.system.state(format!("_seen({number}.{index})"), IntType::BIT, 0);
            let terms = &mut self.system.terms;
            let held = terms.disjunction(flag, *signal);
            complete = terms.conjunction(complete, held);
        }
        let terms = &mut self.system.terms;
        let incomplete = terms.not(complete);
        for (state, signal) in self.system.states[first..].iter_mut().zip(signals) {
            let held = terms.disjunction(state.variable, *signal);
            state.next = terms.conjunction(incomplete, held);
        }
        let position = self.system.states.len();
        let ty = IntType { bits: count_bits, signed: false };
        let count = self.system.state(format!("_rounds({number})"), ty, 0);
        let terms = &mut self.system.terms;
        let one = terms.constant(count_bits, 1);
        let more = terms.sum(count, one);
        let most = terms.constant(count_bits, rounds.into());
        let is_last = terms.equal(count, most);
        let not_last = terms.not(is_last);
        let counts = terms.conjunction(complete, not_last);
        self.system.states[position].next = terms.choose(counts, more, count);
        self.claim_bad(Cause::Cycle { claim: number }, is_last);
    }
}

impl Bad {
    /// Whether the bad state belongs to a claim.
    #[must_use]
    pub fn is_of_claim(&self) -> bool {
        matches!(self.cause, Cause::Alarm { .. } | Cause::Cycle { .. } | Cause::Proposition { .. })
    }
}
