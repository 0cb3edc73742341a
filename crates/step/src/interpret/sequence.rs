//! Atomic sequences: from a step that keeps control to the states in which other processes may
//! continue.
//!
//! The exploration is depth-first over the steps of the process in control, on an explicit stack
//! whose entered nodes are the current path; siblings not entered yet lie between them. Runs of
//! deterministic steps have one successor each, so they are executed in place; such a run is
//! infinite if and only if a state with the same process in control occurs twice, which cycle
//! detection finds without storing the path. No number of steps counts as infinite: a long sequence
//! ends, repeats a state, or reaches a limit. The semantics is defined in docs/theory/steps.md.
//!
//! *Entry point:* [`Sequence::follow`].
//!
//! *Source:* R. P. Brent, An improved Monte Carlo factorization algorithm, 1980, section 2 (cycle
//! detection).
//!
//! Up to [`MOST_BY_PATH`] steps, each path is followed to its end, as transitions are counted.
//! Beyond it, the exploration starts again and follows converging paths once
//! ([`Sequence::follow_once`]). The ends, in order of their first occurrence, and the faults by
//! edge are the same; the cost is that of the states inside the sequences, not of the paths.
//!
//! *Cost:* a deterministic run takes constant memory, and at most three times the steps up to its
//! first repeated state; converging paths take memory for each state between deterministic runs.
//!
//! *Invariant:* the state of node `i` is `states[i * width..][..width]`.

use std::hash::{BuildHasher, BuildHasherDefault};

use axle_model::Atomicity;
use rustc_hash::{FxHashMap, FxHasher};

use super::cached_steps::CachedSteps;
use super::detail::MicroStep;
use super::edge::{self, Ask, First, Move, Moves, Taken};
use super::emit::Emit;
use super::log::{Blame, Log};
use super::long_sequence::CutSequence;
use super::machine::Machine;
use super::met::{Led, Meeting, Met};
use super::priority;
use crate::batch::Cut;
use crate::fault::FaultKind;
use crate::successors::Grow;
use axle_model::MOST_BY_PATH;

/// Number of states of a path that are compared linearly; further ones are looked up by hash.
const SHORT_PATH: usize = 24;

/// Maximum number of micro-steps shown of an infinite sequence.
const SHOWN: usize = 1000;

/// Maximum number of micro-steps of a deterministic run that are recorded. Of a longer run, the
/// first ones are recorded, those with a new fault, and the last one.
const RECORDED: usize = 1 << 16;

/// Number of steps between two polls of the cancellation callback.
const LOOK: u64 = 1 << 12;

/// Result of the exploration of sequences.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Followed {
    /// All ends were reached, or the batch was cut.
    ToTheEnd,
    /// There are too many steps for an exploration path by path; the output must be discarded.
    TooFar,
}

/// The stack; a structure so that its memory is reused.
#[derive(Clone, Default, Debug)]
pub(crate) struct Sequence {
    states: Vec<u8>,
    nodes: Vec<Node>,
    /// Indices in `nodes` of the current path that keep control.
    path: Vec<usize>,
    /// Number of occurrences of each hash on the path beyond its first [`SHORT_PATH`] nodes.
    hashes: FxHashMap<u64, u32>,
    /// The steps from the node being expanded.
    fresh: Moves,
    /// A state of a deterministic run that later ones are compared with.
    mark: Vec<u8>,
    /// Number of steps so far.
    steps: u64,
    /// The long sequence in which an expansion was cut.
    pub cut_in: CutSequence,
    /// Limit for the exploration path by path, if it is not [`MOST_BY_PATH`].
    pub by_path: Option<u32>,
    /// Whether converging paths are followed once.
    once: bool,
    /// The visited states in this case.
    met: Met,
    /// Asked for deterministic steps while accesses are recorded.
    pub cache: Option<Box<dyn CachedSteps>>,
}

