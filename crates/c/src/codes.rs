//! Diagnostic codes of this crate and their explanations. E07xx and W07xx are reserved for C.
//!
//! *Entry point:* [`explain`].

/// Codes and explanations, sorted by code.
pub const CODES: &[(&str, &str)] = &[
    ("E0701", "Something else must stand here; the message says what."),
    (
        "E0702",
        "Brackets, blocks and operators can be nested in one another some hundred times, not more; lists and expressions have bounds too.",
    ),
    (
        "E0703",
        "This is not a number of C: digits of its base, then perhaps a suffix such as `u`, `L` or `ULL`.",
    ),
    ("E0704", "A character constant or string holds an escape that C does not know, or nothing at all."),
    ("E0705", "Braces do not match."),
    ("E0706", "The words of the declaration do not go together, or a width or alignment is out of range."),
    ("E0710", "Assembler code is not read. Put C in its place, for example under `#ifdef __axle__`."),
    (
        "E0711",
        "Only inside of functions a length may be computed, of arrays with automatic storage and of what pointers lead to. Give the array a constant bound.",
    ),
    ("E0712", "GNU's functions inside functions are not supported."),
    (
        "E0714",
        "The type or builtin is known and not supported: complex numbers, vectors, and computing with `long double` or `__int128`.",
    ),
    ("E0720", "A name is used that nothing declares here."),
    ("E0721", "A name is declared twice, in ways that do not go together."),
    ("E0722", "A type must be complete here: its size must be known, and not exceed what is supported."),
    ("E0723", "The operator, statement or conversion does not take values of this type."),
    (
        "E0724",
        "Only an object that is not `const` can be changed, and only an object or function has an address.",
    ),
    ("E0725", "A call must have the arguments that the function is declared with."),
    ("E0726", "A constant is expected: something whose value is known without running the program."),
    ("E0727", "The structure or union has no such member."),
    ("E0728", "A `_Static_assert` does not hold."),
    ("E0729", "The initial value does not fit what it is for."),
    (
        "E0730",
        "A label, `case`, `break`, `continue` or `goto` has nothing to refer to, or a label stands twice.",
    ),
    ("E0732", "The same thing is defined twice."),
    ("E0733", "C has no such type: arrays of functions, functions that return arrays, lengths below zero."),
    ("E0740", "The program has no function `main`."),
    (
        "E0741",
        "A function is called, or a variable used, that has no definition and that is not known as part of the C library.",
    ),
    (
        "E0742",
        "The program uses declarations of a header that Axle does not model. Declare what is used in a header of your own, and define the functions in C.",
    ),
    (
        "W0701",
        "A function is called without a declaration, or a declaration has no type; `int` is taken, as in C89.",
    ),
    ("W0702", "Pointers to different types are mixed without a cast."),
    ("W0703", "A pointer and an integer are mixed without a cast."),
    ("W0704", "There are more initial values than places for them; the rest is dropped."),
    ("W0705", "A function that returns a value ends with a `return` without one, or the other way round."),
];

/// The explanation of a code; `None` for a code of another crate.
#[must_use]
pub fn explain(code: &str) -> Option<&'static str> {
    CODES.iter().find(|(known, _)| *known == code).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::{CODES, explain};

    #[test]
    fn codes_are_sorted_and_explained() {
        assert!(CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(CODES.iter().all(|(code, text)| code.len() == 5 && text.ends_with('.')));
        assert!(explain("E0710").is_some_and(|text| text.contains("__axle__")));
        assert_eq!(explain("E9999"), None);
    }
}
