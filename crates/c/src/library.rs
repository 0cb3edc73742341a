//! Library functions: those that the interpreter executes, with the facts that analyses, the
//! execution and traces know about them (`table.rs`), and those of the library's C sources that
//! have a meaning for the execution (`roles.rs`). A call of any other undefined function is
//! reported.
//!
//! *Entry points:* [`find`], [`Lib`], [`Role::of`].

mod builder;
mod roles;
mod row;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use roles::{
    ALARM_HANDLED, ALARM_SET, CLOCKS, ERRNO, SIGNAL_MASK, SLEEPS, is_atomic_section, is_for_verifiers,
    is_implicit_variable, moving,
};
pub use roles::{ClockRole, Role, is_internal, public_name};
pub use row::{Cancellation, Environment, Format, Operation, Row, Start, Touches};
pub use table::{Lib, find};

/// Inputs with fewer values are explored completely.
const FEW_VALUES: i128 = 300;

impl Lib {
    /// The name of the function, for messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Lib::Real(real) => real.name(),
            other => other.row().names.first().copied().unwrap_or_default(),
        }
    }

    /// The effect on memory.
    #[inline]
    #[must_use]
    pub fn touches(self) -> Touches {
        self.row().touches
    }

    /// The operation.
    #[inline]
    #[must_use]
    pub fn operation(self) -> Operation {
        self.row().operation
    }

    /// Whether a call accesses synchronisation objects.
    #[inline]
    #[must_use]
    pub fn synchronises(self) -> bool {
        matches!(self.touches(), Touches::Synchronisation | Touches::Both)
    }

    /// Whether a call begins or ends a thread, or requests that.
    #[inline]
    #[must_use]
    pub fn starts_or_ends_threads(self) -> bool {
        matches!(self.operation(), Operation::Create | Operation::EndThread | Operation::Cancel)
    }

    /// The range of an input.
    #[inline]
    #[must_use]
    pub fn range(self) -> Option<(i128, i128)> {
        self.row().range
    }

    /// Whether the range of an input is so small that each value is explored.
    #[inline]
    #[must_use]
    pub fn has_few_values(self) -> bool {
        self.range().is_some_and(|(low, high)| high - low < FEW_VALUES)
    }

    /// Whether an input has the type `long` or `unsigned long`, whose width the data model decides.
    #[inline]
    #[must_use]
    pub fn is_long_input(self) -> bool {
        self.range().is_some_and(|(low, high)| high - low > u32::MAX.into())
    }

    /// Whether the result describes the environment: clocks, processes or the machine.
    #[inline]
    #[must_use]
    pub fn reads_environment(self) -> bool {
        matches!(self.row().environment, Environment::Time | Environment::Process | Environment::System)
    }

    /// Whether a call stands for executions that are not explored, whatever its result is used for.
    #[inline]
    #[must_use]
    pub fn interrupts(self) -> bool {
        self.row().environment == Environment::Interruption
    }

    /// Whether the result is a time or a process number. The analyses treat both alike.
    #[inline]
    #[must_use]
    pub fn reads_time_or_process(self) -> bool {
        matches!(self.row().environment, Environment::Time | Environment::Process)
    }

    /// Whether a call seeds the random number generator.
    #[must_use]
    pub fn seeds(self) -> bool {
        self.row().environment == Environment::Seed
    }

    /// The index of the argument with the deadline of a timed wait.
    #[inline]
    #[must_use]
    pub fn deadline(self) -> Option<usize> {
        match self.row().environment {
            Environment::Deadline(argument) => Some(argument),
            _ => None,
        }
    }

    /// Whether a call waits for a condition variable, at most until a deadline.
    #[inline]
    #[must_use]
    pub fn is_timed_wait(self) -> bool {
        self.operation() == Operation::Wait && self.deadline().is_some()
    }

    /// Whether a call may suspend the thread for a time.
    #[must_use]
    pub fn takes_time(self) -> bool {
        matches!(self.row().environment, Environment::Sleep | Environment::Deadline(_))
    }

    /// Whether the function has a format and variadic arguments.
    #[must_use]
    pub fn is_variadic_print(self) -> bool {
        self.row().format.is_some_and(|format| !format.list)
    }

    /// The index of the format, for a function with variadic arguments that prints to a stream.
    #[must_use]
    pub fn shown_format(self) -> Option<usize> {
        self.row().format.filter(|format| format.stream && !format.list).map(|format| format.argument)
    }
}
