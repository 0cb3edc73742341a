//! A program as a successor function.
//!
//! *Entry points:* [`Stepper::new`], and `expand` of its [`Successors`].
//! *Invariant:* The successors of a state, their order and its faults are the same whether
//! transitions are memoised (`memo.rs`) or not.

#[cfg(test)]
mod encoding_tests;
mod forks;
mod work_meter;

use std::mem::take;
use std::sync::{Arc, Mutex, PoisonError};

use axle_model::ProcId;
use axle_source::Loc;
use axle_step::{Batch, Cut, Fault, Grow, Interrupt, Processes, Statistics, Successors};
use rustc_hash::FxHashMap;

use axle_c::Program;

use crate::counter_abstraction::{abstract_transitions, may_help, put_folded};
use crate::explore::{
    Expansion, ThreadOutcome, check_deadlock, initial, thread_transitions, transitions, transitions_with,
};
use crate::machine::decode::decode;
use crate::machine::{ABORTED, POLL_AFTER};
use crate::memo::components::{Components, WHOLE, is_restricted, word};
use crate::memo::leaf::{ENDED, SLOW, UNKNOWN, VISIBLE};
use crate::memo::leaf_log::LeafLog;
use crate::memo::part_log::PartLog;
use crate::memo::question::View;
use crate::memo::set_cache::{Expanded, SetCache};
use crate::memo::{Memo, Tools};
use crate::observers::executed_steps::ExecutedSteps;
use crate::observers::recorders::Machine;
use crate::races::{any_race, races};
use crate::semantics::thread::MOST_FAIR;
use crate::state::access::Access;
use crate::state::error_kind::ErrorKind;
use crate::state::error_site::{ErrorSite, ProgramSite};
use crate::state::recorded_accesses::Contention;
use crate::state::settings::Settings;

pub use work_meter::WorkMeter;

/// The copies of a state that are worked with: of four machines, and those that look for cycles.
const COPIES: u64 = 6;

/// The work of looking up a state's transitions, and of remembering one, beside its execution: about as
/// long as so many steps take.
const EXPANSION_WORK: u64 = 30;
const LEARNING_WORK: u64 = 200;

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
    asked: Arc<Mutex<Asked>>,
    /// The work of this stepper and its forks, and of this one since it last polled.
    work: WorkMeter,
    unasked: u64,
    /// The bytes that the state of a machine may have.
    most_bytes: Option<usize>,
    /// Polled in the first step, which belongs to no batch, and the answer that ended it.
    first: Interrupt,
    cut: Option<Cut>,
    /// What came of the first step, unless it was cut short.
    begun: Option<Result<Vec<u8>, ErrorSite>>,
    /// The tables of components and memoised transitions, where transitions are memoised;
    /// [`Stepper::another`] knows it too.
    quick: Option<Arc<Mutex<MemoTables>>>,
}

/// Polled during a long step, and the answer that ended one. All machines of a stepper share it,
/// and the copies that they make of themselves.
#[derive(Default)]
struct Asked {
    whom: Interrupt,
    answer: Option<Cut>,
}

fn locked<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What remembering takes.
#[derive(Default)]
struct MemoTables {
    components: Components,
    memo: Memo,
    /// Work of one state that keeps its memory: errors, enabled accesses, blocked threads.
    found_errors: Vec<ErrorSite>,
    footprints: Vec<(usize, Access)>,
    blocked: Vec<bool>,
    /// What is remembered of each thread's turn; who can move, the likeliest to get out of a loop
    /// first.
    leaves: Vec<u32>,
    /// Where their successors begin.
    starts: Vec<usize>,
    /// The states that each of them leads to.
    made: Vec<u32>,
    sets: SetCache,
    movers: Vec<usize>,
    /// What is copied into these tables before they are used. It is kept afterwards: a thread that
    /// freed it would use allocations of another thread again, whose allocator it would then wait for.
    inherits: Option<Arc<Inheritance>>,
}

/// The tables with which the steppers of a search by several threads begin. Each thread copies them
/// itself, because the allocator has a lock for the memory of each thread.
#[derive(Debug)]
struct Inheritance {
    components: Components,
    memo: Memo,
    parts: Arc<PartLog>,
    leaves: Arc<LeafLog>,
}

impl MemoTables {
    fn new(settings: &Settings, mut components: Components) -> MemoTables {
        components.needs_accesses = settings.persistent_sets;
        MemoTables { components, ..MemoTables::default() }
    }

    /// Makes the tables ready for use.
    fn prepare(&mut self) {
        if let Some(inherited) = &self.inherits
            && self.memo.log.is_none()
        {
            self.components.inherit(&inherited.components, &inherited.parts);
            self.memo.inherit(&inherited.memo, &inherited.leaves);
        }
        let Some(log) = &self.memo.log else { return };
        let leaves = log.since(self.memo.seen);
        self.memo.seen += leaves.len();
        self.components.catch_up();
        leaves.iter().for_each(|learnt| self.memo.receive(&mut self.components, learnt));
    }
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
            asked: Arc::default(),
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

