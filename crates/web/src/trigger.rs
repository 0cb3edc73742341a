//! What starts rounds besides the users: changes of files, times of day, and the hook of a repository.
//!
//! A change and a hook start a round of the properties that are affected: those with a run whose key
//! differs from that of its verdict. They wait until nothing has changed for a while, so that a checkout
//! of many files starts one round. A time of day starts a round of all properties, in which verdicts that
//! still apply are carried over.
//!
//! *Entry points:* [`Trigger::look`], [`affected`].
//! *Invariant:* nothing is started while a round is running or the project has errors; the cause is kept
//! until it can be. The state of a project at the start of a server starts nothing.

use std::sync::atomic::Ordering;

use axle_feaver::project::Triggers;

use crate::application::Application;
use crate::program::{Cause, Order};
use crate::snapshot::Snapshot;

/// Milliseconds of a minute.
const MINUTE: i64 = 60_000;

/// Minutes of a day.
const DAY: i64 = 1440;

/// Causes that wait.
#[derive(Debug, Default)]
pub struct Trigger {
    /// The number of changes that were seen.
    generation: Option<u64>,
    /// The last change or hook: its cause and time in milliseconds.
    changed: Option<(Cause, i64)>,
    /// The last minute that was compared with the times of day.
    minute: Option<i64>,
    /// A time of day has come.
    due: bool,
}

impl Trigger {
    /// Starts a round if there is a cause.
    pub fn look(&mut self, app: &Application) {
        let snapshot = app.snapshot();
        let Some(project) = &snapshot.project else { return };
        let hooked = app.hooked.swap(false, Ordering::Relaxed);
        let cause = self.cause(&project.triggers, (snapshot.generation, hooked), app.now());
        let Some(cause) = cause else { return };
        let is_running = app.pulse.borrow().running.is_some()
            || app.rounds.progress().is_some_and(|progress| progress.running);
        if is_running || snapshot.runs.is_empty() {
            return;
        }
        let properties = match cause {
            Cause::Time => Vec::new(),
            Cause::Change | Cause::Hook => affected(&snapshot),
        };
        if cause != Cause::Time && properties.is_empty() {
            self.done(cause);
            return;
        }
        // Without the history no round can start either: the cause is kept.
        let Ok(rounds) = app.database.rounds(1) else { return };
        let after = rounds.first().map(|round| round.id);
        let order = Order { properties, ..Order::default() };
        // Another round may have been started meanwhile: the cause is kept.
        if app.rounds.start(&order, after).is_ok() {
            self.done(cause);
            app.started(cause);
        }
    }

    /// The cause that is due at a time.
    fn cause(&mut self, wanted: &Triggers, (generation, hooked): (u64, bool), now: i64) -> Option<Cause> {
        let known = self.generation.replace(generation);
        if hooked && wanted.hook {
            self.changed = Some((Cause::Hook, now));
        } else if known.is_some_and(|known| known != generation) && (wanted.changes || self.changed.is_some())
        {
            let cause = self.changed.map_or(Cause::Change, |(cause, _)| cause);
            self.changed = Some((cause, now));
        }
        let minute = now.div_euclid(MINUTE);
        let last = self.minute.replace(minute).unwrap_or(minute);
        // After a pause of more than a day, each time has passed.
        let passed = |at: i64| (at - last - 1).rem_euclid(DAY) < minute - last;
        self.due |= wanted.daily.iter().any(|at| passed(i64::from(*at)));
        let quiet = i64::try_from(wanted.quiet.as_millis()).unwrap_or(i64::MAX);
        match self.changed {
            Some((cause, at)) if now - at >= quiet => Some(cause),
            _ if self.due => Some(Cause::Time),
            _ => None,
        }
    }

    fn done(&mut self, cause: Cause) {
        match cause {
            Cause::Time => self.due = false,
            Cause::Change | Cause::Hook => self.changed = None,
        }
    }
}

/// The properties with a run that has no verdict of its present version.
#[must_use]
pub fn affected(snapshot: &Snapshot) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for run in snapshot.runs.iter().filter(|run| run.known.state.lacks_verdict()) {
        if !names.contains(&run.property) {
            names.push(run.property.clone());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn triggers() -> Triggers {
        Triggers { changes: true, quiet: Duration::from_secs(3), daily: vec![150], hook: true }
    }

    /// Half past two on the first day, UTC, in milliseconds.
    const HALF_PAST_TWO: i64 = 150 * MINUTE;

    #[test]
    fn changes_wait_until_nothing_changes_for_a_while() {
        let (wanted, mut trigger) = (triggers(), Trigger::default());
        assert_eq!(trigger.cause(&wanted, (1, false), 0), None, "the state at the start");
        assert_eq!(trigger.cause(&wanted, (2, false), 1000), None);
        assert_eq!(trigger.cause(&wanted, (3, false), 3500), None, "another change");
        assert_eq!(trigger.cause(&wanted, (3, false), 6400), None);
        assert_eq!(trigger.cause(&wanted, (3, false), 6500), Some(Cause::Change));
        assert_eq!(trigger.cause(&wanted, (3, false), 9000), Some(Cause::Change), "kept until it is done");
        trigger.done(Cause::Change);
        assert_eq!(trigger.cause(&wanted, (3, false), 9900), None);
    }

    #[test]
    fn hooks_and_changes_start_nothing_unless_wanted() {
        let (wanted, mut trigger) = (Triggers::default(), Trigger::default());
        assert_eq!(trigger.cause(&wanted, (1, false), 0), None);
        assert_eq!(trigger.cause(&wanted, (2, true), 1000), None);
        assert_eq!(trigger.cause(&wanted, (3, true), 1_000_000), None);
        let hook = Triggers { hook: true, ..Triggers::default() };
        assert_eq!(trigger.cause(&hook, (3, true), 1_000_000), None);
        assert_eq!(trigger.cause(&hook, (4, false), 1_002_000), None, "the files arrive");
        assert_eq!(trigger.cause(&hook, (4, false), 1_006_000), Some(Cause::Hook));
    }

    #[test]
    fn a_time_of_day_comes_once_a_day() {
        let (wanted, mut trigger) = (triggers(), Trigger::default());
        let mut at = |now: i64| {
            let cause = trigger.cause(&wanted, (1, false), now);
            if let Some(cause) = cause {
                trigger.done(cause);
            }
            cause
        };
        assert_eq!(at(HALF_PAST_TWO - MINUTE), None);
        assert_eq!(at(HALF_PAST_TWO - 1), None);
        assert_eq!(at(HALF_PAST_TWO), Some(Cause::Time));
        assert_eq!(at(HALF_PAST_TWO + 1000), None);
        assert_eq!(at(HALF_PAST_TWO + DAY * MINUTE - 1), None);
        assert_eq!(
            at(HALF_PAST_TWO + DAY * MINUTE + 5 * MINUTE),
            Some(Cause::Time),
            "the machine was asleep"
        );
        assert_eq!(at(HALF_PAST_TWO + DAY * MINUTE + 6 * MINUTE), None);
        assert_eq!(at(HALF_PAST_TWO + 4 * DAY * MINUTE), Some(Cause::Time), "once for all days that passed");
    }
}
