//! Successors of a state computed from the groups: the reference for engines that use the relation, and
//! the way from an assignment of the variables back to steps of the interpreter.
//!
//! The executable groups of a state are its steps. A step that keeps control leads into a sequence,
//! which is followed depth-first to the states in which every process may execute, on an explicit stack
//! of steps to take; a state that repeats on the path is an endless sequence.
//!
//! *Entry point:* [`Relation::execute`].
//! *Invariant:* the successors are those of the interpreter, in its order.

use std::hash::{BuildHasher, BuildHasherDefault};

use axle_model::{EdgeId, MOST_BY_PATH};
use axle_outcome::{FaultKind, Stop};
use rustc_hash::{FxHashMap, FxHasher};

use crate::evaluate::Evaluation;
use crate::{Action, Group, Relation, Taken};

/// A fault of a state or of a step from it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reported {
    /// The kind.
    pub kind: FaultKind,
    /// The number of the process.
    pub pid: u32,
    /// The edge.
    pub edge: Option<EdgeId>,
}

/// A successor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Successor {
    /// The value of each variable.
    pub state: Vec<i64>,
    /// The groups that lead to it, as positions in [`Relation::groups`].
    pub groups: Vec<u32>,
    /// Its position among the successors of the interpreter, with those that create more processes than the
    /// relation has.
    pub position: u32,
}

/// The successors of a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Executed {
    /// The successors, in the order of the interpreter.
    pub successors: Vec<Successor>,
    /// The faults of the state and of the steps from it.
    pub faults: Vec<Reported>,
    /// A step would create more processes than the relation has: successors are missing.
    pub is_beyond: bool,
    /// Such a step is in a sequence: the positions of later successors are unknown.
    pub is_uncounted: bool,
    /// The number of successors, with those that are missing.
    pub counted: u32,
    /// The first group of sequences that have more steps than permitted: successors are missing.
    pub cut: Option<u32>,
}

/// A state inside a sequence, or its end.
struct Node {
    state: Vec<i64>,
    group: u32,
    depth: usize,
    /// Whether the step would create more processes than the relation has: the state lacks one.
    is_beyond: bool,
}

/// The path through a sequence.
#[derive(Default)]
struct Path {
    states: Vec<Vec<i64>>,
    /// The number of states with a hash.
    hashes: FxHashMap<u64, u32>,
    groups: Vec<u32>,
    /// For each step, the processes that have executed up to it, each once.
    movers: Vec<Vec<u32>>,
}

impl Relation {
    /// The successors of a state in which no process is in control, if each of them is reached by a path of its own
    /// in the interpreter too.
    ///
    /// # Errors
    /// The sequences of a process have too many steps for that ([`MOST_BY_PATH`]): the interpreter then follows
    /// converging paths once, and has fewer successors. Or a sequence creates more processes than the relation has.
    pub fn successors(&self, state: &[i64], evaluation: &mut Evaluation) -> Result<Vec<Successor>, Stop> {
        let executed = self.execute(state, evaluation, MOST_BY_PATH as usize);
        match executed.cut {
            Some(group) => Err(self.sequence_of(group)),
            None if executed.is_uncounted => Err(Stop::Processes(self.variables.slots.len() as u32)),
            None => Ok(executed.successors),
        }
    }

    /// The successors of a state in which no process is in control, with at most `most` steps inside the sequences of
    /// a process. They are counted as the interpreter counts them.
    pub fn execute(&self, state: &[i64], evaluation: &mut Evaluation, most: usize) -> Executed {
        let mut found = Executed::default();
        let mut stack: Vec<Node> = Vec::new();
        let mut path = Path::default();
        self.expand(state, 0, evaluation, &mut stack, &mut found, None);
        evaluation.begin(&self.terms);
        for fault in &self.ends {
            if evaluation.holds(&self.terms, state, fault.condition) {
                found.report(fault.kind, fault.pid, fault.edge);
            }
        }
        let (mut steps, mut first) = (0, None);
        while let Some(node) = stack.pop() {
            path.truncate(node.depth);
            path.step(&self.groups[node.group as usize], &node);
            let is_outside = self.is_outside(&node.state);
            if node.is_beyond {
                found.is_beyond = true;
                found.is_uncounted |= node.depth > 0 || !is_outside;
                found.counted += 1;
                continue;
            }
            if is_outside {
                let (groups, position) = (path.groups.clone(), found.counted);
                found.successors.push(Successor { state: node.state, groups, position });
                found.counted += 1;
                continue;
            }
            let pid = self.groups[path.groups[0] as usize].executing();
            if first != Some(pid) {
                (steps, first) = (0, Some(pid));
            }
            steps += 1;
            if steps > most {
                found.cut = path.groups.first().copied();
                break;
            }
            if path.repeats(node.depth, &node.state) {
                let began = self.began(&path);
                found.report(FaultKind::EndlessSequence, began.pid, Some(began.edge));
                continue;
            }
            path.keep(&node.state);
            let last = self.groups[node.group as usize].last();
            self.expand(&node.state, node.depth + 1, evaluation, &mut stack, &mut found, last);
        }
        found
    }

