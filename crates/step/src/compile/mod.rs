//! The compiler: generates machine code for a model's successors in memory with Cranelift.
//!
//! Generated code expands a batch of sources into the caller's buffer. It stops at the first source
//! that needs Rust: one without successors, one for which the buffer is full, or one on which it
//! bails out because of a fault or a rare construct. After a bailout the output for this source is
//! discarded and the interpreter expands it. Faults, infinite sequences and requests for slots thus
//! have a single implementation. `unit` lists the generated functions.
//!
//! *Entry point:* [`Compiled`].
//!
//! *Invariant:* generated code reports nothing; it either produces exactly the interpreter's
//! successors of a source, or bails out.
//!
//! *Cost:* 8 to 25 ns per successor, including the copy, on most models, compared to 100 to 600 ns
//! of the interpreter; a quarter of a millisecond of compilation per edge.

#![expect(unsafe_code, reason = "machine code is called, and reads and writes states by address")]

mod background;
mod channels;
mod chosen;
mod continuations;
mod dispatch;
mod edges;
mod emit;
mod expressions;
mod give_back;
mod handshake;
mod listeners;
mod moved;
mod observe;
mod places;
mod processes;
mod runtime;
mod segments;
mod sequences;
mod unit;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axle_model::{Model, ProcId};

use crate::batch::{Batch, Cut};
use crate::fault::{Fault, ModelSite};
use crate::interpret::Interpreter;
use crate::interpret::long_sequence::CutSequence;
use crate::layout::Layout;
use crate::options::Options;
use crate::successors::{Grow, ModelGraph, Processes, Statistics, Successors};
pub use background::Compilation;
use moved::Notes;
pub(crate) use observe::Watcher;
use runtime::{Ctx, FRAMES, Tables, bail};
use unit::Code;
pub use unit::Unsupported;

/// The fast implementation of [`Successors`].
#[derive(Debug)]
pub struct Compiled {
    /// Expands the sources on which generated code bails out.
    interpreter: Interpreter,
    code: Arc<Code>,
    tables: Tables,
    taken: Vec<Vec<bool>>,
    /// Saved states of branching sequences.
    frames: Vec<u8>,
    /// The interpreter's successors of a source.
    scratch: Batch,
    /// For every process type, whether each location is a valid end state.
    ends: Vec<Vec<bool>>,
    priorities: bool,
    messages_left: bool,
    /// Buffers for the executing processes recorded by generated code; `None` unless requested.
    notes: Option<Notes>,
    interpreted: u64,
}

/// Generated code of a model, for any number of successor functions.
#[derive(Clone, Debug)]
pub struct MachineCode(Arc<Code>);

impl MachineCode {
    /// Generates the code for the model of an interpreter, in segments of `size` edges. Once
    /// `cancelled` is set, it fails after the function at hand.
    fn generate(
        interpreter: &Interpreter,
        options: Options,
        size: usize,
        cancelled: &AtomicBool,
    ) -> Result<MachineCode, Unsupported> {
        let constants: Box<[u8]> = interpreter.constants().into();
        let code =
            unit::compile(interpreter.model(), interpreter.layout(), constants, options, size, cancelled)?;
        give_back::memory();
        Ok(MachineCode(Arc::new(code)))
    }
}

/// Result of the expansion of a source by generated code.
enum Outcome {
    /// All successors were emitted.
    Done,
    /// There are no successors.
    Nothing,
    /// The buffer is full.
    Full,
    /// Generated code bailed out.
    GaveUp,
}

impl Compiled {
    /// The layout of the states.
    pub fn layout(&self) -> &Layout {
        &self.tables.layout
    }

    /// For every process type and edge, whether the edge was executed so far.
    pub fn taken(&self) -> &[Vec<bool>] {
        &self.taken
    }

