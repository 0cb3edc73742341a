//! Checks a model and keeps checkpoints of the search for faults, or goes on from one.
//!
//! Main function: [`check_kept`]. The search is that of one thread in an exact store. Kept: a checkpoint is gone on
//! from only if the model that is searched, what is looked for in a step, the order and the graph are those that it
//! was written for; limits, stores and engines may be others.

use std::sync::Arc;

use axle_model::Model;
use axle_search::{Checkpoint, Keep, Limits, Monitor, Past, Progress, Reduction, Silent, Stop};
use axle_step::Interrupt;

use crate::choice;
use crate::config::{Auto, Config, Order};
use crate::engine::Tiered;
use crate::store::{self, Explored};
use crate::{Checked, check_with, passes};

/// Why a checkpoint cannot be kept or gone on from: a sentence.
pub type Unfit = String;

/// Checks a model as [`crate::check`] does. `keeper` is given checkpoints of the search for faults; with `past` that
/// search goes on from there.
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
        Some(past) => settled(model, config, past),
    };
    if let Some(past) = &past {
        let small = passes::for_faults(model, config);
        let searched = small.as_ref().map_or(model, |small| &small.model);
        fits(&past.about, &about(searched, config, graph_of(past, config)))?;
    }
    let search = |model: &Arc<Model>, stepper: &mut Tiered, config: &Config, monitor: &mut _| {
        explore(model, stepper, config, monitor, keeper, past)
    };
    Ok(check_with(model, config, monitor, search))
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
        let small = passes::for_faults(model, config);
        let searched = small.as_ref().map_or(model, |small| &small.model);
        past.about == about(searched, config, graph_of(past, config))
    };
    let now = chosen(model, config);
    if config.auto == Auto::Nothing || was(&now) {
        return now;
    }
    // Memory, for one, may have decided it otherwise.
    [choice::plain(config), config.clone()].into_iter().find(was).unwrap_or(now)
}

/// Whether checkpoints can be kept of what is asked for.
fn possible(config: &Config) -> Result<(), Unfit> {
    let refuse =
        |what: &str| Err(format!("checkpoints are kept of exact searches for faults only, not of {what}"));
    match config.order {
        _ if !config.wants_safety() => refuse("searches for runs"),
        _ if !config.store.is_exact() => refuse("stores that may miss states"),
        Order::DepthFirst if config.shortest => refuse("--search dfs --shortest"),
        Order::DepthFirst if config.limits.depth.is_some() => refuse("--search dfs --depth"),
        Order::BreadthFirst | Order::DepthFirst => Ok(()),
        Order::Stateless => refuse("--search stateless"),
        Order::Random => refuse("--search random"),
    }
}

/// Runs the search.
fn explore(
    model: &Arc<Model>,
    stepper: &mut Tiered,
    config: &Config,
    monitor: &mut impl Monitor,
    keeper: &mut dyn Keep,
    past: Option<Past>,
) -> Explored {
    // What is done in a moment needs no checkpoint, and is the same on another day.
    if config.reduction == Reduction::Stubborn
        && store::promise(model, config).is_ok()
        && let Some(explored) = store::guarded(model, stepper, config, monitor)
    {
        return explored;
    }
    let (told, graph) = match &past {
        None => match store::decide(model, stepper, config, monitor) {
            Ok(decided) => decided,
            Err(explored) => return *explored,
        },
        // What was decided then is not decided anew.
        Some(past) => match store::promise(model, config) {
            Err(told) => (told, Reduction::None),
            Ok(()) => (store::DOES_NOT_PAY, graph_of(past, config)),
        },
    };
    let about = about(model, config, graph);
    let mut kept = Kept { monitor, labelled: Labelled { keeper, about }, past };
    match graph {
        Reduction::None => Explored { reduction: told, ..store::explore(stepper, config, &mut kept) },
        Reduction::Ample | Reduction::Stubborn | Reduction::Guards => {
            store::reduced(model, stepper, config, &mut kept)
        }
    }
}

/// A watched search of which checkpoints are kept.
struct Kept<'a, M> {
    monitor: &'a mut M,
    labelled: Labelled<'a>,
    past: Option<Past>,
}

/// Writes on every checkpoint of which search it is.
struct Labelled<'a> {
    keeper: &'a mut dyn Keep,
    about: String,
}

impl Keep for Labelled<'_> {
    fn due(&mut self) -> bool {
        self.keeper.due()
    }

    fn keep(&mut self, point: &Checkpoint<'_>) {
        self.keeper.keep(&point.labelled(&self.about));
    }
}

impl<M: Monitor> Monitor for Kept<'_, M> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        self.monitor.watch(progress)
    }

    fn interrupt(&self) -> Interrupt {
        self.monitor.interrupt()
    }

    fn past(&mut self) -> Option<Past> {
        self.past.take()
    }

    fn keeper(&mut self) -> Option<&mut dyn Keep> {
        Some(&mut self.labelled)
    }
}

/// The lines of a checkpoint that say of which search it is: all that decides which successors are made, and in which
/// order they are looked at.
fn about(model: &Model, config: &Config, graph: Reduction) -> String {
    let options = config.step_options();
    let order = match config.order {
        Order::BreadthFirst => "breadth-first",
        Order::DepthFirst => "depth-first",
        Order::Stateless => "stateless",
        Order::Random => "random",
    };
    let depth = config.limits.depth.map_or_else(|| "unlimited".to_string(), |depth| depth.to_string());
    let yes = |yes| if yes { "yes" } else { "no" };
    format!(
        "axle {}\nmodel {}\nsearch {order}\ngraph {}\ndepth {depth}\ntruncation {}\nmessages left {}\n",
        env!("CARGO_PKG_VERSION"),
        axle_certify::fingerprint(model),
        graph_name(graph),
        yes(options.truncation),
        yes(options.messages_left),
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
    if past == now {
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
