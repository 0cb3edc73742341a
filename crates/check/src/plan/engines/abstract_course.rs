//! The course of an abstraction in the names of the model, and what is given to it: predicates, and maps
//! of domains with their conflicts.
//!
//! *Entry points:* [`course`], [`given`].
//! *Invariant:* a map without a conflict in its report is a congruence of the commands and bad conditions.

use std::collections::BTreeMap;

use axle_abstract::cegar::{AtPlace, Course, Times};
use axle_abstract::homomorphism::{self, Conflict, MapError, Mapped, Site};
use axle_decide::model::Problem;
use axle_decide::term::TermId;
use axle_decide::watch::Poll;
use axle_evidence::report::{
    AbstractionReport, AbstractionTimes, InvariantReport, MapReport, PredicateReport, SpuriousReport,
};
use axle_model::{EdgeId, Model, Origin, ProcId};
use axle_outcome::Stop;
use axle_question::config::{Config, DomainMap};
use axle_relation::{Action, Part, Relation, Taken};

/// The names of processes, locations and statements of a relation.
pub(crate) struct Names<'m> {
    pub model: &'m Model,
    pub relation: &'m Relation,
    /// For each process, its type, if it has one type only.
    types: BTreeMap<u32, Option<ProcId>>,
}

impl<'m> Names<'m> {
    /// The names of a relation.
    pub fn new(model: &'m Model, relation: &'m Relation) -> Names<'m> {
        let mut types: BTreeMap<u32, Option<ProcId>> = BTreeMap::new();
        for group in &relation.groups {
            let Action::Step { by, partner, .. } = group.action else { continue };
            for taken in std::iter::once(by).chain(partner) {
                let known = types.entry(taken.pid).or_insert(Some(taken.proc));
                *known = known.filter(|of| *of == taken.proc);
            }
        }
        Names { model, relation, types }
    }

    /// The number of the first process of a type, or of the process `TYPE(NUMBER)`.
    pub fn process_named(&self, name: &str) -> Option<u32> {
        self.types.keys().copied().find(|pid| self.is_named(*pid, name))
    }

    /// The numbers of all processes with these names.
    ///
    /// # Errors
    /// The first name that no process has.
    pub fn processes_named(&self, names: &[String]) -> Result<Vec<u32>, String> {
        if let Some(unknown) = names.iter().find(|name| self.process_named(name).is_none()) {
            return Err(unknown.clone());
        }
        let is_named = |pid: &u32| names.iter().any(|name| self.is_named(*pid, name));
        Ok(self.types.keys().copied().filter(is_named).collect())
    }

    fn is_named(&self, pid: u32, name: &str) -> bool {
        let own = self.process(pid);
        own == name || own.split_once('(').is_some_and(|(of, _)| of == name)
    }

    /// The names of all processes.
    pub fn processes(&self) -> Vec<String> {
        self.types.keys().map(|pid| self.process(*pid)).collect()
    }

    /// A process: `P(0)`.
    pub fn process(&self, pid: u32) -> String {
        match self.types.get(&pid) {
            Some(Some(of)) => format!("{}({pid})", self.model.process(*of).name),
            Some(None) | None => format!("process {pid}"),
        }
    }

    /// A location of a process, as the relation numbers it; none for a process that does not exist.
    pub fn location(&self, pid: u32, location: u64) -> Option<String> {
        let at = location.checked_sub(1)? as usize;
        let of = self.types.get(&pid).copied().flatten().map(|of| self.model.process(of));
        let location = of.and_then(|of| of.locations.get(at));
        Some(match location {
            Some(location) if location.out.is_empty() => "end".to_string(),
            Some(location) if location.origin.line > 0 => format!("line {}", location.origin.line),
            _ => format!("location {at}"),
        })
    }

    fn place(&self, origin: Option<&Origin>) -> String {
        let known = origin.filter(|origin| origin.line > 0);
        let file = known.and_then(|origin| self.model.files.get(origin.file.index()));
        known.zip(file).map_or_else(String::new, |(origin, file)| format!(" at {file}:{}", origin.line))
    }

    /// The statement of an edge of a process that has one type.
    pub fn edge(&self, pid: u32, edge: EdgeId) -> Option<String> {
        let of = self.types.get(&pid).copied().flatten()?;
        let edge = self.model.process(of).edges.get(edge.index())?;
        Some(format!("{}{}: `{}`", self.process(pid), self.place(edge.origins.first()), edge.text))
    }

    /// The statement of a group with its process and place.
    pub fn statement(&self, group: u32) -> String {
        match self.relation.groups[group as usize].action {
            Action::Release(pid) => format!("{} gives up control", self.process(pid)),
            Action::Step { by, partner, .. } => {
                let of = |taken: Taken| {
                    let edge = &self.model.process(taken.proc).edges[taken.edge.index()];
                    let place = self.place(edge.origins.first());
                    format!("{}{place}: `{}`", self.process(taken.pid), edge.text)
                };
                let partner = partner.map_or_else(String::new, |partner| format!(" with {}", of(partner)));
                format!("{}{partner}", of(by))
            }
        }
    }

    /// The text of the statement of a group alone.
    pub fn statement_text(&self, group: u32) -> String {
        match self.relation.groups[group as usize].action {
            Action::Release(_) => "release".to_string(),
            Action::Step { by, .. } => self.model.process(by.proc).edges[by.edge.index()].text.clone(),
        }
    }

    /// The locations of a place.
    fn locations(&self, place: &AtPlace) -> String {
        let variables = self.relation.variables.list();
        let parts = place.values.iter().filter_map(|(of, value)| match variables[*of as usize].part {
            Part::Location(pid) => {
                self.location(pid, *value).map(|location| format!("{} at {location}", self.process(pid)))
            }
            _ => None,
        });
        let mut parts: Vec<String> = parts.collect();
        parts.extend(place.values.iter().find_map(|(of, value)| {
            let is_control = variables[*of as usize].part == Part::Control;
            (is_control && *value > 0).then(|| format!("{} in control", self.process(*value as u32 - 1)))
        }));
        parts.join(", ")
    }
}

