//! From a model to a smaller model that answers the same questions: passes, each of which can be
//! left out.
//!
//! Kept by all of them: process types, locations and edges have the numbers that they had, so that
//! a step of the smaller model is a step, or a row of steps, of the user's own, edge by edge; and
//! no fault is lost or gained. docs/theory/passes.md argues why each is right.
//!
//! *Entry point:* [`apply`].

pub mod constants;
pub mod hide;
pub mod live;
pub mod merge;
pub mod occurs;

use std::collections::BTreeSet;

use axle_model::Model;

use crate::conflicts::Visible;

/// A pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Pass {
    /// For each property, what it does not depend on is left out ([`crate::slice`]); not done by [`apply`].
    Slice,
    /// What never changes is written as its value.
    Constants,
    /// What is written and never asked for is not kept.
    Hide,
    /// A variable whose value is not asked for again is 0 until it is written.
    Dead,
    /// A step that nobody else can see or disturb is taken together with the one before it.
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

/// What a smaller model still has to answer.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// What is looked at in every state.
    pub visible: &'a Visible,
    /// A run may have steps that change nothing of what is visible, or not: the answer is the same. Where this is
    /// not so, every step stays a step of its own.
    pub blind: bool,
    /// Values that lose bits are reported.
    pub truncation: bool,
}

/// A smaller model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Smaller {
    /// The model.
    pub model: Model,
    /// How many places of the model each pass changed; passes that changed nothing are left out.
    pub changed: Vec<(Pass, usize)>,
}

/// Applies passes in their own order; none where they change nothing.
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
