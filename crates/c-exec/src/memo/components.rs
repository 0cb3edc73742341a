//! States as numbers of their parts: the form in which a search keeps them.
//!
//! *Entry points:* [`Components::put`], [`Components::take`].
//!
//! A state is cut into its *shape* (which threads and objects there are), the tags of its memory, a
//! record for each thread (its frames and registers) and the bytes of its memory. Shapes, tags and
//! records are few beside the states that are made of them; each is kept once, in a table, and a
//! state has its number (the collapse compression of Holzmann, State compression in SPIN, SPIN
//! Workshop 1997). So a state is short, and facts about a part stand beside it in its table, where
//! its number finds them without a look-up.
//!
//! The form: numbers of 32 bits for the shape, the tags and each thread, then the bytes of the
//! variables and of each object that has any. Shape 0 is the end of the program. The tables grow up
//! to a limit; a state with a part that is not in them from then on is written whole behind
//! [`WHOLE`].
//!
//! *Invariant:* Equal states are equal bytes, because a part either has its number from the first
//! state on that has it, or never.

use std::hash::Hasher;
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};

use axle_c::Program;
use axle_c::library::Touches;

use crate::explore::may_recur;
use crate::machine::decode::{decode, read_record};
use crate::machine::encode::{Pieces, encode, held_bytes, put_access_log, put_head, record, take_apart};
use crate::memo::part_log::{Part, PartLog};
use crate::observers::recorders::Machine;
use crate::persistent_sets;
use crate::state::access::Span;
use crate::state::program_state::{Object, ObjectKind, State, Thread, Wait};
use crate::state::value::{Place, UNDEFINED};
use axle_c::analysis::dependence::ThreadAccesses;
use axle_c::code::Op;

/// The shape of a state that is written whole.
pub const WHOLE: u32 = u32::MAX;

/// Bytes that the tables of parts take at most, beyond which states are written whole.
pub(crate) const MOST: usize = 128 << 20;

/// Bytes behind packed tags, so that some can be read at any place.
const TAIL: usize = 4;

/// Places where the memory of moves begins that are looked up without a search.
const MOST_ROOTS: usize = 4 << 20;
const NO_ROOT: u32 = u32::MAX;

/// What each part takes beside its bytes, about.
const OVERHEAD: usize = 160;

/// The shape of a state.
#[derive(Clone, Default, Debug)]
pub struct StateShape {
    /// For each thread the object that stands for it, whether it has ended, and whether it is
    /// detached.
    pub threads: Vec<(u32, bool, bool)>,
    /// The thread that runs without interruption, plus 1.
    pub atomic: u32,
    /// The objects, with the places of their bytes in a machine.
    pub objects: Vec<Object>,
    /// For each object the place of its bytes in the state, counted from the first variable.
    pub starts: Vec<u32>,
    /// See [`Pieces::anchored`] and [`Pieces::solid`].
    pub anchored: u32,
    pub solid: u32,
    /// Bytes of memory in the state.
    pub memory: usize,
    /// Bytes before those.
    pub header: usize,
    pub lost: Vec<u32>,
    /// Threads that have not ended.
    pub running: usize,
    /// What the shape has in common with others: the objects, and whether several threads run.
    class: Box<[u8]>,
    /// The bytes that identify it.
    key: Box<[u8]>,
}

/// The tags of a memory.
#[derive(Debug)]
pub struct Tags {
    pub each: Box<[u8]>,
    /// The same with four tags in a byte, and a tail.
    packed: Box<[u8]>,
}

/// The record of a thread, and the facts that follow from it.
#[derive(Clone, Debug)]
pub struct Record {
    pub bytes: Box<[u8]>,
    /// What the thread may still do (`locksets.rs`).
    pub future: Box<[u64]>,
    /// The condition variable that it waits for, with which mutex.
    pub waits: Option<(Place, Place)>,
    /// What it has touched since its last turn.
    pub access_log: Box<[Span]>,
    /// What it may access from now on, and the thread whose end it awaits, by its object
    /// (`persistent_sets.rs`).
    pub accesses: Option<Box<ThreadAccesses>>,
    pub joins: u32,
    /// It is about to create a thread.
    pub creates: bool,
    /// Its next step can only be a spurious wake-up.
    pub only_wakes: bool,
}

