//! The part of a model that a property depends on, as text in which nothing else leaves a trace.
//!
//! The model is sliced for the property, and flags outside of the slice are not provisioned. Names,
//! labels and locations are removed, types that are never started and locations that are never
//! reached are dropped, and ids are numbered by their first occurrence in the text, so that a
//! declaration outside of the slice shifts none.
//!
//! Only a safety formula without next operator is sliced. Its violations are finite, and with the
//! termination of loops preserved, model and slice have the same finite executions up to stuttering.
//! An infinite execution of a slice need not exist in the model, where an irrelevant process may
//! block, so the whole model counts for every other property.
//!
//! *Entry points:* [`text`] for a property, [`all`] for the check of the model itself, which depends on its
//! labels too.
//! *Source:* `axle_reduce::slice`; `axle_model::dump`.
//! *Invariant:* models with equal texts have the same verdict for the property, unless a run-time
//! error of an irrelevant statement ends an execution of one of them.

use std::collections::BTreeMap;
use std::fmt::Write;

use axle_check::claims::{Source, named};
use axle_model::{
    Effect, Expr, LocId, Model, Origin, ProcId, Process, PropertyKind, Shown, Type, Variable, walk,
};
use axle_reduce::slice::{Criterion, Slice, slice};
use axle_reduce::visible::Visible;
use axle_step::observe::Atom;

use crate::project::Flag;
use crate::provisioning::Component;
use crate::provisioning::model::provision;

/// A canonical text, and whether it is that of a slice or of the whole model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Canonical {
    /// The text.
    pub text: String,
    /// The reason why the whole model counts, if it does.
    pub whole: Option<String>,
}

/// The canonical text of a model with one property, under a provisioning.
#[must_use]
pub fn text(model: &Model, flags: &[Flag], components: &[Component]) -> Canonical {
    let whole = |reason: String| {
        let own = provisioned(model, flags, components);
        Canonical { text: canonical_for_property(own, false), whole: Some(reason) }
    };
    let relevant = match sliced(model) {
        Ok(plain) => plain.globals,
        Err(reason) => return whole(reason),
    };
    let is_relevant = |flag: &usize| {
        let named = |variable: &Variable| variable.name == flags[*flag].variable.value;
        model.globals.iter().zip(&relevant).any(|(variable, relevant)| *relevant && named(variable))
    };
    let chosen: Vec<Component> =
        components.iter().filter(|component| component.flags.iter().any(is_relevant)).cloned().collect();
    match sliced(&provisioned(model, flags, &chosen)) {
        Ok(slice) => Canonical { text: canonical_for_property(slice.model, true), whole: None },
        Err(reason) => whole(reason),
    }
}

/// The canonical text of a whole model under a provisioning, with the labels of its states.
#[must_use]
pub fn all(model: &Model, flags: &[Flag], components: &[Component]) -> String {
    let own = provisioned(model, flags, components);
    canonical(own, Labels { end: true, accept: true, progress: true }, false)
}

/// The model under a provisioning. Flags that are not suitable stay as they are: the run of such a
/// model was refused before.
fn provisioned(model: &Model, flags: &[Flag], components: &[Component]) -> Model {
    let mut own = model.clone();
    provision(&mut own, flags, components).map_or_else(|_| model.clone(), |()| own)
}

/// The slice for the property of a model, or the reason why the whole model counts.
fn sliced(model: &Model) -> Result<Slice, String> {
    let [property] = &model.properties[..] else { return Err("there is no single property".to_string()) };
    let one = named(model, &property.name).ok_or("the property has no automaton")?;
    let Source::Formula(formula) = &one.source else {
        return Err("a never claim counts every step".to_string());
    };
    if !one.bad_prefixes.as_ref().is_some_and(axle_check::claims::BadPrefixes::is_safety) {
        return Err("the property is not a safety property".to_string());
    }
    if axle_ltl::stutter::is_stutter_invariant(formula) != Ok(true) {
        return Err("the formula counts steps".to_string());
    }
    let mut visible = Visible::default();
    for atom in &one.atoms {
        match atom {
            Atom::Holds(expr) => visible.expressions.push(expr.clone()),
            Atom::Accepting => visible.accepting = true,
        }
    }
    let criterion = Criterion { termination: true, ..Criterion::from(visible) };
    slice(model, &criterion).map_err(str::to_string)
}

/// The labels of states that a verdict depends on.
#[derive(Clone, Copy)]
struct Labels {
    end: bool,
    accept: bool,
    progress: bool,
}

/// The text of a model for its property, which depends on labels only where it observes them.
fn canonical_for_property(model: Model, is_slice: bool) -> String {
    let mut progress = false;
    walk::exprs(&model, &mut |expr| progress |= matches!(expr, Expr::NonProgress));
    canonical(model, Labels { end: false, accept: false, progress }, is_slice)
}

