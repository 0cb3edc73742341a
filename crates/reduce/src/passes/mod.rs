//! Transformations of a model into a smaller one with the same verdicts.
//!
//! All of them preserve the numbers of process types, locations and edges: a step of the smaller
//! model is a sequence of edges of the original model.
//!
//! *Entry point:* [`apply`].
//! *Invariant:* no violation is lost or added; docs/theory/passes.md contains the arguments.

pub mod asked;
pub mod constants;
pub mod hide;
pub mod live;
pub mod merge;
pub mod occurs;

use std::collections::BTreeSet;

use axle_model::Model;

pub use asked::Asked;

/// A pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Pass {
    /// Remove the parts on which a property does not depend ([`crate::slice`]); not done by
    /// [`apply`].
    Slice,
    /// Replace variables that never change by their value.
    Constants,
    /// Remove variables that are written but not needed.
    Hide,
    /// Reset dead variables to 0.
    Dead,
    /// Execute a local step together with the preceding one.
    Merge,
}

impl Pass {
    /// All of them, in the order in which they are applied.
    pub const ALL: [Pass; 5] = [Pass::Slice, Pass::Constants, Pass::Hide, Pass::Dead, Pass::Merge];

    /// The name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Slice => "slice",
            Pass::Constants => "constants",
            Pass::Hide => "hide",
            Pass::Dead => "dead",
            Pass::Merge => "merge",
        }
    }
}

/// A smaller model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Smaller {
    /// The model.
    pub model: Model,
    /// The number of changes of each pass; passes without changes are left out.
    pub changed: Vec<(Pass, usize)>,
}

/// Applies passes in the order of [`Pass::ALL`]; none if they change nothing.
pub fn apply(model: &Model, passes: &BTreeSet<Pass>, asked: &Asked) -> Option<Smaller> {
    let mut smaller = Smaller { model: model.clone(), changed: Vec::new() };
    for pass in Pass::ALL {
        if !passes.contains(&pass) {
            continue;
        }
        let changed = match pass {
            Pass::Slice => 0,
            Pass::Constants => constants::fill_in(&mut smaller.model),
            Pass::Hide => hide::hide(&mut smaller.model, asked),
            Pass::Dead => live::reset(&mut smaller.model, asked),
            Pass::Merge => merge::merge(&mut smaller.model, asked),
        };
        if changed > 0 {
            smaller.changed.push((pass, changed));
        }
    }
    (!smaller.changed.is_empty()).then_some(smaller)
}
