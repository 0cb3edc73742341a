//! The way to a violation as statements of C. The positions that a search reports are walked again
//! from the start, step by step, and every step is recorded.
//!
//! *Entry points:* [`trace`], [`walk`].
//! *Invariant:* a violation is reported only if it is reproduced here.

pub mod events;
pub mod follow;
pub mod formula;
pub mod simulate;
pub mod violation;

use std::sync::Arc;

use axle_source::Loc;
use axle_step::{Interrupt, Statistics};

use axle_c::code::Op;
use axle_c::library::Lib;

use crate::explore::{close_invisible, enabling_fingerprint, initial, transitions};
use crate::machine::decode::decode;
use crate::machine::encode::encode;
use crate::names::{Names, waiting};
use crate::observers::omission::Omission;
use crate::observers::recorders::Machine;
use crate::observers::step_annotation::{AnnotatedStep, Change, Evaluation, Note, StepAnnotation};
use crate::state::error_kind::ErrorKind;
use crate::state::error_site::{ErrorSite, ProgramSite};
use crate::state::outcome::{Choice, Done};
use crate::stepper::Stepper;
use crate::trace::formula::{Proposition, holds};
use crate::trace::violation::{Describe, ReportedAccess, ReportedObject};

/// A statement that a thread executes, or a part of one that no other thread comes between.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    /// The thread's number, in order of creation from 0.
    pub thread: u32,
    /// What the thread is called: `worker(1)`.
    pub name: String,
    /// The function.
    pub function: String,
    /// The statement, condition or part of a `for`.
    pub loc: Loc,
    /// How many transitions come before it; what is before the first has number 0.
    pub transition: u64,
    /// Shared memory that it reads: name and value.
    pub reads: Vec<(String, String)>,
    /// What it changes.
    pub changes: Vec<Change>,
    /// What happens between threads.
    pub notes: Vec<Note>,
    /// Locks that the thread holds after it.
    pub held: Vec<String>,
    /// Text that it prints.
    pub printed: String,
    /// The number of calls of the user's functions that are under way, without the first function of
    /// the thread.
    pub depth: u32,
    /// The functions of the user that it enters.
    pub enters: Vec<Call>,
    /// The propositions after it, if some are recorded.
    pub letter: Vec<bool>,
    /// The values that input functions give it.
    pub inputs: Vec<String>,
}

/// A call of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The function.
    pub function: String,
    /// Names and values of its parameters; a record has one for each scalar.
    pub arguments: Vec<(String, String)>,
}

/// A thread that cannot go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stuck {
    /// What the thread is called.
    pub thread: String,
    /// Where it stands.
    pub loc: Option<Loc>,
    /// `waits to lock m, held by worker(2)`.
    pub what: String,
}

/// The way to a violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Statements in order of execution.
    pub steps: Vec<TraceStep>,
    /// The error.
    pub error: ErrorKind,
    /// The thread at fault.
    pub thread: String,
    /// The place of the fault.
    pub at: Loc,
    /// The statement around it.
    pub statement: Loc,
    /// For a data race its two accesses, that of `thread` first; for a memory error the access,
    /// where it is known.
    pub accesses: Vec<ReportedAccess>,
    /// Whether sequentially consistent executions have both orders of the accesses of a data race.
    pub adjacent: bool,
    /// For a data race or a memory error, the object.
    pub object: Option<ReportedObject>,
    /// For an out-of-bounds index, the index and the number of elements.
    pub index: Option<(i64, u64)>,
    /// Heap blocks that have been allocated: names in the trace, and the places of allocation.
    pub blocks: Vec<(String, Loc)>,
    /// For a deadlock, what each blocked thread waits for.
    pub stuck: Vec<Stuck>,
}

/// The calls through which steps of the library were executed: for each thread and step the last
/// one. A data race may be reported long after the call has returned.
#[derive(Clone, Default, Debug)]
pub(crate) struct LibrarySteps(Vec<(u32, Step, Step)>);

