//! The interpreter: the reference for what a step is (docs/theory/steps.md), written for clarity.
//! It walks the model's own expressions and effects over the bytes of a state.
//!
//! [`edge`] makes single steps, [`sequence`] follows those that keep control ([`met`] knows where
//! paths have met), [`expr`], [`place`], [`channel`] and [`effect`] do what their names say;
//! [`detail`] shows every small step to whoever explains or simulates.
//!
//! *Entry point:* [`Interpreter`].

pub(crate) mod channel;
pub mod detail;
pub(crate) mod edge;
mod effect;
mod emit;
pub(crate) mod expr;
pub mod footprints;
pub mod log;
pub(crate) mod machine;
mod met;
mod place;
mod print;
mod sequence;
mod small_steps;
mod watch;

use std::sync::Arc;

use axle_model::{Atomicity, Effect, Model};
use rustc_hash::FxHashSet;

use crate::batch::{Batch, EVERYONE, Grow, Selective, Successors};
use crate::fault::{Fault, FaultKind};
use crate::layout::Layout;
use crate::options::Options;
use detail::Steps;
use edge::{Ask, Moves};
use emit::Emit;
use log::{Blame, Log};
use machine::{Machine, Nobody};
use sequence::{Followed, Sequence};
use watch::Watch;

/// The reference implementation of [`Successors`].
#[derive(Clone, Debug)]
pub struct Interpreter {
    pub(crate) machine: Machine,
    /// The state before the first step.
    start: Vec<u8>,
    /// What went wrong on the way to it.
    start_faults: Vec<Fault>,
    taken: Vec<Vec<bool>>,
    /// Whether a second attempt can differ from the first.
    uses_timeout: bool,
    scratch: Scratch,
}

/// Memory that is used again and again.
#[derive(Clone, Default, Debug)]
struct Scratch {
    first: Moves,
    sequence: Sequence,
    log: Log,
    /// What notes the bits that are looked at, while nobody wants to know.
    watch: Watch,
}

impl Interpreter {
    /// An interpreter of `model`; executes the prologue.
    pub fn new(model: Arc<Model>, options: Options) -> Interpreter {
        let layout = Layout::new(&model);
        let constants = vec![0; layout.constant_bytes as usize];
        let taken = model.processes.iter().map(|p| vec![false; p.edges.len()]).collect();
        let mut uses_timeout = false;
        axle_model::walk::exprs(&model, &mut |e| uses_timeout |= matches!(e, axle_model::Expr::Timeout));
        let mut machine = Machine { model, layout, constants, options, watch: Watch::default() };
        let mut log = Log::default();
        let start = start(&mut machine, &mut log);
        let start_faults = (log.attempt.drain(..))
            .map(|Blame { kind, pid, edge }| Fault { kind, source: 0, successor: None, pid, edge })
            .collect();
        let scratch = Scratch::default();
        Interpreter { machine, start, start_faults, taken, uses_timeout, scratch }
    }

    /// The model that is interpreted.
    pub fn model(&self) -> &Arc<Model> {
        &self.machine.model
    }

    /// The constant segment: the values of globals that nothing writes after the prologue.
    pub fn constants(&self) -> &[u8] {
        &self.machine.constants
    }

    /// Follows paths that meet once as soon as one process has made so many steps inside uninterrupted sequences of one
    /// state. For comparisons: engines agree where it is what it is by default,
    /// [`MOST_BY_PATH`](crate::options::MOST_BY_PATH).
    pub fn follow_once_after(&mut self, steps: u32) {
        self.scratch.sequence.by_path = Some(steps);
    }

    /// [`Successors::expand`], for one state or more, with details of all of them where they are wanted.
    fn expand_detailed(
        &mut self,
        states: &[u8],
        out: &mut Batch,
        details: Option<&mut Steps>,
    ) -> Result<(), Grow> {
        self.expand_with(states, out, details, |expansion, _, state| expansion.successors(state))
    }

