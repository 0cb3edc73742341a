//! Remembered moves: what came of a thread's step is made again without executing it. Main functions: [`Moves::find`],
//! [`Moves::learn`], [`Moves::make`].
//!
//! What a thread does next is a function of its record, of the shape of the state, and of the answers to the questions that
//! `deps.rs` writes down while the step is executed for the first time. Each question follows from the answers to those
//! before, so the questions of all executions that begin with one record in one shape make a decision tree: its inner nodes
//! ask, its leaves say what happens: the thread's new record, and what is written where (memoisation with recorded
//! dependencies; the local transitions of Blom, van de Pol and Weber, LTSmin, CAV 2010, found while searching). In a state
//! that answers all questions the same way the step does the same, so its successor is the state with the same changes.
//!
//! The numbers of objects must stay as they are, or the successor would have to be numbered anew. They do where the order
//! stays in which a walk meets objects (`encode.rs`): the thread keeps its automatic variables; what it overwrites led to
//! the same objects as what it writes, in the same order, those left out that are met through frames anyhow (*anchored*);
//! and its registers lead to the same objects in the same order, those left out that are met before registers (*solid*).
//! Both limits belong to the shape. A thread that begins adds its objects behind all others, and so changes no number where
//! all are anchored. Whatever else a step may do (begin and end blocks and variables, go wrong, enter atomic sections) is
//! executed each time.
//!
//! Where a thread begins or ends, others may go on unnoticed, and what they do rests on their records. So such a step is
//! remembered up to there, and what each thread does alone is remembered by itself, in trees of the second kind; the
//! successor is put together from these (`settle` in `explore.rs`, with the state between written down).
//!
//! Kept: a leaf other than [`SLOW`] is reached only where executing gives the very same ways in the same order.

use rustc_hash::FxHashMap;

use crate::code::{Op, StaticKind};
use crate::lower::Program;

use super::deps::{Deps, Question};
use super::encode::{each_anchored, record};
use super::explore::{Expansion, Ran, is_look, run_alone, turn};
use super::machine::{Access, Machine, Object, ObjectKind, POINTER, Place, Thread, Wait};
use super::parts::{Parts, Shape, WHOLE, word};

/// The leaf of steps that are executed.
pub const SLOW: u32 = 0;
/// There is no leaf yet.
pub const UNKNOWN: u32 = u32::MAX;

/// The two kinds of trees: a thread's turn, and what it does alone.
pub const TURN: usize = 0;
const ALONE: usize = 1;

/// A child that is a leaf has this bit.
const LEAF: u32 = 1 << 31;
/// Questions of one step; beyond, it is executed each time.
const MOST_QUESTIONS: usize = 96;
/// Bytes that the memory of moves may take before it is emptied.
const MOST: usize = 64 << 20;

/// A question in terms of the bytes of a state; at most 8 bytes at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Test {
    Read { at: u32, size: u8 },
    Over { at: u32, size: u8 },
    Future(u32),
    Waiters(Place),
    OtherMutex(Place, Place),
}

type Answer = (u64, u64);

#[derive(Debug)]
struct Node {
    test: Test,
    kids: Vec<(Answer, u32)>,
}

/// What is known of a thread's turn.
#[derive(Debug)]
pub struct Leaf {
    /// The accesses of the step, for races.
    pub footprint: Box<[Access]>,
    first: u32,
    count: u32,
    /// See [`Turn`].
    pub stuck: bool,
    pub progress: bool,
    pub looks: bool,
    /// The step is a look at memory or at a lock.
    is_look: bool,
    /// At a lock: what it changes there is no reason not to wait for ever.
    is_lock: bool,
    /// Whether the step, without what came along with it, changed memory, where that is known.
    changes: Option<bool>,
}

