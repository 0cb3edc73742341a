//! Uninterrupted sequences: from a step that keeps control to the states where others may move
//! again.
//!
//! Idea: depth-first over the steps of the process in control, on an explicit stack whose entered
//! nodes are the current path; siblings not entered yet lie between them. Runs of deterministic
//! steps have one way to go, so they are walked in place, and a loop among them is found by Brent's
//! method (Brent 1980, "An improved Monte Carlo factorization algorithm", section 2) without
//! keeping the path. Meaning: docs/theory/steps.md, "Uninterrupted sequences".
//!
//! *Entry point:* [`Sequence::follow`].
//!
//! Each path is followed to its end, as transitions are counted, while there are few steps
//! ([`MOST_BY_PATH`]). Where there are more, all is done again with paths that meet followed once
//! ([`Sequence::follow_once`]): the ends are the same, in order of where each comes first, and so
//! is what goes wrong at which edge, but the work is that of the states inside, not of the paths.
//!
//! *Invariant:* the state of node `i` is `states[i * width..][..width]`.

use std::hash::{BuildHasher, BuildHasherDefault};

use axle_model::Atomicity;
use rustc_hash::{FxHashMap, FxHasher};

use super::detail::{MicroStep, Taken};
use super::edge::{self, Ask, First, Moves};
use super::emit::Emit;
use super::interrupted;
use super::log::{Blame, Log};
use super::machine::Machine;
use super::met::{Led, Meeting, Met};
use super::small_steps::{RUN, SmallSteps};
use crate::batch::{Cut, Grow};
use crate::fault::FaultKind;
use crate::options::{LONGEST_SEQUENCE, MOST_BY_PATH, MOST_INNER, MOST_STEPS};

/// The first so many states of a path are compared one by one, those beyond are looked up by hash.
const SHORT_PATH: usize = 24;

/// Small steps that are shown of a sequence without end.
const SHOWN: usize = 1000;

/// After so many steps it is asked whether to go on.
const LOOK: u32 = 1 << 12;

/// How far sequences were followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Followed {
    /// To all their ends, or until the batch was cut.
    ToTheEnd,
    /// There are more steps than are followed path by path; what was emitted is to be forgotten.
    TooFar,
}

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
    /// A state of deterministic steps that later ones are compared with.
    mark: Vec<u8>,
    /// Steps so far.
    steps: u32,
    /// How many of them are followed path by path, where it is not [`MOST_BY_PATH`].
    pub by_path: Option<u32>,
    /// Whether paths that meet are followed once.
    once: bool,
    /// Where they have met.
    met: Met,
    /// Deterministic steps made before, where it is noted what they look at.
    small: SmallSteps,
}

/// A state inside a sequence.
#[derive(Clone, Debug)]
struct Node {
    /// The step by which the sequence began.
    began: Taken,
    /// Who goes on, by which edge it got here, and how it goes on.
    last: Taken,
    keep: Atomicity,
    /// Steps since the beginning of the sequence.
    depth: u32,
    /// Faults of the steps that this node stands for.
    faults: Vec<Blame>,
    /// Who has moved since the beginning of the sequence, each once, where that is wanted.
    movers: Vec<u32>,
    /// The steps that this node stands for, where details are wanted.
    trail: Vec<MicroStep>,
    /// Whether what comes after it is being followed.
    entered: bool,
    /// The first successor that it leads to, as far as is known.
    first: Option<u32>,
    /// Its numbers in `met`: as it was when it was entered, and after deterministic steps.
    numbers: [Option<u32>; 2],
    /// The hash under which the node is in `hashes`.
    hash: Option<u64>,
}

impl Sequence {
    /// Follows first steps of a process to the ends of their sequences, in order, each path for itself. `first` is
    /// emptied.
    pub fn follow(
        &mut self,
        machine: &Machine,
        first: &mut Moves,
        log: &mut Log,
        emit: &mut Emit,
    ) -> Result<Followed, Grow> {
        self.once = false;
        self.run(machine, first, log, emit)?;
        Ok(if self.too_far() { Followed::TooFar } else { Followed::ToTheEnd })
    }

    /// The same, but paths that meet are followed once from there on, for each first step.
    pub fn follow_once(
        &mut self,
        machine: &Machine,
        first: &mut Moves,
        log: &mut Log,
        emit: &mut Emit,
    ) -> Result<(), Grow> {
        self.once = true;
        let result = self.run(machine, first, log, emit);
        // It may have been much.
        self.met = Met::default();
        result
    }

