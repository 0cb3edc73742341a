//! `axle worker`: a process that executes the jobs of rounds.
//!
//! `axle run` starts workers of its own with `--supervised`: their orders are the first line of standard
//! input, and its end is theirs. Other workers are started by hand on the same database, or take the jobs of a server.
//! With `--join` a worker takes part in the searches of a single check.
//!
//! *Entry point:* [`run`]; a supervised worker receives [`Orders`].
//! *Invariant:* a supervised worker ends when its supervisor does, in whatever way.

pub mod confirm;
mod member;
mod server;

use std::io::{BufRead, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use axle_feaver::jobs::job::{RoundId, Timestamp};
use axle_feaver::results::database;
use axle_feaver::round::local::{LEASE, StoreSource};
use axle_feaver::round::source::{WorkError, WorkSource};
use axle_feaver::round::worker::{Settings, Surroundings, work};
use axle_feaver::round::workshop::Workshop;
use serde::{Deserialize, Serialize};
use server::ServerSource;

use crate::args::WorkerArgs;
use crate::exit::Exit;
use crate::history;
use crate::machine::{resident_memory, spare_memory};
use crate::output::{complain, remark};
use crate::session::Session;

/// Time for which a worker waits for a job at once.
const WAIT: Duration = Duration::from_millis(500);

/// Time after which a database that cannot be reached ends a worker.
const PATIENCE: Duration = Duration::from_secs(60);

/// The instructions to a supervised worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Orders {
    /// The database.
    pub store: String,
    /// The round.
    pub round: i64,
    /// The name of the worker.
    pub name: String,
    /// The limit of each search in bytes.
    pub memory: u64,
    /// The duration of a lease in milliseconds.
    pub lease: u64,
}

/// Runs the command.
pub fn run(args: &WorkerArgs, session: &Session) -> Result<Exit, String> {
    if args.confirm {
        return confirm::run();
    }
    if let Some(host) = &args.join {
        return member::run(host, args, session);
    }
    let interrupted = session.signals.interrupted();
    let stopped = Arc::new(AtomicBool::new(false));
    if args.supervised {
        let orders = orders(&stopped)?;
        let lease = Duration::from_millis(orders.lease.max(1));
        let database = database::open(&orders.store).map_err(|fault| format!("history: {fault}"))?;
        let source = StoreSource::new(Arc::from(database), Some(RoundId(orders.round)), lease);
        return serve(&source, orders.name, orders.memory, stopped, interrupted);
    }
    let source = source(args)?;
    let memory = args.memory.unwrap_or_else(spare_memory);
    let name = format!("{}-{}", host(), std::process::id());
    if !args.output.quiet {
        remark(&format!("axle: worker {name} waits for jobs; Ctrl-C ends it\n"));
    }
    serve(&*source, name, memory, stopped, interrupted)
}

/// Where the jobs of a worker that was started by hand come from.
fn source(args: &WorkerArgs) -> Result<Box<dyn WorkSource>, String> {
    if let Some(server) = &args.server {
        if args.token.is_some() && !args.output.quiet {
            remark("axle: the list of processes shows the token of --token; AXLE_TOKEN hides it\n");
        }
        let token = args.token.clone().or_else(|| std::env::var("AXLE_TOKEN").ok());
        let token = token.ok_or("the server needs a token: --token TOKEN, or the variable AXLE_TOKEN")?;
        return Ok(Box::new(ServerSource::new(server, token)?));
    }
    let database = history::open(&args.folder, args.store.as_deref())?;
    Ok(Box::new(StoreSource::new(Arc::from(database), None, LEASE)))
}

/// Executes jobs until the worker is stopped.
fn serve(
    source: &dyn WorkSource,
    name: String,
    memory: u64,
    stopped: Arc<AtomicBool>,
    interrupted: Arc<AtomicBool>,
) -> Result<Exit, String> {
    // If memory runs out, the system ends a worker and not the driver.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    let process = Process { stopped, interrupted, memory, is_silent: AtomicBool::new(false) };
    let settings = Settings { name, wait: WAIT, patience: PATIENCE };
    let mut workshop = Workshop::new(history::build(), Some(memory));
    match work(source, &mut workshop, &settings, &process) {
        Ok(_) => Ok(Exit::Holds),
        Err(WorkError::Unavailable(reason)) => {
            Err(format!("no answer for {} s: {reason}", PATIENCE.as_secs()))
        }
        Err(WorkError::Ended(reason) | WorkError::Refused(reason)) => Err(reason),
    }
}

/// Reads the orders, and sets the flag at the end of standard input.
fn orders(stopped: &Arc<AtomicBool>) -> Result<Orders, String> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(|fault| fault.to_string())?;
    let orders = serde_json::from_str(&line).map_err(|fault| format!("invalid orders: {fault}"))?;
    let flag = Arc::clone(stopped);
    let wait = move || {
        let mut rest = [0; 64];
        // Anything but data means that the supervisor is gone.
        while std::io::stdin().lock().read(&mut rest).is_ok_and(|read| read > 0) {}
        flag.store(true, Ordering::Relaxed);
    };
    std::thread::Builder::new()
        .name("supervisor".to_string())
        .spawn(wait)
        .map_err(|fault| fault.to_string())?;
    Ok(orders)
}

/// The process of a worker.
struct Process {
    stopped: Arc<AtomicBool>,
    interrupted: Arc<AtomicBool>,
    memory: u64,
    /// Whether the queue does not answer at present, and that was said.
    is_silent: AtomicBool,
}

impl Surroundings for Process {
    fn unreachable(&self, fault: &str, patience: Duration) {
        if self.is_silent.swap(true, Ordering::Relaxed) {
            return;
        }
        let seconds = Timestamp::from(SystemTime::now()).0 / 1000;
        let date = |seconds: i64| axle_evidence::quantities::date(u64::try_from(seconds).unwrap_or(0));
        let end = date(seconds + i64::try_from(patience.as_secs()).unwrap_or(0));
        remark(&format!(
            "axle: no answer since {}: {fault}; the worker tries again until {end}, and then ends\n",
            date(seconds)
        ));
    }

    fn reachable(&self) {
        if self.is_silent.swap(false, Ordering::Relaxed) {
            remark("axle: the queue answers again\n");
        }
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.interrupted.load(Ordering::Relaxed)
    }

    fn exhausted(&self) -> Option<String> {
        // Searches count their own memory; the rest is the program, its input and the report.
        let limit = self.memory / 4 * 5 + (512 << 20);
        let used = resident_memory()?;
        (used > limit).then(|| format!("the worker used {} MB, more than {} MB", used >> 20, limit >> 20))
    }

    fn abandon(&self, reason: &str) {
        complain(reason);
        // If the message has no reader, the exit code still says it.
        let _ = std::io::stderr().flush();
        std::process::exit(Exit::Unknown.code().into());
    }
}

/// The name of this machine.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match name.trim() {
        "" => "worker".to_string(),
        name => name.to_string(),
    }
}
