//! The report as text: the verdict first, then the violations, then what was covered, then the
//! verdict again.
//!
//! *Entry points:* [`verdict`], [`violation`], [`coverage`]. Lines are wrapped by the caller.

use std::fmt::Write;

use axle_check::{Report, Verdict};
use axle_evidence::report::{
    AbstractionReport, ApproximateRunReport, ApproximationReport, PassReport, PlaceReport, PropertyReport,
    RunSearchReport, SearchReport, SpuriousReport, ViolationReport,
};
use axle_outcome::{Count, StopReason};

use crate::quantities::{bytes, number};

/// The verdict in a line.
pub fn verdict(report: &Report, color: bool) -> String {
    format!("{}: {}\n", report.model, painted(&headline(report), report.verdict, color))
}

/// A violation: message, location, details, and its distance from the initial state.
pub fn violation(violation: &ViolationReport) -> String {
    let mut out = String::new();
    write_violation(&mut out, violation).expect("a string takes all text");
    out
}

/// The checks with their verdicts, warnings, coverage and statistics.
pub fn coverage(report: &Report) -> String {
    let mut out = String::from("\n");
    write_coverage(&mut out, report).expect("a string takes all text");
    out
}

fn write_coverage(out: &mut String, report: &Report) -> std::fmt::Result {
    let (rows, undecided) = undecided(report);
    write_properties(out, &rows)?;
    if let Some(line) = undecided {
        writeln!(out, "  {line}")?;
    }
    // The headline states them where every check holds.
    let some_hold = report.properties.iter().any(|property| property.verdict == Verdict::Holds);
    for condition in report.conditions.iter().filter(|_| some_hold && report.verdict != Verdict::Holds) {
        writeln!(out, "  condition of the checks that hold: {condition}")?;
    }
    for check in &report.not_checked {
        writeln!(out, "  {}  not checked: {}", check.name, check.remark)?;
    }
    for warning in &report.warnings {
        let place = warning.place.as_ref().map(|place| format!(" at {}", shown(place))).unwrap_or_default();
        writeln!(out, "\nwarning{place}: {}", warning.message)?;
    }
    write_unreached(out, report)?;
    write_search(out, report)?;
    report.hints.iter().try_for_each(|hint| writeln!(out, "hint: {hint}"))
}

/// The checks that have a row of their own, and one line for all others: those that are undecided
/// for the same reason, the end of the search or a reason that several share.
fn undecided(report: &Report) -> (Vec<&PropertyReport>, Option<String>) {
    let stop = report.stop.as_ref().map(|stop| &stop.message);
    let reasons = || report.properties.iter().filter_map(|property| property.reason.as_ref());
    let shared = reasons().next().filter(|first| reasons().count() > 1 && reasons().all(|one| one == *first));
    let Some(common) = stop.or(shared) else { return (report.properties.iter().collect(), None) };
    let alike = |property: &&PropertyReport| {
        let plain = property.search.is_none() && property.remarks.is_empty() && property.vacuity.is_empty();
        plain && property.verdict == Verdict::Unknown && property.reason.as_ref() == Some(common)
    };
    let (alike, rows): (Vec<_>, Vec<_>) = report.properties.iter().partition(alike);
    let other = if rows.is_empty() { "" } else { "other " };
    let line = match &alike[..] {
        [] if stop.is_none() => None,
        [] => Some(common.clone()),
        [one] => Some(format!("1 {other}check not decided ({}): {common}", one.name)),
        _ => Some(format!("{} {other}checks not decided: {common}", alike.len())),
    };
    (rows, line)
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
    match report.verdict {
        Verdict::Holds if report.conditions.is_empty() => "holds".to_string(),
        Verdict::Holds => format!("holds ({})", report.conditions.join("; ")),
        Verdict::Violated => match report.violations.len() {
            0 => "violated".to_string(),
            1 => "violated: 1 violation".to_string(),
            n => format!("violated: {n} violations"),
        },
        Verdict::Unknown if !report.violations.is_empty() => "unknown: violation not confirmed".to_string(),
        Verdict::Unknown => {
            let holds = report.properties.iter().any(|property| property.verdict == Verdict::Holds);
            match report.stop.as_ref().map(|stop| stop.reason) {
                Some(StopReason::Approximate) => "unknown: no violation found".to_string(),
                Some(_) => {
                    let products = || products(report).map_or(Count::ZERO, |all| all.states);
                    let states = Some(report.search.states.clone()).filter(|states| !states.is_zero());
                    let states = states.unwrap_or_else(products);
                    match states.is_zero() {
                        // An engine without single states. Its depth is that of its present question.
                        true => "unknown: no violation found".to_string(),
                        false => {
                            format!("unknown: no violation found in {}", plural(states, "state", "states"))
                        }
                    }
                }
                None if holds => "unknown: some checks hold, others are not decided".to_string(),
                None => "unknown".to_string(),
            }
        }
    }
}

