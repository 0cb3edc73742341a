//! Transition memoisation: the effect of a thread's step is applied again without executing it.
//!
//! *Entry points:* [`Memo::find`], [`Memo::make`].
//!
//! What a thread does next is a function of its record, of the class of the state's shape, and of
//! the answers to the questions that `read_set.rs` writes down while the step is executed for the
//! first time. Each question follows from the answers to those before, so the questions of all
//! executions that begin with one record in one class make a decision tree: its inner nodes ask,
//! its leaves say what happens: the thread's new record, and what is written where (memoisation
//! with recorded dependencies; the local transitions of Blom, van de Pol and Weber, LTSmin, CAV
//! 2010, found while searching). In a state that answers all questions the same way the step does
//! the same, so its successor is the state with the same changes.
//!
//! The numbers of objects must stay as they are, or the successor would have to be numbered anew.
//! They do where the order stays in which a walk meets objects (`encode.rs`): the thread keeps its
//! automatic variables; what it overwrites led to the same objects as what it writes, in the same
//! order, those left out that are met through frames anyhow (*anchored*); and its registers lead to
//! the same objects in the same order, those left out that are met before registers (*solid*). Both
//! limits belong to the class. A thread that begins adds its objects behind all others, and so
//! changes no number where all are anchored. Whatever else a step may do (begin and end blocks and
//! variables, make errors, enter atomic sections) is executed each time.
//!
//! Where a thread begins or ends, others may go on unnoticed, and what they do rests on their
//! records. So such a step is remembered up to there, and what each thread does alone is remembered
//! by itself, in trees of the second kind; the successor is put together from these
//! (`close_invisible` in `explore.rs`, with the state between written down).
//!
//! The inner nodes are here, the questions in `question.rs`, the leaves in `leaf.rs`. How moves are
//! learnt is in `memoise.rs`.
//!
//! *Invariant:* A leaf other than [`SLOW`] is reached only where executing gives the very same ways
//! in the same order.

pub mod components;
pub(crate) mod leaf;
pub(crate) mod leaf_log;
pub mod memoise;
pub mod part_log;
pub(crate) mod question;
pub(crate) mod set_cache;
mod spin_chains;
mod spin_exclusion;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use axle_c::Program;

use crate::memo::components::{Components, word};
use crate::memo::leaf::{INVISIBLE, LEAF, Leaf, SLOW, Transition, UNKNOWN};
use crate::memo::leaf_log::{LeafLog, Learnt};
use crate::memo::question::{Answer, Test, View, bytes};
use crate::memo::spin_chains::SpinChains;
use crate::memo::spin_exclusion::Walks;
use crate::observers::read_set::ReadSet;
use crate::observers::recorders::Machine;

/// Bytes that the memory of moves takes at most before it is emptied.
pub(crate) const MOST: usize = 64 << 20;

/// A question in the tree, small because most of the time of a search goes by here. Most questions
/// are about bytes, and most have one answer that was met so far.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    answer: Answer,
    kid: u32,
    /// The place of the bytes, or of the question among the others.
    at: u32,
    /// Further answers, as a place in the table of these.
    more: u32,
    kind: Kind,
    size: u8,
}

/// Answers and where they lead: a table of twice as many places as there are answers or more, a
/// power of two, each answer at the first free place from its own on.
#[derive(Clone, Default, Debug)]
struct Others {
    count: usize,
    slots: Vec<(Answer, u32)>,
}

impl Others {
    /// Where the search for an answer begins.
    #[inline]
    fn begin(&self, (value, tags): Answer) -> usize {
        // The multiplier is that of Fibonacci hashing (Knuth, volume 3, 6.4).
        let mixed = (value ^ u64::from(tags).rotate_left(40)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 40) as usize & (self.slots.len() - 1)
    }

