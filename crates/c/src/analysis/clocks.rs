//! Determines whether a function uses clock values only for output. Time does not advance in the
//! model, so a decision that depends on the time makes the verdict unknown; printing a computed
//! time does not. A forward taint analysis follows clock values through the registers and variables
//! of the function.
//!
//! *Entry points:* [`only_printed`], [`seeds`].
//! *Source:* D. E. Denning and P. J. Denning, "Certification of programs for secure information
//! flow", CACM 1977.
//! *Invariant:* a tainted value reaches only arithmetic with a tainted result, arguments of
//! `printf` and `fprintf`, and deadlines of timed waits. In a deadline only the first member, the
//! seconds, was computed.

use std::collections::BTreeSet;

use crate::analysis::data_flow::{Known, Lost, forward};
use crate::analysis::liveness::is_live;
use crate::code::{Arg, Class, Code, Op, Scalar};
use crate::library::{ClockRole, Environment, Lib};
use crate::operators::Binary;

/// The taint of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TimeTaint {
    /// A value computed from a clock value; true for what `time` has returned.
    Time(bool),
    /// An address in the variable with this slot; true for the address of its first byte.
    Place(u32, bool),
    /// An address in the result of `localtime`. The analysed functions are its only readers
    /// (`lower.rs`).
    Calendar,
}

/// The tainted variables of the function.
#[derive(Default)]
struct Kept {
    /// Variables that hold clock values.
    slots: BTreeSet<u32>,
    /// The subset in which a member other than the first was computed. Their nanoseconds may be
    /// outside the range that a timed wait accepts.
    mixed: BTreeSet<u32>,
}

type State = Known<TimeTaint>;

/// Whether every clock value that the function reads is only printed. `text` returns the contents
/// of an argument that is a string literal. `stores`: results of `time` may also be stored in memory
/// that the analysis does not follow.
pub fn only_printed<'a>(
    code: &Code,
    text: impl Fn(Arg) -> Option<&'a [u8]>,
    callee: impl Fn(Arg) -> Option<ClockRole>,
    stores: bool,
) -> bool {
    let mut kept = Kept::default();
    loop {
        let known = kept.slots.len() + kept.mixed.len();
        let pass = forward(
            code,
            Known::new(),
            |pc, op, state| step((code, stores), pc, op, state, &mut kept, &text, &callee).ok_or(Lost),
            meet,
        );
        if pass.is_err() {
            return false;
        }
        if kept.slots.len() + kept.mixed.len() == known {
            return true;
        }
    }
}

/// The index of the argument that contains the deadline of a timed wait.
fn until(op: &Op, callee: &impl Fn(Arg) -> Option<ClockRole>) -> Option<usize> {
    match op {
        Op::Lib { lib, .. } => lib.deadline(),
        Op::Call { callee: to, .. } => match callee(*to) {
            Some(ClockRole::Waits(until)) => Some(until),
            _ => None,
        },
        _ => None,
    }
}

/// The taint at a join of two paths. Different addresses, and an address on one path only, are not
/// supported.
fn meet(one: Option<TimeTaint>, other: Option<TimeTaint>) -> Result<TimeTaint, Lost> {
    match (one, other) {
        (Some(one), Some(other)) if one == other => Ok(one),
        (Some(TimeTaint::Time(_)), Some(TimeTaint::Time(_))) => Ok(TimeTaint::Time(false)),
        (Some(time @ TimeTaint::Time(_)), None) | (None, Some(time @ TimeTaint::Time(_))) => Ok(time),
        _ => Err(Lost),
    }
}

