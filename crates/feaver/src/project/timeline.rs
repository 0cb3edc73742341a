//! Timelines of properties.
//!
//! *Entry point:* [`Reader::timeline`].

use axle_ltl::timeline::{Timeline, parse};
use axle_source::{Diagnostic, FileId, Span};

use super::reader::Reader;

impl Reader<'_> {
    /// Reads a timeline and reports its errors. Without a name in the text, its name is `name`.
    pub(super) fn timeline(&mut self, file: FileId, name: &str) -> Option<Timeline> {
        let text = self.sources.file(file).text().to_string();
        match parse(&text) {
            Ok(mut timeline) => {
                if timeline.name.is_empty() {
                    timeline.name = name.to_string();
                }
                Some(timeline)
            }
            Err(faults) => {
                for fault in faults {
                    let span = Span::new(file, fault.at.start as u32, fault.at.end as u32);
                    let diagnostic = Diagnostic::error(fault.code, fault.message).at(span.into(), "");
                    self.diagnostics.push(diagnostic.help(fault.remedy));
                }
                None
            }
        }
    }
}
