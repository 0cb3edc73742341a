//! The execution of a C program, by the semantics that `axle check` searches.

use axle_c_evidence::simulate::{ABORTED, Ended, Simulation, trail_settings};
use axle_c_exec::Stepper;
use axle_evidence::program_trail::ProgramTrail;
use axle_evidence::trace::TraceStep;

use super::execute::execute;
use super::execution::{Bounds, Ending, Execution};
use crate::args::SimulateArgs;
use crate::exit::Exit;
use crate::program::Simulated;

/// Operations of one transition for each step of the limit, after which it is cut.
const OPERATIONS: u64 = 40;

/// Operations of one transition at least, and without a limit on steps.
const LEAST: u64 = 100_000;
const MOST: u64 = 1_000_000;

/// Runs the command on a program.
pub(crate) fn run(args: &SimulateArgs, given: &Simulated, bounds: &Bounds) -> Result<Exit, String> {
    let trail: Option<&ProgramTrail> = given.trail.as_ref();
    let settings = match trail {
        Some(trail) => trail_settings(&given.subject, trail)?,
        None => given.subject.settings.clone(),
    };
    let stepper = Stepper::new(given.subject.program, &settings);
    let most = bounds.steps.map_or(MOST, |steps| steps.saturating_mul(OPERATIONS).clamp(LEAST, MOST));
    let most = usize::try_from(most).ok();
    let mut simulation = Simulation::start(given.subject, &stepper, bounds.interrupt.clone(), most)?;
    if let Some(trail) = trail {
        simulation.follow(trail)?;
    }
    execute(args, bounds, &mut ProgramExecution(simulation))
}

struct ProgramExecution<'a>(Simulation<'a>);

impl<'a> Execution for ProgramExecution<'a> {
    type Saved = Simulation<'a>;

    fn choices(&mut self) -> Vec<TraceStep> {
        self.0.alternatives()
    }

    fn take(&mut self, index: usize) -> Result<(), String> {
        self.0.take(index)
    }

    fn steps(&mut self, all: bool) -> Vec<TraceStep> {
        self.0.steps(all)
    }

    fn executed(&self) -> u64 {
        self.0.executed()
    }

    fn ending(&mut self) -> Option<Ending> {
        let ending = match self.0.ended()? {
            Ended::Exited(ABORTED) => Ending::new(Exit::Holds, vec!["the program was aborted".into()]),
            Ended::Exited(status) => {
                Ending::new(Exit::Holds, vec![format!("the program exited with status {status}")])
            }
            Ended::Discarded => Ending::new(
                Exit::Holds,
                vec!["execution discarded: an assumption excludes every continuation".into()],
            ),
            Ended::Cut => Ending { lines: Vec::new(), exit: Exit::Holds, cut: true },
            Ended::Violated(lines) => {
                let stop = "stopped at the first violation".to_string();
                Ending::new(Exit::Violated, std::iter::once(stop).chain(lines.iter().cloned()).collect())
            }
            Ended::Unknown(what) => {
                Ending::new(Exit::Unknown, vec![format!("the execution cannot be continued: {what}")])
            }
        };
        Some(ending)
    }

    fn save(&self) -> Simulation<'a> {
        self.0.clone()
    }

    fn restore(&mut self, saved: Simulation<'a>) {
        self.0 = saved;
    }

    fn state(&self) -> String {
        let variables = self.0.variables();
        let lines = |of: &dyn Fn(&str) -> Option<String>| -> String {
            variables.iter().filter_map(|(name, shown)| Some(format!("{} = {shown}\n", of(name)?))).collect()
        };
        let threads = self.0.threads();
        let is_local = |name: &str| threads.iter().any(|(thread, _)| name.starts_with(&format!("{thread}:")));
        let mut text = lines(&|name| (!is_local(name)).then(|| name.to_string()));
        for (thread, next) in &threads {
            let next = next.as_ref().map(|(place, statement)| format!(" at {place}: {statement}"));
            text.push_str(&format!("{thread}{}\n", next.unwrap_or_default()));
            let prefix = format!("{thread}:");
            text.push_str(&lines(&|name| name.strip_prefix(&prefix).map(|own| format!("  {own}"))));
        }
        text
    }

    fn channels(&self) -> String {
        "a C program has no channels\n".to_string()
    }

    fn variables(&self) -> Vec<(String, String)> {
        self.0.variables()
    }
}
