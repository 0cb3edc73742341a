//! Uninterrupted sequences: from a step that keeps control to the states where others may move again.
//!
//! Idea: depth-first over the steps of the process in control, on an explicit stack whose entered nodes are
//! the current path; siblings not entered yet lie between them. Runs of deterministic steps have one way to
//! go, so they are walked in place, and a loop among them is found by Brent's method (Brent 1980, "An
//! improved Monte Carlo factorization algorithm", section 2) without keeping the path. Main function:
//! [`Sequence::follow`]. Meaning: docs/theory/steps.md, "Uninterrupted sequences".
//!
//! Invariant: the state of node `i` is `states[i * width..][..width]`.

use std::hash::{BuildHasher, BuildHasherDefault};

use axle_model::Keep;
use rustc_hash::{FxHashMap, FxHasher};

use super::detail::{MicroStep, Taken};
use super::edge::{self, Ask, Moves};
use super::emit::Emit;
use super::interrupted;
use super::log::{Blame, Log};
use super::machine::Machine;
use crate::batch::Grow;
use crate::fault::FaultKind;
use crate::options::LONGEST_SEQUENCE;

/// The first so many states of a path are compared one by one, those beyond are looked up by hash.
const SHORT_PATH: usize = 24;

/// Small steps that are shown of a sequence without end.
const SHOWN: usize = 1000;

/// The stack, kept for its memory.
#[derive(Clone, Default, Debug)]
pub(crate) struct Sequence {
    states: Vec<u8>,
    nodes: Vec<Node>,
    /// Positions in `nodes` that are on the current path and keep control.
    path: Vec<usize>,
    /// How often each hash occurs on the path beyond its first [`SHORT_PATH`] nodes.
    hashes: FxHashMap<u64, u32>,
    /// The steps from the node that is being expanded.
    fresh: Moves,
}

/// A state inside a sequence.
#[derive(Clone, Debug)]
struct Node {
    /// The step by which the sequence began.
    began: Taken,
    /// Who goes on, by which edge it got here, and how it goes on.
    last: Taken,
    keep: Keep,
    /// Steps since the beginning of the sequence.
    depth: u32,
    /// Faults of the steps that this node stands for.
    faults: Vec<Blame>,
    /// Who has moved since the beginning of the sequence, each once, where that is wanted.
    movers: Vec<u32>,
    /// The steps that this node stands for, where details are wanted.
    trail: Vec<MicroStep>,
    /// How many successors there were when the node was entered; none before.
    entered: Option<u32>,
    /// The hash under which the node is in `hashes`.
    hash: Option<u64>,
}

impl Sequence {
    /// Follows first steps of a process to the ends of their sequences, in order. `first` is emptied.
    pub fn follow(
        &mut self,
        machine: &Machine,
        first: &mut Moves,
        log: &mut Log,
        emit: &mut Emit,
    ) -> Result<(), Grow> {
        self.states.clear();
        self.nodes.clear();
        self.path.clear();
        self.hashes.clear();
        self.fresh.clear();
        std::mem::swap(first, &mut self.fresh);
        self.push(machine, None, log, emit);
        while let Some(top) = self.nodes.len().checked_sub(1)
            && !*emit.cut
        {
            match self.nodes[top].entered {
                Some(before) => self.leave(machine, before, emit),
                None => self.enter(machine, top, log, emit)?,
            }
        }
        Ok(())
    }

    /// Puts the fresh steps on the stack, the first on top.
    fn push(&mut self, machine: &Machine, from: Option<usize>, log: &Log, emit: &mut Emit) {
        let width = machine.layout.width();
        let (began, depth) = match from {
            Some(node) => (Some(self.nodes[node].began), self.nodes[node].depth + 1),
            None => (None, 1),
        };
        for (index, mut made) in self.fresh.list.drain(..).enumerate().rev() {
            emit.mark(&made);
            let state = &self.fresh.states[index * width..][..width];
            self.states.extend_from_slice(state);
            let mut movers = Vec::new();
            if emit.movers.is_some() {
                movers.extend(from.iter().flat_map(|&node| &self.nodes[node].movers));
                // Each once: a sequence of a hundred thousand steps is mostly one process's.
                let new: Vec<u32> = made.movers().filter(|pid| !movers.contains(pid)).collect();
                movers.extend(new);
            }
            self.nodes.push(Node {
                movers,
                began: began.unwrap_or(made.last()),
                last: made.last(),
                keep: made.keep,
                depth,
                trail: if log.detail { vec![MicroStep::new(&mut made, state)] } else { Vec::new() },
                faults: made.faults,
                entered: None,
                hash: None,
            });
        }
        self.fresh.states.clear();
    }

    /// Expands the top node, or ends the path there.
    fn enter(&mut self, machine: &Machine, top: usize, log: &mut Log, emit: &mut Emit) -> Result<(), Grow> {
        self.nodes[top].entered = Some(emit.count());
        if !self.settle(machine, top, log, emit)? {
            return Ok(());
        }
        let width = machine.layout.width();
        if self.nodes[top].keep == Keep::Release {
            self.emit(width, top, emit);
            return Ok(());
        }
        if self.nodes[top].depth > LONGEST_SEQUENCE || self.on_path(width, top) {
            self.endless(top, emit);
            return Ok(());
        }
        self.join_path(width, top);
        let state = &self.states[top * width..];
        let pid = self.nodes[top].last.pid;
        let mut executable = false;
        if !interrupted(machine, state, pid, log) {
            let who = machine.actor(state, pid, false, None);
            let ask = Ask { timeout: false, deterministic: false };
            executable = edge::moves(&who, state, ask, &mut self.fresh, log)?;
            emit.attempts(log, || self.trail(top));
        }
        if executable {
            self.push(machine, Some(top), log, emit);
        } else {
            self.emit(width, top, emit);
        }
        Ok(())
    }