/// A function and one of its steps.
type Step = (u32, u32);

impl LibrarySteps {
    fn note(&mut self, thread: u32, step: Step, call: Step) {
        match self.0.iter_mut().find(|known| (known.0, known.1) == (thread, step)) {
            Some(known) => known.2 = call,
            None => self.0.push((thread, step, call)),
        }
    }

    /// The call of a step that this thread has executed; of any thread, where it is not known.
    pub(crate) fn call(&self, thread: Option<u32>, step: Step) -> Option<Step> {
        let own = |known: &&(u32, _, _)| known.1 == step && thread.is_none_or(|thread| thread == known.0);
        self.0.iter().rev().find(own).map(|known| known.2)
    }
}

/// An execution that is annotated step by step.
#[derive(Clone)]
pub(crate) struct Walk<'s, 'p> {
    stepper: &'s Stepper<'p>,
    /// Polled inside long transitions.
    pub(crate) interrupt: Interrupt,
    pub(crate) annotation: StepAnnotation,
    /// Where it is now.
    pub bytes: Vec<u8>,
    /// The exit status, once the program has ended.
    pub(crate) status: i32,
    /// The last transition met the limit on its steps.
    pub(crate) cut: bool,
    pub(crate) transitions: u64,
    pub(crate) steps: Vec<TraceStep>,
    held: Vec<(u32, Vec<String>)>,
    begun: Vec<u32>,
    library_steps: LibrarySteps,
    /// After so many transitions no statement is taken for the rest of the one before.
    pub(crate) parted: Option<u64>,
    /// The step that is made next ends where a race is met.
    halts: bool,
}

impl<'s, 'p> Walk<'s, 'p> {
    /// A run that stands before its first transition; or that ends before it, with the error and
    /// the machine as it is then.
    pub(crate) fn start(
        stepper: &'s Stepper<'p>,
        annotation: StepAnnotation,
        interrupt: Interrupt,
    ) -> (Walk<'s, 'p>, Result<(), (ErrorSite, Machine<'p>)>) {
        let mut machine = Machine::new(stepper.program, stepper.settings);
        let mut annotation = annotation;
        if annotation.most.is_none() {
            let mut silent = Machine { interrupt: interrupt.clone(), ..machine.clone() };
            silent.observer.halts = true;
            // Whatever it comes to, it comes to again.
            let _ = initial(&mut silent);
            annotation.omission = Omission::of(silent.work);
        }
        machine.observer.annotation = Some(Box::new(annotation));
        machine.interrupt = interrupt.clone();
        machine.observer.halts = true;
        let begun = initial(&mut machine);
        let mut walk = Walk {
            stepper,
            interrupt,
            annotation: StepAnnotation::default(),
            bytes: Vec::new(),
            status: 0,
            cut: false,
            transitions: 0,
            steps: Vec::new(),
            held: Vec::new(),
            begun: Vec::new(),
            library_steps: LibrarySteps::default(),
            parted: None,
            halts: false,
        };
        walk.note(&mut machine);
        let result = match begun {
            Ok(bytes) => {
                walk.bytes = bytes;
                walk.annotation.drop_gone(&machine);
                Ok(())
            }
            Err(error_site) => Err((error_site, machine)),
        };
        (walk, result)
    }

    pub(crate) fn machine(&self) -> Machine<'p> {
        let mut machine = self.stepper.empty();
        machine.interrupt = self.interrupt.clone();
        decode(self.stepper.program, &self.bytes, &mut machine.state);
        machine
    }

    /// Takes the successor at a position.
    pub(crate) fn take(&mut self, position: u32) -> Result<(), String> {
        let machine = self.machine();
        let expansion = transitions(&machine, None, &mut self.stepper.empty(), &mut |_, _| {});
        let mut good = expansion.transitions.into_iter().filter(|transition| transition.result.is_ok());
        let count = good.size_hint().1.unwrap_or(0);
        let Some(transition) = good.nth(position as usize) else {
            let number = self.transitions + 1;
            return Err(format!("step {number} of the path is number {position} of at most {count} steps"));
        };
        let expected = transition.result.unwrap_or_default();
        self.advance(machine, (transition.thread, transition.choice), &expected)
    }

