//! The functions and function-like macros of each modelled header, with how each one is executed.
//! The reference page `docs/reference/c-library.md` is generated from this listing.
//!
//! *Entry point:* [`library_listing`].
//! *Invariant:* a function that is listed as executed is found by [`crate::library::find`], or is
//! defined in the C sources of the library model.

use crate::headers::{HEADERS, in_library};
use crate::library::find;

/// How a function of a header is executed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Execution {
    /// By the interpreter.
    Interpreter,
    /// By a definition in C, which is part of Axle.
    Source,
    /// By expansion of a macro.
    Macro,
    /// Not executed: a call makes the verdict unknown.
    DeclarationOnly,
}

/// The functions of one header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The name in the `#include` directive.
    pub name: &'static str,
    /// Each function with how it is executed, in alphabetical order.
    pub functions: Vec<(&'static str, Execution)>,
}

/// The modelled headers in alphabetical order.
pub fn library_listing() -> Vec<Header> {
    HEADERS.iter().map(|(name, text)| Header { name, functions: functions(text) }).collect()
}

fn functions(text: &'static str) -> Vec<(&'static str, Execution)> {
    let mut found: Vec<(&str, Execution)> = text
        .lines()
        .filter_map(|line| match line.strip_prefix("#define ") {
            Some(definition) => macro_name(definition).map(|name| (name, Execution::Macro)),
            None if line.starts_with(['#', ' ', '}']) || line.starts_with("typedef") => None,
            None => function_name(line).map(|name| (name, execution(name))),
        })
        .filter(|(name, _)| !name.starts_with("__"))
        .collect();
    found.sort();
    found.dedup_by(|later, earlier| later.0 == earlier.0);
    found
}

fn execution(name: &str) -> Execution {
    if find(name).is_some() {
        Execution::Interpreter
    } else if in_library(name) {
        Execution::Source
    } else {
        Execution::DeclarationOnly
    }
}

/// The name of a function-like macro: the parenthesis follows it immediately (C11 6.10.3).
fn macro_name(definition: &str) -> Option<&str> {
    let (name, _) = definition.split_once('(')?;
    (!name.contains(' ')).then_some(name)
}

/// The declared name in a prototype: the identifier before the first parenthesis.
fn function_name(prototype: &str) -> Option<&str> {
    let (before, _) = prototype.split_once('(')?;
    let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (!name.is_empty() && prototype.ends_with(';') && !matches!(name, "__attribute__")).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_and_macros_are_told_from_types_and_constants() {
        let text = "typedef int (*handler)(int);\n#define LIMIT (3)\n#define twice(x) (2 * (x))\n\
                    void *memcpy(void *, const void *, size_t);\nchar *strtok(char *, const char *);\n\
                    int fork(void);\nint __hidden(void);\nextern int value;\n";
        let wanted = [
            ("fork", Execution::DeclarationOnly),
            ("memcpy", Execution::Interpreter),
            ("strtok", Execution::Source),
            ("twice", Execution::Macro),
        ];
        assert_eq!(functions(text), wanted);
    }

    #[test]
    fn every_prototype_of_a_header_is_listed() {
        for header in library_listing() {
            let text = HEADERS.iter().find(|(name, _)| *name == header.name).map_or("", |(_, text)| text);
            let prototypes =
                text.lines().filter(|line| line.ends_with(");") && !line.starts_with(['#', ' ', 't']));
            for line in prototypes {
                let name = function_name(line).unwrap_or_default();
                let listed = header.functions.iter().any(|(function, _)| *function == name);
                assert!(listed || name.starts_with("__"), "{}: {line}", header.name);
            }
        }
    }
}
