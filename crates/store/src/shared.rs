//! Concurrent exact state set, filled by many threads.
//!
//! States are packed to the bits that vary ([`crate::varying`]) and stored flat (`flat.rs`) or with
//! tree compression (`tree.rs`), in lock-free tables (`table.rs` over `index.rs`; `roots.rs`). Each
//! thread has a [`ThreadHandle`] with its own open blocks, counters and buffers. A change of the
//! whole set (growth, newly varying bits, wider states, compression) requires `&mut`. In this case
//! an operation returns [`Change`], all threads quiesce, one of them calls [`SharedSet::change`],
//! and if the change involves work for all states, all threads call [`SharedSet::help`].
//!
//! *Entry point:* [`SharedSet`].
//!
//! A [`Segment`] identifies consecutive states inserted through one handle. The segments that all
//! handles return after a level of a breadth-first search form the next level.
//!
//! *Invariant:* as for [`crate::Packed`], different states have different packed forms, and each
//! form is in the set once, inserted through the handle that was first. Entries between the last
//! entry of a handle and the end of its block are unused.

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

/// Minimum number of words of a state at which successors are packed by their difference to the
/// source.
const WIDE: usize = 8;

/// Maximum number of runs of bits above the minimum before the bits are reordered.
const SCATTERED: usize = 16;

/// Number of states converted to trees together.
const TOGETHER: u32 = 256;

/// The set must change before further insertions: every thread must call [`SharedSet::quiesce`] and
/// one thread [`SharedSet::change`]. The operation must then be repeated; some of its states may
/// have been inserted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change;

/// Consecutive states of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    /// Set and generation: numbers have another meaning after compression.
    generation: u32,
    from: u32,
    to: u32,
}

impl Segment {
    /// Number of states.
    pub fn len(self) -> usize {
        (self.to - self.from) as usize
    }

    /// Whether the segment is empty.
    pub fn is_empty(self) -> bool {
        self.from == self.to
    }

    /// Splits off the first `count` states, or all if there are fewer.
    pub fn split(self, count: usize) -> (Segment, Segment) {
        let middle = self.from + count.min(self.len()) as u32;
        (Segment { to: middle, ..self }, Segment { from: middle, ..self })
    }

    /// The union, if the other segment follows directly.
    pub fn with(self, other: Segment) -> Option<Segment> {
        (self.generation == other.generation && self.to == other.from)
            .then_some(Segment { to: other.to, ..self })
    }
}

/// State of one thread that uses a set.
pub struct ThreadHandle {
    /// Generation of the set at the last use, and the thread's number.
    generation: u32,
    number: usize,
    opens: [Open; OPENS],
    /// Growth counter of the roots at the last use.
    growth: u64,
    /// Position of the first state that is not in a segment yet.
    first: u32,
    /// Segments completed since the handle quiesced last.
    done: Vec<Segment>,
    /// Number of states inserted.
    inserted: u64,
    /// Number of lost races.
    lost: u64,
    /// Whether the set knows the fill level of the handle's blocks.
    resting: bool,
    /// Rows whose conversion to trees failed for lack of memory.
    part: Option<Range<u32>>,
    /// Buffer for packed states.
    scratch: Vec<u8>,
    /// The states read last, with their packed forms.
    sources: Vec<u8>,
    packed_sources: Vec<u8>,
    /// The set's epoch when they were read.
    epoch: u64,
    news: Vec<u64>,
    hashes: Vec<u64>,
    rows: Rows,
}

impl ThreadHandle {
    /// Number of states inserted through this handle.
    pub fn inserted(&self) -> u64 {
        self.inserted
    }

    /// Upper bound (exclusive) of the numbers of states inserted, in a set with numbered states.
    pub fn reach(&self) -> u32 {
        self.opens[FRONTIER].end
    }

