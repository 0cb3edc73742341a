//! Predicates and maps of domains that are given to an abstraction: conditions in Promela, read with the
//! names and macros of the model.
//!
//! Each condition is put behind the model as the only statement of a claim and taken out of the model again,
//! so that all of them are diagnosed in one run, each at its place. A formula would not do: words such as
//! `next` are operators there.
//!
//! *Entry points:* [`given`], then [`crate::load::load_with`], then [`configured`].
//! *Invariant:* a model has the same properties with and without conditions.

use std::path::Path;
use std::sync::Arc;

use axle_check::abstraction::{map_conflicts, unknown_process};
use axle_check::config::{Arithmetic, DomainMap, Predicate};
use axle_check::{Config, plan::EngineId};
use axle_model::{Expr, Model, PropertyKind};
use axle_promela::ast;
use axle_promela::ast::{Item, Step, Stmt, StmtKind};
use axle_source::{Diagnostic, Diagnostics, FileId, Loader, Loc, Sources, Span};

use crate::exit::Exit;
use crate::files::{Disk, unreadable};
use crate::session::Session;
use crate::watch::Watch;

/// The largest file of predicates that is read.
const LARGEST: u64 = 1 << 20;

/// The names of the claims that conditions are read as.
const NAME: &str = "__axle_condition_";

/// A condition as it was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// The file, or the option.
    file: String,
    /// Its line, counted from 0, and the blanks before it.
    line: usize,
    column: usize,
    /// The condition.
    text: String,
    /// The position of the map that it belongs to.
    map: Option<usize>,
}

/// The mark of a line of a model that states a predicate, or processes that are not abstracted.
const MARK: &str = "//@";

/// The conditions of a file, of maps and of marked lines of a model, and the processes that such lines name as
/// concrete.
pub fn given(
    session: &Session,
    (model, file): (Option<&Path>, Option<&Path>),
    maps: &[String],
) -> Result<(Vec<Given>, Vec<String>), Exit> {
    let (mut all, mut concrete) = (Vec::new(), Vec::new());
    // A model that cannot be read is reported when it is loaded.
    let text = model
        .and_then(|model| Some((model, Disk.load(&model.to_string_lossy(), crate::load::LARGEST).ok()?)));
    if let Some((model, text)) = text {
        for (line, text) in String::from_utf8_lossy(&text).lines().enumerate() {
            let Some(marked) = text.trim_start().strip_prefix(MARK) else { continue };
            if let Some(names) = concrete_processes(marked.trim()) {
                concrete.extend(names);
            } else if let Some(condition) = marked.trim().strip_prefix("predicate ") {
                let file = model.to_string_lossy().into_owned();
                // Columns count characters.
                let column = text.chars().count() - condition.trim_start().chars().count();
                let text = condition.trim().to_owned();
                all.push(Given { file, line, column, text, map: None });
            }
        }
    }
    if let Some(file) = file {
        let name = file.to_string_lossy().into_owned();
        let text = Disk.load(&name, LARGEST).map_err(|fault| {
            session.messages.complain(&unreadable(&name, &fault));
            Exit::Input
        })?;
        for (line, text) in String::from_utf8_lossy(&text).lines().enumerate() {
            let trimmed = text.trim();
            if trimmed.is_empty() || trimmed.starts_with("//") {
                continue;
            }
            if let Some(names) = concrete_processes(trimmed) {
                concrete.extend(names);
                continue;
            }
            let column = text.chars().take_while(|letter| letter.is_whitespace()).count();
            all.push(Given { file: name.clone(), line, column, text: trimmed.to_owned(), map: None });
        }
        if all.is_empty() && concrete.is_empty() {
            session.messages.complain(&format!("'{name}' has no predicates"));
            return Err(Exit::Input);
        }
    }
    for (number, map) in maps.iter().enumerate() {
        let Some((_, classes)) = split(map) else {
            session.messages.complain(&format!("--map '{map}' is not of the form VARIABLE: MAP"));
            return Err(Exit::Input);
        };
        if axle_check::abstraction::is_named_map(classes) {
            continue;
        }
        let mut column = map.len() - classes.len();
        for text in classes.split(',') {
            let blanks = text.len() - text.trim_start().len();
            let of_map = Given {
                file: "--map".to_owned(),
                line: 0,
                column: column + blanks,
                text: text.trim().to_owned(),
                map: Some(number),
            };
            column += text.len() + 1;
            all.push(of_map);
        }
    }
    Ok((all, concrete))
}

/// The processes of a line `concrete P, Q(1)`. No condition begins with two names.
fn concrete_processes(line: &str) -> Option<Vec<String>> {
    let names = line.strip_prefix("concrete")?;
    let names = names.split_once("//").map_or(names, |(names, _)| names);
    let is_name = |text: &str| text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let is_list = names.starts_with(char::is_whitespace) && is_name(names.trim_start());
    is_list.then(|| names.split(',').map(|name| name.trim().to_owned()).collect())
}

/// The variable and the classes of a map. A colon without a blank behind it belongs to the variable.
fn split(map: &str) -> Option<(&str, &str)> {
    let (variable, classes) = map.split_once(": ")?;
    (!variable.trim().is_empty() && !classes.trim().is_empty()).then(|| (variable.trim(), classes.trim()))
}