/// The report of a course.
pub(crate) fn course(model: &Model, relation: &Relation, course: &Course) -> AbstractionReport {
    let names = Names::new(model, relation);
    let mut invariant: Vec<InvariantReport> = Vec::new();
    for place in &course.invariant {
        let own = names.locations(place);
        match invariant.iter_mut().find(|known| known.condition == place.condition) {
            Some(known) => known.places.push(own),
            None => invariant.push(InvariantReport { condition: place.condition.clone(), places: vec![own] }),
        }
    }
    let spurious = course.spurious.iter().map(|one| SpuriousReport {
        steps: one.length as u64,
        infeasible: one.step as u64 + 1,
        statement: one.group.map(|group| names.statement(group)),
        missing: one.predicates.clone(),
    });
    let predicates = course.predicates.iter().enumerate();
    AbstractionReport {
        predicates: predicates
            .map(|(at, text)| PredicateReport { text: text.clone(), given: at < course.given })
            .collect(),
        maps: Vec::new(),
        iterations: course.iterations,
        states: course.states,
        queries: course.queries,
        cached: course.hits,
        invariant,
        spurious: spurious.collect(),
        concrete: Vec::new(),
        arithmetic: None,
        times: (course.times != Times::default()).then_some(AbstractionTimes {
            seconds: course.times.all.as_secs_f64(),
            deciding: course.times.deciding.as_secs_f64(),
            longest_iteration: course.times.longest_iteration.as_secs_f64(),
        }),
    }
}

/// The predicates that a configuration gives, with the classes of its maps among them, and its maps with
/// their conflicts. The propositions of the problem are those of the configuration. A map that names no
/// variable of the problem is left out.
///
/// # Errors
/// The search must stop.
pub(crate) fn given(
    problem: &mut Problem,
    relation: &Relation,
    config: &Config,
    bads: &[usize],
    poll: Poll<'_>,
) -> Result<(Vec<TermId>, Vec<MapReport>), Stop> {
    let mut predicates: Vec<TermId> = problem.propositions.clone();
    let mut reports = Vec::new();
    let maps: Vec<Vec<Mapped>> = mapped(problem, config).into_iter().map(Result::unwrap_or_default).collect();
    let all: Vec<Mapped> = maps.iter().flatten().cloned().collect();
    let conflicts = match all.is_empty() {
        true => Vec::new(),
        false => homomorphism::conflicts(problem, &all, bads, poll)?,
    };
    for (given, own) in config.maps.iter().zip(&maps).filter(|(_, own)| !own.is_empty()) {
        for one in own {
            let state = &problem.system.states[one.variable as usize];
            let (variable, is_signed) = (state.variable, state.ty.signed);
            predicates.extend(one.map.conditions(&mut problem.system.terms, is_signed, variable));
        }
        let of_map = conflicts.iter().find(|conflict| {
            own.iter().any(|one| conflict.variables.contains(&one.variable)) || own.len() == all.len()
        });
        reports.push(MapReport {
            text: given.text.clone(),
            conflict: of_map.map(|conflict| pair(problem, relation, conflict)),
        });
    }
    Ok((predicates, reports))
}

/// The maps of a configuration, as maps of the variables of a problem.
pub(crate) fn mapped(problem: &Problem, config: &Config) -> Vec<Result<Vec<Mapped>, MapError>> {
    let mut first = config.predicates.len();
    let of_map = |map: &DomainMap| {
        let conditions = &problem.propositions[first..first + map.conditions.len()];
        first += map.conditions.len();
        match conditions.is_empty() {
            true => homomorphism::parse(problem, &map.text),
            false => homomorphism::by_conditions(problem, &map.variable, conditions),
        }
    };
    config.maps.iter().map(of_map).collect()
}

/// The two states of a conflict, without the variables that are the same in both.
fn pair(problem: &Problem, relation: &Relation, conflict: &Conflict) -> String {
    let is_data = |of: u32| {
        let part = relation.variables.list().get(of as usize).map(|variable| &variable.part);
        !matches!(part, Some(Part::Location(_) | Part::Type(_) | Part::Control | Part::Deterministic))
    };
    let of = |values: &[i64]| {
        let values = conflict.variables.iter().zip(values).filter(|(of, _)| is_data(**of));
        let values =
            values.map(|(of, value)| format!("{} = {value}", problem.system.states[*of as usize].name));
        values.collect::<Vec<_>>().join(", ")
    };
    format!("{} and {}", of(&conflict.first), of(&conflict.second))
}

/// A conflict with the statement or condition at which the two states differ.
pub(crate) fn conflict_text(names: &Names<'_>, problem: &Problem, conflict: &Conflict) -> String {
    let differs = match conflict.site {
        Site::Guard(group) => format!("one can execute {}, the other cannot", names.statement(group)),
        Site::Value(group, of) => format!(
            "{} leads to different classes of {}",
            names.statement(group),
            problem.system.states[of as usize].name
        ),
        Site::Bad(_) => "one violates a property, the other does not".to_string(),
    };
    format!("the states {} are of the same classes, but {differs}", pair(problem, names.relation, conflict))
}