    fn run(
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
        self.steps = 0;
        std::mem::swap(first, &mut self.fresh);
        self.push(machine, None, log, emit);
        while let Some(top) = self.nodes.len().checked_sub(1)
            && emit.cut.is_none()
            && !self.too_far()
        {
            match self.nodes[top].entered {
                true => self.leave(machine, emit),
                false => self.enter(machine, top, log, emit)?,
            }
        }
        Ok(())
    }

    /// Whether there are more steps than are followed path by path.
    fn too_far(&self) -> bool {
        !self.once && self.steps > self.by_path.unwrap_or(MOST_BY_PATH)
    }

    /// Counts steps that keep control; `began` is the step by which the sequence began.
    #[inline]
    fn count(&mut self, began: Taken, steps: u32, emit: &mut Emit) {
        self.steps += steps;
        if self.steps % LOOK < steps {
            emit.ask();
            if self.steps > MOST_STEPS {
                *emit.cut = Some(Cut::Sequence { proc: began.proc, edge: began.edge });
            }
        }
    }

    /// Puts the fresh steps on the stack, the first on top.
    fn push(&mut self, machine: &Machine, from: Option<usize>, log: &Log, emit: &mut Emit) {
        let width = machine.layout.width();
        let (began, depth) = match from {
            Some(node) => (Some(self.nodes[node].began), self.nodes[node].depth + 1),
            None => (None, 1),
        };
        let mut fresh = std::mem::take(&mut self.fresh);
        for (index, mut made) in fresh.list.drain(..).enumerate().rev() {
            emit.take(&made);
            let began = began.unwrap_or(made.last());
            if made.keep != Atomicity::Release {
                self.count(began, 1, emit);
            }
            let state = &fresh.states[index * width..][..width];
            self.states.extend_from_slice(state);
            let mut movers = Vec::new();
            // Where paths meet that different processes had a part in, these are two, be it wanted or not: what an
            // expansion finds does not depend on what is asked.
            if emit.movers.is_some() || self.once {
                movers.extend(from.iter().flat_map(|&node| &self.nodes[node].movers));
                // Each once: a sequence of a hundred thousand steps is mostly one process's.
                let new: Vec<u32> = made.movers().filter(|pid| !movers.contains(pid)).collect();
                movers.extend(new);
            }
            self.nodes.push(Node {
                movers,
                began,
                last: made.last(),
                keep: made.keep,
                depth,
                trail: if log.detail { vec![MicroStep::new(&mut made, state)] } else { Vec::new() },
                faults: made.faults,
                entered: false,
                first: None,
                numbers: [None; 2],
                hash: None,
            });
        }
        fresh.states.clear();
        self.fresh = fresh;
    }

