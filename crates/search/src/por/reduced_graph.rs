//! Partial-order reduction as a successor function: the reduced state graph of a model, to which
//! any search applies.
//!
//! In each state, the transitions of one candidate set of `PersistentSetSelector` are expanded,
//! if one of its processes is enabled; otherwise all transitions are. Path compression then extends
//! each successor while some process has exactly one next transition that may be executed before
//! all others. The intermediate states are not stored; this generalises Spin's static statement
//! merging. The choice depends on the state only, so that every search and every re-expansion sees
//! the same graph. The product with an automaton is therefore the product of the reduced graph, the
//! condition under which on-the-fly reduction is sound for temporal properties.
//!
//! *Entry point:* [`Reduced`].
//!
//! *Source:* S. F. Siegel, What's wrong with on-the-fly partial order reduction, CAV 2019
//! (soundness); the sets: [`crate::por::persistent`] and `crate::por::stubborn`.
//!
//! *Invariant:* A fault during path compression ends the compression before the failing step, so
//! every fault is reported in a stored state. Positions in the reduced graph can be translated to
//! positions in the full graph ([`Reduced::unfold`]).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axle_model::Model;
use axle_outcome::{Found, Violation};
use axle_reduce::Visible;
use axle_step::{
    Batch, EVERYONE, Fault, Grow, Interrupt, ModelSite, Selective, Statistics, Successors, Wrapper,
};

use rustc_hash::FxHashMap;

use crate::por::persistent::{Analyses, PersistentSetSelector};

/// Reduction method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Reduction {
    /// Full state graph.
    #[default]
    None,
    /// Ample sets: one process represents all if no other process can interfere with it.
    Ample,
    /// Stubborn sets: a set of processes represents all if no process outside can interfere with
    /// it.
    Stubborn,
    /// Stubborn sets with necessary enabling sets. The search must solve the ignoring problem
    /// ([`crate::por::terminal_components`]); every other search uses [`Reduction::Stubborn`] instead.
    Guards,
}

/// Maximum number of compressed steps for one successor.
const MAX_COMPRESSED: usize = 4096;

/// Reduction statistics.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Savings {
    /// Number of states expanded.
    pub expanded: u64,
    /// Number of states in which some processes were not expanded.
    pub reduced: u64,
    /// Number of steps compressed, that is, executed without storing their source state.
    pub compressed: u64,
    /// Elementary steps of the computation of stubborn sets with necessary enabling sets.
    pub work: u64,
}

/// The savings of a search in progress, for its monitor.
#[derive(Clone, Default, Debug)]
pub struct SharedSavings(Arc<[AtomicU64; 4]>);

impl SharedSavings {
    fn set(&self, savings: &Savings) {
        let Savings { expanded, reduced, compressed, work } = *savings;
        for (shared, value) in self.0.iter().zip([expanded, reduced, compressed, work]) {
            shared.store(value, Ordering::Relaxed);
        }
    }

    /// The savings so far.
    pub fn get(&self) -> Savings {
        let [expanded, reduced, compressed, work] =
            std::array::from_fn(|index| self.0[index].load(Ordering::Relaxed));
        Savings { expanded, reduced, compressed, work }
    }
}

/// A step of the full graph.
struct Micro {
    /// Its position among all successors.
    position: u32,
    /// Its target state.
    state: Vec<u8>,
}

/// The reduced state graph.
pub struct Reduced<'a, G> {
    inner: &'a mut G,
    chooser: PersistentSetSelector<'a>,
    savings: Savings,
    /// Receives the savings after each expansion.
    shared: Option<SharedSavings>,
    candidates: Vec<u64>,
    masks: Vec<u64>,
    /// The processes expanded in each source of the last batch.
    chosen: Vec<u64>,
    /// States in which further processes are expanded, with the mask of these processes.
    more: FxHashMap<Box<[u8]>, u64>,
    made: Batch,
    again: Batch,
    compressing: Vec<(usize, u64)>,
    still_compressing: Vec<(usize, u64)>,
    work: Vec<u8>,
}

