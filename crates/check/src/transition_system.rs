//! Models as transition systems of hardware model checkers, and invariants as certificates.
//!
//! *Entry points:* [`export`], [`verify_invariants`].
//! *Invariant:* a certificate is accepted only for the relation in which all its variables occur.

use std::sync::Arc;

use axle_decide::certificate;
use axle_decide::certificate::Unverified;
use axle_decide::circuit::Circuit;
use axle_decide::export::{aiger_ascii, aiger_binary, btor2};
use axle_decide::model::{Acceptance, Observed, Problem};
use axle_decide::system::Cause;
use axle_model::Model;
use axle_question::checks::Check;
use axle_question::claims;
use axle_question::config::Config;
use axle_search::claim::Claim;
use axle_search::{Fairness, Monitor, Progress, Stop};
use axle_step::Interrupt;

use crate::claim_certificate::{VerifiedClaim, verify_claims};
use crate::plan::engines::relation_sizes::{
    Asked, no_relation, proposition, with_propositions, with_relation,
};

/// An exchange format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// AIGER 1.9, binary.
    Aiger,
    /// AIGER 1.9, as text.
    AigerText,
    /// BTOR2.
    Btor2,
}

/// A model in an exchange format: the bad states are the violations of the enabled checks, which are named
/// in the symbol table. With [`Check::Properties`], the formulas, never claims and labels are monitors: an
/// execution that satisfies a justice condition violates its property. The fairness conditions are those of
/// weak fairness.
///
/// # Errors
/// The model has no transition relation, in a sentence.
pub fn export(model: &Arc<Model>, config: &Config, format: Format) -> Result<Vec<u8>, String> {
    let stated = claims::wanted(model, |one| config.wants(one), &Interrupt::default());
    let (mut atoms, mut searched) = (Vec::new(), Vec::new());
    for one in &stated {
        let Ok(claim) = &one.claim else { continue };
        searched.push((one.name.as_str(), numbered_from(claim, atoms.len() as u32)));
        atoms.extend(one.atoms.iter().map(proposition));
    }
    searched.iter_mut().for_each(|(_, claim)| claim.atoms = atoms.len() as u32);
    with_propositions(model, config, &atoms, |relation| {
        let mut relation = relation.clone();
        let conditions = searched.iter().map(|(_, claim)| relation.conditions(claim));
        let Ok(conditions) = conditions.collect::<Result<Vec<_>, _>>() else {
            return Asked::Answer(Err(Stop::Relation));
        };
        let observed = searched.iter().zip(&conditions);
        let observed = observed.map(|((name, claim), conditions)| Observed { name, claim, conditions });
        let observed: Vec<Observed<'_>> = observed.collect();
        let is_fair = config.fairness != Fairness::None;
        let problem = Problem::with_claims(model, &relation, &observed, Acceptance::Justice, is_fair);
        Asked::Answer(Ok(written(&problem, config, format)))
    })
    .flatten()
    .map_err(no_relation)
}

/// A claim whose propositions are numbered from a number on.
fn numbered_from(claim: &Claim, first: u32) -> Claim {
    let mut claim = claim.clone();
    for edge in claim.locations.iter_mut().flat_map(|location| &mut location.edges) {
        edge.asserts = edge.asserts.map(|atom| atom + first);
        edge.guard.0.iter_mut().flat_map(|cube| &mut cube.0).for_each(|literal| literal.atom += first);
    }
    claim
}

/// A problem in an exchange format.
fn written(problem: &Problem, config: &Config, format: Format) -> Vec<u8> {
    let bads = wanted(problem, config);
    let mut system = problem.system.clone();
    let mut positions = 0..;
    system.bads.retain(|_| positions.next().is_some_and(|position| bads.contains(&position)));
    let circuit = || Circuit::new(&problem.system, &bads);
    match format {
        Format::Aiger => aiger_binary(&problem.system, &circuit()),
        Format::AigerText => aiger_ascii(&problem.system, &circuit()).into_bytes(),
        Format::Btor2 => btor2(&system).into_bytes(),
    }
}

/// The positions of the bad conditions that the enabled checks ask for.
fn wanted(problem: &Problem, config: &Config) -> Vec<usize> {
    let is_wanted = |cause: Cause| match cause {
        Cause::Fault { kind, .. } => config.checks.contains(&Check::of(kind)),
        Cause::Beyond | Cause::Alarm { .. } | Cause::Proposition { .. } => true,
        Cause::Cycle { .. } => false,
    };
    let bads = problem.system.bads.iter().enumerate();
    bads.filter(|(_, bad)| is_wanted(bad.cause)).map(|(position, _)| position).collect()
}

/// The conclusions from a certificate.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VerifiedCertificate {
    /// The invariant of the model, if the certificate has one.
    pub own: Option<VerifiedInvariant>,
    /// The claims that are proved.
    pub claims: Vec<VerifiedClaim>,
}

/// Verifies a certificate of invariants, by the decision procedure alone.
///
/// # Errors
/// The text is malformed, belongs to another model, or an invariant proves nothing.
pub fn verify_invariants(
    model: &Arc<Model>,
    config: &Config,
    text: &str,
    monitor: &mut dyn Monitor,
) -> Result<VerifiedCertificate, String> {
    let (own, proofs) = certificate::split(text).map_err(|fault| fault.to_string())?;
    let own = own.map(|own| verify_invariant(model, config, own, monitor)).transpose()?;
    Ok(VerifiedCertificate { own, claims: verify_claims(model, &Config::default(), &proofs, monitor)? })
}

/// The conclusions from the certificate of an invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifiedInvariant {
    /// The checks of which no violation is reachable.
    pub checks: Vec<Check>,
    /// The clauses of the invariant.
    pub clauses: usize,
    /// The queries as SMT-LIB: initiation, consecution, safety. None is satisfiable.
    pub queries: [String; 3],
}

/// Verifies the invariant of a model.
fn verify_invariant(
    model: &Arc<Model>,
    config: &Config,
    text: &str,
    monitor: &mut dyn Monitor,
) -> Result<VerifiedInvariant, String> {
    let mut unread = None;
    let verified = with_relation(model, config, |relation| {
        let problem = Problem::new(model, relation);
        let mut poll = |progress: Progress| monitor.watch(&progress);
        match certificate::verify(&problem.system, text, &mut poll) {
            Ok(found) => {
                let is_excluded = |position: usize| found.bads.contains(&position);
                let mut checks: Vec<Check> =
                    Check::MODELS.into_iter().filter(|check| !check.is_temporal()).collect();
                let bads = problem.system.bads.iter().enumerate();
                for (_, bad) in bads.filter(|(position, _)| !is_excluded(*position)) {
                    match bad.cause {
                        Cause::Fault { kind, .. } => checks.retain(|check| *check != Check::of(kind)),
                        // A step that creates a process that the relation does not have.
                        Cause::Beyond => checks.clear(),
                        Cause::Alarm { .. } | Cause::Cycle { .. } | Cause::Proposition { .. } => {}
                    }
                }
                checks.retain(|check| *check != Check::Unreached);
                let clauses = found.invariant.clauses.len();
                let queries = certificate::queries(&problem.system, &found.bads, &found.invariant);
                Asked::Answer(Ok(VerifiedInvariant { checks, clauses, queries }))
            }
            // The relation may have too few processes.
            Err(Unverified::Text(fault)) => {
                unread = Some(fault.to_string());
                Asked::Beyond
            }
            Err(fault) => Asked::Answer(Err(fault.to_string())),
        }
    });
    verified.unwrap_or_else(|stop| Err(unread.unwrap_or_else(|| no_relation(stop))))
}
