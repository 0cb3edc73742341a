//! Slicing: the part of a model that a criterion depends on. A criterion is a set of propositions,
//! data objects, statements and control locations ([`Criterion`]).
//!
//! *Entry point:* [`slice()`]. Data dependence and the control dependence on statements that can
//! block are closed to a fixpoint ([`depend`]). Regions that cannot block are exempt ([`bubbles`]);
//! channels are distinguished by a points-to analysis ([`alias`]). Irrelevant statements become
//! `skip`, and acyclic regions of `skip` are merged ([`collapse`]).
//!
//! *Source:* Holzmann, *From Code to Models*, ACSD 2001, section 5.1; the slicer of Spin.
//!
//! *Invariant:* every execution of the model, up to stuttering with respect to the criterion, is an
//! execution of the slice. A property that holds in the slice therefore holds in the model. By
//! default the slice may have additional executions, because the termination of irrelevant loops is
//! not preserved: a violation in the slice needs confirmation in the model. With
//! [`Criterion::termination`] such loops are relevant, and each finite execution of the slice is
//! one of the model, unless a run-time error of an irrelevant statement ends that execution in the
//! model.

pub mod alias;
pub mod bubbles;
pub mod collapse;
pub mod depend;

use axle_model::access::{self, Action};
use axle_model::{
    Atomicity, EdgeId, Effect, Expr, GlobalId, LocId, LocalId, Model, Pattern, Place, ProcId, walk,
};

use crate::visible::{Visible, obstacle, visible_obstacle};

/// A slicing criterion: the parts of a model whose behaviour the slice preserves.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Criterion {
    /// The propositions of a property.
    pub visible: Visible,
    /// Global variables whose values are preserved. A variable that refers to channels stands for
    /// these too.
    pub globals: Vec<GlobalId>,
    /// Local variables whose values are preserved.
    pub locals: Vec<(ProcId, LocalId)>,
    /// Edges that remain, with all values that they use.
    pub edges: Vec<(ProcId, EdgeId)>,
    /// Control locations whose reachability is preserved.
    pub locations: Vec<(ProcId, LocId)>,
    /// Whether the termination of every loop before a relevant statement is preserved.
    pub termination: bool,
}

impl From<Visible> for Criterion {
    fn from(visible: Visible) -> Criterion {
        Criterion { visible, ..Criterion::default() }
    }
}

/// The relevant parts of an edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relevant {
    /// Its executability: guard and communication.
    pub control: bool,
    /// Each of its effects.
    pub effects: Vec<bool>,
}

impl Relevant {
    /// Whether any part of the edge is relevant.
    pub fn any(&self) -> bool {
        self.control || self.effects.contains(&true)
    }
}

/// A slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slice {
    /// The relevant part, as a model. Locations are those of the original; edges are not.
    pub model: Model,
    /// For each process type and edge of the original, the relevant parts.
    pub edges: Vec<Vec<Relevant>>,
    /// For each process type and effect of its prologue, whether it is relevant.
    pub prologues: Vec<Vec<bool>>,
    /// For each global, whether its value is relevant.
    pub globals: Vec<bool>,
    /// For each process type and local, whether its value is relevant.
    pub locals: Vec<Vec<bool>>,
    /// For each channel of the model, whether its contents are relevant.
    pub channels: Vec<bool>,
    /// The number of irrelevant conditions, communications and effects.
    pub removed: usize,
}

/// The reason why a model cannot be sliced for a criterion, if there is one.
pub fn slice_obstacle(model: &Model, visible: &Visible) -> Option<&'static str> {
    if let Some(reason) = obstacle(model).or_else(|| visible_obstacle(visible)) {
        return Some(reason);
    }
    if visible.accepting || visible.has_progress() {
        return Some("acceptance and progress labels depend on every statement");
    }
    if model.processes.iter().any(|process| process.provided.is_some()) {
        return Some("`provided` blocks entire processes");
    }
    let mut found = None;
    model.processes.iter().for_each(|process| {
        walk::process(process, &mut |expr| {
            if matches!(expr, Expr::Timeout) {
                found = Some("`timeout` depends on every executable statement");
            }
        });
    });
    found
}

/// The slice of a model for a criterion; or the reason why the model cannot be sliced.
pub fn slice(model: &Model, criterion: &Criterion) -> Result<Slice, &'static str> {
    if let Some(reason) = slice_obstacle(model, &criterion.visible) {
        return Err(reason);
    }
    let aliases = alias::Aliases::new(model)?;
    let found = depend::relevant(model, criterion, &aliases)?;
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

/// The number of irrelevant conditions, communications and effects. Assertions and output do not
/// change the state and do not count.
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
    let mut changes = false;
    access::effect(effect, &mut |action| {
        changes |= match action {
            Action::Store(..) | Action::Create(_) | Action::End => true,
            // Models with priorities are not sliced.
            Action::Evaluate(..) | Action::Send { .. } | Action::Receive { .. } | Action::SetPriority => {
                false
            }
        }
    });
    changes
}

/// The model with `skip` in place of irrelevant statements.
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
            if !relevant.any() && edge.ends() {
                // The process remains at its last location.
                edge.guard = Expr::Const(0);
            } else if !relevant.control {
                edge.guard = Expr::TRUE;
                edge.comm = None;
                edge.is_else = false;
                edge.rank = 0;
            }
            if found.released[number][id] {
                edge.keep = Atomicity::Release;
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
        // The ranks of irrelevant edges have changed.
        for location in &mut process.locations {
            let edges = &process.edges;
            location.out.sort_by_key(|id| edges[id.index()].rank);
        }
    }
    sliced
}
