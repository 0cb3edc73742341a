//! The exact set that many threads fill at once.
//!
//! States are packed to the bits that vary ([`crate::varying`]) and kept as they are (`flat.rs`),
//! or as trees of shared parts (`tree.rs`), in tables without locks (`table.rs` over `index.rs`;
//! `roots.rs`). Each thread has a [`ThreadHandle`], which holds what is its own: the blocks that it
//! fills, what it has put in, and memory to work in. What changes the set as a whole (more room,
//! bits that vary for the first time, wider states, trees) takes `&mut`: then a thread is told that
//! the set has to change first ([`Change`]), all come to an end of what they do, one calls
//! [`SharedSet::change`], and where there is more to do for that than one should do alone, all
//! [`SharedSet::help`].
//!
//! *Entry point:* [`SharedSet`].
//!
//! A [`Segment`] names neighbouring states that one hand put in. A search by levels needs nothing
//! else: the segments that all hands hand over after a level are the next.
//!
//! *Invariant:* as for [`crate::Packed`], no two states have the same packed form, and each form is
//! in the set once, by whichever hand it came first. What is between the last entry of a hand and
//! the end of its block is nothing.

mod flat;
mod frontier;
mod index;
mod numbered;
mod roots;
mod snapshot;
mod table;
mod tree;
mod words;

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

pub use self::snapshot::{Numbers, Snapshot};
use self::table::{BLOCK, Full, Grown, Map, Open, Table, without};
use self::tree::{FRONTIER, OPENS, Queue, Rows, SharedTree};
pub use self::words::SharedWords;
use crate::OutOfMemory;
use crate::hash::{Multilinear, StateHash};
use crate::varying::Varying;

/// From so many words a state on, successors are packed by what differs from their source.
const WIDE: usize = 8;

/// So many pieces more than there need to be are too many.
const SCATTERED: usize = 16;

/// States that move to a tree together.
const TOGETHER: u32 = 256;

/// The set has to change before anything more can be put in: every thread has to [`SharedSet::rest`], one to
/// [`SharedSet::change`] the set. What was asked for is to be asked again after that; states may be in already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change;

/// Neighbouring states of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    /// The set, and which of its lives: numbers mean something else in a tree.
    generation: u32,
    from: u32,
    to: u32,
}

impl Segment {
    /// How many states.
    pub fn len(self) -> usize {
        (self.to - self.from) as usize
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.from == self.to
    }

    /// The first `count` states, or all, and the others.
    pub fn split(self, count: usize) -> (Segment, Segment) {
        let middle = self.from + count.min(self.len()) as u32;
        (Segment { to: middle, ..self }, Segment { from: middle, ..self })
    }

    /// Both as one, where the other comes right after.
    pub fn with(self, other: Segment) -> Option<Segment> {
        (self.generation == other.generation && self.to == other.from)
            .then_some(Segment { to: other.to, ..self })
    }
}

/// What belongs to one thread.
pub struct ThreadHandle {
    /// The life of the set that it knows, and its number there.
    generation: u32,
    number: usize,
    opens: [Open; OPENS],
    /// The roots' growth that it knows.
    growth: u64,
    /// Where its first state is that was not handed over.
    first: u32,
    /// Neighbouring states that were put in since the last rest.
    done: Vec<Segment>,
    /// States put in.
    inserted: u64,
    /// Times when another thread was faster.
    lost: u64,
    /// Whether the set knows how far the blocks are filled.
    resting: bool,
    /// What it was moving to a tree when there was no room.
    part: Option<Range<u32>>,
    /// Packed states on their way in or out.
    scratch: Vec<u8>,
    /// The states that were read last, and their packed forms.
    sources: Vec<u8>,
    packed_sources: Vec<u8>,
    /// The set's epoch when they were read.
    epoch: u64,
    news: Vec<u64>,
    hashes: Vec<u64>,
    rows: Rows,
}

impl ThreadHandle {
    /// How many states it has put in.
    pub fn inserted(&self) -> u64 {
        self.inserted
    }

    /// The numbers of states that it has put in are below this, in a set whose states have numbers.
    pub fn reach(&self) -> u32 {
        self.opens[FRONTIER].end
    }

