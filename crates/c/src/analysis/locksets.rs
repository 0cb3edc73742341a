//! May-access sets: for each step, the accesses that may still follow to variables that no pointer
//! refers to, with the locks that are not held at each.
//!
//! *Entry points:* [`analyse`], [`MayAccess::may`].
//!
//! An access to such a variable is an invisible transition in two cases. Either no other thread has
//! a conflicting access to the variable from this point on, or every one has acquired a lock that
//! the accessing thread holds. Transitions of other threads before the release of the lock commute
//! with the access, so it may be executed at once.
//!
//! Three passes:
//!
//! 1. A variable is *tracked* if its address is used only as the address of accesses; no pointer
//!    then refers to it.
//! 2. The locks that are held at each step on all paths (must-analysis), from calls of lock
//!    functions with a constant address. Entering a function keeps the locks that all callers hold;
//!    a call removes the locks that the callee may release.
//! 3. The accesses that may follow each step in its function, its callees and the threads that
//!    these create (backward data flow): each once without regard to locks, and once per lock that
//!    is not held at it.
//!
//! *Source:* Lipton, "Reduction", CACM 1975; Savage et al., "Eraser", TOCS 1997 (locksets).
//! *Invariant:* an access of a thread to a tracked variable is in the set of the current step of
//! each of its frames until it is executed. It is missing in the set of a lock only if the thread
//! must hold that lock at the access.

use crate::code::{Arg, Code, Op, StaticKind};
use crate::library::{Lib, Touches, touches};
use crate::lower::Program;
use crate::tree::Binary;

/// Maximum number of locks tracked.
const MOST_LOCKS: usize = 12;
/// Maximum memory of the sets and of the register facts, in words; beyond it no variable is
/// tracked.
const MOST_WORDS: usize = 4 << 20;

/// The result of the analysis.
#[derive(Clone, Default, Debug)]
pub struct MayAccess {
    /// For each static object its index among the tracked objects plus 1; 0 if it is not tracked.
    tracked: Vec<u32>,
    count: usize,
    /// The locks: object and offset.
    pub locks: Vec<(u32, i32)>,
    words: usize,
    /// For each function, the sets of its steps in order.
    sets: Vec<Box<[u64]>>,
    /// Accesses that the end of any thread may make.
    always: Box<[u64]>,
}

impl MayAccess {
    /// The index of a tracked object.
    pub fn index(&self, object: u32) -> Option<usize> {
        let index = *self.tracked.get((object as usize).wrapping_sub(1))?;
        (index > 0).then(|| index as usize - 1)
    }

    /// Whether a write (`write`) or read of the variable may follow a step. With a lock number from
    /// 1, only accesses without that lock count.
    pub fn may(&self, code: u32, pc: u32, index: usize, lock: usize, write: bool) -> bool {
        let bit = self.bit(index, lock, write);
        let has = |set: &[u64]| set.get(bit / 64).is_none_or(|word| word >> (bit % 64) & 1 == 1);
        let start = pc as usize * self.words;
        let set = self.sets.get(code as usize).and_then(|sets| sets.get(start..start + self.words));
        has(&self.always) || set.is_none_or(has)
    }

    /// Words per set.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Adds the set of a step to `to`.
    pub fn add(&self, code: u32, pc: u32, to: &mut [u64]) {
        let start = pc as usize * self.words;
        match self.sets.get(code as usize).and_then(|sets| sets.get(start..start + self.words)) {
            Some(set) => {
                to.iter_mut().zip(set).zip(&self.always).for_each(|((to, set), always)| *to |= set | always)
            }
            None => to.fill(u64::MAX),
        }
    }

    /// Whether two functions conflict: one writes a variable that the other accesses.
    pub fn conflict(&self, a: u32, b: u32) -> bool {
        let may = |code: u32, index: usize, write: bool| self.may(code, 0, index, 0, write);
        (0..self.count).any(|index| {
            let (x, y) = (may(a, index, true), may(b, index, true));
            x && (y || may(b, index, false)) || y && may(a, index, false)
        })
    }

    /// The bit of an access; see [`MayAccess::may`].
    pub fn bit(&self, index: usize, lock: usize, write: bool) -> usize {
        2 * (lock * self.count + index) + usize::from(write)
    }
}

/// The object that a register may point to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Base {
    /// No variable.
    Nothing,
    /// This variable.
    Static(u32),
    /// Any variable whose address escapes.
    Unknown,
}

/// A set of locks, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Locks(u16);

