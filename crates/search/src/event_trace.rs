//! Event traces: every send and receive on the channels that the trace names has to follow it, or,
//! for a `notrace`, none may follow it to its end.
//!
//! Breadth-first over the states of the system together with where the trace can be; the
//! interpreter tells the messages of every step. That is slower than compiled code by far, and
//! exact: sends and receives count as they happen, with the values that are passed (a handshake is
//! a send and then a receive). The meaning is that of Spin's `trace` (Holzmann, The Spin Model
//! Checker, 2003, chapter 4): a channel is watched for sends if the trace has a send on it, and for
//! receives if it has a receive.
//!
//! *Entry point:* [`search`].
//! *Invariant:* States that differ only in how wide they are count as one.

use std::sync::Arc;

use axle_model::{ChanRef, Comm, Expr, LocId, Model, Pattern, Process};
use axle_outcome::{Limits, Progress, Stop};
use axle_step::interpret::detail::Taken;
use axle_step::interpret::log::{Event, Passed};
use axle_step::{Interpreter, Options, Successors};
use std::collections::HashMap;

use crate::progress::Monitor;

/// A trace that can be followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Events {
    /// For each location, the events that lead on from it.
    locations: Vec<Vec<Expected>>,
    entry: usize,
    /// Channels whose sends, and whose receives, are watched.
    watched: [Vec<u32>; 2],
    /// Whether following it to its end is the fault, rather than not following it.
    negated: bool,
}

/// An event that a trace waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Expected {
    receive: bool,
    chan: u32,
    /// The value of each field; none is any value.
    values: Vec<Option<i64>>,
    to: usize,
}

/// Where a trace can be, one bit a location.
pub type Places = u64;

/// What a search came to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The positions of the steps to the event that breaks the trace.
    pub found: Option<Vec<u32>>,
    /// States of system and trace.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// Locations of the trace that it came to.
    pub seen: Places,
    /// Why it ended before it had seen everything.
    pub stop: Option<Stop>,
    /// Bytes held at the end, nearly.
    pub memory: u64,
}

impl Events {
    /// The trace of an automaton, or why it cannot be followed.
    pub fn new(model: &Model, process: &Process, negated: bool) -> Result<Events, String> {
        if process.locations.len() > 64 {
            return Err("the event trace has more than 64 locations".to_string());
        }
        let mut events = Events {
            locations: vec![Vec::new(); process.locations.len()],
            entry: process.entry.index(),
            watched: [Vec::new(), Vec::new()],
            negated,
        };
        for edge in &process.edges {
            let plain = edge.guard == Expr::TRUE && edge.effects.is_empty() && edge.rank == 0;
            let expected = match &edge.comm {
                Some(comm) if plain => expected(model, comm, edge.target)?,
                Some(_) | None => return Err(format!("`{}` is no event", edge.text)),
            };
            let watched = &mut events.watched[usize::from(expected.receive)];
            if !watched.contains(&expected.chan) {
                watched.push(expected.chan);
            }
            events.locations[edge.source.index()].push(expected);
        }
        Ok(events)
    }

    /// Where the trace is at the start.
    pub fn start(&self) -> Places {
        1 << self.entry
    }

    /// How many locations it has, and how many events.
    pub fn size(&self) -> [u64; 2] {
        [self.locations.len() as u64, self.locations.iter().map(|events| events.len() as u64).sum()]
    }

    /// Takes note of an event; none where the property is broken by it.
    pub fn follow(&self, at: Places, event: &Event) -> Option<Places> {
        match event {
            Event::Sent(passed) | Event::Lost(passed) => self.pass(at, false, passed),
            Event::Received(passed) => self.pass(at, true, passed),
            Event::Handed(passed) => self.pass(at, false, passed).and_then(|at| self.pass(at, true, passed)),
            Event::Copied(_) | Event::Print(_) => Some(at),
        }
    }

    fn pass(&self, at: Places, receive: bool, passed: &Passed) -> Option<Places> {
        if !self.watched[usize::from(receive)].contains(&passed.chan) {
            return Some(at);
        }
        let fits = |expected: &&Expected| {
            let mut fields = expected.values.iter().zip(&passed.values);
            expected.receive == receive
                && expected.chan == passed.chan
                && fields.all(|(wanted, value)| wanted.is_none_or(|wanted| wanted == *value))
        };
        let here = (0..self.locations.len()).filter(|location| at >> location & 1 == 1);
        let next = here.flat_map(|location| self.locations[location].iter().filter(fits));
        let next = next.fold(0, |places, expected| places | 1 << expected.to);
        match self.negated {
            // What has left the path once is not looked at any more.
            true => (!self.finished(next)).then_some(next),
            false => (next != 0).then_some(next),
        }
    }

    /// Whether the trace can be at its end.
    fn finished(&self, at: Places) -> bool {
        (0..self.locations.len()).any(|place| at >> place & 1 == 1 && self.locations[place].is_empty())
    }
}