    /// How often another thread took the place that it wanted.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Bytes held.
    pub fn memory(&self) -> u64 {
        let bytes = self.scratch.capacity() + self.sources.capacity() + self.packed_sources.capacity();
        let lists = self.news.capacity() + self.hashes.capacity() + self.done.capacity();
        (bytes + 8 * lists) as u64 + self.rows.memory()
    }

    /// Closes the run of neighbouring states at its end.
    fn cut(&mut self) {
        cut(self.generation, &mut self.first, &mut self.done, self.opens[FRONTIER].next);
    }
}

/// Ends a run of neighbouring states before number `next`.
fn cut(generation: u32, first: &mut u32, done: &mut Vec<Segment>, next: u32) {
    if *first < next {
        done.push(Segment { generation, from: *first, to: next });
        *first = next;
    }
}

/// How states are kept.
enum Kind {
    Flat(Table),
    Tree(Box<SharedTree>),
}

/// States on their way into a tree.
struct Migration {
    table: Table,
    /// The blocks that were open.
    holes: Vec<Open>,
    /// Parts of the table that somebody has begun to move and not ended.
    begun: AtomicU32,
    /// Somebody found no room.
    full: AtomicBool,
}

impl Migration {
    fn is_done(&self) -> bool {
        self.table.is_through() && self.begun.load(Ordering::Relaxed) == 0
    }
}

/// A set of states that many threads fill.
pub struct SharedSet {
    /// Tells the hands and segments of this set, as it is now, from others.
    generation: u32,
    width: usize,
    limit: u64,
    varying: Varying,
    /// How states were packed until now, while they are rewritten.
    former: Option<Varying>,
    hasher: Multilinear,
    kind: Kind,
    moving: Option<Migration>,
    /// For each hand the blocks that it has open; none while it is at work.
    opens: Mutex<Vec<Option<[Open; OPENS]>>>,
    /// Blocks of the table that no hand fills any more.
    dead: Vec<Open>,
    /// How often the roots have grown.
    growth: u64,
    /// Bits that vary and have no place yet.
    news: Mutex<Vec<u64>>,
    /// How often packed forms have become others.
    epoch: u64,
}

/// So many lives were there of all sets.
static LIVES: AtomicU32 = AtomicU32::new(0);

fn new_generation() -> u32 {
    LIVES.fetch_add(1, Ordering::Relaxed)
}

impl SharedSet {
    /// A set with nothing in it, for states as wide as `first`, the first of them, and for so many hands; it will never
    /// hold more than `limit` bytes.
    pub fn new(first: &[u8], hands: usize, limit: u64) -> Result<SharedSet, OutOfMemory> {
        assert!(!first.is_empty() && first.len().is_multiple_of(4), "a state is a number of 4-byte words");
        let varying = Varying::new(first);
        // What passes through is small beside what stays.
        let limit = limit - limit / 16;
        let mut hasher = Multilinear::default();
        hasher.prepare(varying.packed());
        let table = Table::new(varying.packed(), limit)?;
        let words = varying.words();
        let mut set = SharedSet {
            generation: new_generation(),
            width: first.len(),
            limit,
            varying,
            former: None,
            hasher,
            kind: Kind::Flat(table),
            moving: None,
            opens: Mutex::new(vec![Some([Open::default(); OPENS]); hands]),
            dead: Vec::new(),
            growth: 0,
            news: Mutex::new(vec![0; words]),
            epoch: 0,
        };
        set.change()?;
        set.settle()?;
        Ok(set)
    }

    /// What belongs to thread `number`; each is to be asked for once.
    pub fn hand(&self, number: usize) -> ThreadHandle {
        ThreadHandle {
            generation: self.generation,
            number,
            opens: [Open::default(); OPENS],
            growth: self.growth,
            first: 0,
            done: Vec::new(),
            inserted: 0,
            lost: 0,
            resting: true,
            part: None,
            scratch: Vec::new(),
            sources: Vec::new(),
            packed_sources: Vec::new(),
            epoch: 0,
            news: Vec::new(),
            hashes: Vec::new(),
            rows: Rows::default(),
        }
    }

    /// Bytes of a state.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Bytes of a packed state.
    pub fn packed_width(&self) -> usize {
        self.varying.packed()
    }

    /// Whether states are kept as trees.
    pub fn is_tree(&self) -> bool {
        matches!(self.kind, Kind::Tree(_))
    }

