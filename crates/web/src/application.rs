//! What all requests share: the project, its history, the access rules and the limits.
//!
//! *Entry point:* [`Application`].

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::SystemTime;

use axle_feaver::jobs::job::Timestamp;
use axle_feaver::results::database::Database;
use tokio::sync::{Semaphore, watch};

use crate::activity::Activities;
use crate::analysis;
use crate::connections::Unidentified;
use crate::examples::Examples;
use crate::inquiries::Inquiries;
use crate::letters::Letter;
use crate::program::{Cause, Rounds};
use crate::pulse::Pulse;
use crate::recent::Recent;
use crate::round_changes;
use crate::security::Access;
use crate::security::rates::Rates;
use crate::slots::Slots;
use crate::snapshot::Snapshot;
use crate::statements::Statements;

/// The most event streams at once.
pub const MOST_STREAMS: usize = 256;

/// The most event streams of one token at once.
pub const MOST_STREAMS_OF_TOKEN: usize = 32;

/// Results of other machines that are replayed at once.
const MOST_CONFIRMATIONS: usize = 1;

/// What a server needs of its caller.
pub struct Setup {
    /// The folder of the project.
    pub root: PathBuf,
    /// The history and the queue.
    pub database: Arc<dyn Database>,
    /// The build of Axle, to which verdicts belong.
    pub build: String,
    /// Starts rounds.
    pub rounds: Arc<dyn Rounds>,
    /// Who may do what.
    pub access: Access,
    /// Receives messages for the operator; they contain no secrets.
    pub log: Log,
    /// The address of the server in notifications, without a slash at the end.
    pub base: String,
    /// Takes notifications; none if they are not enabled.
    pub letters: Option<SyncSender<Letter>>,
}

/// A receiver of messages.
pub type Log = Box<dyn Fn(&str) + Send + Sync>;

/// The state of a server.
pub struct Application {
    /// The folder of the project.
    pub root: PathBuf,
    /// The history and the queue.
    pub database: Arc<dyn Database>,
    /// The build of Axle.
    pub build: String,
    /// Starts rounds.
    pub rounds: Arc<dyn Rounds>,
    /// Who may do what.
    pub access: Access,
    /// Limits on the rate of requests.
    pub rates: Rates,
    /// Receives messages for the operator.
    pub log: Log,
    /// The address of the server in notifications.
    pub base: String,
    /// Takes notifications; none if they are not enabled.
    pub letters: Option<SyncSender<Letter>>,
    /// Whether the hook of the repository was called since the last look.
    pub hooked: AtomicBool,
    /// A slot for each event stream.
    pub streams: Arc<Slots>,
    /// A permit for each result whose execution is replayed.
    pub confirmations: Arc<Semaphore>,
    /// Connections that have shown no token yet.
    pub unidentified: Arc<Unidentified>,
    full: AtomicBool,
    /// Announces changes of the project and of its history.
    pub pulse: watch::Sender<Pulse>,
    /// Results that were read last.
    pub recent: Recent,
    /// The changes of rounds.
    pub round_changes: round_changes::Cache,
    /// Interactions of features and causes of violations.
    pub analysis: analysis::Cache,
    /// Executions that were searched on demand.
    pub examples: Examples,
    /// Questions that were answered.
    pub inquiries: Inquiries,
    /// What the properties state.
    pub statements: Statements,
    cause: Mutex<Option<Cause>>,
    snapshot: RwLock<Arc<Snapshot>>,
    activities: RwLock<Activities>,
}

impl Application {
    /// A server that has not read its project yet.
    #[must_use]
    pub fn new(setup: Setup) -> Application {
        let Setup { root, database, build, rounds, access, log, base, letters } = setup;
        Application {
            root,
            database,
            build,
            rounds,
            access,
            log,
            base,
            letters,
            hooked: AtomicBool::new(false),
            cause: Mutex::default(),
            rates: Rates::default(),
            streams: Arc::new(Slots::new(MOST_STREAMS, MOST_STREAMS_OF_TOKEN)),
            confirmations: Arc::new(Semaphore::new(MOST_CONFIRMATIONS)),
            unidentified: Arc::default(),
            full: AtomicBool::new(false),
            pulse: watch::channel(Pulse::default()).0,
            recent: Recent::default(),
            round_changes: round_changes::Cache::default(),
            analysis: analysis::Cache::default(),
            examples: Examples::default(),
            inquiries: Inquiries::default(),
            statements: Statements::default(),
            snapshot: RwLock::default(),
            activities: RwLock::default(),
        }
    }

    /// The latest state of the project.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshot.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the state of the project.
    pub fn publish(&self, snapshot: Snapshot) {
        *self.snapshot.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(snapshot);
    }

    /// Notes down that a trigger has started a round.
    pub fn started(&self, cause: Cause) {
        *self.cause.lock().unwrap_or_else(PoisonError::into_inner) = Some(cause);
        self.pulse.send_modify(|pulse| pulse.history += 1);
    }

    /// The trigger of the latest round that was started here; none if a user started it.
    #[must_use]
    pub fn cause(&self) -> Option<Cause> {
        *self.cause.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes down that a user has started a round.
    pub fn started_by_user(&self) {
        *self.cause.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Reads what happens in the queue now.
    pub fn activities<T>(&self, read: impl FnOnce(&Activities) -> T) -> T {
        read(&self.activities.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes what happens in the queue now.
    pub fn observe(&self, change: impl FnOnce(&mut Activities)) {
        change(&mut self.activities.write().unwrap_or_else(PoisonError::into_inner));
    }

    /// Whether the history could not be written for lack of space when this was looked at last.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    /// Looks whether the history has space, and announces a change.
    pub fn look_for_space(&self) {
        let is_full = self.database.is_full();
        if self.full.swap(is_full, Ordering::Relaxed) != is_full {
            let message = if is_full { "the disk is full" } else { "the disk has space again" };
            (self.log)(&format!("history: {message}"));
            self.pulse.send_modify(|pulse| pulse.history += 1);
        }
    }

    /// The time in milliseconds since 1970.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.timestamp().0
    }

    /// The time as the history stores it.
    #[must_use]
    pub fn timestamp(&self) -> Timestamp {
        SystemTime::now().into()
    }
}