    /// Makes the transition of a thread, which leads to a known state.
    pub(crate) fn advance(
        &mut self,
        machine: Machine<'p>,
        (thread, choice): (usize, Choice),
        expected: &[u8],
    ) -> Result<(), String> {
        self.transitions += 1;
        let after = self.make(machine, thread, choice).1;
        let bytes = encode(&after);
        if bytes != expected {
            return Err(format!("step {} does not lead where the search says", self.transitions));
        }
        self.bytes = bytes;
        self.annotation.drop_gone(&after);
        Ok(())
    }

    /// Makes a step, and whatever comes along with it, and tells of it.
    pub(crate) fn make(
        &mut self,
        mut machine: Machine<'p>,
        thread: usize,
        choice: Choice,
    ) -> (Result<(), ErrorSite>, Machine<'p>) {
        let (code, pc) = machine.stand(thread);
        let before = enabling_fingerprint(&machine.state);
        if self.annotation.most.is_none() {
            let mut silent = machine.silent_copy();
            silent.observer.halts = self.halts;
            let is_made = silent.visible_step(thread, choice) == Ok(Done::Next);
            if is_made && (!self.halts || silent.observer.deferred_races.is_empty()) {
                // Whatever it comes to, it comes to again.
                let _ = close_invisible(&mut silent, thread, Some(before));
            }
            self.annotation.omission = Omission::of(silent.work);
        }
        machine.observer.annotation = Some(Box::new(std::mem::take(&mut self.annotation)));
        machine.observer.halts = self.halts;
        let result = match machine.visible_step(thread, choice) {
            Ok(Done::Next) if self.halts && !machine.observer.deferred_races.is_empty() => Ok(()),
            Ok(Done::Next) => close_invisible(&mut machine, thread, Some(before)).map(|_| ()),
            Ok(Done::Blocked | Done::Choices(_) | Done::Discarded) => Ok(()),
            Err(error) => Err(machine.error_at(thread, error, (code, pc))),
        };
        self.note(&mut machine);
        (result, machine)
    }

    /// Turns the annotations of the machine into steps.
    fn note(&mut self, machine: &mut Machine<'p>) {
        self.status = machine.status;
        self.annotation =
            machine.observer.annotation.take().map(|annotation| *annotation).unwrap_or_default();
        self.cut = self.annotation.most.is_some_and(|most| self.annotation.annotated.len() >= most);
        if self.annotation.threads.is_empty() {
            self.annotation.update(machine, None);
        }
        for annotated in std::mem::take(&mut self.annotation.annotated) {
            self.push(annotated);
        }
    }

