//! Partial-order reduction for C programs: in each state, a set of threads whose next steps represent
//! all interleavings.
//!
//! *Entry points:* [`persistent_set`], [`applies`].
//!
//! A set of threads is persistent if nothing that the other threads may do, as long as those of the set
//! do not move, depends on the next step of a thread of the set. Starting from one enabled thread, every
//! thread is added whose accesses from now on may conflict with an access that a thread of the set makes
//! before its next scheduling point (`axle_c::analysis::dependence`), or which may end the program. A
//! thread that waits for the end of a thread of the set cannot move and is not added. With transactions
//! (`transactions.rs`), the accesses of the last transaction count as well: the next scheduling point
//! clears their record, so that others must be able to come before it.
//!
//! A spurious wake-up is no way out of a deadlock, so a state in which nothing else is possible counts
//! as a deadlock although a step is enabled. A set must therefore contain another enabled step: on a
//! path to such a state, either a thread of the set moves, or that step is still enabled at its end.
//!
//! *Source:* P. Godefroid, *Partial-Order Methods for the Verification of Concurrent Systems*, LNCS
//! 1032, 1996, chapter 4; for the cycle condition R. Kurshan, V. Levin, M. Minea, D. Peled and H.
//! Yenigün, Static partial order reduction, TACAS 1998.
//! *Invariant:* deadlocks, livelocks, data races and errors of a thread are preserved as long as the
//! search stops at the first of them. A state is expanded in full if a thread of the set may close a
//! cycle of its control flow, so no thread is postponed forever. The set is a function of the state.

use axle_c::Program;
use axle_c::analysis::dependence::{CallFrame, NearAccesses, ThreadAccesses};
use axle_c::code::{Arg, Op};
use axle_c::library::{Lib, Operation};
use rustc_hash::FxHashMap;

use crate::observers::recorders::Machine;
use crate::observers::transactions;
use crate::state::program_state::{Thread, Wait};
use crate::state::settings::Settings;
use crate::state::value::Value;

/// What decides whether a thread belongs to a set.
#[derive(Clone, Copy)]
pub(crate) struct Member<'a> {
    pub accesses: &'a ThreadAccesses,
    /// What it does before its next scheduling point.
    pub near: &'a NearAccesses,
    /// The object that stands for the thread.
    pub object: u32,
    /// The thread for whose end it waits, by its object; 0 for none.
    pub joins: u32,
    pub is_blocked: bool,
    /// Its next step is a spurious wake-up.
    pub only_wakes: bool,
    /// Its next step leads to a state.
    pub has_successor: bool,
}

impl Member<'_> {
    /// Whether its next step may depend on what another thread does from now on.
    fn conflicts_with(&self, other: &ThreadAccesses) -> bool {
        self.near.conflicts_with(other) || self.accesses.log.conflicts_with(other)
    }
}

/// The states to which the next step of a thread leads, as far as its near set depends on them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Arrival {
    /// Threads that have not ended.
    pub running: usize,
    /// Where the thread is, if it is in one function only.
    pub position: Option<(u32, u32)>,
}

impl Arrival {
    /// That of a thread in the state of a machine.
    pub fn of(machine: &Machine<'_>, t: usize) -> Arrival {
        if machine.state.done {
            return Arrival::default();
        }
        let thread = machine.state.threads.get(t).filter(|thread| !thread.ended);
        let position = match thread.map(|thread| &thread.frames[..]) {
            Some([frame]) => Some((frame.code, frame.pc)),
            _ => None,
        };
        Arrival { running: machine.running(), position }
    }
}

/// The near sets of steps between two places of a function, each computed once.
#[derive(Default, Debug)]
pub(crate) struct Passages {
    numbers: FxHashMap<(u32, u32, u32), usize>,
    list: Vec<Option<NearAccesses>>,
}

