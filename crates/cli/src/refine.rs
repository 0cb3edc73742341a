//! `axle check --refine`: lossy searches of 1, 2, 4, 8, ... seconds, then the exact search, then
//! shorter counterexamples.
//!
//! A violation that is easy to find is found within seconds, whatever the size of the state space.
//! A round divides its time evenly among its searches; time that a search does not need is left to
//! those after it.
//!
//! *Entry point:* [`check`]; the searches are those of [`axle_check::refine`].

use std::sync::Arc;
use std::time::{Duration, Instant};

use axle_check::program::refine::ProgramRounds;
use axle_check::refine::{ROUNDS, Rounds};
use axle_check::{Checked, CheckedProgram, Config, ProgramConfig, Subject, program};
use axle_model::Model;

use crate::share::Share;
use crate::watch::Watch;

/// Checks with lossy searches, then exactly.
pub fn check(model: &Arc<Model>, config: &Config, watch: &mut Watch) -> Checked {
    let mut rounds = Rounds::new(model, config);
    'rounds: for round in 0..ROUNDS {
        let allowed = Duration::from_secs(1 << round);
        let open = rounds.open();
        // Most of the time is left to the exact search.
        if open.is_empty() || watch.left().is_some_and(|left| left < allowed * 3) {
            break;
        }
        let end = Instant::now() + allowed;
        for (index, &kind) in open.iter().enumerate() {
            let started = Instant::now();
            let share = end.saturating_duration_since(started) / (open.len() - index) as u32;
            let seen = rounds.search(round, kind, &mut Share::new(watch, started + share));
            rounds.add(kind, seen, share.as_secs_f64(), started.elapsed().as_secs_f64());
            if watch.is_over() {
                break 'rounds;
            }
        }
    }
    let rest = rounds.rest();
    let mut found = rounds.finish();
    shorten_all(model, config, &mut found.checked, watch);
    let exact = rest.map(|rest| {
        let mut exact = axle_check::check(model, &rest, watch);
        shorten_all(model, &rest, &mut exact, watch);
        exact
    });
    found.merge(exact)
}

/// Checks a C program with lossy searches, then exactly.
pub fn check_program(subject: &Subject, config: &ProgramConfig, watch: &mut Watch) -> CheckedProgram {
    let mut rounds = ProgramRounds::new(*subject, config);
    for round in 0..ROUNDS {
        let allowed = Duration::from_secs(1 << round);
        let open = rounds.open();
        if open.is_empty() || watch.is_over() || watch.left().is_some_and(|left| left < allowed * 3) {
            break;
        }
        let end = Instant::now() + allowed;
        for (index, &kind) in open.iter().enumerate() {
            let started = Instant::now();
            let share = end.saturating_duration_since(started) / (open.len() - index) as u32;
            let seen = rounds.search_round(round, kind, &mut Share::new(watch, started + share));
            rounds.add(kind, seen, share.as_secs_f64(), started.elapsed().as_secs_f64());
        }
    }
    let exact = rounds.rest().map(|rest| axle_check::check_program(subject, &rest, watch));
    let mut checked = rounds.finish(exact, "refine");
    shorten_program(subject, config, &mut checked, watch);
    checked
}

/// Shortens every violation of a C program, for ten seconds each at most.
pub fn shorten_program(
    subject: &Subject,
    config: &ProgramConfig,
    checked: &mut CheckedProgram,
    watch: &mut Watch,
) {
    for index in 0..checked.violations.len() {
        if watch.is_over() {
            return;
        }
        let end = Instant::now() + SHORTENING;
        program::refine::shorten(subject, config, checked, index, &mut Share::new(watch, end));
    }
}

/// Time to shorten a violation.
const SHORTENING: Duration = Duration::from_secs(10);

/// Shortens every violation, for ten seconds each at most.
pub fn shorten_all(model: &Arc<Model>, config: &Config, checked: &mut Checked, watch: &mut Watch) {
    for index in 0..checked.report.violations.len() {
        if watch.is_over() {
            return;
        }
        let end = Instant::now() + SHORTENING;
        axle_check::shorten(model, config, checked, index, &mut Share::new(watch, end));
    }
}
