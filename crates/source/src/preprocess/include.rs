//! `#include` (C11 6.10.2), `#include_next` and `#import` (GNU). `"file"` is searched in the folder
//! of the file that includes it, then, like `<file>`, in the folders of the options, in order.
//!
//! *Entry point:* [`Preprocessor::include`].
//! *Invariant:* a path is loaded once and has one file id, however often it is included.

use super::Preprocessor;
use super::hide::Tok;
use crate::diagnostic::Diagnostic;
use crate::files::LoadError;
use crate::span::{FileId, Loc, Span};
use crate::token::{Token, TokenKind};

/// A header that was found: its file, and after which folder of the options `#include_next` goes
/// on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub file: FileId,
    pub next_dir: usize,
}

/// Why a header was not found: the paths tried, or the one that cannot be read and why.
pub(super) enum Missing {
    Nowhere(Vec<String>),
    Unreadable(String, String),
}

impl Preprocessor<'_> {
    pub(super) fn include(&mut self, directive: &Token) {
        let Some((path, quoted, loc)) = self.header_name(directive) else { return };
        if path.is_empty() {
            self.diagnostics.push(Diagnostic::error("E0116", "the file's name is empty").at(loc, ""));
            return;
        }
        match self.find_header(&path, quoted, directive.is_ident("include_next")) {
            Ok(found) => {
                if directive.is_ident("import") {
                    if self.entered.contains(&found.file) {
                        return;
                    }
                    self.once.insert(found.file);
                }
                self.enter_file(found, loc);
            }
            Err(Missing::Nowhere(tried)) => {
                let mut diagnostic = Diagnostic::error("E0114", format!("there is no file `{path}`"))
                    .at(loc, "included here")
                    .note(format!("looked for: {}", tried.join(", ")));
                if !self.diagnostics.is_full() {
                    let known = self.sources.files().map(|(_, file)| file.name()).take(100);
                    diagnostic = diagnostic.did_you_mean(&path, known.map(|name| &**name));
                }
                if !quoted {
                    diagnostic = diagnostic.help(
                        "`-I FOLDER` adds a folder to search; `\"...\"` also searches beside this file",
                    );
                }
                self.diagnostics.push(diagnostic);
            }
            Err(Missing::Unreadable(path, why)) => {
                let message = format!("`{path}` cannot be read: {why}");
                self.diagnostics.push(Diagnostic::error("E0115", message).at(loc, "included here"));
            }
        }
    }

    /// The header's name, whether it was in quotes, and where it stands.
    fn header_name(&mut self, directive: &Token) -> Option<(String, bool, Loc)> {
        let frame = self.frames.last_mut()?;
        let gap = super::lex::skip_space(&frame.lexer.text, frame.lexer.at, true);
        let text = frame.lexer.text.clone();
        let line = &text[gap.end..];
        let line = &line[..line.find('\n').unwrap_or(line.len())];
        let close = match line.as_bytes().first() {
            Some(b'"') => Some('"'),
            Some(b'<') => Some('>'),
            _ => None,
        };
        // A header's name is not a token: no escapes, no comments.
        if let Some(close) = close {
            if let Some(length) = line[1..].find(close) {
                let (start, end) = (gap.end, gap.end + length + 2);
                frame.lexer.at = end;
                let span = Span::new(frame.lexer.file, start as u32, end as u32);
                self.expect_line_end(&directive.text);
                return Some((line[1..=length].to_owned(), close == '"', Loc::plain(span)));
            }
            self.skip_line();
            let span =
                Span::new(directive.span.file, gap.end as u32, (gap.end + line.trim_end().len()) as u32);
            self.diagnostics.push(
                Diagnostic::error("E0116", format!("`{close}` is missing after the file's name"))
                    .at(Loc::plain(span), ""),
            );
            return None;
        }
        let tokens = self.rest_of_line();
        let loc = match (tokens.first(), tokens.last()) {
            (Some(first), Some(last)) => first.token.loc().to(last.token.loc()),
            _ => directive.loc().after(),
        };
        match self.header_of_tokens(tokens) {
            Some((path, quoted)) => Some((path, quoted, loc)),
            None => {
                let message = format!("`#{}` takes \"FILE\" or <FILE>", directive.text);
                self.diagnostics.push(Diagnostic::error("E0116", message).at(loc, ""));
                None
            }
        }
    }

    /// The header named by tokens, which are expanded when they do not name one as they stand.
    pub(super) fn header_of_tokens(&mut self, tokens: Vec<Tok>) -> Option<(String, bool)> {
        let direct =
            tokens.first().is_some_and(|tok| tok.token.kind == TokenKind::String || tok.token.is_punct("<"));
        let tokens = if direct { tokens } else { self.expand_list(tokens, false) };
        let first = &tokens.first()?.token;
        if first.kind == TokenKind::String {
            let inside = first.text.strip_prefix('"')?.strip_suffix('"')?;
            return (tokens.len() == 1).then(|| (inside.to_owned(), true));
        }
        let (close, inside) = tokens.get(1..)?.split_last()?;
        if !first.is_punct("<") || !close.token.is_punct(">") {
            return None;
        }
        let mut path = String::new();
        for (index, tok) in inside.iter().enumerate() {
            if index > 0 && tok.token.space_before {
                path.push(' ');
            }
            path.push_str(&tok.token.text);
        }
        Some((path, false))
    }

    /// Searches for a header and loads it.
    pub(super) fn find_header(&mut self, path: &str, quoted: bool, next: bool) -> Result<Found, Missing> {
        let mut candidates: Vec<(String, usize)> = Vec::new();
        let frame = self.frames.last();
        let from = match next {
            true => frame.map_or(0, |frame| frame.next_dir),
            false => 0,
        };
        if path.starts_with('/') {
            candidates.push((path.to_owned(), 0));
        } else {
            if let (true, false, Some(frame)) = (quoted, next, frame) {
                let name = self.sources.file(frame.lexer.file).name();
                let separators: &[char] = if cfg!(windows) { &['/', '\\'] } else { &['/'] };
                let folder = name.rfind(separators).map_or("", |end| &name[..=end]);
                candidates.push((format!("{folder}{path}"), 0));
            }
            for (index, dir) in self.options.include_dirs.iter().enumerate().skip(from) {
                let slash = if dir.is_empty() || dir.ends_with('/') { "" } else { "/" };
                candidates.push((format!("{dir}{slash}{path}"), index + 1));
            }
        }
        for (candidate, next_dir) in &candidates {
            if let Some(file) = self.load(candidate)? {
                return Ok(Found { file, next_dir: *next_dir });
            }
        }
        Err(Missing::Nowhere(candidates.into_iter().map(|(path, _)| path).collect()))
    }

    fn load(&mut self, path: &str) -> Result<Option<FileId>, Missing> {
        if let Some(&known) = self.loaded.get(path) {
            return Ok(known);
        }
        let bytes = match self.loader.load(path, self.options.limits.source_bytes) {
            Ok(bytes) => bytes,
            Err(LoadError::NotFound) => {
                self.loaded.insert(path.to_owned(), None);
                return Ok(None);
            }
            Err(LoadError::Unreadable(why)) => return Err(Missing::Unreadable(path.to_owned(), why)),
        };
        let (file, warning) = self.sources.add_bytes(path, &bytes);
        self.diagnostics.extend(warning);
        self.loaded.insert(path.to_owned(), Some(file));
        Ok(Some(file))
    }

    /// Goes on reading in an included file.
    fn enter_file(&mut self, found: Found, loc: Loc) {
        if self.once.contains(&found.file) && self.entered.contains(&found.file) {
            return;
        }
        let limits = self.options.limits;
        if self.frames.len() > limits.include_depth {
            let message = format!("files include one another more than {} deep", limits.include_depth);
            return self.stop_at_limit(Some(loc), message);
        }
        self.includes += 1;
        if self.includes > limits.includes {
            let message = format!("more than {} files are included", limits.includes);
            return self.stop_at_limit(Some(loc), message);
        }
        self.sources.set_included_at(found.file, loc);
        self.push_file(found.file, found.next_dir);
    }
}
