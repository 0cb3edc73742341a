//! Transition systems as circuits: latches with initial values and next signals, inputs, and bad
//! signals.
//!
//! A circuit for some causes contains only the latches that influence them. Latches that keep their
//! initial value whatever the inputs are (by ternary simulation) are constants.
//!
//! *Entry points:* [`Circuit::new`], [`Circuit::trace`].
//! *Source:* Seger and Bryant, "Formal Verification by Symbolic Evaluation of Partially-Ordered
//! Trajectories", 1995 (ternary simulation).
//! *Invariant:* a bad signal depends on latches only. A trace of the circuit is one of the system.

use crate::aig::{Aig, HIGH, LOW, Node, Signal};
use crate::blast::Blaster;
use crate::invariant::{Clause, Literal};
use crate::safe_depth::SafeDepth;
use crate::system::System;
use crate::term::TermId;

/// A bit of a state variable or input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bit {
    /// The position of the state variable or input in its list.
    pub of: u32,
    /// The position of the bit.
    pub bit: u8,
}

/// A latch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Latch {
    /// The bit that it stores.
    pub bit: Bit,
    /// Its value, an input of the graph.
    pub signal: Signal,
    /// The initial value.
    pub initial: bool,
    /// The value after a step.
    pub next: Signal,
}

/// A circuit.
#[derive(Clone, Debug, Default)]
pub struct Circuit {
    /// The graph.
    pub aig: Aig,
    /// The inputs.
    pub inputs: Vec<(Bit, Signal)>,
    /// The latches.
    pub latches: Vec<Latch>,
    /// For each bad condition of the system, its signal; low for those that were not asked for.
    pub bads: Vec<Signal>,
    /// The signals of each justice condition of the system, over latches and inputs.
    pub justice: Vec<Vec<Signal>>,
    /// Those that hold infinitely often on fair executions.
    pub fairness: Vec<Signal>,
    /// Clauses that hold in all reachable states.
    pub facts: Vec<Vec<Signal>>,
    /// The depth within which no bad state is reached, shared by the engines on a problem.
    pub safe: SafeDepth,
    /// The bits that always have their initial value.
    pub constants: Vec<(Bit, bool)>,
    /// The number of inputs of the system.
    words: usize,
}

/// The inputs of an execution that leads to a bad state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// For each step, the value of each input of the system.
    pub inputs: Vec<Vec<u64>>,
    /// The position of the bad condition.
    pub bad: usize,
}

/// A bit of a number.
fn bit(value: u128, at: usize) -> bool {
    value >> at & 1 == 1
}

impl Circuit {
    /// The circuit of a system for the bad conditions at these positions.
    #[must_use]
    pub fn new(system: &System, bads: &[usize]) -> Circuit {
        let whole = Circuit::whole(system, bads);
        whole.reduced()
    }

    /// The same with inductive facts: clauses over the bits of terms. Those that depend on other latches
    /// are left out.
    #[must_use]
    pub fn with_facts(system: &System, bads: &[usize], words: &[TermId], facts: &[Clause]) -> Circuit {
        Circuit::whole_with_facts(system, bads, words, facts).reduced()
    }

    /// The circuit of a system with all latches, and clauses over the bits of terms.
    #[must_use]
    pub fn whole_with_facts(system: &System, bads: &[usize], words: &[TermId], facts: &[Clause]) -> Circuit {
        let (mut whole, mut blaster) = Circuit::blasted(system, bads);
        let words: Vec<_> =
            words.iter().map(|word| blaster.word(&mut whole.aig, &system.terms, *word)).collect();
        let literal = |literal: &Literal| {
            words[literal.bit.of as usize][usize::from(literal.bit.bit)].inverted_if(!literal.value)
        };
        whole.facts = facts.iter().map(|fact| fact.iter().map(literal).collect()).collect();
        whole
    }

    /// The circuit of a system with all latches.
    #[must_use]
    pub fn whole(system: &System, bads: &[usize]) -> Circuit {
        Circuit::blasted(system, bads).0
    }

