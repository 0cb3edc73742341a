//! Diagnostic codes of this crate and their explanations. E07xx and W07xx are reserved for C.
//!
//! *Entry point:* [`explain`].

/// Codes and explanations, sorted by code.
pub const CODES: &[(&str, &str)] = &[
    ("E0701", "Syntax error: the message names the expected token or construct."),
    (
        "E0702",
        "An implementation limit is exceeded: nesting of brackets, blocks and operators (some hundred levels), or the length of a list or expression.",
    ),
    (
        "E0703",
        "Invalid numeric constant. A constant consists of digits of its base and an optional suffix such as `u`, `L` or `ULL`.",
    ),
    (
        "E0704",
        "Invalid escape sequence in a character constant or string literal, or an empty character constant.",
    ),
    ("E0705", "Unbalanced braces."),
    ("E0706", "Invalid combination of declaration specifiers, or a width or alignment out of range."),
    ("E0710", "Inline assembly is not supported. Replace it by C, for example under `#ifdef __axle__`."),
    (
        "E0711",
        "Variable-length arrays are allowed only in functions, with automatic storage duration or as the target of a pointer. Use a constant length.",
    ),
    ("E0712", "Nested functions (a GNU extension) are not supported."),
    (
        "E0714",
        "The type or builtin is not supported: complex numbers, vectors, arithmetic on `long double`, and 128-bit integers in atomic operations, bit-fields, variable arguments or as floating-point numbers.",
    ),
    ("E0720", "Undeclared identifier."),
    ("E0721", "Conflicting declarations of one identifier."),
    ("E0722", "A complete type is required here, and its size must not exceed the supported maximum."),
    ("E0723", "Invalid operand type for the operator, statement or conversion."),
    ("E0724", "The operand is not a modifiable lvalue, or its address cannot be taken."),
    ("E0725", "The arguments of a call do not match the declaration of the function."),
    ("E0726", "A constant expression is required here."),
    ("E0727", "The structure or union has no member of this name."),
    ("E0728", "Static assertion failed."),
    ("E0729", "The initialiser does not match the type of the object."),
    (
        "E0730",
        "A label, `case`, `break`, `continue` or `goto` without a target or enclosing statement, or a duplicate label.",
    ),
    ("E0732", "Redefinition."),
    (
        "E0733",
        "Invalid derived type: an array of functions, a function that returns an array, or a negative array length.",
    ),
    ("E0740", "The program has no function `main`."),
    (
        "E0741",
        "Undefined variable: it is declared and used, but not defined in the given files or in the modelled C library.",
    ),
    (
        "E0742",
        "The program uses declarations of a header that Axle does not model. Declare the names in a header of your own, and define the functions in C.",
    ),
    (
        "E0743",
        "A bound (`--bound NAME=VALUE`) replaces nothing. It replaces an object-like macro, an enumeration constant or an initialised `const` integer of the program.",
    ),
    (
        "W0701",
        "Implicit function declaration, or a declaration without a type specifier; the type defaults to `int`, as in C89.",
    ),
    ("W0702", "Conversion or comparison of incompatible pointer types without a cast."),
    ("W0703", "Conversion or comparison of a pointer and an integer without a cast."),
    ("W0704", "Excess elements in an initialiser are ignored."),
    ("W0705", "`return` without a value in a non-void function, or with a value in a void function."),
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