fn canonical(mut model: Model, labels: Labels, is_slice: bool) -> String {
    strip(&mut model, labels);
    for process in &mut model.processes {
        reachable_only(process);
    }
    let started = started_types(&model);
    let renumber = is_slice && !looks_into_processes(&model);
    number(&axle_model::dump::dump(&model), &started, renumber)
}

/// Removes everything that no verdict depends on.
fn strip(model: &mut Model, labels: Labels) {
    model.files.clear();
    model.name_sets.clear();
    let blank = |ty: &mut Type| shown_as_number(ty);
    model.globals.iter_mut().for_each(|variable| {
        variable.name.clear();
        variable.origin = Origin::NONE;
        blank(&mut variable.ty);
    });
    model.records.iter_mut().for_each(|record| {
        record.name.clear();
        record.fields.iter_mut().for_each(|field| {
            field.name.clear();
            blank(&mut field.ty);
        });
    });
    model.shapes.iter_mut().flat_map(|shape| &mut shape.fields).for_each(blank);
    model.channels.iter_mut().for_each(|channel| channel.name.clear());
    model.processes.iter_mut().for_each(|process| strip_process(process, labels, false));
    for property in &mut model.properties {
        property.name.clear();
        property.origin = Origin::NONE;
        match &mut property.kind {
            PropertyKind::Never(process) | PropertyKind::Trace(process) | PropertyKind::NoTrace(process) => {
                strip_process(process, labels, true);
            }
            PropertyKind::Ltl(formula) => strip_formula(formula),
        }
    }
}

fn strip_process(process: &mut Process, labels: Labels, is_claim: bool) {
    process.name.clear();
    process.origin = Origin::NONE;
    process.channels.iter_mut().for_each(|channel| channel.name.clear());
    for variable in &mut process.locals {
        variable.name.clear();
        variable.origin = Origin::NONE;
        shown_as_number(&mut variable.ty);
    }
    for location in &mut process.locations {
        location.labels.clear();
        location.origin = Origin::NONE;
        location.end &= is_claim || labels.end;
        location.accept &= is_claim || labels.accept;
        location.progress &= labels.progress;
    }
    for edge in &mut process.edges {
        edge.text.clear();
        edge.origins.clear();
        edge.effects.retain(|effect| !matches!(effect, Effect::Print(..)));
        for effect in &mut edge.effects {
            if let Effect::Assert(_, text) = effect {
                text.clear();
            }
        }
    }
}

fn strip_formula(formula: &mut axle_model::Formula) {
    use axle_model::Formula;
    match formula {
        Formula::Atom(_, text) => text.clear(),
        Formula::Not(a) | Formula::Next(a) | Formula::Always(a) | Formula::Eventually(a) => strip_formula(a),
        Formula::And(a, b)
        | Formula::Or(a, b)
        | Formula::Implies(a, b)
        | Formula::Equivalent(a, b)
        | Formula::Until(a, b)
        | Formula::WeakUntil(a, b)
        | Formula::Release(a, b) => {
            strip_formula(a);
            strip_formula(b);
        }
    }
}

fn shown_as_number(ty: &mut Type) {
    match ty {
        Type::Int(_, shown) => *shown = Shown::Number,
        Type::Array(of, _) => shown_as_number(of),
        Type::Chan | Type::Record(_) => {}
    }
}

/// Empties locations that are never reached. Ids stay as they are.
fn reachable_only(process: &mut Process) {
    let mut reached = vec![false; process.locations.len()];
    let mut waiting: Vec<LocId> = vec![process.entry];
    while let Some(at) = waiting.pop() {
        let Some(seen) = reached.get_mut(at.index()) else { continue };
        if !std::mem::replace(seen, true) {
            let out = &process.locations[at.index()].out;
            waiting.extend(out.iter().map(|id| process.edges[id.index()].target));
        }
    }
    for (location, reached) in process.locations.iter_mut().zip(reached) {
        if !reached {
            location.out.clear();
            (location.end, location.accept, location.progress) = (false, false, false);
        }
    }
}

/// For each process type, whether a process of it can exist.
fn started_types(model: &Model) -> Vec<bool> {
    let mut started = vec![false; model.processes.len()];
    let mut waiting: Vec<ProcId> = model.start.iter().map(|instance| instance.proc).collect();
    while let Some(proc) = waiting.pop() {
        if std::mem::replace(&mut started[proc.index()], true) {
            continue;
        }
        let edges = model.processes[proc.index()].edges.iter();
        waiting.extend(edges.flat_map(|edge| &edge.effects).filter_map(|effect| match effect {
            Effect::Run { proc, .. } => Some(*proc),
            _ => None,
        }));
    }
    started
}