/// The searches for all properties together.
struct Products<'r> {
    states: Count,
    transitions: Count,
    memory: u64,
    algorithm: &'r str,
    store: &'r str,
}

/// The searches for all properties together; none without any.
fn products(report: &Report) -> Option<Products<'_>> {
    let searches = || report.properties.iter().filter_map(|property| property.search.as_ref());
    let first = searches().next()?;
    Some(Products {
        states: searches().map(|search| search.states.clone()).sum(),
        transitions: searches().map(|search| search.transitions.clone()).sum(),
        memory: searches().map(|search| search.states_memory + search.search_memory).sum(),
        algorithm: &first.algorithm,
        store: &first.store,
    })
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

/// The table of checks and properties.
fn write_properties(out: &mut String, properties: &[&PropertyReport]) -> std::fmt::Result {
    let width = properties.iter().map(|p| p.name.chars().count()).max().unwrap_or(0);
    let margin = " ".repeat(width + 14);
    for property in properties {
        let verdict = property.verdict.name();
        write!(out, "  {:width$}  {verdict:8}  {}", property.name, property.meaning)?;
        match &property.reason {
            Some(reason) => writeln!(out, " ({reason})")?,
            None => writeln!(out)?,
        }
        if let Some(search) = &property.search {
            writeln!(out, "{margin}{}", product(search))?;
            for run in search.approximation.iter().flat_map(|approximation| &approximation.runs) {
                write!(out, "{margin}")?;
                write_run(out, run)?;
            }
        }
        for remark in property.vacuity.iter().chain(&property.remarks) {
            writeln!(out, "{margin}{remark}")?;
        }
    }
    Ok(())
}

/// The statistics of the search for a counterexample to a property.
fn product(search: &RunSearchReport) -> String {
    let ([states, seen], [edges, taken]) = (search.claim_states, search.claim_transitions);
    let mut line = format!(
        "{}, {}; automaton coverage: {seen}/{}",
        plural(&search.states, "state", "states"),
        plural(&search.transitions, "transition", "transitions"),
        plural(states, "state", "states"),
    );
    if search.algorithm != "events" {
        line.push_str(&format!(", {taken}/{}", plural(edges, "transition", "transitions")));
    }
    if !search.passes.is_empty() {
        line.push_str(&format!("; {}", passes(&search.passes)));
    }
    if search.fairness != "none" {
        line.push_str(&format!("; {} fairness", search.fairness));
    }
    line
}

fn write_unreached(out: &mut String, report: &Report) -> std::fmt::Result {
    // A search that stopped early does not show that a statement is unreachable.
    if report.stop.is_some() || report.unreached.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nunreachable statements:")?;
    for process in &report.unreached {
        let (unreached, all) = (process.unreached.len(), process.statements);
        writeln!(out, "  {}: {unreached} of {}", process.process, plural(all, "statement", "statements"))?;
        for statement in &process.unreached {
            let place = statement.place.as_ref().map(shown).unwrap_or_default();
            writeln!(out, "    {place}  {}", statement.text)?;
        }
    }
    Ok(())
}