/// The transfer function: the taint of the result. `None` if the step uses a tainted value in an
/// unsupported way.
fn step<'a>(
    (code, stores): (&Code, bool),
    pc: u32,
    op: &Op,
    state: &State,
    kept: &mut Kept,
    text: &impl Fn(Arg) -> Option<&'a [u8]>,
    callee: &impl Fn(Arg) -> Option<ClockRole>,
) -> Option<Option<TimeTaint>> {
    let taints = Taints { state };
    let what = |arg: &Arg| taints.of(arg);
    let time = |arg: &Arg| taints.is_time(arg);
    // Whether an address is that of a variable that had a clock value before the step.
    let leads = |kept: &Kept, arg: &Arg| matches!(what(arg), Some(TimeTaint::Place(slot, _)) if kept.slots.contains(&slot));
    Some(match op {
        Op::Move { src, .. } => what(src),
        Op::Convert { a, from, to, .. } => match what(a) {
            Some(TimeTaint::Time(raw)) => {
                Some(TimeTaint::Time(raw && from.size == to.size && to.class != Class::Float))
            }
            other => other,
        },
        Op::Unary { a, .. } => time(a).then_some(TimeTaint::Time(false)),
        Op::Binary { op, a, b, scalar, .. } => {
            let leads = |arg: &Arg| leads(kept, arg) || what(arg) == Some(TimeTaint::Calendar);
            if (leads(a) || leads(b)) && !matches!(op, Binary::Eq | Binary::Ne) {
                return None;
            }
            computed(*op, time(a), time(b), *scalar)?
        }
        Op::SlotAddress { slot, .. } => Some(TimeTaint::Place(*slot, true)),
        Op::PtrAdd { pointer, index, .. } => {
            if time(pointer) || what(index).is_some() {
                return None;
            }
            match what(pointer) {
                Some(TimeTaint::Place(slot, first)) => {
                    Some(TimeTaint::Place(slot, first && matches!(index, Arg::Int(0))))
                }
                other => other,
            }
        }
        Op::Load { addr, .. } => match what(addr) {
            Some(TimeTaint::Time(_)) => return None,
            Some(TimeTaint::Place(slot, _)) => kept.slots.contains(&slot).then_some(TimeTaint::Time(false)),
            Some(TimeTaint::Calendar) => Some(TimeTaint::Time(false)),
            None => None,
        },
        Op::Store { addr, value, mem } => {
            kept.store(what(addr), what(value), stores && mem.bits.is_none())?;
            None
        }
        Op::Copy { to, from, .. } => {
            kept.copy(what(to), what(from))?;
            None
        }
        Op::Lib { lib: Lib::Clock, args, .. } => {
            // The clock id, or a variable that other functions may read.
            args.iter().try_for_each(|arg| kept.read_clock(what(arg), matches!(arg, Arg::Int(_))))?;
            None
        }
        Op::Lib { lib: Lib::Time, args, .. } => {
            args.iter()
                .try_for_each(|arg| kept.read_clock(what(arg), stores || matches!(arg, Arg::Int(0))))?;
            // `clock` has no argument.
            Some(TimeTaint::Time(!args.is_empty()))
        }
        // The process id is a constant that the analysis treats like a clock value.
        Op::Lib { lib, .. } if lib.row().environment == Environment::Process => Some(TimeTaint::Time(false)),
        Op::Lib { lib, .. } if lib.seeds() => None,
        Op::Lib { lib, args, dst } if let Some(format) = lib.shown_format() => {
            let format = args.get(format).and_then(|format| text(*format));
            let shows =
                format.is_some_and(crate::analysis::inputs::only_shows) && !is_live(code, pc + 1, *dst);
            let calendar = args.iter().any(|arg| what(arg) == Some(TimeTaint::Calendar));
            if calendar || args.iter().any(|arg| leads(kept, arg)) || args.iter().any(time) && !shows {
                return None;
            }
            None
        }
        Op::Call { callee: to, args, .. } if callee(*to).is_some() && until(op, callee).is_none() => {
            called(callee(*to), args, &taints, kept)?
        }
        // The duration of a wait is nondeterministic; only the validity of the deadline matters.
        Op::Lib { args, .. } | Op::Call { args, .. } if let Some(until) = until(op, callee) => {
            // In the deadline only the first member may have been computed.
            let is_fine = |(index, arg): (usize, &Arg)| match what(arg) {
                Some(TimeTaint::Time(_) | TimeTaint::Calendar) => false,
                Some(TimeTaint::Place(slot, first)) if kept.slots.contains(&slot) => {
                    index == until && first && !kept.mixed.contains(&slot)
                }
                Some(TimeTaint::Place(..)) | None => true,
            };
            if !args.iter().enumerate().all(is_fine) {
                return None;
            }
            None
        }
        Op::Live { .. } | Op::Dead { .. } => None,
        // A null check of the address does not depend on the time.
        Op::Branch { cond, .. } if what(cond) == Some(TimeTaint::Calendar) => None,
        other => {
            // Any other use of a tainted value or of the address of a tainted variable.
            let mut fine = true;
            other.operands(|arg| {
                fine &= match what(&arg) {
                    Some(TimeTaint::Time(_) | TimeTaint::Calendar) => false,
                    Some(TimeTaint::Place(slot, _)) => !kept.slots.contains(&slot),
                    None => true,
                };
            });
            if !fine {
                return None;
            }
            None
        }
    })
}

/// The taint of a computed value. A clock value must not decide whether the operation is an error.
fn computed(op: Binary, left: bool, right: bool, scalar: Scalar) -> Option<Option<TimeTaint>> {
    let any = left || right;
    let faults = matches!(op, Binary::Div | Binary::Rem) && right && scalar.class != Class::Float;
    let shifts = matches!(op, Binary::Shl | Binary::Shr);
    (!(any && (faults || shifts))).then(|| any.then_some(TimeTaint::Time(false)))
}

/// The taints of the registers before a step.
struct Taints<'s> {
    state: &'s State,
}

impl Taints<'_> {
    fn of(&self, arg: &Arg) -> Option<TimeTaint> {
        match arg {
            Arg::Reg(reg) => self.state.get(reg).copied(),
            Arg::Int(_) | Arg::Static(..) => None,
        }
    }

    /// Whether an argument is computed from a clock value.
    fn is_time(&self, arg: &Arg) -> bool {
        matches!(self.of(arg), Some(TimeTaint::Time(_)))
    }
}

