//! Who may listen to whom: for every rendezvous send, the locations at which a process of each type
//! has an edge that has to be looked at. A handshake asks only the processes that stand there; most
//! do not, and the call as well as the jump that comes with it are dear.
//!
//! *Entry point:* [`Listeners::new`].
//! *Invariant:* an edge is left out only where it certainly neither fits (another channel, or
//! another number in the message) nor, by being evaluated, meets a fault that would not be met
//! otherwise: the interpreter evaluates them all and reports what goes wrong.

use axle_model::{Base, BinOp, Comm, Edge, EdgeId, Expr, LocId, Pattern, ProcId, Step};

use super::unit::{Chained, Unit};

/// For each rendezvous send, one word a process type: a bit for each location, one up from its number (as it
/// is stored), or all bits where a type has too many locations for a word. Generated code addresses them.
#[derive(Debug, Default)]
pub(super) struct Listeners {
    sends: Vec<(ProcId, EdgeId)>,
    words: Box<[u64]>,
    types: usize,
}

impl Listeners {
    /// Looks at every pair of edges.
    pub fn new(unit: &Unit) -> Listeners {
        let (mut sends, mut words) = (Vec::new(), Vec::new());
        let types = unit.model.processes.len();
        for sender in (0..types).map(ProcId::new) {
            for (index, send) in unit.model.process(sender).edges.iter().enumerate() {
                let Some(Comm::Send { chan, args, .. }) = &send.comm else { continue };
                if unit.may_be_rendezvous(sender, chan) {
                    sends.push((sender, EdgeId::new(index)));
                    let offer = Offer { unit, sender, send, chan, args };
                    words.extend((0..types).map(|receiver| offer.mask(ProcId::new(receiver))));
                }
            }
        }
        Listeners { sends, words: words.into(), types }
    }

    /// Where the words of a send are in memory, for as long as this lives.
    pub fn address(&self, sender: ProcId, send: EdgeId) -> usize {
        let index = self.sends.iter().position(|known| *known == (sender, send)).unwrap_or(0);
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

    /// Whether a receive edge can be left out. With `first`, its own process tries it in every state.
    fn never_fits(&self, receive: &Edge, first: bool) -> bool {
        let Some(Comm::Receive { chan, patterns, copy, .. }) = &receive.comm else { return true };
        if !cannot_fail(&receive.guard) {
            return false;
        }
        match (self.chan, chan) {
            (Expr::Channel(ours), Expr::Channel(theirs)) => {
                // Channels of processes are only the same by name where the process is.
                let own = |c| matches!(c, &axle_model::ChanRef::Own(_));
                if ours != theirs || own(ours) {
                    return true;
                }
            }
            (_, Expr::Channel(_)) => {}
            // A reference to nothing is reported here, and by the process itself where it tries the edge in
            // the same state: not in the middle of a sequence, not where others go first.
            (_, _) => {
                let unit = self.unit;
                let sequence = unit.funcs.get(self.sender.index()).is_none_or(|funcs| {
                    let from = |c: &Chained| c.loc == self.send.source;
                    funcs.chained.iter().any(from)
                });
                if !first || sequence || unit.receivers_look_around || unit.model.semantics.priorities {
                    return false;
                }
            }
        }
        !copy && self.differs(patterns)
    }

    /// Whether some field of the message is a number other than the one asked for, and nothing before it in the
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
    /// The edges of a location that are looked at in a handshake: those that may receive, and those with a
    /// guard of which evaluation may fail.
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

/// Whether evaluation certainly meets no fault.
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
