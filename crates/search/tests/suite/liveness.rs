//! Compares the liveness searches with each other and with the definition, on random models and
//! claims.

use std::sync::Arc;

use crate::brute::Pair;
use crate::interrupted::Interrupted;
use axle_compare::last_checkpoint::LastCheckpoint;
use axle_generate::Random;
use axle_model::Model;
use axle_search::claim::{Claim, Cube, Edge, Guard, Literal, Location};
use axle_search::liveness::{self, LivenessOptions};
use axle_search::parallel::cycles::{self, Answer};
use axle_search::{Algorithm, Fairness, Finding, LivenessOutcome, Measure};
use axle_search::{Limits, Progress, Silent, Stop, checkpoint, lossy_nested_dfs};
use axle_source::{Diagnostics, MemoryLoader, Sources};
use axle_step::{Atom, AtomFault, Compiled, Graph, Interpreter, Observe, Observer, Options};
use axle_store::{LossySet, Method, PlainTable, StateSet};

fn parse(text: &str) -> Arc<Model> {
    let model = axle_model::parse::parse(text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let wrong = axle_model::verify::verify(&model);
    assert!(wrong.is_empty(), "{wrong:?}\n{text}");
    Arc::new(model)
}

/// A few processes that modify two variables, synchronise, exchange messages, loop and terminate.
fn random_model(r: &mut Random) -> String {
    let count = 1 + r.below(4);
    let mut text = String::from("axle model 1\nshape q0 0 of ( u8 )\nshape q1 1 of ( u8 )\n");
    text += "channel c0 h: q0\nchannel c1 b: q1\nglobal g0 x: u8\nglobal g1 y: u8\n";
    let names: Vec<String> = (0..count).map(|i| format!("p{i}")).collect();
    text += &format!("start {}\n", names.join(", "));
    for i in 0..count {
        text += &format!("process p{i} P{i}() entry s0 {{\n");
        let locations = 1 + r.below(4);
        let mut edge = 0;
        for s in 0..locations {
            let end = if r.one_in(3) { " end" } else { "" };
            let flag = if r.one_in(5) {
                " accept"
            } else if r.one_in(5) {
                " progress"
            } else {
                ""
            };
            text += &format!("  s{s}:{end}{flag}\n");
            for _ in 0..r.below(4) {
                let to = r.below(locations);
                let v = r.below(2);
                let guard = match r.below(5) {
                    0 | 1 => String::new(),
                    2 => format!(" when g{v} == {}", r.below(3)),
                    3 => format!(" when g{v} != {}", r.below(3)),
                    _ => format!(" when g0 == g{v}"),
                };
                let comm = match r.below(8) {
                    0 => format!(" send c0 ! [{}]", r.below(2)),
                    1 => " recv c0 ? [_]".to_string(),
                    2 => " send c1 ! [1]".to_string(),
                    3 => " recv c1 ? [_]".to_string(),
                    _ => String::new(),
                };
                let effect = match r.below(3) {
                    0 => format!(" do g{v} := {}", r.below(3)),
                    _ => String::new(),
                };
                let keep = if r.one_in(8) { " keep atomic" } else { "" };
                text += &format!("    t{edge} -> s{to}{guard}{comm}{effect}{keep} \"\"\n");
                edge += 1;
            }
        }
        text += "}\n";
    }
    text
}

fn atoms() -> Vec<Atom> {
    use axle_model::{BinOp, Expr, GlobalId, Place};
    let load = |i| Expr::Load(Place::global(GlobalId(i)));
    vec![
        Atom::Holds(Expr::int(BinOp::Eq, load(0), Expr::Const(0))),
        Atom::Holds(Expr::int(BinOp::Lt, load(1), Expr::Const(2))),
        Atom::Holds(Expr::NonProgress),
        Atom::Accepting,
        Atom::Holds(Expr::Timeout),
        Atom::Holds(Expr::Enabled(Box::new(Expr::Const(0)))),
    ]
}

fn random_claim(r: &mut Random, sets: u32) -> Claim {
    let count = 1 + r.below(4);
    let atoms = atoms().len() as u32;
    let cube = |r: &mut Random| {
        Cube((0..r.below(3)).map(|_| Literal { atom: r.below(6) as u32, holds: r.one_in(2) }).collect())
    };
    let locations = (0..count).map(|_| Location {
        edges: (0..r.below(4))
            .map(|_| Edge {
                guard: Guard((0..1 + r.below(2)).map(|_| cube(r)).collect()),
                asserts: if r.one_in(40) { Some(r.below(6) as u32) } else { None },
                to: r.below(count) as u32,
                marks: if sets == 0 { 0 } else { r.below(1 << (sets + 1)) & ((1 << sets) - 1) },
            })
            .collect(),
        end: false,
    });
    let mut locations: Vec<Location> = locations.collect();
    if r.one_in(12) {
        locations[r.below(count) as usize].end = true;
    }
    let initial = if r.one_in(6) { (0..count as u32).collect() } else { vec![0] };
    Claim { locations, initial, sets, atoms }
}

fn run<G: Graph>(
    stepper: &mut G,
    observer: &mut Observer,
    claim: &Claim,
    fairness: Fairness,
    algorithm: Algorithm,
    (shorten, trial): (bool, Option<u64>),
) -> LivenessOutcome {
    let question = LivenessOptions { fairness, algorithm, shorten, trial, ..LivenessOptions::default() };
    outcome_of(stepper, observer, claim, &question)
}

fn outcome_of<G: Graph>(
    stepper: &mut G,
    observer: &mut Observer,
    claim: &Claim,
    question: &LivenessOptions,
) -> LivenessOutcome {
    let mut set = PlainTable::new(liveness::width(stepper)).unwrap();
    let outcome = liveness::search(stepper, observer, claim, &mut set, question, &mut Silent);
    let outcome = outcome.expect("the question is well put");
    assert_eq!(outcome.stop, None);
    outcome
}

/// A parallel search must return the result of a sequential search.
fn by_threads(
    model: &Arc<Model>,
    claim: &Claim,
    fairness: Fairness,
    outcome: &LivenessOutcome,
    threads: usize,
) -> Result<(), String> {
    let options = Options { movers: true, ..Options::default() };
    let interpreter = Interpreter::new(model.clone(), options);
    let fork = || (interpreter.clone(), Observer::new(&interpreter, atoms()));
    let mut forks: Vec<_> = (0..threads).map(|_| fork()).collect();
    let question = LivenessOptions { fairness, ..LivenessOptions::default() };
    let tells = outcome.finding.is_some() || !outcome.faults.is_empty();
    match cycles::search(&mut forks, claim, u64::MAX, &question, &mut Silent) {
        Answer::Alone if fairness == Fairness::Strong => Ok(()),
        Answer::NeedsSequentialRerun if tells => Ok(()),
        Answer::Outcome(other) if !tells => {
            let mut other = LivenessOutcome { memory: outcome.memory, ..*other };
            if fairness != Fairness::None {
                // The sequential search has expanded a state to test whether executing processes
                // are reported.
                other.taken.clone_from(&outcome.taken);
            }
            if other == *outcome {
                Ok(())
            } else {
                Err(format!("{other:?}\nwhere one thread has {outcome:?}"))
            }
        }
        other => Err(format!("{other:?}\nwhere one thread has {outcome:?}")),
    }
}

/// Interrupts a search at one of its polls.
fn after_looks(mut looks: u64) -> impl FnMut(&Progress) -> bool {
    move |_| {
        looks = looks.saturating_sub(1);
        looks == 0
    }
}

/// A search that is cancelled and resumed with any number of threads returns the sequential result.
fn by_interrupted(
    model: &Arc<Model>,
    claim: &Claim,
    fairness: Fairness,
    outcome: &LivenessOutcome,
    r: &mut Random,
    spread: &mut Spread,
) -> Result<(), String> {
    let options = Options { movers: true, ..Options::default() };
    let interpreter = Interpreter::new(model.clone(), options);
    let fork = || (interpreter.clone(), Observer::new(&interpreter, atoms()));
    let question = LivenessOptions { fairness, ..LivenessOptions::default() };
    let tells = outcome.finding.is_some() || !outcome.faults.is_empty();
    let (rounds, pace) = (1 + r.below(8), 1 + r.below(4) * r.below(20));
    let mut kept: Option<Vec<u8>> = None;
    for round in 0..=rounds {
        let looks = if round == rounds { u64::MAX } else { 1 + r.below(pace) };
        let mut forks: Vec<_> = (0..1 + r.below(3)).map(|_| fork()).collect();
        let past = kept.as_ref().map(|bytes| checkpoint::read(&mut &bytes[..]).unwrap());
        spread.resumed += usize::from(past.is_some());
        let shelf = LastCheckpoint::every(u32::from(r.one_in(4)));
        let mut monitor = Interrupted::when(after_looks(looks), past, shelf);
        match cycles::search_at(1, &mut forks, claim, u64::MAX, &question, &mut monitor) {
            Answer::Alone if fairness == Fairness::Strong => return Ok(()),
            Answer::NeedsSequentialRerun if tells => return Ok(()),
            Answer::Outcome(other) if other.stop == Some(Stop::Interrupted) => {
                // No checkpoint is written if a thread has just found a result that needs a
                // sequential search.
                kept = monitor.shelf.kept.or(kept);
                if kept.is_none() && !tells {
                    return Err("nothing was kept".to_string());
                }
            }
            Answer::Outcome(other) if !tells => {
                let mut other = LivenessOutcome { memory: outcome.memory, ..*other };
                if fairness != Fairness::None {
                    other.taken.clone_from(&outcome.taken);
                }
                if other == *outcome {
                    return Ok(());
                }
                return Err(format!("{other:?}\nwhere one thread has {outcome:?}"));
            }
            other => return Err(format!("{other:?}\nwhere one thread has {outcome:?}")),
        }
    }
    Err("interrupted without end".to_string())
}

/// Distribution of the cases.
#[derive(Default, Debug)]
struct Spread {
    cases: usize,
    broken: [usize; 3],
    alarms: usize,
    compiled: usize,
    resumed: usize,
    shortened: usize,
}

/// One random model with one random claim: all searches, all fairness assumptions.
fn check(seed: u64, spread: &mut Spread) -> Result<(), String> {
    let mut r = Random::of(seed, 0);
    let text = random_model(&mut r);
    let model = parse(&text);
    let sets = r.below(3) as u32;
    let claim = random_claim(&mut r, sets);
    let mut pair = Pair::new(&model, &claim, &atoms());
    let Some(graph) = crate::brute::graph(&mut pair, 2_000) else { return Ok(()) };
    spread.cases += 1;
    let fail = |what: String| Err(format!("seed {seed}: {what}\n{text}\n{claim:?}"));
    let options = Options { movers: true, ..Options::default() };
    let compile = r.one_in(4);
    for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
        for algorithm in [Algorithm::Components, Algorithm::NestedDfs] {
            if algorithm == Algorithm::NestedDfs && (sets > 1 || fairness != Fairness::None) {
                continue;
            }
            let how = (r.one_in(3), r.one_in(2).then(|| r.below(80)));
            let shorten = how.0;
            let interpreter = Interpreter::new(model.clone(), options);
            let mut observer = Observer::new(&interpreter, atoms());
            let mut engine = interpreter.clone();
            let outcome = if compile {
                spread.compiled += 1;
                observer.compile();
                let mut engine = Compiled::from_interpreter(interpreter, options).unwrap();
                run(&mut engine, &mut observer, &claim, fairness, algorithm, how)
            } else {
                run(&mut engine, &mut observer, &claim, fairness, algorithm, how)
            };
            if algorithm == Algorithm::Components
                && r.one_in(2)
                && let Err(why) = by_threads(&model, &claim, fairness, &outcome, 2 + r.below(3) as usize)
            {
                return fail(format!("{fairness:?} by threads: {why}"));
            }
            if algorithm == Algorithm::Components
                && let Err(why) = by_interrupted(&model, &claim, fairness, &outcome, &mut r, spread)
            {
                return fail(format!("{fairness:?} interrupted: {why}"));
            }
            if let Err(why) = judged(&mut pair, &graph, fairness, &outcome, spread) {
                return fail(format!("{fairness:?} {algorithm:?}: {why}"));
            }
            // The cheapest path to the cycle, or to the edge that is a violation, by either measure.
            let measure = if seed.is_multiple_of(2) { Measure::Likelihood } else { Measure::Choices };
            let question =
                LivenessOptions { fairness, algorithm, prefer: Some(measure), ..LivenessOptions::default() };
            let cheapest = outcome_of(&mut engine, &mut observer, &claim, &question);
            if outcome.finding.is_some()
                && let Err(why) = judged(&mut pair, &graph, fairness, &cheapest, spread)
            {
                return fail(format!("{fairness:?} {algorithm:?} {measure:?}: {why}"));
            }
            if shorten
                && fairness == Fairness::None
                && let Some(Finding::Cycle(lasso)) = &outcome.finding
            {
                spread.shortened += 1;
                let (steps, fewest) = (lasso.prefix.len() + lasso.cycle.len(), graph.shortest());
                if fewest != Some(steps) {
                    return fail(format!("{algorithm:?}: {steps} steps, not {fewest:?}"));
                }
            }
        }
    }
    if sets <= 1 {
        for room in [Room::Exact, Room::Plenty, Room::Scarce] {
            let outcome = run_lossy(&model, &claim, room, seed);
            if room == Room::Scarce && outcome.finding.is_none() {
                continue;
            }
            if let Err(why) = judged(&mut pair, &graph, Fairness::None, &outcome, spread) {
                return fail(format!("lossy, {room:?}: {why}"));
            }
        }
    }
    Ok(())
}