/// One way on.
#[derive(Debug)]
struct Way {
    record: u32,
    /// Place, size and bytes.
    writes: Box<[(u32, u8, u64)]>,
    /// Where tags change, and to what.
    tags: Box<[(u32, u8)]>,
    /// Threads that are woken.
    woken: Box<[u8]>,
    /// The shape that the state has then.
    shape: u32,
    /// The records of threads that begin.
    begun: Box<[u32]>,
    /// The bytes and tags of objects that begin.
    memory: Box<[u8]>,
    memory_tags: Box<[u8]>,
    /// The others have to be asked what they do alone.
    unsettled: bool,
}

/// What it takes to execute: two machines, and who is told of the steps that are made.
pub struct Tools<'a, 'p> {
    pub spare: &'a mut (Machine<'p>, Machine<'p>),
    pub mark: &'a mut dyn FnMut(u32, u32),
}

/// What is remembered.
#[derive(Debug)]
pub struct Moves {
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
    ways: Vec<Way>,
    /// New tags, by old ones and way.
    tagged: FxHashMap<(u32, u32), u32>,
    size: usize,
}

/// A state in parts.
#[derive(Clone, Copy)]
pub struct View<'s> {
    pub state: &'s [u8],
    pub shape: &'s Shape,
    /// The tags of its memory.
    pub tags: &'s [u8],
}

impl<'s> View<'s> {
    /// A state that has a shape of its own.
    pub fn new(parts: &'s Parts, state: &'s [u8]) -> View<'s> {
        let shape = &parts.shapes[word(state, 0) as usize];
        View { state, shape, tags: &parts.tags[word(state, 4) as usize] }
    }

    pub fn record(&self, t: usize) -> u32 {
        word(self.state, 8 + 4 * t)
    }

    fn memory(&self) -> &'s [u8] {
        &self.state[self.shape.header..self.shape.header + self.shape.memory]
    }
}

