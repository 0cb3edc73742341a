//! The table of source files and of macro expansions, places in them, and where files come from.
//!
//! Nothing here touches a disk: the embedder gives a [`Loader`], so that tests and fuzzers can hold
//! their files in memory and a service can refuse files.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::span::{Expansion, ExpansionId, ExpansionKind, FileId, Loc, Span};

/// A line and a column, both counted from 1, columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// A range as people name it: file, from, to. Line markers (`#line`) are obeyed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The file's name, as the user gave it or as a line marker gives it.
    pub file: Arc<str>,
    /// Of the first character.
    pub start: Position,
    /// After the last character.
    pub end: Position,
}

/// From `offset` on, lines are said to be numbered from `line` in `name`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct LineMark {
    offset: u32,
    line: u32,
    name: Arc<str>,
}

/// A source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    name: Arc<str>,
    text: Arc<str>,
    /// Byte offset of each line's first byte.
    line_starts: Vec<u32>,
    /// Sorted by offset.
    marks: Vec<LineMark>,
    included_at: Option<Loc>,
}

impl SourceFile {
    /// The name as the user gave it (or as an include directive's search put it together).
    #[must_use]
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The directive that first included the file; none for a file that the user named.
    #[must_use]
    pub fn included_at(&self) -> Option<Loc> {
        self.included_at
    }

    /// How many lines the file has; at least one.
    #[must_use]
    pub fn line_count(&self) -> u32 {
        self.line_starts.len() as u32
    }

    /// The text of a line, counted from 1, without its end; empty past the last.
    #[must_use]
    pub fn line(&self, line: u32) -> &str {
        let index = (line as usize).wrapping_sub(1);
        let Some(&start) = self.line_starts.get(index) else { return "" };
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&next| next as usize);
        self.text[start as usize..end].trim_end_matches(['\n', '\r'])
    }

    /// Line and column of a byte offset, line markers ignored. An offset past the end is the end.
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        let offset = self.floor_char(offset);
        let line = self.line_starts.partition_point(|&start| start as usize <= offset).max(1);
        let start = self.line_starts[line - 1] as usize;
        let column = self.text[start..offset].chars().count() + 1;
        Position { line: line as u32, column: column as u32 }
    }

    /// The line of a byte offset, counted from 1, line markers ignored.
    #[must_use]
    pub fn line_of(&self, offset: u32) -> u32 {
        self.line_starts.partition_point(|&start| start <= offset).max(1) as u32
    }

    /// Byte offset of a line's first byte, counted from 1; the end of the file past the last line.
    #[must_use]
    pub fn line_start(&self, line: u32) -> u32 {
        let index = (line as usize).saturating_sub(1);
        self.line_starts.get(index).copied().unwrap_or(self.text.len() as u32)
    }

    /// The nearest character boundary at or before an offset.
    pub(crate) fn floor_char(&self, offset: u32) -> usize {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }

    /// The name and number that line markers give to a physical line (counted from 1).
    pub(crate) fn presumed(&self, offset: u32, line: u32) -> (&Arc<str>, u32) {
        let index = self.marks.partition_point(|mark| mark.offset <= offset);
        match index.checked_sub(1).map(|index| &self.marks[index]) {
            None => (&self.name, line),
            Some(mark) => {
                let marked = self.line_of(mark.offset);
                (&mark.name, mark.line.saturating_add(line.saturating_sub(marked)))
            }
        }
    }
}

/// All source files of a run, and all macro expansions that happened in them.
#[derive(Clone, Debug)]
pub struct Sources {
    files: Vec<SourceFile>,
    /// Entry 0 stands for no expansion and is never read.
    expansions: Vec<Expansion>,
}

impl Default for Sources {
    fn default() -> Self {
        Sources::new()
    }
}

impl Sources {
    /// An empty table.
    #[must_use]
    pub fn new() -> Sources {
        Sources { files: Vec::new(), expansions: Vec::new() }
    }

    /// Adds a file. A byte order mark is dropped; text beyond 4 GiB is cut.
    pub fn add(&mut self, name: &str, text: &str) -> FileId {
        let mut text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let limit = u32::MAX as usize - 8;
        if text.len() > limit {
            let mut cut = limit;
            while !text.is_char_boundary(cut) {
                cut -= 1;
            }
            text = &text[..cut];
        }
        let id = FileId(self.files.len() as u32);
        let mut line_starts = vec![0];
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        line_starts.extend(newlines.map(|(at, _)| at as u32 + 1));
        let (name, text) = (name.into(), text.into());
        self.files.push(SourceFile { name, text, line_starts, marks: Vec::new(), included_at: None });
        id
    }

    /// Adds a file from bytes. Bytes that are not UTF-8 are replaced by U+FFFD, and a warning says
    /// so.
    pub fn add_bytes(&mut self, name: &str, bytes: &[u8]) -> (FileId, Option<Diagnostic>) {
        let valid = std::str::from_utf8(bytes).map_err(|error| error.valid_up_to());
        let id = self.add(name, &String::from_utf8_lossy(bytes));
        let warning = valid.err().map(|at| {
            let bom = if bytes.starts_with(&[0xef, 0xbb, 0xbf]) { 3 } else { 0 };
            let at = (at - bom.min(at)) as u32;
            Diagnostic::warning("W0101", "the file is not valid UTF-8")
                .at(Span::new(id, at, at + 3).into(), "the first byte that is not")
                .note("such bytes are read as U+FFFD; in comments this does no harm")
        });
        (id, warning)
    }

