//! Models with data of 16 and 32 bits, each with a variant that has a seeded fault. `wide/models.txt`
//! names for each its verdict and the engine that decides it.
//!
//! `cargo nextest run -p axle-decide wide_data_all --no-capture` with `AXLE_DECIDE_SECONDS=60` runs the engines one after
//! the other on all models until one decides, each for 60 seconds of processor time
//! (`AXLE_DECIDE_SECONDS`), and prints the table; `AXLE_DECIDE_ONLY` and `AXLE_DECIDE_ENGINE` select models and
//! engines by parts of their names.

use std::path::PathBuf;
use std::time::Instant;

use axle_decide::answer::Answer;
use axle_decide::certificate;
use axle_decide::circuit::Circuit;
use axle_decide::model::Problem;
use axle_decide::prove::{Method, decide};
use axle_outcome::{Limits, Stop};
use axle_relation::{Options, Relation};

use crate::cases;
use crate::models::compiled;
use crate::replay::replay;

const METHODS: [(&str, Method); 3] =
    [("bmc", Method::Bounded), ("induction", Method::Induction), ("pdr", Method::Reachability)];

/// A row of `models.txt`.
pub struct Row {
    pub name: String,
    pub holds: bool,
    /// The engine that decides the model within 60 seconds, if one does.
    pub engine: Option<String>,
    /// Whether it does within a second.
    pub is_fast: bool,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/wide")
}

pub fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(folder().join("models.txt")).expect("a table");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let rows = lines.map(|line| {
        let [name, verdict, engine, class] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("{line}: a name, a verdict, an engine and a class")
        };
        assert!(matches!(verdict, "holds" | "fault") && matches!(class, "fast" | "slow"), "{line}");
        Row {
            name: name.to_owned(),
            holds: verdict == "holds",
            engine: (engine != "-").then(|| engine.to_owned()),
            is_fast: class == "fast",
        }
    });
    rows.collect()
}

/// A model with its system.
pub struct Case {
    pub model: std::sync::Arc<axle_model::Model>,
    pub relation: Relation,
    pub problem: Problem,
    pub all: Vec<usize>,
}

pub fn case(name: &str) -> Case {
    let text = std::fs::read_to_string(folder().join(name).with_extension("pml")).expect("a model");
    let model = compiled(&text).unwrap_or_else(|| panic!("{name} has errors"));
    let relation = Relation::new(&model, &Options { processes: 6, ..Options::default() }, &[]);
    let relation = relation.expect("a relation");
    let problem = Problem::new(&model, &relation);
    let all = (0..problem.system.bads.len()).collect();
    Case { model, relation, problem, all }
}

/// The answer of a method: what it is, or why it is wrong; nothing if there is none.
fn answer(
    case: &Case,
    method: Method,
    holds: bool,
    stop: &dyn Fn() -> bool,
) -> Result<Option<String>, String> {
    let Case { model, relation, problem, all } = case;
    let mut poll = |_| stop().then_some(Stop::Time);
    match decide(problem, relation, all, method, &Limits::default(), &mut poll) {
        Answer::Unknown(_) => Ok(None),
        Answer::Violated(trace) => {
            let found = problem.counterexample(relation, &trace).map_err(|error| error.to_string())?;
            replay(model, relation, &found)?;
            let what = format!("fault after {}", found.groups.len());
            if holds { Err(format!("{what}: {:?}", found.cause)) } else { Ok(Some(what)) }
        }
        Answer::Holds(invariant) => {
            certificate::check(&problem.system, &invariant, &mut |_| None)
                .map_err(|error| error.to_string())?;
            let what = format!("holds, {} clauses, depth {}", invariant.clauses.len(), invariant.depth);
            if holds { Ok(Some(what)) } else { Err("the fault is missed".to_owned()) }
        }
    }
}

#[test]
fn wide_data() {
    let rows = rows();
    let pairs = rows.iter().filter(|row| !row.holds).count();
    assert_eq!((rows.len(), pairs), (88, 44), "models, and those with a fault");
    let (mut wrong, mut undecided) = (Vec::new(), Vec::new());
    for row in rows.iter().filter(|row| row.is_fast) {
        let case = case(&row.name);
        let engine = METHODS.iter().find(|(name, _)| Some(*name) == row.engine.as_deref());
        let (_, method) = engine.unwrap_or_else(|| panic!("{}: an engine", row.name));
        let begin = Instant::now();
        match answer(&case, *method, row.holds, &|| begin.elapsed().as_secs() > 60) {
            Ok(Some(_)) => {}
            Ok(None) => undecided.push(&row.name),
            Err(why) => wrong.push(format!("{}: {why}", row.name)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(undecided.is_empty(), "undecided: {undecided:?}");
}

/// The processor time of this thread where the system says so, which other processes do not lengthen.
pub fn processor_seconds() -> f64 {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|number| number.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// The engines one after the other, on all models for as many seconds as `AXLE_DECIDE_SECONDS` says, or on
/// the first three for one.
#[test]
fn wide_data_all() {
    let seconds = cases("AXLE_DECIDE_SECONDS", 1);
    let only = std::env::var("AXLE_DECIDE_ONLY").unwrap_or_default();
    let by = std::env::var("AXLE_DECIDE_ENGINE").unwrap_or_default();
    let (mut wrong, mut decided, mut number) = (Vec::new(), 0, 0);
    for row in rows().iter().filter(|row| row.name.contains(&only)).take(if seconds > 1 { 88 } else { 3 }) {
        let case = case(&row.name);
        if let Ok(to) = std::env::var("AXLE_DECIDE_DUMP") {
            let circuit = Circuit::new(&case.problem.system, &case.all);
            let bytes = axle_decide::export::aiger_binary(&case.problem.system, &circuit);
            std::fs::write(PathBuf::from(to).join(format!("{}.aig", row.name)), bytes).expect("a file");
        }
        number += 1;
        let mut text = "-".to_owned();
        let order = if row.holds { [1, 2] } else { [0, 2] };
        let engines = order.map(|at| METHODS[at]).into_iter();
        for (engine, method) in engines.filter(|(engine, _)| engine.contains(&by)) {
            let begin = processor_seconds();
            let spent = || processor_seconds() - begin;
            match answer(&case, method, row.holds, &|| spent() >= seconds as f64) {
                Ok(None) => continue,
                Ok(Some(what)) => {
                    decided += 1;
                    text = format!("{engine:10} {:6.2} s  {what}", spent());
                }
                Err(why) => wrong.push(format!("{} by {engine}: {why}", row.name)),
            }
            break;
        }
        println!("{:18} {text}", row.name);
    }
    println!("{decided} of {number} decided");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
