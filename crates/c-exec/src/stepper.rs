//! A program as a successor function.
//!
//! *Entry points:* [`Stepper::new`], and `expand` of its [`Successors`].
//! *Invariant:* The successors of a state, their order and its faults are the same whether
//! transitions are memoised (`memo.rs`) or not.

#[cfg(test)]
mod encoding_tests;
mod forks;
mod memoised;
mod work_meter;

use std::mem::take;
use std::sync::{Arc, Mutex, PoisonError};

use axle_model::ProcId;
use axle_source::Loc;
use axle_step::{Batch, Cut, Fault, Grow, Interrupt, Processes, Statistics, Successors};
use rustc_hash::FxHashMap;

use axle_c::Program;

use crate::counter_abstraction::{abstract_transitions, may_help, put_folded};
use crate::explore::{initial, transitions, transitions_with};
use crate::machine::decode::decode;
use crate::machine::{ABORTED, POLL_AFTER};
use crate::memo::components::{Components, WHOLE, is_restricted, word};
use crate::observers::executed_steps::ExecutedSteps;
use crate::observers::recorders::Machine;
use crate::semantics::thread::MOST_FAIR;
use crate::state::error_kind::ErrorKind;
use crate::state::error_site::{ErrorSite, ProgramSite};
use crate::state::recorded_accesses::Contention;
use crate::state::settings::Settings;

use memoised::MemoTables;

pub use work_meter::WorkMeter;

/// The copies of a state that are worked with: of four machines, and those that look for cycles.
const COPIES: u64 = 6;

/// The work of looking up the transitions of a state beside their execution, in steps.
const EXPANSION_WORK: u64 = 30;

/// Bytes by which states grow wider.
pub(crate) const GRAIN: usize = 16;

/// A program as a successor function. A fault has the [`ProgramSite`] of its error, whose details are
/// those of the first [`ErrorSite`] that this stepper has met there ([`Stepper::error_site`]).
pub struct Stepper<'p> {
    pub(crate) program: &'p Program,
    pub(crate) settings: &'p Settings,
    /// Bytes of a state.
    width: usize,
    /// The first error of each site, in the order in which they were met.
    error_sites: Vec<ErrorSite>,
    /// Their places in this list.
    known_sites: FxHashMap<ProgramSite, usize>,
    /// Errors that make the verdict unknown: the execution is not continued after them.
    inconclusive_reasons: Vec<ErrorSite>,
    /// Kinds of errors that are not checked.
    ignored: Vec<&'static str>,
    taken: Vec<Vec<bool>>,
    lost: Vec<u32>,
    restricted: bool,
    /// Some threads were folded.
    folded: bool,
    /// Contention on atomic objects that was met (`happens_before.rs`).
    contention: Contention,
    /// A stored clock value was read (`stored_clock.rs`).
    clock_read: bool,
    movers: bool,
    /// The state that is expanded, and one to work with; the same for states between. All keep
    /// their memory.
    machines: Option<Box<[(Machine<'p>, Machine<'p>); 2]>>,
    poll: Arc<Mutex<Poll>>,
    /// The work of this stepper and its forks, and of this one since it last polled.
    work: WorkMeter,
    unasked: u64,
    /// The bytes that the state of a machine may have.
    most_bytes: Option<usize>,
    /// Polled in the first step, which belongs to no batch, and the answer that ended it.
    first: Interrupt,
    cut: Option<Cut>,
    /// The result of the first step, unless it was interrupted.
    begun: Option<Result<Vec<u8>, ErrorSite>>,
    /// The tables of components and memoised transitions, where transitions are memoised;
    /// [`Stepper::another`] knows it too.
    quick: Option<Arc<Mutex<MemoTables>>>,
}

/// Polled during a long step, and the answer that ended one. All machines of a stepper share it,
/// and the copies that they make of themselves.
#[derive(Default)]
struct Poll {
    interrupt: Interrupt,
    answer: Option<Cut>,
}

