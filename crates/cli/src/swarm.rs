//! `axle swarm`: the clock and the threads of swarm verification ([`axle_check::swarm`]).
//!
//! Members of one size have equal shares of time, those of the next size twice as much. Members
//! that search for the same end when they have found as many violations as `--max-violations` says.
//! The swarm ends when that holds for all, or when the others have run in each of their variants.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axle_check::swarm::{ROUND, Sighting, Swarm};
use axle_check::{Approximate, Checked, Config, undecided};
use axle_model::Model;
use axle_search::{Limits, Monitor, Progress, Stop};
use axle_step::Interrupt;

use crate::args::{SwarmArgs, TraceMode};
use crate::check::{Results, bundle_faults, show_results};
use crate::deadline;
use crate::exit::Exit;
use crate::machine::{cores, spare_memory};
use crate::output::{complain, remark};
use crate::program::is_program;
use crate::quantities::number;
use crate::refine::shorten_all;
use crate::results::{InputResult, json_traces, print_json};
use crate::tabled::{RowLabels, load};
use crate::trail;
use crate::watch::{Watch, on_interrupt, until};

/// The time of a member of the first size.
const FIRST: Duration = Duration::from_millis(250);

/// The state of the members that search for the same.
#[derive(Clone, Debug)]
struct Kind {
    /// Whether there are any.
    wanted: bool,
    /// How many have finished.
    members: u64,
    /// Whether as many violations were found as are wanted.
    full: bool,
}

/// State shared by the threads.
struct Shared {
    kinds: Mutex<Vec<Kind>>,
    interrupted: Arc<AtomicBool>,
    /// Enough was found.
    enough: AtomicBool,
    next: AtomicU64,
    seen: Mutex<Vec<(u64, Sighting)>>,
    start: Instant,
    end: Instant,
    /// The end if a violation was found: the rest of the time is for shorter executions.
    shortening: Instant,
    /// Whether a violation was found.
    found: AtomicBool,
}

/// Runs the command.
pub fn run(args: &'static SwarmArgs) -> Result<Exit, String> {
    deadline::arm(Some(args.time), &args.model.model);
    if let Some(file) = &args.trail {
        trail::refuse_others(file)?;
    }
    if is_program(&args.model.model) && !args.tables.are_given() {
        return Err("axle swarm is for models; for C programs, use axle check --refine".to_string());
    }
    let (model, mut extracted) = match load(&args.model, &args.tables, &args.output) {
        Ok(loaded) => loaded,
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
    report_at_deadline(args, &model, &config);
    let interrupted = on_interrupt();
    let start = deadline::start();
    let swarm = Swarm::new(&model, &config);
    let kinds = (0..swarm.kinds()).map(|kind| Kind { wanted: swarm.wants(kind), members: 0, full: false });
    let shared = Shared {
        kinds: Mutex::new(kinds.collect()),
        interrupted: Arc::clone(&interrupted),
        enough: AtomicBool::new(false),
        next: AtomicU64::new(0),
        seen: Mutex::new(Vec::new()),
        start,
        end: start + args.time,
        shortening: start + args.time / 4 * 3,
        found: AtomicBool::new(false),
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| work(args, &swarm, memory / threads, &shared));
        }
    });
    let mut seen = shared.seen.into_inner().unwrap_or_else(PoisonError::into_inner);
    seen.sort_by_key(|(number, _)| *number);
    let stop = interrupted.load(Ordering::Relaxed).then_some(Stop::Interrupted);
    let members = seen.into_iter().map(|(_, seen)| seen).collect();
    let mut checked = swarm.report(members, stop);
    let mut watch = Watch::with(interrupted, start, Some(args.time), args.output.quiet);
    shorten_all(&model, &config, &mut checked, &mut watch);
    checked.report.search.seconds = watch.stop().as_secs_f64();
    deadline::reporting(Exit::of(&checked.report));
    bundle_faults(&args.model, &model, &checked);
    let labels = match &mut extracted {
        Some(extracted) => Some(extracted.qualify(&model, &config, &mut checked)?),
        None => None,
    };
    show(args, &model, &config, checked, labels)
}

