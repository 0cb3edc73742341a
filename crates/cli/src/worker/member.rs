//! `axle worker --join`: takes part in the searches of a process with `axle check --hosts`.
//!
//! *Entry point:* [`run`].
//!
//! *Invariant:* the worker decides nothing: the other process receives the same result and reports it.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use axle_check::{Refusal, SearchFailure, SearchMember, TakenPart, take_part};
use axle_search::Stop;

use crate::args::WorkerArgs;
use crate::config::{resolve, secret, secret_of};
use crate::exit::Exit;
use crate::machine::spare_memory;
use crate::output::{complain, remark};
use crate::session::Session;
use crate::watch::Watch;

/// How long a worker waits for the process that it joins, at first and after a search that was lost.
const PATIENCE: Duration = Duration::from_secs(60);

/// Pause between two attempts to join.
const PAUSE: Duration = Duration::from_millis(200);

/// Runs the command.
pub fn run(host: &str, args: &WorkerArgs, session: &Session) -> Result<Exit, String> {
    let token = token(args)?;
    session.deadline.arm(None, Path::new("worker"));
    if !args.output.quiet {
        remark(&format!("axle: worker joins {host}; Ctrl-C ends it\n"));
    }
    let mut until = Instant::now() + PATIENCE;
    let member = SearchMember {
        host: address(host, until)?,
        token,
        is_encrypted: !args.insecure_network,
        memory: args.memory.unwrap_or_else(spare_memory),
        level_log: args.level_log.clone(),
        log: complain,
    };
    let mut has_served = false;
    loop {
        let mut watch = Watch::start(session, None, true);
        let left = if has_served { Duration::ZERO } else { until.saturating_duration_since(Instant::now()) };
        let failure = match take_part(&member, left, &mut watch) {
            Ok(TakenPart { stop: Some(Stop::Interrupted), .. }) => return Ok(Exit::Interrupted),
            Ok(TakenPart { states, stop }) => {
                // The search may be started again after the loss of a process.
                has_served = stop != Some(Stop::Workers);
                until = Instant::now() + PATIENCE;
                if !args.output.quiet {
                    let end = if has_served { "ended" } else { "lost a process" };
                    remark(&format!("axle: search {end}, {states} states\n"));
                }
                continue;
            }
            Err(failure) => failure,
        };
        match failure {
            SearchFailure::Network(_) | SearchFailure::Refused(Refusal::Closed | Refusal::Slow)
                if has_served =>
            {
                return Ok(Exit::Holds);
            }
            SearchFailure::Refused(Refusal::Closed | Refusal::Slow | Refusal::Crowded)
                if Instant::now() < until =>
            {
                std::thread::sleep(PAUSE);
            }
            other => return Err(format!("{host}: {other}")),
        }
    }
}

/// The address of a host, whose name may become known later.
fn address(host: &str, until: Instant) -> Result<SocketAddr, String> {
    loop {
        match resolve(host) {
            Err(_) if Instant::now() < until => std::thread::sleep(PAUSE),
            resolved => return resolved,
        }
    }
}

/// The secret of the options or of the environment.
fn token(args: &WorkerArgs) -> Result<Vec<u8>, String> {
    if let Some(file) = &args.token_file {
        return secret_of(file);
    }
    if args.token.is_some() && !args.output.quiet {
        remark(
            "axle: the list of processes shows the token of --token; --token-file or AXLE_TOKEN hides it\n",
        );
    }
    let token = args.token.clone().or_else(|| std::env::var("AXLE_TOKEN").ok());
    let token = token.ok_or("--join needs a secret: --token-file FILE, or the variable AXLE_TOKEN")?;
    secret(token.as_bytes())
}
