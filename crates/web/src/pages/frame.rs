//! What all pages share: the menu, the frame around their content, and the visitor.
//!
//! *Entry points:* [`Visitor`], [`render`].

use std::sync::Arc;

use askama::Template;
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::COOKIE;
use axum::http::request::Parts;
use axum::response::{Html, IntoResponse, Response};

use crate::alarms::{self, Alarm};
use crate::application::Application;
use crate::assets::address;
use crate::fault::Fault;
use crate::security::role::Role;
use crate::security::session::Principal;

/// A screen of the menu: its address, name and icon.
pub struct Screen {
    /// The address.
    pub path: &'static str,
    /// The name.
    pub name: &'static str,
    /// The path of its icon.
    pub icon: &'static str,
}

/// The menu.
pub const SCREENS: [Screen; 12] = [
    Screen {
        path: "/",
        name: "Overview",
        icon: "M2.5 2.5h4.5v5H2.5zM9 2.5h4.5v3H9zM9 8h4.5v5.5H9zM2.5 10h4.5v3.5H2.5z",
    },
    Screen {
        path: "/properties",
        name: "Properties",
        icon: "M6 4h7.5M6 8h7.5M6 12h7.5M2.5 4h.5M2.5 8h.5M2.5 12h.5",
    },
    Screen { path: "/tracker", name: "Tracker", icon: "M2.5 4h8M2.5 8h11M2.5 12h5" },
    Screen {
        path: "/rounds",
        name: "Rounds",
        icon: "M8 4.5V8l2.5 1.5M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0z",
    },
    Screen {
        path: "/changes",
        name: "Changes",
        icon: "M5 3v10M5 13l-2.5-2.5M5 13l2.5-2.5M11 13V3M11 3L8.5 5.5M11 3l2.5 2.5",
    },
    Screen { path: "/analysis", name: "Analysis", icon: "M2.5 13.5h11M4.5 13.5v-4M8 13.5v-10M11.5 13.5v-7" },
    Screen { path: "/requirements", name: "Requirements", icon: "M4 2.5h5.5L12 5v8.5H4zM6 7h4M6 9.5h4" },
    Screen { path: "/model", name: "Model", icon: "M5.5 4.5L2.5 8l3 3.5M10.5 4.5l3 3.5-3 3.5" },
    Screen { path: "/machines", name: "Machines", icon: "M2.5 3.5h11v7h-11zM6 13h4M8 10.5V13" },
    Screen {
        path: "/diagnose",
        name: "Diagnose",
        icon: "M10.5 10.5l3 3M12 7a5 5 0 1 1-10 0 5 5 0 0 1 10 0z",
    },
    Screen {
        path: "/tutorial",
        name: "Tutorial",
        icon: "M8 4.5L1.5 7.5 8 10.5l6.5-3zM4.5 9v3c2 1.5 5 1.5 7 0V9",
    },
    Screen {
        path: "/settings",
        name: "Settings",
        icon: "M2.5 5h6M11 5h2.5M2.5 11h2.5M7.5 11h6M9.75 3.5v3M6.25 9.5v3",
    },
];

/// What all pages show around their content.
pub struct Frame {
    /// The title of the page.
    pub title: String,
    /// The name of the project.
    pub project: String,
    /// The path of the screen in the menu.
    pub active: &'static str,
    /// The name of the visitor's token.
    pub user: String,
    /// What the visitor may do.
    pub role: Role,
    /// The token of forms.
    pub form_token: String,
    /// `light`, `dark`, or empty for that of the system.
    pub theme: String,
    /// The number of errors in the project.
    pub errors: usize,
    /// Whether a round that was started here is executed.
    pub running: bool,
    /// Whether the project is being read.
    pub reading: bool,
    /// What has to be known before anything else.
    pub alarms: Vec<Alarm>,
    /// The generation of files and history that the page shows.
    pub version: String,
}

impl Frame {
    /// The screens of the menu.
    #[must_use]
    pub fn screens(&self) -> &'static [Screen] {
        &SCREENS
    }

    /// The address of an asset.
    #[must_use]
    pub fn asset(&self, name: &str) -> String {
        address(name)
    }

    /// Whether the visitor may start rounds.
    #[must_use]
    pub fn may_run(&self) -> bool {
        self.role.includes(Role::Runner)
    }

    /// Whether the visitor may change files.
    #[must_use]
    pub fn may_edit(&self) -> bool {
        self.role.includes(Role::Editor)
    }
}

/// A request that passed the guard.
pub struct Visitor {
    /// The server.
    pub app: Arc<Application>,
    /// Who sent it.
    pub principal: Principal,
    theme: String,
}

impl Visitor {
    /// The frame of a page.
    #[must_use]
    pub fn frame(&self, active: &'static str, title: &str) -> Frame {
        let snapshot = self.app.snapshot();
        let pulse = *self.app.pulse.borrow();
        let session = self.principal.session.as_deref().unwrap_or_default();
        Frame {
            title: title.to_string(),
            project: snapshot.name().to_string(),
            active,
            user: self.principal.name.clone(),
            role: self.principal.role,
            form_token: self.app.access.sessions.form_token(session),
            theme: self.theme.clone(),
            errors: snapshot.errors(),
            running: pulse.running.is_some()
                || self.app.rounds.progress().is_some_and(|progress| progress.running),
            reading: pulse.reading || snapshot.generation == 0,
            alarms: alarms::all(&self.app, &snapshot),
            version: format!("{}.{}", pulse.generation, pulse.history),
        }
    }

    /// Executes a request of the history in a thread for blocking work.
    ///
    /// # Errors
    /// Those of `work`.
    pub async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Application) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let app = Arc::clone(&self.app);
        match tokio::task::spawn_blocking(move || work(&app)).await {
            Ok(result) => result,
            Err(_) => Err(Fault::internal("the request was abandoned")),
        }
    }

    /// The visitor who sent a request with these headers.
    #[must_use]
    pub fn new(app: &Arc<Application>, principal: Principal, headers: &HeaderMap) -> Visitor {
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let theme = cookies
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().strip_prefix("axle-theme="))
            .find(|theme| matches!(*theme, "light" | "dark"));
        let theme = theme.unwrap_or_default().to_string();
        Visitor { app: Arc::clone(app), principal, theme }
    }
}

impl FromRequestParts<Arc<Application>> for Visitor {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<Application>) -> Result<Visitor, Fault> {
        let principal = parts.extensions.get::<Principal>().cloned();
        let principal = principal.ok_or_else(|| Fault::unauthorized("Sign in with a token."))?;
        Ok(Visitor::new(app, principal, &parts.headers))
    }
}

/// The answer of a page.
pub type Answer = Result<Response, Fault>;

/// Renders a page.
///
/// # Errors
/// The template cannot be rendered.
pub fn render(page: &impl Template) -> Answer {
    match page.render() {
        Ok(html) => Ok(Html(html).into_response()),
        Err(fault) => Err(Fault::internal(&fault.to_string())),
    }
}
