//! One search of a model with its claim, in a separate process: the hidden command `claim-run`,
//! which prints its counts as JSON.
//!
//! In addition to the user-visible searches there is `safety`: breadth-first search of the same
//! product without a check. It is the baseline for the cost of cycle detection.
//!
//! *Entry point:* [`run`].

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axle_model::Model;
use axle_search::liveness::{self, LivenessOptions};
use axle_search::{Algorithm, Claim, Fairness, Silent};
use axle_source::{Diagnostics, MemoryLoader, Sources};
use axle_step::{Compiled, Interpreter, Observer, Options};
use axle_store::{Packed, PlainTable};
use serde::{Deserialize, Serialize};

/// Arguments of `cargo xtask claim-run`.
#[derive(clap::Args)]
pub struct Args {
    /// The model; its first claim is used.
    model: PathBuf,
    /// The algorithm.
    #[arg(value_enum)]
    how: How,
}

/// The algorithm and its fairness assumption.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum How {
    /// No check: only the states of the product.
    Safety,
    /// Strongly connected components.
    Scc,
    /// Components with weak fairness.
    Weak,
    /// Components with strong fairness.
    Strong,
    /// Nested depth-first search.
    Nested,
}

impl How {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            How::Safety => "safety",
            How::Scc => "scc",
            How::Weak => "weak",
            How::Strong => "strong",
            How::Nested => "nested",
        }
    }
}

/// The counts of a search.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Counted {
    /// Whether the claim holds.
    pub holds: bool,
    /// Stored states of the product.
    pub states: u64,
    /// Executed transitions of the product.
    pub transitions: u64,
    /// Memory of the state store in bytes.
    pub set: u64,
    /// Memory of the other data structures of the search in bytes.
    pub beside: u64,
}

/// Runs one search and prints what it counted.
pub fn run(args: &Args) -> Result<(), String> {
    let model = load(&args.model)?;
    let stated = axle_check::claims::stated(&model).into_iter().next().ok_or("the model has no claim")?;
    let mut claim = stated.claim?;
    let (mut fairness, mut algorithm) = (Fairness::None, Algorithm::Components);
    match args.how {
        How::Safety => silence(&mut claim),
        How::Scc => {}
        How::Weak => fairness = Fairness::Weak,
        How::Strong => fairness = Fairness::Strong,
        How::Nested => algorithm = Algorithm::NestedDfs,
    }
    let options = Options { movers: fairness != Fairness::None, ..Options::default() };
    let interpreter = Interpreter::new(model, options);
    let mut observer = Observer::new(&interpreter, stated.atoms);
    observer.compile();
    let mut stepper = Compiled::from_interpreter(interpreter, options).map_err(|e| e.to_string())?;
    let width = liveness::width(&stepper);
    let mut set = Packed::new(width, PlainTable::with_limit).map_err(|e| e.to_string())?;
    let question = LivenessOptions { fairness, algorithm, ..LivenessOptions::default() };
    let outcome = liveness::search(&mut stepper, &mut observer, &claim, &mut set, &question, &mut Silent);
    let outcome = outcome.map_err(|refused| format!("{refused:?}"))?;
    if outcome.stop.is_some() || !outcome.faults.is_empty() {
        return Err(format!("{:?}, {} atoms with errors", outcome.stop, outcome.faults.len()));
    }
    let counted = Counted {
        holds: outcome.finding.is_none(),
        states: outcome.states,
        transitions: outcome.transitions,
        set: outcome.memory.states,
        beside: outcome.memory.paths,
    };
    println!("{}", serde_json::to_string(&counted).map_err(|e| e.to_string())?);
    Ok(())
}

/// The claim with the same transitions and no violation.
fn silence(claim: &mut Claim) {
    claim.sets = 1;
    for location in &mut claim.locations {
        location.end = false;
        location.edges.iter_mut().for_each(|edge| (edge.marks, edge.asserts) = (0, None));
    }
}

/// The text of a model with its included files inserted.
pub fn text(path: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut whole = String::new();
    for line in text.lines() {
        match line.strip_prefix("#include \"").and_then(|rest| rest.strip_suffix('"')) {
            Some(name) => {
                let other = path.with_file_name(name);
                let inner = std::fs::read_to_string(&other);
                whole += &inner.map_err(|e| format!("{}: {e}", other.display()))?;
            }
            None => whole += line,
        }
        whole.push('\n');
    }
    Ok(whole)
}

/// The model of a file.
pub fn load(path: &Path) -> Result<Arc<Model>, String> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("model.pml", &text(path)?);
    let options = axle_promela::Options::default();
    let model =
        axle_promela::compile(&mut sources, main, &MemoryLoader::default(), &options, &mut diagnostics);
    model.map(Arc::new).ok_or_else(|| format!("{} is not a model", path.display()))
}
