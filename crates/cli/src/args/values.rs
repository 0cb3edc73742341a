//! The values of options: types, names and their help.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use axle_c::{Bound, DataModel, Volatile};
use axle_c_exec::MemoryModel;
use axle_check::config::Arithmetic;
use axle_check::plan::EngineId;
use axle_check::{Check, Order, Pass, StoreChoice, SuccessorChoice, SystemKind};
use axle_search::{Algorithm, Fairness, Reduction};
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A partial-order reduction, or that Axle may choose one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReductionChoice {
    Auto,
    This(Reduction),
}

/// A model reduction, or several at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassChoice {
    Auto,
    None,
    All,
    One(Pass),
}

/// A search algorithm: for violations of states and steps, or for violations of temporal
/// properties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchChoice {
    Faults(Order),
    Runs(Algorithm),
}

/// The display of a counterexample.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceMode {
    /// Steps with changed values, messages and output
    Full,
    /// The calls of C functions that explain most, with their effects
    Calls,
    /// All calls of C functions with their effects
    Tree,
    /// Steps only
    Short,
    /// JSON
    Json,
    /// One column per process or thread
    Columns,
    /// Sequence chart in text
    Chart,
    /// No counterexamples
    None,
}

/// A parser of names, each with a value and a line of help.
fn names<T: Copy + Send + Sync + 'static>(
    list: &'static [(&'static str, T, &'static str)],
) -> impl TypedValueParser<Value = T> {
    let values = list.iter().map(|(name, _, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(values).map(move |name| {
        let (_, value, _) = list.iter().find(|(n, _, _)| *n == name).expect("clap passes listed names only");
        *value
    })
}

/// The checks of models, then those of C programs with other names.
pub fn checks() -> impl TypedValueParser<Value = String> {
    let models = Check::MODELS.map(|check| (check.name(), check.meaning(SystemKind::Model).to_string()));
    let of_program = |check: Check| (check.name(), format!("C: {}", check.meaning(SystemKind::Program)));
    let programs =
        Check::PROGRAMS.into_iter().filter(|check| Check::named(check.name(), SystemKind::Model).is_none());
    let all = models.into_iter().chain(programs.map(of_program));
    PossibleValuesParser::new(all.map(|(name, help)| PossibleValue::new(name).help(help)))
}

/// Data models of C.
pub fn data_models() -> impl TypedValueParser<Value = DataModel> {
    names(&[
        ("lp64", DataModel::Lp64, "`long` and pointers have 64 bits, as on x86-64 (default)"),
        ("ilp32", DataModel::Ilp32, "`int`, `long` and pointers have 32 bits, as on i386"),
    ])
}

/// Search algorithms.
pub fn searches() -> impl TypedValueParser<Value = SearchChoice> {
    names(&[
        (
            "bfs",
            SearchChoice::Faults(Order::BreadthFirst),
            "breadth-first: shortest counterexamples (default for states)",
        ),
        (
            "dfs",
            SearchChoice::Faults(Order::DepthFirst),
            "depth-first, nested for cycles: deep violations sooner",
        ),
        (
            "stateless",
            SearchChoice::Faults(Order::Stateless),
            "depth-first without a state store: every path, may not terminate; states only",
        ),
        ("random", SearchChoice::Faults(Order::Random), "random walks; no proof; states only"),
        (
            "scc",
            SearchChoice::Runs(Algorithm::Components),
            "strongly connected components, with any fairness (default for cycles)",
        ),
        ("nested", SearchChoice::Runs(Algorithm::NestedDfs), "nested depth-first search, without fairness"),
    ])
}

/// Fairness assumptions.
pub fn fairnesses() -> impl TypedValueParser<Value = Fairness> {
    names(&[
        ("none", Fairness::None, "no fairness: every execution counts"),
        ("weak", Fairness::Weak, "a process that is continuously enabled executes infinitely often"),
        ("strong", Fairness::Strong, "a process that is enabled infinitely often executes infinitely often"),
    ])
}

/// Partial-order reductions.
pub fn reductions() -> impl TypedValueParser<Value = ReductionChoice> {
    use ReductionChoice::{Auto, This};
    names(&[
        ("auto", Auto, "none up to 1,000 states, then guards or stubborn (default)"),
        ("none", This(Reduction::None), "no reduction: shortest counterexamples with bfs"),
        ("ample", This(Reduction::Ample), "ample sets of one process"),
        ("stubborn", This(Reduction::Stubborn), "stubborn sets of processes"),
        (
            "guards",
            This(Reduction::Guards),
            "stubborn sets with necessary enabling sets; one worker thread for states",
        ),
    ])
}

/// Model reductions.
pub fn passes() -> impl TypedValueParser<Value = PassChoice> {
    names(&[
        ("auto", PassChoice::Auto, "all with --por auto, otherwise none (default)"),
        ("none", PassChoice::None, "no model reduction"),
        ("all", PassChoice::All, "all model reductions"),
        (
            "slice",
            PassChoice::One(Pass::Slice),
            "cone of influence: for each formula, only what it depends on",
        ),
        ("constants", PassChoice::One(Pass::Constants), "constant propagation"),
        ("hide", PassChoice::One(Pass::Hide), "hide variables that are written and never read"),
        ("dead", PassChoice::One(Pass::Dead), "reset dead variables"),
        ("merge", PassChoice::One(Pass::Merge), "merge invisible steps"),
    ])
}

/// State stores.
pub fn stores() -> impl TypedValueParser<Value = StoreChoice> {
    names(&[
        ("auto", StoreChoice::Auto, "plain for few states, tree for many (default)"),
        ("plain", StoreChoice::Plain, "uncompressed: fastest"),
        ("tree", StoreChoice::Tree, "tree compression, exact: smallest"),
        ("hash-compact", StoreChoice::HashCompact, "lossy: 64-bit fingerprints"),
        ("hash-compact-128", StoreChoice::HashCompact128, "lossy: 128-bit fingerprints"),
        ("bitstate", StoreChoice::Bitstate, "lossy: a few bits per state (Bloom filter)"),
    ])
}

/// The engine that makes all attempts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineChoice {
    /// Every engine that applies.
    Auto,
    /// The engine with this name.
    This(EngineId),
    /// A hardware model checker, by its path.
    Program(PathBuf),
}

/// Reads the value of `--engine`: a name, or a path with a separator.
#[derive(Clone)]
pub struct EngineParser;

impl TypedValueParser for EngineParser {
    type Value = EngineChoice;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<EngineChoice, clap::Error> {
        if Path::new(value).components().count() > 1 {
            return Ok(EngineChoice::Program(value.into()));
        }
        let names = PossibleValuesParser::new(engine_names());
        let name = names.parse_ref(command, argument, value)?;
        let engine = axle_check::engines().map(|(id, _)| id).find(|id| id.0 == name);
        Ok(engine.map_or(EngineChoice::Auto, EngineChoice::This))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(engine_names()))
    }
}

