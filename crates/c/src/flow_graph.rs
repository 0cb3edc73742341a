//! The control-flow graph of a function over statements.
//!
//! *Entry point:* [`flow_graph`].
//!
//! A node is a statement or condition of the source; the steps to which it is lowered are merged.
//! Jumps and the begin and end of lifetimes are omitted.

use axle_source::Loc;

use crate::code::{Code, Op};
use crate::program::Program;

/// The control-flow graph of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlowGraph {
    /// The statements and conditions, in order of the source.
    pub nodes: Vec<Loc>,
    /// The first node; none if the function has no statement.
    pub entry: Option<usize>,
    /// The edges: from a node, to a node or to the end of the function, and the outcome of a
    /// condition.
    pub edges: Vec<(usize, Option<usize>, Outcome)>,
}

/// The outcome of a condition that an edge stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    /// The node has no condition.
    Always,
    /// The condition is true.
    True,
    /// The condition is false.
    False,
    /// The values of a `case`, from the first to the last.
    Case(u64, u64),
    /// The `default` of a `switch`.
    Default,
}

/// The functions of the source that `main` can reach.
pub fn functions(program: &Program) -> impl Iterator<Item = &str> {
    program.codes.iter().filter(|code| !code.ours).map(|code| &*code.name)
}

/// The control-flow graph of a function that `main` can reach.
#[must_use]
pub fn flow_graph(program: &Program, function: &str) -> Option<FlowGraph> {
    let code = program.codes.iter().find(|code| !code.ours && &*code.name == function)?;
    let mut graph = FlowGraph { nodes: Vec::new(), entry: None, edges: Vec::new() };
    let mut node_of = vec![None; code.ops.len()];
    for (at, _) in code.ops.iter().enumerate().filter(|(_, op)| !is_transparent(op)) {
        let Some(&loc) = code.statements.get(at) else { continue };
        let known = graph.nodes.iter().position(|one| *one == loc);
        node_of[at] = Some(known.unwrap_or_else(|| {
            graph.nodes.push(loc);
            graph.nodes.len() - 1
        }));
    }
    graph.entry = follow(code, 0).and_then(|at| node_of[at]);
    for (at, op) in code.ops.iter().enumerate() {
        let Some(from) = node_of[at] else { continue };
        let mut add = |to: Option<u32>, outcome: Outcome| {
            let next = to.and_then(|to| follow(code, to));
            let target = next.and_then(|next| node_of[next]);
            // Within a statement, unless it is a loop.
            let inside = target == Some(from) && next.is_some_and(|next| next > at);
            if !inside && !graph.edges.contains(&(from, target, outcome)) {
                graph.edges.push((from, target, outcome));
            }
        };
        match op {
            Op::Branch { yes, no, .. } => {
                add(Some(*yes), Outcome::True);
                add(Some(*no), Outcome::False);
            }
            Op::Switch { cases, default, .. } => {
                cases.iter().for_each(|(first, last, to)| add(Some(*to), Outcome::Case(*first, *last)));
                add(Some(*default), Outcome::Default);
            }
            Op::Return { .. } | Op::Stuck(_) => add(None, Outcome::Always),
            other => other.successors(at as u32, |to| add(Some(to), Outcome::Always)),
        }
    }
    Some(graph)
}

/// The first step from here on that is not transparent.
fn follow(code: &Code, from: u32) -> Option<usize> {
    let mut at = from as usize;
    for _ in 0..=code.ops.len() {
        match code.ops.get(at)? {
            Op::Jump(to) => at = *to as usize,
            op if is_transparent(op) => at += 1,
            _ => return Some(at),
        }
    }
    None
}

/// Whether a step belongs to no statement of the source.
fn is_transparent(op: &Op) -> bool {
    matches!(op, Op::Jump(_) | Op::Live { .. } | Op::LiveVla { .. } | Op::Dead { .. } | Op::Undefine { .. })
}
