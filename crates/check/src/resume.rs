//! Checks a model with checkpoints of its searches, or resumes from one.
//!
//! A check is a search for faults of states and one search for each property. A checkpoint belongs
//! to one of these. The searches before it are repeated without checkpoints, so that the file is
//! not overwritten before it was used; once a search reached a limit, those after it write none.
//!
//! *Entry point:* [`check_resumable`].
//! *Invariant:* a checkpoint is only resumed with the same model, property, reduction and, where
//! that decides the result, order. Limits, stores, engines and numbers of threads may differ.

use std::sync::Arc;

use axle_evidence::report::Verdict;
use axle_explicit::run::Reducible;
use axle_explicit::successors::Tiered;
use axle_explicit::threads::CheckpointLabels;
use axle_explicit::{Explored, run, threads};
use axle_model::Model;
use axle_question::claims;
use axle_question::config::{Auto, Config, Order};
use axle_search::{
    Analyses, Checkpoint, Checkpoints, Keep, Limits, Monitor, Past, Progress, Reduction, Silent, Stop,
};
use axle_step::Interrupt;

use crate::choice;
use crate::judgement::checkpoint_labels::{LEVELS, PROPERTY, about, about_property, graph_name};
use crate::judgement::{describe, passes};
use crate::model::check_with;
use crate::system::CheckedModel;

/// Why a checkpoint cannot be written or resumed: a sentence.
pub type CheckpointMismatch = String;

/// Checks a model like [`crate::system::check`]. `keeper` receives the checkpoints of the searches; the
/// search of `past` is resumed from there.
pub fn check_resumable(
    model: &Arc<Model>,
    config: &Config,
    monitor: &mut dyn Monitor,
    keeper: &mut dyn Keep,
    past: Option<Past>,
) -> Result<CheckedModel, CheckpointMismatch> {
    possible(config)?;
    let config = &match &past {
        None => chosen(model, config),
        // The attempts were made before the checkpoint.
        Some(past) => Config { attempts: false, ..chosen_before(model, config, past) },
    };
    if let Some(past) = &past {
        fits(&past.about, &expected(model, config, past)?)?;
    }
    let mut resumable = Resumable { monitor, keeper, past, about: None, closed: false, unfit: false };
    let checked = check_with(model, config, &mut resumable, Box::new(explore));
    if resumable.unfit && checked.found.outcome.stop != Some(Stop::Checkpoint) {
        return Err(describe::stop(Some(model), Stop::Checkpoint, config).message);
    }
    if resumable.past.is_some() && checked.report.verdict != Verdict::Unknown {
        return Err("this check does not contain the search of the checkpoint".to_string());
    }
    Ok(checked)
}

/// The configuration with its automatic choices. They do not depend on a limit on states or an
/// interruption.
fn chosen(model: &Arc<Model>, config: &Config) -> Config {
    let endless = Config { limits: Limits { states: None, ..config.limits }, ..config.clone() };
    Config { limits: config.limits, ..choice::open(model, &endless, &mut Silent).config }
}

/// The configuration with the automatic choices of the search that wrote a checkpoint. Limits may
/// differ now.
fn chosen_before(model: &Arc<Model>, config: &Config, past: &Past) -> Config {
    let was = |config: &Config| {
        expected(model, config, past).is_ok_and(|expected| fits(&past.about, &expected).is_ok())
    };
    let now = chosen(model, config);
    if config.auto == Auto::Nothing || was(&now) {
        return now;
    }
    // A different memory limit can change the choice.
    [choice::plain(config), config.clone()].into_iter().find(was).unwrap_or(now)
}

/// The lines that a checkpoint must have; of a property, those that it must begin with.
fn expected(model: &Arc<Model>, config: &Config, past: &Past) -> Result<String, CheckpointMismatch> {
    if let Some(name) = past.about.lines().find_map(|line| line.strip_prefix("property ")) {
        let wanted = |one: &claims::Named| one.name == name && config.wants(one);
        if !claims::names(model).iter().any(wanted) {
            return Err(format!("it was written for the property '{name}', which is not checked"));
        }
        return Ok(about_property(model, config, name));
    }
    if !config.wants_safety() {
        return Err("it was written for a search for faults of states, which is not requested".to_string());
    }
    let small = passes::for_faults(model, config);
    let searched = small.as_ref().map_or(model, |small| &small.model);
    let about = about(searched, config, graph_of(past, config));
    Ok(if past.about.lines().any(|line| line == LEVELS) { about.levels } else { about.log })
}

/// Whether the configured searches have checkpoints.
pub fn can_checkpoint(config: &Config) -> bool {
    possible(config).is_ok()
}

fn possible(config: &Config) -> Result<(), CheckpointMismatch> {
    let refuse = |what: &str| Err(format!("checkpoints exist for exact searches only, not for {what}"));
    if let Some(engine) = config.other_engine() {
        return refuse(&format!("the engine {engine}"));
    }
    match config.order {
        _ if !config.store.is_exact() => refuse("lossy stores"),
        Order::DepthFirst if config.shortest => refuse("depth-first searches for shortest counterexamples"),
        Order::DepthFirst if config.limits.depth.is_some() => {
            refuse("depth-first searches with a depth limit")
        }
        Order::BreadthFirst | Order::DepthFirst => Ok(()),
        Order::Stateless => refuse("stateless searches"),
        Order::Random => refuse("random walks"),
    }
}

