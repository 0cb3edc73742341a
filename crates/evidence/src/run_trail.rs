//! The trail file of a run that breaks a property: version 2 of the form, beside version 1 of
//! [`crate::trail`].
//!
//! It holds the steps of the system and how many of them repeat, and not the automaton: that may be
//! another in the next version of Axle, while the property is judged anew on every replay.
//! Described in docs/reference/trail.md.

use axle_model::Model;
use axle_model::dump::fingerprint;
use serde::{Deserialize, Serialize};

use crate::lasso::SystemRun;
use crate::program_trail::{self, ProgramTrail};
use crate::trail::{self, Trail, TrailError};

/// The version of the file's form.
pub const VERSION: u32 = 2;

/// A run that breaks a property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RunTrail {
    /// [`VERSION`]; it stands first, and says what kind of file this is.
    pub axle_trail: u32,
    /// The version of Axle that wrote it.
    pub axle: String,
    /// The model file, as the user named it.
    pub model: String,
    /// How the model was read: `-DN=3`, `--ltl 'p=[] x'`, ...
    pub arguments: Vec<String>,
    /// [`fingerprint`] of the model.
    pub fingerprint: String,
    /// The name of the property.
    pub property: String,
    /// The kind of fault, where the run does not break the property but brings a proposition of it
    /// to where it cannot be evaluated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// What was assumed of the scheduler: `none`, `weak` or `strong`.
    pub fairness: String,
    /// The position of each step among the successors of the state before it; null for a stuttering
    /// step.
    pub path: Vec<Option<u32>>,
    /// The length of the cycle at the end, in steps; 0 for a finite execution.
    pub cycle: usize,
}

/// What a run shows.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// [`RunTrail::property`].
    pub property: &'a str,
    /// [`RunTrail::fault`].
    pub fault: Option<&'a str>,
    /// [`RunTrail::fairness`].
    pub fairness: &'a str,
}

impl RunTrail {
    /// The trail of a run in a model. `axle` is the version of Axle.
    pub fn new(
        model: &Model,
        file: &str,
        arguments: &[String],
        axle: &str,
        about: &About,
        run: &SystemRun,
    ) -> RunTrail {
        RunTrail {
            axle_trail: VERSION,
            axle: axle.to_string(),
            model: file.to_string(),
            arguments: arguments.to_vec(),
            fingerprint: fingerprint(model),
            property: about.property.to_string(),
            fault: about.fault.map(str::to_string),
            fairness: about.fairness.to_string(),
            path: run.steps.clone(),
            cycle: run.cycle,
        }
    }

    /// Whether the trail belongs to this model.
    pub fn check(&self, model: &Model) -> Result<(), TrailError> {
        if self.cycle > self.path.len() {
            return Err(TrailError::NotATrail("the cycle is longer than the path".into()));
        }
        if self.fingerprint == fingerprint(model) {
            return Ok(());
        }
        let (model, arguments, axle) = (self.model.clone(), self.arguments.clone(), self.axle.clone());
        Err(TrailError::OtherModel { model, arguments, axle })
    }

    /// The run, as a search would have found it.
    pub fn run(&self) -> SystemRun {
        SystemRun { steps: self.path.clone(), cycle: self.cycle, claim: Vec::new() }
    }
}

/// The text of a trail file.
pub fn write(trail: &RunTrail) -> String {
    // Strings and numbers have a JSON form, and a string takes it.
    let mut text = serde_json::to_string_pretty(trail).unwrap_or_default();
    text.push('\n');
    text
}

/// A trail of either kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnyTrail {
    /// Of a fault in a run.
    Violation(Trail),
    /// Of a run that breaks a property.
    Run(RunTrail),
    /// Of a run of a C program.
    Program(ProgramTrail),
}

impl AnyTrail {
    /// The text of a trail file.
    pub fn text(&self) -> String {
        match self {
            AnyTrail::Violation(trail) => crate::trail::write(trail),
            AnyTrail::Run(trail) => write(trail),
            AnyTrail::Program(trail) => crate::program_trail::write(trail),
        }
    }
}

/// Reads the text of a trail file, whichever kind it is.
pub fn read_any(text: &str) -> Result<AnyTrail, TrailError> {
    let not = |fault: serde_json::Error| TrailError::NotATrail(fault.to_string());
    let value: serde_json::Value = serde_json::from_str(text).map_err(not)?;
    let version = value.get("axle-trail").and_then(serde_json::Value::as_u64);
    if version == Some(u64::from(VERSION)) {
        return serde_json::from_value(value).map_err(not).map(AnyTrail::Run);
    }
    if version == Some(u64::from(program_trail::VERSION)) {
        return serde_json::from_value(value).map_err(not).map(AnyTrail::Program);
    }
    trail::read(text).map(AnyTrail::Violation)
}