    /// The file.
    #[must_use]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.index()]
    }

    /// All files in order of their ids.
    pub fn files(&self) -> impl ExactSizeIterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(index, file)| (FileId(index as u32), file))
    }

    /// The text of a span, clipped to the file and to whole characters.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        let file = self.file(span.file);
        let (start, end) = (file.floor_char(span.start), file.floor_char(span.end));
        &file.text[start..end.max(start)]
    }

    /// File, lines and columns of a span; line markers are obeyed.
    #[must_use]
    pub fn place(&self, span: Span) -> Place {
        let file = self.file(span.file);
        let (start, end) = (file.position(span.start), file.position(span.end));
        let (name, line) = file.presumed(span.start, start.line);
        let end = Position { line: line.saturating_add(end.line - start.line), column: end.column };
        Place { file: name.clone(), start: Position { line, column: start.column }, end }
    }

    /// The expansion, or nothing for [`ExpansionId::NONE`].
    #[must_use]
    pub fn expansion(&self, id: ExpansionId) -> Option<&Expansion> {
        (id.0 as usize).checked_sub(1).and_then(|index| self.expansions.get(index))
    }

    /// The macro uses that a place came through, innermost first.
    pub fn chain(&self, loc: Loc) -> impl Iterator<Item = &Expansion> {
        std::iter::successors(self.expansion(loc.expansion), |inner| self.expansion(inner.parent))
    }

    /// Where the place stands in the text as the user sees it: its own span, or the name of the
    /// outermost macro use that it came through. Text of an inline has its location in the inline's
    /// body.
    #[must_use]
    pub fn outermost(&self, loc: Loc) -> Span {
        self.expansion(loc.expansion).and_then(|expansion| expansion.seen_at).unwrap_or(loc.span)
    }

    /// The smallest place that covers both, climbing out of macros until both lie in the same text.
    #[must_use]
    pub fn join(&self, first: Loc, last: Loc) -> Loc {
        let (mut a, mut b) = (first, last);
        // Ids grow from the outside in, and a chain only leads to smaller ids: climbing from the
        // larger meets the common use.
        while a.expansion != b.expansion {
            let deeper = if a.expansion > b.expansion { &mut a } else { &mut b };
            match self.expansion(deeper.expansion) {
                Some(expansion) => *deeper = Loc { span: expansion.call, expansion: expansion.parent },
                None => return first,
            }
        }
        a.to(b)
    }

    /// Says which directive brought a file in; the first to say so is kept.
    pub(crate) fn set_included_at(&mut self, id: FileId, loc: Loc) {
        self.files[id.index()].included_at.get_or_insert(loc);
    }

    /// Records that the line at `offset` (the first byte of a line) is number `line` of `name`.
    pub(crate) fn mark_line(&mut self, id: FileId, offset: u32, line: u32, name: Arc<str>) {
        let marks = &mut self.files[id.index()].marks;
        let mark = LineMark { offset, line, name };
        match marks.binary_search_by_key(&offset, |mark| mark.offset) {
            Ok(index) => marks[index] = mark,
            Err(index) => marks.insert(index, mark),
        }
    }

    /// Records a macro use. Its parent must be an older entry.
    pub(crate) fn add_expansion(
        &mut self,
        name: Arc<str>,
        call: Span,
        definition: Span,
        parent: ExpansionId,
    ) -> ExpansionId {
        self.add_use(ExpansionKind::Macro, name, call, definition, parent)
    }

    /// Records a use of something that a front end replaces by text itself. Its parent must be an
    /// older entry.
    pub fn add_use(
        &mut self,
        kind: ExpansionKind,
        name: Arc<str>,
        call: Span,
        definition: Span,
        parent: ExpansionId,
    ) -> ExpansionId {
        let outer = self.expansion(parent);
        let depth = outer.map_or(0, |outer| outer.depth) + 1;
        let seen_at = match kind {
            ExpansionKind::Inline => None,
            ExpansionKind::Macro | ExpansionKind::Parameter => {
                Some(outer.and_then(|outer| outer.seen_at).unwrap_or(call))
            }
        };
        self.expansions.push(Expansion { kind, name, call, definition, parent, depth, seen_at });
        ExpansionId(self.expansions.len() as u32)
    }

    /// How many macro uses are recorded.
    #[must_use]
    pub fn expansion_count(&self) -> usize {
        self.expansions.len()
    }
}

/// Why a file could not be had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoadError {
    /// There is no such file; an include search goes on to the next folder.
    NotFound,
    /// There is one, but it cannot be read; the text says why.
    Unreadable(String),
}

/// Where files come from.
pub trait Loader {
    /// The bytes of the file at `path` (folders separated by `/`, relative to wherever the embedder
    /// likes). It should refuse files that are not plain or are larger than `limit` bytes.
    ///
    /// # Errors
    /// [`LoadError::NotFound`] when there is no such file, [`LoadError::Unreadable`] when it cannot
    /// be read.
    fn load(&self, path: &str, limit: u64) -> Result<Vec<u8>, LoadError>;
}

/// Files held in memory, by path.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct MemoryLoader {
    /// Path and content.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl MemoryLoader {
    /// Files given as path and text.
    #[must_use]
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> MemoryLoader {
        let files = files.into_iter().map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
        MemoryLoader { files: files.collect() }
    }
}

impl Loader for MemoryLoader {
    fn load(&self, path: &str, limit: u64) -> Result<Vec<u8>, LoadError> {
        match self.files.get(path) {
            None => Err(LoadError::NotFound),
            Some(bytes) if bytes.len() as u64 > limit => {
                Err(LoadError::Unreadable(format!("it is larger than {limit} bytes")))
            }
            Some(bytes) => Ok(bytes.clone()),
        }
    }
}