    /// One for the same program and the same questions that has seen nothing yet. What is
    /// remembered of steps both share, so only one of them may be at work at a time, and what
    /// either has executed counts for both ([`Stepper::share_taken`]).
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

    /// What another has executed was executed: its moves are made here without that.
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

    /// Whether some input was tried with a few of its values only, so that "holds" speaks of those.
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

    /// Troubles with these names are no faults. A step in trouble leads nowhere all the same, so
    /// where one was ignored there is a doubt about what would have come after it; deadlocks and
    /// races cut nothing off.
    pub fn ignore(&mut self, names: Vec<&'static str>) {
        self.ignored = names;
    }

    /// Says from now on who moves in each successor. Threads must keep their places
    /// ([`Settings::stable_threads`]).
    pub fn tell_movers(&mut self) {
        self.movers = true;
    }

    /// What was met that makes a verdict unknown: limits, and what is not supported. No faults name
    /// these.
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

    /// A machine without a state that asks whether long steps are still wanted.
    fn asking(&self) -> Machine<'p> {
        Machine { interrupt: self.interrupt(), most_bytes: self.most_bytes, ..self.empty() }
    }

    /// Asks whom there is to ask, and keeps the answer.
    fn interrupt(&self) -> Interrupt {
        let asked = Arc::clone(&self.asked);
        let ask = move || {
            let whom = locked(&asked).whom.clone();
            let answer = whom.ask();
            let mut asked = locked(&asked);
            asked.answer = asked.answer.or(answer);
            answer
        };
        Interrupt::new(ask)
    }

    /// Asks this one whether the first step is to go on, which may be long: a program can come to
    /// its end in it. Where it is not, the first state is no state of the program, and to expand it
    /// gives the reason.
    pub fn ask_first(&mut self, whom: Interrupt) {
        self.first = whom;
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
    /// Executes all ways on from a state.
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
        *locked(&self.asked) = Asked { whom: self.first.clone(), answer: None };
        let (interrupt, most_bytes) = (self.interrupt(), self.most_bytes);
        let mut machine = Machine { interrupt, most_bytes, ..Machine::new(self.program, self.settings) };
        machine.observer.executed = Some(ExecutedSteps::default());
        let begun = initial(&mut machine);
        self.work.add(machine.work);
        self.cut = locked(&self.asked).answer.or(machine.exceeded.then_some(Cut::Memory));
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

    /// The ways on from a state in parts: those that are remembered are made again, the others
    /// executed.
    fn expand_memoised(
        &mut self,
        state: &[u8],
        [(machine, copy), spare]: &mut [(Machine<'p>, Machine<'p>); 2],
        quick: &mut MemoTables,
        (source, count): (u32, &mut u32),
        out: &mut Batch<ProgramSite>,
    ) -> Result<(), Grow> {
        let program = self.program;
        let MemoTables {
            components,
            memo,
            found_errors,
            footprints,
            blocked,
            leaves,
            starts,
            made,
            sets,
            movers,
            inherits: _,
        } = quick;
        found_errors.clear();
        footprints.clear();
        blocked.clear();
        let shape = &components.shapes[word(state, 0) as usize];
        let (threads, header) = (shape.threads.len(), shape.header);
        let running = shape.running;
        let asks_races = self.settings.races && running > 1;
        for &site in &shape.lost {
            if let Err(at) = self.lost.binary_search(&site) {
                self.lost.insert(at, site);
            }
        }
        // All are looked up before any is made: so one need not wait for the memory that another is
        // read from.
        leaves.clear();
        starts.clear();
        made.clear();
        let view = View::new(components, state);
        let look_up = |(t, ended)| if ended { ENDED } else { memo.find(components, &view, t, VISIBLE) };
        leaves.extend(shape.threads.iter().map(|thread| thread.1).enumerate().map(look_up));
        // The state is taken apart once something has to be executed.
        let mut is_taken = false;
        let mut whole = ThreadOutcome { stuck: false, progress: false, looks: true };
        let mut expansion = Expansion::default();
        let mut error_sites = Vec::new();
        let taken = &mut self.taken;
        let mut mark = |code: u32, pc: u32| taken[code as usize][pc as usize] = true;
        let mut grows = None;
        for (t, leaf) in leaves.iter_mut().enumerate() {
            let mut known = *leaf;
            if known == ENDED {
                starts.push(out.states.len());
                made.push(0);
                blocked.push(false);
                continue;
            }
            self.restricted |= components.hot[word(state, 8 + 4 * t) as usize].restricted;
            if known == UNKNOWN || known == SLOW {
                if !is_taken {
                    components.take(program, state, &mut machine.state);
                    is_taken = true;
                }
                let record = word(state, 8 + 4 * t);
                known = match known {
                    UNKNOWN if memo.learning.wants(record) => {
                        copy.work += LEARNING_WORK;
                        memo.learn(components, state, (machine, copy), t, &mut mark)
                    }
                    _ => SLOW,
                };
            } else {
                memo.learning.find(word(state, 8 + 4 * t));
            }
            starts.push(out.states.len());
            let before = *count;
            let repeated = match known {
                SLOW => None,
                _ if memo.leaf(known).plain => {
                    let leaf = memo.leaf(known);
                    memo.make_plain(header, state, (t, leaf), &mut out.states);
                    Some(leaf.count)
                }
                _ => {
                    let mut tools = Tools { spare, mark: &mut mark };
                    memo.make(program, components, state, (t, known), &mut out.states, &mut tools)
                }
            };
            *leaf = if repeated.is_some() { known } else { SLOW };
            if let Some(repeated) = repeated {
                let leaf = memo.leaf(known);
                *count += repeated;
                made.push(repeated);
                whole.progress |= leaf.progress;
                whole.looks &= leaf.looks && (leaf.stuck || !leaf.gets_out());
                blocked.push(leaf.stuck);
                if asks_races {
                    footprints.extend(leaf.footprint.iter().map(|&access| (t, access)));
                }
                continue;
            }
            if !is_taken {
                components.take(program, state, &mut machine.state);
                is_taken = true;
            }
            if asks_races {
                footprints.extend(machine.footprint(t).into_iter().map(|access| (t, access)));
            }
            let mut put = |machine: &Machine<'p>| components.put(machine);
            let thread_transitions = thread_transitions(
                machine,
                Some(state),
                (copy, &mut true),
                t,
                &mut expansion,
                &mut mark,
                &mut put,
            );
            whole.progress |= thread_transitions.progress;
            whole.looks &= thread_transitions.looks;
            blocked.push(thread_transitions.stuck);
            for transition in expansion.transitions.drain(..) {
                match transition.result {
                    Ok(bytes) if bytes.len() > state.len() => grows = Some(bytes.len()),
                    Ok(bytes) => {
                        push_padded(&mut out.states, &bytes, state.len());
                        *count += 1;
                    }
                    Err(error_site) => found_errors.push(error_site),
                }
            }
            made.push(*count - before);
        }
        if let Some(width) = grows {
            return Err(Grow { size: width.div_ceil(GRAIN) });
        }
        let is_racy = asks_races && any_race(footprints);
        let mut tools = Tools { spare, mark: &mut mark };
        let next = |t: usize| {
            let next = out.states.get(starts[t]..starts[t] + state.len());
            next.filter(|_| made[t] == 1)
        };
        memo.expanded += 1;
        let may_spin = whole.looks && {
            movers.clear();
            movers.extend((0..threads).filter(|&t| !blocked[t] && leaves[t] != ENDED));
            !memo.excludes_spins(program, components, state, (movers, leaves), next, &mut tools)
        };
        if !whole.looks {
            memo.continue_chains(program, components, state, threads, next, &mut tools);
        }
        if is_racy || may_spin || !whole.progress {
            if !is_taken {
                components.take(program, state, &mut machine.state);
            }
            if is_racy {
                races(machine, &mut error_sites);
            }
        }
        let enabled = || made.iter().filter(|&&made| made > 0).count();
        if self.settings.persistent_sets && running > 1 && enabled() > 1 {
            let expanded = Expanded { state, blocked, successors: &out.states, starts, made };
            if let Some(set) = sets.set(program, components, expanded) {
                *count -= keep_threads(&mut out.states, starts, made, set);
            }
        }
        error_sites.append(&mut expansion.error_sites);
        if may_spin || !whole.progress {
            check_deadlock(machine, &whole, blocked, &mut error_sites);
        }
        self.note_lost(&expansion.lost);
        for error_site in error_sites {
            out.faults.extend(self.fault(error_site, source));
        }
        for error_site in found_errors.drain(..) {
            out.faults.extend(self.fault(error_site, source));
        }
        Ok(())
    }
}

/// Removes the successors of the threads that are not in a set. `starts`: where those of each thread
/// begin; `made`: how many there are. Returns how many are removed.
fn keep_threads(states: &mut Vec<u8>, starts: &[usize], made: &[u32], set: u64) -> u32 {
    let (mut removed, mut to) = (0, starts[0]);
    for (t, &from) in starts.iter().enumerate() {
        let end = starts.get(t + 1).copied().unwrap_or(states.len());
        if set >> t & 1 == 1 {
            states.copy_within(from..end, to);
            to += end - from;
        } else {
            removed += made[t];
        }
    }
    states.truncate(to);
    removed
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
        *locked(&self.asked) = Asked { whom: out.interrupt.clone(), answer: None };
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
                    let whom = (source as u32, &mut count);
                    let expanded = match is_whole {
                        _ if number == 0 => Ok(()),
                        true => self.expand_whole(state, &mut machines, Some(&mut *quick), whom, out),
                        false => self.expand_memoised(state, &mut machines, quick, whom, out),
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
        out.cut = out.cut.or(locked(&self.asked).answer).or(self.cut);
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
