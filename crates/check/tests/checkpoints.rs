//! A search that was interrupted, any number of times, and gone on with from its checkpoints, comes to the same as one
//! that was not: verdicts, counts, statements reached, and runs to what goes wrong, step for step.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axle_check::{Auto, Config, Order, StoreChoice, check, check_kept};
use axle_model::Model;
use axle_search::checkpoint::read;
use axle_search::{
    Checkpoint, Keep, Limits, Memory, Monitor, Outcome, Past, Progress, Reduction, Silent, Stop,
};
use axle_source::{Diagnostics, MemoryLoader, Sources};

fn compiled(text: &str) -> Option<Arc<Model>> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("model.pml", text);
    let options = axle_promela::Options::default();
    axle_promela::compile(&mut sources, main, &MemoryLoader::default(), &options, &mut diagnostics)
        .map(Arc::new)
}

fn models(folder: &str) -> Vec<(String, Arc<Model>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let model = |path: &Path| compiled(&std::fs::read_to_string(path).unwrap());
    paths.iter().filter_map(|path| Some((name(path), model(path)?))).collect()
}

/// Keeps the last checkpoint as bytes; asks for one as often as it can where it is `eager`.
#[derive(Default)]
struct Shelf {
    eager: bool,
    kept: Option<Vec<u8>>,
    count: u32,
}

impl Keep for Shelf {
    fn due(&mut self) -> bool {
        self.eager
    }

    fn keep(&mut self, point: &Checkpoint<'_>) {
        let mut bytes = Vec::new();
        point.write(&mut bytes).unwrap();
        self.kept = Some(bytes);
        self.count += 1;
    }
}

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

/// Numbers that are the same in every run.
struct Lot(u64);

impl Lot {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most.max(1)
    }
}

/// All of a check that must not differ.
fn essence(checked: axle_check::Checked) -> (Outcome, String) {
    let mut report = checked.report;
    (report.search.states_memory, report.search.paths_memory) = (0, 0);
    // A search that was begun more than once compiles sooner.
    report.search.engine.clear();
    let outcome = Outcome { memory: Memory::default(), ..checked.outcome };
    (outcome, axle_evidence::report::to_json(&report).unwrap())
}

/// Checks a model with interruptions at so many moments, each by a limit on states or at a look of the monitor.
fn interrupted(
    model: &Arc<Model>,
    config: &Config,
    states: u64,
    moments: u64,
    lot: &mut Lot,
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
            check_kept(model, &config, &mut Silent, &mut shelf, past).unwrap()
        } else {
            // A look comes every 128 states or so.
            check_kept(model, config, &mut Impatient { looks: 1 + limit / 150 }, &mut shelf, past).unwrap()
        };
        if checked.outcome.stop.is_none_or(|stop| stop == Stop::Errors) {
            assert_eq!(shelf.count, 0);
            return essence(checked);
        }
        assert!(matches!(checked.outcome.stop, Some(Stop::States | Stop::Interrupted)));
        // Interrupted before it had caught up, it leaves the older one.
        kept = shelf.kept.or(kept);
    }
    let past: Option<Past> = kept.map(|bytes| read(&mut &bytes[..]).unwrap());
    *resumed += u32::from(past.is_some());
    essence(check_kept(model, config, &mut Silent, &mut Shelf::default(), past).unwrap())
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
    let (mut lot, mut compared, mut resumed) = (Lot(1), 0, 0);
    for (name, model) in models("tests/conformance") {
        for config in ways().into_iter().map(of_faults) {
            let whole = check(&model, &config, &mut Silent);
            // Interrupted while a shorter run is looked for, it tells the one that it has.
            let shortened = config.auto != Auto::Nothing && !whole.outcome.violations.is_empty();
            if whole.outcome.states > 20_000 || shortened {
                continue;
            }
            let (states, whole) = (whole.outcome.states, essence(whole));
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
        .map(|(name, model)| (name, model, check(model, &of_faults(Config::default()), &mut Silent).outcome))
        .filter(|(_, _, outcome)| outcome.stop.is_none() && (5_000..60_000).contains(&outcome.states))
        .map(|(name, model, outcome)| (name, model, outcome.states))
        .next()
        .expect("a model that ends and is large enough");
    let (mut lot, mut resumed) = (Lot(2), 0);
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
    let model = compiled(COUNTER).unwrap();
    for config in ways() {
        let whole = essence(check(&model, &config, &mut Silent));
        let mut shelf = Shelf { eager: true, ..Shelf::default() };
        let watched = check_kept(&model, &config, &mut Silent, &mut shelf, None).unwrap();
        assert_eq!(essence(watched), whole);
        if let Some(bytes) = shelf.kept {
            let past = read(&mut &bytes[..]).unwrap();
            let again = check_kept(&model, &config, &mut Silent, &mut Shelf::default(), Some(past)).unwrap();
            assert_eq!(essence(again), whole);
        }
        assert!(shelf.count > 100 || config.limits.depth.is_some() || shelf.count > 10, "{}", shelf.count);
    }
}

/// A checkpoint of a search for the faults of [`COUNTER`].
fn some(config: &Config) -> Vec<u8> {
    let config = Config { limits: Limits { states: Some(5_000), ..config.limits }, ..config.clone() };
    let mut shelf = Shelf::default();
    check_kept(&compiled(COUNTER).unwrap(), &config, &mut Silent, &mut shelf, None).unwrap();
    shelf.kept.unwrap()
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let config = Config::default();
    let past = read(&mut &some(&config)[..]).unwrap();
    let refused = |model: &str, config: Config| {
        let model = compiled(model).unwrap();
        check_kept(&model, &config, &mut Silent, &mut Shelf::default(), Some(past.clone())).unwrap_err()
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
        assert!(refused(COUNTER, refused_way).contains("are kept of exact searches"));
    }
}

#[test]
fn a_wrong_checkpoint_under_the_right_name_ends_in_no_verdict() {
    // The tree of one search under the lines of another.
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let config = Config { order, ..Config::default() };
        let good = some(&config);
        let mut past = read(&mut &good[..]).unwrap();
        let other = compiled(&COUNTER.replace("x++ ::", "x++ :: x = x + 2 ::")).unwrap();
        let limits = Limits { states: Some(7_000), ..config.limits };
        let mut shelf = Shelf::default();
        let short = Config { limits, ..config.clone() };
        check_kept(&other, &short, &mut Silent, &mut shelf, None).unwrap();
        let mut mixed = read(&mut &shelf.kept.unwrap()[..]).unwrap();
        mixed.about.clone_from(&past.about);
        let model = compiled(COUNTER).unwrap();
        let checked = check_kept(&model, &config, &mut Silent, &mut Shelf::default(), Some(mixed)).unwrap();
        assert_eq!(checked.outcome.stop, Some(Stop::Checkpoint));
        assert_eq!(checked.report.verdict, axle_check::Verdict::Unknown);
        // Counts that do not come out.
        past.transitions += 1;
        let checked = check_kept(&model, &config, &mut Silent, &mut Shelf::default(), Some(past)).unwrap();
        assert_eq!(checked.outcome.stop, Some(Stop::Checkpoint));
    }
}
