//! Weakest preconditions of guarded commands: the groups of a relation over bit vectors.
//!
//! A group is one step of one process, or of two in a rendezvous, as simultaneous assignments with a
//! guard. Its translation has replaced sends and receives by assignments to cells and the length of a
//! channel, elements of arrays by choices between scalars, and branches, `else` and `unless` by guards
//! with ranks; a failing `assert` is a bad state in front of its step. A command has one successor where
//! it is enabled, so that its weakest liberal precondition is `enabled -> postcondition[values]`.
//!
//! *Entry points:* [`Wp::new`], [`Wp::after`], [`Wp::liberal`], [`Wp::strict`].
//! *Source:* Dijkstra, "A Discipline of Programming", 1976; Nelson, "A Generalization of Dijkstra's
//! Calculus", TOPLAS 1989 (liberal preconditions of partial commands).
//! *Invariant:* arithmetic is that of the relation: it wraps around. In mathematical arithmetic
//! (`arithmetic.rs`), enabled commands do not overflow.

use axle_decide::model::Command;
use axle_decide::substitute::Substitution;
use axle_decide::system::System;
use axle_decide::term::{TermId, Terms};

/// The weakest preconditions of one command.
#[derive(Clone, Debug)]
pub struct Wp {
    enabled: TermId,
    substitution: Substitution,
}

impl Wp {
    /// Of a command of a system.
    #[must_use]
    pub fn new(system: &System, command: &Command) -> Wp {
        Wp::of(system, command.enabled, &command.updates)
    }

    /// Of a guard and simultaneous assignments to state variables.
    #[must_use]
    pub fn of(system: &System, enabled: TermId, updates: &[(u32, TermId)]) -> Wp {
        let replaced = updates.iter().map(|(of, value)| (system.states[*of as usize].variable, *value));
        Wp { enabled, substitution: Substitution::new(replaced) }
    }

    /// The condition before the assignments, whether enabled or not: it holds where the values after them
    /// satisfy the postcondition.
    pub fn after(&mut self, terms: &mut Terms, postcondition: TermId) -> TermId {
        self.substitution.term(terms, postcondition)
    }

    /// The weakest liberal precondition: where the step is not enabled, or leads to the postcondition.
    pub fn liberal(&mut self, terms: &mut Terms, postcondition: TermId) -> TermId {
        let disabled = terms.not(self.enabled);
        let after = self.after(terms, postcondition);
        terms.disjunction(disabled, after)
    }

    /// The precondition under which the step is made and leads to the postcondition.
    pub fn strict(&mut self, terms: &mut Terms, postcondition: TermId) -> TermId {
        let after = self.after(terms, postcondition);
        terms.conjunction(self.enabled, after)
    }
}