/// What is asked of records all the time.
#[derive(Clone, Copy, Debug)]
pub struct Hot {
    /// The first word of [`Record::future`].
    pub near: u64,
    /// Input is read next, of which not all values are tried.
    pub restricted: bool,
    /// Which shared memory it has touched since its last turn.
    pub access_log: BloomFilter,
    /// The thread may come back to the record.
    pub recurs: bool,
}

/// Which objects are accessed, and which are written: for each object a bit, which it shares with
/// others.
#[derive(Clone, Copy, Default, Debug)]
pub struct BloomFilter {
    pub all: u64,
    pub written: u64,
}

impl BloomFilter {
    fn of(spans: &[Span]) -> BloomFilter {
        spans.iter().fold(BloomFilter::default(), |filter, span| {
            let bit = 1 << (span.object % 64);
            let written = if span.write { bit } else { 0 };
            BloomFilter { all: filter.all | bit, written: filter.written | written }
        })
    }

    /// Whether some accesses may conflict with some others.
    pub fn may_conflict(self, other: BloomFilter) -> bool {
        self.all & other.written | self.written & other.all != 0
    }
}

/// The tables.
#[derive(Clone, Default, Debug)]
pub struct Components {
    pub shapes: Vec<Arc<StateShape>>,
    /// The number of the class of each shape.
    class_of_shape: Vec<u32>,
    classes: FxHashMap<Box<[u8]>, u32>,
    pub tags: Vec<Arc<Tags>>,
    pub records: Vec<Arc<Record>>,
    pub hot: Vec<Hot>,
    /// The record of each once it was woken, plus 1; 0 where it is not computed yet.
    woken: Vec<u32>,
    /// Where the memory of memoised transitions begins: for each class of shapes and kind by
    /// record, up to [`MOST_ROOTS`] in all.
    roots: Vec<Vec<u32>>,
    more_roots: FxHashMap<(u32, u32), u32>,
    room: usize,
    /// Sets of accesses that questions are about.
    pub accesses: Vec<(BloomFilter, Box<[Span]>)>,
    access_numbers: FxHashMap<Box<[Span]>, u32>,
    shape_index: HashTable<u32>,
    tag_index: HashTable<u32>,
    record_index: HashTable<u32>,
    size: usize,
    /// The memory limit; the available memory if none is set.
    most: Option<usize>,
    /// The most for now.
    for_now: Option<usize>,
    /// What the last state was cut into.
    pub pieces: Pieces,
    key: Vec<u8>,
    /// Records are kept with what their threads may access.
    pub needs_accesses: bool,
    /// The parts of all threads of a search, where several search, and how many of them are in these
    /// tables.
    log: Option<Arc<PartLog>>,
    seen: usize,
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

/// The number of a part that is known.
fn find<T>(index: &HashTable<u32>, list: &[T], bytes: impl Fn(&T) -> &[u8], wanted: &[u8]) -> Option<u32> {
    index.find(hash(wanted), |&at| bytes(&list[at as usize]) == wanted).copied()
}

/// Adds the last part of a list to its index. Its number.
fn index_last<T>(index: &mut HashTable<u32>, list: &[T], bytes: impl Fn(&T) -> &[u8]) -> u32 {
    let number = list.len() as u32 - 1;
    let hash_of = |&at: &u32| hash(bytes(&list[at as usize]));
    index.insert_unique(hash_of(&number), number, hash_of);
    number
}

impl Components {
    /// The most bytes that the tables take.
    pub fn limit_memory(&mut self, bytes: u64) {
        self.most = Some(usize::try_from(bytes).unwrap_or(MOST).min(MOST));
    }

    /// They grow by so many bytes at most, until this is taken back: what has a part that found no
    /// room is another's then, who forgets it before.
    pub fn grow_by(&mut self, most: Option<u64>) {
        self.for_now = most.map(|most| self.size.saturating_add(usize::try_from(most).unwrap_or(MOST)));
    }

    /// The bytes that they take, about.
    pub fn held(&self) -> u64 {
        self.size as u64
    }

    /// The bytes of what [`Components::forget_roots`] forgets.
    pub fn held_by_roots(&self) -> usize {
        let spans: usize = self.accesses.len() * 64;
        4 * self.room + 24 * self.roots.len() + 16 * self.more_roots.len() + spans
    }

