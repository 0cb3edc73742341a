//! A graph with monitors of bad prefixes: formulas are searched like assertions.
//!
//! A state is the location of each monitor, in a byte, followed by the state of the system. The
//! monitors are deterministic, so the graph has the successors of the system in the same order. A
//! state whose valuation completes a bad prefix has a fault, and every safety search, walk or store
//! applies to the graph.
//!
//! *Entry point:* [`Monitored`].
//!
//! *Source:* O. Kupferman and M. Y. Vardi, Model checking of safety properties, Formal Methods in
//! System Design 19, 2001.
//!
//! *Invariant:* every path to a fault is a path of the system, and a prefix of it is a bad prefix
//! of the formula. A monitor ends in a state in which a proposition that it needs cannot be
//! evaluated.

use axle_model::ProcId;
use axle_outcome::{Claim, FaultKind, FaultSite};
use axle_step::{
    AtomFault, Batch, Fault, Graph, Grow, ModelGraph, Observe, Processes, Statistics, Successors,
};

use crate::entered_location::{Locate, entered_location};

/// Location of a monitor that has ended.
const ENDED: u8 = u8::MAX;

/// A bad prefix of the formula with this number among those that are monitored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BadPrefix(pub u32);

impl FaultSite for BadPrefix {
    fn kind(&self) -> Option<FaultKind> {
        None
    }

    fn encode(&self) -> Vec<u8> {
        self.0.to_le_bytes().to_vec()
    }

    fn decode(bytes: &[u8]) -> Option<BadPrefix> {
        Some(BadPrefix(u32::from_le_bytes(bytes.try_into().ok()?)))
    }
}

/// A set of valuations: those with all bits of `must` and none of `must_not`, and the location that
/// they lead to.
#[derive(Clone, Copy, Debug)]
struct Transition {
    must: u64,
    must_not: u64,
    to: u8,
}

/// The deterministic automaton of the bad prefixes of one formula.
#[derive(Clone, Debug)]
pub struct PrefixMonitor {
    /// For each location, its transitions.
    locations: Vec<Vec<Transition>>,
    /// The location of bad prefixes.
    bad: u8,
    /// Number of propositions.
    atoms: u32,
}

impl PrefixMonitor {
    /// The monitor of a claim whose end location is reached on bad prefixes. At most one edge of a
    /// location may be enabled in a state. `None` if the claim has more than 64 propositions or too
    /// many locations, or is none of bad prefixes.
    pub fn new(claim: &Claim) -> Option<PrefixMonitor> {
        let bad = claim.locations.iter().position(|location| location.end)?;
        if claim.atoms > 64 || claim.locations.len() > usize::from(ENDED) || claim.initial != [0] || bad == 0
        {
            return None;
        }
        let mask = |cube: &axle_outcome::claim::Cube, holds: bool| {
            let literals = cube.0.iter().filter(|literal| literal.holds == holds);
            literals.fold(0, |mask, literal| mask | 1u64 << literal.atom)
        };
        let transitions = |location: &axle_outcome::claim::Location| {
            let of = |edge: &axle_outcome::claim::Edge| {
                let to = edge.to as u8;
                let transition =
                    |cube| Transition { must: mask(cube, true), must_not: mask(cube, false), to };
                edge.guard.0.iter().map(transition).collect::<Vec<_>>()
            };
            location.edges.iter().flat_map(of).collect()
        };
        let locations = claim.locations.iter().map(transitions).collect();
        Some(PrefixMonitor { locations, bad: bad as u8, atoms: claim.atoms })
    }

    /// The location after a state with this valuation, and whether that completes a bad prefix.
    /// `failed` are the propositions that could not be evaluated.
    fn step(&self, at: u8, valuation: u64, failed: u64) -> (u8, bool) {
        let Some(transitions) = self.locations.get(usize::from(at)) else { return (ENDED, false) };
        let enabled = |one: &&Transition| valuation & one.must == one.must && valuation & one.must_not == 0;
        match transitions.iter().find(enabled) {
            // It depends on a proposition without a value. Every other transition is enabled for all
            // values of the failed propositions.
            Some(taken) if (taken.must | taken.must_not) & failed != 0 => (ENDED, false),
            // A path has one bad prefix of interest, and no further locations.
            Some(taken) if taken.to == self.bad => (0, true),
            Some(taken) => (taken.to, false),
            None => (ENDED, false),
        }
    }
}

/// A system with monitors of bad prefixes.
pub struct Monitored<'a, G: Graph> {
    inner: &'a mut G,
    observer: &'a mut dyn Observe,
    monitors: &'a [PrefixMonitor],
    /// Bytes before the system state.
    head: usize,
    /// The system states of a batch.
    systems: Vec<u8>,
    made: Batch<G::Site>,
    letters: Vec<u64>,
    failed: Vec<AtomFault>,
}

