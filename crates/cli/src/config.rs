//! The configuration that the options of `axle check` ask for.
//!
//! *Entry points:* [`config`] for models; [`searched`], which C programs share.

use std::collections::BTreeSet;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use axle_check::external::Checker;
use axle_check::plan::EngineId;
use axle_check::{Approximate, Auto, Check, Config, Order, Pass, SystemKind, VacuityCheck, claims};
use axle_model::Model;
use axle_question::config::{Clock, Gang, GangRole};
use axle_search::{Algorithm, Fairness, Limits, Reduction};

use crate::args::{CheckArgs, EngineChoice, PassChoice, ReductionChoice, SearchChoice};
use crate::machine::{cores, spare_memory};
use crate::output::complain;
use crate::vocabulary::VOCABULARY;

/// What the options ask for.
pub fn config(args: &CheckArgs, model: &Model) -> Result<Config, String> {
    let mut checks: BTreeSet<Check> = Check::defaults(SystemKind::Model);
    let mut only = None;
    if !args.only.is_empty() {
        (checks, only) = chosen(&args.only, model)?;
    }
    for name in &args.enable {
        checks.insert(of_models(name)?);
    }
    for name in &args.disable {
        checks.remove(&of_models(name)?);
    }
    let (reduction, passes, auto) = left_out(args);
    let mut config = Config {
        checks,
        only,
        vacuity: if args.vacuity { VacuityCheck::Parts } else { VacuityCheck::Coverage },
        reduction,
        passes,
        auto,
        // A search that was selected is not supplemented.
        attempts: args.search.is_empty() && !args.shortest,
        engine: engine(args)?,
        program: program(args),
        successors: args.successors,
        clock: Some(Clock(clock)),
        arithmetic: args.arithmetic,
        cartesian: args.precision,
        cube_length: args.cube_length.map(|most| most as usize),
        ..searched(args)?
    };
    if config.algorithm == Algorithm::NestedDfs && config.fairness != Fairness::None {
        return Err("nested depth-first search knows no fairness; leave out --search nested".to_string());
    }
    // Depth-first search of states is depth-first search of executions too.
    if config.order_chosen && config.order == Order::DepthFirst && config.fairness == Fairness::None {
        config.algorithm = Algorithm::NestedDfs;
    }
    Ok(config)
}

/// The time since the first call.
fn clock() -> Duration {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed()
}

/// The engine. One that is not installed is an error, before the search rather than after it.
fn engine(args: &CheckArgs) -> Result<Option<EngineId>, String> {
    if args.workers.is_some() {
        return Ok(Some(EngineId::DISTRIBUTED));
    }
    let (name, engine) = match &args.engine {
        EngineChoice::Auto => return Ok(None),
        EngineChoice::This(engine) => (engine.to_string(), *engine),
        EngineChoice::Program(path) => (path.display().to_string(), EngineId::PROGRAM),
    };
    let checker = Checker::named(&name);
    let folders = std::env::var_os("PATH").unwrap_or_default();
    match checker.filter(|checker| checker.find(&folders).is_none()) {
        Some(_) => Err(format!("--engine {name}: the program is not installed")),
        None => Ok(Some(engine)),
    }
}

/// The other processes of the search, and the secret that they share.
fn gang(args: &CheckArgs) -> Result<Option<Gang>, String> {
    let meets = args.gather.is_some() || args.hosts.is_some() || args.join.is_some();
    let join = args.join.as_deref().map(resolve).transpose()?;
    let Some(address) = args.listen.or(join).filter(|_| meets) else {
        return if args.listen.is_some() {
            Err("--listen waits for processes: --hosts N or --gather N says how many".to_string())
        } else {
            Ok(None)
        };
    };
    if address.port() == 0 {
        return Err(format!("{address}: the processes need a port to meet at"));
    }
    let file = args.token_file.as_ref().ok_or("--token-file is needed to meet other processes")?;
    let token = secret_of(file)?;
    let role = match args.hosts.or(args.gather) {
        Some(others) => {
            let listener = TcpListener::bind(address).map_err(|error| format!("{address}: {error}"))?;
            let (listener, others) = (Arc::new(listener), usize::from(others));
            GangRole::Host { listener, others, sends_model: args.hosts.is_some() }
        }
        None => GangRole::Guest { host: address },
    };
    Ok(Some(Gang { role, token, is_encrypted: !args.insecure_network, log: complain }))
}

/// The address of HOST:PORT.
pub fn resolve(host: &str) -> Result<SocketAddr, String> {
    let mut found = host.to_socket_addrs().map_err(|error| format!("{host}: {error}"))?;
    found.next().ok_or_else(|| format!("{host}: the host has no address"))
}

/// The secret in a file.
pub fn secret_of(file: &Path) -> Result<Vec<u8>, String> {
    let token = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    secret(&token).map_err(|fault| format!("{}: {fault}", file.display()))
}

