//! Compares every reduction with the unreduced search of one model.
//!
//! If the unreduced search completes, each reduced search must find the same kinds of violations at
//! the same statements and the same verdict for each property, in both orders, with both liveness
//! searches, and under weak fairness.
//!
//! *Entry point:* [`compare`].

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axle_check::{Check, Config, Order, SuccessorChoice, Verdict, check};
use axle_model::Model;
use axle_search::{Algorithm, Fairness, Limits, Monitor, Progress, Reduction, Stop};
use axle_step::{Cut, FaultKind, Interrupt};

/// Maximum number of states of a model.
const MOST_STATES: u64 = 1_000;

/// Maximum number of states of a reduced search: nested search degeneralises the acceptance sets,
/// which multiplies the automaton's states.
const MOST_REDUCED: u64 = 8 * MOST_STATES;

/// The limit on processes of a model of which the own limit is exceeded.
const MOST_PROCESSES: u32 = 60;

/// Maximum number of states if each takes long.
const SLOW_STATES: u64 = 10;

/// Maximum number of cancellation polls within a transition of the unreduced search, each after
/// some thousands of steps.
const LONG: u32 = 64;

/// Cancels a search that stores many more states than `states`, because the path to a cycle may
/// exceed the limit, and one whose transitions take `patience` times too long.
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

/// The part of a search result that a reduction must preserve.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Said {
    /// Kind, process type and statement of every violation.
    faults: BTreeSet<String>,
    /// Each property with its verdict.
    verdicts: Vec<String>,
    /// For each process type and edge, whether it was taken; empty for a liveness search alone.
    taken: Vec<Vec<bool>>,
}

/// Counts of the comparison.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// Number of models compared.
    pub compared: u64,
    /// Number of models that are too large.
    pub skipped: u64,
    /// Programs that the front end rejects.
    pub refused: u64,
    /// Number of states without and with the strongest reduction.
    pub states: [u64; 2],
    /// Number of models with fewer states after reduction.
    pub smaller: u64,
    /// Number of models with a violation.
    pub violated: u64,
}

/// A search mode.
#[derive(Clone, Copy, Debug)]
struct Mode {
    reduction: Reduction,
    order: Order,
    algorithm: Algorithm,
    engine: SuccessorChoice,
    fairness: Fairness,
    /// Whether all checks are enabled, or only the default ones.
    all: bool,
}

/// The unreduced search.
const WHOLE: Mode = Mode {
    reduction: Reduction::None,
    order: Order::BreadthFirst,
    algorithm: Algorithm::Components,
    engine: SuccessorChoice::Interpreter,
    fairness: Fairness::None,
    all: false,
};

/// Compares the reductions with the unreduced search of one model. `turn` selects modes that are
/// not used for every model.
pub fn compare(model: &Arc<Model>, turn: u64, tally: &mut Tally) -> Result<(), String> {
    let plain = Mode { all: turn % 4 == 1, ..WHOLE };
    // An error of the search without reduction is reported elsewhere.
    let Ok(Some((whole, states))) = said(model, plain, MOST_STATES) else {
        tally.skipped += 1;
        return Ok(());
    };
    // An endless sequence takes 65,536 steps in each state.
    if states > SLOW_STATES && whole.faults.iter().any(|fault| fault.starts_with("EndlessSequence")) {
        tally.skipped += 1;
        return Ok(());
    }
    // A process that has reached its end may keep its number until the limit is exceeded; reductions
    // execute the end first. The model is compared with more numbers.
    if whole.faults.iter().any(|fault| fault.starts_with("TooManyProcesses")) {
        if model.semantics.max_processes >= MOST_PROCESSES {
            tally.skipped += 1;
            return Ok(());
        }
        let mut wide = Model::clone(model);
        wide.semantics.max_processes = MOST_PROCESSES;
        return compare(&Arc::new(wide), turn, tally);
    }
    tally.compared += 1;
    tally.states[0] += states;
    tally.violated +=
        u64::from(!whole.faults.is_empty() || whole.verdicts.iter().any(|v| v.ends_with("Violated")));
    let engine =
        if turn.is_multiple_of(64) { SuccessorChoice::Compiled } else { SuccessorChoice::Interpreter };
    for (reduction, order, algorithm) in [
        (Reduction::Stubborn, Order::BreadthFirst, Algorithm::Components),
        (Reduction::Stubborn, Order::DepthFirst, Algorithm::NestedDfs),
        (Reduction::Guards, Order::BreadthFirst, Algorithm::Components),
        (Reduction::Ample, Order::BreadthFirst, Algorithm::NestedDfs),
        (Reduction::Ample, Order::DepthFirst, Algorithm::Components),
    ] {
        // The default modes are used for all models.
        if reduction == Reduction::Ample && !turn.is_multiple_of(4) {
            continue;
        }
        let fewer = same(model, Mode { reduction, order, algorithm, engine, ..plain }, &whole)?;
        if reduction == Reduction::Stubborn && order == Order::BreadthFirst {
            tally.states[1] += fewer;
            tally.smaller += u64::from(fewer < states);
        }
    }
    if turn.is_multiple_of(8) && !whole.verdicts.is_empty() {
        let fair = Mode { fairness: Fairness::Weak, ..WHOLE };
        if let Ok(Some((whole, _))) = said(model, fair, MOST_STATES) {
            same(model, Mode { reduction: Reduction::Stubborn, ..fair }, &whole)?;
        }
    }
    Ok(())
}

/// Checks that a reduced search has the result of the unreduced one; returns its number of states.
fn same(model: &Arc<Model>, mode: Mode, whole: &Said) -> Result<u64, String> {
    match said(model, mode, MOST_REDUCED) {
        Ok(Some((reduced, states))) if reduced == *whole => Ok(states),
        Ok(Some((reduced, _))) => Err(format!("{mode:?}:\n  {reduced:?}\ninstead of\n  {whole:?}")),
        Ok(None) => Err(format!("{mode:?}: more states than without")),
        Err(fault) => Err(format!("{mode:?}: {fault}")),
    }
}

/// The result of a search and its number of states; `None` if there are too many.
fn said(model: &Arc<Model>, mode: Mode, most: u64) -> Result<Option<(Said, u64)>, String> {
    let Mode { reduction, order, algorithm, engine, fairness, all } = mode;
    let limits = Limits { errors: None, states: Some(most), ..Limits::default() };
    let mut config =
        Config { reduction, order, algorithm, successors: engine, fairness, limits, ..Config::default() };
    if all {
        config.checks.extend(Check::MODELS);
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
    if cut || checked.found.outcome.stop.is_some() {
        return Ok(None);
    }
    // The first blocked process is named; the order of processes that are created is not preserved.
    let creates = model.processes.iter().any(|process| process.creates().next().is_some());
    let fault = |v: &axle_search::Violation| match v.site.kind {
        FaultKind::InvalidEnd if creates => format!("{:?}", v.site.kind),
        _ => format!("{:?} {:?} {:?}", v.site.kind, v.proc, v.site.edge),
    };
    let faults = checked.found.outcome.violations.iter().map(fault).collect();
    let verdicts: Vec<String> =
        checked.report.properties.iter().map(|p| format!("{}: {:?}", p.name, p.verdict)).collect();
    let mut taken = checked.found.outcome.taken;
    // A process may be at its end forever, behind a younger one; reports leave these edges out too.
    for (process, taken) in model.processes.iter().zip(&mut taken) {
        process.edges.iter().zip(taken).for_each(|(edge, taken)| *taken |= edge.ends());
    }
    Ok(Some((Said { faults, verdicts, taken }, checked.report.search.states.saturated())))
}