    fn blasted(system: &System, bads: &[usize]) -> (Circuit, Blaster) {
        let mut circuit = Circuit { words: system.inputs.len(), ..Circuit::default() };
        let mut blaster = Blaster::default();
        let mut signals = Vec::new();
        for state in &system.states {
            let word: Vec<_> = (0..state.ty.bits).map(|_| circuit.aig.input()).collect();
            blaster.bind(state.variable, word.clone());
            signals.push(word);
        }
        for (index, input) in system.inputs.iter().enumerate() {
            let width = system.terms.width(input.variable);
            let word: Vec<_> = (0..width).map(|_| circuit.aig.input()).collect();
            let bits = word.iter().enumerate();
            circuit
                .inputs
                .extend(bits.map(|(bit, signal)| (Bit { of: index as u32, bit: bit as u8 }, *signal)));
            blaster.bind(input.variable, word);
        }
        for (index, state) in system.states.iter().enumerate() {
            let next = blaster.word(&mut circuit.aig, &system.terms, state.next);
            for (at, (signal, next)) in signals[index].iter().zip(next).enumerate() {
                let initial = bit(state.initial as u128, at);
                let bit = Bit { of: index as u32, bit: at as u8 };
                circuit.latches.push(Latch { bit, signal: *signal, initial, next });
            }
        }
        circuit.bads = vec![LOW; system.bads.len()];
        for at in bads {
            circuit.bads[*at] = blaster.word(&mut circuit.aig, &system.terms, system.bads[*at].condition)[0];
        }
        let Circuit { aig, justice, fairness, .. } = &mut circuit;
        let mut condition = |condition: &TermId| blaster.word(aig, &system.terms, *condition)[0];
        justice.extend(system.justice.iter().map(|of| of.signals.iter().map(&mut condition).collect()));
        fairness.extend(system.fairness.iter().map(condition));
        (circuit, blaster)
    }

    /// The circuit without the latches that do not influence a bad signal, and with constants for
    /// latches that keep their initial value.
    fn reduced(&self) -> Circuit {
        let constant = self.constants();
        let mut reduced = Circuit { words: self.words, safe: self.safe.clone(), ..Circuit::default() };
        // Constants first, since they cut the cones of other latches.
        let mut copy = Copy { from: &self.aig, map: vec![None; self.aig.nodes().len()] };
        copy.map[0] = Some(LOW);
        for (latch, is_constant) in self.latches.iter().zip(&constant) {
            if *is_constant {
                copy.map[latch.signal.node()] = Some(Signal::constant(latch.initial));
                reduced.constants.push((latch.bit, latch.initial));
            } else {
                copy.map[latch.signal.node()] = Some(reduced.aig.input());
            }
        }
        for (bit, signal) in &self.inputs {
            let input = reduced.aig.input();
            copy.map[signal.node()] = Some(input);
            reduced.inputs.push((*bit, input));
        }
        reduced.bads = self.bads.iter().map(|bad| copy.signal(&mut reduced.aig, *bad)).collect();
        let aig = &mut reduced.aig;
        let mut copied = |signals: &[Signal]| -> Vec<Signal> {
            signals.iter().map(|signal| copy.signal(aig, *signal)).collect()
        };
        reduced.justice = self.justice.iter().map(|signals| copied(signals)).collect();
        reduced.fairness = copied(&self.fairness);
        // Next values of the latches in the cone, until it does not grow.
        let mut latch_of = vec![None; reduced.aig.nodes().len()];
        for (index, (latch, is_constant)) in self.latches.iter().zip(&constant).enumerate() {
            if !is_constant {
                let signal = copy.map[latch.signal.node()].expect("latches were copied");
                latch_of[signal.node()] = Some(index);
            }
        }
        let mut needed = vec![false; self.latches.len()];
        let mut seen = Vec::new();
        let roots = reduced.bads.iter().chain(reduced.justice.iter().flatten()).chain(&reduced.fairness);
        let mut stack: Vec<usize> = roots.map(|root| root.node()).collect();
        let mut next = vec![LOW; self.latches.len()];
        while let Some(node) = stack.pop() {
            if seen.len() < reduced.aig.nodes().len() {
                seen.resize(reduced.aig.nodes().len(), false);
            }
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            match reduced.aig.nodes()[node] {
                Node::And(a, b) => stack.extend([a.node(), b.node()]),
                Node::Input => {
                    let Some(index) = latch_of.get(node).copied().flatten() else { continue };
                    needed[index] = true;
                    next[index] = copy.signal(&mut reduced.aig, self.latches[index].next);
                    stack.push(next[index].node());
                }
                Node::Constant => {}
            }
        }
        for (index, latch) in self.latches.iter().enumerate() {
            if needed[index] {
                let signal = copy.map[latch.signal.node()].expect("latches were copied");
                reduced.latches.push(Latch { signal, next: next[index], ..*latch });
            }
        }
        let admitted = self.supports(|at| needed[at] || constant[at]);
        for fact in &self.facts {
            if fact.iter().all(|signal| admitted[signal.node()]) {
                let literals = fact.iter().map(|signal| copy.signal(&mut reduced.aig, *signal));
                let mut literals: Vec<_> = literals.filter(|signal| *signal != LOW).collect();
                literals.sort_unstable();
                literals.dedup();
                if !literals.contains(&HIGH) {
                    reduced.facts.push(literals);
                }
            }
        }
        reduced.facts.sort();
        reduced.facts.dedup();
        reduced
    }

