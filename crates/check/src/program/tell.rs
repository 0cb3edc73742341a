//! Renders an execution of a program as a trace, a violation report and witness waypoints.
//!
//! *Entry points:* [`trace`], [`violation`], [`waypoints`].

use axle_c::{ErrorKind, Trace as Way, TraceStep as WayStep};
use axle_evidence::report::ViolationReport;
use axle_evidence::trace::{Changed, Mover, Note, Seen, Trace, TraceStep};
use axle_evidence::witness::{Waypoint, WaypointKind};
use axle_source::Sources;

use super::Subject;
use super::checks::ProgramCheck;
use super::place::{at, macros, place, spelled};

/// The execution to a violation. The violation is stated at its last step or behind it.
pub(crate) fn trace(sources: &Sources, way: &Way) -> Trace {
    let mut steps = steps(sources, &way.steps);
    let mut ending = Vec::new();
    match &way.error {
        ErrorKind::Deadlock(_) | ErrorKind::Livelock(_) | ErrorKind::Race(_) => {
            ending.push(format!("{}:", message(&way.error)));
            ending.extend(details(sources, way).into_iter().map(|line| format!("  {line}")));
        }
        other => match steps.last_mut() {
            Some(last) => last.faults.push(message(other)),
            None => ending.push(message(other)),
        },
    }
    Trace { steps, ending, start: None, cycle: None }
}

/// The statements of an execution.
pub(crate) fn steps(sources: &Sources, steps: &[WayStep]) -> Vec<TraceStep> {
    (1..).zip(steps).map(|(number, step)| trace_step(sources, number, step)).collect()
}

fn trace_step(sources: &Sources, number: u64, step: &WayStep) -> TraceStep {
    let note = |note: &axle_c::Note| Note {
        text: note.text.clone(),
        gives: note.gives.clone(),
        takes: note.takes.clone(),
    };
    let changed = |change: &axle_c::Change| Changed {
        name: change.name.clone(),
        old: change.old.clone(),
        new: Some(change.new.clone()),
    };
    TraceStep {
        step: number,
        part: 1,
        parts: 1,
        by: Mover {
            pid: step.thread,
            process: step.name.clone(),
            place: Some(place(sources, step.loc)),
            statement: spelled(sources, step.loc),
        },
        partner: None,
        messages: Vec::new(),
        printed: step.printed.clone(),
        changes: step.changes.iter().map(changed).collect(),
        faults: Vec::new(),
        reads: (step.reads.iter())
            .map(|(name, value)| Seen { name: name.clone(), value: value.clone() })
            .collect(),
        notes: step.notes.iter().map(note).collect(),
        held: step.held.clone(),
        observed: None,
    }
}

/// The violation in one sentence.
fn message(error: &ErrorKind) -> String {
    match error {
        ErrorKind::Deadlock(_) => "deadlock: every thread is blocked".to_string(),
        ErrorKind::Livelock(_) => "livelock: no thread can make progress".to_string(),
        ErrorKind::Race(what) => format!("data race over {what}"),
        other => other.message(),
    }
}

/// Blocked threads, the conflicting access, and the macros that the place was expanded from.
fn details(sources: &Sources, way: &Way) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for stuck in &way.stuck {
        let place = stuck.loc.map(|loc| format!(" at {}", at(sources, loc))).unwrap_or_default();
        lines.push(format!("{}{place} {}", stuck.thread, stuck.what));
    }
    if let Some((thread, loc)) = &way.other {
        // The accesses are unordered, so the order in the trace is arbitrary.
        for (thread, may, loc) in
            [(&way.thread, "accesses it", &way.at), (thread, "may access it at the same time,", loc)]
        {
            lines.push(format!("{thread} {may} at {}: {}", at(sources, *loc), spelled(sources, *loc)));
        }
    }
    lines.extend(macros(sources, way.at));
    lines
}

/// A violation for the report.
pub(crate) fn violation(
    sources: &Sources,
    way: &Way,
    trace: &Trace,
    path: &[u32],
    count: u64,
) -> ViolationReport {
    let check = ProgramCheck::of(&way.error).map_or("", ProgramCheck::name);
    ViolationReport {
        property: check.to_string(),
        kind: way.error.name().to_string(),
        message: message(&way.error),
        process: Some(way.thread.clone()),
        place: Some(place(sources, way.at)),
        statement: Some(spelled(sources, way.statement)),
        depth: trace.steps.len() as u64,
        count,
        details: details(sources, way),
        path: path.iter().copied().map(Some).collect(),
        cycle: None,
    }
}

/// The waypoints of a run: functions that it enters, inputs, and the violation.
pub(crate) fn waypoints(subject: &Subject, way: &Way) -> Vec<Waypoint> {
    let sources = subject.sources;
    let mut list = Vec::new();
    for step in &way.steps {
        let at = |kind, function: &str| Waypoint {
            kind,
            place: place(sources, step.loc),
            function: function.to_string(),
        };
        list.extend(step.inputs.iter().map(|value| at(WaypointKind::Returns(value.clone()), &step.function)));
        list.extend(step.enters.iter().map(|_| at(WaypointKind::Enter, &step.function)));
    }
    // The thread at fault need not be the one that moved last.
    let last = || way.steps.last().map_or("main", |step| &step.function);
    let function = subject.program.function_at(way.at).unwrap_or_else(last).to_string();
    list.push(Waypoint { kind: WaypointKind::Target, place: place(sources, way.at), function });
    list
}
