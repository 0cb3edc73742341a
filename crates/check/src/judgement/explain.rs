//! A paragraph on each kind of violation: what it means, and what to do about it.

use axle_question::claims::{ACCEPTANCE, PROGRESS};
use axle_step::FaultKind;

/// The kinds of runs that break a property: name, what it means, and what to do about it.
pub const RUN_KINDS: [(&str, &str); 6] = [
    (
        "formula",
        "An execution violates an LTL property. The trace shows the propositions that hold in each state and the\n\
         steps of the cycle. A cycle in which the scheduler never executes some enabled process is excluded by\n\
         --fairness weak or strong.",
    ),
    (
        "acceptance-cycle",
        "An infinite execution matches a never claim, or passes a label that begins with \"accept\" infinitely\n\
         often. --fairness excludes executions in which a process is treated unfairly.",
    ),
    (
        "non-progress-cycle",
        "An infinite execution passes no label that begins with \"progress\" from some point on. A finite execution\n\
         counts as one that repeats its last state forever.",
    ),
    ("claim-end", "A never claim reaches its closing brace: the execution up to there matches the claim."),
    (
        "event-trace",
        "A send or receive on a channel that the trace names is not what the trace waits for; or, of a notrace, is\n\
         the last event of it.",
    ),
    ("claim-assertion", "An assert inside a never claim is false in a state in which the claim comes to it."),
];

/// The properties that labels state: name in reports, and what it means.
pub const LABELS: [(&str, &str); 2] = [
    (
        ACCEPTANCE,
        "No infinite execution passes a label that begins with \"accept\" infinitely often. Such labels mark what\n\
         must not be repeated forever. A violation is of the kind acceptance-cycle. The property is checked where\n\
         a process has such a label; --only acceptance checks nothing else.",
    ),
    (
        PROGRESS,
        "Every infinite execution passes a label that begins with \"progress\" infinitely often. Such labels mark\n\
         the useful work. A violation is of the kind non-progress-cycle. The property is checked where a process\n\
         has such a label; --only progress checks nothing else.",
    ),
];

/// What a kind of violation means, and what to do about it.
pub fn explain_kind(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Assertion => {
            "A run reaches an assert whose condition is false there. The trace ends with that statement; look at\n\
             the values that it reads, and at who wrote them last."
        }
        FaultKind::InvalidEnd => {
            "An execution reaches a state in which every process is blocked, and one of them is neither at its end nor\n\
             at a label that begins with \"end\". Usually this is a deadlock. If a process is allowed to wait\n\
             forever, as a server is, add such a label."
        }
        FaultKind::IndexOutOfRange => {
            "An index is negative or not less than the length of its array. The read gives 0, the write is\n\
             dropped, and the search goes on."
        }
        FaultKind::DivisionByZero => {
            "The right operand of / or % is 0. The result is taken to be 0, and the search goes on."
        }
        FaultKind::NoChannel => {
            "A send, receive or query uses a channel variable that was never given a channel, or one whose\n\
             process has ended and taken its channels with it."
        }
        FaultKind::TooFewArguments => {
            "A send gives fewer values than the messages of its channel have fields; the rest are sent as 0."
        }
        FaultKind::TooFewPatterns => {
            "A receive takes fewer values than the messages of its channel have fields; the rest are lost."
        }
        FaultKind::TooManyArguments => {
            "A send or receive has more arguments than the messages of its channel have fields. This shows only\n\
             when the channel is known, so it can be found no earlier than in a run."
        }
        FaultKind::RendezvousPoll => {
            "c?[..], c??[..], c?<..> or the like on a channel of capacity 0. Such a channel never holds a\n\
             message: sender and receiver meet in one step."
        }
        FaultKind::RendezvousInDeterministic => {
            "A d_step may not send on a channel of capacity 0: the receiver would have to move in the middle of\n\
             it. Use atomic."
        }
        FaultKind::DeterministicBlocks => {
            "After its first statement a d_step must be able to go on to its end, and here it cannot. Move what\n\
             may block to the front of the d_step, or use atomic."
        }
        FaultKind::EndlessSequence => {
            "An atomic or d_step sequence loops forever, and no other process can execute a statement again."
        }
        FaultKind::NotDeterministic => {
            "A process of a D_proctype has two statements that it could execute in the same state."
        }
        FaultKind::TooManyProcesses => {
            "A run is executed when as many processes exist as may exist at once. Often a process is created in a\n\
             loop and never ends. --max-processes raises the limit."
        }
        FaultKind::TooManyChannels => "A process would bring more channels with it than may exist at once.",
        FaultKind::NoProcess => {
            "P[e]@label, P[e]:variable or pc_value(e) with a number that no process has, or a process of another\n\
             type. The value is taken to be 0."
        }
        FaultKind::BadPriority => "A priority outside 1 to 255 is given to a process; 1 is used.",
        FaultKind::Truncation => {
            "A value does not fit the variable or message field that it is stored in, and loses its higher bits.\n\
             This is checked with --enable truncation only."
        }
        FaultKind::MessagesLeft => {
            "Every process is in a valid end state, but a channel still holds messages.\n\
             This is checked with --enable messages-left only."
        }
    }
}
