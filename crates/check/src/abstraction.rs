//! Abstractions of models outside a check: conflicts of maps, semantic slices, Boolean programs and
//! abstract machines.
//!
//! *Entry points:* [`map_conflicts`], [`semantic_slice`], [`abstract_model`].
//! *Invariant:* an answer of a relation that lacks a process is not used.

use std::sync::Arc;

use axle_abstract::Options;
use axle_abstract::boolean_program::BooleanProgram;
use axle_abstract::boolean_text::Labels;
use axle_abstract::cegar::{Refined, refine};
use axle_abstract::composition::Composition;
use axle_abstract::homomorphism::conflicts;
use axle_abstract::machine::{Machine, machine};
use axle_abstract::proposals::proposals;
use axle_abstract::slice::slice_for;
use axle_decide::answer::Answer;
use axle_decide::model::Problem;
use axle_decide::system::Cause;
use axle_decide::term::TermId;
use axle_evidence::report::AbstractionReport;
use axle_model::{EdgeId, Expr, Model, ProcId};
use axle_outcome::{FaultKind, Limits};
use axle_question::checks::{Check, SystemKind};
use axle_question::config::{Arithmetic, Config, Predicate};
use axle_search::{Monitor, Progress, Stop};

use crate::plan::engines::abstract_course::{Names, conflict_text, course, given, mapped};
use crate::plan::engines::mathematical::restricted;
use crate::plan::engines::relation_sizes::{Asked, Relations, no_relation};

/// The positions of the bad conditions that a configuration asks for.
fn wanted(problem: &Problem, config: &Config) -> Vec<usize> {
    let is_wanted = |cause: Cause| match cause {
        // Endless sequences are conditions on pairs of states.
        Cause::Fault { kind: FaultKind::EndlessSequence, .. } => false,
        Cause::Fault { kind, .. } => config.checks.contains(&Check::of(kind)),
        Cause::Beyond => true,
        Cause::Alarm { .. } | Cause::Cycle { .. } | Cause::Proposition { .. } => false,
    };
    let bads = problem.system.bads.iter().enumerate();
    bads.filter(|(_, bad)| is_wanted(bad.cause)).map(|(position, _)| position).collect()
}

/// The conflicts of the maps of a configuration with a model, in sentences; none for congruences.
///
/// # Errors
/// A map is about no variable, or the model has no relation.
pub fn map_conflicts(
    model: &Arc<Model>,
    config: &Config,
    monitor: &mut dyn Monitor,
) -> Result<Vec<String>, String> {
    let found = Relations::default().ask(model, config, |lowered| {
        let problem = lowered.problem(model);
        let mut maps = Vec::new();
        for map in mapped(problem, config) {
            match map {
                Ok(map) => maps.extend(map),
                Err(fault) => return Asked::Answer(Err(fault.to_string())),
            }
        }
        let mut poll = |progress: Progress| monitor.watch(&progress);
        let names = Names::new(model, &lowered.relation);
        match conflicts(problem, &maps, &wanted(problem, config), &mut poll) {
            Ok(found) => Asked::Answer(Ok(found
                .iter()
                .map(|conflict| conflict_text(&names, problem, conflict))
                .collect())),
            Err(_) => Asked::Answer(Ok(vec!["the question was not decided in time".to_string()])),
        }
    });
    found.unwrap_or_else(|stop| Err(no_relation(stop)))
}

/// A map that the conditions of a model suggest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProposedMap {
    /// The map, as the command line takes it.
    pub text: String,
    /// Why it is no congruence on its own.
    pub conflict: Option<String>,
}

/// The maps of single variables that the checks and guards of a model suggest, coarse ones first.
///
/// # Errors
/// The model has no relation.
pub fn proposed_maps(
    model: &Arc<Model>,
    config: &Config,
    monitor: &mut dyn Monitor,
) -> Result<Vec<ProposedMap>, String> {
    let found = Relations::default().ask(model, config, |lowered| {
        let problem = lowered.problem(model);
        let (bads, names) = (wanted(problem, config), Names::new(model, &lowered.relation));
        let mut all = Vec::new();
        for mapped in proposals(problem, &lowered.relation, &bads) {
            let mut poll = |progress: Progress| monitor.watch(&progress);
            let text = format!("{}: {}", problem.system.states[mapped.variable as usize].name, mapped.map);
            let conflict = match conflicts(problem, &[mapped], &bads, &mut poll) {
                Ok(found) => found.first().map(|conflict| conflict_text(&names, problem, conflict)),
                Err(_) => Some("the question was not decided in time".to_string()),
            };
            all.push(ProposedMap { text, conflict });
        }
        Asked::Answer(all)
    });
    found.map_err(no_relation)
}

/// The target of a semantic slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SliceTarget {
    /// The truth of conditions in all states.
    Conditions(Vec<Expr>),
    /// The assertions.
    Assertions,
    /// The values of a variable: `x`, or `PROCESS:x` of all processes of a type.
    Variable(String),
    /// The locations of processes alone.
    Locations,
}

