//! The states of a circuit after one step after another, as signals of one graph.
//!
//! From the initial state, much of the first steps is constant and is simplified away.
//!
//! *Entry point:* [`Unrolling`].
//! *Invariant:* the signals of frame k + 1 are the next signals of frame k under its inputs.

use crate::aig::{Aig, Signal};
use crate::circuit::{Circuit, Copy};

/// The signals of one frame.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The values of the latches.
    pub latches: Vec<Signal>,
    /// The inputs.
    pub inputs: Vec<Signal>,
    /// The bad signals.
    pub bads: Vec<Signal>,
}

/// An unrolled circuit.
#[derive(Clone, Debug)]
pub struct Unrolling<'c> {
    circuit: &'c Circuit,
    /// The graph of all frames.
    pub aig: Aig,
    /// The frames.
    pub frames: Vec<Frame>,
}

impl<'c> Unrolling<'c> {
    /// One frame: the initial state, or any state.
    #[must_use]
    pub fn new(circuit: &'c Circuit, initial: bool) -> Unrolling<'c> {
        let mut aig = Aig::default();
        let latches = circuit.latches.iter();
        let latches: Vec<_> = latches
            .map(|latch| if initial { Signal::constant(latch.initial) } else { aig.input() })
            .collect();
        let mut unrolling = Unrolling { circuit, aig, frames: Vec::new() };
        unrolling.frame(latches);
        unrolling
    }

    fn copy(&self, latches: &[Signal], inputs: &[Signal]) -> Copy<'c> {
        let mut copy = Copy { from: &self.circuit.aig, map: vec![None; self.circuit.aig.nodes().len()] };
        copy.map[0] = Some(Signal::constant(false));
        for (latch, signal) in self.circuit.latches.iter().zip(latches) {
            copy.map[latch.signal.node()] = Some(*signal);
        }
        for ((_, input), signal) in self.circuit.inputs.iter().zip(inputs) {
            copy.map[input.node()] = Some(*signal);
        }
        copy
    }

    fn frame(&mut self, latches: Vec<Signal>) {
        let inputs: Vec<_> = self.circuit.inputs.iter().map(|_| self.aig.input()).collect();
        let mut copy = self.copy(&latches, &inputs);
        let bads = self.circuit.bads.iter().map(|bad| copy.signal(&mut self.aig, *bad)).collect();
        self.frames.push(Frame { latches, inputs, bads });
    }

    /// The facts of the circuit in a frame.
    pub fn facts(&mut self, frame: usize) -> Vec<Vec<Signal>> {
        let frame = &self.frames[frame];
        let mut copy = self.copy(&frame.latches, &frame.inputs);
        let facts = self.circuit.facts.iter();
        facts.map(|fact| fact.iter().map(|signal| copy.signal(&mut self.aig, *signal)).collect()).collect()
    }

    /// Adds a frame.
    pub fn step(&mut self) {
        let last = &self.frames[self.frames.len() - 1];
        let mut copy = self.copy(&last.latches, &last.inputs);
        let latches = self.circuit.latches.iter().map(|latch| copy.signal(&mut self.aig, latch.next));
        let latches = latches.collect();
        self.frame(latches);
    }
}
