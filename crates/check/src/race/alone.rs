//! One attempt by itself, for comparisons with the exact search.
//!
//! *Entry point:* [`run`].
//! *Invariant:* the attempt is executed as in a check, with one slice of work.

use std::sync::Arc;

use axle_coroutine::{Coroutine, Event, Grant};
use axle_evidence::report::Verdict;
use axle_explicit::successors::SharedCode;
use axle_model::Model;
use axle_question::claims;
use axle_question::config::Config;
use axle_search::{BadPrefix, Stop, Violation};
use axle_step::Interrupt;

use crate::judgement::runs::KnownStates;
use crate::plan::attempt::Attempt;
use crate::plan::engines::{Answer, Question, Relations};
use crate::race::lane::Lane;
use crate::race::lanes::Judge;
use crate::race::models::{ModelJudge, is_decided};

/// The result of an attempt.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Alone {
    /// The violations of states and steps that it found.
    pub violations: Vec<Violation>,
    /// The bad prefixes that it found, of the formulas with these numbers among those it hunts for.
    pub bad_prefixes: Vec<Violation<BadPrefix>>,
    /// The verdict on its property, if it decided that.
    pub verdict: Option<Verdict>,
}

/// Executes an attempt beside the exact search for so much work. Other attempts find nothing.
pub fn run(model: &Arc<Model>, config: &Config, attempt: &Attempt, work: u64) -> Alone {
    if attempt.kind.is_leading() {
        return Alone::default();
    }
    let wanted = claims::wanted(model, |one| config.wants(one), &Interrupt::default());
    let question = Question {
        model,
        searched: model,
        config,
        properties: &wanted,
        code: SharedCode::default(),
        whole_code: SharedCode::default(),
        states: KnownStates::default(),
        relations: Relations::default(),
    };
    std::thread::scope(|scope| {
        let mut lane = Lane::alone(attempt);
        let search = ModelJudge::new(question).search(&mut lane);
        let started = Coroutine::start(scope, Interrupt::default(), lane.unit(), move |slice| search(slice));
        let Some(mut search) = started else { return Alone::default() };
        search.resume(Grant::Work(work));
        loop {
            match search.event() {
                Event::Progress(_) => {}
                Event::Paused(_) | Event::Crowded(_) => search.cancel(Stop::Interrupted),
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
                Event::Ended(Answer::Led(_) | Answer::Nothing) => return Alone::default(),
            }
        }
    })
}
