//! Forward data-flow analysis of the registers of a function: a worklist algorithm that applies the
//! transfer function to every reachable step until the facts no longer change.
//!
//! *Entry point:* [`forward`].
//! *Source:* G. A. Kildall, "A unified approach to global program optimization", POPL 1973.
//! *Invariant:* the fact of a register that is live at a step is the `meet` over all paths to the
//! step.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::liveness::is_live;
use crate::code::{Code, Op, Reg};

/// Maximum number of applications of the transfer function; the analysis fails beyond it.
const MOST: u32 = 20_000;

/// Facts by register.
pub type Known<W> = BTreeMap<Reg, W>;

/// The analysis fails: a step uses a tracked value in an unsupported way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lost;

/// Runs the analysis on a function. `initial`: the facts at its start. `step` is the transfer function: the fact of the result, given
/// the facts before the step. `meet` combines the facts of a register where two paths join; one of
/// them may be absent.
pub fn forward<W: Copy + PartialEq>(
    code: &Code,
    initial: Known<W>,
    mut step: impl FnMut(u32, &Op, &Known<W>) -> Result<Option<W>, Lost>,
    meet: impl Fn(Option<W>, Option<W>) -> Result<W, Lost>,
) -> Result<(), Lost> {
    let mut states: Vec<Option<Known<W>>> = vec![None; code.ops.len()];
    *states.first_mut().ok_or(Lost)? = Some(initial);
    let mut work = vec![0];
    let mut steps = 0;
    while let Some(pc) = work.pop() {
        let Some(mut known) = states.get(pc as usize).cloned().flatten() else { continue };
        steps += 1;
        if steps > MOST {
            return Err(Lost);
        }
        let op = &code.ops[pc as usize];
        let result = step(pc, op, &known)?;
        for reg in op.writes().into_iter().flatten() {
            known.remove(&reg);
        }
        if let ([Some(dst), None], Some(what)) = (op.writes(), result) {
            known.insert(dst, what);
        }
        let mut next = Vec::new();
        op.successors(pc, |to| next.push(to));
        for to in next {
            let mut arriving = known.clone();
            arriving.retain(|reg, _| is_live(code, to, *reg));
            let Some(there) = states.get_mut(to as usize) else { continue };
            let met = match there {
                Some(old) => both(old, &arriving, &meet)?,
                None => arriving,
            };
            if there.as_ref() != Some(&met) {
                *there = Some(met);
                work.push(to);
            }
        }
    }
    Ok(())
}

fn both<W: Copy>(
    one: &Known<W>,
    other: &Known<W>,
    meet: impl Fn(Option<W>, Option<W>) -> Result<W, Lost>,
) -> Result<Known<W>, Lost> {
    let regs: BTreeSet<Reg> = one.keys().chain(other.keys()).copied().collect();
    let met = |reg| meet(one.get(&reg).copied(), other.get(&reg).copied()).map(|what| (reg, what));
    regs.into_iter().map(met).collect()
}