/// Shows the report; the exit code.
fn show(
    args: &SwarmArgs,
    model: &Arc<Model>,
    config: &Config,
    mut checked: Checked,
    labels: Option<RowLabels>,
) -> Result<Exit, String> {
    let json = args.json || args.trace == Some(TraceMode::Json);
    let more = labels.as_ref().map(RowLabels::text).unwrap_or_default();
    let results = Results {
        model: &args.model,
        output: &args.output,
        trace: args.trace,
        text: !json,
        more: &more,
        traces: json && json_traces(args.trace),
        trail: args.trail.as_deref(),
        chart: None,
    };
    let traces = show_results(&results, model, config, &checked)?;
    checked.report.warnings.extend(labels.into_iter().flat_map(|labels| labels.warnings));
    let result = InputResult::new(checked.report, traces);
    let exit = result.exit;
    if json {
        print_json(&[result], args.trace)?;
    }
    Ok(exit)
}

/// Registers the report of a swarm that has no result at its deadline.
fn report_at_deadline(args: &'static SwarmArgs, model: &Arc<Model>, config: &Config) {
    let (model, config) = (Arc::clone(model), config.clone());
    deadline::report_with(move |stop, seen| {
        let mut checked = undecided(&model, &config, stop, seen);
        checked.report.search.order = "swarm".to_string();
        checked.report.search.seconds = deadline::elapsed().as_secs_f64();
        show(args, &model, &config, checked, None).unwrap_or_else(|fault| {
            complain(&fault);
            Exit::Unknown
        })
    });
}

/// Runs one member after the other until the time is over or enough was found.
fn work(args: &SwarmArgs, swarm: &Swarm, memory: u64, shared: &Shared) {
    loop {
        let index = shared.next.fetch_add(1, Ordering::Relaxed);
        let now = Instant::now();
        let over = now >= shared.end() || args.members.is_some_and(|members| index >= members);
        if over || shared.enough.load(Ordering::Relaxed) || shared.interrupted.load(Ordering::Relaxed) {
            return;
        }
        let kind = index % swarm.kinds();
        if shared.kinds().get(kind as usize).is_some_and(|kind| kind.full) || !swarm.wants(kind) {
            continue;
        }
        let share = FIRST * 2u32.saturating_pow(swarm.size(index).min(20) as u32);
        let seen = swarm.run(index, memory, &mut Share { shared, until: (now + share).min(shared.end()) });
        if !args.output.quiet && shared.start.elapsed() > Duration::from_secs(1) {
            let (order, states) = seen.told();
            let seconds = now.elapsed().as_secs_f64();
            remark(&format!("search {index}: {order}: {} states, {seconds:.1} s\n", number(states)));
        }
        if seen.violations() > 0 {
            shared.found.store(true, Ordering::Relaxed);
        }
        if shared.finish(kind, &seen, args.max_violations.0) {
            shared.enough.store(true, Ordering::Relaxed);
        }
        if let Ok(mut list) = shared.seen.lock() {
            list.push((index, seen));
        }
    }
}

impl Shared {
    /// When the searches end.
    fn end(&self) -> Instant {
        if self.found.load(Ordering::Relaxed) { self.shortening } else { self.end }
    }

    fn kinds(&self) -> MutexGuard<'_, Vec<Kind>> {
        self.kinds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of a member of a kind; whether the swarm has found enough: every kind of member
    /// has found as many violations as are wanted or, if any violation was found, has run in each
    /// of its variants.
    fn finish(&self, kind: u64, seen: &Sighting, errors: Option<u64>) -> bool {
        let mut kinds = self.kinds();
        if let Some(kind) = kinds.get_mut(kind as usize) {
            kind.members += 1;
            kind.full |= seen.is_full() && errors.is_some();
        }
        kinds.iter().any(|kind| kind.full && kind.wanted)
            && kinds.iter().all(|kind| kind.full || !kind.wanted || kind.members >= ROUND)
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
        let over = shared.enough.load(Ordering::Relaxed) || Instant::now() >= self.until.min(shared.end());
        over.then_some(Stop::Time)
    }

    fn interrupt(&self) -> Interrupt {
        until(Arc::clone(&self.shared.interrupted), Some(self.until))
    }
}
