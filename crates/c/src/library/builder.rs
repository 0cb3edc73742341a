//! Constructors of rows: the effect on memory first, then each fact that differs from its default.
//!
//! *Entry points:* [`nothing`], [`input`], [`memory`], [`sync`], [`both`], [`format`].
//! *Invariant:* the defaults are conservative where a column permits a reduction: a step is not
//! memoised, arguments have effects, and an object has the size of the largest one.

use super::row::{Cancellation, Environment, Format, Operation, Row, Start, Touches};

/// The rows without special facts, one for each effect on memory.
pub(super) const fn row(touches: Touches) -> Row {
    Row {
        names: &[],
        touches,
        operation: Operation::Other,
        environment: Environment::Nothing,
        range: None,
        cancellation: Cancellation::Never,
        format: None,
        start: None,
        passes_on: None,
        object_bytes: 24,
        memoised: false,
        ignores_arguments: false,
        polls: false,
        for_verifiers: false,
    }
}

/// See [`Touches::Nothing`].
pub(super) const fn nothing() -> Row {
    row(Touches::Nothing)
}

/// See [`Touches::Input`]; with the least and the greatest result.
pub(super) const fn input(low: i64, high: u64) -> Row {
    Row { range: Some((low as i128, high as i128)), ..row(Touches::Input) }
}

/// See [`Touches::Memory`].
pub(super) const fn memory() -> Row {
    row(Touches::Memory)
}

/// See [`Touches::Synchronisation`].
pub(super) const fn sync(operation: Operation) -> Row {
    Row { operation, ..row(Touches::Synchronisation) }
}

/// See [`Touches::Both`].
pub(super) const fn both(operation: Operation) -> Row {
    Row { operation, ..row(Touches::Both) }
}

/// A function of the `printf` family: the index of the format.
pub(super) const fn format(argument: usize) -> Row {
    Row { format: Some(Format { argument, stream: false, list: false }), ..row(Touches::Memory) }
}

impl Row {
    pub(super) const fn named(self, names: &'static [&'static str]) -> Row {
        Row { names, ..self }
    }

    pub(super) const fn is(self, operation: Operation) -> Row {
        Row { operation, ..self }
    }

    pub(super) const fn of(self, environment: Environment) -> Row {
        Row { environment, ..self }
    }

    /// See [`Cancellation::Always`].
    pub(super) const fn cancels(self) -> Row {
        Row { cancellation: Cancellation::Always, ..self }
    }

    /// See [`Cancellation::Possible`].
    pub(super) const fn may_cancel(self) -> Row {
        Row { cancellation: Cancellation::Possible, ..self }
    }

    /// See [`Format::stream`].
    pub(super) const fn to_stream(self) -> Row {
        match self.format {
            Some(format) => Row { format: Some(Format { stream: true, ..format }), ..self },
            None => self,
        }
    }

    /// See [`Format::list`].
    pub(super) const fn with_list(self) -> Row {
        match self.format {
            Some(format) => Row { format: Some(Format { list: true, ..format }), ..self },
            None => self,
        }
    }

    pub(super) const fn starts(self, function: usize, argument: usize) -> Row {
        Row { start: Some(Start { function, argument }), ..self }.passes_on(argument)
    }

    pub(super) const fn passes_on(self, argument: usize) -> Row {
        Row { passes_on: Some(argument), ..self }
    }

    pub(super) const fn bytes(self, object_bytes: i64) -> Row {
        Row { object_bytes, ..self }
    }

    pub(super) const fn memo(self) -> Row {
        Row { memoised: true, ..self }
    }

    pub(super) const fn ignores_arguments(self) -> Row {
        Row { ignores_arguments: true, ..self }
    }

    pub(super) const fn polls(self) -> Row {
        Row { polls: true, ..self }
    }

    pub(super) const fn for_verifiers(self) -> Row {
        Row { for_verifiers: true, ..self }
    }
}
