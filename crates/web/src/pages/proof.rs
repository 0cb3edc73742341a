//! The engine that answered a run: its proof, its abstraction, and the certificate to be downloaded.
//!
//! *Entry points:* [`of`], [`certificate`], [`model`].

use axle_evidence::report::{ConflictReport, InvariantReport, MapReport, SpuriousReport, Verdict};
use axle_feaver::execute::{Certificate, Outcome};
use axum::extract::Path;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;

use super::frame::{Answer, Visitor};
use super::run::find;
use crate::fault::Fault;
use crate::view::invariant::conditions;
use crate::view::quantity::number;

/// Conditions of an invariant that are shown; the certificate has all.
const MOST_CONDITIONS: usize = 200;

/// The part of the page of a run about its engine.
pub(super) struct Proof {
    pub engine: String,
    pub method: &'static str,
    /// Whether the engine has decided the run.
    pub is_answer: bool,
    pub proof: Option<String>,
    pub conflict: Option<ConflictReport>,
    /// Whether the proof has a certificate.
    pub has_certificate: bool,
    /// The conditions of its invariant.
    pub conditions: Vec<String>,
    /// Further conditions.
    pub hidden: usize,
    pub abstraction: Option<Abstraction>,
}

impl Proof {
    /// Whether the abstraction states an invariant, which is shorter than the clauses of the certificate.
    pub fn has_readable_invariant(&self) -> bool {
        self.abstraction.as_ref().is_some_and(|found| !found.invariant.is_empty())
    }
}

/// An abstraction.
pub(super) struct Abstraction {
    pub summary: String,
    /// The predicates that were given, and those that were inferred.
    pub given: Vec<String>,
    pub inferred: Vec<String>,
    pub maps: Vec<MapReport>,
    pub invariant: Vec<InvariantReport>,
    pub spurious: Vec<SpuriousReport>,
}

/// The engine of a result.
pub(super) fn of(outcome: &Outcome) -> Option<Proof> {
    let engine = outcome.engine.clone()?;
    let all = outcome.certificate.as_ref().map(|found| conditions(&found.invariant)).unwrap_or_default();
    let abstraction = outcome.abstraction.as_ref().map(|found| {
        let (given, inferred): (Vec<_>, Vec<_>) = found.predicates.iter().partition(|one| one.given);
        let texts = |all: Vec<&axle_evidence::report::PredicateReport>| {
            all.into_iter().map(|one| one.text.clone()).collect()
        };
        Abstraction {
            summary: format!(
                "{} abstract states after {} {}; {} queries to the decision procedure",
                number(found.states),
                number(found.iterations),
                if found.iterations == 1 { "abstraction" } else { "abstractions" },
                number(found.queries),
            ),
            given: texts(given),
            inferred: texts(inferred),
            maps: found.maps.clone(),
            invariant: found.invariant.clone(),
            spurious: found.spurious.clone(),
        }
    });
    Some(Proof {
        method: method(&engine),
        is_answer: outcome.verdict != Verdict::Unknown,
        engine,
        proof: outcome.proof.clone(),
        conflict: outcome.conflict.clone(),
        has_certificate: outcome.certificate.is_some(),
        hidden: all.len().saturating_sub(MOST_CONDITIONS),
        conditions: all.into_iter().take(MOST_CONDITIONS).collect(),
        abstraction,
    })
}

/// The method of an engine in words.
fn method(engine: &str) -> &'static str {
    match engine {
        "explicit" => "explicit-state search",
        "symbolic" => "sets of states as decision diagrams",
        "bmc" => "bounded model checking",
        "induction" => "k-induction",
        "pdr" => "property-directed reachability (IC3)",
        "abstract" => "predicate abstraction with refinement",
        "counter-abstraction" => "counter abstraction of equal threads",
        "distributed" => "explicit-state search by several workers",
        _ => "",
    }
}

fn read(app: &crate::application::Application, round: i64, run: u32) -> Result<Certificate, Fault> {
    let found = find(app, round, run)?;
    let certificate = found.kept.and_then(|kept| kept.outcome.certificate.clone());
    certificate.ok_or_else(|| Fault::missing("The verdict of this run has no certificate."))
}

/// The certificate of the proof.
pub async fn certificate(visitor: Visitor, Path((round, run)): Path<(i64, u32)>) -> Answer {
    let found = visitor.blocking(move |app| read(app, round, run)).await?;
    Ok(attached(&format!("round-{round}-run-{run}.inv"), found.invariant))
}

/// The model that the certificate is about.
pub async fn model(visitor: Visitor, Path((round, run)): Path<(i64, u32)>) -> Answer {
    let found = visitor.blocking(move |app| read(app, round, run)).await?;
    Ok(attached(&format!("round-{round}-run-{run}.axm"), found.model))
}

/// A file to be saved.
fn attached(name: &str, text: String) -> axum::response::Response {
    let file = format!("attachment; filename=\"{name}\"");
    let headers = [(CONTENT_TYPE, "text/plain; charset=utf-8".to_string()), (CONTENT_DISPOSITION, file)];
    (headers, text).into_response()
}
