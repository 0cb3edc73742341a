//! An execution of a model as statements of C.
//!
//! *Entry point:* [`Rows::statements_of`].

use axle_evidence::trace::Trace;
use axle_extract::Executed;

use crate::process;
use crate::row_labels::Rows;

/// Behind a statement of C that leaves nothing in the model.
pub const HIDDEN: &str = "  (hidden)";

/// Behind a statement of C that may have been executed: it is on one way of a choice that the table
/// removes.
pub const ONE_WAY: &str = "  (hidden, on one way of a removed choice)";

impl Rows {
    /// An execution as statements of C, those included that leave nothing in the model.
    #[must_use]
    pub fn statements_of(&self, trace: &Trace) -> Vec<String> {
        let mut lines = vec!["the execution in C:".to_string()];
        for process::Executed { process, line, mover, step } in process::statements(trace, &self.processes) {
            let extraction = &process.extraction;
            // The process of a wrapper has a name of its own.
            let number =
                mover.process.strip_prefix(&*extraction.process).filter(|rest| rest.starts_with('('));
            let name = match number {
                Some(number) => format!("{}{number}", extraction.function),
                None => format!("{} in {}", extraction.function, mover.process),
            };
            for (index, executed) in extraction.executed(line) {
                let (place, statement) = process.line_of(index);
                let remark = match executed {
                    Executed::Shown => "",
                    Executed::Hidden => HIDDEN,
                    Executed::Perhaps => ONE_WAY,
                };
                lines.push(format!("{step:5}  {name}  {place}  {statement}{remark}"));
            }
        }
        lines
    }
}
