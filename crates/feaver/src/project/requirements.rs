//! Reads the requirement documents of a project.
//!
//! *Entry point:* [`Reader::requirements`].

use super::manifest::Manifest;
use super::reader::{LARGEST_DOCUMENT, Reader, refused};
use super::sections::{Document, sections};

impl Reader<'_> {
    /// Reads all requirement documents.
    pub(super) fn requirements(&mut self, manifest: &Manifest) -> Vec<Document> {
        let mut documents: Vec<Document> = Vec::new();
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
                let Some(file) = self.text(&path, LARGEST_DOCUMENT, Some(manifest.at)) else { continue };
                let text = self.sources.file(file).text().to_string();
                let markdown = path.ends_with(".md");
                let sections = sections(&text, markdown);
                documents.push(Document { path, file, text, markdown, sections });
            }
        }
        documents
    }
}
