//! The interpreter: the reference implementation of the transition semantics
//! (docs/theory/steps.md), written for clarity. It evaluates the model's expressions and effects on
//! the bytes of a state.
//!
//! `edge` executes single steps, `enabled` tests whether they can be, `sequence` follows steps that
//! keep control (`met` detects converging paths), `expr`, `place`, `channel` and `effect` implement
//! the elements of the model; [`detail`] provides every micro-step for explanation and simulation,
//! `one_step` only those of a given execution. `watch` and
//! `cached_steps` are the hooks of memoisation (`crate::memo`).
//!
//! *Entry point:* [`Interpreter`].

pub(crate) mod cached_steps;
pub(crate) mod channel;
pub mod detail;
pub(crate) mod edge;
mod effect;
pub(crate) mod emit;
pub(crate) mod enabled;
mod explain;
pub(crate) mod expr;
pub mod log;
pub mod long_sequence;
pub(crate) mod machine;
mod met;
mod one_step;
mod place;
mod print;
mod priority;
mod sequence;
pub(crate) mod watch;

use std::sync::Arc;

use axle_model::{Atomicity, Effect, Model, ProcId};
use rustc_hash::FxHashSet;

use crate::batch::Batch;
use crate::fault::{Fault, FaultKind, ModelSite};
use crate::layout::Layout;
use crate::options::Options;
use crate::successors::{EVERYONE, Grow, ModelGraph, Processes, Selective, Statistics, Successors};
use detail::Steps;
use edge::{Ask, Moves};
use emit::Emit;
use log::{Blame, Log};
use long_sequence::CutSequence;
use machine::{Machine, Nobody};
use sequence::{Followed, Sequence};
use watch::Watch;

/// The reference implementation of [`Successors`].
#[derive(Clone, Debug)]
pub struct Interpreter {
    pub(crate) machine: Machine,
    /// The initial state.
    start: Vec<u8>,
    /// Faults of the prologue.
    start_faults: Vec<Fault>,
    taken: Vec<Vec<bool>>,
    /// Whether a second attempt, with `timeout` set, can differ from the first.
    uses_timeout: bool,
    pub(crate) scratch: Scratch,
}

/// Reusable buffers.
#[derive(Clone, Default, Debug)]
pub(crate) struct Scratch {
    first: Moves,
    pub sequence: Sequence,
    log: Log,
    /// The recorder of footprints, while it is disabled.
    pub watch: Watch,
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
            .map(|Blame { kind, pid, edge }| {
                let site = ModelSite { kind, edge };
                Fault { site, source: 0, successor: None, pid }
            })
            .collect();
        let scratch = Scratch::default();
        Interpreter { machine, start, start_faults, taken, uses_timeout, scratch }
    }

    /// The interpreted model.
    pub fn model(&self) -> &Arc<Model> {
        &self.machine.model
    }

    /// The layout of the states.
    pub fn layout(&self) -> &Layout {
        &self.machine.layout
    }

    /// For every process type and edge, whether the edge was executed so far.
    pub fn taken(&self) -> &[Vec<bool>] {
        &self.taken
    }

    /// The constant segment: the values of globals that are not written after the prologue.
    pub fn constants(&self) -> &[u8] {
        &self.machine.constants
    }

    /// Explores converging paths once as soon as one process has made this number of steps inside
    /// the atomic sequences of one state. For comparisons: the engines agree for the default
    /// [`MOST_BY_PATH`](axle_model::MOST_BY_PATH).
    pub fn follow_once_after(&mut self, steps: u32) {
        self.scratch.sequence.by_path = Some(steps);
    }

    /// The long atomic sequence in which an expansion of this engine or a clone of it was cut.
    pub fn cut_sequence(&self) -> CutSequence {
        self.scratch.sequence.cut_in.clone()
    }

    /// [`Successors::expand`] for one or more states, with details if requested.
    fn expand_detailed(
        &mut self,
        states: &[u8],
        out: &mut Batch,
        details: Option<&mut Steps>,
    ) -> Result<(), Grow> {
        self.expand_with(states, out, details, |expansion, _, state| expansion.successors(state))
    }

    /// Expands states; `how` expands the state with a given number.
    pub(crate) fn expand_with(
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
        // A step that needs a wider layout may leave data behind.
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
    type Site = ModelSite;

    fn width(&self) -> usize {
        self.machine.layout.width()
    }

    fn initial(&mut self, faults: &mut Vec<Fault>) -> Vec<u8> {
        faults.extend_from_slice(&self.start_faults);
        self.widened(&self.start)
    }

    fn expand(&mut self, states: &[u8], out: &mut Batch) -> Result<(), Grow> {
        self.expand_detailed(states, out, None)
    }

    fn size(&self) -> usize {
        self.machine.layout.slots.len()
    }

    fn grow(&mut self, size: usize) {
        self.machine.layout.grow(size);
    }
}

