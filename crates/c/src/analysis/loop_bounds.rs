//! Finds the loops with the largest bounds, as hints for reducing the state space of a search that
//! did not finish. The result is a syntactic heuristic: a comparison in a loop with a constant, or
//! with a variable that has a constant initial value.
//!
//! *Entry point:* [`long_loops`].

use axle_source::Loc;

use crate::code::{Arg, Code, Op, StaticKind};
use crate::operators::Binary;
use crate::program::Program;

/// Minimum bound of a reported loop.
const FAR: u64 = 16;

/// A loop with a large bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LongLoop {
    /// The comparison.
    pub loc: Loc,
    /// The bound.
    pub bound: u64,
}

/// The reached loops of user functions with the largest bounds, in descending order; at most
/// `most`. `taken`: whether each step of each function was executed.
#[must_use]
pub fn long_loops(program: &Program, taken: &[Vec<bool>], most: usize) -> Vec<LongLoop> {
    let mut found: Vec<LongLoop> = Vec::new();
    for (code, taken) in program.codes.iter().zip(taken) {
        if code.ours {
            continue;
        }
        for (at, op) in code.ops.iter().enumerate() {
            let Op::Binary {
                op: Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge | Binary::Ne, a, b, ..
            } = op
            else {
                continue;
            };
            if taken.get(at) != Some(&true) || !is_in_loop(code, at) {
                continue;
            }
            let bound = [a, b].into_iter().filter_map(|arg| number(program, code, at, *arg)).max();
            let Some(bound) = bound.filter(|&bound| (FAR..1 << 62).contains(&bound)) else { continue };
            if let Some(&loc) = code.locs.get(at)
                && found.iter().all(|known| known.loc != loc)
            {
                found.push(LongLoop { loc, bound });
            }
        }
    }
    found.sort_by_key(|one| std::cmp::Reverse(one.bound));
    found.truncate(most);
    found
}

/// Whether a later step jumps to the head of a loop at or before this step.
fn is_in_loop(code: &Code, at: usize) -> bool {
    code.ops.iter().enumerate().skip(at).any(|(from, op)| {
        let mut back = false;
        let head = |to: u32| to as usize <= at && code.loop_heads.get(to as usize) == Some(&true);
        op.successors(from as u32, |to| back |= head(to));
        back
    })
}

/// The value of a constant argument, or the initial value of the variable that was last loaded into
/// its register.
fn number(program: &Program, code: &Code, at: usize, arg: Arg) -> Option<u64> {
    match arg {
        Arg::Int(number) => Some(number),
        Arg::Static(..) => None,
        Arg::Reg(reg) => {
            let last = code.ops[..at].iter().rev().find(|op| op.writes().contains(&Some(reg)))?;
            let Op::Load { addr: Arg::Static(object, offset), mem, .. } = last else { return None };
            let fixed = program.statics.get((*object as usize).checked_sub(1)?)?;
            let StaticKind::Variable(start) = fixed.kind else { return None };
            let at = usize::try_from(i64::from(start) + i64::from(*offset)).ok()?;
            let bytes = program.image.get(at..at + usize::from(mem.scalar.size).min(4))?;
            let number = bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
            // A negative value is not a bound.
            let below = mem.scalar.is_signed() && number >> (8 * bytes.len() - 1) == 1;
            Some(number).filter(|_| !below)
        }
    }
}
