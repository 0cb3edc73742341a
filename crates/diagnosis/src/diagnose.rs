//! Diagnosis: whether the software can show a sequence of events of a test, and if not, how far it
//! can follow and which events are possible there.
//!
//! The sequence is a monitor automaton with a position in the sequence as its state. The *alphabet*
//! contains the events whose names occur in the sequence. An event of the alphabet has to be the next
//! one of the sequence; all other events are ignored, as channels that an event trace does not name.
//! Behind `...` any events may occur before the next one. Breadth-first search over states of the
//! software and positions finds the shortest execution of the longest feasible prefix.
//!
//! *Entry points:* [`parse`] reads a sequence, [`model::diagnose`] and [`program::diagnose`] follow it.
//! *Source:* G. J. Holzmann, The Spin Model Checker, 2003, chapter 4 (event traces); G. J. Holzmann
//! and M. H. Smith, IEEE TSE 28(4), 2002, section 5 (diagnosis).
//! *Invariant:* a prefix is called infeasible only if the search ended by itself.

pub mod model;
mod parse;
pub mod program;

use std::collections::{BTreeSet, HashMap, VecDeque};

use axle_evidence::trace::{Observed, Trace};
use axle_search::{Limits, Monitor, Progress, Stop};

pub use crate::diagnose::parse::{Event, EventFault, EventName, parse};

/// A value of an event.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Value {
    /// The number; none if the value is not defined.
    pub number: Option<i64>,
    /// The value as shown: a number or the name of a constant; `|` separates names of one value.
    pub shown: String,
}

impl Value {
    fn is(&self, wanted: &str) -> bool {
        self.shown.split('|').any(|name| name == wanted)
            || self.number.is_some_and(|number| wanted.parse() == Ok(number))
    }
}

/// An event that a step shows: the index of its name in the alphabet, and its values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Occurred {
    pub name: usize,
    pub values: Vec<Value>,
}

/// A state, and the events on the way to it.
pub(crate) type Reached = (Vec<u8>, Vec<Occurred>);

/// The software as the search sees it.
pub(crate) trait Follow {
    /// The initial state, and the events before it.
    fn initial(&mut self) -> Reached;

    /// The successors of a state, each with the events on the way to it, in the order in which a
    /// replay numbers them.
    fn steps(&mut self, state: &[u8]) -> Result<Vec<Reached>, Stop>;
}

/// The sequence as an automaton.
pub(crate) struct Sequence {
    /// The alphabet.
    pub names: Vec<EventName>,
    /// For each event of the sequence its name and its values; none is any value.
    events: Vec<(usize, Vec<Option<String>>)>,
    /// Whether other events of the alphabet may occur before it.
    loose: Vec<bool>,
}

impl Sequence {
    pub(crate) fn new(events: &[Event]) -> Sequence {
        let mut names: Vec<EventName> = Vec::new();
        let (mut sequence, mut loose) = (Vec::new(), Vec::new());
        for event in events {
            let index = names.iter().position(|name| *name == event.name).unwrap_or_else(|| {
                names.push(event.name.clone());
                names.len() - 1
            });
            if !event.absent {
                sequence.push((index, event.values.clone()));
                loose.push(event.loose);
            }
        }
        Sequence { names, events: sequence, loose }
    }

    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    fn fits(&self, position: usize, occurred: &Occurred) -> bool {
        let Some((name, values)) = self.events.get(position) else { return false };
        let mut pairs = values.iter().zip(&occurred.values);
        *name == occurred.name
            && values.len() <= occurred.values.len()
            && pairs.all(|(wanted, value)| wanted.as_ref().is_none_or(|wanted| value.is(wanted)))
    }

    /// The positions after an event; none if the sequence does not permit it.
    fn follow(&self, positions: &BTreeSet<usize>, occurred: &Occurred) -> BTreeSet<usize> {
        let mut after = BTreeSet::new();
        for &position in positions {
            if self.fits(position, occurred) {
                after.insert(position + 1);
            }
            if self.loose.get(position) == Some(&true) {
                after.insert(position);
            }
        }
        after
    }
}

/// The answer to a diagnosis.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagnosis {
    /// The number of events of the longest feasible prefix.
    pub feasible: usize,
    /// The events of the sequence.
    pub events: usize,
    /// The shortest execution that shows the prefix. A step that shows an event of the sequence has
    /// it in [`axle_evidence::trace::TraceStep::observed`].
    pub trace: Trace,
    /// The events of the alphabet that are possible behind the prefix.
    pub possible: Vec<String>,
    /// Whether the software can end, be blocked, or run forever behind the prefix without showing
    /// another event of the alphabet.
    pub silent: bool,
    /// States of software and sequence.
    pub states: u64,
    /// Why the search ended early; then a longer prefix may be feasible.
    pub stop: Option<Stop>,
    /// Why a longer prefix may be feasible although the search is complete.
    pub doubt: Option<String>,
}