/// Up to 8 bytes as a number.
fn few(bytes: &[u8], at: usize, size: usize) -> u64 {
    if let Some(eight) = bytes.get(at..at + 8) {
        let mut word = [0; 8];
        word.copy_from_slice(eight);
        return u64::from_le_bytes(word) & (u64::MAX >> (64 - 8 * size));
    }
    let end = bytes.len().min(at + size);
    bytes[at.min(end)..end].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

impl Test {
    fn answer(self, parts: &Parts, view: &View<'_>, t: usize) -> Answer {
        match self {
            Test::Read { at, size } | Test::Over { at, size } => {
                let (at, size) = (at as usize, size as usize);
                let tags = few(view.tags, at, size);
                let next = u64::from(view.tags.get(at + size).copied().unwrap_or(0));
                // Of what is overwritten only pointers matter, and what was undefined.
                let plain =
                    matches!(self, Test::Over { .. }) && tags & 0x0202_0202_0202_0202 == 0 && next < 2;
                let value = if plain { 0 } else { few(view.memory(), at, size) };
                (value, tags | next << 2)
            }
            Test::Future(bit) => {
                let (at, bit) = (bit as usize / 64, bit % 64);
                let may = (0..view.shape.threads.len()).any(|u| {
                    let record = &parts.records[view.record(u) as usize];
                    u != t && record.future.get(at).is_none_or(|word| word >> bit & 1 == 1)
                });
                (may.into(), 0)
            }
            Test::Waiters(place) => {
                let waits = |u: usize| {
                    let waits = parts.records[view.record(u) as usize].waits;
                    u64::from(waits.is_some_and(|(cond, _)| cond == place)) << u
                };
                ((0..view.shape.threads.len()).map(waits).sum(), 0)
            }
            Test::OtherMutex(place, lock) => {
                let other = |u: usize| {
                    let waits = parts.records[view.record(u) as usize].waits;
                    waits.is_some_and(|(cond, mutex)| cond == place && mutex != lock)
                };
                ((0..view.shape.threads.len()).any(other).into(), 0)
            }
        }
    }
}

impl Default for Moves {
    fn default() -> Moves {
        let slow = Leaf {
            footprint: Box::default(),
            first: 0,
            count: 0,
            stuck: false,
            progress: false,
            looks: false,
            is_look: false,
            is_lock: false,
            changes: None,
        };
        Moves {
            nodes: Vec::new(),
            leaves: vec![slow],
            ways: Vec::new(),
            tagged: FxHashMap::default(),
            size: 0,
        }
    }
}

impl Moves {
    /// Forgets everything where it has grown too large.
    pub fn keep_small(&mut self, parts: &mut Parts) {
        if self.size > MOST {
            *self = Moves::default();
            parts.records.iter_mut().for_each(|record| record.roots = Default::default());
        }
    }

    /// The leaf of a thread in a state; [`UNKNOWN`] where there is none.
    pub fn find(&self, parts: &Parts, view: &View<'_>, t: usize, kind: usize) -> u32 {
        let shape = word(view.state, 0);
        let roots = &parts.records[view.record(t) as usize].roots[kind];
        let Some(&(_, mut at)) = roots.iter().find(|(known, _)| *known == shape) else { return UNKNOWN };
        while at & LEAF == 0 {
            let node = &self.nodes[at as usize];
            let answer = node.test.answer(parts, view, t);
            let Some(&(_, kid)) = node.kids.iter().find(|(known, _)| *known == answer) else {
                return UNKNOWN;
            };
            at = kid;
        }
        at & !LEAF
    }

    /// What is known of a leaf.
    pub fn leaf(&self, leaf: u32) -> &Leaf {
        &self.leaves[leaf as usize]
    }

    /// Appends the successors of a state by a leaf's ways, padded to a width. Their number; none where they have to be
    /// executed.
    pub fn make(
        &mut self,
        program: &Program,
        parts: &mut Parts,
        state: &[u8],
        (t, leaf): (usize, u32),
        out: &mut Vec<u8>,
        tools: &mut Tools<'_, '_>,
    ) -> Option<u32> {
        let Leaf { first, count, .. } = self.leaves[leaf as usize];
        let begin = out.len();
        for number in first..first + count {
            let start = out.len();
            out.extend_from_slice(state);
            let mut made = self.change(program, parts, t, number, &mut out[start..]);
            if made.is_some() && self.ways[number as usize].unsettled {
                made = self.settle(program, parts, &mut out[start..], t, tools);
            }
            if made.is_none() {
                out.truncate(begin);
                return None;
            }
        }
        Some(count)
    }

    /// Makes a way's changes.
    fn change(
        &mut self,
        program: &Program,
        parts: &mut Parts,
        t: usize,
        number: u32,
        state: &mut [u8],
    ) -> Option<()> {
        let way = &self.ways[number as usize];
        let old_shape = word(state, 0);
        let shape = &parts.shapes[old_shape as usize];
        let (header, memory, solid) = (shape.header, shape.memory, shape.solid);
        state[8 + 4 * t..12 + 4 * t].copy_from_slice(&way.record.to_le_bytes());
        for &(at, size, value) in &way.writes {
            let at = header + at as usize;
            match size {
                4 => state[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes()),
                8 => state[at..at + 8].copy_from_slice(&value.to_le_bytes()),
                _ => state[at..at + size as usize].copy_from_slice(&value.to_le_bytes()[..size as usize]),
            }
        }
        let solid = program.statics.len() as u32 + 1 + solid;
        for &u in &way.woken {
            let at = 8 + 4 * usize::from(u);
            let record = word(state, at);
            let (cond, mutex) = parts.records[record as usize].waits?;
            if cond.0 >= solid || mutex.0 >= solid {
                return None;
            }
            let woken = parts.woken(program, record)?;
            state[at..at + 4].copy_from_slice(&woken.to_le_bytes());
        }
        if !way.tags.is_empty() || !way.memory_tags.is_empty() {
            let old = word(state, 4);
            let new = match self.tagged.get(&(old, number)) {
                Some(&new) => new,
                None => {
                    let mut tags = parts.tags[old as usize].to_vec();
                    for &(at, tag) in &way.tags {
                        tags[at as usize] = tag;
                    }
                    tags.extend_from_slice(&way.memory_tags);
                    let new = parts.tags_number(&tags)?;
                    self.tagged.insert((old, number), new);
                    self.size += 24;
                    new
                }
            };
            state[4..8].copy_from_slice(&new.to_le_bytes());
        }
        if way.shape != old_shape {
            state[..4].copy_from_slice(&way.shape.to_le_bytes());
            let more = 4 * way.begun.len();
            if more > 0 || !way.memory.is_empty() {
                let end = header + memory + more;
                state.get(..end + way.memory.len())?;
                state.copy_within(header..header + memory, header + more);
                for (at, record) in way.begun.iter().enumerate() {
                    let at = header + 4 * at;
                    state[at..at + 4].copy_from_slice(&record.to_le_bytes());
                }
                state[end..end + way.memory.len()].copy_from_slice(&way.memory);
            }
        }
        Some(())
    }

    /// Lets all threads go on alone, after one has made a step and has gone on itself.
    fn settle(
        &mut self,
        program: &Program,
        parts: &mut Parts,
        state: &mut [u8],
        first: usize,
        tools: &mut Tools<'_, '_>,
    ) -> Option<()> {
        const ROUNDS: usize = 64;
        let mut is_first = true;
        for _ in 0..ROUNDS {
            let mut moved = is_first;
            let threads = parts.shapes[word(state, 0) as usize].threads.len();
            for u in std::iter::once(first).chain((0..threads).filter(|&u| u != first)) {
                if is_first && u == first || parts.shapes[word(state, 0) as usize].threads[u].1 {
                    continue;
                }
                let mut leaf = self.find(parts, &View::new(parts, state), u, ALONE);
                if leaf == UNKNOWN {
                    leaf = self.learn_alone(parts, state, u, tools);
                }
                let Leaf { first: way, count, .. } = self.leaves[leaf as usize];
                if leaf == SLOW {
                    return None;
                }
                if count == 1 {
                    self.change(program, parts, u, way, state)?;
                    moved = true;
                }
            }
            if !moved {
                return Some(());
            }
            is_first = false;
        }
        None
    }

    /// Whether it is certain that the thread does not go round in a loop that looks at memory and changes nothing.
    pub fn cannot_spin(
        &mut self,
        program: &Program,
        parts: &mut Parts,
        state: &[u8],
        t: usize,
        (one, two): (&mut Vec<u8>, &mut Vec<u8>),
        tools: &mut Tools<'_, '_>,
    ) -> bool {
        const LONGEST: usize = 64;
        one.clear();
        one.extend_from_slice(state);
        for _ in 0..LONGEST {
            let leaf = self.find(parts, &View::new(parts, one), t, TURN);
            if leaf == UNKNOWN || leaf == SLOW {
                return false;
            }
            let found = &self.leaves[leaf as usize];
            if !found.is_look
                || found.count != 1
                || found.stuck
                || !found.is_lock && found.changes == Some(true)
            {
                return true;
            }
            if !found.is_lock && found.changes.is_none() {
                return false;
            }
            two.clear();
            if self.make(program, parts, one, (t, leaf), two, tools).is_none() || two[..] == *state {
                return false;
            }
            std::mem::swap(one, two);
            // A thread that has ended goes nowhere.
            if parts.shapes[word(one, 0) as usize].threads.get(t).is_none_or(|thread| thread.1) {
                return false;
            }
        }
        true
    }

    /// Executes a thread's turn, and remembers it: the leaf that states like this one lead to. `machine` is in the state,
    /// and keeps to it.
    pub fn learn<'p>(
        &mut self,
        parts: &mut Parts,
        state: &[u8],
        (machine, copy): (&mut Machine<'p>, &mut Machine<'p>),
        t: usize,
        mark: &mut dyn FnMut(u32, u32),
    ) -> u32 {
        let mut footprint = Vec::new();
        machine.deps = Some(Box::default()).into();
        if machine.settings.races && machine.running() > 1 {
            footprint = machine.footprint(t);
        }
        let mut deps = machine.deps.take().unwrap_or_default();
        (deps.writes, deps.woken) = (Vec::new(), Vec::new());
        copy.deps = Some(deps).into();
        let mut expansion = Expansion::default();
        let shape = word(state, 0);
        let mut ways = Some(Vec::new());
        let (mut stale, mut changes) = (true, None);
        let mut put = |after: &Machine<'p>| {
            let bytes = parts.put(after);
            let made = remember(parts, shape, &bytes, machine, after, t);
            changes = made.as_ref().and_then(|(_, changes)| *changes);
            match (made, &mut ways) {
                (Some((way, _)), Some(ways)) => ways.push(way),
                _ => ways = None,
            }
            bytes
        };
        let turn = turn(machine, None, (copy, &mut stale), t, &mut expansion, mark, &mut put);
        let deps = copy.deps.take().unwrap_or_default();
        let made: Vec<Vec<u8>> =
            expansion.ways.iter().filter_map(|way| way.result.as_ref().ok().cloned()).collect();
        let is_slow = machine.state.threads.len() > 64
            || !expansion.incidents.is_empty()
            || !expansion.lost.is_empty()
            || made.len() != expansion.ways.len();
        let ways = ways.filter(|ways| !is_slow && !(turn.looks && ways.iter().any(|way| way.unsettled)));
        let leaf = ways.map(|ways| {
            let leaf = Leaf {
                footprint: footprint.into(),
                first: 0,
                count: 0,
                stuck: turn.stuck,
                progress: turn.progress,
                looks: turn.looks,
                is_look: is_look(machine, t),
                is_lock: matches!(machine.next_op(t), Some(Op::Lib { .. })),
                changes,
            };
            (leaf, ways)
        });
        self.keep(machine.program, parts, state, (t, TURN), &deps, leaf, &made)
    }

    /// The same for what a thread does alone.
    fn learn_alone(&mut self, parts: &mut Parts, state: &[u8], t: usize, tools: &mut Tools<'_, '_>) -> u32 {
        let (machine, copy) = &mut *tools.spare;
        parts.take(machine.program, state, &mut machine.state);
        copy.state.clone_from(&machine.state);
        copy.status = 0;
        copy.record.get_or_insert_default().clear();
        copy.deps = Some(Box::default()).into();
        let ran = run_alone(copy, t);
        for &(_, code, pc) in copy.record.iter().flatten() {
            (tools.mark)(code, pc);
        }
        let mut made = Vec::new();
        let ways = match ran {
            _ if !copy.aside.is_empty() => None,
            Ok(Ran::Rests) => Some(Vec::new()),
            Ok(Ran::Moves) => {
                let bytes = parts.put(copy);
                let way = remember(parts, word(state, 0), &bytes, machine, copy, t);
                made.push(bytes);
                way.map(|(way, _)| vec![way])
            }
            Ok(Ran::Ends(_)) | Err(_) => None,
        };
        copy.aside.clear();
        let deps = copy.deps.take().unwrap_or_default();
        let leaf = ways.filter(|_| machine.state.threads.len() <= 64).map(|ways| {
            let leaf = Leaf {
                footprint: Box::default(),
                first: 0,
                count: 0,
                stuck: false,
                progress: false,
                looks: false,
                is_look: false,
                is_lock: false,
                changes: None,
            };
            (leaf, ways)
        });
        self.keep(machine.program, parts, state, (t, ALONE), &deps, leaf, &made)
    }

    /// Keeps a leaf with its ways, in the tree. `made`: what the ways led to when they were executed.
    #[allow(clippy::too_many_arguments, reason = "the parts of a leaf")]
    fn keep(
        &mut self,
        program: &Program,
        parts: &mut Parts,
        state: &[u8],
        (t, kind): (usize, usize),
        deps: &Deps,
        leaf: Option<(Leaf, Vec<Way>)>,
        made: &[Vec<u8>],
    ) -> u32 {
        let mut tests = Vec::new();
        for &question in &deps.asked[..deps.slow.unwrap_or(deps.asked.len())] {
            tests_of(program, &parts.shapes[word(state, 0) as usize], question, &mut tests);
        }
        let mut known = SLOW;
        if let Some((leaf, ways)) = leaf
            && deps.slow.is_none()
            && ways.len() == made.len()
            && tests.len() <= MOST_QUESTIONS
        {
            known = self.leaves.len() as u32;
            let (first, count) = (self.ways.len() as u32, ways.len() as u32);
            self.size += 128 + 24 * leaf.footprint.len();
            self.leaves.push(Leaf { first, count, ..leaf });
            for way in ways {
                let tags = way.tags.len() + way.begun.len() + way.memory.len();
                self.size += 192 + 16 * way.writes.len() + 8 * tags;
                self.ways.push(way);
            }
            let mut again = Vec::new();
            for (number, made) in (first..).zip(made) {
                again.clear();
                again.extend_from_slice(state);
                let changed = self.change(program, parts, t, number, &mut again);
                let same = again.starts_with(made) && again[made.len()..].iter().all(|&byte| byte == 0);
                debug_assert!(changed.is_none() || same, "a remembered step is made again as it was made");
                if changed.is_none() || !same {
                    known = SLOW;
                }
            }
        }
        // To execute a step is right however little was asked.
        tests.truncate(if known == SLOW { MOST_QUESTIONS } else { tests.len() });
        self.plant(parts, state, (t, kind), &tests, known | LEAF);
        known
    }

    /// Puts a leaf where a walk along these questions ends.
    fn plant(
        &mut self,
        parts: &mut Parts,
        state: &[u8],
        (t, kind): (usize, usize),
        tests: &[Test],
        leaf: u32,
    ) {
        let (shape, record) = (word(state, 0), word(state, 8 + 4 * t) as usize);
        let place = (record, kind, shape);
        // The child that is looked at: of a record's root, or of a node.
        let root = parts.records[record].roots[kind].iter().find(|(known, _)| *known == shape);
        let (mut from, mut at) = (None, root.map(|root| root.1));
        for &test in tests {
            let node = match at {
                Some(kid) if kid & LEAF == 0 => kid,
                // A slow leaf on the way is right, and stays.
                Some(_) => return,
                None => {
                    let new = self.nodes.len() as u32;
                    self.nodes.push(Node { test, kids: Vec::new() });
                    self.size += 96;
                    self.hang(parts, place, from, new);
                    new
                }
            };
            if self.nodes[node as usize].test != test {
                debug_assert!(false, "what a step asks follows from the answers before");
                return;
            }
            let answer = test.answer(parts, &View::new(parts, state), t);
            from = Some((node, answer));
            at = self.nodes[node as usize].kids.iter().find(|(known, _)| *known == answer).map(|kid| kid.1);
        }
        if at.is_none() {
            self.hang(parts, place, from, leaf);
        }
    }

    fn hang(
        &mut self,
        parts: &mut Parts,
        (record, kind, shape): (usize, usize, u32),
        from: Option<(u32, Answer)>,
        kid: u32,
    ) {
        self.size += 32;
        match from {
            Some((node, answer)) => self.nodes[node as usize].kids.push((answer, kid)),
            None => parts.records[record].roots[kind].push((shape, kid)),
        }
    }
}

