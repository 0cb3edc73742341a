//! Models as transition systems of hardware model checkers, and invariants as certificates.
//!
//! *Entry points:* [`export`], [`verify_invariant`].
//! *Invariant:* a certificate is accepted only for the relation in which all its variables occur.

use std::sync::Arc;

use axle_decide::certificate;
use axle_decide::certificate::Unverified;
use axle_decide::circuit::Circuit;
use axle_decide::export::{aiger_ascii, aiger_binary, btor2};
use axle_decide::model::Problem;
use axle_decide::system::Cause;
use axle_model::Model;
use axle_question::checks::Check;
use axle_question::config::Config;
use axle_search::{Monitor, Progress};

use crate::plan::engines::relation_sizes::{Asked, with_relation};

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
/// in the symbol table. None if the model is too large for a transition relation.
#[must_use]
pub fn export(model: &Arc<Model>, config: &Config, format: Format) -> Option<Vec<u8>> {
    with_relation(model, config, |relation| {
        let problem = Problem::new(model, relation);
        let bads = wanted(&problem, config);
        let circuit = || Circuit::new(&problem.system, &bads);
        Asked::Answer(match format {
            Format::Aiger => aiger_binary(&problem.system, &circuit()),
            Format::AigerText => aiger_ascii(&problem.system, &circuit()).into_bytes(),
            Format::Btor2 => {
                let mut system = problem.system.clone();
                let mut positions = 0..;
                system.bads.retain(|_| positions.next().is_some_and(|position| bads.contains(&position)));
                btor2(&system).into_bytes()
            }
        })
    })
}

/// The positions of the bad conditions that the enabled checks ask for.
fn wanted(problem: &Problem, config: &Config) -> Vec<usize> {
    let is_wanted = |cause: Cause| match cause {
        Cause::Fault { kind, .. } => config.checks.contains(&Check::of(kind)),
        Cause::Beyond => true,
    };
    let bads = problem.system.bads.iter().enumerate();
    bads.filter(|(_, bad)| is_wanted(bad.cause)).map(|(position, _)| position).collect()
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

/// Verifies the certificate of an invariant, by the decision procedure alone.
///
/// # Errors
/// The text is malformed, belongs to another model, or its invariant proves nothing.
pub fn verify_invariant(
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
            Err(Unverified::Rejected(fault)) => Asked::Answer(Err(fault.to_string())),
        }
    });
    let large = || "the model is too large for a transition relation".to_string();
    verified.unwrap_or_else(|| Err(unread.unwrap_or_else(large)))
}
