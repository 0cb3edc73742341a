//! Checks one program in all search modes and reports differences.
//!
//! *Entry point:* [`compare`].
//!
//! Compared with the reference exploration: both search orders, all stores, both engines, several
//! threads, and, except for the counts, both reductions and all passes. Compared with each other:
//! the two liveness searches, with and without reduction, and both engines. Fairness must be
//! monotone: a violation under a stronger assumption is a violation under a weaker one. The default
//! plan of attempts is compared with both ([`super::plan`]).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use axle_check::{
    Check, CheckedModel, Config, Order, Pass, StoreChoice, SuccessorChoice, SystemKind, Verdict, check,
};
use axle_model::{EdgeId, Model};
use axle_search::parallel::{self, Tuning};
use axle_search::{Algorithm, Fairness, Limits, Options, Outcome, Reduction, Silent, Stop};
use axle_source::{Diagnostics, MemoryLoader, Severity, Sources};
use axle_step::{FaultKind, Interpreter};

use super::plain::{self, Explored, Stopped};
use super::plan::plan_agrees;

/// The result for a program.
pub enum Compared {
    /// All modes agree.
    Agreed(Came),
    /// It exceeds the limit on states.
    TooLarge,
    /// The front end rejects it with this code.
    Refused(String),
    /// Two modes differ: the kind of difference, and the details.
    Differs(String, String),
}

/// The common result of all modes.
#[derive(Clone, Default, Debug)]
pub struct Came {
    pub states: u64,
    pub transitions: u64,
    /// Kinds of violations.
    pub violations: BTreeSet<FaultKind>,
    /// Verdicts of the properties, without fairness.
    pub properties: BTreeMap<String, Verdict>,
    /// The comparison with Spin, or the reason why there is none; `None` if not requested.
    pub spin: Option<Result<(), String>>,
}

impl fmt::Display for Came {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} states, {} transitions", self.states, self.transitions)?;
        for kind in &self.violations {
            write!(f, ", {kind:?}")?;
        }
        self.properties.iter().try_for_each(|(name, verdict)| write!(f, ", {name} {verdict:?}"))
    }
}

/// The model of a source text; the code of the first error if the front end rejects it.
pub fn model(text: &str) -> Result<Arc<Model>, String> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("program.pml", text);
    let options = axle_promela::Options::default();
    let model =
        axle_promela::compile(&mut sources, main, &MemoryLoader::default(), &options, &mut diagnostics);
    let first = diagnostics.iter().find(|one| one.severity == Severity::Error);
    model.map(Arc::new).ok_or_else(|| first.map_or("no diagnostic".to_string(), |one| one.code.to_string()))
}

/// The expected result of a program, by the reference exploration and the search for strongly
/// connected components.
pub fn expectation(text: &str, most: usize) -> Result<String, String> {
    let model = model(text)?;
    let explored = match plain::explore(&model, config().step_options(), most) {
        Ok(explored) => explored,
        Err(Stopped::TooLarge) => return Err("too large".into()),
        Err(Stopped::Differs(why)) => return Err(format!("the engines differ: {why}")),
    };
    let properties = verdicts(&check(&model, &of_runs(Fairness::None), &mut Silent));
    Ok(came(&explored, properties).to_string())
}

fn came(explored: &Explored, properties: BTreeMap<String, Verdict>) -> Came {
    Came {
        states: explored.states,
        transitions: explored.transitions,
        violations: explored.faults.iter().map(|(kind, _)| *kind).collect(),
        properties,
        spin: None,
    }
}

/// All safety checks, continuing after errors.
fn config() -> Config {
    let checks = Check::MODELS.into_iter().filter(|&check| check != Check::Properties).collect();
    Config { limits: Limits::default(), checks, ..Config::default() }
}

/// The properties over executions.
fn of_runs(fairness: Fairness) -> Config {
    Config { limits: Limits::default(), checks: [Check::Properties].into(), fairness, ..Config::default() }
}

/// Checks a program with at most `most` states in all modes.
pub fn compare(text: &str, most: usize) -> Compared {
    let model = match model(text) {
        Ok(model) => model,
        Err(code) => return Compared::Refused(code),
    };
    if let Err(why) = read_back(&model) {
        return Compared::Differs("text of the model".into(), why);
    }
    let explored = match plain::explore(&model, config().step_options(), most) {
        Ok(explored) => explored,
        Err(Stopped::TooLarge) => return Compared::TooLarge,
        Err(Stopped::Differs(why)) => {
            let kind = why.split(':').next().unwrap_or_default();
            return Compared::Differs(format!("engines: {kind}"), why);
        }
    };
    if let Err((kind, why)) = states_agree(&model, &explored)
        .and_then(|()| threads_agree(&model, &explored))
        .and_then(|()| reductions_agree(&model, &explored))
    {
        return Compared::Differs(kind, why);
    }
    let properties = runs_agree(&model)
        .and_then(|properties| plan_agrees(&model, &explored, &properties).map(|()| properties));
    match properties {
        Ok(properties) => Compared::Agreed(came(&explored, properties)),
        Err((kind, why)) => Compared::Differs(kind, why),
    }
}

