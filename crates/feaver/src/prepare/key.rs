//! The key of a run: a hash of everything that its verdict depends on.
//!
//! *Entry point:* [`Key::new`].
//! *Invariant:* runs with equal keys have equal verdicts.

use axle_evidence::sha256::sha256;
use serde::{Deserialize, Serialize};

/// The name of the part that is a C program.
pub const PROGRAM: &str = "program";

/// The name of the part that is a slice of a model.
pub const SLICE: &str = "slice";

/// The name of the part that is a whole model.
pub const MODEL: &str = "model";

/// The names of the parts that come from the sources of the software.
pub const SOFTWARE: [&str; 3] = [PROGRAM, SLICE, MODEL];

/// A part of a key.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Part {
    /// Its name: `slice` or `program`, `property`, `provisioning`, `options` or `version`.
    pub name: String,
    /// What it is, for readers.
    pub summary: String,
    /// The SHA-256 of its content, in hexadecimal.
    pub hash: String,
}

/// The key of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Key {
    /// The SHA-256 of the parts.
    pub hash: String,
    /// The parts.
    pub parts: Vec<Part>,
}

impl Key {
    /// The key of parts, each with name, summary and content.
    #[must_use]
    pub fn new(parts: &[(&str, String, String)]) -> Key {
        let parts: Vec<Part> = (parts.iter())
            .map(|(name, summary, content)| Part {
                name: (*name).to_string(),
                summary: summary.clone(),
                hash: sha256(content.as_bytes()),
            })
            .collect();
        let all: String = parts.iter().map(|part| format!("{} {}\n", part.name, part.hash)).collect();
        Key { hash: sha256(all.as_bytes()), parts }
    }

    /// The parts as text, one a line.
    #[must_use]
    pub fn explain(&self) -> String {
        let width = self.parts.iter().map(|part| part.name.len()).max().unwrap_or(0);
        let line = |part: &Part| format!("{:width$}  {}  {}\n", part.name, &part.hash[..12], part.summary);
        self.parts.iter().map(line).collect()
    }

    /// The names of the parts that differ from another key.
    #[must_use]
    pub fn changed<'a>(&'a self, other: &Key) -> Vec<&'a str> {
        let same =
            |part: &&Part| other.parts.iter().any(|other| other.name == part.name && other.hash == part.hash);
        self.parts.iter().filter(|part| !same(part)).map(|part| part.name.as_str()).collect()
    }
}
