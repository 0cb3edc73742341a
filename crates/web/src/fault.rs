//! Errors as answers: the status, the problem and the remedy. `pages/framed_fault.rs` adds the menu.
//!
//! *Entry point:* [`Fault`].
//! *Invariant:* an answer contains no secret and no path of the server.

use askama::Template;
use axle_feaver::jobs::error::StoreError;
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};

use crate::assets::address;

/// An error.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The status.
    pub status: StatusCode,
    /// The problem, and the remedy where there is one.
    pub message: String,
    /// Further headers.
    pub headers: Vec<(HeaderName, String)>,
}

#[derive(Template)]
#[template(path = "fault.html")]
struct Page<'a> {
    code: u16,
    name: &'a str,
    message: &'a str,
    sign_in: bool,
}

impl Page<'_> {
    fn asset(&self, name: &str) -> String {
        address(name)
    }
}

impl Fault {
    /// An error with a status.
    #[must_use]
    pub fn new(status: StatusCode, message: impl Into<String>) -> Fault {
        Fault { status, message: message.into(), headers: Vec::new() }
    }

    /// An answer with the further headers of the error.
    #[must_use]
    pub fn with_headers(self, mut response: Response) -> Response {
        for (name, value) in self.headers {
            if let Ok(value) = HeaderValue::from_str(&value) {
                response.headers_mut().insert(name, value);
            }
        }
        response
    }

    /// Something that does not exist.
    #[must_use]
    pub fn missing(message: impl Into<String>) -> Fault {
        Fault::new(StatusCode::NOT_FOUND, message)
    }

    /// A request that is not allowed.
    #[must_use]
    pub fn forbidden(message: impl Into<String>) -> Fault {
        Fault::new(StatusCode::FORBIDDEN, message)
    }

    /// A request without valid credentials.
    #[must_use]
    pub fn unauthorized(message: impl Into<String>) -> Fault {
        Fault::new(StatusCode::UNAUTHORIZED, message)
    }

    /// A request with invalid content.
    #[must_use]
    pub fn invalid(message: impl Into<String>) -> Fault {
        Fault::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// An error of the server.
    #[must_use]
    pub fn internal(message: &str) -> Fault {
        Fault::new(StatusCode::INTERNAL_SERVER_ERROR, format!("Internal error: {message}."))
    }

    /// The answer: JSON for programs, otherwise a page.
    #[must_use]
    pub fn answer(self, is_api: bool) -> Response {
        let name = self.status.canonical_reason().unwrap_or("Error");
        let response = if is_api {
            let body =
                serde_json::json!({ "error": { "status": self.status.as_u16(), "message": self.message } });
            let kind = HeaderValue::from_static("application/json");
            (self.status, [(CONTENT_TYPE, kind)], format!("{body}\n")).into_response()
        } else {
            let sign_in = self.status == StatusCode::UNAUTHORIZED;
            let page = Page { code: self.status.as_u16(), name, message: &self.message, sign_in };
            (self.status, Html(page.render().unwrap_or_else(|_| name.to_string()))).into_response()
        };
        self.with_headers(response)
    }
}

impl IntoResponse for Fault {
    /// The answer of a page. The guard, which knows the visitor, adds the menu.
    fn into_response(self) -> Response {
        let kept = self.clone();
        let mut response = self.answer(false);
        response.extensions_mut().insert(kept);
        response
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Fault {
        match error {
            StoreError::Refused(_) => Fault::new(StatusCode::CONFLICT, error.to_string()),
            StoreError::Invalid(_) => Fault::invalid(error.to_string()),
            error if error.is_transient() => {
                Fault::new(StatusCode::SERVICE_UNAVAILABLE, format!("History: {error}."))
            }
            error => Fault::new(StatusCode::INTERNAL_SERVER_ERROR, format!("History: {error}.")),
        }
    }
}

/// The answer for an address without a page.
pub async fn not_found(uri: Uri) -> Response {
    let is_api = uri.path().starts_with("/api/");
    let fault = Fault::missing("There is no such page. The menu leads to all pages.");
    if is_api { fault.answer(true) } else { fault.into_response() }
}

/// The answer for a method that an address does not support.
pub async fn wrong_method(uri: Uri) -> Response {
    let is_api = uri.path().starts_with("/api/");
    let fault = Fault::new(StatusCode::METHOD_NOT_ALLOWED, "This address does not support the method.");
    if is_api { fault.answer(true) } else { fault.into_response() }
}
