//! States as strings of bytes, one for all that differ in nothing a program can see. Dynamic
//! objects are numbered anew in the order in which a walk meets them: what stands for threads and
//! the variables in their frames first, then what the variables of the program lead to, breadth
//! first, then what registers lead to; what is not met is garbage and goes (Iosif's canonical
//! heaps: "Exploiting Heap Symmetries in Explicit-State Model Checking of Software", 2001). So most
//! steps leave the numbers as they are. Registers that no step needs are left out.
//!
//! *Entry points:* [`encode`], and [`take_apart`], which does the work; `decode.rs` reads states back.
//! *Invariant:* states that differ in nothing a program can see are the same bytes.

pub(super) mod happens_before;

use axle_c::Program;
use axle_c::code::{Code, Op};

use crate::machine::{Execution, Machine};
use crate::state::access::LoggedAccess;
use crate::state::program_state::{Frame, Object, ObjectKind, Thread, Wait};
use crate::state::value::{POINTER, Place, Value};

/// Whether the register's value matters. Of a frame below the top: once the call under way has
/// returned.
pub fn holds(code: &Code, frame: &Frame, reg: u32, top: bool) -> bool {
    if top {
        return axle_c::analysis::liveness::is_live(code, frame.pc, reg);
    }
    let result = match code.ops.get(frame.pc as usize) {
        Some(Op::Call { dst, .. }) => *dst,
        _ => None,
    };
    result != Some(reg) && axle_c::analysis::liveness::is_live(code, frame.pc + 1, reg)
}

/// Calls `f` with every register whose value matters, in their order; see [`holds`].
pub(super) fn each_held(code: &Code, frame: &Frame, top: bool, mut f: impl FnMut(u32)) {
    let result = match code.ops.get(frame.pc as usize) {
        Some(Op::Call { dst, .. }) if !top => *dst,
        _ => None,
    };
    let Some(live) = code.live.get(frame.pc as usize + usize::from(!top)) else { return };
    for (word, &bits) in live.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            let reg = word as u32 * 64 + bits.trailing_zeros();
            bits &= bits - 1;
            if result != Some(reg) {
                f(reg);
            }
        }
    }
}

/// The first byte from `at` on that is not plainly defined.
fn first_tag(tags: &[u8], at: usize) -> Option<usize> {
    let rest = tags.get(at..)?;
    let plain = rest.chunks_exact(8).take_while(|eight| **eight == [0; 8]).count() * 8;
    rest[plain..].iter().position(|&tag| tag != 0).map(|next| at + plain + next)
}

/// First bytes of states.
pub(super) const ENDED: u8 = 1;
pub(super) const RUNNING: u8 = 2;
pub(super) const ENDED_WITH_VALUES: u8 = 3;

/// What the first byte of a thread's record says of one that stands for any number of threads.
pub const SUMMARY: u8 = 128;

/// Dynamic objects of which most states have no more: these need no memory of their own while a
/// state is written.
const FEW: usize = 48;

/// A number for each dynamic object; 0 at first.
#[derive(Debug)]
struct Numbers {
    few: [u32; FEW],
    more: Vec<u32>,
}

impl Numbers {
    fn new(count: usize) -> Numbers {
        Numbers { few: [0; FEW], more: if count > FEW { vec![0; count] } else { Vec::new() } }
    }

    fn of(&mut self) -> &mut [u32] {
        if self.more.is_empty() { &mut self.few } else { &mut self.more }
    }

    fn met(&self, index: usize) -> bool {
        let numbers = if self.more.is_empty() { &self.few[..] } else { &self.more };
        numbers.get(index).is_some_and(|&number| number != 0)
    }
}

/// Objects as a walk meets them.
struct Walk {
    /// The number of the first dynamic object, and how many there are.
    first: u32,
    count: usize,
    /// New numbers of dynamic objects, 0 for those not met yet.
    numbers: Numbers,
    /// Objects in the order of their new numbers.
    order: Vec<u32>,
}

impl Walk {
    fn new<E: Execution>(machine: &Machine<'_, E>) -> Walk {
        let count = machine.state.objects.len();
        let first = machine.program.statics.len() as u32 + 1;
        Walk { first, count, numbers: Numbers::new(count), order: Vec::with_capacity(count) }
    }