/// Where an object's bytes are: in the state, and in the machine. None where they are in neither, or did not exist before.
fn ground(program: &Program, shape: &Shape, object: u32) -> Option<(usize, usize)> {
    match program.statics.get((object as usize).wrapping_sub(1)) {
        Some(fixed) => match fixed.kind {
            StaticKind::Variable(start) => Some((start as usize, start as usize)),
            StaticKind::Text(_) | StaticKind::Function(_) => None,
        },
        None => {
            let index = object as usize - program.statics.len() - 1;
            Some((*shape.starts.get(index)? as usize, shape.objects[index].start as usize))
        }
    }
}

/// A question in terms of bytes.
fn tests_of(program: &Program, shape: &Shape, question: Question, tests: &mut Vec<Test>) {
    let mut pieces = |object: u32, offset: i32, size: u32, over: bool| {
        let Some((start, _)) = ground(program, shape, object) else { return };
        let (mut at, end) =
            (start as i64 + i64::from(offset), start as i64 + i64::from(offset) + i64::from(size));
        while at < end {
            let size = (end - at).min(8) as u8;
            let read = Test::Read { at: at as u32, size };
            let test = if over { Test::Over { at: at as u32, size } } else { read };
            // What was read is known when it is overwritten.
            if !tests.contains(&test) && !tests.contains(&read) {
                tests.push(test);
            }
            at += i64::from(size);
        }
    };
    match question {
        Question::Read(object, offset, size) => pieces(object, offset, size, false),
        Question::Over(object, offset, size) => pieces(object, offset, size, true),
        Question::Future(bit) => tests.push(Test::Future(bit)),
        Question::Waiters(place) => tests.push(Test::Waiters(place)),
        Question::OtherMutex(place, lock) => tests.push(Test::OtherMutex(place, lock)),
    }
}

