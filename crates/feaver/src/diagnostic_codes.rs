//! The registry of diagnostic codes: those of all front ends and of projects, each with its meaning. The
//! page of diagnostics, `axle explain` and the reports read it.
//!
//! *Entry points:* [`all`], [`meaning`].
//! *Invariant:* no code occurs twice.

/// All codes, each with its meaning, by crate.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_languages = axle_source::codes::CODES
        .iter()
        .chain(axle_promela::codes::CODES)
        .chain(axle_promela::lowering_codes::CODES)
        .chain(axle_c::codes::CODES)
        .chain(axle_extract::codes::CODES);
    of_languages.chain(axle_ltl::timeline::CODES).chain(crate::codes::CODES).copied()
}

/// The meaning of a code; none if there is no such code.
#[must_use]
pub fn meaning(code: &str) -> Option<&'static str> {
    all().find(|(known, _)| *known == code).map(|(_, meaning)| meaning)
}

#[cfg(test)]
mod tests {
    use super::{all, meaning};

    #[test]
    fn codes_are_unique_and_explained() {
        let mut codes: Vec<&str> = all().map(|(code, _)| code).collect();
        let number = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), number);
        assert!(all().all(|(code, meaning)| code.len() == 5 && !meaning.is_empty()));
        // One of each phase, C included.
        for code in ["E0105", "E0301", "E0710", "E0813", "E0901", "E1001"] {
            assert!(meaning(code).is_some(), "{code}");
        }
        assert_eq!(meaning("E9999"), None);
    }
}
