//! The footprint of a verdict: the part of a C program that its searches have executed.
//!
//! A property that holds depends on nothing else: the executions of a program whose executed part is
//! the same are the same ([`axle_c::canonical`]). So a verdict outlives changes of code that is never
//! executed under the provisioning of its run.
//!
//! *Entry points:* [`Footprint::new`], [`Footprint::is_of`].
//! *Invariant:* there is a footprint only of complete searches of programs that start no threads.

use axle_c::Program;
use axle_c::canonical::{executed, guided};
use axle_check::program::RunProperty;
use axle_evidence::sha256::sha256;
use serde::{Deserialize, Serialize};

/// The executed part of a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Footprint {
    /// The hash of its text.
    pub hash: String,
    /// For each step in the order of the walk, whether it was executed: 4 steps a hexadecimal digit.
    pub guide: String,
    /// The number of steps.
    pub steps: usize,
}

impl Footprint {
    /// The footprint of a verdict, if there is one. `taken` tells which steps were executed.
    #[must_use]
    pub fn new(program: &Program, formula: &RunProperty, taken: &[Vec<bool>]) -> Option<Footprint> {
        let (text, guide) = executed(program, taken, formula.objects())?;
        let digit = |four: &[bool]| {
            let bits = four.iter().enumerate().fold(0, |bits, (at, one)| bits | u32::from(*one) << at);
            char::from_digit(bits, 16).unwrap_or('0')
        };
        Some(Footprint {
            hash: hash(&text, formula, program),
            guide: guide.chunks(4).map(digit).collect(),
            steps: guide.len(),
        })
    }

    /// Whether the executed part of a program is this one.
    #[must_use]
    pub fn is_of(&self, program: &Program, formula: &RunProperty) -> bool {
        let bits = |digit: char| {
            let bits = digit.to_digit(16).unwrap_or(0);
            (0..4).map(move |at| bits >> at & 1 == 1)
        };
        let guide: Vec<bool> = self.guide.chars().flat_map(bits).take(self.steps).collect();
        guided(program, &guide, formula.objects())
            .is_some_and(|text| hash(&text, formula, program) == self.hash)
    }
}

fn hash(text: &str, formula: &RunProperty, program: &Program) -> String {
    sha256(format!("{text}\n{}", formula.shape(program)).as_bytes())
}