fn write_search(out: &mut String, report: &Report) -> std::fmt::Result {
    let search = &report.search;
    if let Some(proof) = &search.proof {
        writeln!(out, "\nproved by {}: {proof}; {:.3} s", search.answered_by, search.seconds)?;
        return write_abstraction(out, report);
    }
    if search.states == 0 && report.stop.is_none() {
        return writeln!(out, "\n{:.3} s", search.seconds);
    }
    if search.states == 0
        && let Some(products) = products(report)
    {
        return writeln!(
            out,
            "\n{} of the product, {}, {}, {:.3} s ({}, {} store)",
            plural(products.states, "state", "states"),
            plural(products.transitions, "transition", "transitions"),
            bytes(products.memory),
            search.seconds,
            products.algorithm,
            products.store,
        );
    }
    // A search that was cut short has reported its progress only.
    if search.state_bytes == 0 {
        let memory = bytes(search.states_memory + search.paths_memory);
        let covered = match search.states.is_zero() {
            true => format!("depth {}", number(search.depth)),
            false => format!(
                "{}, {}",
                plural(&search.states, "state", "states"),
                plural(&search.transitions, "transition", "transitions")
            ),
        };
        return writeln!(out, "\n{covered}, {memory}, {:.3} s", search.seconds);
    }
    // An engine that explores no single states.
    if search.states == 0 {
        let (depth, seconds, order) = (number(search.depth), search.seconds, &search.order);
        writeln!(out, "\ndepth {depth}, {seconds:.3} s ({order})")?;
        return write_abstraction(out, report);
    }
    writeln!(
        out,
        "\n{} of {}, {}, depth {}, {}, {:.3} s ({}, {} store, {})",
        plural(&search.states, "state", "states"),
        bytes(search.state_bytes),
        plural(&search.transitions, "transition", "transitions"),
        number(search.depth),
        bytes(search.states_memory + search.paths_memory),
        search.seconds,
        search.order,
        if search.store == "none" { "no" } else { &search.store },
        search.engine,
    )?;
    if let Some(approximation) = &search.approximation {
        write_approximation(out, approximation)?;
    }
    for round in &report.refinement {
        let (seconds, allowed) = (round.seconds, round.allowed);
        write!(out, "refined: budget of {}, {seconds:.1} s; ", plural(allowed, "state", "states"))?;
        write_run(out, &round.run)?;
    }
    let reductions = reductions(search);
    if !reductions.is_empty() {
        writeln!(out, "{}", reductions.join("; "))?;
    }
    write_abstraction(out, report)
}

/// The most lines about the predicates of an abstraction, and about its invariant.
const MOST_PREDICATES: usize = 12;
const MOST_CONDITIONS: usize = 4;
/// The most characters of a condition.
const MOST_TEXT: usize = 160;

/// The abstraction: its predicates, its invariant, and the last spurious counterexample without a proof.
fn write_abstraction(out: &mut String, report: &Report) -> std::fmt::Result {
    let Some(abstraction) = &report.search.abstraction else { return Ok(()) };
    writeln!(
        out,
        "abstraction: {}, {}, {}, {}, {} cached",
        plural(abstraction.predicates.len() as u64, "predicate", "predicates"),
        plural(abstraction.states, "abstract state", "abstract states"),
        plural(abstraction.iterations, "iteration", "iterations"),
        plural(abstraction.queries, "query", "queries"),
        number(abstraction.cached),
    )?;
    if let Some(times) = &abstraction.times.filter(|times| times.seconds > 0.0) {
        writeln!(
            out,
            "  {:.0} queries per second; {:.0} % of the time in the decision procedure; longest iteration {:.3} s",
            abstraction.queries as f64 / times.seconds,
            100.0 * times.deciding / times.seconds,
            times.longest_iteration,
        )?;
    }
    if !abstraction.concrete.is_empty() {
        writeln!(out, "  not abstracted: {}", abstraction.concrete.join(", "))?;
    }
    for map in &abstraction.maps {
        match &map.conflict {
            None => writeln!(out, "  map {}: congruence", map.text)?,
            Some(conflict) => {
                writeln!(out, "  map {}: over-approximation, since it identifies {conflict}", map.text)?;
            }
        }
    }
    for predicate in abstraction.predicates.iter().take(MOST_PREDICATES) {
        let origin = if predicate.given { "given" } else { "inferred" };
        writeln!(out, "  predicate {} ({origin})", predicate.text)?;
    }
    write_rest(out, abstraction.predicates.len(), MOST_PREDICATES, "predicates")?;
    for part in abstraction.invariant.iter().take(MOST_CONDITIONS) {
        let mut condition = part.condition.clone();
        if let Some((end, _)) = condition.char_indices().nth(MOST_TEXT) {
            condition.truncate(end);
            condition.push_str(" ...");
        }
        match &part.places[..] {
            _ if abstraction.invariant.len() == 1 => writeln!(out, "  invariant: {condition}")?,
            [place] => writeln!(out, "  invariant, {place}: {condition}")?,
            [place, others @ ..] => {
                let others = plural(others.len() as u64, "other place", "other places");
                writeln!(out, "  invariant, {place}, and {others}: {condition}")?;
            }
            [] => {}
        }
    }
    write_rest(out, abstraction.invariant.len(), MOST_CONDITIONS, "conditions")?;
    match abstraction.spurious.last() {
        Some(last) if report.verdict == Verdict::Unknown => write_spurious(out, abstraction, last),
        _ => Ok(()),
    }
}