const ALL: Locks = Locks(u16::MAX);

struct Analysis<'p> {
    program: &'p Program,
    /// By static object: whether its address escapes.
    escaped: Vec<bool>,
    /// For each function, the object of each register before each step.
    bases: Vec<Vec<Base>>,
    locks: Vec<(u32, i32)>,
}

/// Analyses a program.
pub fn analyse(program: &Program) -> MayAccess {
    let registers = |code: &Code| code.regs as usize * code.ops.len();
    if program.codes.iter().map(registers).sum::<usize>() > MOST_WORDS {
        return MayAccess::default();
    }
    let mut analysis = Analysis {
        program,
        escaped: vec![false; program.statics.len() + 1],
        bases: program.codes.iter().map(|code| vec![Base::Nothing; registers(code)]).collect(),
        locks: Vec::new(),
    };
    analysis.escapes();
    analysis.find_locks();
    let held = analysis.held();
    analysis.futures(&held)
}

/// The function that a constant operand refers to.
fn code_of(program: &Program, callee: Arg) -> Option<u32> {
    let Arg::Static(object, 0) = callee else { return None };
    match program.statics.get((object as usize).wrapping_sub(1))?.kind {
        StaticKind::Function(code) => code,
        StaticKind::Text(_) | StaticKind::Variable(_) => None,
    }
}

/// Whether the function may run without a call, at the end of a thread.
fn comes_unasked(code: &Code) -> bool {
    matches!(&*code.name, "__axle_run_destructors" | "__axle_leave")
}

/// The indices of the start function and its argument in a library function that creates a thread.
fn start_arguments(lib: Lib) -> Option<(usize, usize)> {
    match lib {
        Lib::ThreadCreate => Some((2, 3)),
        Lib::C11Create => Some((1, 2)),
        _ => None,
    }
}

