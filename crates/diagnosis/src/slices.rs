//! Slices by name: resolves the target of a slice and lists the relevant and the removed
//! statements.
//!
//! *Entry point:* [`slice_of`]. A target names a formula, `assertions`, a variable, a label or a
//! statement; one that names several of them is the union of these. The slice itself is computed by
//! [`axle_reduce::slice`].
//! *Invariant:* the slice of a formula preserves infinite executions up to stuttering; every other
//! slice preserves reachability, and therefore keeps loops that need not terminate.

use axle_check::abstraction::SliceTarget;
use axle_check::judgement::runs::visible;
use axle_explicit::stutter::is_stutter_invariant;
use axle_model::{Edge, EdgeId, Effect, Expr, GlobalId, LocId, LocalId, Model, Origin, ProcId};
use axle_question::checks::{Check, SystemKind};
use axle_question::claims;
use axle_question::claims::{Source, Stated};
use axle_reduce::slice::{Criterion, Relevant, slice};
use axle_step::Atom;

/// A slice with its explanation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sliced {
    /// The target in words.
    pub meaning: String,
    /// The formula that the slice keeps, if the target is one.
    pub property: Option<String>,
    /// The places of relevant statements.
    pub relevant: Vec<Origin>,
    /// The irrelevant statements, in textual order.
    pub removed: Vec<Removed>,
}

/// An irrelevant statement.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Removed {
    /// Its place.
    pub origin: Origin,
    /// As written.
    pub text: String,
    /// The reason why it is irrelevant.
    pub why: String,
}

/// Maps a place of the model to the file and line under which the user knows it.
pub type Lines<'a> = &'a dyn Fn(Origin) -> Option<(String, u32)>;

/// The file and line of a place in the text of the model.
pub fn own_lines(model: &Model) -> impl Fn(Origin) -> Option<(String, u32)> + '_ {
    |origin| {
        let file = model.files.get(origin.file.index())?;
        (origin.line > 0).then(|| (file.clone(), origin.line))
    }
}

/// The slice of a model for a target: the name of a formula, `assertions`, a variable (`x`,
/// `PROCESS:x`), a label (`L`, `PROCESS:L`) or a statement (`FILE:LINE`). Without a slice, the
/// reason and, for a wrong name, a suggestion.
pub fn slice_of(model: &Model, target: &str, lines: Lines<'_>) -> Result<Sliced, String> {
    let stated = claims::stated(model);
    let (criterion, meaning, property) = match stated.iter().find(|one| one.name == target) {
        Some(one) => (of_formula(model, one)?, one.meaning.clone(), Some(one.name.clone())),
        None => {
            let (criterion, meaning) = of_target(model, target, &stated, lines)?;
            (criterion, meaning, None)
        }
    };
    let sliced = slice(model, &criterion)
        .map_err(|reason| format!("the model cannot be sliced for '{target}': {reason}"))?;
    let mut relevant = Vec::new();
    let mut removed: Vec<Removed> = Vec::new();
    for (process, edges) in model.processes.iter().zip(&sliced.edges) {
        for (edge, kept) in process.edges.iter().zip(edges) {
            if kept.any() {
                relevant.extend(edge.origins.iter().copied());
            } else if let Some(why) = why(edge, kept) {
                let origin = edge.origins.first().copied().unwrap_or(Origin::NONE);
                removed.push(Removed { origin, text: edge.text.clone(), why: why.to_string() });
            }
        }
    }
    removed.retain(|one| one.origin.line > 0 && !relevant.contains(&one.origin));
    removed.sort();
    removed.dedup();
    Ok(Sliced { meaning, property, relevant, removed })
}

/// The target of a semantic slice. The target has a slice ([`slice_of`]).
///
/// # Errors
/// The target is a statement: the values that it uses are no conditions.
pub fn semantic_target(model: &Model, target: &str) -> Result<SliceTarget, String> {
    if let Some(one) = claims::stated(model).into_iter().find(|one| one.name == target) {
        let conditions = one.atoms.into_iter().filter_map(|atom| match atom {
            Atom::Holds(condition) => Some(condition),
            Atom::Accepting => None,
        });
        return Ok(SliceTarget::Conditions(conditions.collect()));
    }
    if target == Check::Assertions.name() {
        return Ok(SliceTarget::Assertions);
    }
    if statement(target).is_some() {
        return Err("semantic slices exist for formulas, assertions, variables and labels".to_string());
    }
    let own = target.rsplit_once(':').map_or(target, |(_, own)| own);
    let is_local = model.processes.iter().any(|process| process.locals.iter().any(|one| one.name == own));
    Ok(match is_local || model.globals.iter().any(|one| one.name == own) {
        true => SliceTarget::Variable(target.to_string()),
        false => SliceTarget::Locations,
    })
}

