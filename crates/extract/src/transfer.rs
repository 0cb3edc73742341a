//! Transfer of a verdict of the model to the program.
//!
//! Let each execution of the program be one of the model where no row is *under*, and each step of the
//! model one of the program where no row is *over*. A property of all executions then holds of the
//! program if it holds of the model and no row is under: the model simulates the program (Clarke,
//! Grumberg and Long, "Model Checking and Abstraction", TOPLAS 1994). A counterexample is one of the
//! program if all that makes it one is there, too: its steps, if no row of them is over; and, where it
//! is essential that nothing more happens, the absence of other steps, if no row of the model is under.
//!
//! *Entry points:* [`proof_transfers`], [`violation_transfers`].

use crate::Label;

/// The reason for which an execution is a counterexample.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Counterexample {
    /// Its steps alone: an assertion fails, a bad prefix of a formula is complete.
    Prefix,
    /// Its steps, and that none can follow: a deadlock, a formula that waits for more.
    Blocked,
    /// Its steps, of which there are infinitely many.
    Cycle,
    /// Its steps, of which there are infinitely many, and that every other process is blocked: fairness
    /// would let it move.
    FairCycle,
}

impl Counterexample {
    /// All of them.
    pub const ALL: [Counterexample; 4] =
        [Counterexample::Prefix, Counterexample::Blocked, Counterexample::Cycle, Counterexample::FairCycle];

    /// Whether it is essential that other steps cannot be made.
    fn needs_absence(self) -> bool {
        match self {
            Counterexample::Prefix | Counterexample::Cycle => false,
            Counterexample::Blocked | Counterexample::FairCycle => true,
        }
    }
}

/// Whether a property that holds of the model holds of the program. `all`: the labels of all rows
/// together.
#[must_use]
pub fn proof_transfers(all: Label) -> bool {
    !all.under
}

/// Whether a counterexample of the model is one of the program. `executed`: the labels of the rows of its
/// statements together; `all`: those of all rows.
#[must_use]
pub fn violation_transfers(of: Counterexample, executed: Label, all: Label) -> bool {
    let is_blocked = of.needs_absence() && all.under;
    !executed.over && !is_blocked
}

#[cfg(test)]
mod tests {
    use super::{Counterexample, proof_transfers, violation_transfers};
    use crate::Label;

    const LABELS: [Label; 4] = [Label::EXACT, Label::OVER, Label::UNDER, Label::BOTH];

    #[test]
    fn every_combination_of_counterexample_and_labels() {
        use Counterexample::{Blocked, Cycle, FairCycle, Prefix};
        for of in Counterexample::ALL {
            for executed in LABELS {
                for other in LABELS {
                    let all = executed.join(other);
                    let expected = match (of, executed.over, all.under) {
                        (_, true, _) => false,
                        (Prefix | Cycle, false, _) => true,
                        (Blocked | FairCycle, false, under) => !under,
                    };
                    assert_eq!(
                        violation_transfers(of, executed, all),
                        expected,
                        "{of:?} {executed:?} {all:?}"
                    );
                    assert_eq!(proof_transfers(all), !all.under);
                }
            }
        }
    }

    /// Systems of three states over the steps `a` and `b` of two processes, as sets of transitions: the
    /// rule is right if, for each pair of a program and a model whose transitions differ as the labels
    /// allow, a counterexample of the model is one of the program where the rule says so.
    #[test]
    fn the_rule_follows_from_the_definition_of_the_labels() {
        // A transition is (from, process, to); a system is a set of them, as bits.
        let transitions: Vec<(usize, usize, usize)> =
            (0..2).flat_map(|from| (0..2).flat_map(move |by| (0..2).map(move |to| (from, by, to)))).collect();
        let can_move = |system: u32, from: usize, by: usize| {
            transitions
                .iter()
                .enumerate()
                .any(|(bit, one)| system >> bit & 1 == 1 && (one.0, one.1) == (from, by))
        };
        // A path of one step, or a cycle of one, from state 0.
        let has = |system: u32, bit: usize| system >> bit & 1 == 1;
        let is = |of: Counterexample, system: u32, bit: usize| {
            let (from, by, to) = transitions[bit];
            let there = has(system, bit) && from == 0;
            match of {
                Counterexample::Prefix => there,
                Counterexample::Blocked => there && (0..2).all(|by| !can_move(system, to, by)),
                Counterexample::Cycle => there && to == 0,
                Counterexample::FairCycle => there && to == 0 && !can_move(system, 0, 1 - by),
            }
        };
        for model in 0..256u32 {
            for program in 0..256u32 {
                let (added, missing) = (model & !program, program & !model);
                let all = Label { over: added != 0, under: missing != 0 };
                for bit in 0..transitions.len() {
                    let executed = Label { over: added >> bit & 1 == 1, under: false };
                    for of in Counterexample::ALL {
                        if is(of, model, bit) && violation_transfers(of, executed, all) {
                            assert!(is(of, program, bit), "{of:?} {model:b} {program:b} {bit}");
                        }
                    }
                }
            }
        }
    }
}
