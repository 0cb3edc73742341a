//! Diagnosis of C programs: calls of functions, changes of variables and executed lines are events.
//!
//! *Entry point:* [`diagnose`].

use axle_c_evidence::{place_report, tell};
use axle_c_exec::{EventReader, EventSource, ProgramSite, Stepper, Watch, settings_for_runs, walk_run};
use axle_check::judgement::program_verdict;
use axle_evidence::report::reason::Words;
use axle_evidence::trace::Trace;
use axle_question::subject::Subject;
use axle_search::{Limits, Monitor, Stop, expand_alone};
use axle_source::Loc;
use axle_step::{Batch, Interrupt, Successors};

use crate::diagnose::parse::{Event, EventName};
use crate::diagnose::{Diagnosis, Follow, Occurred, Reached, Sequence, Value, follow, marked};

/// Follows a sequence of events in a program whose automatic variables are kept
/// ([`axle_c::Program::keep_locals`]).
///
/// # Errors
/// The first event that the program cannot show by its name, as an index, and the reason; or a defect
/// of the replay.
pub fn diagnose(
    subject: &Subject,
    events: &[Event],
    limits: &Limits,
    monitor: &mut impl Monitor,
) -> Result<Diagnosis, (usize, String)> {
    let sequence = Sequence::new(events);
    let mut watch = Watch { on: true, ..Watch::default() };
    let mut sources = Vec::new();
    for name in &sequence.names {
        let values =
            events.iter().any(|event| event.name == *name && event.values.iter().any(Option::is_some));
        let source = source(subject, name, values, &mut watch);
        let index = || events.iter().position(|event| event.name == *name).unwrap_or(0);
        sources.push(source.map_err(|message| (index(), message))?);
    }
    let observed = subject.program.observing(&watch.objects);
    let settings = settings_for_runs(subject.settings, watch);
    let mut stepper = Stepper::new(&observed, &settings);
    stepper.tell_movers();
    stepper.ask_first(monitor.interrupt());
    let mut system = System {
        reader: EventReader::new(&stepper, sources),
        stepper,
        batch: Batch { interrupt: monitor.interrupt(), ..Batch::default() },
    };
    let found = follow(&mut system, &sequence, limits, monitor);
    let doubt = doubt(subject, &system.stepper);
    let trace = execution(subject, &system.stepper, &found.path, events, &found.shown);
    Ok(Diagnosis {
        feasible: found.feasible,
        events: sequence.len(),
        trace: trace
            .map_err(|fault| (0, format!("internal error: the execution does not replay: {fault}")))?,
        possible: found.possible.into_iter().collect(),
        silent: found.silent,
        states: found.states,
        doubt: doubt.filter(|_| found.feasible < sequence.len() && found.stop.is_none()),
        stop: found.stop,
    })
}

fn source(
    subject: &Subject,
    name: &EventName,
    values: bool,
    watch: &mut Watch,
) -> Result<EventSource, String> {
    let program = subject.program;
    match name {
        EventName::Plain(function) => EventSource::call(program, function, values, watch),
        EventName::Change(variable) => EventSource::change(program, variable, watch),
        EventName::Line(file, line) => {
            let at = |loc: Loc| {
                let place = place_report(subject.sources.place(subject.sources.outermost(loc)));
                place.line == *line && (place.file == *file || place.file.ends_with(&format!("/{file}")))
            };
            let found = EventSource::lines(program, &at, watch);
            found.ok_or_else(|| format!("no statement that `main` can lead to begins at {file}:{line}"))
        }
        EventName::Send(_) | EventName::Receive(_) | EventName::Label(..) => {
            Err("a C program has no channels and processes; its events are calls `f(1)`, changes `x = 1` and lines `@f.c:1`".into())
        }
    }
}

/// Why an infeasible sequence may be feasible: executions that were not explored.
fn doubt(subject: &Subject, stepper: &Stepper<'_>) -> Option<String> {
    let ended = stepper.inconclusive_reasons().first().map(|site| site.error.message());
    ended.or_else(|| Some(Words::PLAIN.sentence(&program_verdict::under_approximation(subject, stepper)?)))
}

/// The program as the search sees it.
struct System<'p> {
    stepper: Stepper<'p>,
    reader: EventReader<'p>,
    batch: Batch<ProgramSite>,
}

impl System<'_> {
    fn told(events: Vec<(usize, Vec<axle_c_exec::EventValue>)>) -> Vec<Occurred> {
        let value = |value: axle_c_exec::EventValue| Value { number: value.number, shown: value.shown };
        let event = |(name, values): (usize, Vec<_>)| Occurred {
            name,
            values: values.into_iter().map(value).collect(),
        };
        events.into_iter().map(event).collect()
    }
}

impl Follow for System<'_> {
    fn initial(&mut self) -> Reached {
        let state = self.stepper.initial(&mut Vec::new());
        let events = self.reader.events(None, &state, 0);
        (state, System::told(events))
    }

    fn steps(&mut self, state: &[u8]) -> Result<Vec<Reached>, Stop> {
        let mut wide = state.to_vec();
        expand_alone(&mut self.stepper, &mut wide, &mut self.batch)?;
        let width = self.stepper.width();
        let mut steps = Vec::new();
        for (number, after) in self.batch.states.chunks_exact(width).enumerate() {
            let thread = self.batch.movers.of(number).to_vec().first().copied().unwrap_or(0) as usize;
            let events = self.reader.events(Some(&wide), after, thread);
            steps.push((after.to_vec(), System::told(events)));
        }
        Ok(steps)
    }
}

fn execution(
    subject: &Subject,
    stepper: &Stepper<'_>,
    path: &[u32],
    events: &[Event],
    shown: &[usize],
) -> Result<Trace, String> {
    let mut again = stepper.another();
    again.ask_first(Interrupt::default());
    again.initial(&mut Vec::new());
    let path: Vec<Option<u32>> = path.iter().copied().map(Some).collect();
    let walked = walk_run(&again, &path, 0, &[])?;
    let steps = tell::steps(subject.sources, &walked.steps);
    let last_of = |transition: usize| {
        let own = walked.steps.iter().rposition(|step| step.transition as usize <= transition);
        own.filter(|_| transition > 0)
    };
    let trace = Trace::of(steps);
    Ok(marked(trace, events, shown, &last_of))
}
