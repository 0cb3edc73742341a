//! Where a search has met inputs of which it did not try each value (`semantics/inputs.rs`).
//!
//! *Entry point:* [`restrictions`].
//! *Invariant:* a search that met an input whose values do not stand for all has a restriction.

use std::sync::Arc;

use axle_source::Loc;
use axle_step::Statistics as _;

use axle_c::code::Op;
use axle_c::library::{Environment, Touches};

use crate::executed::Executed;
use crate::semantics::inputs::Site;
use crate::stepper::Stepper;

/// What is taken to be one way, or a few, though it could be others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restricted {
    /// An input; where something is done with it for which each of its values counts, when that is
    /// known.
    Input(Option<Loc>),
    /// A clock.
    Time,
    /// What is asked of the machine: processors, numbers of processes.
    System,
    /// A signal whose handler may interrupt any step of a thread.
    Signal,
    /// The command-line arguments: none were given.
    Arguments,
}

/// A place at which a search has met something that it does not try in full.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Restriction {
    /// What was met.
    pub what: Restricted,
    /// Where the program calls for it.
    pub place: Option<Loc>,
    /// The function of the library that the program calls there, where it is one that is written in
    /// C.
    pub of: Option<Arc<str>>,
}

/// The places that a search has reached where not all that may be was tried.
#[must_use]
pub fn restrictions(stepper: &Stepper<'_>) -> Vec<Restriction> {
    let mut found = Vec::new();
    if !stepper.restricted() {
        return found;
    }
    let program = stepper.program;
    for place in stepper.executed().missing_arguments() {
        let restriction = Restriction { what: Restricted::Arguments, place, of: None };
        if !found.contains(&restriction) {
            found.push(restriction);
        }
    }
    for (number, (code, taken)) in program.codes.iter().zip(stepper.taken()).enumerate() {
        for (pc, op) in code.ops.iter().enumerate().filter(|(pc, _)| taken.get(*pc) == Some(&true)) {
            let Op::Lib { lib, .. } = *op else { continue };
            let at = Site { program, code: number as u32, pc: pc as u32, watch: &stepper.settings.watch };
            let what = match lib.row().environment {
                Environment::Interruption => Restricted::Signal,
                Environment::Time if !at.is_known(lib) || stepper.clock_read() => Restricted::Time,
                Environment::Process | Environment::System if !at.is_known(lib) => Restricted::System,
                _ if lib.touches() == Touches::Input && !at.is_whole(lib) => {
                    let lost = at.classes().and_then(|classes| classes.lost);
                    let place = lost.and_then(|(code, pc)| {
                        let code = &program.codes[code as usize];
                        code.locs.get(pc as usize).copied().filter(|_| !code.ours)
                    });
                    Restricted::Input(place)
                }
                _ => continue,
            };
            let calls = if code.ours { stepper.executed().calls_of(number as u32) } else { Vec::new() };
            let is_thread_number = program.symbols.thread_number == Some(number as u32);
            if is_thread_number && calls.iter().all(|call| program.timers.contains(&call.0)) {
                continue;
            }
            let mut add = |place, of| {
                let restriction = Restriction { what, place, of };
                if !found.contains(&restriction) {
                    found.push(restriction);
                }
            };
            match code.ours {
                false => add(code.locs.get(pc).copied(), None),
                true if calls.is_empty() => add(None, None),
                // The message names neither the function that reads a clock nor the one that sends a signal.
                true if matches!(what, Restricted::Time | Restricted::Signal) => {
                    calls.into_iter().for_each(|(_, loc, _)| add(Some(loc), None))
                }
                true => calls.into_iter().for_each(|(_, loc, name)| add(Some(loc), Some(name))),
            }
        }
    }
    found
}

impl Stepper<'_> {
    /// The steps executed so far.
    pub(crate) fn executed(&self) -> Executed<'_> {
        Executed { program: self.program, settings: self.settings, taken: self.taken() }
    }
}

/// Where the program has installed a signal handler: the verdict assumes that no signal arrives.
#[must_use]
pub fn installed_handler(stepper: &Stepper<'_>) -> Option<Loc> {
    let mut codes = stepper.program.codes.iter().zip(stepper.taken()).enumerate();
    let installs =
        |op: &Op| matches!(op, Op::Lib { lib, .. } if lib.row().environment == Environment::Handler);
    let (number, _) = codes
        .find(|(_, (code, taken))| code.ops.iter().zip(*taken).any(|(op, taken)| *taken && installs(op)))?;
    stepper.executed().calls_of(number as u32).into_iter().map(|(_, loc, _)| loc).min()
}
