//! Remembered moves: what came of a thread's step is made again without executing it. Main functions: [`Moves::find`],
//! [`Moves::make`].
//!
//! What a thread does next is a function of its record, of the class of the state's shape, and of the answers to the questions that
//! `deps.rs` writes down while the step is executed for the first time. Each question follows from the answers to those
//! before, so the questions of all executions that begin with one record in one class make a decision tree: its inner nodes
//! ask, its leaves say what happens: the thread's new record, and what is written where (memoisation with recorded
//! dependencies; the local transitions of Blom, van de Pol and Weber, LTSmin, CAV 2010, found while searching). In a state
//! that answers all questions the same way the step does the same, so its successor is the state with the same changes.
//!
//! The numbers of objects must stay as they are, or the successor would have to be numbered anew. They do where the order
//! stays in which a walk meets objects (`encode.rs`): the thread keeps its automatic variables; what it overwrites led to
//! the same objects as what it writes, in the same order, those left out that are met through frames anyhow (*anchored*);
//! and its registers lead to the same objects in the same order, those left out that are met before registers (*solid*).
//! Both limits belong to the class. A thread that begins adds its objects behind all others, and so changes no number where
//! all are anchored. Whatever else a step may do (begin and end blocks and variables, go wrong, enter atomic sections) is
//! executed each time.
//!
//! Where a thread begins or ends, others may go on unnoticed, and what they do rests on their records. So such a step is
//! remembered up to there, and what each thread does alone is remembered by itself, in trees of the second kind; the
//! successor is put together from these (`settle` in `explore.rs`, with the state between written down).
//!
//! How moves are learnt is in `learn.rs`. Kept: a leaf other than [`SLOW`] is reached only where executing gives the very same ways in the same order.

use rustc_hash::FxHashMap;

use crate::lower::Program;

use super::machine::{Access, Machine, Place};
use super::parts::{Parts, Shape, word};

/// The leaf of steps that are executed.
pub const SLOW: u32 = 0;
/// There is no leaf yet.
pub const UNKNOWN: u32 = u32::MAX;

/// The two kinds of trees: a thread's turn, and what it does alone.
pub const TURN: usize = 0;
pub(super) const ALONE: usize = 1;

/// A child that is a leaf has this bit.
pub(super) const LEAF: u32 = 1 << 31;
/// Bytes that the memory of moves may take before it is emptied.
const MOST: usize = 64 << 20;

/// A question in terms of the bytes of a state; at most 8 bytes at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Test {
    Read { at: u32, size: u8 },
    Over { at: u32, size: u8 },
    Future(u32),
    Waiters(Place),
    OtherMutex(Place, Place),
    Thread(u32),
    Shape,
}

pub(super) type Answer = (u64, u64);

/// A question in the tree, small because most of the time of a search goes by here. Most questions are about bytes, and most have
/// one answer that was met so far.
#[derive(Debug)]
pub(super) struct Node {
    answer: Answer,
    kid: u32,
    /// The place of the bytes, or of the question among the others.
    at: u32,
    /// Further answers, as a place in the table of these.
    more: u32,
    kind: Kind,
    size: u8,
}

/// Kinds of questions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Read,
    Over,
    Other,
}

/// What is known of a thread's turn; at first nothing.
#[derive(Default, Debug)]
pub struct Leaf {
    /// The accesses of the step, for races.
    pub footprint: Box<[Access]>,
    pub(super) first: u32,
    pub(super) count: u32,
    /// See [`Turn`].
    pub stuck: bool,
    pub progress: bool,
    pub looks: bool,
    /// The step is a look at memory or at a lock.
    pub(super) is_look: bool,
    /// At a lock: what it changes there is no reason not to wait for ever.
    pub(super) is_lock: bool,
    /// Whether the step, without what came along with it, changed memory, where that is known.
    pub(super) changes: Option<bool>,
}

/// One way on.
#[derive(Debug)]
pub(super) struct Way {
    pub(super) record: u32,
    /// What it writes, as a range of [`Moves::writes`].
    pub(super) writes: (u32, u32),
    /// What most ways do not do.
    pub(super) rare: Option<Box<Rare>>,
}

