//! Loops with a counter: a register that each iteration increments by one, or decrements by one, and that
//! nothing else in the loop writes.
//!
//! *Entry points:* `uncounted_heads`, [`may_recur`].
//!
//! Edges to lower steps close loops. All edges to one step are one loop; its body consists of the steps
//! from which one of these edges is reached without passing the step again. An execution that returns to
//! the state in which it was passes the lowest step of its path again and again. If that loop has a
//! counter, the states differ. A counter of 32 bits or more takes longer to wrap around than a search
//! can store states.
//! *Source:* loops without counters are the static cycle condition of R. Kurshan, V. Levin, M. Minea, D.
//! Peled and H. Yenigün, Static partial order reduction, TACAS 1998.
//! *Invariant:* in every cycle of states, each thread that moves takes an edge to a step that is listed.

use crate::code::{Arg, Code, Op, Reg};
use crate::operators::Binary;

/// The steps to which edges from later steps lead, in loops without a counter.
pub(super) fn uncounted_heads(code: &Code) -> Vec<u32> {
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); code.ops.len()];
    for (from, op) in (0..).zip(&code.ops) {
        op.successors(from, |to| {
            if let Some(before) = before.get_mut(to as usize) {
                before.push(from);
            }
            if to <= from {
                edges.push((to, from));
            }
        });
    }
    edges.sort_unstable();
    let mut uncounted = Vec::new();
    for edges in edges.chunk_by(|a, b| a.0 == b.0) {
        let head = edges[0].0;
        let body = body(&before, edges);
        let is_counter = |reg: &Reg| counts(code, &before, edges, &body, *reg);
        let mut written: Vec<Reg> = (0..code.ops.len())
            .filter(|&at| body[at])
            .flat_map(|at| code.ops[at].writes().into_iter().flatten())
            .collect();
        written.sort_unstable();
        written.dedup();
        if !written.iter().any(is_counter) {
            uncounted.push(head);
        }
    }
    uncounted
}

/// Whether an execution of the function may come back to a step with the same registers: no if every
/// loop around the step has a counter.
#[must_use]
pub fn may_recur(code: &Code, at: u32) -> bool {
    let recurring = code.recurring.get_or_init(|| recurring_steps(code));
    recurring.get(at as usize).is_none_or(|&recurs| recurs)
}

/// The steps on a cycle through the head of a loop without a counter.
fn recurring_steps(code: &Code) -> Box<[bool]> {
    let mut next: Vec<Vec<u32>> = vec![Vec::new(); code.ops.len()];
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); code.ops.len()];
    for (from, op) in (0..).zip(&code.ops) {
        op.successors(from, |to| {
            if let Some(before) = before.get_mut(to as usize) {
                before.push(from);
                next[from as usize].push(to);
            }
        });
    }
    let mut recurring = vec![false; code.ops.len()];
    for head in uncounted_heads(code) {
        let (after, ahead) = (reached(&next, head), reached(&before, head));
        for (at, recurs) in recurring.iter_mut().enumerate() {
            *recurs |= after[at] && ahead[at];
        }
    }
    recurring.into()
}

/// The steps that are reached from a step, itself included, by these edges.
fn reached(edges: &[Vec<u32>], from: u32) -> Vec<bool> {
    let mut reached = vec![false; edges.len()];
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut reached[at as usize], true) {
            open.extend(&edges[at as usize]);
        }
    }
    reached
}

/// The steps of a loop.
fn body(before: &[Vec<u32>], edges: &[(u32, u32)]) -> Vec<bool> {
    let mut body = vec![false; before.len()];
    body[edges[0].0 as usize] = true;
    let mut open: Vec<u32> = edges.iter().map(|edge| edge.1).collect();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut body[at as usize], true) {
            open.extend(&before[at as usize]);
        }
    }
    body
}

/// Whether the register is a counter of the loop.
fn counts(code: &Code, before: &[Vec<u32>], edges: &[(u32, u32)], body: &[bool], reg: Reg) -> bool {
    let mut direction = None;
    let mut increments = vec![false; code.ops.len()];
    for at in (0..code.ops.len()).filter(|&at| body[at] && code.ops[at].writes().contains(&Some(reg))) {
        let Some(up) = step_by_one(code, before, at, reg) else { return false };
        if direction.is_some_and(|direction| direction != up) {
            return false;
        }
        direction = Some(up);
        increments[at] = true;
    }
    // Whether the end of an iteration is reached without an increment.
    let head = edges[0].0;
    let mut seen = vec![false; code.ops.len()];
    let mut open = vec![head];
    while let Some(at) = open.pop() {
        if increments[at as usize] || std::mem::replace(&mut seen[at as usize], true) {
            continue;
        }
        if edges.iter().any(|edge| edge.1 == at) {
            return false;
        }
        code.ops[at as usize].successors(at, |to| {
            if to != head && body.get(to as usize) == Some(&true) {
                open.push(to);
            }
        });
    }
    true
}

/// Whether the step ends an increment (true) or a decrement (false) of the register: the sum itself, or
/// a copy of the sum that is computed just before.
fn step_by_one(code: &Code, before: &[Vec<u32>], at: usize, reg: Reg) -> Option<bool> {
    let is_entered = |at: usize| before[at].len() != 1 || before[at][0] as usize + 1 != at;
    let (sum, at) = match code.ops[at] {
        Op::Move { src: Arg::Reg(sum), .. } if at > 0 && !is_entered(at) => (sum, at - 1),
        _ => (reg, at),
    };
    let Op::Binary { dst, op, a: Arg::Reg(old), b: Arg::Int(1), scalar } = &code.ops[at] else { return None };
    let is_copy =
        |at: usize| matches!(code.ops[at], Op::Move { dst, src: Arg::Reg(src) } if dst == *old && src == reg);
    let is_old = *old == reg || at > 0 && !is_entered(at) && is_copy(at - 1);
    let up = match op {
        Binary::Add => true,
        Binary::Sub => false,
        _ => return None,
    };
    (*dst == sum && is_old && scalar.size >= 4).then_some(up)
}