/// Compares the result of a search with the definition.
fn judged(
    pair: &mut Pair,
    graph: &crate::brute::Graph,
    fairness: Fairness,
    outcome: &LivenessOutcome,
    spread: &mut Spread,
) -> Result<(), String> {
    let accepts = graph.accepts(fairness);
    match &outcome.finding {
        None if accepts || graph.alarmed() => Err("misses what is there".into()),
        None => {
            let transitions = graph.to.iter().map(Vec::len).sum::<usize>() + pair.claim.initial.len();
            let counts = (outcome.states as usize, outcome.transitions as usize);
            match counts == (graph.after.len(), transitions) {
                true => Ok(()),
                false => Err(format!(
                    "{counts:?} states and transitions, not {} and {transitions}",
                    graph.after.len()
                )),
            }
        }
        Some(Finding::Cycle(lasso)) => {
            spread.broken[fairness as usize] += 1;
            if !accepts {
                return Err("finds what is not there".into());
            }
            crate::brute::judge(pair, lasso, fairness).map_err(|why| format!("{why}\n{lasso:?}"))
        }
        Some(Finding::ClaimEnd(prefix, edge) | Finding::ClaimAssertion(prefix, edge)) => {
            spread.alarms += 1;
            let assertion = matches!(outcome.finding, Some(Finding::ClaimAssertion(..)));
            let start = pair.starts().into_iter().find(|(at, _)| *at == prefix.start).unwrap();
            let walk = crate::brute::follow(pair, &start, &prefix.steps)?;
            let at = walk.last().map_or(start, |(node, _, _)| node.clone());
            match pair.after(&at).alarms.contains(&(*edge, assertion)) {
                true => Ok(()),
                false => Err("a false alarm".into()),
            }
        }
    }
}

