//! Lock-step comparison of two engines: on every reachable state, in batches of several sizes, the
//! same successors in the same order, the same faults and the same executed edges.
//!
//! *Entry point:* [`agree`].

use std::collections::HashSet;
use std::sync::Arc;

use axle_model::Model;
use axle_step::{Batch, Compiled, Interpreter, Options, Successors};

use super::patience::patience;

/// Result of a comparison.
pub struct Agreed {
    /// Number of states compared.
    pub states: usize,
    /// Number of states on which generated code bailed out.
    pub interpreted: u64,
}

/// Edges of a segment so that small processes have several.
const SMALL_SEGMENT: usize = 2;

/// Explores at most `most` states breadth-first, and reports the first difference of the engines;
/// generated code is in one segment for each process, and then in many.
pub fn agree(model: &Arc<Model>, options: Options, most: usize) -> Result<Agreed, String> {
    let plain = || Interpreter::new(model.clone(), options);
    let divided = Compiled::in_segments(model.clone(), options, SMALL_SEGMENT);
    compare(options, most, (plain(), divided.map_err(|e| e.to_string())?))?;
    let whole = Compiled::new(model.clone(), options);
    compare(options, most, (plain(), whole.map_err(|e| e.to_string())?))
}

/// The same for two given engines.
pub fn compare(
    options: Options,
    most: usize,
    (mut plain, mut fast): (Interpreter, Compiled),
) -> Result<Agreed, String> {
    let (mut here, mut there) = (Vec::new(), Vec::new());
    let mut states = vec![plain.initial(&mut here)];
    if states[0] != fast.initial(&mut there) || here != there {
        return Err("different starts".into());
    }
    let mut seen: HashSet<Vec<u8>> = states.iter().cloned().collect();
    let (mut ours, mut theirs) = (Batch::default(), Batch::default());
    let mut next = 0;
    while next < states.len() {
        let size = (next % 7 + 1).min(states.len() - next);
        let sources = states[next..next + size].concat();
        (ours.interrupt, theirs.interrupt) = (patience(), patience());
        let (a, b) = (plain.expand(&sources, &mut ours), fast.expand(&sources, &mut theirs));
        if a != b {
            return Err(format!("{a:?} here and {b:?} there, state {next}"));
        }
        if let Err(grow) = a {
            plain.grow(grow.size);
            fast.grow(grow.size);
            let width = plain.layout().width();
            states.iter_mut().for_each(|state| state.resize(width, 0));
            seen = states.iter().cloned().collect();
            continue;
        }
        // The engines poll at different times.
        if ours.cut.is_some() || theirs.cut.is_some() {
            break;
        }
        if (&ours.ends, &ours.states) != (&theirs.ends, &theirs.states) {
            return Err(format!(
                "states {next} to {}: {}",
                next + size,
                difference(&states[next..], &ours, &theirs)
            ));
        }
        if ours.movers != theirs.movers || (options.movers && ours.movers.len() != count(&ours)) {
            return Err(format!("state {next}: {:?} move here, {:?} there", ours.movers, theirs.movers));
        }
        if ours.faults != theirs.faults {
            return Err(format!("state {next}: {:?} here, {:?} there", ours.faults, theirs.faults));
        }
        if plain.taken() != fast.taken() {
            return Err(format!("state {next}: taken {:?} here, {:?} there", plain.taken(), fast.taken()));
        }
        for state in ours.states.chunks_exact(plain.layout().width()) {
            if states.len() < most && seen.insert(state.to_vec()) {
                states.push(state.to_vec());
            }
        }
        next += size;
    }
    Ok(Agreed { states: states.len(), interpreted: fast.interpreted() })
}

/// Number of successors of a batch.
fn count(batch: &Batch) -> usize {
    batch.ends.last().copied().unwrap_or(0) as usize
}

fn difference(sources: &[Vec<u8>], ours: &Batch, theirs: &Batch) -> String {
    let width = sources[0].len();
    for (i, source) in sources.iter().enumerate().take(ours.ends.len()) {
        let of = |batch: &Batch| -> Vec<Vec<u8>> {
            let range = batch.range(i);
            let bytes = batch.states.get(range.start * width..range.end * width).unwrap_or_default();
            bytes.chunks_exact(width).map(<[u8]>::to_vec).collect()
        };
        if of(ours) != of(theirs) {
            return format!("from {source:?}\nhere {:?}\nthere {:?}", of(ours), of(theirs));
        }
    }
    "ends differ".into()
}
