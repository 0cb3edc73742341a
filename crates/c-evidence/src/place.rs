//! Places and statements of a program in the source text, macros not expanded.

use axle_evidence::report::{ErrorReport, PlaceReport};
use axle_source::{Diagnostic, Loc, Place, Sources};

/// The most characters of a statement that are shown.
const LONGEST: usize = 100;

/// The place of a location, for reports.
pub fn place(sources: &Sources, loc: Loc) -> PlaceReport {
    place_report(sources.place(sources.outermost(loc)))
}

/// A place in the form of reports.
pub fn place_report(place: Place) -> PlaceReport {
    PlaceReport {
        file: place.file.to_string(),
        line: place.start.line,
        column: place.start.column,
        end_line: place.end.line,
        end_column: place.end.column,
    }
}

/// A diagnostic in the form of reports.
pub fn error_report(diagnostic: &Diagnostic, sources: &Sources) -> ErrorReport {
    ErrorReport {
        code: Some(diagnostic.code.to_string()).filter(|code| !code.is_empty()),
        message: diagnostic.message.clone(),
        place: diagnostic.outer_place(sources).map(place_report),
        help: diagnostic.notes.iter().chain(&diagnostic.helps).cloned().collect(),
    }
}

/// `file:line`.
pub fn at(sources: &Sources, loc: Loc) -> String {
    let place = sources.place(sources.outermost(loc));
    format!("{}:{}", place.file, place.start.line)
}

/// A statement as written, on one line, without its semicolon and without brackets around all of
/// it.
pub fn spelled(sources: &Sources, loc: Loc) -> String {
    let words: Vec<&str> = sources.text(sources.outermost(loc)).split_whitespace().collect();
    let text = words.join(" ");
    let text = without_brackets(text.trim_end_matches(';').trim_end());
    match text.chars().count() > LONGEST {
        true => text.chars().take(LONGEST - 3).chain("...".chars()).collect(),
        false => text.to_string(),
    }
}

/// Removes brackets that enclose a whole expression, as in `while (x)`.
fn without_brackets(mut text: &str) -> &str {
    while let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        if !is_balanced(inner) {
            break;
        }
        text = inner.trim();
    }
    text
}

/// Whether every closing bracket follows its opening bracket; literals are skipped.
fn is_balanced(text: &str) -> bool {
    let (mut depth, mut quote, mut chars) = (0u32, None, text.chars());
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(_), '\\') => {
                chars.next();
            }
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') if depth == 0 => return false,
            (None, ')') => depth -= 1,
            (None, _) => {}
        }
    }
    depth == 0 && quote.is_none()
}

/// The user's macros that a place was expanded from, one sentence each, the outermost first.
pub fn macros(sources: &Sources, loc: Loc) -> Vec<String> {
    let mut lines: Vec<String> = sources
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
    lines.reverse();
    lines.dedup();
    lines
}

#[cfg(test)]
mod tests {
    use super::without_brackets;

    #[test]
    fn only_brackets_around_the_whole_expression_are_removed() {
        for (text, shown) in [
            ("(x)", "x"),
            ("((x = y))", "x = y"),
            ("(c = p->a) != (3)", "(c = p->a) != (3)"),
            ("(f)(x)", "(f)(x)"),
            ("(g(')', \"(\"))", "g(')', \"(\")"),
            ("(')')", "')'"),
        ] {
            assert_eq!(without_brackets(text), shown);
        }
    }
}
