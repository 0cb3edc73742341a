//! Settings: appearance, schedule and limits of the project, the server and its tokens.
//!
//! *Entry points:* [`show`], [`appearance`], [`logout`].

use askama::Template;
use axum::http::header::{HeaderValue, SET_COOKIE};
use axum::response::{IntoResponse, Redirect};

use super::frame::{Answer, Frame, Visitor, render};
use crate::form::Form;
use crate::pages::fault::Fault;
use crate::security::guard::closing_cookie;
use crate::view::quantity::{bytes, seconds};

#[derive(Template)]
#[template(path = "settings.html")]
struct Page {
    frame: Frame,
    facts: Vec<(&'static str, String)>,
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
    render(&Page {
        frame: visitor.frame("/settings", "Settings"),
        facts,
        tokens: access.tokens.iter().map(|token| (token.name.clone(), token.role.name())).collect(),
        is_local: access.start.is_some(),
        themes: [("", "as the system"), ("light", "light"), ("dark", "dark")],
        build: visitor.app.build.split(" (").next().unwrap_or_default().to_string(),
    })
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
    with_cookie("/login", &closing_cookie(&visitor.app.access))
}

fn with_cookie(location: &str, cookie: &str) -> Answer {
    let mut response = Redirect::to(location).into_response();
    let value = HeaderValue::from_str(cookie).map_err(|_| Fault::internal("invalid cookie"))?;
    response.headers_mut().insert(SET_COOKIE, value);
    Ok(response)
}
