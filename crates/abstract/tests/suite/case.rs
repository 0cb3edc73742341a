//! Models as problems, and answers that are checked.

use std::sync::Arc;

use axle_abstract::Options;
use axle_abstract::cegar::{Course, prove};
use axle_decide::answer::Answer;
use axle_decide::certificate::{self, Rejection};
use axle_decide::model::Problem;
use axle_model::Model;
use axle_outcome::{Limits, Progress, Stop};
use axle_relation::Relation;
use axle_source::{Diagnostics, MemoryLoader, Sources};

/// The model of a program; nothing if the program has errors or other files.
pub fn compiled(text: &str) -> Option<Arc<Model>> {
    let mut sources = Sources::new();
    let main = sources.add("model.pml", text);
    let (options, loader) = (axle_promela::Options::default(), MemoryLoader::default());
    axle_promela::compile(&mut sources, main, &loader, &options, &mut Diagnostics::new()).map(Arc::new)
}

/// A model with its system.
pub struct Case {
    pub model: Arc<Model>,
    pub relation: Relation,
    pub problem: Problem,
}

/// A checked answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checked {
    Holds,
    /// The number of steps.
    Violated(usize),
    Open(Stop),
}

impl Case {
    pub fn new(model: Arc<Model>, terms: usize) -> Option<Case> {
        let options = axle_relation::Options { processes: 6, terms, ..axle_relation::Options::default() };
        let relation = Relation::new(&model, &options, &[]).ok()?;
        let problem = Problem::new(&model, &relation);
        Some(Case { model, relation, problem })
    }

    /// The case of a program.
    pub fn of(text: &str) -> Case {
        let model = compiled(text).expect("a program");
        Case::new(model, 4 << 20).expect("a relation")
    }

    /// The answer about all bad states, checked.
    pub fn decide(&self, options: &Options, stop: &dyn Fn() -> bool) -> Result<(Checked, Course), String> {
        self.decide_watched(options, &mut |_| stop())
    }

    /// As [`Case::decide`], with the iteration in which the search is.
    pub fn decide_watched(
        &self,
        options: &Options,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(Checked, Course), String> {
        let bads: Vec<usize> = (0..self.problem.system.bads.len()).collect();
        let mut poll = |progress: Progress| {
            let iteration = progress.abstraction.map_or(0, |abstraction| abstraction.iteration);
            stop(iteration).then_some(Stop::Time)
        };
        let limits = Limits::default();
        let (answer, course) = prove(&self.problem, &self.relation, &bads, options, &limits, &mut poll);
        let checked = match answer {
            Answer::Unknown(stop) => Checked::Open(stop),
            Answer::Violated(trace) => {
                let found =
                    self.problem.counterexample(&self.relation, &trace).map_err(|error| error.to_string())?;
                Checked::Violated(found.groups.len())
            }
            Answer::Holds(invariant) => {
                let system = &self.problem.system;
                match certificate::check_for(system, &bads, &invariant, &mut poll) {
                    Ok(()) => {}
                    Err(Rejection::Stopped(stop)) => return Ok((Checked::Open(stop), course)),
                    Err(other) => return Err(other.to_string()),
                }
                let text = certificate::write(system, &bads, &invariant);
                let read = certificate::read(system, &text).map_err(|error| error.to_string())?;
                if read.invariant != invariant {
                    return Err("the text is another invariant".to_owned());
                }
                Checked::Holds
            }
        };
        Ok((checked, course))
    }
}
