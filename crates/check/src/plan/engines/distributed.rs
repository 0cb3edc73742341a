//! The explicit-state search for violations of states and steps by several workers, each of which stores
//! a part of the states. Properties are searched by this process alone, afterwards.
//!
//! *Entry point:* [`Distributed`].
//!
//! *Invariant:* without a reason to stop, every state of the graph was expanded by its owner.

use std::sync::Arc;
use std::time::Duration;

use axle_dist::rendezvous::{Common, Host, join};
use axle_dist::{Failure, Peers, Searched, Setup};
use axle_explicit::run::{self, Reducible};
use axle_explicit::successors::Tiered;
use axle_explicit::{Explored, threads};
use axle_model::Model;
use axle_question::EngineId;
use axle_question::config::{Config, Gang, GangRole, Order, StoreChoice};
use axle_search::{Analyses, Limits, Monitor, Progress, Reduced, Reduction, Stop};
use axle_step::{Graph, Interpreter};

use crate::judgement::checkpoint_labels::about;
use crate::plan::attempt::Attempt;
use crate::plan::engines::engine::{Answer, Engine, Planned, Question, Search, Task};
use crate::plan::engines::{exact, property};

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
        if !applies(planned.config) || planned.config.engine != Some(self.id()) {
            return Vec::new();
        }
        let whole = planned.whole(self.id(), None).filter(|_| planned.config.wants_safety());
        let afterwards = Planned { is_shared: false, ..*planned };
        let properties = property::attempts(EngineId::EXPLICIT, &afterwards);
        whole.into_iter().chain(properties).collect()
    }

    fn start<'e>(&self, question: &Question<'e>, _: Task) -> Search<'e, Answer> {
        let (model, config) = (question.searched, question.config);
        let stepper = question.code.stepper(model, config.step_options(), config.successors_for(model));
        exact::lead(question, stepper, Box::new(explore))
    }
}

/// Whether the configuration asks for nothing that only one process has.
fn applies(config: &Config) -> bool {
    config.order == Order::BreadthFirst
        && config.store == StoreChoice::Auto
        && config.reduction != Reduction::Guards
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
    let about = about(model, config, graph).levels;
    let mut forks: Vec<Tiered> = (0..config.threads.max(1)).map(|_| stepper.fork()).collect();
    if graph == Reduction::None {
        return Explored { reduction: status, ..by_workers(&mut forks, &about, config, monitor) };
    }
    let interpreter = Interpreter::new(Arc::clone(model), config.step_options());
    let constants = interpreter.constants();
    let mut graphs = Reduced::for_threads(forks.iter_mut(), model, constants, None, graph, analyses);
    let mut explored = by_workers(&mut graphs, &about, config, monitor);
    explored.reduction = threads::all_savings(&graphs);
    run::unfold_violations(&mut graphs[0], &mut explored);
    explored
}

/// How long a process waits for the one that it joins.
const PATIENCE: Duration = Duration::from_secs(60);

/// Connects this process to the others of its search.
fn meet(gang: Option<&Gang>, about: &str, monitor: &mut dyn Monitor) -> Result<Peers, Failure> {
    let Some(Gang { role, token }) = gang else { return Ok(Peers::None) };
    let common = Common::new(token, about)?;
    let sockets = match *role {
        GangRole::Guest { host } => join(host, &common, PATIENCE)?,
        GangRole::Host { listen, others } => {
            let goes_on = || monitor.watch(&Progress::default()).is_none();
            // A refused process learns nothing, and the others are waited for.
            Host::listen(listen, common)?.gather(others, |_, _| {}, goes_on)?
        }
    };
    Ok(Peers::Processes(sockets))
}

/// Searches with a worker for each graph.
fn by_workers<G>(graphs: &mut [G], about: &str, config: &Config, monitor: &mut dyn Monitor) -> Explored
where
    G: Graph<Site = axle_step::ModelSite> + Send,
{
    // The rest is for messages and buffers.
    let memory = config.limits.memory.map_or(u64::MAX, |memory| memory / 16 * 15);
    // All processes draw the same conclusions, so their limits and numbers of workers are the same.
    let Limits { errors, states, .. } = config.limits;
    let common = format!("{about}workers {}\nviolations {errors:?}\nstates {states:?}\n", graphs.len());
    let searched = meet(config.gang.as_ref(), &common, monitor).and_then(|peers| {
        let directory = config.level_log.as_deref();
        let setup = Setup { peers, memory, directory, about, ..Setup::default() };
        axle_dist::search(graphs, setup, &config.search_options(), monitor)
    });
    match searched {
        Ok(Searched { outcome, is_tree, .. }) => {
            Explored::new(outcome, if is_tree { "tree" } else { "plain" })
        }
        Err(failure) => {
            let stop = match failure {
                Failure::Corrupt if config.level_log.is_some() => Stop::LevelLog,
                Failure::Log(_) | Failure::OtherSearch => Stop::LevelLog,
                Failure::Corrupt | Failure::Lost | Failure::Network(_) => Stop::Workers,
            };
            Explored::new(run::nothing(&graphs[0], stop), "plain")
        }
    }
}