/// A semantic slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SemanticSlice {
    /// The edges whose assignments change no relevant condition.
    pub idle: Vec<(ProcId, EdgeId)>,
    /// The relevant conditions and variables, as expressions.
    pub relevant: Vec<String>,
}

/// The statements whose assignments no condition of a target can observe.
///
/// # Errors
/// The model has no relation, or the analysis stopped.
pub fn semantic_slice(
    model: &Arc<Model>,
    target: &SliceTarget,
    monitor: &mut dyn Monitor,
) -> Result<SemanticSlice, String> {
    let conditions: &[Expr] = match target {
        SliceTarget::Conditions(conditions) => conditions,
        SliceTarget::Assertions | SliceTarget::Variable(_) | SliceTarget::Locations => &[],
    };
    let predicate = |condition: &Expr| Predicate { condition: condition.clone(), text: String::new() };
    let config = Config { predicates: conditions.iter().map(predicate).collect(), ..Config::default() };
    let found = Relations::default().ask(model, &config, |lowered| {
        let problem = lowered.problem(model);
        let (mut relevant, mut variables): (Vec<TermId>, Vec<u32>) =
            (problem.propositions.clone(), Vec::new());
        match target {
            SliceTarget::Conditions(_) | SliceTarget::Locations => {}
            SliceTarget::Assertions => {
                let bads = problem
                    .system
                    .bads
                    .iter()
                    .filter(|bad| matches!(bad.cause, Cause::Fault { kind: FaultKind::Assertion, .. }));
                relevant.extend(bads.map(|bad| bad.condition));
            }
            SliceTarget::Variable(name) => {
                // The parts of an array or record, of one process or of all processes of a type.
                let is_part = |own: &str| {
                    own.strip_prefix(name.as_str())
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
                };
                let is_wanted = |own: &str| {
                    let of_process = own.split_once(':').is_some_and(|(_, rest)| is_part(rest));
                    is_part(own) || of_process || own == format!("len({name})")
                };
                let states = problem.system.states.iter().enumerate();
                variables.extend(
                    states.filter(|(_, state)| is_wanted(&state.name)).map(|(position, _)| position as u32),
                );
            }
        }
        let mut poll = |progress: Progress| monitor.watch(&progress);
        Asked::Answer(match slice_for(problem, &lowered.relation, &relevant, &variables, &mut poll) {
            Ok(slice) => Ok(SemanticSlice { idle: slice.idle_edges, relevant: slice.relevant }),
            Err(_) => Err("the analysis reached a limit".to_string()),
        })
    });
    found.unwrap_or_else(|stop| Err(no_relation(stop)))
}

/// The form of an abstract model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AbstractForm {
    /// A Boolean program in Promela.
    Promela,
    /// The abstract machine of a process, as a graph for Graphviz.
    Dot(String),
}

/// An abstract model.
#[derive(Clone, PartialEq, Debug)]
pub struct AbstractModel {
    /// The text.
    pub text: String,
    /// The abstraction.
    pub abstraction: AbstractionReport,
    /// Why the refinement ended without an answer, if predicates were inferred.
    pub stop: Option<Stop>,
}

/// The abstraction of a model by the predicates of a configuration; if there are none, by those that
/// refinement infers for its checks.
///
/// # Errors
/// The model has no relation, the abstraction is too large, or the process is unknown.
pub fn abstract_model(
    model: &Arc<Model>,
    config: &Config,
    form: &AbstractForm,
    monitor: &mut dyn Monitor,
) -> Result<AbstractModel, String> {
    let found = Relations::default().ask(model, config, |lowered| {
        Asked::Answer(match config.arithmetic {
            Arithmetic::WrapAround => {
                let mut problem = lowered.problem(model).clone();
                abstracted(model, config, form, &mut problem, &lowered.relation, monitor)
            }
            Arithmetic::Mathematical => match restricted(model, &lowered.relation) {
                Some((mut problem, relation)) => {
                    abstracted(model, config, form, &mut problem, &relation, monitor)
                }
                None => Err("a result may need more than 64 bits".to_string()),
            },
        })
    });
    found.unwrap_or_else(|stop| Err(no_relation(stop)))
}

