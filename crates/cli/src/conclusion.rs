//! The end of `axle check`: the results of all inputs together are printed and written, after the
//! last input or at the deadline of an input.
//!
//! *Entry point:* [`Conclusion`].

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::output::{complain, print, wrapped};
use crate::results::InputResult;
use crate::session::Session;
use crate::{inputs, results};

/// The options of the command, and the results so far.
pub struct Conclusion {
    args: Arc<CheckArgs>,
    session: Session,
    done: Mutex<Vec<InputResult>>,
}

impl Conclusion {
    /// The conclusion of a command that has no results yet.
    pub fn new(args: Arc<CheckArgs>, session: Session) -> Conclusion {
        Conclusion { args, session, done: Mutex::default() }
    }

    fn done(&self) -> MutexGuard<'_, Vec<InputResult>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there are no results yet.
    pub fn is_empty(&self) -> bool {
        self.done().is_empty()
    }

    /// Adds the result of an input.
    pub fn add(&self, result: InputResult) {
        self.done().push(result);
    }

    /// Prints and writes what is about all inputs together.
    pub fn conclude(&self) -> Result<Exit, String> {
        let (args, results) = (&*self.args, &*self.done());
        if args.prints_json() {
            results::print_json(results, args.trace)?;
        } else if args.summary {
            print(&wrapped(&inputs::summary(results)))?;
        } else if results.len() > 1 {
            print(&format!("\n{}", wrapped(&inputs::summary(results))))?;
        }
        results::write_files(args, results, &self.session.deadline)?;
        Ok(Exit::worst(results.iter().map(|result| result.exit)))
    }

    /// Concludes the command with the result of the input at whose deadline it ends.
    pub fn at_deadline(&self, result: Result<InputResult, String>) -> Exit {
        let concluded = result.and_then(|result| {
            self.add(result);
            self.conclude()
        });
        concluded.unwrap_or_else(|fault| {
            complain(&fault);
            Exit::Input
        })
    }
}

/// The check of one input, as long as the command runs.
#[derive(Clone)]
pub struct InputCheck {
    pub session: Session,
    /// The options, with the files of the input.
    pub args: Arc<CheckArgs>,
    /// The end of the command.
    pub conclusion: Arc<Conclusion>,
}
