//! Names channels directly where a channel variable never changes.
//!
//! Idea: `chan c = [2] of { byte }` makes a variable that holds a reference. Where nothing but the
//! prologue ever writes it, each use of it means that one channel, and engines (and independence)
//! do better when they see so.
//!
//! *Entry point:* [`name_channels_directly`].
//!
//! *Invariant:* the value of every expression stays the same, index faults included: only
//! references to whole variables or with indices that are constant and in range are replaced. A
//! channel that is given more than its messages hold keeps its variable: there the execution has an
//! error, and only there.

use axle_model::{Base, ChanRef, Comm, Effect, Expr, Model, Pattern, Place, Process};
use rustc_hash::{FxHashMap, FxHashSet};

/// Replaces uses of constant channel variables by the channels.
pub(crate) fn name_channels_directly(model: &mut Model) {
    let mut written = FxHashSet::default();
    for process in &model.processes {
        written_globals(process, &mut written);
    }
    let known = constants(&model.prologue, |base| match base {
        Base::Global(id) => !written.contains(id),
        Base::Local(_) | Base::Remote { .. } => false,
    });
    let lengths = |channels: &[axle_model::Channel]| -> Vec<usize> {
        channels.iter().map(|c| model.shapes[c.shape.index()].fields.len()).collect()
    };
    let global = lengths(&model.channels);
    let own: Vec<Vec<usize>> = model.processes.iter().map(|p| lengths(&p.channels)).collect();
    for index in 0..model.processes.len() {
        let mine = &own[index];
        let process = &model.processes[index];
        let own_written = written_locals(process);
        let own = constants(&process.prologue, |base| match base {
            Base::Local(id) => !own_written.contains(id) && id.0 >= process.params,
            Base::Global(_) | Base::Remote { .. } => false,
        });
        let process = &mut model.processes[index];
        // The prologue itself makes the references; it stays as it is.
        let prologue = std::mem::take(&mut process.prologue);
        axle_model::rewrite::process(process, &mut |e| {
            replace(e, &known, &own);
            complete(e, &global, mine, [&known, &own]);
        });
        for comm in process.edges.iter_mut().filter_map(|edge| edge.comm.as_mut()) {
            let (chan, given) = match comm {
                Comm::Send { chan, args, .. } => (chan, args.len()),
                Comm::Receive { chan, patterns, .. } => (chan, patterns.len()),
            };
            if fields(chan, &global, mine).is_some_and(|fields| given > fields) {
                name_by_variable(chan, [&known, &own]);
            }
        }
        process.prologue = prologue;
    }
    let none = Constants::default();
    for property in &mut model.properties {
        use axle_model::PropertyKind::{Ltl, Never, NoTrace, Trace};
        match &mut property.kind {
            Never(p) | Trace(p) | NoTrace(p) => axle_model::rewrite::process(p, &mut |e| {
                replace(e, &known, &none);
                complete(e, &global, &[], [&known, &none]);
            }),
            Ltl(_) => {}
        }
    }
}

/// How many fields the messages of a channel have, where it is named.
fn fields(chan: &Expr, global: &[usize], own: &[usize]) -> Option<usize> {
    match *chan {
        Expr::Channel(ChanRef::Global(index)) => global.get(index as usize).copied(),
        Expr::Channel(ChanRef::Own(index)) => own.get(index as usize).copied(),
        _ => None,
    }
}

/// Names a channel by the variable that holds it again.
fn name_by_variable(chan: &mut Expr, known: [&Constants; 2]) {
    let holder = known.iter().flat_map(|table| table.values()).filter(|(channel, _)| channel == chan);
    // Several variables may hold it; the choice must not depend on the order of a map.
    if let Some((_, place)) = holder.min_by_key(|(_, place)| key(place)) {
        *chan = Expr::Load(place.clone());
    }
}

/// A poll that leaves out the last fields does not ask about them: where the channel is named, that
/// can be said.
fn complete(e: &mut Expr, global: &[usize], own: &[usize], known: [&Constants; 2]) {
    let Expr::CanReceive { chan, patterns, .. } = e else { return };
    let Some(wanted) = fields(chan, global, own) else { return };
    if patterns.len() < wanted {
        patterns.resize(wanted, Pattern::Any);
    } else if patterns.len() > wanted {
        name_by_variable(chan, known);
    }
}

/// Constant places, each as its variable and path in text, with the channel that it holds.
type Constants = FxHashMap<String, (Expr, Place)>;

fn key(place: &Place) -> String {
    format!("{:?}", (&place.base, &place.path))
}

fn constants(prologue: &[Effect], fits: impl Fn(&Base) -> bool) -> Constants {
    let mut known = Constants::default();
    for effect in prologue {
        if let Effect::Assign(place, value) = effect
            && fits(&place.base)
        {
            match value {
                Expr::Channel(_) => drop(known.insert(key(place), (value.clone(), place.clone()))),
                _ => drop(known.remove(&key(place))),
            }
        }
    }
    known
}

fn replace(e: &mut Expr, global: &Constants, own: &Constants) {
    if global.is_empty() && own.is_empty() {
        return;
    }
    if let Expr::Load(place) = e {
        let table = match place.base {
            Base::Global(_) => global,
            Base::Local(_) => own,
            Base::Remote { .. } => return,
        };
        if !table.is_empty()
            && let Some((channel, _)) = table.get(&key(place))
        {
            *e = channel.clone();
        }
    }
}

fn places_written(process: &Process) -> impl Iterator<Item = &Place> {
    let effects = process.edges.iter().flat_map(|e| &e.effects).filter_map(|effect| match effect {
        Effect::Assign(place, _) | Effect::Clear(place) => Some(place),
        Effect::Run { into, .. } => into.as_ref(),
        Effect::Assert(..) | Effect::Print(..) | Effect::SetPriority(..) | Effect::Exit => None,
    });
    let received = process.edges.iter().flat_map(|e| match &e.comm {
        Some(Comm::Receive { patterns, .. }) => patterns.as_slice(),
        Some(Comm::Send { .. }) | None => &[],
    });
    effects.chain(received.filter_map(|p| match p {
        Pattern::Bind(place) => Some(place),
        Pattern::Match(_) | Pattern::Any => None,
    }))
}

fn written_globals(process: &Process, written: &mut FxHashSet<axle_model::GlobalId>) {
    for place in places_written(process) {
        if let Base::Global(id) = place.base {
            written.insert(id);
        }
    }
}

fn written_locals(process: &Process) -> FxHashSet<axle_model::LocalId> {
    let local = |p: &Place| if let Base::Local(id) = p.base { Some(id) } else { None };
    places_written(process).filter_map(local).collect()
}
