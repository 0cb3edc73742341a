//! One uninterrupted sequence with very many paths: those that meet are followed once; where there
//! are more ends than there is memory for, or more steps than there is time, the limit is kept, and
//! the verdict is unknown.

use crate::promela::model;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axle_check::{Check, Config, Order, SuccessorChoice, Verdict, check};
use axle_model::Model;
use axle_search::{Fairness, Monitor, Progress, Silent, Stop};
use axle_step::{Batch, Compiled, Cut, Interpreter, Interrupt, ModelGraph};

/// A sequence that ends in as many states as there are triples of numbers below `most`.
fn triples(most: u32) -> Arc<Model> {
    let select = |name: &str| format!("select({name} : 0 .. {})", most - 1);
    let text = format!(
        "byte x; active proctype P() {{ int a, b, c; atomic {{ {}; {}; {} }}; x = a }} ltl p {{ [](x < 2) }}",
        select("a"),
        select("b"),
        select("c")
    );
    model(&text)
}

/// The successors of the initial state, within so many bytes.
fn first(engine: &mut impl ModelGraph, most: Option<usize>) -> Batch {
    let start = engine.initial(&mut Vec::new());
    let mut batch = Batch { most, ..Batch::default() };
    engine.expand(&start, &mut batch).expect("no process is created");
    batch
}

/// An engine that expands the initial state of a model within so many bytes.
type Make = fn(&Arc<Model>, axle_step::Options) -> Box<dyn FnMut(Option<usize>) -> Batch>;

#[test]
fn a_batch_keeps_its_limit() {
    const MOST: usize = 1 << 20;
    // Beyond the limit generated code has room for what it does not look at.
    const SLACK: usize = 1 << 14;
    let options = axle_step::Options::default();
    let large = triples(256);
    let small = triples(12);
    let engines: [Make; 2] = [
        |model, options| {
            let mut engine = Interpreter::new(Arc::clone(model), options);
            Box::new(move |most| first(&mut engine, most))
        },
        |model, options| {
            let mut engine = Compiled::new(Arc::clone(model), options).expect("code");
            Box::new(move |most| first(&mut engine, most))
        },
    ];
    for make in engines {
        let mut expand = make(&large, options);
        let batch = expand(Some(MOST));
        assert!(
            batch.cut == Some(Cut::Memory) && batch.states.len() <= MOST + SLACK,
            "{:?} {}",
            batch.cut,
            batch.states.len()
        );
        let mut expand = make(&small, options);
        let whole = expand(None);
        assert!(whole.cut.is_none() && whole.ends == [12 * 12 * 12], "{:?}", whole.ends);
        let fits = expand(Some(whole.states.len()));
        assert_eq!((fits.cut, &fits.states), (None, &whole.states));
        assert!(expand(Some(whole.states.len() - 1)).cut.is_some());
    }
}

#[test]
fn a_search_says_that_it_had_no_memory_for_a_batch() {
    let model = triples(256);
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let mut config = Config { order, ..Config::default() };
        config.limits.memory = Some(16 << 20);
        let checked = check(&model, &config, &mut Silent);
        assert_eq!(checked.found.outcome.stop, Some(Stop::Memory), "{order:?}");
        assert_eq!(checked.report.verdict, Verdict::Unknown, "{order:?}");
    }
}

/// Forty choices between two values, one after the other.
const CHOICES: &str = "active proctype A() { byte i; bit x; atomic {
    do :: i < 40 -> if :: x = 0 :: x = 1 fi; i++ :: else -> break od } }";

#[test]
fn paths_that_meet_are_followed_once() {
    let model = model(CHOICES);
    for successors in [SuccessorChoice::Interpreter, SuccessorChoice::Compiled] {
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            let checked = check(&model, &Config { successors, order, ..Config::default() }, &mut Silent);
            let (outcome, report) = (checked.found.outcome, checked.report);
            assert_eq!((outcome.states, outcome.transitions, outcome.stop), (4, 5, None));
            assert_eq!(report.verdict, Verdict::Holds);
        }
    }
}

/// Says that the time is over, but only to who asks in the middle of a step, and not at once.
struct Patient(Arc<AtomicU32>);

impl Monitor for Patient {
    fn watch(&mut self, _: &Progress) -> Option<Stop> {
        None
    }

    fn interrupt(&self) -> Interrupt {
        let asked = Arc::clone(&self.0);
        Interrupt::new(move || (asked.fetch_add(1, Ordering::Relaxed) > 20).then_some(Cut::Time))
    }
}

#[test]
fn every_search_ends_in_the_middle_of_a_step() {
    let model = triples(256);
    let states = || Check::MODELS.into_iter().filter(|&check| check != Check::Properties).collect();
    let all = |order| Config { order, checks: states(), ..Config::default() };
    let runs = |fairness| Config { fairness, checks: [Check::Properties].into(), ..Config::default() };
    let mut limited = all(Order::DepthFirst);
    limited.limits.depth = Some(10);
    let threads = Config { threads: 2, ..all(Order::BreadthFirst) };
    for (way, config) in [
        ("breadth-first", all(Order::BreadthFirst)),
        ("depth-first", all(Order::DepthFirst)),
        ("limited depth", limited),
        ("stateless", all(Order::Stateless)),
        ("random", all(Order::Random)),
        ("threads", threads),
        ("runs", runs(Fairness::None)),
        ("fair runs", runs(Fairness::Weak)),
    ] {
        let asked = Arc::new(AtomicU32::new(0));
        let checked = check(&model, &config, &mut Patient(Arc::clone(&asked)));
        let stop = checked.report.stop.expect(way);
        assert_eq!((stop.reason.name(), checked.report.verdict), ("time", Verdict::Unknown), "{way}");
        assert!(asked.load(Ordering::Relaxed) > 20, "{way}");
    }
}

#[test]
fn a_long_sequence_in_which_the_search_ends_is_named() {
    let mut config = Config::default();
    config.limits.memory = Some(256 << 20);
    let checked = check(&triples(256), &config, &mut Silent);
    assert_eq!(checked.report.verdict, Verdict::Unknown);
    let stop = checked.report.stop.expect("a reason");
    assert_eq!(stop.reason.name(), "memory");
    assert!(stop.message.contains("of P that begins with `a = 0` (m.pml:1:"), "{}", stop.message);
}