/// The places of statements that only assign, and of which every edge is one of these; with their texts.
#[must_use]
pub fn idle_statements(model: &Model, idle: &[(ProcId, EdgeId)]) -> Vec<(Origin, String)> {
    let is_assignment = |edge: &Edge| {
        let assigns = |effect: &Effect| matches!(effect, Effect::Assign(..));
        edge.guard == Expr::TRUE && !edge.is_else && edge.comm.is_none() && edge.effects.iter().all(assigns)
    };
    let (mut kept, mut found) = (Vec::new(), Vec::new());
    for (proc, process) in model.processes.iter().enumerate() {
        for (number, edge) in process.edges.iter().enumerate() {
            let is_idle = idle.contains(&(ProcId::new(proc), EdgeId::new(number))) && is_assignment(edge);
            for origin in edge.origins.iter().filter(|origin| origin.line > 0) {
                match is_idle {
                    true => found.push((*origin, edge.text.clone())),
                    false => kept.push(*origin),
                }
            }
        }
    }
    found.retain(|(origin, _)| !kept.contains(origin));
    found.sort();
    found.dedup();
    found
}

fn of_formula(model: &Model, one: &Stated) -> Result<Criterion, String> {
    let name = &one.name;
    if !matches!(one.source, Source::Formula(_) | Source::Never) {
        return Err(format!(
            "'{name}' is not an LTL formula; slices exist for formulas, assertions, variables, labels and statements"
        ));
    }
    if !is_stutter_invariant(model, one) {
        return Err(format!("'{name}' is not stutter-invariant, and a slice omits steps"));
    }
    Ok(visible(&one.atoms).into())
}

/// The criterion of a target that is not a property, and the target in words.
fn of_target(
    model: &Model,
    target: &str,
    stated: &[Stated],
    lines: Lines<'_>,
) -> Result<(Criterion, String), String> {
    let mut criterion = Criterion { termination: true, ..Criterion::default() };
    let mut words: Vec<String> = Vec::new();
    if let Some((file, line)) = statement(target) {
        criterion.edges = at_line(model, file, line, lines);
        if criterion.edges.is_empty() {
            return Err(no_statement(model, target, (file, line), lines));
        }
        words.extend(criterion.edges.iter().map(|&(proc, edge)| {
            let process = model.process(proc);
            format!("`{}` of {}", process.edges[edge.index()].text, process.name)
        }));
    } else if target == Check::Assertions.name() {
        criterion.edges = edges(model, |edge| edge.effects.iter().any(|e| matches!(e, Effect::Assert(..))));
        if criterion.edges.is_empty() {
            return Err("the model has no assertions".to_string());
        }
        words.push("the assertions".to_string());
    } else {
        let (of, name) = target.split_once(':').map_or((None, target), |(of, name)| (Some(of), name));
        named(model, of, name, &mut criterion, &mut words);
        if words.is_empty() {
            return Err(unknown(model, target, stated));
        }
    }
    words.dedup();
    Ok((criterion, words.join(", ")))
}

/// Adds the variables and labels of a name, of one process type or of all, to a criterion.
fn named(model: &Model, of: Option<&str>, name: &str, criterion: &mut Criterion, words: &mut Vec<String>) {
    let globals = model.globals.iter().enumerate().filter(|(_, one)| of.is_none() && one.name == name);
    for (index, _) in globals {
        criterion.globals.push(GlobalId::new(index));
        words.push(format!("the value of `{name}`"));
    }
    for (index, process) in model.processes.iter().enumerate() {
        let proc = ProcId::new(index);
        if of.is_some_and(|of| of != process.name) {
            continue;
        }
        for (local, _) in
            process.locals.iter().enumerate().filter(|(_, one)| of.is_some() && one.name == name)
        {
            criterion.locals.push((proc, LocalId::new(local)));
            words.push(format!("the value of `{name}` in {}", process.name));
        }
        for (at, _) in (process.locations.iter().enumerate())
            .filter(|(_, location)| location.labels.iter().any(|label| label == name))
        {
            criterion.locations.push((proc, LocId::new(at)));
            words.push(format!("the reachability of label `{name}` in {}", process.name));
        }
    }
}

/// A target of the form FILE:LINE.
fn statement(target: &str) -> Option<(&str, u32)> {
    let (file, line) = target.rsplit_once(':')?;
    Some((file, line.parse().ok()?))
}

