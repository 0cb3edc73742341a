//! The state of a project at one moment: its files, its runs, and what is known of each run.
//!
//! *Entry points:* [`Snapshot::read`], [`Snapshot::learn`].
//! *Invariant:* a verdict is shown as that of a run only if its key is that of the run.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use axle_evidence::report::ConflictReport;
use axle_evidence::trace::Trace;
use axle_feaver::execute::{Disagreement, Witness};
use axle_feaver::jobs::error::StoreError;
use axle_feaver::jobs::job::{RoundId, Timestamp};
use axle_feaver::prepare::key::Key;
use axle_feaver::prepare::names::SoftwareName;
use axle_feaver::prepare::{Run, Selection, TableRow, prepare};
use axle_feaver::project::{BrokenProperty, Expected, Folders, Project, Property, load};
use axle_feaver::provisioning::program::hide_choice;
use axle_feaver::results::database::Database;
use axle_feaver::results::ledger::{Kept, Standing, kept, recorded_standing};
use axle_feaver::results::verdict::{Answer, Machine, Phase, Record};
use axle_outcome::{Count, Reason, ViolationKind};
use axle_source::{Severity, Sources};

use crate::view::state::State;

/// The state of a project.
#[derive(Default)]
pub struct Snapshot {
    /// Counts the changes of the project's files that were read.
    pub generation: u64,
    /// The project, unless its manifest has errors.
    pub project: Option<Project>,
    /// The runs of the project, by property and constraint.
    pub runs: Vec<RunState>,
    /// The properties that have no runs because of errors.
    pub broken: Vec<BrokenState>,
    /// Errors and warnings about the project.
    pub problems: Vec<Problem>,
    /// Positions of the runs of each property.
    by_property: HashMap<String, Vec<usize>>,
    names: OnceLock<BTreeSet<SoftwareName>>,
}

/// An error or warning about the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Whether it prevents verification.
    pub is_error: bool,
    /// The code of the diagnostic.
    pub code: &'static str,
    /// The problem in one sentence.
    pub message: String,
    /// File and line.
    pub place: Option<(String, u32)>,
    /// The source line.
    pub line: String,
    /// Further sentences: explanations and remedies.
    pub help: Vec<String>,
    /// The files that it is about.
    pub files: Vec<String>,
}

impl Problem {
    /// The problem and its place in one line.
    #[must_use]
    pub fn line_of_text(&self) -> String {
        match &self.place {
            Some((file, line)) => format!("{} ({file}:{line})", self.message),
            None => self.message.clone(),
        }
    }
}

/// A property that cannot be verified because of errors.
#[derive(Clone, Debug)]
pub struct BrokenState {
    /// The property.
    pub property: BrokenProperty,
    /// Its errors.
    pub problems: Vec<Problem>,
    /// The latest verdict under each constraint, which is that of an earlier version.
    pub latest: Vec<Record>,
}

impl BrokenState {
    /// The first error in a sentence with its place.
    #[must_use]
    pub fn summary(&self) -> String {
        self.problems.first().map(Problem::line_of_text).unwrap_or_default()
    }
}

/// A run and what is known of it.
#[derive(Clone, Debug)]
pub struct RunState {
    /// `PROPERTY@CONSTRAINT`.
    pub name: String,
    /// The property.
    pub property: String,
    /// The feature of the property.
    pub feature: Option<String>,
    /// The constraint.
    pub constraint: String,
    /// The expected verdict.
    pub expected: Expected,
    /// What the verdict depends on.
    pub key: Key,
    /// What is known.
    pub known: Known,
    run: Arc<Run>,
}

impl RunState {
    /// The rows of the tables that its model was extracted by, if it was.
    #[must_use]
    pub fn table_rows(&self) -> Vec<TableRow> {
        self.run.table_rows()
    }
}

/// What is known of a run.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The state that is shown.
    pub state: State,
    /// The verdict of the result, which may be that of an earlier version.
    pub verdict: Option<Answer>,
    /// The parts of the key that have changed since.
    pub changed: Vec<String>,
    /// Why the verdict is unknown.
    pub reason: Option<String>,
    /// The same as data; none for results of earlier versions.
    pub cause: Option<Reason>,
    /// Why the property may hold vacuously.
    pub vacuity: Vec<String>,
    /// The last cycle.
    pub cycle: Option<u8>,
    /// Stored states.
    pub states: Count,
    /// Seconds of real time.
    pub seconds: f64,
    /// The problem that the execution shows, in a sentence.
    pub message: Option<String>,
    /// Steps of the execution of the phase that [`Known::phase`] names.
    pub steps: Option<u64>,
    /// The round and number of the verdict.
    pub place: Option<(RoundId, u32)>,
    /// The recorded executions.
    pub phases: Vec<Phase>,
    /// When the verdict was recorded.
    pub at: Option<Timestamp>,
    /// The machine that found the result, if it is known.
    pub machine: Option<Machine>,
    /// The answers of two machines that disagree.
    pub disagreement: Option<Disagreement>,
    /// The engines that contradict each other.
    pub conflict: Option<ConflictReport>,
}

