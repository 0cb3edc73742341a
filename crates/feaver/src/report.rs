//! The report of a round: what the project states, and the results of its runs.
//!
//! *Entry points:* [`round`], [`judgements`].
//! *Invariant:* the judgement of a run is the one that the exit code of `axle run` depends on.

use axle_check::Verdict;
use axle_check::program::error_report;
use axle_evidence::round::{
    Judgement, Requirement, RequirementDocument, RequirementSection, Round, RoundBroken, RoundProperty,
    RoundRun, SCHEMA, clusters, interactions,
};
use axle_ltl::timeline::Timeline;
use axle_source::{Loader, Sources};

use crate::execute::Outcome;
use crate::prepare::{ANY, Run};
use crate::project::coverage::{coverage, text};
use crate::project::{BrokenProperty, Expected, LARGEST_DOCUMENT, Project, Property, Statement};
use crate::provisioning::components;

/// The report of a round. `outcomes` are those of the runs, in their order; none for a run that was
/// not started. `shortest` are shorter violating executions of the same runs, where there are any.
#[must_use]
pub fn round(
    project: &Project,
    runs: &[Run],
    outcomes: &[Option<Outcome>],
    shortest: &[Option<Outcome>],
    version: &str,
) -> Round {
    let judgements = judgements(runs, outcomes);
    let own = |property: &Property| {
        let of = |run: &&Run| run.property == property.name.value;
        let results = (0..).zip(runs).zip(outcomes).zip(&judgements).filter(|(((_, run), _), _)| of(run));
        let results: Vec<RoundRun> = results
            .map(|(((index, run), outcome), judgement)| {
                let mut result = of_run(project, run, outcome.as_ref(), *judgement);
                let shorter = shortest.get(index).and_then(Option::as_ref);
                if let Some(witness) =
                    shorter.and_then(|one| one.witness.as_ref()).filter(|_| result.trace.is_some())
                {
                    result.violation = Some(witness.violation.clone());
                    result.trace = Some(witness.trace.clone());
                }
                result.trace.iter_mut().for_each(|trace| project.present(trace));
                result
            })
            .collect();
        (!results.is_empty()).then(|| of_property(project, property, results))
    };
    let properties: Vec<RoundProperty> = project.properties.iter().filter_map(own).collect();
    let features = project.flags.iter().map(|flag| flag.name.value.clone());
    Round {
        schema: SCHEMA,
        version: version.to_string(),
        project: project.name.clone(),
        budget: project.schedule.budget.as_secs_f64(),
        features: project.features.iter().cloned().chain(features).collect(),
        requirements: requirements(project),
        interactions: interactions(&properties),
        clusters: clusters(&properties),
        properties,
        broken: Vec::new(),
    }
}

/// Properties with errors, for a report. `sources` are the files that the errors refer to.
#[must_use]
pub fn broken(properties: &[BrokenProperty], sources: &Sources) -> Vec<RoundBroken> {
    let own = |property: &BrokenProperty| RoundBroken {
        name: property.name.clone(),
        feature: property.feature.clone(),
        file: property.path.clone(),
        errors: property.errors.iter().map(|error| error_report(error, sources)).collect(),
    };
    properties.iter().map(own).collect()
}

/// The judgement of each run. A known fault may hold under some constraints; it is gone if the
/// property holds under all of them. A property is vacuous if it demands nothing under all constraints
/// under which it holds.
#[must_use]
pub fn judgements(runs: &[Run], outcomes: &[Option<Outcome>]) -> Vec<Judgement> {
    let holds = |outcome: &Option<Outcome>| {
        outcome
            .as_ref()
            .is_some_and(|outcome| outcome.verdict == Verdict::Holds && outcome.internal.is_none())
    };
    // A property may hold vacuously under some constraints.
    let vacuous = |name: &str| {
        let own = runs.iter().zip(outcomes).filter(|(run, outcome)| run.property == name && holds(outcome));
        own.into_iter().all(|(_, outcome)| outcome.as_ref().is_some_and(|outcome| outcome.is_vacuous))
    };
    let all_hold = |name: &str| {
        runs.iter().zip(outcomes).filter(|(run, _)| run.property == name).all(|(_, outcome)| holds(outcome))
    };
    let judge = |(run, outcome): (&Run, &Option<Outcome>)| {
        let Some(outcome) = outcome else { return Judgement::Unknown };
        match (outcome.verdict, run.expected) {
            _ if outcome.internal.is_some() => Judgement::Internal,
            (Verdict::Unknown, _) => Judgement::Unknown,
            (Verdict::Violated, Expected::Violated) => Judgement::KnownFault,
            (Verdict::Violated, Expected::Holds) => Judgement::Failed,
            (Verdict::Holds, Expected::Violated) if all_hold(&run.property) => Judgement::FaultGone,
            (Verdict::Holds, _) if vacuous(&run.property) => Judgement::Vacuous,
            (Verdict::Holds, _) => Judgement::Passed,
        }
    };
    runs.iter().zip(outcomes).map(judge).collect()
}

