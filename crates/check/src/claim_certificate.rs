//! Certificates of claims: formulas, never claims and labels that hold by invariants of the model with a
//! monitor.
//!
//! *Entry point:* [`verify_claims`].
//! *Invariant:* the claim is that of the property in the model of the user, and the invariants are checked by
//! the decision procedure alone.

use std::sync::Arc;

use axle_decide::certificate::{ClaimProof, Unverified, queries, verify_claim};
use axle_decide::model::Acceptance;
use axle_model::Model;
use axle_question::claims;
use axle_question::config::Config;
use axle_search::{Fairness, Monitor, Progress};

use crate::judgement::runs::{ClaimQuestion, algorithm, search_claim};
use crate::plan::engines::proof_claims::reduced;
use crate::plan::engines::relation_sizes::{Asked, no_relation, with_claim};

/// A property that a certificate proves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifiedClaim {
    /// Its name.
    pub name: String,
    /// Its meaning in a few words.
    pub meaning: String,
    /// Whether it is proved under weak fairness of all processes.
    pub is_fair: bool,
    /// The clauses of its invariants.
    pub clauses: usize,
    /// For each invariant, the queries as SMT-LIB: initiation, consecution, safety.
    pub queries: Vec<[String; 3]>,
}

/// Verifies the proofs of claims.
///
/// # Errors
/// A property does not exist, or its proof is malformed or proves nothing.
pub(crate) fn verify_claims(
    model: &Arc<Model>,
    config: &Config,
    proofs: &[ClaimProof],
    monitor: &mut dyn Monitor,
) -> Result<Vec<VerifiedClaim>, String> {
    proofs.iter().map(|proof| verify(model, config, proof, monitor)).collect()
}

/// Verifies the proof of one claim.
fn verify(
    model: &Arc<Model>,
    config: &Config,
    proof: &ClaimProof,
    monitor: &mut dyn Monitor,
) -> Result<VerifiedClaim, String> {
    let name = &proof.name;
    let one = claims::named(model, name).ok_or_else(|| format!("the model has no property '{name}'"))?;
    let claim = one.claim.as_ref().map_err(|reason| format!("{name}: {reason}"))?;
    let claim = search_claim(&one, claim, algorithm(config));
    let fairness = if proof.is_fair { Fairness::Weak } else { Fairness::None };
    let question = ClaimQuestion { model, config, claim: &claim, atoms: &one.atoms, fairness };
    let mut unread = None;
    let verified = with_claim(&question, |relation| {
        let problem = |acceptance: Acceptance| reduced(&question, relation, acceptance);
        let mut poll = |progress: Progress| monitor.watch(&progress);
        match verify_claim(proof, problem, &mut poll) {
            Ok(parts) => {
                let clauses = parts.iter().map(|(_, found)| found.invariant.clauses.len()).sum();
                let queries = parts
                    .iter()
                    .map(|(problem, found)| queries(&problem.system, &found.bads, &found.invariant));
                let (name, meaning) = (name.clone(), one.meaning.clone());
                let (is_fair, queries) = (proof.is_fair, queries.collect());
                Asked::Answer(Ok(VerifiedClaim { name, meaning, is_fair, clauses, queries }))
            }
            // The relation may have too few processes.
            Err(Unverified::Text(fault)) => {
                unread = Some(fault.to_string());
                Asked::Beyond
            }
            Err(fault) => Asked::Answer(Err(fault.to_string())),
        }
    });
    let verified = verified.unwrap_or_else(|stop| Err(unread.unwrap_or_else(|| no_relation(stop))));
    verified.map_err(|fault| format!("{name}: {fault}"))
}
