//! Potential receivers: for every rendezvous send, the locations at which a process of each type
//! has an edge that must be tested. A rendezvous offers to processes at these locations only,
//! because the call and its indirect jump are expensive.
//!
//! *Entry point:* [`Listeners::new`].
//!
//! *Invariant:* an edge is excluded only if it certainly does not match (another channel, or
//! another constant in the message) and its evaluation causes no fault that would otherwise be
//! missed: the interpreter evaluates all edges and reports their faults.

use axle_model::{Atomicity, Base, BinOp, Comm, Edge, EdgeId, Expr, LocId, Pattern, ProcId, Step};

use rustc_hash::FxHashMap;

use super::continuations::Chained;
use super::unit::Unit;

/// For each rendezvous send, one word per process type: bit `l + 1` for each location `l` (as
/// stored), or all bits if the type has too many locations for a word. Generated code addresses
/// these words.
#[derive(Debug, Default)]
pub(super) struct Listeners {
    sends: FxHashMap<(ProcId, EdgeId), usize>,
    words: Box<[u64]>,
    types: usize,
}

impl Listeners {
    /// Tests every pair of edges.
    pub fn new(unit: &Unit) -> Listeners {
        let (mut sends, mut words) = (FxHashMap::default(), Vec::new());
        let types = unit.model.processes.len();
        for sender in (0..types).map(ProcId::new) {
            for (index, send) in unit.model.process(sender).edges.iter().enumerate() {
                let Some(Comm::Send { chan, args, .. }) = &send.comm else { continue };
                if unit.may_be_rendezvous(sender, chan) {
                    sends.insert((sender, EdgeId::new(index)), sends.len());
                    let offer = Offer { unit, sender, send, chan, args };
                    words.extend((0..types).map(|receiver| offer.mask(ProcId::new(receiver))));
                }
            }
        }
        Listeners { sends, words: words.into(), types }
    }

    /// Address of the words of a send, valid during the lifetime of this object.
    pub fn address(&self, sender: ProcId, send: EdgeId) -> usize {
        let index = self.sends.get(&(sender, send)).copied().unwrap_or(0);
        self.words[index * self.types..].as_ptr() as usize
    }
}

/// A rendezvous send.
struct Offer<'u, 'a> {
    unit: &'u Unit<'a>,
    sender: ProcId,
    send: &'u Edge,
    chan: &'u Expr,
    args: &'u [Expr],
}

impl Offer<'_, '_> {
    fn mask(&self, receiver: ProcId) -> u64 {
        let process = self.unit.model.process(receiver);
        if process.locations.len() > 63 {
            return u64::MAX;
        }
        let listens = |loc: usize| {
            let edges = self.unit.listening(receiver, LocId::new(loc));
            let lowest = process.locations[loc].out.first().map(|id| process.edges[id.index()].rank);
            edges.iter().any(|id| {
                let edge = &process.edges[id.index()];
                !self.never_fits(edge, lowest == Some(edge.rank))
            })
        };
        (0..process.locations.len()).filter(|&loc| listens(loc)).fold(0, |mask, loc| mask | 1 << (loc + 1))
    }

    /// Whether a receive edge can be excluded. With `first`, its own process tries it in every
    /// state.
    fn never_fits(&self, receive: &Edge, first: bool) -> bool {
        let Some(Comm::Receive { chan, patterns, copy, .. }) = &receive.comm else { return true };
        if !cannot_fail(&receive.guard) {
            return false;
        }
        match (self.chan, chan) {
            (Expr::Channel(ours), Expr::Channel(theirs)) => {
                // Channels owned by processes are the same by name only within one process.
                let own = |c| matches!(c, &axle_model::ChanRef::Own(_));
                if ours != theirs || own(ours) {
                    return true;
                }
            }
            (_, Expr::Channel(_)) => {}
            // An invalid reference is reported here, and also by the process itself if it tries the
            // edge in the same state, which excludes the middle of a sequence and edges that yield
            // to others.
            (_, _) => {
                let unit = self.unit;
                let sequence = unit.funcs.get(self.sender.index()).is_none_or(|funcs| {
                    let kinds = [Atomicity::Release, Atomicity::Atomic, Atomicity::Deterministic];
                    let from = |keep| Chained { loc: self.send.source, keep };
                    kinds.into_iter().any(|keep| funcs.chained.position(from(keep)).is_some())
                });
                if !first || sequence || unit.receivers_look_around || unit.model.semantics.priorities {
                    return false;
                }
            }
        }
        !copy && self.differs(patterns)
    }

    /// Whether some field of the message differs from the constant in the pattern, and no earlier
    /// pattern can fail.
    fn differs(&self, patterns: &[Pattern]) -> bool {
        if patterns.len() != self.args.len() {
            return false;
        }
        for (field, (pattern, arg)) in patterns.iter().zip(self.args).enumerate() {
            match (pattern, arg) {
                (Pattern::Match(Expr::Const(wanted)), Expr::Const(given)) => {
                    let fields = self.unit.rendezvous_fields(self.sender, self.chan);
                    let kept = |types: &&[axle_model::Type]| {
                        let int = types.get(field).and_then(axle_model::Type::scalar);
                        int.is_some_and(|int| int.wrap(*given) == *given)
                    };
                    if wanted != given && fields.iter().all(kept) {
                        return true;
                    }
                }
                (Pattern::Match(expr), _) if !cannot_fail(expr) => return false,
                (Pattern::Match(_) | Pattern::Bind(_) | Pattern::Any, _) => {}
            }
        }
        false
    }
}

impl Unit<'_> {
    /// The edges of a location that a rendezvous tests: potential receives, and edges whose guard
    /// may fail to evaluate.
    pub fn listening(&self, proc: ProcId, loc: LocId) -> Vec<EdgeId> {
        let process = self.model.process(proc);
        let listens = |id: &EdgeId| {
            let edge = &process.edges[id.index()];
            let receives = matches!(edge.comm, Some(Comm::Receive { .. })) && !edge.is_else;
            receives && (self.may_receive_rendezvous(proc, edge) || !cannot_fail(&edge.guard))
        };
        process.locations[loc.index()].out.iter().copied().filter(listens).collect()
    }
}

/// Whether the evaluation certainly causes no fault.
fn cannot_fail(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_)
        | Expr::Channel(_)
        | Expr::Timeout
        | Expr::SelfPid
        | Expr::ProcessCount
        | Expr::LastPid
        | Expr::NonProgress => true,
        Expr::Load(place) => {
            !matches!(place.base, Base::Remote { .. })
                && place.path.iter().all(|step| matches!(step, Step::Field(_)))
        }
        Expr::Unary(_, _, e) | Expr::Convert(_, e) => cannot_fail(e),
        Expr::Binary(op, _, a, b) => {
            !matches!(op, BinOp::Div | BinOp::Rem) && cannot_fail(a) && cannot_fail(b)
        }
        Expr::And(a, b) | Expr::Or(a, b) => cannot_fail(a) && cannot_fail(b),
        Expr::Cond(c, a, b) => cannot_fail(c) && cannot_fail(a) && cannot_fail(b),
        Expr::Query(..)
        | Expr::CanReceive { .. }
        | Expr::Enabled(_)
        | Expr::Location(_)
        | Expr::Priority(_)
        | Expr::AtLocation { .. } => false,
    }
}