/// Checks the invariants of the model, and that its printed text parses to the same model.
fn read_back(model: &Model) -> Result<(), String> {
    if let Some(violation) = axle_model::verify::verify(model).first() {
        return Err(format!("{violation}"));
    }
    match axle_model::parse::parse(&axle_model::dump::dump(model)) {
        Ok(back) if back == *model => Ok(()),
        Ok(_) => Err("the printed model parses to a different model".into()),
        Err(fault) => Err(format!("the printed model does not parse: {fault:?}")),
    }
}

/// Compares the safety searches with the reference exploration.
fn states_agree(model: &Arc<Model>, explored: &Explored) -> Result<(), (String, String)> {
    for (order, store, successors) in [
        (Order::BreadthFirst, StoreChoice::Plain, SuccessorChoice::Interpreter),
        (Order::BreadthFirst, StoreChoice::Tree, SuccessorChoice::Interpreter),
        (Order::BreadthFirst, StoreChoice::Auto, SuccessorChoice::Auto),
        (Order::DepthFirst, StoreChoice::Plain, SuccessorChoice::Interpreter),
        (Order::DepthFirst, StoreChoice::Tree, SuccessorChoice::Compiled),
    ] {
        let checked = check(model, &Config { order, store, successors, ..config() }, &mut Silent);
        let mode = format!("{order:?}, {store:?}");
        let differs = |what: &str, why: String| Err((format!("{mode}: {what}"), why));
        if let Some(internal) = &checked.report.internal {
            return differs("replay", internal.clone());
        }
        if let Some((what, why)) = otherwise(&checked.found.outcome, explored) {
            return differs(what, why);
        }
        if let Some(why) = wrong_verdict(&checked, explored) {
            return differs("verdict", why);
        }
    }
    Ok(())
}

/// A difference between a complete search and the reference exploration.
fn otherwise(outcome: &Outcome, explored: &Explored) -> Option<(&'static str, String)> {
    if outcome.stop.is_some() {
        return Some(("stop", format!("{:?}", outcome.stop)));
    }
    let (states, transitions) = (explored.states, explored.transitions);
    if (outcome.states, outcome.transitions) != (states, transitions) {
        let found = format!("{} states, {} transitions", outcome.states, outcome.transitions);
        return Some(("counts", format!("{found}, not {states}, {transitions}")));
    }
    let faults = faults(outcome);
    if faults != explored.faults || outcome.found != explored.found {
        let why = format!(
            "{faults:?}, {} times, not {:?}, {} times",
            outcome.found, explored.faults, explored.found
        );
        return Some(("faults", why));
    }
    (outcome.taken != explored.taken).then(|| ("edges taken", String::new()))
}

/// The violations with their edges.
fn faults(outcome: &Outcome) -> BTreeSet<(FaultKind, Option<EdgeId>)> {
    outcome.violations.iter().map(|one| (one.site.kind, one.site.edge)).collect()
}

/// Compares the parallel search, with small levels shared by all threads: with the plain store and
/// with tree compression.
fn threads_agree(model: &Arc<Model>, explored: &Explored) -> Result<(), (String, String)> {
    let config = config();
    for (threads, compress_at) in [(2, u64::MAX), (3, 0)] {
        let fork = |_| Interpreter::new(Arc::clone(model), config.step_options());
        let mut forks: Vec<Interpreter> = (0..threads).map(fork).collect();
        let tuning = Tuning { worth: 1, compress_at };
        let options = Options { limits: config.limits, ..Options::default() };
        let searched = parallel::search(&mut forks, tuning, u64::MAX, &options, &mut Silent);
        // States became wider than the trees allow; one thread would continue.
        if searched.tree && searched.outcome.stop == Some(Stop::Memory) {
            continue;
        }
        if let Some((what, why)) = otherwise(&searched.outcome, explored) {
            return Err((format!("{threads} threads: {what}"), why));
        }
    }
    Ok(())
}

