//! The groups of a model: for each process, location and edge, the conditions of
//! docs/theory/steps.md in one term, and the state after the step.
//!
//! *Entry point:* [`relation`].
//! *Invariant:* in each state, the executable groups are the steps that the interpreter makes, in its
//! order.

use axle_model::{Atomicity, Comm, Edge, EdgeId, Expr, LocId, Model, Pattern, ProcId, Process};
use axle_outcome::FaultKind;

use crate::enabled::{Partner, Ready};
use crate::state::{Actor, Builder, Fault, Faults, Options, State};
use crate::term::{FALSE, TRUE, TermId, Terms};
use crate::variables::{ChannelId, Variables, size};
use crate::{Action, Group, Proposition, PropositionFault, Relation, RelationError, Taken};

/// The relation of a model.
pub(crate) fn relation(
    model: &Model,
    options: &Options,
    propositions: &[Proposition],
) -> Result<Relation, RelationError> {
    if model.start.len() > options.processes as usize {
        return Err(RelationError::TooManyProcesses(model.start.len()));
    }
    let variables = Variables::new(model, options.processes);
    let types = variables.list().iter().map(|variable| variable.ty);
    let terms = Terms::new(types, options.terms);
    let constants = model.globals.iter().map(|global| vec![FALSE; size(model, &global.ty) as usize]);
    let mut builder = Builder {
        model,
        terms,
        options: *options,
        constants: constants.collect(),
        beyond: FALSE,
        starting: None,
        variables,
    };
    let (initial, initial_faults) = builder.initial();
    let mut groups = Groups::new(builder);
    groups.processes();
    let ends = groups.ends();
    let mut proposition_faults = Vec::new();
    let propositions = (0..).zip(propositions);
    let propositions = propositions
        .map(|(number, proposition)| groups.proposition(number, proposition, &mut proposition_faults))
        .collect();
    let Groups { builder, groups, faults, blocked_sequences, blocked, .. } = groups;
    if builder.terms.is_full() {
        return Err(RelationError::TooLarge(options.terms));
    }
    Ok(Relation {
        terms: builder.terms,
        variables: builder.variables,
        initial,
        initial_faults,
        groups,
        faults: faults.list,
        blocked_sequences,
        blocked,
        ends,
        propositions,
        proposition_faults,
        claim: None,
    })
}

/// The value of `timeout` in a phase of the choice of an edge, and which processes are then enabled.
#[derive(Clone, Debug)]
struct Phase {
    timeout: TermId,
    /// Where the phase applies, outside sequences.
    applies: TermId,
    /// Each process number with a type, and where it exists and has an executable edge.
    enabled: Vec<(u32, ProcId, TermId)>,
}

struct Groups<'m> {
    builder: Builder<'m>,
    /// With `timeout` 0, and with 1 if the model uses it.
    phases: Vec<Phase>,
    groups: Vec<Group>,
    faults: Faults,
    blocked_sequences: Vec<(u32, TermId)>,
    blocked: TermId,
}

/// A process at one of its locations.
#[derive(Clone, Copy)]
struct At<'m> {
    pid: u32,
    of: ProcId,
    process: &'m Process,
    location: usize,
    /// Where the process exists, has the type and is at the location.
    condition: TermId,
}

/// One way in which an edge can be executed.
struct Alternative {
    edge: EdgeId,
    ready: Ready,
    /// Where it can, whatever `provided` and the ranks.
    condition: TermId,
    partner: Option<Partner>,
    /// The values of the message of a rendezvous.
    raw: Vec<TermId>,
}

