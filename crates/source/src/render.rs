//! Diagnostics as text with source lines, in the manner of rustc. Each macro use that the fault
//! came through follows as a note of its own, innermost first.
//!
//! *Entry point:* [`Diagnostic::render`].

use std::sync::Arc;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Diagnostics, Label, Severity};
use crate::files::Sources;
use crate::span::{ExpansionKind, FileId, Loc, Span};

/// At most this many macro uses are shown for one fault; the outermost is always among them.
const MOST_USES: usize = 8;
/// Labels further apart than this many lines get snippets of their own.
const FAR_APART: u32 = 100;
/// Spans over more lines than this are shown by their first line.
const TALLEST: u32 = 30;
/// Lines longer than this many bytes (generated ones) are not shown.
const LONGEST_LINE: usize = 10_000;

/// How diagnostics are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// With colours (ANSI escapes).
    pub color: bool,
    /// With line-drawing characters, rather than ASCII only.
    pub unicode: bool,
    /// Width in characters at which long source lines are cut.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Style { color: false, unicode: false, width: 120 }
    }
}

impl Diagnostic {
    /// The diagnostic as text with the source lines that it speaks of; ends with a line end.
    #[must_use]
    pub fn render(&self, sources: &Sources, style: Style) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let mut main = Group::with_title(level.primary_title(self.message.as_str()).id(self.code));
        for snippet in snippets(sources, &self.labels) {
            main = main.element(snippet);
        }
        for note in &self.notes {
            main = main.element(Level::NOTE.message(note.as_str()));
        }
        for help in &self.helps {
            main = main.element(Level::HELP.message(help.as_str()));
        }
        let mut groups = vec![main];
        if let Some(label) = self.primary() {
            groups.extend(uses(sources, label.loc));
        }
        let renderer = if style.color { Renderer::styled() } else { Renderer::plain() };
        let decor = if style.unicode { DecorStyle::Unicode } else { DecorStyle::Ascii };
        let mut text = renderer.term_width(style.width.max(40)).decor_style(decor).render(&groups);
        text.push('\n');
        text
    }
}

impl Diagnostics {
    /// All diagnostics as text, in their present order, with an empty line between them.
    #[must_use]
    pub fn render(&self, sources: &Sources, style: Style) -> String {
        let mut text = String::new();
        for diagnostic in self {
            text.push_str(&diagnostic.render(sources, style));
            text.push('\n');
        }
        if self.dropped() > 0 {
            text.push_str(&format!("and {} more\n", self.dropped()));
        }
        text
    }
}

/// One note for each macro use that the place came through, and the includes that led to its file.
fn uses<'a>(sources: &'a Sources, loc: Loc) -> Vec<Group<'a>> {
    let chain: Vec<_> = sources.chain(loc).collect();
    let mut groups = Vec::new();
    for (index, expansion) in chain.iter().enumerate() {
        if index + 1 < chain.len() && index + 1 >= MOST_USES {
            continue;
        }
        let hidden = if index + 1 == chain.len() { index.saturating_sub(MOST_USES - 1) } else { 0 };
        let what = match expansion.kind {
            ExpansionKind::Macro => "expansion of macro",
            ExpansionKind::Inline => "call of inline",
            ExpansionKind::Parameter => "use of parameter",
        };
        let title = match hidden {
            0 => format!("in {what} `{}`", expansion.name),
            _ => format!("in {what} `{}` ({hidden} uses in between not shown)", expansion.name),
        };
        let label = Label { loc: Loc::plain(expansion.call), text: String::new(), primary: true };
        let mut group = Group::with_title(Level::NOTE.secondary_title(title));
        for snippet in snippets(sources, std::slice::from_ref(&label)) {
            group = group.element(snippet);
        }
        groups.push(group);
    }
    let span = sources.outermost(loc);
    let mut file = span.file;
    for _ in 0..MOST_USES {
        let Some(included) = sources.file(file).included_at() else { break };
        let label = Label { loc: included, text: String::new(), primary: true };
        let title = format!("in the file `{}`, included here", sources.file(file).name());
        let mut group = Group::with_title(Level::NOTE.secondary_title(title));
        for snippet in snippets(sources, std::slice::from_ref(&label)) {
            group = group.element(snippet);
        }
        groups.push(group);
        file = included.span.file;
    }
    groups
}

/// A file's lines around some labels, numbered as line markers say.
struct Part<'l> {
    name: Arc<str>,
    file: FileId,
    /// Presumed minus physical line number.
    shift: i64,
    first: u32,
    last: u32,
    labels: Vec<(&'l Label, Span)>,
}

/// The source lines of some labels: one snippet for each file, each group of lines not too far
/// apart, and each numbering of lines by line markers. Lines too long to show are only named.
fn snippets<'a>(sources: &'a Sources, labels: &[Label]) -> Vec<Element<'a>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    for label in labels {
        let span = shortened(sources, label.loc.span);
        let source = sources.file(span.file);
        let (first, last) = (source.line_of(span.start), source.line_of(span.end));
        let (name, line) = source.presumed(span.start, first);
        let shift = i64::from(line) - i64::from(first);
        let near = |part: &Part<'_>| {
            part.file == span.file
                && part.shift == shift
                && part.name == *name
                && part.first.max(first) <= part.last.min(last).saturating_add(FAR_APART)
        };
        match parts.iter_mut().find(|part| near(part)) {
            Some(part) => {
                part.first = part.first.min(first);
                part.last = part.last.max(last);
                part.labels.push((label, span));
            }
            None => {
                let labels = vec![(label, span)];
                parts.push(Part { name: name.clone(), file: span.file, shift, first, last, labels });
            }
        }
    }
    parts.iter().flat_map(|part| show(sources, part)).collect()
}

fn show<'a>(sources: &'a Sources, part: &Part<'_>) -> Vec<Element<'a>> {
    let source = sources.file(part.file);
    let number = |line: u32| (i64::from(line) + part.shift).max(1) as usize;
    let path = part.name.to_string();
    if (part.first..=part.last).any(|line| source.line(line).len() > LONGEST_LINE) {
        let mut elements = Vec::new();
        for (label, span) in &part.labels {
            let position = source.position(span.start);
            let origin = Origin::path(path.clone()).line(number(position.line));
            elements.push(origin.char_column(position.column as usize).into());
            if !label.text.is_empty() {
                elements.push(Level::NOTE.message(label.text.clone()).into());
            }
        }
        return elements;
    }
    let from = source.line_start(part.first) as usize;
    let to = (source.line_start(part.last.saturating_add(1)) as usize).max(from);
    let text = &source.text()[from..to];
    let mut snippet = Snippet::source(text).path(path).line_start(number(part.first)).fold(true);
    for (label, span) in &part.labels {
        let start = source.floor_char(span.start).clamp(from, to) - from;
        let end = source.floor_char(span.end).clamp(from, to) - from;
        let kind = if label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let mut annotation = kind.span(start..end.max(start));
        if !label.text.is_empty() {
            annotation = annotation.label(label.text.clone());
        }
        snippet = snippet.annotation(annotation);
    }
    vec![snippet.into()]
}

/// A span over many lines is shown by its first line alone.
fn shortened(sources: &Sources, span: Span) -> Span {
    let source = sources.file(span.file);
    let first = source.line_of(span.start);
    if source.line_of(span.end) - first <= TALLEST {
        return span;
    }
    let end = source.line_start(first) + source.line(first).len() as u32;
    Span::new(span.file, span.start, end)
}
