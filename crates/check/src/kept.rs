//! Checks a model and keeps checkpoints of its searches, or goes on from one.
//!
//! A check is a search for faults and then one for each property; a checkpoint is of one of them.
//! Those before it are done anew, and keep none, so that it is not written over before it was gone
//! on from; once a search has met a limit, those after it keep none either.
//!
//! *Entry point:* [`check_kept`].
//! *Invariant:* A checkpoint is gone on from only if the model that is searched, what is looked
//! for, what is left out and, where that decides what is found, the order are those that it was
//! written for; limits, stores, engines and numbers of threads may be others.

use std::sync::Arc;

use axle_model::Model;
use axle_search::{
    Checkpoint, Claim, Fairness, Keep, Limits, Monitor, Past, Progress, Reduction, Silent, Stop,
};
use axle_step::{Atom, Interrupt};

use crate::attempts::Attempts;
use crate::choice;
use crate::claims;
use crate::config::{Auto, Config, Order};
use crate::engine::Tiered;
use crate::store::{self, Explored};
use crate::threads::{self, About};
use crate::{Checked, Verdict, check_with, describe, passes};

/// Why a checkpoint cannot be kept or gone on from: a sentence.
pub type Unfit = String;

/// Checks a model as [`crate::check`] does. `keeper` is given checkpoints of the searches; with `past` the one that it is of
/// goes on from there.
pub fn check_kept(
    model: &Arc<Model>,
    config: &Config,
    monitor: &mut impl Monitor,
    keeper: &mut dyn Keep,
    past: Option<Past>,
) -> Result<Checked, Unfit> {
    possible(config)?;
    let config = &match &past {
        None => chosen(model, config),
        // The attempts were made before the checkpoint.
        Some(past) => Config { attempts: false, ..settled(model, config, past) },
    };
    if let Some(past) = &past {
        fits(&past.about, &expected(model, config, past)?)?;
    }
    let mut kept = Kept { monitor, keeper, past, about: None, closed: false, unfit: false };
    let checked = check_with(model, config, &mut kept, explore);
    if kept.unfit && checked.outcome.stop != Some(Stop::Checkpoint) {
        return Err(describe::stop(Some(model), Stop::Checkpoint, config).message);
    }
    if kept.past.is_some() && checked.report.verdict != Verdict::Unknown {
        return Err("the search that it is of does not come up in this check".to_string());
    }
    Ok(checked)
}

/// What is left out. That is the same wherever the search ends: neither a limit on states nor an interruption counts.
fn chosen(model: &Arc<Model>, config: &Config) -> Config {
    let endless = Config { limits: Limits { states: None, ..config.limits }, ..config.clone() };
    Config { limits: config.limits, ..choice::settle(model, &endless, &mut Silent) }
}

/// What was decided to be left out when a checkpoint was written, where that was for Axle to decide: limits may be others
/// now, and the search is the same.
fn settled(model: &Arc<Model>, config: &Config, past: &Past) -> Config {
    let was = |config: &Config| {
        expected(model, config, past).is_ok_and(|expected| fits(&past.about, &expected).is_ok())
    };
    let now = chosen(model, config);
    if config.auto == Auto::Nothing || was(&now) {
        return now;
    }
    // Memory, for one, may have decided it otherwise.
    [choice::plain(config), config.clone()].into_iter().find(was).unwrap_or(now)
}

/// The lines that a checkpoint has to have, or to begin with where it is of a property.
fn expected(model: &Arc<Model>, config: &Config, past: &Past) -> Result<String, Unfit> {
    if let Some(name) = past.about.lines().find_map(|line| line.strip_prefix("property ")) {
        let wanted = |one: &claims::Stated| one.name == name && config.wants(one);
        let asked = config.checks.contains(&crate::Check::Properties);
        if !asked || !claims::stated(model).iter().any(wanted) {
            return Err(format!("it was written for the property '{name}', which is not asked for"));
        }
        return Ok(about_property(model, config, name));
    }
    if !config.wants_safety() {
        return Err("it was written for a search for faults, and none is asked for".to_string());
    }
    let small = passes::for_faults(model, config);
    let searched = small.as_ref().map_or(model, |small| &small.model);
    let about = about(searched, config, graph_of(past, config));
    Ok(if past.about.lines().any(|line| line == LEVELS) { about.levels } else { about.log })
}

