//! Finds the steps that access variables by name, and the accessed offsets: whole variables,
//! members, array elements. A variable whose address has any other use (stored in memory, returned
//! from a function) is excluded. Thread-local variables of one name are merged over all threads,
//! automatic variables over all calls of their function.
//!
//! *Entry point:* [`Places::new`].
//! *Source:* constant propagation of addresses (Kildall 1973) with array elements as additional
//! values. The analysis enters functions that are only called or started as threads by name, if all
//! call sites pass addresses in one variable.
//! *Invariant:* the list of a variable that is not `taken` contains every access except its
//! initialisation. An address computed from the address of a variable points into that variable or
//! is invalid: an access outside it, or an index outside an inner array, is a violation.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::liveness::is_live;
use crate::code::{Arg, Class, Code, Home, Mem, Op, Reg, Static, StaticKind};
use crate::library::{Start, Touches};
use crate::operators::Binary;

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Object {
    /// An object with static storage duration, by number.
    Static(u32),
    /// A thread-local variable.
    Thread(u32),
    /// An automatic variable in memory, by function and slot.
    Slot(u32, u32),
}

/// A set of offsets in a variable: from the first to the last in multiples of `step`; a single
/// offset if `step` is 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Range {
    first: i64,
    last: i64,
    step: i64,
}

/// The abstract value of an address.
type Known = (Object, Range);

/// A step that accesses a variable.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub range: Range,
    bytes: i64,
    /// `None` for accesses other than loads and stores.
    mem: Option<Mem>,
    /// Function and step.
    pub place: (u32, u32),
    pub kind: AccessKind,
}

/// The kind of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessKind {
    Load,
    Store,
    /// Sets bytes to 0.
    Clear,
    /// Lock operations, and steps that read and write.
    Other,
}

/// The overlap of two accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meet {
    /// Disjoint bytes.
    Never,
    /// Identical bytes with the same type, or disjoint bytes.
    Same,
    Partly,
}

/// The accesses to the variables of a program.
#[derive(Default)]
pub struct Places {
    /// The address of each load and store by name.
    at: FxHashMap<(u32, u32), Known>,
    accesses: FxHashMap<Object, Vec<Access>>,
    taken: FxHashSet<Object>,
    /// Functions with uses other than calls and thread creation by name.
    open: FxHashSet<u32>,
    /// The address passed to each parameter register of the other functions; `None` if unknown.
    given: FxHashMap<(u32, Reg), Option<Known>>,
    /// Functions with a known call.
    reached: FxHashSet<u32>,
}

/// Functions with unknown callers: their address is used for more than calls and thread creation.
fn open(codes: &[Code], statics: &[Static], taken: &FxHashSet<Object>) -> FxHashSet<u32> {
    let function = |object: u32| statics.get((object as usize).wrapping_sub(1))?.kind.code();
    let mut open: FxHashSet<u32> = (taken.iter())
        .filter_map(|object| match object {
            Object::Static(object) => function(*object),
            Object::Thread(_) | Object::Slot(..) => None,
        })
        .collect();
    for op in codes.iter().flat_map(|code| &code.ops) {
        let spoken_for = match op {
            Op::Call { callee, .. } => Some(*callee),
            Op::Lib { lib, args, .. } => lib.row().start.and_then(|start| args.get(start.function).copied()),
            _ => None,
        };
        let mut first = true;
        op.operands(|arg| {
            if let Arg::Static(object, _) = arg
                && !(Some(arg) == spoken_for && std::mem::take(&mut first))
            {
                open.extend(function(object));
            }
        });
    }
    open
}

impl Range {
    fn one(offset: i64) -> Range {
        Range { first: offset, last: offset, step: 0 }
    }

    /// All offsets congruent to those of the range modulo `step`.
    fn whole(self, step: i64) -> Range {
        let step = gcd(self.step, step).max(1);
        Range { first: self.first.rem_euclid(step), last: i64::MAX / 2, step }
    }

