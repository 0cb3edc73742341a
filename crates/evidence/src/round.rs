//! The report of a round of a verification project as plain data. JSON, JUnit, SARIF and HTML render
//! the same [`Round`], so that all of them agree. The project fills it in; nothing here decides a
//! verdict.

mod clusters;
mod html;
mod interactions;
mod junit;
mod sarif;

use serde::{Deserialize, Serialize};

use crate::report::{Count, ErrorReport, StatementReport, Verdict, ViolationReport, WarningReport};
use crate::trace::Trace;

pub use clusters::{Cluster, clusters};
pub use html::{RoundPage, round_to_html};
pub use interactions::{Interaction, interactions};
pub use junit::round_to_junit;
pub use sarif::round_to_sarif;

/// The version of the JSON form. It is raised when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 1;

/// A round: the runs of a project, with everything that readers need to judge them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Round {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The version of Axle.
    pub version: String,
    /// The name of the project.
    pub project: String,
    /// The budget in seconds.
    pub budget: f64,
    /// The features in the order of the manifest.
    pub features: Vec<String>,
    /// The properties, each with its runs.
    pub properties: Vec<RoundProperty>,
    /// The properties that were not verified because of errors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<RoundBroken>,
    /// The sections of the requirement documents, with the properties that cover them.
    pub requirements: Vec<RequirementDocument>,
    /// The properties of one feature while another one is enabled.
    pub interactions: Vec<Interaction>,
    /// The violations by their last decisive statement.
    pub clusters: Vec<Cluster>,
}

impl Round {
    /// All runs with their properties.
    pub fn runs(&self) -> impl Iterator<Item = (&RoundProperty, &RoundRun)> {
        self.properties.iter().flat_map(|property| property.runs.iter().map(move |run| (property, run)))
    }
}

/// A property of a round.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RoundProperty {
    /// Its name.
    pub name: String,
    /// Its feature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feature: Option<String>,
    /// The path of its file in the project.
    pub file: String,
    /// What it states in words, in Markdown.
    pub words: String,
    /// `formula`, `timeline`, `never`, or `safety` for the check of the software.
    pub kind: String,
    /// The formula, timeline or never claim; the checks of the software, one a line.
    pub statement: String,
    /// The section of the requirement document that it refers to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requirement: Option<Requirement>,
    /// `violated` marks a known fault.
    pub expected: Verdict,
    /// Words to select by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// A property with a known fault holds in all runs: the mark is to be removed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fault_gone: bool,
    /// The shortest execution in which the situation arises that the property is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Example>,
    /// Its runs, one for each constraint.
    pub runs: Vec<RoundRun>,
}

/// A property that was not verified, because its file or something that it needs has errors.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RoundBroken {
    /// Its name; that of its file if the file gives none.
    pub name: String,
    /// Its feature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feature: Option<String>,
    /// The path of its file in the project.
    pub file: String,
    /// The errors, at least one.
    pub errors: Vec<ErrorReport>,
}

impl RoundBroken {
    /// The errors, one a line: `FILE:LINE:COLUMN: MESSAGE`.
    pub fn lines(&self) -> String {
        let lines: Vec<String> = self.errors.iter().map(ErrorReport::line).collect();
        lines.join("\n")
    }
}

/// An execution that shows what a property is about.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Example {
    /// The run that it belongs to.
    pub run: String,
    /// The condition that it satisfies, as a formula.
    pub shows: String,
    /// The execution.
    pub trace: Trace,
}

/// A section of a requirement document.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Requirement {
    /// The path of the document.
    pub document: String,
    /// The heading; empty for the whole document.
    pub heading: String,
    /// The anchor of the heading; empty for the whole document.
    pub anchor: String,
    /// The text of the section in Markdown, without its heading.
    pub text: String,
}

impl Requirement {
    /// `document#anchor`.
    pub fn name(&self) -> String {
        match self.anchor.is_empty() {
            true => self.document.clone(),
            false => format!("{}#{}", self.document, self.anchor),
        }
    }
}