impl<'a, G: Selective> Reduced<'a, G> {
    /// The reduced graph of a model. `constants` is its constant segment; `visible` describes the
    /// part of the state that a property observes, and is `None` if only faults are sought.
    pub fn new(
        inner: &'a mut G,
        model: &'a Model,
        constants: &[u8],
        visible: Option<Visible>,
        kind: Reduction,
    ) -> Reduced<'a, G> {
        Self::with_analyses(inner, model, constants, visible, kind, &Analyses::default())
    }

    /// Like [`Reduced::new`], with the analyses of earlier searches of the model for the same visible
    /// part.
    pub fn with_analyses(
        inner: &'a mut G,
        model: &'a Model,
        constants: &[u8],
        visible: Option<Visible>,
        kind: Reduction,
        analyses: &Analyses,
    ) -> Reduced<'a, G> {
        let one = std::iter::once(inner);
        let mut graphs = Self::for_threads(one, model, constants, visible.as_ref(), kind, analyses);
        graphs.swap_remove(0)
    }

    /// Like [`Reduced::with_analyses`], for each thread of a parallel search. All threads make the
    /// same choices.
    pub fn for_threads(
        inners: impl Iterator<Item = &'a mut G>,
        model: &'a Model,
        constants: &[u8],
        visible: Option<&Visible>,
        kind: Reduction,
        analyses: &Analyses,
    ) -> Vec<Reduced<'a, G>> {
        let kind = if kind == Reduction::Guards { Reduction::Stubborn } else { kind };
        let graph = |inner: &'a mut G| {
            let (layout, visible, analyses) = (inner.layout().clone(), visible.cloned(), analyses.clone());
            Self::of(inner, PersistentSetSelector::new(model, &layout, constants, visible, kind, analyses))
        };
        inners.map(graph).collect()
    }

    /// The reduced graph for a search that solves the ignoring problem itself.
    pub fn with_guards(
        inner: &'a mut G,
        model: &'a Model,
        constants: &[u8],
        analyses: &Analyses,
    ) -> Reduced<'a, G> {
        let (layout, kind, analyses) = (inner.layout().clone(), Reduction::Guards, analyses.clone());
        Self::of(inner, PersistentSetSelector::new(model, &layout, constants, None, kind, analyses))
    }

    fn of(inner: &'a mut G, chooser: PersistentSetSelector<'a>) -> Reduced<'a, G> {
        Reduced {
            inner,
            chooser,
            savings: Savings::default(),
            shared: None,
            candidates: Vec::new(),
            masks: Vec::new(),
            chosen: Vec::new(),
            more: FxHashMap::default(),
            made: Batch::default(),
            again: Batch::default(),
            compressing: Vec::new(),
            still_compressing: Vec::new(),
            work: Vec::new(),
        }
    }

    /// The reduction method.
    pub fn kind(&self) -> Reduction {
        self.chooser.kind()
    }

    /// Statistics so far.
    pub fn savings(&self) -> Savings {
        self.savings
    }

    /// Shows the savings to a monitor during the search.
    pub fn share_savings(&mut self, shared: SharedSavings) {
        self.shared = Some(shared);
    }

    /// The processes expanded in the first source of the last batch, as a mask.
    pub(crate) fn chosen(&self) -> u64 {
        self.chosen.first().copied().unwrap_or(EVERYONE)
    }

    /// Executes the steps of all processes except those in `but`, and reports their faults. These
    /// successors follow the ones that the state has already.
    pub(crate) fn expand_others(&mut self, state: &[u8], but: u64, out: &mut Batch) -> Result<(), Grow> {
        self.inner.expand_chosen(state, &[!but], out)?;
        let mut compressed = 0;
        self.compress(out, &mut |_, _| compressed += 1)?;
        self.savings.compressed += compressed;
        Ok(())
    }

    /// Bytes of memory for the states in which further processes are expanded.
    pub(crate) fn memory(&self) -> u64 {
        (self.more.len() * (self.inner.width() + 48)) as u64
    }

    /// Records that all processes except those in `but` are expanded in this state too.
    pub(crate) fn record_full_expansion(&mut self, state: &[u8], but: u64) {
        self.more.insert(state.into(), !but);
    }

    /// Expands a source again after its first candidate set turned out to have no enabled process.
    /// Faults of the sets passed over remain valid and are added to `faults`, unless all processes
    /// are expanded and report them again.
    fn second_choice(&mut self, source: &[u8], faults: &mut Vec<Fault>) -> Result<u64, Grow> {
        self.chooser.candidates(source, &mut self.candidates);
        for mask in self.candidates.iter().skip(1).copied() {
            self.inner.expand_chosen(source, &[mask], &mut self.again)?;
            if !self.again.states.is_empty() {
                return Ok(mask);
            }
            faults.append(&mut self.again.faults);
        }
        faults.clear();
        self.inner.expand_chosen(source, &[EVERYONE], &mut self.again)?;
        Ok(EVERYONE)
    }

    /// Compresses the path from every successor in `out`. `made` is called for each compressed step
    /// with the number of the successor and the executing process.
    fn compress(&mut self, out: &mut Batch, made: &mut impl FnMut(usize, u32)) -> Result<(), Grow> {
        if self.chooser.never_compresses() {
            return Ok(());
        }
        self.made.most = out.most;
        self.made.interrupt.clone_from(&out.interrupt);
        let width = self.inner.width();
        self.compressing.clear();
        self.compressing.extend((0..out.states.len() / width).map(|successor| (successor, 0)));
        for _ in 0..MAX_COMPRESSED {
            self.masks.clear();
            self.work.clear();
            let chooser = &mut self.chooser;
            let (masks, work) = (&mut self.masks, &mut self.work);
            self.compressing.retain(|(successor, tried)| {
                let state = &out.states[successor * width..(successor + 1) * width];
                let Some(pid) = chooser.compress(state, *tried) else { return false };
                masks.push(1 << pid);
                work.extend_from_slice(state);
                true
            });
            if self.compressing.is_empty() {
                break;
            }
            self.inner.expand_chosen(&self.work, &self.masks, &mut self.made)?;
            if self.made.cut.is_some() {
                out.cut = self.made.cut;
                break;
            }
            self.still_compressing.clear();
            for (source, &(successor, tried)) in self.compressing.iter().enumerate() {
                let range = self.made.range(source);
                let at_fault = self.made.faults.iter().any(|fault| fault.source as usize == source);
                if at_fault {
                    continue;
                }
                if range.len() == 1 {
                    let bytes = &self.made.states[range.start * width..range.end * width];
                    out.states[successor * width..(successor + 1) * width].copy_from_slice(bytes);
                    made(successor, self.masks[source].trailing_zeros());
                    self.still_compressing.push((successor, 0));
                } else {
                    self.still_compressing.push((successor, tried | self.masks[source]));
                }
            }
            std::mem::swap(&mut self.compressing, &mut self.still_compressing);
        }
        Ok(())
    }

    /// Translates a violation of the reduced graph into one of the full graph.
    pub fn unfold(&mut self, violation: &mut Violation) -> Option<()> {
        if violation.found == Found::Start {
            return Some(());
        }
        let mut state = self.inner.initial(&mut Vec::new());
        let mut path = Vec::new();
        for &position in &violation.path {
            for micro in self.steps(&mut state, position)? {
                path.push(micro.position);
                state = micro.state;
            }
        }
        if let Found::Step(position) = violation.found {
            let steps = self.steps(&mut state, position)?;
            violation.found = Found::Step(steps.first()?.position);
        }
        violation.path = path;
        Some(())
    }

    /// Translates the steps of an execution in the reduced graph (`None` is a stutter step) into
    /// steps of the full graph: for each, the steps that it represents. `None` if no such execution
    /// exists.
    pub fn unfold_run(&mut self, run: &[Option<u32>]) -> Option<Vec<Vec<Option<u32>>>> {
        let mut state = self.inner.initial(&mut Vec::new());
        let mut all = Vec::new();
        for step in run {
            let Some(position) = *step else {
                all.push(vec![None]);
                continue;
            };
            let mut some = Vec::new();
            for micro in self.steps(&mut state, position)? {
                some.push(Some(micro.position));
                state = micro.state;
            }
            all.push(some);
        }
        Some(all)
    }

    /// The steps of the full graph that a step of the reduced graph represents; `state` may grow.
    /// `None` if no such step exists.
    fn steps(&mut self, state: &mut Vec<u8>, position: u32) -> Option<Vec<Micro>> {
        // The state may have been created before the layout grew.
        state.resize(self.inner.width(), 0);
        let mask = loop {
            match self.choice(state) {
                Ok(mask) => break mask,
                Err(Grow { size }) => self.make_room(state, size),
            }
        };
        let first = match self.more.get(&state[..]).copied() {
            Some(more) => {
                let before = self.steps_of(state, mask);
                match position.checked_sub(before) {
                    Some(position) => self.micro(state, more, position)?,
                    None => self.micro(state, mask, position)?,
                }
            }
            None => self.micro(state, mask, position)?,
        };
        let (mut now, mut pids) = (first.state.clone(), Vec::new());
        loop {
            let mut batch = Batch { states: now.clone(), ..Batch::default() };
            pids.clear();
            match self.compress(&mut batch, &mut |_, pid| pids.push(pid)) {
                Ok(()) => break,
                Err(Grow { size }) => self.make_room(&mut now, size),
            }
        }
        let mut steps = vec![first];
        for &pid in &pids {
            let step = self.micro(&mut now, 1 << pid, 0)?;
            now.clone_from(&step.state);
            steps.push(step);
        }
        Some(steps)
    }

    /// The processes expanded in a state.
    fn choice(&mut self, state: &[u8]) -> Result<u64, Grow> {
        self.chooser.candidates(state, &mut self.candidates);
        let mask = self.candidates.first().copied().unwrap_or(EVERYONE);
        (self.again.most, self.again.interrupt) = (None, Interrupt::default());
        self.inner.expand_chosen(state, &[mask], &mut self.again)?;
        match self.again.states.is_empty() {
            true if mask != EVERYONE => self.second_choice(state, &mut Vec::new()),
            _ => Ok(mask),
        }
    }

    /// Number of steps of the processes in `mask`.
    fn steps_of(&mut self, state: &mut Vec<u8>, mask: u64) -> u32 {
        let mut batch = Batch::default();
        while let Err(Grow { size }) = self.inner.expand_chosen(state, &[mask], &mut batch) {
            self.make_room(state, size);
        }
        (batch.states.len() / state.len()) as u32
    }

    /// The step at the given position among those of the processes in `mask`.
    fn micro(&mut self, state: &mut Vec<u8>, mask: u64, position: u32) -> Option<Micro> {
        let mut batch = Batch::default();
        if mask == EVERYONE {
            while let Err(Grow { size }) = self.inner.expand_chosen(state, &[EVERYONE], &mut batch) {
                self.make_room(state, size);
            }
            let (at, width) = (position as usize, state.len());
            let bytes = batch.states.get(at * width..(at + 1) * width)?.to_vec();
            return Some(Micro { position, state: bytes });
        }
        // Successors are grouped by process.
        let (mut before, mut chosen_before) = (0, 0);
        for pid in 0..63 {
            while let Err(Grow { size }) = self.inner.expand_chosen(state, &[1 << pid], &mut batch) {
                self.make_room(state, size);
            }
            let count = batch.ends[0];
            if mask >> pid & 1 == 1 {
                if position < chosen_before + count {
                    let (at, width) = ((position - chosen_before) as usize, state.len());
                    let bytes = batch.states[at * width..(at + 1) * width].to_vec();
                    return Some(Micro { position: before + position - chosen_before, state: bytes });
                }
                chosen_before += count;
            }
            before += count;
        }
        None
    }

    fn make_room(&mut self, state: &mut Vec<u8>, size: usize) {
        self.grow(size);
        state.resize(self.inner.width(), 0);
    }
}