/// Whether checkpoints can be kept of what is asked for.
fn possible(config: &Config) -> Result<(), Unfit> {
    let refuse = |what: &str| Err(format!("checkpoints are kept of exact searches only, not of {what}"));
    match config.order {
        _ if !config.store.is_exact() => refuse("stores that may miss states"),
        Order::DepthFirst if config.shortest => refuse("--search dfs --shortest"),
        Order::DepthFirst if config.limits.depth.is_some() => refuse("--search dfs --depth"),
        Order::BreadthFirst | Order::DepthFirst => Ok(()),
        Order::Stateless => refuse("--search stateless"),
        Order::Random => refuse("--search random"),
    }
}

/// Runs the search for faults.
fn explore<M: Monitor>(
    model: &Arc<Model>,
    stepper: &mut Tiered,
    config: &Config,
    monitor: &mut Attempts<'_, Kept<'_, M>>,
) -> Explored {
    // What is done in a moment needs no checkpoint, and is the same on another day.
    if config.reduction == Reduction::Stubborn
        && store::promise(model, config).is_ok()
        && let Some(explored) = store::guarded(model, stepper, config, monitor)
    {
        monitor.monitor.past.take_if(|past| !past.about.contains(PROPERTY));
        monitor.ended(explored.outcome.stop);
        return explored;
    }
    let graphs = [Reduction::None, config.reduction].map(|graph| (graph, about(model, config, graph)));
    let goes_on = |about: &About| [&about.log, &about.levels].iter().any(|it| monitor.goes_on(it).is_some());
    let known = graphs.iter().find(|(_, about)| goes_on(about));
    let (told, graph) = match known {
        None => match store::decide(model, stepper, config, monitor) {
            Ok(decided) => decided,
            Err(explored) => return *explored,
        },
        // What was decided then is not decided anew.
        Some((graph, _)) => match store::promise(model, config) {
            Err(told) => (told, Reduction::None),
            Ok(()) => (store::DOES_NOT_PAY, *graph),
        },
    };
    let about = Some(about(model, config, graph));
    match graph {
        Reduction::None => {
            Explored { reduction: told, ..threads::whole(stepper, config, about.as_ref(), monitor) }
        }
        Reduction::Ample | Reduction::Stubborn | Reduction::Guards => {
            threads::reduced(model, stepper, config, about.as_ref(), monitor)
        }
    }
}

/// A watched check of which checkpoints are kept.
struct Kept<'a, M> {
    monitor: &'a mut M,
    keeper: &'a mut dyn Keep,
    /// What is to be gone on from, until its search begins.
    past: Option<Past>,
    /// The lines about the search that is on.
    about: Option<String>,
    /// A search has met a limit, and is what the checkpoint is of from here on.
    closed: bool,
    /// What was gone on from was not of its search.
    unfit: bool,
}

impl<M> Keep for Kept<'_, M> {
    fn due(&mut self) -> bool {
        self.keeper.due()
    }

    fn keep(&mut self, point: &Checkpoint<'_>) {
        if let Some(about) = &self.about {
            self.keeper.keep(&point.labelled(about));
        }
    }
}

impl<M: Monitor> Monitor for Kept<'_, M> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        self.monitor.watch(progress)
    }

    fn pause_at(&self) -> Option<u64> {
        self.monitor.pause_at()
    }

    fn pause(&mut self, progress: &Progress) -> Option<Stop> {
        self.monitor.pause(progress)
    }

    fn interrupt(&self) -> Interrupt {
        self.monitor.interrupt()
    }

    fn past(&mut self) -> Option<Past> {
        let about = self.about.as_deref()?;
        self.past.take_if(|past| past.about == about)
    }

    fn keeper(&mut self) -> Option<&mut dyn Keep> {
        let wanted = self.about.is_some() && self.past.is_none() && !self.closed;
        if wanted { Some(self) } else { None }
    }

    fn keeps(&self) -> bool {
        true
    }

    fn begins(&mut self, about: &str) {
        self.about = Some(about.to_string());
    }

    fn ended(&mut self, stop: Option<Stop>) {
        self.about = None;
        self.closed |= stop.is_some_and(Stop::can_go_on);
        self.unfit |= stop == Some(Stop::Checkpoint);
    }

    fn goes_on(&self, about: &str) -> Option<u64> {
        self.past.as_ref().filter(|past| past.about == about).map(|past| past.states)
    }
}

