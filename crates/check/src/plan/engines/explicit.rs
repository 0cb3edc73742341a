//! The explicit-state engine: exact searches for violations of states and steps, and for executions that
//! violate a property.
//!
//! *Entry point:* [`Explicit`].

use axle_explicit::run;
use axle_question::EngineId;

use crate::plan::attempt::{Attempt, Target};
use crate::plan::engines::engine::{Answer, Engine, Planned, Question, Search, Task};
use crate::plan::engines::{exact, property};

/// See the file.
pub(super) struct Explicit;

impl Engine for Explicit {
    fn id(&self) -> EngineId {
        EngineId::EXPLICIT
    }

    fn help(&self) -> Option<&'static str> {
        Some("explicit-state search, exact or as the options say")
    }

    fn attempts(&self, planned: &Planned<'_>) -> Vec<Attempt> {
        let states = exact::attempts(self.id(), planned);
        states.into_iter().chain(property::attempts(self.id(), planned)).collect()
    }

    fn start<'e>(&self, question: &Question<'e>, task: Task) -> Search<'e, Answer> {
        match task.attempt.target {
            Target::Property(..) => property::start(question, task),
            Target::States | Target::BadPrefixes(_) => {
                let (model, config) = (question.searched, question.config);
                let successors = config.successors_for(model);
                let stepper = question.code.stepper(model, config.step_options(), successors);
                exact::lead(question, stepper, Box::new(run::check_all))
            }
        }
    }
}
