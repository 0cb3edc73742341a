//! Models with data of 16 and 32 bits, each with a variant that has a seeded fault. `wide/models.txt`
//! names for each its verdict and the engine that decides it.
//!
//! `cargo nextest run -p axle-decide wide_data_all --run-ignored only --no-capture` runs all engines beside each
//! other on all models, for 60 seconds each (`AXLE_DECIDE_SECONDS`), and prints the table.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
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
    assert_eq!((rows.len(), pairs), (80, 40), "models, and those with a fault");
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

#[test]
#[ignore = "takes an hour"]
fn wide_data_all() {
    let seconds = cases("AXLE_DECIDE_SECONDS", 60);
    let only = std::env::var("AXLE_DECIDE_ONLY").unwrap_or_default();
    let (mut wrong, mut decided, mut number) = (Vec::new(), 0, 0);
    for row in rows().iter().filter(|row| row.name.contains(&only)) {
        let case = case(&row.name);
        if let Ok(to) = std::env::var("AXLE_DECIDE_DUMP") {
            let circuit = Circuit::new(&case.problem.system, &case.all);
            let bytes = axle_decide::export::aiger_binary(&case.problem.system, &circuit);
            std::fs::write(PathBuf::from(to).join(format!("{}.aig", row.name)), bytes).expect("a file");
        }
        let (begin, is_decided) = (Instant::now(), AtomicBool::new(false));
        let stop = || is_decided.load(Ordering::Relaxed) || begin.elapsed().as_secs() >= seconds;
        let answers: Vec<_> = std::thread::scope(|scope| {
            let threads = METHODS.map(|(name, method)| {
                let (case, stop, is_decided) = (&case, &stop, &is_decided);
                scope.spawn(move || {
                    let found = answer(case, method, row.holds, stop);
                    let is_first = !matches!(found, Ok(None)) && !is_decided.swap(true, Ordering::Relaxed);
                    (name, begin.elapsed().as_secs_f64(), is_first, found)
                })
            });
            threads.map(|thread| thread.join().expect("no panic")).into_iter().collect()
        });
        number += 1;
        let mut text = String::new();
        for (engine, time, is_first, found) in answers {
            match found {
                Ok(Some(what)) if is_first => {
                    decided += 1;
                    text = format!("{engine:10} {time:6.2} s  {what}");
                }
                Ok(_) => {}
                Err(why) => wrong.push(format!("{} by {engine}: {why}", row.name)),
            }
        }
        println!("{:18} {}", row.name, if text.is_empty() { "-" } else { &text });
    }
    println!("{decided} of {number} decided");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