impl Passages {
    /// The number of what a thread does before its next scheduling point, if that is known better than
    /// from its present place alone: it stays in its function, no thread ends, and none has ended that it
    /// may wait for. It then passes steps between the two places only.
    pub fn find(
        &mut self,
        program: &Program,
        position: Option<(u32, u32)>,
        expected: usize,
        mut arrivals: impl Iterator<Item = Arrival>,
    ) -> Option<usize> {
        let (code, from) = position?;
        let arrival = arrivals.next()?;
        let (function, to) = arrival.position?;
        // Several alternatives are left to the general case.
        if arrivals.next().is_some() || arrival.running != expected || function != code {
            return None;
        }
        let list = &mut self.list;
        let number = *self.numbers.entry((code, from, to)).or_insert_with(|| {
            list.push(program.dependence.between(program, code, from, to));
            list.len() - 1
        });
        Some(number)
    }

    /// The near set with this number.
    pub fn get(&self, number: Option<usize>) -> Option<&NearAccesses> {
        self.list.get(number?)?.as_ref()
    }
}

/// Whether the reduction applies to a program: the end of a thread is not observed, threads are not
/// cancelled and have no atomic sections, and memory orders are not weaker than sequential consistency.
#[must_use]
pub fn applies(program: &Program, settings: &Settings) -> bool {
    !program.cancels
        && !program.ends_show
        && !settings.tracks(program)
        && !settings.watch.on
        && !settings.counter_abstraction
        && transactions::applies(program)
}

/// Threads of a state with a persistent set, those that have ended included: a set is a word of bits.
pub(crate) const MOST_THREADS: usize = 64;

