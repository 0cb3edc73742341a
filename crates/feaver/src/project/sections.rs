//! Requirement documents: Markdown or plain text, divided into sections by headings.
//!
//! *Entry points:* [`sections`], [`find`].
//! *Source:* headings of Markdown by CommonMark; the anchor of a heading as GitHub forms it.

use std::ops::Range;

use axle_source::FileId;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// A requirement document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document {
    /// Its path in the project.
    pub path: String,
    /// Its file among the sources of the project.
    pub file: FileId,
    /// Its text.
    pub text: String,
    /// Whether it is Markdown; otherwise plain text.
    pub markdown: bool,
    /// Its sections, in order.
    pub sections: Vec<Section>,
}

/// A section of a document, subsections included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// The heading without markup.
    pub heading: String,
    /// The anchor, unique in the document.
    pub anchor: String,
    /// The level, from 1.
    pub level: u32,
    /// The bytes of the section in the text, from its heading on.
    pub range: Range<usize>,
}

/// The sections of a document.
#[must_use]
pub fn sections(text: &str, markdown: bool) -> Vec<Section> {
    let headings = if markdown { of_markdown(text) } else { of_text(text) };
    let mut sections: Vec<Section> = Vec::new();
    for (index, (heading, level, start)) in headings.iter().enumerate() {
        let next = headings[index + 1..].iter().find(|(_, other, _)| other <= level);
        let end = next.map_or(text.len(), |(_, _, start)| *start);
        let base = anchor(heading);
        let used = |wanted: &str| sections.iter().any(|section| section.anchor == wanted);
        let mut own = base.clone();
        let mut number = 0;
        while used(&own) {
            number += 1;
            own = format!("{base}-{number}");
        }
        sections.push(Section { heading: heading.clone(), anchor: own, level: *level, range: *start..end });
    }
    sections
}

/// The section with a heading or an anchor.
#[must_use]
pub fn find(sections: &[Section], wanted: &str) -> Option<usize> {
    let by_anchor = sections.iter().position(|section| section.anchor == wanted);
    by_anchor.or_else(|| sections.iter().position(|section| section.heading == wanted))
}

type Heading = (String, u32, usize);

fn of_markdown(text: &str) -> Vec<Heading> {
    let mut headings = Vec::new();
    let mut open: Option<Heading> = None;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                open = Some((String::new(), number(level), range.start));
            }
            Event::End(TagEnd::Heading(_)) => headings.extend(open.take()),
            Event::Text(text) | Event::Code(text) => {
                if let Some((heading, _, _)) = &mut open {
                    heading.push_str(&text);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some((heading, _, _)) = &mut open {
                    heading.push(' ');
                }
            }
            _ => {}
        }
    }
    headings
}

fn number(level: HeadingLevel) -> u32 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// Headings of plain text: numbered lines (`2.1 Dial tone`) after an empty line, and underlined
/// lines.
fn of_text(text: &str) -> Vec<Heading> {
    let mut headings = Vec::new();
    let mut start = 0;
    let mut before = "";
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for (index, line) in lines.iter().enumerate() {
        let own = line.trim();
        let next = lines.get(index + 1).map_or("", |next| next.trim());
        let level = underline(own, next).or_else(|| numbered(own).filter(|_| before.is_empty()));
        if let Some(level) = level {
            headings.push((own.to_string(), level, start));
        }
        before = own;
        start += line.len();
    }
    headings
}

/// The level of a heading above a line of `=` or `-`.
fn underline(heading: &str, line: &str) -> Option<u32> {
    let all = |sign: char| line.len() >= 3 && line.chars().all(|c| c == sign);
    match (heading.is_empty(), all('='), all('-')) {
        (false, true, _) => Some(1),
        (false, _, true) => Some(2),
        _ => None,
    }
}

/// The level of a heading that begins with a number such as `2.1`.
fn numbered(line: &str) -> Option<u32> {
    let (number, rest) = line.split_once(char::is_whitespace)?;
    let parts: Vec<&str> = number.trim_end_matches('.').split('.').collect();
    let digits = |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let is_heading = parts.iter().all(digits) && !rest.trim().is_empty() && line.len() <= 100;
    (is_heading && !line.ends_with(['.', ',', ';'])).then_some(parts.len() as u32)
}

/// The anchor of a heading: lower case, spaces as `-`, without punctuation.
fn anchor(heading: &str) -> String {
    let mut anchor = String::new();
    for c in heading.trim().chars() {
        if c.is_alphanumeric() || c == '_' || c == '-' {
            anchor.extend(c.to_lowercase());
        } else if c.is_whitespace() {
            anchor.push('-');
        }
    }
    anchor
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str, markdown: bool) -> Vec<(String, u32)> {
        sections(text, markdown).into_iter().map(|one| (one.anchor, one.level)).collect()
    }

    #[test]
    fn sections_of_markdown_have_unique_anchors() {
        let text = "# Basic `call`\n\ntext\n\n## Dial tone\n\n```\n# no heading\n```\n\n## Dial tone\n\nBusy\n====\n";
        let wanted = [("basic-call", 1), ("dial-tone", 2), ("dial-tone-1", 2), ("busy", 1)];
        assert_eq!(outline(text, true), wanted.map(|(anchor, level)| (anchor.to_string(), level)));
        let all = sections(text, true);
        assert!(text[all[1].range.clone()].starts_with("## Dial tone"));
        assert_eq!(all[0].range.end, all[3].range.start);
        assert_eq!(find(&all, "Busy"), Some(3));
    }

    #[test]
    fn sections_of_plain_text_are_numbered_or_underlined() {
        let text = "Title\n=====\n\n1. Scope\ntext 2\n\n1.1 Dial tone\n\n3 apples are eaten.\n\nEnd\n---\n";
        let wanted = [("title", 1), ("1-scope", 1), ("11-dial-tone", 2), ("end", 2)];
        assert_eq!(outline(text, false), wanted.map(|(anchor, level)| (anchor.to_string(), level)));
    }
}
