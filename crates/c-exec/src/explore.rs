//! The transitions of a state. Entry points: [`transitions`], [`thread_transitions`],
//! [`close_invisible`].
//!
//! A transition is one visible step of a thread and the invisible steps after it (`visibility.rs`),
//! which access registers and objects that no other thread has a pointer to (Lipton's reduction, CACM
//! 1975). Two conflicting visible steps that are next in the same state are a data race (Boehm and
//! Adve, PLDI 2008, theorem 4); weaker orderings: `happens_before.rs`.
//! *Invariant:* every merged step commutes with every step of every other thread.

mod cycle_detection;
mod lookahead;

use axle_c::Program;
use axle_c::code::Op;
use axle_c::library::Operation;

use crate::explore::cycle_detection::{CycleDetector, Round};
use crate::explore::lookahead::Lookahead;
use crate::machine::encode::encode;
use crate::machine::{ABORTED, TRANSITION_WORK};
use crate::observers::executed_steps::ExecutedSteps;
use crate::observers::recorders::Machine;
use crate::persistent_sets::Arrival;
use crate::races::{races, races_of_section};
use crate::state::error_kind::ErrorKind;
use crate::state::error_site::ErrorSite;
use crate::state::outcome::{Choice, Done};
use crate::state::program_state::{Frame, State, Thread, Wait};
use crate::state::value::Value;
use crate::visibility::Next;

/// A transition from a state.
pub(crate) struct Transition {
    /// The next state, or the error.
    pub result: Result<Vec<u8>, ErrorSite>,
    /// Of the state, for [`persistent_sets`](crate::persistent_sets).
    pub arrival: Arrival,
    /// The thread that makes the step, by its place among all of them.
    pub thread: usize,
    /// The alternative of the step.
    pub choice: Choice,
}

/// The transitions and errors of a state.
#[derive(Default)]
pub(crate) struct Expansion {
    pub transitions: Vec<Transition>,
    /// Errors of the state itself: races, deadlock.
    pub error_sites: Vec<ErrorSite>,
    /// Where the memory was allocated that the program has not freed when it ends.
    pub lost: Vec<u32>,
}

/// Bytes that are copied and encoded in the time of a step.
const BYTES_PER_STEP: u64 = 32;

/// The conditions by which a step of one thread enables another: the numbers of threads that exist, that
/// have not ended and that may pass a barrier, and the thread inside an atomic section.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct EnablingFingerprint(usize, usize, usize, u32);

/// The enabling fingerprint of a state.
pub(crate) fn enabling_fingerprint(state: &State) -> EnablingFingerprint {
    let passed = state.threads.iter().filter(|thread| matches!(thread.wait, Wait::Passed { .. })).count();
    let running = state.threads.iter().filter(|thread| !thread.ended).count();
    EnablingFingerprint(state.threads.len(), running, passed, state.atomic)
}

/// Executes the invisible steps of every thread. False: the execution is not explored. `before`:
/// the fingerprint of the state, closed under invisible steps, from which a step of `first` led here.
pub(crate) fn close_invisible(
    machine: &mut Machine<'_>,
    first: usize,
    before: Option<EnablingFingerprint>,
) -> Result<bool, ErrorSite> {
    let closed = run_all_invisible(machine, first, before)?;
    machine.prune_accesses().map_err(|limit| machine.error_site(first, limit))?;
    Ok(closed)
}

fn run_all_invisible(
    machine: &mut Machine<'_>,
    first: usize,
    before: Option<EnablingFingerprint>,
) -> Result<bool, ErrorSite> {
    let (mut moved, mut rounds) = (true, 0u64);
    while moved && !machine.state.done {
        moved = false;
        rounds += 1;
        if rounds > MOST_ROUNDS {
            // What is left goes on from the next state.
            machine.observer.mark_uncacheable();
            return Ok(true);
        }
        let count = machine.state.threads.len();
        for t in std::iter::once(first).chain((0..count).filter(|&t| t != first)) {
            // The others stand where they stood, and nothing has changed that holds them there.
            if t != first && before.is_some_and(|before| before == enabling_fingerprint(&machine.state)) {
                return Ok(true);
            }
            if t != first && machine.observer.leaves_others() {
                return Ok(true);
            }
            // Threads without end may begin and end here.
            if !machine.is_wanted() {
                machine.observer.mark_uncacheable();
                return Ok(false);
            }
            if machine.state.threads.get(t).is_none_or(|thread| thread.ended || thread.summary) {
                continue;
            }
            match run_invisible(machine, t)? {
                InvisibleSteps::Moved => moved = true,
                InvisibleSteps::Rested => {}
                InvisibleSteps::Ended(merges_accesses) => return Ok(merges_accesses),
            }
        }
    }
    Ok(true)
}