    fn push(&mut self, annotated: AnnotatedStep) {
        let Some((number, name)) = self.annotation.threads.get(annotated.thread).cloned() else { return };
        let called_from = (annotated.code, annotated.pc);
        if annotated.executed != called_from {
            self.library_steps.note(number, annotated.executed, called_from);
        }
        let code = &self.stepper.program.codes[annotated.code as usize];
        let Some(&loc) = code.statements.get(annotated.pc as usize) else { return };
        let same = self
            .steps
            .last()
            .is_some_and(|last| (last.thread, last.loc, last.depth) == (number, loc, annotated.depth))
            && self.steps.last().is_some_and(|last| last.function == *code.name);
        let separates =
            |at: u64| self.transitions > at && self.steps.last().is_some_and(|s| s.transition <= at);
        // A statement is parted where a transition turns a proposition.
        let turns = self.steps.last().is_some_and(|last| {
            let known = !last.letter.is_empty() && !annotated.letter.is_empty();
            known && last.transition != self.transitions && last.letter != annotated.letter
        });
        let same = same && !turns && !self.parted.is_some_and(separates);
        // That a variable begins to exist is no step to anybody, and the end of a body is no
        // statement.
        let op = code.ops.get(annotated.pc as usize);
        let silent = loc == code.end
            || matches!(
                op,
                Some(
                    Op::Live { .. }
                        | Op::LiveVla { .. }
                        | Op::Dead { .. }
                        | Op::Undefine { .. }
                        | Op::Jump(_)
                )
            );
        if !same && silent && annotated.notes.is_empty() && annotated.enters.is_none() {
            return;
        }
        if !same {
            let first = !self.begun.contains(&number);
            let mut notes = Vec::new();
            if first {
                self.begun.push(number);
                notes.push(Note { takes: vec![format!("start {name}")], ..Note::default() });
            }
            self.steps.push(TraceStep {
                thread: number,
                name,
                function: code.name.to_string(),
                loc,
                transition: self.transitions,
                reads: Vec::new(),
                changes: Vec::new(),
                notes,
                held: Vec::new(),
                printed: String::new(),
                depth: annotated.depth,
                enters: Vec::new(),
                letter: Vec::new(),
                inputs: Vec::new(),
            });
        }
        if !self.held.iter().any(|(thread, _)| *thread == number) {
            self.held.push((number, Vec::new()));
        }
        let Some((_, held)) = self.held.iter_mut().find(|(thread, _)| *thread == number) else { return };
        for note in &annotated.notes {
            held.extend(note.acquires.clone());
            if let Some(at) = note.releases.as_ref().and_then(|lock| held.iter().rposition(|own| own == lock))
            {
                held.remove(at);
            }
        }
        let Some(step) = self.steps.last_mut() else { return };
        step.held.clone_from(held);
        // A loop that waits reads the same again and again.
        for read in annotated.reads {
            if !step.reads.contains(&read) {
                step.reads.push(read);
            }
        }
        for change in annotated.changes {
            match step.changes.iter_mut().find(|known| known.name == change.name) {
                Some(known) => known.new = change.new,
                None => step.changes.push(change),
            }
        }
        step.notes.extend(annotated.notes);
        step.printed.push_str(&String::from_utf8_lossy(&annotated.printed));
        let entered = annotated.enters.and_then(|call| {
            let code = self.stepper.program.codes.get(call.code as usize).filter(|code| !code.ours)?;
            Some(Call { function: code.name.to_string(), arguments: call.arguments })
        });
        step.enters.extend(entered);
        if !annotated.letter.is_empty() {
            step.letter = annotated.letter;
        }
        step.inputs.extend(annotated.input);
    }

    fn loc(&self, code: u32, pc: u32) -> Option<Loc> {
        self.stepper.program.codes.get(code as usize)?.locs.get(pc as usize).copied()
    }

    fn statement(&self, code: u32, pc: u32) -> Option<Loc> {
        self.stepper.program.codes.get(code as usize)?.statements.get(pc as usize).copied()
    }

    /// Where a thread stands in the user's code, and the statement there.
    pub(crate) fn user_place(&self, machine: &Machine<'_>, t: usize) -> Option<(Loc, Loc)> {
        let frames = &machine.state.threads.get(t)?.frames;
        let user = frames.iter().rev().find(|frame| !machine.program.codes[frame.code as usize].ours)?;
        Some((self.loc(user.code, user.pc)?, self.statement(user.code, user.pc)?))
    }