    /// Number of slots that another thread claimed first.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Bytes of memory used.
    pub fn memory(&self) -> u64 {
        let bytes = self.scratch.capacity() + self.sources.capacity() + self.packed_sources.capacity();
        let lists = self.news.capacity() + self.hashes.capacity() + self.done.capacity();
        (bytes + 8 * lists) as u64 + self.rows.memory()
    }

    /// Completes the current segment.
    fn cut(&mut self) {
        cut(self.generation, &mut self.first, &mut self.done, self.opens[FRONTIER].next);
    }
}

/// Completes a segment of consecutive states before number `next`.
fn cut(generation: u32, first: &mut u32, done: &mut Vec<Segment>, next: u32) {
    if *first < next {
        done.push(Segment { generation, from: *first, to: next });
        *first = next;
    }
}

/// Representation of states.
enum Kind {
    Flat(Table),
    Tree(Box<SharedTree>),
}

/// Migration of states into trees.
struct Migration {
    table: Table,
    /// The blocks that were open.
    holes: Vec<Open>,
    /// Number of parts of the table whose migration has begun and not ended.
    begun: AtomicU32,
    /// Whether a thread found no memory.
    full: AtomicBool,
}

impl Migration {
    fn is_done(&self) -> bool {
        self.table.is_through() && self.begun.load(Ordering::Relaxed) == 0
    }
}

/// A state set filled by many threads.
pub struct SharedSet {
    /// Distinguishes handles and segments of this set, in its current form, from others.
    generation: u32,
    width: usize,
    limit: u64,
    varying: Varying,
    /// Packing of states before the change, while they are rewritten.
    former: Option<Varying>,
    hasher: Multilinear,
    kind: Kind,
    moving: Option<Migration>,
    /// For each handle the open blocks; `None` while the handle is in use.
    opens: Mutex<Vec<Option<[Open; OPENS]>>>,
    /// Blocks of the table that no handle fills any more.
    dead: Vec<Open>,
    /// Number of times that the roots have grown.
    growth: u64,
    /// Newly varying bits without a position.
    news: Mutex<Vec<u64>>,
    /// Number of changes of the packing.
    epoch: u64,
}

/// Number of generations of all sets.
static LIVES: AtomicU32 = AtomicU32::new(0);

fn new_generation() -> u32 {
    LIVES.fetch_add(1, Ordering::Relaxed)
}