fn abstracted(
    model: &Arc<Model>,
    config: &Config,
    form: &AbstractForm,
    problem: &mut Problem,
    relation: &axle_relation::Relation,
    monitor: &mut dyn Monitor,
) -> Result<AbstractModel, String> {
    let bads = wanted(problem, config);
    let names = Names::new(model, relation);
    let concrete = names.processes_named(&config.concrete).map_err(|name| no_process(&names, &name))?;
    let limit = |stop: Stop| match stop {
        Stop::Predicates => "the abstraction is too large: a step depends on too many values".to_string(),
        Stop::States => "the abstraction has too many states to draw".to_string(),
        _ => "the abstraction reached a limit".to_string(),
    };
    let mut poll = |progress: Progress| monitor.watch(&progress);
    let (predicates, maps) = given(problem, relation, config, &bads, &mut poll).map_err(limit)?;
    let is_given = !predicates.is_empty();
    // Given predicates are taken as they are: no abstract path is refuted.
    let asked: &[usize] = if is_given { &[] } else { &bads };
    let options = Options { predicates, ..Options::default() };
    let refined = refine(problem, relation, asked, &options, &Limits::default(), &mut poll);
    let Refined { answer, course: own, predicates } = refined;
    let mut abstraction = course(model, relation, &own);
    abstraction.maps = maps;
    abstraction.concrete = concrete.iter().map(|pid| names.process(*pid)).collect();
    let text = match form {
        AbstractForm::Promela => {
            let composition = Composition::new(problem, relation, &concrete);
            let program = BooleanProgram::new(problem, relation, &predicates, &composition, &bads, &mut poll);
            let heading = format!(
                "Abstraction of {} by {}{}",
                model.files.first().map_or("a model", String::as_str),
                match predicates.list.len() {
                    1 => "1 predicate".to_string(),
                    count => format!("{count} predicates"),
                },
                match config.arithmetic {
                    Arithmetic::WrapAround => "",
                    Arithmetic::Mathematical =>
                        ", in mathematical arithmetic: steps that overflow are left out",
                }
            );
            program.map_err(limit)?.promela(&heading, &Texts { names: &names, problem })
        }
        AbstractForm::Dot(process) => {
            let number = names.process_named(process).ok_or_else(|| no_process(&names, process))?;
            let drawn = machine(problem, relation, &predicates, number, &mut poll).map_err(limit)?;
            dot(&names, number, &drawn)
        }
    };
    let stop = match answer {
        Answer::Unknown(stop) => Some(stop),
        Answer::Holds(_) | Answer::Violated(_) => None,
    };
    Ok(AbstractModel { text, abstraction, stop })
}

fn no_process(names: &Names<'_>, name: &str) -> String {
    format!("no process is called '{name}'; there are {}", names.processes().join(", "))
}

/// The first name of [`Config::concrete`] that no process has, in a sentence; none if all are known.
#[must_use]
pub fn unknown_process(model: &Arc<Model>, config: &Config) -> Option<String> {
    let mut message = None;
    let found = Relations::default().ask(model, config, |lowered| {
        let names = Names::new(model, &lowered.relation);
        let unknown = names.processes_named(&config.concrete).err();
        message = unknown.map(|name| no_process(&names, &name));
        // A process of a higher number may be created.
        if message.is_some() { Asked::Beyond } else { Asked::Answer(()) }
    });
    match found {
        Ok(()) => None,
        Err(stop) => Some(message.unwrap_or_else(|| no_relation(stop))),
    }
}

/// The texts of a Boolean program.
struct Texts<'a> {
    names: &'a Names<'a>,
    problem: &'a Problem,
}

impl Labels for Texts<'_> {
    fn process(&self, process: u32) -> String {
        self.names.process(process)
    }

    fn statement(&self, group: u32) -> String {
        self.names.statement(group)
    }

    fn bad(&self, bad: usize) -> String {
        match self.problem.system.bads[bad].cause {
            Cause::Fault { kind, pid, .. } => {
                let meaning = Check::of(kind).meaning(SystemKind::Model);
                format!("violates \"{meaning}\" in {}", self.names.process(pid))
            }
            Cause::Beyond => "more processes than the abstraction has".to_string(),
            Cause::Alarm { .. } | Cause::Cycle { .. } | Cause::Proposition { .. } => "a claim".to_string(),
        }
    }
}

/// A machine as a graph for Graphviz.
fn dot(names: &Names<'_>, process: u32, machine: &Machine) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut lines = vec![
        format!("digraph {} {{", quoted(&names.process(process))),
        "  node [shape=box];".to_string(),
        "  entry [shape=point];".to_string(),
        "  entry -> s0;".to_string(),
    ];
    for (number, state) in machine.states.iter().enumerate() {
        let location = names.location(process, state.location).unwrap_or_else(|| "not created".to_string());
        let mut label = quoted(&format!("S{number}: {location}"));
        label.pop();
        for (texts, value) in machine.predicates.iter().zip(&state.values) {
            if let Some(value) = value {
                let literal = quoted(&texts[usize::from(!value)]);
                label.push_str("\\n");
                label.push_str(literal.trim_matches('"'));
            }
        }
        lines.push(format!("  s{number} [label={label}\"];"));
    }
    for (from, group, to, is_own) in &machine.steps {
        let text = match is_own {
            true => names.statement_text(*group),
            false => names.statement(*group),
        };
        let style = if *is_own { "" } else { ", style=dashed" };
        lines.push(format!("  s{from} -> s{to} [label={}{style}];", quoted(&text)));
    }
    lines.push("}\n".to_string());
    lines.join("\n")
}

/// Whether a text is the name of a map, with numbers where the map has some.
#[must_use]
pub fn is_named_map(text: &str) -> bool {
    axle_abstract::homomorphism::named(text).is_some()
}
