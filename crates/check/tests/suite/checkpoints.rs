//! A search that was interrupted, any number of times, and gone on with from its checkpoints, comes
//! to the same as one that was not: verdicts, counts, statements reached, and paths to violations,
//! step by step.

use std::sync::Arc;

use axle_check::{Auto, Config, Order, StoreChoice, check, check_resumable};
use axle_compare::last_checkpoint::LastCheckpoint as Shelf;
use axle_compare::models::{compile, models};
use axle_generate::Random;
use axle_model::Model;
use axle_search::checkpoint::read;
use axle_search::{Limits, Memory, Monitor, Outcome, Past, Progress, Reduction, Silent, Stop};

/// Interrupts a search at its `looks`th look.
struct Impatient {
    looks: u64,
}

impl Monitor for Impatient {
    fn watch(&mut self, _: &Progress) -> Option<Stop> {
        self.looks = self.looks.saturating_sub(1);
        (self.looks == 0).then_some(Stop::Interrupted)
    }
}

/// Interrupts a search that has so many states.
struct Until(u64);

impl Monitor for Until {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        (progress.states >= self.0).then_some(Stop::Interrupted)
    }
}

/// All of a check that must not differ.
fn essence(checked: axle_check::CheckedModel) -> (Outcome, String) {
    let mut report = checked.report;
    (report.search.states_memory, report.search.paths_memory) = (0, 0);
    // A search that was begun more than once compiles sooner.
    report.search.engine.clear();
    let outcome = Outcome { memory: Memory::default(), ..checked.found.outcome };
    (
        outcome,
        axle_evidence::report::to_json(
            &[axle_evidence::report::Entry { report: &report, traces: &[], exit: 0 }],
            false,
        )
        .unwrap(),
    )
}

/// Checks a model with interruptions at so many moments, each by a limit on states or at a look of
/// the monitor.
fn interrupted(
    model: &Arc<Model>,
    config: &Config,
    states: u64,
    moments: u64,
    lot: &mut Random,
    resumed: &mut u32,
) -> (Outcome, String) {
    let mut at: Vec<u64> = (0..moments).map(|_| 1 + lot.below(states)).collect();
    at.sort_unstable();
    let mut kept: Option<Vec<u8>> = None;
    for limit in at {
        let mut shelf = Shelf::default();
        let past = kept.as_ref().map(|bytes| read(&mut &bytes[..]).unwrap());
        *resumed += u32::from(past.is_some());
        let checked = if lot.below(2) == 0 {
            let limits = Limits { states: Some(limit), ..config.limits };
            let config = Config { limits, ..config.clone() };
            check_resumable(model, &config, &mut Silent, &mut shelf, past).unwrap()
        } else {
            // A look comes every 128 states or so.
            check_resumable(model, config, &mut Impatient { looks: 1 + limit / 150 }, &mut shelf, past)
                .unwrap()
        };
        if checked.found.outcome.stop.is_none_or(|stop| stop == Stop::Errors) {
            assert_eq!(shelf.count, 0);
            return essence(checked);
        }
        assert!(matches!(checked.found.outcome.stop, Some(Stop::States | Stop::Interrupted)));
        // Interrupted before it had caught up, it leaves the older one.
        kept = shelf.kept.or(kept);
    }
    let past: Option<Past> = kept.map(|bytes| read(&mut &bytes[..]).unwrap());
    *resumed += u32::from(past.is_some());
    essence(check_resumable(model, config, &mut Silent, &mut Shelf::default(), past).unwrap())
}

/// Ways to search, all of which have checkpoints.
fn ways() -> Vec<Config> {
    let all = Config { limits: Limits { errors: None, ..Limits::default() }, ..Config::default() };
    let mut ways = Vec::new();
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        for store in [StoreChoice::Plain, StoreChoice::Tree] {
            ways.push(Config { order, store, ..all.clone() });
        }
        ways.push(Config { order, ..Config::default() });
        ways.push(Config { order, reduction: Reduction::Stubborn, ..all.clone() });
    }
    let passes: std::collections::BTreeSet<_> = axle_check::Pass::ALL.into();
    ways.push(Config { passes: passes.clone(), ..Config::default() });
    ways.push(Config { passes, reduction: Reduction::Stubborn, auto: Auto::All, ..Config::default() });
    ways.push(Config {
        limits: Limits { depth: Some(9), errors: None, ..Limits::default() },
        ..Config::default()
    });
    ways
}

