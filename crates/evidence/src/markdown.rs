//! Markdown of properties and requirement documents as HTML without scripts, styles and embedded
//! HTML.
//!
//! *Entry points:* [`to_html`], [`first_sentence`].
//! *Source:* CommonMark, with tables; parsed by `pulldown-cmark`.
//! *Invariant:* every text passes through [`xml`], HTML in the text too; links lead to `http`,
//! `https` or a place in the page.

use pulldown_cmark::{Alignment, Event, Options, Parser, Tag, TagEnd};

use crate::escape::xml;

/// The level of the highest heading of a text inside a page.
const HIGHEST: u8 = 4;

/// The text as HTML.
pub(crate) fn to_html(text: &str) -> String {
    let mut html = String::new();
    let mut table = Table::default();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(tag) => start(&tag, &mut table, &mut html),
            Event::End(tag) => end(tag, &mut table, &mut html),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => html.push_str(&xml(&text)),
            Event::Code(text) => html.push_str(&format!("<code>{}</code>", xml(&text))),
            Event::SoftBreak => html.push('\n'),
            Event::HardBreak => html.push_str("<br>"),
            Event::Rule => html.push_str("<hr>"),
            Event::FootnoteReference(_)
            | Event::TaskListMarker(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_) => {}
        }
    }
    html
}

/// The table that is being written.
#[derive(Default)]
struct Table {
    alignments: Vec<Alignment>,
    column: usize,
    in_head: bool,
    /// Links that were refused: their ends are left out too.
    refused: Vec<bool>,
}

fn start(tag: &Tag, table: &mut Table, html: &mut String) {
    match tag {
        Tag::Paragraph => html.push_str("<p>"),
        Tag::Heading { level, .. } => html.push_str(&format!("<h{}>", shifted(*level as u8))),
        Tag::BlockQuote(_) => html.push_str("<blockquote>"),
        Tag::CodeBlock(_) => html.push_str("<pre><code>"),
        Tag::List(None) => html.push_str("<ul>"),
        Tag::List(Some(first)) => html.push_str(&format!("<ol start=\"{first}\">")),
        Tag::Item => html.push_str("<li>"),
        Tag::Emphasis => html.push_str("<em>"),
        Tag::Strong => html.push_str("<strong>"),
        Tag::Link { dest_url, .. } => {
            let allowed = ["http://", "https://"].iter().any(|scheme| dest_url.starts_with(scheme));
            table.refused.push(!allowed);
            if allowed {
                html.push_str(&format!("<a href=\"{}\" rel=\"noreferrer\">", xml(dest_url)));
            }
        }
        Tag::Table(alignments) => {
            table.alignments.clone_from(alignments);
            html.push_str("<div class=\"wide\"><table>");
        }
        Tag::TableHead => {
            (table.in_head, table.column) = (true, 0);
            html.push_str("<thead><tr>");
        }
        Tag::TableRow => {
            table.column = 0;
            html.push_str("<tr>");
        }
        Tag::TableCell => {
            let name = if table.in_head { "th" } else { "td" };
            let class = match table.alignments.get(table.column) {
                Some(Alignment::Right) => " class=\"number\"",
                _ => "",
            };
            table.column += 1;
            html.push_str(&format!("<{name}{class}>"));
        }
        _ => {}
    }
}

fn end(tag: TagEnd, table: &mut Table, html: &mut String) {
    match tag {
        TagEnd::Paragraph => html.push_str("</p>\n"),
        TagEnd::Heading(level) => html.push_str(&format!("</h{}>\n", shifted(level as u8))),
        TagEnd::BlockQuote(_) => html.push_str("</blockquote>\n"),
        TagEnd::CodeBlock => html.push_str("</code></pre>\n"),
        TagEnd::List(ordered) => html.push_str(if ordered { "</ol>\n" } else { "</ul>\n" }),
        TagEnd::Item => html.push_str("</li>\n"),
        TagEnd::Emphasis => html.push_str("</em>"),
        TagEnd::Strong => html.push_str("</strong>"),
        TagEnd::Link if table.refused.pop() == Some(false) => html.push_str("</a>"),
        TagEnd::Table => html.push_str("</tbody></table></div>\n"),
        TagEnd::TableHead => {
            table.in_head = false;
            html.push_str("</tr></thead><tbody>");
        }
        TagEnd::TableRow => html.push_str("</tr>"),
        TagEnd::TableCell => html.push_str(if table.in_head { "</th>" } else { "</td>" }),
        _ => {}
    }
}

fn shifted(level: u8) -> u8 {
    (level + HIGHEST - 1).min(6)
}

/// The first sentence of a text, without markup.
pub(crate) fn first_sentence(text: &str) -> String {
    let mut plain = String::new();
    for event in Parser::new(text) {
        match event {
            Event::Text(text) | Event::Code(text) => plain.push_str(&text),
            Event::SoftBreak | Event::HardBreak => plain.push(' '),
            Event::End(TagEnd::Paragraph) => break,
            _ => {}
        }
    }
    match plain.find(". ") {
        Some(end) => plain[..=end].to_string(),
        None => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_of_the_text_is_kept_and_html_is_not() {
        let text = "A **tone** `x < 1`:\n\n* one\n* two\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n";
        let wanted = "<p>A <strong>tone</strong> <code>x &lt; 1</code>:</p>\n<ul><li>one</li>\n<li>two</li>\n</ul>\n\
                      <div class=\"wide\"><table><thead><tr><th>a</th><th class=\"number\">b</th></tr></thead><tbody>\
                      <tr><td>1</td><td class=\"number\">2</td></tr></tbody></table></div>\n";
        assert_eq!(to_html(text), wanted);
        for evil in ["<script>x</script>", "a <b onclick=x>", "[a](javascript:x)", "![a](http://x)", "\"><i>"]
        {
            let html = to_html(evil);
            let tags = ["<script", "<b", "<i", "href=\"javascript", "<img"];
            assert!(!tags.iter().any(|tag| html.contains(tag)), "{html}");
        }
    }

    #[test]
    fn the_first_sentence_is_plain_text() {
        assert_eq!(first_sentence("When `A` is\n*up*. Then.\n\nMore."), "When A is up.");
        assert_eq!(first_sentence(""), "");
    }
}