fn locked<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'p> Stepper<'p> {
    /// A stepper for a program.
    #[must_use]
    pub fn new(program: &'p Program, settings: &'p Settings) -> Stepper<'p> {
        Stepper {
            program,
            settings,
            width: 4 * GRAIN,
            error_sites: Vec::new(),
            known_sites: FxHashMap::default(),
            inconclusive_reasons: Vec::new(),
            ignored: Vec::new(),
            taken: program.codes.iter().map(|code| vec![false; code.ops.len()]).collect(),
            lost: Vec::new(),
            restricted: false,
            folded: false,
            contention: Contention::default(),
            clock_read: false,
            movers: false,
            machines: None,
            poll: Arc::default(),
            work: WorkMeter::default(),
            unasked: 0,
            most_bytes: None,
            first: Interrupt::default(),
            cut: None,
            begun: None,
            quick: (settings.memo
                && !settings.tracks(program)
                && !settings.counter_abstraction
                // Whether a transition reads a stored clock value is not memoised.
                && !program.stores_clock
                && !settings.watch.on
                && !settings.stable_threads)
                .then(|| Arc::new(Mutex::new(MemoTables::new(settings, Components::default())))),
        }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The settings of the execution.
    #[must_use]
    pub fn settings(&self) -> &'p Settings {
        self.settings
    }

    /// A new stepper for the same program and settings. Both share the memoised transitions, so only one
    /// of them may be in use at a time, and the steps that either has executed count for both
    /// ([`Stepper::share_taken`]).
    #[must_use]
    pub fn another(&self) -> Stepper<'p> {
        Stepper {
            ignored: self.ignored.clone(),
            movers: self.movers,
            first: self.first.clone(),
            most_bytes: self.most_bytes,
            quick: self.quick.clone(),
            ..Stepper::new(self.program, self.settings)
        }
    }

    /// The first error at this site that this stepper has met.
    #[must_use]
    pub fn error_site(&self, site: ProgramSite) -> Option<&ErrorSite> {
        self.known_sites.get(&site).map(|&at| &self.error_sites[at])
    }

    /// Adds the steps that another has executed: its memoised transitions are applied here without
    /// execution.
    pub fn share_taken(&mut self, other: &Stepper<'_>) {
        for (mine, theirs) in self.taken.iter_mut().flatten().zip(other.taken.iter().flatten()) {
            *mine |= theirs;
        }
    }

    /// The tables of parts grow by so many bytes at most, until this is taken back.
    pub fn grow_by(&mut self, most: Option<u64>) {
        if let Some(quick) = &self.quick {
            locked(quick).components.grow_by(most);
        }
    }

    /// All errors so far.
    #[must_use]
    pub fn error_sites(&self) -> &[ErrorSite] {
        &self.error_sites
    }

    /// Whether some input was tried with a few of its values only, so that "holds" is about these.
    #[must_use]
    pub fn restricted(&self) -> bool {
        self.restricted || self.clock_read || self.executed().misses_executions()
    }

    /// Whether a clock value was stored and read later.
    pub(crate) fn clock_read(&self) -> bool {
        self.clock_read
    }

    /// Where an atomic operation weaker than sequential consistency contends with another, in a
    /// program in which executions may exist that are not sequentially consistent
    /// (`happens_before.rs`). Not finding one says that all executions are sequentially consistent,
    /// once the search has ended.
    #[must_use]
    pub fn weak_behaviour(&self) -> Option<Loc> {
        let site = self.contention.weak_site()?;
        self.program.codes.get((site >> 20) as usize)?.locs.get((site & 0xf_ffff) as usize).copied()
    }

    /// Whether it applies counter abstraction ([`Settings::counter_abstraction`]).
    #[must_use]
    pub fn counts_threads(&self) -> bool {
        self.settings.counter_abstraction
    }

    /// Whether counter abstraction may help.
    #[must_use]
    pub fn may_fold(&self) -> bool {
        may_help(self.program) && !self.settings.tracks(self.program)
    }

    /// Whether threads were folded ([`Settings::counter_abstraction`]).
    #[must_use]
    pub fn has_folded(&self) -> bool {
        self.folded
    }

    /// Errors with these names are not reported. The step has no successor, so an ignored error makes the
    /// verdict inconclusive; deadlocks and races do not end an execution.
    pub fn ignore(&mut self, names: Vec<&'static str>) {
        self.ignored = names;
    }

    /// From now on each successor names the thread that moves. Threads must keep their places
    /// ([`Settings::stable_threads`]).
    pub fn tell_movers(&mut self) {
        self.movers = true;
    }

    /// Errors that make a verdict unknown: limits, and operations that are not supported. No fault has
    /// one of these.
    #[must_use]
    pub fn inconclusive_reasons(&self) -> &[ErrorSite] {
        &self.inconclusive_reasons
    }

    /// The place of an error in the user's text, where it has one.
    #[must_use]
    pub fn place(&self, error_site: &ErrorSite) -> Option<Loc> {
        let (code, pc) = error_site.user?;
        self.program.codes.get(code as usize)?.locs.get(pc as usize).copied()
    }

    fn fault(&mut self, error_site: ErrorSite, source: u32) -> Option<Fault<ProgramSite>> {
        let ignored = self.ignored.contains(&error_site.error.name());
        if ignored
            && matches!(
                error_site.error,
                ErrorKind::Deadlock(_) | ErrorKind::Livelock(_) | ErrorKind::Race(_)
            )
        {
            return None;
        }
        if ignored || !error_site.error.is_violation() {
            self.note_inconclusive(error_site);
            return None;
        }
        let pid = error_site.thread;
        let site = self.note_error(error_site);
        Some(Fault { site, source, successor: None, pid })
    }

    fn note_inconclusive(&mut self, reason: ErrorSite) {
        let site = reason.site();
        match self.inconclusive_reasons.iter_mut().find(|known| known.site() == site) {
            // The first call in the text, whatever the order of the search.
            Some(known) => known.user = known.user.min(reason.user).or(known.user).or(reason.user),
            None => self.inconclusive_reasons.push(reason),
        }
    }

    /// Keeps the first error of a site.
    fn note_error(&mut self, error_site: ErrorSite) -> ProgramSite {
        let site = error_site.site();
        let next = self.error_sites.len();
        if *self.known_sites.entry(site).or_insert(next) == next {
            self.error_sites.push(error_site);
        }
        site
    }

    /// A machine without a state that polls the interrupt during long steps.
    fn asking(&self) -> Machine<'p> {
        Machine { interrupt: self.interrupt(), most_bytes: self.most_bytes, ..self.empty() }
    }

    /// Polls the interrupt of the expansion, and keeps the answer.
    fn interrupt(&self) -> Interrupt {
        let poll = Arc::clone(&self.poll);
        let ask = move || {
            let interrupt = locked(&poll).interrupt.clone();
            let answer = interrupt.ask();
            let mut poll = locked(&poll);
            poll.answer = poll.answer.or(answer);
            answer
        };
        Interrupt::new(ask)
    }

    /// Sets the interrupt that is polled during the first step, which may be long: a program can end in
    /// it. After an interruption the first state is no state of the program, and its expansion gives the
    /// reason.
    pub fn ask_first(&mut self, interrupt: Interrupt) {
        self.first = interrupt;
    }

    /// Limits the memory of steps: those of a state that would take more, with the copies that are made of
    /// it, are cut short.
    pub fn limit_states(&mut self, bytes: Option<u64>) {
        self.most_bytes = bytes.map(|bytes| usize::try_from(bytes / COPIES).unwrap_or(usize::MAX));
    }

    /// Measures the work of this stepper and its forks.
    #[must_use]
    pub fn work(&self) -> WorkMeter {
        self.work.clone()
    }

    /// The most bytes that the tables of parts and of moves take together.
    pub fn limit_memory(&mut self, bytes: u64) {
        if let Some(quick) = &self.quick {
            let mut quick = locked(quick);
            // Parts are in use for as long as there are states, moves can be learnt again.
            quick.components.limit_memory(bytes / 3 * 2);
            quick.memo.limit_memory(bytes / 3);
        }
    }

    /// The bytes that they take, about.
    #[must_use]
    pub fn held(&self) -> u64 {
        self.quick.as_ref().map_or(0, |quick| {
            let quick = locked(quick);
            quick.components.held() + quick.memo.held(&quick.components)
        })
    }

    /// A machine without a state.
    pub(crate) fn empty(&self) -> Machine<'p> {
        Machine::empty(self.program, self.settings)
    }

    fn note(&mut self, machine: &Machine<'_>) {
        self.restricted |= (0..machine.state.threads.len()).any(|t| is_restricted(machine, t));
        self.note_lost(&machine.state.lost);
    }

    fn note_lost(&mut self, sites: &[u32]) {
        for &site in sites {
            if let Err(at) = self.lost.binary_search(&site) {
                self.lost.insert(at, site);
            }
        }
    }

    /// Where heap blocks were allocated that some execution loses without freeing them.
    pub(crate) fn lost_sites(&self) -> &[u32] {
        &self.lost
    }
}

