//! Reads files of a project and reports those that cannot be read.
//!
//! *Entry point:* [`Reader`]. Each kind of file adds its own methods.

use axle_source::{Diagnostic, Diagnostics, FileId, Sources, Span};

use super::fields::Located;
use super::folder::{Folder, Refusal};
use crate::codes::{ENCODING, NO_FILE, NO_PROPERTY, OUTSIDE, TOO_MANY};

/// The name of the manifest.
pub const MANIFEST: &str = "axle.toml";

/// The largest manifest, property or timeline.
pub(super) const LARGEST: u64 = 1 << 20;

/// The largest requirement document.
pub const LARGEST_DOCUMENT: u64 = 16 << 20;

/// What is needed to read any part of a project.
pub(super) struct Reader<'a> {
    pub folder: &'a Folder,
    pub sources: &'a mut Sources,
    pub diagnostics: &'a mut Diagnostics,
}

impl Reader<'_> {
    /// Does a part of the work, and returns its errors beside its result.
    pub(super) fn observed<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> (T, Vec<Diagnostic>) {
        let before = std::mem::take(self.diagnostics);
        let result = work(self);
        let own = std::mem::replace(self.diagnostics, before);
        let errors = super::errors(&own);
        self.diagnostics.extend(own.iter().cloned());
        (result, errors)
    }

    /// Reads a text file; `at` is the position of its name.
    pub(super) fn text(&mut self, path: &str, limit: u64, at: Option<Span>) -> Option<FileId> {
        let bytes = match self.folder.read(path, limit) {
            Ok(bytes) => bytes,
            Err(refusal) => {
                let diagnostic = refused(path, &refusal);
                self.diagnostics.push(match at {
                    Some(at) => diagnostic.at(at.into(), ""),
                    None => diagnostic,
                });
                return None;
            }
        };
        let (file, doubt) = self.sources.add_bytes(path, &bytes);
        if let Some(label) = doubt.as_ref().and_then(Diagnostic::primary) {
            let error = Diagnostic::error(ENCODING, "the file is not valid UTF-8")
                .at(label.loc, "the first invalid byte")
                .help("save the file as UTF-8");
            self.diagnostics.push(error);
            return None;
        }
        Some(file)
    }

    /// Reports a file that is not one of the project.
    pub(super) fn exists(&mut self, path: &Located<String>) {
        let found = self.folder.file(&path.value);
        self.report(&path.value, path.at, found);
    }

    /// Whether a folder of the project can be read; reports why not.
    pub(super) fn is_folder(&mut self, path: &Located<String>) -> bool {
        let found = self.folder.folder(&path.value);
        self.report(&path.value, path.at, found)
    }

    fn report(&mut self, path: &str, at: Span, found: Result<(), Refusal>) -> bool {
        let diagnostic = found.as_ref().err().map(|refusal| refused(path, refusal).at(at.into(), ""));
        self.diagnostics.extend(diagnostic);
        found.is_ok()
    }

    /// A warning for a project without properties.
    pub(super) fn no_properties(&mut self, at: Span) {
        let warning = Diagnostic::warning(NO_PROPERTY, "the project has no properties")
            .at(at.into(), "")
            .help("add a file such as `properties/NAME.md`; `axle init` shows its form");
        self.diagnostics.push(warning);
    }
}

/// The diagnostic for a path that cannot be used.
pub(super) fn refused(path: &str, refusal: &Refusal) -> Diagnostic {
    let path: String = path.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    match refusal {
        Refusal::Outside => Diagnostic::error(OUTSIDE, format!("`{path}` lies outside of the project")).help(
            "name a file below the folder of the manifest, without a symbolic link that leads out of it",
        ),
        Refusal::NotFound => Diagnostic::error(NO_FILE, format!("there is no file or folder `{path}`"))
            .help("paths are relative to the folder of the manifest"),
        Refusal::WrongKind => {
            Diagnostic::error(NO_FILE, format!("`{path}` is not a file or folder of the required kind"))
        }
        Refusal::Unreadable(why) => Diagnostic::error(NO_FILE, format!("cannot read `{path}`: {why}")),
        Refusal::TooMany => Diagnostic::error(TOO_MANY, format!("`{path}` contains more than 10,000 files")),
    }
}
