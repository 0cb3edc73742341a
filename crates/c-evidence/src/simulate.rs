//! One execution of a program with the choices of the caller, as steps of a trace.
//!
//! *Entry points:* [`Simulation::start`], [`Simulation::take`], [`Simulation::follow`].

use axle_c_exec::{Alternative, Ending, Settings, Stepper};
use axle_evidence::program_trail::ProgramTrail;
use axle_evidence::trace::{Mover, TraceStep};
use axle_question::subject::Subject;
use axle_source::Loc;
use axle_step::Interrupt;

use crate::place::{at, place, spelled};
use crate::tell;
use crate::trail::settings_of_trail;

/// How an execution of a program ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The program ended with this exit status.
    Exited(i32),
    /// An assumption of the program excludes every continuation.
    Discarded,
    /// An interrupt or the limit on steps ended a transition before its end.
    Cut,
    /// A violation, in lines.
    Violated(Vec<String>),
    /// An operation that is not supported, or a limit of the semantics.
    Unknown(String),
}

/// An execution in progress.
#[derive(Clone)]
pub struct Simulation<'a> {
    subject: Subject<'a>,
    inner: axle_c_exec::Simulation<'a, 'a>,
    /// Statements that were handed out.
    number: u64,
    ended: Option<Ended>,
    /// The last statements, once the execution has ended with an error.
    last: Vec<TraceStep>,
}

/// The exit status after `abort`.
pub const ABORTED: i32 = axle_c_exec::ABORTED;

impl<'a> Simulation<'a> {
    /// Executes a program to its first choice. `most`: the number of operations after which a
    /// transition is cut.
    pub fn start(
        subject: Subject<'a>,
        stepper: &'a Stepper<'a>,
        interrupt: Interrupt,
        most: Option<usize>,
    ) -> Result<Simulation<'a>, String> {
        let inner = axle_c_exec::Simulation::start(stepper, interrupt, most)?;
        let mut simulation = Simulation { subject, inner, number: 0, ended: None, last: Vec::new() };
        simulation.update();
        Ok(simulation)
    }

    /// Takes over how the execution ended.
    fn update(&mut self) {
        self.ended = self.inner.ending().cloned().map(|ending| match ending {
            Ending::Exited(status) => Ended::Exited(status),
            Ending::Discarded => Ended::Discarded,
            Ending::Cut => Ended::Cut,
            Ending::Error(way) => {
                let trace = tell::execution(self.subject.sources, &way);
                self.last = trace.steps;
                match way.error.is_violation() {
                    true => Ended::Violated(trace.ending),
                    false => {
                        for step in &mut self.last {
                            step.faults.clear();
                        }
                        let what = way.error.message();
                        Ended::Unknown(format!("{what} ({})", at(self.subject.sources, way.at)))
                    }
                }
            }
        });
    }

    /// How the execution ended, if it has.
    pub fn ended(&self) -> Option<&Ended> {
        self.ended.as_ref()
    }

    /// The transitions that can be taken, numbered from 1, by the statement that is executed first.
    pub fn alternatives(&self) -> Vec<TraceStep> {
        let list = self.inner.alternatives();
        (1..).zip(&list).map(|(number, one)| self.alternative(number, one)).collect()
    }

    fn alternative(&self, number: u64, one: &Alternative) -> TraceStep {
        let sources = self.subject.sources;
        let statement = one.loc.map(|loc| spelled(sources, loc)).unwrap_or_default();
        let statement = match &one.outcome {
            Some(outcome) => format!("{statement}  ({outcome})"),
            None => statement,
        };
        let by = Mover {
            pid: one.thread,
            process: one.name.clone(),
            place: one.loc.map(|loc| place(sources, loc)),
            statement,
        };
        TraceStep::of(number, by)
    }

    /// Executes one of [`Simulation::alternatives`], by its index.
    pub fn take(&mut self, index: usize) -> Result<(), String> {
        self.inner.take(index)?;
        self.update();
        Ok(())
    }

    /// Follows a trail from the start of the program. The settings must be those of
    /// [`trail_settings`].
    pub fn follow(&mut self, trail: &ProgramTrail) -> Result<(), String> {
        let site = match trail.fairness {
            None => Some(crate::trail::site_of_trail(trail)?),
            Some(_) => None,
        };
        self.inner.follow(&trail.path, site)?;
        self.update();
        Ok(())
    }

    /// Statements that were executed since the last call; not `all` keeps some back, as later
    /// statements may belong to them.
    pub fn steps(&mut self, all: bool) -> Vec<TraceStep> {
        let mut steps = tell::steps(self.subject.sources, &self.inner.steps(all));
        steps.append(&mut self.last);
        for step in &mut steps {
            self.number += 1;
            step.step = self.number;
        }
        steps
    }

    /// The number of statements that were executed.
    pub fn executed(&self) -> u64 {
        self.number + (self.inner.pending() + self.last.len()) as u64
    }

    /// The threads, each with the place and text of the statement that it stands before.
    pub fn threads(&self) -> Vec<(String, Option<(String, String)>)> {
        let sources = self.subject.sources;
        let shown = |loc: Loc| (at(sources, loc), spelled(sources, loc));
        self.inner.threads().into_iter().map(|(name, loc)| (name, loc.map(shown))).collect()
    }

    /// The variables with their values, the automatic ones as `THREAD:FUNCTION::NAME`.
    pub fn variables(&self) -> Vec<(String, String)> {
        self.inner.variables()
    }
}

/// The settings with which the program was executed when the trail was written.
pub fn trail_settings(subject: &Subject, trail: &ProgramTrail) -> Result<Settings, String> {
    settings_of_trail(subject, trail).map(|(settings, _)| settings)
}
