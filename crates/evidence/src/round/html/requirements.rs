//! The requirement documents of a page: each section with the properties that cover it.

use std::fmt::{Result, Write};

use super::parts::{RoundPage, id, requirement_id};
use crate::escape::xml;

pub(super) fn write(page: &RoundPage, html: &mut String) -> Result {
    if page.round.requirements.is_empty() {
        return Ok(());
    }
    let shown: Vec<&str> = page.round.properties.iter().map(|one| one.name.as_str()).collect();
    writeln!(
        html,
        "<h2 id=\"requirements\">Requirements</h2>\n<div class=\"wide\"><table class=\"requirements\">"
    )?;
    writeln!(html, "<thead><tr><th>Section</th><th>Properties</th></tr></thead><tbody>")?;
    for document in &page.round.requirements {
        let path = xml(&document.document);
        writeln!(html, "<tr class=\"document\"><th colspan=\"2\">{path}</th></tr>")?;
        for section in &document.sections {
            let own: Vec<String> = (section.properties.iter())
                .map(|name| match shown.contains(&name.as_str()) {
                    true => format!("<a href=\"#{}\">{}</a>", id("property", name), xml(name)),
                    false => xml(name),
                })
                .collect();
            let own = match (section.uncovered, own.is_empty()) {
                (true, _) => r#"<span class="badge unknown">? not covered</span>"#.to_string(),
                (false, true) => String::new(),
                (false, false) => own.join(", "),
            };
            writeln!(
                html,
                "<tr id=\"{}\"><td class=\"level{}\">{}</td><td>{own}</td></tr>",
                requirement_id(&document.document, &section.anchor),
                section.level.min(4),
                xml(&section.heading)
            )?;
        }
    }
    writeln!(html, "</tbody></table></div>")
}
