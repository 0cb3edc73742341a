//! Watches a search: shows where it is and what is violated once it takes longer than a second, and
//! ends it at the time limit or on Ctrl-C or SIGTERM. The first such signal ends the search with a
//! report, a later one
//! the program at once.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axle_outcome::Count;
use axle_search::{Monitor, Progress, Stop};
use axle_step::{Cut, Interrupt};
use indicatif::{ProgressBar, ProgressStyle};

use crate::deadline::Deadline;
use crate::output::remark;
use crate::quantities::{bytes, number};
use crate::session::Session;

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
    /// Receives the coverage.
    deadline: Arc<Deadline>,
    next: Option<Instant>,
    bar: Option<ProgressBar>,
    /// Time between plain lines, where standard error is no terminal.
    pause: Duration,
    /// The number of states of a search that counts sets of them.
    counted: Option<Count>,
    /// The other attempts of the plan, as the line shows them.
    others: String,
    /// Violations that are known and not yet shown.
    violated: Vec<String>,
    /// Whether a violation is one of an abstraction, which may be none of the program.
    is_abstract: bool,
}

impl Watch {
    /// Watches from here on; the clock began with the program. Ctrl-C ends the search.
    pub fn start(session: &Session, limit: Option<Duration>, quiet: bool) -> Watch {
        Watch::with(session, session.deadline.start(), limit, quiet)
    }

    /// Goes on with a clock that was started.
    pub fn with(session: &Session, start: Instant, limit: Option<Duration>, quiet: bool) -> Watch {
        let next = (!quiet).then_some(start + PATIENCE);
        Watch {
            start,
            limit,
            interrupted: session.signals.interrupted(),
            deadline: Arc::clone(&session.deadline),
            next,
            bar: None,
            pause: Duration::from_secs(4),
            counted: None,
            others: String::new(),
            violated: Vec::new(),
            is_abstract: false,
        }
    }

    /// Watches the search of an abstraction.
    pub fn of_abstraction(self) -> Watch {
        Watch { is_abstract: true, ..self }
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
        let (depth, memory) = (number(progress.depth), bytes(progress.memory));
        let mut line = match &self.counted {
            // Sets of states are not expanded one by one.
            Some(states) => {
                format!("{seconds:.0} s: {} states, {depth} iterations, {memory}", states.grouped(','))
            }
            None if progress.abstraction.is_some() => {
                let abstraction = progress.abstraction.unwrap_or_default();
                format!(
                    "{seconds:.0} s: iteration {}, {} predicates, {} abstract states, {memory}",
                    number(abstraction.iteration),
                    number(abstraction.predicates),
                    number(progress.states),
                )
            }
            None => format!(
                "{seconds:.0} s: {} states, {} queued (frontier), depth {depth}, {} states/s, {memory}",
                number(progress.states),
                number(progress.states - progress.expanded.min(progress.states)),
                number((progress.states as f64 / seconds) as u64),
            ),
        };
        match progress.violations {
            0 => {}
            1 => line.push_str(", 1 violation"),
            n => line.push_str(&format!(", {n} violations")),
        }
        line.push_str(&self.others);
        line
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
        self.deadline.note(progress);
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
            // Random walks store no states, and formulas make no transitions.
            if let Some(abstraction) = progress.abstraction {
                let (iteration, predicates) = (number(abstraction.iteration), number(abstraction.predicates));
                self.others
                    .push_str(&format!("{start}{name} (iteration {iteration}, {predicates} predicates)"));
                continue;
            }
            let work = match (progress.states, progress.transitions) {
                (0 | 1, 0) => format!("depth {}", number(progress.depth)),
                (0 | 1, transitions) => format!("{} transitions", number(transitions)),
                (states, _) => format!("{} states", number(states)),
            };
            self.others.push_str(&format!("{start}{name} ({work})"));
        }
    }

    fn counted(&mut self, states: &Count) {
        self.counted = Some(states.clone());
    }

    fn violated(&mut self, property: &str, message: &str) {
        let verdict = if self.is_abstract { "violated in the model" } else { "violated" };
        self.violated.push(format!("{property}: {verdict}: {message}"));
    }

    fn interrupt(&self) -> Interrupt {
        until(Arc::clone(&self.interrupted), self.limit.map(|limit| self.start + limit))
    }
}
