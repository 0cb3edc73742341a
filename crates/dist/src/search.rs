//! The search by all workers of this process.
//!
//! *Entry point:* [`search`].
//!
//! *Invariant:* the result does not depend on the number of workers, nor on the processes among which they
//! are divided.

use std::path::Path;

use axle_outcome::{FaultSite, Outcome};
use axle_search::{Monitor, Options};
use axle_step::Graph;

use crate::failure::Failure;
use crate::manifest::Manifest;
use crate::transport::Pace;
use crate::worker::{Finished, QUOTA, Terms, Worker};
use crate::worker_threads::{Peers, by_workers};

/// How a search is to be carried out.
pub struct Setup<'s> {
    /// The other workers.
    pub peers: Peers,
    /// Bytes that the workers of this process may use for states and level logs.
    pub memory: u64,
    /// The directory of level logs and manifest: the search is resumed from it, and can be resumed again.
    /// Without it the logs are in memory.
    pub directory: Option<&'s Path>,
    /// Whether the visited states are moved to the directory when they do not fit into memory. The same in
    /// all processes.
    pub disk: bool,
    /// Identity of the graph and of the options. A directory of another search is refused.
    pub about: &'s str,
    /// States that a worker expands in a sub-round; none for the default.
    pub quota: Option<u64>,
    /// The order in which workers run, for simulations.
    pub pace: Option<&'s dyn Pace>,
}

impl Default for Setup<'_> {
    fn default() -> Self {
        Setup {
            peers: Peers::None,
            memory: u64::MAX,
            directory: None,
            disk: false,
            about: "",
            quota: None,
            pace: None,
        }
    }
}

/// The result of a search. All processes have the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searched<I> {
    /// As of a search by threads.
    pub outcome: Outcome<I>,
    /// Whether a set is compressed at the end.
    pub is_tree: bool,
    /// Whether the visited states are on disk at the end.
    pub on_disk: bool,
    /// The sums of the further counters of the graphs.
    pub tally: [u64; 3],
    /// The level that the search was resumed from.
    pub resumed_at: Option<u64>,
}

/// Explores every state reachable through the graphs, within the limits, with one worker for each graph of
/// this process. All graphs must be the same function, in all processes.
///
/// # Errors
///
/// If messages or files are damaged, a worker is lost, or the level log cannot be written. A limit is no
/// error: its reason is in the outcome.
///
/// # Panics
///
/// If there is no graph.
pub fn search<G: Graph + Send>(
    graphs: &mut [G],
    setup: Setup<'_>,
    options: &Options<G::Site>,
    monitor: &mut dyn Monitor,
) -> Result<Searched<G::Site>, Failure>
where
    G::Site: FaultSite,
{
    assert!(!graphs.is_empty(), "a search needs a worker");
    let count = graphs.len();
    let past = match setup.directory {
        None => None,
        Some(directory) => {
            std::fs::create_dir_all(directory)?;
            Manifest::read(directory)?
        }
    };
    if past.as_ref().is_some_and(|past| past.about != setup.about) {
        return Err(Failure::OtherSearch);
    }
    let terms = Terms {
        options,
        share: setup.memory / count as u64,
        about: setup.about,
        directory: setup.directory.map(Path::to_path_buf),
        past: past.as_ref(),
        disk: setup.disk,
        quota: setup.quota.unwrap_or(QUOTA).max(1),
    };
    let finished =
        by_workers(graphs, setup.peers, setup.pace, monitor, &terms, |terms, transport, graph, context| {
            Worker::new(terms, transport, graph, context).run()
        });
    let Finished { outcome, is_tree, on_disk, tally } = finished?;
    Ok(Searched { outcome, is_tree, on_disk, tally, resumed_at: past.map(|past| past.level) })
}
