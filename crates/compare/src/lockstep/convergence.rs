//! Comparison of the exploration of atomic sequences path by path with the exploration of
//! converging paths once: the same ends in order of first occurrence, and the same executing
//! processes, faults and edges.
//!
//! *Entry point:* [`compare`].

use std::collections::HashSet;

use axle_model::EdgeId;
use axle_step::{Batch, FaultKind, ModelGraph};

/// The end of a step, and the processes executed in it.
type End = (Vec<u8>, Vec<u32>);

/// Source, process and edge of a fault.
type Wrong = (u32, u32, Option<EdgeId>);

/// The comparable part of a batch: the ends of each source, and all faults.
#[derive(PartialEq, Eq, Debug)]
struct Same {
    ends: Vec<Vec<End>>,
    faults: HashSet<(FaultKind, Wrong, Option<Vec<u8>>)>,
}

fn same(batch: &Batch, width: usize) -> Same {
    let state = |at: usize| batch.states[at * width..(at + 1) * width].to_vec();
    let ends = (0..batch.ends.len())
        .map(|source| {
            let mut seen = HashSet::new();
            let movers = |at| if batch.movers.is_empty() { Vec::new() } else { batch.movers.of(at).to_vec() };
            let all = batch.range(source).map(|at| (state(at), movers(at)));
            all.filter(|end| seen.insert(end.clone())).collect()
        })
        .collect();
    // The first successful path through a step depends on the point at which infinite sequences are
    // cut.
    let endless: HashSet<u32> = (batch.faults.iter())
        .filter(|fault| fault.site.kind == FaultKind::EndlessSequence)
        .map(|fault| fault.source)
        .collect();
    let faults = (batch.faults.iter())
        .map(|f| {
            let successor = f.successor.filter(|_| !endless.contains(&f.source));
            (f.site.kind, (f.source, f.pid, f.site.edge), successor.map(|at| state(at as usize)))
        })
        .collect();
    Same { ends, faults }
}

/// Compares the successors of some states with those of `once`, which follows converging paths once
/// from the first step on. Returns the number of successors omitted.
pub fn compare(batch: &Batch, sources: &[u8], once: &mut impl ModelGraph) -> Result<usize, String> {
    let mut other = Batch::default();
    if let Err(grow) = once.expand(sources, &mut other) {
        return Err(format!("{grow:?} followed once"));
    }
    let width = once.width();
    let (paths, met) = (same(batch, width), same(&other, width));
    if paths != met {
        return Err(format!("{paths:?}\nby path, followed once {met:?}"));
    }
    Ok((batch.states.len() - other.states.len()) / width)
}
