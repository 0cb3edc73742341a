//! The accesses and the memory object of a data race or a memory error, with the names and places
//! that a report needs.
//!
//! *Entry points:* [`Describe::race`], [`Describe::memory_error`].
//! *Invariant:* everything is computed from the replayed execution; a search records nothing for
//! it.

use axle_source::Loc;

use axle_c::Type;
use axle_c::code::{Op, StaticKind};
use axle_c::library::{Lib, Operation};

use crate::names::{Leaf, Names, heap_type, joined};
use crate::observers::object_history::{holder, through};
use crate::observers::recorders::{Machine, Recorded};
use crate::state::access::Access;
use crate::state::error_kind::ErrorKind;
use crate::state::error_site::RaceAccess;
use crate::state::object_records::Event;
use crate::state::program_state::ObjectKind;
use crate::trace::{LibrarySteps, TraceStep};

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessKind {
    /// It reads.
    Read,
    /// It writes.
    Write,
    /// It deallocates the object.
    Free,
}

/// An access to memory, for a report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedAccess {
    /// The name of the thread.
    pub thread: String,
    /// What it does.
    pub kind: AccessKind,
    /// Whether it is atomic.
    pub atomic: bool,
    /// Whether the lvalue is volatile; unknown for other errors than data races.
    pub volatile: bool,
    /// The number of bytes; 0 if unknown.
    pub size: u32,
    /// The expression.
    pub loc: Loc,
    /// The statement around it.
    pub statement: Loc,
    /// The function.
    pub function: String,
    /// The name of the accessed bytes.
    pub part: Option<String>,
    /// The locks that the thread holds, by name.
    pub held: Vec<String>,
    /// The step of the trace that makes the access, from 0.
    pub step: Option<usize>,
}

/// A place in the program where a thread allocated or freed an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedEvent {
    /// The name of the thread.
    pub thread: String,
    /// The expression.
    pub loc: Loc,
}

/// A heap block, for a report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedBlock {
    /// The name of the block in traces: `conn_t #1`.
    pub name: String,
    /// The type that the result of the allocation is used as, if it is a structure, union or
    /// enumeration.
    pub ty: Option<String>,
    /// The function that allocated it: `malloc`.
    pub function: &'static str,
    /// The call that allocated it.
    pub allocated: Option<ReportedEvent>,
    /// The call that freed it, if it was freed.
    pub freed: Option<ReportedEvent>,
}

/// The object of a memory error or a data race, for a report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedObject {
    /// The name of the accessed bytes: `current->name`. None if the access is not within a part
    /// that has a name.
    pub part: Option<String>,
    /// The name of the object.
    pub name: String,
    /// The offset of the access in bytes.
    pub offset: i64,
    /// The size of the object in bytes.
    pub size: u32,
    /// The block, if the object was allocated.
    pub block: Option<ReportedBlock>,
}

/// Describes errors in one state.
pub(crate) struct Describe<'m, 'p> {
    pub names: Names<'m, 'p, Recorded>,
    /// The thread at fault, by its place in the state.
    pub thread: usize,
    /// The calls of the library that the execution has made.
    pub library_steps: &'m LibrarySteps,
}

impl<'m, 'p> Describe<'m, 'p> {
    fn machine(&self) -> &'m Machine<'p> {
        self.names.machine
    }

    /// The object of an access to `size` bytes at an offset.
    pub fn object(&self, object: u32, offset: i32, size: u32) -> ReportedObject {
        let machine = self.machine();
        let place = (object, offset);
        let (name, _) = self.names.object(object);
        let fixed = machine.program.statics.get((object as usize).wrapping_sub(1));
        let found = machine.object(object);
        let is_heap = found.is_some_and(|f| matches!(f.kind, ObjectKind::Heap | ObjectKind::Freed));
        let record = self.names.record(object);
        let block = record.filter(|_| is_heap).map(|record| ReportedBlock {
            name: name.clone(),
            ty: heap_type(machine.program, record.site)
                .filter(|ty| matches!(machine.program.types.get(ty.ty), Type::Record(_) | Type::Enum(_)))
                .map(|ty| machine.program.types.show(ty.ty)),
            function: self.allocator(record.site),
            allocated: record.allocated.as_ref().and_then(|event| self.event(event)),
            freed: record.freed.as_ref().and_then(|event| self.event(event)),
        });
        let path = self.names.path(place, size.max(1));
        let held_by = record
            .filter(|_| is_heap)
            .and_then(|record| holder(&self.names, self.thread, object).or_else(|| record.holder.clone()));
        let part = path.map(|path| match &held_by {
            Some(holder) => through(holder, &path),
            None => joined(&name, &path),
        });
        let text = fixed.is_some_and(|fixed| matches!(fixed.kind, StaticKind::Text(_)));
        ReportedObject {
            part: part.filter(|_| !text),
            name,
            offset: offset.into(),
            size: match (fixed, record.filter(|_| is_heap), found) {
                (Some(fixed), ..) => fixed.size,
                (None, Some(record), _) => record.size,
                (None, None, found) => found.map_or(0, |found| found.size),
            },
            block,
        }
    }