impl<'m> Groups<'m> {
    fn new(builder: Builder<'m>) -> Groups<'m> {
        let mut uses_timeout = false;
        axle_model::walk::exprs(builder.model, &mut |expr| uses_timeout |= matches!(expr, Expr::Timeout));
        let mut groups = Groups {
            builder,
            phases: Vec::new(),
            groups: Vec::new(),
            faults: Faults::default(),
            blocked_sequences: Vec::new(),
            blocked: FALSE,
        };
        let free = groups.free();
        groups.blocked = free;
        for timeout in [FALSE, TRUE].into_iter().take(1 + usize::from(uses_timeout)) {
            let enabled = groups.enabled(timeout);
            groups.phases.push(Phase { timeout, applies: groups.blocked, enabled: enabled.clone() });
            let any = groups.builder.any(enabled.into_iter().map(|(.., enabled)| enabled));
            groups.blocked = groups.builder.without(groups.blocked, any);
        }
        groups
    }

    /// Where no process is in control of a sequence.
    fn free(&mut self) -> TermId {
        match self.builder.variables.control() {
            None => TRUE,
            Some((control, _)) => {
                let control = self.builder.terms.variable(control);
                self.builder.terms.is(control, 0)
            }
        }
    }

    /// Where a process is in control of an `atomic` and of a deterministic sequence.
    fn in_control(&mut self, pid: u32) -> (TermId, TermId) {
        let Some((control, deterministic)) = self.builder.variables.control() else { return (FALSE, FALSE) };
        let terms = &mut self.builder.terms;
        let control = terms.variable(control);
        let own = terms.is(control, i64::from(pid) + 1);
        let deterministic = terms.variable(deterministic);
        let atomic = self.builder.without(own, deterministic);
        (atomic, self.builder.terms.and(own, deterministic))
    }

    /// Each process with a type, and where it exists and has an executable edge.
    fn enabled(&mut self, timeout: TermId) -> Vec<(u32, ProcId, TermId)> {
        let mut enabled = Vec::new();
        let state = State::before();
        let no_process = Actor { own: None, timeout, testing: &[], known: &[] };
        for (pid, of) in self.builder.processes() {
            let has_type = self.builder.has_type(&no_process, &state, pid, of);
            let who = Actor { own: Some((pid, of)), timeout, testing: &[], known: &[(pid, of)] };
            let mut faults = Faults::silent();
            let provided = self.builder.provided(&who, &state, has_type, &mut faults);
            let executable = self.builder.executable(&who, &state, &mut faults);
            let can = self.builder.terms.and(has_type, provided);
            enabled.push((pid, of, self.builder.terms.and(can, executable)));
        }
        enabled
    }

    /// Where an enabled process has a priority that compares so with that of a process.
    fn has_rival(&mut self, pid: u32, phase: usize, higher: bool) -> TermId {
        if !self.builder.model.semantics.priorities {
            return FALSE;
        }
        let state = State::before();
        let own = self.builder.priority(&state, pid);
        let mut rival = FALSE;
        for (other, _, enabled) in self.phases[phase].enabled.clone() {
            let theirs = self.builder.priority(&state, other);
            let compares = match higher {
                true => self.builder.terms.less(own, theirs),
                false => self.builder.terms.equal(own, theirs),
            };
            let is_rival = self.builder.terms.and(enabled, compares);
            rival = self.builder.terms.or(rival, is_rival);
        }
        rival
    }

    /// Where the edges of a process are evaluated, outside sequences: everywhere without priorities, and
    /// where the process has the highest priority of the enabled ones, or none is enabled.
    fn is_considered(&mut self, pid: u32, phase: usize, preempted: TermId) -> TermId {
        if !self.builder.model.semantics.priorities {
            return TRUE;
        }
        let equal = self.has_rival(pid, phase, false);
        let enabled = self.phases[phase].enabled.clone();
        let some = self.builder.any(enabled.into_iter().map(|(.., enabled)| enabled));
        let none = self.builder.terms.not(some);
        let highest = self.builder.terms.or(none, equal);
        self.builder.without(highest, preempted)
    }

    /// The groups of all processes.
    fn processes(&mut self) {
        for (pid, of) in self.builder.processes() {
            let process = self.builder.model.process(of);
            let no_process = Actor { own: None, timeout: FALSE, testing: &[], known: &[] };
            let has_type = self.builder.has_type(&no_process, &State::before(), pid, of);
            for location in 0..process.locations.len() {
                let here = self.builder.is_at(&State::before(), pid, LocId::new(location));
                let condition = self.builder.terms.and(has_type, here);
                let at = At { pid, of, process, location, condition };
                for phase in 0..self.phases.len() {
                    self.steps(&at, phase);
                }
                self.deterministic(&at);
            }
        }
        for pid in 0..self.builder.variables.slots.len() as u32 {
            self.release(pid);
        }
    }

    /// The steps of a process at a location, outside sequences and in its `atomic` sequence.
    fn steps(&mut self, at: &At<'m>, phase: usize) {
        let Phase { timeout, applies, .. } = self.phases[phase].clone();
        let state = State::before();
        let known = [(at.pid, at.of)];
        let who = Actor { own: Some((at.pid, at.of)), timeout, testing: &[], known: &known };
        let preempted = self.has_rival(at.pid, phase, true);
        let (atomic, _) = self.in_control(at.pid);
        // A sequence is interrupted where nothing is executable without `timeout`.
        let atomic = if phase == 0 { atomic } else { FALSE };
        let terms = &mut self.builder.terms;
        let control = terms.or(applies, atomic);
        let base = terms.and(at.condition, control);
        let base = self.builder.without(base, preempted);
        let considered = self.is_considered(at.pid, phase, preempted);
        let considered = self.builder.terms.and(applies, considered);
        let continued = self.builder.without(atomic, preempted);
        let asked = self.builder.terms.or(considered, continued);
        let asked = self.builder.terms.and(at.condition, asked);
        let provided = self.builder.provided(&who, &state, asked, &mut self.faults);
        let (base, asked) = (self.builder.terms.and(base, provided), self.builder.terms.and(asked, provided));
        let (mut lower, mut same, mut rank) = (FALSE, FALSE, 0);
        for &id in &at.process.locations[at.location].out {
            let edge = &at.process.edges[id.index()];
            if edge.rank != rank {
                lower = self.builder.terms.or(lower, same);
                (same, rank) = (FALSE, edge.rank);
            }
            let asked = self.builder.without(asked, lower);
            let (alternatives, executable) = self.alternatives(&who, &state, id, edge, asked);
            if at.process.deterministic {
                let second = self.builder.terms.and(asked, same);
                let second = self.builder.terms.and(second, executable);
                self.faults.blame(at.pid, Some(id));
                self.faults.report(FaultKind::NotDeterministic, second);
            }
            for alternative in alternatives {
                let condition = self.builder.without(alternative.condition, lower);
                let enabled = self.builder.terms.and(base, condition);
                if enabled != FALSE {
                    let group = self.taken(&who, edge, &alternative, enabled);
                    self.groups.push(group);
                }
            }
            same = self.builder.terms.or(same, executable);
        }
    }

    /// The ways in which an edge can be executed, and where there is one. A rendezvous in a
    /// deterministic sequence is a fault, and counts as executable.
    fn alternatives(
        &mut self,
        who: &Actor,
        state: &State,
        id: EdgeId,
        edge: &Edge,
        asked: TermId,
    ) -> (Vec<Alternative>, TermId) {
        let mut alternatives = Vec::new();
        let mut executable = FALSE;
        self.faults.blame(who.pid(), Some(id));
        for (ready, condition) in self.builder.ready(who, state, edge, asked, &mut self.faults) {
            let when = self.builder.terms.and(asked, condition);
            let mut add = |condition, partner, raw| {
                alternatives.push(Alternative { edge: id, ready, condition, partner, raw });
            };
            match ready {
                Ready::Handshake(_) if edge.keep == Atomicity::Deterministic => {
                    self.faults.blame(who.pid(), Some(id));
                    self.faults.report(FaultKind::RendezvousInDeterministic, when);
                    executable = self.builder.terms.or(executable, condition);
                }
                Ready::Handshake(channel) => {
                    let mut raw = Vec::new();
                    let faults = &mut self.faults;
                    faults.blame(who.pid(), Some(id));
                    let partners = self.builder.partners(who, state, edge, channel, when, faults, &mut raw);
                    for partner in partners {
                        let condition = self.builder.terms.and(condition, partner.condition);
                        add(condition, Some(partner), raw.clone());
                        executable = self.builder.terms.or(executable, condition);
                    }
                }
                Ready::Local | Ready::Send(_) | Ready::Lose(_) | Ready::Receive(..) => {
                    add(condition, None, Vec::new());
                    executable = self.builder.terms.or(executable, condition);
                }
            }
        }
        (alternatives, executable)
    }

    /// The steps of a deterministic sequence: the first executable edge, whatever `provided` and the
    /// ranks.
    fn deterministic(&mut self, at: &At<'m>) {
        let leads_here =
            |edge: &Edge| edge.keep == Atomicity::Deterministic && edge.target == LocId::new(at.location);
        if !at.process.edges.iter().any(leads_here) {
            return;
        }
        let state = State::before();
        let known = [(at.pid, at.of)];
        let who = Actor { own: Some((at.pid, at.of)), timeout: FALSE, testing: &[], known: &known };
        let (_, control) = self.in_control(at.pid);
        let mut asked = self.builder.terms.and(at.condition, control);
        for &id in &at.process.locations[at.location].out {
            let edge = &at.process.edges[id.index()];
            let mut executable = FALSE;
            self.faults.blame(at.pid, Some(id));
            for (ready, condition) in self.builder.ready(&who, &state, edge, asked, &mut self.faults) {
                executable = self.builder.terms.or(executable, condition);
                let enabled = self.builder.terms.and(asked, condition);
                if let Ready::Handshake(_) = ready {
                    self.faults.blame(at.pid, Some(id));
                    self.faults.report(FaultKind::RendezvousInDeterministic, enabled);
                } else if enabled != FALSE {
                    let alternative =
                        Alternative { edge: id, ready, condition, partner: None, raw: Vec::new() };
                    let group = self.taken(&who, edge, &alternative, enabled);
                    self.groups.push(group);
                }
            }
            asked = self.builder.without(asked, executable);
        }
        if asked != FALSE {
            self.blocked_sequences.push((at.pid, asked));
        }
    }

    /// The group in which a process gives up control, because it is blocked or preempted.
    fn release(&mut self, pid: u32) {
        let Some((control, _)) = self.builder.variables.control() else { return };
        let (atomic, _) = self.in_control(pid);
        let own: Vec<_> = self.phases[0].enabled.iter().filter(|(of, ..)| *of == pid).copied().collect();
        let enabled = self.builder.any(own.into_iter().map(|(.., enabled)| enabled));
        let preempted = self.has_rival(pid, 0, true);
        let goes_on = self.builder.without(enabled, preempted);
        let enabled = self.builder.without(atomic, goes_on);
        self.groups.push(Group {
            action: Action::Release(pid),
            enabled,
            updates: vec![(control, FALSE)],
            faults: Vec::new(),
            beyond: FALSE,
        });
    }

    /// The group of an alternative.
    fn taken(&mut self, who: &Actor, edge: &Edge, alternative: &Alternative, enabled: TermId) -> Group {
        let (pid, proc) = who.own.expect("a process executes edges");
        let by = Taken { pid, proc, edge: alternative.edge };
        let mut state = State::before();
        let mut faults = Faults::default();
        faults.blame(pid, Some(alternative.edge));
        self.builder.beyond = FALSE;
        let (last, keep, partner) = match (alternative.ready, alternative.partner) {
            (Ready::Handshake(channel), Some(partner)) => {
                let keep = self.handshake(who, &mut state, edge, channel, alternative, &partner, &mut faults);
                let Partner { slot, of, edge, .. } = partner;
                (slot, keep, Some(Taken { pid: slot, proc: of, edge }))
            }
            _ => {
                self.communicate(who, &mut state, edge, alternative.ready, &mut faults);
                (pid, self.finish(who, &mut state, edge, &mut faults), None)
            }
        };
        self.set_control(&mut state, last, keep);
        Group {
            action: Action::Step { by, partner, keep },
            enabled,
            updates: state.updates(&mut self.builder.terms),
            faults: faults.list,
            beyond: self.builder.beyond,
        }
    }

    /// The communication of a step of one process.
    fn communicate(
        &mut self,
        who: &Actor,
        state: &mut State,
        edge: &Edge,
        ready: Ready,
        faults: &mut Faults,
    ) {
        let builder = &mut self.builder;
        match (ready, &edge.comm) {
            (Ready::Send(channel) | Ready::Lose(channel), Some(Comm::Send { args, sorted, .. })) => {
                let mut values = Vec::new();
                builder.message_values(who, state, edge, channel, TRUE, faults, &mut values);
                let values = builder.wrapped_message(channel, args.len(), &values, faults);
                if matches!(ready, Ready::Send(_)) {
                    builder.insert(state, channel, &values, *sorted, TRUE);
                }
            }
            (Ready::Receive(channel, position), Some(Comm::Receive { patterns, copy, .. })) => {
                builder.check_arity(channel, patterns.len(), FaultKind::TooFewPatterns, TRUE, faults);
                let fields = builder.fields(channel);
                let values: Vec<_> =
                    (0..fields).map(|field| builder.message(state, channel, position, field)).collect();
                if !copy {
                    builder.remove(state, channel, position, TRUE);
                }
                builder.bind(who, state, patterns, &values, faults);
            }
            _ => {}
        }
    }

    /// The state after a rendezvous; returns the atomicity for the receiver.
    #[allow(clippy::too_many_arguments, reason = "two processes and a channel")]
    fn handshake(
        &mut self,
        who: &Actor,
        state: &mut State,
        edge: &Edge,
        channel: ChannelId,
        alternative: &Alternative,
        partner: &Partner,
        faults: &mut Faults,
    ) -> Atomicity {
        let (pid, proc) = who.own.expect("a process sends");
        let given = match &edge.comm {
            Some(Comm::Send { args, .. }) => args.len(),
            Some(Comm::Receive { .. }) | None => 0,
        };
        let known = [(pid, proc), (partner.slot, partner.of)];
        let who = Actor { known: &known, ..*who };
        let other = Actor { own: Some((partner.slot, partner.of)), ..who };
        let values = self.builder.wrapped_message(channel, given, &alternative.raw, faults);
        self.builder.set_location(state, pid, edge.target);
        let their_edge = &self.builder.model.process(partner.of).edges[partner.edge.index()];
        faults.blame(partner.slot, Some(partner.edge));
        if let Some(Comm::Receive { patterns, .. }) = &their_edge.comm {
            self.builder.check_arity(channel, patterns.len(), FaultKind::TooFewPatterns, TRUE, faults);
            self.builder.bind(&other, state, patterns, &values, faults);
        }
        faults.blame(pid, Some(alternative.edge));
        self.builder.effects(&who, state, &edge.effects, TRUE, faults);
        faults.blame(partner.slot, Some(partner.edge));
        self.finish(&other, state, their_edge, faults)
    }

    /// Effects, location and last process; returns the atomicity.
    fn finish(&mut self, who: &Actor, state: &mut State, edge: &Edge, faults: &mut Faults) -> Atomicity {
        let ended = self.builder.effects(who, state, &edge.effects, TRUE, faults);
        if !ended {
            self.builder.set_location(state, who.pid(), edge.target);
        }
        if let Some(last) = self.builder.variables.last() {
            let number = self.builder.terms.number(who.pid().into());
            state.set(&mut self.builder.terms, last, number, TRUE);
        }
        if ended { Atomicity::Release } else { edge.keep }
    }

    fn set_control(&mut self, state: &mut State, pid: u32, keep: Atomicity) {
        let Some((control, deterministic)) = self.builder.variables.control() else { return };
        let terms = &mut self.builder.terms;
        let (value, kind) = match keep {
            Atomicity::Release => (FALSE, FALSE),
            Atomicity::Atomic => (terms.number(i64::from(pid) + 1), FALSE),
            Atomicity::Deterministic => (terms.number(i64::from(pid) + 1), TRUE),
        };
        state.set(terms, control, value, TRUE);
        state.set(terms, deterministic, kind, TRUE);
    }

    /// The faults of blocked states.
    fn ends(&mut self) -> Vec<Fault> {
        let mut faults = Faults::default();
        let state = State::before();
        let no_process = Actor { own: None, timeout: FALSE, testing: &[], known: &[] };
        let mut rest = self.blocked;
        for pid in 0..self.builder.variables.slots.len() as u32 {
            let types = self.builder.variables.slots[pid as usize].clone();
            let mut stuck = FALSE;
            for of in types {
                let here = self.builder.at_any(&no_process, &state, (pid, of), |location| !location.end);
                stuck = self.builder.terms.or(stuck, here);
            }
            let first = self.builder.terms.and(rest, stuck);
            faults.blame(pid, None);
            faults.report(FaultKind::InvalidEnd, first);
            rest = self.builder.without(rest, stuck);
        }
        if self.builder.options.messages_left {
            self.messages_left(rest, &mut faults);
        }
        faults.list
    }

    /// The fault of a valid end state with a message in a channel.
    fn messages_left(&mut self, mut rest: TermId, faults: &mut Faults) {
        let state = State::before();
        for index in 0..self.builder.variables.channels.len() {
            let id = ChannelId(index as u32);
            // The cells of channels that do not exist are 0.
            let length = self.builder.length(&state, id);
            let some = self.builder.terms.truth(length);
            let owner = self.builder.variables.channels[index].owner;
            faults.blame(owner.map_or(0, |(pid, _)| pid), None);
            let first = self.builder.terms.and(rest, some);
            faults.report(FaultKind::MessagesLeft, first);
            rest = self.builder.without(rest, some);
        }
    }

    /// A proposition over states outside sequences, and where it has no value.
    fn proposition(
        &mut self,
        number: u32,
        proposition: &Proposition,
        faults: &mut Vec<PropositionFault>,
    ) -> TermId {
        let expr = match proposition {
            Proposition::Holds(expr) => expr,
            Proposition::Accepting => return self.accepting(),
        };
        let enabled = self.phases[0].enabled.clone();
        let some = self.builder.any(enabled.into_iter().map(|(.., enabled)| enabled));
        let timeout = self.builder.terms.not(some);
        let observer = Actor { own: None, timeout, testing: &[], known: &[] };
        let mut found = Faults::default();
        let holds = self.builder.holds(&observer, &State::before(), expr, TRUE, &mut found);
        for Fault { kind, condition, .. } in found.list {
            let of = |known: &&mut PropositionFault| (known.proposition, known.kind) == (number, kind);
            match faults.iter_mut().find(of) {
                Some(known) => known.condition = self.builder.terms.or(known.condition, condition),
                None => faults.push(PropositionFault { proposition: number, kind, condition }),
            }
        }
        holds
    }

    /// Where some process is at a location with an acceptance label.
    fn accepting(&mut self) -> TermId {
        let observer = Actor { own: None, timeout: FALSE, testing: &[], known: &[] };
        let processes = self.builder.processes();
        let at = |of| self.builder.at_any(&observer, &State::before(), of, |location| location.accept);
        let at: Vec<TermId> = processes.into_iter().map(at).collect();
        self.builder.any(at)
    }
}

impl Builder<'_> {
    /// The values of a message wrapped to the types of its fields, and the faults of the sender.
    fn wrapped_message(
        &mut self,
        channel: ChannelId,
        given: usize,
        values: &[TermId],
        faults: &mut Faults,
    ) -> Vec<TermId> {
        self.check_arity(channel, given, FaultKind::TooFewArguments, TRUE, faults);
        let fields = values.iter().enumerate();
        fields
            .map(|(field, value)| {
                let ty = self.field_type(channel, field);
                self.wrapped(ty, *value, TRUE, faults)
            })
            .collect()
    }

    /// Stores the fields of a message in the variables of the patterns.
    fn bind(
        &mut self,
        who: &Actor,
        state: &mut State,
        patterns: &[Pattern],
        values: &[TermId],
        faults: &mut Faults,
    ) {
        for (pattern, value) in patterns.iter().zip(values) {
            if let Pattern::Bind(place) = pattern {
                self.store(who, state, place, *value, TRUE, faults);
            }
        }
    }
}