impl<'p> Stepper<'p> {
    /// Expands a state by executing all its transitions.
    fn expand_whole(
        &mut self,
        state: &[u8],
        [(machine, copy), _]: &mut [(Machine<'p>, Machine<'p>); 2],
        quick: Option<&mut MemoTables>,
        (source, count): (u32, &mut u32),
        out: &mut Batch<ProgramSite>,
    ) -> Result<(), Grow> {
        match &quick {
            None => decode(self.program, state, &mut machine.state),
            Some(quick) => quick.components.take(self.program, state, &mut machine.state),
        }
        let materialise = if self.settings.counter_abstraction { machine.materialise() } else { Ok(()) };
        self.note(machine);
        let taken = &mut self.taken;
        let mut mark = |code: u32, pc: u32| taken[code as usize][pc as usize] = true;
        let mut folded = false;
        let expansion = match quick {
            None if self.settings.counter_abstraction => {
                let mut scratch = Machine::empty(machine.program, machine.settings);
                let put = &mut |machine: &Machine<'p>| {
                    let (bytes, any) = put_folded(machine, &mut scratch);
                    folded |= any;
                    bytes
                };
                abstract_transitions(machine, state, copy, &mut mark, put)
            }
            None => transitions(machine, Some(state), copy, &mut mark),
            Some(quick) => transitions_with(machine, Some(state), copy, &mut mark, &mut |machine| {
                quick.components.put(machine)
            }),
        };
        self.folded |= folded;
        self.contention.join(&std::mem::take(&mut copy.observer.contention));
        self.clock_read |= copy.clock_read;
        self.note_lost(&expansion.lost);
        let not_materialised = materialise.err().map(|error| machine.error_site(0, error));
        for error_site in expansion.error_sites.into_iter().chain(not_materialised) {
            let fault = self.fault(error_site, source);
            out.faults.extend(fault);
        }
        for transition in expansion.transitions {
            match transition.result {
                Ok(bytes) => self.push(&bytes, transition.thread, count, out)?,
                Err(error_site) => out.faults.extend(self.fault(error_site, source)),
            }
        }
        Ok(())
    }

    /// Takes the first step.
    fn begin(&mut self) -> Result<Vec<u8>, ErrorSite> {
        *locked(&self.poll) = Poll { interrupt: self.first.clone(), answer: None };
        let (interrupt, most_bytes) = (self.interrupt(), self.most_bytes);
        let mut machine = Machine { interrupt, most_bytes, ..Machine::new(self.program, self.settings) };
        machine.observer.executed = Some(ExecutedSteps::default());
        let begun = initial(&mut machine);
        self.work.add(machine.work);
        self.cut = locked(&self.poll).answer.or(machine.exceeded.then_some(Cut::Memory));
        self.contention.join(&machine.observer.contention);
        self.clock_read |= machine.clock_read;
        for (code, pc) in machine.observer.executed.iter().flat_map(ExecutedSteps::each) {
            self.taken[code as usize][pc as usize] = true;
        }
        if machine.state.done && machine.status != ABORTED && self.cut.is_none() {
            self.note_lost(&crate::machine::encode::lost(&machine));
        }
        match (begun, &self.quick) {
            (Ok(_), Some(quick)) if self.cut.is_none() => {
                let mut quick = locked(quick);
                quick.prepare();
                Ok(quick.components.put(&machine))
            }
            (begun, _) => begun,
        }
    }

    /// A successor.
    fn push(
        &self,
        bytes: &[u8],
        thread: usize,
        count: &mut u32,
        out: &mut Batch<ProgramSite>,
    ) -> Result<(), Grow> {
        let width = self.width;
        if bytes.len() > width {
            return Err(Grow { size: bytes.len().div_ceil(GRAIN) });
        }
        push_padded(&mut out.states, bytes, width);
        if self.movers {
            out.movers.push_one(thread as u32);
        }
        *count += 1;
        Ok(())
    }
}

