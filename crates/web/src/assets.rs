//! Style sheets, scripts and images, which are part of the program.
//!
//! *Entry points:* [`routes`], [`address`].
//! *Invariant:* the address of an asset contains a hash of the contents of all, so that it can be cached
//! for good, and scripts import each other by relative addresses.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::application::Application;
use crate::security::secret::fingerprint;

/// An asset: name, type and content.
struct Asset {
    name: &'static str,
    kind: &'static str,
    content: &'static str,
}

macro_rules! asset {
    ($name:literal, $kind:literal) => {
        Asset { name: $name, kind: $kind, content: include_str!(concat!("../assets/", $name)) }
    };
}

const ASSETS: &[Asset] = &[
    asset!("tokens.css", "text/css; charset=utf-8"),
    asset!("page.css", "text/css; charset=utf-8"),
    asset!("components.css", "text/css; charset=utf-8"),
    asset!("page.js", "text/javascript; charset=utf-8"),
    asset!("icon.svg", "image/svg+xml"),
    asset!("islands/shared.js", "text/javascript; charset=utf-8"),
    asset!("islands/sequence.js", "text/javascript; charset=utf-8"),
    asset!("islands/sequence.css", "text/css; charset=utf-8"),
    asset!("islands/timeline.js", "text/javascript; charset=utf-8"),
    asset!("islands/timeline.css", "text/css; charset=utf-8"),
    asset!("islands/tracker.js", "text/javascript; charset=utf-8"),
];

/// The hash of all assets.
static HASH: LazyLock<String> = LazyLock::new(|| {
    let contents: String = ASSETS.iter().map(|asset| asset.content).collect();
    fingerprint(&contents)[..12].to_string()
});

/// The address of an asset.
#[must_use]
pub fn address(name: &str) -> String {
    format!("/assets/{}/{name}", *HASH)
}

/// The routes of all assets.
pub fn routes() -> Router<Arc<Application>> {
    Router::new().route("/assets/{hash}/{*name}", get(asset)).route("/favicon.ico", get(icon))
}

async fn asset(Path((hash, name)): Path<(String, String)>) -> Response {
    match ASSETS.iter().find(|asset| asset.name == name && hash == *HASH) {
        Some(asset) => {
            let cached = "public, max-age=31536000, immutable";
            ([(CONTENT_TYPE, asset.kind), (CACHE_CONTROL, cached)], asset.content).into_response()
        }
        None => (StatusCode::NOT_FOUND, "there is no such asset\n").into_response(),
    }
}

async fn icon() -> Response {
    asset(Path((HASH.clone(), "icon.svg".into()))).await
}
