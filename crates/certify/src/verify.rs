//! Looks whether a certificate is a proof. Main function: [`verify`].
//!
//! All states of the file go into an exact set ([`crate::table`]). Then each of them is expanded by itself: what goes
//! wrong there is looked at, and each successor is looked up. No order matters and nothing is written any more, so
//! threads share the work. Where something is amiss the interpreter is asked again, state by state, and what it says
//! is reported: of several the first in the order of the set, whatever the threads did.
//!
//! Source: that a set which holds the initial states and is closed under steps is a proof of what holds in it is
//! Floyd's and Hoare's invariant; Namjoshi, "Certifying model checkers" (CAV 2001), is the first to ask a model checker
//! for it.

use std::collections::BTreeSet;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axle_model::Model;
use axle_step::{Batch, Compiled, FaultKind, Interpreter, Layout, Options, Selective, Successors};

use crate::footprint::Footprints;
use crate::format::{Account, Claim, HEAD, Head, Refused, checksum, fingerprint};
use crate::moves::Moves;
use crate::packing::Packing;
use crate::table::Table;
use crate::{delta, sound};

/// States expanded at once.
const BATCH: usize = 64;

/// Places of the set that a thread looks at before it asks for more.
const CHUNK: u64 = 8192;

/// Of so many batches of compiled code, or of moves that were made before, the interpreter makes one too.
const SAMPLE: u64 = 64;

/// Bytes that the successors of a batch may take: a set of states that is no proof may hold one with any number.
const MOST_BYTES: usize = 1 << 30;

/// What makes the successors.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Engine {
    /// The interpreter, and nothing else. It makes a move once for all states that agree in what it depends on.
    #[default]
    Interpreter,
    /// Compiled code, of which the interpreter makes a part again. Faster, and there is more to believe.
    Compiled,
}

/// How a certificate is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct How {
    /// What makes the successors.
    pub engine: Engine,
    /// How many threads, at least one.
    pub threads: usize,
}

/// What an accepted certificate proves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certified {
    /// What was claimed, and is true.
    pub claim: Claim,
    /// States.
    pub states: u64,
    /// Steps between them.
    pub steps: u64,
    /// Bytes of memory that the set of them took.
    pub memory: u64,
}

/// Looks whether a certificate proves what it claims about this model.
pub fn verify(model: &Arc<Model>, file: &mut (impl Read + Seek), how: How) -> Result<Certified, Refused> {
    let claim = Claim::read(file)?;
    if claim.fingerprint != fingerprint(model) {
        return Err(Refused::OtherModel(claim.model));
    }
    let begin = file.stream_position()?;
    let (account, end) = Account::read(file)?;
    let text = claim.text();
    if text.len() as u64 != begin || checksum([text.as_bytes(), &[]]) != account.text {
        return Err(Refused::Damaged(0, "its text is another"));
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
    let layout = interpreter.layout().clone();
    let footprints = Footprints::new(model, &layout, &packing, &account.base, interpreter.constants());
    let table = load(model, interpreter.layout(), file, (begin, end), &account, &packing)?;

    let set = Set { model, table, packing, footprints, excludes: &claim.excludes };
    set.starts(&mut interpreter)?;
    let steps = set.closed(&interpreter, options, account.slots as usize, how)?;
    if steps != account.steps {
        return Err(Refused::Account("the number of steps"));
    }
    let (states, memory) = (set.table.len(), set.table.memory());
    Ok(Certified { claim, states, steps, memory })
}

/// Makes room for as many processes as the account says.
fn make_room(interpreter: &mut Interpreter, model: &Model, account: &Account) -> Result<(), Refused> {
    let (wanted, there) = (account.slots as usize, interpreter.layout().slots.len());
    let most = 2 * model.semantics.max_processes as usize + 64;
    if wanted > there && wanted <= most && interpreter.layout().can_grow() {
        interpreter.grow(wanted);
    }
    let layout = interpreter.layout();
    match layout.slots.len() == wanted && layout.width() == account.base.len() {
        true => Ok(()),
        false => Err(Refused::Account("the width of states")),
    }
}

/// Reads all states, between two bytes of the file.
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
        // Two bytes a state at least: no more memory is taken than the file could ask for.
        let whole = fits && count > 0 && count <= inside.len();
        if !whole || delta::decode(&inside, count, width, wide, &mut states).is_none() {
            return Err(Refused::Damaged(at, "it holds no states"));
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
                if !packing.pack(state, &mut rows[start..]) {
                    return Err(Refused::NoState(
                        number(),
                        "it varies where the account says that none does",
                    ));
                }
            }
            std::hint::black_box(table.approach(&rows, &mut homes));
            for (row, &home) in rows.chunks_exact(packing.words()).zip(&homes) {
                if table.len() == account.states {
                    return Err(Refused::Account("there are more states"));
                }
                if !table.insert(row, home) {
                    return Err(Refused::Twice(table.len() + 1));
                }
            }
        }
    }
    if at != end {
        return Err(Refused::Damaged(at, "a block reaches into the account"));
    }
    match table.len() == account.states {
        true => Ok(table),
        false => Err(Refused::Account("there are fewer states")),
    }
}