    /// Puts the steps from a state on the stack, the first on top, and reports the faults of the state
    /// and its steps. `last` is the step before, inside a sequence.
    fn expand(
        &self,
        state: &[i64],
        depth: usize,
        evaluation: &mut Evaluation,
        stack: &mut Vec<Node>,
        found: &mut Executed,
        last: Option<Taken>,
    ) {
        evaluation.begin(&self.terms);
        let terms = &self.terms;
        for fault in &self.faults {
            if evaluation.holds(terms, state, fault.condition) {
                found.report(fault.kind, fault.pid, fault.edge);
            }
        }
        if let Some(last) = last {
            for (pid, blocked) in &self.blocked_sequences {
                if *pid == last.pid && evaluation.holds(terms, state, *blocked) {
                    found.report(FaultKind::DeterministicBlocks, last.pid, Some(last.edge));
                }
            }
        }
        let first = stack.len();
        for (index, group) in self.groups.iter().enumerate() {
            if !evaluation.holds(terms, state, group.enabled) {
                continue;
            }
            let is_beyond = evaluation.holds(terms, state, group.beyond);
            for fault in group.faults.iter().filter(|_| !is_beyond) {
                if evaluation.holds(terms, state, fault.condition) {
                    found.report(fault.kind, fault.pid, fault.edge);
                }
            }
            let mut next = state.to_vec();
            for (variable, value) in &group.updates {
                next[variable.index()] = evaluation.value(terms, state, *value);
            }
            stack.push(Node { state: next, group: index as u32, depth, is_beyond });
        }
        stack[first..].reverse();
    }

    /// The first step of a path.
    fn began(&self, path: &Path) -> Taken {
        let steps = path.groups.iter().filter_map(|group| self.groups[*group as usize].last());
        steps.into_iter().next().expect("a sequence begins with a step")
    }
}

impl Executed {
    fn report(&mut self, kind: FaultKind, pid: u32, edge: Option<EdgeId>) {
        let reported = Reported { kind, pid, edge };
        if !self.faults.contains(&reported) {
            self.faults.push(reported);
        }
    }
}

impl Path {
    fn truncate(&mut self, depth: usize) {
        for state in self.states.drain(depth.min(self.states.len())..) {
            if let Some(count) = self.hashes.get_mut(&hash(&state)) {
                *count -= 1;
            }
        }
        self.groups.truncate(depth);
        self.movers.truncate(depth);
    }

    fn step(&mut self, group: &Group, node: &Node) {
        self.groups.push(node.group);
        let mut movers = self.movers.last().cloned().unwrap_or_default();
        if let Action::Step { by, partner, .. } = group.action {
            for pid in [Some(by.pid), partner.map(|partner| partner.pid)].into_iter().flatten() {
                if !movers.contains(&pid) {
                    movers.push(pid);
                }
            }
        }
        self.movers.push(movers);
    }

    /// Adds a state to the path.
    fn keep(&mut self, state: &[i64]) {
        *self.hashes.entry(hash(state)).or_default() += 1;
        self.states.push(state.to_vec());
    }

    /// Whether a state, the last of the path, occurs before on it after the same processes. Along a path
    /// the executing processes only grow, so their number identifies them.
    fn repeats(&self, depth: usize, state: &[i64]) -> bool {
        if self.hashes.get(&hash(state)).is_none_or(|count| *count == 0) {
            return false;
        }
        let movers = self.movers[depth].len();
        self.states.iter().zip(&self.movers).any(|(of, before)| before.len() == movers && of == state)
    }
}

fn hash(state: &[i64]) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(state)
}
