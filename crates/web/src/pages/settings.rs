//! Settings: appearance, schedule and limits of the project, the server and its tokens.
//!
//! *Entry points:* [`show`], [`appearance`], [`logout`].

use askama::Template;
use axle_feaver::project::Triggers;
use axum::http::header::{HeaderValue, SET_COOKIE};
use axum::response::{IntoResponse, Redirect};

use super::frame::{Answer, Frame, Visitor, render};
use crate::fault::Fault;
use crate::form::Form;
use crate::letters::host;
use crate::view::quantity::{bytes, seconds};

#[derive(Template)]
#[template(path = "settings.html")]
struct Page {
    frame: Frame,
    facts: Vec<(&'static str, String)>,
    triggers: Vec<(&'static str, String)>,
    receivers: Vec<String>,
    notifies: bool,
    tokens: Vec<(String, &'static str)>,
    is_local: bool,
    themes: [(&'static str, &'static str); 3],
    build: String,
}

/// Shows the settings.
pub async fn show(visitor: Visitor) -> Answer {
    let snapshot = visitor.app.snapshot();
    let facts = snapshot.project.as_ref().map_or_else(Vec::new, |project| {
        let memory = project.limits.memory.map_or("available memory".to_string(), bytes);
        let time = project
            .limits
            .time
            .map_or("what is left of the budget".to_string(), |time| seconds(time.as_secs_f64()));
        vec![
            ("budget of a round", seconds(project.schedule.budget.as_secs_f64())),
            ("memory of each search", memory),
            ("time of an exact search", time),
            ("fairness", project.fairness.name().to_string()),
        ]
    });
    let access = &visitor.app.access;
    let project = snapshot.project.as_ref();
    render(&Page {
        frame: visitor.frame("/settings", "Settings"),
        facts,
        triggers: project.map_or_else(Vec::new, |project| triggers(&project.triggers, access.hook.is_some())),
        receivers: project.map_or_else(Vec::new, |project| {
            project.notifications.webhooks.iter().map(|address| host(address).to_string()).collect()
        }),
        notifies: visitor.app.letters.is_some(),
        tokens: access.tokens.current().iter().map(|token| (token.name.clone(), token.role.name())).collect(),
        is_local: access.start.is_some(),
        themes: [("", "as the system"), ("light", "light"), ("dark", "dark")],
        build: visitor.app.build.split(" (").next().unwrap_or_default().to_string(),
    })
}

/// What starts rounds, in words.
fn triggers(triggers: &Triggers, has_secret: bool) -> Vec<(&'static str, String)> {
    let changes = match triggers.changes {
        true => {
            format!("start a round after {} without further changes", seconds(triggers.quiet.as_secs_f64()))
        }
        false => "start nothing".to_string(),
    };
    let times: Vec<String> =
        triggers.daily.iter().map(|minute| format!("{:02}:{:02}", minute / 60, minute % 60)).collect();
    let hook = match (triggers.hook, has_secret) {
        (true, true) => "a signed request starts a round",
        (true, false) => "no secret: `axle serve --new-hook-secret` creates it",
        (false, _) => "not permitted",
    };
    vec![
        ("changes of files", changes),
        ("times of day (UTC)", if times.is_empty() { "none".to_string() } else { times.join(", ") }),
        ("hook of the repository", hook.to_string()),
    ]
}

/// Stores the choice of colours in a cookie.
pub async fn appearance(_: Visitor, body: String) -> Answer {
    let form = Form::parse(&body);
    let cookie = match form.get("theme") {
        theme @ ("light" | "dark") => {
            format!("axle-theme={theme}; Path=/; SameSite=Strict; Max-Age=31536000")
        }
        _ => "axle-theme=; Path=/; SameSite=Strict; Max-Age=0".to_string(),
    };
    with_cookie("/settings", &cookie)
}

/// Ends the session.
pub async fn logout(visitor: Visitor) -> Answer {
    with_cookie("/login", &visitor.app.access.closing_cookie())
}

fn with_cookie(location: &str, cookie: &str) -> Answer {
    let mut response = Redirect::to(location).into_response();
    let value = HeaderValue::from_str(cookie).map_err(|_| Fault::internal("invalid cookie"))?;
    response.headers_mut().insert(SET_COOKIE, value);
    Ok(response)
}
