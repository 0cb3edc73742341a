//! Rounds and answers of the server: each is a process, `axle run` or `axle diagnose`.
//!
//! *Entry point:* [`ChildRounds`].
//! *Invariant:* at most one round of this project that a server started is executed at a time. The process
//! of a round holds the lock of a file, so that a server that was restarted knows of it. No location of a
//! database is on a command line: it may contain a password.

use std::fs::{File, TryLockError};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axle_feaver::execute::Outcome;
use axle_feaver::jobs::job::RoundId;
use axle_feaver::jobs::task::Task;
use axle_feaver::results::database::is_server;
use axle_feaver::round::payload::Payload;
use axle_web::program::{Confirmed, Inquiry, Order, Progress, Rounds};

use crate::history;
use crate::worker::confirm;

/// Bytes of the messages of a round that are kept.
const LONGEST: u64 = 1 << 20;

/// Why no round can be started.
const RUNNING: &str = "A round is running. Wait for its end, or end it in the tracker.";

/// Characters of a failure that are shown.
const SHOWN: usize = 2000;

/// The file whose lock the process of a round holds.
const LOCK: &str = "round.lock";

/// Rounds as processes.
pub struct ChildRounds {
    program: PathBuf,
    folder: PathBuf,
    /// The location of the database.
    store: String,
    /// The folder of the server.
    own: PathBuf,
    /// The part of the verdicts of workers with tokens that are decided again.
    recheck: f64,
    latest: Arc<Mutex<Option<Progress>>>,
    /// Held while a question is answered.
    asking: Mutex<()>,
}

impl ChildRounds {
    /// Rounds of a project.
    pub fn new(folder: &Path, store: String, own: PathBuf, recheck: f64) -> Result<ChildRounds, String> {
        let program =
            std::env::current_exe().map_err(|fault| format!("this program was not found: {fault}"))?;
        let folder = folder.to_path_buf();
        Ok(ChildRounds {
            program,
            folder,
            store,
            own,
            recheck,
            latest: Arc::default(),
            asking: Mutex::new(()),
        })
    }

    /// The lock of a round, which lasts as long as the process that has the file as its input.
    fn lock(&self) -> Result<File, String> {
        let path = self.own.join(LOCK);
        let fault =
            |fault: std::io::Error| format!("The round cannot be started: {}: {fault}.", path.display());
        let file = File::options().create(true).append(true).read(true).open(&path).map_err(fault)?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(RUNNING.to_string()),
            Err(TryLockError::Error(other)) => Err(fault(other)),
        }
    }

    /// The command of a question, and the lock to hold until it is answered.
    fn question(&self) -> Result<(MutexGuard<'_, ()>, Command), String> {
        let asking = self.asking.try_lock();
        let asking = asking.map_err(|_| "Another question is being answered. Try again in a minute.")?;
        let mut command = Command::new(&self.program);
        command.arg("diagnose").arg(&self.folder).args(["--json", "--quiet", "--time=60s"]);
        Ok((asking, command))
    }

    /// A file with a part of a question.
    fn file(&self, name: &str, text: &str) -> Result<QuestionFile, String> {
        // Not in the folder of the system for temporary files: there, others could place a link of this name.
        let path = self.own.join(format!("{name}-{}.txt", std::process::id()));
        std::fs::write(&path, text).map_err(|fault| format!("No file for the question: {fault}."))?;
        Ok(QuestionFile(path))
    }
}

/// A file that exists until its question is answered.
struct QuestionFile(PathBuf);

