//! Markdown of requirement documents and properties as HTML.
//!
//! *Entry point:* [`html`].
//! *Invariant:* raw HTML of the text is shown as text; links lead to HTTP, mail or a heading; images
//! are shown as their description.

use axle_feaver::project::sections::Section;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

/// Markdown as HTML. `sections` gives the anchors of headings by their position; headings begin at
/// `level`.
#[must_use]
pub fn html(text: &str, sections: &[Section], level: usize) -> String {
    let mut stack: Vec<Option<TagEnd>> = Vec::new();
    let mut events = Vec::new();
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        let event = match event {
            Event::Html(html) | Event::InlineHtml(html) => Event::Text(html),
            Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
            Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
            Event::Start(Tag::Heading { level: own, classes: _, attrs: _, .. }) => {
                let section = sections.iter().find(|section| section.range.start == range.start);
                let id = section.map(|section| CowStr::from(section.anchor.clone()));
                let own = (own as usize + level - 1).min(6);
                let own = own.try_into().unwrap_or(pulldown_cmark::HeadingLevel::H6);
                stack.push(Some(TagEnd::Heading(own)));
                Event::Start(Tag::Heading { level: own, id, classes: Vec::new(), attrs: Vec::new() })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_of_the_text_is_data() {
        let evil = "a <script>alert(1)</script> b\n\n<img src=x onerror=alert(1)>\n\n\
                    [x](javascript:alert(1)) ![y](https://evil.org/p.png) [z](https://ok.org \"t\\\"onx=1\")\n\n\
                    <style>*{}</style>\n\n`<b>`\n\n# T <i>\n";
        let html = html(evil, &[], 2);
        for tag in ["<script", "<img", "<style", "href=\"javascript", "<i>", "<b>"] {
            assert!(!html.contains(tag), "{tag} in {html}");
        }
        assert!(html.contains("href=\"https://ok.org\""), "{html}");
        assert!(html.contains("<h2>T &lt;i&gt;</h2>"), "{html}");
    }

    #[test]
    fn headings_have_the_anchors_of_their_sections() {
        let text = "# One\n\ntext\n\n## Two\n\nmore\n";
        let sections = axle_feaver::project::sections::sections(text, true);
        let html = html(text, &sections, 1);
        assert!(html.contains("<h1 id=\"one\">One</h1>") && html.contains("<h2 id=\"two\">"), "{html}");
    }
}