    /// The number of an object that was met, or needs not be.
    fn known(&self, object: u32) -> Option<u32> {
        let Some(index) = object.checked_sub(self.first) else { return Some(object) };
        let numbers = if self.numbers.more.is_empty() { &self.numbers.few[..] } else { &self.numbers.more };
        numbers.get(index as usize).copied().filter(|&number| number != 0)
    }

    /// The new number of an object.
    fn meet(&mut self, object: u32) -> u32 {
        let Some(index) = object.checked_sub(self.first) else { return object };
        if index as usize >= self.count {
            return 0;
        }
        let known = &mut self.numbers.of()[index as usize];
        if *known == 0 {
            self.order.push(index);
            *known = self.first + self.order.len() as u32 - 1;
        }
        *known
    }
}

/// All that matters of a state, cut up: what its bytes are made of, in each form that states have.
#[derive(Clone, Default, Debug)]
pub struct Pieces {
    /// The bytes of the variables, and then of each object that has any, in the order of their
    /// numbers; pointers renumbered.
    pub bytes: Vec<u8>,
    /// Their tags.
    pub tags: Vec<u8>,
    /// The records of the threads one after the other, and where each ends.
    pub records: Vec<u8>,
    pub ends: Vec<usize>,
    /// The threads that are kept, by their places in the machine.
    pub kept: Vec<usize>,
    /// The numbers of the objects that stand for them.
    pub standing: Vec<u32>,
    /// The place among these of the thread that runs without interruption, plus 1.
    pub atomic: u32,
    /// The objects in the order of their numbers, by their places in the machine.
    pub order: Vec<u32>,
    /// How many of them stand for threads, or are automatic variables or thread storage of some
    /// thread: their numbers rest on nothing but which threads and frames there are.
    pub anchored: usize,
    /// How many of them can be reached without the registers of any thread.
    pub solid: usize,
    /// Where heap blocks were allocated that nothing leads to any more, or that was lost before:
    /// sorted, each once.
    pub lost: Vec<u32>,
    /// The happens-before relation as it is written, in programs that need it.
    pub happens_before: Vec<u8>,
}

/// The bytes of a state.
pub fn encode<E: Execution>(machine: &Machine<'_, E>) -> Vec<u8> {
    if machine.state.done {
        return ended(machine);
    }
    let mut pieces = Pieces::default();
    take_apart(machine, &mut pieces);
    let mut out = Vec::with_capacity(2 * pieces.bytes.len() + pieces.records.len() + 64);
    out.push(RUNNING);
    let mut at = machine.program.image.len();
    put_memory(&pieces.bytes[..at], &pieces.tags[..at], &mut out);
    put_number(pieces.kept.len() as u64, &mut out);
    put_number(pieces.atomic.into(), &mut out);
    out.extend_from_slice(&pieces.records);
    for &index in &pieces.order {
        let object = &machine.state.objects[index as usize];
        let end = at + held_bytes(object);
        put_object(object, &pieces.bytes[at..end], &pieces.tags[at..end], &mut out);
        at = end;
    }
    out.push(0);
    put_number(pieces.lost.len() as u64, &mut out);
    for &site in &pieces.lost {
        put_number(site.into(), &mut out);
    }
    out.extend_from_slice(&pieces.happens_before);
    out
}

/// The program has come to its end. The values that its variables have then matter to formulas
/// only.
fn ended<E: Execution>(machine: &Machine<'_, E>) -> Vec<u8> {
    if !machine.settings.watch.on {
        return vec![ENDED];
    }
    let mut pieces = Pieces::default();
    let image = machine.program.image.len();
    let mut walk = Walk::new(machine);
    memory(machine, (0, image), &mut walk, &mut pieces);
    let mut out = vec![ENDED_WITH_VALUES];
    put_memory(&pieces.bytes, &pieces.tags, &mut out);
    out
}