/// What a thread's step changed, where the same changes may be made in other states; and whether the step alone changed
/// memory. `bytes`: the state afterwards, as it was just put.
fn remember(
    parts: &Parts,
    shape: u32,
    bytes: &[u8],
    before: &Machine<'_>,
    after: &Machine<'_>,
    t: usize,
) -> Option<(Way, Option<bool>)> {
    let deps = after.deps.borrow();
    let deps: &Deps = deps.as_deref()?;
    let (old, new, program) = (&before.state, &after.state, before.program);
    let (number, shape) = (word(bytes, 0), &parts.shapes[shape as usize]);
    if deps.slow.is_some() || new.done || number == WHOLE || new.atomic != old.atomic {
        return None;
    }
    let (pieces, next) = (&parts.pieces, &parts.shapes[number as usize]);
    // All threads and objects keep their numbers; those that begin come last, which only numbers of threads and variables
    // in frames do not feel.
    let (count, threads) = (old.objects.len(), old.threads.len());
    let is_same = pieces.kept.len() == new.threads.len()
        && new.threads.len() >= threads
        && pieces.lost == old.lost
        && pieces.order.len() >= count
        && pieces.order.iter().enumerate().all(|(at, &index)| at == index as usize)
        && (pieces.order.len() == count
            || shape.anchored as usize == count && next.anchored as usize == pieces.order.len())
        && new.objects[count..].iter().all(|object| object.kind != ObjectKind::Heap)
        && new
            .objects
            .iter()
            .zip(&old.objects)
            .all(|(new, old)| Object { shared: old.shared, ..*new } == *old);
    if !is_same || !others_stay(before, after, t, &deps.woken) {
        return None;
    }
    let (mine, then) = (&old.threads[t], &new.threads[t]);
    let first = program.statics.len() as u32 + 1;
    if then.object != mine.object || anchors(mine, first) != anchors(then, first) {
        return None;
    }
    if references(program, mine, first + shape.solid) != references(program, then, first + next.solid) {
        return None;
    }
    let record = word(bytes, 8 + 4 * t);
    let mut ranges = Vec::new();
    for &(object, offset, size) in &deps.writes {
        if let Some((state, machine)) = ground(program, shape, object) {
            let at = usize::try_from(offset).ok()?;
            ranges.push((state + at, state + at + size as usize, machine + at));
        }
    }
    let changes = changed(deps, &ranges, before, after);
    ranges.sort_unstable();
    let mut merged: Vec<(usize, usize, usize)> = Vec::new();
    for (start, end, machine) in ranges {
        match merged.last_mut() {
            // Neighbours in the state may be far apart in the machine.
            Some(last) if start < last.1 || start == last.1 && machine == last.2 + (last.1 - last.0) => {
                last.1 = last.1.max(end);
            }
            _ => merged.push((start, end, machine)),
        }
    }
    let (mut writes, mut tags) = (Vec::new(), Vec::new());
    for (start, end, machine) in merged {
        let size = end - start;
        let pointers = |of: &Machine<'_>, anchored: u32| {
            let (mut found, mut at) = (Vec::new(), machine);
            while at < machine + size {
                if of.state.tags[at] == POINTER {
                    let (object, _) = of.unpack(at);
                    if object >= first + anchored {
                        found.push(object);
                    }
                }
                at += 1;
            }
            found
        };
        if pointers(before, shape.anchored) != pointers(after, next.anchored) {
            return None;
        }
        let mut at = 0;
        while at < size {
            let wide = (size - at).min(8);
            writes.push(((start + at) as u32, wide as u8, few(&new.bytes, machine + at, wide)));
            at += wide;
        }
        for at in 0..size {
            if old.tags[machine + at] != new.tags[machine + at] {
                tags.push(((start + at) as u32, new.tags[machine + at]));
            }
        }
    }
    let woken = deps.woken.iter().map(|&u| u as u8).collect();
    let begun = (threads..new.threads.len()).map(|u| word(bytes, 8 + 4 * u)).collect();
    let way = Way {
        record,
        writes: writes.into(),
        tags: tags.into(),
        woken,
        shape: number,
        begun,
        memory: bytes.get(next.header + shape.memory..next.header + next.memory)?.into(),
        memory_tags: pieces.tags.get(shape.memory..)?.into(),
        unsettled: deps.unsettled,
    };
    Some((way, changes))
}

