//! Searches that may miss states: with a store of fingerprints or bits, once or several times with
//! functions of their own, and by random walks.
//!
//! *Entry points:* [`explore`], [`one`], [`merge`].
//! *Invariant:* Such a search never ends in [`Outcome::stop`] none, so no verdict "holds" comes of
//! it.

use axle_evidence::report::reason::covered;
use axle_evidence::report::{ApproximateRunReport, ApproximationReport, PropertyReport, Report};
use axle_outcome::{Reason, StopReason};
use axle_question::config::{Config, Order, StoreChoice};
use axle_search::{Arrangement, Monitor, Outcome, Reordered, Stop, Violation, Walks, bfs, dfs, random_walk};
use axle_step::{FaultSite, Graph, ModelSite};
use axle_store::omission::{Coverage, Kind, best_functions, missed_by_all, together};
use axle_store::{LossySet, Method, OutOfMemory};

use crate::explored::Explored;

/// Bytes of the array of bits where neither it nor memory has a limit.
const ARRAY: u64 = 256 << 20;

/// Bytes of the array for each state that is expected: a hundred bits and some, from where on
/// little is missed.
const FOR_EACH: u64 = 16;

/// The most functions that are chosen unasked: each costs a look into memory.
const MOST_FUNCTIONS: u32 = 16;

/// Functions where nothing is known of the number of states.
const FUNCTIONS: u32 = 3;

/// Steps of a random walk where nothing else is said.
const WALK: u64 = 10_000;

/// A search that may have missed states.
#[derive(Clone, Debug)]
pub struct Run<I = ModelSite> {
    /// The outcome of the search.
    pub outcome: Outcome<I>,
    /// How much it may have missed.
    pub coverage: Coverage,
    /// The name of its order.
    pub order: String,
    /// The seed of its hash functions.
    pub seed: u64,
    /// Whether the store kept account of what it missed of the graph.
    pub accounts: bool,
}

/// Searches as often as the configuration says.
pub fn explore<G: Graph>(
    stepper: &mut G,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Result<Explored<G::Site>, OutOfMemory> {
    let mut runs: Vec<Run<G::Site>> = Vec::new();
    for number in 0..u64::from(config.approximate.runs.max(1)) {
        // What the first search has seen says how many functions are best for those after it.
        let expected = runs.first().map(|run| (run.coverage.stored as f64 + run.coverage.expected) as u64);
        let run = one(stepper, config, config.approximate.seed.wrapping_add(number), expected, monitor)?;
        let last = matches!(run.outcome.stop, Some(Stop::Errors | Stop::Time | Stop::Interrupted));
        runs.push(run);
        if last {
            break;
        }
    }
    let store = match config.order {
        Order::Random => "none",
        Order::BreadthFirst | Order::DepthFirst | Order::Stateless => name(kind(config.store)),
    };
    let taken = stepper.taken().to_vec();
    let (outcome, report) = merge(&runs, config.limits.errors, false).ok_or(OutOfMemory)?;
    let explored = Explored::new(Outcome { taken, ..outcome }, store);
    Ok(Explored { approximation: Some(report), ..explored })
}

/// Searches once.
pub fn one<G: Graph>(
    stepper: &mut G,
    config: &Config,
    seed: u64,
    expected: Option<u64>,
    monitor: &mut impl Monitor,
) -> Result<Run<G::Site>, OutOfMemory> {
    one_with(stepper, config, &config.search_options(), (seed, expected), monitor)
}

/// Searches once with these options; `expected`: how many states there may be, if that is known.
pub fn one_with<G: Graph>(
    stepper: &mut G,
    config: &Config,
    options: &axle_search::Options<G::Site>,
    (seed, expected): (u64, Option<u64>),
    monitor: &mut impl Monitor,
) -> Result<Run<G::Site>, OutOfMemory> {
    let arrangement = config.approximate.arrangement;
    let limit = config.limits.memory.map_or(u64::MAX, |memory| memory / 16 * 15);
    let random = config.order == Order::Random;
    let method = if random { Method::HashCompact } else { method(config, expected) };
    let mut set = LossySet::with_limit(stepper.width(), limit, method, seed)?;
    let mut graph = Reordered::new(stepper, arrangement);
    let mut outcome = match config.order {
        Order::DepthFirst => {
            set = set.without_queue();
            dfs::search(&mut graph, &mut set, options, monitor)
        }
        Order::Random => {
            set = set.without_queue();
            let walks = Walks { seed, walks: config.approximate.walks, steps: WALK };
            random_walk::search(&mut graph, &mut set, walks, options, monitor)
        }
        Order::BreadthFirst | Order::Stateless => bfs::search(&mut graph, &mut set, options, monitor),
    };
    for violation in &mut outcome.violations {
        // Where this fails the replay will say so.
        let _ = graph.unfold(violation);
    }
    outcome.stop = outcome.stop.or(Some(Stop::Approximate));
    let order = match config.order {
        Order::BreadthFirst | Order::Stateless => "bfs",
        Order::DepthFirst => "dfs",
        Order::Random => "random walks",
    };
    let steps = steps(arrangement);
    let depth = options.limits.depth.map_or_else(String::new, |depth| format!(", depth {depth}"));
    let order = format!("{order}{steps}{depth}");
    Ok(Run { outcome, coverage: set.coverage(), order, seed, accounts: !random })
}

/// In which order steps are taken, where it is another than they were made in.
pub fn steps(arrangement: Arrangement) -> &'static str {
    match arrangement {
        Arrangement::AsMade => "",
        Arrangement::Reversed => ", steps reversed",
        Arrangement::Shuffled(_) => ", steps shuffled",
    }
}

