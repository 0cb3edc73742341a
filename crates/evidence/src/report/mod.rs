//! The report of a check as plain data. Text, JSON, SARIF, JUnit and HTML render the same
//! [`Report`], so that all of them agree. The checks fill it in; nothing here decides a verdict.

pub(crate) mod html;
mod json;
pub(crate) mod junit;
pub(crate) mod sarif;

use serde::{Deserialize, Serialize};

pub use crate::place::PlaceReport;
use crate::trace::Trace;

pub use html::{Page, to_html};
pub use json::to_json;
pub use junit::to_junit;
pub use sarif::{Rule, to_sarif};

/// The version of the JSON form. It is raised when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 1;

/// The result of a check.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The version of Axle that made the report.
    pub version: String,
    /// The model file, as the user named it.
    pub model: String,
    /// `violated` if any property is violated, otherwise `unknown` if any is unknown, otherwise `holds`.
    pub verdict: Verdict,
    /// The checked properties, including those whose check did not finish.
    pub properties: Vec<PropertyReport>,
    /// The violations, in the order of their discovery.
    pub violations: Vec<ViolationReport>,
    /// Number of violations, including repetitions of the same one.
    pub found: u64,
    /// The reason for which the search ended before it was complete.
    pub stop: Option<StopReport>,
    /// The search of states: its algorithm and figures.
    pub search: SearchReport,
    /// Statements that no execution reaches; after an incomplete search, statements that were not
    /// reached yet.
    pub unreached: Vec<UnreachedReport>,
    /// Internal error: a violation did not replay; no verdict is reliable.
    pub internal: Option<String>,
    /// The earlier searches of `--refine`, with their results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refinement: Vec<RoundReport>,
    /// Findings that are not violations, for example memory leaks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<WarningReport>,
    /// The next action for a search that a limit or a signal ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// Checks that were not enabled and that the search would have found violated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_checked: Vec<NotCheckedReport>,
    /// The conditions under which the checks that hold do so: the executions of a C program that the
    /// verdict covers, where others exist.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// The memory model of a C program, `c11` or `sc`: the executions that the verdict covers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_model: Option<String>,
    /// Errors in the input. If there are any, nothing was checked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ErrorReport>,
}

impl Report {
    /// The report of an input that cannot be checked.
    pub fn of_errors(version: &str, model: &str, errors: Vec<ErrorReport>) -> Report {
        Report {
            schema: SCHEMA,
            version: version.to_string(),
            model: model.to_string(),
            verdict: Verdict::Unknown,
            properties: Vec::new(),
            violations: Vec::new(),
            found: 0,
            stop: None,
            search: SearchReport::default(),
            unreached: Vec::new(),
            internal: None,
            refinement: Vec::new(),
            warnings: Vec::new(),
            hints: Vec::new(),
            not_checked: Vec::new(),
            conditions: Vec::new(),
            memory_model: None,
            errors,
        }
    }

    /// The reason why the verdict is unknown.
    pub fn reason(&self) -> Option<&str> {
        if self.verdict != Verdict::Unknown {
            return None;
        }
        let undecided = self.properties.iter().filter(|property| property.verdict == Verdict::Unknown);
        let first = [
            self.internal.as_deref(),
            self.errors.first().map(|error| error.message.as_str()),
            self.stop.as_ref().map(|stop| stop.message.as_str()),
            undecided.into_iter().find_map(|property| property.reason.as_deref()),
        ];
        Some(first.into_iter().flatten().next().unwrap_or("nothing was checked"))
    }
}

/// A report with the traces of its violations, in their order; fewer may be given.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The report.
    pub report: &'a Report,
    /// The traces.
    pub traces: &'a [Trace],
    /// The exit code for this input.
    pub exit: u8,
}

/// An error in the input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ErrorReport {
    /// The code of the diagnostic, `E0201`; none for a file that cannot be read or an unsuitable
    /// option.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The problem, in one sentence.
    pub message: String,
    /// The location.
    pub place: Option<PlaceReport>,
    /// Remedies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub help: Vec<String>,
}

impl ErrorReport {
    /// The error in one line: `FILE:LINE:COLUMN: MESSAGE`.
    pub fn line(&self) -> String {
        match &self.place {
            Some(PlaceReport { file, line, column, .. }) => {
                format!("{file}:{line}:{column}: {}", self.message)
            }
            None => self.message.clone(),
        }
    }
}