/// What a way does beside writing bytes.
#[derive(Debug)]
pub(super) struct Rare {
    /// Where tags change, and to what.
    pub(super) tags: Box<[(u32, u8)]>,
    /// Threads that are woken.
    pub(super) woken: Box<[u8]>,
    /// The shape that the state has then, where it is another.
    pub(super) shape: Option<u32>,
    /// The records of threads that begin.
    pub(super) begun: Box<[u32]>,
    /// The bytes and tags of objects that begin.
    pub(super) memory: Box<[u8]>,
    pub(super) memory_tags: Box<[u8]>,
    /// The others have to be asked what they do alone.
    pub(super) unsettled: bool,
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
    /// Questions that are not about bytes.
    others: Vec<Test>,
    /// Answers beyond the first of a node.
    more: Vec<Vec<(Answer, u32)>>,
    pub(super) leaves: Vec<Leaf>,
    pub(super) ways: Vec<Way>,
    /// What ways write: place, size and bytes.
    pub(super) writes: Vec<(u32, u8, u64)>,
    /// New tags, by old ones and way.
    pub(super) tagged: FxHashMap<(u32, u32), u32>,
    pub(super) size: usize,
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
#[inline]
pub(super) fn few(bytes: &[u8], at: usize, size: usize) -> u64 {
    if let Some(eight) = bytes.get(at..at + 8) {
        let mut word = [0; 8];
        word.copy_from_slice(eight);
        return u64::from_le_bytes(word) & (u64::MAX >> (64 - 8 * size));
    }
    let end = bytes.len().min(at + size);
    bytes[at.min(end)..end].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// What some bytes and their tags are, with the tag behind them. Of what is overwritten only pointers matter, and what
/// was undefined.
#[inline]
fn bytes(memory: &[u8], tags: &[u8], (at, size): (u32, u8), over: bool) -> Answer {
    let (at, size) = (at as usize, size as usize);
    let tags = match size {
        8 => few(tags, at, 8) | u64::from(tags.get(at + 8).copied().unwrap_or(0)) << 2,
        _ => few(tags, at, size + 1),
    };
    let plain = over && tags & 0x0a0a_0a0a_0a0a_0a0a == 0;
    (if plain { 0 } else { few(memory, at, size) }, tags)
}

impl Test {
    pub(super) fn answer(self, parts: &Parts, view: &View<'_>, t: usize) -> Answer {
        match self {
            Test::Read { at, size } => bytes(view.memory(), view.tags, (at, size), false),
            Test::Over { at, size } => bytes(view.memory(), view.tags, (at, size), true),
            Test::Future(bit) => {
                let (at, bit) = (bit as usize / 64, bit % 64);
                let may = (0..view.shape.threads.len()).any(|u| {
                    let record = &parts.records[view.record(u) as usize];
                    let word = if at == 0 { Some(record.near) } else { record.future.get(at).copied() };
                    u != t && word.is_none_or(|word| word >> bit & 1 == 1)
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
            Test::Thread(object) => {
                let found = view.shape.threads.iter().find(|(stands, ..)| *stands == object);
                let told = |&(_, ended, detached): &(u32, bool, bool)| {
                    1 | u64::from(ended) << 1 | u64::from(detached) << 2
                };
                (found.map_or(0, told), 0)
            }
            Test::Shape => (word(view.state, 0).into(), 0),
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
        let slow = Leaf::default();
        Moves {
            nodes: Vec::new(),
            others: Vec::new(),
            more: Vec::new(),
            writes: Vec::new(),
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
            parts.forget_roots();
        }
    }

    /// The leaf of a thread in a state; [`UNKNOWN`] where there is none.
    pub fn find(&self, parts: &Parts, view: &View<'_>, t: usize, kind: usize) -> u32 {
        let mut at = match parts.root(view.record(t), view.shape.class, kind) {
            Some(root) => root,
            None => return UNKNOWN,
        };
        let memory = view.memory();
        while at & LEAF == 0 {
            let node = &self.nodes[at as usize];
            let answer = match node.kind {
                Kind::Read => bytes(memory, view.tags, (node.at, node.size), false),
                Kind::Over => bytes(memory, view.tags, (node.at, node.size), true),
                Kind::Other => self.others[node.at as usize].answer(parts, view, t),
            };
            at = match node.answer == answer {
                true => node.kid,
                false => match self.kid(node, answer) {
                    Some(kid) => kid,
                    None => return UNKNOWN,
                },
            };
        }
        at & !LEAF
    }

    /// Where an answer leads that is not the first.
    fn kid(&self, node: &Node, answer: Answer) -> Option<u32> {
        if node.answer == answer && node.kid != UNKNOWN {
            return Some(node.kid);
        }
        let more = self.more.get(node.more as usize)?;
        more.iter().find(|(known, _)| *known == answer).map(|(_, kid)| *kid)
    }

    /// Where an answer to a node's question leads.
    pub(super) fn follow(&self, node: u32, answer: Answer) -> Option<u32> {
        self.kid(&self.nodes[node as usize], answer)
    }

    /// A node that asks a question.
    pub(super) fn ask(&mut self, test: Test) -> u32 {
        let (kind, at, size) = match test {
            Test::Read { at, size } => (Kind::Read, at, size),
            Test::Over { at, size } => (Kind::Over, at, size),
            Test::Future(_) | Test::Waiters(_) | Test::OtherMutex(..) | Test::Thread(_) | Test::Shape => {
                self.others.push(test);
                (Kind::Other, self.others.len() as u32 - 1, 0)
            }
        };
        // No answer has these tags.
        self.nodes.push(Node { answer: (0, u64::MAX), kid: UNKNOWN, at, more: UNKNOWN, kind, size });
        self.size += 64;
        self.nodes.len() as u32 - 1
    }

    /// The question of a node.
    pub(super) fn asks(&self, node: u32) -> Test {
        let Node { at, size, kind, .. } = self.nodes[node as usize];
        match kind {
            Kind::Read => Test::Read { at, size },
            Kind::Over => Test::Over { at, size },
            Kind::Other => self.others[at as usize],
        }
    }

    /// Adds an answer to a node.
    pub(super) fn add(&mut self, node: u32, answer: Answer, kid: u32) {
        self.size += 32;
        let node = &mut self.nodes[node as usize];
        if node.kid == UNKNOWN {
            (node.answer, node.kid) = (answer, kid);
            return;
        }
        if node.more == UNKNOWN {
            node.more = self.more.len() as u32;
            self.more.push(Vec::new());
        }
        self.more[node.more as usize].push((answer, kid));
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
            if made.is_some() && self.ways[number as usize].rare.as_ref().is_some_and(|rare| rare.unsettled) {
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
    pub(super) fn change(
        &mut self,
        program: &Program,
        parts: &mut Parts,
        t: usize,
        number: u32,
        state: &mut [u8],
    ) -> Option<()> {
        let way = &self.ways[number as usize];
        let shape = &parts.shapes[word(state, 0) as usize];
        let (header, memory, solid) = (shape.header, shape.memory, shape.solid);
        state[8 + 4 * t..12 + 4 * t].copy_from_slice(&way.record.to_le_bytes());
        for &(at, size, value) in &self.writes[way.writes.0 as usize..way.writes.1 as usize] {
            let at = header + at as usize;
            match size {
                4 => state[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes()),
                8 => state[at..at + 8].copy_from_slice(&value.to_le_bytes()),
                _ => state[at..at + size as usize].copy_from_slice(&value.to_le_bytes()[..size as usize]),
            }
        }
        let Some(way) = &way.rare else { return Some(()) };
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
        if let Some(new) = way.shape {
            state[..4].copy_from_slice(&new.to_le_bytes());
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
            let mut leaf = self.find(parts, &View::new(parts, one), t, TURN);
            if leaf == UNKNOWN {
                let (machine, copy) = &mut *tools.spare;
                parts.take(program, one, &mut machine.state);
                leaf = self.learn(parts, one, (machine, copy), t, tools.mark);
            }
            if leaf == SLOW {
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
                return true;
            }
        }
        true
    }
}
