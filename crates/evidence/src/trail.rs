//! The trail file: a violation that can be replayed later. JSON, so that people and scripts can
//! read it; it names the model and carries a fingerprint of it, since positions mean nothing in any
//! other model.
//!
//! Described in docs/reference/trail.md.
//!
//! *Entry points:* [`write()`], [`read`] and [`Trail::check`].

use axle_model::dump::fingerprint;
use axle_model::{EdgeId, Model};
use axle_outcome::{Found, ModelSite, Violation};
use axle_step::FaultKind;
use serde::{Deserialize, Serialize};

/// The version of the file's form.
pub const VERSION: u32 = 1;

/// A trail.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Trail {
    /// [`VERSION`]; it stands first, and says what kind of file this is.
    pub axle_trail: u32,
    /// The version of Axle that wrote it.
    pub axle: String,
    /// The model file, as the user named it.
    pub model: String,
    /// How the model was read: `-DN=3`, `--lossy`, ...
    pub arguments: Vec<String>,
    /// [`fingerprint`] of the model.
    pub fingerprint: String,
    /// The kind of violation: `assertion`, `invalid-end`, ...
    pub kind: String,
    /// The number of the process that violates the property.
    pub pid: u32,
    /// The edge of its process type at which the violation occurs.
    pub edge: Option<u32>,
    /// The point of the execution at which the violation occurs.
    pub found: TrailFound,
    /// The position of each step among the successors of the state before it.
    pub path: Vec<u32>,
}

/// The point of an execution at which a violation occurs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TrailFound {
    /// In the initial values.
    Start,
    /// In the state at the end of the path, or in a step from it that leads nowhere.
    State,
    /// In the last step of the path.
    Step,
}

/// Why a trail cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TrailError {
    /// Not a trail.
    #[error("this is not a trail of Axle: {0}")]
    NotATrail(String),
    /// Written by a version of Axle that this one does not know.
    #[error("the trail has version {0}, and this version of Axle reads versions 1 to 3")]
    Version(u64),
    /// The model is another one, or was changed.
    #[error(
        "the trail does not match this model: it was written for `{model}`{arguments} by Axle {axle}; \
         the model has changed since, or the options differ",
        arguments = given(.arguments)
    )]
    OtherModel {
        /// The model file that the trail names.
        model: String,
        /// How it was read.
        arguments: Vec<String>,
        /// The version of Axle that wrote it.
        axle: String,
    },
    /// It names an unknown kind of violation.
    #[error("the trail names an unknown kind of violation, `{0}`")]
    Kind(String),
}

fn given(arguments: &[String]) -> String {
    match arguments.is_empty() {
        true => String::new(),
        false => format!(" with {}", arguments.join(" ")),
    }
}

impl Trail {
    /// The trail of a violation in a model. `axle` is the version of Axle.
    pub fn new(model: &Model, file: &str, arguments: &[String], axle: &str, violation: &Violation) -> Trail {
        Trail {
            axle_trail: VERSION,
            axle: axle.to_string(),
            model: file.to_string(),
            arguments: arguments.to_vec(),
            fingerprint: fingerprint(model),
            kind: violation.site.kind.name().to_string(),
            pid: violation.pid,
            edge: violation.site.edge.map(|edge| edge.0),
            found: match violation.found {
                Found::Start => TrailFound::Start,
                Found::State => TrailFound::State,
                Found::Step(_) => TrailFound::Step,
            },
            path: violation.steps(),
        }
    }

    /// Whether the trail belongs to this model.
    pub fn check(&self, model: &Model) -> Result<(), TrailError> {
        if self.fingerprint == fingerprint(model) {
            return Ok(());
        }
        let (model, arguments, axle) = (self.model.clone(), self.arguments.clone(), self.axle.clone());
        Err(TrailError::OtherModel { model, arguments, axle })
    }

    /// The violation, as a search would have found it.
    pub fn violation(&self) -> Result<Violation, TrailError> {
        let kind = FaultKind::named(&self.kind).ok_or_else(|| TrailError::Kind(self.kind.clone()))?;
        let (mut path, mut found) = (self.path.clone(), Found::State);
        match self.found {
            TrailFound::Start => found = Found::Start,
            TrailFound::State => {}
            TrailFound::Step => {
                let last = path.pop();
                let nowhere =
                    || TrailError::NotATrail("the violation is in a step, but the path is empty".into());
                found = Found::Step(last.ok_or_else(nowhere)?);
            }
        }
        let edge = self.edge.map(EdgeId);
        Ok(Violation { site: ModelSite { kind, edge }, pid: self.pid, proc: None, path, found, count: 1 })
    }
}

/// The text of a trail file.
pub fn write(trail: &Trail) -> String {
    let json = serde_json::to_string_pretty(trail);
    // Strings and numbers have a JSON form, and a string takes it.
    let mut text = json.unwrap_or_default();
    text.push('\n');
    text
}

/// Reads the text of a trail file.
pub fn read(text: &str) -> Result<Trail, TrailError> {
    let not = |fault: serde_json::Error| TrailError::NotATrail(fault.to_string());
    let value: serde_json::Value = serde_json::from_str(text).map_err(not)?;
    let version = value.get("axle-trail").and_then(serde_json::Value::as_u64);
    match version {
        None => Err(TrailError::NotATrail("it has no field `axle-trail`".into())),
        Some(version) if version != u64::from(VERSION) => Err(TrailError::Version(version)),
        Some(_) => serde_json::from_value(value).map_err(not),
    }
}
