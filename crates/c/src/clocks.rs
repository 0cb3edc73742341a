//! Which looks at the clock decide nothing. Time stands still here, so a program that does
//! something with the time is not known in full; one that only computes from it what it prints, is.
//! A forward data flow within the function follows the values that come of a clock, through
//! registers and variables of the function (Denning and Denning, "Certification of programs for
//! secure information flow", CACM 1977).
//!
//! *Entry point:* [`only_printed`].
//! *Invariant:* What is followed reaches nothing but arithmetic that ends in such values again, the
//! arguments of `printf` and `fprintf`, and the time until which something is waited for, of which
//! nothing but the first number, the seconds, was computed.

use std::collections::BTreeSet;

use crate::code::{Arg, Class, Code, Op};
use crate::data_flow::{Known, Lost, forward};
use crate::library::Lib;
use crate::liveness::is_live;
use crate::tree::Binary;

/// What a register has to do with time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TimeTaint {
    /// It was computed from one.
    Time,
    /// It is the address of a variable of this function, or in it; whether it is that of its first byte.
    Place(u32, bool),
    /// It is an address in what `localtime` gives: nobody but those who are followed here looks at that (`lower.rs`).
    Calendar,
}

/// Variables of the function.
#[derive(Default)]
struct Kept {
    /// Those that hold times.
    slots: BTreeSet<u32>,
    /// Of these those of which more than the first number was computed: whether the nanoseconds are some that a wait
    /// accepts is not known.
    mixed: BTreeSet<u32>,
}

type State = Known<TimeTaint>;

/// Functions of the library that are called like others and have to do with what is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// `difftime`: what it gives comes of its arguments.
    Difference,
    /// Waits until the time that this argument leads to, or not at all: it only looks whether that is a time.
    Waits(usize),
    /// `gettid`: what it gives is followed.
    Number,
    /// `localtime`, `gmtime`: the address of a time.
    Calendar,
    /// `localtime_r`, `gmtime_r`: what the second argument leads to is a time where the first leads to one.
    CalendarInto,
}

