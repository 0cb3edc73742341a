//! The report as text: the verdict first, then what went wrong, then what was covered.
//!
//! *Entry points:* [`verdict`], [`violation`], [`coverage`].

use std::fmt::Write;

use axle_check::{Report, Verdict};
use axle_evidence::report::{
    ApproximateRunReport, ApproximationReport, PassReport, PlaceReport, PropertyReport, ViolationReport,
};

use crate::quantities::{bytes, number};

/// The verdict in a line.
pub fn verdict(report: &Report, color: bool) -> String {
    format!("{}: {}\n", report.model, painted(&headline(report), report.verdict, color))
}

/// What went wrong, and where.
pub fn violation(violation: &ViolationReport) -> String {
    let mut out = String::new();
    write_violation(&mut out, violation).expect("a string takes all text");
    out
}

/// What was checked and covered.
pub fn coverage(report: &Report) -> String {
    let mut out = String::from("\n");
    write_coverage(&mut out, report).expect("a string takes all text");
    out
}

fn write_coverage(out: &mut String, report: &Report) -> std::fmt::Result {
    let stop = report.stop.as_ref().map(|stop| &stop.message);
    let reasons = || report.properties.iter().filter_map(|property| property.reason.as_ref());
    let shared = reasons().next().filter(|first| reasons().count() > 1 && reasons().all(|one| one == *first));
    write_properties(out, &report.properties, stop.or(shared))?;
    for check in &report.not_checked {
        writeln!(out, "  {}  not checked: {} ({})", check.name, check.meaning, check.remark)?;
    }
    if let (None, Some(reason)) = (stop, shared) {
        writeln!(out, "\nunknown: {reason}")?;
    }
    if let Some(message) = stop {
        writeln!(out, "\nnot complete: {message}")?;
    }
    for warning in &report.warnings {
        let place = warning.place.as_ref().map(|place| format!(" at {}", shown(place))).unwrap_or_default();
        writeln!(out, "\nwarning{place}: {}", warning.message)?;
    }
    write_unreached(out, report)?;
    write_search(out, report)
}

/// Green, red or yellow.
fn painted(text: &str, verdict: Verdict, color: bool) -> String {
    let code = match verdict {
        Verdict::Holds => 32,
        Verdict::Violated => 31,
        Verdict::Unknown => 33,
    };
    if color { format!("\x1b[1;{code}m{text}\x1b[0m") } else { text.to_string() }
}

fn headline(report: &Report) -> String {
    let count = |verdict| report.properties.iter().filter(|p| p.verdict == verdict).count();
    match report.verdict {
        Verdict::Holds => "holds".to_string(),
        Verdict::Violated => match report.violations.len() {
            0 => "violated".to_string(),
            1 => "violated: 1 violation".to_string(),
            n => format!("violated: {n} different violations"),
        },
        Verdict::Unknown if report.stop.as_ref().is_some_and(|stop| stop.reason == "approximate") => {
            "unknown, no violation found".to_string()
        }
        Verdict::Unknown => match count(Verdict::Holds) {
            0 => "unknown".to_string(),
            _ => "unknown, though what could be checked holds".to_string(),
        },
    }
}

fn write_violation(out: &mut String, violation: &ViolationReport) -> std::fmt::Result {
    writeln!(out, "{}", violation.message)?;
    if let Some(place) = &violation.place {
        write!(out, "  at {}", shown(place))?;
        if let Some(process) = &violation.process {
            write!(out, " in {process}")?;
        }
        if let Some(statement) = &violation.statement {
            write!(out, ": {statement}")?;
        }
        writeln!(out)?;
    }
    for detail in &violation.details {
        writeln!(out, "  {detail}")?;
    }
    match violation.depth {
        0 => writeln!(out, "  before the first step"),
        1 => writeln!(out, "  after 1 step"),
        n => writeln!(out, "  after {} steps", number(n)),
    }
}

/// The table of properties. The reason that holds for all of them is told once, below it.
fn write_properties(
    out: &mut String,
    properties: &[PropertyReport],
    common: Option<&String>,
) -> std::fmt::Result {
    let width = properties.iter().map(|p| p.name.chars().count()).max().unwrap_or(0);
    for property in properties {
        let verdict = match property.verdict {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Unknown => "unknown",
        };
        write!(out, "  {:width$}  {verdict:8}  {}", property.name, property.meaning)?;
        match property.reason.as_ref().filter(|&reason| Some(reason) != common) {
            Some(reason) => writeln!(out, " ({reason})")?,
            None => writeln!(out)?,
        }
        if let Some(search) = &property.search {
            let ([states, seen], [edges, taken]) = (search.claim_states, search.claim_transitions);
            write!(out, "  {:width$}            {} states", "", number(search.states))?;
            write!(out, ", {} transitions; of the automaton ", number(search.transitions))?;
            match &search.algorithm[..] {
                "events" => write!(out, "{seen} of {states} states seen")?,
                _ => write!(out, "{seen} of {states} states and {taken} of {edges} transitions seen")?,
            }
            if !search.passes.is_empty() {
                let names: Vec<&str> = search.passes.iter().map(|pass| pass.name.as_str()).collect();
                write!(out, "; of a smaller model: {}", names.join(", "))?;
            }
            match &search.fairness[..] {
                "none" => writeln!(out)?,
                fairness => writeln!(out, "; {fairness} fairness")?,
            }
            for run in search.approximation.iter().flat_map(|told| &told.runs) {
                write!(out, "  {:width$}            ", "")?;
                write_run(out, run)?;
            }
        }
        for remark in &property.remarks {
            writeln!(out, "  {:width$}            {remark}", "")?;
        }
    }
    Ok(())
}

