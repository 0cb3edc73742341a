//! Engines that work on the transition relation of a model.
//!
//! *Entry point:* [`with_relation`].
//! *Invariant:* an answer of a relation that lacks a process is not used.

use axle_model::Model;
use axle_question::config::Config;
use axle_relation::{Options, Relation, RelationError};

/// The numbers of processes for which a transition relation is made, one after the other: many processes
/// make it large, and few models create many.
const PROCESSES: [u32; 4] = [8, 16, 32, 64];

/// Asks an engine that works on a transition relation, with more processes while a step would create more
/// than the relation has. The question is out of reach without such a relation, or if the answer needs
/// more processes.
pub(crate) fn with_relation<T>(
    model: &Model,
    config: &Config,
    mut ask: impl FnMut(&Relation) -> Asked<T>,
) -> Option<T> {
    let step = config.step_options();
    for processes in PROCESSES {
        let options = Options {
            processes,
            truncation: step.truncation,
            messages_left: step.messages_left,
            ..Options::default()
        };
        let relation = match Relation::new(model, &options, &[]) {
            Ok(relation) => relation,
            Err(RelationError::TooManyProcesses(_)) => continue,
            Err(RelationError::TooLarge(_)) => return None,
        };
        if let Asked::Answer(answer) = ask(&relation) {
            return Some(answer);
        }
    }
    None
}

/// The answer of an engine that works on a transition relation.
pub(crate) enum Asked<T> {
    Answer(T),
    /// A step would create more processes than the relation has.
    Beyond,
}
