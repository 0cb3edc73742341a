//! The plan for a model.
//!
//! By default the exact search, the searches for all properties and the bug hunters share the work.
//! Bug hunters look for violations of states and, in walks of their own, for bad prefixes of
//! formulas: an invariant is hunted for whether it is an assertion or a formula.
//! A search that was selected is not supplemented: properties are then searched one after the
//! other.
//!
//! *Entry point:* [`of_model`].

use axle_model::Model;
use axle_search::{Arrangement, Guide};
use axle_step::Interrupt;

use super::{Attempt, Fraction, Kind, Share, Target};
use crate::checks::Check;
use crate::claims::{self, Source, Stated};
use crate::config::{Config, Order};

/// States of the exact search at which bug hunters start: of that for violations of states, and
/// after it of the largest one for a property. Smaller models are searched faster than hunters are
/// started.
pub(crate) const HUNT: u64 = 20_000;

/// Share of the searches for properties together, in thousandths, if they are resumed after the
/// exact search and so cost nothing, and if all threads search again.
const RESUMED: u32 = 250;
const REPEATED: u32 = 30;

/// Shares of the bug hunters, in thousandths. A deep violation needs a depth-first search of as
/// many states as its path has steps. Their states take up to twice the time of the exact search's,
/// and all together may take a tenth of it.
const DEPTH_FIRST: Fraction = Fraction { first: 28, later: 10, least: 5 };
/// A step of a path expands one state and stores a hash: much less work than a state of a wide search,
/// beside which a path of 400,000 steps is to be followed within a few seconds. The path ends by itself,
/// or when it has used its memory.
const SINGLE_PATH: Fraction = Fraction { first: 160, later: 160, least: 160 };
const SHUFFLED: Fraction = Fraction { first: 6, later: 5, least: 2 };
const WALKS: Fraction = Fraction { first: 6, later: 5, least: 3 };

/// The attempts of a check of a model, in the order in which they start.
pub fn of_model(model: &Model, config: &Config) -> Vec<Attempt> {
    let wanted = claims::wanted(model, |one| config.wants(one), &Interrupt::default());
    attempts(config, &wanted)
}

/// Whether attempts share the work. The configured search must be the default one: a limit on
/// states or depth, an order or a lossy store ask for one search.
pub(crate) fn is_shared(config: &Config) -> bool {
    config.attempts
        && config.order == Order::BreadthFirst
        && config.store.is_exact()
        && !config.shortest
        && config.limits.states.is_none()
        && config.limits.depth.is_none()
}

/// The attempts for the wanted properties.
pub(crate) fn attempts(config: &Config, wanted: &[Stated]) -> Vec<Attempt> {
    let is_exact = config.store.is_exact() && config.order != Order::Random;
    let safety = config.wants_safety();
    let mut plan = Vec::new();
    if safety {
        plan.push(Attempt {
            kind: Kind::Safety,
            target: Target::States,
            share: Share::Rest,
            start: 0,
            is_conclusive: is_exact,
        });
    }
    let properties =
        if config.checks.contains(&Check::Properties) && !config.states_only() { wanted } else { &[] };
    let searched: Vec<usize> =
        (0..properties.len()).filter(|&index| is_searched(&properties[index])).collect();
    let is_shared = is_shared(config);
    let hunted: Vec<usize> =
        searched.iter().copied().filter(|&index| properties[index].bad_prefixes.is_some()).collect();
    let together = if config.threads > 1 { REPEATED } else { RESUMED };
    let each = (together / (searched.len() as u32).max(1)).max(1);
    for index in searched {
        let fraction = Fraction { first: each, later: each, least: each };
        plan.push(Attempt {
            kind: Kind::Property,
            target: Target::Property(index, properties[index].name.clone()),
            share: if is_shared { Share::Property(fraction) } else { Share::After },
            start: 0,
            is_conclusive: config.store.is_exact(),
        });
    }
    if is_shared && safety {
        plan.extend(hunters(&Target::States));
    }
    if is_shared && !hunted.is_empty() {
        plan.extend(hunters(&Target::BadPrefixes(hunted)));
    }
    plan
}

/// The bug hunters for a target.
fn hunters(target: &Target) -> impl Iterator<Item = Attempt> {
    let kinds = [
        (Kind::DepthFirst(Arrangement::AsMade), DEPTH_FIRST),
        (Kind::DepthFirst(Arrangement::Reversed), DEPTH_FIRST),
        (Kind::DepthFirst(Arrangement::Shuffled(1)), SHUFFLED),
        (Kind::SinglePath(Arrangement::AsMade), SINGLE_PATH),
        (Kind::SinglePath(Arrangement::Reversed), SINGLE_PATH),
        (Kind::Walks(Guide::Mixed), WALKS),
    ];
    kinds.into_iter().map(|(kind, fraction)| Attempt {
        kind,
        target: target.clone(),
        share: Share::Fraction(fraction),
        start: HUNT,
        is_conclusive: false,
    })
}

/// Whether a search exists for a property.
fn is_searched(one: &Stated) -> bool {
    match &one.source {
        Source::Events(events) => events.is_ok(),
        Source::Formula(_) | Source::Never | Source::Acceptance | Source::Progress => one.claim.is_ok(),
    }
}