fn write_unreached(out: &mut String, report: &Report) -> std::fmt::Result {
    // Of a search that stopped early it says nothing that a statement was not reached.
    if report.stop.is_some() || report.unreached.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nnever reached:")?;
    for process in &report.unreached {
        writeln!(
            out,
            "  {}: {} of {} statements",
            process.process,
            process.unreached.len(),
            process.statements
        )?;
        for statement in &process.unreached {
            let place = statement.place.as_ref().map(shown).unwrap_or_default();
            writeln!(out, "    {place}  {}", statement.text)?;
        }
    }
    Ok(())
}

fn write_search(out: &mut String, report: &Report) -> std::fmt::Result {
    let search = &report.search;
    if search.states == 0 && report.stop.is_none() {
        return writeln!(out, "\n{:.3} s", search.seconds);
    }
    writeln!(
        out,
        "\n{} states of {}, {} transitions, depth {}, {} for states and {} for paths, {:.3} s ({}, {} store, {})",
        number(search.states),
        bytes(search.state_bytes),
        number(search.transitions),
        number(search.depth),
        bytes(search.states_memory),
        bytes(search.paths_memory),
        search.seconds,
        search.order,
        if search.store == "none" { "no" } else { &search.store },
        search.engine,
    )?;
    if !search.passes.is_empty() {
        writeln!(out, "{}", passes(&search.passes))?;
    }
    if search.counter_abstraction {
        writeln!(out, "threads that are alike were counted as any number of them")?;
    }
    if let Some(told) = &search.approximation {
        write_approximation(out, told)?;
    }
    for round in &report.refinement {
        let (seconds, allowed) = (round.seconds, round.allowed);
        write!(out, "refined: {allowed:.0} s allowed, {seconds:.1} s taken; ")?;
        write_run(out, &round.run)?;
    }
    match &search.reduction {
        None => Ok(()),
        Some(reduction) => match &reduction.reason {
            Some(reason) => writeln!(out, "not reduced: {reason}"),
            None => writeln!(
                out,
                "reduced ({}): some processes left out in {} of {} states, {} states passed through without storing \
                 them",
                reduction.kind,
                number(reduction.reduced),
                number(reduction.expanded),
                number(reduction.passed),
            ),
        },
    }
}

/// What made the model smaller.
fn passes(passes: &[PassReport]) -> String {
    let all: Vec<String> =
        passes.iter().map(|pass| format!("{} in {} places", pass.name, number(pass.changed))).collect();
    format!("of a smaller model: {}", all.join(", "))
}

/// Searches that are told of one by one, at either end of a long list.
const ENDS: usize = 12;

fn write_approximation(out: &mut String, told: &ApproximationReport) -> std::fmt::Result {
    let count = told.runs.len();
    for (index, run) in told.runs.iter().enumerate() {
        if count > 2 * ENDS && index == ENDS {
            writeln!(out, "  ... {} searches left out; --json has them ...", count - 2 * ENDS)?;
        }
        if count <= 2 * ENDS || index < ENDS || index >= count - ENDS {
            write!(out, "  ")?;
            write_run(out, run)?;
        }
    }
    if count > 1 {
        write!(out, "together about {} states stored", number(told.stored as u64))?;
        writeln!(out, " of at least about {}", number(told.estimated as u64))?;
    }
    Ok(())
}

/// A search that may have missed states, in a line.
fn write_run(out: &mut String, run: &ApproximateRunReport) -> std::fmt::Result {
    write!(out, "{}: {} states, ", run.order, number(run.states))?;
    match (run.filled, &run.store[..]) {
        (_, "none") => write!(out, "{} steps", number(run.transitions.saturating_sub(1)))?,
        (Some(filled), _) => write!(
            out,
            "{} bits {:.1} % set, {} for each state, about {} missed ({} of {} looked at)",
            number(run.bits),
            filled * 100.0,
            run.functions,
            number(run.expected_omissions.round() as u64),
            number(run.sampled_omissions),
            number(run.sampled),
        )?,
        (None, _) => {
            write!(out, "fingerprints of {} bits, {:.1e} expected missed", run.bits, run.expected_omissions)?;
        }
    }
    match &run.stop {
        Some(stop) => writeln!(out, ", ended early ({stop})"),
        None => writeln!(out),
    }
}

fn shown(place: &PlaceReport) -> String {
    format!("{}:{}", place.file, place.line)
}
