//! The form that turns a token into a session.

use askama::Template;
use axum::response::Html;

use crate::assets::address;

#[derive(Template)]
#[template(path = "login.html")]
struct Page<'a> {
    project: &'a str,
    problem: &'a str,
}

impl Page<'_> {
    fn asset(&self, name: &str) -> String {
        address(name)
    }
}

/// The form; `problem` says why the last attempt failed.
pub fn page(problem: &str) -> Html<String> {
    let page = Page { project: "Axle", problem };
    Html(page.render().unwrap_or_default())
}
