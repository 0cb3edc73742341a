//! One execution of a program, transition by transition, with the choices of the caller.
//!
//! Each state is expanded as in a search; the chosen transition is executed again with annotation
//! (`trace.rs`), so that its statements read as in the counterexamples of a check.
//!
//! *Entry points:* [`Simulation::start`], [`Simulation::take`], [`Simulation::follow`].
//! *Invariant:* an execution ends at its first violation, and a cut transition is never reported as
//! an end of the program.

use axle_source::Loc;
use axle_step::Interrupt;

use axle_c::code::{Op, Origin, StaticKind};
use axle_c::library::Touches;

use crate::explore::transitions;
use crate::names::{Names, joined};
use crate::observers::annotations::value_of;
use crate::observers::recorders::{Machine, Recorded};
use crate::observers::step_annotation::StepAnnotation;
use crate::state::error_site::{ErrorSite, ProgramSite};
use crate::state::outcome::Choice;
use crate::state::value::Value;
use crate::stepper::Stepper;
use crate::trace::{Trace, TraceStep, Walk, without_beginnings};

/// Statements that are held back before some are handed out: the silent beginning of a statement is
/// dropped where its thread continues it.
const WINDOW: usize = 1_000;

/// A transition that can be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alternative {
    /// The thread's number, in order of creation from 0.
    pub thread: u32,
    /// The thread's name: `worker(1)`.
    pub name: String,
    /// The statement that is executed next.
    pub loc: Option<Loc>,
    /// Of several outcomes of the next operation, this one: `input 3`.
    pub outcome: Option<String>,
}

/// How an execution ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The program ended with this exit status.
    Exited(i32),
    /// An assumption of the program excludes every continuation.
    Discarded,
    /// An interrupt or the limit on steps ended a transition before its end.
    Cut,
    /// A violation, or an operation that is not supported. The statements are those that were not
    /// handed out before.
    Error(Box<Trace>),
}

/// A transition of the present state: thread, choice, and the state or error that it leads to.
type Possible = (usize, Choice, Result<Vec<u8>, ErrorSite>);

/// An execution in progress.
#[derive(Clone)]
pub struct Simulation<'s, 'p> {
    walk: Walk<'s, 'p>,
    possible: Vec<Possible>,
    /// Errors on the way of one transition, with its thread and choice.
    on_the_way: Vec<ErrorSite>,
    ending: Option<Ending>,
}

impl<'s, 'p> Simulation<'s, 'p> {
    /// Executes the program to its first choice. `most`: the number of operations after which a
    /// transition is cut.
    pub fn start(
        stepper: &'s Stepper<'p>,
        interrupt: Interrupt,
        most: Option<usize>,
    ) -> Result<Simulation<'s, 'p>, String> {
        let annotation = StepAnnotation { most, ..StepAnnotation::default() };
        let (walk, begun) = Walk::start(stepper, annotation, interrupt);
        let mut simulation = Simulation { walk, possible: Vec::new(), on_the_way: Vec::new(), ending: None };
        match begun {
            Ok(()) => simulation.expand()?,
            Err((found, machine)) => {
                let walk = simulation.walk.clone();
                simulation.end(walk.finish(&machine, &found)?);
            }
        }
        Ok(simulation)
    }

    /// How the execution ended, if it has.
    #[must_use]
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Whether a transition was cut short.
    fn is_cut(&self) -> bool {
        self.walk.cut || self.walk.interrupt.ask().is_some()
    }

    fn end(&mut self, trace: Trace) {
        self.walk.steps.clear();
        self.ending = Some(Ending::Error(Box::new(trace)));
    }