impl Diagnosis {
    /// Whether the whole sequence is feasible.
    #[must_use]
    pub fn is_feasible(&self) -> bool {
        self.feasible == self.events
    }
}

/// The result of a search, before the execution is replayed.
pub(crate) struct Followed {
    pub feasible: usize,
    /// The positions of the steps among the successors.
    pub path: Vec<u32>,
    /// For each event of the prefix, the step that shows it, counted from 1; 0 is the initial state.
    pub shown: Vec<usize>,
    pub possible: BTreeSet<String>,
    pub silent: bool,
    pub states: u64,
    pub stop: Option<Stop>,
}

/// A state of the software without trailing zero bytes, and a position.
type Key = (Vec<u8>, u32);

fn key(state: &[u8], position: usize) -> Key {
    let used = state.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    (state[..used].to_vec(), position as u32)
}

/// States between two looks at the limits.
const WATCH: usize = 64;

/// A search in progress.
struct Search<'s> {
    sequence: &'s Sequence,
    known: HashMap<Key, u32>,
    /// For each node, the node that it was found from and the step.
    from: Vec<(u32, u32)>,
    queue: VecDeque<Key>,
    best: (usize, u32),
    /// For each position, the events that occur there and are not those of the sequence.
    possible: Vec<BTreeSet<String>>,
    /// For each node, its position, and its successors with the same position.
    positions: Vec<u32>,
    quiet: Vec<Vec<u32>>,
    memory: u64,
}

impl Search<'_> {
    fn add(&mut self, key: Key, from: u32, step: u32) -> u32 {
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let node = self.from.len() as u32;
        if key.1 as usize > self.best.0 || node == 0 {
            self.best = (key.1 as usize, node);
        }
        self.memory += 2 * key.0.len() as u64 + 160;
        self.positions.push(key.1);
        self.quiet.push(Vec::new());
        self.known.insert(key.clone(), node);
        self.from.push((from, step));
        self.queue.push_back(key);
        node
    }

    /// The positions that a step leads to from a position, and those at which the step shows an
    /// event that the sequence does not permit.
    fn positions(&mut self, position: usize, events: &[Occurred]) -> BTreeSet<usize> {
        let mut positions = BTreeSet::from([position]);
        for occurred in events {
            let name = &self.sequence.names[occurred.name];
            for at in &positions {
                self.possible[*at].insert(name.show(&occurred.values));
            }
            positions = self.sequence.follow(&positions, occurred);
            if let Some(last) = positions.last().filter(|last| **last == self.sequence.events.len()) {
                // The whole sequence was shown.
                return BTreeSet::from([*last]);
            }
        }
        positions
    }

    fn path(&self, mut node: u32) -> Vec<u32> {
        let mut steps = Vec::new();
        while node != 0 {
            let (before, step) = self.from[node as usize];
            steps.push(step);
            node = before;
        }
        steps.reverse();
        steps
    }

    /// Whether an execution stays at a position forever: a cycle or an end among the nodes there.
    fn is_silent(&self, position: usize, ends: &BTreeSet<u32>) -> bool {
        let own: Vec<u32> = (0u32..)
            .zip(&self.positions)
            .filter(|(_, at)| **at as usize == position)
            .map(|(node, _)| node)
            .collect();
        if own.iter().any(|node| ends.contains(node)) {
            return true;
        }
        // Nodes without a successor at the position are removed until none is left or a cycle is.
        let mut left: HashMap<u32, usize> = HashMap::new();
        let mut before: HashMap<u32, Vec<u32>> = HashMap::new();
        for &node in &own {
            left.insert(node, self.quiet[node as usize].len());
            for &next in &self.quiet[node as usize] {
                before.entry(next).or_default().push(node);
            }
        }
        let mut gone: Vec<u32> = own.iter().copied().filter(|node| left[node] == 0).collect();
        let mut removed = 0;
        while let Some(node) = gone.pop() {
            removed += 1;
            for previous in before.get(&node).into_iter().flatten() {
                if let Some(count) = left.get_mut(previous) {
                    *count -= 1;
                    if *count == 0 {
                        gone.push(*previous);
                    }
                }
            }
        }
        removed < own.len()
    }
}

