//! C programs that are checked through their abstraction tables: from the program and its tables to a
//! model, and from the answers for the model to those for the program.
//!
//! * [`SourceProgram::open`] reads a program, [`NamedTable::read`] a table.
//! * [`Extracted::new`] extracts the processes that a wrapper includes, or those of the program where
//!   there is no wrapper; [`Extracted::compile`] compiles the model of these processes with properties.
//! * [`Origin::qualify`] weakens the verdicts of a report by the labels of the rows, confirms the
//!   counterexamples on the program, and maps them to statements of C. [`Origin::admits`] does this for
//!   one counterexample.
//!
//! * [`derive()`] proposes the rows that a formula needs.
//!
//! Nothing here searches the model. Files are read through the loader of the caller.
//!
//! *Source:* G. J. Holzmann, *Software Model Checking*, 2000: extraction by tables.
//! *Invariant:* a verdict for the program says no more than the rows allow; the function that decides is
//! [`axle_outcome::join`].

mod compile;
mod completed;
mod confirm;
mod derive;
mod extracted;
mod origin;
mod process;
mod row_labels;
mod side_by_side;
mod source_program;
mod statements;

pub use compile::Compiled;
pub use confirm::{Confirmed, Original};
pub use derive::{Derived, derive};
pub use extracted::{Extracted, Refusal};
pub use origin::{Origin, Qualified};
pub use process::Process;
pub use row_labels::{RowLabels, RowOrigin, Rows, TableRow};
pub use side_by_side::{ProcessText, PromelaLine, Statement};
pub use source_program::{NamedTable, SourceProgram, stem};
pub use statements::{HIDDEN, ONE_WAY};
