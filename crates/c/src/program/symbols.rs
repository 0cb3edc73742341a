//! Names with a meaning for the execution: functions and variables of the C sources of the library,
//! resolved once, after lowering.
//!
//! *Entry point:* [`Symbols::resolve`].
//! *Invariant:* no name is compared while a program is executed.

use crate::code::{Code, Static, StaticKind, ThreadVariable};
use crate::library::{self, ClockRole, Role};

/// Numbers of the functions and variables that the execution uses.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// `errno`, in [`Program::thread_variables`](crate::Program).
    pub errno: Option<u32>,
    /// The signal mask of a thread, in [`Program::thread_variables`](crate::Program).
    pub signal_mask: Option<u32>,
    /// Whether an alarm is set, and whether `SIGALRM` is handled: offsets in the image of the
    /// variables.
    pub alarm: Option<[u32; 2]>,
    /// The function that runs the destructors of thread-specific data.
    pub run_destructors: Option<u32>,
    /// The function that a cancelled or exiting thread runs.
    pub leave: Option<u32>,
    /// `gettid`.
    pub thread_number: Option<u32>,
}

impl Symbols {
    /// The symbols of a program.
    pub(crate) fn resolve(
        codes: &[Code],
        statics: &[Static],
        thread_variables: &[ThreadVariable],
    ) -> Symbols {
        let number = |at: usize| at as u32;
        let function = |role: Role| codes.iter().position(|code| code.role == Some(role)).map(number);
        let local =
            |name: &str| thread_variables.iter().position(|variable| &*variable.name == name).map(number);
        let variable = |name: &str| match statics.iter().find(|fixed| &*fixed.name == name)?.kind {
            StaticKind::Variable(at) => Some(at),
            StaticKind::Function(_) | StaticKind::Text(_) => None,
        };
        Symbols {
            errno: local(library::ERRNO),
            signal_mask: local(library::SIGNAL_MASK),
            alarm: variable(library::ALARM_SET).zip(variable(library::ALARM_HANDLED)).map(<[u32; 2]>::from),
            run_destructors: function(Role::RunDestructors),
            leave: function(Role::Leave),
            thread_number: function(Role::Clock(ClockRole::Number)),
        }
    }
}