impl Processes for Interpreter {
    fn slots(&self) -> usize {
        self.machine.layout.slots.len()
    }

    fn can_grow(&self) -> bool {
        self.machine.layout.can_grow()
    }

    fn process_type(&self, state: &[u8], pid: u32) -> Option<ProcId> {
        self.machine.layout.process_type(state, pid)
    }
}

impl Statistics for Interpreter {
    fn taken(&self) -> &[Vec<bool>] {
        Interpreter::taken(self)
    }
}

impl ModelGraph for Interpreter {
    fn layout(&self) -> &Layout {
        Interpreter::layout(self)
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
pub(crate) struct Expansion<'a> {
    pub machine: &'a Machine,
    uses_timeout: bool,
    first: &'a mut Moves,
    sequence: &'a mut Sequence,
    log: &'a mut Log,
    emit: Emit<'a>,
}

impl Expansion<'_> {
    /// Emits the successors of a state, or the fault of an invalid end state.
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

    /// Tries every selected process; returns true if an edge was executable.
    pub fn attempt(&mut self, state: &[u8], ask: Ask, asked: impl Fn(u32) -> bool) -> Result<bool, Grow> {
        let (machine, timeout) = (self.machine, ask.timeout);
        let lead = priority::highest(machine, state, timeout, self.log);
        let mut executable = false;
        for pid in 0..machine.count(state) {
            if lead.is_some_and(|lead| machine.priority(state, pid) != lead) || !asked(pid) {
                continue;
            }
            executable |= self.attempt_process(state, ask, pid)?;
            if self.emit.cut.is_some() {
                break;
            }
        }
        Ok(executable)
    }

    /// Tries one process; returns true if an edge was executable.
    fn attempt_process(&mut self, state: &[u8], ask: Ask, pid: u32) -> Result<bool, Grow> {
        let machine = self.machine;
        let who = machine.actor(state, pid, ask.timeout, None);
        let executable = edge::moves(&who, state, ask, self.first, self.log)?;
        self.emit.attempts(self.log, Vec::new);
        let mark = self.emit.mark();
        if self.follow()? == Followed::TooFar {
            self.emit.back_to(mark);
            edge::moves(&who, state, ask, self.first, self.log)?;
            if let Some(details) = &mut self.emit.details {
                let keeps = self.first.list.iter().find(|made| made.keep != Atomicity::Release);
                details.once = keeps.map(edge::Move::last);
            }
            // They were reported above.
            self.log.attempt.clear();
            self.sequence.follow_once(machine, self.first, self.log, &mut self.emit)?;
        }
        Ok(executable)
    }

    /// Emits the results of the first steps of a process.
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

    /// Reports the faults of a state in which every process is blocked.
    fn end(&mut self, state: &[u8]) {
        let machine = self.machine;
        let stuck = (0..machine.count(state)).find(|&pid| !machine.may_rest(state, pid));
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

/// Computes the initial state and fills the constant segment.
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
        // No process exists yet to which they could apply.
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