/// Whether nothing that comes of the clocks which a function looks at is used but to be shown. `text`: of an argument that is
/// a string literal.
pub fn only_printed<'a>(
    code: &Code,
    text: impl Fn(Arg) -> Option<&'a [u8]>,
    callee: impl Fn(Arg) -> Option<Callee>,
) -> bool {
    let mut kept = Kept::default();
    loop {
        let known = kept.slots.len() + kept.mixed.len();
        let pass = forward(
            code,
            |pc, op, state| step(code, pc, op, state, &mut kept, &text, &callee).ok_or(Lost),
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

/// Which argument says until when something is waited for.
fn until(op: &Op, callee: &impl Fn(Arg) -> Option<Callee>) -> Option<usize> {
    match op {
        Op::Lib { lib: Lib::CondTimedwait, .. } => Some(2),
        Op::Lib { lib: Lib::MutexTimedlock | Lib::SemTimedwait, .. } => Some(1),
        Op::Call { callee: to, .. } => match callee(*to) {
            Some(Callee::Waits(until)) => Some(until),
            _ => None,
        },
        _ => None,
    }
}

/// What a register holds where two ways meet. Whether it is the one or the other is not told apart, nor where an address leads that
/// only one of them has.
fn meet(one: Option<TimeTaint>, other: Option<TimeTaint>) -> Result<TimeTaint, Lost> {
    match (one, other) {
        (Some(one), Some(other)) if one == other => Ok(one),
        (Some(TimeTaint::Time), None) | (None, Some(TimeTaint::Time)) => Ok(TimeTaint::Time),
        _ => Err(Lost),
    }
}

/// What a step gives; nothing where it does with a time what is not followed.
fn step<'a>(
    code: &Code,
    pc: u32,
    op: &Op,
    state: &State,
    kept: &mut Kept,
    text: &impl Fn(Arg) -> Option<&'a [u8]>,
    callee: &impl Fn(Arg) -> Option<Callee>,
) -> Option<Option<TimeTaint>> {
    let what = |arg: &Arg| match arg {
        Arg::Reg(reg) => state.get(reg).copied(),
        Arg::Int(_) | Arg::Static(..) => None,
    };
    let time = |arg: &Arg| what(arg) == Some(TimeTaint::Time);
    let Kept { slots, mixed } = kept;
    // Where times are kept.
    let holds = slots.clone();
    let leads = |arg: &Arg| matches!(what(arg), Some(TimeTaint::Place(slot, _)) if holds.contains(&slot));
    Some(match op {
        Op::Move { src, .. } => what(src),
        Op::Convert { a, .. } => what(a),
        Op::Unary { a, .. } => what(a).filter(|what| *what == TimeTaint::Time),
        Op::Binary { op, a, b, scalar, .. } => {
            let any = time(a) || time(b);
            let leads = |arg: &Arg| leads(arg) || what(arg) == Some(TimeTaint::Calendar);
            if (leads(a) || leads(b)) && !matches!(op, Binary::Eq | Binary::Ne) {
                return None;
            }
            let faults = matches!(op, Binary::Div | Binary::Rem) && time(b) && scalar.class != Class::Float;
            let shifts = matches!(op, Binary::Shl | Binary::Shr);
            if any && (faults || shifts) {
                return None;
            }
            any.then_some(TimeTaint::Time)
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
            Some(TimeTaint::Time) => return None,
            Some(TimeTaint::Place(slot, _)) => slots.contains(&slot).then_some(TimeTaint::Time),
            Some(TimeTaint::Calendar) => Some(TimeTaint::Time),
            None => None,
        },
        Op::Store { addr, value, .. } => {
            match (what(addr), what(value)) {
                (Some(TimeTaint::Time | TimeTaint::Calendar), _) | (_, Some(TimeTaint::Calendar)) => {
                    return None;
                }
                (Some(TimeTaint::Place(slot, first)), Some(TimeTaint::Time)) => {
                    slots.insert(slot);
                    if !first {
                        mixed.insert(slot);
                    }
                }
                (None, Some(TimeTaint::Time)) => return None,
                // The address of a variable that holds a time goes where it is not followed.
                (_, Some(TimeTaint::Place(slot, _))) if slots.contains(&slot) => return None,
                (_, Some(TimeTaint::Place(..)) | None) => {}
            }
            None
        }
        Op::Copy { to, from, .. } => {
            match (what(to), what(from)) {
                (Some(TimeTaint::Place(to, first)), Some(TimeTaint::Place(from, begin)))
                    if slots.contains(&from) =>
                {
                    slots.insert(to);
                    if !first || !begin || mixed.contains(&from) {
                        mixed.insert(to);
                    }
                }
                (Some(TimeTaint::Place(to, _)), Some(TimeTaint::Calendar)) => {
                    slots.insert(to);
                    mixed.insert(to);
                }
                (None, Some(TimeTaint::Place(from, _))) if slots.contains(&from) => return None,
                (Some(TimeTaint::Time | TimeTaint::Calendar), _)
                | (_, Some(TimeTaint::Time | TimeTaint::Calendar)) => {
                    return None;
                }
                _ => {}
            }
            None
        }
        Op::Lib { lib: Lib::Clock, args, .. } => {
            for arg in args {
                match what(arg) {
                    Some(TimeTaint::Place(slot, first)) => {
                        slots.insert(slot);
                        if !first {
                            mixed.insert(slot);
                        }
                    }
                    Some(TimeTaint::Time | TimeTaint::Calendar) => return None,
                    // The kind of clock, or a variable that others may look at.
                    None if matches!(arg, Arg::Int(_)) => {}
                    None => return None,
                }
            }
            None
        }
        Op::Lib { lib: Lib::Time, args, .. } => {
            for arg in args {
                match what(arg) {
                    Some(TimeTaint::Place(slot, first)) => {
                        slots.insert(slot);
                        if !first {
                            mixed.insert(slot);
                        }
                    }
                    None if matches!(arg, Arg::Int(0)) => {}
                    _ => return None,
                }
            }
            Some(TimeTaint::Time)
        }
        // Who asks is told alike, as far as that can be seen.
        Op::Lib { lib: Lib::Getpid, .. } => Some(TimeTaint::Time),
        Op::Lib { lib: Lib::Srand, .. } => None,
        Op::Lib { lib: lib @ (Lib::Printf | Lib::Fprintf), args, dst } => {
            let format = args.get(usize::from(*lib == Lib::Fprintf)).and_then(|format| text(*format));
            let shows = format.is_some_and(crate::inputs::only_shows) && !is_live(code, pc + 1, *dst);
            let calendar = args.iter().any(|arg| what(arg) == Some(TimeTaint::Calendar));
            if calendar || args.iter().any(leads) || args.iter().any(time) && !shows {
                return None;
            }
            None
        }
        Op::Call { callee: to, args, .. } if callee(*to).is_some() && until(op, callee).is_none() => {
            match callee(*to) {
                Some(Callee::Number) => Some(TimeTaint::Time),
                Some(Callee::Calendar) => match args.first().map(what) {
                    Some(Some(TimeTaint::Place(..)) | None) => Some(TimeTaint::Calendar),
                    _ => return None,
                },
                Some(Callee::CalendarInto) => match (args.first().map(what)?, args.get(1).map(what)?) {
                    (Some(TimeTaint::Place(from, _)), Some(TimeTaint::Place(to, first))) => {
                        if slots.contains(&from) {
                            slots.insert(to);
                            mixed.insert(to);
                        }
                        Some(TimeTaint::Place(to, first))
                    }
                    _ => return None,
                },
                Some(Callee::Difference | Callee::Waits(_)) | None => {
                    args.iter().any(time).then_some(TimeTaint::Time)
                }
            }
        }
        // How long a wait takes is left open; that it has a time to wait for is looked at.
        Op::Lib { args, .. } | Op::Call { args, .. } if let Some(until) = until(op, callee) => {
            for (index, arg) in args.iter().enumerate() {
                let fine = match what(arg) {
                    Some(TimeTaint::Time | TimeTaint::Calendar) => false,
                    Some(TimeTaint::Place(slot, first)) if slots.contains(&slot) => {
                        index == until && first && !mixed.contains(&slot)
                    }
                    Some(TimeTaint::Place(..)) | None => true,
                };
                if !fine {
                    return None;
                }
            }
            None
        }
        Op::Live { .. } | Op::Dead { .. } => None,
        // Whether there is an address is no time.
        Op::Branch { cond, .. } if what(cond) == Some(TimeTaint::Calendar) => None,
        other => {
            // Whatever else is done with a time, or with where one is kept.
            let mut fine = true;
            other.operands(|arg| {
                fine &= match what(&arg) {
                    Some(TimeTaint::Time | TimeTaint::Calendar) => false,
                    Some(TimeTaint::Place(slot, _)) => !slots.contains(&slot),
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
