//! The expansion of a state in parts: transitions of threads that are memoised are applied, others are
//! executed.
//!
//! *Entry point:* [`Stepper::expand_memoised`].
//! *Invariant:* the successors, their order and the faults are those of `Stepper::expand_whole`.

use std::sync::Arc;

use axle_c::Program;
use axle_step::{Batch, Grow};

use super::{GRAIN, Stepper, push_padded};
use crate::explore::{Expansion, ThreadOutcome, check_deadlock, thread_transitions};
use crate::memo::components::{Components, word};
use crate::memo::leaf::{ENDED, SLOW, UNKNOWN, VISIBLE};
use crate::memo::leaf_log::LeafLog;
use crate::memo::part_log::PartLog;
use crate::memo::question::View;
use crate::memo::set_cache::{Expanded, SetCache};
use crate::memo::{Memo, Tools};
use crate::observers::recorders::Machine;
use crate::races::{any_race, races};
use crate::state::access::Access;
use crate::state::error_site::{ErrorSite, ProgramSite};
use crate::state::settings::Settings;

/// The work of memoising a transition beside its execution, in steps.
const LEARNING_WORK: u64 = 200;

/// The tables of memoisation.
#[derive(Default)]
pub(super) struct MemoTables {
    pub components: Components,
    pub memo: Memo,
    /// Lists of the state that is expanded, which keep their memory: errors, enabled accesses, blocked
    /// threads.
    found_errors: Vec<ErrorSite>,
    footprints: Vec<(usize, Access)>,
    blocked: Vec<bool>,
    /// The leaf of each thread.
    leaves: Vec<u32>,
    /// Where the successors of each thread begin.
    starts: Vec<usize>,
    /// The number of successors of each thread.
    made: Vec<u32>,
    sets: SetCache,
    /// The threads that can move, the likeliest to leave a loop first.
    movers: Vec<usize>,
    /// The tables that are copied into these before they are used. They are kept afterwards: a thread
    /// that freed them would use allocations of another thread again, whose allocator it would then wait
    /// for.
    inherits: Option<Arc<Inheritance>>,
}

/// The tables with which the steppers of a search by several threads begin. Each thread copies them
/// itself, because the allocator has a lock for the memory of each thread.
#[derive(Debug)]
pub(super) struct Inheritance {
    pub components: Components,
    pub memo: Memo,
    pub parts: Arc<PartLog>,
    pub leaves: Arc<LeafLog>,
}

impl MemoTables {
    pub fn new(settings: &Settings, mut components: Components) -> MemoTables {
        components.needs_accesses = settings.persistent_sets;
        MemoTables { components, ..MemoTables::default() }
    }

    /// Tables that begin as copies of others.
    pub fn inheriting(settings: &Settings, inherited: Arc<Inheritance>) -> MemoTables {
        MemoTables { inherits: Some(inherited), ..MemoTables::new(settings, Components::default()) }
    }

    /// Adds what other threads have learnt.
    pub fn prepare(&mut self) {
        if let Some(inherited) = &self.inherits
            && self.memo.log.is_none()
        {
            self.components.inherit(&inherited.components, &inherited.parts);
            self.memo.inherit(&inherited.memo, &inherited.leaves);
        }
        let Some(log) = &self.memo.log else { return };
        let leaves = log.since(self.memo.seen);
        self.memo.seen += leaves.len();
        self.components.catch_up();
        leaves.iter().for_each(|learnt| self.memo.receive(&mut self.components, learnt));
    }
}

/// The expansion of one state.
struct Parts<'a, 'p> {
    program: &'p Program,
    state: &'a [u8],
    /// The state once it is decoded, and machines to work with.
    machine: &'a mut Machine<'p>,
    copy: &'a mut Machine<'p>,
    spare: &'a mut (Machine<'p>, Machine<'p>),
    tables: &'a mut MemoTables,
    /// The steps that any expansion has executed.
    taken: &'a mut [Vec<bool>],
    /// The successors, and their number.
    states: &'a mut Vec<u8>,
    count: &'a mut u32,
    /// Whether `machine` has the state, which is decoded once something has to be executed.
    is_decoded: bool,
    /// Whether data races are looked for in this state.
    asks_races: bool,
    /// Some input was tried with a few of its values only.
    restricted: bool,
    /// The width of a successor that is wider than the others.
    grows: Option<usize>,
    whole: ThreadOutcome,
    expansion: Expansion,
}

