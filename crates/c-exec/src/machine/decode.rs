//! States read back from the bytes that [`encode`](super::encode) writes.
//!
//! *Entry points:* [`decode`]; [`read_record`] for the record of one thread.
//! *Invariant:* `decode(encode(s))` behaves as `s`, and encodes to the same bytes.

use axle_c::Program;

use crate::machine::encode::{ENDED, ENDED_WITH_VALUES, RUNNING, SUMMARY, each_held, happens_before};
use crate::state::access::{LoggedAccess, Span};
use crate::state::program_state::{Frame, Object, ObjectKind, State, Thread, Wait};
use crate::state::recorded_accesses::HappensBefore;
use crate::state::value::{Place, UNDEFINED, Value};

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte
    }

    fn number(&mut self) -> u64 {
        let (mut value, mut shift) = (0u64, 0);
        loop {
            let byte = self.byte();
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 || shift > 63 {
                return value;
            }
        }
    }

    fn signed(&mut self) -> i64 {
        let value = self.number();
        (value >> 1) as i64 ^ -((value & 1) as i64)
    }

    fn place(&mut self) -> Place {
        (self.number() as u32, self.signed() as i32)
    }

    fn take(&mut self, count: usize) -> &[u8] {
        let from = self.at.min(self.bytes.len());
        let to = (from + count).min(self.bytes.len());
        self.at = to;
        &self.bytes[from..to]
    }

    fn value(&mut self) -> Value {
        match self.byte() {
            0 => Value::Undef,
            1 => {
                let (object, offset) = self.place();
                Value::Ptr(object, offset)
            }
            2 => {
                let mut word = [0; 4];
                word.copy_from_slice(self.take(4));
                Value::Int(i64::from(i32::from_le_bytes(word)) as u64)
            }
            3 => {
                let mut word = [0; 8];
                word.copy_from_slice(self.take(8));
                Value::Int(u64::from_le_bytes(word))
            }
            small => Value::Int(u64::from(small - 4)),
        }
    }

    fn memory(&mut self, state: &mut State, size: usize) {
        let start = state.bytes.len();
        state.bytes.extend_from_slice(self.take(size));
        state.bytes.resize(start + size, 0);
        if self.byte() == 0 {
            state.tags.resize(start + size, 0);
            return;
        }
        let packed = self.take(size.div_ceil(4));
        let fours = packed.iter().flat_map(|four| [four & 3, four >> 2 & 3, four >> 4 & 3, four >> 6]);
        state.tags.extend(fours.take(size));
        // What a state that was cut short lacks.
        state.tags.resize(start + size, 0);
    }
}

/// The state that bytes from [`encode`] stand for; whatever follows them is ignored.
pub fn decode(program: &Program, bytes: &[u8], state: &mut State) {
    state.bytes.clear();
    state.tags.clear();
    state.objects.clear();
    state.lost.clear();
    let first = bytes.first().copied().unwrap_or(ENDED);
    state.done = first != RUNNING;
    state.atomic = 0;
    let mut reader = Reader { bytes, at: 1 };
    if state.done {
        state.threads.clear();
        state.happens_before = HappensBefore::default();
        if first == ENDED_WITH_VALUES {
            reader.memory(state, program.image.len());
        }
        return;
    }
    reader.memory(state, program.image.len());
    let threads = reader.number();
    state.atomic = reader.number() as u32;
    // What is there already is filled anew, because its memory can be used again.
    state.threads.resize_with(threads as usize, Thread::default);
    for thread in &mut state.threads {
        read_thread(program, &mut reader, thread);
    }
    loop {
        let kind = reader.byte();
        if kind == 0 {
            break;
        }
        let shared = kind & 8 != 0;
        let kind = match kind & 7 {
            1 => ObjectKind::Heap,
            2 => ObjectKind::Freed,
            3 => ObjectKind::Stack,
            4 => ObjectKind::DeadStack,
            5 => ObjectKind::Thread,
            _ => ObjectKind::GoneThread,
        };
        let mut object = Object { start: state.bytes.len() as u32, size: 0, kind, shared, site: 0 };
        match kind {
            ObjectKind::Heap | ObjectKind::Stack => {
                object.size = reader.number() as u32;
                if kind == ObjectKind::Heap {
                    object.site = reader.number() as u32;
                }
                reader.memory(state, object.size as usize);
            }
            ObjectKind::Freed => {
                // Room for the block, should it come to life again.
                object.size = reader.number() as u32;
                let end = state.bytes.len() + object.size as usize;
                state.bytes.resize(end, 0);
                state.tags.resize(end, UNDEFINED);
            }
            ObjectKind::DeadStack | ObjectKind::Thread | ObjectKind::GoneThread => {}
        }
        state.objects.push(object);
    }
    for _ in 0..reader.number() {
        let site = reader.number() as u32;
        state.lost.push(site);
    }
    // Nothing follows in programs that record no accesses: zeros, which say so.
    happens_before::read(&mut state.happens_before, &mut state.threads, || reader.byte());
}

