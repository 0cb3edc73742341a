//! Random models: the answers of the engines against an explicit search.

use std::sync::Arc;
use std::time::Duration;

use axle_decide::answer::Answer;
use axle_decide::certificate;
use axle_decide::circuit::Circuit;
use axle_decide::invariant::Invariant;
use axle_decide::model::Problem;
use axle_decide::prove::{self, Method};
use axle_decide::system::Cause;
use axle_decide::{bmc, induction, pdr};
use axle_generate::promela::Audience;
use axle_model::Model;
use axle_outcome::{FaultKind, Limits, Stop};
use axle_relation::{Options, Relation};
use axle_source::{Diagnostics, MemoryLoader, Sources};

use crate::cases;
use crate::explicit::{Explicit, explore};
use crate::random::Random;
use crate::replay::replay;

/// The most states of the explicit search.
const MOST_STATES: usize = 3_000;
/// The most terms of a relation.
const MOST_TERMS: usize = 12_000;

/// The model of a program; nothing if the program has errors or other files.
pub fn compiled(text: &str) -> Option<Arc<Model>> {
    let mut sources = Sources::new();
    let main = sources.add("model.pml", text);
    let (options, loader) = (axle_promela::Options::default(), MemoryLoader::default());
    axle_promela::compile(&mut sources, main, &loader, &options, &mut Diagnostics::new()).map(Arc::new)
}

pub fn relation(model: &Model) -> Option<Relation> {
    let options = Options { processes: 6, terms: MOST_TERMS, ..Options::default() };
    Relation::new(model, &options, &[]).ok()
}

/// Random models of both kinds: of the intermediate language and of Promela.
pub fn random_models(seed: u64, number: u64) -> impl Iterator<Item = (String, Arc<Model>)> {
    random_models_at(seed, 0..number)
}

/// Those at these positions.
fn random_models_at(seed: u64, at: std::ops::Range<u64>) -> impl Iterator<Item = (String, Arc<Model>)> {
    at.filter_map(move |index| {
        let model = if index % 2 == 0 {
            let mut random = Random::new(seed.wrapping_mul(1_000_003) + index);
            let bytes: Vec<u8> = (0..random.below(600)).map(|_| random.next() as u8).collect();
            Arc::new(axle_model::arbitrary::model(&bytes))
        } else {
            compiled(&axle_generate::promela::program(seed, index, Audience::Axle).to_string())?
        };
        Some((format!("model {index} of {seed}"), model))
    })
}

/// The counts of a comparison.
#[derive(Default, Debug)]
struct Compared {
    models: usize,
    reached: usize,
    unreached: usize,
    endless: usize,
}

/// Compares the least depth of every cause.
fn same_depths(
    model: &Arc<Model>,
    relation: &Relation,
    explicit: &Explicit,
    most: u64,
    compared: &mut Compared,
) -> Result<(), String> {
    let problem = Problem::new(model, relation);
    let all: Vec<usize> = (0..problem.system.bads.len()).collect();
    let circuit = Circuit::new(&problem.system, &all);
    let depth = most.min(explicit.complete as u64);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut polls = 0;
    let mut poll = |_| {
        polls += 1;
        (polls > 400).then_some(Stop::Time)
    };
    let Ok(found) = bmc::shortest(&circuit, &limits, &mut poll) else { return Ok(()) };
    for (bad, trace) in problem.system.bads.iter().zip(found) {
        let expected = explicit.depths.get(&bad.cause).copied().filter(|expected| *expected as u64 <= depth);
        let here = trace.as_ref().map(|trace| trace.inputs.len());
        if here != expected {
            return Err(format!("{:?} at depth {here:?} here, {expected:?} explicitly", bad.cause));
        }
        match trace {
            None => compared.unreached += 1,
            Some(trace) => {
                compared.reached += 1;
                let is_endless = matches!(bad.cause, Cause::Fault { kind: FaultKind::EndlessSequence, .. });
                compared.endless += usize::from(is_endless);
                let found = problem.counterexample(relation, &trace).map_err(|error| error.to_string())?;
                if found.groups.len() != trace.inputs.len() {
                    return Err("a shortest execution has no idle steps".to_owned());
                }
                replay(model, relation, &found)?;
            }
        }
    }
    let missing = explicit.depths.iter().find(|(cause, depth)| {
        **depth as u64 <= most && !problem.system.bads.iter().any(|bad| bad.cause == **cause)
    });
    if let Some(missing) = missing {
        return Err(format!("{missing:?} is not among the bad states"));
    }
    compared.models += 1;
    Ok(())
}

