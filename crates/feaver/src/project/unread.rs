//! Files in the folders of properties and timelines that are not read.
//!
//! *Entry point:* [`Reader::unread`].

use axle_source::Diagnostic;

use super::manifest::Manifest;
use super::reader::Reader;
use super::sections::Document;
use crate::codes::NOT_READ;

/// Files that are named in warnings; the rest is counted.
const MOST: usize = 20;

impl Reader<'_> {
    /// Reports files that no property is read from and that no property names, once everything else
    /// was read without errors.
    pub(super) fn unread(&mut self, manifest: &Manifest, documents: &[Document]) {
        if self.diagnostics.error_count() > 0 {
            return;
        }
        let folders = manifest.folders.properties.iter().map(|folder| (folder, true));
        let folders = folders.chain(manifest.folders.timelines.iter().map(|folder| (folder, false)));
        let seen = self.folder.seen();
        let mut unread: Vec<(String, bool)> = Vec::new();
        for (folder, is_of_properties) in folders {
            // A folder that cannot be listed was reported where it is read.
            for path in self.folder.list(folder, &[]).unwrap_or_default() {
                let is_source = seen.files.contains_key(&path) || seen.present.contains(&path);
                let is_document = documents.iter().any(|document| document.path == path);
                let is_known = unread.iter().any(|(known, _)| *known == path);
                if !is_source && !is_document && !is_known && !path.ends_with('~') {
                    unread.push((path, is_of_properties));
                }
            }
        }
        let hidden = unread.len().saturating_sub(MOST);
        for (path, is_of_properties) in unread.into_iter().take(MOST) {
            let help = match is_of_properties {
                true => {
                    "the name of a property file ends with `.md`; other files count if a property names them"
                }
                false => "name it in a property (`timeline = \"FILE\"`), or remove it",
            };
            let message = format!("`{path}` is not read");
            let warning = Diagnostic::warning(NOT_READ, message).at(manifest.at.into(), "").help(help);
            self.diagnostics.push(warning);
        }
        if hidden > 0 {
            let message =
                format!("{hidden} more files in the folders of properties and timelines are not read");
            self.diagnostics.push(Diagnostic::warning(NOT_READ, message).at(manifest.at.into(), ""));
        }
    }
}
