//! Verifies a certificate.
//!
//! *Entry point:* [`verify`].
//!
//! All states of the file are inserted into an exact set ([`crate::table`]). Each state is then
//! expanded: violations are reported, and each successor is looked up. The order is irrelevant and
//! the set is read-only, so threads share the work. If a check fails, the interpreter repeats it
//! state by state and determines the reported reason. The first failure in the order of the set is
//! reported, independent of thread scheduling.
//!
//! *Source:* Floyd and Hoare (inductive invariants); Namjoshi, "Certifying model checkers", CAV
//! 2001.
//! *Invariant:* a set that contains the initial state, is closed under transitions and has no
//! violation proves the claim.

use std::collections::BTreeSet;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axle_model::Model;
use axle_model::dump::fingerprint;
use axle_step::memo::footprints::Footprints;
use axle_step::{Batch, Compiled, Fault, FaultKind, Interpreter, Layout, Options, Successors};

use crate::format::{Account, Claim, HEAD, Head, Refused, checksum};
use crate::packing::Packing;
use crate::table::Table;
use crate::{delta, sound};

/// Number of states expanded together.
const BATCH: usize = 64;

/// Number of positions of the set that a thread takes at once.
const CHUNK: u64 = 8192;

/// One batch in this many, starting with the first, is repeated by the interpreter alone.
const SAMPLE: u64 = 512;

/// Maximum size of the successors of a batch in bytes: a set that is no proof may have states with
/// any number of successors.
const MOST_BYTES: usize = 1 << 30;

/// The engine that computes successors.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Engine {
    /// The interpreter alone. It memoises a transition for all states that agree in its read set.
    #[default]
    Interpreter,
    /// Compiled code, with a sample repeated by the interpreter. It is faster, but more code must
    /// be trusted.
    Compiled,
}

/// Options of the verification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct How {
    /// The engine that computes successors.
    pub engine: Engine,
    /// Number of threads, at least one.
    pub threads: usize,
}

/// The result of an accepted certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certified {
    /// The claim, which is proved.
    pub claim: Claim,
    /// Number of states.
    pub states: u64,
    /// Number of transitions between them.
    pub steps: u64,
    /// Memory of the set in bytes.
    pub memory: u64,
}

/// Verifies the claim of a certificate about this model.
pub fn verify(model: &Arc<Model>, file: &mut (impl Read + Seek), how: How) -> Result<Certified, Refused> {
    let claim = Claim::read(file)?;
    if claim.fingerprint != fingerprint(model) {
        return Err(Refused::OtherModel(claim.model));
    }
    let begin = file.stream_position()?;
    let (account, end) = Account::read(file)?;
    let text = claim.text();
    if text.len() as u64 != begin || checksum([text.as_bytes(), &[]]) != account.text {
        return Err(Refused::Damaged(0, "wrong checksum of the text header"));
    }
    file.seek(SeekFrom::Start(begin))?;

    let options = Options {
        truncation: !claim.excludes.contains(&FaultKind::Truncation),
        messages_left: !claim.excludes.contains(&FaultKind::MessagesLeft),
        ..Options::default()
    };
    let mut interpreter = Interpreter::new(Arc::clone(model), options);
    make_room(&mut interpreter, model, &account)?;
    let packing = Packing::new(&account.base, &account.mask);
    let table = load(model, interpreter.layout(), file, (begin, end), &account, &packing)?;

    let set = Set { model, table, packing, excludes: &claim.excludes };
    set.starts(&mut interpreter)?;
    let steps = set.closed(&interpreter, options, how)?;
    if steps != account.steps {
        return Err(Refused::Account("number of transitions"));
    }
    let (states, memory) = (set.table.len(), set.table.memory());
    Ok(Certified { claim, states, steps, memory })
}

/// Reserves the number of process slots given in the account.
fn make_room(interpreter: &mut Interpreter, model: &Model, account: &Account) -> Result<(), Refused> {
    let (wanted, there) = (account.slots as usize, interpreter.layout().slots.len());
    let most = 2 * model.semantics.max_processes as usize + 64;
    if wanted > there && wanted <= most && interpreter.layout().can_grow() {
        interpreter.grow(wanted);
    }
    let layout = interpreter.layout();
    match layout.slots.len() == wanted && layout.width() == account.base.len() {
        true => Ok(()),
        false => Err(Refused::Account("width of states")),
    }
}

