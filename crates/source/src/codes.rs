//! The codes of this crate's diagnostics, each with what it means. E01xx and W01xx belong to the preprocessor.

/// Code and explanation, sorted by code.
pub const CODES: &[(&str, &str)] = &[];

/// What a code of this crate means, or nothing when the code is not one of this crate's.
#[must_use]
pub fn explain(code: &str) -> Option<&'static str> {
    CODES.iter().find(|(known, _)| *known == code).map(|(_, text)| *text)
}