/// Whether ids of a process occur outside of it.
fn looks_into_processes(model: &Model) -> bool {
    let mut found = false;
    walk::exprs(model, &mut |expr| {
        found |= match expr {
            Expr::AtLocation { .. } | Expr::Location(_) => true,
            Expr::Load(place) => matches!(place.base, axle_model::Base::Remote { .. }),
            _ => false,
        };
    });
    found
}

/// Blocks of a dump: the declarations, and one for each process and property.
fn number(dump: &str, started: &[bool], renumber: bool) -> String {
    let mut blocks = dump.split("\n\n").filter(|block| !block.trim().is_empty());
    let mut declarations: Vec<&str> = Vec::new();
    let (mut bodies, mut index): (Vec<&str>, usize) = (Vec::new(), 0);
    for block in blocks.by_ref() {
        if block.starts_with("process ") {
            if started.get(index).copied().unwrap_or(true) {
                bodies.push(block);
            }
            index += 1;
        } else if block.starts_with("property ") {
            bodies.push(block);
        } else {
            declarations.extend(block.lines());
        }
    }
    if !renumber {
        return [declarations.join("\n"), bodies.join("\n\n")].join("\n\n");
    }
    let mut shared = Numbers::default();
    let mut out = String::new();
    let is_declaration =
        |line: &&&str| ["global ", "channel ", "shape ", "record "].iter().any(|word| line.starts_with(word));
    // What the processes and initial values use is numbered first, and only that is declared.
    for line in declarations.iter().filter(|line| !is_declaration(line)) {
        out.push_str(&shared.rename(line, &mut Numbers::default()));
        out.push('\n');
    }
    for body in bodies {
        let mut own = Numbers::default();
        for line in body.lines().filter(|line| !is_unreached(line, body)) {
            out.push_str(&shared.rename(line, &mut own));
            out.push('\n');
        }
    }
    // A declaration may use others: channels have shapes, variables have records.
    loop {
        let next = declarations.iter().filter(is_declaration).find_map(|line| {
            let id = line.split([' ', ':']).nth(1)?;
            let number = shared.of.get(id).copied()?;
            (!shared.declared.contains(id)).then_some((line, id.to_string(), number))
        });
        let Some((line, id, _)) = next else { break };
        shared.declared.insert(id);
        let renamed = shared.rename(line, &mut Numbers::default());
        shared.lines.push(renamed);
    }
    shared.lines.sort();
    out + &shared.lines.join("\n")
}

/// Whether a line of a process belongs to a location without edges that no edge leads to, or
/// declares a variable that nothing uses.
fn is_unreached(line: &str, body: &str) -> bool {
    let mentioned = |id: &str| {
        let mut words = body.split(|c: char| !c.is_ascii_alphanumeric());
        words.by_ref().filter(|word| *word == id).count() > 1
    };
    let location = line.strip_prefix("  s").and_then(|rest| rest.split(':').next());
    if let Some(number) = location.filter(|number| number.bytes().all(|byte| byte.is_ascii_digit())) {
        return !mentioned(&format!("s{number}"));
    }
    match line.strip_prefix("  local ").and_then(|rest| rest.split(' ').next()) {
        Some(id) => !mentioned(id),
        None => false,
    }
}

/// New numbers of ids, by their first occurrence.
#[derive(Default)]
struct Numbers {
    of: BTreeMap<String, usize>,
    counts: BTreeMap<String, usize>,
    declared: std::collections::BTreeSet<String>,
    lines: Vec<String>,
}

impl Numbers {
    fn number(&mut self, id: &str, kind: &str) -> usize {
        if let Some(number) = self.of.get(id) {
            return *number;
        }
        let count = self.counts.entry(kind.to_string()).or_insert(0);
        let number = *count;
        *count += 1;
        self.of.insert(id.to_string(), number);
        number
    }

    /// A line with new ids; those of locals, locations and edges are from `own`.
    fn rename(&mut self, line: &str, own: &mut Numbers) -> String {
        let mut out = String::new();
        let mut rest = line;
        while !rest.is_empty() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            if end == 0 {
                let width = rest.chars().next().map_or(1, char::len_utf8);
                out.push_str(&rest[..width]);
                rest = &rest[width..];
                continue;
            }
            let word = &rest[..end];
            rest = &rest[end..];
            let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
            let done = match (letters, word.len() > letters.len()) {
                ("g" | "c" | "r" | "q" | "p", true) => write!(out, "{letters}{}", self.number(word, letters)),
                ("l" | "s" | "t", true) => write!(out, "{letters}{}", own.number(word, letters)),
                _ => {
                    out.push_str(word);
                    Ok(())
                }
            };
            done.expect("a string takes all text");
        }
        out
    }
}