    /// Compiles `model`. Fails if this machine cannot execute generated code, or if the code
    /// generator fails; all constructs of the language are supported.
    pub fn new(model: Arc<Model>, options: Options) -> Result<Compiled, Unsupported> {
        Compiled::from_interpreter(Interpreter::new(model, options), options)
    }

    /// Compiles the model of an interpreter, which then expands the sources on which generated code
    /// bails out. States and layout do not change, so a search can switch at any time.
    pub fn from_interpreter(interpreter: Interpreter, options: Options) -> Result<Compiled, Unsupported> {
        let code = MachineCode::generate(&interpreter, options, segments::SIZE, &AtomicBool::new(false))?;
        Ok(Compiled::with_code(interpreter, options, &code))
    }

    /// Compiles `model` in segments of `size` edges, so that tests reach the calls between segments
    /// with small models.
    pub fn in_segments(model: Arc<Model>, options: Options, size: usize) -> Result<Compiled, Unsupported> {
        let interpreter = Interpreter::new(model, options);
        let code = MachineCode::generate(&interpreter, options, size, &AtomicBool::new(false))?;
        Ok(Compiled::with_code(interpreter, options, &code))
    }

    /// The same with code that was generated for this model and these options; the layout may have
    /// grown since then.
    pub fn with_code(interpreter: Interpreter, options: Options, code: &MachineCode) -> Compiled {
        let model = interpreter.model().clone();
        let layout = interpreter.layout().clone();
        let code = Arc::clone(&code.0);
        let tables = Tables::new(&model, &layout, &runtime::groups(&layout), code.tests.clone());
        let mut compiled = Compiled {
            taken: interpreter.taken().to_vec(),
            frames: Vec::new(),
            scratch: Batch::default(),
            ends: model.processes.iter().map(|p| p.locations.iter().map(|l| l.end).collect()).collect(),
            priorities: model.semantics.priorities,
            messages_left: options.messages_left,
            notes: options.movers.then(Notes::default),
            interpreted: 0,
            interpreter,
            code,
            tables,
        };
        compiled.make_room_for_frames();
        compiled
    }

    /// A successor function with the same code for another thread.
    pub fn share(&self) -> Compiled {
        let mut other = Compiled {
            interpreter: self.interpreter.clone(),
            code: Arc::clone(&self.code),
            tables: self.tables.clone(),
            taken: self.taken.clone(),
            frames: Vec::new(),
            scratch: Batch::default(),
            ends: self.ends.clone(),
            notes: self.notes.as_ref().map(|_| Notes::default()),
            interpreted: 0,
            ..*self
        };
        other.make_room_for_frames();
        other
    }

    /// Number of sources expanded by the interpreter; if they are the majority, compilation has no
    /// benefit.
    pub fn interpreted(&self) -> u64 {
        self.interpreted
    }

    /// See [`Interpreter::cut_sequence`]: generated code executes no long sequences.
    pub fn cut_sequence(&self) -> CutSequence {
        self.interpreter.cut_sequence()
    }

    fn make_room_for_frames(&mut self) {
        self.frames = vec![0; (FRAMES + 1) * self.tables.layout.width()];
    }

    /// Number of states reserved beyond the last position that generated code checks: the maximum
    /// output of unchecked functions for one source, plus one.
    fn reserve(&self) -> usize {
        let most = |types: &[axle_model::ProcId]| types.iter().map(|t| self.code.room[t.index()]).max();
        self.tables.layout.slots.iter().filter_map(|slot| most(&slot.types)).sum::<usize>() + 2
    }

