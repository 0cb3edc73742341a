//! The lines that identify a search in its checkpoints: everything that decides which states it visits.
//!
//! *Entry points:* [`about`] for searches of states, [`about_runs`] for those of a property.
//! *Invariant:* searches with equal lines visit the same states.

use axle_explicit::threads::CheckpointLabels;
use axle_model::Model;
use axle_model::dump::fnv1a;
use axle_question::config::{Config, Order};
use axle_search::claim::Claim;
use axle_search::{Fairness, Reduction};
use axle_step::Atom;

use crate::judgement::run_report::fairness_name;

/// Part of the lines of a checkpoint of a property.
pub(crate) const PROPERTY: &str = "\nproperty ";

/// The line of a checkpoint that contains the states of levels.
pub(crate) const LEVELS: &str = "kept levels";

/// The lines that identify a search for faults of states: everything that decides which successors
/// are computed and, for one thread, in which order they are visited; with states of levels also
/// the kinds of faults that are ignored.
pub(crate) fn about(model: &Model, config: &Config, graph: Reduction) -> CheckpointLabels {
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
        axle_model::dump::fingerprint(model),
        graph_name(graph),
        yes(options.truncation),
        yes(options.messages_left),
    );
    let ignored: Vec<&str> = config.ignored_kinds().iter().map(|kind| kind.name()).collect();
    let levels = format!("{log}{LEVELS}\npassed over {}\n", ignored.join(" "));
    CheckpointLabels { log, levels }
}

/// The first lines of a checkpoint of a property: everything that decides which model is searched,
/// and how.
pub(crate) fn about_property(model: &Model, config: &Config, name: &str) -> String {
    let passes: Vec<&str> = config.passes.iter().map(|pass| pass.name()).collect();
    let options = config.step_options();
    format!(
        "axle {}\nmodel {}\nproperty {name}\nfairness {}\nreduction {}\npasses {}\noptions {options:?} {:?}\n",
        env!("CARGO_PKG_VERSION"),
        axle_model::dump::fingerprint(model),
        fairness_name(config.fairness),
        graph_name(config.reduction),
        passes.join(" "),
        config.limits.depth,
    )
}

/// All lines of such a checkpoint, with the model, the claim and the graph of the search.
pub(crate) fn about_runs(
    (model, config, name): (&Model, &Config, &str),
    searched: &Model,
    (claim, atoms): (&Claim, &[Atom]),
    fairness: Fairness,
    graph: Reduction,
) -> String {
    let text = format!("{claim:?}{atoms:?}");
    let sum = fnv1a(text.bytes());
    format!(
        "{}searched {}\nclaim {sum:016x} of {}\nfair {}\ngraph {}\n",
        about_property(model, config, name),
        axle_model::dump::fingerprint(searched),
        text.len(),
        fairness_name(fairness),
        graph_name(graph),
    )
}

/// The name of a graph.
pub(crate) fn graph_name(graph: Reduction) -> &'static str {
    match graph {
        Reduction::None => "whole",
        Reduction::Ample => "ample",
        // The search with an analysis of guards has no checkpoints.
        Reduction::Stubborn | Reduction::Guards => "stubborn",
    }
}