impl<'p> Parts<'_, 'p> {
    /// Looks up the leaves of all threads before any is applied: so one look-up need not wait for the
    /// memory that another is read from.
    fn look_up(&mut self) {
        let MemoTables { components, memo, leaves, .. } = &mut *self.tables;
        let shape = &components.shapes[word(self.state, 0) as usize];
        let view = View::new(components, self.state);
        let look_up = |(t, ended)| if ended { ENDED } else { memo.find(components, &view, t, VISIBLE) };
        leaves.clear();
        leaves.extend(shape.threads.iter().map(|thread| thread.1).enumerate().map(look_up));
    }

    fn decode(&mut self) {
        if !self.is_decoded {
            self.tables.components.take(self.program, self.state, &mut self.machine.state);
            self.is_decoded = true;
        }
    }

    /// The transitions of a thread.
    fn expand_thread(&mut self, t: usize) {
        let known = self.tables.leaves[t];
        self.tables.starts.push(self.states.len());
        if known == ENDED {
            self.tables.made.push(0);
            self.tables.blocked.push(false);
            return;
        }
        let record = word(self.state, 8 + 4 * t);
        self.restricted |= self.tables.components.hot[record as usize].restricted;
        let known = match known {
            UNKNOWN | SLOW => self.learn(t, known),
            _ => {
                self.tables.memo.learning.find(record);
                known
            }
        };
        let before = *self.count;
        let is_applied = known != SLOW && self.apply(t, known);
        self.tables.leaves[t] = if is_applied { known } else { SLOW };
        if !is_applied {
            self.execute(t);
        }
        self.tables.made.push(*self.count - before);
    }

    /// Memoises the transitions of a thread if that pays: the new leaf.
    fn learn(&mut self, t: usize, known: u32) -> u32 {
        self.decode();
        let MemoTables { components, memo, .. } = &mut *self.tables;
        if known != UNKNOWN || !memo.learning.wants(word(self.state, 8 + 4 * t)) {
            return SLOW;
        }
        self.copy.work += LEARNING_WORK;
        let mut mark = |code: u32, pc: u32| self.taken[code as usize][pc as usize] = true;
        memo.learn(components, self.state, (self.machine, self.copy), t, &mut mark)
    }

    /// Applies the transitions of a leaf; false if they have to be executed.
    fn apply(&mut self, t: usize, known: u32) -> bool {
        let MemoTables { components, memo, footprints, blocked, .. } = &mut *self.tables;
        let made = if memo.leaf(known).plain {
            let header = components.shapes[word(self.state, 0) as usize].header;
            let leaf = memo.leaf(known);
            memo.make_plain(header, self.state, (t, leaf), self.states);
            Some(leaf.count)
        } else {
            let mut mark = |code: u32, pc: u32| self.taken[code as usize][pc as usize] = true;
            let mut tools = Tools { spare: self.spare, mark: &mut mark };
            memo.make(self.program, components, self.state, (t, known), self.states, &mut tools)
        };
        let Some(made) = made else { return false };
        let leaf = memo.leaf(known);
        *self.count += made;
        self.whole.progress |= leaf.progress;
        self.whole.looks &= leaf.looks && (leaf.stuck || !leaf.gets_out());
        blocked.push(leaf.stuck);
        if self.asks_races {
            footprints.extend(leaf.footprint.iter().map(|&access| (t, access)));
        }
        true
    }

    /// Executes the transitions of a thread.
    fn execute(&mut self, t: usize) {
        self.decode();
        let MemoTables { components, footprints, blocked, found_errors, .. } = &mut *self.tables;
        if self.asks_races {
            footprints.extend(self.machine.footprint(t).into_iter().map(|access| (t, access)));
        }
        let mut mark = |code: u32, pc: u32| self.taken[code as usize][pc as usize] = true;
        let mut put = |machine: &Machine<'p>| components.put(machine);
        let (copy, expansion) = ((&mut *self.copy, &mut true), &mut self.expansion);
        let outcome =
            thread_transitions(self.machine, Some(self.state), copy, t, expansion, &mut mark, &mut put);
        self.whole.progress |= outcome.progress;
        self.whole.looks &= outcome.looks;
        blocked.push(outcome.stuck);
        for transition in self.expansion.transitions.drain(..) {
            match transition.result {
                Ok(bytes) if bytes.len() > self.state.len() => self.grows = Some(bytes.len()),
                Ok(bytes) => {
                    push_padded(self.states, &bytes, self.state.len());
                    *self.count += 1;
                }
                Err(error_site) => found_errors.push(error_site),
            }
        }
    }

    /// The errors of the state itself: races, deadlocks, livelocks. With persistent sets it removes the
    /// successors of the other threads.
    fn judge(&mut self, settings: &Settings, is_parallel: bool) -> Vec<ErrorSite> {
        let is_racy = self.asks_races && any_race(&self.tables.footprints);
        let may_spin = self.may_spin();
        if is_racy || may_spin || !self.whole.progress {
            self.decode();
        }
        let mut error_sites = Vec::new();
        if is_racy {
            races(self.machine, &mut error_sites);
        }
        let MemoTables { components, blocked, starts, made, sets, .. } = &mut *self.tables;
        let enabled = || made.iter().filter(|&&made| made > 0).count();
        if settings.persistent_sets && is_parallel && enabled() > 1 {
            let expanded = Expanded { state: self.state, blocked, successors: self.states, starts, made };
            if let Some(set) = sets.set(self.program, components, expanded) {
                *self.count -= keep_threads(self.states, starts, made, set);
            }
        }
        error_sites.append(&mut self.expansion.error_sites);
        if may_spin || !self.whole.progress {
            check_deadlock(self.machine, &self.whole, blocked, &mut error_sites);
        }
        error_sites
    }

    /// Whether all threads that can move may be in loops that wait.
    fn may_spin(&mut self) -> bool {
        let MemoTables { components, memo, blocked, leaves, starts, made, movers, .. } = &mut *self.tables;
        let (state, states) = (self.state, &*self.states);
        let next = |t: usize| {
            let next = states.get(starts[t]..starts[t] + state.len());
            next.filter(|_| made[t] == 1)
        };
        let mut mark = |code: u32, pc: u32| self.taken[code as usize][pc as usize] = true;
        let mut tools = Tools { spare: self.spare, mark: &mut mark };
        memo.expanded += 1;
        if !self.whole.looks {
            memo.continue_chains(self.program, components, state, leaves.len(), next, &mut tools);
            return false;
        }
        movers.clear();
        movers.extend((0..leaves.len()).filter(|&t| !blocked[t] && leaves[t] != ENDED));
        !memo.excludes_spins(self.program, components, state, (movers, leaves), next, &mut tools)
    }
}