#[test]
fn shortest_executions_to_each_fault() {
    let (mut wrong, mut compared) = (Vec::new(), Compared::default());
    for (name, model) in random_models(cases("AXLE_DECIDE_SEED", 3), cases("AXLE_DECIDE_MODELS", 80)) {
        let Some(relation) = relation(&model) else { continue };
        let explicit = explore(&relation, MOST_STATES);
        if let Err(why) = same_depths(&model, &relation, &explicit, 10, &mut compared) {
            wrong.push(format!("{name}: {why}\n{}", axle_model::dump::dump(&model)));
        }
    }
    assert!(wrong.is_empty(), "{} wrong, {compared:?}\n{}", wrong.len(), wrong[0]);
    println!("{compared:?}");
    assert!(compared.models > 60 && compared.reached > 60 && compared.endless > 0, "{compared:?}");
}

/// Sequences with loops: one that ends and begins again in the same state, one that never ends, and one
/// that stays in a state.
#[test]
fn endless_sequences() {
    let programs = [
        (
            "byte c; active proctype P() { do :: atomic { do :: c < 2 -> c++ :: c >= 2 -> break od; c = 0 } od }",
            0,
        ),
        ("bit x; active proctype P() { skip; atomic { x = 1; do :: x = 1 - x od } }", 1),
        ("bit x; active proctype P() { atomic { x = 1; do :: x -> skip od } }", 1),
        (
            "byte c; active [2] proctype P() { end: do :: d_step { c < 3; do :: c < 3 -> c++ :: else -> break od } :: c = 0 od }",
            0,
        ),
    ];
    for (text, endless) in programs {
        let model = compiled(text).expect("a program");
        let relation = relation(&model).expect("a small relation");
        let explicit = explore(&relation, MOST_STATES);
        let mut compared = Compared::default();
        same_depths(&model, &relation, &explicit, 16, &mut compared).expect(text);
        assert_eq!((compared.models, compared.endless), (1, endless), "{text}");
    }
}

/// The answers of one engine.
#[derive(Default, Debug)]
struct Answers {
    holds: usize,
    violated: usize,
    unknown: usize,
}

/// Runs an engine, and checks its execution or certificate.
fn run(
    engine: &str,
    model: &Arc<Model>,
    relation: &Relation,
    problem: &Problem,
    answers: &mut Answers,
    most: Duration,
) -> Result<Option<Invariant>, String> {
    let all: Vec<usize> = (0..problem.system.bads.len()).collect();
    let mut circuit = Circuit::new(&problem.system, &all);
    circuit.safe = problem.safe.clone();
    let limits = Limits { depth: Some(25), ..Limits::default() };
    let begin = std::time::Instant::now();
    let mut poll = |_| (begin.elapsed() > most).then_some(Stop::Time);
    let answer = match engine {
        "bmc" => bmc::search(&circuit, &Limits::default(), &mut poll),
        "reformulated" => prove::decide(problem, relation, &all, Method::Reachability, &limits, &mut poll),
        "induction" => induction::prove(&circuit, &problem.facts, &limits, &mut poll),
        _ => pdr::prove(&circuit, &problem.facts, &limits, &mut poll),
    };
    match answer {
        Answer::Unknown(_) => {
            answers.unknown += 1;
            Ok(None)
        }
        Answer::Violated(trace) => {
            answers.violated += 1;
            let found = problem.counterexample(relation, &trace);
            let found = found.map_err(|error| format!("{engine}: {error}"))?;
            replay(model, relation, &found).map_err(|error| format!("{engine}: {error}"))?;
            Ok(None)
        }
        Answer::Holds(invariant) => {
            answers.holds += 1;
            let accepted = certificate::check(&problem.system, &invariant, &mut |_| None);
            accepted.map_err(|rejection| format!("{engine}: {rejection}"))?;
            Ok(Some(invariant))
        }
    }
}

