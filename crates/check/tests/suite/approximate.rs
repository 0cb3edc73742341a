//! Searches that may miss states, and those with a bound or without a store: with room enough the
//! lossy ones see what the exact ones see, and still never say "holds"; a bound misses nothing
//! within it; shortest runs are shortest.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use axle_check::{
    Approximate, Check, CheckedModel, Config, Order, StoreChoice, SuccessorChoice, Verdict, check,
};
use axle_model::Model;
use axle_refinement::searches::ModelSearches;
use axle_refinement::swarm::Swarm;
use axle_search::{Arrangement, Fairness, Limits, Monitor, Progress, Silent, Stop};

use crate::promela::compiled;

/// All conformance models, with their names.
fn conformance() -> Vec<(String, Arc<Model>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut models: Vec<(String, Arc<Model>)> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "pml"))
        .filter_map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            compiled(&std::fs::read_to_string(&path).unwrap()).map(|model| (name, model))
        })
        .collect();
    models.sort_by(|(a, _), (b, _)| a.cmp(b));
    assert!(models.len() > 200, "only {} models", models.len());
    models
}

/// Everything that a search for faults finds, of small models.
fn everything() -> Config {
    let checks = Check::MODELS.into_iter().filter(|check| *check != Check::Properties).collect();
    Config {
        limits: Limits { states: Some(50_000), ..Limits::default() },
        checks,
        successors: SuccessorChoice::Interpreter,
        approximate: Approximate { bytes: Some(1 << 17), functions: Some(12), ..Approximate::default() },
        ..Config::default()
    }
}

/// What is the same however a model is searched.
fn seen(checked: &CheckedModel) -> impl PartialEq + std::fmt::Debug + use<> {
    let outcome = &checked.found.outcome;
    let violations: BTreeSet<_> =
        outcome.violations.iter().map(|v| (v.site.kind, v.proc, v.site.edge, v.count)).collect();
    (outcome.states, outcome.transitions, outcome.found, violations, outcome.taken.clone())
}

#[test]
fn with_room_enough_lossy_stores_see_everything_and_never_say_holds() {
    for (name, model) in conformance() {
        let exact = check(&model, &everything(), &mut Silent);
        if exact.found.outcome.stop.is_some() {
            continue;
        }
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            for store in [StoreChoice::HashCompact, StoreChoice::HashCompact128, StoreChoice::Bitstate] {
                let checked = check(&model, &Config { order, store, ..everything() }, &mut Silent);
                assert_eq!(seen(&checked), seen(&exact), "{name} {order:?} {store:?}");
                assert_eq!(checked.report.internal, None, "{name}");
                assert_eq!(checked.found.outcome.stop, Some(Stop::Approximate), "{name}");
                let verdicts = |checked: &CheckedModel| {
                    checked.report.properties.iter().map(|p| p.verdict).collect::<Vec<_>>()
                };
                for (lossy, exact) in verdicts(&checked).into_iter().zip(verdicts(&exact)) {
                    // "Unreached" is violated by what was not seen, which says nothing here.
                    assert!(
                        lossy != Verdict::Holds && (lossy == Verdict::Unknown || lossy == exact),
                        "{name}"
                    );
                }
                let reported =
                    checked.report.search.approximation.expect("the report says what may be missing");
                assert!(
                    reported.coverage.is_some_and(|share| share > 0.999 && share <= 1.0),
                    "{name}: {reported:?}"
                );
                assert_eq!(reported.runs[0].sampled_omissions, 0, "{name}");
            }
        }
    }
}

/// What models state about their runs, and nothing else.
fn of_runs() -> Config {
    Config { checks: BTreeSet::from([Check::Properties]), ..everything() }
}