/// A check that was not enabled although a violation of it is reachable. It does not count for the
/// verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NotCheckedReport {
    /// The check: `aborts`.
    pub name: String,
    /// The property that it checks.
    pub meaning: String,
    /// Where a violation is reachable, and the option that enables the check.
    pub remark: String,
}

/// A finding that is not a violation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WarningReport {
    /// A stable name of its kind: `leak`.
    pub kind: String,
    /// The finding, in one sentence.
    pub message: String,
    /// Its location.
    pub place: Option<PlaceReport>,
}

/// The verdict on a property.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every execution satisfies the property.
    Holds,
    /// An execution violates the property; the report contains it.
    Violated,
    /// Undecided, for the given reason.
    Unknown,
}

/// A checked property and its verdict.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PropertyReport {
    /// `assertions`, `end-states`, ..., or the name of a property of the model.
    pub name: String,
    /// Its meaning, in a few words.
    pub meaning: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// The reason for which it is unknown.
    pub reason: Option<String>,
    /// Whether the property holds vacuously: no execution is one to which it applies.
    #[serde(default, rename = "vacuous", skip_serializing_if = "std::ops::Not::not")]
    pub is_vacuous: bool,
    /// The reasons for vacuity, and parts of the property that are irrelevant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vacuity: Vec<String>,
    /// Further remarks on the verdict, such as assumptions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// The search for an execution that violates it, if it had a search of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<RunSearchReport>,
}

/// A search for an execution that violates a property, in the product of the system and the automaton
/// of the negated property.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunSearchReport {
    /// `scc` or `nested`.
    pub algorithm: String,
    /// `none`, `weak` or `strong`.
    pub fairness: String,
    /// The partial-order reduction that was applied; none if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduction: Option<ReductionReport>,
    /// The transformations by which the searched model is smaller than the given one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passes: Vec<PassReport>,
    /// The propositions of the automaton, as written.
    pub propositions: Vec<String>,
    /// Number of states of the automaton, and number of those that were reached.
    pub claim_states: [u64; 2],
    /// Number of transitions of the automaton, and number of those whose condition held.
    pub claim_transitions: [u64; 2],
    /// Number of stored states of the product.
    pub states: u64,
    /// Number of transitions of the product.
    pub transitions: u64,
    /// The store of the states of the product, as in [`SearchReport::store`].
    #[serde(default)]
    pub store: String,
    /// Memory of the set of states in bytes.
    pub states_memory: u64,
    /// Memory of the other data structures of the search in bytes.
    pub search_memory: u64,
    /// The coverage of an approximate search; none if the search was exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approximation: Option<ApproximationReport>,
    /// Whether the automaton of the negated property was only in its initial states.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stays_initial: bool,
}

/// A violation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ViolationReport {
    /// The name of the property that it violates: [`PropertyReport::name`].
    pub property: String,
    /// A stable name of the kind of violation: `assertion`, `invalid-end`, `index-out-of-range`,
    /// ...
    pub kind: String,
    /// The problem, in one sentence.
    pub message: String,
    /// The process, `name(number)`; none if the violation concerns no process.
    pub process: Option<String>,
    /// The location of the violating statement, or of the blocked process.
    pub place: Option<PlaceReport>,
    /// The violating statement, as written.
    pub statement: Option<String>,
    /// Number of steps from the initial state.
    pub depth: u64,
    /// Number of occurrences of the same violation in the whole search.
    pub count: u64,
    /// Further explanations: for an end state, the location of each blocked process and the reason.
    pub details: Vec<String>,
    /// The positions of the steps among the successors of each state: the input of a replay. Null
    /// is a stuttering step.
    pub path: Vec<Option<u32>>,
    /// The length of the cycle at the end, in steps; none for a finite execution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle: Option<u64>,
    /// The attempt of the plan that found it; none for the exact search of its property.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<String>,
}

/// The reason for which a search ended early.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StopReport {
    /// `errors`, `memory`, `time`, `depth`, `states`, `sequence`, `interrupted` or
    /// `approximate`.
    pub reason: String,
    /// The reason in a sentence, with the option that would let the search continue.
    pub message: String,
}