/// The outcome of the invisible steps of a thread.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum InvisibleSteps {
    /// The thread has no invisible step, or has come to another step of a loop in which it waits.
    Rested,
    /// The thread has executed steps.
    Moved,
    /// The transition ends here, before other threads execute invisible steps; false: the execution is
    /// not explored further.
    Ended(bool),
}

/// Rounds after which a transition ends: more than ten thousand threads need that begin and end within
/// one transition.
const MOST_ROUNDS: u64 = 30_000;

/// How many times [`Settings::steps`](crate::state::settings::Settings) a thread goes on alone
/// before that counts as a step.
const LONG: u64 = 200;

/// Steps that are executed while a transition is learnt, even though it turned out that it cannot be.
const FEW_STEPS: u64 = 1_000;

/// Executes the invisible steps of a thread.
pub(crate) fn run_invisible(machine: &mut Machine<'_>, t: usize) -> Result<InvisibleSteps, ErrorSite> {
    let (mut made, most) = (0u64, u64::from(machine.settings.steps) * LONG);
    // The state as it was after some steps, which become twice as many each time (Brent 1980).
    let (mut snapshot, mut due): (Option<State>, u64) = (None, u64::from(machine.settings.steps) / 2);
    let (mut cycle, mut lookahead) = (CycleDetector::default(), Lookahead::default());
    let (mut own, begun) = (false, enabling_fingerprint(&machine.state));
    let begun_with = machine.extent_of_all();
    while !machine.state.done && machine.next_kind(t) == Next::Invisible {
        if machine.state.atomic != 0 && machine.state.atomic != t as u32 + 1 {
            break;
        }
        let (code, pc) = machine.stand(t);
        let at_head = machine.program.codes[code as usize].loop_heads[pc as usize];
        if at_head {
            match cycle.at_head(machine, t) {
                Round::Closed if machine.running() == 1 => {
                    return stays(machine, t).map(InvisibleSteps::Ended);
                }
                // No step of it reads memory that others know.
                Round::Repeated => break,
                Round::Open | Round::Closed => {}
            }
        }
        // Left at a read of memory, which no other thread observes, where a loop that waits is looked
        // for.
        if cycle.is_closed() && is_shared_load(machine, t) {
            break;
        }
        if at_head && machine.has_grown(begun_with) {
            // What was freed since is forgotten when the state is written down.
            machine.observer.mark_uncacheable();
            return Ok(InvisibleSteps::Ended(true));
        }
        if at_head && (made >= most || lookahead.at_head(machine, t, made)) {
            return Ok(InvisibleSteps::Ended(true));
        }
        if at_head && made >= FEW_STEPS && machine.observer.is_uncacheable() {
            // The step is executed again, so it need not be executed to its end here.
            return Ok(InvisibleSteps::Ended(false));
        }
        if at_head && made >= due.min(u64::from(machine.settings.steps) / 2) {
            // The thread may be in a loop that nothing can end.
            machine.observer.mark_uncacheable();
            // What changes most is compared first.
            if let Some(before) = &snapshot
                && before.threads.get(t) == machine.state.threads.get(t)
                && *before == machine.state
            {
                return stays(machine, t).map(InvisibleSteps::Ended);
            }
            if made >= due {
                snapshot = Some(machine.state.clone());
                due = 2 * made.max(1);
            }
        }
        made += 1;
        if !machine.is_wanted() {
            // Nothing is said of a state from which not all ways on were followed: the stepper
            // knows that it was cut short.
            machine.observer.mark_uncacheable();
            return Ok(InvisibleSteps::Ended(false));
        }
        if machine.state.atomic == t as u32 + 1 {
            races_of_section(machine, t);
        }
        let before = (code, pc);
        machine.invisible = true;
        let made_step = machine.step(t, Choice::Ask);
        machine.invisible = false;
        // With transactions one error is enough. A step that is learnt asks the same questions whether or
        // not another thread conflicts with it.
        let halts =
            machine.observer.halts || machine.settings.transactions && !machine.observer.is_learning();
        if halts && !machine.observer.deferred_races.is_empty() {
            return Ok(InvisibleSteps::Ended(true));
        }
        match made_step {
            Ok(Done::Next) => own = true,
            Ok(Done::Discarded) if is_whole(machine, t) => return Ok(InvisibleSteps::Ended(false)),
            Ok(Done::Blocked | Done::Choices(_) | Done::Discarded) => {
                // Unlike a step that was made, one that was not leaves no trace.
                if let Some(record) = &mut machine.observer.record {
                    record.pop();
                }
                if let Some(executed) = &mut machine.observer.executed {
                    executed.take_back();
                }
                break;
            }
            Err(error) => {
                return Err(machine.error_at(t, error, before));
            }
        }
    }
    // The loop changes nothing in any iteration.
    let moved = own && (!cycle.is_closed() || begun != enabling_fingerprint(&machine.state));
    Ok(if moved { InvisibleSteps::Moved } else { InvisibleSteps::Rested })
}

