//! The searches that are compared: one by threads, which is the reference, and distributed ones.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axle_compare::models::compile;
use axle_dist::{Failure, Searched, Setup};
use axle_model::Model;
use axle_search::parallel::{self, Tuning};
use axle_search::{Monitor, Options, Outcome, Progress, Silent, Stop};
use axle_step::{Cut, Interpreter, Interrupt};

/// The number in an environment variable, with which a longer run names its size.
pub fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// A stepper of a model.
pub fn stepper(model: &Arc<Model>) -> Interpreter {
    Interpreter::new(Arc::clone(model), axle_step::Options::default())
}

/// The search by threads.
pub fn reference(model: &Arc<Model>, options: &Options) -> Outcome {
    reference_watched(model, options, &mut Silent)
}

/// The search by threads, which ends if the atomic sequences of the model are very long altogether.
pub fn brief_reference(model: &Arc<Model>, options: &Options) -> Outcome {
    reference_watched(model, options, &mut Impatient)
}

/// Ends a search whose sequences have asked often.
struct Impatient;

impl Monitor for Impatient {
    fn watch(&mut self, _: &Progress) -> Option<Stop> {
        None
    }

    fn interrupt(&self) -> Interrupt {
        let asked = AtomicU64::new(0);
        Interrupt::new(move || (asked.fetch_add(1, Ordering::Relaxed) > 50).then_some(Cut::Time))
    }
}

fn reference_watched(model: &Arc<Model>, options: &Options, monitor: &mut impl Monitor) -> Outcome {
    let searched = parallel::search(&mut [stepper(model)], Tuning::default(), u64::MAX, options, monitor);
    assert!(searched.paths);
    searched.outcome
}

/// The distributed search by threads of this process.
pub fn distributed(
    model: &Arc<Model>,
    workers: usize,
    setup: Setup<'_>,
    options: &Options,
) -> Result<Searched<axle_step::ModelSite>, Failure> {
    axle_dist::search(&mut vec![stepper(model); workers], setup, options, &mut Silent)
}

/// An outcome without its memory.
pub fn essence(outcome: &Outcome) -> Outcome {
    Outcome { memory: axle_search::Memory::default(), ..outcome.clone() }
}

/// A model of the repository.
pub fn model(path: &str) -> Arc<Model> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    compile(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// A directory that is removed when this is dropped.
pub struct Directory(PathBuf);

impl Directory {
    /// A new directory for a test of this name, which does not exist yet.
    pub fn new(test: &str) -> Directory {
        let path = std::env::temp_dir().join(format!("axle-dist-suite-{test}-{}", std::process::id()));
        // It exists only if an earlier process with this number was killed.
        let _ = std::fs::remove_dir_all(&path);
        Directory(path)
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // What remains is in the temporary folder.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
