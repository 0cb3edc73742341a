//! The last resort for limits: ends the program where a phase runs on beyond the time limit or
//! after a signal.
//!
//! Every search polls its limits ([`crate::watch`]) and then reports what it covered. The other
//! phases (reading the input, translating formulas, compiling, replaying, shortening, writing
//! reports) are short for nearly every input, and poll at most in part. A thread therefore waits
//! for the limit or the first signal, leaves the program a moment to end by itself, and otherwise
//! ends it: with the report that the command has registered, or with one sentence where it has none
//! yet.
//!
//! *Entry points:* [`Deadline::arm`] starts the thread, [`Deadline::report_with`] registers a report,
//! [`Deadline::reporting`] announces the final one.
//! *Invariant:* exactly one of the program and this thread prints a report.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axle_search::{Progress, Stop};

use crate::exit::Exit;
use crate::output::{complain, print};
use crate::signals::Signals;

/// Time beyond the limit after which a program that has reported nothing is ended.
const AFTER_LIMIT: Duration = Duration::from_millis(300);

/// Time beyond the limit after which a report that is being written is cut short.
const REPORT_AFTER_LIMIT: Duration = Duration::from_millis(420);

/// The same after a signal.
const AFTER_SIGNAL: Duration = Duration::from_millis(600);
const REPORT_AFTER_SIGNAL: Duration = Duration::from_millis(850);

/// Time between two looks at the clock and at the signals.
const LOOK: Duration = Duration::from_millis(20);

/// Prints the report of a check that has no result, with the coverage known so far, and gives the
/// exit code.
type Fallback = Box<dyn FnOnce(Stop, &Progress) -> Exit + Send>;

/// How far the program is.
enum Phase {
    /// It has printed nothing yet.
    Silent(Option<Fallback>),
    /// It prints its report and then ends with this exit code.
    Reporting(Exit),
    /// This thread prints a report and ends the program.
    Expired,
}

struct State {
    phase: Phase,
    /// The name of the input that is checked, and when its check began.
    input: String,
    begun: Option<Instant>,
    limit: Option<Duration>,
    progress: Option<Progress>,
    /// Files that are written beside their final names.
    unfinished: Vec<PathBuf>,
    /// How many phases run that must come to their end: the writing of a checkpoint.
    held: u32,
}

/// The clock of the program, and the last resort for its limits.
pub struct Deadline {
    /// The start of the program.
    start: Instant,
    signals: Arc<Signals>,
    state: Mutex<State>,
}

impl Deadline {
    /// The clock starts now.
    pub fn new(signals: Arc<Signals>) -> Deadline {
        let state = State {
            phase: Phase::Silent(None),
            input: String::new(),
            begun: None,
            limit: None,
            progress: None,
            unfinished: Vec::new(),
            held: 0,
        };
        Deadline { start: Instant::now(), signals, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The start of the check from which the time limit counts: for the first input, that of the
    /// program.
    pub fn start(&self) -> Instant {
        self.state().begun.unwrap_or(self.start)
    }

    /// The time since then.
    pub fn elapsed(&self) -> Duration {
        self.start().elapsed()
    }

    /// Begins the check of an input, and ends the program soon after the limit or the first signal,
    /// which is then answered by a report.
    pub fn arm(self: &Arc<Self>, limit: Option<Duration>, input: &Path) {
        self.signals.interrupted();
        let first = {
            let mut state = self.state();
            let first = state.begun.is_none();
            let begun = if first { self.start } else { Instant::now() };
            (state.begun, state.limit) = (Some(begun), limit);
            state.input = input.display().to_string();
            state.progress = None;
            if !matches!(state.phase, Phase::Expired) {
                state.phase = Phase::Silent(None);
            }
            first
        };
        if first {
            let own = Arc::clone(self);
            // Without the thread, every limit is still polled by every search.
            let _ = std::thread::Builder::new().name("deadline".to_string()).spawn(move || own.wait());
        }
    }

    /// Registers what to print if the program has to end before it has a result.
    pub fn report_with(&self, fallback: impl FnOnce(Stop, &Progress) -> Exit + Send + 'static) {
        let mut state = self.state();
        if matches!(state.phase, Phase::Silent(_)) {
            state.phase = Phase::Silent(Some(Box::new(fallback)));
        }
    }

    /// Announces the report, after which the program ends with this exit code. Does not return if it is
    /// too late for that.
    pub fn reporting(&self, exit: Exit) {
        let mut state = self.state();
        if !matches!(state.phase, Phase::Expired) {
            state.phase = Phase::Reporting(exit);
            return;
        }
        drop(state);
        loop {
            std::thread::park();
        }
    }

    /// Notes the coverage so far.
    pub fn note(&self, progress: &Progress) {
        self.state().progress = Some(progress.clone());
    }

    /// Notes a file that is written beside its final name, and is removed if the program has to end.
    pub fn begin_file(&self, unfinished: &Path) {
        self.state().unfinished.push(unfinished.to_path_buf());
    }

    /// The file is complete, or was removed.
    pub fn end_file(&self, unfinished: &Path) {
        self.state().unfinished.retain(|path| path != unfinished);
    }

    /// Keeps the program from being ended.
    pub fn hold(&self) -> Hold<'_> {
        self.state().held += 1;
        Hold(self)
    }
}

/// While it exists, the program is not ended.
pub struct Hold<'a>(&'a Deadline);

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        self.0.state().held -= 1;
    }
}