/// Whether an assumption of the thread that does not hold ends the whole course of events: when no
/// other thread can go on, or when runs are judged as a whole. Otherwise the others may still do
/// wrong before the thread gets there.
fn is_whole(machine: &Machine<'_>, t: usize) -> bool {
    machine.running() == 1
        || machine.state.atomic == t as u32 + 1
        || machine.settings.watch.on
        || machine.settings.stable_threads
}

/// Whether the thread is about to read memory that others know.
fn is_shared_load(machine: &Machine<'_>, t: usize) -> bool {
    match machine.next_op(t) {
        Some(Op::Load { addr, .. }) => match machine.arg(t, *addr) {
            Value::Ptr(object, _) => machine.is_shared(object),
            Value::Undef | Value::Int(_) => false,
        },
        _ => false,
    }
}

/// A thread has come back to the very state it was in. Alone in the program and looking at memory,
/// it waits for what never comes; otherwise it is left where it is.
fn stays(machine: &Machine<'_>, t: usize) -> Result<bool, ErrorSite> {
    if machine.running() > 1 {
        return Ok(true);
    }
    let mut probe = machine.clone();
    let start = probe.state.clone();
    probe.observer.log = Some(Vec::new());
    probe.observer.record = None;
    probe.observer.annotation = None;
    for _ in 0..machine.settings.steps {
        if probe.step(t, Choice::Ask) != Ok(Done::Next) || probe.state == start {
            break;
        }
    }
    let looks = probe
        .observer
        .log
        .unwrap_or_default()
        .iter()
        .any(|access| machine.is_shared(access.object) && !access.write);
    if looks { Err(machine.error_site(t, unless_alarm(machine, ErrorKind::Livelock))) } else { Ok(true) }
}

/// The first state, or the error before it.
pub(crate) fn initial(machine: &mut Machine<'_>) -> Result<Vec<u8>, ErrorSite> {
    let begun = match machine.program.image.len() > machine.settings.memory {
        true => Err(ErrorKind::Limit(
            "the program's variables need more memory than a state may have, 64 MiB: make its largest arrays smaller",
        )),
        false => machine.start(),
    };
    begun.map_err(|error| machine.error_at(0, error, (machine.program.main, 0)))?;
    let closed = close_invisible(machine, 0, None);
    // No way leads here that could be at fault. What was put aside came before what ended the step.
    let deferred_races = std::mem::take(&mut machine.observer.deferred_races).into_iter().next();
    match deferred_races {
        Some(error_site) => Err(error_site),
        None => closed.map(|_| encode(machine)),
    }
}

/// The encoding of states.
pub(crate) type Put<'a, 'p> = &'a mut dyn FnMut(&Machine<'p>) -> Vec<u8>;

/// All transitions of the machine's state, and its errors. `source`: the encoded state, where that is
/// known; `copy` is a machine to work with; `mark` is called with every
/// step (code, step) that is made.
pub(crate) fn transitions<'p>(
    machine: &Machine<'p>,
    source: Option<&[u8]>,
    copy: &mut Machine<'p>,
    mark: &mut dyn FnMut(u32, u32),
) -> Expansion {
    transitions_with(machine, source, copy, mark, &mut |machine| encode(machine))
}

