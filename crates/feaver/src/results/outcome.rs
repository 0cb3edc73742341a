//! The result of one cycle of a run, as workers send it and the history keeps it.
//!
//! *Entry point:* [`Outcome`].

use axle_evidence::report::reason::Words;
use axle_evidence::report::{
    AbstractionReport, ConflictReport, UnreachedReport, Verdict, ViolationReport, WarningReport,
};
use axle_evidence::trace::{Extent, Trace};
use axle_outcome::{Count, Reason};
use serde::{Deserialize, Serialize};

use crate::prepare::Run;
use crate::prepare::footprint::Footprint;
use crate::results::verdict::{Machine, Phase};

/// The result of one cycle of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The name of the run.
    pub run: String,
    /// The hash of its key.
    pub key: String,
    /// The cycle.
    pub cycle: u8,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason why the verdict is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The same as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Reason>,
    /// The next cycle that may find out more; none if the verdict is final.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u8>,
    /// States of the product of system and automaton that were stored.
    pub states: Count,
    /// Transitions of the product.
    pub transitions: Count,
    /// Bytes of memory for states and the search.
    pub memory: u64,
    /// The engine that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Its proof, in a sentence, if it does not enumerate states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
    /// The abstraction of that engine, if it makes one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abstraction: Option<AbstractionReport>,
    /// The certificate of its proof, unless that is larger than [`LARGEST_CERTIFICATE`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certificate>,
    /// The engines of which one proved what the other refuted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict: Option<ConflictReport>,
    /// Wall time in seconds.
    pub seconds: f64,
    /// Whether nothing was ever demanded: no execution is one to which the property applies.
    #[serde(default, rename = "vacuous", skip_serializing_if = "std::ops::Not::not")]
    pub is_vacuous: bool,
    /// Why the property may hold vacuously.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vacuity: Vec<String>,
    /// Further remarks about the verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// The coverage of the search.
    pub coverage: Coverage,
    /// Warnings of the search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<WarningReport>,
    /// The violating execution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
    /// The likeliest violating execution, if the second phase has found one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub likeliest: Option<Witness>,
    /// An internal error: no verdict is reliable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub internal: Option<String>,
    /// The part of a C program that the search has executed, if the property holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub footprint: Option<Footprint>,
    /// The functions of a C program of which the searches have executed a step, if the property holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<String>,
    /// The hash of the texts to which locations refer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub texts: String,
    /// Whether the job failed for good, for example because its workers were lost. The reason is
    /// beside it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
    /// The machine that found the result; set where the result is stored, never by the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
    /// The answers of two machines that disagree. One of them is wrong, so the verdict is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disagreement: Option<Disagreement>,
}

/// Bytes of the largest certificate that is kept, its model included.
pub const LARGEST_CERTIFICATE: usize = 2 << 20;

/// The certificate of a proof, which `axle verify-certificate` checks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Certificate {
    /// The invariant.
    pub invariant: String,
    /// The model that was searched, as text: that of the run after slicing for its property.
    pub model: String,
}

impl Certificate {
    /// Whether it is small enough to be kept.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.invariant.len() + self.model.len() <= LARGEST_CERTIFICATE
    }
}

impl From<axle_check::Certificate> for Certificate {
    fn from(found: axle_check::Certificate) -> Certificate {
        let axle_check::Certificate { invariant, model } = found;
        Certificate { invariant, model }
    }
}

/// Two machines that decided a run differently.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Disagreement {
    /// The recorded answer.
    pub first: MachineAnswer,
    /// The answer of the search that was repeated.
    pub second: MachineAnswer,
}

/// The answer of a machine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MachineAnswer {
    /// The machine, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
    /// Its verdict.
    pub verdict: Verdict,
    /// The cycle.
    pub cycle: u8,
    /// The states that it stored.
    pub states: Count,
}