    /// Expands states, each the way that `how` says, which gets its number.
    fn expand_with(
        &mut self,
        states: &[u8],
        out: &mut Batch,
        mut details: Option<&mut Steps>,
        how: impl Fn(&mut Expansion, usize, &[u8]) -> Result<(), Grow>,
    ) -> Result<(), Grow> {
        out.clear();
        let width = self.machine.layout.width();
        debug_assert_eq!(states.len() % width, 0, "states come whole");
        let Scratch { first, sequence, log, .. } = &mut self.scratch;
        // After a step that asked for room, something may be left.
        log.reset(details.is_some());
        first.clear();
        for (source, state) in states.chunks_exact(width).enumerate() {
            let mut expansion = Expansion {
                machine: &self.machine,
                uses_timeout: self.uses_timeout,
                first,
                sequence,
                log,
                emit: Emit {
                    width,
                    states: &mut out.states,
                    most: out.most.unwrap_or(usize::MAX),
                    interrupt: &out.interrupt,
                    cut: &mut out.cut,
                    movers: self.machine.options.movers.then_some(&mut out.movers),
                    first_fault: out.faults.len(),
                    faults: &mut out.faults,
                    known: FxHashSet::default(),
                    source: source as u32,
                    taken: &mut self.taken,
                    details: details.as_deref_mut(),
                },
            };
            how(&mut expansion, source, state)?;
            out.ends.push((out.states.len() / width) as u32);
            out.keep_to_limit();
            if out.cut.is_some() {
                break;
            }
        }
        Ok(())
    }
}

impl Successors for Interpreter {
    fn layout(&self) -> &Layout {
        &self.machine.layout
    }

    fn initial(&mut self, faults: &mut Vec<Fault>) -> Vec<u8> {
        faults.extend_from_slice(&self.start_faults);
        self.widened(&self.start)
    }

    fn expand(&mut self, states: &[u8], out: &mut Batch) -> Result<(), Grow> {
        self.expand_detailed(states, out, None)
    }

    fn grow(&mut self, slots: usize) {
        self.machine.layout.grow(slots);
    }

    fn taken(&self) -> &[Vec<bool>] {
        &self.taken
    }
}

impl Selective for Interpreter {
    fn expand_chosen(&mut self, states: &[u8], chosen: &[u64], out: &mut Batch) -> Result<(), Grow> {
        self.expand_with(states, out, None, |expansion, source, state| match chosen[source] {
            EVERYONE => expansion.successors(state),
            mask => {
                let asked = |pid| pid < 63 && mask >> pid & 1 == 1;
                expansion.attempt(state, Ask::default(), asked).map(|_| ())
            }
        })
    }
}

/// The expansion of one state.
struct Expansion<'a> {
    machine: &'a Machine,
    uses_timeout: bool,
    first: &'a mut Moves,
    sequence: &'a mut Sequence,
    log: &'a mut Log,
    emit: Emit<'a>,
}

impl Expansion<'_> {
    /// Emits the successors of a state, or what kind of end it is.
    fn successors(&mut self, state: &[u8]) -> Result<(), Grow> {
        let late = Ask { timeout: true, ..Ask::default() };
        if self.attempt(state, Ask::default(), |_| true)?
            || (self.uses_timeout && self.attempt(state, late, |_| true)?)
        {
            return Ok(());
        }
        if self.emit.cut.is_none() {
            self.end(state);
        }
        Ok(())
    }

    /// Tries every process that is asked for; true where an edge was executable.
    fn attempt(&mut self, state: &[u8], ask: Ask, asked: impl Fn(u32) -> bool) -> Result<bool, Grow> {
        let (machine, timeout) = (self.machine, ask.timeout);
        let lead = highest_priority(machine, state, timeout, self.log);
        let mut executable = false;
        for pid in 0..machine.count(state) {
            if lead.is_some_and(|lead| machine.priority(state, pid) != lead) {
                continue;
            }
            if !asked(pid) {
                continue;
            }
            let who = machine.actor(state, pid, timeout, None);
            executable |= edge::moves(&who, state, ask, self.first, self.log)?;
            self.emit.attempts(self.log, Vec::new);
            let mark = self.emit.mark();
            if self.follow()? == Followed::TooFar {
                self.emit.back_to(mark);
                edge::moves(&who, state, ask, self.first, self.log)?;
                if let Some(details) = &mut self.emit.details {
                    let keeps = self.first.list.iter().find(|made| made.keep != Atomicity::Release);
                    details.once = keeps.map(edge::Move::last);
                }
                // They were told above.
                self.log.attempt.clear();
                self.sequence.follow_once(machine, self.first, self.log, &mut self.emit)?;
            }
            if self.emit.cut.is_some() {
                break;
            }
        }
        Ok(executable)
    }

    /// Emits what the first steps of a process lead to.
    fn follow(&mut self) -> Result<Followed, Grow> {
        if self.log.detail || self.first.list.iter().any(|made| made.keep != Atomicity::Release) {
            return self.sequence.follow(self.machine, self.first, self.log, &mut self.emit);
        }
        let next = self.emit.count();
        for (made, successor) in self.first.list.drain(..).zip(next..) {
            self.emit.take(&made);
            self.emit.moved(|| made.movers().collect());
            for blame in made.faults {
                self.emit.fault(blame, Some(successor));
            }
        }
        self.emit.states.append(&mut self.first.states);
        Ok(Followed::ToTheEnd)
    }

    /// Says what is wrong with a state in which nobody can move.
    fn end(&mut self, state: &[u8]) {
        let machine = self.machine;
        let stuck = (0..machine.count(state)).find(|&pid| !may_rest(machine, state, pid));
        if let Some(pid) = stuck {
            let blame = Blame { kind: FaultKind::InvalidEnd, pid, edge: None };
            self.emit.mishap(blame, Vec::new);
        } else if machine.options.messages_left
            && let Some((owner, _)) = channel::all(machine, state).find(|(_, chan)| chan.len(state) > 0)
        {
            let blame = Blame { kind: FaultKind::MessagesLeft, pid: owner.unwrap_or(0), edge: None };
            self.emit.mishap(blame, Vec::new);
        }
    }
}