    fn allocator(&self, site: u32) -> &'static str {
        match self.op(site >> 20, site & 0xf_ffff) {
            Some(Op::Lib { lib, .. }) => lib.name(),
            _ => Lib::Malloc.name(),
        }
    }

    fn op(&self, code: u32, pc: u32) -> Option<&'p Op> {
        self.machine().program.codes.get(code as usize)?.ops.get(pc as usize)
    }

    fn event(&self, event: &Event) -> Option<ReportedEvent> {
        let code = self.machine().program.codes.get(event.code as usize)?;
        Some(ReportedEvent { thread: event.thread.clone(), loc: *code.locs.get(event.pc as usize)? })
    }

    /// The access of a memory error and its object. `at`: the expression and the statement.
    pub fn memory_error(
        &self,
        error: &ErrorKind,
        faulty: Option<Access>,
        (loc, statement): (Loc, Loc),
        steps: &[TraceStep],
    ) -> Option<(ReportedAccess, ReportedObject)> {
        let is_memory = matches!(
            error,
            ErrorKind::OutOfBounds
                | ErrorKind::UseAfterFree
                | ErrorKind::DanglingStack
                | ErrorKind::WriteToConstant
                | ErrorKind::DoubleFree
                | ErrorKind::InvalidFree
                | ErrorKind::InvalidPointer
        );
        let access = faulty.filter(|_| is_memory)?;
        let reported = ReportedAccess {
            thread: self.names.thread(self.thread),
            kind: match (error, access.write) {
                (ErrorKind::DoubleFree | ErrorKind::InvalidFree, _) => AccessKind::Free,
                (_, true) => AccessKind::Write,
                (_, false) => AccessKind::Read,
            },
            atomic: access.atomic,
            volatile: false,
            size: access.size,
            loc,
            statement,
            function: String::new(),
            part: None,
            held: steps.last().map(|step| step.held.clone()).unwrap_or_default(),
            step: steps.len().checked_sub(1),
        };
        Some((reported, self.object(access.object, access.offset, access.size)))
    }

    /// The two accesses of a data race, each with its step. `executed`: the last step of the trace
    /// makes the first access, and an earlier one the second. Otherwise both are enabled, and steps
    /// are appended for them where needed.
    pub fn race_accesses(
        &self,
        pair: &[RaceAccess; 2],
        executed: bool,
        steps: &mut Vec<TraceStep>,
        held: &[(u32, Vec<String>)],
    ) -> Vec<ReportedAccess> {
        let mut accesses = Vec::new();
        for race in pair {
            let Some(mut access) = self.race(race) else { continue };
            let t = (race.thread != u32::MAX).then(|| self.machine().of_visible_number(race.thread));
            let names = self.names.threads.unwrap_or_default();
            if let Some((number, _)) = t.and_then(|t| names.get(t)) {
                locate(steps, &mut access, *number, executed, held);
            }
            accesses.push(access);
        }
        accesses
    }

    /// The object of a data race. A deallocation accesses the whole object; the other access names
    /// the part.
    pub fn race_object(&self, pair: &[RaceAccess; 2], accesses: &[ReportedAccess]) -> ReportedObject {
        let is_free = |at: usize| accesses.get(at).is_some_and(|access| access.kind == AccessKind::Free);
        let at = usize::from(is_free(0));
        let (one, other) = (pair[at].span, pair[1 - at].span);
        // The first byte in both, and no more than one access of the step.
        let from = if is_free(1 - at) { one.from } else { one.from.max(other.from) };
        let size = accesses.get(at).map_or(one.to - one.from, |access| access.size);
        self.object(one.object, from as i32, size.min(one.to - from))
    }

    /// The expression, the statement and the function of a step of the user's code.
    pub fn user_place(&self, code: u32, pc: u32) -> Option<(Loc, Loc, String)> {
        let code = self.machine().program.codes.get(code as usize)?;
        Some((*code.locs.get(pc as usize)?, *code.statements.get(pc as usize)?, code.name.to_string()))
    }

    /// Where a step that a thread makes or has made is in the user's code; a step of the library
    /// stands for the call of it.
    fn place(&self, t: Option<usize>, step: (u32, u32)) -> Option<(Loc, Loc, String)> {
        let machine = self.machine();
        let present = t.filter(|t| machine.stand(*t) == step);
        let number = t.and_then(|t| self.names.threads?.get(t)).map(|(number, _)| *number);
        let user = match machine.program.codes.get(step.0 as usize)?.ours {
            false => Some(step),
            true => present
                .and_then(|t| machine.user_step(t, step))
                .or_else(|| self.library_steps.call(number, step))
                .or_else(|| machine.user_step(t?, step)),
        };
        user.and_then(|(code, pc)| self.user_place(code, pc))
    }

    /// An access of a data race, without its step.
    pub fn race(&self, access: &RaceAccess) -> Option<ReportedAccess> {
        let known = access.thread != u32::MAX;
        let t = known.then(|| self.machine().of_visible_number(access.thread));
        let (loc, statement, function) = self.place(t, (access.code, access.pc))?;
        let op = self.op(access.code, access.pc);
        let mem = match op {
            Some(
                Op::Load { mem, .. }
                | Op::Store { mem, .. }
                | Op::Exchange { mem, .. }
                | Op::Modify { mem, .. }
                | Op::CompareExchange { mem, .. },
            ) => Some(mem),
            _ => None,
        };
        let size = match mem.filter(|mem| mem.bits.is_none()) {
            Some(mem) => mem.scalar.size.into(),
            None => access.span.to - access.span.from,
        };
        let place = (access.span.object, access.span.from as i32);
        let bits = mem.and_then(|mem| mem.bits);
        let bit_field = bits.and_then(|bits| {
            let (name, leaves) = self.names.leaves(place, size)?;
            let own = |leaf: &Leaf| leaf.bits.is_some_and(|b| (b.shift, b.width) == (bits.shift, bits.width));
            leaves.into_iter().find(own).map(|leaf| joined(&name, &leaf.path))
        });
        let frees = matches!(op.map(Op::operation), Some(Operation::Free | Operation::Reallocate));
        let is_heap = self.names.record(access.span.object).is_some_and(|record| record.number > 0);
        Some(ReportedAccess {
            thread: t.map_or_else(|| "a thread that has ended".to_string(), |t| self.names.thread(t)),
            kind: match (frees && is_heap && access.span.write, access.span.write) {
                (true, _) => AccessKind::Free,
                (false, true) => AccessKind::Write,
                (false, false) => AccessKind::Read,
            },
            atomic: access.atomic,
            volatile: mem.is_some_and(|mem| mem.volatile),
            size,
            loc,
            statement,
            function,
            part: bit_field.or_else(|| self.object(place.0, place.1, size).part),
            held: Vec::new(),
            step: None,
        })
    }
}