#[test]
fn with_room_enough_lossy_stores_find_every_run_and_never_say_holds() {
    let (mut violated, mut held) = (0, 0);
    for (name, model) in conformance() {
        let exact = check(&model, &of_runs(), &mut Silent);
        let verdicts = |checked: &CheckedModel| {
            checked.report.properties.iter().map(|p| (p.name.clone(), p.verdict)).collect::<Vec<_>>()
        };
        let known = verdicts(&exact);
        for (store, arrangement) in [
            (StoreChoice::HashCompact, Arrangement::AsMade),
            (StoreChoice::HashCompact128, Arrangement::Shuffled(3)),
            (StoreChoice::Bitstate, Arrangement::Reversed),
        ] {
            let approximate = Approximate { arrangement, ..of_runs().approximate };
            let checked = check(&model, &Config { store, approximate, ..of_runs() }, &mut Silent);
            assert_eq!(checked.report.internal, None, "{name}");
            for ((property, lossy), (_, exact)) in verdicts(&checked).into_iter().zip(&known) {
                let events = checked.report.properties.iter().any(|p| {
                    p.name == property && p.search.as_ref().is_some_and(|s| s.algorithm == "events")
                });
                let wanted = match exact {
                    // Event traces are searched for with an exact store always.
                    Verdict::Holds if !events => Verdict::Unknown,
                    other => *other,
                };
                assert_eq!(lossy, wanted, "{name} {property} {store:?}");
                violated += usize::from(lossy == Verdict::Violated);
                held += usize::from(wanted != *exact);
            }
            for property in &checked.report.properties {
                let Some(reported) =
                    property.search.as_ref().and_then(|search| search.approximation.as_ref())
                else {
                    continue;
                };
                assert!(
                    reported.coverage.is_none_or(|share| share > 0.999 && share <= 1.0),
                    "{name}: {reported:?}"
                );
            }
        }
    }
    assert!(violated > 30 && held > 30, "{violated} violated, {held} held");
}

/// A tenth of the states has room.
#[test]
fn with_little_room_what_is_found_is_found_and_the_rest_is_unknown() {
    let text = "byte a, b, c; active proctype P() { do :: a++ :: b++ :: c = c + 2 od } ltl p { <> (c == 7) } \
                ltl q { [] (c != 3) }";
    let model = compiled(text).expect("a model");
    let limits = Limits { states: Some(400_000), ..Limits::default() };
    let approximate =
        Approximate { bytes: Some(1 << 12), functions: Some(1), runs: 3, ..Approximate::default() };
    let config = Config { store: StoreChoice::Bitstate, limits, approximate, ..of_runs() };
    let checked = check(&model, &config, &mut Silent);
    assert_eq!(checked.report.internal, None);
    let [p, q] = &checked.report.properties[..] else { panic!("two properties") };
    assert_eq!((p.verdict, q.verdict), (Verdict::Violated, Verdict::Unknown));
    let reported = q.search.as_ref().and_then(|search| search.approximation.as_ref()).expect("an account");
    assert_eq!(reported.runs.len(), 3);
    assert!(reported.coverage.is_some_and(|share| share < 0.5), "{reported:?}");
    assert!(
        q.reason.as_ref().is_some_and(|reason| reason.contains("may have been missed")),
        "{:?}",
        q.reason
    );
    // Fairness needs components, and those every state.
    let fair =
        Config { fairness: Fairness::Weak, limits: Limits { states: Some(1_000), ..limits }, ..config };
    let checked = check(&model, &fair, &mut Silent);
    let search = checked.report.properties[0].search.as_ref().expect("a search");
    assert_eq!((&search.algorithm[..], &search.approximation), ("scc", &None));
}