/// Where the heap blocks were allocated that nothing leads to any more, or that was lost before:
/// sorted, each once.
pub fn lost<E: Execution>(machine: &Machine<'_, E>) -> Vec<u32> {
    if machine.state.objects.iter().any(|object| object.kind == ObjectKind::Heap) {
        let mut pieces = Pieces::default();
        take_apart(machine, &mut pieces);
        pieces.lost
    } else {
        machine.state.lost.clone()
    }
}

/// The dynamic objects that a state keeps when it is written down, in the order of their new
/// numbers.
pub fn order<E: Execution>(machine: &Machine<'_, E>) -> Vec<u32> {
    let mut pieces = Pieces::default();
    if !machine.state.done {
        take_apart(machine, &mut pieces);
    }
    pieces.order
}

/// The bytes that a state has of an object.
pub fn held_bytes(object: &Object) -> usize {
    match object.kind {
        ObjectKind::Heap | ObjectKind::Stack => object.size as usize,
        ObjectKind::Freed | ObjectKind::DeadStack | ObjectKind::Thread | ObjectKind::GoneThread => 0,
    }
}

/// Meets all that matters of a state. First what stands for threads, their storage and the
/// variables of their frames; then what the variables of the program lead to, and what that leads
/// to, breadth first; then what registers lead to.
pub fn take_apart<E: Execution>(machine: &Machine<'_, E>, pieces: &mut Pieces) {
    let state = &machine.state;
    let mut walk = Walk::new(machine);
    pieces.bytes.clear();
    pieces.tags.clear();
    pieces.records.clear();
    pieces.ends.clear();
    pieces.kept.clear();
    // Threads that no handle refers to are gone.
    let last = state.threads.iter().rposition(|thread| !is_gone(thread)).map_or(0, |last| last + 1);
    let stable = machine.settings.stable_threads;
    let keeps = |&t: &usize| if stable { t < last } else { !is_gone(&state.threads[t]) };
    pieces.kept.extend((0..state.threads.len()).filter(keeps));
    let atomic = pieces.kept.iter().position(|&t| t as u32 + 1 == state.atomic);
    pieces.atomic = atomic.map_or(0, |at| at as u32 + 1);
    pieces.standing.clear();
    for &t in &pieces.kept {
        pieces.standing.push(walk.meet(state.threads[t].object));
        each_anchored(&state.threads[t], |object| {
            walk.meet(object);
        });
    }
    pieces.anchored = walk.order.len();
    memory(machine, (0, machine.program.image.len()), &mut walk, pieces);
    let mut done = 0;
    objects(machine, &mut done, &mut walk, pieces);
    pieces.solid = walk.order.len();
    for at in 0..pieces.kept.len() {
        let thread = &state.threads[pieces.kept[at]];
        record(machine.program, thread, &mut |object| walk.meet(object), &mut pieces.records);
        if thread.access_log.is_empty() {
            pieces.records.push(0);
        }
        pieces.ends.push(pieces.records.len());
    }
    objects(machine, &mut done, &mut walk, pieces);
    add_access_log(machine, &walk, pieces);
    if machine.tracks {
        pieces.happens_before.clear();
        let known = |object: u32| walk.known(object);
        happens_before::write(machine, &pieces.kept, known, &mut pieces.happens_before, put_number);
    }
    pieces.lost.clear();
    pieces.lost.extend_from_slice(&state.lost);
    for (index, object) in state.objects.iter().enumerate() {
        if object.kind == ObjectKind::Heap && !walk.numbers.met(index) {
            pieces.lost.push(object.site);
        }
    }
    pieces.lost.sort_unstable();
    pieces.lost.dedup();
    pieces.order = walk.order;
}

/// Puts behind each thread's record what the thread has touched. That leads to no object: an object
/// that nothing else leads to, no thread can touch any more.
fn add_access_log<E: Execution>(machine: &Machine<'_, E>, walk: &Walk, pieces: &mut Pieces) {
    let threads = &machine.state.threads;
    if pieces.kept.iter().all(|&t| threads[t].access_log.is_empty()) {
        return;
    }
    let mut records = Vec::with_capacity(pieces.records.len() + pieces.kept.len());
    let mut start = 0;
    for (&t, end) in pieces.kept.iter().zip(&mut pieces.ends) {
        records.extend_from_slice(&pieces.records[start..*end]);
        start = *end;
        if !threads[t].access_log.is_empty() {
            put_access_log(&threads[t].access_log, |object| walk.known(object), &mut records);
        }
        *end = records.len();
    }
    pieces.records = records;
}