/// Reads all states between two offsets of the file.
fn load(
    model: &Model,
    layout: &Layout,
    file: &mut impl Read,
    (mut at, end): (u64, u64),
    account: &Account,
    packing: &Packing,
) -> Result<Table, Refused> {
    let no_memory = || Refused::Memory(account.states);
    let mut table = Table::new(account.states, packing.words()).ok_or_else(no_memory)?;
    let (mut inside, mut states, mut rows, mut homes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let wide = layout.width();
    while at < end {
        let head = Head::read(file, at, &mut inside)?;
        let width = head.width as usize;
        let (fits, count) = (width <= wide && width.is_multiple_of(4), head.states as usize);
        states.clear();
        // A state takes at least two bytes: memory is bounded by the size of the file.
        let whole = fits && count > 0 && count <= inside.len();
        if !whole || delta::decode(&inside, count, width, wide, &mut states).is_none() {
            return Err(Refused::Damaged(at, "block without states"));
        }
        at += (HEAD + inside.len()) as u64;
        for some in states.chunks(BATCH * wide) {
            rows.clear();
            for (index, state) in some.chunks_exact(wide).enumerate() {
                let number = || table.len() + 1 + index as u64;
                if let Some(why) = sound::fault(model, layout, state) {
                    return Err(Refused::NoState(number(), why));
                }
                let start = rows.len();
                rows.resize(start + packing.words(), 0);
                let packed = match index {
                    0 => packing.pack(state, &mut rows),
                    // Similar to the preceding state.
                    _ => {
                        rows.copy_within(start - packing.words()..start, start);
                        packing.pack_near(&some[(index - 1) * wide..][..wide], state, &mut rows[start..])
                    }
                };
                if !packed {
                    return Err(Refused::NoState(
                        number(),
                        "a bit varies that is constant according to the account",
                    ));
                }
            }
            std::hint::black_box(table.approach(&rows, &mut homes));
            for (row, &home) in rows.chunks_exact(packing.words()).zip(&homes) {
                if table.len() == account.states {
                    return Err(Refused::Account("the blocks contain more states"));
                }
                if !table.insert(row, home) {
                    return Err(Refused::Twice(table.len() + 1));
                }
            }
        }
    }
    if at != end {
        return Err(Refused::Damaged(at, "a block overlaps the account"));
    }
    match table.len() == account.states {
        true => Ok(table),
        false => Err(Refused::Account("the blocks contain fewer states")),
    }
}

/// The states of a certificate, and the claim about them.
struct Set<'a> {
    model: &'a Arc<Model>,
    table: Table,
    packing: Packing,
    excludes: &'a BTreeSet<FaultKind>,
}

impl Set<'_> {
    /// Checks that the set contains the initial state and that reaching it causes no violation.
    fn starts(&self, interpreter: &mut Interpreter) -> Result<(), Refused> {
        let mut faults = Vec::new();
        let initial = interpreter.initial(&mut faults);
        if let Some(fault) = faults.iter().find(|fault| !self.excludes.contains(&fault.site.kind)) {
            return Err(Refused::Fault { kind: fault.site.kind, state: "the initial values".into() });
        }
        let mut row = vec![0; self.packing.words()];
        match self.packing.pack(&initial, &mut row) && self.all_in(&row, &mut Vec::new()) {
            true => Ok(()),
            false => Err(Refused::NoStart),
        }
    }

    /// Whether the set contains all of these packed states.
    fn all_in(&self, rows: &[u64], homes: &mut Vec<u64>) -> bool {
        std::hint::black_box(self.table.approach(rows, homes));
        rows.chunks_exact(self.packing.words())
            .zip(homes.iter())
            .all(|(row, home)| self.table.contains(row, *home))
    }

    /// Checks that no state has a violation and that the set is closed; returns the number of
    /// transitions.
    fn closed(&self, interpreter: &Interpreter, options: Options, how: How) -> Result<u64, Refused> {
        // The next chunk, and the first chunk with a failure.
        let (next, first) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
        let work = || self.work(interpreter.clone(), options, how.engine, &next, &first);
        let results: Vec<Worked> = std::thread::scope(|scope| {
            let others: Vec<_> = (1..how.threads).map(|_| scope.spawn(work)).collect();
            let own = work();
            let join = |other: std::thread::ScopedJoinHandle<Worked>| match other.join() {
                Ok(worked) => worked,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            others.into_iter().map(join).chain([own]).collect()
        });
        let steps = results.iter().map(|(made, _)| made).sum();
        let amiss = results.into_iter().filter_map(|(_, refused)| refused);
        match amiss.min_by_key(|(chunk, _)| *chunk) {
            Some((_, why)) => Err(why),
            None => Ok(steps),
        }
    }

    /// The work of one thread: takes chunks until there are none, or an earlier one has a failure.
    fn work(
        &self,
        interpreter: Interpreter,
        options: Options,
        engine: Engine,
        next: &AtomicU64,
        first: &AtomicU64,
    ) -> Worked {
        let mut compiled = match engine {
            Engine::Interpreter => None,
            Engine::Compiled => match Compiled::new(Arc::clone(self.model), options) {
                Ok(compiled) => Some(compiled),
                Err(why) => return (0, Some((0, Refused::NotCompiled(why.to_string())))),
            },
        };
        let slots = interpreter.layout().slots.len();
        if let Some(compiled) = compiled.as_mut().filter(|compiled| compiled.size() < slots) {
            compiled.grow(slots);
        }
        let mut expanding = Expanding {
            set: self,
            moves: Footprints::new(slots),
            interpreter,
            compiled,
            made: Batch { most: Some(MOST_BYTES), ..Batch::default() },
            to: Vec::new(),
            homes: Vec::new(),
            bits: Vec::new(),
            batches: 0,
        };
        let (mut steps, mut rows) = (0, Vec::new());
        loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            let (from, to) = (chunk * CHUNK, ((chunk + 1) * CHUNK).min(self.table.places()));
            if from >= to || chunk > first.load(Ordering::Relaxed) {
                return (steps, None);
            }
            rows.clear();
            (from..to).filter_map(|place| self.table.at(place)).for_each(|row| rows.extend_from_slice(row));
            for rows in rows.chunks(BATCH * self.packing.words()) {
                match expanding.expand(rows) {
                    Ok(made) => steps += made,
                    Err(why) => {
                        first.fetch_min(chunk, Ordering::Relaxed);
                        return (steps, Some((chunk, why)));
                    }
                }
            }
        }
    }
}

