//! Watches a search: shows where it is and what is violated once it takes longer than a second, and
//! ends it at the time limit or on Ctrl-C or SIGTERM. The first such signal ends the search with a
//! report, a later one
//! the program at once.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axle_search::{Monitor, Progress, Stop};
use axle_step::{Cut, Interrupt};
use indicatif::{ProgressBar, ProgressStyle};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use crate::deadline;
use crate::exit::Exit;
use crate::output::remark;
use crate::quantities::{bytes, number};

/// How long a search runs before anything is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often a terminal is drawn anew.
const REFRESH: Duration = Duration::from_millis(200);

/// Time for the confirmation of counterexamples where a limit has ended the search.
const MOMENT: Duration = Duration::from_millis(100);

/// A watched search.
pub struct Watch {
    start: Instant,
    limit: Option<Duration>,
    interrupted: Arc<AtomicBool>,
    next: Option<Instant>,
    bar: Option<ProgressBar>,
    /// Time between plain lines, where standard error is no terminal.
    pause: Duration,
    /// The other attempts of the plan, as the line shows them.
    others: String,
    /// Violations that are known and not yet shown.
    violated: Vec<String>,
}

impl Watch {
    /// Watches from here on; the clock began with the program. Ctrl-C ends the search.
    pub fn start(limit: Option<Duration>, quiet: bool) -> Watch {
        Watch::with(on_interrupt(), deadline::start(), limit, quiet)
    }

    /// Goes on with a clock that was started, and a flag that Ctrl-C sets.
    pub fn with(interrupted: Arc<AtomicBool>, start: Instant, limit: Option<Duration>, quiet: bool) -> Watch {
        let next = (!quiet).then_some(start + PATIENCE);
        Watch {
            start,
            limit,
            interrupted,
            next,
            bar: None,
            pause: Duration::from_secs(4),
            others: String::new(),
            violated: Vec::new(),
        }
    }

    /// How much time there is until the limit.
    pub fn left(&self) -> Option<Duration> {
        self.limit.map(|limit| limit.saturating_sub(self.start.elapsed()))
    }

    /// Whether the time limit is reached, or Ctrl-C or SIGTERM was received.
    pub fn is_over(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed) || self.left() == Some(Duration::ZERO)
    }

    /// Ends a long step at this point in time, if not before.
    pub fn interrupt_before(&self, end: Instant) -> Interrupt {
        let own = self.limit.map_or(end, |limit| self.start + limit);
        until(Arc::clone(&self.interrupted), Some(own.min(end)))
    }

    /// Ends what follows the search at its limit or on Ctrl-C, but not before a moment has passed: most
    /// counterexamples are confirmed within it, and the last resort for limits leaves more time.
    pub fn interrupt_after(&self) -> Interrupt {
        let (own, earliest) = (self.interrupt(), Instant::now() + MOMENT);
        Interrupt::new(move || own.ask().filter(|_| Instant::now() >= earliest))
    }

    /// Takes the progress off the terminal and stops the clock.
    pub fn stop(self) -> Duration {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        self.start.elapsed()
    }

    /// Shows the violations that are known.
    fn show_violated(&mut self) {
        for line in self.violated.drain(..) {
            let print = || remark(&format!("{line}\n"));
            match &self.bar {
                Some(bar) => bar.suspend(print),
                None => print(),
            }
        }
    }

    fn show(&mut self, now: Instant, progress: &Progress) {
        let line = self.line(now, progress);
        if std::io::stderr().is_terminal() {
            let bar = self.bar.get_or_insert_with(|| {
                let style = ProgressStyle::with_template("{spinner} {msg}");
                ProgressBar::new_spinner()
                    .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
            });
            bar.set_message(line);
            bar.tick();
            self.next = Some(now + REFRESH);
        } else {
            remark(&format!("{line}\n"));
            self.next = Some(now + self.pause);
            self.pause = (self.pause * 2).min(Duration::from_secs(60));
        }
    }

    fn line(&self, now: Instant, progress: &Progress) -> String {
        let seconds = (now - self.start).as_secs_f64();
        let mut line = format!(
            "{seconds:.0} s: {} states, {} queued (frontier), depth {}, {} states/s, {}",
            number(progress.states),
            number(progress.states - progress.expanded.min(progress.states)),
            number(progress.depth),
            number((progress.states as f64 / seconds) as u64),
            bytes(progress.memory),
        );
        match progress.violations {
            0 => {}
            1 => line.push_str(", 1 violation"),
            n => line.push_str(&format!(", {n} violations")),
        }
        line.push_str(&self.others);
        line
    }
}

/// Time after the first signal within which a further one is the same request: `timeout` signals
/// its child and then the whole process group.
const SAME_REQUEST: Duration = Duration::from_millis(500);

/// Listens for Ctrl-C and SIGTERM: the first sets the flag, a later one ends the program at once.
pub fn on_interrupt() -> Arc<AtomicBool> {
    deadline::interrupted(register)
}

fn register() -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    // Without a handler the signal ends the process, as by default.
    if let Ok(signals) = Signals::new([SIGINT, SIGTERM]) {
        let flag = Arc::clone(&interrupted);
        let listener = std::thread::Builder::new().name("signals".to_string());
        let started = listener.spawn(move || listen(signals, &flag));
        // Without the thread, the first signal still ends the search with a report.
        if started.is_err() {
            let _ = [SIGINT, SIGTERM].map(|signal| flag::register(signal, Arc::clone(&interrupted)));
        }
    }
    interrupted
}

fn listen(mut signals: Signals, interrupted: &AtomicBool) {
    let mut first = None;
    for _ in signals.forever() {
        let first = *first.get_or_insert_with(Instant::now);
        interrupted.store(true, Ordering::Relaxed);
        if first.elapsed() >= SAME_REQUEST {
            low_level::exit(i32::from(Exit::Interrupted.code()));
        }
    }
}

/// Ends a long step on Ctrl-C, or at a point in time.
pub fn until(interrupted: Arc<AtomicBool>, end: Option<Instant>) -> Interrupt {
    Interrupt::new(move || {
        if interrupted.load(Ordering::Relaxed) {
            return Some(Cut::Interrupted);
        }
        end.is_some_and(|end| Instant::now() >= end).then_some(Cut::Time)
    })
}

impl Monitor for Watch {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        deadline::note(progress);
        if self.interrupted.load(Ordering::Relaxed) {
            return Some(Stop::Interrupted);
        }
        let now = Instant::now();
        if self.limit.is_some_and(|limit| now - self.start >= limit) {
            return Some(Stop::Time);
        }
        // Within the first second the report follows.
        if self.next.is_some() && !self.violated.is_empty() && now - self.start >= PATIENCE {
            self.show_violated();
        }
        if self.next.is_some_and(|next| now >= next) {
            self.show(now, progress);
        }
        None
    }

    fn beside(&mut self, others: &[(String, Progress)]) {
        self.others.clear();
        for (index, (name, progress)) in others.iter().enumerate() {
            let start = if index == 0 { "; beside it: " } else { "; " };
            // Random walks store no states.
            let (count, unit) = match progress.states {
                0 | 1 => (progress.transitions, "transitions"),
                states => (states, "states"),
            };
            self.others.push_str(&format!("{start}{name} ({} {unit})", number(count)));
        }
    }

    fn violated(&mut self, property: &str, message: &str) {
        self.violated.push(format!("{property}: violated: {message}"));
    }

    fn interrupt(&self) -> Interrupt {
        until(Arc::clone(&self.interrupted), self.limit.map(|limit| self.start + limit))
    }
}