/// A secret without surrounding white space, if it cannot be guessed.
pub fn secret(token: &[u8]) -> Result<Vec<u8>, String> {
    let token = token.trim_ascii();
    if token.len() < SHORTEST_TOKEN {
        return Err(format!("a token has at least {SHORTEST_TOKEN} characters"));
    }
    Ok(token.to_vec())
}

/// Bytes of a token that cannot be guessed.
const SHORTEST_TOKEN: usize = 16;

fn program(args: &CheckArgs) -> Option<PathBuf> {
    match &args.engine {
        EngineChoice::Program(path) => Some(std::path::absolute(path).unwrap_or_else(|_| path.clone())),
        EngineChoice::Auto | EngineChoice::This(_) => None,
    }
}

/// What the options say about a search of a model or of a program.
pub fn searched(args: &CheckArgs) -> Result<Config, String> {
    let mut config = Config {
        vocabulary: &VOCABULARY,
        fairness: args.fairness,
        shortest: args.shortest,
        store: args.store,
        spoil_paths: args.spoil_paths,
        approximate: approximate(args),
        limits: Limits {
            memory: Some(args.memory.unwrap_or_else(spare_memory)),
            depth: args.depth,
            states: args.states,
            errors: args.max_violations.0,
        },
        threads: args.workers.or(args.threads).map_or_else(cores, usize::from),
        level_log: args.level_log.clone(),
        disk: args.disk,
        gang: gang(args)?,
        ..Config::default()
    };
    for choice in &args.search {
        match *choice {
            SearchChoice::Faults(order) => config.order = order,
            SearchChoice::Runs(algorithm) => config.algorithm = algorithm,
        }
    }
    let is_of_runs = |choice: &SearchChoice| matches!(choice, SearchChoice::Runs(_));
    config.order_chosen = !args.search.is_empty() && !args.search.iter().any(is_of_runs);
    if !config.store.is_exact() && config.fairness != Fairness::None {
        return Err("fairness needs an exact store; omit --fairness or the lossy --store".to_string());
    }
    Ok(config)
}

/// What is left out, and what of that only where Axle finds it worth it.
fn left_out(args: &CheckArgs) -> (Reduction, BTreeSet<Pass>, Auto) {
    match args.por {
        ReductionChoice::Auto if args.passes == [PassChoice::Auto] => {
            (Reduction::Stubborn, Pass::ALL.into(), Auto::All)
        }
        ReductionChoice::Auto => (Reduction::Stubborn, passes(&args.passes), Auto::Reduction),
        ReductionChoice::This(reduction) => (reduction, passes(&args.passes), Auto::Nothing),
    }
}

/// The passes that are asked for.
fn passes(choices: &[PassChoice]) -> BTreeSet<Pass> {
    let chosen = choices.iter().flat_map(|choice| match choice {
        PassChoice::Auto | PassChoice::None => Vec::new(),
        PassChoice::All => Pass::ALL.to_vec(),
        PassChoice::One(pass) => vec![*pass],
    });
    chosen.collect()
}

/// Bytes of an array of bits where the user set no limit on memory: to touch all that a machine has
/// takes long.
const ARRAY: u64 = 64 << 20;

/// What the options say to stores and searches that may miss states.
fn approximate(args: &CheckArgs) -> Approximate {
    Approximate {
        bytes: args.memory.is_none().then_some(ARRAY),
        functions: args.hash_functions,
        expected: args.expected_states,
        runs: args.hash_seeds,
        seed: args.seed,
        walks: args.walks,
        ..Approximate::default()
    }
}

/// The check of models with this name.
fn of_models(name: &str) -> Result<Check, String> {
    Check::named(name, SystemKind::Model).ok_or_else(|| format!("'{name}' is checked of C programs only"))
}

/// What is to be checked, and of the model's properties which; none are all of them.
type Chosen = (BTreeSet<Check>, Option<BTreeSet<String>>);

/// The checks and properties with these names.
fn chosen(names: &[String], model: &Model) -> Result<Chosen, String> {
    let all = claims::names(model);
    let stated: Vec<&String> = all.iter().map(|one| &one.name).collect();
    let (mut checks, mut only) = (BTreeSet::new(), BTreeSet::new());
    for name in names {
        if stated.contains(&name) {
            checks.insert(Check::Properties);
            only.insert(name.clone());
        } else if let Some(check) = Check::named(name, SystemKind::Model) {
            checks.insert(check);
            if check == Check::Properties {
                only.extend(all.iter().filter(|one| one.by_default).map(|one| one.name.clone()));
            }
        } else {
            let known = stated.iter().map(|name| name.as_str()).chain(Check::MODELS.map(Check::name));
            let near = axle_source::nearest(name, known);
            let near = near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
            return Err(format!("'{name}' is neither a check nor a property of this model{near}"));
        }
    }
    Ok((checks, Some(only)))
}
