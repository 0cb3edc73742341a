//! AIGER 1.9: a graph of conjunctions with latches, initial values, bad signals and a symbol table.

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

    /// The header: outputs, constraints, justice and fairness are empty.
    fn header(&self, format: &str, circuit: &Circuit) -> String {
        let (inputs, latches, bads) = (circuit.inputs.len(), circuit.latches.len(), circuit.bads.len());
        format!("{format} {} {inputs} {latches} 0 {} {bads}\n", self.last, self.ands.len())
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
        let _ = writeln!(text, "b{index} {}", bad_name(bad.cause));
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
    for bad in &circuit.bads {
        let _ = writeln!(text, "{}", numbered.literal(*bad));
    }
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
    for bad in &circuit.bads {
        let _ = writeln!(text, "{}", numbered.literal(*bad));
    }
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