    /// Bytes held, but for those of the hands.
    pub fn memory(&self) -> u64 {
        let kept = match &self.kind {
            Kind::Flat(table) => table.memory(),
            Kind::Tree(tree) => tree.memory(),
        };
        let moving = self.moving.as_ref().map_or(0, |moving| moving.table.memory());
        let former = self.former.as_ref().map_or(0, Varying::memory);
        kept + moving + former + self.varying.memory() + self.hasher.memory(self.varying.packed())
    }

    fn free(&self) -> u64 {
        self.limit.saturating_sub(self.memory())
    }

    /// Appends the states of a segment to `out`, and remembers them as the sources of what is put in next.
    pub fn read(&self, hand: &mut ThreadHandle, segment: Segment, out: &mut Vec<u8>) {
        assert!(segment.generation == self.generation, "a segment of this set");
        assert!(self.former.is_none(), "states are not being rewritten");
        let start = out.len();
        let numbers = segment.from..segment.to;
        hand.sources.clear();
        hand.packed_sources.clear();
        hand.epoch = self.epoch;
        let wide = self.varying.words() >= WIDE;
        match &self.kind {
            Kind::Flat(table) => {
                let packed = table.rows(numbers);
                self.varying.unpack(packed, out);
                if wide {
                    hand.packed_sources.extend_from_slice(packed);
                }
            }
            Kind::Tree(tree) => {
                tree.read(&mut hand.rows, numbers, self.varying.packed(), &mut hand.packed_sources);
                self.varying.unpack(&hand.packed_sources, out);
            }
        }
        if wide {
            hand.sources.extend_from_slice(&out[start..]);
        }
    }

    /// Gets a hand to know what has happened to the set, and to work.
    fn resume(&self, hand: &mut ThreadHandle) {
        if hand.resting {
            hand.resting = false;
            let mut opens = self.opens.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            assert!(opens[hand.number].take().is_some(), "one hand for each number");
        }
        if hand.generation != self.generation {
            assert!(hand.done.is_empty(), "a hand rests before the set changes");
            (hand.generation, hand.first, hand.opens) = (self.generation, 0, [Open::default(); OPENS]);
            hand.part = None;
            hand.rows.forget();
        }
        self.tell_growth(hand);
    }

    /// Has a hand give up what is no more since the roots grew.
    fn tell_growth(&self, hand: &mut ThreadHandle) {
        if hand.growth != self.growth {
            hand.growth = self.growth;
            SharedTree::give_up_overflow(&mut hand.opens);
        }
    }

    /// Puts states in, those of the first source that was read last before `ends[0]`, and so on (a hint: a wrong one
    /// costs time only), and says how many were new.
    pub fn insert(&self, hand: &mut ThreadHandle, states: &[u8], ends: &[u32]) -> Result<u64, Change> {
        assert!(states.len().is_multiple_of(self.width), "whole states");
        assert!(!self.work() && self.moving.is_none(), "the set is whole");
        self.resume(hand);
        self.pack(hand, states, ends)?;
        let ThreadHandle { generation, opens, first, done, lost, scratch, hashes, rows, .. } = hand;
        let inserted = match &self.kind {
            Kind::Flat(table) => {
                let claim = |open: &mut Open| {
                    cut(*generation, first, done, open.next);
                    table.claim(open)?;
                    *first = open.next;
                    Ok(())
                };
                let open = &mut opens[FRONTIER];
                flat::insert((table, &self.hasher), open, scratch, hashes, claim, |_, _| {}, lost)
            }
            Kind::Tree(tree) => {
                let mut claim = |frontier: &frontier::Frontier, open: &mut Open| {
                    cut(*generation, first, done, open.next);
                    frontier.claim(open)?;
                    *first = open.next;
                    Ok(())
                };
                let states = (&scratch[..], self.varying.packed());
                tree.insert(rows, opens, states, ends, Queue::New, &mut claim, lost)
            }
        };
        let (new, result) = match inserted {
            Ok(new) => (new, Ok(new)),
            Err((new, Full)) => (new, Err(Change)),
        };
        hand.inserted += new;
        result
    }