/// How the store keeps states.
pub fn method(config: &Config, expected: Option<u64>) -> Method {
    let settings = &config.approximate;
    match kind(config.store) {
        Kind::HashCompact => Method::HashCompact,
        Kind::HashCompact128 => Method::HashCompact128,
        Kind::Bitstate => {
            let most = config.limits.memory.map_or(ARRAY, |memory| memory / 4 * 3);
            let bytes = settings.bytes.map_or(most, |bytes| bytes.min(most));
            let bytes = match settings.expected {
                Some(states) => bytes.min(states.saturating_mul(FOR_EACH).max(1 << 12)),
                None => bytes,
            };
            let known = settings.expected.or(expected);
            let chosen = known
                .map_or(FUNCTIONS, |states| best_functions(bytes.saturating_mul(8), states, MOST_FUNCTIONS));
            Method::Bitstate { bytes, functions: settings.functions.unwrap_or(chosen) }
        }
    }
}

/// The lossy store that is meant; the exact ones mean none.
fn kind(store: StoreChoice) -> Kind {
    match store {
        StoreChoice::HashCompact => Kind::HashCompact,
        StoreChoice::HashCompact128 => Kind::HashCompact128,
        StoreChoice::Bitstate | StoreChoice::Auto | StoreChoice::Plain | StoreChoice::Tree => Kind::Bitstate,
    }
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::HashCompact => "hash-compact",
        Kind::HashCompact128 => "hash-compact-128",
        Kind::Bitstate => "bitstate",
    }
}

