//! What a wrapper asks for: it includes `FUNCTION.spn`, inside of braces as a body, outside as a
//! process of its own (Holzmann, *Software Model Checking*, figure 22).
//!
//! *Entry point:* [`wanted`].

use axle_source::{Diagnostics, Dialect, Sources, TokenKind, tokenize};

use crate::generate::Form;

/// The functions whose text a wrapper includes, in order, each in the form that its place asks for.
#[must_use]
pub fn wanted(text: &str) -> Vec<(String, Form)> {
    let (mut sources, mut ignored) = (Sources::new(), Diagnostics::new());
    let file = sources.add("wrapper", text);
    let tokens = tokenize(file, Dialect::Promela, &sources, &mut ignored);
    let (mut wanted, mut depth) = (Vec::new(), 0usize);
    for (index, token) in tokens.iter().enumerate() {
        if token.is_punct("{") {
            depth += 1;
        } else if token.is_punct("}") {
            depth = depth.saturating_sub(1);
        }
        let directive = token.is_punct("#") && token.newline_before;
        let [word, name] = [tokens.get(index + 1), tokens.get(index + 2)];
        let (Some(word), Some(name)) = (word, name) else { continue };
        if !directive || !word.is_ident("include") || name.kind != TokenKind::String {
            continue;
        }
        let path = name.text.trim_matches('"');
        let stem = path.strip_suffix(".spn").map(|path| path.rsplit('/').next().unwrap_or(path));
        if let Some(function) = stem
            && !wanted.iter().any(|(known, _)| known == function)
        {
            let form = if depth == 0 { Form::Active } else { Form::Body };
            wanted.push((function.to_string(), form));
        }
    }
    wanted
}