    /// For each node, whether it depends on no inputs, and only on latches that satisfy a condition.
    fn supports(&self, condition: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut admitted = vec![false; self.aig.nodes().len()];
        for (at, latch) in self.latches.iter().enumerate() {
            admitted[latch.signal.node()] = condition(at);
        }
        for index in 0..admitted.len() {
            match self.aig.nodes()[index] {
                Node::Constant => admitted[index] = true,
                Node::And(a, b) => admitted[index] = admitted[a.node()] && admitted[b.node()],
                Node::Input => {}
            }
        }
        admitted
    }

    /// Which latches keep their initial value, by simulation with unknown inputs.
    fn constants(&self) -> Vec<bool> {
        let mut constant = vec![true; self.latches.len()];
        let mut values = vec![Ternary::Unknown; self.aig.nodes().len()];
        loop {
            values.fill(Ternary::Unknown);
            values[0] = Ternary::Zero;
            for (latch, is_constant) in self.latches.iter().zip(&constant) {
                if *is_constant {
                    values[latch.signal.node()] = Ternary::known(latch.initial);
                }
            }
            for index in 0..self.aig.nodes().len() {
                if let Node::And(a, b) = self.aig.nodes()[index] {
                    values[index] = Ternary::of(&values, a).and(Ternary::of(&values, b));
                }
            }
            let mut changed = false;
            for (latch, is_constant) in self.latches.iter().zip(&mut constant) {
                if *is_constant && Ternary::of(&values, latch.next) != Ternary::known(latch.initial) {
                    *is_constant = false;
                    changed = true;
                }
            }
            if !changed {
                return constant;
            }
        }
    }

    /// A clause over bits of the system that holds in all reachable states, as positions of latches with
    /// values; none if it holds for constants, or has bits that influence no bad state.
    #[must_use]
    pub fn clause(&self, clause: impl IntoIterator<Item = (Bit, bool)>) -> Option<Vec<(usize, bool)>> {
        let mut literals = Vec::new();
        for (bit, value) in clause {
            if let Ok(at) = self.constants.binary_search_by_key(&bit, |(of, _)| *of) {
                if self.constants[at].1 == value {
                    return None;
                }
            } else {
                literals.push((self.latches.binary_search_by_key(&bit, |latch| latch.bit).ok()?, value));
            }
        }
        Some(literals)
    }

    /// The trace of values of the inputs in each step.
    #[must_use]
    pub fn trace(&self, steps: &[Vec<bool>], bad: usize) -> Trace {
        let inputs = steps.iter().map(|step| {
            let mut words = vec![0; self.words];
            for ((bit, _), value) in self.inputs.iter().zip(step) {
                words[bit.of as usize] |= u64::from(*value) << bit.bit;
            }
            words
        });
        Trace { inputs: inputs.collect(), bad }
    }