    /// Expands one source by priority: the enabled processes of the highest priority.
    ///
    /// # Safety
    /// `ctx` is set up, with room for [`Compiled::reserve`] states at `out`, and `source` is a
    /// whole state.
    unsafe fn by_priority(
        &self,
        ctx: &mut Ctx,
        source: &[u8],
        out: *mut u8,
        notes: Option<&mut Notes>,
    ) -> *mut u8 {
        let mut ignored = Vec::new();
        let by = notes.map_or(&mut ignored, |notes| &mut notes.by);
        let processes: Vec<(usize, i64)> = (0..self.tables.count(source))
            .map(|pid| (pid, self.tables.priority(source, pid).unwrap_or(1)))
            .collect();
        let mut levels: Vec<i64> = processes.iter().map(|p| p.1).collect();
        levels.sort_unstable();
        levels.dedup();
        for level in levels.into_iter().rev() {
            let mut to = out;
            for &(pid, _) in processes.iter().filter(|p| p.1 == level) {
                let Some((proc, _)) = self.tables.standing(source, pid) else { continue };
                let (step, slot) = (self.code.steps[proc.index()], self.tables.slot_bases[pid]);
                // SAFETY: the function of the type of the process in that slot, and what the caller
                // promises.
                to = unsafe { step(ctx, source.as_ptr(), slot.into(), pid as u64, to) };
                by.push((pid as u32, to as u64));
            }
            if to != out || ctx.bail != bail::NONE {
                return to;
            }
        }
        out
    }

    /// Whether the state is an end state without a fault.
    fn rests(&self, state: &[u8]) -> bool {
        let standing = |pid| self.tables.standing(state, pid);
        !self.messages_left
            && (0..self.tables.count(state))
                .all(|pid| standing(pid).is_none_or(|(proc, loc)| self.ends[proc.index()][loc]))
    }

    /// Expands `source`, the state with this number in the batch, by the interpreter.
    fn interpret(&mut self, source: &[u8], number: usize, out: &mut Batch) -> Result<(), Grow> {
        let first = (out.states.len() / source.len()) as u32;
        self.scratch.most = out.most.map(|most| most.saturating_sub(out.states.len()));
        self.scratch.interrupt.clone_from(&out.interrupt);
        self.interpreter.expand(source, &mut self.scratch)?;
        out.cut = out.cut.or(self.scratch.cut);
        self.interpreted += 1;
        out.states.extend_from_slice(&self.scratch.states);
        out.movers.append(&self.scratch.movers);
        out.faults.extend(self.scratch.faults.iter().map(|fault| Fault {
            source: number as u32,
            successor: fault.successor.map(|s| s + first),
            ..*fault
        }));
        for (own, other) in self.taken.iter_mut().zip(self.interpreter.taken()) {
            for (own, other) in own.iter_mut().zip(other) {
                *own |= *other;
            }
        }
        Ok(())
    }
}

/// One call of [`Compiled::expand`]: the context and the progress.
struct Run<'s> {
    ctx: Ctx,
    states: &'s [u8],
    width: usize,
    /// Number of states reserved after `Ctx::limit`.
    reserve: usize,
    /// Recorder of executing processes, if requested.
    notes: Option<Notes>,
    /// Number of processes of a state, if it is constant.
    processes: Option<usize>,
}