/// All edges with a property.
fn edges(model: &Model, wanted: impl Fn(&Edge) -> bool) -> Vec<(ProcId, EdgeId)> {
    let mut found = Vec::new();
    for (index, process) in model.processes.iter().enumerate() {
        for (id, _) in process.edges.iter().enumerate().filter(|(_, edge)| wanted(edge)) {
            found.push((ProcId::new(index), EdgeId::new(id)));
        }
    }
    found
}

/// Whether a file is one that the user means: by its whole path, or by the end of it.
fn is_file(file: &str, wanted: &str) -> bool {
    file == wanted || file.strip_suffix(wanted).is_some_and(|rest| rest.ends_with('/'))
}

/// The edges of the statements that begin on a line.
fn at_line(model: &Model, file: &str, line: u32, lines: Lines<'_>) -> Vec<(ProcId, EdgeId)> {
    edges(model, |edge| {
        let places = edge.origins.iter().filter_map(|&origin| lines(origin));
        places.into_iter().any(|(of, at)| at == line && is_file(&of, file))
    })
}

/// The diagnostic for a line without statements: the nearest line that has some, or the files that
/// have any.
fn no_statement(model: &Model, target: &str, (file, line): (&str, u32), lines: Lines<'_>) -> String {
    let origins = model.processes.iter().flat_map(|p| &p.edges).flat_map(|edge| &edge.origins);
    let known: Vec<(String, u32)> = origins.filter_map(|&origin| lines(origin)).collect();
    let near =
        (known.iter().filter(|(of, _)| is_file(of, file))).min_by_key(|(_, at)| (at.abs_diff(line), *at));
    match near {
        Some((_, at)) => {
            format!("no statement begins at {target}; the nearest one is at line {at}")
        }
        None => {
            let mut files: Vec<&str> = known.iter().map(|(of, _)| of.as_str()).collect();
            files.sort_unstable();
            files.dedup();
            format!("no statement begins at {target}; the model has statements in {}", files.join(", "))
        }
    }
}

/// The diagnostic for an unknown target.
fn unknown(model: &Model, target: &str, stated: &[Stated]) -> String {
    let mut known: Vec<String> = stated.iter().map(|one| one.name.clone()).collect();
    known.push(Check::Assertions.name().to_string());
    known.extend(model.globals.iter().map(|one| one.name.clone()));
    for process in &model.processes {
        let qualified = |name: &String| format!("{}:{name}", process.name);
        known.extend(process.locals.iter().map(|one| qualified(&one.name)));
        let labels = || process.locations.iter().flat_map(|location| &location.labels);
        known.extend(labels().cloned());
        known.extend(labels().map(qualified));
    }
    if let Some(check) = Check::named(target, SystemKind::Model) {
        return format!(
            "'{}' depends on every statement of the model; slices exist for formulas, assertions, variables, labels \
             and statements",
            check.name()
        );
    }
    let local: Vec<&String> =
        known.iter().filter(|one| one.rsplit_once(':').is_some_and(|(_, own)| own == target)).collect();
    let global = target.split_once(':').and_then(|(_, own)| model.globals.iter().find(|one| one.name == own));
    if let Some(global) = global {
        return format!("'{target}' is no local variable; `{}` is global", global.name);
    }
    let hint = match (local.first(), axle_source::nearest(target, known.iter().map(String::as_str))) {
        (Some(local), _) => format!("; a local variable is written with its process: {local}"),
        (None, Some(near)) => format!("; did you mean '{near}'?"),
        (None, None) => String::new(),
    };
    format!("'{target}' is no property, variable, label or statement (FILE:LINE) of the model{hint}")
}

/// The reason why an edge is irrelevant; none for an edge without any effect.
fn why(edge: &Edge, kept: &Relevant) -> Option<&'static str> {
    let mut effects = edge.effects.iter().zip(&kept.effects).filter(|(_, kept)| !**kept);
    if edge.is_else {
        return Some("the choice made here is irrelevant");
    }
    if edge.comm.is_some() {
        return Some("the messages are irrelevant, and no relevant statement waits for it");
    }
    if edge.guard != Expr::TRUE {
        return match edge.effects.iter().any(|effect| matches!(effect, Effect::Exit)) {
            true => None,
            false => Some("no relevant statement waits for it"),
        };
    }
    effects.find_map(|(effect, _)| match effect {
        Effect::Assign(..) | Effect::Clear(_) => Some("no relevant statement depends on the variable"),
        Effect::Assert(..) => Some("an assertion does not change the state"),
        Effect::Print(..) => Some("output does not change the state"),
        Effect::Run { .. } => Some("the process executes no relevant statement and terminates"),
        Effect::SetPriority(..) | Effect::Exit => None,
    })
}