    /// Leaves the packed forms of `states` in the hand.
    fn pack(&self, hand: &mut ThreadHandle, states: &[u8], ends: &[u32]) -> Result<(), Change> {
        let (varying, packed) = (&self.varying, self.varying.packed());
        let count = states.len() / self.width;
        hand.scratch.resize(count * packed, 0);
        hand.news.clear();
        hand.news.resize(varying.words(), 0);
        let ThreadHandle { scratch, sources, packed_sources, epoch, news, .. } = hand;
        let mut at = 0;
        // What was read before a change is packed in another way now.
        let near = *epoch == self.epoch;
        let pairs = sources.chunks_exact(self.width).zip(packed_sources.chunks_exact(packed));
        for ((source, packed_source), &end) in pairs.zip(if near { ends } else { &[] }) {
            let end = (end as usize).clamp(at, count);
            let out = &mut scratch[at * packed..end * packed];
            varying.pack_near(source, packed_source, &states[at * self.width..end * self.width], out, news);
            at = end;
        }
        varying.pack(&states[at * self.width..], &mut scratch[at * packed..], news);
        if news.iter().all(|&new| new == 0) {
            return Ok(());
        }
        let mut all = self.news.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        all.iter_mut().zip(news).for_each(|(all, new)| *all |= *new);
        Err(Change)
    }

    /// Ends what a hand is doing, so that the set may change, and appends what it has put in since the last time to
    /// `segments`.
    pub fn quiesce(&self, hand: &mut ThreadHandle, segments: &mut Vec<Segment>) {
        hand.cut();
        segments.append(&mut hand.done);
        if !hand.resting {
            hand.resting = true;
            let mut opens = self.opens.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            opens[hand.number] = Some(hand.opens);
        }
    }

    /// The blocks that resting hands have open.
    fn open_blocks(&self) -> Vec<[Open; OPENS]> {
        let opens = self.opens.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        opens.iter().copied().flatten().collect()
    }

    /// Makes sure that nobody is at work.
    fn all_rest(&mut self) {
        let opens = self.opens.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        assert!(opens.iter().all(Option::is_some), "all hands rest");
    }

    /// Changes what hands have asked for, and makes room for more. All hands have to rest. As long as the set then has
    /// [`SharedSet::work`], everybody should help, and after that one [`SharedSet::settle`] what they did. After an
    /// error the set can be read, and nothing is lost.
    pub fn change(&mut self) -> Result<(), OutOfMemory> {
        self.all_rest();
        self.admit()?;
        let opens = self.open_blocks();
        let elsewhere = self.memory();
        match &mut self.kind {
            Kind::Flat(table) => {
                let allowance = self.limit.saturating_sub(elsewhere);
                if table.grow(opens.len() as u32, allowance)? == Grown::Emptied {
                    self.reorder();
                }
            }
            Kind::Tree(tree) => {
                let limit = self.limit.saturating_sub(elsewhere - tree.memory());
                let anew = tree.grow(limit, &opens)?;
                if anew {
                    self.growth += 1;
                    let opens = self.opens.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
                    opens.iter_mut().flatten().for_each(SharedTree::give_up_overflow);
                }
            }
        }
        Ok(())
    }

    /// Gives places to bits that vary for the first time.
    fn admit(&mut self) -> Result<(), OutOfMemory> {
        let news = self.news.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        if news.iter().all(|&new| new == 0) {
            return Ok(());
        }
        let more = self.varying.admit(news);
        let (old, new) = (self.varying.packed(), more.packed());
        if new > old {
            let allowance = self.free();
            match &mut self.kind {
                Kind::Flat(table) => {
                    self.hasher.prepare(new);
                    table.widen(new, allowance)?;
                }
                // A tree over more words has other pairs throughout: there is no way on.
                Kind::Tree(tree) if new > 4 * tree.words() => return Err(OutOfMemory),
                Kind::Tree(_) => {}
            }
        }
        self.varying = more;
        self.epoch += 1;
        let news = self.news.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        news.fill(0);
        Ok(())
    }

    /// Puts the bits in the order of the layout, where they are not and the index is to be filled anew anyway: whoever
    /// helps with that rewrites the states.
    fn reorder(&mut self) {
        let varying = &self.varying;
        let ordered = varying.ordered();
        let scattered = varying.steps() >= (2 * ordered.steps()).min(ordered.steps() + SCATTERED);
        if !scattered && (varying.is_dense() || !ordered.is_dense()) {
            return;
        }
        assert!(ordered.packed() == varying.packed(), "the same bits");
        self.former = Some(std::mem::replace(&mut self.varying, ordered));
        self.epoch += 1;
    }

