//! Errors and warnings about inputs, for machine-readable reports.
//!
//! *Entry point:* [`Messages`].
//! *Invariant:* an error or warning that is recorded was also printed.

use std::sync::{Mutex, MutexGuard, PoisonError};

use axle_check::program::error_report;
use axle_evidence::report::{ErrorReport, WarningReport};
use axle_source::{Diagnostics, Severity, Sources};

use crate::output::complain;

/// The errors and warnings about an input. The report at a deadline reads them in another thread.
#[derive(Default)]
pub struct Messages {
    recorded: Mutex<Recorded>,
}

#[derive(Default)]
struct Recorded {
    errors: Vec<ErrorReport>,
    warnings: Vec<WarningReport>,
}

impl Messages {
    fn recorded(&self) -> MutexGuard<'_, Recorded> {
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports an error on standard error, and records it.
    pub fn complain(&self, text: &str) {
        self.record(ErrorReport { code: None, message: text.to_string(), place: None, help: Vec::new() });
        complain(text);
    }

    /// Records an error; the caller prints it.
    pub fn record(&self, error: ErrorReport) {
        self.recorded().errors.push(error);
    }

    /// Records the errors and warnings among diagnostics; the caller prints them.
    pub fn record_all(&self, diagnostics: &Diagnostics, sources: &Sources) {
        for diagnostic in diagnostics {
            let found = error_report(diagnostic, sources);
            if diagnostic.severity == Severity::Error {
                self.record(found);
            } else if !diagnostic.code.is_empty() {
                let ErrorReport { message, place, .. } = found;
                let warning = WarningReport { kind: diagnostic.code.into(), message, place };
                self.recorded().warnings.push(warning);
            }
        }
    }

    /// The errors recorded since the last call.
    pub fn take_errors(&self) -> Vec<ErrorReport> {
        std::mem::take(&mut self.recorded().errors)
    }

    /// The warnings recorded since the last call.
    pub fn take_warnings(&self) -> Vec<WarningReport> {
        std::mem::take(&mut self.recorded().warnings)
    }
}