/// Writes down what a thread has touched; `number` gives the numbers of objects that matter.
pub fn put_access_log(access_log: &[LoggedAccess], number: impl Fn(u32) -> Option<u32>, out: &mut Vec<u8>) {
    let known = || access_log.iter().filter_map(|touch| Some((number(touch.span.object)?, touch)));
    put_number(known().count() as u64, out);
    for (object, touch) in known() {
        put_number(u64::from(object) << 1 | u64::from(touch.span.write), out);
        put_number(touch.span.from.into(), out);
        put_number(touch.span.to.into(), out);
        put_number(touch.site.into(), out);
    }
}

/// The objects of a thread that are there whatever its registers hold, but for the one that stands
/// for it.
pub fn each_anchored(thread: &Thread, mut f: impl FnMut(u32)) {
    thread.storage.iter().for_each(|&object| f(object));
    thread.slots.iter().for_each(|&object| f(object));
    thread.frames.iter().for_each(|frame| f(frame.varargs));
}

/// The objects that were met and not written yet, and those that these lead to.
fn objects<E: Execution>(machine: &Machine<'_, E>, done: &mut usize, walk: &mut Walk, pieces: &mut Pieces) {
    while *done < walk.order.len() {
        let object = &machine.state.objects[walk.order[*done] as usize];
        *done += 1;
        let start = object.start as usize;
        memory(machine, (start, start + held_bytes(object)), walk, pieces);
    }
}

/// Bytes of memory with their tags, pointers renumbered.
fn memory<E: Execution>(
    machine: &Machine<'_, E>,
    (start, end): (usize, usize),
    walk: &mut Walk,
    pieces: &mut Pieces,
) {
    let state = &machine.state;
    let from = pieces.bytes.len();
    pieces.bytes.extend_from_slice(&state.bytes[start..end]);
    let tags = &state.tags[start..end];
    pieces.tags.extend_from_slice(tags);
    let (mut at, size) = (0, machine.pointer_size());
    while let Some(next) = first_tag(tags, at) {
        at = next + tags[next..].iter().take_while(|&&tag| tag != 0 && tag != POINTER).count();
        if tags.get(at) != Some(&POINTER) {
            continue;
        }
        let (object, offset) = machine.unpack(start + at);
        let number = walk.meet(object);
        let packed = machine.pack(number, offset).unwrap_or_default();
        pieces.bytes[from + at..from + at + size].copy_from_slice(&packed.to_le_bytes()[..size]);
        at += size;
    }
}

pub fn is_gone(thread: &Thread) -> bool {
    thread.ended && thread.object == 0
}

