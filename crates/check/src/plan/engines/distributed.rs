//! The explicit-state search by several workers, each of which stores a part of the states: for violations of
//! states and steps, and afterwards for executions that violate a property. Traces of events are compared by
//! this process alone.
//!
//! *Entry point:* [`Distributed`].
//!
//! *Invariant:* without a reason to stop, every state of the graph was expanded by its owner.

mod assignment;
mod claims;
mod meeting;

use std::sync::Arc;

use axle_dist::{Failure, Searched, Setup};
use axle_explicit::run::{self, Reducible};
use axle_explicit::successors::Tiered;
use axle_explicit::{Explored, ReductionStatus, threads};
use axle_model::Model;
use axle_question::EngineId;
use axle_question::claims::Source;
use axle_question::config::Config;
use axle_search::{Analyses, Limits, Monitor, Reduced, Reduction, Stop};
use axle_step::{Graph, Interpreter};

use crate::judgement::checkpoint_labels::about;
use crate::judgement::runs::ClaimEngine;
use crate::plan::attempt::{Attempt, Target};
use crate::plan::engines::distributed::assignment::Assignment;
use crate::plan::engines::distributed::claims::DistributedClaims;
use crate::plan::engines::distributed::meeting::meet;
use crate::plan::engines::engine::{Answer, Engine, Planned, Question, Search, Task};
use crate::plan::engines::{exact, property};

pub use meeting::{SearchMember, TakenPart, take_part};

/// See the file.
pub(super) struct Distributed;

impl Engine for Distributed {
    fn id(&self) -> EngineId {
        EngineId::DISTRIBUTED
    }

    fn help(&self) -> Option<&'static str> {
        Some("explicit-state search by workers that divide the states")
    }

    fn attempts(&self, planned: &Planned<'_>) -> Vec<Attempt> {
        if planned.config.engine != Some(self.id()) || planned.config.option_beyond(self.id()).is_some() {
            return Vec::new();
        }
        let whole = planned.whole(self.id(), None).filter(|_| planned.config.wants_safety());
        let afterwards = Planned { is_shared: false, ..*planned };
        let mut properties = property::attempts(EngineId::EXPLICIT, &afterwards);
        for attempt in &mut properties {
            if let Target::Property(number, _) = attempt.target
                && !matches!(planned.properties[number].source, Source::Events(_))
            {
                attempt.engine = self.id();
            }
        }
        whole.into_iter().chain(properties).collect()
    }

    fn claims(&self) -> Option<&dyn ClaimEngine> {
        Some(&DistributedClaims)
    }

    fn start<'e>(&self, question: &Question<'e>, task: Task) -> Search<'e, Answer> {
        if let Target::Property(number, _) = task.attempt.target {
            return property::start_by(&DistributedClaims, question, (&task, number));
        }
        let (model, config) = (question.searched, question.config);
        let stepper = question.code.stepper(model, config.step_options(), config.successors_for(model));
        exact::lead(question, stepper, Box::new(explore))
    }
}

/// Searches the graph of a model, reduced if that pays.
fn explore(
    model: &Arc<Model>,
    stepper: &mut Tiered,
    config: &Config,
    mut monitor: &mut dyn Monitor,
) -> Explored {
    let analyses = &Analyses::default();
    let reducible = Reducible::new(model, analyses);
    let (status, graph) = match run::choose_graph(reducible, stepper, config, &mut monitor) {
        Ok(chosen) => chosen,
        Err(explored) => return *explored,
    };
    search_graph(model, stepper, (graph, Some(status)), config, monitor)
}

/// Searches a graph of a model.
fn search_graph(
    model: &Arc<Model>,
    stepper: &mut Tiered,
    (graph, status): (Reduction, Option<ReductionStatus>),
    config: &Config,
    monitor: &mut dyn Monitor,
) -> Explored {
    let analyses = &Analyses::default();
    let about = about(model, config, graph).levels;
    let workers = config.threads.max(1);
    let assignment = Assignment { model, graph, config, workers, claim: None };
    let mut forks: Vec<Tiered> = (0..workers).map(|_| stepper.fork()).collect();
    if graph == Reduction::None {
        let explored = by_workers(&mut forks, &about, &assignment, monitor);
        return Explored { reduction: status.unwrap_or(explored.reduction), ..explored };
    }
    let interpreter = Interpreter::new(Arc::clone(model), config.step_options());
    let constants = interpreter.constants();
    let mut graphs = Reduced::for_threads(forks.iter_mut(), model, constants, None, graph, analyses);
    let mut explored = by_workers(&mut graphs, &about, &assignment, monitor);
    explored.reduction = threads::all_savings(&graphs);
    run::unfold_violations(&mut graphs[0], &mut explored);
    explored
}

/// Searches with a worker for each graph.
fn by_workers<G>(
    graphs: &mut [G],
    about: &str,
    assignment: &Assignment<'_>,
    monitor: &mut dyn Monitor,
) -> Explored
where
    G: Graph<Site = axle_step::ModelSite> + Send,
{
    let config = assignment.config;
    // The rest is for messages and buffers.
    let memory = config.limits.memory.map_or(u64::MAX, |memory| memory / 16 * 15);
    // All processes draw the same conclusions, so their limits and numbers of workers are the same.
    let Limits { errors, states, .. } = config.limits;
    let (workers, disk) = (graphs.len(), config.disk);
    let common = format!("{about}workers {workers}\nviolations {errors:?}\nstates {states:?}\ndisk {disk}\n");
    let searched = meet(config.gang.as_ref(), &common, assignment, monitor).and_then(|peers| {
        let directory = config.level_log.as_deref();
        let setup = Setup { peers, memory, directory, disk, about, ..Setup::default() };
        axle_dist::search(graphs, setup, &config.search_options(), monitor)
    });
    match searched {
        Ok(Searched { outcome, on_disk: true, .. }) => Explored::new(outcome, "disk"),
        Ok(Searched { outcome, is_tree, .. }) => {
            Explored::new(outcome, if is_tree { "tree" } else { "plain" })
        }
        Err(failure) => {
            let stop = stop_of(&failure, config.level_log.is_some());
            Explored::new(run::nothing(&graphs[0], stop), "plain")
        }
    }
}

/// Why a search has no result, in the terms of all searches.
fn stop_of(failure: &Failure, has_log: bool) -> Stop {
    match failure {
        Failure::Corrupt if has_log => Stop::LevelLog,
        Failure::Log(_) | Failure::OtherSearch => Stop::LevelLog,
        Failure::Full => Stop::Disk,
        Failure::Corrupt
        | Failure::Lost
        | Failure::Left
        | Failure::Silent
        | Failure::Network(_)
        | Failure::Refused(_) => Stop::Workers,
    }
}
