//! The report of a check as plain data. Text, JSON, SARIF, JUnit and HTML render the same
//! [`Report`], so that all of them agree. The checks fill it in; nothing here decides a verdict.
//!
//! *Entry points:* [`Report::new`], the only construction of a report; [`PropertyReport::answered`].

mod abstraction;
pub(crate) mod html;
mod json;
pub(crate) mod junit;
pub mod reason;
pub(crate) mod sarif;

use axle_outcome::{Answer, Counterexample, Proof, Steps, Stop, Witness};
pub use axle_outcome::{Count, Reason, StopReason, Verdict, ViolationKind, WarningKind};
use serde::{Deserialize, Serialize};

pub use crate::place::PlaceReport;
use crate::trace::Trace;
use reason::Words;

pub use abstraction::{
    AbstractionReport, AbstractionTimes, ArithmeticReport, InvariantReport, MapReport, PredicateReport,
    SpuriousReport,
};
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
    /// The engines of which one proved what the other refuted; `internal` says it in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict: Option<ConflictReport>,
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
    /// verdict covers, where others exist, and the arithmetic of an abstraction.
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
    /// The report on an input with these properties. All other fields are empty, and are filled in by
    /// the checks.
    pub fn new(input: impl Into<String>, properties: Vec<PropertyReport>) -> Report {
        Report {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").to_string(),
            model: input.into(),
            verdict: overall(&properties),
            properties,
            violations: Vec::new(),
            found: 0,
            stop: None,
            search: SearchReport::default(),
            unreached: Vec::new(),
            internal: None,
            conflict: None,
            refinement: Vec::new(),
            warnings: Vec::new(),
            hints: Vec::new(),
            not_checked: Vec::new(),
            conditions: Vec::new(),
            memory_model: None,
            errors: Vec::new(),
        }
    }

    /// The report of an input that cannot be checked.
    pub fn of_errors(version: &str, model: &str, errors: Vec<ErrorReport>) -> Report {
        Report { version: version.to_string(), errors, ..Report::new(model, Vec::new()) }
    }

    /// Replaces the properties, and the verdict by that of the new ones.
    pub fn set_properties(&mut self, properties: Vec<PropertyReport>) {
        self.properties = properties;
        self.verdict = overall(&self.properties);
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

/// The verdict of these properties together.
#[must_use]
pub fn overall(properties: &[PropertyReport]) -> Verdict {
    Verdict::overall(properties.iter().map(|property| property.verdict))
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
    /// The kind: `leak`.
    pub kind: WarningKind,
    /// In one sentence.
    pub message: String,
    /// Its location.
    pub place: Option<PlaceReport>,
}

/// Two engines that contradict each other. One of them is wrong, so there is no verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ConflictReport {
    /// The check, by its name.
    pub check: String,
    /// The engine that proved that there is no violation.
    pub proved_by: String,
    /// The attempt that found a violation.
    pub refuted_by: String,
}

impl ConflictReport {
    /// The contradiction in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let ConflictReport { check, proved_by, refuted_by } = self;
        format!(
            "one engine proved the property and another one refuted it: {refuted_by} found a violation of \
             {check}, {proved_by} proved that there is none"
        )
    }
}

/// What was checked, and how it came out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PropertyReport {
    /// `assertions`, `end-states`, ..., or the name of a property of the model.
    pub name: String,
    /// Its meaning, in a few words.
    pub meaning: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// Why it is unknown, in a sentence.
    pub reason: Option<String>,
    /// The same as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Reason>,
    /// Whether nothing was ever demanded: no execution is one to which the property applies.
    #[serde(default, rename = "vacuous", skip_serializing_if = "std::ops::Not::not")]
    pub is_vacuous: bool,
    /// The reasons for vacuity, and parts of the property that are irrelevant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vacuity: Vec<String>,
    /// Further remarks on the verdict, such as assumptions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// The engine that answered, if it had a search of its own and that was not explicit-state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// The proof of that engine, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
    /// The search for an execution that violates it, if it had a search of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<RunSearchReport>,
}

impl PropertyReport {
    /// A property that is not decided yet.
    pub fn undecided(name: impl Into<String>, meaning: impl Into<String>) -> PropertyReport {
        PropertyReport {
            name: name.into(),
            meaning: meaning.into(),
            verdict: Verdict::Unknown,
            reason: None,
            cause: None,
            is_vacuous: false,
            vacuity: Vec::new(),
            remarks: Vec::new(),
            answered_by: None,
            proof: None,
            search: None,
        }
    }

    /// A property with this answer.
    pub fn answered(name: &str, meaning: &str, answer: &Answer, words: &Words<'_>) -> PropertyReport {
        let mut property = PropertyReport::undecided(name, meaning);
        match answer {
            Answer::Open(reason) => property.leave_open(reason.clone(), words),
            Answer::Proved(_) | Answer::Refuted(_) => property.decide(answer.verdict()),
        }
        property
    }

