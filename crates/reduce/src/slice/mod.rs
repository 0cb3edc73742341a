//! Slicing: the part of a model that a property over its variables depends on.
//!
//! Main function: [`slice`]. The algorithm is that of Holzmann, *From Code to Models* (ACSD 2001) and of Spin's
//! slicer: from the variables of the property, data dependence and the control dependence on what can block, to a
//! fixpoint ([`depend`]), with bubbles exempted ([`bubbles`]) and channels told apart by who may refer to them
//! ([`alias`]). What is not relevant becomes `skip` in its place, and only acyclic regions of `skip` are drawn
//! together ([`collapse`]).
//!
//! Kept: every run of the model, up to steps that change nothing of what the property sees, is a run of the slice. So
//! a property that holds of the slice holds of the model. The slice may have more runs: that a loop which is not
//! relevant ends is not known there. What is found in a slice is no violation before the model shows it.

pub mod alias;
pub mod bubbles;
pub mod collapse;
pub mod depend;

use axle_model::{Effect, Expr, Keep, Model, Pattern, Place, ProcId, walk};

use crate::conflicts::{Visible, obstacle, visible_obstacle};

/// What of an edge is relevant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relevant {
    /// Whether it can be taken: its guard and its communication.
    pub control: bool,
    /// Each of its effects.
    pub effects: Vec<bool>,
}

impl Relevant {
    /// Whether anything of the edge is.
    pub fn any(&self) -> bool {
        self.control || self.effects.contains(&true)
    }
}

/// A slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slice {
    /// What is left, as a model. Locations are those of the original; edges are not.
    pub model: Model,
    /// For each process type and edge of the original, what is relevant.
    pub edges: Vec<Vec<Relevant>>,
    /// For each process type, which effects of its prologue are.
    pub prologues: Vec<Vec<bool>>,
    /// For each global, whether its value is.
    pub globals: Vec<bool>,
    /// For each process type, whether the value of each local is.
    pub locals: Vec<Vec<bool>>,
    /// For each channel of the model, whether what it holds is.
    pub channels: Vec<bool>,
    /// How many conditions, communications and effects are not relevant.
    pub removed: usize,
}

/// Why a model cannot be sliced for a property that sees these things, where it cannot.
pub fn slice_obstacle(model: &Model, visible: &Visible) -> Option<&'static str> {
    if let Some(reason) = obstacle(model).or_else(|| visible_obstacle(visible)) {
        return Some(reason);
    }
    if visible.accepting {
        return Some("labels say something about every statement");
    }
    if model.processes.iter().any(|process| process.provided.is_some()) {
        return Some("`provided` stops whole processes");
    }
    let mut found = None;
    model.processes.iter().for_each(|process| {
        walk::process(process, &mut |expr| {
            if matches!(expr, Expr::Timeout) {
                found = Some("`timeout` depends on everything that can move");
            }
        });
    });
    found
}

/// The slice of a model for a property that sees these things; or why there is none.
pub fn slice(model: &Model, visible: &Visible) -> Result<Slice, &'static str> {
    if let Some(reason) = slice_obstacle(model, visible) {
        return Err(reason);
    }
    let aliases = alias::Aliases::new(model)?;
    let found = depend::relevant(model, visible, &aliases)?;
    let removed = removed(model, &found.edges);
    let mut slice = Slice {
        model: blanked(model, &found),
        edges: found.edges,
        prologues: found.prologues,
        globals: found.globals,
        locals: found.locals,
        channels: found.channels,
        removed,
    };
    collapse::collapse(&mut slice.model, &found.watched);
    Ok(slice)
}

/// How many conditions, communications and effects of the user's are not relevant. Assertions and printing change
/// nothing and do not count.
fn removed(model: &Model, edges: &[Vec<Relevant>]) -> usize {
    let mut removed = 0;
    for (process, edges) in model.processes.iter().zip(edges) {
        for (edge, relevant) in process.edges.iter().zip(edges) {
            let conditional = edge.guard != Expr::TRUE || edge.comm.is_some();
            removed += usize::from(conditional && !relevant.control);
            let effects = edge.effects.iter().zip(&relevant.effects);
            removed += effects.filter(|(effect, relevant)| !**relevant && changes(effect)).count();
        }
    }
    removed
}

/// Whether an effect changes the state.
fn changes(effect: &Effect) -> bool {
    match effect {
        Effect::Assign(..) | Effect::Clear(_) | Effect::Run { .. } | Effect::Exit => true,
        Effect::Assert(..) | Effect::Print(..) | Effect::SetPriority(..) => false,
    }
}

/// The model with `skip` for what is not relevant.
fn blanked(model: &Model, found: &depend::Found) -> Model {
    let mut sliced = model.clone();
    let mut index = 0;
    sliced.prologue.retain(|_| {
        index += 1;
        found.prologue[index - 1]
    });
    for (number, process) in sliced.processes.iter_mut().enumerate() {
        let proc = ProcId::new(number);
        process.deterministic = false;
        let mut kept = found.prologues[number].iter();
        process.prologue.retain(|_| *kept.next().unwrap_or(&true));
        for (id, edge) in process.edges.iter_mut().enumerate() {
            let relevant = &found.edges[number][id];
            if !relevant.any() && edge.effects.iter().any(|effect| matches!(effect, Effect::Exit)) {
                // A process that has nothing more to do stays where it is.
                edge.guard = Expr::Const(0);
            } else if !relevant.control {
                edge.guard = Expr::TRUE;
                edge.comm = None;
                edge.is_else = false;
                edge.rank = 0;
            }
            if found.released[number][id] {
                edge.keep = Keep::Release;
            }
            let mut kept = relevant.effects.iter();
            edge.effects.retain(|_| *kept.next().unwrap_or(&true));
            for effect in &mut edge.effects {
                if let Effect::Run { proc: started, args, into, .. } = effect {
                    for (param, arg) in args.iter_mut().enumerate() {
                        if !found.locals[started.index()][param] {
                            *arg = Expr::Const(0);
                        }
                    }
                    let wanted = |place: &Place| found.is_relevant(proc, place);
                    if into.as_ref().is_some_and(|place| !wanted(place)) {
                        *into = None;
                    }
                }
            }
            if let Some(axle_model::Comm::Receive { patterns, .. }) = &mut edge.comm {
                for pattern in patterns {
                    if let Pattern::Bind(place) = pattern
                        && place.path.is_empty()
                        && !found.is_relevant(proc, place)
                    {
                        *pattern = Pattern::Any;
                    }
                }
            }
        }
        // Ranks may have come out of order.
        for location in &mut process.locations {
            let edges = &process.edges;
            location.out.sort_by_key(|id| edges[id.index()].rank);
        }
    }
    sliced
}