/// The threads to execute, as bits; none if all are to be executed. Threads that have ended are `None`.
pub(crate) fn persistent_set(threads: &[Option<Member<'_>>]) -> Option<u64> {
    if threads.len() > MOST_THREADS {
        return None;
    }
    let enabled = (0..threads.len()).filter(|&t| threads[t].is_some_and(|member| !member.is_blocked));
    let all = enabled.clone().fold(0, |set, t| set | 1u64 << t);
    let mut best: Option<u64> = None;
    for seed in enabled.filter(|&t| threads[t].is_some_and(|member| !member.only_wakes)) {
        let Some(set) = closure(threads, seed) else { continue };
        let set = set & all;
        if set != all && best.is_none_or(|best| set.count_ones() < best.count_ones()) {
            best = Some(set);
        }
        if best.is_some_and(|best| best.count_ones() == 1) {
            break;
        }
    }
    best
}

/// The smallest persistent set with a thread; none if one of its threads needs a full expansion.
fn closure(threads: &[Option<Member<'_>>], seed: usize) -> Option<u64> {
    let has = |set: u64, t: usize| set >> t & 1 == 1;
    let numbered = || threads.iter().enumerate().filter_map(|(t, member)| Some((t, (*member)?)));
    let by_object = |object: u32| numbered().find(|(_, member)| member.object == object).map(|(t, _)| t);
    let mut set = 1u64 << seed;
    loop {
        // Threads that cannot move before one of the set has ended.
        let mut inert = set;
        loop {
            let waits = |(t, member): &(usize, Member<'_>)| {
                !has(inert, *t)
                    && member.is_blocked
                    && member.joins != 0
                    && by_object(member.joins).is_some_and(|joined| has(inert, joined))
            };
            let Some((t, _)) = numbered().find(waits) else { break };
            inert |= 1 << t;
        }
        // A thread outside whose later steps may depend on the next step of one of the set. Those that
        // wait for others are looked at last, because others may turn out to be inert.
        let dependent = |(t, other): &(usize, Member<'_>)| {
            !has(inert, *t)
                && (other.accesses.may_end
                    || numbered().any(|(own, member)| has(set, own) && member.conflicts_with(other.accesses)))
        };
        let added = numbered()
            .filter(|(_, member)| !(member.is_blocked && member.joins != 0))
            .find(dependent)
            .or_else(|| numbered().find(dependent));
        // What lets a blocked thread of the set go on belongs to the set.
        let awaited = numbered()
            .filter(|(t, member)| has(set, *t) && member.is_blocked && member.joins != 0)
            .filter_map(|(_, member)| by_object(member.joins))
            .find(|&joined| !has(set, joined));
        let Some(t) = added.map(|(t, _)| t).or(awaited) else { break };
        set |= 1 << t;
    }
    let is_complete = numbered()
        .filter(|(t, member)| has(set, *t) && !member.is_blocked)
        .all(|(_, member)| member.has_successor && !member.near.is_decisive);
    is_complete.then_some(set)
}

/// What a thread may access; none if the analysis does not cover the program.
pub(crate) fn accesses(program: &Program, thread: &Thread) -> Option<ThreadAccesses> {
    let frames = thread.frames.iter().map(|frame| CallFrame {
        code: frame.code,
        pc: frame.pc,
        returns_record: matches!(frame.into, Value::Ptr(..)),
    });
    let log = thread.access_log.iter().map(|known| (known.span.object, known.span.write));
    program.dependence.of_thread(&program.futures, frames, thread.main, log)
}

/// The library function that a thread calls next.
fn next_call<'p>(program: &'p Program, thread: &Thread) -> Option<(Lib, &'p [Arg])> {
    let frame = thread.frames.last()?;
    match program.codes.get(frame.code as usize)?.ops.get(frame.pc as usize)? {
        Op::Lib { lib, args, .. } => Some((*lib, args)),
        _ => None,
    }
}

/// Whether the next step of a thread can only be a spurious wake-up.
pub(crate) fn only_wakes(program: &Program, thread: &Thread) -> bool {
    let timed = || next_call(program, thread).is_some_and(|(lib, _)| lib.is_timed_wait());
    matches!(thread.wait, Wait::Condition { .. }) && !timed()
}

/// Whether a thread is about to create another.
pub(crate) fn creates(program: &Program, thread: &Thread) -> bool {
    next_call(program, thread).is_some_and(|(lib, _)| lib.operation() == Operation::Create)
}

/// The object of the thread for whose end a thread is about to wait; 0 for none.
pub(crate) fn joined(program: &Program, thread: &Thread) -> u32 {
    let Some((lib, args)) = next_call(program, thread) else { return 0 };
    if lib.operation() != Operation::Join {
        return 0;
    }
    let Some(frame) = thread.frames.last() else { return 0 };
    let Some(Arg::Reg(reg)) = args.first() else { return 0 };
    match thread.regs.get((frame.regs + reg) as usize) {
        Some(Value::Ptr(object, 0)) => *object,
        _ => 0,
    }
}

impl Machine<'_> {
    /// Whether a persistent set may replace all threads in this state.
    pub(crate) fn is_reducible(&self) -> bool {
        let settings = self.settings;
        settings.persistent_sets && self.state.atomic == 0 && !settings.watch.on && self.running() > 1
    }

    /// The threads to execute, as bits; none if all are to be executed. `blocked` threads cannot move;
    /// `arrivals` gives the states that the step of a thread leads to.
    pub(crate) fn persistent_set<Arrivals: Iterator<Item = Arrival>>(
        &self,
        blocked: &[bool],
        arrivals: impl Fn(usize) -> Arrivals,
    ) -> Option<u64> {
        let threads = &self.state.threads;
        let sets: Option<Vec<ThreadAccesses>> =
            threads.iter().map(|thread| accesses(self.program, thread)).collect();
        let sets = sets?;
        let any_ended = threads.iter().any(|thread| thread.ended && thread.object != 0);
        let mut passages = Passages::default();
        let passed: Vec<Option<usize>> = (sets.iter().enumerate())
            .map(|(t, accesses)| {
                let expected = self.running() + usize::from(creates(self.program, &threads[t]));
                let position = accesses.position.filter(|_| !any_ended);
                passages.find(self.program, position, expected, arrivals(t))
            })
            .collect();
        let member = |(t, accesses)| {
            let thread: &Thread = &threads[t];
            let has_successor = arrivals(t).next().is_some();
            (!thread.ended).then(|| Member {
                accesses,
                near: passages.get(passed[t]).unwrap_or(accesses.near()),
                object: thread.object,
                joins: joined(self.program, thread),
                is_blocked: blocked[t],
                only_wakes: only_wakes(self.program, thread),
                has_successor,
            })
        };
        let members: Vec<Option<Member<'_>>> = sets.iter().enumerate().map(member).collect();
        persistent_set(&members)
    }
}