/// A state inside a sequence.
#[derive(Clone, Debug)]
struct Node {
    /// The first step of the sequence.
    began: Taken,
    /// The process in control and its last edge; the kind of control.
    last: Taken,
    keep: Atomicity,
    /// Whether it is the first state of the sequence.
    is_first: bool,
    /// Faults of the steps that the node represents.
    faults: Vec<Blame>,
    /// The processes executed in the sequence, without duplicates.
    movers: Vec<u32>,
    /// The steps that the node represents, if details are requested.
    trail: Vec<MicroStep>,
    /// Whether its continuations are being explored.
    entered: bool,
    /// The first successor that it leads to, as far as known.
    first: Option<u32>,
    /// Its numbers in `met`: when it was entered, and after deterministic steps.
    numbers: [Option<u32>; 2],
    /// The hash under which the node is in `hashes`.
    hash: Option<u64>,
}

impl Node {
    /// Records a deterministic step, whose new faults are those from `known` on.
    fn record(&mut self, made: &mut Move, state: &[u8], known: usize) {
        if self.trail.len() >= RECORDED {
            made.faults = self.faults[known..].to_vec();
            // The step before is not the last one any more.
            if self.trail.len() > RECORDED && self.trail.last().is_some_and(|last| last.faults.is_empty()) {
                self.trail.pop();
            }
        }
        self.trail.push(MicroStep::new(made, state));
    }
}

impl Sequence {
    /// Follows the first steps of a process to the ends of their sequences, in order, path by path.
    /// `first` is emptied.
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

    /// Like [`Sequence::follow`], but converging paths are followed once for each first step.
    pub fn follow_once(
        &mut self,
        machine: &Machine,
        first: &mut Moves,
        log: &mut Log,
        emit: &mut Emit,
    ) -> Result<(), Grow> {
        self.once = true;
        let result = self.run(machine, first, log, emit);
        // Release the memory, which may be large.
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
        if emit.cut.is_some()
            && let Some(node) = self.nodes.last()
        {
            self.cut_in.note(node.began, self.steps);
        }
        Ok(())
    }

    /// Whether there are too many steps for an exploration path by path.
    fn too_far(&self) -> bool {
        !self.once && self.steps > self.by_path.unwrap_or(MOST_BY_PATH).into()
    }

    /// Counts steps that keep control.
    #[inline]
    fn count(&mut self, steps: u64, emit: &mut Emit) {
        self.steps += steps;
        if self.steps % LOOK < steps {
            emit.ask();
        }
    }

    /// Approximate number of bytes of the visited states and the stack.
    fn memory(&self) -> usize {
        self.met.memory() + self.states.capacity() + self.nodes.capacity() * size_of::<Node>()
    }

