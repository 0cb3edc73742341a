//! `axle check --refine`: lossy searches with growing budgets of states, then the exact search, then
//! shorter counterexamples.
//!
//! A violation that is easy to find is found within seconds, whatever the size of the state space.
//! A round divides its states evenly among its searches. With a limit on time, a round also takes
//! at most an eighth of what is left, and time that a search does not need is left to those after
//! it.
//!
//! *Entry point:* [`check`]; the rounds are those of [`axle_refinement::refine`].

use std::sync::Arc;
use std::time::{Duration, Instant};

use axle_check::plan::Attempt;
use axle_check::{Checked, CheckedModel, Config};
use axle_model::Model;
use axle_refinement::Shorten;
use axle_refinement::refine::{ROUNDS, Rounds};
use axle_refinement::searches::Searches;

use crate::share::Share;
use crate::watch::Watch;

/// Checks a system with these lossy searches, then exactly.
pub fn check<S: Shorten, R: Searches<Found = S::Found>>(
    searches: R,
    system: &S,
    watch: &mut Watch,
) -> Checked<S::Found> {
    let config = searches.config().clone();
    let mut rounds = Rounds::new(searches);
    for round in 0..ROUNDS {
        let open = rounds.open();
        let states = Rounds::<R>::states(round, open.len());
        let end = end_of_round(watch);
        for (index, &kind) in open.iter().enumerate() {
            if watch.is_over() {
                break;
            }
            let started = Instant::now();
            let until = end.map(|end| share(started, end, open.len() - index));
            let seen = rounds.search(round, kind, states, &mut Share::new(watch, until));
            rounds.add(round, kind, seen, states, started.elapsed().as_secs_f64());
        }
    }
    let mut found = rounds.finish();
    shorten_all(system, &config, &mut found.checked, watch);
    let exact = found.rest.as_ref().map(|rest| {
        let mut exact = axle_check::check(system, rest, watch);
        shorten_all(system, rest, &mut exact, watch);
        exact
    });
    found.merge(exact)
}

/// The plan of a check with lossy searches.
pub fn plan<S: Shorten, R: Searches<Found = S::Found>>(searches: R, system: &S) -> Vec<Attempt> {
    let exact = system.plan(searches.config());
    Rounds::new(searches).plan().into_iter().chain(exact).collect()
}

/// Checks without lossy searches. What an attempt beside the exact search has found is shortened
/// within a second.
pub fn check_exactly(model: &Arc<Model>, config: &Config, watch: &mut Watch) -> CheckedModel {
    let mut checked = axle_check::check(model, config, watch);
    if !watch.is_over() {
        let end = Instant::now() + Duration::from_secs(1);
        axle_refinement::shorten_attempts(model, config, &mut checked, &mut Share::new(watch, Some(end)));
    }
    checked
}

/// When a round ends if time is limited: most of the time is left to the exact search.
fn end_of_round(watch: &Watch) -> Option<Instant> {
    watch.left().map(|left| Instant::now() + left / 8)
}

/// When the first of so many searches ends that share the time up to `end`.
fn share(now: Instant, end: Instant, searches: usize) -> Instant {
    now + end.saturating_duration_since(now) / searches as u32
}

/// Time to shorten a violation.
const SHORTENING: Duration = Duration::from_secs(10);

/// Shortens every violation, for ten seconds each at most.
pub fn shorten_all<S: Shorten>(
    system: &S,
    config: &Config,
    checked: &mut Checked<S::Found>,
    watch: &mut Watch,
) {
    for index in 0..checked.report.violations.len() {
        if watch.is_over() {
            return;
        }
        let end = Instant::now() + SHORTENING;
        axle_refinement::shorten(system, config, checked, index, &mut Share::new(watch, Some(end)));
    }
}