    #[inline]
    fn get(&self, answer: Answer) -> Option<u32> {
        let mut at = self.begin(answer);
        loop {
            let (known, kid) = self.slots[at];
            if kid == UNKNOWN {
                return None;
            }
            if known == answer {
                return Some(kid);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Adds an answer that is not there; by how many bytes the table has grown.
    fn add(&mut self, answer: Answer, kid: u32) -> usize {
        let mut grown = 0;
        if 2 * (self.count + 1) > self.slots.len() {
            let wide = (2 * self.slots.len()).max(4);
            grown = (wide - self.slots.len()) * size_of::<(Answer, u32)>();
            let old = std::mem::replace(&mut self.slots, vec![((0, 0), UNKNOWN); wide]);
            self.count = 0;
            for (answer, kid) in old.into_iter().filter(|&(_, kid)| kid != UNKNOWN) {
                self.add(answer, kid);
            }
        }
        let mut at = self.begin(answer);
        while self.slots[at].1 != UNKNOWN {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = (answer, kid);
        self.count += 1;
        grown
    }
}

/// Kinds of questions; those about bytes come first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Read,
    Over,
    /// Of a bit in the first word of futures.
    Near,
    /// Of what others have touched, by the number of a set of accesses.
    AccessLog,
    Other,
}

/// The means of execution: two machines, and a callback for the steps that are made.
pub struct Tools<'a, 'p> {
    pub spare: &'a mut (Machine<'p>, Machine<'p>),
    pub mark: &'a mut dyn FnMut(u32, u32),
}

/// Whether it pays to remember steps. To remember one takes a few times as long as to execute it, so each
/// must be made again a few times.
#[derive(Clone, Debug)]
pub(crate) struct Learning {
    pays: bool,
    found: u32,
    learnt: u32,
    /// Steps that are looked at before the next decision.
    due: u32,
}

impl Default for Learning {
    fn default() -> Learning {
        Learning { pays: true, found: 0, learnt: 0, due: Learning::FIRST }
    }
}

impl Learning {
    /// Steps before the first decision, in which most are new, and before each further one.
    const FIRST: u32 = 1 << 15;
    const NEXT: u32 = 1 << 12;
    /// How many times a step must be made again.
    const AGAIN: u32 = 2;
    /// Where it does not pay, the steps of one record in so many are remembered, to see whether it would.
    const SAMPLE: u32 = 16;

    fn looks_at(&self, record: u32) -> bool {
        // The multiplier is that of Fibonacci hashing (Knuth, volume 3, 6.4).
        self.pays || (record.wrapping_mul(0x9e37_79b9) >> 16).is_multiple_of(Learning::SAMPLE)
    }

    /// A step of a record is known.
    pub fn find(&mut self, record: u32) {
        if self.looks_at(record) {
            self.found += 1;
            self.decide();
        }
    }

    /// Whether to remember the step of a record that is not known.
    pub fn wants(&mut self, record: u32) -> bool {
        let is_wanted = self.looks_at(record);
        if is_wanted {
            self.learnt += 1;
            self.decide();
        }
        is_wanted
    }

    fn decide(&mut self) {
        if self.found + self.learnt >= self.due {
            self.pays = self.found >= Learning::AGAIN * self.learnt;
            (self.found, self.learnt, self.due) = (0, 0, Learning::NEXT);
        }
    }
}

/// What is remembered.
#[derive(Clone, Debug)]
pub struct Memo {
    nodes: Vec<Node>,
    /// Questions that are not about bytes.
    others: Vec<Test>,
    /// Answers beyond the first of a node.
    more: Vec<Others>,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) transitions: Vec<Transition>,
    /// What ways write: place, size and bytes.
    pub(crate) writes: Vec<(u32, u8, u64)>,
    /// New tags, by old ones and way.
    pub(crate) tagged: FxHashMap<(u32, u32), u32>,
    pub(crate) walks: Walks,
    chains: SpinChains,
    /// States that were expanded.
    pub(crate) expanded: u64,
    pub(crate) learning: Learning,
    pub(crate) size: usize,
    most: usize,
    /// What all threads of a search have learnt, where several search, and how much of it this one
    /// has seen.
    pub(crate) log: Option<Arc<LeafLog>>,
    pub(crate) seen: usize,
    /// The number of this one among them, and what it has learnt since it last gave that to the others.
    member: u32,
    learnt: Learnt,
    /// Lists that keep their memory.
    read_sets: Vec<ReadSet>,
    tests: Vec<Test>,
    answers: Vec<(Test, Answer)>,
}

impl Default for Memo {
    fn default() -> Memo {
        let slow = Leaf::default();
        Memo {
            nodes: Vec::new(),
            others: Vec::new(),
            more: Vec::new(),
            writes: Vec::new(),
            leaves: vec![slow],
            transitions: Vec::new(),
            tagged: FxHashMap::default(),
            walks: Walks::default(),
            chains: SpinChains::default(),
            expanded: 0,
            learning: Learning::default(),
            size: 0,
            most: MOST,
            log: None,
            seen: 0,
            member: 0,
            learnt: Learnt::default(),
            read_sets: Vec::new(),
            tests: Vec::new(),
            answers: Vec::new(),
        }
    }
}

impl Memo {
    /// Forgets everything where it has grown too large.
    pub fn keep_small(&mut self, components: &mut Components) {
        if self.size + components.held_by_roots() > self.most {
            let Memo { most, seen, member, .. } = *self;
            let (log, learnt) = (self.log.take(), std::mem::take(&mut self.learnt));
            // What says how to go on is kept; so are chains, which name nothing of what is forgotten.
            let walks = self.walks.emptied();
            let (chains, learning) = (std::mem::take(&mut self.chains), std::mem::take(&mut self.learning));
            let own = Memo { most, seen, member, expanded: self.expanded, ..Memo::default() };
            *self = Memo { log, learnt, walks, chains, learning, ..own };
            components.forget_roots();
        }
    }

    /// Becomes a copy of another, within the limit of this one. What is learnt from now on is
    /// received from the log and added to it.
    pub fn inherit(&mut self, other: &Memo, log: &Arc<LeafLog>) {
        let (most, member, log) = (self.most, log.join(), Some(Arc::clone(log)));
        *self = Memo { most, log, seen: 0, member, ..other.clone() };
    }

    /// The most bytes that it takes.
    pub fn limit_memory(&mut self, bytes: u64) {
        self.most = usize::try_from(bytes).unwrap_or(MOST).min(MOST);
    }

    /// The bytes that it takes, about, with what stands in the tables of parts.
    pub fn held(&self, components: &Components) -> u64 {
        (self.size + self.held_by_walks() + components.held_by_roots()) as u64
    }

    /// The leaf of a thread in a state; [`UNKNOWN`] where there is none.
    pub fn find(&self, components: &Components, view: &View<'_>, t: usize, kind: usize) -> u32 {
        let mut at = match components.root(view.record(t), view.class, kind) {
            Some(root) => root,
            None => return UNKNOWN,
        };
        let memory = view.memory();
        while at & LEAF == 0 {
            let node = &self.nodes[at as usize];
            // The two about bytes, which most are, go the same way: which of them comes next cannot
            // be foretold.
            let answer = if (node.kind as u8) <= Kind::Over as u8 {
                bytes(memory, view.tags, (node.at, node.size), node.kind == Kind::Over)
            } else if node.kind == Kind::Near {
                (view.near_of_others(components, t) >> node.at & 1, 0)
            } else if node.kind == Kind::AccessLog
                && !view.others_may_conflict(components, t, components.accesses[node.at as usize].0)
            {
                (0, 0)
            } else {
                self.asked_by(node).answer(components, view, t)
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

    /// The same; tells all that is asked, with the answers.
    pub(crate) fn find_telling(
        &self,
        components: &Components,
        view: &View<'_>,
        (t, kind): (usize, usize),
        mut tell: impl FnMut(Test, Answer),
    ) -> u32 {
        let Some(mut at) = components.root(view.record(t), view.class, kind) else { return UNKNOWN };
        while at & LEAF == 0 {
            let test = self.asks(at);
            let answer = test.answer(components, view, t);
            tell(test, answer);
            let Some(kid) = self.follow(at, answer) else { return UNKNOWN };
            at = kid;
        }
        at & !LEAF
    }

    /// Where an answer leads that is not the first.
    fn kid(&self, node: &Node, answer: Answer) -> Option<u32> {
        if node.answer == answer && node.kid != UNKNOWN {
            return Some(node.kid);
        }
        self.more.get(node.more as usize)?.get(answer)
    }

    /// Where an answer to a node's question leads.
    pub(crate) fn follow(&self, node: u32, answer: Answer) -> Option<u32> {
        self.kid(&self.nodes[node as usize], answer)
    }

    /// A node that asks a question.
    pub(crate) fn ask(&mut self, test: Test) -> u32 {
        let (kind, at, size) = match test {
            Test::Read { at, size } => (Kind::Read, at, size),
            Test::Over { at, size } => (Kind::Over, at, size),
            Test::Future(bit) if bit < 64 => (Kind::Near, bit, 0),
            Test::AccessLog(set) => (Kind::AccessLog, set, 0),
            Test::Future(_)
            | Test::Waiters(_)
            | Test::OtherMutex(..)
            | Test::Thread(_)
            | Test::ComponentShape => {
                self.others.push(test);
                (Kind::Other, self.others.len() as u32 - 1, 0)
            }
        };
        // No answer has these tags.
        self.nodes.push(Node { answer: (0, u32::MAX), kid: UNKNOWN, at, more: UNKNOWN, kind, size });
        self.size += 64;
        self.nodes.len() as u32 - 1
    }

    /// The question of a node.
    pub(crate) fn asks(&self, node: u32) -> Test {
        self.asked_by(&self.nodes[node as usize])
    }

    fn asked_by(&self, &Node { at, size, kind, .. }: &Node) -> Test {
        match kind {
            Kind::Read => Test::Read { at, size },
            Kind::Over => Test::Over { at, size },
            Kind::Near => Test::Future(at),
            Kind::AccessLog => Test::AccessLog(at),
            Kind::Other => self.others[at as usize],
        }
    }

    /// Adds an answer to a node.
    pub(crate) fn add(&mut self, node: u32, answer: Answer, kid: u32) {
        let node = &mut self.nodes[node as usize];
        if node.kid == UNKNOWN {
            (node.answer, node.kid) = (answer, kid);
            return;
        }
        if node.more == UNKNOWN {
            node.more = self.more.len() as u32;
            self.more.push(Others::default());
            self.size += size_of::<Others>();
        }
        self.size += self.more[node.more as usize].add(answer, kid);
    }

    /// What is known of a leaf.
    pub fn leaf(&self, leaf: u32) -> &Leaf {
        &self.leaves[leaf as usize]
    }

    /// Appends the successors of a state by a leaf's ways, padded to a width. Their number; none
    /// where they have to be executed.
    pub fn make(
        &mut self,
        program: &Program,
        components: &mut Components,
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
            let mut made = self.change(program, components, t, number, &mut out[start..]);
            if made.is_some()
                && self.transitions[number as usize]
                    .other_effects
                    .as_ref()
                    .is_some_and(|other_effects| other_effects.needs_closure)
            {
                made = self.close_invisible(program, components, &mut out[start..], t, tools);
            }
            if made.is_none() {
                out.truncate(begin);
                return None;
            }
        }
        Some(count)
    }

    /// Writes a way's bytes, and the thread's record.
    #[inline(always)]
    fn write(&self, transition: &Transition, t: usize, header: usize, state: &mut [u8]) {
        let (head, bytes) = state.split_at_mut(header);
        head[8 + 4 * t..12 + 4 * t].copy_from_slice(&transition.record.to_le_bytes());
        for &(at, size, value) in &self.writes[transition.writes.0 as usize..transition.writes.1 as usize] {
            let at = at as usize;
            match size {
                4 => bytes[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes()),
                8 => bytes[at..at + 8].copy_from_slice(&value.to_le_bytes()),
                _ => bytes[at..at + size as usize].copy_from_slice(&value.to_le_bytes()[..size as usize]),
            }
        }
    }

    /// The successors of a state by a leaf that is [`plain`](Leaf::plain).
    #[inline]
    pub fn make_plain(&self, header: usize, state: &[u8], (t, leaf): (usize, &Leaf), out: &mut Vec<u8>) {
        for transition in &self.transitions[leaf.first as usize..(leaf.first + leaf.count) as usize] {
            let start = out.len();
            out.extend_from_slice(state);
            self.write(transition, t, header, &mut out[start..]);
        }
    }

    /// Makes a way's changes.
    pub(crate) fn change(
        &mut self,
        program: &Program,
        components: &mut Components,
        t: usize,
        number: u32,
        state: &mut [u8],
    ) -> Option<()> {
        let transition = &self.transitions[number as usize];
        let shape = &components.shapes[word(state, 0) as usize];
        let (header, memory, solid) = (shape.header, shape.memory, shape.solid);
        self.write(transition, t, header, state);
        let last_tags = transition.last_tags;
        let Some(transition) = &transition.other_effects else { return Some(()) };
        let solid = program.statics.len() as u32 + 1 + solid;
        for &u in &transition.woken {
            let at = 8 + 4 * usize::from(u);
            let record = word(state, at);
            let (cond, mutex) = components.records[record as usize].waits?;
            if cond.0 >= solid || mutex.0 >= solid {
                return None;
            }
            let woken = components.woken(program, record)?;
            state[at..at + 4].copy_from_slice(&woken.to_le_bytes());
        }
        if !transition.tags.is_empty() || !transition.memory_tags.is_empty() {
            let old = word(state, 4);
            let new = match last_tags {
                (last, new) if last == old => new,
                _ => {
                    let new = match self.tagged.get(&(old, number)) {
                        Some(&new) => new,
                        None => {
                            let mut tags = components.tags[old as usize].each.to_vec();
                            for &(at, tag) in &transition.tags {
                                tags[at as usize] = tag;
                            }
                            tags.extend_from_slice(&transition.memory_tags);
                            let new = components.tags_number(&tags)?;
                            self.tagged.insert((old, number), new);
                            self.size += 24;
                            new
                        }
                    };
                    self.transitions[number as usize].last_tags = (old, new);
                    new
                }
            };
            state[4..8].copy_from_slice(&new.to_le_bytes());
        }
        let Some(transition) = &self.transitions[number as usize].other_effects else { return Some(()) };
        if let Some(new) = transition.shape {
            state[..4].copy_from_slice(&new.to_le_bytes());
            let more = 4 * transition.begun.len();
            if more > 0 || !transition.memory.is_empty() {
                let end = header + memory + more;
                state.get(..end + transition.memory.len())?;
                state.copy_within(header..header + memory, header + more);
                for (at, record) in transition.begun.iter().enumerate() {
                    let at = header + 4 * at;
                    state[at..at + 4].copy_from_slice(&record.to_le_bytes());
                }
                state[end..end + transition.memory.len()].copy_from_slice(&transition.memory);
            }
        }
        Some(())
    }

    /// Lets all threads go on alone, after one has made a step and has gone on itself.
    pub(crate) fn close_invisible(
        &mut self,
        program: &Program,
        components: &mut Components,
        state: &mut [u8],
        first: usize,
        tools: &mut Tools<'_, '_>,
    ) -> Option<()> {
        const ROUNDS: usize = 64;
        let mut is_first = true;
        for _ in 0..ROUNDS {
            let mut moved = is_first;
            let threads = components.shapes[word(state, 0) as usize].threads.len();
            for u in std::iter::once(first).chain((0..threads).filter(|&u| u != first)) {
                if is_first && u == first || components.shapes[word(state, 0) as usize].threads[u].1 {
                    continue;
                }
                let mut leaf = self.find(components, &View::new(components, state), u, INVISIBLE);
                if leaf == UNKNOWN {
                    leaf = self.memoise_invisible(components, state, u, tools);
                }
                let Leaf { first: transition, count, .. } = self.leaves[leaf as usize];
                if leaf == SLOW {
                    return None;
                }
                if count == 1 {
                    self.change(program, components, u, transition, state)?;
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
}