impl<'p> Stepper<'p> {
    /// Expands a state in parts.
    pub(super) fn expand_memoised(
        &mut self,
        state: &[u8],
        [(machine, copy), spare]: &mut [(Machine<'p>, Machine<'p>); 2],
        tables: &mut MemoTables,
        (source, count): (u32, &mut u32),
        out: &mut Batch<ProgramSite>,
    ) -> Result<(), Grow> {
        let shape = &tables.components.shapes[word(state, 0) as usize];
        let (threads, is_parallel) = (shape.threads.len(), shape.running > 1);
        self.note_lost(&shape.lost);
        tables.found_errors.clear();
        tables.footprints.clear();
        tables.blocked.clear();
        tables.starts.clear();
        tables.made.clear();
        let mut parts = Parts {
            program: self.program,
            state,
            machine,
            copy,
            spare,
            tables,
            taken: &mut self.taken,
            states: &mut out.states,
            count,
            is_decoded: false,
            asks_races: self.settings.races && is_parallel,
            restricted: false,
            grows: None,
            whole: ThreadOutcome { stuck: false, progress: false, looks: true },
            expansion: Expansion::default(),
        };
        parts.look_up();
        (0..threads).for_each(|t| parts.expand_thread(t));
        self.restricted |= parts.restricted;
        if let Some(width) = parts.grows {
            return Err(Grow { size: width.div_ceil(GRAIN) });
        }
        let error_sites = parts.judge(self.settings, is_parallel);
        let lost = parts.expansion.lost;
        self.note_lost(&lost);
        for error_site in error_sites.into_iter().chain(tables.found_errors.drain(..)) {
            out.faults.extend(self.fault(error_site, source));
        }
        Ok(())
    }
}

/// Removes the successors of the threads that are not in a set. `starts`: where those of each thread
/// begin; `made`: how many there are. Returns how many are removed.
fn keep_threads(states: &mut Vec<u8>, starts: &[usize], made: &[u32], set: u64) -> u32 {
    let (mut removed, mut to) = (0, starts[0]);
    for (t, &from) in starts.iter().enumerate() {
        let end = starts.get(t + 1).copied().unwrap_or(states.len());
        if set >> t & 1 == 1 {
            states.copy_within(from..end, to);
            to += end - from;
        } else {
            removed += made[t];
        }
    }
    states.truncate(to);
    removed
}
