//! Guards of edges, in a form that is evaluated on a state: necessary enabling sets.
//!
//! A gate of an edge is a condition that must hold for the edge to be executable: a conjunct of its
//! guard, or room or a message in its channel. A gate that is closed in a state remains closed
//! until a transition that may open it. Such a transition writes a scalar that the gate reads,
//! except assignments of constants with which the gate remains closed.
//!
//! *Entry point:* [`gates`].
//! *Source:* A. Laarman, E. Pater, J. van de Pol and M. Weber, *Guard-based partial-order
//! reduction*, SPIN 2013, section 4; A. Valmari's stubborn sets.
//! *Invariant:* if a gate is closed, its edge is not executable and its evaluation causes no fault,
//! whatever the values of all scalars that the gate does not read. A conjunct is therefore a gate
//! only if no conjunct before it can cause a fault.

use axle_model::{Comm, Edge, Expr, Model, Place, Query, Step, Type};
use fixedbitset::FixedBitSet;

use super::cells::Role;
use super::footprint::{Channels, Footprint, Footprints, awaits_timeout, conjuncts, is_end};
use super::residual_predicate::{Leaf, ResidualPredicate};
use crate::bits::Meets;
use crate::fixed::{Instance, Who};

/// A condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gate {
    /// The process.
    pub pid: usize,
    /// Closed if it evaluates to 0.
    pub question: ResidualPredicate,
    /// Whether it reads locals of the process. It then applies to a process at the edge, and not to
    /// one that arrives there.
    pub own: bool,
    /// The locations, as in [`crate::Conflicts`], with a transition that may open it.
    pub necessary_enabling: Box<[u64]>,
}

/// An edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuardedEdge {
    /// The gates that must all be open, by number.
    pub gates: Box<[u32]>,
    /// The target location.
    pub target: u32,
    /// Whether it ends the process, which requires that all younger processes have ended.
    pub ends: bool,
}

/// The gates of all processes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Gates {
    /// The gates, each once.
    pub list: Vec<Gate>,
    /// For each location, its edges.
    pub ways: Vec<Box<[GuardedEdge]>>,
}

/// The transitions at a location, which may open gates.
pub struct Act {
    /// The process.
    pub pid: usize,
    /// Its location.
    pub loc: usize,
    /// Footprint of its edges there.
    pub own: Footprint,
    /// Whether an atomic sequence may pass through it. Others then depend on whether it is blocked,
    /// and its edges have no gates.
    pub inside: bool,
}

/// Computes the gates of processes. `acts` contains all of their locations in order; `first` is the
/// index of the first location of each process.
pub fn gates(footprints: &Footprints, instances: &[Instance], first: &[usize], acts: &[Act]) -> Gates {
    let mut made = Gates::default();
    for act in acts {
        let instance = &instances[act.pid];
        let process = footprints.values.model.process(instance.proc);
        let who = Who::One(act.pid as u32, instance);
        let edges = process.locations[act.loc].out.iter().map(|id| &process.edges[id.index()]);
        // While a set contains an enabled process, no edge with `timeout` is executable.
        let ways = edges.filter(|edge| !awaits_timeout(edge)).map(|edge| {
            // A fault in `provided` occurs whatever the guards evaluate to.
            let provided = process.provided.is_some();
            let conditions = match provided || act.inside {
                true => Vec::new(),
                false => conditions(footprints, who, edge),
            };
            let gates = conditions.into_iter().map(|(question, reads)| {
                let known = |gate: &Gate| gate.pid == act.pid && gate.question == question;
                made.list.iter().position(known).unwrap_or_else(|| {
                    let necessary_enabling =
                        necessary_enabling(footprints, instances, acts, &question, &reads);
                    let own = question.own();
                    made.list.push(Gate { pid: act.pid, question, own, necessary_enabling });
                    made.list.len() - 1
                }) as u32
            });
            let target = (first[act.pid] + edge.target.index()) as u32;
            // Within a sequence, a process that cannot end yet interrupts the sequence or blocks
            // it.
            GuardedEdge { gates: gates.collect(), target, ends: is_end(edge) && !act.inside }
        });
        let ways = ways.collect();
        made.ways.push(ways);
    }
    made
}

/// The conditions of an edge, with the cells that each reads.
fn conditions(footprints: &Footprints, who: Who, edge: &Edge) -> Vec<(ResidualPredicate, FixedBitSet)> {
    let mut parts = Vec::new();
    conjuncts(&edge.guard, &mut parts);
    let (mut list, mut safe) = (Vec::new(), true);
    for part in parts {
        // Conjuncts after one that may cause a fault are no gates: the evaluation would cause the
        // fault all the same.
        if !safe {
            break;
        }
        if footprints.values.value(who, part).is_some_and(|value| value != 0) {
            continue;
        }
        if let Some(question) = ResidualPredicate::of(footprints, who, part) {
            let reads = opening_cell(footprints, who, part);
            list.push((question, reads.unwrap_or_else(|| footprints.of_expr(who, part))));
        }
        safe = faultless(footprints, who, part);
    }
    let (chan, room) = match &edge.comm {
        Some(Comm::Send { chan, .. }) if !footprints.values.model.semantics.lossy => (chan, true),
        Some(Comm::Receive { chan, .. }) => (chan, false),
        Some(Comm::Send { .. }) | None => return list,
    };
    if let (true, Channels::One(channel)) = (safe, footprints.channels(who, chan))
        && let Some(capacity @ 1..) = footprints.capacities[channel]
    {
        let mut reads = footprints.cells.none();
        reads.insert(footprints.cells.channel(channel, if room { Role::Room } else { Role::Fill }));
        list.push((ResidualPredicate::of_length(channel, if room { capacity } else { 0 }), reads));
    }
    list
}

