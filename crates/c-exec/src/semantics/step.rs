//! One step of one thread. A step either happens whole or not at all; when it is in trouble the
//! state is not to be used any more.
//!
//! *Entry point:* [`Machine::step`].
//! *Invariant:* The registers and slots of a frame are the last ones of its thread while it is the
//! top frame.

use axle_c::Binary;
use axle_c::code::{Arg, Callee, Class, Home, Mem, Op, Order, Scalar, StaticKind, Stuck};
use axle_c::library::Lib;

use crate::machine::memory::{Exchange, Memory};
use crate::machine::observer::Observer;
use crate::machine::{Execution, Machine};
use crate::semantics::arithmetic::ADDRESS;
use crate::semantics::library::Called;
use crate::state::error_kind::ErrorKind;
use crate::state::outcome::{Choice, Done, Outcome};
use crate::state::program_state::{Frame, ObjectKind};
use crate::state::recorded_accesses::SECTION;
use crate::state::value::Value;

const TOO_LONG: ErrorKind = ErrorKind::Limit("an array of variable length is larger than memory");

/// The step to which `switch` goes on.
fn switch_target(
    value: Value,
    signed: bool,
    cases: &[(u64, u64, u32)],
    default: u32,
) -> Result<u32, ErrorKind> {
    let value = match value {
        Value::Int(value) => value,
        Value::Undef => return Err(ErrorKind::Uninitialised),
        Value::Ptr(..) => return Err(ADDRESS),
    };
    let within = |low: u64, high: u64| match signed {
        true => (low as i64..=high as i64).contains(&(value as i64)),
        false => (low..=high).contains(&value),
    };
    Ok(cases.iter().find(|(low, high, _)| within(*low, *high)).map_or(default, |case| case.2))
}