impl Outcome {
    /// The result as an undecided one for this reason.
    #[must_use]
    pub fn left_open(self, cause: Reason) -> Outcome {
        let reason = Some(Words::PLAIN.sentence(&cause));
        Outcome { verdict: Verdict::Unknown, reason, cause: Some(cause), ..self }
    }

    /// Removes locations, which refer to an earlier text.
    pub fn forget_locations(&mut self) {
        let statements = self.coverage.unreached.iter_mut().flat_map(|process| &mut process.unreached);
        statements.for_each(|statement| statement.place = None);
        self.warnings.iter_mut().for_each(|warning| warning.place = None);
    }

    /// The result of a run whose first cycle was not executed, because the budget ended before.
    #[must_use]
    pub fn not_started(run: &Run) -> Outcome {
        Outcome::without_search(run.name.clone(), run.key.hash.clone())
    }

    /// In words, the machine behind a token that decided the run: nothing but its word shows that its search
    /// was complete.
    #[must_use]
    pub fn decided_by(&self) -> Option<String> {
        let machine = self.machine.as_ref().filter(|machine| machine.token.is_some())?;
        Some(format!("decided by {machine}"))
    }

    /// The number of steps of the violating execution.
    #[must_use]
    pub fn steps(&self) -> Option<u64> {
        self.witness.as_ref().map(|witness| witness.violation.depth)
    }

    /// Its executions of the second phase, as results of their own: the shortest one and the likeliest one.
    #[must_use]
    pub fn second_phase(&self) -> Vec<(Phase, Outcome)> {
        let own = |witness: &Option<Witness>| {
            let witness = Some(witness.clone()?);
            let verdict = Verdict::Violated;
            Some(Outcome { verdict, reason: None, cause: None, witness, likeliest: None, ..self.clone() })
        };
        let shortest = own(&self.witness).filter(|_| self.verdict == Verdict::Violated);
        let likeliest = own(&self.likeliest);
        let phases = [(Phase::Shortest, shortest), (Phase::Likeliest, likeliest)];
        phases.into_iter().filter_map(|(phase, outcome)| Some((phase, outcome?))).collect()
    }

    /// The result of a run that was not searched.
    #[must_use]
    pub fn without_search(run: String, key: String) -> Outcome {
        Outcome {
            run,
            key,
            cycle: 0,
            verdict: Verdict::Unknown,
            reason: Some(Words::PLAIN.sentence(&Reason::RoundEnded { cycle: None })),
            cause: Some(Reason::RoundEnded { cycle: None }),
            next: Some(0),
            states: Count::ZERO,
            transitions: Count::ZERO,
            memory: 0,
            engine: None,
            proof: None,
            abstraction: None,
            certificate: None,
            conflict: None,
            seconds: 0.0,
            is_vacuous: false,
            vacuity: Vec::new(),
            remarks: Vec::new(),
            coverage: Coverage::default(),
            warnings: Vec::new(),
            witness: None,
            likeliest: None,
            internal: None,
            footprint: None,
            functions: Vec::new(),
            texts: String::new(),
            failed: false,
            machine: None,
            disagreement: None,
        }
    }
}

/// What a search covered.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Coverage {
    /// States of the automaton of the negated property, and the number that was reached.
    pub automaton_states: [u64; 2],
    /// Transitions of that automaton, and the number whose condition held.
    pub automaton_transitions: [u64; 2],
    /// The estimated part of the reachable states that was searched, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<f64>,
    /// Statements that were not reached, where the search kept account of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreached: Vec<UnreachedReport>,
}

/// A violating execution.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Witness {
    /// The violation, as in the JSON report of `axle check`.
    pub violation: ViolationReport,
    /// The execution.
    pub trace: Trace,
    /// The trail, from which the execution can be replayed.
    pub trail: String,
    /// Whether an interpreter has replayed the execution.
    pub replayed: bool,
}

impl Witness {
    /// The length of the execution for a reader.
    #[must_use]
    pub fn extent(&self) -> Extent {
        Extent::of(&self.trace, self.violation.depth)
    }
}