fn put_number(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Bytes; then their tags, when some byte is not plainly defined.
fn put_memory(bytes: &[u8], tags: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(bytes);
    if first_tag(tags, 0).is_none() {
        out.push(0);
        return;
    }
    out.push(1);
    let fours = tags.chunks_exact(4);
    let rest = fours.remainder();
    out.extend(fours.map(|four| four[0] | four[1] << 2 | four[2] << 4 | four[3] << 6));
    if !rest.is_empty() {
        out.push(rest.iter().enumerate().fold(0, |byte, (at, tag)| byte | tag << (2 * at)));
    }
}

/// What a state says of an object beside its bytes.
pub fn put_head(object: &Object, out: &mut Vec<u8>) {
    let kind = match object.kind {
        ObjectKind::Heap => 1,
        ObjectKind::Freed => 2,
        ObjectKind::Stack => 3,
        ObjectKind::DeadStack => 4,
        ObjectKind::Thread => 5,
        ObjectKind::GoneThread => 6,
    };
    out.push(kind | u8::from(object.shared) << 3);
    match object.kind {
        ObjectKind::Heap | ObjectKind::Stack => {
            put_number(object.size.into(), out);
            if object.kind == ObjectKind::Heap {
                put_number(object.site.into(), out);
            }
        }
        // The size decides whether the address may come again.
        ObjectKind::Freed => put_number(object.size.into(), out),
        ObjectKind::DeadStack | ObjectKind::Thread | ObjectKind::GoneThread => {}
    }
}

fn put_object(object: &Object, bytes: &[u8], tags: &[u8], out: &mut Vec<u8>) {
    put_head(object, out);
    if matches!(object.kind, ObjectKind::Heap | ObjectKind::Stack) {
        put_memory(bytes, tags, out);
    }
}

/// Writes down a thread; `number` gives the numbers that objects are written by.
pub fn record(program: &Program, thread: &Thread, number: &mut dyn FnMut(u32) -> u32, out: &mut Vec<u8>) {
    let mut writer = Writer { out, number };
    writer.thread(program, thread);
}

struct Writer<'o, 'f> {
    out: &'o mut Vec<u8>,
    number: &'f mut dyn FnMut(u32) -> u32,
}

impl Writer<'_, '_> {
    fn number(&mut self, value: u64) {
        put_number(value, self.out);
    }

    fn signed(&mut self, value: i64) {
        self.number(((value << 1) ^ (value >> 63)) as u64);
    }

    fn reference(&mut self, object: u32) {
        let number = (self.number)(object);
        self.number(number.into());
    }

    fn place(&mut self, place: Place) {
        self.reference(place.0);
        self.signed(place.1.into());
    }

    fn value(&mut self, value: Value) {
        match value {
            Value::Undef => self.out.push(0),
            Value::Ptr(object, offset) => {
                self.out.push(1);
                self.place((object, offset));
            }
            Value::Int(small) if small < 240 => self.out.push(small as u8 + 4),
            Value::Int(value) if i32::try_from(value as i64).is_ok() => {
                self.out.push(2);
                self.out.extend_from_slice(&(value as u32).to_le_bytes());
            }
            Value::Int(value) => {
                self.out.push(3);
                self.out.extend_from_slice(&value.to_le_bytes());
            }
        }
    }

    fn thread(&mut self, program: &Program, thread: &Thread) {
        let Thread { detached, ended, cleaned, c11, main, cancelled, cancel_disabled, summary, .. } = *thread;
        let flags = [detached, ended, cleaned, c11, main, cancelled, cancel_disabled, summary];
        let flags = flags.iter().enumerate().fold(0, |byte, (at, flag)| byte | u8::from(*flag) << at);
        self.out.push(flags);
        self.reference(thread.object);
        // Most threads hold no lock for reading: the highest bit says so.
        let mut wait = |kind: u8| self.out.push(kind | u8::from(!thread.reading.is_empty()) << 7);
        match thread.wait {
            Wait::No => wait(0),
            Wait::Condition { cond, mutex } => {
                wait(1);
                self.place(cond);
                self.place(mutex);
            }
            Wait::Woken { mutex, timed_out } => {
                wait(if timed_out { 3 } else { 2 });
                self.place(mutex);
            }
            Wait::Barrier(place) => {
                wait(4);
                self.place(place);
            }
            Wait::Passed { serial } => wait(if serial { 6 } else { 5 }),
            Wait::Cancelled { mutex } => {
                wait(7);
                self.place(mutex);
            }
        }
        if !thread.reading.is_empty() {
            self.number(thread.reading.len() as u64);
            for &lock in &thread.reading {
                self.place(lock);
            }
        }
        if thread.cleaned {
            self.value(thread.result);
        }
        self.number(thread.storage.len() as u64);
        for &object in &thread.storage {
            self.reference(object);
        }
        self.number(thread.frames.len() as u64);
        for (depth, frame) in thread.frames.iter().enumerate() {
            let code = &program.codes[frame.code as usize];
            let top = depth + 1 == thread.frames.len();
            self.number(frame.code.into());
            self.number(frame.pc.into());
            each_held(code, frame, top, |reg| self.value(thread.regs[(frame.regs + reg) as usize]));
            for slot in 0..code.slots.len() {
                self.reference(thread.slots[frame.slots as usize + slot]);
            }
            if code.variadic {
                self.reference(frame.varargs);
            }
            if code.returns_record > 0 {
                self.value(frame.into);
            }
        }
    }
}