/// What is in the lines of a checkpoint of a property.
const PROPERTY: &str = "\nproperty ";

/// The line that says that a checkpoint has the states of levels.
const LEVELS: &str = "kept levels";

/// The lines of a checkpoint that say of which search for faults it is: all that decides which successors are made, and, of
/// one thread, in which order they are looked at. Where states are kept, what was found on the way is that too.
fn about(model: &Model, config: &Config, graph: Reduction) -> About {
    let options = config.step_options();
    let order = match config.order {
        Order::BreadthFirst => "breadth-first",
        Order::DepthFirst => "depth-first",
        Order::Stateless => "stateless",
        Order::Random => "random",
    };
    let depth = config.limits.depth.map_or_else(|| "unlimited".to_string(), |depth| depth.to_string());
    let yes = |yes| if yes { "yes" } else { "no" };
    let log = format!(
        "axle {}\nmodel {}\nsearch {order}\ngraph {}\ndepth {depth}\ntruncation {}\nmessages left {}\n",
        env!("CARGO_PKG_VERSION"),
        axle_certify::fingerprint(model),
        graph_name(graph),
        yes(options.truncation),
        yes(options.messages_left),
    );
    let ignored: Vec<&str> = config.search_options().ignored.iter().map(|kind| kind.name()).collect();
    let levels = format!("{log}{LEVELS}\npassed over {}\n", ignored.join(" "));
    About { log, levels }
}

/// The first lines of a checkpoint that is of the search for runs that break a property: what decides which model is searched,
/// and how.
fn about_property(model: &Model, config: &Config, name: &str) -> String {
    let passes: Vec<&str> = config.passes.iter().map(|pass| pass.name()).collect();
    let options = config.step_options();
    format!(
        "axle {}\nmodel {}\nproperty {name}\nfairness {}\nreduction {}\npasses {}\noptions {options:?} {:?}\n",
        env!("CARGO_PKG_VERSION"),
        axle_certify::fingerprint(model),
        crate::fairness_name(config.fairness),
        graph_name(config.reduction),
        passes.join(" "),
        config.limits.depth,
    )
}

/// All lines of such a checkpoint: which model was searched, for what, in which graph.
pub(crate) fn about_runs(
    (model, config, name): (&Model, &Config, &str),
    searched: &Model,
    (claim, atoms): (&Claim, &[Atom]),
    fairness: Fairness,
    graph: Reduction,
) -> String {
    let text = format!("{claim:?}{atoms:?}");
    let sum = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!(
        "{}searched {}\nclaim {sum:016x} of {}\nfair {}\ngraph {}\n",
        about_property(model, config, name),
        axle_certify::fingerprint(searched),
        text.len(),
        crate::fairness_name(fairness),
        graph_name(graph),
    )
}

fn graph_name(graph: Reduction) -> &'static str {
    match graph {
        Reduction::None => "whole",
        Reduction::Ample => "ample",
        // With a look at guards no checkpoint is kept: the search is the other one.
        Reduction::Stubborn | Reduction::Guards => "stubborn",
    }
}

/// Which graph a checkpoint was written for, of those that the configuration may mean: whether a reduction pays is
/// found out while searching.
fn graph_of(past: &Past, config: &Config) -> Reduction {
    let line = format!("graph {}", graph_name(config.reduction));
    match past.about.lines().any(|known| known == line) {
        true => config.reduction,
        false => Reduction::None,
    }
}

/// Whether a checkpoint is of this search.
fn fits(past: &str, now: &str) -> Result<(), Unfit> {
    // Of a property more is known when its search begins.
    if past == now || past.contains(PROPERTY) && past.starts_with(now) {
        return Ok(());
    }
    let differs = past.lines().zip(now.lines()).find(|(past, now)| past != now);
    Err(match differs {
        Some((past, _)) if past.starts_with("model ") => {
            "it was written for another model, or for this one read or made smaller with other options"
                .to_string()
        }
        Some((past, now)) => format!("it was written for another search: `{past}` there, `{now}` here"),
        None => "it was written for another search".to_string(),
    })
}