impl Run<'_> {
    /// Sets the context to the tables and the free end of the buffer for some sources.
    fn aim(&mut self, tables: &Tables, sources: usize, out: &mut Batch) {
        if let Some(notes) = &mut self.notes {
            notes.aim(&mut self.ctx, sources * tables.slot_bases.len());
        }
        self.ctx.aim(tables);
        let needed = (self.reserve + 1) * self.width + 16;
        out.states.reserve(needed);
        let free = out.states.spare_capacity_mut();
        let room = free.len() - needed;
        let start: *mut u8 = free.as_mut_ptr().cast();
        self.ctx.out = start;
        // SAFETY: `room` is less than the length of the free end.
        self.ctx.limit = unsafe { start.add(room) };
    }

    /// Enlarges a full buffer; returns false, and cuts the batch, if the limit is reached.
    fn enlarge(&self, out: &mut Batch) -> bool {
        let (have, most) = (out.states.capacity(), out.most.unwrap_or(usize::MAX));
        if have >= most {
            out.cut = Some(Cut::Memory);
            return false;
        }
        // Twice the size, but at most the limit plus the mandatory reserve.
        let more = have.max(64 * self.width).min(most - have);
        out.states.reserve(have - out.states.len() + more + (self.reserve + 1) * self.width);
        true
    }

    /// Includes the output up to `end` in the buffer.
    fn keep(&mut self, out: &mut Batch, end: *mut u8) {
        let written = end as usize - out.states.spare_capacity_mut().as_ptr() as usize;
        let len = out.states.len() + written;
        assert!(len <= out.states.capacity(), "generated code stays in the buffer");
        // SAFETY: generated code has written every byte from the start of the free end up to `end`.
        unsafe { out.states.set_len(len) };
    }

    /// Records the executing processes of the successors of these sources, which end at `end` and
    /// are not included in the buffer yet.
    fn say_who(&mut self, tables: &Tables, sources: std::ops::Range<usize>, end: *mut u8, out: &mut Batch) {
        let Some(notes) = &mut self.notes else { return };
        let start = out.states.spare_capacity_mut().as_ptr() as u64;
        let (states, width, processes) = (self.states, self.width, self.processes);
        let count = |source: usize| tables.count(&states[source * width..(source + 1) * width]);
        let counts = sources.map(|source| processes.unwrap_or_else(|| count(source)));
        notes.read((start, end as u64), width, counts, &mut out.movers);
    }

    fn reset(&mut self, frames: &mut [u8]) {
        self.ctx.bail = bail::NONE;
        self.ctx.timeout = 0;
        self.ctx.resume = 0;
        self.ctx.testing = 0;
        self.ctx.frames = frames.as_mut_ptr();
        // SAFETY: the frames are `FRAMES + 1` states long.
        self.ctx.frames_end = unsafe { frames.as_mut_ptr().add((FRAMES - 1) * self.width) };
    }
}

impl Compiled {
    /// Expands one source with the context's `timeout`; the successors are then in the buffer.
    fn one(&self, run: &mut Run, number: usize, out: &mut Batch) -> Outcome {
        run.aim(&self.tables, 1, out);
        run.ctx.fuel = runtime::FUEL;
        let (start, source) = (run.ctx.out, &run.states[number * run.width..(number + 1) * run.width]);
        let end = if self.priorities {
            // SAFETY: `aim` has made room, and `source` is a whole state.
            unsafe { self.by_priority(&mut run.ctx, source, start, run.notes.as_mut()) }
        } else {
            let mut entry = 0u32;
            (run.ctx.ends, run.ctx.count) = (&mut entry, 0);
            let range = source.as_ptr_range();
            // SAFETY: the driver of this code, a whole state, room by `aim`, and one entry for its
            // count.
            unsafe { (self.code.drive)(&mut run.ctx, range.start, range.end) };
            run.ctx.out
        };
        match run.ctx.bail {
            bail::NONE if end == start => Outcome::Nothing,
            bail::NONE => {
                run.say_who(&self.tables, number..number + 1, end, out);
                run.keep(out, end);
                Outcome::Done
            }
            bail::FULL => Outcome::Full,
            _ => Outcome::GaveUp,
        }
    }

    /// Handles a source at which the driver stopped, or for which there is no driver.
    fn see_to(&mut self, run: &mut Run, number: usize, out: &mut Batch) -> Result<(), Grow> {
        let mut frames = std::mem::take(&mut self.frames);
        let mut timeout = false;
        let outcome = loop {
            run.reset(&mut frames);
            run.ctx.timeout = timeout.into();
            match self.one(run, number, out) {
                Outcome::Full => {
                    if !run.enlarge(out) {
                        break Outcome::Full;
                    }
                }
                Outcome::Nothing if self.code.uses_timeout && !timeout => timeout = true,
                outcome => break outcome,
            }
        };
        run.reset(&mut frames);
        self.frames = frames;
        let source = &run.states[number * run.width..(number + 1) * run.width];
        match outcome {
            Outcome::Done | Outcome::Full => {}
            Outcome::Nothing if self.rests(source) => {}
            Outcome::Nothing | Outcome::GaveUp => self.interpret(source, number, out)?,
        }
        out.ends.push((out.states.len() / run.width) as u32);
        Ok(())
    }