impl Known {
    /// The phase whose execution is shown first: the shortest one that is recorded.
    #[must_use]
    pub fn phase(&self) -> Option<Phase> {
        let rank = |phase: &Phase| match phase {
            Phase::Shortest => 0,
            Phase::First => 1,
            Phase::Likeliest => 2,
        };
        self.phases.iter().copied().min_by_key(rank)
    }
}

impl RunState {
    /// The texts of the processes that were extracted for the run, beside the statements of C.
    #[must_use]
    pub fn texts(&self) -> Vec<axle_feaver::prepare::ProcessText> {
        self.run.subject.texts()
    }
}

impl Snapshot {
    /// The names that formulas may use; collected once.
    #[must_use]
    pub fn names(&self) -> &BTreeSet<SoftwareName> {
        self.names.get_or_init(|| {
            let mut names = BTreeSet::new();
            // Programs of all provisionings have the same names; models are sliced for each property.
            let mut has_program = false;
            for subject in self.runs.iter().map(|run| &run.run.subject) {
                if subject.program().is_none() || !std::mem::replace(&mut has_program, true) {
                    names.append(&mut subject.names());
                }
            }
            names
        })
    }

    /// Reads a project and prepares its runs.
    #[must_use]
    pub fn read(root: &Path, generation: u64) -> Snapshot {
        let loaded = load(root);
        let project = loaded.project.clone();
        let prepared = prepare(loaded, &Selection::default());
        let problems = prepared.diagnostics.iter().map(|one| problem(one, &prepared.sources)).collect();
        let broken = prepared.broken.iter().map(|property| BrokenState {
            problems: property.errors.iter().map(|one| problem(one, &prepared.sources)).collect(),
            property: property.clone(),
            latest: Vec::new(),
        });
        let broken = broken.collect();
        let runs: Vec<RunState> = prepared.runs.into_iter().map(RunState::new).collect();
        let mut by_property: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, run) in runs.iter().enumerate() {
            by_property.entry(run.property.clone()).or_default().push(index);
        }
        Snapshot { generation, project, runs, broken, problems, by_property, names: OnceLock::new() }
    }

    /// The same project with what a history knows of its runs; `only` restricts the properties whose
    /// knowledge is read again.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn learn(
        &self,
        database: &dyn Database,
        build: &str,
        only: Option<&[String]>,
    ) -> Result<Snapshot, StoreError> {
        let mut runs = self.runs.clone();
        for state in &mut runs {
            if only.is_some_and(|only| !only.contains(&state.property)) {
                continue;
            }
            let (standing, record) = recorded_standing(database, &state.run, build)?;
            state.known = known(&standing, record.as_ref(), state.expected);
            if let (Some(record), Some(phase)) = (&record, state.known.phase())
                && phase != Phase::First
            {
                let witness = kept(database, record, phase)?.and_then(|kept| kept.outcome.witness);
                state.known.steps = witness.map(|witness| length(&witness));
            }
        }
        let mut broken = self.broken.clone();
        for state in &mut broken {
            state.latest = database.latest(&state.property.name)?;
        }
        Ok(Snapshot {
            generation: self.generation,
            project: self.project.clone(),
            runs,
            broken,
            problems: self.problems.clone(),
            by_property: self.by_property.clone(),
            names: self.names.clone(),
        })
    }

    /// The name of the project, or of its folder while it has errors.
    #[must_use]
    pub fn name(&self) -> &str {
        self.project.as_ref().map_or("project", |project| project.name.as_str())
    }

    /// A property by its name.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.project.as_ref()?.properties.iter().find(|property| property.name.value == name)
    }

    /// The files that are called by this name and have errors: several if they have the same name.
    pub fn broken_of<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a BrokenState> + use<'a> {
        let name = name.to_string();
        self.broken.iter().filter(move |broken| broken.property.name == name)
    }

    /// The property of this name if it has no errors.
    #[must_use]
    pub fn valid_property(&self, name: &str) -> Option<&Property> {
        self.property(name).filter(|_| self.broken_of(name).next().is_none())
    }

    /// The properties without errors, by path of their files.
    pub fn valid_properties(&self) -> impl Iterator<Item = &Property> {
        self.properties().iter().filter(|property| self.broken_of(&property.name.value).next().is_none())
    }

    /// The state of a property: that of its run that needs the most attention.
    #[must_use]
    pub fn state_of_property(&self, name: &str) -> State {
        match self.broken_of(name).next() {
            Some(_) => State::InError,
            None => self.runs_of(name).map(|run| run.known.state).min().unwrap_or_default(),
        }
    }

    /// The state of a run of a property with a verdict of a round.
    #[must_use]
    pub fn state_of(&self, property: &str, record: Option<&Record>) -> State {
        let property = self.property(property);
        let is_known_fault = property.is_some_and(|property| property.expected == Expected::Violated);
        record.map_or(State::New, |record| State::of(record.verdict.answer, is_known_fault, false))
    }

    /// The folders of the project.
    #[must_use]
    pub fn folders(&self) -> Folders {
        self.project.as_ref().map(|project| project.folders.clone()).unwrap_or_default()
    }

    /// Prepares an execution for readers, as the project declares it.
    pub fn present(&self, trace: &mut Trace) {
        match &self.project {
            Some(project) => project.present(trace),
            None => hide_choice(trace),
        }
    }

    /// The properties, by path of their files.
    #[must_use]
    pub fn properties(&self) -> &[Property] {
        self.project.as_ref().map_or(&[], |project| &project.properties)
    }

    /// The runs of a property.
    pub fn runs_of<'a>(&'a self, property: &str) -> impl Iterator<Item = &'a RunState> + use<'a> {
        let indices = self.by_property.get(property).map_or(&[][..], Vec::as_slice);
        indices.iter().map(|index| &self.runs[*index])
    }

    /// The number of problems that prevent verification.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.problems.iter().filter(|problem| problem.is_error).count()
    }
}