/// The names of engines. A program has its path instead.
fn engine_names() -> impl Iterator<Item = PossibleValue> {
    let automatic = PossibleValue::new("auto").help("every engine that applies (default)");
    let named = axle_check::engines().filter(|(id, _)| *id != EngineId::PROGRAM);
    std::iter::once(automatic).chain(named.map(|(id, help)| PossibleValue::new(id.0).help(help)))
}

/// Successor generation for `check`.
pub fn successors() -> impl TypedValueParser<Value = SuccessorChoice> {
    names(&[
        ("auto", SuccessorChoice::Auto, "interpreter first, compiled code once it pays (default)"),
        ("interpreter", SuccessorChoice::Interpreter, "interpreter"),
        ("compiled", SuccessorChoice::Compiled, "machine code from the start"),
    ])
}

/// Arithmetic of abstractions.
pub fn arithmetic() -> impl TypedValueParser<Value = Arithmetic> {
    names(&[
        ("wrap-around", Arithmetic::WrapAround, "results wrap around, as in the interpreter (default)"),
        (
            "mathematical",
            Arithmetic::Mathematical,
            "executions up to the first overflow; whether one occurs is part of the verdict",
        ),
    ])
}

/// Precisions of predicate abstraction: whether it is Cartesian.
pub fn precision() -> impl TypedValueParser<Value = bool> {
    names(&[
        ("boolean", false, "all combinations of values of predicates (default)"),
        ("cartesian", true, "values of single predicates, until a path needs combinations"),
    ])
}

/// Successor generation for `verify-certificate`.
pub fn certifying_successors() -> impl TypedValueParser<Value = axle_certify::Engine> {
    use axle_certify::Engine;
    names(&[
        ("interpreter", Engine::Interpreter, "interpreter only"),
        ("compiled", Engine::Compiled, "compiled code; the interpreter re-executes a sample"),
    ])
}

/// Displays of a simulation.
pub fn simulation_traces() -> impl TypedValueParser<Value = TraceMode> {
    names(&[
        ("full", TraceMode::Full, "steps with changed values, messages and output (default)"),
        ("short", TraceMode::Short, "steps only"),
        ("columns", TraceMode::Columns, "one column per process or thread, at the end"),
        ("chart", TraceMode::Chart, "sequence chart in text, at the end"),
        ("none", TraceMode::None, "only the output of the model or program"),
    ])
}

/// Meanings of volatile accesses.
pub fn volatiles() -> impl TypedValueParser<Value = Volatile> {
    names(&[
        ("c11", Volatile::C11, "C11: not atomic, so that they can form a data race (default)"),
        ("relaxed", Volatile::Relaxed, "relaxed atomic loads and stores, as code before C11 assumes"),
    ])
}

/// Reads `NAME=N`.
pub fn parse_bound(text: &str) -> Result<Bound, String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=N, for example SIZE=3")?;
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    match (is_name, value.parse::<i64>()) {
        (true, Ok(value)) if value > i64::MIN => Ok(Bound { name: name.into(), value }),
        (true, _) => Err(format!("`{value}` is no integer")),
        (false, _) => Err(format!("`{name}` is no name")),
    }
}

/// Executions that a verdict covers.
pub fn memory_models() -> impl TypedValueParser<Value = MemoryModel> {
    names(&[
        (
            "c11",
            MemoryModel::C11,
            "C11: unknown where executions may exist that are not sequentially consistent (default)",
        ),
        (
            "sc",
            MemoryModel::Sc,
            "sequential consistency: every atomic operation counts as memory_order_seq_cst",
        ),
    ])
}
