//! The exact searches of a C program by several threads: for errors, and for executions that a claim
//! accepts.
//!
//! One thread searches the first states. If there are more, all threads search from the beginning,
//! each with a stepper of its own; what they remember of states has the same numbers in all of them.
//! These numbers depend on chance, and with them which of several violations of a level is found.
//! After a violation one thread therefore repeats the search: the violation that is reported, and
//! its execution, do not depend on the number of threads.
//!
//! *Entry points:* [`explore`], [`for_runs`].
//! *Invariant:* a violation that all threads have found is reported even if the repetition is ended.

use std::sync::{Mutex, PoisonError};

use axle_c_exec::{Observer, ProgramSite, Proposition, Stepper};
use axle_question::config::Config;
use axle_search::claim::Claim;
use axle_search::liveness::LivenessOptions;
use axle_search::{Arrangement, LivenessOutcome, Monitor, Stop};

use crate::explored::Explored;
use crate::{run, threads};

/// The stepper of searches in pauses. It shares the tables of a stepper that waits in these pauses, so
/// that it need not learn what that has learnt.
pub struct Walker<'p>(Mutex<Option<Stepper<'p>>>);

impl std::fmt::Debug for Walker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Walker")
    }
}

impl<'p> Walker<'p> {
    /// With this stepper.
    pub fn new(stepper: Option<Stepper<'p>>) -> Walker<'p> {
        Walker(Mutex::new(stepper))
    }

    /// The stepper, unless it is in use.
    pub fn take(&self) -> Option<Stepper<'p>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Gives the stepper back.
    pub fn replace(&self, stepper: Stepper<'p>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(stepper);
    }
}

/// Searches a program. The tables of the steppers together have `tables` bytes.
pub fn explore<'p>(
    stepper: &mut Stepper<'p>,
    config: &Config,
    tables: u64,
    walker: Option<&Walker<'p>>,
    monitor: &mut impl Monitor,
) -> Explored<ProgramSite> {
    // With several violations a repetition is as long as the search.
    if !threads::applies(config) || config.limits.errors != Some(1) || monitor.checkpoints().is_some() {
        return run::explore(stepper, config, monitor);
    }
    let first = run::explore(stepper, &threads::first(config, threads::PROGRAM), monitor);
    if first.outcome.stop != Some(Stop::States) {
        return first;
    }
    let threads = u32::try_from(config.threads).unwrap_or(u32::MAX);
    // The logs of what all have in common are as large as the tables of one. What one has learnt is
    // kept twice.
    let each = tables.saturating_sub(2 * stepper.held()) / (u64::from(threads) + 1);
    let Some(mut forks) = stepper.forks(threads, each) else {
        return run::explore(stepper, config, monitor);
    };
    // The first thread executes the pauses.
    share_tables(walker, &forks[0]);
    let explored = threads::by_all(&mut forks, threads::PROGRAM, config, monitor);
    // A walker that has found a violation is used further, and its tables with it.
    if explored.as_ref().is_none_or(|explored| explored.outcome.stop != Some(Stop::Errors)) {
        share_tables(walker, stepper);
    }
    let Some(mut explored) = explored else {
        Stepper::free_later(forks);
        return run::explore(stepper, config, monitor);
    };
    if explored.outcome.violations.is_empty() {
        stepper.join(forks.iter());
        Stepper::free_later(forks);
        return explored;
    }
    let repeated = run::explore(stepper, config, monitor);
    if !repeated.outcome.violations.is_empty() {
        return repeated;
    }
    stepper.join(forks.iter());
    explored.outcome.violations.truncate(1);
    explored
}

/// Whether several threads can search for executions that a claim accepts.
pub fn applies_to_runs(config: &Config, question: &LivenessOptions, monitor: &mut impl Monitor) -> bool {
    threads::applies_to_runs(config, question.algorithm, false)
        && config.approximate.arrangement == Arrangement::AsMade
        && monitor.checkpoints().is_none()
}

/// Searches for executions that a claim accepts with all threads; none if one thread has to search,
/// or to report the counterexample.
pub fn for_runs(
    stepper: &mut Stepper<'_>,
    config: &Config,
    claim: &Claim,
    propositions: &[Proposition],
    question: &LivenessOptions,
    monitor: &mut impl Monitor,
) -> Option<LivenessOutcome> {
    let threads = threads::searchers(config);
    // The steppers have no tables of memoised transitions.
    let forks = stepper.forks(u32::try_from(threads).unwrap_or(u32::MAX), 0)?;
    let observed = |fork| {
        let observer = Observer::new(&fork, propositions.to_vec());
        (fork, observer)
    };
    let mut forks: Vec<_> = forks.into_iter().map(observed).collect();
    let outcome = threads::for_runs(&mut forks, claim, question, monitor)?;
    stepper.join(forks.iter().map(|(fork, _)| fork));
    Some(outcome)
}

/// Lets a walker use the tables of another stepper from now on.
fn share_tables<'p>(walker: Option<&Walker<'p>>, stepper: &Stepper<'p>) {
    if let Some(walker) = walker
        && let Some(old) = walker.take()
    {
        let mut new = stepper.another();
        new.share_taken(&old);
        walker.replace(new);
    }
}