/// The last spurious counterexample.
fn write_spurious(
    out: &mut String,
    abstraction: &AbstractionReport,
    last: &SpuriousReport,
) -> std::fmt::Result {
    let count = abstraction.spurious.len() as u64;
    writeln!(
        out,
        "  {} refuted; the last one has {}",
        plural(count, "spurious counterexample", "spurious counterexamples"),
        plural(last.steps, "step", "steps"),
    )?;
    match &last.statement {
        Some(statement) => {
            writeln!(out, "  step {} cannot be executed: {statement}", number(last.infeasible))?;
        }
        None => writeln!(out, "  its last state violates no property")?,
    }
    match &last.missing[..] {
        [] => writeln!(out, "  no further predicate was found"),
        missing => writeln!(out, "  missing: {}", missing.join("; ")),
    }
}

/// A line for what is not shown.
fn write_rest(out: &mut String, all: usize, most: usize, what: &str) -> std::fmt::Result {
    match all.saturating_sub(most) {
        0 => Ok(()),
        rest => writeln!(out, "  ... and {rest} further {what}, which the JSON report lists"),
    }
}

/// The reductions that were applied, and why partial-order reduction was not.
fn reductions(search: &SearchReport) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(reduction) = &search.reduction {
        all.push(match &reduction.reason {
            Some(reason) => format!("no partial-order reduction: {reason}"),
            None => format!(
                "partial-order reduction ({}): {}/{} states reduced, {} not stored",
                reduction.kind,
                number(reduction.reduced),
                number(reduction.expanded),
                number(reduction.passed),
            ),
        });
    }
    if !search.passes.is_empty() {
        all.push(passes(&search.passes));
    }
    if search.counter_abstraction {
        all.push("counter abstraction of identical threads".to_string());
    }
    all
}

/// The model reductions that were applied, with the number of changes of each.
fn passes(passes: &[PassReport]) -> String {
    let term = |pass: &PassReport| {
        let term = match pass.name.as_str() {
            "slice" => "sliced statements and variables",
            "constants" => "propagated constants",
            "hide" => "hidden variables",
            "dead" => "dead-variable resets",
            "merge" => "merged steps",
            other => other,
        };
        format!("{term} {}", number(pass.changed))
    };
    let all: Vec<String> = passes.iter().map(term).collect();
    format!("reductions applied: {}", all.join(", "))
}

/// A count with its noun: `1 state`, `1,234 states`.
fn plural(count: impl Into<Count>, one: &str, many: &str) -> String {
    let count = count.into();
    format!("{} {}", number(&count), if count == 1 { one } else { many })
}

/// Searches that are shown at either end of a long list.
const ENDS: usize = 12;

fn write_approximation(out: &mut String, approximation: &ApproximationReport) -> std::fmt::Result {
    let count = approximation.runs.len();
    for (index, run) in approximation.runs.iter().enumerate() {
        if count > 2 * ENDS && index == ENDS {
            writeln!(out, "  ... {} searches omitted; --json contains them ...", count - 2 * ENDS)?;
        }
        if count <= 2 * ENDS || index < ENDS || index >= count - ENDS {
            write!(out, "  ")?;
            write_run(out, run)?;
        }
    }
    if count > 1 {
        write!(out, "about {} states stored by all searches together", number(approximation.stored as u64))?;
        writeln!(out, " of at least about {}", number(approximation.estimated as u64))?;
    }
    Ok(())
}

/// A lossy search, in one line.
fn write_run(out: &mut String, run: &ApproximateRunReport) -> std::fmt::Result {
    write!(out, "{}: {}, ", run.order, plural(&run.states, "state", "states"))?;
    match (run.filled, &run.store[..]) {
        (_, "none") => {
            write!(out, "{}", plural(run.transitions.saturated().saturating_sub(1), "step", "steps"))?
        }
        (Some(filled), _) => write!(
            out,
            "{} bits {:.1} % set, {} for each state, about {} omitted ({} of {} sampled)",
            number(run.bits),
            filled * 100.0,
            run.functions,
            number(run.expected_omissions.round() as u64),
            number(run.sampled_omissions),
            number(run.sampled),
        )?,
        (None, _) => {
            write!(
                out,
                "fingerprints of {} bits, {:.1e} expected omissions",
                run.bits, run.expected_omissions
            )?;
        }
    }
    match &run.stop {
        Some(stop) => writeln!(out, ", stopped ({})", stop.name()),
        None => writeln!(out),
    }
}

fn shown(place: &PlaceReport) -> String {
    format!("{}:{}", place.file, place.line)
}