/// The same, with a way of writing down states.
pub(crate) fn transitions_with<'p>(
    machine: &Machine<'p>,
    source: Option<&[u8]>,
    copy: &mut Machine<'p>,
    mark: &mut dyn FnMut(u32, u32),
    put: Put<'_, 'p>,
) -> Expansion {
    let mut expansion = Expansion::default();
    if machine.state.done {
        return expansion;
    }
    if machine.settings.races {
        races(machine, &mut expansion.error_sites);
    }
    let mut whole = ThreadOutcome { stuck: false, progress: false, looks: true };
    let mut blocked = Vec::with_capacity(machine.state.threads.len());
    // Whether the copy has to be made anew.
    let mut stale = true;
    for t in 0..machine.state.threads.len() {
        let thread_transitions =
            thread_transitions(machine, source, (copy, &mut stale), t, &mut expansion, mark, put);
        whole.progress |= thread_transitions.progress;
        whole.looks &= thread_transitions.looks;
        blocked.push(thread_transitions.stuck);
    }
    check_deadlock(machine, &whole, &blocked, &mut expansion.error_sites);
    if machine.is_reducible() {
        let of = |t: usize| move |one: &&Transition| one.thread == t && one.result.is_ok();
        let successors = |t: usize| expansion.transitions.iter().filter(of(t)).map(|one| one.arrival);
        if let Some(set) = machine.persistent_set(&blocked, successors) {
            expansion.transitions.retain(|one| set >> one.thread & 1 == 1 || one.result.is_err());
        }
    }
    expansion
}

/// The outcome of executing a thread in a state.
pub(crate) struct ThreadOutcome {
    /// It waits for another thread, or is outside of the atomic section of another.
    pub stuck: bool,
    /// It has a transition.
    pub progress: bool,
    /// Its step leads from one look at memory to another, or there is none.
    pub looks: bool,
}

/// The transitions of one thread. `stale`: whether the copy has to be made anew; kept up to date.
pub(crate) fn thread_transitions<'p>(
    machine: &Machine<'p>,
    source: Option<&[u8]>,
    (copy, stale): (&mut Machine<'p>, &mut bool),
    t: usize,
    expansion: &mut Expansion,
    mark: &mut dyn FnMut(u32, u32),
    put: Put<'_, 'p>,
) -> ThreadOutcome {
    let mut thread_transitions = ThreadOutcome { stuck: false, progress: false, looks: true };
    let held = machine.state.atomic != 0 && machine.state.atomic != t as u32 + 1;
    if machine.state.threads[t].ended || machine.state.threads[t].summary || held {
        thread_transitions.stuck = held;
        return thread_transitions;
    }
    let before = enabling_fingerprint(&machine.state);
    let (code, pc) = machine.stand(t);
    let thread = machine.visible_number(t);
    // A wait that may end for no reason is no way out of a deadlock.
    let waits = matches!(machine.state.threads[t].wait, Wait::Condition { .. });
    let timed = matches!(machine.next_op(t), Some(Op::Lib { lib, .. }) if lib.is_timed_wait());
    let (mut choice, mut choices) = (Choice::Ask, 0..0);
    if machine.state.atomic == t as u32 + 1 {
        copy.state.clone_from(&machine.state);
        *stale = false;
        races_of_section(copy, t);
        expansion.error_sites.append(&mut copy.observer.deferred_races);
    }
    loop {
        if *stale {
            copy.state.clone_from(&machine.state);
        }
        *stale = true;
        copy.status = 0;
        copy.observer.executed.get_or_insert_default().clear();
        copy.work += TRANSITION_WORK + copy.state.bytes.len() as u64 / BYTES_PER_STEP;
        if let Some(read_set) = copy.observer.read_set.get_mut() {
            read_set.writes.clear();
            read_set.woken.clear();
            read_set.needs_closure = false;
        }
        match copy.visible_step(t, choice) {
            Ok(Done::Blocked) => {
                *stale = false;
                thread_transitions.stuck = choice.asks();
            }
            Ok(Done::Choices(count)) if choice.asks() => {
                thread_transitions.progress |= !waits || timed;
                (*stale, thread_transitions.looks) = (false, false);
                choices = 0..count;
            }
            // Both mean that there is nothing to look at this way.
            Ok(Done::Choices(_) | Done::Discarded) => {
                (thread_transitions.progress, thread_transitions.looks) = (true, false)
            }
            Ok(Done::Next) => {
                thread_transitions.progress |= !waits || timed;
                if let Some(read_set) = copy.observer.read_set.get_mut() {
                    read_set.visible = read_set.writes.len();
                }
                let look = thread_transitions.looks && is_look(machine, t);
                finish(copy, (machine, source), (t, choice), before, expansion, put);
                thread_transitions.looks = look && !copy.state.done && is_look(copy, t);
            }
            Err(error) => {
                (thread_transitions.progress, thread_transitions.looks) = (true, false);
                let result = Err(ErrorSite { thread, ..copy.error_at(t, error, (code, pc)) });
                expansion.transitions.push(Transition {
                    result,
                    arrival: Arrival::default(),
                    thread: t,
                    choice,
                });
            }
        }
        for (code, pc) in copy.observer.executed.iter().flat_map(ExecutedSteps::each) {
            mark(code, pc);
        }
        let Some(next) = choices.next() else { break };
        choice = Choice::Take(next);
    }
    thread_transitions
}

