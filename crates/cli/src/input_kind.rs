//! The kind of an input: a C program by its name, the text of a model by its first bytes, and
//! Promela otherwise.
//!
//! *Entry points:* [`is_program`], [`is_model_text`].

use std::path::Path;

/// Whether a file is C by its name.
pub fn is_program(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "c" || extension == "i")
}

/// Whether a file is the text of a model, as `axle dump` prints it.
pub fn is_model_text(text: &[u8]) -> bool {
    text.starts_with(b"axle model ")
}
