//! Uninterrupted sequences of which each path is followed, and the same with paths that meet followed once: the same
//! ends, each where it comes first, the same who moves, the same goes wrong, the same edges are taken. Also used by
//! `cargo xtask fuzz-models`.

use std::collections::HashSet;

use axle_model::EdgeId;
use axle_step::{Batch, FaultKind, Successors};

/// Where a step ends, and who moves in it.
type End = (Vec<u8>, Vec<u32>);

/// From which source, by which process and edge something goes wrong.
type Wrong = (u32, u32, Option<EdgeId>);

/// What is the same of a batch: for each source its ends, and for all what went wrong on the way where.
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
    // Which path through a step is the first to lead anywhere depends on where it is cut because it goes round.
    let endless: HashSet<u32> = (batch.faults.iter())
        .filter(|fault| fault.kind == FaultKind::EndlessSequence)
        .map(|fault| fault.source)
        .collect();
    let faults = (batch.faults.iter())
        .map(|f| {
            let successor = f.successor.filter(|_| !endless.contains(&f.source));
            (f.kind, (f.source, f.pid, f.edge), successor.map(|at| state(at as usize)))
        })
        .collect();
    Same { ends, faults }
}

/// Compares the successors of some states with those of the same by `once`, which follows paths that meet once from
/// the first step on. How many successors are then left out.
pub fn compare(batch: &Batch, sources: &[u8], once: &mut impl Successors) -> Result<usize, String> {
    let mut other = Batch::default();
    if let Err(grow) = once.expand(sources, &mut other) {
        return Err(format!("{grow:?} followed once"));
    }
    let width = once.layout().width();
    let (paths, met) = (same(batch, width), same(&other, width));
    if paths != met {
        return Err(format!("{paths:?}\nby path, followed once {met:?}"));
    }
    Ok((batch.states.len() - other.states.len()) / width)
}
