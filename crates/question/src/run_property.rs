//! What every execution of a program must do: satisfy a formula, or come to its end.
//!
//! *Entry points:* [`formula`], [`termination`].

use std::borrow::Cow;

use axle_c::Program;
use axle_c_exec::{Proposition, Settings, Watch, settings_for_runs};
use axle_evidence::report::PropertyReport;
use axle_evidence::report::reason::Words;
use axle_ltl::parse::pointed;
use axle_outcome::{Answer, Reason};
use axle_search::Fairness;
use axle_search::claim::Claim;
use axle_step::Interrupt;

use crate::checks::{Check, SystemKind};
use crate::claims::{BadPrefixes, claim_of};
use crate::config::Config;

/// A property of runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunProperty {
    /// Its name in reports.
    pub name: String,
    /// The formula in words.
    pub meaning: String,
    /// None: the program comes to its end.
    pub formula: Option<axle_ltl::Formula>,
    /// Its propositions, in the order of the atoms of its formula.
    pub propositions: Vec<Proposition>,
    /// Their texts.
    pub texts: Vec<String>,
    /// The objects that the propositions read.
    pub watch: Watch,
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
    pub fn observed<'p>(&self, program: &'p Program) -> Cow<'p, Program> {
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

    /// Its propositions, in the order of the atoms of its formula.
    pub fn propositions(&self) -> &[Proposition] {
        &self.propositions
    }

    /// The property that every run satisfies another formula over the same propositions. The program
    /// has the same transitions for both.
    pub fn with_formula(&self, formula: axle_ltl::Formula) -> RunProperty {
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
    pub fn settings(&self, settings: &Settings) -> Settings {
        settings_for_runs(settings, self.watch.clone())
    }
}

impl RunProperty {
    /// The row of a property for which there was no search.
    pub fn unsearched(&self) -> PropertyReport {
        PropertyReport::answered(&self.name, &self.meaning, &Answer::Open(Reason::NotStarted), &Words::PLAIN)
    }

    /// The bad prefixes of a safety property: an execution that violates it has a finite prefix
    /// that does.
    pub fn safety(&self) -> Option<BadPrefixes> {
        BadPrefixes::of(self.formula.as_ref()?, self.propositions.len(), &Interrupt::default())
            .filter(BadPrefixes::is_safety)
    }

    /// The claim to search for and the fairness assumption. Every finite execution has a fair
    /// continuation, so fairness does not matter for a safety property.
    pub fn searched(&self, config: &Config) -> Result<(Claim, Fairness), String> {
        match self.safety() {
            Some(prefixes) => Ok((prefixes.claim, Fairness::None)),
            None => Ok((self.claim()?, self.fairness(config))),
        }
    }

    fn claim(&self) -> Result<Claim, String> {
        match &self.formula {
            Some(formula) => claim_of(formula, self.propositions.len(), &Interrupt::default()),
            None => Ok(Claim::accepting()),
        }
    }

    /// A thread that the scheduler never executes is no defect of the program, so weak fairness is
    /// the default.
    pub fn fairness(&self, config: &Config) -> Fairness {
        match (&self.formula, config.fairness) {
            (None, Fairness::None) => Fairness::Weak,
            (_, fairness) => fairness,
        }
    }
}
