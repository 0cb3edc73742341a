//! Addresses: which variable a register points to, which variables no pointer refers to, and which
//! functions a step may call or start.
//!
//! *Entry point:* [`Addresses::of`].
//!
//! A forward data flow gives each register the variable whose address it holds. An address that is
//! stored, passed on or computed with *escapes*: a pointer may refer to the variable.
//! *Invariant:* an access through a pointer is an access to a variable whose address escapes, or to the
//! variable that the analysis names.

use crate::code::{Arg, Code, Op, StaticKind};
use crate::library::{Role, Touches};
use crate::operators::Binary;
use crate::program::Program;

/// Maximum memory of the register facts, in words.
const MOST_WORDS: usize = 4 << 20;

/// The object that a register may point to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Base {
    /// No variable.
    Nothing,
    /// This variable.
    Static(u32),
    /// This automatic object of a function.
    Slot(u32, u32),
    /// Any variable whose address escapes.
    Unknown,
}

/// The addresses of a program.
pub(super) struct Addresses<'p> {
    pub program: &'p Program,
    /// By static object: whether its address escapes.
    escaped: Vec<bool>,
    /// The same by function and automatic object.
    escaped_slots: Vec<Vec<bool>>,
    /// For each function, the object of each register before each step.
    bases: Vec<Vec<Base>>,
}

/// The function that a constant operand refers to.
fn code_of(program: &Program, callee: Arg) -> Option<u32> {
    let Arg::Static(object, 0) = callee else { return None };
    program.statics.get((object as usize).wrapping_sub(1))?.kind.code()
}

/// Whether the function may run without a call, at the end of a thread.
pub(super) fn comes_unasked(code: &Code) -> bool {
    code.role.is_some_and(Role::runs_at_thread_end)
}

