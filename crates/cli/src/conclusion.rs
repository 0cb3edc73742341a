//! The end of `axle check`: the results of all inputs together are printed and written, after the
//! last input or at the deadline of an input.
//!
//! *Entry points:* [`conclude`], [`at_deadline`].

use std::sync::{Mutex, MutexGuard, OnceLock};

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::inputs;
use crate::output::{complain, print, wrapped};
use crate::results::{self, InputResult};

/// The options of the command.
static ARGS: OnceLock<&'static CheckArgs> = OnceLock::new();

/// The results of the inputs so far.
static DONE: Mutex<Vec<InputResult>> = Mutex::new(Vec::new());

/// Notes the options of the command, for a report at the deadline.
pub fn begin(args: &'static CheckArgs) {
    // A process executes one command: the first options are the only ones.
    ARGS.get_or_init(|| args);
}

/// The results of the inputs so far.
pub fn done() -> MutexGuard<'static, Vec<InputResult>> {
    DONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Prints and writes what is about all inputs together.
pub fn conclude(args: &CheckArgs, results: &[InputResult]) -> Result<Exit, String> {
    if args.prints_json() {
        results::print_json(results, args.trace)?;
    } else if args.summary {
        print(&wrapped(&inputs::summary(results)))?;
    } else if results.len() > 1 {
        print(&format!("\n{}", wrapped(&inputs::summary(results))))?;
    }
    results::write_files(args, results)?;
    Ok(Exit::worst(results.iter().map(|result| result.exit)))
}

/// Concludes the command with the result of the input at whose deadline it ends.
pub fn at_deadline(result: Result<InputResult, String>) -> Exit {
    let Some(args) = ARGS.get() else { return Exit::Unknown };
    let concluded = result.and_then(|result| {
        let mut done = done();
        done.push(result);
        conclude(args, &done)
    });
    concluded.unwrap_or_else(|fault| {
        complain(&fault);
        Exit::Input
    })
}
