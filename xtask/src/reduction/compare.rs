//! Holds every reduction to the unreduced search of one model.
//!
//! Where the unreduced search ends by itself, each reduced search has to find the same kinds of
//! faults at the same statements, and give each property the same verdict, in both orders, by both
//! searches for runs, and under weak fairness.
//!
//! *Entry point:* [`compare`].

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axle_check::{Check, Config, EngineChoice, Order, Verdict, check};
use axle_model::Model;
use axle_search::{Algorithm, Fairness, Limits, Monitor, Progress, Reduction, Stop};
use axle_step::{Cut, Interrupt};

/// The most states that a model may take.
const MOST_STATES: u64 = 1_000;

/// The most that a reduced search may take: nested search makes one set of accepting states of several, and may have
/// more places for the automaton than the whole search had.
const MOST_REDUCED: u64 = 8 * MOST_STATES;

/// The most where each takes long.
const SLOW_STATES: u64 = 10;

/// Times that a search of the whole is asked in the middle of a step, each after some thousands of small ones, before that is
/// too long to compare.
const LONG: u32 = 64;

/// Ends a search that stores very many more states than `states`, as the way to a cycle may lead through more than the limit
/// allows; and one of steps that are `patience` times too long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    pub states: u64,
    pub patience: u32,
}

impl Monitor for Patience {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        (progress.states > 20 * self.states).then_some(Stop::Time)
    }

    fn interrupt(&self) -> Interrupt {
        let (asked, most) = (AtomicU32::new(0), LONG * self.patience);
        Interrupt::new(move || (asked.fetch_add(1, Ordering::Relaxed) >= most).then_some(Cut::Time))
    }
}

/// What a search says of a model, as far as a reduction must not change it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Said {
    /// Kind, process type and statement of every fault found.
    faults: BTreeSet<String>,
    /// Each property with its verdict.
    verdicts: Vec<String>,
    /// For each process type and edge, whether it was taken; empty where a search for runs was all.
    taken: Vec<Vec<bool>>,
}

/// What was compared so far.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// Models compared.
    pub compared: u64,
    /// Models too large to be.
    pub skipped: u64,
    /// Programs that the front end refuses.
    pub refused: u64,
    /// States without and with the strongest reduction.
    pub states: [u64; 2],
    /// Models with fewer states reduced.
    pub smaller: u64,
    /// Models of which something is violated.
    pub violated: u64,
}

/// How a model is searched.
#[derive(Clone, Copy, Debug)]
struct Way {
    reduction: Reduction,
    order: Order,
    algorithm: Algorithm,
    engine: EngineChoice,
    fairness: Fairness,
    /// Whether all is checked that can be, not only what is unasked.
    all: bool,
}

/// The unreduced search.
const WHOLE: Way = Way {
    reduction: Reduction::None,
    order: Order::BreadthFirst,
    algorithm: Algorithm::Components,
    engine: EngineChoice::Interpreter,
    fairness: Fairness::None,
    all: false,
};

/// Holds the reductions to the unreduced search of one model. `turn` varies what not every model needs.
pub fn compare(model: &Arc<Model>, turn: u64, tally: &mut Tally) -> Result<(), String> {
    let plain = Way { all: turn % 4 == 1, ..WHOLE };
    // What goes wrong without reduction is not for this comparison to find.
    let Ok(Some((whole, states))) = said(model, plain, MOST_STATES) else {
        tally.skipped += 1;
        return Ok(());
    };
    // A sequence without end takes 65,536 steps in each state that it is tried in.
    if states > SLOW_STATES && whole.faults.iter().any(|fault| fault.starts_with("EndlessSequence")) {
        tally.skipped += 1;
        return Ok(());
    }
    tally.compared += 1;
    tally.states[0] += states;
    tally.violated +=
        u64::from(!whole.faults.is_empty() || whole.verdicts.iter().any(|v| v.ends_with("Violated")));
    let engine = if turn.is_multiple_of(64) { EngineChoice::Compiled } else { EngineChoice::Interpreter };
    for (reduction, order, algorithm) in [
        (Reduction::Stubborn, Order::BreadthFirst, Algorithm::Components),
        (Reduction::Stubborn, Order::DepthFirst, Algorithm::NestedDfs),
        (Reduction::Guards, Order::BreadthFirst, Algorithm::Components),
        (Reduction::Ample, Order::BreadthFirst, Algorithm::NestedDfs),
        (Reduction::Ample, Order::DepthFirst, Algorithm::Components),
    ] {
        // What goes by default is compared on all.
        if reduction == Reduction::Ample && !turn.is_multiple_of(4) {
            continue;
        }
        let fewer = same(model, Way { reduction, order, algorithm, engine, ..plain }, &whole)?;
        if reduction == Reduction::Stubborn && order == Order::BreadthFirst {
            tally.states[1] += fewer;
            tally.smaller += u64::from(fewer < states);
        }
    }
    if turn.is_multiple_of(8) && !whole.verdicts.is_empty() {
        let fair = Way { fairness: Fairness::Weak, ..WHOLE };
        if let Ok(Some((whole, _))) = said(model, fair, MOST_STATES) {
            same(model, Way { reduction: Reduction::Stubborn, ..fair }, &whole)?;
        }
    }
    Ok(())
}

/// Whether a reduced search says what the whole one does, and how many states it stores.
fn same(model: &Arc<Model>, way: Way, whole: &Said) -> Result<u64, String> {
    match said(model, way, MOST_REDUCED) {
        Ok(Some((reduced, states))) if reduced == *whole => Ok(states),
        Ok(Some((reduced, _))) => Err(format!("{way:?}:\n  {reduced:?}\ninstead of\n  {whole:?}")),
        Ok(None) => Err(format!("{way:?}: more states than without")),
        Err(fault) => Err(format!("{way:?}: {fault}")),
    }
}

/// What a search says, and how many states it stored; none where there are too many.
fn said(model: &Arc<Model>, way: Way, most: u64) -> Result<Option<(Said, u64)>, String> {
    let Way { reduction, order, algorithm, engine, fairness, all } = way;
    let limits = Limits { errors: None, states: Some(most), ..Limits::default() };
    let mut config = Config { reduction, order, algorithm, engine, fairness, limits, ..Config::default() };
    if all {
        config.checks.extend(Check::ALL);
    }
    let checked = check(
        model,
        &config,
        &mut Patience { states: most, patience: if most == MOST_STATES { 1 } else { 100 } },
    );
    if let Some(fault) = checked.report.internal {
        return Err(fault);
    }
    let cut = checked.report.properties.iter().any(|property| {
        let many = property.search.as_ref().is_some_and(|search| search.states >= most);
        many && property.verdict == Verdict::Unknown
    });
    if cut || checked.outcome.stop.is_some() {
        return Ok(None);
    }
    let fault = |v: &axle_search::Violation| format!("{:?} {:?} {:?}", v.kind, v.proc, v.edge);
    let faults = checked.outcome.violations.iter().map(fault).collect();
    let verdicts: Vec<String> =
        checked.report.properties.iter().map(|p| format!("{}: {:?}", p.name, p.verdict)).collect();
    let taken = checked.outcome.taken;
    Ok(Some((Said { faults, verdicts, taken }, checked.report.search.states)))
}
