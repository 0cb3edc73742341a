//! Reads the keys of a TOML table with their positions, and reports everything that is wrong with
//! them.
//!
//! *Entry points:* [`document`], [`Fields`].
//! *Invariant:* every key of a table is either read or reported by [`Fields::finish`].

use std::ops::Range;

use axle_source::{Diagnostic, Diagnostics, FileId, Sources, Span};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::codes::{MISSING_KEY, SYNTAX, UNKNOWN_KEY, VALUE};

/// A value with its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Its position.
    pub at: Span,
}

impl<T> Located<T> {
    /// Another value at the same position.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Located<U> {
        Located { value: change(self.value), at: self.at }
    }
}

/// The position of a word or character in a string of a file: that of the whole string where it is
/// written with escapes.
#[must_use]
pub fn within_string(sources: &Sources, string: &Located<String>, at: usize) -> Span {
    let source = sources.text(string.at);
    let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| source.starts_with(quote));
    let quote = quote.map_or(0, str::len);
    let written = source.get(quote..).unwrap_or_default();
    // The line end behind the opening quotes of a long string does not belong to it.
    let start = if quote == 3 && written.starts_with('\n') { quote + 1 } else { quote };
    if !source.get(start..).is_some_and(|rest| rest.starts_with(&string.value)) {
        return string.at;
    }
    let begin = string.at.start + (start + at) as u32;
    Span::new(string.at.file, begin, begin + word(string.value.get(at..).unwrap_or_default()) as u32)
}

/// The length in bytes of the word, or else of the character, that a text begins with.
#[must_use]
pub fn word(text: &str) -> usize {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    if end > 0 { end } else { text.chars().next().map_or(0, char::len_utf8) }
}

/// A part of a file that contains TOML.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// The file.
    pub file: FileId,
    /// The offset of the first byte of the TOML text in the file.
    pub base: usize,
}

impl Region {
    /// The position of a range of the TOML text.
    #[must_use]
    pub fn span(self, range: Range<usize>) -> Span {
        Span::new(self.file, (self.base + range.start) as u32, (self.base + range.end) as u32)
    }
}

/// Parses a TOML document and reports all errors of syntax; with any, there is no document.
pub fn document<'a>(
    text: &'a str,
    region: Region,
    diagnostics: &mut Diagnostics,
) -> Option<Spanned<DeTable<'a>>> {
    let (table, faults) = DeTable::parse_recoverable(text);
    let valid = faults.is_empty();
    for fault in faults {
        let range = fault.span().unwrap_or(0..0);
        let end = range.end.min(text.len());
        let start = range.start.min(end);
        let message = format!("invalid TOML: {}", first_line(fault.message()));
        diagnostics.push(Diagnostic::error(SYNTAX, message).at(region.span(start..end).into(), ""));
    }
    valid.then_some(table)
}

/// One sentence of a message that may have several lines.
fn first_line(message: &str) -> String {
    let lines: Vec<&str> = message.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join(", ")
}

/// A table whose keys are read one by one.
pub struct Fields<'a, 'd> {
    table: &'a DeTable<'a>,
    region: Region,
    /// The position of the table itself, for missing keys.
    pub at: Span,
    /// The name of the table in messages.
    what: String,
    read: Vec<&'static str>,
    /// Whether every key is a name of its own.
    open: bool,
    diagnostics: &'d mut Diagnostics,
}

impl<'a, 'd> Fields<'a, 'd> {
    /// The keys of a table; `what` names it in messages.
    pub fn new(
        table: &'a DeTable<'a>,
        at: Span,
        what: impl Into<String>,
        region: Region,
        diagnostics: &'d mut Diagnostics,
    ) -> Self {
        Fields { table, region, at, what: what.into(), read: Vec::new(), open: false, diagnostics }
    }

    /// The diagnostics so far.
    pub fn diagnostics(&mut self) -> &mut Diagnostics {
        self.diagnostics
    }

