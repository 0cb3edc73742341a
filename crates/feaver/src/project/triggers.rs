//! Triggers of rounds of `axle serve`, and the receivers of their results.
//!
//! *Entry points:* [`triggers`], [`notifications`].
//! *Invariant:* a trigger starts a verification and nothing else: it names no command.

use std::time::Duration;

use axle_source::Diagnostic;

use super::fields::{Fields, Located};
use super::settings::duration;
use crate::codes::{DUPLICATE, TOO_MANY, VALUE};

/// The time without further changes after which a changed project is verified.
const QUIET: Duration = Duration::from_secs(3);

/// The most times of day, and the most receivers.
const MOST: usize = 32;

/// What starts a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Triggers {
    /// Whether changes of files start a round of the properties that they affect.
    pub changes: bool,
    /// The time without further changes after which it begins.
    pub quiet: Duration,
    /// Minutes after midnight (UTC) at which a round of all properties begins, in ascending order.
    pub daily: Vec<u16>,
    /// Whether the hook of a repository starts a round of the properties that a change affects.
    pub hook: bool,
}

impl Default for Triggers {
    fn default() -> Self {
        Triggers { changes: false, quiet: QUIET, daily: Vec::new(), hook: false }
    }
}

/// The receivers of notifications, and the events that they receive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notifications {
    /// Addresses that receive a request.
    pub webhooks: Vec<String>,
    /// Whether a violation is reported as soon as it is found.
    pub violations: bool,
    /// Whether the end of a round is reported.
    pub rounds: bool,
}

impl Default for Notifications {
    fn default() -> Self {
        Notifications { webhooks: Vec::new(), violations: true, rounds: true }
    }
}

/// Reads the table `triggers`.
pub(super) fn triggers(fields: &mut Fields<'_, '_>) -> Triggers {
    let default = Triggers::default();
    let changes = fields.boolean("changes").is_some_and(|flag| flag.value);
    let quiet = fields.string("quiet").and_then(|text| duration(&text, fields));
    let times = fields.strings("daily");
    limited(&times, "times of day", fields);
    let mut daily: Vec<(u16, Located<String>)> = Vec::new();
    for time in times.into_iter().take(MOST) {
        let Some(minute) = minute(&time, fields) else { continue };
        match daily.iter().any(|(known, _)| *known == minute) {
            true => {
                let message = format!("the time `{}` is listed twice", time.value);
                fields.diagnostics().push(Diagnostic::error(DUPLICATE, message).at(time.at.into(), ""));
            }
            false => daily.push((minute, time)),
        }
    }
    let mut daily: Vec<u16> = daily.into_iter().map(|(minute, _)| minute).collect();
    daily.sort_unstable();
    let hook = fields.boolean("hook").is_some_and(|flag| flag.value);
    Triggers { changes, quiet: quiet.unwrap_or(default.quiet), daily, hook }
}

/// Reads the table `notifications`.
pub(super) fn notifications(fields: &mut Fields<'_, '_>) -> Notifications {
    let addresses = fields.strings("webhooks");
    limited(&addresses, "webhooks", fields);
    for address in &addresses {
        if let Some((problem, help)) = unsuitable(&address.value) {
            let diagnostic = Diagnostic::error(VALUE, problem).at(address.at.into(), "").help(help);
            fields.diagnostics().push(diagnostic);
        }
    }
    let given = fields.has("events");
    let events = fields.strings("events");
    for event in &events {
        if !["violation", "round"].contains(&event.value.as_str()) {
            let diagnostic = Diagnostic::error(VALUE, format!("unknown value `{}`", event.value))
                .at(event.at.into(), "")
                .note("the values are: violation, round")
                .did_you_mean(&event.value, ["violation", "round"]);
            fields.diagnostics().push(diagnostic);
        }
    }
    let wanted = |name: &str| !given || events.iter().any(|event| event.value == name);
    Notifications {
        webhooks: addresses.into_iter().take(MOST).map(|address| address.value).collect(),
        violations: wanted("violation"),
        rounds: wanted("round"),
    }
}

fn limited(list: &[Located<String>], what: &str, fields: &mut Fields<'_, '_>) {
    if let Some(beyond) = list.get(MOST) {
        let message = format!("more than {MOST} {what}");
        fields.diagnostics().push(Diagnostic::error(TOO_MANY, message).at(beyond.at.into(), ""));
    }
}

/// A time of day such as `02:30`.
fn minute(text: &Located<String>, fields: &mut Fields<'_, '_>) -> Option<u16> {
    let digits = |text: &str| (text.len() == 2).then(|| text.parse::<u16>().ok()).flatten();
    let parts = text.value.split_once(':').and_then(|(hour, minute)| Some((digits(hour)?, digits(minute)?)));
    let found = parts.filter(|(hour, minute)| *hour < 24 && *minute < 60);
    if found.is_none() {
        let message = format!("`{}` is not a time of day", text.value);
        let help = "write hours and minutes in UTC: `02:30`";
        fields.diagnostics().push(Diagnostic::error(VALUE, message).at(text.at.into(), "").help(help));
    }
    found.map(|(hour, minute)| hour * 60 + minute)
}

/// Why an address cannot be that of a receiver, and the remedy.
fn unsuitable(address: &str) -> Option<(String, &'static str)> {
    let shown = address.split(['?', '#', '@']).next().unwrap_or_default();
    let Some(rest) = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://")) else {
        return Some((format!("`{shown}` is not an address of HTTP"), "write `https://HOST:PORT/PATH`"));
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.is_empty() || address.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Some((format!("`{shown}` names no receiver"), "write `https://HOST:PORT/PATH`"));
    }
    authority.contains('@').then(|| {
        ("an address contains no user and password".to_string(), "a manifest is no place for secrets")
    })
}
