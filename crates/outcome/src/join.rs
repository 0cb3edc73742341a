//! The verdict of a property: the join of the answers of its attempts, each weakened by the labels of the
//! abstraction on which it was found.
//!
//! Let each step of the system be one of the abstraction where no row is *under*, and each step of the
//! abstraction one of the system where no row is *over*. If no row is under, the abstraction simulates the
//! system. A property whose counterexamples consist of steps then holds of the system if it holds of the
//! abstraction. A simulation does not preserve the absence of steps: a deadlock, or a formula that waits for
//! a step, may be violated by a blocked execution that continues in the abstraction if an over row stands
//! where the system blocks. Conversely a counterexample of the abstraction is one of the system if its
//! steps exist there, which is so if no row of them is over; and, where it is essential that nothing more
//! happens, the absence of other steps, if no row of the whole abstraction is under.
//!
//! *Entry point:* [`join`]. Its cases are the tables of `docs/theory/verdicts.md`, which a test compares.
//! *Source:* E. M. Clarke, O. Grumberg and D. E. Long, "Model Checking and Abstraction", TOPLAS 1994.
//! *Invariant:* *holds* needs a proof, *violated* a counterexample of the system itself, and no property
//! has both.

use crate::reason::Reason;
use crate::verdict::{Answer, Counterexample};

/// The relation between the behaviours of an abstraction and those of the system. Neither is exact.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Label {
    /// The model may do what the program cannot: a violation may be spurious.
    pub over: bool,
    /// The program may do what the model cannot: a violation may be missed.
    pub under: bool,
}

impl Label {
    /// The model does what the program does.
    pub const EXACT: Label = Label { over: false, under: false };
    /// Behaviours are added.
    pub const OVER: Label = Label { over: true, under: false };
    /// Behaviours are omitted.
    pub const UNDER: Label = Label { over: false, under: true };
    /// Nothing is known.
    pub const BOTH: Label = Label { over: true, under: true };

    /// The label of two rows together.
    #[must_use]
    pub fn join(self, other: Label) -> Label {
        Label { over: self.over || other.over, under: self.under || other.under }
    }

    /// Its name: `exact`, `over`, `under` or `over under`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match (self.over, self.under) {
            (false, false) => "exact",
            (true, false) => "over",
            (false, true) => "under",
            (true, true) => "over under",
        }
    }
}

/// The abstraction on which an answer was found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Abstraction {
    /// The labels of all rows together.
    pub rows: Label,
    /// The labels of the rows of the steps of the counterexample together.
    pub executed: Label,
    /// The result of a search for the counterexample in the system itself.
    pub confirmation: Confirmation,
    /// Whether a row is over where the system may be blocked: the abstraction may continue there.
    pub unblocks: bool,
    /// Whether steps of the abstraction depend on the absence of others ([`crate::observes_absence`]).
    pub observes_absence: bool,
    /// A row of the counterexample that adds behaviours.
    pub adds: Option<String>,
    /// A row that omits behaviours.
    pub omits: Option<String>,
    /// A row that is over where the system may be blocked.
    pub frees: Option<String>,
}

/// The result of a search for a counterexample of an abstraction in the system itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Confirmation {
    /// There was none, or it was not conclusive.
    #[default]
    None,
    /// The system has this execution, and it violates the property.
    Real,
    /// The system does not have this execution.
    Spurious,
}

/// The answer of an attempt, with the abstraction on which it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempted {
    /// The answer.
    pub answer: Answer,
    /// The abstraction; the default is the system itself.
    pub abstraction: Abstraction,
}

impl From<Answer> for Attempted {
    fn from(answer: Answer) -> Attempted {
        Attempted { answer, abstraction: Abstraction::default() }
    }
}

/// A property is proved and refuted. This is an internal error: no answer is reliable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contradiction;

impl std::fmt::Display for Contradiction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("one attempt proved the property and another one refuted it")
    }
}

impl std::error::Error for Contradiction {}

/// The answer for a property, of the system itself: the first refutation, otherwise the first proof,
/// otherwise the first reason, a spurious counterexample last.
///
/// # Errors
/// The property is proved and refuted.
pub fn join(attempts: impl IntoIterator<Item = Attempted>) -> Result<Answer, Contradiction> {
    let (mut proof, mut witness, mut reason) = (None, None, None::<Reason>);
    for attempt in attempts {
        match weaken(attempt) {
            Answer::Proved(own) => {
                proof.get_or_insert(own);
            }
            Answer::Refuted(own) => {
                witness.get_or_insert(own);
            }
            Answer::Open(own) => {
                let is_better = |known: &Reason| known.is_of_one_attempt() && !own.is_of_one_attempt();
                if reason.as_ref().is_none_or(is_better) {
                    reason = Some(own);
                }
            }
        }
    }
    match (proof, witness, reason) {
        (Some(_), Some(_), _) => Err(Contradiction),
        (None, Some(witness), _) => Ok(Answer::Refuted(witness)),
        (Some(proof), None, _) => Ok(Answer::Proved(proof)),
        (None, None, Some(reason)) => Ok(Answer::Open(reason)),
        (None, None, None) => Ok(Answer::Open(Reason::Unchecked)),
    }
}

/// The part of an answer of an abstraction that applies to the system.
fn weaken(attempt: Attempted) -> Answer {
    let Attempted { answer, abstraction } = attempt;
    let reason = match &answer {
        Answer::Proved(_) if abstraction.rows.under => {
            Some(Reason::OmittedBehaviours { row: abstraction.omits })
        }
        Answer::Proved(proof)
            if abstraction.unblocks && (proof.excludes.needs_absence() || abstraction.observes_absence) =>
        {
            Some(Reason::AddedSteps { row: abstraction.frees })
        }
        Answer::Refuted(witness) => doubt(witness.shape, abstraction),
        Answer::Proved(_) | Answer::Open(_) => None,
    };
    reason.map_or(answer, Answer::Open)
}

/// The reason why a counterexample of an abstraction may be none of the system.
fn doubt(shape: Counterexample, abstraction: Abstraction) -> Option<Reason> {
    let Abstraction { rows, executed, confirmation, observes_absence, adds, omits, .. } = abstraction;
    let needs_absence = shape.needs_absence() || observes_absence;
    match confirmation {
        Confirmation::Real => None,
        Confirmation::Spurious => Some(Reason::Spurious),
        Confirmation::None if executed.over => Some(Reason::AddedBehaviours { row: adds }),
        Confirmation::None if needs_absence && rows.under => Some(Reason::OmittedSteps { row: omits }),
        Confirmation::None => None,
    }
}
