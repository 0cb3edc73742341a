//! Breadth-first search: states are visited in order of their distance from the initial state, so
//! every violation is reported with a shortest trace.
//!
//! The state set is its own queue. States are expanded in batches: all successors of a batch are
//! generated and then inserted into the set with one call, which hides memory latency (a lookup
//! that waits for memory costs ten times as much as a prefetched one). The only path information is
//! the [`SpanningTree`], from which a later invocation can resume the search
//! ([`crate::checkpoint`]).
//!
//! *Entry point:* [`search`].
//!
//! *Source:* E. F. Moore, The shortest path through a maze, 1959.
//!
//! *Invariant:* State number `i` of the set is the `i`-th state expanded, so the numbering of the
//! tree equals the numbering of the set.

use axle_outcome::{Found, Memory, Outcome, Progress, Stop};
use axle_step::{Batch, Graph};
use axle_store::StateSet;

use crate::checkpoint::{Checkpoint, Contents, Known, Past};
use crate::grow::expand;
use crate::limits::Options;
use crate::limits::check_limits;
use crate::limits::most_in_flight;
use crate::paths::spanning_tree::{Cursor, SpanningTree};
use crate::progress::Monitor;
use crate::safety::violations::Violations;

/// States per batch: enough to hide latency, few enough for their successors to fit in the cache.
/// On the benchmark models, 16 to 64 perform equally.
const BATCH: usize = 32;

/// Number of batches between two polls of the monitor and of memory use.
const WATCH: u64 = 4;

/// State of a running search.
struct Search<'a, G: Graph, S> {
    stepper: &'a mut G,
    set: &'a mut S,
    options: &'a Options<G::Site>,
    tree: SpanningTree,
    /// Number of states expanded so far. While a checkpoint is replayed, the tree holds more.
    expanded: u64,
    /// Position in the checkpoint's tree up to which it was replayed.
    cursor: Cursor,
    /// Counts that must be reached at the end of the replay; `None` without a replay or after it.
    awaited: Option<Counts>,
    violations: Violations<'a, G::Site>,
    transitions: u64,
    /// Distance of the next state to expand from the initial state.
    level: u64,
    /// Number of the first state of the next level.
    level_end: u64,
    /// Number of states discovered from the states expanded so far, including the initial state.
    discovered: u64,
    /// States from which on the monitor wants a pause.
    pause_at: Option<u64>,
    /// The search pauses at the end of this level.
    pauses: bool,
    /// The level at whose end the search pauses has been expanded.
    is_pause_due: bool,
    /// Whether a state beyond the depth limit exists.
    truncated: bool,
}

/// Counts recorded in a checkpoint.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Counts {
    states: u64,
    transitions: u64,
}

/// Explores every state reachable through `stepper`, within the limits. The set must be empty and
/// must have the width of the stepper's layout.
pub fn search<G: Graph, S: StateSet>(
    stepper: &mut G,
    set: &mut S,
    options: &Options<G::Site>,
    monitor: &mut impl Monitor,
) -> Outcome<G::Site> {
    let mut search = Search {
        stepper,
        set,
        options,
        tree: SpanningTree::default(),
        expanded: 0,
        cursor: Cursor::default(),
        awaited: None,
        violations: Violations::new(options),
        transitions: 0,
        level: 0,
        level_end: 1,
        discovered: 1,
        pause_at: monitor.pause_at(),
        pauses: false,
        is_pause_due: false,
        truncated: false,
    };
    let begun = search.resume(monitor.checkpoints().and_then(|kept| kept.past()));
    let stop = begun.and_then(|()| search.start()).and_then(|()| search.run(monitor)).err();
    if stop.is_some_and(Stop::can_go_on) {
        search.keep(monitor, false);
    }
    search.finish(stop)
}