impl Deadline {
    /// Waits for the limit or a signal, and ends the program.
    fn wait(&self) {
        let mut signal = None;
        loop {
            std::thread::sleep(LOOK);
            let now = Instant::now();
            if self.signals.is_interrupted() {
                signal.get_or_insert(now);
            }
            let mut state = self.state();
            if state.held > 0 {
                continue;
            }
            let end = state.begun.zip(state.limit).and_then(|(begun, limit)| begun.checked_add(limit));
            let (begun, reporting) = match state.phase {
                // The input is still being read, which polls nothing.
                Phase::Silent(None) => (false, false),
                Phase::Silent(Some(_)) | Phase::Expired => (true, false),
                Phase::Reporting(_) => (true, true),
            };
            let after = |from: Option<Instant>, silent: Duration, report: Duration| {
                let patience = if reporting { report } else { silent };
                from.is_some_and(|from| now >= from + if begun { patience } else { Duration::ZERO })
            };
            let stop = if after(signal, AFTER_SIGNAL, REPORT_AFTER_SIGNAL) {
                Stop::Interrupted
            } else if after(end, AFTER_LIMIT, REPORT_AFTER_LIMIT) {
                Stop::Time
            } else {
                continue;
            };
            let phase = std::mem::replace(&mut state.phase, Phase::Expired);
            let progress = state.progress.clone().unwrap_or_default();
            let unfinished = std::mem::take(&mut state.unfinished);
            let input = std::mem::take(&mut state.input);
            drop(state);
            for file in unfinished {
                // The exit code tells that there is no result; a file that cannot be removed changes
                // nothing.
                let _ = std::fs::remove_file(file);
            }
            let exit = expire(phase, stop, &progress, &input);
            std::process::exit(exit.code().into());
        }
    }
}

/// Prints what there is to print.
fn expire(phase: Phase, stop: Stop, progress: &Progress, input: &str) -> Exit {
    let (why, exit) = match stop {
        Stop::Interrupted => ("interrupted", Exit::Interrupted),
        _ => ("time limit reached (--time)", Exit::Unknown),
    };
    match phase {
        Phase::Silent(Some(fallback)) => fallback(stop, progress),
        Phase::Silent(None) => {
            // Where nothing can be printed, the exit code remains.
            let _ = print(&format!("{input}: unknown\n\n{why} while the input was read\n"));
            exit
        }
        Phase::Reporting(decided) => {
            complain(&format!("{why} while the report was written: it is incomplete"));
            if stop == Stop::Interrupted { exit } else { decided }
        }
        Phase::Expired => exit,
    }
}
