//! One uninterrupted sequence with more ends than there is memory for: the limit is kept, and the verdict is unknown.

use std::sync::Arc;

use axle_check::{Config, Order, Verdict, check};
use axle_model::Model;
use axle_search::{Silent, Stop};
use axle_source::{Diagnostics, Dialect, MemoryLoader, Options, Sources, preprocess};
use axle_step::{Batch, Compiled, Interpreter, Successors};

/// A sequence that ends in as many states as there are triples of numbers below `most`.
fn triples(most: u32) -> Arc<Model> {
    let select = |name: &str| format!("select({name} : 0 .. {})", most - 1);
    let text = format!(
        "byte x; active proctype P() {{ int a, b, c; atomic {{ {}; {}; {} }}; x = a }} ltl p {{ [](x < 2) }}",
        select("a"),
        select("b"),
        select("c")
    );
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("triples.pml", &text);
    let loader = MemoryLoader::default();
    let tokens = preprocess(main, &Options::new(Dialect::Promela), &loader, &mut sources, &mut diagnostics);
    let tree = axle_promela::parse(&tokens, &mut sources, &mut diagnostics);
    let meaning = axle_promela::Meaning::default();
    Arc::new(axle_promela::lower(&tree, &sources, &meaning, &mut diagnostics).expect("a model"))
}

/// The successors of the initial state, within so many bytes.
fn first(engine: &mut impl Successors, most: Option<usize>) -> Batch {
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
        assert!(batch.cut && batch.states.len() <= MOST + SLACK, "{} {}", batch.cut, batch.states.len());
        let mut expand = make(&small, options);
        let whole = expand(None);
        assert!(!whole.cut && whole.ends == [12 * 12 * 12], "{:?}", whole.ends);
        let fits = expand(Some(whole.states.len()));
        assert_eq!((fits.cut, &fits.states), (false, &whole.states));
        assert!(expand(Some(whole.states.len() - 1)).cut);
    }
}

#[test]
fn a_search_says_that_it_had_no_memory_for_a_batch() {
    let model = triples(256);
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let mut config = Config { order, ..Config::default() };
        config.limits.memory = Some(16 << 20);
        let checked = check(&model, &config, &mut Silent);
        assert_eq!(checked.outcome.stop, Some(Stop::Memory), "{order:?}");
        assert_eq!(checked.report.verdict, Verdict::Unknown, "{order:?}");
    }
}
