//! Statements that no execution reaches.

use std::collections::BTreeMap;

use axle_evidence::replay::place;
use axle_evidence::report::{StatementReport, UnreachedReport};
use axle_model::{Edge, Effect, Model, Origin};

/// For every process type, the statements that were not reached, in order of the text. Process
/// types of which everything was reached are left out.
pub fn unreached(model: &Model, taken: &[Vec<bool>]) -> Vec<UnreachedReport> {
    let mut report = Vec::new();
    for (process, taken) in model.processes.iter().zip(taken) {
        // A statement can stand on several edges (a jump to it, an escape around it): one of them
        // will do.
        let mut statements: BTreeMap<Origin, (bool, &str)> = BTreeMap::new();
        for (edge, &taken) in process.edges.iter().zip(taken) {
            for &origin in written_places(edge) {
                let entry = statements.entry(origin).or_insert((false, &edge.text));
                entry.0 |= taken;
            }
        }
        let count = statements.len() as u64;
        let unreached: Vec<StatementReport> = (statements.into_iter())
            .filter(|(_, (taken, _))| !taken)
            .map(|(origin, (_, text))| StatementReport { text: text.into(), place: place(model, origin) })
            .collect();
        if !unreached.is_empty() {
            report.push(UnreachedReport { process: process.name.clone(), statements: count, unreached });
        }
    }
    report
}

/// The locations of the statement of an edge; none if it is not written in the text. The end of a
/// process is left out, because many processes never end.
fn written_places(edge: &Edge) -> impl Iterator<Item = &Origin> {
    let ends = edge.effects.iter().any(|effect| matches!(effect, Effect::Exit));
    edge.origins.iter().filter(move |origin| !ends && origin.line > 0)
}