/// Store of the lossy search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Room {
    Exact,
    /// Fingerprints.
    Plenty,
    /// So few bits that most states are missed.
    Scarce,
}

fn run_lossy(model: &Arc<Model>, claim: &Claim, room: Room, seed: u64) -> LivenessOutcome {
    let mut engine = Interpreter::new(model.clone(), Options::default());
    let mut observer = Observer::new(&engine, atoms());
    let width = liveness::width(&engine);
    let outcome = match room {
        Room::Exact => lossy(&mut engine, &mut observer, claim, &mut PlainTable::new(width).unwrap()),
        Room::Plenty | Room::Scarce => {
            let method = match room {
                Room::Scarce => Method::Bitstate { bytes: 16, functions: 2 },
                Room::Exact | Room::Plenty => Method::HashCompact128,
            };
            let mut set = LossySet::with_limit(width, u64::MAX, method, seed).unwrap().without_queue();
            lossy(&mut engine, &mut observer, claim, &mut set)
        }
    };
    assert_eq!(outcome.stop, None);
    outcome
}

/// The nested search, over any set.
fn lossy(
    engine: &mut Interpreter,
    observer: &mut Observer,
    claim: &Claim,
    set: &mut impl StateSet,
) -> LivenessOutcome {
    let searched = lossy_nested_dfs::search(engine, observer, claim, set, &Limits::default(), &mut Silent);
    searched.expect("the question is well put").outcome
}

