//! Decides whether a program depends on clocks and on irrelevant inputs, and selects the variants
//! of library functions accordingly.
//!
//! *Entry points:* [`sleeps_and_looks`], [`timers`], [`irrelevant_inputs`].
//! *Invariant:* if the analysis is undecided, the clock and the input are treated as relevant.

use crate::analysis::clocks::only_printed;
use crate::code::{Arg, Code, Op, Static, StaticKind};
use crate::library::{ClockRole, Environment, Lib, Role};
use crate::program::input_classes::Classes;

/// Replacements of library functions.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Instead {
    /// Functions that read clocks or wait: variants with an advancing clock.
    pub moves: bool,
    /// `pthread_once`: a variant that supports cancellation.
    pub cancels: bool,
    /// `sleep`: a variant that supports alarms.
    pub alarms: bool,
    /// `abort` delivers its signal first.
    pub handles: bool,
}

/// Whether the program both depends on a clock and sleeps or waits with a deadline. Time then
/// advances past the deadline. Otherwise time stands still, which saves states.
pub(super) fn sleeps_and_looks(codes: &[Code], statics: &[Static]) -> bool {
    let has = |code: &Code, which: fn(&Op) -> bool| code.ops.iter().any(which);
    let sleeps = |op: &Op| match op {
        // `thrd_sleep`.
        Op::Lib { lib: Lib::Yield, args, .. } => args.len() == 2,
        Op::Lib { lib, .. } => lib.takes_time(),
        _ => false,
    };
    let waits = |code: &Code| matches!(code.role, Some(Role::Clock(ClockRole::Waits(_))));
    if !codes.iter().any(|code| has(code, sleeps) || waits(code)) {
        return false;
    }
    let shown = timers(codes, statics, std::iter::empty(), false);
    codes.iter().enumerate().any(|(number, code)| {
        let decides = |(pc, op): (usize, &Op)| {
            matches!(op, Op::Lib { lib, .. } if lib.row().environment == Environment::Time)
                && !crate::analysis::clocks::seeds(code, pc as u32)
        };
        !shown.contains(&(number as u32)) && code.ops.iter().enumerate().any(decides)
    })
}

/// The kind of the static object with this number.
pub(super) fn fixed(statics: &[Static], object: u32) -> Option<&StaticKind> {
    statics.get((object as usize).wrapping_sub(1)).map(|fixed| &fixed.kind)
}

/// The contents of an argument that is a string literal.
fn text(statics: &[Static], arg: Arg) -> Option<&[u8]> {
    match arg {
        Arg::Static(object, 0) => match fixed(statics, object) {
            Some(StaticKind::Text(text)) => Some(text.as_slice()),
            _ => None,
        },
        _ => None,
    }
}

/// The irrelevant inputs, each with a representative value. `errno` is true if the program uses
/// `errno`.
pub(super) fn irrelevant_inputs(
    codes: &[Code],
    statics: &[Static],
    errno: bool,
) -> Vec<((u32, u32), Classes)> {
    let mut found = Vec::new();
    for (number, code) in codes.iter().enumerate() {
        for (pc, op) in code.ops.iter().enumerate() {
            let Op::Lib { lib, .. } = op else { continue };
            let Some((low, high)) = lib.range() else { continue };
            let text = |arg: Arg| text(statics, arg);
            if crate::analysis::irrelevant_inputs::is_irrelevant(code, pc as u32, (low, high), errno, &text) {
                let value = if low <= 0 && high >= 0 { 0 } else { low as i64 };
                let classes = Classes { values: Box::new([value]), exact: true, lost: None };
                found.push(((number as u32, pc as u32), classes));
            }
        }
    }
    found
}

/// See [`Program::timers`]. `pointers` are the objects whose addresses occur in initial values.
/// `stores`: see [`only_printed`].
pub(super) fn timers(
    codes: &[Code],
    statics: &[Static],
    mut pointers: impl Iterator<Item = u32>,
    stores: bool,
) -> Vec<u32> {
    let text = |arg: Arg| text(statics, arg);
    let callee = |arg: Arg| match arg {
        Arg::Static(object, 0) => match fixed(statics, object) {
            Some(kind) => match codes[kind.code()? as usize].role {
                Some(Role::Clock(role)) => Some(role),
                _ => None,
            },
            None => None,
        },
        _ => None,
    };
    let looks = |op: &Op| match op {
        Op::Lib { lib, .. } => lib.reads_time_or_process(),
        Op::Call { callee: to, .. } => callee(*to) == Some(ClockRole::Number),
        _ => false,
    };
    let looking = codes.iter().enumerate().filter(|(_, code)| code.ops.iter().any(looks));
    let shown = looking.filter(|(_, code)| only_printed(code, text, callee, stores));
    let mut shown: Vec<u32> = shown.map(|(number, _)| number as u32).collect();
    // Each call changes the result object of `localtime`, so every caller must be analysed.
    let calendar = |arg: Arg| callee(arg) == Some(ClockRole::Calendar);
    let calls = |op: &Op| matches!(op, Op::Call { callee: to, .. } if calendar(*to));
    let users = codes.iter().enumerate().filter(|(_, code)| code.ops.iter().any(calls));
    let users: Vec<u32> = users.map(|(number, _)| number as u32).collect();
    let passed_on = |op: &Op| match op {
        Op::Call { args, .. } => args.iter().any(|arg| calendar(*arg)),
        other => {
            let mut any = false;
            other.operands(|arg| any |= calendar(arg));
            any
        }
    };
    let hidden = pointers.any(|object| calendar(Arg::Static(object, 0)))
        || codes.iter().any(|code| code.ops.iter().any(passed_on));
    if hidden || !users.iter().all(|user| shown.contains(user)) {
        shown.retain(|number| !users.contains(number));
    }
    shown
}
