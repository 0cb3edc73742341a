//! The nearest satisfying execution: of the executions that satisfy a condition, one that shares the
//! longest prefix with a given violating execution.
//!
//! A satisfying execution with a common prefix of k steps is a continuation of the state after k steps
//! of the violating execution, from which the automaton of the condition starts in the locations that
//! it can reach over the first k states. If a continuation exists after k steps, then also after every
//! smaller number of steps, so a few searches decide the largest k.
//!
//! *Entry points:* [`model::nearest`], [`program::nearest`].
//! *Source:* A. Groce, S. Chaki, D. Kroening and O. Strichman, "Error Explanation with Distance
//! Metrics", STTT 8(3), 2006: the satisfying execution nearest to a counterexample explains it. The
//! distance here is the length of the common prefix.
//! *Invariant:* an answer was replayed, and the condition was evaluated on the whole execution.
//!
//! | file | content |
//! | --- | --- |
//! | `prefix_search.rs` | which numbers of steps are searched, and with which limits |
//! | `continuation.rs` | the search for a continuation after a number of steps |
//! | `complement.rs` | the executions that a never claim does not match |
//! | `model.rs`, `program.rs` | models and C programs |

mod complement;
mod continuation;
pub mod model;
mod prefix_search;
pub mod program;

use axle_evidence::trace::Trace;

/// A satisfying execution that shares the longest prefix with a violating one.
#[derive(Clone, PartialEq, Debug)]
pub struct Nearest {
    /// The satisfying execution.
    pub trace: Trace,
    /// The number of its first steps that are those of the violating execution, as the steps of
    /// traces are numbered.
    pub common_steps: u64,
    /// Whether no satisfying execution has a longer common prefix. Otherwise a limit ended a search.
    /// In a cycle of the violating execution only the first pass counts: where the cycle can be left
    /// in each pass, there is no longest prefix.
    pub is_longest: bool,
}

/// The condition that a satisfying execution of a model meets.
#[derive(Clone, PartialEq, Debug)]
pub enum Condition {
    /// A formula over the propositions of the property.
    Formula(axle_ltl::Formula),
    /// The never claim that the property states does not match the execution.
    Unclaimed,
}

/// The answer to the question for a nearest satisfying execution.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer<N = Nearest> {
    /// There is one.
    Found(Box<N>),
    /// No execution satisfies the condition.
    None,
    /// The searches ended at a limit without one.
    Undecided,
}