/// Bytes padded to a width.
fn push_padded(out: &mut Vec<u8>, bytes: &[u8], width: usize) {
    let start = out.len();
    out.extend_from_slice(bytes);
    out.resize(start + width, 0);
}

impl Successors for Stepper<'_> {
    type Site = ProgramSite;

    fn width(&self) -> usize {
        self.width
    }

    fn initial(&mut self, faults: &mut Vec<Fault<ProgramSite>>) -> Vec<u8> {
        // The first step can be long, and each search requests it again.
        let begun = self.begun.take().unwrap_or_else(|| self.begin());
        // That the program has ended.
        let nothing = vec![u8::from(self.quick.is_none()); 1];
        let mut bytes = match &begun {
            // How far it has come by then is chance: no state of the program has to be that wide.
            _ if self.cut.is_some() => nothing,
            Ok(bytes) => bytes.clone(),
            Err(error_site) => {
                faults.extend(self.fault(error_site.clone(), 0));
                nothing
            }
        };
        self.begun = Some(begun).filter(|_| self.cut.is_none());
        if bytes.len() > self.width {
            self.grow(bytes.len().div_ceil(GRAIN));
        }
        bytes.resize(self.width, 0);
        bytes
    }

    fn expand(&mut self, states: &[u8], out: &mut Batch<ProgramSite>) -> Result<(), Grow> {
        out.clear();
        let width = self.width;
        let (mut count, mut done) = (0, 0);
        *locked(&self.poll) = Poll { interrupt: out.interrupt.clone(), answer: None };
        let shared = self.quick.clone();
        let mut quick = shared.as_ref().map(|quick| locked(quick));
        if let Some(quick) = &mut quick {
            quick.prepare();
        }
        for (source, state) in states.chunks_exact(width).enumerate() {
            let mut machines = self
                .machines
                .take()
                .unwrap_or_else(|| Box::new([0; 2].map(|_| (self.asking(), self.asking()))));
            let expanded = match quick.as_deref_mut() {
                None => self.expand_whole(state, &mut machines, None, (source as u32, &mut count), out),
                Some(quick) => {
                    let number = word(state, 0);
                    let is_whole = number == WHOLE
                        || quick.components.shapes.get(number as usize).is_none_or(|shape| shape.atomic != 0);
                    let counted = (source as u32, &mut count);
                    let expanded = match is_whole {
                        _ if number == 0 => Ok(()),
                        true => self.expand_whole(state, &mut machines, Some(&mut *quick), counted, out),
                        false => self.expand_memoised(state, &mut machines, quick, counted, out),
                    };
                    quick.memo.keep_small(&mut quick.components);
                    expanded
                }
            };
            let mut exceeded = false;
            let mut work = EXPANSION_WORK;
            for machine in machines.iter_mut().flat_map(|(a, b)| [a, b]) {
                work += take(&mut machine.work);
                exceeded |= take(&mut machine.exceeded);
            }
            self.machines = Some(machines);
            self.unasked += work;
            done += work;
            if exceeded {
                out.cut = Some(Cut::Memory);
                break;
            }
            expanded?;
            out.ends.push(count);
            // A thread that computes for long by itself is one step.
            if self.unasked > POLL_AFTER {
                self.unasked = 0;
                self.work.add(take(&mut done));
                out.cut = out.interrupt.ask();
            }
            if out.most.is_some_and(|most| out.states.len() > most) {
                out.cut = out.cut.or(Some(Cut::Memory));
            }
            if out.cut.is_some() {
                break;
            }
        }
        self.work.add(done);
        if let Some(quick) = &mut quick {
            quick.memo.publish();
        }
        out.cut = out.cut.or(locked(&self.poll).answer).or(self.cut);
        Ok(())
    }

    fn size(&self) -> usize {
        self.width / GRAIN
    }

    fn grow(&mut self, size: usize) {
        self.width = self.width.max(size * GRAIN);
    }
}

impl Processes for Stepper<'_> {
    /// Only fairness asks, for which threads keep their places.
    fn slots(&self) -> usize {
        MOST_FAIR
    }

    /// An error is identified by its site, whichever thread makes it: all threads are of one type.
    fn process_type(&self, _state: &[u8], _pid: u32) -> Option<ProcId> {
        Some(ProcId(0))
    }
}

impl Statistics for Stepper<'_> {
    fn taken(&self) -> &[Vec<bool>] {
        &self.taken
    }
}
