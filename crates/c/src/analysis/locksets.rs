//! May-access sets: for each step, the accesses that may still follow to variables that no pointer
//! refers to, with the locks that are not held at each.
//!
//! *Entry point:* [`analyse`]; [`MayAccess`] holds the result.
//!
//! An access to such a variable is an invisible transition in two cases. Either no other thread has
//! a conflicting access to the variable from this point on, or every one has acquired a lock that
//! the accessing thread holds. Transitions of other threads before the release of the lock commute
//! with the access, so it may be executed at once.
//!
//! Three passes:
//!
//! 1. A variable is *tracked* if its address does not escape; no pointer then refers to it
//!    (`addresses.rs`).
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

use crate::analysis::addresses::{Addresses, Base, comes_unasked};
use crate::code::{Arg, Code, Op, StaticKind};
use crate::library::{Operation, Role};
use crate::program::Program;

pub use crate::program::may_access::MayAccess;

/// Maximum number of locks tracked.
const MOST_LOCKS: usize = 12;
/// Maximum memory of the sets, in words; beyond it no variable is tracked.
const MOST_WORDS: usize = 4 << 20;

/// A set of locks, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Locks(u16);

const ALL: Locks = Locks(u16::MAX);

/// Analyses a program.
pub fn analyse(program: &Program) -> MayAccess {
    let Some(addresses) = Addresses::of(program) else { return MayAccess::default() };
    let mut analysis = Analysis { addresses: &addresses, locks: Vec::new() };
    analysis.find_locks();
    let held = analysis.held();
    analysis.futures(&held)
}

/// The locks of a program.
struct Analysis<'a, 'p> {
    addresses: &'a Addresses<'p>,
    locks: Vec<(u32, i32)>,
}

impl Analysis<'_, '_> {
    fn is_tracked(&self, object: u32) -> bool {
        !self.addresses.is_escaped(Base::Static(object))
    }

    /// The locks that are acquired by name. There are none if a mutex may be robust, because
    /// locking it may fail with ENOTRECOVERABLE.
    fn find_locks(&mut self) {
        let makes_robust = |code: &Code| code.role == Some(Role::MakeRobust);
        if self.addresses.program.codes.iter().any(makes_robust) {
            return;
        }
        for code in &self.addresses.program.codes {
            for op in &code.ops {
                if let Op::Lib { lib, args, .. } = op
                    && lib.operation() == Operation::Lock
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

    /// The locks that a step itself may release. A lock that is overwritten, initialised again or
    /// destroyed counts as released.
    fn releases(&self, code: usize, at: usize, op: &Op) -> Locks {
        let mut lost = Locks(0);
        match op {
            Op::Lib { lib, args, .. } => match lib.operation() {
                Operation::Unlock => match args.first() {
                    Some(&Arg::Static(object, offset)) => {
                        let same = |lock: &(u32, i32)| *lock == (object, offset);
                        if let Some(number) = self.locks.iter().position(same) {
                            lost.0 |= 1 << number;
                        }
                    }
                    Some(arg) => lost.0 |= self.locks_in(self.addresses.base(code, at, *arg)).0,
                    None => lost = ALL,
                },
                Operation::Lock | Operation::Wait => {}
                _ => {
                    args.iter().for_each(|arg| lost.0 |= self.locks_in(self.addresses.base(code, at, *arg)).0)
                }
            },
            Op::Store { addr: to, .. }
            | Op::Exchange { addr: to, .. }
            | Op::Modify { addr: to, .. }
            | Op::CompareExchange { addr: to, .. }
            | Op::Copy { to, .. }
            | Op::Zero { to, .. }
            | Op::Overflow { to, .. } => lost.0 |= self.locks_in(self.addresses.base(code, at, *to)).0,
            _ => {}
        }
        lost
    }

    fn takes(&self, op: &Op) -> Locks {
        if let Op::Lib { lib, args, .. } = op
            && lib.operation() == Operation::Lock
            && let Some(&Arg::Static(object, offset)) = args.first()
            && let Some(number) = self.locks.iter().position(|lock| *lock == (object, offset))
        {
            return Locks(1 << number);
        }
        Locks(0)
    }

    /// Pass 2: the locks that are held before each step.
    fn held(&self) -> Vec<Vec<Locks>> {
        let program = self.addresses.program;
        let callable = self.addresses.callable();
        // The locks that each function may release, including its callees.
        let mut releases = vec![Locks(0); program.codes.len()];
        let order = self.addresses.callees_first(&callable);
        let mut changed = true;
        while changed {
            changed = false;
            for &number in &order {
                let code = &program.codes[number];
                let mut all = releases[number];
                for (at, op) in code.ops.iter().enumerate() {
                    all.0 |= self.releases(number, at, op).0;
                    for called in self.addresses.called(op, &callable) {
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
                    for called in self.addresses.called(op, &callable) {
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
        let program = self.addresses.program;
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
                self.addresses.accesses(number, at, op, |base, write| {
                    let Base::Static(object) = base else { return };
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
        let callable = self.addresses.callable();
        let order = self.addresses.callees_first(&callable);
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
                    let mut begins = self.addresses.called(op, &callable);
                    begins.extend(self.addresses.started(op, &callable));
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
}
