//! Reads the requirement documents of a project.
//!
//! *Entry point:* [`Reader::requirements`].

use axle_source::Diagnostic;

use super::manifest::Manifest;
use super::reader::{LARGEST_DOCUMENT, Reader, refused};
use super::sections::{Document, sections};

/// The requirement documents of a project.
pub(super) struct Requirements {
    /// Those that were read.
    pub documents: Vec<Document>,
    /// The paths of the others, and why they cannot be read.
    pub unreadable: Vec<(String, Vec<Diagnostic>)>,
}

impl Reader<'_> {
    /// Reads all requirement documents.
    pub(super) fn requirements(&mut self, manifest: &Manifest) -> Requirements {
        let mut documents: Vec<Document> = Vec::new();
        let mut unreadable: Vec<(String, Vec<Diagnostic>)> = Vec::new();
        for folder in &manifest.folders.requirements {
            let paths = match self.folder.list(folder, &["md", "txt"]) {
                Ok(paths) => paths,
                Err(refusal) => {
                    let diagnostic = refused(folder, &refusal).at(manifest.at.into(), "");
                    self.diagnostics.push(diagnostic);
                    continue;
                }
            };
            for path in paths {
                if documents.iter().any(|document| document.path == path) {
                    continue;
                }
                let (read, errors) =
                    self.observed(|reader| reader.text(&path, LARGEST_DOCUMENT, Some(manifest.at)));
                let Some(file) = read else {
                    unreadable.push((path, errors));
                    continue;
                };
                let text = self.sources.file(file).text().to_string();
                let markdown = path.ends_with(".md");
                let sections = sections(&text, markdown);
                documents.push(Document { path, file, text, markdown, sections });
            }
        }
        Requirements { documents, unreadable }
    }
}
