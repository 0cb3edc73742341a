//! Headers that are not modelled.
//!
//! A translation unit may include such a header if it uses none of its declarations. Otherwise one
//! diagnostic at the `#include` replaces the diagnostics about names and types that the header
//! would declare.
//!
//! *Entry points:* [`included`], [`condense`].
//! *Invariant:* errors about unsupported parts of the language are kept, and at least one error
//! remains.

use axle_source::{Diagnostic, Diagnostics, Loc, Sources, Token, TokenKind};

use crate::headers;

/// Codes of diagnostics that a missing declaration may cause.
const CONSEQUENCES: &[&str] =
    &["E0701", "E0720", "E0722", "E0723", "E0725", "E0726", "E0727", "W0701", "W0702", "W0703"];

/// An included header that is not modelled, with its directive.
pub(super) struct Unmodelled {
    name: String,
    loc: Loc,
}

/// The unmodelled headers of a translation unit, found by the pragma in their placeholder texts.
pub(super) fn included(tokens: &[Token], sources: &Sources) -> Vec<Unmodelled> {
    let marks = tokens.iter().filter(|token| token.kind == TokenKind::Pragma);
    let headers = marks.filter(|token| token.text.split_whitespace().eq(["axle", "unmodelled"]));
    headers
        .filter_map(|token| {
            let file = sources.file(token.span.file);
            let name = file.name().strip_prefix(headers::FOLDER)?.strip_prefix('/')?.to_string();
            Some(Unmodelled { name, loc: file.included_at()? })
        })
        .collect()
}

/// Forwards the diagnostics of a translation unit. Those that an unmodelled header may have caused
/// are replaced by one.
pub(super) fn condense(headers: &[Unmodelled], found: &Diagnostics, diagnostics: &mut Diagnostics) {
    let cause = found.iter().find(|diagnostic| is_missing(diagnostic)).cloned();
    let (Some(cause), Some(first)) = (cause, headers.first()) else {
        return diagnostics.extend(found.iter().cloned());
    };
    let names: Vec<String> = headers.iter().map(|header| format!("`{}`", header.name)).collect();
    let (noun, verb) = if names.len() == 1 { ("header", "is") } else { ("headers", "are") };
    let message = format!("the {noun} {} {verb} not modelled", names.join(", "));
    let mut diagnostic = Diagnostic::error("E0742", message).at(first.loc, "included here");
    if let Some(label) = cause.primary() {
        diagnostic = diagnostic.also(label.loc, cause.message.clone());
    }
    diagnostics.push(diagnostic.help(
        "declare the names in a header of your own and pass its directory with `-I`; functions need a definition in C",
    ));
    diagnostics.extend(found.iter().filter(|one| !CONSEQUENCES.contains(&one.code)).cloned());
}

/// Whether a name is undeclared or a type incomplete, and no modelled header declares it.
fn is_missing(diagnostic: &Diagnostic) -> bool {
    matches!(diagnostic.code, "E0720" | "E0722" | "W0701")
        && !diagnostic.helps.iter().any(|help| help.contains("#include"))
}