    /// The end of the run, at an error in a machine, where threads may have come to their end
    /// since the last state: the error counts those that exist.
    pub(crate) fn finish(mut self, machine: &Machine<'p>, error_site: &ErrorSite) -> Result<Trace, String> {
        let t = machine.of_visible_number(error_site.thread);
        let StepAnnotation { threads, records, .. } = &self.annotation;
        let names = Names { machine, threads: Some(threads), records: &records.records };
        let describe = Describe { names, thread: t, library_steps: &self.library_steps };
        let place = error_site.user.and_then(|(code, pc)| describe.user_place(code, pc));
        let place = place.map(|(at, statement, _)| (at, statement));
        let place = place.or_else(|| self.steps.last().map(|step| (step.loc, step.loc)));
        let Some((at, statement)) = place else { return Err("the place of the error is not known".into()) };
        let mut steps = without_beginnings(std::mem::take(&mut self.steps));
        let (accesses, object) = match &error_site.accesses {
            Some(pair) => {
                // Before the first state nothing is enabled only: all of it is executed.
                let executed = error_site.during.is_some() || self.bytes.is_empty();
                let accesses = describe.race_accesses(pair, executed, &mut steps, &self.held);
                let object = describe.race_object(pair, &accesses);
                (accesses, Some(object))
            }
            None => match describe.memory_error(
                &error_site.error,
                machine.observer.faulty,
                (at, statement),
                &steps,
            ) {
                Some((access, object)) => (vec![access], Some(object)),
                None => (Vec::new(), None),
            },
        };
        let first = self.stepper.program.statics.len() as u32 + 1;
        let blocks = (first..)
            .zip(&records.records)
            .filter(|(_, record)| record.number > 0)
            .filter_map(|(object, _)| {
                let block = describe.object(object, 0, 1).block?;
                Some((block.name, block.allocated?.loc))
            })
            .collect();
        let stands_still = matches!(error_site.error, ErrorKind::Deadlock(_) | ErrorKind::Livelock(_));
        let stuck = match stands_still {
            false => Vec::new(),
            true => waiting(&names)
                .into_iter()
                .map(|(t, what)| {
                    let loc = self.user_place(machine, t).map(|(loc, _)| loc);
                    Stuck { thread: names.thread(t), loc, what }
                })
                .collect(),
        };
        let thread = names.thread(t);
        Ok(Trace {
            steps,
            error: error_site.error.clone(),
            thread,
            at,
            statement,
            accesses,
            adjacent: error_site.accesses.as_ref().is_some_and(|pair| pair[0].adjacent),
            object,
            index: machine.observer.faulty_index,
            blocks,
            stuck,
        })
    }

    /// The violation at this site, in the present state or in a transition from it.
    pub(crate) fn violate(mut self, site: ProgramSite) -> Result<Trace, String> {
        let machine = self.machine();
        let expansion = transitions(&machine, None, &mut self.stepper.empty(), &mut |_, _| {});
        if let Some(found) = expansion.error_sites.iter().find(|found| found.site() == site) {
            return self.stop_at(machine, found);
        }
        let wrong = |transition: &&crate::explore::Transition| {
            transition.result.as_ref().is_err_and(|found| found.site() == site)
        };
        let Some(transition) = expansion.transitions.iter().find(wrong) else {
            return Err(format!("the last state is without the fault `{}`", site.class.name()));
        };
        self.transitions += 1;
        match self.make(machine, transition.thread, transition.choice) {
            (Err(found), after) if found.site() == site => self.finish(&after, &found),
            _ => Err("the last step is executed without the violation".into()),
        }
    }

    /// The end at an error of the present state, or one met on the way by one of its transitions.
    pub(crate) fn stop_at(mut self, machine: Machine<'p>, found: &ErrorSite) -> Result<Trace, String> {
        let Some((t, choice)) = found.during else { return self.finish(&machine, found) };
        self.transitions += 1;
        self.halts = true;
        let (_, after) = self.make(machine, t as usize, choice);
        self.finish(&after, found)
    }
}

/// Walks to an error: `path` gives the position of each successor, as a search reports it. A
/// sentence says what differs where the error does not happen again.
pub fn trace(stepper: &Stepper<'_>, path: &[u32], site: ProgramSite) -> Result<Trace, String> {
    let (mut walk, begun) = Walk::start(stepper, StepAnnotation::default(), Interrupt::default());
    if let Err((found, machine)) = begun {
        return match found.site() == site && path.is_empty() {
            true => walk.finish(&machine, &found),
            false => Err("the program has another violation before its first step".into()),
        };
    }
    for &position in path {
        walk.take(position)?;
    }
    walk.violate(site)
}

