//! Requirement documents, with the properties beside their sections, and the sections that no
//! property covers.
//!
//! *Entry points:* [`list`], [`show`].

use askama::Template;
use axle_evidence::escape::xml;
use axle_evidence::markdown::to_html;
use axle_feaver::project::Project;
use axle_feaver::project::sections::Document;
use axum::extract::Path;

use super::frame::{Answer, Frame, Visitor, render};
use crate::fault::Fault;
use crate::snapshot::Snapshot;
use crate::view::badge::Badge;
use crate::view::url::{in_url, path_in_url};

#[derive(Template)]
#[template(path = "requirements.html")]
struct ListPage {
    frame: Frame,
    documents: Vec<Row>,
    uncovered: usize,
    sections: usize,
}

/// A document.
struct Row {
    url: String,
    title: String,
    sections: Vec<SectionRow>,
    covered: usize,
    all: usize,
}

/// A section of the list.
struct SectionRow {
    heading: String,
    anchor: String,
    level: u32,
    properties: Vec<Cover>,
    needs: bool,
}

/// A property that covers a section.
struct Cover {
    name: String,
    url: String,
    badge: Badge,
}

#[derive(Template)]
#[template(path = "requirement.html")]
struct Page {
    frame: Frame,
    path: String,
    source: String,
    parts: Vec<Part>,
}

/// A section with its own text, without that of its subsections.
struct Part {
    anchor: String,
    html: String,
    properties: Vec<Cover>,
    needs: bool,
}

/// The number of sections that no property covers, and of all that need one.
#[must_use]
pub fn uncovered(snapshot: &Snapshot) -> (usize, usize) {
    let Some(project) = &snapshot.project else { return (0, 0) };
    let documents = (0..project.requirements.len()).map(|document| rows(snapshot, project, document));
    documents
        .flatten()
        .filter(|row| row.needs || !row.properties.is_empty())
        .fold((0, 0), |(open, all), row| (open + usize::from(row.properties.is_empty()), all + 1))
}

/// The sections of a document. A section without subsections needs a property; others are covered by
/// theirs.
fn rows(snapshot: &Snapshot, project: &Project, document: usize) -> Vec<SectionRow> {
    let Some(known) = project.requirements.get(document) else { return Vec::new() };
    let mut rows = Vec::new();
    for (index, section) in known.sections.iter().enumerate() {
        let has_parts = known.sections.get(index + 1).is_some_and(|next| next.level > section.level);
        let properties = covers(snapshot, project, document, Some(index));
        rows.push(SectionRow {
            heading: section.heading.clone(),
            anchor: section.anchor.clone(),
            level: section.level,
            needs: !has_parts,
            properties,
        });
    }
    rows
}

fn covers(snapshot: &Snapshot, project: &Project, document: usize, section: Option<usize>) -> Vec<Cover> {
    let own = project.properties.iter().filter(|property| property.reference == Some((document, section)));
    own.map(|property| {
        let name = property.name.value.clone();
        Cover { url: in_url(&name), badge: Badge(snapshot.state_of_property(&name)), name }
    })
    .collect()
}

/// Lists the documents and their sections.
pub async fn list(visitor: Visitor) -> Answer {
    let snapshot = visitor.app.snapshot();
    let (uncovered, sections) = uncovered(&snapshot);
    let documents = snapshot.project.as_ref().map_or_else(Vec::new, |project| {
        let row = |(index, document): (usize, &Document)| {
            let sections = rows(&snapshot, project, index);
            let needing = |row: &&SectionRow| row.needs || !row.properties.is_empty();
            Row {
                url: path_in_url(&document.path),
                title: document.sections.first().map_or(document.path.clone(), |one| one.heading.clone()),
                covered: sections.iter().filter(|row| !row.properties.is_empty()).count(),
                all: sections.iter().filter(needing).count(),
                sections,
            }
        };
        project.requirements.iter().enumerate().map(row).collect()
    });
    render(&ListPage {
        frame: visitor.frame("/requirements", "Requirements"),
        documents,
        uncovered,
        sections,
    })
}

/// Shows a document.
pub async fn show(visitor: Visitor, Path(path): Path<String>) -> Answer {
    let snapshot = visitor.app.snapshot();
    let project = snapshot.project.as_ref();
    let index = project.and_then(|one| one.requirements.iter().position(|document| document.path == path));
    let (Some(project), Some(index)) = (project, index) else {
        return Err(Fault::missing(format!("The project has no requirement document '{path}'.")));
    };
    let document = &project.requirements[index];
    let mut parts = Vec::new();
    let first = document.sections.first().map_or(document.text.len(), |section| section.range.start);
    let whole = covers(&snapshot, project, index, None);
    if first > 0 || !whole.is_empty() {
        parts.push(part(document, 0..first, String::new(), whole, false));
    }
    let rows = rows(&snapshot, project, index);
    for (at, row) in rows.into_iter().enumerate() {
        let range = document.sections[at].range.clone();
        let end = document.sections.get(at + 1).map_or(range.end, |next| next.range.start.min(range.end));
        parts.push(part(document, range.start..end, row.anchor, row.properties, row.needs));
    }
    render(&Page {
        frame: visitor.frame("/requirements", &document.path),
        path: document.path.clone(),
        source: path_in_url(&document.path),
        parts,
    })
}

fn part(
    document: &Document,
    range: std::ops::Range<usize>,
    anchor: String,
    properties: Vec<Cover>,
    needs: bool,
) -> Part {
    let text = &document.text[range];
    let html = match document.markdown {
        true => to_html(text, 2),
        false => format!("<pre>{}</pre>", xml(text)),
    };
    Part { anchor, html, properties, needs }
}
