//! The processes of a distributed search: how they meet, and the assignment of those that do not know the
//! model.
//!
//! *Entry points:* [`meet`], [`take_part`].
//!
//! *Invariant:* a process searches only with others that know the token and have the same model, options
//! and version.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use axle_dist::rendezvous::{enlist, gather, join, take_assignment};
use axle_dist::{Failure, Peers, Secret};
use axle_explicit::successors::Tiered;
use axle_question::config::{Gang, GangRole};
use axle_search::{Monitor, Progress, Stop};

use crate::plan::engines::distributed::assignment::{Assigned, Assignment};
use crate::plan::engines::distributed::{claims, search_graph};

/// How long a process waits for the one that it joins.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long an enlisted process waits for its assignment: the others may come much later.
const ENLISTED: Duration = Duration::from_secs(24 * 3600);

/// What a process that enlists has in common with the one that it enlists at.
fn about_enlisting() -> String {
    format!("axle {} enlists", env!("CARGO_PKG_VERSION"))
}

/// Connects this process to the others of its search.
pub(super) fn meet(
    gang: Option<&Gang>,
    about: &str,
    assignment: &Assignment<'_>,
    monitor: &mut dyn Monitor,
) -> Result<Peers, Failure> {
    let Some(Gang { role, token, is_encrypted, log }) = gang else { return Ok(Peers::None) };
    let secret = Secret::new(token, *is_encrypted);
    let channels = match role {
        GangRole::Guest { host } => join(*host, &secret, about, PATIENCE).inspect_err(|failure| {
            log(&format!("{host}: {failure}"));
        })?,
        GangRole::Host { listener, others, sends_model } => {
            let mut refused =
                |from: SocketAddr, failure: &Failure| log(&format!("connection from {from}: {failure}"));
            let mut goes_on = || monitor.watch(&Progress::default()).is_none();
            if *sends_model {
                let text = assignment.to_text();
                let sent = (*others, text.as_bytes());
                enlist(listener, &secret, &about_enlisting(), sent, &mut refused, &mut goes_on)?;
            }
            // Those that have enlisted come soon or, if they have ended, never.
            let until = sends_model.then(|| Instant::now() + 2 * PATIENCE);
            let mut goes_on = || goes_on() && until.is_none_or(|until| Instant::now() < until);
            gather(listener, &secret, about, *others, &mut refused, &mut goes_on)?
        }
    };
    Ok(Peers::Processes(channels))
}

/// A process that takes part in the searches of another one.
pub struct SearchMember {
    /// Where the other process listens.
    pub host: SocketAddr,
    /// The secret that both know.
    pub token: Vec<u8>,
    /// Whether the connections are encrypted.
    pub is_encrypted: bool,
    /// The limit on memory of this process.
    pub memory: u64,
    /// The directory of level logs, which all processes share.
    pub level_log: Option<PathBuf>,
    /// Receives messages about processes.
    pub log: fn(&str),
}

/// What a member has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TakenPart {
    /// States of the search, of all its processes.
    pub states: u64,
    /// Why the search ended; none if it is complete.
    pub stop: Option<Stop>,
}

/// Takes part in one search: enlists, receives the model, and searches with the others. Waits `limit` for the
/// other process to exist.
///
/// # Errors
///
/// If the other process cannot be reached or refuses this one, or if its assignment cannot be read.
pub fn take_part(
    member: &SearchMember,
    limit: Duration,
    monitor: &mut dyn Monitor,
) -> Result<TakenPart, Failure> {
    let secret = Secret::new(&member.token, member.is_encrypted);
    let bytes = take_assignment(member.host, &secret, &about_enlisting(), (limit, ENLISTED))?;
    let text = std::str::from_utf8(&bytes).map_err(|_| Failure::Corrupt)?;
    let mut assigned = Assignment::of_text(text).ok_or(Failure::Corrupt)?;
    assigned.config.limits.memory = Some(member.memory);
    assigned.config.level_log.clone_from(&member.level_log);
    assigned.config.gang = Some(Gang {
        role: GangRole::Guest { host: member.host },
        token: member.token.clone(),
        is_encrypted: member.is_encrypted,
        log: member.log,
    });
    if assigned.claim.is_some() {
        let outcome = claims::take_part(&assigned, monitor).ok_or(Failure::Corrupt)?;
        return Ok(TakenPart { states: outcome.states, stop: outcome.stop });
    }
    let Assigned { model, graph, config, .. } = &assigned;
    let mut stepper = Tiered::new(model, config.step_options(), config.successors_for(model));
    let explored = search_graph(model, &mut stepper, (*graph, None), config, monitor);
    Ok(TakenPart { states: explored.outcome.states, stop: explored.outcome.stop })
}