#[test]
fn within_its_bound_a_depth_first_search_misses_nothing() {
    let (mut compared, mut cut) = (0, 0);
    for (name, model) in conformance() {
        for depth in [1, 2, 3, 5, 8, 13, 40] {
            let limits = Limits { depth: Some(depth), states: Some(3_000), ..Limits::default() };
            let config = |order| Config { order, limits, ..everything() };
            let wide = check(&model, &config(Order::BreadthFirst), &mut Silent);
            if wide.found.outcome.stop == Some(Stop::States) {
                continue;
            }
            let deep = check(&model, &config(Order::DepthFirst), &mut Silent);
            assert_eq!(seen(&deep), seen(&wide), "{name} {depth}");
            assert_eq!(deep.found.outcome.stop, wide.found.outcome.stop, "{name} {depth}");
            assert_eq!(deep.report.internal, None, "{name} {depth}");
            compared += 1;
            cut += usize::from(deep.found.outcome.stop == Some(Stop::Depth));
        }
    }
    assert!(compared > 1000 && cut > 300, "{compared} compared, {cut} cut");
}

/// The long way to the crossing is tried first, and ends at the bound.
const CROSSING: &str = "byte x; active proctype p() {
    if :: x = 1; x = 2; x = 3; x = 0 :: skip fi;
    x = 10; x = 11; assert(x != 11)
}";

#[test]
fn what_a_long_path_has_met_is_looked_at_again_from_a_short_one() {
    let model = compiled(CROSSING).unwrap();
    let at = |depth| {
        let limits = Limits { depth: Some(depth), errors: Some(1), ..Limits::default() };
        check(&model, &Config { order: Order::DepthFirst, limits, ..everything() }, &mut Silent)
    };
    assert_eq!(at(4).report.verdict, Verdict::Violated);
    // The error lies past the bound: nothing is known of it.
    let short = at(3);
    assert_eq!(short.report.verdict, Verdict::Unknown);
    assert_eq!(short.found.outcome.stop, Some(Stop::Depth));
    assert!(short.report.properties.iter().all(|p| p.verdict == Verdict::Unknown));
}

#[test]
fn shortest_runs_are_those_of_breadth_first() {
    let (mut wrong, mut shortened) = (0, 0);
    for (name, model) in conformance() {
        for errors in [Some(1), None] {
            let limits = Limits { errors, ..everything().limits };
            let config = |order, shortest| Config { order, shortest, limits, ..everything() };
            let wide = check(&model, &config(Order::BreadthFirst, false), &mut Silent);
            let deep = check(&model, &config(Order::DepthFirst, false), &mut Silent);
            let short = check(&model, &config(Order::DepthFirst, true), &mut Silent);
            if wide.found.outcome.stop == Some(Stop::States) || deep.found.outcome.stop == Some(Stop::States)
            {
                continue;
            }
            assert_eq!(short.report.internal, None, "{name}");
            assert_eq!(short.found.outcome.stop, deep.found.outcome.stop, "{name}");
            if errors.is_some() {
                let depth =
                    |checked: &CheckedModel| checked.found.outcome.violations.first().map(|v| v.depth());
                assert_eq!(depth(&short), depth(&wide), "{name}");
                wrong += usize::from(depth(&wide).is_some());
                shortened += usize::from(depth(&deep) > depth(&wide));
            } else {
                let depths = |checked: &CheckedModel| {
                    let each = checked.found.outcome.violations.iter();
                    each.map(|v| (v.site.kind, v.proc, v.site.edge, v.depth(), v.count))
                        .collect::<BTreeSet<_>>()
                };
                assert_eq!(depths(&short), depths(&wide), "{name}");
            }
        }
    }
    assert!(wrong > 50 && shortened > 3, "{wrong} models are wrong, {shortened} runs were shortened");
}

#[test]
fn a_stateless_search_that_ends_has_seen_everything() {
    let (mut ended, mut wrong) = (0, 0);
    for (name, model) in conformance() {
        let limits = Limits { states: Some(20_000), ..Limits::default() };
        let config = Config { order: Order::Stateless, limits, ..everything() };
        let checked = check(&model, &config, &mut Silent);
        assert_eq!(checked.report.internal, None, "{name}");
        if checked.found.outcome.stop.is_some() {
            continue;
        }
        let exact = check(&model, &everything(), &mut Silent);
        let verdicts =
            |checked: &CheckedModel| checked.report.properties.iter().map(|p| p.verdict).collect::<Vec<_>>();
        assert_eq!(verdicts(&checked), verdicts(&exact), "{name}");
        assert_eq!(checked.found.outcome.taken, exact.found.outcome.taken, "{name}");
        assert!(checked.found.outcome.states >= exact.found.outcome.states, "{name}");
        ended += 1;
        wrong += usize::from(exact.report.verdict == Verdict::Violated);
    }
    assert!(ended > 150 && wrong > 50, "{ended} ended, {wrong} of them wrong");
}

