//! The process that runs inputs. An input may kill it (stack overflow, allocation beyond the
//! address space limit), so its parent monitors it. It writes lines to standard output: `done NEXT
//! SOUND` periodically, `fault NUMBER KIND PLACE` for each fault. The number of the current input
//! is in a file.
//!
//! *Entry point:* [`work`].

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use axle_source::MemoryLoader;

use super::corpus::Corpus;
use super::mutate::input;

/// CPU time limit per input.
const SLOWEST: Duration = Duration::from_secs(1);
/// Stack size for inputs: the default of Rust threads.
const STACK: usize = 2 << 20;

/// Processes an input: true if it has no error, an error for a violated invariant. The last
/// argument enables thorough checks.
pub type Target = fn(&[u8], &mut MemoryLoader, bool) -> Result<bool, String>;

/// The inputs to run.
pub enum Inputs {
    /// Generated inputs with numbers in `from..to`, with a time limit in seconds.
    Made { seed: u64, from: u64, to: u64, seconds: Option<u64> },
    /// A given input.
    Given(Vec<u8>),
}

/// Runs the inputs; `at` is the file with the number of the current one.
pub fn work(run: Target, corpus: Corpus, inputs: Inputs, at: Option<&Path>) -> Result<(), String> {
    let at = at.map(File::create).transpose().map_err(|e| format!("file of the current input: {e}"))?;
    let place = Arc::new(Mutex::new(String::new()));
    let told = place.clone();
    panic::set_hook(Box::new(move |info| {
        let location = info.location().map(|l| format!("{}:{}", l.file(), l.line())).unwrap_or_default();
        let message = info.payload_as_str().unwrap_or_default();
        let said = format!("{location} {message}").replace('\n', " ");
        *told.lock().unwrap_or_else(PoisonError::into_inner) = said;
    }));
    let current = Arc::new(AtomicU64::new(u64::MAX));
    let task = Arc::new(Mutex::new(None));
    let (seen, id) = (current.clone(), task.clone());
    let worker = thread::Builder::new().stack_size(STACK).spawn(move || {
        let link = fs::read_link("/proc/thread-self").ok();
        *id.lock().unwrap_or_else(PoisonError::into_inner) =
            link.map(|l| Path::new("/proc").join(l).join("schedstat"));
        let mut loader = MemoryLoader { files: corpus.headers.iter().cloned().collect() };
        let mut one = |index: u64, bytes: &[u8]| {
            seen.store(index, Ordering::Relaxed);
            if let Some(at) = &at {
                // If the disk is full, only the number of a killed input is lost.
                let _ = at.write_all_at(&index.to_le_bytes(), 0);
            }
            match panic::catch_unwind(AssertUnwindSafe(|| run(bytes, &mut loader, index.is_multiple_of(8)))) {
                Ok(Ok(sound)) => return u64::from(sound),
                Ok(Err(promise)) => println!("fault {index} promise {}", promise.replace('\n', " ")),
                Err(_) => {
                    println!("fault {index} panic {}", place.lock().unwrap_or_else(PoisonError::into_inner))
                }
            }
            0
        };
        match inputs {
            Inputs::Given(bytes) => println!("done 1 {}", one(0, &bytes)),
            Inputs::Made { seed, from, to, seconds } => {
                let begin = Instant::now();
                let (mut sound, mut next) = (0, from);
                while next < to {
                    sound += one(next, &input(&corpus, seed, next));
                    next += 1;
                    if next.is_multiple_of(1024) {
                        println!("done {next} {sound}");
                        sound = 0;
                        if seconds.is_some_and(|seconds| begin.elapsed().as_secs() >= seconds) {
                            break;
                        }
                    }
                }
                println!("done {next} {sound}");
            }
        }
    });
    let worker = worker.map_err(|e| format!("creating a thread failed: {e}"))?;
    watch(&current, || worker.is_finished(), || cpu(&task));
    worker.join().map_err(|_| "the worker panicked outside of an input".to_string())
}

/// Ends the process if an input takes too long.
fn watch(current: &AtomicU64, finished: impl Fn() -> bool, cpu: impl Fn() -> Duration) {
    let (mut index, mut since) = (u64::MAX, Duration::ZERO);
    while !finished() {
        thread::sleep(Duration::from_millis(if index == u64::MAX { 1 } else { 50 }));
        let (now, used) = (current.load(Ordering::Relaxed), cpu());
        if now != index {
            (index, since) = (now, used);
        } else if used.saturating_sub(since) > SLOWEST {
            println!("fault {index} slow more than {} s of processor time", SLOWEST.as_secs());
            process::exit(1);
        }
    }
}

/// CPU time of the thread, as reported by Linux.
fn cpu(task: &Mutex<Option<std::path::PathBuf>>) -> Duration {
    let path = task.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let text = path.and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}