    /// Whether there is no room for a part of so many bytes; then there never will be.
    fn is_full(&self, bytes: usize) -> bool {
        self.size + bytes + OVERHEAD > self.most.unwrap_or(MOST).min(self.for_now.unwrap_or(MOST))
    }

    fn grow(&mut self, bytes: usize) {
        self.size += bytes + OVERHEAD;
    }

    /// Becomes a copy of other tables, within the limit of these. Further parts are received from the
    /// log and added to it. All threads of a search begin with the same parts.
    pub fn inherit(&mut self, parts: &Components, log: &Arc<PartLog>) {
        let Components { most, needs_accesses, .. } = *self;
        let log = Some(Arc::clone(log));
        *self = Components { most, for_now: None, needs_accesses, log, seen: 0, ..parts.clone() };
    }

    /// Receives the parts that other threads have added. All parts of the states of a level are
    /// known to a thread that does so after the level began.
    pub fn catch_up(&mut self) {
        let Some(log) = &self.log else { return };
        for part in log.since(self.seen) {
            self.install(part);
            self.seen += 1;
        }
    }

    /// Adds a part that is not in the tables, unless there is no room or another thread was faster.
    /// Its number.
    fn add(
        &mut self,
        bytes: usize,
        find: impl Fn(&Components) -> Option<u32>,
        make: impl FnOnce(&Components) -> Part,
    ) -> Option<u32> {
        let Some(log) = self.log.clone() else {
            return (!self.is_full(bytes)).then(|| {
                let part = make(self);
                self.install(part)
            });
        };
        let part = make(self);
        loop {
            self.catch_up();
            if let Some(number) = find(self) {
                return Some(number);
            }
            // Tables only grow, so no thread adds the part from here on.
            if self.is_full(bytes) {
                return None;
            }
            if log.add(self.seen, &part) {
                self.seen += 1;
                return Some(self.install(part));
            }
        }
    }

    /// Adds a part to the tables. Its number.
    fn install(&mut self, part: Part) -> u32 {
        match part {
            Part::Tags(tags) => self.install_tags(tags),
            Part::Record(record, hot) => self.install_record(record, hot),
            Part::StateShape(shape) => self.install_shape(shape),
        }
    }

    /// The number of the tags of some memory; none where it has none and there is no room.
    pub fn tags_number(&mut self, tags: &[u8]) -> Option<u32> {
        let known = |own: &Components| find(&own.tag_index, &own.tags, |tags| &tags.each, tags);
        match known(self) {
            None => self.add(bytes_of_tags(tags), known, |_| Part::Tags(Arc::new(Tags::of(tags)))),
            number => number,
        }
    }

    fn install_tags(&mut self, tags: Arc<Tags>) -> u32 {
        self.grow(bytes_of_tags(&tags.each));
        self.tags.push(tags);
        index_last(&mut self.tag_index, &self.tags, |tags| &tags.each)
    }

    /// The tags that have a number, four in a byte, with more that are
    /// [`DEFINED`](crate::state::value::DEFINED) behind them.
    pub fn packed_tags(&self, number: u32) -> &[u8] {
        &self.tags[number as usize].packed
    }

    /// The number of a thread's record. `restricted`: [`Hot::restricted`].
    pub fn record_number(
        &mut self,
        program: &Program,
        bytes: &[u8],
        restricted: impl FnOnce() -> bool,
    ) -> Option<u32> {
        let known = |own: &Components| find(&own.record_index, &own.records, |record| &record.bytes, bytes);
        let size = bytes.len() + 8 * program.futures.words();
        match known(self) {
            None => self.add(size, known, |own| own.record_of(program, bytes, restricted())),
            number => number,
        }
    }

