//! The checks: groups of faults under the names that options and reports use.

use std::collections::BTreeSet;

use axle_evidence::report::PropertyReport;
use axle_outcome::{Answer, Counterexample, Proof, Witness};
use axle_step::FaultKind;

/// The kinds of systems: each has checks of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SystemKind {
    /// A model: Promela, or extracted from C.
    Model,
    /// A C program.
    Program,
}

/// A group of faults that is checked, or not, together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Check {
    /// Assertions hold, and error functions are not called.
    Assertions,
    /// No deadlock: every finite run ends with each process in a valid end state.
    EndStates,
    /// Indices are within their arrays.
    Bounds,
    /// `abort` is not called (on request; otherwise reachable calls are listed).
    Aborts,
    /// No deadlock and no livelock.
    Deadlocks,
    /// No data race.
    DataRaces,
    /// Every access is within an object whose lifetime has not ended.
    Memory,
    /// Arithmetic has a defined result.
    Arithmetic,
    /// No uninitialised value is used.
    Uninitialised,
    /// Calls match the functions that they reach.
    Calls,
    /// The rules of the pthread API are observed.
    Locks,
    /// All memory is freed (on request; otherwise a warning).
    Leaks,
    /// Every fair execution terminates (on request).
    Termination,
    /// Channels exist, and messages have as many fields as their channel declares.
    Messages,
    /// `atomic` and `d_step` sequences neither block nor loop forever, and `d_step` is
    /// deterministic.
    Sequences,
    /// The limits on processes and channels are not exceeded.
    Limits,
    /// References to processes and priorities are valid.
    References,
    /// Temporal properties: formulas, claims, event traces, accept and progress labels.
    Properties,
    /// No value is truncated on assignment (on request).
    Truncation,
    /// No channel holds messages in a valid end state (on request).
    MessagesLeft,
    /// Every statement is reachable (on request).
    Unreached,
}

impl Check {
    /// The checks of models, in the order of reports.
    pub const MODELS: [Check; 12] = [
        Check::Assertions,
        Check::EndStates,
        Check::Bounds,
        Check::Arithmetic,
        Check::Messages,
        Check::Sequences,
        Check::Limits,
        Check::References,
        Check::Properties,
        Check::Truncation,
        Check::MessagesLeft,
        Check::Unreached,
    ];

    /// The checks of C programs, in the order of reports.
    pub const PROGRAMS: [Check; 12] = [
        Check::Assertions,
        Check::Aborts,
        Check::Deadlocks,
        Check::DataRaces,
        Check::Memory,
        Check::Arithmetic,
        Check::Uninitialised,
        Check::Calls,
        Check::Locks,
        Check::Leaks,
        Check::Termination,
        Check::Properties,
    ];

    /// The checks of systems of a kind, in the order of reports.
    pub fn of_kind(kind: SystemKind) -> [Check; 12] {
        match kind {
            SystemKind::Model => Check::MODELS,
            SystemKind::Program => Check::PROGRAMS,
        }
    }

    /// The checks of systems of a kind that are enabled by default.
    pub fn defaults(kind: SystemKind) -> BTreeSet<Check> {
        Check::of_kind(kind).into_iter().filter(|check| check.by_default()).collect()
    }

    /// Whether it is checked by default.
    pub fn by_default(self) -> bool {
        let on_request = [
            Check::Aborts,
            Check::Leaks,
            Check::Termination,
            Check::Truncation,
            Check::MessagesLeft,
            Check::Unreached,
        ];
        !on_request.contains(&self)
    }

    /// Whether it is about executions, and not about states and steps.
    pub fn is_temporal(self) -> bool {
        matches!(self, Check::Properties | Check::Termination)
    }