    fn is_emptied(&self) -> bool {
        match &self.kind {
            Kind::Flat(table) => table.is_emptied(),
            Kind::Tree(tree) => tree.is_emptied(),
        }
    }

    /// Whether there is work that all threads should help with.
    pub fn work(&self) -> bool {
        self.is_emptied() || self.moving.as_ref().is_some_and(|moving| !moving.is_done())
    }

    /// Takes part in the work until there is none left, or until the set has to change for it to go on.
    pub fn help(&self, hand: &mut ThreadHandle) {
        if self.is_emptied() {
            self.refill();
        } else if let (Some(moving), Kind::Tree(tree)) = (&self.moving, &self.kind) {
            self.resume(hand);
            while !moving.full.load(Ordering::Relaxed) {
                let part = hand.part.take().or_else(|| {
                    let part = moving.table.next_part()?;
                    moving.begun.fetch_add(1, Ordering::Relaxed);
                    Some(part)
                });
                let Some(part) = part else { break };
                hand.part = self.move_rows(hand, moving, tree, part);
                match hand.part {
                    Some(_) => moving.full.store(true, Ordering::Relaxed),
                    None => drop(moving.begun.fetch_sub(1, Ordering::Relaxed)),
                }
            }
            self.quiesce(hand, &mut Vec::new());
        }
    }

    /// Moves rows into the tree; what is left of them where there was no room.
    fn move_rows(
        &self,
        hand: &mut ThreadHandle,
        moving: &Migration,
        tree: &SharedTree,
        part: Range<u32>,
    ) -> Option<Range<u32>> {
        let ThreadHandle { opens, lost, rows, .. } = hand;
        rows.forget();
        for numbers in without(part.clone(), &moving.holes) {
            for start in numbers.clone().step_by(TOGETHER as usize) {
                let end = numbers.end.min(start + TOGETHER);
                let states = (moving.table.rows(start..end), moving.table.width());
                let mut nowhere = |_: &frontier::Frontier, _: &mut Open| Err(Full);
                if tree.insert(rows, opens, states, &[], Queue::None, &mut nowhere, lost).is_err() {
                    // Those that are in already will be found there.
                    return Some(start..part.end);
                }
            }
        }
        None
    }

    fn refill(&self) {
        let opens = self.open_blocks();
        match &self.kind {
            Kind::Flat(table) => {
                let holes = self.holes();
                let (mut states, mut none) = (Vec::new(), vec![0; self.varying.words()]);
                let mut reorder;
                let map: Option<Map> = match &self.former {
                    None => None,
                    Some(former) => {
                        reorder = |old: &[u8], new: &mut [u8]| {
                            states.clear();
                            former.unpack(old, &mut states);
                            self.varying.pack(&states, new, &mut none);
                        };
                        Some(&mut reorder)
                    }
                };
                table.refill_all(&holes, map, |row| self.hasher.hash(row));
            }
            Kind::Tree(tree) => tree.refill(&opens),
        }
    }

    /// Ends a round of help: makes sure that what was to be refilled is, and changes what has to change for the work to
    /// go on. All hands have to rest.
    pub fn settle(&mut self) -> Result<(), OutOfMemory> {
        self.all_rest();
        if self.is_emptied() {
            self.refill();
            match &mut self.kind {
                Kind::Flat(table) => table.filled(),
                Kind::Tree(tree) => tree.filled(),
            }
            self.former = None;
        }
        match &self.moving {
            Some(moving) if moving.full.swap(false, Ordering::Relaxed) => self.change(),
            Some(_) | None => Ok(()),
        }
    }

    /// Begins to make trees of all states: the work that is then there is to move them. All hands have to rest. When it
    /// is done, [`SharedSet::carry_over`] has to follow. Refused where there is no room, or no gain.
    pub fn compress(&mut self) -> Result<(), OutOfMemory> {
        self.all_rest();
        let Kind::Flat(table) = &self.kind else { return Ok(()) };
        let words = table.width() / 4;
        if words < 2 {
            return Err(OutOfMemory);
        }
        // One word more, for bits that may come to vary yet.
        let mut tree = SharedTree::new(words + 1, self.limit)?;
        let opens = self.open_blocks();
        tree.grow(self.free(), &vec![[Open::default(); OPENS]; opens.len()])?;
        tree.filled();
        let holes = self.holes();
        self.dead.clear();
        let Kind::Flat(mut table) = std::mem::replace(&mut self.kind, Kind::Tree(Box::new(tree))) else {
            return Ok(());
        };
        table.rewind();
        self.moving =
            Some(Migration { table, holes, begun: AtomicU32::new(0), full: AtomicBool::new(false) });
        self.begin_life();
        Ok(())
    }