    /// The answer that the row states, with the violating execution, if it is known. Without one, the
    /// violation is that no execution does something.
    #[must_use]
    pub fn answer(&self, witness: Option<Witness>) -> Answer {
        let absent = || Witness { shape: Counterexample::Blocked, steps: Steps::Absent };
        match self.verdict {
            Verdict::Holds => Answer::Proved(Proof::EXHAUSTIVE),
            Verdict::Violated => Answer::Refuted(witness.unwrap_or_else(absent)),
            Verdict::Unknown => Answer::Open(self.cause.clone().unwrap_or(Reason::Other)),
        }
    }

    /// Gives the property this verdict, without a reason.
    pub fn decide(&mut self, verdict: Verdict) {
        (self.verdict, self.reason, self.cause) = (verdict, None, None);
    }

    /// Makes the property undecided for this reason.
    pub fn leave_open(&mut self, cause: Reason, words: &Words<'_>) {
        self.reason = Some(words.sentence(&cause));
        (self.verdict, self.cause) = (Verdict::Unknown, Some(cause));
    }
}

/// A search for a run that breaks a property: in the product of the system and the automaton of
/// what must not happen.
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
    /// States of the product that were stored.
    pub states: Count,
    /// Transitions of the product.
    pub transitions: Count,
    /// How states of the product were stored, as in [`SearchReport::store`].
    #[serde(default)]
    pub store: String,
    /// Memory of the set of states in bytes.
    pub states_memory: u64,
    /// Memory of the other data structures of the search in bytes.
    pub search_memory: u64,
    /// The coverage of an approximate search; none if the search was exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approximation: Option<ApproximationReport>,
    /// Whether it is a safety property: every violating execution has a finite prefix that violates it.
    #[serde(default, rename = "safety", skip_serializing_if = "std::ops::Not::not")]
    pub is_safety: bool,
    /// Whether the automaton of the negated property was only in its initial states.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stays_initial: bool,
}

/// A violation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ViolationReport {
    /// The name of the property that it violates: [`PropertyReport::name`].
    pub property: String,
    /// The kind of violation: `assertion`, `invalid-end`, `index-out-of-range`, ...
    pub kind: ViolationKind,
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
    /// For a program that is checked through tables: the rows that can make the execution one of the model
    /// only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<RowReport>,
}

/// A row of an abstraction table that a counterexample depends on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RowReport {
    /// Its place; none for rows that are not written in the table.
    pub place: Option<PlaceReport>,
    /// The row, with its label and the reason for it.
    pub text: String,
    /// Whether the search of the program names it as one to change; otherwise it adds behaviours to the
    /// program and the execution uses it.
    pub decisive: bool,
}

impl ViolationReport {
    /// The violating execution. `fair`: only fair executions count.
    pub fn witness(&self, fair: bool) -> Witness {
        let cycle = self.cycle.and_then(|cycle| usize::try_from(cycle).ok()).unwrap_or(0);
        Witness {
            shape: Counterexample::of(&self.kind, &self.path, self.cycle.is_some(), fair),
            steps: Steps::Positions { path: self.path.clone(), cycle },
        }
    }
}

/// Why a search ended early.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StopReport {
    /// `errors`, `memory`, `time`, `depth`, `states`, `sequence`, `interrupted`, `checkpoint` or
    /// `approximate`.
    pub reason: StopReason,
    /// The same in a sentence, with the option that would let the search go further.
    pub message: String,
}

impl StopReport {
    /// The report of the end of a search, for this reason.
    pub fn new(stop: Stop, reason: &Reason, words: &Words<'_>) -> StopReport {
        StopReport { reason: stop.into(), message: words.sentence(reason) }
    }
}

/// How the search was done, and its figures.
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
    /// The engine whose answer this is: `explicit`, `symbolic`, `bmc`, `induction` or `pdr`.
    #[serde(default)]
    pub answered_by: String,
    /// The proof of an engine that does not enumerate states, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
    /// The abstraction of an engine that makes one, also where it has no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abstraction: Option<AbstractionReport>,
    /// `interpreter` or `compiled`: how successors were made at the end.
    pub engine: String,
    /// States stored.
    pub states: Count,
    /// Transitions, those to known states and the way into the initial state included.
    pub transitions: Count,
    /// Breadth-first: steps to the farthest state. Depth-first: the longest path walked.
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
    /// States found new.
    pub states: Count,
    /// Transitions.
    pub transitions: Count,
    /// Steps to the farthest state.
    pub depth: u64,
    /// Why it ended before it had gone everywhere it knew of.
    pub stop: Option<StopReason>,
    /// The probability that a state more would have been missed at its end, by the formula; no
    /// state had a worse one.
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