impl<E: Execution> Machine<'_, E> {
    #[inline]
    pub fn arg(&self, thread: usize, arg: Arg) -> Value {
        match arg {
            Arg::Int(value) => Value::Int(value),
            Arg::Static(object, offset) => Value::Ptr(object, offset),
            Arg::Reg(reg) => {
                let thread = &self.state.threads[thread];
                let base = thread.frames.last().map_or(0, |frame| frame.regs);
                thread.regs[(base + reg) as usize]
            }
        }
    }

    #[inline]
    fn set(&mut self, thread: usize, reg: u32, value: Value) {
        let thread = &mut self.state.threads[thread];
        let base = thread.frames.last().map_or(0, |frame| frame.regs);
        thread.regs[(base + reg) as usize] = value;
    }

    #[inline]
    fn advance(&mut self, thread: usize) {
        if let Some(frame) = self.state.threads[thread].frames.last_mut() {
            frame.pc += 1;
        }
    }

    #[inline]
    fn go(&mut self, thread: usize, to: u32) {
        if let Some(frame) = self.state.threads[thread].frames.last_mut() {
            frame.pc = to;
        }
    }

    /// The step that a thread is about to make, if it is still there.
    #[inline]
    pub fn next_op(&self, thread: usize) -> Option<&Op> {
        let frame = self.state.threads.get(thread)?.frames.last()?;
        self.program.codes[frame.code as usize].ops.get(frame.pc as usize)
    }

    /// Executes the next step of a thread.
    #[inline]
    pub fn step(&mut self, thread: usize, choice: Choice) -> Outcome {
        E::Observer::step(self, thread, |machine| machine.execute(thread, choice))
    }

    /// The step itself, which the observer surrounds with its own work.
    pub fn execute(&mut self, t: usize, choice: Choice) -> Outcome {
        let Some(frame) = self.state.threads[t].frames.last() else { return Ok(Done::Blocked) };
        // The frame is not copied: its `pc` was just written, and a wider load would wait for that.
        let Frame { code, pc, slots, .. } = *frame;
        let body = &self.program.codes[code as usize];
        let Some(op) = body.ops.get(pc as usize) else {
            return Err(ErrorKind::Unsupported("a function without an end"));
        };
        self.site = code << 20 | pc;
        self.mover = t;
        self.observer.begins((t, code, pc));
        self.work += 1;
        match op {
            Op::Move { dst, src } => self.set(t, *dst, self.arg(t, *src)),
            Op::Undefine { dst } => self.set(t, *dst, Value::Undef),
            Op::Unary { dst, op, a, scalar } => {
                let value = self.unary(*op, self.arg(t, *a), *scalar)?;
                self.set(t, *dst, value);
            }
            Op::Binary { dst, op, a, b, scalar } => {
                let value = self.binary(*op, self.arg(t, *a), self.arg(t, *b), *scalar)?;
                self.set(t, *dst, value);
            }
            Op::Convert { dst, a, from, to } => {
                let value = self.convert(self.arg(t, *a), *from, *to)?;
                self.set(t, *dst, value);
            }
            Op::PtrAdd { dst, pointer, index, size, minus } => {
                let value = self.move_pointer(self.arg(t, *pointer), self.arg(t, *index), *size, *minus)?;
                self.set(t, *dst, value);
            }
            Op::PtrDiff { dst, a, b, size } => {
                let value = self.pointer_difference(self.arg(t, *a), self.arg(t, *b), *size)?;
                self.set(t, *dst, value);
            }
            Op::Bits { dst, what, a, scalar } => {
                let value = self.bit_operation(*what, self.arg(t, *a), *scalar)?;
                self.set(t, *dst, value);
            }
            Op::SlotAddress { dst, slot } => {
                let object = self.state.threads[t].slots[(slots + slot) as usize];
                self.set(t, *dst, if object == 0 { Value::Undef } else { Value::Ptr(object, 0) });
            }
            Op::ThreadAddress { dst, index } => {
                let object = self.state.threads[t].storage.get(*index as usize).copied().unwrap_or(0);
                self.set(t, *dst, Value::Ptr(object, 0));
            }
            Op::Load { dst, addr, mem } => {
                let place = self.target(self.arg(t, *addr))?;
                let value = if mem.atomic {
                    E::Memory::atomic_load(self, place, *mem)
                } else {
                    self.load(place, *mem)
                };
                self.set(t, *dst, value?);
            }
            Op::Store { addr, value, mem } => {
                let (place, value) = (self.target(self.arg(t, *addr))?, self.arg(t, *value));
                match mem.atomic {
                    true => E::Memory::atomic_store(self, place, value, *mem)?,
                    false => self.store(place, value, *mem)?,
                }
            }
            Op::Copy { .. } | Op::Zero { .. } | Op::VaStart { .. } | Op::Overflow { .. } => {
                self.store_range(t, op)?
            }
            Op::Exchange { .. } | Op::Modify { .. } => self.read_modify_write(t, op)?,
            Op::CompareExchange { .. } => {
                if let Some(count) = self.compare_exchange(t, op, choice)? {
                    return Ok(Done::Choices(count));
                }
            }
            Op::Fence(order) => E::Memory::fence(self, t, *order),
            Op::Jump(to) => {
                self.go(t, *to);
                return Ok(Done::Next);
            }
            Op::Branch { cond, scalar, yes, no } => {
                let to = if self.truth(self.arg(t, *cond), *scalar)? { *yes } else { *no };
                self.go(t, to);
                return Ok(Done::Next);
            }
            Op::Switch { value, signed, cases, default } => {
                let to = switch_target(self.arg(t, *value), *signed, cases, *default)?;
                self.go(t, to);
                return Ok(Done::Next);
            }
            Op::Call { dst, into, callee, args, sizes } => {
                let callee = self.arg(t, *callee);
                let into = into.map_or(Value::Undef, |into| self.arg(t, into));
                let values: Vec<Value> = args.iter().map(|arg| self.arg(t, *arg)).collect();
                return self.call(t, *dst, into, callee, &values, sizes, choice);
            }
            Op::Return { value } => {
                let value = value.map_or(Value::Undef, |value| self.arg(t, value));
                return self.return_from(t, value);
            }
            Op::Lib { dst, lib, args } => {
                self.changes += 1;
                let values: Vec<Value> = args.iter().map(|arg| self.arg(t, *arg)).collect();
                return self.library_step(t, Some(*dst), *lib, &values, choice);
            }
            Op::Live { slot } => {
                let size = body.slots[*slot as usize].size;
                self.begin_slot(t, slots + slot, size)?;
            }
            Op::LiveVla { slot, count, size } => {
                self.begin_array(t, (code, slots + slot), *slot, (*count, *size))?
            }
            Op::Dead { slot } => self.end_slot(t, slots + slot),
            Op::Bound { .. } | Op::Distinct { .. } | Op::Stuck(_) => self.check(t, op)?,
        }
        self.advance(t);
        Ok(Done::Next)
    }

    /// An operation that stores to memory other than one scalar.
    fn store_range(&mut self, t: usize, op: &Op) -> Result<(), ErrorKind> {
        match op {
            Op::Copy { to, from, size } => {
                let (to, from) = (self.target(self.arg(t, *to))?, self.target(self.arg(t, *from))?);
                // A value is stored in an object that is the one it came from, or has no byte of it
                // (6.5.16.1p3).
                let apart = u64::from(to.1.abs_diff(from.1));
                if to.0 == from.0 && apart > 0 && apart < *size {
                    return Err(ErrorKind::Overlap);
                }
                self.copy(to, from, *size)
            }
            Op::Zero { to, size } => {
                let to = self.target(self.arg(t, *to))?;
                self.fill(to, 0, *size)
            }
            Op::VaStart { list } => {
                let place = self.target(self.arg(t, *list))?;
                let varargs = self.state.threads[t].frames.last().map_or(0, |frame| frame.varargs);
                let value = if varargs == 0 { Value::Int(0) } else { Value::Ptr(varargs, 0) };
                self.store(place, value, self.pointer_mem())
            }
            Op::Overflow { dst, op, a, b, sa, sb, to, mem } => {
                let (value, over) =
                    self.overflow(*op, (self.arg(t, *a), *sa), (self.arg(t, *b), *sb), mem.scalar)?;
                let place = self.target(self.arg(t, *to))?;
                self.store(place, value, *mem)?;
                self.set(t, *dst, Value::Int(over.into()));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// An atomic exchange, or an atomic operation that computes the new value from the old one.
    fn read_modify_write(&mut self, t: usize, op: &Op) -> Result<(), ErrorKind> {
        match op {
            Op::Exchange { dst, addr, value, mem } => {
                let (place, value) = (self.target(self.arg(t, *addr))?, self.arg(t, *value));
                let (old, _) = E::Memory::modify(self, place, *mem, false, |_, _| Ok(value))?;
                self.set(t, *dst, old);
            }
            Op::Modify { dst, op, fetch, addr, value, mem, work, size } => {
                let (place, amount) = (self.target(self.arg(t, *addr))?, self.arg(t, *value));
                let counter = self.is_counter(t);
                let (old, new) = E::Memory::modify(self, place, *mem, counter, |machine, old| match size {
                    Some(size) => machine.move_pointer(old, amount, *size, *op == Binary::Sub),
                    None => machine.wrapping(*op, (old, amount), mem.scalar, *work),
                })?;
                self.set(t, *dst, if *fetch { old } else { new });
            }
            _ => {}
        }
        Ok(())
    }

    /// Atomic arithmetic wraps around (7.17.7.5p3). It is done in the type `work`.
    fn wrapping(
        &self,
        op: Binary,
        (old, amount): (Value, Value),
        scalar: Scalar,
        work: Scalar,
    ) -> Result<Value, ErrorKind> {
        let wide = self.convert(old, scalar, work)?;
        let sum = match work.is_signed() {
            true => {
                let unsigned = Scalar { class: Class::Unsigned, ..work };
                let (x, y) = (self.convert(wide, work, unsigned)?, self.convert(amount, work, unsigned)?);
                let sum = self.binary(op, x, y, unsigned)?;
                self.convert(sum, unsigned, work)?
            }
            false => self.binary(op, wide, amount, work)?,
        };
        self.convert(sum, work, scalar)
    }

    /// A compare-and-exchange; the number of its alternatives where they are asked for.
    fn compare_exchange(&mut self, t: usize, op: &Op, choice: Choice) -> Result<Option<u32>, ErrorKind> {
        let Op::CompareExchange { old, done, addr, expected, desired, mem, weak, failure } = op else {
            return Ok(None);
        };
        let place = self.target(self.arg(t, *addr))?;
        let (expected, desired) = (self.arg(t, *expected), self.arg(t, *desired));
        let (found, exchange) =
            E::Memory::compare_exchange(self, place, (*mem, *failure), |machine, found| {
                if found == Value::Undef || expected == Value::Undef {
                    return Err(ErrorKind::Uninitialised);
                }
                if machine.is_cut(expected, mem.scalar) {
                    return Err(ADDRESS);
                }
                let is_equal = found == expected;
                let may_fail = *weak && is_equal && machine.settings.spurious_wakeups;
                Ok(match choice {
                    Choice::Ask if may_fail => Exchange::Choices(2),
                    Choice::Take(1..) if may_fail => Exchange::Keep,
                    _ if is_equal => Exchange::Store(desired),
                    _ => Exchange::Keep,
                })
            })?;
        if let Exchange::Choices(count) = exchange {
            return Ok(Some(count));
        }
        self.set(t, *old, found);
        self.set(t, *done, Value::Int(matches!(exchange, Exchange::Store(_)).into()));
        Ok(None)
    }

    /// The lifetime of an automatic object begins.
    fn begin_slot(&mut self, t: usize, slot: u32, size: u64) -> Result<(), ErrorKind> {
        self.end_slot(t, slot);
        let object = self.allocate(size, ObjectKind::Stack)?;
        self.state.threads[t].slots[slot as usize] = object;
        Ok(())
    }

    /// The lifetime of an array of variable length begins, or that of a block of `alloca`.
    fn begin_array(
        &mut self,
        t: usize,
        (code, at): (u32, u32),
        slot: u32,
        (count, size): (Arg, u64),
    ) -> Result<(), ErrorKind> {
        let stays = self.program.codes[code as usize].slots[slot as usize].stays;
        if stays && self.state.threads[t].slots[at as usize] != 0 {
            return Err(ErrorKind::Unsupported(
                "`alloca` more than once at one place in a call of a function",
            ));
        }
        // The old array ends before an error of the new one.
        self.end_slot(t, at);
        let count = self.number(self.arg(t, count))?;
        self.begin_slot(t, at, count.checked_mul(size).ok_or(TOO_LONG)?)
    }

    /// An operation that only checks a condition of C.
    fn check(&mut self, t: usize, op: &Op) -> Result<(), ErrorKind> {
        match op {
            Op::Bound { index, length } => {
                let (index, length) = (self.number(self.arg(t, *index))?, self.number(self.arg(t, *length))?);
                if index >= length {
                    self.observer.index_faults(index as i64, length);
                    return Err(ErrorKind::OutOfBounds);
                }
            }
            Op::Distinct { a, b, sizes } => {
                if let (Value::Ptr(one, at), Value::Ptr(other, from)) = (self.arg(t, *a), self.arg(t, *b))
                    && one == other
                    && i64::from(at) < i64::from(from) + i64::from(sizes.1)
                    && i64::from(from) < i64::from(at) + i64::from(sizes.0)
                {
                    return Err(ErrorKind::Unsequenced);
                }
            }
            Op::Stuck(stuck) => return Err(self.stuck(*stuck)),
            _ => {}
        }
        Ok(())
    }

    /// The error of an operation that has no meaning.
    fn stuck(&self, stuck: Stuck) -> ErrorKind {
        match stuck {
            Stuck::Unreachable => ErrorKind::Unreachable,
            Stuck::NoValue => ErrorKind::NoValue,
            Stuck::NoLabel => ErrorKind::NoLabel,
            Stuck::NoElements => ErrorKind::NoElements,
            Stuck::TooLong => TOO_LONG,
            Stuck::Unsequenced => ErrorKind::Unsequenced,
            Stuck::Unsupported(number) => {
                ErrorKind::Refused(self.program.unsupported[number as usize].to_string())
            }
            Stuck::NoBody(number) => ErrorKind::NoBody(self.program.missing[number as usize].0.to_string()),
        }
    }

    /// Whether an operation is a relaxed counter of which only its effect matters.
    fn is_counter(&self, t: usize) -> bool {
        let Some(frame) = self.state.threads[t].frames.last() else { return false };
        let code = &self.program.codes[frame.code as usize];
        match code.ops.get(frame.pc as usize) {
            Some(Op::Modify { dst, op: Binary::Add | Binary::Sub, mem, .. }) => {
                mem.order == Order::Relaxed && !axle_c::analysis::liveness::is_live(code, frame.pc + 1, *dst)
            }
            _ => false,
        }
    }

    fn library_step(
        &mut self,
        t: usize,
        dst: Option<u32>,
        lib: Lib,
        args: &[Value],
        choice: Choice,
    ) -> Outcome {
        match self.library(t, lib, args, choice)? {
            Called::Value(value) => {
                if let Some(dst) = dst {
                    self.set(t, dst, value);
                }
                self.advance(t);
                Ok(Done::Next)
            }
            Called::Waiting | Called::Gone => Ok(Done::Next),
            Called::Blocked => Ok(Done::Blocked),
            Called::Choices(count) => Ok(Done::Choices(count)),
            Called::Discarded => Ok(Done::Discarded),
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of a call")]
    fn call(
        &mut self,
        t: usize,
        dst: Option<u32>,
        into: Value,
        callee: Value,
        args: &[Value],
        sizes: &[u8],
        choice: Choice,
    ) -> Outcome {
        match self.function(callee)? {
            Ok(code) => {
                if self.state.threads[t].frames.len() >= self.settings.stack_depth {
                    return Err(ErrorKind::Limit("calls are nested too deeply"));
                }
                self.enter(t, code, args, sizes, into)?;
                Ok(Done::Next)
            }
            // Of the functions that end the program only `exit` runs what `atexit` was asked for;
            // here they are one.
            Err(Lib::Exit) if self.program.ends => Err(ErrorKind::Unsupported(
                "the program is ended through a pointer to a function, and uses `atexit`",
            )),
            Err(lib) => self.library_step(t, dst, lib, args, choice),
        }
    }

    /// What a pointer to a function leads to: code, or the library.
    pub fn function(&self, callee: Value) -> Result<Result<u32, Lib>, ErrorKind> {
        let Value::Ptr(object, 0) = callee else {
            return Err(if callee == Value::Undef { ErrorKind::Uninitialised } else { ErrorKind::BadCall });
        };
        let fixed = self.program.statics.get((object as usize).wrapping_sub(1)).ok_or(ErrorKind::BadCall)?;
        match fixed.kind {
            StaticKind::Function(Callee::Code(code)) => Ok(Ok(code)),
            StaticKind::Function(Callee::Library(lib)) => Ok(Err(lib)),
            StaticKind::Function(Callee::Undefined) => Err(ErrorKind::NoBody(fixed.name.to_string())),
            StaticKind::Text(_) | StaticKind::Variable(_) => Err(ErrorKind::BadCall),
        }
    }

    /// Starts a call of `code` on a thread.
    pub fn enter(
        &mut self,
        t: usize,
        code: u32,
        args: &[Value],
        sizes: &[u8],
        into: Value,
    ) -> Result<(), ErrorKind> {
        let called = &self.program.codes[code as usize];
        if args.len() < called.params.len() {
            return Err(ErrorKind::BadCall);
        }
        let thread = &mut self.state.threads[t];
        let frame = Frame {
            code,
            pc: 0,
            regs: thread.regs.len() as u32,
            slots: thread.slots.len() as u32,
            varargs: 0,
            into,
        };
        thread.regs.resize(thread.regs.len() + called.regs as usize, Value::Undef);
        thread.slots.resize(thread.slots.len() + called.slots.len(), 0);
        thread.frames.push(frame);
        for (home, &value) in called.params.iter().zip(args) {
            match home {
                Home::Reg(reg) => self.set(t, *reg, value),
                Home::Slot(slot, mem) => {
                    let object = self.allocate(mem.scalar.size.into(), ObjectKind::Stack)?;
                    self.state.threads[t].slots[(frame.slots + slot) as usize] = object;
                    self.store((object, 0), value, *mem)?;
                }
                Home::Record(slot, size) => {
                    let object = self.allocate(*size, ObjectKind::Stack)?;
                    self.state.threads[t].slots[(frame.slots + slot) as usize] = object;
                    let from = self.target(value)?;
                    self.copy((object, 0), from, *size)?;
                }
            }
        }
        if called.variadic && args.len() > called.params.len() {
            let rest = &args[called.params.len()..];
            let object = self.allocate(8 * rest.len() as u64, ObjectKind::Stack)?;
            for (index, value) in rest.iter().enumerate() {
                let wide = sizes.get(called.params.len() + index).copied().unwrap_or(8);
                let size = match value {
                    Value::Ptr(..) => self.pointer_size() as u8,
                    Value::Int(_) => 8,
                    Value::Undef => wide.max(1),
                };
                let scalar = Scalar { size, class: Class::Unsigned };
                self.store((object, 8 * index as i32), *value, Mem::plain(scalar))?;
            }
            if let Some(frame) = self.state.threads[t].frames.last_mut() {
                frame.varargs = object;
            }
        }
        if called.atomic && self.state.atomic == 0 {
            self.observer.depends_on_all();
            self.state.atomic = t as u32 + 1;
            self.acquire(t, SECTION);
        }
        Ok(())
    }

    fn return_from(&mut self, t: usize, value: Value) -> Outcome {
        let Some(&frame) = self.state.threads[t].frames.last() else { return Ok(Done::Blocked) };
        let code = &self.program.codes[frame.code as usize];
        if code.returns_record > 0 {
            let (to, from) = (self.target(frame.into)?, self.target(value)?);
            self.copy(to, from, code.returns_record)?;
        }
        let thread = &self.state.threads[t];
        // With the variables of `main` everything ends.
        self.state.done = thread.main && !thread.cleaned && thread.frames.len() == 1;
        self.pop_frame(t);
        if code.atomic {
            let nested = self.state.threads[t]
                .frames
                .iter()
                .any(|frame| self.program.codes[frame.code as usize].atomic);
            if !nested {
                self.state.atomic = 0;
                self.release(t, SECTION);
            }
        }
        let Some(&caller) = self.state.threads[t].frames.last() else { return self.end_thread(t, value) };
        let op = &self.program.codes[caller.code as usize].ops[caller.pc as usize];
        if let Op::Call { dst: Some(dst), .. } = op {
            self.set(t, *dst, value);
        }
        self.advance(t);
        Ok(Done::Next)
    }

    /// Ends the objects of the top frame, and drops it.
    pub fn pop_frame(&mut self, t: usize) {
        let Some(frame) = self.state.threads[t].frames.pop() else { return };
        for slot in frame.slots as usize..self.state.threads[t].slots.len() {
            self.end_slot(t, slot as u32);
        }
        self.ends(frame.varargs);
        if let Some(object) = self.object_mut(frame.varargs) {
            object.kind = ObjectKind::DeadStack;
        }
        let thread = &mut self.state.threads[t];
        thread.slots.truncate(frame.slots as usize);
        thread.regs.truncate(frame.regs as usize);
    }

    fn end_slot(&mut self, t: usize, slot: u32) {
        let object = std::mem::take(&mut self.state.threads[t].slots[slot as usize]);
        self.ends(object);
        if let Some(object) = self.object_mut(object) {
            object.kind = ObjectKind::DeadStack;
        }
    }
}
