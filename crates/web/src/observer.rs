//! Watches the files of a project and its history, and publishes a new snapshot after each change.
//!
//! Files are compared by size and time of modification: at once where the operating system gives notice of
//! a change, and every few seconds on every file system, network file systems included.
//!
//! *Entry points:* [`start`], [`refresh`].
//! *Invariant:* a snapshot is published before the change is announced.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axle_feaver::jobs::error::StoreError;
use axle_feaver::jobs::job::{EventId, RoundId};
use axle_feaver::results::verdict::Record;

use crate::application::Application;
use crate::fault::Fault;
use crate::notify::Notifier;
use crate::pulse::Pulse;
use crate::snapshot::Snapshot;
use crate::trigger::Trigger;
use crate::watcher::Watcher;

/// The interval at which notices and the history are looked at.
const INTERVAL: Duration = Duration::from_secs(1);

/// The pause behind events of the queue: those of a moment are published together.
const PAUSE: Duration = Duration::from_millis(250);

/// The interval at which space for the history is looked for.
const SPACE: Duration = Duration::from_secs(3);

/// The most files and folders that are compared.
const MOST_FILES: usize = 50_000;

/// The stack of the thread: front ends recurse with the nesting of the sources.
const STACK: usize = 256 << 20;

/// Starts the thread.
///
/// # Errors
/// The operating system creates no thread.
pub fn start(app: Arc<Application>) -> Result<(), String> {
    let thread = std::thread::Builder::new().name("observer".to_string()).stack_size(STACK);
    let spawned = thread.spawn(move || {
        let mut observer = Observer { watcher: Some(Watcher::start(&app.root)), ..Observer::default() };
        loop {
            observer.look(&app);
        }
    });
    spawned.map(|_| ()).map_err(|fault| format!("no thread for the observer: {fault}"))
}

/// Reads the project and its history now.
///
/// # Errors
/// The history cannot be read.
pub fn refresh(app: &Application) -> Result<(), StoreError> {
    Observer::default().update(app)
}

/// Reads the project again, because the server has changed a file of it. The observer reads it once
/// more, and finds the same.
///
/// # Errors
/// The history cannot be read.
pub fn reread(app: &Application) -> Result<(), StoreError> {
    let generation = app.pulse.borrow().generation;
    if let Ok(snapshot) = with_stack(|| Snapshot::read(&app.root, generation)) {
        app.publish(snapshot.learn(&*app.database, &app.build, None)?);
        app.pulse.send_modify(|pulse| pulse.history += 1);
    }
    Ok(())
}

/// Does work of a front end in a thread with a stack that is large enough.
///
/// # Errors
/// There is no such thread.
pub fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Fault> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let done = thread.ok().and_then(|thread| thread.join().ok());
        done.ok_or_else(|| Fault::internal("the project could not be read"))
    })
}

/// Analyses the verdicts once nothing happens, so that the first page with the analysis does not wait for
/// it.
fn prepared(app: &Application) -> Result<(), StoreError> {
    let history = app.pulse.borrow().history;
    app.analysis.get(&*app.database, &app.snapshot(), history).map(drop)
}

/// What was seen last.
#[derive(Default)]
struct Observer {
    /// Notices of changes; without one, the files are compared each time.
    watcher: Option<Watcher>,
    trigger: Trigger,
    notifier: Notifier,
    /// When space for the history was looked for.
    space: Option<Instant>,
    /// The history that was last searched for something to report.
    reported: Option<u64>,
    files: Option<u64>,
    rounds: Vec<(RoundId, bool)>,
    verdicts: HashMap<u32, (i64, &'static str)>,
    event: i64,
}

impl Observer {
    /// Waits for a change, at most for the interval, and publishes it.
    fn look(&mut self, app: &Application) {
        if self.space.is_none_or(|last| last.elapsed() >= SPACE) {
            self.space = Some(Instant::now());
            app.look_for_space();
        }
        let pending = app.database.watch(EventId(self.event), INTERVAL);
        let is_busy = matches!(pending, Ok(true));
        let result = pending.and_then(|_| self.update(app)).and_then(|()| self.report(app));
        self.trigger.look(app);
        let result = result.and_then(|()| if is_busy { Ok(()) } else { prepared(app) });
        if is_busy {
            std::thread::sleep(PAUSE);
        }
        if let Err(fault) = result {
            // A change that was seen and not published is seen again.
            (self.files, self.reported) = (None, None);
            self.rounds.clear();
            self.verdicts.clear();
            (app.log)(&format!("history: {fault}"));
            std::thread::sleep(INTERVAL);
        }
    }

