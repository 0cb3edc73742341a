//! The headers of every answer, which restrict what a page may do in a browser.
//!
//! *Entry point:* `protect`.
//! *Source:* W3C, "Content Security Policy Level 3".
//! *Invariant:* no inline script or style is executed, and no other origin can embed an answer.

use axum::http::header::{CACHE_CONTROL, HeaderName, HeaderValue};
use axum::response::Response;

/// The policy of all pages.
pub(crate) const POLICY: &str =
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

const HEADERS: [(&str, &str); 7] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
];

/// Adds the headers.
pub(crate) fn protect(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}