impl Kept {
    /// A clock value is stored in a variable. `first`: in its first member.
    fn insert(&mut self, slot: u32, first: bool) {
        self.slots.insert(slot);
        if !first {
            self.mixed.insert(slot);
        }
    }

    /// A store. `is_observed`: the execution observes whether the value is read (`stored_clock.rs`).
    fn store(&mut self, addr: Option<TimeTaint>, value: Option<TimeTaint>, is_observed: bool) -> Option<()> {
        match (addr, value) {
            (Some(TimeTaint::Time(_) | TimeTaint::Calendar), _) | (_, Some(TimeTaint::Calendar)) => {
                return None;
            }
            (Some(TimeTaint::Place(slot, first)), Some(TimeTaint::Time(_))) => {
                self.insert(slot, first);
            }
            (None, Some(TimeTaint::Time(raw))) if !(raw && is_observed) => return None,
            // The address of a tainted variable escapes.
            (_, Some(TimeTaint::Place(slot, _))) if self.slots.contains(&slot) => return None,
            (_, Some(TimeTaint::Place(..) | TimeTaint::Time(_)) | None) => {}
        }
        Some(())
    }

    /// A copy of a variable.
    fn copy(&mut self, to: Option<TimeTaint>, from: Option<TimeTaint>) -> Option<()> {
        match (to, from) {
            (Some(TimeTaint::Place(to, first)), Some(TimeTaint::Place(from, begin)))
                if self.slots.contains(&from) =>
            {
                self.slots.insert(to);
                if !first || !begin || self.mixed.contains(&from) {
                    self.mixed.insert(to);
                }
            }
            (Some(TimeTaint::Place(to, _)), Some(TimeTaint::Calendar)) => {
                self.slots.insert(to);
                self.mixed.insert(to);
            }
            (None, Some(TimeTaint::Place(from, _))) if self.slots.contains(&from) => return None,
            (Some(TimeTaint::Time(_) | TimeTaint::Calendar), _)
            | (_, Some(TimeTaint::Time(_) | TimeTaint::Calendar)) => {
                return None;
            }
            _ => {}
        }
        Some(())
    }

    /// An argument of a function that reads a clock, which stores the value where that leads.
    /// `is_fine`: an argument without a taint is supported.
    fn read_clock(&mut self, argument: Option<TimeTaint>, is_fine: bool) -> Option<()> {
        match argument {
            Some(TimeTaint::Place(slot, first)) => self.insert(slot, first),
            None if is_fine => {}
            Some(TimeTaint::Time(_) | TimeTaint::Calendar) | None => return None,
        }
        Some(())
    }
}

/// The result of a call of a function of the library that is written in C.
fn called(
    role: Option<ClockRole>,
    args: &[Arg],
    taints: &Taints<'_>,
    kept: &mut Kept,
) -> Option<Option<TimeTaint>> {
    Some(match role {
        Some(ClockRole::Number) => Some(TimeTaint::Time(false)),
        Some(ClockRole::Kill) => match args.iter().skip(1).any(|arg| taints.of(arg).is_some()) {
            true => return None,
            false => None,
        },
        Some(ClockRole::Calendar) => match args.first().map(|arg| taints.of(arg)) {
            Some(Some(TimeTaint::Place(..)) | None) => Some(TimeTaint::Calendar),
            _ => return None,
        },
        Some(ClockRole::CalendarInto) => {
            match (args.first().map(|arg| taints.of(arg))?, args.get(1).map(|arg| taints.of(arg))?) {
                (Some(TimeTaint::Place(from, _)), Some(TimeTaint::Place(to, first))) => {
                    if kept.slots.contains(&from) {
                        kept.slots.insert(to);
                        kept.mixed.insert(to);
                    }
                    Some(TimeTaint::Place(to, first))
                }
                _ => return None,
            }
        }
        Some(ClockRole::Difference | ClockRole::Waits(_)) | None => {
            args.iter().any(|arg| taints.is_time(arg)).then_some(TimeTaint::Time(false))
        }
    })
}

/// Whether the result of a library call is used only to seed `rand`.
pub fn seeds(code: &Code, pc: u32) -> bool {
    let Some(Op::Lib { dst, lib, args }) = code.ops.get(pc as usize) else { return false };
    // A value that is stored as well may be read later.
    if *lib == Lib::Clock || *lib == Lib::Time && args.first() != Some(&Arg::Int(0)) {
        return false;
    }
    let seeds = |at: u32| matches!(code.ops.get(at as usize), Some(Op::Lib { lib, .. }) if lib.seeds());
    let next = pc + 1;
    match code.ops.get(next as usize) {
        Some(Op::Convert { .. }) => seeds(next + 1) && !is_live(code, next + 2, *dst),
        _ => !is_live(code, next + u32::from(seeds(next)), *dst),
    }
}
