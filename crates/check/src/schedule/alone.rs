//! One attempt by itself, for comparisons with the exact search.
//!
//! *Entry point:* [`run`].
//! *Invariant:* the attempt is executed as in a check, with one slice of work.

use std::sync::Arc;

use axle_evidence::report::Verdict;
use axle_model::Model;
use axle_search::{BadPrefix, Stop, Violation};
use axle_step::Interrupt;

use super::coroutine::{Coroutine, Event};
use super::hunters::{Hunter, hunt};
use super::{Answer, is_decided, property};
use crate::claims;
use crate::config::Config;
use crate::engine::SharedCode;
use crate::plan::{Attempt, Target};
use crate::runs::KnownStates;

/// The result of an attempt.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Alone {
    /// The violations of states and steps that it found.
    pub violations: Vec<Violation>,
    /// The bad prefixes that it found, by the position of the formula in its target.
    pub bad_prefixes: Vec<Violation<BadPrefix>>,
    /// The verdict of its property, if it decided that.
    pub verdict: Option<Verdict>,
}

/// Executes an attempt beside the exact search for so much work. Other attempts find nothing.
pub fn run(model: &Arc<Model>, config: &Config, attempt: &Attempt, work: u64) -> Alone {
    let wanted = claims::wanted(model, |one| config.wants(one), &Interrupt::default());
    let started = match &attempt.target {
        Target::Property(number, _) => {
            let Some(property) = wanted.into_iter().nth(*number) else { return Alone::default() };
            let (model, config) = (Arc::clone(model), property::config(config));
            let search = property::Search { model, config, property, states: KnownStates::default() };
            Coroutine::start(Interrupt::default(), move |slice| property::search(&search, slice))
        }
        Target::States | Target::BadPrefixes(_) => {
            let formulas = match &attempt.target {
                Target::BadPrefixes(numbers) => {
                    numbers.iter().filter_map(|&number| wanted.get(number).cloned()).collect()
                }
                Target::States | Target::Property(..) => Vec::new(),
            };
            let hunter = Hunter {
                attempt: attempt.clone(),
                model: Arc::clone(model),
                config: Hunter::config(config),
                code: SharedCode::default(),
                formulas,
                statements: Arc::default(),
            };
            Coroutine::start(Interrupt::default(), move |slice| hunt(&hunter, slice))
        }
    };
    let Some(mut search) = started else { return Alone::default() };
    search.resume(work);
    loop {
        match search.next() {
            Event::Progress(_) => {}
            Event::Paused(_) => search.cancel(Stop::Interrupted),
            Event::Ended(Answer::States { violations, .. }) => {
                return Alone { violations, ..Alone::default() };
            }
            Event::Ended(Answer::BadPrefixes { violations, .. }) => {
                return Alone { bad_prefixes: violations, ..Alone::default() };
            }
            Event::Ended(Answer::Property(runs)) => {
                let verdict = runs.properties.first().map(|property| property.verdict);
                let verdict = verdict.filter(|_| is_decided(&runs, attempt.is_conclusive));
                return Alone { verdict, ..Alone::default() };
            }
            Event::Ended(Answer::Nothing) => return Alone::default(),
        }
    }
}