    /// Determines the transitions of the present state, or how the execution ends in it.
    fn expand(&mut self) -> Result<(), String> {
        self.possible.clear();
        self.on_the_way.clear();
        if self.is_cut() {
            self.ending = Some(Ending::Cut);
            return Ok(());
        }
        let machine = self.walk.machine();
        let mut copy = self.walk.machine();
        let expansion = transitions(&machine, None, &mut copy, &mut |_, _| {});
        if self.is_cut() {
            self.ending = Some(Ending::Cut);
            return Ok(());
        }
        let (on_the_way, here): (Vec<_>, Vec<_>) =
            expansion.error_sites.into_iter().partition(|found| found.during.is_some());
        if let Some(found) = here.first() {
            let walk = self.walk.clone();
            self.end(walk.finish(&machine, found)?);
            return Ok(());
        }
        self.on_the_way = on_the_way;
        self.possible =
            expansion.transitions.into_iter().map(|one| (one.thread, one.choice, one.result)).collect();
        if self.possible.is_empty() {
            self.ending = Some(match machine.state.done {
                true => Ending::Exited(self.walk.status),
                false => Ending::Discarded,
            });
        }
        Ok(())
    }

    /// The transitions of the present state; none once the execution has ended.
    #[must_use]
    pub fn alternatives(&self) -> Vec<Alternative> {
        let machine = self.walk.machine();
        let describe = |(t, choice, _): &Possible| {
            let (thread, name) = self.walk.annotation.threads.get(*t).cloned().unwrap_or_default();
            Alternative {
                thread,
                name,
                loc: self.walk.user_place(&machine, *t).map(|(_, statement)| statement),
                outcome: outcome(&machine, *t, *choice),
            }
        };
        match self.ending {
            None => self.possible.iter().map(describe).collect(),
            Some(_) => Vec::new(),
        }
    }

    /// Executes one of [`Simulation::alternatives`], by its index.
    pub fn take(&mut self, index: usize) -> Result<(), String> {
        if self.ending.is_some() {
            return Err("the execution has ended".into());
        }
        let (thread, choice, result) =
            self.possible.get(index).cloned().ok_or_else(|| format!("no transition {}", index + 1))?;
        let machine = self.walk.machine();
        let during = Some((thread as u32, choice));
        if let Some(found) = self.on_the_way.iter().find(|found| found.during == during).cloned() {
            let walk = self.walk.clone();
            self.end(walk.stop_at(machine, &found)?);
            return Ok(());
        }
        let done = match result {
            Ok(bytes) => self.walk.advance(machine, (thread, choice), &bytes),
            Err(_) => {
                self.walk.transitions += 1;
                match self.walk.make(machine, thread, choice) {
                    (Err(found), after) => {
                        let walk = self.walk.clone();
                        self.end(walk.finish(&after, &found)?);
                        return Ok(());
                    }
                    (Ok(()), _) => Err("the violation does not occur again".into()),
                }
            }
        };
        if self.is_cut() {
            self.ending = Some(Ending::Cut);
            return Ok(());
        }
        done?;
        self.expand()
    }

    /// Follows the path of a trail, as a search reports it, from the start; then to a violation,
    /// where one is given.
    pub fn follow(&mut self, path: &[Option<u32>], violation: Option<ProgramSite>) -> Result<(), String> {
        if let Some(Ending::Error(trace)) = &self.ending {
            let same = violation.is_some_and(|site| site.class == trace.error.class());
            return match same && path.is_empty() {
                true => Ok(()),
                false => Err("the program has a violation before the first step of the trail".into()),
            };
        }
        self.ending = None;
        for &position in path.iter().flatten() {
            let taken = self.walk.take(position);
            if self.is_cut() {
                self.ending = Some(Ending::Cut);
                return Ok(());
            }
            taken?;
        }
        match violation {
            Some(site) => {
                let walk = self.walk.clone();
                self.end(walk.violate(site)?);
                Ok(())
            }
            None => self.expand(),
        }
    }

    /// Hands out statements that were executed since the last call; not `all` keeps some back, as
    /// later statements may belong to them.
    pub fn steps(&mut self, all: bool) -> Vec<TraceStep> {
        let steps = &mut self.walk.steps;
        if all {
            return without_beginnings(std::mem::take(steps));
        }
        if steps.len() < WINDOW {
            return Vec::new();
        }
        let last = steps.split_off(steps.len() - 1);
        without_beginnings(std::mem::replace(steps, last))
    }

