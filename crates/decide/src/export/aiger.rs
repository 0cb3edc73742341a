//! AIGER 1.9: a graph of conjunctions with latches, initial values, bad signals, justice and fairness
//! signals, and a symbol table.

use std::fmt::Write;

use super::bad_name;
use crate::aig::{Node, Signal};
use crate::circuit::{Bit, Circuit};
use crate::system::System;

/// The literals of a file: variables are numbered inputs first, then latches, then conjunctions.
struct Numbered {
    /// For each node, its variable.
    variables: Vec<u32>,
    /// The conjunctions in the order of their variables.
    ands: Vec<(u32, Signal, Signal)>,
    last: u32,
}

impl Numbered {
    fn new(circuit: &Circuit) -> Numbered {
        let mut variables = vec![0; circuit.aig.nodes().len()];
        let inputs = circuit.inputs.iter().map(|(_, signal)| *signal);
        let latches = circuit.latches.iter().map(|latch| latch.signal);
        let mut last = 0;
        for signal in inputs.chain(latches) {
            last += 1;
            variables[signal.node()] = last;
        }
        let mut ands = Vec::new();
        for (index, node) in circuit.aig.nodes().iter().enumerate() {
            if let Node::And(a, b) = *node {
                last += 1;
                variables[index] = last;
                ands.push((last, a, b));
            }
        }
        Numbered { variables, ands, last }
    }

    fn literal(&self, signal: Signal) -> u32 {
        2 * self.variables[signal.node()] + u32::from(signal.is_inverted())
    }

    /// The header: there are no outputs and constraints.
    fn header(&self, format: &str, circuit: &Circuit) -> String {
        let (inputs, latches, bads) = (circuit.inputs.len(), circuit.latches.len(), circuit.bads.len());
        let (justice, fairness) = (circuit.justice.len(), circuit.fairness.len());
        let liveness = match (justice, fairness) {
            (0, 0) => String::new(),
            (_, 0) => format!(" 0 {justice}"),
            _ => format!(" 0 {justice} {fairness}"),
        };
        format!("{format} {} {inputs} {latches} 0 {} {bads}{liveness}\n", self.last, self.ands.len())
    }

    /// The bad signals, the numbers of signals of the justice conditions, those signals, and the fairness
    /// signals.
    fn properties(&self, circuit: &Circuit) -> String {
        let mut text = String::new();
        let literals = |text: &mut String, signals: &[Signal]| {
            for signal in signals {
                let _ = writeln!(text, "{}", self.literal(*signal));
            }
        };
        literals(&mut text, &circuit.bads);
        for signals in &circuit.justice {
            let _ = writeln!(text, "{}", signals.len());
        }
        circuit.justice.iter().for_each(|signals| literals(&mut text, signals));
        literals(&mut text, &circuit.fairness);
        text
    }
}

fn symbols(system: &System, circuit: &Circuit) -> String {
    let mut text = String::new();
    for (index, (Bit { of, bit }, _)) in circuit.inputs.iter().enumerate() {
        let _ = writeln!(text, "i{index} {}.{bit}", system.inputs[*of as usize].name);
    }
    for (index, latch) in circuit.latches.iter().enumerate() {
        let Bit { of, bit } = latch.bit;
        let _ = writeln!(text, "l{index} {}.{bit}", system.states[of as usize].name);
    }
    for (index, bad) in system.bads.iter().enumerate() {
        let _ = writeln!(text, "b{index} {}", bad_name(system, bad.cause));
    }
    for (index, justice) in system.justice.iter().enumerate() {
        let _ = writeln!(text, "j{index} {}", system.claims[justice.claim as usize]);
    }
    text
}

/// The circuit of a system as text.
#[must_use]
pub fn aiger_ascii(system: &System, circuit: &Circuit) -> String {
    let numbered = Numbered::new(circuit);
    let mut text = numbered.header("aag", circuit);
    for (_, signal) in &circuit.inputs {
        let _ = writeln!(text, "{}", numbered.literal(*signal));
    }
    for latch in &circuit.latches {
        let (own, next) = (numbered.literal(latch.signal), numbered.literal(latch.next));
        let _ = writeln!(text, "{own} {next} {}", u8::from(latch.initial));
    }
    text += &numbered.properties(circuit);
    for (variable, a, b) in &numbered.ands {
        let _ = writeln!(text, "{} {} {}", 2 * variable, numbered.literal(*a), numbered.literal(*b));
    }
    text + &symbols(system, circuit)
}

/// The circuit of a system in the binary format.
#[must_use]
pub fn aiger_binary(system: &System, circuit: &Circuit) -> Vec<u8> {
    let numbered = Numbered::new(circuit);
    let mut text = numbered.header("aig", circuit);
    for latch in &circuit.latches {
        let _ = writeln!(text, "{} {}", numbered.literal(latch.next), u8::from(latch.initial));
    }
    text += &numbered.properties(circuit);
    let mut bytes = text.into_bytes();
    for (variable, a, b) in &numbered.ands {
        let (a, b) = (numbered.literal(*a), numbered.literal(*b));
        let (high, low) = (a.max(b), a.min(b));
        delta(&mut bytes, 2 * variable - high);
        delta(&mut bytes, high - low);
    }
    bytes.extend(symbols(system, circuit).into_bytes());
    bytes
}

/// A number in groups of 7 bits, the lowest first; all but the last have the high bit.
fn delta(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