fn of_property(project: &Project, property: &Property, runs: Vec<RoundRun>) -> RoundProperty {
    let (kind, statement) = match &property.statement {
        Statement::Formula(formula) => ("formula", formula.value.clone()),
        Statement::Timeline(timeline, path) => ("timeline", timeline_text(project, timeline, path)),
        Statement::Never(_, text) => ("never", text.clone()),
        Statement::Safety(checks) => ("safety", checks.meanings().join("\n")),
    };
    RoundProperty {
        name: property.name.value.clone(),
        feature: property.feature.clone(),
        file: property.path.clone(),
        words: property.words.clone(),
        kind: kind.to_string(),
        statement,
        requirement: property.reference.map(|(document, section)| {
            let document = &project.requirements[document];
            let heading = section.map(|index| &document.sections[index]);
            Requirement {
                document: document.path.clone(),
                heading: heading.map(|one| one.heading.clone()).unwrap_or_default(),
                anchor: heading.map(|one| one.anchor.clone()).unwrap_or_default(),
                text: section.map_or("", |index| text(document, index)).to_string(),
            }
        }),
        expected: match property.expected {
            Expected::Holds => Verdict::Holds,
            Expected::Violated => Verdict::Violated,
        },
        tags: property.tags.clone(),
        fault_gone: runs.iter().any(|run| run.judgement == Judgement::FaultGone),
        witness: None,
        runs,
    }
}

/// A timeline as written, without comments; its formula if the file cannot be read again.
fn timeline_text(project: &Project, timeline: &Timeline, path: &str) -> String {
    let written = project.folder.load(path, LARGEST_DOCUMENT).ok();
    match written.and_then(|bytes| String::from_utf8(bytes).ok()) {
        Some(text) => {
            let lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
            lines.join("\n").trim().to_string()
        }
        None => axle_ltl::print::formula(&axle_ltl::timeline::formula(timeline), &timeline.atoms),
    }
}

fn of_run(project: &Project, run: &Run, outcome: Option<&Outcome>, judgement: Judgement) -> RoundRun {
    let not_started = Outcome::not_started(run);
    let one = outcome.unwrap_or(&not_started);
    let coverage = &one.coverage;
    let statements = coverage.unreached.iter().map(|process| process.statements).sum();
    RoundRun {
        name: run.name.clone(),
        constraint: run.constraint.clone(),
        enabled: enabled(project, &run.constraint),
        verdict: one.verdict,
        judgement,
        reason: one.reason.clone(),
        cycle: outcome.map(|outcome| outcome.cycle),
        states: one.states.clone(),
        transitions: one.transitions.clone(),
        memory: one.memory,
        seconds: one.seconds,
        vacuity: one.vacuity.clone(),
        remarks: one.remarks.iter().cloned().chain(one.decided_by()).collect(),
        automaton_states: coverage.automaton_states,
        automaton_transitions: coverage.automaton_transitions,
        coverage: coverage.states,
        unreached: coverage.unreached.iter().flat_map(|process| process.unreached.clone()).collect(),
        statements,
        warnings: one.warnings.clone(),
        violation: one.witness.as_ref().map(|witness| witness.violation.clone()),
        trace: one.witness.as_ref().map(|witness| witness.trace.clone()),
        internal: one.internal.clone(),
    }
}

/// The features that may be enabled under a constraint.
fn enabled(project: &Project, constraint: &str) -> Vec<String> {
    let own = project.constraints.iter().find(|own| own.name.value == constraint);
    if own.is_none() && constraint != ANY {
        return Vec::new();
    }
    // A project has no constraints with too many combinations.
    let components = components(&project.flags, own.map(|own| &own.expression)).unwrap_or_default();
    let can = |flag: &usize| {
        components.iter().any(|component| {
            let place = component.flags.iter().position(|member| member == flag);
            place.is_some_and(|place| component.valuations.iter().any(|valuation| valuation[place] != 0))
        })
    };
    (0..project.flags.len()).filter(can).map(|flag| project.flags[flag].name.value.clone()).collect()
}

fn requirements(project: &Project) -> Vec<RequirementDocument> {
    let mut documents: Vec<RequirementDocument> = Vec::new();
    for covered in coverage(project) {
        let section = RequirementSection {
            heading: covered.section.heading.clone(),
            anchor: covered.section.anchor.clone(),
            level: covered.section.level,
            line: covered.line,
            properties: covered.properties.iter().map(|name| (*name).to_string()).collect(),
            uncovered: covered.uncovered,
        };
        match documents.last_mut().filter(|last| last.document == covered.document.path) {
            Some(last) => last.sections.push(section),
            None => documents.push(RequirementDocument {
                document: covered.document.path.clone(),
                sections: vec![section],
            }),
        }
    }
    documents
}