    /// The state of the top node is a successor.
    fn emit(&self, width: usize, top: usize, emit: &mut Emit) {
        emit.state(&self.states[top * width..], || self.trail(top));
        emit.moved(|| self.nodes[top].movers.clone());
    }

    /// Walks deterministic steps in place; false where they lead nowhere.
    fn settle(
        &mut self,
        machine: &Machine,
        top: usize,
        log: &mut Log,
        emit: &mut Emit,
    ) -> Result<bool, Grow> {
        if self.nodes[top].keep != Keep::Deterministic {
            return Ok(true);
        }
        let width = machine.layout.width();
        let at = top * width;
        // Brent: a state to compare with, replaced after 1, 2, 4, ... steps.
        let mut mark = (self.nodes[top].last.pid, self.states[at..].to_vec());
        let (mut power, mut since) = (1u32, 0u32);
        while self.nodes[top].keep == Keep::Deterministic {
            let who = machine.actor(&self.states[at..], self.nodes[top].last.pid, false, None);
            let ask = Ask { timeout: false, deterministic: true };
            let executable = edge::moves(&who, &self.states[at..], ask, &mut self.fresh, log)?;
            emit.attempts(log, || self.trail(top));
            let Some(mut made) = self.fresh.list.pop() else {
                if !executable {
                    let Taken { pid, edge, .. } = self.nodes[top].last;
                    let blame = Blame { kind: FaultKind::DeterministicBlocks, pid, edge: Some(edge) };
                    emit.mishap(blame, || self.trail(top));
                }
                return Ok(false);
            };
            emit.mark(&made);
            self.states[at..].copy_from_slice(&self.fresh.states);
            self.fresh.states.clear();
            let node = &mut self.nodes[top];
            if log.detail {
                node.trail.push(MicroStep::new(&mut made, &self.states[at..]));
            }
            node.last = made.last();
            node.keep = made.keep;
            node.depth += 1;
            node.faults.append(&mut made.faults);
            since += 1;
            let again = mark.0 == node.last.pid && mark.1 == self.states[at..];
            if node.keep == Keep::Deterministic && (again || node.depth > LONGEST_SEQUENCE) {
                self.endless(top, emit);
                return Ok(false);
            }
            if since == power {
                mark.0 = node.last.pid;
                mark.1.copy_from_slice(&self.states[at..]);
                power *= 2;
                since = 0;
            }
        }
        Ok(true)
    }

    /// The path ends here because it would go on for ever.
    fn endless(&self, top: usize, emit: &mut Emit) {
        let Taken { pid, edge, .. } = self.nodes[top].began;
        let blame = Blame { kind: FaultKind::EndlessSequence, pid, edge: Some(edge) };
        emit.mishap(blame, || self.steps_to(top).take(SHOWN).cloned().collect());
    }

    /// Takes the top node, under which everything has been seen, off the stack.
    fn leave(&mut self, machine: &Machine, before: u32, emit: &mut Emit) {
        let top = self.nodes.len() - 1;
        let successor = (emit.count() > before).then_some(before);
        for blame in std::mem::take(&mut self.nodes[top].faults) {
            match successor {
                Some(_) => emit.fault(blame, successor),
                None => emit.mishap(blame, || self.trail(top)),
            }
        }
        if self.path.last() == Some(&top) {
            self.path.pop();
            if let Some(hash) = self.nodes[top].hash
                && let Some(count) = self.hashes.get_mut(&hash)
            {
                *count -= 1;
            }
        }
        self.nodes.pop();
        self.states.truncate(top * machine.layout.width());
    }

    /// The steps from the source state to a node on the path or at its end.
    fn trail(&self, top: usize) -> Vec<MicroStep> {
        self.steps_to(top).cloned().collect()
    }

    fn steps_to(&self, top: usize) -> impl Iterator<Item = &MicroStep> {
        let nodes = self.path.iter().copied().filter(move |&node| node != top).chain([top]);
        nodes.flat_map(|node| &self.nodes[node].trail)
    }

    fn same(&self, width: usize, a: usize, b: usize) -> bool {
        self.nodes[a].last.pid == self.nodes[b].last.pid
            && self.states[a * width..][..width] == self.states[b * width..][..width]
    }

    fn hash(&self, width: usize, node: usize) -> u64 {
        let key = (self.nodes[node].last.pid, &self.states[node * width..][..width]);
        BuildHasherDefault::<FxHasher>::default().hash_one(key)
    }

    /// Whether the path has the state of `top` already. All nodes on it keep control the same way.
    fn on_path(&self, width: usize, top: usize) -> bool {
        let (near, far) = self.path.split_at(self.path.len().min(SHORT_PATH));
        near.iter().any(|&node| self.same(width, node, top))
            || (!far.is_empty()
                && self.hashes.get(&self.hash(width, top)).is_some_and(|&count| count > 0)
                && far.iter().any(|&node| self.same(width, node, top)))
    }

    fn join_path(&mut self, width: usize, top: usize) {
        if self.path.len() >= SHORT_PATH {
            let hash = self.hash(width, top);
            *self.hashes.entry(hash).or_insert(0) += 1;
            self.nodes[top].hash = Some(hash);
        }
        self.path.push(top);
    }
}