/// The engines that are compared.
const ENGINES: [&str; 4] = ["bmc", "induction", "pdr", "reformulated"];

/// Runs all engines on random models, and compares their answers with the explicit search.
fn no_contradiction(random: impl Iterator<Item = (String, Arc<Model>)>, most: Duration) -> [Answers; 4] {
    let (mut wrong, mut models) = (Vec::new(), 0);
    let mut answers = [const { Answers { holds: 0, violated: 0, unknown: 0 } }; 4];
    for (name, model) in random {
        let Some(relation) = relation(&model) else { continue };
        let explicit = explore(&relation, MOST_STATES);
        let problem = Problem::new(&model, &relation);
        models += 1;
        for (engine, answers) in ENGINES.into_iter().zip(&mut answers) {
            let before = (answers.holds, answers.violated);
            let outcome = run(engine, &model, &relation, &problem, answers, most);
            // Every other model is decided with what the engines before have found out.
            if models % 2 == 0 {
                problem.safe.publish();
            }
            let all: Vec<usize> = (0..problem.system.bads.len()).collect();
            let least = explicit.depths.values().min().map(|least| *least as u64);
            if let Some(least) = least.filter(|least| problem.safe.steps(&all) > *least) {
                wrong.push(format!("{name}: {engine} knows no fault within {least} steps"));
            }
            let holds = answers.holds > before.0;
            let violated = answers.violated > before.1;
            let why = match outcome {
                Err(why) => why,
                Ok(_) if holds && !explicit.depths.is_empty() => {
                    format!("{engine} misses {:?}", explicit.depths)
                }
                Ok(_) if violated && explicit.is_whole && explicit.depths.is_empty() => {
                    format!("{engine} finds a fault of a correct model")
                }
                Ok(_) => continue,
            };
            wrong.push(format!("{name}: {why}\n{}", axle_model::dump::dump(&model)));
        }
        if models % 1_000 == 0 {
            println!("{models} models, {} wrong, {answers:?}", wrong.len());
        }
    }
    println!("{models} models, {} wrong, {answers:?}", wrong.len());
    assert!(wrong.is_empty(), "{} wrong, {answers:?}\n{}", wrong.len(), wrong[0]);
    answers
}

/// The environment variables `AXLE_DECIDE_MODELS`, for 50,000 models about an hour, `AXLE_DECIDE_FIRST` and
/// `AXLE_DECIDE_SEED` select other random models.
#[test]
fn answers_of_all_engines() {
    let (seed, number) = (cases("AXLE_DECIDE_SEED", 3), cases("AXLE_DECIDE_MODELS", 50));
    let first = cases("AXLE_DECIDE_FIRST", 0);
    let [bmc, induction, pdr, reformulated] = no_contradiction(
        random_models_at(seed, first..first + number),
        Duration::from_millis(if number > 50 { 200 } else { 2_000 }),
    );
    assert!(bmc.violated > 12, "{bmc:?}");
    assert!(induction.violated > 12 && induction.holds > 5, "{induction:?}");
    assert!(pdr.violated > 12 && pdr.holds > 8, "{pdr:?}");
    assert!(reformulated.violated > 12 && reformulated.holds > 8, "{reformulated:?}");
}

/// A model on which answers were contradictory: the copy of a state in a sequence was replaced by its difference
/// to the state.
#[test]
fn contradictions_of_the_past() {
    let [.., reformulated] = no_contradiction(random_models_at(201, 2_379..2_380), Duration::from_secs(20));
    assert_eq!((reformulated.holds, reformulated.violated), (0, 1));
}