/// The thread that a record from [`record`] stands for.
pub fn read_record(program: &Program, bytes: &[u8], thread: &mut Thread) {
    read_thread(program, &mut Reader { bytes, at: 0 }, thread);
}

fn read_thread(program: &Program, reader: &mut Reader<'_>, thread: &mut Thread) {
    let flags = reader.byte();
    thread.frames.clear();
    thread.regs.clear();
    thread.slots.clear();
    thread.reading.clear();
    thread.storage.clear();
    thread.access_log.clear();
    thread.result = Value::Undef;
    thread.object = reader.number() as u32;
    thread.detached = flags & 1 != 0;
    thread.ended = flags & 2 != 0;
    thread.cleaned = flags & 4 != 0;
    thread.c11 = flags & 8 != 0;
    thread.main = flags & 16 != 0;
    thread.cancelled = flags & 32 != 0;
    thread.cancel_disabled = flags & 64 != 0;
    thread.summary = flags & SUMMARY != 0;
    let wait = reader.byte();
    thread.wait = match wait & 0x7f {
        0 => Wait::No,
        1 => Wait::Condition { cond: reader.place(), mutex: reader.place() },
        2 => Wait::Woken { mutex: reader.place(), timed_out: false },
        3 => Wait::Woken { mutex: reader.place(), timed_out: true },
        4 => Wait::Barrier(reader.place()),
        7 => Wait::Cancelled { mutex: reader.place() },
        number => Wait::Passed { serial: number == 6 },
    };
    let reading = if wait & 0x80 != 0 { reader.number() } else { 0 };
    for _ in 0..reading {
        let lock = reader.place();
        thread.reading.push(lock);
    }
    if thread.cleaned {
        thread.result = reader.value();
    }
    for _ in 0..reader.number() {
        thread.storage.push(reader.number() as u32);
    }
    let frames = reader.number();
    for depth in 0..frames {
        let (number, pc) = (reader.number() as u32, reader.number() as u32);
        let code = &program.codes[number as usize];
        let mut frame = Frame {
            code: number,
            pc,
            regs: thread.regs.len() as u32,
            slots: thread.slots.len() as u32,
            varargs: 0,
            into: Value::Undef,
        };
        let top = depth + 1 == frames;
        thread.regs.resize((frame.regs + code.regs) as usize, Value::Undef);
        each_held(code, &frame, top, |reg| thread.regs[(frame.regs + reg) as usize] = reader.value());
        for _ in 0..code.slots.len() {
            thread.slots.push(reader.number() as u32);
        }
        if code.variadic {
            frame.varargs = reader.number() as u32;
        }
        if code.returns_record > 0 {
            frame.into = reader.value();
        }
        thread.frames.push(frame);
    }
    for _ in 0..reader.number() {
        let (what, from, to) = (reader.number(), reader.number() as u32, reader.number() as u32);
        let span = Span { object: (what >> 1) as u32, from, to, write: what & 1 != 0 };
        thread.access_log.push(LoggedAccess { span, site: reader.number() as u32 });
    }
}