    /// The number of statements that were executed and not handed out.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.walk.steps.len()
    }

    /// The threads, with the statement that each stands before.
    #[must_use]
    pub fn threads(&self) -> Vec<(String, Option<Loc>)> {
        let machine = self.walk.machine();
        let running = (0..machine.state.threads.len()).filter(|&t| !machine.state.threads[t].ended);
        let names = self.names(&machine);
        running
            .map(|t| (names.thread(t), self.walk.user_place(&machine, t).map(|(_, statement)| statement)))
            .collect()
    }

    /// The variables of the program, with their values: global ones, then those of each thread. A
    /// program that has ended has none.
    #[must_use]
    pub fn variables(&self) -> Vec<(String, String)> {
        let machine = self.walk.machine();
        if machine.state.done {
            return Vec::new();
        }
        let names = self.names(&machine);
        let mut list = Vec::new();
        for (number, fixed) in (1u32..).zip(&machine.program.statics) {
            if fixed.origin == Origin::Program && matches!(fixed.kind, StaticKind::Variable(_)) {
                object(&names, number, fixed.size, "", &mut list);
            }
        }
        for (t, thread) in machine.state.threads.iter().enumerate().filter(|(_, thread)| !thread.ended) {
            let prefix = format!("{}:", names.thread(t));
            for frame in &thread.frames {
                let code = &machine.program.codes[frame.code as usize];
                if code.ours {
                    continue;
                }
                for (name, ty, reg) in &code.names {
                    let value = thread.regs.get((frame.regs + reg) as usize).copied().unwrap_or_default();
                    if value != Value::Undef {
                        let shown = names.value(value, Some(ty.ty));
                        list.push((format!("{prefix}{}::{name}", code.name), shown));
                    }
                }
                for (index, slot) in code.slots.iter().enumerate() {
                    let number = thread.slots.get(frame.slots as usize + index).copied().unwrap_or(0);
                    if number != 0 {
                        let size = u32::try_from(slot.size).unwrap_or(u32::MAX);
                        object(&names, number, size, &prefix, &mut list);
                    }
                }
            }
        }
        list
    }

    fn names<'a>(&'a self, machine: &'a Machine<'p>) -> Names<'a, 'p, Recorded> {
        let StepAnnotation { threads, records, .. } = &self.walk.annotation;
        Names { machine, threads: Some(threads), records: &records.records }
    }
}

/// The parts of an object that have a value.
fn object(
    names: &Names<'_, '_, Recorded>,
    number: u32,
    size: u32,
    prefix: &str,
    list: &mut Vec<(String, String)>,
) {
    let (name, leaves, more) = names.first_leaves(number, size);
    // Members that begin with `__` are the inside of locks and the like.
    for leaf in leaves.into_iter().filter(|leaf| !leaf.path.contains(".__")) {
        let Ok(offset) = i32::try_from(leaf.offset) else { continue };
        let shown = value_of(names, (number, offset), &leaf).filter(|shown| shown != "undefined");
        list.extend(shown.map(|shown| (format!("{prefix}{}", joined(&name, &leaf.path)), shown)));
    }
    if more {
        list.push((format!("{prefix}{name}"), format!("... ({size} bytes)")));
    }
}

/// Which outcome of the next operation of a thread a choice stands for.
fn outcome(machine: &Machine<'_>, t: usize, choice: Choice) -> Option<String> {
    let Choice::Take(choice) = choice else { return None };
    if matches!(machine.next_op(t), Some(Op::CompareExchange { .. })) {
        return Some(if choice == 0 { "succeeds" } else { "fails spuriously" }.into());
    }
    if let Some(Op::Lib { lib, .. }) = machine.next_op(t)
        && lib.touches() == Touches::Input
        && let Some(value) = machine.domain(t, *lib).get(choice as usize)
    {
        return Some(format!("input {value}"));
    }
    Some(format!("outcome {}", choice + 1))
}