/// A few hundred cases by default; `AXLE_LIVENESS_CASES` sets another number.
#[test]
fn all_searches_agree_with_the_definition() {
    let cases = std::env::var("AXLE_LIVENESS_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(600);
    let mut spread = Spread::default();
    let wrong: Vec<String> = (1..=cases).filter_map(|seed| check(seed, &mut spread).err()).take(3).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    println!("{spread:?}");
    let [none, weak, strong] = spread.broken;
    let telling = none > weak && weak > strong && strong > spread.cases / 20 && spread.alarms > 0;
    assert!(telling && spread.cases > 500.min(cases as usize / 2), "{spread:?}");
    assert!(spread.resumed > spread.cases && spread.shortened > spread.cases / 10, "{spread:?}");
}

/// The search starts again in order of distance after any number of states, also in the state in
/// which it finds a violation.
#[test]
fn the_search_may_start_again_after_any_state() {
    let (mut spread, mut runs) = (Spread::default(), 0);
    for seed in 1..=120 {
        let mut r = Random::of(seed, 0);
        let model = parse(&random_model(&mut r));
        let claim = random_claim(&mut r, 1);
        let mut pair = Pair::new(&model, &claim, &atoms());
        let Some(graph) = crate::brute::graph(&mut pair, 60) else { continue };
        for trial in 0..=graph.after.len() as u64 {
            let mut engine = Interpreter::new(model.clone(), Options::default());
            let mut observer = Observer::new(&engine, atoms());
            let how = (false, Some(trial));
            let none = Fairness::None;
            let outcome = run(&mut engine, &mut observer, &claim, none, Algorithm::Components, how);
            let seen = judged(&mut pair, &graph, none, &outcome, &mut spread);
            assert_eq!(seen, Ok(()), "seed {seed}, trial {trial}");
            runs += 1;
        }
    }
    assert!(runs > 200 && spread.alarms > 20 && spread.broken[0] > 20, "{runs} {spread:?}");
}

/// The removal of states splits a component into two. The component that is found last, and lies
/// before the other, contains the strongly fair execution. `x` takes the values 1, 2, 3 cyclically,
/// and may stay at 1 or 2. If `x` is 3 infinitely often, the second process must terminate; if it
/// is 2 infinitely often, the third process must, which may also make steps at 3 without
/// terminating.
#[test]
fn every_part_of_a_component_that_was_taken_apart_is_looked_at() {
    let model = parse(
        "axle model 1\nglobal g0 x: u8\nglobal g1 gone: u8\nprologue {\n  g0 := 1;\n}\nstart p0, p1, p2\n\
         process p0 P() entry s0 {\n  s0:\n    t0 -> s0 when g0 == 1 \"\"\n    t1 -> s0 when g0 == 1 do g0 := 2 \"\"\n\
         \x20   t2 -> s0 when g0 == 2 \"\"\n    t3 -> s0 when g0 == 2 do g0 := 3 \"\"\n\
         \x20   t4 -> s0 when g0 == 3 do g0 := 1 \"\"\n}\n\
         process p1 Q() entry s0 {\n  s0:\n    t0 -> s1 when g0 == 3 do g1 := 5 \"\"\n  s1: end\n}\n\
         process p2 R() entry s0 {\n  s0:\n    t0 -> s0 when g0 == 3 \"\"\n\
         \x20   t1 -> s1 when g0 == 2 do g1 := 5 \"\"\n  s1: end\n}\n",
    );
    let edge = |guard: Cube, marks| Edge { guard: Guard(vec![guard]), asserts: None, to: 0, marks };
    // Atom 1: no process has terminated.
    let here = Cube(vec![Literal { atom: 1, holds: true }]);
    let locations = vec![Location { edges: vec![edge(here, 1), edge(Cube::default(), 0)], end: false }];
    let claim = Claim { locations, initial: vec![0], sets: 1, atoms: atoms().len() as u32 };
    let options = Options { movers: true, ..Options::default() };
    let mut engine = Interpreter::new(model.clone(), options);
    let mut observer = Observer::new(&engine, atoms());
    let outcome =
        run(&mut engine, &mut observer, &claim, Fairness::Strong, Algorithm::Components, (false, None));
    let Some(Finding::Cycle(lasso)) = &outcome.finding else { panic!("{:?}", outcome.finding) };
    let mut pair = Pair::new(&model, &claim, &atoms());
    crate::brute::judge(&mut pair, lasso, Fairness::Strong).unwrap();
}

/// A cycle whose only accepting edge leads to a state that is known and closed at that time,
/// because the parallel edge without acceptance comes first.
#[test]
fn an_accepting_edge_to_a_state_left_behind_is_looked_at() {
    let model = parse(
        "axle model 1\nglobal g0 x: u8\nglobal g1 y: u8\nstart p0\nprocess p0 P() entry s0 {\n\
         \x20 s0:\n    t0 -> s1 do g0 := 1 \"\"\n  s1:\n    t1 -> s0 do g0 := 0 \"\"\n}\n",
    );
    let edge = |guard: Cube, marks| Edge { guard: Guard(vec![guard]), asserts: None, to: 0, marks };
    // Atom 0: `x` is 0.
    let zero = Cube(vec![Literal { atom: 0, holds: true }]);
    let edges = vec![edge(Cube::default(), 0), edge(zero, 1)];
    let locations = vec![Location { edges, end: false }];
    let claim = Claim { locations, initial: vec![0], sets: 1, atoms: atoms().len() as u32 };
    for algorithm in [Algorithm::Components, Algorithm::NestedDfs] {
        let mut engine = Interpreter::new(model.clone(), Options::default());
        let mut observer = Observer::new(&engine, atoms());
        let outcome = run(&mut engine, &mut observer, &claim, Fairness::None, algorithm, (false, None));
        assert!(outcome.finding.is_some(), "{algorithm:?}");
    }
    for room in [Room::Exact, Room::Plenty] {
        assert!(run_lossy(&model, &claim, room, 1).finding.is_some(), "{room:?}");
    }
}

/// A cycle that the red search finds only after backtracking from a dead end, by two more steps:
/// the first step of `s1` leads to a dead end, and the only accepting step is the one from `s0`.
#[test]
fn the_second_search_goes_on_after_a_dead_end() {
    let model = parse(
        "axle model 1\nglobal g0 x: u8\nglobal g1 y: u8\nstart p0\nprocess p0 P() entry s0 {\n\
         \x20 s0:\n    t0 -> s1 do g0 := 1 \"\"\n  s1:\n    t1 -> s3 \"\"\n    t2 -> s2 \"\"\n\
         \x20 s2:\n    t3 -> s0 do g0 := 0 \"\"\n  s3: end\n}\n",
    );
    let edge = |holds, marks| {
        let cube = Cube(vec![Literal { atom: 0, holds }]);
        Edge { guard: Guard(vec![cube]), asserts: None, to: 0, marks }
    };
    // Atom 0: `x` is 0.
    let locations = vec![Location { edges: vec![edge(true, 1), edge(false, 0)], end: false }];
    let claim = Claim { locations, initial: vec![0], sets: 1, atoms: atoms().len() as u32 };
    for room in [Room::Exact, Room::Plenty] {
        let outcome = run_lossy(&model, &claim, room, 1);
        let Some(Finding::Cycle(lasso)) = &outcome.finding else { panic!("{room:?}: {outcome:?}") };
        assert_eq!((lasso.prefix.len(), lasso.cycle.len()), (0, 3), "{room:?}");
    }
}

/// The reconstruction of an execution of thirty steps visits no further states: four counters have
/// more than forty thousand values within thirty steps, of which the search visited a few thousand.
/// Whether a shorter execution exists is not known without them, so a limit on memory ends this search,
/// and the execution remains.
#[test]
fn the_way_to_a_run_keeps_to_what_the_search_expanded() {
    let counters = ["a", "b", "c", "d"];
    let mut text = String::from("axle model 1\nglobal g0 x: u8\nglobal g1 y: u8\n");
    for (number, name) in counters.iter().enumerate() {
        text += &format!("global g{} {name}: u8\n", number + 2);
    }
    text += "start p0\nprocess p0 P() entry s0 {\n  s0:\n";
    // The preferred branch is first from either end of the list.
    let there = |first: usize| {
        let on = format!("    t{first} -> s0 when g1 != 30 do g1 := g1 + 1 \"\"\n");
        on + &format!("    t{} -> s1 when g1 == 30 do g0 := 1 \"\"\n", first + 1)
    };
    text += &there(0);
    for number in 2..2 + counters.len() {
        text += &format!("    t{number} -> s0 do g{number} := g{number} + 1 \"\"\n");
    }
    text += &there(6);
    text += "  s1:\n    t8 -> s1 \"\"\n}\n";
    let model = parse(&text);
    // The property: `x` is 1 infinitely often.
    let arrived = Guard(vec![Cube(vec![Literal { atom: 0, holds: false }])]);
    let edge = |guard, marks| Edge { guard, asserts: None, to: 0, marks };
    let edges = vec![edge(Guard(vec![Cube::default()]), 0), edge(arrived, 1)];
    let locations = vec![Location { edges, end: false }];
    let claim = Claim { locations, initial: vec![0], sets: 1, atoms: atoms().len() as u32 };
    let mut engine = Interpreter::new(model.clone(), Options::default());
    let mut observer = Observer::new(&engine, atoms());
    let mut run = |shorten, memory| {
        let mut set = PlainTable::new(liveness::width(&engine)).unwrap();
        let limits = Limits { memory, ..Limits::default() };
        let (fairness, algorithm) = (Fairness::None, Algorithm::Components);
        let question = LivenessOptions { fairness, algorithm, shorten, limits, ..LivenessOptions::default() };
        let outcome = liveness::search(&mut engine, &mut observer, &claim, &mut set, &question, &mut Silent);
        let outcome = outcome.expect("the question is well put");
        let Some(Finding::Cycle(lasso)) = outcome.finding else { panic!("the search finds no cycle") };
        assert_eq!((lasso.prefix.len(), outcome.stop), (31, None));
        (outcome.states, set.len())
    };
    let (states, after) = run(false, None);
    assert_eq!(after, states, "nothing was added since");
    assert!(after < 20_000, "{after} states");
    let (states, after) = run(true, Some(4 << 20));
    assert!(states < after && after < 200_000, "{states} and {after} states");
}

/// An observer that is slow, or that panics at its first batch.
struct Moody {
    observer: Observer,
    falls: bool,
}

impl Observe for Moody {
    fn words(&self) -> usize {
        Observe::words(&self.observer)
    }

    fn width(&self) -> usize {
        Observe::width(&self.observer)
    }

    fn grow(&mut self, slots: usize) {
        Observe::grow(&mut self.observer, slots);
    }

    fn observe(&mut self, states: &[u8], out: &mut Vec<u64>, faults: &mut Vec<AtomFault>) {
        assert!(!self.falls, "this thread falls");
        // Gives the other thread time to start.
        std::thread::sleep(std::time::Duration::from_millis(1));
        Observe::observe(&mut self.observer, states, out, faults);
    }
}

/// A part not searched by a failed thread must not count as verified.
#[test]
fn where_one_thread_falls_there_is_no_answer() {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let text = "byte x, y; active proctype P() { do :: x++ od } active proctype Q() { do :: y++ od }";
    let main = sources.add("m.pml", text);
    let options = axle_promela::Options::default();
    let loader = MemoryLoader::default();
    let model = axle_promela::compile(&mut sources, main, &loader, &options, &mut diagnostics);
    let interpreter = Interpreter::new(Arc::new(model.expect("a model")), Options::default());
    let edge = |literals: &[bool], marks| Edge {
        guard: Guard(vec![Cube(literals.iter().map(|&holds| Literal { atom: 0, holds }).collect())]),
        asserts: None,
        to: 0,
        marks,
    };
    // The mark is on an edge that is never enabled.
    let edges = vec![edge(&[], 0), edge(&[true, false], 1)];
    let claim =
        Claim { locations: vec![Location { edges, end: false }], initial: vec![0], sets: 1, atoms: 6 };
    let fork = |falls| (interpreter.clone(), Moody { observer: Observer::new(&interpreter, atoms()), falls });
    let mut forks = [fork(false), fork(true)];
    let answer = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        cycles::search(&mut forks, &claim, u64::MAX, &LivenessOptions::default(), &mut Silent)
    }));
    assert!(answer.is_err(), "{answer:?}");
}

