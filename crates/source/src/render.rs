//! Diagnostics as text with source lines, in the manner of rustc. Main function: [`Diagnostic::render`].
//! Each macro use that the fault came through follows as a note of its own, innermost first.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Diagnostics, Label, Severity};
use crate::files::Sources;
use crate::span::{ExpansionKind, Loc, Span};

/// At most this many macro uses are shown for one fault; the outermost is always among them.
const MOST_USES: usize = 8;

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

/// The source lines of some labels: one snippet for each file and each numbering of lines by line markers.
fn snippets<'a>(
    sources: &'a Sources,
    labels: &[Label],
) -> Vec<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    struct Part<'l> {
        name: std::sync::Arc<str>,
        file: crate::span::FileId,
        /// Presumed minus physical line number.
        shift: i64,
        first: u32,
        last: u32,
        labels: Vec<&'l Label>,
    }
    let mut parts: Vec<Part<'_>> = Vec::new();
    for label in labels {
        let Span { file, start, end } = label.loc.span;
        let source = sources.file(file);
        let first = source.position(start).line;
        let last = source.position(end.max(start)).line;
        let (name, line) = source.presumed(start, first);
        let shift = i64::from(line) - i64::from(first);
        match parts.iter_mut().find(|part| part.file == file && part.shift == shift && part.name == *name) {
            Some(part) => {
                part.first = part.first.min(first);
                part.last = part.last.max(last);
                part.labels.push(label);
            }
            None => parts.push(Part { name: name.clone(), file, shift, first, last, labels: vec![label] }),
        }
    }
    let mut snippets = Vec::new();
    for part in parts {
        let source = sources.file(part.file);
        let from = source.line_start(part.first) as usize;
        let to = source.line_start(part.last.saturating_add(1)) as usize;
        let text = &source.text()[from..to.max(from)];
        let line = (i64::from(part.first) + part.shift).max(1) as usize;
        let mut snippet = Snippet::source(text).path(part.name.to_string()).line_start(line).fold(true);
        for label in part.labels {
            let start = source.floor_char(label.loc.span.start).clamp(from, to) - from;
            let end = source.floor_char(label.loc.span.end).clamp(from, to) - from;
            let kind = if label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let mut annotation = kind.span(start..end.max(start));
            if !label.text.is_empty() {
                annotation = annotation.label(label.text.clone());
            }
            snippet = snippet.annotation(annotation);
        }
        snippets.push(snippet);
    }
    snippets
}
