//! Notifications: a request to each receiver that the manifest names, for a violation and for the end of
//! a round.
//!
//! A thread of its own sends them, so that a slow or failing receiver delays neither rounds nor pages.
//!
//! *Entry points:* [`Notifier::look`], [`start`].
//! *Invariant:* what happened before the server started is not reported; a violation is reported once
//! for each round; messages to the operator name the host of a receiver and nothing else of its address.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use axle_feaver::jobs::error::StoreError;
use axle_feaver::jobs::job::RoundId;
use axle_feaver::project::{Expected, Project};
use axle_feaver::results::verdict::{Answer, Record, Round};
use serde::Serialize;

use crate::application::Application;
use crate::letters::{Deliver, Letter, MOST, host};

/// The version of the form of notifications.
const SCHEMA: u32 = 1;

/// Pauses before a notification that failed is sent again.
const PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];

/// The longest wait for a notification.
const IDLE: Duration = Duration::from_secs(3600);

/// The body of a notification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Notification<'a> {
    schema: u32,
    event: &'static str,
    project: &'a str,
    round: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    property: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdicts: Option<Verdicts>,
    /// The page of the run or round.
    url: String,
    /// The notification in a sentence.
    text: String,
}

/// The number of runs by verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Verdicts {
    holds: usize,
    violated: usize,
    unknown: usize,
    failed: usize,
}

/// What was reported.
#[derive(Default)]
pub struct Notifier {
    /// The newest round that the server found when it started, or none.
    since: Option<i64>,
    /// Violated runs that were reported, or found at the start.
    violated: BTreeSet<(i64, u32)>,
    /// The newest round whose end was reported.
    ended: i64,
}

impl Notifier {
    /// Reports what has happened since the last call.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn look(&mut self, app: &Application) -> Result<(), StoreError> {
        let Some(letters) = &app.letters else { return Ok(()) };
        let rounds = app.database.rounds(2)?;
        let is_first = self.since.is_none();
        let newest = rounds.first().map_or(0, |round| round.id.0);
        let since = *self.since.get_or_insert(newest);
        let snapshot = app.snapshot();
        let Some(project) = &snapshot.project else { return Ok(()) };
        for round in rounds.iter().rev().filter(|round| round.id.0 >= since) {
            let verdicts = app.database.verdicts(round.id)?;
            for record in verdicts.iter().filter(|record| is_new_violation(record, project)) {
                let is_new = self.violated.insert((round.id.0, record.run.number));
                if is_new && !is_first && project.notifications.violations {
                    send(app, letters, project, &violation(app, project, round.id, record));
                }
            }
            let has_ended = round.ended.is_some() && round.id.0 > self.ended;
            if has_ended {
                self.ended = round.id.0;
                if !is_first && project.notifications.rounds {
                    send(app, letters, project, &end(app, project, round, &verdicts));
                }
            }
        }
        self.violated.retain(|(round, _)| *round + 2 > newest);
        Ok(())
    }
}

/// Whether a verdict is a violation that was found in this round and is not a known fault.
fn is_new_violation(record: &Record, project: &Project) -> bool {
    let property = project.properties.iter().find(|one| one.name.value == record.run.property);
    record.verdict.answer == Answer::Violated
        && record.verdict.carried_from.is_none()
        && property.is_none_or(|property| property.expected == Expected::Holds)
}

fn violation<'a>(
    app: &Application,
    project: &'a Project,
    round: RoundId,
    record: &'a Record,
) -> Notification<'a> {
    let run = &record.run;
    Notification {
        schema: SCHEMA,
        event: "violation",
        project: &project.name,
        round: round.0,
        property: Some(&run.property),
        constraint: Some(&run.provisioning),
        verdicts: None,
        url: format!("{}/rounds/{round}/runs/{}", app.base, run.number),
        text: format!("{} is violated under {} (round {round}).", run.property, run.provisioning),
    }
}

fn end<'a>(app: &Application, project: &'a Project, round: &Round, verdicts: &[Record]) -> Notification<'a> {
    let count = |answer: Answer| verdicts.iter().filter(|one| one.verdict.answer == answer).count();
    let [holds, violated, unknown, failed] = Answer::ALL.map(count);
    Notification {
        schema: SCHEMA,
        event: "round",
        project: &project.name,
        round: round.id.0,
        property: None,
        constraint: None,
        verdicts: Some(Verdicts { holds, violated, unknown, failed }),
        url: format!("{}/rounds/{}", app.base, round.id),
        text: format!(
            "Round {} of {} has ended: {holds} hold, {violated} violated, {unknown} unknown, {failed} failed.",
            round.id, project.name
        ),
    }
}

fn send(app: &Application, letters: &SyncSender<Letter>, project: &Project, notification: &Notification<'_>) {
    // The notification has a JSON form.
    let body = serde_json::to_string(notification).unwrap_or_default();
    for address in &project.notifications.webhooks {
        let letter = Letter { address: address.clone(), body: body.clone() };
        if letters.try_send(letter).is_err() {
            (app.log)(&format!("a notification to {} was dropped: too many wait", host(address)));
        }
    }
}

/// Starts the thread that sends notifications.
///
/// # Errors
/// The operating system creates no thread.
pub fn start(
    app: &Arc<Application>,
    letters: Receiver<Letter>,
    deliver: Box<dyn Deliver>,
) -> Result<(), String> {
    let app = Arc::clone(app);
    let thread = std::thread::Builder::new().name("notifications".to_string());
    let spawned = thread.spawn(move || Postman { app, deliver, later: Vec::new() }.work(&letters));
    spawned.map(|_| ()).map_err(|fault| format!("no thread for notifications: {fault}"))
}

/// Sends notifications, those that failed again after a pause.
struct Postman {
    app: Arc<Application>,
    deliver: Box<dyn Deliver>,
    /// Notifications that failed: when they are sent again, how often they failed.
    later: Vec<(Instant, usize, Letter)>,
}

impl Postman {
    fn work(mut self, letters: &Receiver<Letter>) {
        loop {
            let due = self.later.iter().map(|(due, ..)| *due).min();
            let wait = due.map_or(IDLE, |due| due.saturating_duration_since(Instant::now()));
            match letters.recv_timeout(wait) {
                Ok(letter) => self.send(letter, 0),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) if self.later.is_empty() => return,
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(wait),
            }
            let now = Instant::now();
            while let Some(at) = self.later.iter().position(|(due, ..)| *due <= now) {
                let (_, failed, letter) = self.later.swap_remove(at);
                self.send(letter, failed);
            }
        }
    }

    fn send(&mut self, letter: Letter, failed: usize) {
        let secret = self.app.access.hook.as_ref();
        let signature = secret.map(|secret| secret.sign(letter.body.as_bytes()));
        let Err(reason) = self.deliver.deliver(&letter.address, &letter.body, signature.as_deref()) else {
            return;
        };
        match PAUSES.get(failed).filter(|_| self.later.len() < MOST) {
            Some(pause) => self.later.push((Instant::now() + *pause, failed + 1, letter)),
            None => {
                let host = host(&letter.address);
                (self.app.log)(&format!("a notification to {host} was not delivered: {reason}"));
            }
        }
    }
}
