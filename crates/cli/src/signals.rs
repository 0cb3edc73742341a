//! SIGINT and SIGTERM: the first sets a flag, a later one ends the program at once.
//!
//! *Entry point:* [`Signals::interrupted`].

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, iterator, low_level};

use crate::exit::Exit;

/// Time after the first signal within which a further one is the same request: `timeout` signals
/// its child and then the whole process group.
const SAME_REQUEST: Duration = Duration::from_millis(500);

/// The signals of the process. Until the flag is requested, a signal ends the process, as by default.
#[derive(Default)]
pub struct Signals(OnceLock<Arc<AtomicBool>>);

impl Signals {
    /// Listens for signals: the first sets this flag, a later one ends the program at once.
    pub fn interrupted(&self) -> Arc<AtomicBool> {
        Arc::clone(self.0.get_or_init(register))
    }

    /// Whether a signal was received.
    pub fn is_interrupted(&self) -> bool {
        self.0.get().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

fn register() -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    // Without a handler the signal ends the process, as by default.
    if let Ok(signals) = iterator::Signals::new([SIGINT, SIGTERM]) {
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

fn listen(mut signals: iterator::Signals, interrupted: &AtomicBool) {
    let mut first = None;
    for _ in signals.forever() {
        let first = *first.get_or_insert_with(Instant::now);
        interrupted.store(true, Ordering::Relaxed);
        if first.elapsed() >= SAME_REQUEST {
            low_level::exit(i32::from(Exit::Interrupted.code()));
        }
    }
}
