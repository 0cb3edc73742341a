//! Properties of tokens over arbitrary text.

use axle_source::{Diagnostics, Dialect, MemoryLoader, Options, Sources, TokenKind, preprocess, tokenize};
use proptest::prelude::*;

proptest! {
    /// Without splices and macros, a token is spelled at its span, tokens are in order, and what
    /// lies between them is white space or comment.
    #[test]
    fn spans_slice_to_spellings(text in "[ \na-c0-9.'\"/*<>:;#@é◇-]{0,80}", c in any::<bool>()) {
        let dialect = if c { Dialect::C } else { Dialect::Promela };
        let mut sources = Sources::new();
        let main = sources.add("m", &text);
        let mut diagnostics = Diagnostics::new();
        let tokens = tokenize(main, dialect, &sources, &mut diagnostics);
        let mut at = 0;
        for token in &tokens {
            let (start, end) = (token.span.start as usize, token.span.end as usize);
            prop_assert!(start >= at);
            prop_assert_eq!(&text[start..end], &*token.text);
            let gap = &text[at..start];
            let comment = gap.contains("//") || gap.contains("/*");
            prop_assert!(comment || gap.trim().is_empty(), "{:?} is lost", gap);
            if !comment {
                prop_assert_eq!(token.newline_before || token.kind == TokenKind::End,
                    at == 0 || gap.contains('\n') || token.kind == TokenKind::End);
            }
            at = end;
        }
        prop_assert_eq!(at, text.len());
    }

    /// Preprocessing text without directives and macros changes nothing.
    #[test]
    fn plain_text_passes_unchanged(text in "[ \na-c0-9.;:<>+-]{0,80}") {
        let mut sources = Sources::new();
        let main = sources.add("m", &text);
        let mut diagnostics = Diagnostics::new();
        let plain = tokenize(main, Dialect::C, &sources, &mut diagnostics);
        let options = Options::new(Dialect::C);
        let loader = MemoryLoader::default();
        let output = preprocess(main, &options, &loader, &mut sources, &mut diagnostics);
        prop_assert_eq!(plain, output.tokens);
        prop_assert!(diagnostics.is_empty());
    }

    /// Line and column lead back to the offset.
    #[test]
    fn positions_are_exact(text in "[ab\né◇\t]{0,60}") {
        let mut sources = Sources::new();
        let main = sources.add("m", &text);
        let file = sources.file(main);
        for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let position = file.position(offset as u32);
            let before = &text[..offset];
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            prop_assert_eq!(position.line as usize, before.matches('\n').count() + 1);
            prop_assert_eq!(position.column as usize, before[line_start..].chars().count() + 1);
            prop_assert_eq!(file.line_of(offset as u32), position.line);
        }
    }
}
