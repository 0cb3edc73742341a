//! The program that is checked, and where it comes from.
//!
//! *Entry point:* [`Subject`].

use axle_c::Program;
use axle_source::Sources;

/// A program and where it comes from.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The program.
    pub program: &'a Program,
    /// The text that it was read from.
    pub sources: &'a Sources,
    /// Its files, as the user named them.
    pub files: &'a [String],
    /// The options that decide what the program is: `-DN=3`, `--data-model ilp32`.
    pub arguments: &'a [String],
    /// The file with the contents of standard input; none where every input is possible.
    pub stdin: Option<&'a str>,
}