impl<G: Selective> Successors for Reduced<'_, G> {
    type Site = ModelSite;

    fn width(&self) -> usize {
        self.inner.width()
    }

    fn initial(&mut self, faults: &mut Vec<Fault>) -> Vec<u8> {
        self.inner.initial(faults)
    }

    fn expand(&mut self, states: &[u8], out: &mut Batch) -> Result<(), Grow> {
        out.clear();
        let width = self.inner.width();
        self.masks.clear();
        for source in states.chunks_exact(width) {
            self.chooser.candidates(source, &mut self.candidates);
            self.masks.push(self.candidates.first().copied().unwrap_or(EVERYONE));
        }
        (self.made.most, self.again.most) = (out.most, out.most);
        self.made.interrupt.clone_from(&out.interrupt);
        self.again.interrupt.clone_from(&out.interrupt);
        self.inner.expand_chosen(states, &self.masks, &mut self.made)?;
        out.cut = out.cut.or(self.made.cut);
        let mut next_fault = 0;
        let (mut reduced, mut expanded) = (0, 0);
        self.chosen.clone_from(&self.masks);
        for (number, source) in states.chunks_exact(width).enumerate() {
            let range = self.made.range(number);
            let first_fault = next_fault;
            while self.made.faults.get(next_fault).is_some_and(|fault| fault.source as usize == number) {
                next_fault += 1;
            }
            expanded += 1;
            let start = (out.states.len() / width) as u32;
            if range.is_empty() && self.masks[number] != EVERYONE {
                let mut stuck = self.made.faults[first_fault..next_fault].to_vec();
                let mask = self.second_choice(source, &mut stuck)?;
                self.chosen[number] = mask;
                out.cut = out.cut.or(self.again.cut);
                reduced += u64::from(mask != EVERYONE);
                append(out, &self.again, 0..self.again.states.len(), &self.again.faults, number, start);
                append(out, &self.again, 0..0, &stuck, number, start);
            } else {
                reduced += u64::from(self.masks[number] != EVERYONE);
                let before = range.start as u32;
                let bytes = range.start * width..range.end * width;
                let faults = &self.made.faults[first_fault..next_fault];
                // Positions count from the first successor of the batch.
                append(out, &self.made, bytes, faults, number, start.wrapping_sub(before));
            }
            out.ends.push((out.states.len() / width) as u32);
        }
        let mut compressed = 0;
        self.compress(out, &mut |_, _| compressed += 1)?;
        self.savings.compressed += compressed;
        self.savings.expanded += expanded;
        self.savings.reduced += reduced;
        self.savings.work = self.chooser.work();
        if let Some(shared) = &self.shared {
            shared.set(&self.savings);
        }
        Ok(())
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn grow(&mut self, size: usize) {
        self.inner.grow(size);
        self.chooser.grow(self.inner.layout());
        let width = self.inner.width();
        let widened = |(state, more): (Box<[u8]>, u64)| {
            let mut state = Vec::from(state);
            state.resize(width, 0);
            (state.into_boxed_slice(), more)
        };
        self.more = std::mem::take(&mut self.more).into_iter().map(widened).collect();
    }
}

impl<G: Selective> Wrapper for Reduced<'_, G> {
    type Inner = G;

    fn inner(&self) -> &G {
        self.inner
    }
}

impl<G: Selective> Statistics for Reduced<'_, G> {
    fn taken(&self) -> &[Vec<bool>] {
        self.inner.taken()
    }

    fn tally(&self) -> [u64; 3] {
        let Savings { expanded, reduced, compressed, .. } = self.savings;
        [expanded, reduced, compressed]
    }

    fn recount(&mut self, [expanded, reduced, compressed]: [u64; 3]) {
        self.savings = Savings { expanded, reduced, compressed, ..self.savings };
    }
}

/// Appends successors of a source and its faults, with positions moved by `shift`.
fn append(
    out: &mut Batch,
    from: &Batch,
    bytes: std::ops::Range<usize>,
    faults: &[Fault],
    number: usize,
    shift: u32,
) {
    out.states.extend_from_slice(&from.states[bytes]);
    out.faults.extend(faults.iter().map(|fault| Fault {
        source: number as u32,
        successor: fault.successor.map(|position| position.wrapping_add(shift)),
        ..*fault
    }));
}
