//! The trail file of a run of a C program: version 3 of the form, beside those of models. Described
//! in docs/reference/trail.md.

use serde::{Deserialize, Serialize};

/// The version of the file's form.
pub const VERSION: u32 = 3;

/// A run of a C program to what is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ProgramTrail {
    /// [`VERSION`]; it stands first, and says what kind of file this is.
    pub axle_trail: u32,
    /// The version of Axle that wrote it.
    pub axle: String,
    /// The files of the program, as the user named them.
    pub files: Vec<String>,
    /// How the program was read: `-DN=3`, `--data-model ilp32`, ...
    pub arguments: Vec<String>,
    /// A number that differs for programs and settings that differ.
    pub fingerprint: String,
    /// The kind of violation: `assertion`, `data-race`, ...; or the name of a property over runs.
    pub kind: String,
    /// The steps at fault, as the program's listing numbers them; none for a property over runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<u32>,
    /// What was assumed of the scheduler, for a property over runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<String>,
    /// The position of each step among the successors of the state before it; null for a stuttering
    /// step.
    pub path: Vec<Option<u32>>,
    /// The length of the cycle at the end, in steps; 0 for a finite execution.
    #[serde(default)]
    pub cycle: usize,
}

/// The text of a trail file.
pub fn write(trail: &ProgramTrail) -> String {
    // Strings and numbers have a JSON form, and a string takes it.
    let mut text = serde_json::to_string_pretty(trail).unwrap_or_default();
    text.push('\n');
    text
}