    /// Expands the top node, or ends the path there.
    fn enter(&mut self, machine: &Machine, top: usize, log: &mut Log, emit: &mut Emit) -> Result<(), Grow> {
        self.nodes[top].entered = true;
        let width = machine.layout.width();
        if self.once {
            if self.nodes[top].depth == 1 {
                // What goes wrong is told of the step by which a sequence began.
                self.met.clear();
            }
            if self.nodes[top].keep == Atomicity::Deterministic && !self.is_new(width, top, emit) {
                return Ok(());
            }
        }
        if !self.settle(machine, top, log, emit)? {
            return Ok(());
        }
        if self.nodes[top].keep == Atomicity::Release {
            self.emit(width, top, emit);
            return Ok(());
        }
        if self.nodes[top].depth > LONGEST_SEQUENCE || (!self.once && self.on_path(width, top)) {
            self.endless(top, emit);
            return Ok(());
        }
        if self.once && !self.is_new(width, top, emit) {
            return Ok(());
        }
        self.join_path(width, top);
        let state = &self.states[top * width..];
        let pid = self.nodes[top].last.pid;
        let mut executable = false;
        if !interrupted(machine, state, pid, log) {
            let who = machine.actor(state, pid, false, None);
            let ask = Ask::default();
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

    /// Whether nothing is known of the top node; otherwise it leads where it was found to lead.
    fn is_new(&mut self, width: usize, top: usize, emit: &mut Emit) -> bool {
        let node = &mut self.nodes[top];
        let deterministic = node.keep == Atomicity::Deterministic;
        match self.met.meet(node.last.pid, deterministic, &node.movers, &self.states[top * width..]) {
            Meeting::New(number) => {
                node.numbers[usize::from(!deterministic)] = Some(number);
                if self.met.len() > MOST_INNER {
                    *emit.cut = Some(Cut::Sequence { proc: node.began.proc, edge: node.began.edge });
                } else if self.met.memory() > emit.most {
                    *emit.cut = Some(Cut::Memory);
                }
                return true;
            }
            Meeting::Again(Led::To(first)) => node.first = first,
            Meeting::Again(Led::OnPath) => self.endless(top, emit),
        }
        false
    }

    /// The state of the top node is a successor.
    fn emit(&mut self, width: usize, top: usize, emit: &mut Emit) {
        self.nodes[top].first = Some(emit.count());
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
        if self.nodes[top].keep != Atomicity::Deterministic {
            return Ok(true);
        }
        let width = machine.layout.width();
        let at = top * width;
        // Brent: a state to compare with, replaced after 1, 2, 4, ... steps.
        let mut by = self.nodes[top].last.pid;
        self.mark.clear();
        self.mark.extend_from_slice(&self.states[at..]);
        let (mut power, mut since) = (1u32, 0u32);
        let remembers = machine.watch.is_on() && !log.detail;
        if remembers {
            self.small.begin(machine, &self.states[at..]);
        }
        while self.nodes[top].keep == Atomicity::Deterministic {
            let Node { depth, last: Taken { pid, .. }, .. } = self.nodes[top];
            let state = &mut self.states[at..];
            // A run does not reach over the limit, where it is told.
            let (first, steps) = match remembers && depth + RUN <= LONGEST_SEQUENCE {
                true => self.small.run(machine, state, pid, log, emit)?,
                false => (edge::first_in_place(&machine.actor(state, pid, false, None), state, log)?, 1),
            };
            emit.attempts(log, || self.trail(top));
            let mut made = match first {
                First::Made(made) => made,
                First::Nowhere => return Ok(false),
                First::Nothing => {
                    let Taken { pid, edge, .. } = self.nodes[top].last;
                    let blame = Blame { kind: FaultKind::DeterministicBlocks, pid, edge: Some(edge) };
                    emit.mishap(blame, || self.trail(top));
                    return Ok(false);
                }
            };
            emit.take(&made);
            let node = &mut self.nodes[top];
            if log.detail {
                node.trail.push(MicroStep::new(&mut made, &self.states[at..]));
            }
            node.last = made.last();
            node.keep = made.keep;
            node.depth += steps;
            node.faults.append(&mut made.faults);
            since += 1;
            let (began, counted) = (node.began, steps - u32::from(node.keep == Atomicity::Release));
            if counted > 0 {
                self.count(began, counted, emit);
                if emit.cut.is_some() || self.too_far() {
                    return Ok(false);
                }
            }
            let node = &self.nodes[top];
            let again = by == node.last.pid && self.mark == self.states[at..];
            if node.keep == Atomicity::Deterministic && (again || node.depth > LONGEST_SEQUENCE) {
                self.endless(top, emit);
                return Ok(false);
            }
            if since == power {
                by = node.last.pid;
                self.mark.copy_from_slice(&self.states[at..]);
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
    fn leave(&mut self, machine: &Machine, emit: &mut Emit) {
        let top = self.nodes.len() - 1;
        let first = self.nodes[top].first;
        for blame in std::mem::take(&mut self.nodes[top].faults) {
            match first {
                Some(_) => emit.fault(blame, first),
                None => emit.mishap(blame, || self.trail(top)),
            }
        }
        for number in self.nodes[top].numbers.into_iter().flatten() {
            self.met.leave(number, first);
        }
        if self.path.last() == Some(&top) {
            self.path.pop();
            if let Some(hash) = self.nodes[top].hash
                && let Some(count) = self.hashes.get_mut(&hash)
            {
                *count -= 1;
            }
        }
        // The last of the path is the one that it came from.
        if let Some(&from) = self.path.last() {
            // The first along the path, not the one that was found first: what was met before may have been.
            let known = &mut self.nodes[from].first;
            *known = known.or(first);
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
        if !self.once && self.path.len() >= SHORT_PATH {
            let hash = self.hash(width, top);
            *self.hashes.entry(hash).or_insert(0) += 1;
            self.nodes[top].hash = Some(hash);
        }
        self.path.push(top);
    }
}