/// The algorithm of a search and its figures.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SearchReport {
    /// `bfs`, `dfs`, `stateless`, `random` or `swarm`.
    pub order: String,
    /// `plain`, `tree`, `hash-compact`, `hash-compact-128`, `bitstate` or `none`: the store
    /// at the end of the search.
    pub store: String,
    /// The coverage of an approximate search; none if the search was exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approximation: Option<ApproximationReport>,
    /// The partial-order reduction; none if the search was unreduced on request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduction: Option<ReductionReport>,
    /// Whether identical threads of a program were counted as any number of them (counter abstraction).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub counter_abstraction: bool,
    /// The transformations by which the searched model is smaller than the given one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passes: Vec<PassReport>,
    /// `interpreter` or `compiled`: the engine of the successor function at the end of the search.
    pub engine: String,
    /// Number of stored states.
    pub states: u64,
    /// Number of transitions, including those to known states and the one into the initial state.
    pub transitions: u64,
    /// Breadth-first: distance of the farthest state. Depth-first: length of the longest path.
    pub depth: u64,
    /// Size of an uncompressed state in bytes.
    pub state_bytes: u64,
    /// Memory of the set of states in bytes.
    pub states_memory: u64,
    /// Memory of the data from which paths to states are reconstructed, in bytes.
    pub paths_memory: u64,
    /// Wall time in seconds.
    pub seconds: f64,
}

/// The coverage of approximate searches.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ApproximationReport {
    /// The searches, in order.
    pub runs: Vec<ApproximateRunReport>,
    /// The probability that a state that every search generates is omitted by all of them; none for
    /// random walks.
    pub omission_probability: Option<f64>,
    /// Number of states that any search stored: counted for one search, estimated from samples for several.
    pub stored: f64,
    /// Estimated number of reachable states (a lower bound): of one search, those that it
    /// generated.
    pub estimated: f64,
    /// `stored` divided by `estimated`; none if there is no estimate.
    pub coverage: Option<f64>,
}

/// An approximate search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ApproximateRunReport {
    /// The algorithm: `dfs, steps shuffled`, for example.
    pub order: String,
    /// `hash-compact`, `hash-compact-128`, `bitstate`.
    pub store: String,
    /// Number of bits of a fingerprint, or of the array.
    pub bits: u64,
    /// Number of bits that a state sets.
    pub functions: u32,
    /// The fraction of the bits of the array that were set at the end; none for fingerprints.
    pub filled: Option<f64>,
    /// The seed of its hash functions.
    pub seed: u64,
    /// Number of states that were new.
    pub states: u64,
    /// Number of transitions.
    pub transitions: u64,
    /// Distance of the farthest state.
    pub depth: u64,
    /// The reason for which it ended before all stored states were expanded.
    pub stop: Option<String>,
    /// The omission probability of a state at the end of the search, an upper bound for all states.
    pub omission_probability: f64,
    /// The expected number of omitted states, from the occupancy of the store at each insertion.
    pub expected_omissions: f64,
    /// Number of states in the exact sample.
    pub sampled: u64,
    /// Number of those that were omitted when first generated.
    pub sampled_omissions: u64,
}

/// A search of `--refine`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RoundReport {
    /// Its budget of states.
    pub allowed: u64,
    /// Wall time in seconds.
    pub seconds: f64,
    /// Its figures.
    pub run: ApproximateRunReport,
}

/// A partial-order reduction and its figures.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReductionReport {
    /// `ample`, `stubborn`, or `none` if it was not applicable or not effective.
    pub kind: String,
    /// The reason for which it was not applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Number of expanded states.
    pub expanded: u64,
    /// Number of those in which the transitions of some processes were omitted.
    pub reduced: u64,
    /// Number of transitions from states that were not stored.
    pub passed: u64,
}

/// A transformation of the model before the search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PassReport {
    /// `slice`, `constants`, `hide`, `dead` or `merge`.
    pub name: String,
    /// Number of places of the model that it changed.
    pub changed: u64,
}

/// The statements of one process type that were not reached.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnreachedReport {
    /// The process type.
    pub process: String,
    /// Number of its statements.
    pub statements: u64,
    /// The statements that were not reached.
    pub unreached: Vec<StatementReport>,
}

/// A statement and its location.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StatementReport {
    /// The text, as written.
    pub text: String,
    /// Its location.
    pub place: Option<PlaceReport>,
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A report without content.
    pub(crate) fn empty() -> Report {
        let search = SearchReport { order: "bfs".into(), store: "plain".into(), ..SearchReport::default() };
        Report { verdict: Verdict::Holds, search, ..Report::of_errors("", "", Vec::new()) }
    }
}