impl<G: Graph, S: StateSet> Search<'_, G, S> {
    /// Resumes from the tree of a checkpoint.
    fn resume(&mut self, past: Option<Past>) -> Result<(), Stop> {
        let Some(Past { states, transitions, contents, .. }) = past else { return Ok(()) };
        let Known::Log([families, gaps]) = contents else { return Err(Stop::Checkpoint) };
        self.tree = SpanningTree::restore(families, gaps).ok_or(Stop::Checkpoint)?;
        self.awaited = Some(Counts { states, transitions });
        Ok(())
    }

    /// Writes a checkpoint; with `asked`, only if the monitor requests one. During a replay the
    /// existing checkpoint remains valid and none is written.
    fn keep(&self, monitor: &mut impl Monitor, asked: bool) {
        let Some(keeper) = monitor.checkpoints().and_then(|kept| kept.keeper()) else { return };
        if self.awaited.is_none() && self.expanded > 0 && (!asked || keeper.due()) {
            let (states, transitions) = (self.discovered, self.transitions);
            keeper.keep(&Checkpoint {
                about: "",
                states,
                transitions,
                contents: Contents::Log(self.tree.strings()),
            });
        }
    }

    fn start(&mut self) -> Result<(), Stop> {
        let mut faults = Vec::new();
        let initial = self.stepper.initial(&mut faults);
        for fault in &faults {
            self.violations.note(fault, Found::Start, self.stepper, &initial, Vec::new);
        }
        self.set.insert(&initial, &mut Vec::new()).map_err(|_| Stop::Memory)?;
        self.transitions = 1;
        if self.violations.full() { Err(Stop::Errors) } else { Ok(()) }
    }

    fn run(&mut self, monitor: &mut impl Monitor) -> Result<(), Stop> {
        let (mut sources, mut batch, mut fresh) = (Vec::new(), Batch::default(), Vec::new());
        batch.most = most_in_flight(&self.options.limits, self.memory().total());
        batch.interrupt = monitor.interrupt();
        for round in 1u64.. {
            if self.expanded == self.tree.expanded()
                && let Some(counts) = self.awaited.take()
                && counts != (Counts { states: self.discovered, transitions: self.transitions })
            {
                return Err(Stop::Checkpoint);
            }
            if self.options.limits.states.is_some_and(|limit| self.set.len() >= limit)
                && self.expanded < self.set.len()
            {
                return Err(Stop::States);
            }
            sources.clear();
            let last_level = self.options.limits.depth == Some(self.level);
            let mut most = if self.options.limits.depth.is_some() || self.pauses {
                BATCH.min((self.level_end - self.expanded) as usize)
            } else {
                BATCH
            };
            let behind = self.tree.expanded() - self.expanded;
            if behind > 0 {
                most = most.min(usize::try_from(behind).unwrap_or(BATCH));
            }
            if self.set.take(most, &mut sources) == 0 {
                if behind > 0 {
                    return Err(Stop::Checkpoint);
                }
                return if self.truncated { Err(Stop::Depth) } else { Ok(()) };
            }
            expand(self.stepper, self.set, &mut sources, &mut batch)?;
            if last_level {
                self.truncated |= batch.without_steps();
            }
            fresh.clear();
            let inserted = match behind {
                0 => {
                    let inserted = self.set.insert_successors(&batch.states, &batch.ends, &mut fresh);
                    inserted.map_err(|_| Stop::Memory)
                }
                _ => self.replay_batch(&batch, &mut fresh),
            };
            self.note_faults(&sources, &batch);
            inserted?;
            self.record(&batch, &fresh, behind > 0);
            if self.violations.full() {
                return Err(Stop::Errors);
            }
            if std::mem::take(&mut self.is_pause_due) {
                monitor.pause(&self.progress()).map_or(Ok(()), Err)?;
                self.pause_at = monitor.pause_at();
                self.pauses = self.pauses_after_level();
            }
            if round.is_multiple_of(WATCH) {
                self.watch(monitor)?;
                batch.most = most_in_flight(&self.options.limits, self.memory().total());
                self.keep(monitor, true);
            }
        }
        unreachable!("a search ends before 2^64 batches")
    }

    /// Inserts exactly the successors that were new before the checkpoint.
    fn replay_batch(&mut self, batch: &Batch<G::Site>, fresh: &mut Vec<bool>) -> Result<(), Stop> {
        let width = self.stepper.width();
        let (mut positions, mut states, mut new) = (Vec::new(), Vec::new(), Vec::new());
        fresh.resize(batch.states.len() / width, false);
        for source in 0..batch.ends.len() {
            let range = batch.range(source);
            positions.clear();
            self.tree.next_family(&mut self.cursor, &mut positions);
            for &position in &positions {
                let at = range.start + position as usize;
                if at >= range.end {
                    return Err(Stop::Checkpoint);
                }
                fresh[at] = true;
                states.extend_from_slice(&batch.states[at * width..(at + 1) * width]);
            }
        }
        self.set.insert(&states, &mut new).map_err(|_| Stop::Memory)?;
        if new.iter().all(|&new| new) { Ok(()) } else { Err(Stop::Checkpoint) }
    }

    fn note_faults(&mut self, sources: &[u8], batch: &Batch<G::Site>) {
        let width = self.stepper.width();
        for fault in &batch.faults {
            let source = fault.source as usize;
            let number = self.expanded + u64::from(fault.source);
            let found = match fault.successor {
                Some(position) => Found::Step(position - batch.range(source).start as u32),
                None => Found::State,
            };
            let state = &sources[source * width..(source + 1) * width];
            self.violations.note(fault, found, self.stepper, state, || self.tree.path(number));
        }
    }

    /// Adds a batch to the tree, unless the tree already contains it, and updates the level
    /// counters.
    #[inline]
    fn record(&mut self, batch: &Batch<G::Site>, fresh: &[bool], known: bool) {
        let mut start = 0;
        for &end in &batch.ends {
            if self.expanded == self.level_end {
                self.next_level();
            }
            let fresh = &fresh[start..end as usize];
            self.discovered += match known {
                true => fresh.iter().filter(|&&fresh| fresh).count() as u64,
                false => self.tree.record(fresh),
            };
            self.expanded += 1;
            start = end as usize;
        }
        if self.expanded == self.level_end && self.discovered > self.level_end {
            self.next_level();
        }
        self.transitions += fresh.len() as u64;
    }

    /// Begins the level of the states discovered so far.
    #[inline]
    fn next_level(&mut self) {
        self.level += 1;
        self.level_end = self.discovered;
        self.is_pause_due = self.pauses;
        self.pauses = self.pauses_after_level();
    }

    /// Whether there were enough states at the beginning of the level. A search that catches up
    /// with a checkpoint does not pause.
    fn pauses_after_level(&self) -> bool {
        self.awaited.is_none() && self.pause_at.is_some_and(|states| self.level_end >= states)
    }

    fn progress(&self) -> Progress {
        Progress {
            states: self.set.len(),
            expanded: self.expanded,
            transitions: self.transitions,
            depth: self.level,
            violations: self.violations.len(),
            memory: self.memory().total(),
            ..Progress::default()
        }
    }

    fn watch(&mut self, monitor: &mut impl Monitor) -> Result<(), Stop> {
        check_limits(&self.progress(), &self.options.limits, monitor)
    }

    fn memory(&self) -> Memory {
        Memory { states: self.set.memory(), paths: self.tree.memory() }
    }

    fn finish(self, stop: Option<Stop>) -> Outcome<G::Site> {
        let memory = self.memory();
        let (violations, found) = self.violations.finish();
        Outcome {
            states: self.set.len(),
            transitions: self.transitions,
            depth: self.level,
            violations,
            found,
            stop,
            taken: self.stepper.taken().to_vec(),
            memory,
        }
    }
}