/// The deadlock or livelock of a state, if it has one. `whole`: the outcome of all threads.
pub(crate) fn check_deadlock(
    machine: &Machine<'_>,
    whole: &ThreadOutcome,
    blocked: &[bool],
    error_sites: &mut Vec<ErrorSite>,
) {
    if !whole.progress {
        // A thread that joins another waits for what that thread waits for.
        let joins = |t: usize| machine.next_op(t).map(Op::operation) == Some(Operation::Join);
        let waiting = || (0..machine.state.threads.len()).filter(|&t| !machine.state.threads[t].ended);
        // A thread inside an atomic section blocks all others.
        let owner = machine.state.atomic.checked_sub(1).map(|owner| owner as usize);
        let t = owner.or(waiting().find(|&t| !joins(t))).or(waiting().next()).unwrap_or(0);
        let error = unless_alarm(machine, ErrorKind::Deadlock);
        error_sites.push(machine.error_site(t, error));
    } else if whole.looks
        && let Some(t) = all_spin(machine, blocked)
    {
        let error = unless_alarm(machine, ErrorKind::Livelock);
        error_sites.push(machine.error_site(t, error));
    }
}

/// The deadlock or livelock of all threads, unless an alarm may end it.
fn unless_alarm(machine: &Machine<'_>, error: fn(String) -> ErrorKind) -> ErrorKind {
    if awaits_alarm(machine) { AN_ALARM } else { error(crate::names::waits(machine)) }
}

const AN_ALARM: ErrorKind =
    ErrorKind::Unsupported("an alarm that is handled, and may end what looks like a deadlock");

/// Whether an alarm was set that the program handles: two variables of the C sources of the library.
fn awaits_alarm(machine: &Machine<'_>) -> bool {
    machine.program.symbols.alarm.is_some_and(|variables| {
        variables.iter().all(|&at| {
            let bytes = machine.state.bytes.get(at as usize..).unwrap_or_default();
            bytes.iter().take(4).any(|&byte| byte != 0)
        })
    })
}

fn finish<'p>(
    machine: &mut Machine<'p>,
    (from, source): (&Machine<'_>, Option<&[u8]>),
    (t, choice): (usize, Choice),
    before: EnablingFingerprint,
    expansion: &mut Expansion,
    put: Put<'_, 'p>,
) {
    let closed = close_invisible(machine, t, Some(before));
    for mut error_site in machine.observer.deferred_races.drain(..) {
        if machine.settings.transactions || machine.tracks {
            error_site.during = Some((t as u32, choice));
        }
        let known = |known: &ErrorSite| known.site() == error_site.site();
        if !expansion.error_sites.iter().any(known) {
            expansion.error_sites.push(error_site);
        }
    }
    if matches!(closed, Ok(true)) && holds_too_much(machine) {
        let limit = ErrorKind::Limit("more objects at a time than a state may have");
        expansion.transitions.push(Transition {
            result: Err(machine.error_site(t, limit)),
            arrival: Arrival::default(),
            thread: t,
            choice,
        });
        return;
    }
    let result = match closed {
        // A loop that waits leads back to where it was.
        Ok(true) => match source {
            Some(bytes) if machine.stand(t) == from.stand(t) && machine.state == from.state => {
                Ok(bytes.to_vec())
            }
            _ => Ok(put(machine)),
        },
        Ok(false) => return,
        Err(error_site) => Err(error_site),
    };
    if machine.state.done && machine.status != ABORTED {
        expansion.lost.extend(crate::machine::encode::lost(machine));
    }
    let arrival = Arrival::of(machine, t);
    expansion.transitions.push(Transition { result, arrival, thread: t, choice });
}