/// What several searches came to together; figures are those of the one that stored most. None of
/// none. `partial` searches that saw different parts because they ended early are still compared.
pub fn merge<I: FaultSite>(
    runs: &[Run<I>],
    errors: Option<u64>,
    partial: bool,
) -> Option<(Outcome<I>, ApproximationReport)> {
    let best = runs.iter().max_by_key(|run| run.outcome.states)?;
    let mut outcome = best.outcome.clone();
    outcome.violations.clear();
    outcome.found = runs.iter().map(|run| run.outcome.found).sum();
    for violation in runs.iter().flat_map(|run| &run.outcome.violations) {
        merge_violation(&mut outcome.violations, violation);
    }
    // Nothing says that a search with an end of another kind was whole.
    let stops: Vec<Stop> = runs.iter().filter_map(|run| run.outcome.stop).collect();
    let whole = stops.iter().all(|stop| *stop == Stop::Approximate);
    let worst = |wanted: Stop| stops.contains(&wanted).then_some(wanted);
    let full = errors.is_some_and(|most| outcome.violations.len() as u64 >= most);
    outcome.stop = Some(
        worst(Stop::Interrupted)
            .or(full.then_some(Stop::Errors))
            .or(worst(Stop::Time))
            .or(worst(Stop::Memory))
            .or(stops.iter().copied().find(|stop| !matches!(stop, Stop::Approximate | Stop::Errors)))
            .unwrap_or(Stop::Approximate),
    );
    Some((outcome, account(runs, whole, partial)))
}

/// Adds a violation to a list that has each fault once, with its shortest path.
pub fn merge_violation<I: FaultSite>(list: &mut Vec<Violation<I>>, violation: &Violation<I>) {
    match list.iter_mut().find(|old| old.key() == violation.key()) {
        Some(old) => {
            let count = old.count + violation.count;
            if violation.depth() < old.depth() {
                *old = violation.clone();
            }
            old.count = count;
        }
        None => list.push(violation.clone()),
    }
}

/// What the searches covered.
pub fn account(runs: &[Run<impl Sized>], whole: bool, partial: bool) -> ApproximationReport {
    let accounts = runs.iter().all(|run| run.accounts);
    let (stored, estimated) = match runs {
        [run] => (run.coverage.stored as f64, run.coverage.stored as f64 + run.coverage.expected),
        _ => {
            let samples = runs.iter().map(|run| (run.coverage.threshold, &run.coverage.sample[..]));
            let told = together(samples);
            // No search stored more than all of them.
            let most = runs.iter().map(|run| run.coverage.stored).max().unwrap_or(0) as f64;
            let stored = told.stored.max(most);
            (stored, stored * (told.all / told.stored.max(1.0)).max(1.0))
        }
    };
    let known = (accounts && whole) || partial;
    ApproximationReport {
        runs: runs.iter().map(told_of).collect(),
        omission_probability: accounts.then(|| missed_by_all(runs.iter().map(|run| run.coverage.predicted))),
        stored,
        estimated,
        coverage: (known && estimated > 0.0).then(|| stored / estimated),
    }
}

/// A search, for the report.
pub fn told_of(run: &Run<impl Sized>) -> ApproximateRunReport {
    let Coverage { kind, bits, functions, ones, stored, predicted, expected, .. } = run.coverage;
    ApproximateRunReport {
        order: run.order.clone(),
        store: if run.accounts { name(kind) } else { "none" }.to_string(),
        bits,
        functions,
        filled: (kind == Kind::Bitstate).then(|| ones as f64 / bits.max(1) as f64),
        seed: run.seed,
        states: stored.into(),
        transitions: run.outcome.transitions.into(),
        depth: run.outcome.depth,
        stop: run.outcome.stop.filter(|stop| *stop != Stop::Approximate).map(StopReason::from),
        omission_probability: predicted,
        expected_omissions: expected,
        sampled: run.coverage.sample.len() as u64,
        sampled_omissions: run.coverage.omitted(),
    }
}

/// Says with the verdict how much was covered, where that is why nothing is known.
pub fn tell(report: &mut Report) {
    let Some(told) = &report.search.approximation else { return };
    let Some(stop) = report.stop.as_mut().filter(|stop| stop.reason == StopReason::Approximate) else {
        return;
    };
    let covered = covered(told);
    // A property with a search of its own has the coverage of that search.
    let is_same =
        |one: &&mut PropertyReport| one.cause == Some(Reason::Approximation) && one.search.is_none();
    for property in report.properties.iter_mut().filter(is_same) {
        property.reason = Some(covered.clone());
    }
    stop.message = covered;
}