/// A search that reaches its memory limit writes a checkpoint, and resumes from it with more
/// memory.
#[test]
fn what_found_no_room_goes_on_where_there_is_more() {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let text = "byte x, y, z; active proctype P() { do :: x = (x + 1) % 30 od }
        active proctype Q() { do :: y = (y + 1) % 30 od } active proctype R() { do :: z = (z + 1) % 30 od }";
    let main = sources.add("m.pml", text);
    let options = axle_promela::Options::default();
    let loader = MemoryLoader::default();
    let model = axle_promela::compile(&mut sources, main, &loader, &options, &mut diagnostics);
    let options = Options { movers: true, ..Options::default() };
    let interpreter = Interpreter::new(Arc::new(model.expect("a model")), options);
    let fork = || (interpreter.clone(), Observer::new(&interpreter, atoms()));
    let (mut resumed, mut whole) = (0, 0);
    for seed in 1..60u64 {
        let mut r = Random::of(seed, 0);
        let sets = 1 + r.below(2) as u32;
        let claim = random_claim(&mut r, sets);
        let fairness = if r.one_in(2) { Fairness::None } else { Fairness::Weak };
        let question = LivenessOptions { fairness, ..LivenessOptions::default() };
        let threads = 1 + r.below(3) as usize;
        let forks = || (0..threads).map(|_| fork()).collect::<Vec<_>>();
        let unlimited = cycles::search(&mut forks(), &claim, u64::MAX, &question, &mut Silent);
        let Answer::Outcome(outcome) = unlimited else { continue };
        whole += 1;
        let mut kept: Option<Vec<u8>> = None;
        let mut limit = 300_000;
        loop {
            let past = kept.as_ref().map(|bytes| checkpoint::read(&mut &bytes[..]).unwrap());
            resumed += usize::from(past.is_some());
            let mut monitor = Interrupted::when(|_| false, past, LastCheckpoint::default());
            match cycles::search(&mut forks(), &claim, limit, &question, &mut monitor) {
                Answer::Alone => {}
                Answer::Outcome(other) if other.stop == Some(Stop::Memory) => {
                    kept = monitor.shelf.kept.or(kept)
                }
                Answer::Outcome(other) => {
                    assert_eq!(LivenessOutcome { memory: outcome.memory, ..*other }, *outcome, "seed {seed}");
                    break;
                }
                Answer::NeedsSequentialRerun => panic!("seed {seed}: no result needs a rerun"),
            }
            limit += limit / 4;
        }
    }
    assert!(whole > 10 && resumed > 10, "{whole} searches, {resumed} times gone on with");
}