    /// The name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Check::Assertions => "assertions",
            Check::EndStates => "end-states",
            Check::Bounds => "bounds",
            Check::Aborts => "aborts",
            Check::Deadlocks => "deadlocks",
            Check::DataRaces => "data-races",
            Check::Memory => "memory",
            Check::Arithmetic => "arithmetic",
            Check::Uninitialised => "uninitialised",
            Check::Calls => "calls",
            Check::Locks => "locks",
            Check::Leaks => "leaks",
            Check::Termination => "termination",
            Check::Messages => "messages",
            Check::Sequences => "sequences",
            Check::Limits => "limits",
            Check::References => "references",
            Check::Properties => "properties",
            Check::Truncation => "truncation",
            Check::MessagesLeft => "messages-left",
            Check::Unreached => "unreached",
        }
    }

    /// The check of systems of a kind with this name.
    pub fn named(name: &str, kind: SystemKind) -> Option<Check> {
        Check::of_kind(kind).into_iter().find(|check| check.name() == name)
    }

    /// The property that holds if the check holds for a system of this kind.
    pub fn meaning(self, kind: SystemKind) -> &'static str {
        let is_program = kind == SystemKind::Program;
        match self {
            Check::Assertions if is_program => "no assertion fails and no error function is called",
            Check::Assertions => "no assertion fails",
            Check::EndStates => "no deadlock / invalid end state",
            Check::Bounds => "all array accesses are in bounds",
            Check::Aborts => "abort() is not reachable",
            Check::Deadlocks => "no deadlock",
            Check::DataRaces => "no data race",
            Check::Memory => "no out-of-bounds access, use-after-free or null dereference",
            Check::Arithmetic if is_program => "no overflow, division by zero or invalid shift",
            Check::Arithmetic => "no division by zero",
            Check::Uninitialised => "no use of uninitialised values",
            Check::Calls => "every call matches the callee's signature",
            Check::Locks => "pthread API used correctly",
            Check::Leaks => "all allocated memory is freed",
            Check::Termination => "every fair execution terminates",
            Check::Messages => "message fields match the channel declaration",
            Check::Sequences => "atomic/d_step sequences neither block nor loop forever",
            Check::Limits => "process and channel limits not exceeded",
            Check::References => "process ids and priorities are valid",
            Check::Properties if is_program => "the LTL properties hold",
            Check::Properties => "all LTL properties, claims and labels of the model hold",
            Check::Truncation => "no value truncated on assignment",
            Check::MessagesLeft => "no message is left in a channel at a valid end state",
            Check::Unreached => "every statement is reachable",
        }
    }

    /// The check that a kind of fault violates.
    pub fn of(kind: FaultKind) -> Check {
        match kind {
            FaultKind::Assertion => Check::Assertions,
            FaultKind::InvalidEnd => Check::EndStates,
            FaultKind::IndexOutOfRange => Check::Bounds,
            FaultKind::DivisionByZero => Check::Arithmetic,
            FaultKind::NoChannel
            | FaultKind::TooFewArguments
            | FaultKind::TooFewPatterns
            | FaultKind::TooManyArguments
            | FaultKind::RendezvousPoll => Check::Messages,
            FaultKind::RendezvousInDeterministic
            | FaultKind::DeterministicBlocks
            | FaultKind::EndlessSequence
            | FaultKind::NotDeterministic => Check::Sequences,
            FaultKind::TooManyProcesses | FaultKind::TooManyChannels => Check::Limits,
            FaultKind::NoProcess | FaultKind::BadPriority => Check::References,
            FaultKind::Truncation => Check::Truncation,
            FaultKind::MessagesLeft => Check::MessagesLeft,
        }
    }
}

impl Check {
    /// The counterexamples that the check may have.
    fn counterexamples(self) -> Counterexample {
        match self {
            Check::EndStates
            | Check::Deadlocks
            | Check::MessagesLeft
            | Check::Unreached
            | Check::Properties
            | Check::Termination => Counterexample::Blocked,
            Check::Assertions
            | Check::Bounds
            | Check::Aborts
            | Check::DataRaces
            | Check::Memory
            | Check::Arithmetic
            | Check::Uninitialised
            | Check::Calls
            | Check::Locks
            | Check::Leaks
            | Check::Messages
            | Check::Sequences
            | Check::Limits
            | Check::References
            | Check::Truncation => Counterexample::Prefix,
        }
    }
}

/// The answer of a search of a model that a row states, with the counterexamples that a proof excludes.
/// `witness`: the violating execution, if there is one.
pub fn answer(property: &PropertyReport, witness: Option<Witness>) -> Answer {
    let excludes = match (&property.search, Check::named(&property.name, SystemKind::Model)) {
        (Some(search), _) if search.is_safety => Counterexample::Prefix,
        (None, Some(check)) => check.counterexamples(),
        (Some(_), _) | (None, None) => Counterexample::Blocked,
    };
    match property.answer(witness) {
        Answer::Proved(proof) => Answer::Proved(Proof { excludes, ..proof }),
        answer => answer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_checks() {
        for check in Check::MODELS {
            assert_eq!(Check::named(check.name(), SystemKind::Model), Some(check));
        }
        assert_eq!(Check::named("asertions", SystemKind::Model), None);
    }

    #[test]
    fn every_check_but_two_has_a_kind_of_fault() {
        let without: Vec<Check> =
            Check::MODELS.into_iter().filter(|&c| !FaultKind::all().any(|k| Check::of(k) == c)).collect();
        assert_eq!(without, [Check::Properties, Check::Unreached]);
    }
}