impl RunState {
    /// The run as it was prepared.
    #[must_use]
    pub fn plan(&self) -> &Run {
        &self.run
    }

    fn new(run: Run) -> RunState {
        RunState {
            name: run.name.clone(),
            property: run.property.clone(),
            feature: run.feature.clone(),
            constraint: run.constraint.clone(),
            expected: run.expected,
            key: run.key.clone(),
            known: Known::default(),
            run: Arc::new(run),
        }
    }
}

/// A diagnostic as plain data.
#[must_use]
pub fn problem(diagnostic: &axle_source::Diagnostic, sources: &Sources) -> Problem {
    let place = diagnostic.outer_place(sources);
    let line = place.as_ref().and_then(|_| {
        let span = sources.outermost(diagnostic.primary()?.loc);
        let file = sources.file(span.file);
        Some(file.line(file.line_of(span.start)).trim_end().to_string())
    });
    Problem {
        is_error: diagnostic.severity == Severity::Error,
        code: diagnostic.code,
        message: diagnostic.message.clone(),
        place: place.map(|place| (place.file.to_string(), place.start.line)),
        line: line.unwrap_or_default(),
        help: diagnostic.notes.iter().chain(&diagnostic.helps).cloned().collect(),
        files: (diagnostic.labels.iter())
            .map(|label| sources.file(sources.outermost(label.loc).file).name().to_string())
            .collect(),
    }
}

fn known(standing: &Standing, record: Option<&Record>, expected: Expected) -> Known {
    let (kept, changed): (&Kept, &[String]) = match standing {
        Standing::Current(kept) => (kept, &[]),
        Standing::Changed(kept, changed) => (kept, changed),
        Standing::New => return Known::default(),
    };
    let outcome = &kept.outcome;
    let verdict = record.map(|record| record.verdict.answer);
    let state = match (standing, verdict) {
        (Standing::Changed(..), _) => State::Changed,
        (_, Some(answer)) => State::of(answer, expected == Expected::Violated, !outcome.vacuity.is_empty()),
        (_, None) => State::New,
    };
    let witness = outcome.witness.as_ref();
    Known {
        state,
        verdict,
        changed: changed.to_vec(),
        reason: outcome.reason.clone().or_else(|| outcome.internal.clone()),
        cause: outcome.cause.clone(),
        vacuity: outcome.vacuity.clone(),
        cycle: Some(outcome.cycle),
        states: outcome.states.clone(),
        seconds: outcome.seconds,
        message: witness.map(headline),
        steps: witness.map(length),
        place: record.map(|record| (record.round, record.run.number)),
        phases: record.map_or_else(Vec::new, |record| {
            record.witnesses.iter().map(|(phase, _)| *phase).filter(|_| witness.is_some()).collect()
        }),
        at: record.map(|record| record.at),
        machine: outcome.machine.clone(),
        disagreement: outcome.disagreement.clone().filter(|_| matches!(standing, Standing::Current(_))),
        conflict: outcome.conflict.clone().filter(|_| matches!(standing, Standing::Current(_))),
    }
}

/// The violation in a sentence: what happened, if that is known of a temporal property.
#[must_use]
pub fn headline(witness: &Witness) -> String {
    let told = witness.trace.account.as_ref().map(|account| account.sentence.clone());
    told.unwrap_or_else(|| without_formula(&witness.violation.message, Some(&witness.violation.kind)))
}

/// The sentence of a violation without the formula, which the page of the property shows.
fn without_formula(message: &str, kind: Option<&ViolationKind>) -> String {
    let is_of_formula = kind == Some(&ViolationKind::Formula);
    let end = if is_of_formula { message.find(" violated:") } else { None };
    message[..end.map_or(message.len(), |end| end + " violated".len())].to_string()
}

/// The number of steps of an execution.
fn length(witness: &Witness) -> u64 {
    witness.trace.steps.last().map_or(0, |step| step.step)
}