    /// What is known of a record.
    fn record_of(&self, program: &Program, bytes: &[u8], restricted: bool) -> Part {
        let mut thread = Thread::default();
        read_record(program, bytes, &mut thread);
        let waits = match thread.wait {
            Wait::Condition { cond, mutex } => Some((cond, mutex)),
            Wait::No
            | Wait::Woken { .. }
            | Wait::Barrier(_)
            | Wait::Passed { .. }
            | Wait::Cancelled { .. } => None,
        };
        let future = future(program, &thread);
        let near = future.first().copied().unwrap_or(u64::MAX);
        let access_log: Box<[Span]> = thread.access_log.iter().map(|touch| touch.span).collect();
        let recurs = may_recur(program, &thread);
        let hot = Hot { near, restricted, access_log: BloomFilter::of(&access_log), recurs };
        let accesses = if self.needs_accesses { persistent_sets::accesses(program, &thread) } else { None };
        let record = Record {
            bytes: bytes.into(),
            future,
            waits,
            access_log,
            accesses: accesses.map(Box::new),
            joins: persistent_sets::joined(program, &thread),
            creates: persistent_sets::creates(program, &thread),
            only_wakes: persistent_sets::only_wakes(program, &thread),
        };
        Part::Record(Arc::new(record), hot)
    }

    fn install_record(&mut self, record: Arc<Record>, hot: Hot) -> u32 {
        self.grow(record.bytes.len() + 8 * record.future.len());
        self.grow(size_of_val(&record.access_log[..]));
        self.hot.push(hot);
        self.woken.push(0);
        self.records.push(record);
        index_last(&mut self.record_index, &self.records, |record| &record.bytes)
    }

    /// Where the memory of a record's moves begins in states of a class.
    #[inline]
    pub fn root(&self, record: u32, class: u32, kind: usize) -> Option<u32> {
        let row = 2 * class + kind as u32;
        match self.roots.get(row as usize).and_then(|row| row.get(record as usize)) {
            Some(&root) if root != NO_ROOT => Some(root),
            _ if self.more_roots.is_empty() => None,
            _ => self.more_roots.get(&(row, record)).copied(),
        }
    }

    /// Says where it begins.
    pub fn add_root(&mut self, record: u32, class: u32, kind: usize, root: u32) {
        let (row, at) = (2 * class as usize + kind, record as usize);
        if self.roots.len() <= row {
            self.roots.resize_with(row + 1, Vec::new);
        }
        let row = &mut self.roots[row];
        let more = (at + 1).saturating_sub(row.len());
        if self.room + more > MOST_ROOTS {
            self.more_roots.insert((2 * class + kind as u32, record), root);
            return;
        }
        self.room += more;
        row.resize(row.len() + more, NO_ROOT);
        row[at] = root;
    }

    /// The number of a set of accesses.
    pub fn accesses_number(&mut self, spans: &[Span]) -> u32 {
        if let Some(&known) = self.access_numbers.get(spans) {
            return known;
        }
        let number = self.accesses.len() as u32;
        self.accesses.push((BloomFilter::of(spans), spans.into()));
        self.access_numbers.insert(spans.into(), number);
        number
    }

    /// Forgets where they begin, and the component that their questions are about.
    pub fn forget_roots(&mut self) {
        self.accesses = Vec::new();
        self.access_numbers = FxHashMap::default();
        self.roots = Vec::new();
        self.more_roots = FxHashMap::default();
        self.room = 0;
    }

    /// The record of a thread that waited for a condition variable, once it is woken.
    pub fn woken(&mut self, program: &Program, number: u32) -> Option<u32> {
        let known = self.woken[number as usize];
        if known > 0 {
            return Some(known - 1);
        }
        let mut thread = Thread::default();
        read_record(program, &self.records[number as usize].bytes, &mut thread);
        let Wait::Condition { mutex, .. } = thread.wait else { return None };
        thread.wait = Wait::Woken { mutex, timed_out: false };
        let mut bytes = Vec::new();
        record(program, &thread, &mut |object| object, &mut bytes);
        put_access_log(&thread.access_log, Some, &mut bytes);
        let restricted = self.hot[number as usize].restricted;
        let woken = self.record_number(program, &bytes, || restricted)?;
        self.woken[number as usize] = woken + 1;
        Some(woken)
    }

