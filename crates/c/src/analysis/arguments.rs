//! Detects programs that `main` leaves early because they were run without command-line arguments.
//! The result is a heuristic for a warning; every verdict is correct for the run without arguments.
//!
//! *Entry point:* [`missing_arguments`].

use axle_source::Loc;

use crate::code::{Home, Op};
use crate::program::Program;

/// The location where `main` reads `argc`, if a part of `main` was not reached in executions without
/// arguments. Many programs print a usage message in this case and exit. `taken`: whether each step
/// of each function was executed.
#[must_use]
pub fn missing_arguments(program: &Program, taken: &[Vec<bool>]) -> Option<Loc> {
    let (main, taken) = program.codes.iter().zip(taken).nth(program.main as usize)?;
    let all = main
        .ops
        .iter()
        .zip(taken)
        .all(|(op, taken)| *taken || matches!(op, Op::Live { .. } | Op::Dead { .. }));
    if all {
        return None;
    }
    let looks = |op: &Op| match main.params.first() {
        Some(Home::Reg(count)) => {
            let mut reads = false;
            op.reads(|reg| reads |= reg == *count);
            reads
        }
        Some(Home::Slot(count, _)) => matches!(op, Op::SlotAddress { slot, .. } if slot == count),
        Some(Home::Record(..)) | None => false,
    };
    let at = main.ops.iter().position(looks)?;
    main.locs.get(at).copied()
}