    /// Goes back to what was before [`SharedSet::compress`], where there was no room for all of it.
    pub fn give_up_compression(&mut self) {
        self.all_rest();
        if let Some(moving) = self.moving.take() {
            self.kind = Kind::Flat(moving.table);
            self.dead = moving.holes;
            self.begin_life();
        }
    }

    fn begin_life(&mut self) {
        self.generation = new_generation();
        let opens = self.opens.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        opens.iter_mut().for_each(|opens| *opens = Some([Open::default(); OPENS]));
    }

    /// The segments of a set that has become a tree, or is one no more, under the names that they have now. Those of
    /// before mean nothing from here on.
    pub fn carry_over(
        &mut self,
        hand: &mut ThreadHandle,
        segments: &[Segment],
    ) -> Result<Vec<Segment>, OutOfMemory> {
        self.all_rest();
        let Some(moving) = self.moving.take() else {
            return Ok(segments
                .iter()
                .map(|&segment| Segment { generation: self.generation, ..segment })
                .collect());
        };
        let mut new = Vec::new();
        for &segment in segments {
            let mut from = segment.from;
            while from < segment.to {
                let to = segment.to.min(from + TOGETHER);
                let states = (moving.table.rows(from..to), moving.table.width());
                let Kind::Tree(tree) = &self.kind else { return Err(OutOfMemory) };
                self.resume(hand);
                let ThreadHandle { generation, opens, first, done, lost, rows, .. } = &mut *hand;
                rows.forget();
                rows.queued = 0;
                let mut claim = |frontier: &frontier::Frontier, open: &mut Open| {
                    cut(*generation, first, done, open.next);
                    frontier.claim(open)?;
                    *first = open.next;
                    Ok(())
                };
                let queued = tree.insert(rows, opens, states, &[], Queue::All, &mut claim, lost);
                from += rows.queued;
                if queued.is_err() {
                    self.quiesce(hand, &mut new);
                    self.change()?;
                    self.settle()?;
                }
            }
        }
        self.quiesce(hand, &mut new);
        Ok(new)
    }

    /// Lets a resting hand begin a level: what it puts in from here on has nothing to do with what was before.
    pub fn begin_level(&mut self, hand: &mut ThreadHandle) {
        assert!(hand.resting && hand.done.is_empty(), "a hand that rests");
        if hand.generation == self.generation && self.is_tree() {
            // A hand that did nothing since the roots grew would say that its old block is its own, and what others have put there
            // meanwhile would be taken for nothing.
            self.tell_growth(hand);
            (hand.opens[FRONTIER], hand.first) = (Open::default(), 0);
            let opens = self.opens.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
            opens[hand.number] = Some(hand.opens);
        }
    }

    /// The states of these segments, which are all of a level, will not be read again. Hands have to have begun another
    /// level since these were put in ([`SharedSet::turn`]).
    pub fn release(&mut self, segments: &[Segment]) {
        let Kind::Tree(tree) = &mut self.kind else { return };
        let mut blocks: Vec<u32> = (segments.iter().filter(|segment| !segment.is_empty()))
            .inspect(|segment| assert!(segment.generation == self.generation, "segments of this set"))
            .flat_map(|segment| segment.from / BLOCK..=(segment.to - 1) / BLOCK)
            .collect();
        blocks.sort_unstable();
        blocks.dedup();
        tree.release(blocks.into_iter());
    }

    /// States are `width` bytes wide from now on, those that are there with zeros at their end. All hands have to rest.
    pub fn widen(&mut self, width: usize) -> Result<(), OutOfMemory> {
        assert!(width >= self.width && width.is_multiple_of(4), "states only get wider, by whole words");
        self.all_rest();
        let mut wider = self.varying.clone();
        wider.widen(width);
        if self.memory() - self.varying.memory() + wider.memory() > self.limit {
            return Err(OutOfMemory);
        }
        self.varying = wider;
        self.width = width;
        self.epoch += 1;
        let words = self.varying.words();
        self.news.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner()).resize(words, 0);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
