//! The codes of this crate's diagnostics with their meaning. E01xx and W01xx belong to the
//! preprocessor.

/// Code and explanation, sorted by code.
pub const CODES: &[(&str, &str)] = &[
    (
        "E0101",
        "A block comment `/*` has no `*/` in the same file; the rest of the file was taken for comment.",
    ),
    (
        "E0102",
        "A string or character constant must end on the line on which it starts. An apostrophe in plain text, outside a comment, also starts a character constant.",
    ),
    ("E0103", "The word after `#` at the start of a line is not the name of a preprocessor directive."),
    ("E0104", "The input itself asks for this error with `#error`."),
    ("E0105", "An `#if`, `#ifdef` or `#ifndef` needs an `#endif` in the same file."),
    (
        "E0106",
        "`#else`, `#elif` and `#endif` belong to an `#if` before them in the same file, and `#else` must be the last of its branches.",
    ),
    (
        "E0107",
        "A `#define`, `#undef`, `-D` or `-U` must name a macro; a parameter list, when `(` follows the name at once, must be names between commas, perhaps with `...` at its end.",
    ),
    (
        "E0108",
        "In a macro's text, `##` stands between two tokens, and in a function-like macro `#` stands before a parameter.",
    ),
    (
        "E0109",
        "A function-like macro must be given as many arguments as it has parameters. Commas inside round brackets do not separate arguments.",
    ),
    ("E0110", "The `(` after a function-like macro's name has no matching `)` in the same file."),
    ("E0111", "`##` joins the spelling of two tokens, and the result must again be one token."),
    ("E0112", "`#if` and `#elif` take an expression of integers, and `#ifdef` and its like take a name."),
    ("E0113", "The condition of an `#if` divides by zero in a part that decides it."),
    (
        "E0114",
        "An included file was found neither beside the file that includes it (only for `\"...\"`) nor in the folders given with `-I`.",
    ),
    ("E0115", "An included file exists, but reading it failed."),
    ("E0116", "`#include` takes a file's name in quotes or in angle brackets."),
    (
        "E0117",
        "`#line` takes a line number and perhaps a file's name in quotes; so does a line that starts with `#` and a number.",
    ),
    (
        "E0118",
        "The input exceeds a bound that keeps every run finite: files including one another, macros nested in one another, or sheer size.",
    ),
    (
        "E0119",
        "What a macro use unfolds into has a limit, for one use and for all together: macros that repeat their arguments and call one another grow exponentially.",
    ),
    ("E0120", "`_Pragma` takes one string literal in round brackets."),
    (
        "W0101",
        "The file holds bytes that are not UTF-8 (often an old Latin-1 comment); each was read as U+FFFD.",
    ),
    (
        "W0102",
        "A macro's text holds a quote that is not closed on its line; using the macro will be an error.",
    ),
    ("W0104", "The input itself asks for this warning with `#warning`."),
    ("W0107", "A macro is defined again with another text; the last definition holds from there on."),
    ("W0112", "A number in a condition does not fit a signed integer of 64 bits."),
    (
        "W0118",
        "Something follows a directive that takes nothing more, such as a name after `#endif`; it is ignored.",
    ),
    ("W0119", "A macro that the preprocessor itself defines, such as `__LINE__`, is redefined or undefined."),
];

/// The meaning of a code; `None` if it is not a code of this crate.
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
        assert!(explain("E0105").is_some_and(|text| text.contains("#endif")));
        assert_eq!(explain("E9999"), None);
    }
}
