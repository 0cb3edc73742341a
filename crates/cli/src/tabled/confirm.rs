//! A run of a model made by tables, tried on the program itself: its statements of C are looked for
//! in that order among the executions of the exact semantics. A run that the program cannot make is
//! spurious; then the first statement that cannot be made names the data that matter, and these the
//! rows to change.
//!
//! *Entry point:* [`confirm`].

use std::collections::BTreeSet;

use axle_c::compile;
use axle_c_exec::{Followed, Settings, Stepper, Wanted, follow, has_step};
use axle_evidence::report::ViolationReport;
use axle_evidence::trace::Trace;
use axle_extract::item::Class;
use axle_extract::lookup::Reason;
use axle_extract::{Mapping, Use};
use axle_outcome::{Confirmation, ViolationKind};
use axle_source::{Diagnostics, Severity};

use super::process::{Process, made, statements, use_at};
use crate::extract::Job;
use crate::files::Disk;

/// States of the program that are looked at.
const MOST: usize = 200_000;

/// What is known of a run.
pub(crate) struct Confirmed {
    /// Whether the program makes it.
    pub result: Confirmation,
    /// In sentences.
    pub sentence: String,
}

fn unknown(why: &str) -> Confirmed {
    Confirmed { result: Confirmation::None, sentence: format!("not confirmed on the program itself: {why}") }
}

/// Tries a run on the program. `is_wrapped`: the user gave the processes other surroundings than the
/// program has.
pub(crate) fn confirm(
    run: &Trace,
    told: &ViolationReport,
    processes: &[Process],
    is_wrapped: bool,
    job: &mut Job,
) -> Confirmed {
    if job.program.unit.function("main").is_none() {
        return unknown("it has no `main`");
    }
    let mut diagnostics = Diagnostics::new();
    let program = compile(&job.files, &job.options, &Disk, &mut job.sources, &mut diagnostics);
    let Some(program) = program else {
        let fault = diagnostics.iter().find(|one| one.severity == Severity::Error);
        return unknown(&fault.map_or("it cannot be read".to_string(), |fault| fault.message.clone()));
    };
    let settings = Settings::default();
    let stepper = Stepper::new(&program, &settings);
    let wanted = |process: &Process, index: usize| Wanted {
        function: process.extraction.function.clone(),
        loc: process.extraction.uses[index].loc,
    };
    let executed = statements(run, processes).into_iter();
    // A declaration may be a step of the program only, or of the model only.
    let is_step =
        |process: &Process, index: usize| process.extraction.uses[index].item.class != Class::Declaration;
    let steps = executed.filter_map(|one| Some((one.process, use_at(one.process, one.line)?)));
    let steps: Vec<(&Process, usize)> = steps.filter(|(process, index)| is_step(process, *index)).collect();
    let steps: Vec<(&Process, usize)> =
        steps.into_iter().filter(|(process, index)| has_step(&stepper, &wanted(process, *index))).collect();
    let script: Vec<Wanted> = steps.iter().map(|(process, index)| wanted(process, *index)).collect();
    let mut watched = Vec::new();
    for process in processes {
        for (_, index) in process.extraction.map.iter().filter(|(_, index)| is_step(process, *index)) {
            let one = wanted(process, *index);
            if !watched.contains(&one) {
                watched.push(one);
            }
        }
    }
    // What the program itself asserts must fail there too; what the wrapper asserts has no equal in
    // it.
    let fault = told.kind == ViolationKind::Assertion
        && steps
            .last()
            .is_some_and(|(process, index)| process.extraction.uses[*index].item.class == Class::Call);
    // All statements in one order first; then those of each function, because what a thread does
    // alone has no place among the steps of others.
    let strict = follow(&stepper, &script, &watched, true, fault, MOST);
    let loose = match strict.done {
        true => strict.clone(),
        false => follow(&stepper, &script, &watched, false, fault, MOST),
    };
    if loose.done && fault {
        let what = loose.error_site.map(|error_site| format!("; there {}", error_site.error.message()));
        let sentence = format!("confirmed: the program makes this run{}", what.unwrap_or_default());
        return Confirmed { result: Confirmation::Real, sentence };
    }
    if strict.done {
        return unknown(match fault {
            true => "the program executes these statements in this order without this violation",
            false => "the program executes these statements in this order; the violation is one of the model",
        });
    }
    if is_wrapped && processes.iter().any(|process| process.extraction.function == "main") {
        return unknown("its surroundings are those of the wrapper");
    }
    if loose.done {
        return unknown("each thread can make its part of the run, but perhaps not in this order");
    }
    let mut movers: BTreeSet<(&str, u32)> = BTreeSet::new();
    for mover in super::process::movers(run) {
        if let Some((process, _)) = made(mover, processes) {
            movers.insert((&process.extraction.function, mover.pid));
        }
    }
    let functions: BTreeSet<&str> = movers.iter().map(|(function, _)| *function).collect();
    if functions.len() < movers.len() {
        return unknown("several processes run one function, and which thread is which is not known");
    }
    let followed = loose;
    let tried = match (followed.stopped, followed.restricted) {
        (true, _) => return unknown("the search for it met a limit"),
        (false, true) => "with the inputs that were tried, ",
        (false, false) => "",
    };
    let sentence = spurious(&followed, tried, &steps, processes, job);
    // Inputs that were not tried might still lead there.
    let result = if followed.restricted { Confirmation::None } else { Confirmation::Spurious };
    Confirmed { result, sentence: sentence.trim_end().to_string() }
}