    fn update(&mut self, app: &Application) -> Result<(), StoreError> {
        let is_due = self.watcher.as_mut().is_none_or(Watcher::is_due);
        let files = if is_due { Some(fingerprint(&app.root)) } else { self.files };
        let mut pulse = *app.pulse.borrow();
        let new_files = self.files != files;
        if new_files {
            self.files = files;
            pulse.generation += 1;
            app.pulse.send_replace(Pulse { reading: true, ..pulse });
            let snapshot = Snapshot::read(&app.root, pulse.generation);
            app.publish(snapshot.learn(&*app.database, &app.build, None)?);
        }
        let changed = self.changed_properties(app)?;
        if !new_files && let Some(only) = &changed {
            let only = (!only.is_empty()).then_some(only.as_slice());
            app.publish(app.snapshot().learn(&*app.database, &app.build, only)?);
        }
        if changed.is_some() {
            pulse.history += 1;
        }
        self.follow_queue(app)?;
        pulse.event = self.event;
        let now = app.timestamp();
        let open = app.database.open_rounds()?;
        let held = open.iter().find(|round| round.expires.is_some_and(|expires| expires > now));
        pulse.running = held.map(|round| round.round.0);
        pulse.reading = false;
        app.pulse.send_if_modified(|known| std::mem::replace(known, pulse) != pulse);
        Ok(())
    }

    /// Sends notifications after a change of the history.
    fn report(&mut self, app: &Application) -> Result<(), StoreError> {
        let history = app.pulse.borrow().history;
        if self.reported.replace(history) == Some(history) {
            return Ok(());
        }
        self.notifier.look(app)
    }

    /// Reads the new events of the queue. Those of old rounds are only counted.
    fn follow_queue(&mut self, app: &Application) -> Result<(), StoreError> {
        let oldest = self.rounds.get(2).map_or(i64::MIN, |(id, _)| id.0);
        loop {
            let events = app.database.changes(EventId(self.event), 5_000)?;
            let Some(last) = events.last() else { return Ok(()) };
            self.event = last.id.0;
            for event in events.iter().filter(|event| event.round.0 >= oldest) {
                if let Some(job) = app.database.job(event.job)? {
                    app.observe(|activities| activities.see(event, &job));
                }
            }
        }
    }

    /// The properties whose verdicts have changed since the last call; empty: perhaps all.
    fn changed_properties(&mut self, app: &Application) -> Result<Option<Vec<String>>, StoreError> {
        let rounds = app.database.rounds(20)?;
        let known: Vec<(RoundId, bool)> = rounds.iter().map(|one| (one.id, one.ended.is_some())).collect();
        let Some(latest) = rounds.first() else { return Ok(None) };
        let verdicts = app.database.verdicts(latest.id)?;
        let state = |record: &Record| (record.at.0, record.verdict.answer.name());
        let same_round = self.rounds.first().is_some_and(|(id, _)| *id == latest.id);
        let mut changed = Vec::new();
        for record in &verdicts {
            let new = state(record);
            if self.verdicts.get(&record.run.number) != Some(&new) || !same_round {
                changed.push(record.run.property.clone());
            }
        }
        let other = self.rounds != known;
        self.rounds = known;
        self.verdicts = verdicts.iter().map(|record| (record.run.number, state(record))).collect();
        match (changed.is_empty(), other) {
            (false, _) => Ok(Some(changed)),
            (true, true) => Ok(Some(vec![String::new()])),
            (true, false) => Ok(None),
        }
    }
}

/// A hash of the names, sizes and times of all files of a project.
fn fingerprint(root: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut folders = vec![PathBuf::from(root)];
    let mut left = MOST_FILES;
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let is_hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
            let Some(rest) = left.checked_sub(1) else { return hasher.finish() };
            left = rest;
            if is_hidden {
                continue;
            }
            let Ok(about) = std::fs::symlink_metadata(&path) else { continue };
            path.hash(&mut hasher);
            if about.is_dir() {
                folders.push(path);
            } else {
                about.len().hash(&mut hasher);
                about.modified().ok().hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}
