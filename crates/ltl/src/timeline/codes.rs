//! The codes of the faults of timelines, each with what it means.

/// Code and explanation, sorted by code. E09xx belongs to timelines.
pub const CODES: &[(&str, &str)] = &[
    (FORM, "A line of a timeline is a mark, a bar or its name; the message says what is expected."),
    (CONDITION, "A condition of a timeline is written as in formulas, without temporal operators."),
    (ORDER, "Marks are in order and have different names; bars extend from one to a later one."),
    (DECIDES, "A timeline needs an event that must or must not follow, behind all other events."),
    (SIZE, "A timeline has at most 32 marks and 64 different propositions."),
];

pub(super) const FORM: &str = "E0901";
pub(super) const CONDITION: &str = "E0902";
pub(super) const ORDER: &str = "E0903";
pub(super) const DECIDES: &str = "E0904";
pub(super) const SIZE: &str = "E0905";
