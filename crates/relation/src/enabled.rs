//! Executability of edges: what an edge is ready to do, and the partners of a rendezvous.
//!
//! *Entry points:* [`Builder::ready`], [`Builder::partners`], [`Builder::executable`],
//! [`Builder::provided`].
//! *Source:* the rules are those of docs/theory/steps.md, "Executable edges".

use axle_model::{Atomicity, Comm, Edge, EdgeId, LocId, Pattern, ProcId};
use axle_outcome::FaultKind;

use crate::state::{Actor, Builder, Faults, State};
use crate::term::{FALSE, TRUE, TermId};
use crate::variables::ChannelId;

/// What remains to be done for the execution of an edge that is executable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ready {
    /// No communication.
    Local,
    /// A send to a channel that is not full.
    Send(ChannelId),
    /// A send to a full channel that loses the message.
    Lose(ChannelId),
    /// The receive of the message at a position.
    Receive(ChannelId, u32),
    /// A send to a rendezvous channel, whatever the partners.
    Handshake(ChannelId),
}

/// A receiver in a rendezvous.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Partner {
    pub slot: u32,
    pub of: ProcId,
    pub edge: EdgeId,
    /// The states in which it receives.
    pub condition: TermId,
}

impl Builder<'_> {
    /// Whether the `provided` clause of a process holds.
    pub(crate) fn provided(
        &mut self,
        who: &Actor,
        state: &State,
        when: TermId,
        faults: &mut Faults,
    ) -> TermId {
        let (pid, of) = who.own.expect("a process executes edges");
        match &self.model.process(of).provided {
            None => TRUE,
            Some(expr) => {
                faults.blame(pid, None);
                self.holds(who, state, expr, when, faults)
            }
        }
    }

    /// What an edge is ready to do, each with its condition; the conditions exclude each other.
    pub(crate) fn ready(
        &mut self,
        who: &Actor,
        state: &State,
        edge: &Edge,
        when: TermId,
        faults: &mut Faults,
    ) -> Vec<(Ready, TermId)> {
        let guard = self.holds(who, state, &edge.guard, when, faults);
        let when = self.terms.and(when, guard);
        let mut ready = Vec::new();
        match &edge.comm {
            None => ready.push((Ready::Local, guard)),
            Some(Comm::Send { chan, .. }) => {
                for (id, is) in self.channels(who, state, chan, when, faults) {
                    let is = self.terms.and(guard, is);
                    let capacity = self.variables.channels[id.0 as usize].shape.capacity;
                    if capacity == 0 {
                        ready.push((Ready::Handshake(id), is));
                        continue;
                    }
                    let length = self.length(state, id);
                    let most = self.terms.number(capacity.into());
                    let room = self.terms.less(length, most);
                    let fits = self.terms.and(is, room);
                    ready.push((Ready::Send(id), fits));
                    if self.model.semantics.lossy {
                        let full = self.without(is, room);
                        ready.push((Ready::Lose(id), full));
                    }
                }
            }
            Some(Comm::Receive { chan, patterns, random, copy }) => {
                for (id, is) in self.channels(who, state, chan, when, faults) {
                    let asked = self.terms.and(when, is);
                    let is = self.terms.and(guard, is);
                    if self.variables.channels[id.0 as usize].shape.capacity == 0 {
                        if *copy {
                            faults.report(FaultKind::RendezvousPoll, asked);
                        }
                        continue;
                    }
                    let found = self.matching(who, state, id, patterns, *random, asked, faults);
                    for (position, found) in found.into_iter().enumerate() {
                        let found = self.terms.and(is, found);
                        ready.push((Ready::Receive(id, position as u32), found));
                    }
                }
            }
        }
        ready.retain(|(_, condition)| *condition != FALSE);
        ready
    }

    /// The receivers that match a rendezvous send, by process number and then by edge. The values of the
    /// message, before they are wrapped, are appended to `raw`.
    #[allow(clippy::too_many_arguments, reason = "the send beside the five of `eval`")]
    pub(crate) fn partners(
        &mut self,
        who: &Actor,
        state: &State,
        edge: &Edge,
        channel: ChannelId,
        when: TermId,
        faults: &mut Faults,
        raw: &mut Vec<TermId>,
    ) -> Vec<Partner> {
        let (pid, _) = who.own.expect("a process sends");
        self.message_values(who, state, edge, channel, when, faults, raw);
        let mut offered = state.clone();
        self.set_location(&mut offered, pid, edge.target);
        let mut partners = Vec::new();
        for (slot, of) in self.processes() {
            if slot == pid {
                continue;
            }
            let exists = self.has_type(who, &offered, slot, of);
            if exists == FALSE {
                continue;
            }
            let known: Vec<_> = who.known.iter().copied().chain([(slot, of)]).collect();
            let other =
                Actor { own: Some((slot, of)), timeout: who.timeout, testing: who.testing, known: &known };
            let asked = self.terms.and(when, exists);
            self.receivers(&other, &offered, channel, raw, asked, exists, faults, &mut partners);
        }
        partners
    }

    /// The values of a message, 0 for missing ones.
    #[allow(clippy::too_many_arguments, reason = "as `partners`")]
    pub(crate) fn message_values(
        &mut self,
        who: &Actor,
        state: &State,
        edge: &Edge,
        channel: ChannelId,
        when: TermId,
        faults: &mut Faults,
        values: &mut Vec<TermId>,
    ) {
        let Some(Comm::Send { args, .. }) = &edge.comm else { return };
        let fields = self.fields(channel);
        for arg in args.iter().take(fields) {
            let value = self.eval(who, state, arg, when, faults);
            values.push(value);
        }
        values.resize(fields, FALSE);
    }

    /// The receive edges of one process that match a message.
    #[allow(clippy::too_many_arguments, reason = "as `partners`")]
    fn receivers(
        &mut self,
        other: &Actor,
        offered: &State,
        channel: ChannelId,
        raw: &[TermId],
        when: TermId,
        exists: TermId,
        faults: &mut Faults,
        partners: &mut Vec<Partner>,
    ) {
        let (slot, of) = other.own.expect("a process receives");
        let process = self.model.process(of);
        for (index, location) in process.locations.iter().enumerate() {
            let receives = |id: &&EdgeId| {
                let edge = &process.edges[id.index()];
                !edge.is_else && edge.receives_from().is_some()
            };
            let edges: Vec<EdgeId> = location.out.iter().filter(receives).copied().collect();
            if edges.is_empty() {
                continue;
            }
            let at = self.is_at(offered, slot, LocId::new(index));
            let here = self.terms.and(when, at);
            let provided = self.provided(other, offered, here, faults);
            let here = self.terms.and(here, provided);
            let present = self.terms.and(exists, at);
            let present = self.terms.and(present, provided);
            // Matches of a lower rank, and of the rank of the edges before.
            let (mut lower, mut same, mut rank) = (FALSE, FALSE, 0);
            for id in edges {
                let edge = &process.edges[id.index()];
                if edge.rank != rank {
                    lower = self.terms.or(lower, same);
                    (same, rank) = (FALSE, edge.rank);
                }
                faults.blame(slot, Some(id));
                let asked = self.without(here, lower);
                let fits = self.fits(other, offered, edge, channel, raw, asked, faults);
                same = self.terms.or(same, fits);
                let fits = self.terms.and(present, fits);
                let condition = self.without(fits, lower);
                if condition != FALSE {
                    partners.push(Partner { slot, of, edge: id, condition });
                }
            }
        }
    }

    /// Whether a receive edge matches a message that is offered on a rendezvous channel.
    #[allow(clippy::too_many_arguments, reason = "as `partners`")]
    fn fits(
        &mut self,
        other: &Actor,
        offered: &State,
        edge: &Edge,
        channel: ChannelId,
        raw: &[TermId],
        when: TermId,
        faults: &mut Faults,
    ) -> TermId {
        let Some(Comm::Receive { chan, patterns, copy, .. }) = &edge.comm else { return FALSE };
        let guard = self.holds(other, offered, &edge.guard, when, faults);
        let when = self.terms.and(when, guard);
        let theirs = self.channels(other, offered, chan, when, faults);
        let same = theirs.into_iter().find(|(id, _)| *id == channel).map_or(FALSE, |(_, is)| is);
        let when = self.terms.and(when, same);
        if *copy {
            faults.report(FaultKind::RendezvousPoll, when);
            return FALSE;
        }
        let mut fits = self.terms.and(guard, same);
        for (field, (pattern, value)) in patterns.iter().zip(raw).enumerate() {
            if let Pattern::Match(expr) = pattern {
                let asked = self.terms.and(when, fits);
                let wanted = self.eval(other, offered, expr, asked, faults);
                let offered = self.terms.wrap(self.field_type(channel, field), *value);
                let equal = self.terms.equal(offered, wanted);
                fits = self.terms.and(fits, equal);
            }
        }
        fits
    }

    /// The type of a field of a message.
    pub(crate) fn field_type(&self, channel: ChannelId, field: usize) -> axle_model::IntType {
        let ty = &self.variables.channels[channel.0 as usize].shape.fields[field];
        ty.scalar().expect("fields of messages are scalars")
    }

    /// Sets the location of a process.
    pub(crate) fn set_location(&mut self, state: &mut State, slot: u32, location: LocId) {
        let number = self.terms.number(i64::from(location.0) + 1);
        state.set(&mut self.terms, self.variables.location(slot), number, TRUE);
    }

    /// Whether a process has an executable edge, whatever `provided` and the ranks.
    pub(crate) fn executable(&mut self, who: &Actor, state: &State, faults: &mut Faults) -> TermId {
        let (pid, of) = who.own.expect("a process executes edges");
        let process = self.model.process(of);
        let mut executable = FALSE;
        for edge in &process.edges {
            let at = self.is_at(state, pid, edge.source);
            if at == FALSE {
                continue;
            }
            let can = self.is_executable(who, state, edge, at, faults);
            let can = self.terms.and(at, can);
            executable = self.terms.or(executable, can);
        }
        executable
    }

    /// Whether an edge is executable at its location.
    pub(crate) fn is_executable(
        &mut self,
        who: &Actor,
        state: &State,
        edge: &Edge,
        when: TermId,
        faults: &mut Faults,
    ) -> TermId {
        let mut executable = FALSE;
        for (ready, condition) in self.ready(who, state, edge, when, faults) {
            let condition = match ready {
                Ready::Handshake(channel) if edge.keep != Atomicity::Deterministic => {
                    let asked = self.terms.and(when, condition);
                    let partners = self.partners(who, state, edge, channel, asked, faults, &mut Vec::new());
                    let found = self.any(partners.iter().map(|partner| partner.condition));
                    self.terms.and(condition, found)
                }
                _ => condition,
            };
            executable = self.terms.or(executable, condition);
        }
        executable
    }
}