#[test]
fn random_walks_prove_nothing_and_find_what_is_there() {
    let mut found = 0;
    for (name, model) in conformance() {
        let exact = check(&model, &everything(), &mut Silent);
        let approximate = Approximate { walks: 20, ..Approximate::default() };
        let limits = Limits { depth: Some(500), ..Limits::default() };
        let config = Config { order: Order::Random, approximate, limits, ..everything() };
        let checked = check(&model, &config, &mut Silent);
        assert_eq!(checked.report.internal, None, "{name}");
        assert!(checked.report.properties.iter().all(|p| p.verdict != Verdict::Holds), "{name}");
        if exact.found.outcome.stop.is_none() {
            assert!(checked.found.outcome.states <= exact.found.outcome.states, "{name}");
            let key = |v: &axle_search::Violation| (v.site.kind, v.site.edge);
            let known: BTreeSet<_> = exact.found.outcome.violations.iter().map(key).collect();
            assert!(
                checked.found.outcome.violations.iter().map(key).all(|key| known.contains(&key)),
                "{name}"
            );
            found += usize::from(!checked.found.outcome.violations.is_empty());
        }
    }
    assert!(found > 50, "only {found} models were found wrong");
}

#[test]
fn steps_in_another_order_are_told_in_the_first() {
    for (name, model) in conformance() {
        let exact = check(&model, &everything(), &mut Silent);
        if exact.found.outcome.stop.is_some() {
            continue;
        }
        for arrangement in [Arrangement::Reversed, Arrangement::Shuffled(3)] {
            for order in [Order::DepthFirst, Order::BreadthFirst] {
                let approximate = Approximate { arrangement, ..everything().approximate };
                let store = StoreChoice::HashCompact;
                let config = Config { order, store, approximate, ..everything() };
                let checked = check(&model, &config, &mut Silent);
                assert_eq!(checked.report.internal, None, "{name} {arrangement:?}");
                assert_eq!(seen(&checked), seen(&exact), "{name} {arrangement:?}");
            }
        }
    }
}

/// Some ten thousands of states; nothing is wrong.
const GRID: &str =
    "byte a, b, c; active proctype p() { end: do :: a < 30 -> a++ :: b < 30 -> b++ :: c < 30 -> c++ od }";

#[test]
fn runs_with_functions_of_their_own_miss_less_and_say_how_much() {
    let model = compiled(GRID).unwrap();
    let free = || Config { limits: Limits::default(), ..everything() };
    let whole = check(&model, &free(), &mut Silent).found.outcome.states as f64;
    let runs = |bytes, runs, seed| {
        let approximate =
            Approximate { bytes: Some(bytes), functions: Some(2), runs, seed, ..Approximate::default() };
        let config = Config { store: StoreChoice::Bitstate, approximate, ..free() };
        let reported = check(&model, &config, &mut Silent).report.search.approximation;
        reported.expect("the report says what may be missing")
    };
    // States that no search reached cannot be counted, so the coverage is overestimated, less so
    // with more memory.
    for (bytes, error) in [(1 << 14, 0.25), (1 << 16, 0.03)] {
        let (mut one, mut four, mut guessed) = (0.0, 0.0, 0.0);
        for seed in 0..5 {
            let reported = runs(bytes, 1, seed * 10);
            one += reported.stored / whole / 5.0;
            assert!(reported.coverage.unwrap() >= reported.stored / whole);
            let reported = runs(bytes, 4, seed * 10);
            assert_eq!(reported.runs.len(), 4);
            let chances: f64 = reported.runs.iter().map(|run| run.omission_probability).product();
            assert!((reported.omission_probability.unwrap() / chances - 1.0).abs() < 1e-9);
            four += reported.stored / whole / 5.0;
            guessed += reported.coverage.unwrap() / 5.0;
        }
        assert!(one < 0.95 && four > one + 0.04, "{bytes}: {one} {four}");
        let over = guessed - four;
        assert!(over > -0.02 && over < error, "{bytes}: measured {four}, reported {guessed}");
    }
}

