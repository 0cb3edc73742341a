//! `axle swarm`: many small searches, each different, for as long as there is time. What a member does is said in
//! [`axle_check::swarm`]; here are the clock and the threads.
//!
//! Members of one size have equal shares of time, those of the next size twice as much. The first violation ends the
//! swarm, unless more were asked for.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axle_check::swarm::{Sighting, Swarm};
use axle_check::{Approximate, Config};
use axle_search::{Limits, Monitor, Progress, Stop};
use axle_step::Interrupt;

use crate::args::SwarmArgs;
use crate::check::{Results, bundle_faults, show_results};
use crate::exit::Exit;
use crate::load::load;
use crate::machine::{cores, spare_memory};
use crate::output::remark;
use crate::program::is_program;
use crate::quantities::number;
use crate::trail;
use crate::watch::{on_interrupt, until};

/// The time of a member of the first size.
const FIRST: Duration = Duration::from_millis(250);

/// What the threads share.
struct Shared {
    interrupted: Arc<AtomicBool>,
    /// Enough was found.
    enough: AtomicBool,
    next: AtomicU64,
    seen: Mutex<Vec<(u64, Sighting)>>,
    start: Instant,
    end: Instant,
}

/// Runs the command.
pub fn run(args: &SwarmArgs) -> Result<Exit, String> {
    if let Some(file) = &args.trail {
        trail::refuse_others(file)?;
    }
    if is_program(&args.model.model) {
        return Err("a swarm searches models, not C programs".to_string());
    }
    let model = match load(&args.model, &args.output) {
        Ok(model) => model,
        Err(exit) => return Ok(exit),
    };
    let threads = args.threads.map_or_else(|| cores() as u64, u64::from);
    let memory = args.memory.unwrap_or_else(spare_memory);
    let config = Config {
        limits: Limits {
            memory: Some(memory),
            depth: args.depth,
            states: None,
            errors: args.max_violations.0,
        },
        approximate: Approximate { seed: args.seed, ..Approximate::default() },
        ..Config::default()
    };
    let interrupted = on_interrupt();
    let start = Instant::now();
    let shared = Shared {
        interrupted: Arc::clone(&interrupted),
        enough: AtomicBool::new(false),
        next: AtomicU64::new(0),
        seen: Mutex::new(Vec::new()),
        start,
        end: start + args.time,
    };
    let swarm = Swarm::new(&model, &config);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| work(args, &swarm, &config, memory / threads, &shared));
        }
    });
    let mut seen = shared.seen.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    seen.sort_by_key(|(number, _)| *number);
    let stop = interrupted.load(Ordering::Relaxed).then_some(Stop::Interrupted);
    let members = seen.into_iter().map(|(_, seen)| seen).collect();
    let mut checked = swarm.report(members, stop);
    checked.report.search.seconds = start.elapsed().as_secs_f64();
    bundle_faults(&args.model, &model, &checked);
    let results = Results {
        model: &args.model,
        output: &args.output,
        trace: args.trace,
        json: args.json,
        trail: args.trail.as_deref(),
        chart: None,
        sarif: None,
        html: None,
    };
    show_results(&results, &model, &config, &checked)?;
    Ok(Exit::of(&checked.report))
}

/// One member after the other, until there is no more time.
fn work(args: &SwarmArgs, swarm: &Swarm, config: &Config, memory: u64, shared: &Shared) {
    loop {
        let index = shared.next.fetch_add(1, Ordering::Relaxed);
        let now = Instant::now();
        let over = now >= shared.end || args.members.is_some_and(|members| index >= members);
        if over || shared.enough.load(Ordering::Relaxed) || shared.interrupted.load(Ordering::Relaxed) {
            return;
        }
        let share = FIRST * 2u32.saturating_pow(swarm.size(index).min(20) as u32);
        let seen = swarm.run(index, memory, &mut Share { shared, until: (now + share).min(shared.end) });
        if !args.output.quiet && shared.start.elapsed() > Duration::from_secs(1) {
            let (order, states) = seen.told();
            let seconds = now.elapsed().as_secs_f64();
            remark(&format!("search {index}: {order}: {} states, {seconds:.1} s\n", number(states)));
        }
        if seen.is_enough(config) {
            shared.enough.store(true, Ordering::Relaxed);
        }
        if let Ok(mut list) = shared.seen.lock() {
            list.push((index, seen));
        }
    }
}

/// A member's share of the time.
struct Share<'a> {
    shared: &'a Shared,
    until: Instant,
}

impl Monitor for Share<'_> {
    fn watch(&mut self, _: &Progress) -> Option<Stop> {
        let shared = self.shared;
        if shared.interrupted.load(Ordering::Relaxed) {
            return Some(Stop::Interrupted);
        }
        let over = shared.enough.load(Ordering::Relaxed) || Instant::now() >= self.until;
        over.then_some(Stop::Time)
    }

    fn interrupt(&self) -> Interrupt {
        until(Arc::clone(&self.shared.interrupted), Some(self.until))
    }
}