/// The states of a certificate, and what is claimed of them.
struct Set<'a> {
    model: &'a Arc<Model>,
    table: Table,
    packing: Packing,
    /// What moves depend on, where that is less than everything.
    footprints: Option<Footprints<'a>>,
    excludes: &'a BTreeSet<FaultKind>,
}

/// Memory of one thread that is used again and again.
#[derive(Default)]
struct Scratch {
    rows: Vec<u64>,
    homes: Vec<u64>,
}

impl Set<'_> {
    /// Whether the set holds the initial state, and nothing goes wrong on the way to it.
    fn starts(&self, interpreter: &mut Interpreter) -> Result<(), Refused> {
        let mut faults = Vec::new();
        let initial = interpreter.initial(&mut faults);
        if let Some(fault) = faults.iter().find(|fault| !self.excludes.contains(&fault.kind)) {
            return Err(Refused::Fault { kind: fault.kind, state: "the initial values".into() });
        }
        match self.has(&initial, &mut Scratch::default()) {
            true => Ok(()),
            false => Err(Refused::NoStart),
        }
    }

    /// Whether a state is in the set.
    fn has(&self, state: &[u8], scratch: &mut Scratch) -> bool {
        scratch.rows.clear();
        scratch.rows.resize(self.packing.words(), 0);
        if !self.packing.pack(state, &mut scratch.rows) {
            return false;
        }
        self.table.approach(&scratch.rows, &mut scratch.homes);
        self.table.contains(&scratch.rows, scratch.homes[0])
    }

    /// Whether all successors of some states are in the set.
    fn holds(&self, sources: Sources, made: &Batch, scratch: &mut Scratch) -> bool {
        let width = self.packing.width();
        scratch.rows.clear();
        for (number, (source, own)) in sources.each(self).enumerate() {
            let range = made.range(number);
            for state in made.states[range.start * width..range.end * width].chunks_exact(width) {
                let start = scratch.rows.len();
                scratch.rows.extend_from_slice(own);
                if !self.packing.pack_near(source, state, &mut scratch.rows[start..]) {
                    return false;
                }
            }
        }
        self.all_in(&scratch.rows, &mut scratch.homes)
    }

    /// Whether all of these packed states are in the set.
    fn all_in(&self, rows: &[u64], homes: &mut Vec<u64>) -> bool {
        std::hint::black_box(self.table.approach(rows, homes));
        rows.chunks_exact(self.packing.words())
            .zip(homes.iter())
            .all(|(row, home)| self.table.contains(row, *home))
    }

    /// Whether nothing goes wrong in any state and every step leads to another: how many steps there are.
    fn closed(
        &self,
        interpreter: &Interpreter,
        options: Options,
        slots: usize,
        how: How,
    ) -> Result<u64, Refused> {
        // The next chunk, and the first in which something is amiss.
        let (next, first) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
        let work = || self.work(interpreter.clone(), options, slots, how.engine, &next, &first);
        let results: Vec<Worked> = std::thread::scope(|scope| {
            let others: Vec<_> = (1..how.threads).map(|_| scope.spawn(work)).collect();
            let own = work();
            let join = |other: std::thread::ScopedJoinHandle<Worked>| match other.join() {
                Ok(worked) => worked,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            others.into_iter().map(join).chain([own]).collect()
        });
        let mut steps = 0;
        let mut amiss: Option<(u64, Refused)> = None;
        for (made, refused) in results {
            steps += made;
            if let Some((chunk, why)) = refused
                && amiss.as_ref().is_none_or(|(least, _)| chunk < *least)
            {
                amiss = Some((chunk, why));
            }
        }
        match amiss {
            Some((_, why)) => Err(why),
            None => Ok(steps),
        }
    }

    /// What one thread does: chunk after chunk, until there are none or something is amiss in an earlier one.
    fn work(
        &self,
        mut interpreter: Interpreter,
        options: Options,
        slots: usize,
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
        if let Some(compiled) = compiled.as_mut().filter(|compiled| compiled.layout().slots.len() < slots) {
            compiled.grow(slots);
        }
        let limited = || Batch { most: Some(MOST_BYTES), ..Batch::default() };
        let mut expanding = Expanding {
            set: self,
            scratch: Scratch::default(),
            made: limited(),
            again: limited(),
            moves: Moves::new(self.packing.words()),
            key: vec![0; self.packing.words() + 1],
            batches: 0,
        };
        let (mut steps, mut states, mut rows, mut words) = (0, Vec::new(), Vec::new(), Vec::new());
        loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            let (from, to) = (chunk * CHUNK, ((chunk + 1) * CHUNK).min(self.table.places()));
            if from >= to || chunk > first.load(Ordering::Relaxed) {
                return (steps, None);
            }
            states.clear();
            rows.clear();
            for place in from..to {
                if let Some(row) = self.table.at(place) {
                    self.packing.unpack(row, &mut states, &mut words);
                    rows.extend_from_slice(row);
                }
            }
            for batch in (Sources { states: &states, rows: &rows }).parts(self, BATCH) {
                match expanding.expand(batch, &mut interpreter, compiled.as_mut()) {
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

/// Some states of the set, as they are and as they are packed.
#[derive(Clone, Copy)]
struct Sources<'a> {
    states: &'a [u8],
    rows: &'a [u64],
}

impl<'a> Sources<'a> {
    /// State by state.
    fn each(self, set: &Set) -> impl Iterator<Item = (&'a [u8], &'a [u64])> {
        self.states.chunks_exact(set.packing.width()).zip(self.rows.chunks_exact(set.packing.words()))
    }

    /// In parts of so many states at most.
    fn parts(self, set: &Set, most: usize) -> impl Iterator<Item = Sources<'a>> {
        let states = self.states.chunks(most * set.packing.width());
        let rows = self.rows.chunks(most * set.packing.words());
        states.zip(rows).map(|(states, rows)| Sources { states, rows })
    }
}

/// How many steps a thread has looked at, and what was amiss in which chunk.
type Worked = (u64, Option<(u64, Refused)>);

/// A thread at work.
struct Expanding<'a> {
    set: &'a Set<'a>,
    scratch: Scratch,
    made: Batch,
    again: Batch,
    /// Moves that were made before, and the key of one.
    moves: Moves,
    key: Vec<u64>,
    batches: u64,
}

impl Expanding<'_> {
    /// Looks at some states and the steps from them: how many steps there are.
    fn expand(
        &mut self,
        sources: Sources,
        interpreter: &mut Interpreter,
        compiled: Option<&mut Compiled>,
    ) -> Result<u64, Refused> {
        let states = sources.states;
        let set = self.set;
        if let (None, Some(footprints)) = (&compiled, &set.footprints) {
            return self.expand_by_moves(sources, footprints, interpreter);
        }
        let fast = compiled.is_some();
        let done = match compiled {
            Some(compiled) => compiled.expand(states, &mut self.made),
            None => interpreter.expand(states, &mut self.made),
        };
        let clean = |batch: &Batch| batch.faults.iter().all(|fault| self.set.excludes.contains(&fault.kind));
        if self.made.cut.is_some() {
            return Err(Refused::TooManySteps);
        }
        if done.is_err() || !clean(&self.made) || !self.set.holds(sources, &self.made, &mut self.scratch) {
            return Err(self.amiss(sources, interpreter));
        }
        if fast && self.batches.is_multiple_of(SAMPLE) {
            let (made, again) = (&self.made, &mut self.again);
            let same = interpreter.expand(states, again).is_ok()
                && (&made.states, &made.ends, &made.faults) == (&again.states, &again.ends, &again.faults);
            if !same {
                return Err(Refused::Engines("the successors of a state".into()));
            }
        }
        self.batches += 1;
        Ok(self.made.ends.last().copied().unwrap_or(0).into())
    }

    /// The same, each move made once for all states that agree in what it depends on.
    fn expand_by_moves(
        &mut self,
        sources: Sources,
        footprints: &Footprints,
        interpreter: &mut Interpreter,
    ) -> Result<u64, Refused> {
        let (set, words) = (self.set, self.set.packing.words());
        let mut rows = std::mem::take(&mut self.scratch.rows);
        rows.clear();
        for (state, row) in sources.each(set) {
            let (before, mut rest) = (rows.len(), 0u64);
            for pid in 0..footprints.count(state) {
                self.key[0] = pid as u64;
                if !footprints.key(state, row, pid, &mut self.key[1..]) {
                    rest |= 1 << pid;
                    continue;
                }
                if let Some(changes) = self.moves.get(&self.key) {
                    for change in changes.chunks_exact(words) {
                        rows.extend(change.iter().zip(row).map(|(change, row)| change ^ row));
                    }
                    continue;
                }
                let start = rows.len();
                if !self.make(state, row, Some(1 << pid), interpreter, &mut rows) {
                    return Err(self.amiss(sources, interpreter));
                }
                self.moves.put(&self.key, row, &rows[start..]);
            }
            // Where nobody moves it may be an end, or there may be `timeout`.
            let made = (rest == 0 || self.make(state, row, Some(rest), interpreter, &mut rows))
                && (rows.len() > before || self.make(state, row, None, interpreter, &mut rows));
            if !made {
                return Err(self.amiss(sources, interpreter));
            }
        }
        let steps = (rows.len() / words) as u64;
        if self.batches.is_multiple_of(SAMPLE) && !self.same(sources, &rows, interpreter) {
            return Err(Refused::Engines("the moves of a process".into()));
        }
        self.batches += 1;
        let inside = set.all_in(&rows, &mut self.scratch.homes);
        self.scratch.rows = rows;
        if inside { Ok(steps) } else { Err(self.amiss(sources, interpreter)) }
    }

    /// Lets the interpreter make the moves of some processes in a state, or all, and appends what they lead to; false
    /// where something is amiss.
    fn make(
        &mut self,
        state: &[u8],
        row: &[u64],
        chosen: Option<u64>,
        interpreter: &mut Interpreter,
        rows: &mut Vec<u64>,
    ) -> bool {
        let made = &mut self.made;
        let done = match chosen {
            Some(mask) => interpreter.expand_chosen(state, &[mask], made),
            None => interpreter.expand(state, made),
        };
        let wrong = |fault: &axle_step::Fault| !self.set.excludes.contains(&fault.kind);
        if done.is_err() || made.cut.is_some() || made.faults.iter().any(wrong) {
            return false;
        }
        made.states.chunks_exact(state.len()).all(|to| {
            let start = rows.len();
            rows.extend_from_slice(row);
            self.set.packing.pack_near(state, to, &mut rows[start..])
        })
    }

    /// Whether the interpreter, asked for everything at once, comes to the same states from some.
    fn same(&mut self, sources: Sources, rows: &[u64], interpreter: &mut Interpreter) -> bool {
        let mut all = Vec::new();
        let whole = sources.each(self.set).collect::<Vec<_>>();
        let made = whole.into_iter().all(|(state, row)| self.make(state, row, None, interpreter, &mut all));
        let sorted = |rows: &[u64]| {
            let mut rows: Vec<Vec<u64>> =
                rows.chunks_exact(self.set.packing.words()).map(<[u64]>::to_vec).collect();
            rows.sort_unstable();
            rows
        };
        made && sorted(rows) == sorted(&all)
    }

    /// What the interpreter says is amiss in the first of some states where something is.
    fn amiss(&mut self, sources: Sources, interpreter: &mut Interpreter) -> Refused {
        for one in sources.parts(self.set, 1) {
            let state = one.states;
            if interpreter.expand(state, &mut self.again).is_err() {
                return Refused::NotClosed(describe(interpreter, state));
            }
            if self.again.cut.is_some() {
                return Refused::TooManySteps;
            }
            let fault = self.again.faults.iter().find(|fault| !self.set.excludes.contains(&fault.kind));
            if let Some(fault) = fault {
                return Refused::Fault { kind: fault.kind, state: describe(interpreter, state) };
            }
            if !self.set.holds(one, &self.again, &mut self.scratch) {
                return Refused::NotClosed(describe(interpreter, state));
            }
        }
        Refused::Engines("what goes wrong".into())
    }
}

/// A state in one line: where processes are, and the first few variables.
fn describe(interpreter: &Interpreter, state: &[u8]) -> String {
    let view = interpreter.view(state);
    let at = view.processes().into_iter().map(|process| format!("{} at {}", process.name, process.location));
    let all = view.globals();
    let values = all.iter().take(12).map(|value| format!("{} = {}", value.name, value.shown));
    at.take(12).chain(values).collect::<Vec<String>>().join(", ")
}
