//! A file of the project with line numbers; the fragment `#L12` leads to a line.
//!
//! *Entry point:* [`show`].
//! *Invariant:* only text files below the folder of the project are shown, and no hidden ones.

use askama::Template;
use axle_feaver::project::folder::{Folder, Refusal, normal};
use axum::extract::{Path, RawQuery};
use axum::http::StatusCode;

use super::frame::{Answer, Frame, Visitor, render};
use crate::application::Application;
use crate::fault::Fault;
use crate::form::Form;
use crate::view::highlight;
use crate::view::url::path_in_url;
use axle_evidence::escape::xml;

/// The largest file that is shown.
pub const LARGEST: u64 = 4 << 20;

/// Lines of a page: each is a few hundred bytes of HTML.
const LINES: usize = 1000;

#[derive(Template)]
#[template(path = "source.html")]
struct Page {
    frame: Frame,
    path: String,
    url: String,
    lines: Vec<Line>,
    /// Whether lines have statements that an execution may reach.
    is_executable: bool,
    total: usize,
    before: Option<usize>,
    after: Option<usize>,
}

impl Page {
    /// Whether lines have a button that asks whether they can be reached.
    fn asks(&self) -> bool {
        self.is_executable && self.frame.may_run()
    }
}

/// A line.
struct Line {
    number: usize,
    html: String,
    /// Whether it may have a statement.
    is_statement: bool,
}

/// Shows a file.
pub async fn show(visitor: Visitor, Path(path): Path<String>, RawQuery(query): RawQuery) -> Answer {
    let wanted = path.clone();
    let text = visitor.blocking(move |app| read(app, &wanted)).await?;
    let is_executable = [".c", ".h", ".pml"].iter().any(|end| path.ends_with(end));
    let all = match is_executable {
        true => highlight::lines(&text),
        false => text.lines().map(xml).collect(),
    };
    let from = Form::parse(query.as_deref().unwrap_or_default()).get("from").parse().unwrap_or(1usize);
    let first = from.clamp(1, all.len().max(1));
    let total = all.len();
    let lines = (1..).zip(all.into_iter().zip(text.lines())).skip(first - 1).take(LINES);
    let lines = lines.map(|(number, (html, text))| {
        let is_statement = is_executable && may_be_statement(text);
        Line { number, html, is_statement }
    });
    render(&Page {
        frame: visitor.frame("/model", &path),
        url: path_in_url(&path),
        lines: lines.collect(),
        is_executable,
        total,
        before: (first > 1).then(|| first.saturating_sub(LINES).max(1)),
        after: (first + LINES <= total).then_some(first + LINES),
        path,
    })
}

/// Whether a line of C or Promela may have a statement: an answer for another one is that it has none.
fn may_be_statement(line: &str) -> bool {
    let text = line.trim();
    let is_comment = ["//", "/*", "*", "#"].iter().any(|start| text.starts_with(start));
    !is_comment && text.chars().any(char::is_alphanumeric)
}

/// Reads a text file of the project.
///
/// # Errors
/// There is no such file, or it is hidden, binary or too large.
pub fn read(app: &Application, path: &str) -> Result<String, Fault> {
    let missing = || Fault::missing(format!("The project has no file '{path}'."));
    let plain = normal(path).ok_or_else(missing)?;
    if plain != path || plain.split('/').any(|part| part.starts_with('.') || part.is_empty()) {
        return Err(missing());
    }
    let folder = Folder::open(&app.root).map_err(|_| missing())?;
    let bytes = folder.read(&plain, LARGEST).map_err(|refusal| match refusal {
        Refusal::Unreadable(_) => Fault::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("'{path}' cannot be read, or is larger than 4 MiB."),
        ),
        _ => missing(),
    })?;
    String::from_utf8(bytes).map_err(|_| {
        Fault::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("'{path}' is not a text file in UTF-8."))
    })
}
