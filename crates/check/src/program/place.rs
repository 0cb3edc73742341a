//! Places and statements of a program as people see them: in the text that the user wrote, macros not expanded.

use axle_evidence::report::PlaceReport;
use axle_source::{Loc, Sources};

/// Characters of a statement that are shown.
const LONGEST: usize = 100;

/// Where something stands.
pub(crate) fn place(sources: &Sources, loc: Loc) -> PlaceReport {
    let place = sources.place(sources.outermost(loc));
    PlaceReport {
        file: place.file.to_string(),
        line: place.start.line,
        column: place.start.column,
        end_line: place.end.line,
        end_column: place.end.column,
    }
}

/// `file:line`.
pub(crate) fn at(sources: &Sources, loc: Loc) -> String {
    let place = sources.place(sources.outermost(loc));
    format!("{}:{}", place.file, place.start.line)
}

/// A statement as written, on one line.
pub(crate) fn spelled(sources: &Sources, loc: Loc) -> String {
    let words: Vec<&str> = sources.text(sources.outermost(loc)).split_whitespace().collect();
    let mut text = words.join(" ");
    while text.ends_with(';') {
        text.pop();
    }
    if text.chars().count() > LONGEST {
        text = text.chars().take(LONGEST - 3).chain("...".chars()).collect();
    }
    text
}

/// Through which macros of the user's a place came, in a sentence a macro, the outermost first.
pub(crate) fn macros(sources: &Sources, loc: Loc) -> Vec<String> {
    let mut told: Vec<String> = sources
        .chain(loc)
        .filter(|expansion| !sources.file(expansion.definition.file).name().starts_with("<axle>"))
        .map(|expansion| {
            let defined = sources.place(expansion.definition);
            format!(
                "in the expansion of `{}`, defined at {}:{}",
                expansion.name, defined.file, defined.start.line
            )
        })
        .collect();
    told.reverse();
    told.dedup();
    told
}