/// Compares the searches with reductions: the same violations at the same edges, in at most as many
/// states.
fn reductions_agree(model: &Arc<Model>, explored: &Explored) -> Result<(), (String, String)> {
    let all = || BTreeSet::from(Pass::ALL);
    for (reduction, order, passes) in [
        (Reduction::Ample, Order::BreadthFirst, BTreeSet::new()),
        (Reduction::Stubborn, Order::DepthFirst, BTreeSet::new()),
        (Reduction::None, Order::BreadthFirst, all()),
        (Reduction::Stubborn, Order::DepthFirst, all()),
    ] {
        let with = if passes.is_empty() { "" } else { ", passes" };
        let checked = check(model, &Config { reduction, order, passes, ..config() }, &mut Silent);
        let differs = |what: &str, why: String| Err((format!("{reduction:?}, {order:?}{with}: {what}"), why));
        if checked.found.again > 0 {
            return differs("passes", "a run of the reduced model is not a run of the user's model".into());
        }
        if let Some(internal) = &checked.report.internal {
            return differs("replay", internal.clone());
        }
        let outcome = &checked.found.outcome;
        if outcome.stop.is_some() || outcome.states > explored.states {
            return differs(
                "states",
                format!("{}, {:?}, not {}", outcome.states, outcome.stop, explored.states),
            );
        }
        let faults = faults(outcome);
        if faults != explored.faults {
            return differs("faults", format!("{faults:?}, not {:?}", explored.faults));
        }
        if let Some(why) = wrong_verdict(&checked, explored) {
            return differs("verdict", why);
        }
    }
    Ok(())
}

/// A verdict that contradicts the violations.
fn wrong_verdict(checked: &CheckedModel, explored: &Explored) -> Option<String> {
    for property in &checked.report.properties {
        let Some(check) =
            Check::named(&property.name, SystemKind::Model).filter(|&check| check != Check::Unreached)
        else {
            continue;
        };
        let wrong = explored.faults.iter().any(|(kind, _)| Check::of(*kind) == check);
        let wanted = if wrong { Verdict::Violated } else { Verdict::Holds };
        if property.verdict != wanted {
            return Some(format!("{} {:?}", property.name, property.verdict));
        }
    }
    None
}

/// The verdict of each property.
fn verdicts(checked: &CheckedModel) -> BTreeMap<String, Verdict> {
    checked.report.properties.iter().map(|property| (property.name.clone(), property.verdict)).collect()
}

/// Compares the liveness searches with each other.
fn runs_agree(model: &Arc<Model>) -> Result<BTreeMap<String, Verdict>, (String, String)> {
    let asked = |mode: &str, config: Config| {
        let checked = check(model, &config, &mut Silent);
        match checked.report.internal {
            Some(internal) => Err((format!("runs, {mode}: replay"), internal)),
            None => Ok(verdicts(&checked)),
        }
    };
    let of = |fairness, algorithm, successors| Config { algorithm, successors, ..of_runs(fairness) };
    let (none, components) = (Fairness::None, Algorithm::Components);
    let plain = asked("components", of(none, components, SuccessorChoice::Interpreter))?;
    if plain.is_empty() {
        return Ok(plain);
    }
    let compiled = asked("compiled", of(none, components, SuccessorChoice::Compiled))?;
    if plain != compiled {
        return Err(("runs: engines".into(), format!("{plain:?} interpreted, {compiled:?} compiled")));
    }
    let modes = [
        ("nested", of(none, Algorithm::NestedDfs, SuccessorChoice::Interpreter)),
        ("passes", Config { passes: Pass::ALL.into(), ..of_runs(none) }),
        ("stubborn", Config { reduction: Reduction::Stubborn, ..of_runs(none) }),
        ("ample", Config { reduction: Reduction::Ample, algorithm: Algorithm::NestedDfs, ..of_runs(none) }),
    ];
    for (mode, config) in modes {
        let other = asked(mode, config)?;
        for (name, verdict) in &plain {
            if other[name] != *verdict && other[name] != Verdict::Unknown {
                let why = format!("{name} {verdict:?}, {mode} {:?}", other[name]);
                return Err((format!("runs: {mode}"), why));
            }
        }
    }
    let weak = asked("weak", of(Fairness::Weak, components, SuccessorChoice::Interpreter))?;
    let strong = asked("strong", of(Fairness::Strong, components, SuccessorChoice::Interpreter))?;
    for (name, verdict) in &plain {
        for (less, more) in [(&plain, &weak), (&weak, &strong)] {
            if (less[name], more[name]) == (Verdict::Holds, Verdict::Violated) {
                return Err(("runs: fairness".into(), format!("{name} {verdict:?} {weak:?} {strong:?}")));
            }
        }
    }
    Ok(plain)
}