/// Finds the step of a trace that makes an access. An access that is enabled and was not executed
/// belongs to the last step of its thread if that is in the same statement; otherwise a step is
/// appended.
fn locate(
    steps: &mut Vec<TraceStep>,
    access: &mut ReportedAccess,
    number: u32,
    executed: bool,
    held: &[(u32, Vec<String>)],
) {
    let is_it = |step: &TraceStep| step.loc == access.statement && step.function == access.function;
    let last = steps.iter().rposition(|step| step.thread == number);
    let made = steps.iter().rposition(|step| step.thread == number && is_it(step));
    let at = made.filter(|_| executed || made == last).unwrap_or_else(|| {
        let held = held.iter().find(|(own, _)| *own == number);
        steps.push(TraceStep {
            thread: number,
            name: access.thread.clone(),
            function: access.function.clone(),
            loc: access.statement,
            transition: steps.last().map_or(0, |step| step.transition),
            reads: Vec::new(),
            changes: Vec::new(),
            notes: Vec::new(),
            held: held.map(|(_, held)| held.clone()).unwrap_or_default(),
            printed: String::new(),
            depth: made.or(last).map_or(0, |at| steps[at].depth),
            enters: Vec::new(),
            letter: Vec::new(),
            inputs: Vec::new(),
        });
        steps.len() - 1
    });
    access.held.clone_from(&steps[at].held);
    access.step = Some(at);
}
