//! Places in the source, as reasons, reports and traces contain them.

use serde::{Deserialize, Serialize};

/// A place in the source; lines and columns count from 1, the end is exclusive.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "as in the model's Origin, with the file by name")]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl Place {
    /// Whether the file is one that Axle generates or has built in: its name is in angle brackets.
    #[must_use]
    pub fn is_generated(&self) -> bool {
        self.file.starts_with('<')
    }
}
