//! Diagnostics: problem, location, reason and remedy. Plain data;
//! [`Diagnostic::render`] makes text of it.

use std::fmt;

use rustc_hash::FxHashSet;

use crate::files::{Place, Sources};
use crate::span::{Loc, Span};

/// How bad it is, worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used, but probably does not have the intended meaning.
    Warning,
    /// For information.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}

/// A place with something to say about it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Label {
    /// Where.
    pub loc: Loc,
    /// The label of the location; may be empty.
    pub text: String,
    /// Whether this is the place of the fault, rather than one that explains it.
    pub primary: bool,
}

/// A fault of the input, or a remark about it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[must_use = "a diagnostic does nothing until it is pushed or rendered"]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable code, such as `E0101`.
    pub code: &'static str,
    /// One sentence without a full stop.
    pub message: String,
    /// Places, the primary one first.
    pub labels: Vec<Label>,
    /// Further sentences.
    pub notes: Vec<String>,
    /// Remedies.
    pub helps: Vec<String>,
}

impl Diagnostic {
    /// A diagnostic of the given severity, without places.
    pub fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Diagnostic {
        let message = message.into();
        Diagnostic { severity, code, message, labels: Vec::new(), notes: Vec::new(), helps: Vec::new() }
    }

    /// An error.
    pub fn error(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, message)
    }

    /// A warning.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, message)
    }

    /// Adds the place of the fault, with a few words (or none) to stand there.
    pub fn at(mut self, loc: Loc, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { loc, text: text.into(), primary: true });
        self
    }

    /// Adds a place that explains the fault.
    pub fn also(mut self, loc: Loc, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { loc, text: text.into(), primary: false });
        self
    }

    /// Adds a sentence.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds a remedy.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.helps.push(text.into());
        self
    }

    /// Adds "did you mean" when one of the candidates is close to the written name.
    pub fn did_you_mean<'a>(self, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Diagnostic {
        match crate::nearest(name, candidates) {
            Some(close) => {
                let text = format!("did you mean `{close}`?");
                self.help(text)
            }
            None => self,
        }
    }

    /// The place of the fault: the first primary label, or else the first label.
    #[must_use]
    pub fn primary(&self) -> Option<&Label> {
        self.labels.iter().find(|label| label.primary).or(self.labels.first())
    }

    /// File, line and columns of the fault where it is spelled (in a macro's body: in its
    /// `#define`).
    #[must_use]
    pub fn place(&self, sources: &Sources) -> Option<Place> {
        self.primary().map(|label| sources.place(label.loc.span))
    }

    /// File, line and columns of the fault outside all macros, where an editor should put its mark.
    #[must_use]
    pub fn outer_place(&self, sources: &Sources) -> Option<Place> {
        self.primary().map(|label| sources.place(sources.outermost(label.loc)))
    }
}

/// Diagnostics of a run: no duplicates, and no more than a bound of them.
#[derive(Clone, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    seen: FxHashSet<Diagnostic>,
    errors: usize,
    warnings: usize,
    dropped: usize,
    limit: usize,
}

impl Default for Diagnostics {
    fn default() -> Self {
        Diagnostics::new()
    }
}

impl Diagnostics {
    /// An empty collection that keeps up to 1,000 diagnostics.
    #[must_use]
    pub fn new() -> Diagnostics {
        Diagnostics::with_limit(1_000)
    }

    /// An empty collection that keeps up to `limit` diagnostics; the rest is counted.
    #[must_use]
    pub fn with_limit(limit: usize) -> Diagnostics {
        Diagnostics {
            list: Vec::new(),
            seen: FxHashSet::default(),
            errors: 0,
            warnings: 0,
            dropped: 0,
            limit,
        }
    }

    /// Adds a diagnostic unless the same one is there already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.seen.contains(&diagnostic) {
            return;
        }
        match diagnostic.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Note => {}
        }
        if self.list.len() >= self.limit {
            self.dropped += 1;
            return;
        }
        self.seen.insert(diagnostic.clone());
        self.list.push(diagnostic);
    }

    /// How many errors there are, those past the limit counted.
    #[must_use]
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// How many warnings there are, those past the limit counted.
    #[must_use]
    pub fn warning_count(&self) -> usize {
        self.warnings
    }

    /// Whether there is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether further diagnostics would only be counted, so that dear explanations can be saved.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.list.len() >= self.limit
    }

    /// How many diagnostics were not kept because there were too many.
    #[must_use]
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The diagnostics in their present order.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Puts them in order of their places (outside macros, then inside), those without a place
    /// first.
    pub fn sort(&mut self, sources: &Sources) {
        let key = |diagnostic: &Diagnostic| -> Option<(Span, Span)> {
            diagnostic.primary().map(|label| (sources.outermost(label.loc), label.loc.span))
        };
        self.list.sort_by_cached_key(|diagnostic| (key(diagnostic), diagnostic.severity));
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: T) {
        for diagnostic in diagnostics {
            self.push(diagnostic);
        }
    }
}