    /// Pushes the fresh steps, the first on top.
    fn push(&mut self, machine: &Machine, from: Option<usize>, log: &Log, emit: &mut Emit) {
        let width = machine.layout.width();
        let began = from.map(|node| self.nodes[node].began);
        let mut fresh = std::mem::take(&mut self.fresh);
        for (index, mut made) in fresh.list.drain(..).enumerate().rev() {
            emit.take(&made);
            let began = began.unwrap_or(made.last());
            if made.keep != Atomicity::Release {
                self.count(1, emit);
            }
            let state = &fresh.states[index * width..][..width];
            self.states.extend_from_slice(state);
            // Paths with different processes are distinguished even if processes are not reported, so
            // that the result does not depend on the request.
            let mut movers = from.map_or_else(Vec::new, |node| self.nodes[node].movers.clone());
            // Without duplicates: a sequence of a hundred thousand steps mostly executes one process.
            for pid in made.movers() {
                if !movers.contains(&pid) {
                    movers.push(pid);
                }
            }
            self.nodes.push(Node {
                movers,
                began,
                last: made.last(),
                keep: made.keep,
                is_first: from.is_none(),
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
            if self.nodes[top].is_first {
                // Faults are attributed to the first step of a sequence.
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
        if !self.once && self.on_path(width, top) {
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
        if !priority::interrupted(machine, state, pid, log) {
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

    /// Whether the top node is new; otherwise its known result is used.
    fn is_new(&mut self, width: usize, top: usize, emit: &mut Emit) -> bool {
        let node = &mut self.nodes[top];
        let deterministic = node.keep == Atomicity::Deterministic;
        match self.met.meet(node.last.pid, deterministic, &node.movers, &self.states[top * width..]) {
            Meeting::New(number) => {
                node.numbers[usize::from(!deterministic)] = Some(number);
                if self.memory() > emit.most {
                    *emit.cut = Some(Cut::Memory);
                }
                return true;
            }
            Meeting::Again(Led::To(first)) => node.first = first,
            Meeting::Again(Led::OnPath) => self.endless(top, emit),
        }
        false
    }

    /// Emits the state of the top node as a successor.
    fn emit(&mut self, width: usize, top: usize, emit: &mut Emit) {
        self.nodes[top].first = Some(emit.count());
        emit.state(&self.states[top * width..], || self.trail(top));
        emit.moved(|| self.nodes[top].movers.clone());
    }

    /// Executes deterministic steps in place; returns false if they have no end.
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
        // Brent's algorithm: a reference state, replaced after 1, 2, 4, ... steps.
        let mut by = self.nodes[top].last.pid;
        self.mark.clear();
        self.mark.extend_from_slice(&self.states[at..]);
        let (mut power, mut since) = (1u64, 0u64);
        let is_cached = machine.watch.is_on() && !log.detail;
        if let Some(cache) = self.cache.as_mut().filter(|_| is_cached) {
            cache.begin(machine, &self.states[at..]);
        }
        while self.nodes[top].keep == Atomicity::Deterministic {
            let Taken { pid, .. } = self.nodes[top].last;
            let state = &mut self.states[at..];
            // How many steps are executed at once depends on the state only, so that the states
            // between them repeat if and only if those of single steps do.
            let (first, steps) = match self.cache.as_mut().filter(|_| is_cached) {
                Some(cache) => cache.run(machine, state, pid, log, emit)?,
                None => (edge::first_in_place(&machine.actor(state, pid, false, None), state, log)?, 1),
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
            let known = node.faults.len();
            for &blame in &made.faults {
                if !node.faults.contains(&blame) {
                    node.faults.push(blame);
                }
            }
            if log.detail {
                node.record(&mut made, &self.states[at..], known);
            }
            node.last = made.last();
            node.keep = made.keep;
            since += 1;
            let counted = u64::from(steps) - u64::from(node.keep == Atomicity::Release);
            if counted > 0 {
                self.count(counted, emit);
                if emit.cut.is_some() || self.too_far() {
                    return Ok(false);
                }
            }
            let node = &self.nodes[top];
            let again = by == node.last.pid && self.mark == self.states[at..];
            if node.keep == Atomicity::Deterministic && again {
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

    /// Reports that the path is an infinite loop.
    fn endless(&self, top: usize, emit: &mut Emit) {
        let Taken { pid, edge, .. } = self.nodes[top].began;
        let blame = Blame { kind: FaultKind::EndlessSequence, pid, edge: Some(edge) };
        emit.mishap(blame, || self.steps_to(top).take(SHOWN).cloned().collect());
    }

    /// Pops the top node after all its continuations were explored.
    fn leave(&mut self, machine: &Machine, emit: &mut Emit) {
        let top = self.nodes.len() - 1;
        let first = self.nodes[top].first;
        for blame in std::mem::take(&mut self.nodes[top].faults) {
            match first {
                Some(_) => {
                    emit.fault(blame, first);
                }
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
        // The last node of the path is its predecessor.
        if let Some(&from) = self.path.last() {
            // The first successor along the path, which may have been found before.
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

    /// Whether two nodes of a path have the same continuation and report. A loop that executes further
    /// processes is followed once more: its ends are executed by more processes. Along a path the
    /// processes executed so far only grow, so their number identifies them.
    fn same(&self, width: usize, a: usize, b: usize) -> bool {
        self.nodes[a].last.pid == self.nodes[b].last.pid
            && self.nodes[a].movers.len() == self.nodes[b].movers.len()
            && self.states[a * width..][..width] == self.states[b * width..][..width]
    }

    fn hash(&self, width: usize, node: usize) -> u64 {
        let key = (self.nodes[node].last.pid, &self.states[node * width..][..width]);
        BuildHasherDefault::<FxHasher>::default().hash_one(key)
    }

    /// Whether the state of `top` is on the path. All nodes on the path have the same kind of
    /// control.
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