fn expected(model: &Model, comm: &Comm, target: LocId) -> Result<Expected, String> {
    let number = |chan: &Expr| match chan {
        // References count from 1.
        Expr::Channel(ChanRef::Global(index)) => Ok(index + 1),
        _ => Err("the event trace names a channel variable that can change".to_string()),
    };
    let constant = |expr: &Expr| match expr {
        Expr::Const(value) => Ok(*value),
        _ => Err("the event trace asks for a value that is not constant".to_string()),
    };
    let (receive, chan, mut values) = match comm {
        Comm::Send { chan, args, .. } => {
            let values = args.iter().map(|arg| match *arg == axle_model::property::ANY_VALUE {
                true => Ok(None),
                false => constant(arg).map(Some),
            });
            (false, number(chan)?, values.collect::<Result<Vec<_>, _>>()?)
        }
        Comm::Receive { chan, patterns, .. } => {
            let values = patterns.iter().map(|pattern| match pattern {
                Pattern::Any => Ok(None),
                Pattern::Match(expr) => constant(expr).map(Some),
                Pattern::Bind(_) => Err("the event trace stores a value".to_string()),
            });
            (true, number(chan)?, values.collect::<Result<Vec<_>, _>>()?)
        }
    };
    // A message holds what fits its fields.
    let shape = model.channels.get(chan as usize - 1).map(|channel| &model.shapes[channel.shape.index()]);
    for (value, field) in values.iter_mut().zip(shape.into_iter().flat_map(|shape| &shape.fields)) {
        if let (Some(value), Some(int)) = (value, field.scalar()) {
            *value = int.wrap(*value);
        }
    }
    Ok(Expected { receive, chan, values, to: target.index() })
}

/// A state without the zero bytes at its end, and where the trace is.
type Key = (Vec<u8>, Places);

fn key(state: &[u8], at: Places) -> Key {
    let used = state.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    (state[..used].to_vec(), at)
}

/// Expansions between two looks at the limits.
const WATCH: usize = 64;

/// Looks for a run that breaks the trace.
pub fn search(
    model: &Arc<Model>,
    events: &Events,
    options: &Options,
    limits: &Limits,
    monitor: &mut impl Monitor,
) -> Outcome {
    let mut interpreter = Interpreter::new(Arc::clone(model), *options);
    let initial = interpreter.initial(&mut Vec::new());
    let mut known: HashMap<Key, u32> = HashMap::new();
    // For each state, the one that it was found from, and by which step.
    let mut from: Vec<(u32, u32)> = vec![(0, 0)];
    let mut queue = std::collections::VecDeque::from([key(&initial, events.start())]);
    known.insert(queue[0].clone(), 0);
    let mut outcome =
        Outcome { found: None, states: 1, transitions: 1, seen: events.start(), stop: None, memory: 0 };
    let path = |from: &[(u32, u32)], mut at: u32, last: u32| {
        let mut steps = vec![last];
        while at != 0 {
            let (before, position) = from[at as usize];
            steps.push(position);
            at = before;
        }
        steps.reverse();
        steps
    };
    let mut expanded = 0;
    let (mut depth, mut level_end) = (0, 1);
    while let Some((state, at)) = queue.pop_front() {
        if expanded as u64 == level_end {
            (depth, level_end) = (depth + 1, outcome.states);
        }
        if limits.depth.is_some_and(|limit| depth >= limit) {
            outcome.stop = Some(Stop::Depth);
            return outcome;
        }
        let steps = interpreter.steps(&interpreter.widened(&state));
        // A trace is about every way, not only about where it ends.
        let all = steps.once.map(|Taken { proc, edge, .. }| Stop::Sequence { proc, edge });
        outcome.stop = steps.cut.map(Stop::from).or(all);
        if outcome.stop.is_some() {
            return outcome;
        }
        for (position, step) in steps.steps.iter().enumerate() {
            outcome.transitions += 1;
            let all = step.micro.iter().flat_map(|micro| &micro.events);
            let after = all.into_iter().try_fold(at, |at, event| events.follow(at, event));
            let Some(after) = after else {
                outcome.found = Some(path(&from, expanded as u32, position as u32));
                return outcome;
            };
            outcome.seen |= after;
            let Some(last) = step.micro.last() else { continue };
            let key = key(&last.state, after);
            if known.contains_key(&key) {
                continue;
            }
            // Twice the state, once known and once waiting, and what goes with it.
            outcome.memory += 2 * key.0.len() as u64 + 120;
            known.insert(key.clone(), outcome.states as u32);
            from.push((expanded as u32, position as u32));
            queue.push_back(key);
            outcome.states += 1;
        }
        expanded += 1;
        if expanded % WATCH == 0 {
            let progress = Progress {
                states: outcome.states,
                expanded: expanded as u64,
                transitions: outcome.transitions,
                depth,
                violations: 0,
                memory: outcome.memory,
                ..Progress::default()
            };
            let full = limits.memory.is_some_and(|limit| outcome.memory > limit);
            let many = limits.states.is_some_and(|limit| outcome.states > limit)
                || outcome.states >= u64::from(u32::MAX);
            outcome.stop = match (full, many) {
                (true, _) => Some(Stop::Memory),
                (false, true) => Some(Stop::States),
                (false, false) => monitor.watch(&progress),
            };
            if outcome.stop.is_some() {
                return outcome;
            }
        }
    }
    outcome
}