    fn shifted(self, by: i64) -> Option<Range> {
        if self.last > i64::MAX / 4 {
            return Some(Range { first: self.first.checked_add(by)?, ..self }.whole(0));
        }
        Some(Range { first: self.first.checked_add(by)?, last: self.last.checked_add(by)?, ..self })
    }

    fn join(self, other: Range) -> Range {
        if self == other {
            return self;
        }
        self.whole(gcd(other.step, self.first - other.first))
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.unsigned_abs().min(i64::MAX as u64) as i64 } else { gcd(b, a % b) }
}

impl Access {
    pub fn meet(&self, other: &Access) -> Meet {
        let apart = |a: &Access, b: &Access| a.range.last.saturating_add(a.bytes) <= b.range.first;
        if apart(self, other) || apart(other, self) {
            return Meet::Never;
        }
        if other.kind == AccessKind::Clear {
            return self.cleared(other.range.first, other.range.first.saturating_add(other.bytes));
        }
        let whole = |mem: Option<Mem>| mem.filter(|mem| mem.bits.is_none()).map(|mem| mem.scalar);
        let same = whole(self.mem).is_some() && whole(self.mem) == whole(other.mem);
        let step = gcd(self.range.step, other.range.step);
        let between = other.range.first - self.range.first;
        if step == 0 {
            return if same && between == 0 { Meet::Same } else { Meet::Partly };
        }
        let between = between.rem_euclid(step);
        if between >= self.bytes && step - between >= other.bytes {
            return Meet::Never;
        }
        if same && between == 0 && step >= self.bytes { Meet::Same } else { Meet::Partly }
    }
}

impl Access {
    /// The overlap with bytes that are set to 0: `Same` if each accessed scalar is cleared
    /// completely or not at all.
    fn cleared(&self, from: i64, to: i64) -> Meet {
        let cuts = |at: i64| {
            let into = match self.range.step {
                0 => at - self.range.first,
                step => (at - self.range.first).rem_euclid(step),
            };
            (1..self.bytes).contains(&into)
        };
        if cuts(from) || cuts(to) { Meet::Partly } else { Meet::Same }
    }
}

impl Places {
    /// `pointers` are the static objects whose addresses occur in initial values.
    pub fn new(codes: &[Code], statics: &[Static], pointers: impl Iterator<Item = u32>, main: u32) -> Places {
        let mut places = Places { taken: pointers.map(Object::Static).collect(), ..Places::default() };
        // Functions with unknown callers start without known addresses.
        places.open = open(codes, statics, &places.taken);
        let mut work: Vec<u32> = vec![main];
        let mut all = vec![None; codes.len()];
        loop {
            while let Some(number) = work.pop() {
                let Some(code) = codes.get(number as usize) else { continue };
                let mut flow =
                    Flow { places: &mut places, codes, statics, code, number, states: BTreeMap::new() };
                work.extend(flow.run());
                all[number as usize] = Some(flow.states);
            }
            // A call with unknown arguments.
            match all.iter().position(Option::is_none) {
                Some(rest) => {
                    places.open.insert(rest as u32);
                    work.push(rest as u32);
                }
                None => break,
            }
        }
        for (number, (code, states)) in codes.iter().zip(all).enumerate() {
            let number = number as u32;
            let mut flow =
                Flow { places: &mut places, codes, statics, code, number, states: BTreeMap::new() };
            for (pc, state) in states.into_iter().flatten() {
                flow.record(pc, &state);
            }
        }
        places
    }

    /// The access of a step, if it is by name and all accesses to the variable are known.
    pub fn access(&self, place: (u32, u32)) -> Option<(Object, Access)> {
        let (object, _) = *self.at.get(&place)?;
        let access = self.accesses.get(&object)?.iter().find(|access| access.place == place)?;
        (!self.taken.contains(&object)).then_some((object, *access))
    }