impl Analysis<'_> {
    /// The object that an operand of a step points to.
    fn base(&self, code: usize, at: usize, arg: Arg) -> Base {
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
            Base::Nothing | Base::Unknown => false,
        }
    }

    /// Joins a fact into a register before a step; true if the fact changes.
    fn joins(&mut self, code: usize, at: usize, reg: usize, new: Base) -> bool {
        let place = at * self.program.codes[code].regs as usize + reg;
        let Some(&old) = self.bases[code].get(place) else { return false };
        let joined = match (old, new) {
            (Base::Nothing, other) | (other, Base::Nothing) => other,
            (Base::Static(a), Base::Static(b)) if a == b => old,
            _ => Base::Unknown,
        };
        let mut changed = joined != old;
        self.bases[code][place] = joined;
        if joined == Base::Unknown {
            changed |= self.escape(old) | self.escape(new);
        }
        changed
    }

    /// Pass 1: escape analysis.
    fn escapes(&mut self) {
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
                let kept = start_arguments(*lib).map(|(_, argument)| argument);
                for (index, arg) in args.iter().enumerate() {
                    // `pthread_exit` passes its argument on. `memcpy` and similar functions return
                    // an argument; the result is treated as unknown.
                    let returned = matches!(lib, Lib::Memcpy | Lib::Memmove | Lib::Memset) && index == 0;
                    if kept == Some(index)
                        || returned
                        || matches!(lib, Lib::ThreadExit | Lib::ThreadEnd | Lib::C11Exit)
                    {
                        leak(self, arg);
                    }
                }
                Base::Unknown
            }
            Op::VaStart { list } => {
                leak(self, list);
                Base::Nothing
            }
            Op::PtrDiff { .. }
            | Op::Undefine { .. }
            | Op::Load { .. }
            | Op::SlotAddress { .. }
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

    fn is_tracked(&self, object: u32) -> bool {
        !self.escaped[object as usize]
    }

    /// The locks that are acquired by name. There are none if a mutex may be robust, because
    /// locking it may fail with ENOTRECOVERABLE.
    fn find_locks(&mut self) {
        let makes_robust = |code: &Code| code.ours && &*code.name == "pthread_mutexattr_setrobust";
        if self.program.codes.iter().any(makes_robust) {
            return;
        }
        for code in &self.program.codes {
            for op in &code.ops {
                if let Op::Lib { lib: Lib::MutexLock | Lib::SpinLock, args, .. } = op
                    && let Some(&Arg::Static(object, offset)) = args.first()
                    && self.is_tracked(object)
                    && self.locks.len() < MOST_LOCKS
                    && !self.locks.contains(&(object, offset))
                {
                    self.locks.push((object, offset));
                }
            }
        }
    }

    /// The locks inside the object that a pointer may point into.
    fn locks_in(&self, base: Base) -> Locks {
        let mut found = Locks(0);
        for (number, (object, _)) in self.locks.iter().enumerate() {
            if base == Base::Static(*object) {
                found.0 |= 1 << number;
            }
        }
        found
    }

    /// Functions whose address escapes: possible targets of indirect calls and thread creation.
    fn callable(&self) -> Vec<u32> {
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
    fn called(&self, op: &Op, callable: &[u32]) -> Vec<u32> {
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
    fn callees_first(&self, callable: &[u32]) -> Vec<usize> {
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

    /// The locks that a step itself may release. A lock that is overwritten, initialised again or
    /// destroyed counts as released.
    fn releases(&self, code: usize, at: usize, op: &Op) -> Locks {
        let mut lost = Locks(0);
        match op {
            Op::Lib { lib, args, .. } => match lib {
                Lib::MutexUnlock | Lib::SpinUnlock => match args.first() {
                    Some(&Arg::Static(object, offset)) => {
                        let same = |lock: &(u32, i32)| *lock == (object, offset);
                        if let Some(number) = self.locks.iter().position(same) {
                            lost.0 |= 1 << number;
                        }
                    }
                    Some(arg) => lost.0 |= self.locks_in(self.base(code, at, *arg)).0,
                    None => lost = ALL,
                },
                Lib::MutexLock | Lib::SpinLock | Lib::CondWait | Lib::CondTimedwait => {}
                _ => args.iter().for_each(|arg| lost.0 |= self.locks_in(self.base(code, at, *arg)).0),
            },
            Op::Store { addr: to, .. }
            | Op::Exchange { addr: to, .. }
            | Op::Modify { addr: to, .. }
            | Op::CompareExchange { addr: to, .. }
            | Op::Copy { to, .. }
            | Op::Zero { to, .. }
            | Op::Overflow { to, .. } => lost.0 |= self.locks_in(self.base(code, at, *to)).0,
            _ => {}
        }
        lost
    }

    fn takes(&self, op: &Op) -> Locks {
        if let Op::Lib { lib: Lib::MutexLock | Lib::SpinLock, args, .. } = op
            && let Some(&Arg::Static(object, offset)) = args.first()
            && let Some(number) = self.locks.iter().position(|lock| *lock == (object, offset))
        {
            return Locks(1 << number);
        }
        Locks(0)
    }

    /// Pass 2: the locks that are held before each step.
    fn held(&self) -> Vec<Vec<Locks>> {
        let program = self.program;
        let callable = self.callable();
        // The locks that each function may release, including its callees.
        let mut releases = vec![Locks(0); program.codes.len()];
        let order = self.callees_first(&callable);
        let mut changed = true;
        while changed {
            changed = false;
            for &number in &order {
                let code = &program.codes[number];
                let mut all = releases[number];
                for (at, op) in code.ops.iter().enumerate() {
                    all.0 |= self.releases(number, at, op).0;
                    for called in self.called(op, &callable) {
                        all.0 |= releases[called as usize].0;
                    }
                }
                changed |= all != releases[number];
                releases[number] = all;
            }
        }
        // Initially all locks are assumed to be held; paths remove locks.
        let mut held: Vec<Vec<Locks>> = program.codes.iter().map(|code| vec![ALL; code.ops.len()]).collect();
        let mut entries = vec![ALL; program.codes.len()];
        entries[program.main as usize] = Locks(0);
        callable.iter().for_each(|&code| entries[code as usize] = Locks(0));
        for (number, code) in program.codes.iter().enumerate() {
            if comes_unasked(code) {
                entries[number] = Locks(0);
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &number in order.iter().rev() {
                let code = &program.codes[number];
                let mut narrow = |at: &mut Locks, to: Locks| {
                    let now = Locks(at.0 & to.0);
                    changed |= now != *at;
                    *at = now;
                };
                if let Some(first) = held[number].first_mut() {
                    narrow(first, entries[number]);
                }
                for (at, op) in code.ops.iter().enumerate() {
                    let before = held[number][at];
                    let mut lost = self.releases(number, at, op);
                    for called in self.called(op, &callable) {
                        narrow(&mut entries[called as usize], before);
                        lost.0 |= releases[called as usize].0;
                    }
                    let after = Locks(before.0 & !lost.0 | self.takes(op).0);
                    op.successors(at as u32, |to| {
                        if let Some(next) = held[number].get_mut(to as usize) {
                            narrow(next, after);
                        }
                    });
                }
            }
        }
        held
    }

    /// Pass 3: the accesses that may follow.
    fn futures(&self, held: &[Vec<Locks>]) -> MayAccess {
        let program = self.program;
        let mut result = MayAccess {
            tracked: vec![0; program.statics.len()],
            locks: self.locks.clone(),
            ..MayAccess::default()
        };
        for (index, fixed) in program.statics.iter().enumerate() {
            if matches!(fixed.kind, StaticKind::Variable(_)) && self.is_tracked(index as u32 + 1) {
                result.count += 1;
                result.tracked[index] = result.count as u32;
            }
        }
        result.words = (2 * result.count * (1 + self.locks.len())).div_ceil(64);
        let words = result.words;
        let steps: usize = program.codes.iter().map(|code| code.ops.len()).sum();
        if words.saturating_mul(steps) > MOST_WORDS {
            return MayAccess { tracked: vec![0; program.statics.len()], ..MayAccess::default() };
        }
        result.always = vec![0; words].into();
        result.sets = program.codes.iter().map(|code| vec![0; words * code.ops.len()].into()).collect();
        for (number, code) in program.codes.iter().enumerate() {
            for (at, op) in code.ops.iter().enumerate() {
                self.accesses(number, at, op, |object, write| {
                    let Some(index) = result.index(object) else { return };
                    for lock in 0..=self.locks.len() {
                        if lock == 0 || held[number][at].0 >> (lock - 1) & 1 == 0 {
                            let bit = result.bit(index, lock, write);
                            result.sets[number][at * words + bit / 64] |= 1 << (bit % 64);
                        }
                    }
                });
            }
        }
        let callable = self.callable();
        let order = self.callees_first(&callable);
        let mut changed = true;
        let mut more = vec![0; words];
        while changed {
            changed = false;
            for &number in &order {
                let code = &program.codes[number];
                for (at, op) in code.ops.iter().enumerate().rev() {
                    more.fill(0);
                    let mut add = |set: &[u64]| more.iter_mut().zip(set).for_each(|(a, b)| *a |= b);
                    op.successors(at as u32, |to| {
                        let start = to as usize * words;
                        result.sets[number].get(start..start + words).into_iter().for_each(&mut add);
                    });
                    let mut begins = self.called(op, &callable);
                    begins.extend(self.started(op, &callable));
                    for called in begins {
                        result.sets[called as usize].get(..words).into_iter().for_each(&mut add);
                    }
                    for (now, more) in result.sets[number][at * words..].iter_mut().zip(&more) {
                        changed |= *now | more != *now;
                        *now |= more;
                    }
                }
            }
        }
        for (number, code) in program.codes.iter().enumerate() {
            if comes_unasked(code)
                && let Some(set) = result.sets[number].get(..words)
            {
                result.always.iter_mut().zip(set).for_each(|(a, b)| *a |= b);
            }
        }
        result
    }

    /// The functions in which a step may start a thread.
    fn started(&self, op: &Op, callable: &[u32]) -> Vec<u32> {
        match op {
            Op::Lib { lib, args, .. } => match start_arguments(*lib) {
                None => Vec::new(),
                Some((function, _)) => args
                    .get(function)
                    .and_then(|arg| code_of(self.program, *arg))
                    .map_or_else(|| callable.to_vec(), |code| vec![code]),
            },
            // An indirect call may reach `pthread_create`.
            Op::Call { callee: Arg::Reg(_), .. } => callable.to_vec(),
            Op::Call { callee, .. } if code_of(self.program, *callee).is_none() => callable.to_vec(),
            _ => Vec::new(),
        }
    }

    /// Calls `f` with each tracked object that a step may access, and whether it is a write.
    fn accesses(&self, code: usize, at: usize, op: &Op, mut f: impl FnMut(u32, bool)) {
        let mut touch = |arg: &Arg, read: bool, write: bool| {
            if let Base::Static(object) = self.base(code, at, *arg) {
                if read {
                    f(object, false);
                }
                if write {
                    f(object, true);
                }
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
            Op::Lib { lib, args, .. } => match touches(*lib) {
                Touches::Nothing | Touches::Input => args.iter().for_each(|arg| touch(arg, true, false)),
                Touches::Memory | Touches::Synchronisation | Touches::Both => {
                    args.iter().for_each(|arg| touch(arg, true, true));
                }
            },
            _ => {}
        }
    }
}