impl Drop for QuestionFile {
    fn drop(&mut self) {
        // A file that stays behind does no harm.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Rounds for ChildRounds {
    fn start(&self, order: &Order, after: Option<RoundId>) -> Result<(), String> {
        let mut latest = lock(&self.latest);
        if latest.as_ref().is_some_and(|progress| progress.running) {
            return Err(RUNNING.to_string());
        }
        let locked = self.lock()?;
        let mut command = Command::new(&self.program);
        command.arg("run").arg(&self.folder).arg("--quiet");
        command.args(order.properties.iter().map(|name| format!("--property={name}")));
        command.args(order.constraints.iter().map(|name| format!("--constraint={name}")));
        command.args(order.again.then_some("--again"));
        command.args((self.recheck > 0.0).then(|| format!("--recheck={}", self.recheck)));
        command.env(history::VARIABLE, &self.store);
        command.stdin(locked).stdout(Stdio::null()).stderr(Stdio::piped());
        let child = command.spawn().map_err(|fault| format!("The round cannot be started: {fault}."))?;
        *latest = Some(Progress { order: order.clone(), after, failure: None, running: true });
        let shared = Arc::clone(&self.latest);
        std::thread::spawn(move || {
            let failure = wait(child);
            if let Some(progress) = lock(&shared).as_mut() {
                (progress.failure, progress.running) = (failure, false);
            }
        });
        Ok(())
    }

    fn progress(&self) -> Option<Progress> {
        lock(&self.latest).clone()
    }

    fn diagnose(&self, question: &Inquiry) -> Result<String, String> {
        let (_asking, mut command) = self.question()?;
        let file = self.file("events", &question.events)?;
        if question.line.is_empty() {
            command.arg("--events").arg(&file.0);
        } else {
            command.arg(format!("--reach={}", question.line));
        }
        if !question.constraint.is_empty() {
            command.arg(format!("--constraint={}", question.constraint));
        }
        answer(&mut command).map_err(|text| text.replace(&file.0.display().to_string(), "line"))
    }

    fn satisfying(&self, property: &str, constraint: &str, trail: Option<&str>) -> Result<String, String> {
        let (_asking, mut command) = self.question()?;
        command.arg(format!("--satisfying={property}")).arg(format!("--constraint={constraint}"));
        let file = trail.map(|trail| self.file("trail", trail)).transpose()?;
        if let Some(file) = &file {
            command.arg("--near").arg(&file.0);
        }
        answer(&mut command).map_err(|text| match &file {
            Some(file) => text.replace(&format!("{}: ", file.0.display()), ""),
            None => text,
        })
    }

    fn command(&self, order: &Order) -> String {
        let mut words = vec!["axle".to_string(), "run".to_string(), self.folder.display().to_string()];
        words.extend(order.properties.iter().map(|name| format!("--property {name}")));
        words.extend(order.constraints.iter().map(|name| format!("--constraint {name}")));
        words.extend(order.again.then(|| "--again".to_string()));
        let in_project =
            history::folder(&self.folder).is_ok_and(|own| Path::new(&self.store).starts_with(own));
        // The address of a server may contain a password.
        match (is_server(&self.store), in_project) {
            (true, _) => words.insert(0, format!("{}=postgres://...", history::VARIABLE)),
            (false, false) => words.push(format!("--store {}", self.store)),
            (false, true) => {}
        }
        words.join(" ")
    }

    fn confirm(&self, job: (Task, &Payload), outcome: &Outcome) -> Result<Confirmed, String> {
        confirm::confirm(&self.program, &self.store, job, outcome)
    }
}

/// Executes a question, and returns its answer or the messages.
fn answer(command: &mut Command) -> Result<String, String> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|fault| format!("The question cannot be answered: {fault}."))?;
    match output.status.code() {
        Some(0 | 1 | 3) => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        _ => Err(String::from_utf8_lossy(&output.stderr).trim().to_string()),
    }
}

/// Waits for the end of a round, and returns its messages if it has no result.
fn wait(mut child: Child) -> Option<String> {
    let mut text = Vec::new();
    if let Some(messages) = child.stderr.take() {
        let mut messages = messages;
        // If reading fails, the messages end there.
        let _ = messages.by_ref().take(LONGEST).read_to_end(&mut text);
        // What is not read would block the round; if reading fails, the round has closed it.
        let _ = std::io::copy(&mut messages, &mut std::io::sink());
    }
    match child.wait() {
        Ok(status) if matches!(status.code(), Some(0 | 1 | 3)) => None,
        Ok(status) => {
            let text = String::from_utf8_lossy(&text);
            let text = text.trim();
            let last: String = text.chars().skip(text.chars().count().saturating_sub(SHOWN)).collect();
            Some(if last.is_empty() { format!("The process ended with {status}.") } else { last })
        }
        Err(fault) => Some(fault.to_string()),
    }
}

fn lock(latest: &Mutex<Option<Progress>>) -> MutexGuard<'_, Option<Progress>> {
    latest.lock().unwrap_or_else(PoisonError::into_inner)
}