    /// All accesses to a variable.
    pub fn accesses(&self, object: Object) -> &[Access] {
        self.accesses.get(&object).map_or(&[], Vec::as_slice)
    }
}

struct Flow<'a> {
    places: &'a mut Places,
    codes: &'a [Code],
    statics: &'a [Static],
    code: &'a Code,
    number: u32,
    /// The addresses in registers before each reached step.
    states: BTreeMap<u32, BTreeMap<Reg, Known>>,
}

impl Flow<'_> {
    /// Runs the analysis of one function; returns the functions that must be analysed again.
    fn run(&mut self) -> Vec<u32> {
        let mut first = BTreeMap::new();
        for home in &self.code.params {
            if let Home::Reg(reg) = home
                && let Some(Some(known)) = self.places.given.get(&(self.number, *reg))
                && !self.places.open.contains(&self.number)
            {
                first.insert(*reg, *known);
            }
        }
        self.states.insert(0, first);
        let mut work = vec![0];
        while let Some(pc) = work.pop() {
            let (Some(mut state), Some(op)) = (self.states.get(&pc).cloned(), self.code.ops.get(pc as usize))
            else {
                continue;
            };
            let result = self.result(pc, op, &state);
            for reg in op.writes().into_iter().flatten() {
                state.remove(&reg);
            }
            if let ([Some(dst), None], Some(known)) = (op.writes(), result) {
                state.insert(dst, known);
            }
            let mut next = Vec::new();
            op.successors(pc, |to| next.push(to));
            for to in next {
                if self.arrive(to, &state) {
                    work.push(to);
                }
            }
        }
        let mut callees = Vec::new();
        for (pc, state) in self.states.clone() {
            self.pass(pc, &state, &mut callees);
        }
        callees
    }

    /// The function that a step calls or starts as a thread, with its arguments.
    fn call(&self, op: &Op) -> Option<(u32, Vec<Arg>)> {
        let (callee, args) = match op {
            Op::Call { callee, args, .. } => (*callee, args.to_vec()),
            Op::Lib { lib, args, .. } => {
                let start = lib.row().start?;
                (*args.get(start.function)?, args.get(start.argument).copied().into_iter().collect())
            }
            _ => return None,
        };
        let Arg::Static(object, 0) = callee else { return None };
        let code = self.statics.get((object as usize).checked_sub(1)?)?.kind.code()?;
        Some((code, args))
    }

    /// The register of a parameter, if all callers are known.
    fn finds(&self, code: u32, argument: usize) -> Option<Reg> {
        match self.codes.get(code as usize)?.params.get(argument)? {
            Home::Reg(reg) if !self.places.open.contains(&code) => Some(*reg),
            _ => None,
        }
    }

    /// Propagates arguments to the callee, which is analysed again if they changed.
    fn pass(&mut self, pc: u32, state: &BTreeMap<Reg, Known>, callees: &mut Vec<u32>) {
        let Some((code, args)) = self.code.ops.get(pc as usize).and_then(|op| self.call(op)) else { return };
        let mut news = self.places.reached.insert(code);
        let params = self.codes.get(code as usize).map_or(0, |code| code.params.len());
        for index in 0..params {
            let Some(reg) = self.finds(code, index) else { continue };
            let now = args.get(index).and_then(|arg| self.known(arg, state));
            let joined = match (self.places.given.get(&(code, reg)), now) {
                (None, now) => now,
                (Some(Some((a, at))), Some((b, and))) if *a == b => Some((b, at.join(and))),
                (Some(before), now) => {
                    let lost = [*before, now].into_iter().flatten().map(|(object, _)| object);
                    self.places.taken.extend(lost);
                    None
                }
            };
            news |= self.places.given.insert((code, reg), joined) != Some(joined);
        }
        if news {
            callees.push(code);
        }
    }

    /// Propagates addresses to a step; true if its state changed.
    fn arrive(&mut self, to: u32, state: &BTreeMap<Reg, Known>) -> bool {
        let live = |reg: &Reg| is_live(self.code, to, *reg);
        let state: BTreeMap<Reg, Known> =
            state.iter().filter(|(reg, _)| live(reg)).map(|(reg, known)| (*reg, *known)).collect();
        let Some(before) = self.states.get(&to) else {
            self.states.insert(to, state);
            return true;
        };
        let mut joined = BTreeMap::new();
        for reg in before.keys().chain(state.keys()) {
            match (before.get(reg), state.get(reg)) {
                (Some((a, at)), Some((b, and))) if a == b => {
                    joined.insert(*reg, (*a, at.join(*and)));
                }
                // Different values on the two paths: the address is no longer tracked.
                (a, b) => self.places.taken.extend([a, b].into_iter().flatten().map(|(object, _)| *object)),
            }
        }
        let news = joined != *before;
        self.states.insert(to, joined);
        news
    }

    /// The address that an operand holds.
    fn known(&self, arg: &Arg, state: &BTreeMap<Reg, Known>) -> Option<Known> {
        match arg {
            Arg::Reg(reg) => state.get(reg).copied(),
            Arg::Static(object, offset) => {
                let fixed = self.statics.get((*object as usize).wrapping_sub(1))?;
                let variable = matches!(fixed.kind, StaticKind::Variable(_));
                variable.then(|| (Object::Static(*object), Range::one((*offset).into())))
            }
            Arg::Int(_) => None,
        }
    }

    /// The address that a step computes, if the step has no other use of its address operands.
    fn result(&self, pc: u32, op: &Op, state: &BTreeMap<Reg, Known>) -> Option<Known> {
        match op {
            Op::SlotAddress { slot, .. } => Some((Object::Slot(self.number, *slot), Range::one(0))),
            Op::ThreadAddress { index, .. } => Some((Object::Thread(*index), Range::one(0))),
            Op::Move { src, .. } => self.known(src, state),
            Op::Convert { a, from, to, .. } if from.class == Class::Pointer && from == to => {
                self.known(a, state)
            }
            Op::PtrAdd { pointer, index, size, minus, .. } => {
                let (object, range) = self.known(pointer, state)?;
                let size = i64::try_from(*size).ok()?;
                let made = match index {
                    Arg::Int(index) => {
                        let by = (*index as i64).checked_mul(size)?;
                        range.shifted(if *minus { by.checked_neg()? } else { by })?
                    }
                    _ => match self.bound(pc, index) {
                        // An index cannot leave an inner array.
                        Some(length) if range.step == 0 && !minus && size > 0 => {
                            let last = length.saturating_sub(1).checked_mul(size)?;
                            Range { first: range.first, last: range.first.checked_add(last)?, step: size }
                        }
                        _ => range.whole(size),
                    },
                };
                Some((object, made))
            }
            _ => None,
        }
    }

    /// The number of elements, if the preceding step checks the index against it.
    fn bound(&self, pc: u32, index: &Arg) -> Option<i64> {
        match self.code.ops.get(pc.checked_sub(1)? as usize)? {
            Op::Bound { index: of, length: Arg::Int(length) } if of == index => i64::try_from(*length).ok(),
            _ => None,
        }
    }

    /// Records the accesses of a step.
    fn record(&mut self, pc: u32, state: &BTreeMap<Reg, Known>) {
        let Some(op) = self.code.ops.get(pc as usize) else { return };
        let place = (self.number, pc);
        let access = |range, bytes, mem, kind| Access { range, bytes, mem, place, kind };
        match op {
            Op::Load { addr, mem, .. } => {
                if let Some((object, range)) = self.known(addr, state) {
                    self.places.at.insert(place, (object, range));
                    self.note(object, access(range, width(*mem), Some(*mem), AccessKind::Load));
                }
            }
            Op::Store { addr, value, mem } => {
                if let Some((object, range)) = self.known(addr, state) {
                    self.places.at.insert(place, (object, range));
                    self.note(object, access(range, width(*mem), Some(*mem), AccessKind::Store));
                }
                self.give_up(value, state);
            }
            Op::Lib { lib, args, .. } if lib.touches() == Touches::Synchronisation => {
                for (index, arg) in args.iter().enumerate() {
                    if let Some((object, range)) = self.known(arg, state) {
                        let bytes = if index == 0 { lib.row().object_bytes } else { LARGEST_OBJECT };
                        self.note(object, access(range, bytes, None, AccessKind::Other));
                    }
                }
            }
            Op::Modify { addr, value, mem, .. } | Op::Exchange { addr, value, mem, .. } => {
                if let Some((object, range)) = self.known(addr, state) {
                    self.note(object, access(range, width(*mem), None, AccessKind::Other));
                }
                self.give_up(value, state);
            }
            Op::CompareExchange { addr, expected, desired, mem, .. } => {
                if let Some((object, range)) = self.known(addr, state) {
                    self.note(object, access(range, width(*mem), None, AccessKind::Other));
                }
                [expected, desired].into_iter().for_each(|arg| self.give_up(arg, state));
            }
            Op::Zero { to, size } => match (self.known(to, state), i64::try_from(*size)) {
                (Some((object, range)), Ok(size)) if range.step == 0 => {
                    self.note(object, access(range, size, None, AccessKind::Clear));
                }
                _ => self.give_up(to, state),
            },
            Op::Call { callee, into, args, .. } => {
                let called = self.call(op).map(|(code, _)| code);
                [Some(callee), into.as_ref()].into_iter().flatten().for_each(|arg| self.give_up(arg, state));
                for (index, arg) in args.iter().enumerate() {
                    if called.is_none_or(|code| self.finds(code, index).is_none()) {
                        self.give_up(arg, state);
                    }
                }
            }
            Op::Lib { lib, args, .. } if let Some(Start { argument: given, .. }) = lib.row().start => {
                let called = self.call(op).map(|(code, _)| code);
                for (index, arg) in args.iter().enumerate() {
                    match self.known(arg, state) {
                        // The thread id.
                        Some((object, range)) if index == 0 => {
                            self.note(object, access(range, 8, None, AccessKind::Other));
                        }
                        _ if index == given && called.is_some_and(|code| self.finds(code, 0).is_some()) => {}
                        _ => self.give_up(arg, state),
                    }
                }
            }
            // Comparing addresses, or computing a tracked one, accesses no memory.
            Op::Distinct { .. } | Op::PtrDiff { .. } => {}
            Op::Binary {
                op: Binary::Eq | Binary::Ne | Binary::Lt | Binary::Gt | Binary::Le | Binary::Ge,
                ..
            } => {}
            _ if self.result(pc, op, state).is_some() => {
                if let Op::PtrAdd { index, .. } = op {
                    self.give_up(index, state);
                }
            }
            _ => {
                let mut given = Vec::new();
                op.operands(|arg| given.push(arg));
                given.iter().for_each(|arg| self.give_up(arg, state));
            }
        }
    }

    fn note(&mut self, object: Object, access: Access) {
        self.places.accesses.entry(object).or_default().push(access);
    }

    fn give_up(&mut self, arg: &Arg, state: &BTreeMap<Reg, Known>) {
        let known = self.known(arg, state);
        self.places.taken.extend(known.map(|(object, _)| object));
    }
}

/// Upper bound on the bytes that a library function accesses in an object whose address is not in its
/// first argument.
const LARGEST_OBJECT: i64 = 24;

/// The size of a scalar in bytes; for a bit-field the number of bytes it may span.
fn width(mem: Mem) -> i64 {
    if mem.bits.is_some() { 16 } else { mem.scalar.size.into() }
}
