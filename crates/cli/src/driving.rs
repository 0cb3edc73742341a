//! A round in progress: its driver, its worker processes, and what is shown of it.
//!
//! *Entry point:* [`drive`].
//! *Invariant:* the workers end with this function. What was recorded stays, whatever fails.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime};

use axle_feaver::jobs::error::StoreError;
use axle_feaver::jobs::job::Timestamp;
use axle_feaver::prepare::Run;
use axle_feaver::project::Project;
use axle_feaver::results::database::Database;
use axle_feaver::results::round_store::Holder;
use axle_feaver::results::verdict::NewRound;
use axle_feaver::round::adopt::{between, held_until};
use axle_feaver::round::driver::{Driver, Opening, RunResult};
use axle_feaver::round::local::LEASE;

use crate::args::RunArgs;
use crate::history;
use crate::live::Live;
use crate::machine::{cores, spare_memory};
use crate::output::remark;
use crate::session::Session;
use crate::signals::Signals;
use crate::worker::Orders;
use crate::workers::Pool;

/// Time without a renewal after which a driver counts as lost.
const DRIVER_LEASE: Duration = Duration::from_secs(5);

/// Attempts of a job that may fail.
const MAX_FAILURES: u32 = 3;

/// Longest wait for events.
const WAIT: Duration = Duration::from_millis(100);

/// Time after which a database that cannot be reached ends the command.
const PATIENCE: Duration = Duration::from_secs(60);

/// Executes a round and returns the results of its runs.
pub fn drive(
    project: &Project,
    runs: &[Run],
    round: NewRound,
    args: &RunArgs,
    session: &Session,
) -> Result<Vec<RunResult>, String> {
    let location = history::location(&args.folder, args.store.as_deref())?;
    let database: Arc<dyn Database> = Arc::from(history::open_at(&location)?);
    wait_for_lost_driver(&*database, args, session)?;
    let inputs = project.folder.seen();
    let opening = Opening {
        runs,
        inputs: &inputs,
        round,
        again: args.again,
        holder: Holder { name: name(), lease: DRIVER_LEASE },
        max_failures: MAX_FAILURES,
        recheck: args.recheck,
    };
    let mut driver = Driver::open(database, &opening).map_err(told)?;
    let mut live = Live::new(runs, args);
    let to_do = runs.len() - driver.concluded();
    let mut pool = match to_do {
        0 => None,
        _ => Some(Pool::start(count(args, to_do), orders(&location, &driver, args, to_do)?)?),
    };
    let driven = follow(&mut driver, pool.as_mut(), &mut live, &session.signals);
    live.end();
    if let Some(pool) = pool {
        pool.stop();
    }
    if let Some(path) = &args.log {
        write_log(path, &driver)?;
    }
    driven?;
    Ok(driver.results())
}

/// Follows a round to its end.
fn follow(
    driver: &mut Driver,
    mut pool: Option<&mut Pool>,
    live: &mut Live,
    signals: &Signals,
) -> Result<(), String> {
    let interrupted = signals.interrupted();
    let mut failing: Option<Instant> = None;
    while !driver.is_over() {
        let stepped = step(driver, pool.as_deref_mut(), interrupted.load(Ordering::Relaxed))?;
        match stepped {
            Ok(events) => {
                failing = None;
                for event in &events {
                    live.show(event)?;
                }
            }
            Err(fault) if fault.is_transient() => {
                if failing.is_none() {
                    live.note(&format!("axle: history: {fault}\n"));
                }
                if failing.get_or_insert_with(Instant::now).elapsed() >= PATIENCE {
                    return Err(format!("{}; `axle run` continues the round", told(fault)));
                }
                std::thread::sleep(WAIT);
            }
            Err(fault) => return Err(told(fault)),
        }
    }
    Ok(())
}

fn step(
    driver: &mut Driver,
    pool: Option<&mut Pool>,
    interrupted: bool,
) -> Result<Result<Vec<axle_feaver::round::event::Stamped>, StoreError>, String> {
    for gone in pool.map_or(Ok(Vec::new()), Pool::replace)? {
        // If this fails, the lease expires.
        let _ = driver.worker_ended(&gone.name, &gone.reason);
    }
    if interrupted && let Err(fault) = driver.end() {
        return Ok(Err(fault));
    }
    Ok(driver.step(WAIT))
}

/// The number of workers.
fn count(args: &RunArgs, to_do: usize) -> usize {
    args.workers.map_or_else(cores, |workers| workers as usize).clamp(1, to_do)
}

fn orders(location: &str, driver: &Driver, args: &RunArgs, to_do: usize) -> Result<Orders, String> {
    let share = spare_memory() / count(args, to_do) as u64;
    let lease = args.lease.unwrap_or(LEASE).as_millis();
    Ok(Orders {
        store: location.to_string(),
        round: driver.round().0,
        name: format!("local-{}", std::process::id()),
        memory: args.memory.unwrap_or(share),
        lease: u64::try_from(lease).unwrap_or(u64::MAX),
    })
}

/// Waits until the driver of a round in progress has shown whether it is alive. A round whose driver
/// was killed is then continued or closed.
fn wait_for_lost_driver(database: &dyn Database, args: &RunArgs, session: &Session) -> Result<(), String> {
    let now = history::now();
    let Some(until) = held_until(database, now).map_err(told)? else { return Ok(()) };
    // A later time is that of another clock.
    let left = between(now, until).min(DRIVER_LEASE);
    if !args.output.quiet {
        let seconds = left.as_secs_f64();
        remark(&format!("axle: a round is in progress; waiting up to {seconds:.0} s for its driver\n"));
    }
    let begin = Instant::now();
    while begin.elapsed() < left && !session.signals.interrupted().load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(50));
        // It was renewed, so the driver is alive, or the round has ended.
        if held_until(database, history::now()).map_err(told)? != Some(until) {
            break;
        }
    }
    Ok(())
}

/// A name that no other driver has.
fn name() -> String {
    format!("{}-{}", std::process::id(), Timestamp::from(SystemTime::now()).0)
}

fn write_log(path: &Path, driver: &Driver) -> Result<(), String> {
    std::fs::write(path, driver.log_text()).map_err(|fault| format!("{}: {fault}", path.display()))
}

/// A fault of the history.
pub fn told(fault: StoreError) -> String {
    format!("history: {fault}")
}