/// The highest priority of a process that can move, where priorities count.
fn highest_priority(machine: &Machine, state: &[u8], timeout: bool, log: &mut Log) -> Option<i64> {
    if !machine.model.semantics.priorities {
        return None;
    }
    (0..machine.count(state))
        .filter(|&pid| edge::can_move(machine, state, pid, timeout, log))
        .map(|pid| machine.priority(state, pid))
        .max()
}

/// Whether a process with a higher priority takes control away from an atomic sequence.
fn interrupted(machine: &Machine, state: &[u8], pid: u32, log: &mut Log) -> bool {
    machine.model.semantics.priorities && {
        let own = machine.priority(state, pid);
        (0..machine.count(state)).any(|other| {
            machine.priority(state, other) > own && edge::can_move(machine, state, other, false, log)
        })
    }
}

/// Whether a process is where it may rest for ever.
fn may_rest(machine: &Machine, state: &[u8], pid: u32) -> bool {
    let who = machine.actor(state, pid, false, None);
    who.process.locations[who.location(state).index()].end
}

/// The state before the first step; fills the constant segment.
fn start(machine: &mut Machine, log: &mut Log) -> Vec<u8> {
    let mut state = vec![0; machine.layout.width()];
    let model = Arc::clone(&machine.model);
    for effect in &model.prologue {
        prologue_effect(machine, &mut state, effect, log);
    }
    for (pid, instance) in model.start.iter().enumerate() {
        log.blame(pid as u32, None);
        if let Some(limit) = effect::limit(machine, &state, instance.proc) {
            log.report(limit);
            if limit == FaultKind::TooManyProcesses {
                break;
            }
        }
        let made = effect::create(machine, &mut state, instance.proc, &[], instance.priority, log);
        assert!(made.is_ok(), "the layout has slots for the processes of the start");
    }
    state
}

/// Executes one effect of the model's prologue, which alone may write the constant segment.
fn prologue_effect(machine: &mut Machine, state: &mut [u8], effect: &Effect, log: &mut Log) {
    let nobody = Nobody::new();
    let who = nobody.actor(machine);
    let (place, value) = match effect {
        Effect::Assign(place, value) => (place, Some(value)),
        Effect::Clear(place) => (place, None),
        Effect::Assert(cond, _) => {
            if expr::eval(&who, state, cond, log) == 0 {
                log.report(FaultKind::Assertion);
            }
            return;
        }
        Effect::Print(_, args) => {
            for arg in args {
                expr::eval(&who, state, arg, log);
            }
            return;
        }
        // No process exists yet that they could concern.
        Effect::Run { .. } | Effect::SetPriority(..) | Effect::Exit => return,
    };
    let value = value.map(|expr| expr::eval(&who, state, expr, log));
    let Some(spot) = place::locate(&who, state, place, log) else { return };
    let (constant, base, data) = (spot.constant, spot.base, spot.data.clone());
    let options = machine.options;
    let bytes = if constant { &mut machine.constants[..] } else { state };
    match (value, &data) {
        (Some(value), crate::layout::Data::Scalar(field)) => {
            field.write(bytes, base, value);
            if options.truncation && field.read(bytes, base) != value {
                log.report(FaultKind::Truncation);
            }
        }
        (Some(_), _) => unreachable!("values are given to scalars"),
        (None, data) => place::clear(bytes, data, base),
    }
}
