//! Text inside of addresses.

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