    /// The number of the shape that the pieces and the machine have.
    fn shape_number(&mut self, machine: &Machine<'_>) -> Option<u32> {
        let pieces = &self.pieces;
        let state = &machine.state;
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        let word = |word: u32, key: &mut Vec<u8>| key.extend_from_slice(&word.to_le_bytes());
        word(pieces.kept.len() as u32, &mut key);
        let mut threads = Vec::with_capacity(pieces.kept.len());
        for (&t, &object) in pieces.kept.iter().zip(&pieces.standing) {
            let thread = &state.threads[t];
            threads.push((object, thread.ended, thread.detached));
            word(u32::from(thread.ended) | u32::from(thread.detached) << 1, &mut key);
            word(object, &mut key);
        }
        let own = key.len();
        word(pieces.atomic, &mut key);
        word(pieces.anchored as u32, &mut key);
        word(pieces.solid as u32, &mut key);
        word(pieces.order.len() as u32, &mut key);
        for &index in &pieces.order {
            put_head(&state.objects[index as usize], &mut key);
        }
        for &site in &pieces.lost {
            word(site, &mut key);
        }
        let known = |own: &Components| find(&own.shape_index, &own.shapes, |shape| &shape.key, &key);
        let number = match known(self) {
            None => {
                let size = bytes_of_shape(&key, pieces.order.len(), threads.len());
                let shape = Arc::new(shape_of(machine, &self.pieces, threads, (&key, own)));
                self.add(size, known, |_| Part::StateShape(shape))
            }
            number => number,
        };
        self.key = key;
        number
    }

    fn install_shape(&mut self, shape: Arc<StateShape>) -> u32 {
        // Shape 0 is the end, class 0 is none.
        if self.shapes.is_empty() {
            self.shapes.push(Arc::new(StateShape { header: 4, ..StateShape::default() }));
            self.class_of_shape.push(0);
        }
        let next = self.classes.len() as u32 + 1;
        self.class_of_shape.push(*self.classes.entry(shape.class.clone()).or_insert(next));
        self.grow(bytes_of_shape(&shape.key, shape.objects.len(), shape.threads.len()));
        self.shapes.push(shape);
        index_last(&mut self.shape_index, &self.shapes, |shape| &shape.key)
    }

    /// The class of the shape with this number.
    #[inline]
    pub fn class(&self, shape: u32) -> u32 {
        self.class_of_shape[shape as usize]
    }

    /// The bytes of a state.
    pub fn put(&mut self, machine: &Machine<'_>) -> Vec<u8> {
        if machine.state.done {
            return vec![0; 4];
        }
        let mut pieces = std::mem::take(&mut self.pieces);
        take_apart(machine, &mut pieces);
        self.pieces = pieces;
        let out = self.put_components(machine);
        out.unwrap_or_else(|| {
            let mut out = WHOLE.to_le_bytes().to_vec();
            out.extend(encode(machine));
            out
        })
    }

    fn put_components(&mut self, machine: &Machine<'_>) -> Option<Vec<u8>> {
        let shape = self.shape_number(machine)?;
        let pieces = std::mem::take(&mut self.pieces);
        let mut out = Vec::with_capacity(8 + 4 * pieces.kept.len() + pieces.bytes.len());
        out.extend_from_slice(&shape.to_le_bytes());
        let tags = self.tags_number(&pieces.tags);
        out.extend_from_slice(&tags.unwrap_or_default().to_le_bytes());
        let (mut start, mut all) = (0, tags.is_some());
        for (&t, &end) in pieces.kept.iter().zip(&pieces.ends) {
            let bytes = &pieces.records[start..end];
            let number = self.record_number(machine.program, bytes, || is_restricted(machine, t));
            all &= number.is_some();
            out.extend_from_slice(&number.unwrap_or_default().to_le_bytes());
            start = end;
        }
        out.extend_from_slice(&pieces.bytes);
        self.pieces = pieces;
        all.then_some(out)
    }

