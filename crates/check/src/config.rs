//! How a model is to be checked.

use std::collections::BTreeSet;

use axle_search::{Algorithm, Fairness, Limits, Reduction};

use crate::checks::{Check, KINDS};
use crate::claims::Stated;

/// How a model is to be checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// What is checked.
    pub checks: BTreeSet<Check>,
    /// In which order states are visited.
    pub order: Order,
    /// How states are stored.
    pub store: StoreChoice,
    /// How successors are made.
    pub engine: EngineChoice,
    /// Only these properties of the model (and labels), by name; none are all that it states.
    pub only: Option<BTreeSet<String>>,
    /// What is assumed of the scheduler when runs are judged.
    pub fairness: Fairness,
    /// How runs that break a property are searched for.
    pub algorithm: Algorithm,
    /// Spend more time on shorter runs that break a property.
    pub shortest: bool,
    /// Ask of every formula that holds whether it would hold with a part of it made stronger.
    pub vacuity: bool,
    /// How much is left out that the verdict does not depend on.
    pub reduction: Reduction,
    /// How far the search may go.
    pub limits: Limits,
    /// For tests of what happens when Axle itself is at fault: a step that leads nowhere is added to every
    /// path before it is replayed.
    pub spoil_paths: bool,
}

/// In which order states are visited.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Order {
    /// Nearest to the start first: shortest traces.
    #[default]
    BreadthFirst,
    /// Newest first.
    DepthFirst,
}

/// How states are stored; all ways are exact.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum StoreChoice {
    /// As they are while there are few, compressed where there are many.
    #[default]
    Auto,
    /// As they are.
    Plain,
    /// With tree compression.
    Tree,
}

/// How successors are made; both ways give the same ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum EngineChoice {
    /// Interpret at first, compile once it pays.
    #[default]
    Auto,
    /// Interpret the model.
    Interpreter,
    /// Compile the model to machine code before the search.
    Compiled,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            checks: Check::ALL.into_iter().filter(|check| check.by_default()).collect(),
            order: Order::default(),
            store: StoreChoice::default(),
            engine: EngineChoice::default(),
            only: None,
            fairness: Fairness::default(),
            algorithm: Algorithm::default(),
            shortest: false,
            vacuity: false,
            reduction: Reduction::default(),
            limits: Limits { errors: Some(1), ..Limits::default() },
            spoil_paths: false,
        }
    }
}

impl Config {
    /// What successor functions have to look for.
    pub fn step_options(&self) -> axle_step::Options {
        axle_step::Options {
            truncation: self.checks.contains(&Check::Truncation),
            messages_left: self.checks.contains(&Check::MessagesLeft),
            movers: false,
        }
    }

    /// Whether anything is asked for that the search for faults finds out.
    pub fn wants_safety(&self) -> bool {
        self.checks.iter().any(|&check| check != Check::Properties)
    }

    /// Whether a property of the model is asked for.
    pub fn wants(&self, stated: &Stated) -> bool {
        self.only.as_ref().map_or(stated.by_default, |only| only.contains(&stated.name))
    }

    /// What a search has to do.
    pub(crate) fn search_options(&self) -> axle_search::Options {
        let ignored = KINDS.into_iter().filter(|&kind| !self.checks.contains(&Check::of(kind))).collect();
        axle_search::Options { limits: self.limits, ignored }
    }
}