/// Whether the visible step changed memory, where its one write tells.
fn changed(
    deps: &Deps,
    ranges: &[(usize, usize, usize)],
    before: &Machine<'_>,
    after: &Machine<'_>,
) -> Option<bool> {
    if deps.visible == 0 {
        return Some(false);
    }
    // Only what was read whole is the same wherever the leaf is reached, and only what nothing wrote later shows.
    let &[(object, offset, size)] = deps.writes.get(..deps.visible)? else { return None };
    let &(start, end, machine) = ranges.first().filter(|_| ranges.len() == deps.writes.len())?;
    let read = deps.asked.contains(&Question::Read(object, offset, size));
    if !read || ranges[1..].iter().any(|&(from, to, _)| from < end && start < to) {
        return None;
    }
    let range = machine..machine + (end - start);
    let (old, new) = (&before.state, &after.state);
    Some(old.bytes[range.clone()] != new.bytes[range.clone()] || old.tags[range.clone()] != new.tags[range])
}

/// Whether all other threads are as they were, but for those woken.
fn others_stay(before: &Machine<'_>, after: &Machine<'_>, t: usize, woken: &[usize]) -> bool {
    before.state.threads.iter().zip(&after.state.threads).enumerate().all(|(u, (old, new))| {
        if u == t {
            return !woken.contains(&t);
        }
        if !woken.contains(&u) {
            return old == new;
        }
        let Wait::Condition { mutex, .. } = old.wait else { return false };
        let mut expected = old.clone();
        expected.wait = Wait::Woken { mutex, timed_out: false };
        expected == *new
    })
}

/// The automatic variables and thread storage of a thread, in the order in which a walk meets them.
fn anchors(thread: &Thread, first: u32) -> Vec<u32> {
    let mut found = Vec::new();
    each_anchored(thread, |object| {
        if object >= first {
            found.push(object);
        }
    });
    found
}

/// The objects from a number on that a thread's record names, in its order.
fn references(program: &Program, thread: &Thread, least: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut note = |object: u32| {
        if object >= least {
            found.push(object);
        }
        object
    };
    record(program, thread, &mut note, &mut Vec::new());
    found
}