impl<'p> Addresses<'p> {
    /// Analyses a program; none if it has too many registers and steps.
    pub fn of(program: &'p Program) -> Option<Addresses<'p>> {
        let registers = |code: &Code| code.regs as usize * code.ops.len();
        if program.codes.iter().map(registers).sum::<usize>() > MOST_WORDS {
            return None;
        }
        let mut addresses = Addresses {
            program,
            escaped: vec![false; program.statics.len() + 1],
            escaped_slots: program.codes.iter().map(|code| vec![false; code.slots.len()]).collect(),
            bases: program.codes.iter().map(|code| vec![Base::Nothing; registers(code)]).collect(),
        };
        addresses.find_escapes();
        Some(addresses)
    }

    /// Whether a pointer may refer to the variable.
    pub fn is_escaped(&self, base: Base) -> bool {
        match base {
            Base::Nothing => false,
            Base::Static(object) => self.escaped[object as usize],
            Base::Slot(code, slot) => self.escaped_slots[code as usize][slot as usize],
            Base::Unknown => true,
        }
    }

    /// The object that an operand of a step points to.
    pub fn base(&self, code: usize, at: usize, arg: Arg) -> Base {
        match arg {
            Arg::Int(_) => Base::Nothing,
            Arg::Static(object, _) => {
                let fixed = &self.program.statics.get((object as usize).wrapping_sub(1));
                match fixed.map(|fixed| &fixed.kind) {
                    Some(StaticKind::Variable(_)) => Base::Static(object),
                    _ => Base::Nothing,
                }
            }
            Arg::Reg(reg) => {
                let regs = self.program.codes[code].regs as usize;
                self.bases[code].get(at * regs + reg as usize).copied().unwrap_or(Base::Unknown)
            }
        }
    }

    /// Marks the address as escaped; true if that changes the facts.
    fn escape(&mut self, base: Base) -> bool {
        match base {
            Base::Static(object) => !std::mem::replace(&mut self.escaped[object as usize], true),
            Base::Slot(code, slot) => {
                let slot = self.escaped_slots[code as usize].get_mut(slot as usize);
                slot.is_some_and(|escaped| !std::mem::replace(escaped, true))
            }
            Base::Nothing | Base::Unknown => false,
        }
    }

    /// Joins a fact into a register before a step; true if the fact changes.
    fn joins(&mut self, code: usize, at: usize, reg: usize, new: Base) -> bool {
        let place = at * self.program.codes[code].regs as usize + reg;
        let Some(&old) = self.bases[code].get(place) else { return false };
        let joined = match (old, new) {
            (Base::Nothing, other) | (other, Base::Nothing) => other,
            _ if old == new => old,
            _ => Base::Unknown,
        };
        let mut changed = joined != old;
        self.bases[code][place] = joined;
        if joined == Base::Unknown {
            changed |= self.escape(old) | self.escape(new);
        }
        changed
    }

    /// Finds the addresses that escape.
    fn find_escapes(&mut self) {
        let program = self.program;
        for &(_, object, _) in &program.image_pointers {
            self.escape_object(object);
        }
        for variable in &program.thread_variables {
            for (_, initial) in &variable.stores {
                if let crate::code::Initial::Pointer(object, _) = initial {
                    self.escape_object(*object);
                }
            }
        }
        for (number, code) in program.codes.iter().enumerate() {
            for home in &code.params {
                if let crate::code::Home::Reg(reg) = home {
                    self.joins(number, 0, *reg as usize, Base::Unknown);
                }
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (number, code) in program.codes.iter().enumerate() {
                for (at, op) in code.ops.iter().enumerate() {
                    changed |= self.flow(number, at, op);
                }
            }
        }
    }

    fn escape_object(&mut self, object: u32) {
        if let Some(escaped) = self.escaped.get_mut(object as usize) {
            *escaped = true;
        }
    }

    /// The transfer function for addresses.
    fn flow(&mut self, code: usize, at: usize, op: &Op) -> bool {
        let mut changed = false;
        let mut leak = |this: &mut Self, arg: &Arg| {
            let base = this.base(code, at, *arg);
            changed |= this.escape(base);
        };
        let result = match op {
            Op::Move { src: a, .. } | Op::Convert { a, .. } => self.base(code, at, *a),
            Op::PtrAdd { pointer, index, .. } => {
                leak(self, index);
                self.base(code, at, *pointer)
            }
            Op::Binary { op, a, b, .. } => {
                let compares =
                    matches!(op, Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge);
                if compares {
                    Base::Nothing
                } else {
                    leak(self, a);
                    leak(self, b);
                    Base::Unknown
                }
            }
            Op::Unary { a, .. } | Op::Bits { a, .. } => {
                leak(self, a);
                Base::Unknown
            }
            Op::Store { value, .. } | Op::Exchange { value, .. } | Op::Modify { value, .. } => {
                leak(self, value);
                Base::Unknown
            }
            Op::CompareExchange { expected, desired, .. } => {
                leak(self, expected);
                leak(self, desired);
                Base::Unknown
            }
            Op::Overflow { a, b, .. } => {
                leak(self, a);
                leak(self, b);
                Base::Unknown
            }
            Op::Call { into, callee, args, .. } => {
                into.iter().chain([callee]).chain(args.iter()).for_each(|arg| leak(self, arg));
                Base::Unknown
            }
            Op::Return { value } => {
                value.iter().for_each(|arg| leak(self, arg));
                Base::Nothing
            }
            Op::Lib { lib, args, .. } => {
                // A new thread obtains an argument, `pthread_exit` passes its argument on, and `memcpy`
                // and similar functions return one. The result is treated as unknown.
                lib.row()
                    .passes_on
                    .and_then(|index| args.get(index))
                    .into_iter()
                    .for_each(|arg| leak(self, arg));
                Base::Unknown
            }
            Op::VaStart { list } => {
                leak(self, list);
                Base::Nothing
            }
            Op::SlotAddress { slot, .. } => Base::Slot(code as u32, *slot),
            Op::PtrDiff { .. }
            | Op::Undefine { .. }
            | Op::Load { .. }
            | Op::ThreadAddress { .. }
            | Op::Copy { .. }
            | Op::Zero { .. }
            | Op::Jump(_)
            | Op::Branch { .. }
            | Op::Switch { .. }
            | Op::Bound { .. }
            | Op::Distinct { .. }
            | Op::Fence(_)
            | Op::Live { .. }
            | Op::LiveVla { .. }
            | Op::Dead { .. }
            | Op::Stuck(_) => match op.writes() {
                [None, None] => Base::Nothing,
                _ => Base::Unknown,
            },
        };
        let regs = self.program.codes[code].regs as usize;
        let written = op.writes();
        let mut next = [None; 2];
        let mut more = Vec::new();
        op.successors(at as u32, |to| match next.iter_mut().find(|slot| slot.is_none()) {
            Some(slot) => *slot = Some(to as usize),
            None => more.push(to as usize),
        });
        for to in next.into_iter().flatten().chain(more) {
            for reg in 0..regs {
                let value = match written.contains(&Some(reg as u32)) {
                    true => result,
                    false => self.bases[code][at * regs + reg],
                };
                changed |= self.joins(code, to, reg, value);
            }
        }
        changed
    }

    /// Functions whose address escapes: possible targets of indirect calls and thread creation.
    pub fn callable(&self) -> Vec<u32> {
        let program = self.program;
        let mut found = Vec::new();
        let mut note = |object: u32| {
            if let Some(code) = code_of(program, Arg::Static(object, 0))
                && !found.contains(&code)
            {
                found.push(code);
            }
        };
        program.image_pointers.iter().for_each(|&(_, object, _)| note(object));
        for variable in &program.thread_variables {
            for (_, initial) in &variable.stores {
                if let crate::code::Initial::Pointer(object, _) = initial {
                    note(*object);
                }
            }
        }
        for op in program.codes.iter().flat_map(|code| &code.ops) {
            let callee = match op {
                Op::Call { callee, .. } => Some(*callee),
                _ => None,
            };
            // The callee of a direct call is not an escaping operand; a function that is also an
            // argument is found there.
            let mut called = usize::from(callee.is_some());
            op.operands(|arg| {
                if called > 0 && Some(arg) == callee {
                    called -= 1;
                } else if let Arg::Static(object, _) = arg {
                    note(object);
                }
            });
        }
        found
    }

    /// The possible callees of a step.
    pub fn called(&self, op: &Op, callable: &[u32]) -> Vec<u32> {
        match op {
            Op::Call { callee, .. } => match (callee, code_of(self.program, *callee)) {
                (_, Some(code)) => vec![code],
                (Arg::Reg(_), None) => callable.to_vec(),
                (Arg::Int(_) | Arg::Static(..), None) => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// All functions in reverse topological order of the call graph (callees and started threads
    /// first), except for recursion. In this order, or its reverse, facts propagate along call
    /// chains in few iterations.
    pub fn callees_first(&self, callable: &[u32]) -> Vec<usize> {
        let begun_by = |number: usize| {
            let ops = self.program.codes[number].ops.iter();
            let mut all: Vec<u32> = ops
                .flat_map(|op| self.called(op, callable).into_iter().chain(self.started(op, callable)))
                .collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let mut seen = vec![false; self.program.codes.len()];
        let (mut order, mut path) = (Vec::new(), Vec::new());
        for start in 0..seen.len() {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            path.push((start, begun_by(start)));
            while let Some((number, left)) = path.last_mut() {
                match left.pop() {
                    Some(next) if std::mem::replace(&mut seen[next as usize], true) => {}
                    Some(next) => path.push((next as usize, begun_by(next as usize))),
                    None => {
                        order.push(*number);
                        path.pop();
                    }
                }
            }
        }
        order
    }

    /// The functions in which a step may start a thread.
    pub fn started(&self, op: &Op, callable: &[u32]) -> Vec<u32> {
        match op {
            Op::Lib { lib, args, .. } => match lib.row().start {
                None => Vec::new(),
                Some(start) => args
                    .get(start.function)
                    .and_then(|arg| code_of(self.program, *arg))
                    .map_or_else(|| callable.to_vec(), |code| vec![code]),
            },
            // An indirect call may reach `pthread_create`.
            Op::Call { callee: Arg::Reg(_), .. } => callable.to_vec(),
            Op::Call { callee, .. } if code_of(self.program, *callee).is_none() => callable.to_vec(),
            _ => Vec::new(),
        }
    }

    /// Whether a step may call a library function through a pointer. What it accesses has escaped, as
    /// each argument of a call.
    pub fn may_call_library(&self, op: &Op) -> bool {
        matches!(op, Op::Call { callee, .. } if code_of(self.program, *callee).is_none())
    }

    /// Calls `f` with the base of each access that a step may make, and whether it is a write.
    pub fn accesses(&self, code: usize, at: usize, op: &Op, mut f: impl FnMut(Base, bool)) {
        let mut touch = |arg: &Arg, read: bool, write: bool| {
            let base = self.base(code, at, *arg);
            if read {
                f(base, false);
            }
            if write {
                f(base, true);
            }
        };
        match op {
            Op::Load { addr, .. } => touch(addr, true, false),
            Op::Store { addr, .. } => touch(addr, false, true),
            Op::Exchange { addr, .. } | Op::Modify { addr, .. } | Op::CompareExchange { addr, .. } => {
                touch(addr, true, true);
            }
            Op::Copy { to, from, .. } => {
                touch(to, false, true);
                touch(from, true, false);
            }
            Op::Zero { to, .. } | Op::VaStart { list: to } => touch(to, false, true),
            Op::Overflow { to, .. } => touch(to, true, true),
            Op::Lib { lib, args, .. } => match lib.touches() {
                Touches::Nothing | Touches::Input => args.iter().for_each(|arg| touch(arg, true, false)),
                Touches::Memory | Touches::Synchronisation | Touches::Both => {
                    args.iter().for_each(|arg| touch(arg, true, true));
                }
            },
            _ => {}
        }
    }
}