    /// Starts a call. `taken` must outlive it.
    fn run<'s>(&mut self, states: &'s [u8], taken: &[*mut bool]) -> Run<'s> {
        let width = self.tables.layout.width();
        let mut ctx = Ctx::new(width);
        ctx.taken = taken.as_ptr();
        let processes = (!self.code.grows).then_some(self.tables.slot_bases.len());
        let notes = self.notes.take();
        Run { ctx, states, width, reserve: self.reserve(), notes, processes }
    }

    /// Expands all sources of a run.
    fn expand_all(&mut self, run: &mut Run, sources: usize, out: &mut Batch) -> Result<(), Grow> {
        let (states, width) = (run.states, run.width);
        run.reset(&mut self.frames);
        out.ends.reserve(sources);
        while out.ends.len() < sources && out.cut.is_none() {
            let done = out.ends.len();
            if self.priorities {
                self.see_to(run, done, out)?;
                continue;
            }
            run.aim(&self.tables, sources - done, out);
            run.ctx.ends = out.ends.spare_capacity_mut().as_mut_ptr().cast();
            run.ctx.count = (out.states.len() / width) as u64;
            let rest = states[done * width..].as_ptr_range();
            // SAFETY: the driver of this code; whole states; room by `aim`, and an entry for each
            // source.
            let stopped = unsafe { (self.code.drive)(&mut run.ctx, rest.start, rest.end) };
            let at = (stopped as usize - states.as_ptr() as usize) / width;
            // SAFETY: the driver has written an entry for each source that it went past.
            unsafe { out.ends.set_len(at) };
            run.say_who(&self.tables, done..at, run.ctx.out, out);
            run.keep(out, run.ctx.out);
            if at < sources {
                self.see_to(run, at, out)?;
            }
        }
        Ok(())
    }
}

impl Successors for Compiled {
    type Site = ModelSite;

    fn width(&self) -> usize {
        self.tables.layout.width()
    }

    fn initial(&mut self, faults: &mut Vec<Fault>) -> Vec<u8> {
        self.interpreter.initial(faults)
    }

    fn expand(&mut self, states: &[u8], out: &mut Batch) -> Result<(), Grow> {
        out.clear();
        let width = self.tables.layout.width();
        let sources = states.len() / width;
        assert_eq!(states.len(), sources * width, "states come whole");
        let taken: Vec<*mut bool> = self.taken.iter_mut().map(|flags| flags.as_mut_ptr()).collect();
        let mut run = self.run(states, &taken);
        let expanded = self.expand_all(&mut run, sources, out);
        self.notes = run.notes;
        out.keep_to_limit();
        expanded
    }

    fn size(&self) -> usize {
        self.tables.layout.slots.len()
    }

    fn grow(&mut self, size: usize) {
        self.interpreter.grow(size);
        let layout = self.interpreter.layout();
        let groups = runtime::groups(layout);
        self.tables = Tables::new(self.interpreter.model(), layout, &groups, self.code.tests.clone());
        self.make_room_for_frames();
    }
}

impl Processes for Compiled {
    fn slots(&self) -> usize {
        self.tables.layout.slots.len()
    }

    fn can_grow(&self) -> bool {
        self.tables.layout.can_grow()
    }

    fn process_type(&self, state: &[u8], pid: u32) -> Option<ProcId> {
        self.tables.layout.process_type(state, pid)
    }
}

impl Statistics for Compiled {
    fn taken(&self) -> &[Vec<bool>] {
        Compiled::taken(self)
    }
}

impl ModelGraph for Compiled {
    fn layout(&self) -> &Layout {
        Compiled::layout(self)
    }
}