/// The items behind the model that state conditions.
pub fn items(given: &[Given], sources: &mut Sources, diagnostics: &mut Diagnostics) -> Vec<FileId> {
    let mut files = Vec::new();
    for (number, one) in given.iter().enumerate() {
        let blanks = format!("{}{}", "\n".repeat(one.line), " ".repeat(one.column));
        // A comment would take the brace along.
        let end = if one.text.contains("//") { '\n' } else { ' ' };
        let claim = sources.add(&one.file, &format!("{blanks}{}{end}}}", one.text));
        if one.text.starts_with('#') || is_unbalanced(&one.text) {
            let span = Span::new(claim, blanks.len() as u32, (blanks.len() + one.text.len()) as u32);
            diagnostics.push(
                Diagnostic::error(axle_promela::NOT_A_CONDITION, "this is not a condition")
                    .at(Loc::plain(span), ""),
            );
            continue;
        }
        // The name stands in the line before, as far as there is one.
        files.push(sources.add(&one.file, &format!("never {NAME}{number} {{\n")));
        files.push(claim);
    }
    files
}

/// Whether a brace has no other one.
fn is_unbalanced(text: &str) -> bool {
    let mut depth = 0i64;
    let is_closed_early = text.chars().any(|letter| {
        depth += i64::from(letter == '{') - i64::from(letter == '}');
        depth < 0
    });
    is_closed_early || depth != 0
}

/// Reports what is no condition: several statements, or one that is no expression.
pub fn refuse_statements(tree: &ast::Program, diagnostics: &mut Diagnostics) {
    for item in &tree.items {
        let Item::Never(claim) = item else { continue };
        if !claim.name.as_ref().is_some_and(|name| name.text.starts_with(NAME)) {
            continue;
        }
        let faulty: Option<Loc> = match &claim.body.steps[..] {
            // An empty claim was reported.
            [] => None,
            [only] => (!is_expression(only)).then(|| place(only)),
            [_, second, ..] => Some(place(second)),
        };
        if let Some(place) = faulty {
            let fault = Diagnostic::error(
                axle_promela::NOT_A_CONDITION,
                "a predicate is a condition on one state: one expression",
            );
            diagnostics.push(fault.at(place, ""));
        }
    }
}

/// Whether a step is an expression. A statement that could not be read was reported.
fn is_expression(step: &Step) -> bool {
    matches!(step, Step::Stmt(Stmt { kind: StmtKind::Expr(_) | StmtKind::Error, .. }))
}

fn place(step: &Step) -> Loc {
    let loc = match step {
        Step::Stmt(stmt) => stmt.loc,
        Step::Vars(decl) => decl.loc,
        Step::Mtype(decl) => decl.loc,
        Step::Exclusive(exclusive) => exclusive.loc,
        Step::Unless(unless) => unless.loc,
    };
    loc.into()
}

/// Takes the conditions out of a model.
pub fn take(model: &mut Model, given: &[Given]) -> Vec<Predicate> {
    let mut found = Vec::new();
    let properties = std::mem::take(&mut model.properties);
    for property in properties {
        match property.kind {
            PropertyKind::Never(claim) if !given.is_empty() && property.name.starts_with(NAME) => {
                let number = found.len();
                let text = given.get(number).map_or_else(String::new, |one| one.text.clone());
                let entry = claim.entry;
                let statement = claim.edges.into_iter().find(|edge| edge.source == entry);
                let condition = statement.map_or(Expr::TRUE, |edge| edge.guard);
                found.push(Predicate { condition, text });
            }
            kind => model.properties.push(axle_model::Property { kind, ..property }),
        }
    }
    found
}

/// The configuration with predicates and maps, which ask for the abstraction.
pub fn configured(
    config: Config,
    maps: &[String],
    (given, concrete): &(Vec<Given>, Vec<String>),
    conditions: Vec<Predicate>,
) -> Result<Config, String> {
    let changes_abstraction =
        config.arithmetic == Arithmetic::Mathematical || config.cartesian || config.cube_length.is_some();
    if maps.is_empty() && given.is_empty() && concrete.is_empty() && !changes_abstraction {
        return Ok(config);
    }
    if config.engine.is_some_and(|engine| engine != EngineId::ABSTRACT) {
        let options = "--predicates, --map, --concrete, --arithmetic, --precision and --cube-length";
        return Err(format!("{options} are for --engine abstract"));
    }
    let mut all: Vec<(Option<usize>, Predicate)> = given.iter().map(|one| one.map).zip(conditions).collect();
    let own = |all: &mut Vec<(Option<usize>, Predicate)>, of: Option<usize>| {
        let (taken, rest) = std::mem::take(all).into_iter().partition(|(map, _)| *map == of);
        *all = rest;
        let taken: Vec<(Option<usize>, Predicate)> = taken;
        taken.into_iter().map(|(_, predicate)| predicate).collect::<Vec<_>>()
    };
    let predicates = own(&mut all, None);
    let maps = maps.iter().enumerate().map(|(number, text)| DomainMap {
        text: text.clone(),
        variable: split(text).map_or_else(String::new, |(variable, _)| variable.to_owned()),
        conditions: own(&mut all, Some(number)),
    });
    let maps = maps.collect();
    Ok(Config { engine: Some(EngineId::ABSTRACT), predicates, maps, concrete: concrete.clone(), ..config })
}

/// Refuses names of processes that do not exist.
pub fn refuse_unknown_processes(model: &Arc<Model>, config: &Config) -> Result<(), String> {
    if config.concrete.is_empty() {
        return Ok(());
    }
    unknown_process(model, config).map_or(Ok(()), |unknown| Err(format!("--concrete: {unknown}")))
}

/// Refuses maps that are no congruences, unless they are to be over-approximations.
pub fn refuse_conflicts(
    model: &Arc<Model>,
    config: &Config,
    over_approximate: bool,
    watch: &mut Watch,
) -> Result<(), String> {
    let conflicts = map_conflicts(model, config, watch)?;
    match conflicts.first() {
        Some(first) if !over_approximate => Err(format!(
            "--map: {first}\n  --over-approximate uses the classes as predicates that refinement may add to"
        )),
        _ => Ok(()),
    }
}