impl<'a, G: Graph> Monitored<'a, G> {
    /// The monitors beside a system. The observer evaluates the propositions of all monitors, one
    /// monitor after the other.
    pub fn new(
        inner: &'a mut G,
        observer: &'a mut dyn Observe,
        monitors: &'a [PrefixMonitor],
    ) -> Monitored<'a, G> {
        if observer.width() != inner.width() {
            observer.grow(inner.size());
        }
        Monitored {
            inner,
            observer,
            monitors,
            head: monitors.len().next_multiple_of(4),
            systems: Vec::new(),
            made: Batch::default(),
            letters: Vec::new(),
            failed: Vec::new(),
        }
    }

    /// The locations of the monitors after a state, in `head`; the bad prefixes are added to
    /// `faults`.
    fn step(&self, source: usize, head: &mut [u8], faults: &mut Vec<Fault<BadPrefix>>) {
        let words = self.observer.words();
        let letters = &self.letters[source * words..(source + 1) * words];
        let mut first = 0;
        for (number, monitor) in self.monitors.iter().enumerate() {
            let failed = self.failed.iter().filter(|fault| {
                // A process that does not exist has variables of value 0.
                fault.source as usize == source && fault.kind != FaultKind::NoProcess
            });
            let own = failed.filter_map(|fault| fault.atom.checked_sub(first).filter(|&a| a < monitor.atoms));
            let failed = own.fold(0, |mask, atom| mask | 1 << atom);
            let (to, is_bad) = monitor.step(head[number], bits(letters, first, monitor.atoms), failed);
            head[number] = to;
            if is_bad {
                let site = BadPrefix(number as u32);
                faults.push(Fault { site, source: source as u32, successor: None, pid: 0 });
            }
            first += monitor.atoms;
        }
    }
}

/// `count` bits of some words, at most 64, from `first` on.
fn bits(words: &[u64], first: u32, count: u32) -> u64 {
    let (word, shift) = ((first / 64) as usize, first % 64);
    let low = words.get(word).map_or(0, |low| low >> shift);
    let high = match shift {
        0 => 0,
        _ => words.get(word + 1).map_or(0, |high| high << (64 - shift)),
    };
    let all = low | high;
    if count >= 64 { all } else { all & ((1 << count) - 1) }
}

impl<G: Graph> Successors for Monitored<'_, G> {
    type Site = BadPrefix;

    fn width(&self) -> usize {
        self.head + self.inner.width()
    }

    fn initial(&mut self, _faults: &mut Vec<Fault<BadPrefix>>) -> Vec<u8> {
        let mut state = vec![0; self.head];
        state.extend(self.inner.initial(&mut Vec::new()));
        state
    }

    fn expand(&mut self, states: &[u8], out: &mut Batch<BadPrefix>) -> Result<(), Grow> {
        out.clear();
        let width = self.width();
        self.systems.clear();
        for state in states.chunks_exact(width) {
            self.systems.extend_from_slice(&state[self.head..]);
        }
        self.made.most = out.most;
        self.made.interrupt.clone_from(&out.interrupt);
        self.inner.expand(&self.systems, &mut self.made)?;
        out.cut = self.made.cut;
        self.observer.observe(&self.systems, &mut self.letters, &mut self.failed);
        let system = width - self.head;
        let mut head = Vec::with_capacity(self.head);
        for (source, state) in states.chunks_exact(width).enumerate() {
            head.clear();
            head.extend_from_slice(&state[..self.head]);
            self.step(source, &mut head, &mut out.faults);
            let made = self.made.range(source);
            for next in self.made.states[made.start * system..made.end * system].chunks_exact(system) {
                out.states.extend_from_slice(&head);
                out.states.extend_from_slice(next);
            }
        }
        out.ends.extend_from_slice(&self.made.ends);
        Ok(())
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn grow(&mut self, size: usize) {
        self.inner.grow(size);
        self.observer.grow(self.inner.size());
    }
}

impl<G: Graph> Processes for Monitored<'_, G> {
    fn slots(&self) -> usize {
        self.inner.slots()
    }

    fn can_grow(&self) -> bool {
        self.inner.can_grow()
    }

    fn process_type(&self, _state: &[u8], _pid: u32) -> Option<ProcId> {
        // A bad prefix belongs to no process.
        None
    }
}

impl<G: Graph> Statistics for Monitored<'_, G> {
    fn taken(&self) -> &[Vec<bool>] {
        self.inner.taken()
    }
}

impl<G: ModelGraph> Locate for Monitored<'_, G> {
    fn entered(&self, state: &[u8], next: &[u8]) -> u64 {
        entered_location(self.inner.layout(), &state[self.head..], &next[self.head..])
    }
}