    /// Whether the table has a key; does not count as read.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.table.iter().any(|(own, _)| own.get_ref() == key)
    }

    /// The position of a key.
    #[must_use]
    pub fn key_at(&self, key: &str) -> Option<Span> {
        let own = self.table.iter().find(|(own, _)| own.get_ref() == key);
        own.map(|(own, _)| self.region.span(own.span()))
    }

    fn get(&mut self, key: &'static str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.read.push(key);
        let (_, value) = self.table.iter().find(|(own, _)| own.get_ref() == key)?;
        Some(value)
    }

    fn expected(&mut self, key: &str, value: &Spanned<DeValue<'_>>, wanted: &str) {
        let found = described(value.get_ref());
        let at = self.region.span(value.span());
        let message = format!("`{key}` is {found}, but has to be {wanted}");
        self.diagnostics.push(Diagnostic::error(VALUE, message).at(at.into(), ""));
    }

    /// A string.
    pub fn string(&mut self, key: &'static str) -> Option<Located<String>> {
        let value = self.get(key)?;
        self.as_string(key, value, "a string")
    }

    fn as_string(
        &mut self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        wanted: &str,
    ) -> Option<Located<String>> {
        match value.get_ref() {
            DeValue::String(text) => {
                Some(Located { value: text.to_string(), at: self.region.span(value.span()) })
            }
            _ => {
                self.expected(key, value, wanted);
                None
            }
        }
    }

    /// A string that must be there.
    pub fn required(&mut self, key: &'static str, remedy: &str) -> Option<Located<String>> {
        if !self.has(key) {
            self.read.push(key);
            self.missing(key, remedy);
            return None;
        }
        self.string(key)
    }

    /// Reports that a key is missing.
    pub fn missing(&mut self, key: &str, remedy: &str) {
        let message = format!("{} has no `{key}`", self.what);
        self.diagnostics.push(Diagnostic::error(MISSING_KEY, message).at(self.at.into(), "").help(remedy));
    }

    /// A list of strings, or one string.
    pub fn strings(&mut self, key: &'static str) -> Vec<Located<String>> {
        let wanted = "a string or a list of strings";
        let Some(value) = self.get(key) else { return Vec::new() };
        match value.get_ref() {
            DeValue::Array(items) => {
                items.iter().filter_map(|item| self.as_string(key, item, wanted)).collect()
            }
            _ => self.as_string(key, value, wanted).into_iter().collect(),
        }
    }

    /// A list of integers.
    pub fn integers(&mut self, key: &'static str) -> Option<Located<Vec<i64>>> {
        let wanted = "a list of integers";
        let value = self.get(key)?;
        let DeValue::Array(items) = value.get_ref() else {
            self.expected(key, value, wanted);
            return None;
        };
        let numbers: Vec<Option<i64>> = items.iter().map(|item| self.as_integer(key, item, wanted)).collect();
        let numbers: Option<Vec<i64>> = numbers.into_iter().collect();
        Some(Located { value: numbers?, at: self.region.span(value.span()) })
    }

    /// An integer.
    pub fn integer(&mut self, key: &'static str) -> Option<Located<i64>> {
        let value = self.get(key)?;
        let number = self.as_integer(key, value, "an integer of 64 bits")?;
        Some(Located { value: number, at: self.region.span(value.span()) })
    }

    fn as_integer(&mut self, key: &str, value: &Spanned<DeValue<'_>>, wanted: &str) -> Option<i64> {
        let number = integer(value.get_ref());
        if number.is_none() {
            self.expected(key, value, wanted);
        }
        number
    }

    /// A Boolean.
    pub fn boolean(&mut self, key: &'static str) -> Option<Located<bool>> {
        let value = self.get(key)?;
        match value.get_ref() {
            DeValue::Boolean(flag) => Some(Located { value: *flag, at: self.region.span(value.span()) }),
            _ => {
                self.expected(key, value, "true or false");
                None
            }
        }
    }

    /// A table, whose keys are read by `read`.
    pub fn table<T>(&mut self, key: &'static str, read: impl FnOnce(&mut Fields<'a, '_>) -> T) -> Option<T> {
        let value = self.get(key)?;
        let DeValue::Table(table) = value.get_ref() else {
            self.expected(key, value, "a table");
            return None;
        };
        let at = self.key_at(key).unwrap_or(self.at);
        let mut fields = Fields::new(table, at, format!("`{key}`"), self.region, self.diagnostics);
        let result = read(&mut fields);
        fields.finish();
        Some(result)
    }

    /// All entries of a table of named values, in the order of the file.
    pub fn entries(&mut self) -> Vec<(Located<String>, &'a Spanned<DeValue<'a>>)> {
        self.open = true;
        let mut entries: Vec<_> = (self.table.iter())
            .map(|(key, value)| {
                let at = self.region.span(key.span());
                (Located { value: key.get_ref().to_string(), at }, value)
            })
            .collect();
        entries.sort_by_key(|(key, _)| key.at.start);
        entries
    }

    /// The keys of an inline table that is an entry of this one.
    pub fn nested<'b>(
        &'b mut self,
        table: &'a DeTable<'a>,
        at: Span,
        what: impl Into<String>,
    ) -> Fields<'a, 'b> {
        Fields::new(table, at, what, self.region, self.diagnostics)
    }

    /// The position of a value.
    #[must_use]
    pub fn span(&self, value: &Spanned<DeValue<'_>>) -> Span {
        self.region.span(value.span())
    }

    /// Reports that an entry has a value of the wrong type.
    pub fn wrong(&mut self, key: &str, value: &Spanned<DeValue<'_>>, wanted: &str) {
        self.expected(key, value, wanted);
    }

    /// Reports all keys that were not read.
    pub fn finish(self) {
        if self.open {
            return;
        }
        for (key, _) in self.table.iter() {
            let name = key.get_ref();
            if self.read.iter().any(|read| read == name) {
                continue;
            }
            let message = format!("unknown key `{name}` in {}", self.what);
            let mut known: Vec<&str> = self.read.clone();
            known.sort_unstable();
            known.dedup();
            let diagnostic = Diagnostic::error(UNKNOWN_KEY, message)
                .at(self.region.span(key.span()).into(), "")
                .note(format!("the keys are: {}", known.join(", ")))
                .did_you_mean(name, known.iter().copied());
            self.diagnostics.push(diagnostic);
        }
    }
}

/// The integer that a value is.
#[must_use]
pub fn integer(value: &DeValue<'_>) -> Option<i64> {
    match value {
        DeValue::Integer(number) => {
            i64::from_str_radix(&number.as_str().replace('_', ""), number.radix()).ok()
        }
        _ => None,
    }
}

fn described(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a floating-point number",
        DeValue::Boolean(_) => "a Boolean",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