/// The number of transitions checked by a thread, and its failure with the chunk.
type Worked = (u64, Option<(u64, Refused)>);

/// The state of a worker thread.
struct Expanding<'a> {
    set: &'a Set<'a>,
    interpreter: Interpreter,
    compiled: Option<Compiled>,
    /// Memoised transitions of the interpreter.
    moves: Footprints,
    made: Batch,
    /// Packed successors, and their home positions.
    to: Vec<u64>,
    homes: Vec<u64>,
    /// The read set of a transition.
    bits: Vec<u64>,
    batches: u64,
}

impl Expanding<'_> {
    /// Checks some packed states and their transitions; returns the number of transitions.
    fn expand(&mut self, rows: &[u64]) -> Result<u64, Refused> {
        let mut to = std::mem::take(&mut self.to);
        to.clear();
        let made = match self.compiled {
            Some(_) => self.by_code(rows, &mut to),
            None => self.by_moves(rows, &mut to),
        };
        if !made || !self.set.all_in(&to, &mut self.homes) {
            return Err(self.amiss(rows));
        }
        if self.batches.is_multiple_of(SAMPLE) {
            let (mut all, words) = (Vec::with_capacity(to.len()), self.set.packing.words());
            let again = rows.chunks_exact(words).all(|row| self.by_all(row, &mut all));
            let sorted = |rows: &[u64]| {
                let mut rows: Vec<Vec<u64>> = rows.chunks_exact(words).map(<[u64]>::to_vec).collect();
                rows.sort_unstable();
                rows
            };
            if !again || sorted(&all) != sorted(&to) {
                return Err(Refused::Engines("the successors of a state".into()));
            }
        }
        self.batches += 1;
        let steps = to.len() / self.set.packing.words();
        self.to = to;
        Ok(steps as u64)
    }

    /// Appends the packed successors of a state, all computed by the interpreter; false if a check
    /// fails.
    fn by_all(&mut self, row: &[u64], to: &mut Vec<u64>) -> bool {
        let state = self.set.packing.unpacked(row);
        let done = self.interpreter.expand(&state, &mut self.made).is_ok();
        done && self.take(&state, row, to)
    }

    /// The same for several states by compiled code.
    fn by_code(&mut self, rows: &[u64], to: &mut Vec<u64>) -> bool {
        let packing = &self.set.packing;
        let states: Vec<u8> =
            rows.chunks_exact(packing.words()).flat_map(|row| packing.unpacked(row)).collect();
        let done = self.compiled.as_mut().is_some_and(|code| code.expand(&states, &mut self.made).is_ok());
        done && self.take(&states, rows, to)
    }

    /// The same, process by process. Each part of the transitions of a process is memoised for all
    /// states that agree in its read set, so that memoised data stays in the cache.
    fn by_moves(&mut self, rows: &[u64], to: &mut Vec<u64>) -> bool {
        let words = self.set.packing.words();
        if self.moves.is_full() {
            self.moves = Footprints::new(self.interpreter.layout().slots.len());
        }
        let mut moved = vec![false; rows.len() / words];
        for pid in 0..self.interpreter.layout().slots.len() as u32 {
            for (row, moved) in rows.chunks_exact(words).zip(&mut moved) {
                let (first, parts) = match self.moves.get(pid, row) {
                    Some(parts) => parts,
                    None => self.learn_parts(pid, row),
                };
                for part in 0..parts {
                    let tree = first + part;
                    let known = match self.moves.get(tree, row) {
                        Some(known) => known,
                        None => match self.learn(pid, part as usize, tree, row) {
                            Some(made) => made,
                            None => return false,
                        },
                    };
                    *moved |= known.0 < known.1;
                    for change in self.moves.result(known).chunks_exact(words) {
                        to.extend(change.iter().zip(row).map(|(change, row)| change ^ row));
                    }
                }
            }
        }
        // If no process can execute, the state may be an end state or `timeout` may be enabled.
        rows.chunks_exact(words).zip(moved).all(|(row, moved)| moved || self.by_all(row, to))
    }

    /// A decision tree for each part of the transitions of a process.
    fn learn_parts(&mut self, pid: u32, row: &[u64]) -> (u32, u32) {
        let state = self.set.packing.unpacked(row);
        let count = self.interpreter.parts_watched(&state, pid, &mut self.bits);
        let parts = (self.moves.trees(count), count as u32);
        self.moves.put(pid, row, &self.set.packing.project(&self.bits), parts);
        parts
    }

    /// Computes a part of the transitions of a process with the interpreter and memoises their
    /// effect; `None` if a check fails.
    fn learn(&mut self, pid: u32, part: usize, tree: u32, row: &[u64]) -> Option<(u32, u32)> {
        let (packing, mut changes) = (&self.set.packing, Vec::new());
        let state = packing.unpacked(row);
        let done = self.interpreter.expand_watched(&state, pid, part, &mut self.made, &mut self.bits);
        if done.is_err() || !self.take(&state, row, &mut changes) {
            return None;
        }
        changes
            .chunks_exact_mut(row.len())
            .for_each(|to| to.iter_mut().zip(row).for_each(|(to, row)| *to ^= row));
        let kept = self.moves.keep(&changes);
        self.moves.put(tree, row, &packing.project(&self.bits), kept);
        Some(kept)
    }

    /// Packs the successors of some states; false if a check fails.
    fn take(&self, states: &[u8], rows: &[u64], to: &mut Vec<u64>) -> bool {
        let (packing, made) = (&self.set.packing, &self.made);
        let wrong = |fault: &Fault| !self.set.excludes.contains(&fault.site.kind);
        if made.cut.is_some() || made.faults.iter().any(wrong) {
            return false;
        }
        let sources = states.chunks_exact(packing.width()).zip(rows.chunks_exact(packing.words()));
        sources.enumerate().all(|(number, (state, row))| {
            let range = made.range(number);
            let successors = &made.states[range.start * state.len()..range.end * state.len()];
            successors.chunks_exact(state.len()).all(|successor| {
                let start = to.len();
                to.extend_from_slice(row);
                packing.pack_near(state, successor, &mut to[start..])
            })
        })
    }

    /// The interpreter's reason for the first failing state.
    fn amiss(&mut self, rows: &[u64]) -> Refused {
        for row in rows.chunks_exact(self.set.packing.words()) {
            let state = self.set.packing.unpacked(row);
            let (mut to, whole) = (Vec::new(), self.interpreter.expand(&state, &mut self.made).is_ok());
            let fault = self.made.faults.iter().find(|fault| !self.set.excludes.contains(&fault.site.kind));
            if self.made.cut.is_some() {
                return Refused::TooManySteps;
            } else if let Some(fault) = fault {
                return Refused::Fault { kind: fault.site.kind, state: describe(&self.interpreter, &state) };
            } else if !whole || !self.take(&state, row, &mut to) || !self.set.all_in(&to, &mut self.homes) {
                return Refused::NotClosed(describe(&self.interpreter, &state));
            }
        }
        Refused::Engines("violations".into())
    }
}

/// A state in one line: process locations and the first few variables.
fn describe(interpreter: &Interpreter, state: &[u8]) -> String {
    let view = interpreter.view(state);
    let at = view.processes().into_iter().map(|process| format!("{} at {}", process.name, process.location));
    let all = view.globals();
    let values = all.iter().take(12).map(|value| format!("{} = {}", value.name, value.shown));
    at.take(12).chain(values).collect::<Vec<String>>().join(", ")
}