impl SharedSet {
    /// An empty set for states of the width of `first`, the first of them, with the given number of
    /// handles. It never uses more than `limit` bytes.
    pub fn new(first: &[u8], hands: usize, limit: u64) -> Result<SharedSet, OutOfMemory> {
        assert!(!first.is_empty() && first.len().is_multiple_of(4), "a state is a number of 4-byte words");
        let varying = Varying::new(first);
        // Temporary data is small in comparison with stored data.
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

    /// The handle of thread `number`; to be created once per thread.
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

    /// Width of a state in bytes.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Width of a packed state in bytes.
    pub fn packed_width(&self) -> usize {
        self.varying.packed()
    }

    /// Whether the set uses tree compression.
    pub fn is_tree(&self) -> bool {
        matches!(self.kind, Kind::Tree(_))
    }

    /// Bytes of memory used, excluding the handles.
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

    /// Appends the states of a segment to `out`, and keeps them as the sources of the next
    /// insertions.
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

    /// Synchronises a handle with the set and marks it as in use.
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

    /// Discards data of a handle that the growth of the roots has invalidated.
    fn tell_growth(&self, hand: &mut ThreadHandle) {
        if hand.growth != self.growth {
            hand.growth = self.growth;
            SharedTree::give_up_overflow(&mut hand.opens);
        }
    }

    /// Inserts states: those before `ends[0]` are successors of the first source read last, and so
    /// on (a hint: a wrong value costs time only). Returns the number of new states.
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

    /// Writes the packed forms of `states` to the handle.
    fn pack(&self, hand: &mut ThreadHandle, states: &[u8], ends: &[u32]) -> Result<(), Change> {
        let (varying, packed) = (&self.varying, self.varying.packed());
        let count = states.len() / self.width;
        hand.scratch.resize(count * packed, 0);
        hand.news.clear();
        hand.news.resize(varying.words(), 0);
        let ThreadHandle { scratch, sources, packed_sources, epoch, news, .. } = hand;
        let mut at = 0;
        // Sources read before a change have another packing.
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

    /// Ends the use of a handle, so that the set may change, and appends the segments completed
    /// since the last call to `segments`.
    pub fn quiesce(&self, hand: &mut ThreadHandle, segments: &mut Vec<Segment>) {
        hand.cut();
        segments.append(&mut hand.done);
        if !hand.resting {
            hand.resting = true;
            let mut opens = self.opens.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            opens[hand.number] = Some(hand.opens);
        }
    }

    /// The open blocks of quiescent handles.
    fn open_blocks(&self) -> Vec<[Open; OPENS]> {
        let opens = self.opens.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        opens.iter().copied().flatten().collect()
    }

    /// Asserts that all handles are quiescent.
    fn all_rest(&mut self) {
        let opens = self.opens.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        assert!(opens.iter().all(Option::is_some), "all hands rest");
    }

    /// Performs the requested change and grows the set. All handles must be quiescent. While the
    /// set then has [`SharedSet::work`], all threads should help, and afterwards one must call
    /// [`SharedSet::settle`]. After an error the set is readable and nothing is lost.
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

    /// Assigns positions to newly varying bits.
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
                // A tree over more words has different pairs throughout and cannot be extended.
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

    /// Reorders the bits by their position in the layout if the index must be rebuilt anyway; the
    /// threads that help with the rebuild rewrite the states.
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

    /// Whether there is work that all threads should share.
    pub fn work(&self) -> bool {
        self.is_emptied() || self.moving.as_ref().is_some_and(|moving| !moving.is_done())
    }

    /// Takes part in the work until none is left, or until the set must change again.
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

    /// Moves rows into the tree; returns the remaining ones if memory is insufficient.
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
                    // Rows moved already are found as known.
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

    /// Ends a round of help: asserts that the rebuild is complete, and performs the changes needed
    /// to continue. All handles must be quiescent.
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

    /// Begins to convert all states to trees; the migration is then the pending work. All handles
    /// must be quiescent. After the work, [`SharedSet::carry_over`] must follow. Fails if memory is
    /// insufficient or compression is not effective.
    pub fn compress(&mut self) -> Result<(), OutOfMemory> {
        self.all_rest();
        let Kind::Flat(table) = &self.kind else { return Ok(()) };
        let words = table.width() / 4;
        if words < 2 {
            return Err(OutOfMemory);
        }
        // One additional word for bits that may vary later.
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

    /// Reverts [`SharedSet::compress`] if memory is insufficient for all states.
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

    /// Translates the segments of a set that was converted to a tree, or reverted, to the current
    /// numbering. The old segments become invalid.
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

    /// Begins a level for a quiescent handle: later insertions form new segments.
    pub fn begin_level(&mut self, hand: &mut ThreadHandle) {
        assert!(hand.resting && hand.done.is_empty(), "a hand that rests");
        if hand.generation == self.generation && self.is_tree() {
            // A handle idle since the growth of the roots would reclaim its old block, and the
            // entries that other threads have put there would be lost.
            self.tell_growth(hand);
            (hand.opens[FRONTIER], hand.first) = (Open::default(), 0);
            let opens = self.opens.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
            opens[hand.number] = Some(hand.opens);
        }
    }

    /// Releases the segments of a level, which will not be read again. All handles must have begun
    /// another level since these states were inserted ([`SharedSet::begin_level`]).
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

    /// Widens all states to `width` bytes, padding existing ones with zeros. All handles must be
    /// quiescent.
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