/// Whether a state has more objects than one that is written down may have: a list without an end
/// would fill the memory with states each larger than the last.
fn holds_too_much(machine: &Machine<'_>) -> bool {
    const MOST: usize = 10_000;
    machine.state.objects.len() > MOST && crate::machine::encode::order(machine).len() > MOST
}

/// A thread, when every thread that can move only goes round in a loop that looks at memory and
/// changes nothing.
fn all_spin(machine: &Machine<'_>, blocked: &[bool]) -> Option<usize> {
    let movers =
        || (0..machine.state.threads.len()).filter(|&t| !machine.state.threads[t].ended && !blocked[t]);
    if machine.state.atomic != 0
        || !movers().all(|t| is_look(machine, t))
        || !movers().all(|t| spins(machine, t, blocked))
    {
        return None;
    }
    movers().next()
}

/// Whether the next step could be part of a loop that waits: a look at memory, or at a lock.
pub(crate) fn is_look(machine: &Machine<'_>, t: usize) -> bool {
    match machine.next_op(t) {
        Some(Op::Load { .. } | Op::CompareExchange { .. } | Op::Exchange { .. }) => true,
        Some(Op::Lib { lib, .. }) => lib.row().polls,
        _ => false,
    }
}

/// Whether a thread, whatever memory holds, may come back to where it is. It does not while a function
/// that it executes is in loops with counters only: the counters differ then.
pub(crate) fn may_recur(program: &Program, thread: &Thread) -> bool {
    let recurs = |frame: &Frame| {
        let code = program.codes.get(frame.code as usize);
        code.is_none_or(|code| axle_c::analysis::counted_loops::may_recur(code, frame.pc))
    };
    thread.frames.iter().any(recurs)
}

/// Whether the thread, alone, comes back to this state without having changed memory but for locks,
/// without having printed anything, and without enabling a blocked thread. A loop that prints what
/// it reads is not a livelock.
fn spins(machine: &Machine<'_>, t: usize, blocked: &[bool]) -> bool {
    const LONGEST: usize = 64;
    let recurs = may_recur(machine.program, &machine.state.threads[t]);
    if !recurs && !cfg!(debug_assertions) {
        return false;
    }
    let start = encode(machine);
    let mut copy = machine.clone();
    copy.observer.record = None;
    copy.observer.printed = false;
    for _ in 0..LONGEST {
        if !is_look(&copy, t) {
            return false;
        }
        let is_lock = matches!(copy.next_op(t), Some(Op::Lib { .. }));
        // One reader that leaves lets no writer in; all of them do, one after the other.
        let next = |u: usize, operation| copy.next_op(u).map(Op::operation) == Some(operation);
        if next(t, Operation::RwUnlock)
            && (0..blocked.len()).any(|u| blocked[u] && next(u, Operation::WriteLock))
        {
            return false;
        }
        let before = (!is_lock).then(|| (copy.state.bytes.clone(), copy.state.tags.clone()));
        if copy.visible_step(t, Choice::Ask) != Ok(Done::Next) {
            return false;
        }
        if let Some((bytes, tags)) = before
            && (copy.state.bytes != bytes || copy.state.tags != tags)
        {
            return false;
        }
        if !matches!(close_invisible(&mut copy, t, None), Ok(true))
            || copy.state.done
            || copy.observer.printed
        {
            return false;
        }
        let freed = |u: usize| {
            let mut other = copy.clone();
            other.observer.record = None;
            other.step(u, Choice::Ask) != Ok(Done::Blocked)
        };
        if is_lock && (0..blocked.len()).any(|u| blocked[u] && freed(u)) {
            return false;
        }
        if encode(&copy) == start {
            debug_assert!(recurs, "a thread in counted loops comes back to no state");
            return true;
        }
    }
    false
}