/// Follows a sequence.
pub(crate) fn follow(
    system: &mut impl Follow,
    sequence: &Sequence,
    limits: &Limits,
    monitor: &mut impl Monitor,
) -> Followed {
    let goal = sequence.events.len();
    let mut search = Search {
        sequence,
        known: HashMap::new(),
        from: Vec::new(),
        queue: VecDeque::new(),
        best: (0, 0),
        possible: vec![BTreeSet::new(); goal + 1],
        positions: Vec::new(),
        quiet: Vec::new(),
        memory: 0,
    };
    let (initial, events) = system.initial();
    for position in search.positions(0, &events) {
        search.add(key(&initial, position), 0, 0);
    }
    let mut ends = BTreeSet::new();
    let (mut transitions, mut expanded, mut stop) = (0, 0, None);
    while search.best.0 < goal
        && let Some((state, position)) = search.queue.pop_front()
    {
        let node = expanded as u32;
        let steps = match system.steps(&state) {
            Ok(steps) => steps,
            Err(reason) => {
                stop = Some(reason);
                break;
            }
        };
        if steps.is_empty() {
            ends.insert(node);
        }
        for (index, (after, events)) in (0u32..).zip(&steps) {
            transitions += 1;
            for next in search.positions(position as usize, events) {
                let to = search.add(key(after, next), node, index);
                if next == position as usize {
                    search.quiet[expanded].push(to);
                }
            }
        }
        expanded += 1;
        if expanded % WATCH == 0 {
            let states = search.from.len() as u64;
            let progress = Progress {
                states,
                expanded: expanded as u64,
                transitions,
                depth: search.best.0 as u64,
                violations: 0,
                memory: search.memory,
                ..Progress::default()
            };
            stop = match (limits.memory.is_some_and(|limit| search.memory > limit), states) {
                (true, _) => Some(Stop::Memory),
                (false, states) if states >= u64::from(u32::MAX) => Some(Stop::States),
                (false, _) => monitor.watch(&progress),
            };
            if stop.is_some() {
                break;
            }
        }
    }
    let (feasible, node) = search.best;
    let path = search.path(node);
    let silent = stop.is_none() && feasible < goal && search.is_silent(feasible, &ends);
    let shown = shown(system, sequence, &path, feasible);
    Followed {
        feasible,
        path,
        shown,
        possible: std::mem::take(&mut search.possible[feasible]),
        silent,
        states: search.from.len() as u64,
        stop: stop.filter(|_| feasible < goal),
    }
}

/// For each event of the prefix, the number of the step that shows it. Where events may be skipped,
/// the last possibility counts.
fn shown(system: &mut impl Follow, sequence: &Sequence, path: &[u32], feasible: usize) -> Vec<usize> {
    // The events on the path, with their steps.
    let (mut state, events) = system.initial();
    let mut all: Vec<(usize, Occurred)> = events.into_iter().map(|event| (0, event)).collect();
    for (number, &index) in (1..).zip(path) {
        let Ok(mut steps) = system.steps(&state) else { break };
        if index as usize >= steps.len() {
            break;
        }
        let (after, events) = steps.swap_remove(index as usize);
        all.extend(events.into_iter().map(|event| (number, event)));
        state = after;
    }
    // Backwards, each event of the prefix is the last one that fits.
    let mut shown = vec![0; feasible];
    let mut wanted = feasible;
    for (number, occurred) in all.iter().rev() {
        if wanted > 0 && sequence.fits(wanted - 1, occurred) {
            wanted -= 1;
            shown[wanted] = *number;
        }
    }
    shown
}

/// Marks the steps of a trace that show events. `last_of` gives the index of the last trace step of a
/// transition, counted from 1.
pub(crate) fn marked(
    mut trace: Trace,
    events: &[Event],
    shown: &[usize],
    last_of: &dyn Fn(usize) -> Option<usize>,
) -> Trace {
    let mut start = Observed { holds: Vec::new(), claim: None };
    for (event, &step) in events.iter().filter(|event| !event.absent).zip(shown) {
        let text = event.text.clone();
        match last_of(step).and_then(|index| trace.steps.get_mut(index)) {
            Some(step) if step.observed.is_some() => {
                step.observed.iter_mut().for_each(|observed| observed.holds.push(text.clone()));
            }
            Some(step) => step.observed = Some(Observed { holds: vec![text], claim: None }),
            None => start.holds.push(text),
        }
    }
    trace.start = Some(start).filter(|start| !start.holds.is_empty());
    trace
}
