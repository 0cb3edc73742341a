//! Text inside of addresses, and the addresses of lines.

use axle_evidence::report::PlaceReport;

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

/// The address of the page with a line.
#[must_use]
pub fn line_url(place: &PlaceReport) -> String {
    format!("{}#L{}", path_in_url(&place.file), place.line)
}

/// A place in a table: the name of its file with the line, and its address.
#[must_use]
pub fn line_link(place: &PlaceReport) -> (String, String) {
    let file = place.file.rsplit('/').next().unwrap_or(&place.file);
    (format!("{file}:{}", place.line), line_url(place))
}
