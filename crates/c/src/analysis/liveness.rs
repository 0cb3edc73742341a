//! Live-variable analysis of registers: a backward data-flow analysis. Dead registers are not part
//! of a state, so states that differ only in dead registers are equal.
//!
//! *Entry point:* [`analyse`].
//! *Source:* Aho, Lam, Sethi and Ullman, "Compilers", section 9.2.5.
//! *Invariant:* a register that is read before it is written on some path from a step is live
//! before the step.

use crate::code::{Code, Op};

/// Computes [`Code::live`] and [`Code::loop_heads`].
pub fn analyse(code: &mut Code) {
    let words = (code.regs as usize).div_ceil(64);
    let count = code.ops.len();
    let mut live: Vec<Box<[u64]>> = vec![vec![0; words].into(); count];
    let mut heads = vec![false; count];
    for (at, op) in code.ops.iter().enumerate() {
        op.successors(at as u32, |to| {
            if to as usize <= at {
                heads[to as usize] = true;
            }
        });
    }
    let mut changed = true;
    let mut now = vec![0u64; words];
    while changed {
        changed = false;
        for at in (0..count).rev() {
            now.fill(0);
            let op = &code.ops[at];
            op.successors(at as u32, |to| {
                if let Some(after) = live.get(to as usize) {
                    now.iter_mut().zip(after.iter()).for_each(|(a, b)| *a |= b);
                }
            });
            for reg in op.writes().into_iter().flatten() {
                now[reg as usize / 64] &= !(1 << (reg % 64));
            }
            op.reads(|reg| now[reg as usize / 64] |= 1 << (reg % 64));
            if *now != *live[at] {
                live[at].copy_from_slice(&now);
                changed = true;
            }
        }
    }
    code.live = live;
    code.loop_heads = heads;
    debug_assert!(matches!(code.ops.last(), None | Some(Op::Return { .. } | Op::Stuck(_) | Op::Jump(_))));
}

/// Whether a register is live before a step.
pub fn is_live(code: &Code, at: u32, reg: u32) -> bool {
    code.live.get(at as usize).is_some_and(|live| live[reg as usize / 64] >> (reg % 64) & 1 == 1)
}