/// An infinite run, or one that ends in a state without transitions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WalkedRun {
    /// Statements in order of execution.
    pub steps: Vec<TraceStep>,
    /// The states: the first, and the one after each transition; where no thread moves, the same
    /// again.
    pub states: Vec<Vec<u8>>,
    /// For each transition the thread that moves, by its place in the state. None where no thread
    /// can.
    pub movers: Vec<Option<u32>>,
    /// For each transition, the threads that could move before it.
    pub enabled: Vec<Vec<u32>>,
}

/// Replays a path without an error and records it; the last `cycle` steps are a cycle. A step that
/// is none is one in which no thread can move. The values of `propositions` are recorded after each
/// statement.
pub fn walk_run(
    stepper: &Stepper<'_>,
    path: &[Option<u32>],
    cycle: usize,
    propositions: &[Proposition],
) -> Result<WalkedRun, String> {
    let mut annotation = StepAnnotation::default();
    if !propositions.is_empty() {
        let propositions = propositions.to_vec();
        annotation.evaluation = Evaluation(Some(Arc::new(move |machine: &Machine<'_>| {
            let mut copy = machine.silent_copy();
            propositions.iter().map(|proposition| holds(&mut copy, proposition)).collect()
        })));
    }
    let (mut walk, begun) = Walk::start(stepper, annotation, Interrupt::default());
    // The cycle, or the last transition, begins with a step of its own.
    walk.parted = Some(path.len().saturating_sub(cycle.max(1)) as u64);
    if begun.is_err() {
        return Err("the program makes an error before its first step".into());
    }
    let (mut states, mut movers, mut enabled) = (vec![walk.bytes.clone()], Vec::new(), Vec::new());
    for &position in path {
        let machine = walk.machine();
        let expansion = transitions(&machine, None, &mut stepper.empty(), &mut |_, _| {});
        let good = expansion.transitions.iter().filter(|transition| transition.result.is_ok());
        let threads: Vec<u32> = good.map(|transition| transition.thread as u32).collect();
        match position {
            Some(position) => {
                movers.push(threads.get(position as usize).copied());
                walk.take(position)?;
            }
            None if threads.is_empty() => {
                movers.push(None);
                walk.transitions += 1;
            }
            None => return Err("the run stands still where somebody can move".into()),
        }
        enabled.push(threads);
        states.push(walk.bytes.clone());
    }
    Ok(WalkedRun { steps: walk.steps, states, movers, enabled })
}

/// Leaves out the silent beginnings of statements that the thread goes on with when it moves again.
pub(crate) fn without_beginnings(steps: Vec<TraceStep>) -> Vec<TraceStep> {
    let mut kept: Vec<TraceStep> = Vec::with_capacity(steps.len());
    // The last first: for each thread the step that comes next.
    let mut next: Vec<(u32, usize)> = Vec::new();
    for step in steps.into_iter().rev() {
        let after = next.iter().find(|(thread, _)| *thread == step.thread).map(|(_, at)| *at);
        let silent = step.reads.is_empty()
            && step.changes.is_empty()
            && step.printed.is_empty()
            && step.enters.is_empty()
            && step.notes.iter().all(|note| note.text.is_empty());
        if let Some(after) = after.map(|at| &mut kept[at])
            && silent
            && (after.loc, &after.function) == (step.loc, &step.function)
        {
            after.notes.splice(0..0, step.notes);
            continue;
        }
        next.retain(|(thread, _)| *thread != step.thread);
        next.push((step.thread, kept.len()));
        kept.push(step);
    }
    kept.reverse();
    kept
}