#[test]
fn a_memory_limit_is_kept_by_both_orders() {
    let model = compiled(GRID).unwrap();
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        for store in [StoreChoice::HashCompact, StoreChoice::HashCompact128, StoreChoice::Bitstate] {
            for memory in [150_000, 400_000, 3_000_000] {
                let limits = Limits { memory: Some(memory), ..Limits::default() };
                let config =
                    Config { order, store, limits, approximate: Approximate::default(), ..everything() };
                let checked = check(&model, &config, &mut Silent);
                let held = checked.found.outcome.memory.total();
                assert!(held <= memory + 70_000, "{order:?} {store:?}: {held} of {memory}");
                assert_eq!(checked.report.verdict, Verdict::Unknown);
                let expected =
                    if memory > 1_000_000 { Stop::Approximate } else { checked.found.outcome.stop.unwrap() };
                assert_eq!(checked.found.outcome.stop, Some(expected), "{order:?} {store:?} {memory}");
            }
        }
    }
}

/// Ends a search at its hundredth look.
struct Brief(u32);

impl Monitor for Brief {
    fn watch(&mut self, _: &Progress) -> Option<Stop> {
        self.0 += 1;
        (self.0 > 100).then_some(Stop::Time)
    }
}

#[test]
fn a_swarm_finds_what_is_wrong_and_proves_nothing() {
    let members = |model: &Arc<Model>, config: &Config| {
        let swarm = Swarm::new(ModelSearches::new(model, config));
        let seen = (0..10 * swarm.kinds())
            .map(|number| (number, swarm.run(number, 4 << 20, &mut Brief(0))))
            .collect();
        swarm.report(seen, None)
    };
    let (mut found, mut broken) = (0, 0);
    for (name, model) in conformance() {
        let mut config = Config { limits: Limits::default(), ..everything() };
        config.checks.insert(Check::Properties);
        let checked = members(&model, &config);
        assert_eq!(checked.report.internal, None, "{name}");
        assert!(checked.report.properties.iter().all(|p| p.verdict != Verdict::Holds), "{name}");
        let exact = check(&model, &Config { checks: config.checks.clone(), ..everything() }, &mut Silent);
        if exact.found.outcome.stop.is_none() {
            let key = |v: &axle_search::Violation| (v.site.kind, v.site.edge);
            let known: BTreeSet<_> = exact.found.outcome.violations.iter().map(key).collect();
            let reported: BTreeSet<_> = checked.found.outcome.violations.iter().map(key).collect();
            assert_eq!(reported, known, "{name}");
            found += usize::from(!reported.is_empty());
            for property in &exact.report.properties {
                if property.search.as_ref().is_none_or(|search| search.algorithm == "events") {
                    continue;
                }
                let reported = checked.report.properties.iter().find(|p| p.name == property.name).unwrap();
                let violated = property.verdict == Verdict::Violated;
                assert_eq!(reported.verdict == Verdict::Violated, violated, "{name}: {}", property.name);
                broken += usize::from(violated);
            }
        }
    }
    assert!(found > 50, "only {found} models were found wrong");
    assert!(broken > 10, "only {broken} properties were found broken");
    let grid = compiled(GRID).unwrap();
    let reported = members(&grid, &Config { limits: Limits::default(), ..everything() })
        .report
        .search
        .approximation
        .unwrap();
    assert!(reported.runs.len() == 10 && reported.coverage.is_some(), "{reported:?}");
}
