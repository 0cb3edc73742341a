//! Text inside of HTML that no template writes.

/// The text with every character that has a meaning in HTML replaced, also inside of quoted
/// attributes. Control characters become U+FFFD.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '&' => html.push_str("&amp;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            '\t' | '\n' => html.push(c),
            c if c.is_control() => html.push('\u{fffd}'),
            other => html.push(other),
        }
    }
    html
}

/// A part of a path or query, percent-encoded.
#[must_use]
pub fn in_url(text: &str) -> String {
    let mut url = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => url.push(byte as char),
            other => url.push_str(&format!("%{other:02X}")),
        }
    }
    url
}

/// The path of a file, whose `/` stay.
#[must_use]
pub fn path_in_url(path: &str) -> String {
    path.split('/').map(in_url).collect::<Vec<_>>().join("/")
}