/// The allocation of heap blocks that some execution loses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leak {
    /// The call, where the program makes one.
    pub loc: Option<Loc>,
    /// The function of the library that allocates, if it is not one of the heap.
    pub function: Option<Arc<str>>,
    /// Other calls that may have allocated the blocks.
    pub others: usize,
}

/// The allocations of heap blocks that some execution loses.
#[must_use]
pub fn leaks(stepper: &Stepper<'_>) -> Vec<Leak> {
    let mut leaks: Vec<Leak> = Vec::new();
    for site in stepper.lost_sites() {
        let number = site >> 20;
        let Some(code) = stepper.program.codes.get(number as usize) else { continue };
        let leak = match code.ours {
            false => {
                let loc = code.locs.get((site & 0xf_ffff) as usize).copied();
                Leak { loc, function: None, others: 0 }
            }
            true => {
                let mut calls = stepper.executed().calls_of(number);
                calls.sort_by_key(|(_, loc, _)| *loc);
                let others = calls.len().saturating_sub(1);
                let function = calls.first().map(|(_, _, function)| function.clone());
                Leak { loc: calls.first().map(|(_, loc, _)| *loc), function, others }
            }
        };
        if !leaks.contains(&leak) {
            leaks.push(leak);
        }
    }
    leaks
}

/// The places where some execution is aborted: by `abort`, or by what the compiler puts for
/// `__builtin_trap`. None in programs that speak to checkers, where to abort is to assume.
#[must_use]
pub fn aborts(stepper: &Stepper<'_>) -> Vec<Loc> {
    let codes = || stepper.program.codes.iter().zip(stepper.taken());
    let speaks = |op: &Op| matches!(op, Op::Lib { lib, .. } if lib.row().for_verifiers);
    if codes().any(|(code, _)| code.for_verifiers || code.ops.iter().any(speaks)) {
        return Vec::new();
    }
    let theirs = codes().filter(|(code, _)| !code.ours);
    let mut list: Vec<Loc> = theirs
        .flat_map(|(code, taken)| code.ops.iter().zip(taken).zip(&code.statements))
        .filter(|((op, taken), _)| **taken && matches!(op, Op::Lib { lib: Lib::Abort, .. }))
        .map(|(_, loc)| *loc)
        .collect();
    list.dedup();
    list
}

/// How much of a function some execution has reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// Its name.
    pub function: String,
    /// Its statements.
    pub statements: usize,
    /// Those that nothing has reached, in order.
    pub unreached: Vec<Loc>,
}

/// What was reached, by the user's functions that `main` can lead to.
#[must_use]
pub fn coverage(stepper: &Stepper<'_>) -> Vec<Coverage> {
    let mut list = Vec::new();
    for (code, taken) in stepper.program.codes.iter().zip(stepper.taken()) {
        if code.ours {
            continue;
        }
        // Steps without source text (the ends of blocks, jumps over them) say nothing of a
        // statement.
        let written = |op: &Op| {
            !matches!(
                op,
                Op::Jump(_)
                    | Op::Dead { .. }
                    | Op::Live { .. }
                    | Op::LiveVla { .. }
                    | Op::Undefine { .. }
                    | Op::Stuck(_)
            ) && !matches!(op, Op::Return { value: None })
        };
        let mut statements: Vec<(Loc, bool)> = Vec::new();
        for (at, _) in code.ops.iter().enumerate().filter(|(_, op)| written(op)) {
            let (Some(&loc), reached) = (code.statements.get(at), taken.get(at) == Some(&true)) else {
                continue;
            };
            if loc == code.end {
                continue;
            }
            match statements.iter_mut().find(|(known, _)| *known == loc) {
                Some((_, seen)) => *seen |= reached,
                None => statements.push((loc, reached)),
            }
        }
        let unreached = statements.iter().filter(|(_, reached)| !reached).map(|(loc, _)| *loc).collect();
        list.push(Coverage { function: code.name.to_string(), statements: statements.len(), unreached });
    }
    list
}
