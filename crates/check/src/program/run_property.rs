//! What every execution of a program must do: satisfy a formula, or come to its end.
//!
//! *Entry points:* [`formula`], [`termination`].

use std::borrow::Cow;

use axle_c::Program;
use axle_c_exec::{Proposition, Settings, Watch, settings_for_runs};
use axle_ltl::parse::pointed;

use crate::checks::{Check, SystemKind};

/// A property of runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunProperty {
    /// Its name in reports.
    pub name: String,
    pub(crate) meaning: String,
    /// None: the program comes to its end.
    pub(super) formula: Option<axle_ltl::Formula>,
    pub(super) propositions: Vec<Proposition>,
    pub(super) texts: Vec<String>,
    pub(super) watch: Watch,
}

/// Reads a formula: `NAME=FORMULA`, or a formula alone, which is then called after its number.
pub fn formula(program: &Program, given: &str, number: usize) -> Result<RunProperty, String> {
    let is_name = |text: &str| {
        let text = text.trim();
        !text.is_empty()
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !text.starts_with(|c: char| c.is_ascii_digit())
    };
    let named = given.split_once('=').filter(|(name, rest)| is_name(name) && !rest.starts_with('='));
    let (name, text) = match named {
        Some((name, text)) => (name.trim().to_string(), text),
        None => (format!("formula_{number}"), given),
    };
    // Places are those of the option as the user typed it.
    let from = given.len() - text.len();
    let fault = |at: usize, message: &str| pointed(given, from + at, &format!("{name}: {message}"));
    let parsed = axle_ltl::parse(text).map_err(|found| fault(found.at, &found.message))?;
    let mut watch = Watch::default();
    let read = propositions(program, &parsed.atoms, &mut watch);
    let propositions =
        read.map_err(|found| fault(parsed.places[found[0].atom] + found[0].at, &found[0].message))?;
    watch.on = true;
    let meaning = axle_ltl::print::formula(&parsed.formula, &parsed.atoms);
    Ok(RunProperty { name, meaning, formula: Some(parsed.formula), propositions, texts: parsed.atoms, watch })
}

/// An error in a proposition over a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropositionError {
    /// The position of the proposition among those that were read.
    pub atom: usize,
    /// The offset in its text.
    pub at: usize,
    /// The problem, and the name that may be meant.
    pub message: String,
}

/// The errors in the propositions of a formula or timeline: names that the program does not have, and
/// expressions that cannot be evaluated.
#[must_use]
pub fn proposition_errors(program: &Program, texts: &[String]) -> Vec<PropositionError> {
    propositions(program, texts, &mut Watch::default()).err().unwrap_or_default()
}

/// Reads propositions, or finds the errors in them, at least one.
fn propositions(
    program: &Program,
    texts: &[String],
    watch: &mut Watch,
) -> Result<Vec<Proposition>, Vec<PropositionError>> {
    let (mut read, mut errors) = (Vec::new(), Vec::new());
    for (atom, text) in texts.iter().enumerate() {
        match Proposition::read(program, text, watch) {
            Ok(proposition) => read.push(proposition),
            Err((at, message)) => errors.push(PropositionError { atom, at, message }),
        }
    }
    if errors.is_empty() { Ok(read) } else { Err(errors) }
}

/// The property that every run comes to its end.
pub fn termination() -> RunProperty {
    RunProperty {
        name: Check::Termination.name().to_string(),
        meaning: Check::Termination.meaning(SystemKind::Program).to_string(),
        formula: None,
        propositions: vec![Proposition::Running],
        texts: vec!["the program has not ended".to_string()],
        watch: Watch::default(),
    }
}

impl RunProperty {
    /// The program with input classes that account for the variables of its propositions.
    pub(crate) fn observed<'p>(&self, program: &'p Program) -> Cow<'p, Program> {
        match self.watch.objects.is_empty() {
            true => Cow::Borrowed(program),
            false => Cow::Owned(program.observing(&self.watch.objects)),
        }
    }

    /// The formula; none for the property that the program comes to its end.
    pub fn stated(&self) -> Option<&axle_ltl::Formula> {
        self.formula.as_ref()
    }

    /// Its propositions as written, in the order of the atoms of its formula.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    pub(crate) fn propositions(&self) -> &[Proposition] {
        &self.propositions
    }

    /// The property that every run satisfies another formula over the same propositions. The program
    /// has the same transitions for both.
    pub(crate) fn with_formula(&self, formula: axle_ltl::Formula) -> RunProperty {
        let meaning = axle_ltl::print::formula(&formula, &self.texts);
        RunProperty { meaning, formula: Some(formula), ..self.clone() }
    }

    /// The objects that its propositions read.
    pub fn objects(&self) -> &[u32] {
        &self.watch.objects
    }

    /// What its propositions read, by names and offsets.
    pub fn shape(&self, program: &Program) -> String {
        self.propositions.iter().map(|one| format!("{}\n", one.shape(program))).collect()
    }

    /// The settings of the search for runs that break it.
    pub(crate) fn settings(&self, settings: &Settings) -> Settings {
        settings_for_runs(settings, self.watch.clone())
    }
}
