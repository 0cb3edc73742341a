//! Rounds of small projects, with real and with simulated executions.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axle_check::Verdict;
use axle_feaver::execute::{Control, EXACT, Outcome, Witness, execute};
use axle_feaver::jobs::task::Step;
use axle_feaver::prepare::key::Key;
use axle_feaver::prepare::{Run, Selection, prepare};
use axle_feaver::project::folder::{Folder, Seen};
use axle_feaver::project::{Limits, load_folder};
use axle_feaver::results::round_store::Holder;
use axle_feaver::results::verdict::NewRound;
use axle_feaver::round::driver::Opening;
use axle_feaver::round::source::{Work, WorkSource};
use axle_feaver::round::worker::{Executor, Failure, Settings, Surroundings};

/// The build of Axle in these tests.
pub const BUILD: &str = "test build";

/// A counter that two processes increase; `small` holds, `tiny` is violated, `calm` at once.
const FILES: [(&str, &str); 5] = [
    ("axle.toml", "name = \"counter\"\n[sources]\npromela = [\"model.pml\"]\n"),
    (
        "model.pml",
        "byte n; byte m;\nactive [2] proctype counter() { do :: n < 3 -> n++ :: m++ :: n == 3 -> break od }\n",
    ),
    ("properties/small.md", "+++\nname = \"small\"\nformula = \"[] (n < 9)\"\n+++\n\nWords.\n"),
    ("properties/tiny.md", "+++\nname = \"tiny\"\nformula = \"[] (n < 3)\"\n+++\n\nWords.\n"),
    ("properties/calm.md", "+++\nname = \"calm\"\nformula = \"[] (n == 0)\"\nweight = 5\n+++\n\nWords.\n"),
];

/// A project in memory.
pub struct Small {
    /// Its runs.
    pub runs: Vec<Run>,
    /// Its files.
    pub seen: Seen,
}

/// The project of three properties.
pub fn small() -> Small {
    let file = |(path, text): (&str, &str)| (path.to_string(), Arc::from(text.as_bytes()));
    let files: BTreeMap<String, Arc<[u8]>> = FILES.into_iter().map(file).collect();
    of(Seen { files, ..Seen::default() })
}

/// The project of these files.
pub fn of(seen: Seen) -> Small {
    let folder = Folder::in_memory(seen);
    let prepared = prepare(load_folder(&folder), &Selection::default());
    assert!(!prepared.diagnostics.has_errors(), "{:?}", prepared.diagnostics);
    Small { runs: prepared.runs, seen: folder.seen() }
}

/// A project of many runs, whose executions are simulated. Run n has a violation in cycle (n / 10) % 8
/// if n is a multiple of 10, and holds otherwise.
pub fn many(count: u32) -> Small {
    let Small { runs, seen } = small();
    let run = |number: u32| Run {
        name: format!("p{number}@any"),
        property: format!("p{number}"),
        weight: i64::from(number % 3),
        key: Key::new(&[("slice", String::new(), number.to_string())]),
        ..runs[0].clone()
    };
    Small { runs: (0..count).map(run).collect(), seen }
}

/// The result of executing a run to its end.
pub fn execute_whole(run: &Run) -> Outcome {
    let mut control = Control {
        elapsed: Arc::new(|| Duration::ZERO),
        cancelled: Arc::new(|| false),
        progress: Box::new(|_| {}),
    };
    execute(run, EXACT, &Limits::default(), &mut control)
}

/// Whether and in which cycle a simulated run is violated.
pub fn violated_in(run: u32) -> Option<u8> {
    run.is_multiple_of(10).then_some(((run / 10) % 8) as u8)
}

/// Executes jobs without searching.
pub struct Simulated {
    witness: Witness,
    /// The duration of each job.
    pub duration: Duration,
}

impl Simulated {
    /// Jobs of this duration.
    pub fn new(duration: Duration) -> Simulated {
        let small = small();
        let tiny = small.runs.iter().find(|run| run.property == "tiny").unwrap();
        Simulated { witness: execute_whole(tiny).witness.unwrap(), duration }
    }
}

impl Executor for Simulated {
    fn execute(
        &mut self,
        work: &Work,
        _: &dyn WorkSource,
        control: &mut Control,
    ) -> Result<Outcome, Failure> {
        let mut left = self.duration;
        let mut ended = true;
        while !left.is_zero() {
            if (control.cancelled)() {
                ended = false;
                break;
            }
            let part = left.min(Duration::from_millis(20));
            std::thread::sleep(part);
            left -= part;
        }
        let mut outcome = Outcome::without_search(work.payload.name(), work.payload.key.hash.clone());
        (outcome.states, outcome.reason, outcome.next) = (100.into(), None, None);
        let violated = violated_in(work.task.run).filter(|_| ended);
        match work.task.step {
            Step::Cycle(cycle) => {
                outcome.cycle = cycle;
                outcome.verdict = match (violated == Some(cycle), cycle, ended) {
                    (true, _, _) => Verdict::Violated,
                    (false, EXACT.., true) => Verdict::Holds,
                    _ => Verdict::Unknown,
                };
                outcome.next = (outcome.verdict == Verdict::Unknown && cycle < EXACT).then_some(cycle + 1);
            }
            Step::SecondPhase { found } | Step::Recheck { found } => {
                (outcome.cycle, outcome.verdict) = (found, Verdict::Violated);
            }
        }
        if outcome.verdict == Verdict::Violated {
            let mut witness = self.witness.clone();
            if let Step::SecondPhase { .. } = work.task.step {
                witness.violation.depth -= 1;
            }
            outcome.witness = Some(witness);
        }
        Ok(outcome)
    }
}

/// A worker that ends when the flag is set.
#[derive(Default)]
pub struct Until(pub AtomicBool);

impl Surroundings for Until {
    fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn exhausted(&self) -> Option<String> {
        None
    }

    fn abandon(&self, reason: &str) {
        panic!("{reason}");
    }
}

/// A worker of this name.
pub fn settings(name: &str) -> Settings {
    Settings { name: name.to_string(), wait: Duration::from_millis(20), patience: Duration::from_secs(20) }
}

/// A round of a project for a driver of this name.
pub fn opening<'a>(small: &'a Small, name: &str, budget: Duration, lease: Duration) -> Opening<'a> {
    Opening {
        runs: &small.runs,
        inputs: &small.seen,
        round: NewRound { source_version: "v1".to_string(), axle_version: BUILD.to_string(), budget },
        again: false,
        holder: Holder { name: name.to_string(), lease },
        max_failures: 3,
        recheck: 0.0,
    }
}