/// Why the program does not make a run: the first step that it cannot make, the data that decide it, and
/// the rows that drop them.
fn spurious(
    followed: &Followed,
    tried: &str,
    steps: &[(&Process, usize)],
    processes: &[Process],
    job: &Job,
) -> String {
    let mut sentence = format!("spurious: {tried}the program does not make this run\n");
    // All statements were executed without violation: the last one differs from the model.
    let at = followed.missing.unwrap_or(steps.len().saturating_sub(1));
    if let Some((process, index)) = steps.get(at) {
        let of = &process.extraction.uses[*index];
        let what = if followed.missing.is_some() { "cannot be taken" } else { "has no violation there" };
        sentence.push_str(&format!("  step {} {what}: {}\n", at + 1, shown(of, job)));
        let before = steps[..at].iter().rev().find(|(other, index)| {
            other.extraction.function == process.extraction.function
                && other.extraction.uses[*index].item.class == Class::Condition
        });
        let mut objects: BTreeSet<String> = BTreeSet::new();
        let mut rows = BTreeSet::new();
        let decided: Vec<&(&Process, usize)> = before.into_iter().chain([&steps[at]]).collect();
        for (process, index) in decided {
            let of = &process.extraction.uses[*index];
            if of.item.class == Class::Condition || of.item.class == Class::Call {
                objects.extend(of.item.names().iter().map(|name| name.to_string()));
            }
            if process.judged[*index].label.over {
                rows.insert(row(process, of));
            }
        }
        for process in processes {
            for of in &process.extraction.uses {
                let changes = of.item.class != Class::Condition && of.item.class != Class::Return;
                let uses = of.item.names().iter().any(|name| objects.contains(&**name));
                if changes && uses && leaves_no_trace(&of.found.mapping) {
                    rows.insert(row(process, of));
                }
            }
        }
        let list = |set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>().join(", ");
        if !objects.is_empty() {
            sentence.push_str(&format!("  the data that matter: {}\n", list(objects)));
        }
        if !rows.is_empty() {
            sentence.push_str("  rows to change:\n");
            rows.iter().for_each(|row| sentence.push_str(&format!("    {row}\n")));
        }
    }
    sentence
}

fn leaves_no_trace(mapping: &Mapping) -> bool {
    matches!(mapping, Mapping::Hide | Mapping::Print | Mapping::Comment | Mapping::Skip)
}

/// A statement of C with its place.
fn shown(of: &Use, job: &Job) -> String {
    let place = job.sources.place(job.sources.outermost(of.loc));
    format!("{}:{}:{}  {}", place.file, place.start.line, place.start.column, of.item.shown())
}

/// A row with its place in the table.
fn row(process: &Process, of: &Use) -> String {
    match of.found.reason {
        Reason::Row(line) => {
            let right = process.table.row(line).map_or("", |row| row.right.as_str());
            format!("{}:{}  {} -> {right}", process.table.name, line + 1, of.item.shown())
        }
        Reason::Object(_) | Reason::Included(..) | Reason::Default => {
            format!("{}  {}", process.table.name, of.item.shown())
        }
    }
}
