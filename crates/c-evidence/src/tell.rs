//! Renders an execution of a program as a trace, a violation report and witness waypoints.
//!
//! *Entry points:* [`trace`], [`violation`], [`waypoints`].

use axle_c_exec::{ErrorKind, Trace as Execution, TraceStep as ExecutionStep};
use axle_evidence::report::ViolationReport;
use axle_evidence::trace::{Call, Changed, Mover, Note, NoteKind, Seen, Trace, TraceStep};
use axle_evidence::witness::{Waypoint, WaypointKind};
use axle_question::checks::Check;
use axle_question::subject::Subject;
use axle_source::Sources;

use crate::error_text::ErrorText;
use crate::place::{place, spelled};

/// The execution to a violation. The violation is stated at the steps that make it, at the last
/// step or behind it.
pub fn trace(sources: &Sources, execution: &Execution, text: &ErrorText) -> Trace {
    let mut steps = steps(sources, &execution.steps);
    let mut ending = Vec::new();
    for (step, mark) in &text.marks {
        steps[*step].faults.push(mark.clone());
    }
    match (&execution.error, steps.last_mut()) {
        (ErrorKind::Deadlock(_) | ErrorKind::Livelock(_) | ErrorKind::Race(_), _) | (_, None) => {
            ending.push(format!("{}:", text.message));
            ending.extend(text.details.iter().map(|line| format!("  {line}")));
        }
        (_, Some(last)) => last.faults.push(text.message.clone()),
    }
    Trace { ending, ..Trace::of(steps) }
}

/// The execution to a violation where all errors are checked.
pub fn execution(sources: &Sources, execution: &Execution) -> Trace {
    trace(sources, execution, &ErrorText::of(sources, execution, true))
}

/// The statements of an execution.
pub fn steps(sources: &Sources, steps: &[ExecutionStep]) -> Vec<TraceStep> {
    (1..).zip(steps).map(|(number, step)| trace_step(sources, number, step)).collect()
}

fn trace_step(sources: &Sources, number: u64, step: &ExecutionStep) -> TraceStep {
    let note = |note: &axle_c_exec::Note| Note {
        text: note.text.clone(),
        kind: match note.kind {
            axle_c_exec::NoteKind::Operation => NoteKind::Operation,
            axle_c_exec::NoteKind::Input => NoteKind::Input,
            axle_c_exec::NoteKind::Waiting => NoteKind::Waiting,
            axle_c_exec::NoteKind::Outcome => NoteKind::Outcome,
        },
        gives: note.gives.clone(),
        takes: note.takes.clone(),
    };
    let changed = |change: &axle_c_exec::Change| Changed {
        name: change.name.clone(),
        old: change.old.clone(),
        new: Some(change.new.clone()),
        frame: change.frame,
    };
    let seen = |(name, value): &(String, String)| Seen { name: name.clone(), value: value.clone() };
    let called = |call: &axle_c_exec::Call| Call {
        function: call.function.clone(),
        arguments: call.arguments.iter().map(seen).collect(),
    };
    let by = Mover {
        pid: step.thread,
        process: step.name.clone(),
        place: Some(place(sources, step.loc)),
        statement: spelled(sources, step.loc),
    };
    TraceStep {
        printed: step.printed.clone(),
        changes: step.changes.iter().map(changed).collect(),
        reads: step.reads.iter().map(seen).collect(),
        notes: step.notes.iter().map(note).collect(),
        held: step.held.clone(),
        depth: step.depth,
        calls: step.enters.iter().map(called).collect(),
        ..TraceStep::of(number, by)
    }
}

/// A violation for the report.
pub fn violation(
    sources: &Sources,
    text: &ErrorText,
    trace: &Trace,
    path: &[u32],
    count: u64,
) -> ViolationReport {
    ViolationReport {
        property: text.check.map_or("", Check::name).to_string(),
        kind: text.kind.into(),
        message: text.message.clone(),
        process: Some(text.thread.clone()),
        place: Some(place(sources, text.at)),
        statement: Some(spelled(sources, text.statement)),
        depth: trace.steps.len() as u64,
        count,
        details: text.details.clone(),
        path: path.iter().copied().map(Some).collect(),
        cycle: None,
        attempt: None,
        rows: Vec::new(),
    }
}

/// The waypoints of a run: functions that it enters, inputs, and the violation.
pub fn waypoints(subject: &Subject, execution: &Execution, text: &ErrorText) -> Vec<Waypoint> {
    let sources = subject.sources;
    let mut list = Vec::new();
    for step in &execution.steps {
        let at = |kind, function: &str| Waypoint {
            kind,
            place: place(sources, step.loc),
            function: function.to_string(),
        };
        list.extend(step.inputs.iter().map(|value| at(WaypointKind::Returns(value.clone()), &step.function)));
        list.extend(step.enters.iter().map(|_| at(WaypointKind::Enter, &step.function)));
    }
    // The thread at fault need not be the one that moved last.
    let last = || execution.steps.last().map_or("main", |step| &step.function);
    let function = subject.program.function_at(text.at).unwrap_or_else(last).to_string();
    list.push(Waypoint { kind: WaypointKind::Target, place: place(sources, text.at), function });
    list
}