/// The search for faults alone.
fn of_faults(mut config: Config) -> Config {
    config.checks.remove(&axle_check::Check::Properties);
    config
}

#[test]
fn interrupted_searches_of_the_conformance_models_come_to_the_same() {
    let (mut lot, mut compared, mut resumed) = (Random::of(1, 0), 0, 0);
    for (name, model) in models("tests/conformance") {
        for config in ways().into_iter().map(of_faults) {
            let whole = check(&model, &config, &mut Silent);
            // Interrupted while a shorter run is looked for, it tells the one that it has.
            let shortened = config.auto != Auto::Nothing && !whole.found.outcome.violations.is_empty();
            if whole.found.outcome.states > 20_000 || shortened {
                continue;
            }
            let (states, whole) = (whole.found.outcome.states, essence(whole));
            for moments in [1, 3] {
                let again = interrupted(&model, &config, states, moments, &mut lot, &mut resumed);
                assert_eq!(again.0, whole.0, "{name} {config:?}");
                let differs = again.1.lines().zip(whole.1.lines()).find(|(again, whole)| again != whole);
                assert_eq!(differs, None, "{name} {config:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 3_000 && resumed > 1_000, "{compared} compared, {resumed} times gone on with");
}

#[test]
fn a_hundred_moments_of_a_larger_model_are_all_good() {
    let models = models("bench/small");
    let (name, model, states) = (models.iter())
        .map(|(name, model)| {
            (name, model, check(model, &of_faults(Config::default()), &mut Silent).found.outcome)
        })
        .filter(|(_, _, outcome)| outcome.stop.is_none() && (5_000..60_000).contains(&outcome.states))
        .map(|(name, model, outcome)| (name, model, outcome.states))
        .next()
        .expect("a model that ends and is large enough");
    let (mut lot, mut resumed) = (Random::of(2, 0), 0);
    for (number, config) in ways().into_iter().map(of_faults).take(6).enumerate() {
        let whole = essence(check(model, &config, &mut Silent));
        // Each by itself, then many in one search.
        let single = if number < 2 { 100 } else { 20 };
        for moments in std::iter::repeat_n(1, single).chain([10, 30]) {
            let again = interrupted(model, &config, states, moments, &mut lot, &mut resumed);
            assert!(again == whole, "{name} {config:?}");
        }
    }
    assert!(resumed > 300, "{resumed}");
}

const COUNTER: &str = "byte x, y; active proctype P() { do :: x++ :: y++ :: x == 200 && y == 100 -> break od; assert(x != 200) }";

#[test]
fn a_checkpoint_of_every_so_often_is_as_good_as_one_of_a_limit() {
    let model = compile(COUNTER).unwrap();
    for config in ways() {
        let whole = essence(check(&model, &config, &mut Silent));
        let mut shelf = Shelf::every(1);
        let watched = check_resumable(&model, &config, &mut Silent, &mut shelf, None).unwrap();
        assert_eq!(essence(watched), whole);
        if let Some(bytes) = shelf.kept {
            let past = read(&mut &bytes[..]).unwrap();
            let again =
                check_resumable(&model, &config, &mut Silent, &mut Shelf::default(), Some(past)).unwrap();
            assert_eq!(essence(again), whole);
        }
        assert!(shelf.count > 100 || config.limits.depth.is_some() || shelf.count > 10, "{}", shelf.count);
    }
}

/// A checkpoint of a search for the faults of [`COUNTER`].
fn some(config: &Config) -> Vec<u8> {
    let config = Config { limits: Limits { states: Some(5_000), ..config.limits }, ..config.clone() };
    let mut shelf = Shelf::default();
    check_resumable(&compile(COUNTER).unwrap(), &config, &mut Silent, &mut shelf, None).unwrap();
    shelf.kept.unwrap()
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let config = Config::default();
    let past = read(&mut &some(&config)[..]).unwrap();
    let refused = |model: &str, config: Config| {
        let model = compile(model).unwrap();
        check_resumable(&model, &config, &mut Silent, &mut Shelf::default(), Some(past.clone())).unwrap_err()
    };
    let other = COUNTER.replace("200", "201");
    assert!(refused(&other, config.clone()).contains("another model"));
    let order = Config { order: Order::DepthFirst, ..config.clone() };
    assert!(refused(COUNTER, order).contains("`search breadth-first` there, `search depth-first` here"));
    let depth = Config { limits: Limits { depth: Some(3), ..config.limits }, ..config.clone() };
    assert!(refused(COUNTER, depth).contains("`depth unlimited` there, `depth 3` here"));
    for refused_way in [
        Config { store: StoreChoice::Bitstate, ..config.clone() },
        Config { order: Order::Random, ..config.clone() },
        Config { order: Order::Stateless, ..config.clone() },
        Config { order: Order::DepthFirst, shortest: true, ..config.clone() },
    ] {
        assert!(refused(COUNTER, refused_way).contains("exist for exact searches only"));
    }
}

#[test]
fn a_wrong_checkpoint_under_the_right_name_ends_in_no_verdict() {
    // The tree of one search under the lines of another.
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let config = Config { order, ..Config::default() };
        let good = some(&config);
        let mut past = read(&mut &good[..]).unwrap();
        let other = compile(&COUNTER.replace("x++ ::", "x++ :: x = x + 2 ::")).unwrap();
        let limits = Limits { states: Some(7_000), ..config.limits };
        let mut shelf = Shelf::default();
        let short = Config { limits, ..config.clone() };
        check_resumable(&other, &short, &mut Silent, &mut shelf, None).unwrap();
        let mut mixed = read(&mut &shelf.kept.unwrap()[..]).unwrap();
        mixed.about.clone_from(&past.about);
        let model = compile(COUNTER).unwrap();
        let checked =
            check_resumable(&model, &config, &mut Silent, &mut Shelf::default(), Some(mixed)).unwrap();
        assert_eq!(checked.found.outcome.stop, Some(Stop::Checkpoint));
        assert_eq!(checked.report.verdict, axle_check::Verdict::Unknown);
        // Counts that do not come out.
        past.transitions += 1;
        let checked =
            check_resumable(&model, &config, &mut Silent, &mut Shelf::default(), Some(past)).unwrap();
        assert_eq!(checked.found.outcome.stop, Some(Stop::Checkpoint));
    }
}

/// What of a report is the same however many threads there are, when, and how often they expand
/// what another one has.
fn told(checked: &axle_check::CheckedModel) -> String {
    let mut report = checked.report.clone();
    (report.search.states_memory, report.search.paths_memory) = (0, 0);
    report.search.engine.clear();
    report.search.reduction = None;
    for search in report.properties.iter_mut().filter_map(|property| property.search.as_mut()) {
        (search.states_memory, search.search_memory, search.reduction) = (0, 0, None);
    }
    axle_evidence::report::to_json(
        &[axle_evidence::report::Entry { report: &report, traces: &[], exit: 0 }],
        false,
    )
    .unwrap()
}

/// Checks a model with interruptions once there are so many states, each time by another number of
/// threads.
fn in_pieces(
    model: &Arc<Model>,
    config: &Config,
    mut moments: Vec<u64>,
    lot: &mut Random,
    resumed: &mut u32,
) -> axle_check::CheckedModel {
    moments.sort_unstable();
    let mut kept: Option<Vec<u8>> = None;
    for until in moments.into_iter().chain([u64::MAX]) {
        // What one thread begins with faults it tells in its own way; several in theirs, and then
        // one too.
        let least = if kept.is_none() && config.wants_safety() { 2 } else { 1 };
        let config = Config { threads: least + lot.below(3) as usize, ..config.clone() };
        let past = kept.as_ref().map(|bytes| read(&mut &bytes[..]).unwrap());
        *resumed += u32::from(past.is_some());
        let mut shelf = Shelf::every(u32::from(lot.below(20) == 0));
        let checked = check_resumable(model, &config, &mut Until(until), &mut shelf, past).unwrap();
        if until == u64::MAX || checked.report.verdict != axle_check::Verdict::Unknown {
            return checked;
        }
        kept = shelf.kept.or(kept);
    }
    unreachable!("the last search is not interrupted")
}

/// Three counters that go round, each by itself: 64,000 states.
const ROUND: &str = "byte x, y, z;
    active proctype P() { do :: x = (x + 1) % 40 od }
    active proctype Q() { do :: y = (y + 1) % 40 od }
    active proctype R() { do :: z = (z + 1) % 40 od }
    ltl below { [] (x < 40) }
    ltl onward { [] (x == 3 -> <> (x == 4)) }
    ltl rests { <> [] (z == 7) }";

fn only(name: &str, config: Config) -> Config {
    let checks = [axle_check::Check::Properties].into();
    Config { checks, only: Some([name.to_string()].into()), ..config }
}

#[test]
fn interrupted_searches_for_runs_come_to_the_same() {
    use axle_check::Verdict::{Holds, Violated};
    use axle_search::Fairness;
    let model = compile(ROUND).unwrap();
    let weak = Config { fairness: Fairness::Weak, ..Config::default() };
    let reduced = Config { reduction: Reduction::Stubborn, ..Config::default() };
    let passes = Config { passes: axle_check::Pass::ALL.into(), auto: Auto::All, ..reduced.clone() };
    let (mut lot, mut resumed) = (Random::of(6, 0), 0);
    for (name, config, verdict, times) in [
        ("below", Config::default(), Holds, 25),
        ("below", weak.clone(), Holds, 10),
        ("below", reduced.clone(), Holds, 5),
        ("below", passes, Holds, 5),
        ("onward", weak.clone(), Holds, 25),
        ("onward", Config { fairness: Fairness::Strong, ..Config::default() }, Holds, 5),
        ("onward", Config::default(), Violated, 5),
        ("rests", weak, Violated, 5),
    ] {
        let config = only(name, config);
        let whole = check(&model, &Config { threads: 2, ..config.clone() }, &mut Silent);
        assert_eq!(whole.report.verdict, verdict, "{name}");
        let states = whole.report.properties[0].search.as_ref().unwrap().states.saturated();
        for _ in 0..times {
            let moments = (0..1 + lot.below(4)).map(|_| 17_000 + lot.below(states)).collect();
            let again = in_pieces(&model, &config, moments, &mut lot, &mut resumed);
            assert_eq!(told(&again), told(&whole), "{name} {config:?}");
        }
    }
    assert!(resumed > 100, "{resumed}");
}

#[test]
fn a_hundred_moments_of_several_threads_are_all_good() {
    let wrong = "; active proctype W() { do :: assert(x + y + z < 117) od }";
    let models = [
        compile(ROUND).unwrap(),
        compile(&ROUND.replace("ltl below", &format!("{} ltl below", &wrong[2..]))).unwrap(),
    ];
    let (mut lot, mut resumed) = (Random::of(7, 0), 0);
    let all = Limits { errors: None, ..Limits::default() };
    let passes = axle_check::Pass::ALL.into();
    for (model, config) in [
        (&models[0], Config::default()),
        (&models[0], Config { store: StoreChoice::Plain, ..Config::default() }),
        (&models[0], Config { reduction: Reduction::Stubborn, passes, auto: Auto::All, ..Config::default() }),
        (&models[1], Config { limits: all, ..Config::default() }),
        (&models[1], Config::default()),
    ] {
        let config = of_faults(config);
        let whole = check(model, &Config { threads: 2, ..config.clone() }, &mut Silent);
        for _ in 0..20 {
            let moments =
                (0..1 + lot.below(4)).map(|_| 17_000 + lot.below(whole.found.outcome.states)).collect();
            let again = in_pieces(model, &config, moments, &mut lot, &mut resumed);
            let runs = |checked: &axle_check::CheckedModel| checked.found.outcome.violations.clone();
            assert_eq!((told(&again), runs(&again)), (told(&whole), runs(&whole)), "{config:?}");
        }
    }
    assert!(resumed > 80, "{resumed}");
}

#[test]
fn each_search_of_a_check_has_its_own_checkpoint() {
    use axle_search::Fairness;
    let model = compile(ROUND).unwrap();
    let names = ["below", "onward"].map(str::to_string);
    let config =
        Config { fairness: Fairness::Weak, only: Some(names.into()), threads: 2, ..Config::default() };
    let whole = check(&model, &config, &mut Silent);
    // In the search for faults, and in the larger one of a property, whose checkpoint the search
    // for faults leaves alone.
    for (until, name) in [(40_000, None), (66_000, Some("onward"))] {
        let mut shelf = Shelf::default();
        let early = check_resumable(&model, &config, &mut Until(until), &mut shelf, None).unwrap();
        assert_eq!(early.report.verdict, axle_check::Verdict::Unknown);
        let past = read(&mut &shelf.kept.clone().unwrap()[..]).unwrap();
        let property = past.about.lines().find_map(|line| line.strip_prefix("property "));
        assert_eq!(property, name);
        let mut untouched = Shelf::every(1);
        let still =
            check_resumable(&model, &config, &mut Until(30_000), &mut untouched, Some(past.clone())).unwrap();
        assert_eq!(still.report.verdict, axle_check::Verdict::Unknown);
        assert!(name.is_none() || untouched.count == 0, "{}", untouched.count);
        let again =
            check_resumable(&model, &config, &mut Silent, &mut Shelf::default(), Some(past.clone())).unwrap();
        assert_eq!(told(&again), told(&whole));
        let Some(name) = name else { continue };
        // Of a property that is not checked, of other assumptions, of another model.
        let refused = |model: &str, config: Config| {
            let model = compile(model).unwrap();
            check_resumable(&model, &config, &mut Silent, &mut Shelf::default(), Some(past.clone()))
                .unwrap_err()
        };
        assert!(refused(ROUND, only("below", config.clone())).contains("not checked"));
        let unfair = Config { fairness: Fairness::None, ..config.clone() };
        assert!(refused(ROUND, only(name, unfair)).contains("`fairness weak` there, `fairness none` here"));
        assert!(refused(&ROUND.replace("40", "41"), config.clone()).contains("another model"));
        let other = refused(&ROUND.replace("(x == 4)", "(x == 5)"), config.clone());
        assert!(other.contains("another model") || other.contains("does not contain the search"), "{other}");
    }
}

/// Two long ways back to the start, on each of which one of the two things happens that break the
/// property if both do again and again: by when the second is looked at, the states of the first
/// are done, and only their set knows.
const PETALS: &str = "short i; byte p;
    active proctype P() { do
        :: p == 0 -> p = 1
        :: p == 0 -> p = 2
        :: p > 0 && i < 12000 -> i = i + 1
        :: p > 0 && i == 12000 -> atomic { i = 0; p = 0 }
    od }
    ltl both { !([] <> (p == 1 && i == 600) && [] <> (p == 2 && i == 600)) }";

#[test]
fn what_a_component_meets_is_kept() {
    let model = compile(PETALS).unwrap();
    let config = only("both", Config::default());
    let mut resumed = 0;
    for until in (18..30).map(|i| i * 2_000) {
        let mut shelf = Shelf::default();
        let early = check_resumable(&model, &config, &mut Until(until), &mut shelf, None).unwrap();
        let past = shelf.kept.map(|bytes| read(&mut &bytes[..]).unwrap());
        if early.report.verdict == axle_check::Verdict::Unknown && past.is_some() {
            resumed += 1;
            let checked = check_resumable(&model, &config, &mut Silent, &mut Shelf::default(), past).unwrap();
            assert_eq!(checked.report.verdict, axle_check::Verdict::Violated, "{until}");
        }
    }
    assert!(resumed > 3, "{resumed}");
}
