//! Markdown of requirement documents and properties as HTML.
//!
//! *Entry points:* [`to_html`], [`first_sentence`].
//! *Invariant:* raw HTML of the text is shown as text; links lead to HTTP, mail or a heading; images
//! are shown as their description; there are no style attributes and no control characters.

use pulldown_cmark::{Alignment, Event, Options, Parser, Tag, TagEnd};

/// Markdown as HTML, whose headings begin at `level`.
#[must_use]
pub fn to_html(text: &str, level: usize) -> String {
    let is_kept = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    let text: String = text.chars().map(|c| if is_kept(c) { c } else { '\u{fffd}' }).collect();
    let mut stack: Vec<Option<TagEnd>> = Vec::new();
    let mut events = Vec::new();
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
        let event = match event {
            Event::Html(html) | Event::InlineHtml(html) => Event::Text(html),
            Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
            Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
            Event::Start(Tag::Heading { level: own, .. }) => {
                let own = (own as usize + level - 1).min(6);
                let own = own.try_into().unwrap_or(pulldown_cmark::HeadingLevel::H6);
                stack.push(Some(TagEnd::Heading(own)));
                Event::Start(Tag::Heading { level: own, id: None, classes: Vec::new(), attrs: Vec::new() })
            }
            Event::End(TagEnd::Heading(_)) => match stack.pop().flatten() {
                Some(end) => Event::End(end),
                None => continue,
            },
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let safe = is_safe(&dest_url);
                stack.push(safe.then_some(TagEnd::Link));
                match safe {
                    true => Event::Start(Tag::Link { link_type, dest_url, title, id }),
                    false => continue,
                }
            }
            Event::End(TagEnd::Link) => match stack.pop().flatten() {
                Some(end) => Event::End(end),
                None => continue,
            },
            // A style attribute would violate the policy of a page.
            Event::Start(Tag::Table(columns)) => {
                events.push(Event::Html("<div class=\"wide\">".into()));
                Event::Start(Tag::Table(vec![Alignment::None; columns.len()]))
            }
            Event::End(TagEnd::Table) => {
                events.push(Event::End(TagEnd::Table));
                Event::Html("</div>\n".into())
            }
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => continue,
            other => other,
        };
        events.push(event);
    }
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, events.into_iter());
    html
}

/// Whether a link may be followed.
fn is_safe(url: &str) -> bool {
    let url = url.trim().to_ascii_lowercase();
    ["https://", "http://", "mailto:", "#"].iter().any(|start| url.starts_with(start))
}

/// The first sentence of a text, without markup.
#[must_use]
pub fn first_sentence(text: &str) -> String {
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
    fn markup_of_the_text_is_data() {
        let evil = "a <script>alert(1)</script> b\n\n<img src=x onerror=alert(1)>\n\n\
                    [x](javascript:alert(1)) ![y](https://evil.org/p.png) [z](https://ok.org \"t\\\"onx=1\")\n\n\
                    <style>*{}</style>\n\n`<b>`\n\n# T <i>\n";
        let html = to_html(evil, 2);
        for tag in ["<script", "<img", "<style", "href=\"javascript", "<i>", "<b>"] {
            assert!(!html.contains(tag), "{tag} in {html}");
        }
        assert!(html.contains("href=\"https://ok.org\""), "{html}");
        assert!(html.contains("<h2>T &lt;i&gt;</h2>"), "{html}");
    }

    #[test]
    fn headings_have_a_level_and_tables_no_styles() {
        let text = "# One\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n## Two\n";
        let html = to_html(text, 3);
        assert!(html.contains("<h3>One</h3>") && html.contains("<h4>Two</h4>"), "{html}");
        assert!(html.contains("<div class=\"wide\"><table>") && !html.contains("style="), "{html}");
    }

    #[test]
    fn the_first_sentence_is_plain_text() {
        assert_eq!(first_sentence("When `A` is\n*up*. Then.\n\nMore."), "When A is up.");
        assert_eq!(first_sentence(""), "");
    }
}