/// The only cell whose writes can make a test of a channel true; `None` for other expressions.
fn opening_cell(footprints: &Footprints, who: Who, part: &Expr) -> Option<FixedBitSet> {
    let Expr::Query(query, chan) = part else { return None };
    let role = match query {
        Query::NotEmpty => Role::Fill,
        Query::NotFull => Role::Room,
        Query::Empty => Role::ShorterByReceive,
        Query::Full => Role::LongerBySend,
        Query::Len => return None,
    };
    let Channels::One(channel) = footprints.channels(who, chan) else { return None };
    let mut cells = footprints.cells.none();
    cells.insert(footprints.cells.channel(channel, role));
    Some(cells)
}

/// Whether the evaluation of an expression cannot cause a fault.
fn faultless(footprints: &Footprints, who: Who, expr: &Expr) -> bool {
    if footprints.values.value(who, expr).is_some() {
        return true;
    }
    let safe = |expr: &Expr| faultless(footprints, who, expr);
    match expr {
        Expr::Const(_) | Expr::Channel(_) | Expr::SelfPid | Expr::ProcessCount => true,
        Expr::Load(place) => {
            let base = matches!(place.base, axle_model::Base::Global(_) | axle_model::Base::Local(_));
            base && place.path.iter().all(|step| matches!(step, Step::Field(_)))
                || ResidualPredicate::of(footprints, who, expr).is_some_and(|question| {
                    question.leaves.len() == 1 && known_indices(footprints, who, place)
                })
        }
        Expr::Unary(_, _, a) | Expr::Convert(_, a) => safe(a),
        Expr::Binary(op, _, a, b) => {
            use axle_model::BinOp::{Div, Rem};
            let divides = matches!(op, Div | Rem);
            let divisor = footprints.values.value(who, b).is_some_and(|value| value != 0);
            safe(a) && safe(b) && (!divides || divisor)
        }
        Expr::And(a, b) | Expr::Or(a, b) => safe(a) && safe(b),
        Expr::Cond(c, a, b) => safe(c) && safe(a) && safe(b),
        Expr::Query(_, chan) => matches!(footprints.channels(who, chan), Channels::One(_)),
        Expr::CanReceive { .. }
        | Expr::Timeout
        | Expr::LastPid
        | Expr::NonProgress
        | Expr::Enabled(_)
        | Expr::Location(_)
        | Expr::Priority(_)
        | Expr::AtLocation { .. } => false,
    }
}

/// Whether all indices of a place are known.
fn known_indices(footprints: &Footprints, who: Who, place: &Place) -> bool {
    place.path.iter().all(|step| match step {
        Step::Field(_) => true,
        Step::Index(index) => footprints.values.value(who, index).is_some(),
    })
}

/// The locations with a transition that may open a gate.
fn necessary_enabling(
    footprints: &Footprints,
    instances: &[Instance],
    acts: &[Act],
    question: &ResidualPredicate,
    reads: &FixedBitSet,
) -> Box<[u64]> {
    let mut row = vec![0u64; acts.len().div_ceil(64).max(1)];
    let none = footprints.cells.none();
    let only = match question.leaves[..] {
        [Leaf::Global(global, spot)] => Some((global, spot)),
        _ => None,
    };
    for (at, act) in acts.iter().enumerate() {
        if !act.own.writes.meets(reads, &none) {
            continue;
        }
        let who = Who::One(act.pid as u32, &instances[act.pid]);
        let process = footprints.values.model.process(instances[act.pid].proc);
        let opens = match only {
            Some(leaf) => process.locations[act.loc].out.iter().any(|id| {
                let edge = &process.edges[id.index()];
                may_open(footprints, who, edge, question, leaf, reads)
            }),
            None => true,
        };
        if opens {
            row[at / 64] |= 1 << (at % 64);
        }
    }
    row.into_boxed_slice()
}

/// Whether an edge may open a gate that reads one scalar of a global.
fn may_open(
    footprints: &Footprints,
    who: Who,
    edge: &Edge,
    question: &ResidualPredicate,
    (global, spot): (usize, usize),
    reads: &FixedBitSet,
) -> bool {
    let none = footprints.cells.none();
    let communication = Edge { effects: Vec::new(), ..edge.clone() };
    let Some(proc) = who.proc() else { return true };
    if footprints.of_edge(who, proc, &communication).writes.meets(reads, &none) {
        return true;
    }
    edge.effects.iter().any(|effect| {
        if !footprints.of_effect(who, effect).writes.meets(reads, &none) {
            return false;
        }
        let Some((place, value)) = effect.assignment() else { return true };
        let axle_model::Base::Global(id) = place.base else { return true };
        let ty = &footprints.values.model.globals[id.index()].ty;
        if id.index() != global || footprints.values.spots(who, ty, &place.path)[..] != [spot] {
            return true;
        }
        let (Some(value), Some(scalar)) =
            (footprints.values.value(who, value), scalar(footprints.values.model, ty, place))
        else {
            return true;
        };
        question.answer(&mut |_| scalar.wrap(value)) != Some(0)
    })
}

/// The integer type of a scalar within a variable of a type.
fn scalar(model: &Model, ty: &Type, place: &Place) -> Option<axle_model::IntType> {
    match model.type_at(ty, &place.path)? {
        Type::Int(int, _) => Some(*int),
        // A reference takes as many bits as the layout gives it.
        Type::Chan | Type::Record(_) | Type::Array(..) => None,
    }
}
