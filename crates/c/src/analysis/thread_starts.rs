//! Finds out that a program which starts threads has started none, because it ended before: for other
//! arguments, or for a file that it did not find. A verdict about such executions says nothing of threads.
//!
//! *Entry point:* [`missed_start`].

use axle_source::Loc;

use crate::library::Operation;
use crate::program::Program;

/// The first place at which user code starts a thread, if no such place was reached. `taken`: whether each
/// step of each function was executed.
#[must_use]
pub fn missed_start(program: &Program, taken: &[Vec<bool>]) -> Option<Loc> {
    let codes = program.codes.iter().zip(taken).filter(|(code, _)| !code.ours);
    let mut starts = codes.flat_map(|(code, taken)| {
        let at = (0..code.ops.len()).filter(|&at| code.ops[at].operation() == Operation::Create);
        at.map(|at| (code.locs.get(at).copied(), taken.get(at) == Some(&true)))
    });
    let (first, is_reached) = starts.next()?;
    if is_reached || starts.any(|(_, is_reached)| is_reached) { None } else { first }
}