/// Runs the search for faults of states.
fn explore(
    model: &Arc<Model>,
    stepper: &mut Tiered,
    config: &Config,
    mut monitor: &mut dyn Monitor,
) -> Explored {
    let monitor = &mut monitor;
    let analyses = Analyses::default();
    // A search of so few states needs no checkpoint.
    if config.reduction == Reduction::Stubborn
        && run::may_reduce(model, config).is_ok()
        && let Some(explored) =
            run::search_with_guards(Reducible::new(model, &analyses), stepper, config, monitor)
    {
        if let Some(kept) = monitor.checkpoints() {
            kept.passes_over(&|about| !about.contains(PROPERTY));
            kept.ended(explored.outcome.stop);
        }
        return explored;
    }
    let graphs = [Reduction::None, config.reduction].map(|graph| (graph, about(model, config, graph)));
    let kept = monitor.checkpoints();
    let goes_on = |about: &CheckpointLabels| {
        let has = |it: &String| kept.as_ref().is_some_and(|kept| kept.goes_on(it).is_some());
        has(&about.log) || has(&about.levels)
    };
    let known = graphs.iter().find(|(_, about)| goes_on(about));
    let (told, graph) = match known {
        None => match run::choose_graph(Reducible::new(model, &analyses), stepper, config, monitor) {
            Ok(decided) => decided,
            Err(explored) => return *explored,
        },
        // The search before the checkpoint made the decision.
        Some((graph, _)) => match run::may_reduce(model, config) {
            Err(told) => (told, Reduction::None),
            Ok(()) => (run::DOES_NOT_PAY, *graph),
        },
    };
    let about = Some(about(model, config, graph));
    match graph {
        Reduction::None => {
            Explored { reduction: told, ..threads::whole(stepper, config, about.as_ref(), monitor) }
        }
        Reduction::Ample | Reduction::Stubborn | Reduction::Guards => {
            // The search that continues from its checkpoint has the analyses of its own states only.
            let analyses = Analyses::default();
            threads::reduced(Reducible::new(model, &analyses), stepper, config, about.as_ref(), monitor)
        }
    }
}

/// The monitor of a check with checkpoints.
struct Resumable<'a> {
    monitor: &'a mut dyn Monitor,
    keeper: &'a mut dyn Keep,
    /// The checkpoint to resume from, until its search begins.
    past: Option<Past>,
    /// The lines that identify the current search.
    about: Option<String>,
    /// A search reached a limit: the checkpoint remains the one of that search.
    closed: bool,
    /// The checkpoint does not belong to its search.
    unfit: bool,
}

impl Keep for Resumable<'_> {
    fn due(&mut self) -> bool {
        self.keeper.due()
    }

    fn keep(&mut self, point: &Checkpoint<'_>) {
        if let Some(about) = &self.about {
            self.keeper.keep(&point.labelled(about));
        }
    }
}

impl Monitor for Resumable<'_> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        self.monitor.watch(progress)
    }

    fn pause_at(&self) -> Option<u64> {
        self.monitor.pause_at()
    }

    fn pause(&mut self, progress: &Progress) -> Option<Stop> {
        self.monitor.pause(progress)
    }

    fn beside(&mut self, others: &[(String, Progress)]) {
        self.monitor.beside(others);
    }

    fn violated(&mut self, property: &str, message: &str) {
        self.monitor.violated(property, message);
    }

    fn interrupt(&self) -> Interrupt {
        self.monitor.interrupt()
    }

    fn checkpoints(&mut self) -> Option<&mut dyn Checkpoints> {
        Some(self)
    }
}

impl Checkpoints for Resumable<'_> {
    fn past(&mut self) -> Option<Past> {
        let about = self.about.as_deref()?;
        self.past.take_if(|past| past.about == about)
    }

    fn keeper(&mut self) -> Option<&mut dyn Keep> {
        let wanted = self.about.is_some() && self.past.is_none() && !self.closed;
        if wanted { Some(self) } else { None }
    }

    fn begins(&mut self, about: &str) {
        self.about = Some(about.to_string());
    }

    fn ended(&mut self, stop: Option<Stop>) {
        self.about = None;
        self.closed |= stop.is_some_and(Stop::can_go_on);
        self.unfit |= stop == Some(Stop::Checkpoint);
    }

    fn passes_over(&mut self, is_past: &dyn Fn(&str) -> bool) {
        self.past.take_if(|past| is_past(&past.about));
    }

    fn goes_on(&self, about: &str) -> Option<u64> {
        self.past.as_ref().filter(|past| past.about == about).map(|past| past.states)
    }
}

/// The graph of the search that wrote a checkpoint. Whether a reduction pays is only known after
/// the first states.
fn graph_of(past: &Past, config: &Config) -> Reduction {
    let line = format!("graph {}", graph_name(config.reduction));
    match past.about.lines().any(|known| known == line) {
        true => config.reduction,
        false => Reduction::None,
    }
}

/// Whether a checkpoint belongs to this search.
fn fits(past: &str, now: &str) -> Result<(), CheckpointMismatch> {
    // The remaining lines of a property are known when its search begins.
    if past == now || past.contains(PROPERTY) && past.starts_with(now) {
        return Ok(());
    }
    let differs = past.lines().zip(now.lines()).find(|(past, now)| past != now);
    Err(match differs {
        Some((past, _)) if past.starts_with("model ") => {
            "it was written for another model, or for this model with other options".to_string()
        }
        Some((past, now)) => format!("it was written for another search: `{past}` there, `{now}` here"),
        None => "it was written for another search".to_string(),
    })
}
