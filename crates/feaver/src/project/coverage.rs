//! Which sections of the requirement documents the properties cover.
//!
//! A property covers the section that it refers to, and the sections inside of it. A section without
//! subsections that has a text and that no property covers is *uncovered*: the requirement is not
//! verified. The text above subsections is an introduction.
//!
//! *Entry point:* [`coverage`].

use super::data::Project;
use super::sections::{Document, Section};

/// A section, and the properties that cover it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Covered<'a> {
    /// The document.
    pub document: &'a Document,
    /// The section.
    pub section: &'a Section,
    /// The line of its heading, from 1.
    pub line: u32,
    /// The names of the properties that refer to it.
    pub properties: Vec<&'a str>,
    /// Whether it is uncovered.
    pub uncovered: bool,
}

/// The sections of all documents, in order.
#[must_use]
pub fn coverage(project: &Project) -> Vec<Covered<'_>> {
    let mut all = Vec::new();
    for (number, document) in project.requirements.iter().enumerate() {
        let refers = |index: Option<usize>| {
            let own = project.properties.iter();
            own.filter(move |property| property.reference == Some((number, index)))
        };
        let whole = refers(None).next().is_some();
        for (index, section) in document.sections.iter().enumerate() {
            let properties: Vec<&str> =
                refers(Some(index)).map(|property| property.name.value.as_str()).collect();
            let around = (0..=index).filter(|outer| {
                let outer = &document.sections[*outer];
                outer.range.start <= section.range.start && section.range.end <= outer.range.end
            });
            let is_covered = whole || around.into_iter().any(|outer| refers(Some(outer)).next().is_some());
            let is_leaf =
                document.sections.get(index + 1).is_none_or(|next| next.range.start >= section.range.end);
            let line = document.text[..section.range.start].matches('\n').count() as u32 + 1;
            let uncovered = is_leaf && !is_covered && !text(document, index).is_empty();
            all.push(Covered { document, section, line, properties, uncovered });
        }
    }
    all
}

/// The text of a section between its heading and the next one.
#[must_use]
pub fn text(document: &Document, index: usize) -> &str {
    let Some(section) = document.sections.get(index) else { return "" };
    let end = document.sections.get(index + 1).map_or(section.range.end, |next| next.range.start);
    let own = &document.text[section.range.start..end.min(section.range.end)];
    let mut rest = own.split_once('\n').map_or("", |(_, rest)| rest);
    // The line below an underlined heading.
    if let Some((line, below)) = rest.split_once('\n')
        && line.trim().len() >= 3
        && (line.trim().chars().all(|c| c == '=') || line.trim().chars().all(|c| c == '-'))
    {
        rest = below;
    }
    rest.trim()
}