/// A run of a round: a property under a constraint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RoundRun {
    /// `PROPERTY@CONSTRAINT`.
    pub name: String,
    /// The name of the constraint.
    pub constraint: String,
    /// Features that may be enabled under the constraint.
    pub enabled: Vec<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// The judgement of the verdict, given the expected one.
    pub judgement: Judgement,
    /// Why the verdict is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The last cycle; none if no cycle was executed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle: Option<u8>,
    /// Stored states.
    pub states: Count,
    /// Transitions.
    pub transitions: Count,
    /// Bytes of memory.
    pub memory: u64,
    /// Seconds of the last cycle.
    pub seconds: f64,
    /// Why the property may hold vacuously.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vacuity: Vec<String>,
    /// Further remarks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// States of the automaton of the negated property, and the number that was reached.
    pub automaton_states: [u64; 2],
    /// Transitions of that automaton, and the number whose condition held.
    pub automaton_transitions: [u64; 2],
    /// The estimated part of the reachable states that was searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f64>,
    /// Statements that were not reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreached: Vec<StatementReport>,
    /// Statements of the functions or processes that contain those.
    pub statements: u64,
    /// Warnings of the search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<WarningReport>,
    /// The violation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub violation: Option<ViolationReport>,
    /// The violating execution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
    /// An internal error: the verdict is not reliable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub internal: Option<String>,
}

/// The judgement of a verdict, given the expected one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// The property holds.
    Passed,
    /// The property is violated, as its mark says.
    KnownFault,
    /// The property is violated.
    Failed,
    /// The property holds in all runs, although it is marked as violated.
    FaultGone,
    /// The property holds because it demands nothing: no execution is one to which it applies.
    Vacuous,
    /// No verdict.
    Unknown,
    /// An internal error.
    Internal,
}

impl Judgement {
    /// The judgement in words.
    pub fn word(self) -> &'static str {
        match self {
            Judgement::Passed => "holds",
            Judgement::KnownFault => "known fault",
            Judgement::Failed => "violated",
            Judgement::FaultGone => "fault gone",
            Judgement::Vacuous => "vacuous",
            Judgement::Unknown => "unknown",
            Judgement::Internal => "internal error",
        }
    }

    /// Whether the verdict is the expected one.
    pub fn is_expected(self) -> bool {
        matches!(self, Judgement::Passed | Judgement::KnownFault)
    }
}

/// A requirement document.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RequirementDocument {
    /// Its path.
    pub document: String,
    /// Its sections, in order.
    pub sections: Vec<RequirementSection>,
}

/// A section of a requirement document and its coverage.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RequirementSection {
    /// The heading.
    pub heading: String,
    /// The anchor.
    pub anchor: String,
    /// The level of the heading, from 1.
    pub level: u32,
    /// The line of the heading.
    pub line: u32,
    /// The properties that refer to it.
    pub properties: Vec<String>,
    /// Whether it states something and no property refers to it or to a section around it.
    pub uncovered: bool,
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A run with a verdict.
    pub(crate) fn run(property: &str, constraint: &str, judgement: Judgement) -> RoundRun {
        let verdict = match judgement {
            Judgement::Passed | Judgement::FaultGone | Judgement::Vacuous => Verdict::Holds,
            Judgement::KnownFault | Judgement::Failed => Verdict::Violated,
            Judgement::Unknown | Judgement::Internal => Verdict::Unknown,
        };
        RoundRun {
            name: format!("{property}@{constraint}"),
            constraint: constraint.to_string(),
            enabled: Vec::new(),
            verdict,
            judgement,
            reason: (verdict == Verdict::Unknown).then(|| "the budget ended".to_string()),
            cycle: Some(0),
            states: Count::from(1),
            transitions: Count::from(1),
            memory: 1,
            seconds: 0.5,
            vacuity: Vec::new(),
            remarks: Vec::new(),
            automaton_states: [2, 1],
            automaton_transitions: [3, 1],
            coverage: None,
            unreached: Vec::new(),
            statements: 0,
            warnings: Vec::new(),
            violation: None,
            trace: None,
            internal: None,
        }
    }

    /// A property with these runs.
    pub(crate) fn property(name: &str, feature: &str, runs: Vec<RoundRun>) -> RoundProperty {
        RoundProperty {
            name: name.to_string(),
            feature: Some(feature.to_string()),
            file: format!("properties/{name}.md"),
            words: "Words.".to_string(),
            kind: "formula".to_string(),
            statement: "[] p".to_string(),
            requirement: None,
            expected: Verdict::Holds,
            tags: Vec::new(),
            fault_gone: false,
            witness: None,
            runs,
        }
    }

    /// A round of these properties.
    pub(crate) fn round(properties: Vec<RoundProperty>) -> Round {
        Round {
            schema: SCHEMA,
            version: "0".to_string(),
            project: "project".to_string(),
            budget: 60.0,
            features: Vec::new(),
            properties,
            broken: Vec::new(),
            requirements: Vec::new(),
            interactions: Vec::new(),
            clusters: Vec::new(),
        }
    }
}