    /// The values of the nodes in a state under inputs.
    #[must_use]
    pub fn simulate(&self, latches: &[bool], inputs: &[bool]) -> Vec<u64> {
        let mut of_node = vec![0; self.aig.nodes().len()];
        for (latch, value) in self.latches.iter().zip(latches) {
            of_node[latch.signal.node()] = u64::from(*value);
        }
        for ((_, signal), value) in self.inputs.iter().zip(inputs) {
            of_node[signal.node()] = u64::from(*value);
        }
        let nodes = self.aig.nodes().iter().zip(&of_node);
        let values: Vec<u64> =
            nodes.filter(|(node, _)| **node == Node::Input).map(|(_, value)| *value).collect();
        self.aig.simulate(&values)
    }

    /// The trace of values of the inputs in each step, with the bad condition of the last state.
    #[must_use]
    pub fn reached(&self, targets: &[usize], steps: &[Vec<bool>]) -> Trace {
        let mut state: Vec<bool> = self.latches.iter().map(|latch| latch.initial).collect();
        for inputs in steps {
            let values = self.simulate(&state, inputs);
            state =
                self.latches.iter().map(|latch| crate::aig::value(&values, latch.next) & 1 == 1).collect();
        }
        let values = self.simulate(&state, &vec![false; self.inputs.len()]);
        let is_bad = |target: &&usize| crate::aig::value(&values, self.bads[**target]) & 1 == 1;
        // Without a bad state the trace is refused when it is replayed.
        let bad = targets.iter().find(is_bad).copied().unwrap_or(usize::MAX);
        self.trace(steps, bad)
    }

    /// The positions of the bad signals that are not constantly low.
    pub fn targets(&self) -> impl Iterator<Item = usize> + '_ {
        self.bads.iter().enumerate().filter(|(_, bad)| **bad != LOW).map(|(index, _)| index)
    }
}

/// A value that may be unknown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ternary {
    Zero,
    One,
    Unknown,
}

impl Ternary {
    fn known(value: bool) -> Ternary {
        if value { Ternary::One } else { Ternary::Zero }
    }

    fn of(values: &[Ternary], signal: Signal) -> Ternary {
        match (values[signal.node()], signal.is_inverted()) {
            (Ternary::Zero, true) => Ternary::One,
            (Ternary::One, true) => Ternary::Zero,
            (value, _) => value,
        }
    }

    fn and(self, other: Ternary) -> Ternary {
        match (self, other) {
            (Ternary::Zero, _) | (_, Ternary::Zero) => Ternary::Zero,
            (Ternary::One, Ternary::One) => Ternary::One,
            _ => Ternary::Unknown,
        }
    }
}

/// A copy of a graph under a substitution of its inputs.
pub(crate) struct Copy<'a> {
    pub from: &'a Aig,
    /// For each node, its copy.
    pub map: Vec<Option<Signal>>,
}

impl Copy<'_> {
    /// The copy of a signal.
    pub fn signal(&mut self, into: &mut Aig, signal: Signal) -> Signal {
        let mut stack = vec![signal.node()];
        while let Some(&node) = stack.last() {
            if self.map[node].is_some() {
                stack.pop();
                continue;
            }
            let Node::And(a, b) = self.from.nodes()[node] else {
                unreachable!("the inputs of a graph are substituted before it is copied")
            };
            match (self.map[a.node()], self.map[b.node()]) {
                (Some(x), Some(y)) => {
                    let (x, y) = (x.inverted_if(a.is_inverted()), y.inverted_if(b.is_inverted()));
                    self.map[node] = Some(into.and(x, y));
                    stack.pop();
                }
                (x, y) => {
                    stack.extend(x.is_none().then_some(a.node()));
                    stack.extend(y.is_none().then_some(b.node()));
                }
            }
        }
        let copied = self.map[signal.node()].expect("the signal was copied");
        copied.inverted_if(signal.is_inverted())
    }
}