    /// The state that bytes stand for; whatever follows them is ignored.
    pub fn take(&self, program: &Program, bytes: &[u8], state: &mut State) {
        let number = word(bytes, 0);
        if number == WHOLE {
            return decode(program, &bytes[4..], state);
        }
        state.bytes.clear();
        state.tags.clear();
        state.objects.clear();
        state.lost.clear();
        state.done = number == 0;
        state.atomic = 0;
        if state.done {
            state.threads.clear();
            return;
        }
        let shape = &self.shapes[number as usize];
        let (memory, tags) = (&bytes[shape.header..], &self.tags[word(bytes, 4) as usize].each);
        let image = program.image.len();
        state.bytes.extend_from_slice(&memory[..image]);
        state.tags.extend_from_slice(&tags[..image]);
        for (object, &start) in shape.objects.iter().zip(&shape.starts) {
            let (from, to) = (start as usize, start as usize + held_bytes(object));
            state.bytes.extend_from_slice(&memory[from..to]);
            state.tags.extend_from_slice(&tags[from..to]);
            let end = (object.start + object.size) as usize;
            if state.bytes.len() < end {
                // Room for a block that was freed, should it come to life again.
                state.bytes.resize(end, 0);
                state.tags.resize(end, UNDEFINED);
            }
        }
        state.objects.extend_from_slice(&shape.objects);
        state.lost.extend_from_slice(&shape.lost);
        state.atomic = shape.atomic;
        state.threads.resize_with(shape.threads.len(), Thread::default);
        for (t, thread) in state.threads.iter_mut().enumerate() {
            let number = word(bytes, 8 + 4 * t);
            read_record(program, &self.records[number as usize].bytes, thread);
        }
    }
}

/// Bytes of tags in the tables.
fn bytes_of_tags(tags: &[u8]) -> usize {
    tags.len() + tags.len() / 4 + TAIL
}

/// Bytes of a shape in the tables.
fn bytes_of_shape(key: &[u8], objects: usize, threads: usize) -> usize {
    2 * key.len() + 40 * objects + 8 * threads
}

impl Tags {
    fn of(tags: &[u8]) -> Tags {
        let four = |four: &[u8]| four.iter().rev().fold(0, |byte, tag| byte << 2 | tag);
        Tags { each: tags.into(), packed: tags.chunks(4).map(four).chain([0; TAIL]).collect() }
    }
}

/// The shape of a state that was cut into pieces. From place `own` of its key on are the objects.
fn shape_of(
    machine: &Machine<'_>,
    pieces: &Pieces,
    threads: Vec<(u32, bool, bool)>,
    (key, own): (&[u8], usize),
) -> StateShape {
    let image = machine.program.image.len();
    let (mut at, mut flat) = (image, image);
    let (mut objects, mut starts) = (Vec::new(), Vec::new());
    for &index in &pieces.order {
        let mut object = machine.state.objects[index as usize];
        // As decoding what encoding gives would have it.
        let (size, site) = match object.kind {
            ObjectKind::Heap => (object.size, object.site),
            ObjectKind::Stack | ObjectKind::Freed => (object.size, 0),
            ObjectKind::DeadStack | ObjectKind::Thread | ObjectKind::GoneThread => (0, 0),
        };
        (object.size, object.site, object.start) = (size, site, at as u32);
        starts.push(flat as u32);
        at += size as usize;
        flat += held_bytes(&object);
        objects.push(object);
    }
    let header = 8 + 4 * threads.len();
    let running = threads.iter().filter(|(_, ended, _)| !ended).count();
    let several = u8::from(running > 1) | u8::from(threads.len() > 64) << 1;
    StateShape {
        threads,
        atomic: pieces.atomic,
        objects,
        starts,
        anchored: pieces.anchored as u32,
        solid: pieces.solid as u32,
        memory: flat,
        header,
        lost: pieces.lost.clone(),
        running,
        class: key[own..].iter().copied().chain([several]).collect(),
        key: key.into(),
    }
}

/// The number of 32 bits at a place.
pub fn word(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(word)
}

/// All that a thread may still do, of what `locksets.rs` follows.
fn future(program: &Program, thread: &Thread) -> Box<[u64]> {
    let mut set = vec![0; program.futures.words()];
    if !thread.ended {
        let last = thread.frames.len().wrapping_sub(1);
        for (depth, frame) in thread.frames.iter().enumerate() {
            program.futures.add(frame.code, frame.pc + u32::from(depth != last), &mut set);
        }
    }
    set.into()
}

/// Whether a thread is about to read input, or the time, of which not all values are tried.
pub fn is_restricted(machine: &Machine<'_>, t: usize) -> bool {
    let Some(Op::Lib { lib, .. }) = machine.next_op(t) else { return false };
    // Time stands still here, and the machine is always the same.
    let still = lib.reads_environment();
    lib.touches() == Touches::Input && !machine.is_whole(t, *lib)
        || still && !machine.only_seeds(t) && !machine.only_printed(t, *lib) && !machine.is_the_same(t, *lib)
}
