//! The product of a system and a claim: representation of its states and computation of successors.
//!
//! A product state is the claim's location in a word of 4 bytes, followed by the system state, so
//! that it grows at the end when the system state is widened. Its successors: for each edge of the
//! location whose guard holds in the system state, in order, each successor of the system with the
//! edge's target. If the system has no successor, the system state is repeated: the claim moves
//! first, and a finite execution stutters. Hence position `p` of `n` system successors belongs to
//! enabled edge `p / n` and system successor `p % n`.
//!
//! *Entry points:* [`Product::initial`], [`Product::expand`].
//!
//! *Source:* G. J. Holzmann, The Spin Model Checker, chapter 6.
//!
//! *Invariant:* An atom fault is reported only if the edges enabled in the claim depend on the
//! atom, so that `i < n -> a[i] == 1` may be written as in a program.

use axle_outcome::claim::{Edge, Location, bit};
use axle_outcome::{Claim, ClaimCoverage, Fairness, LassoStep};
use axle_step::{AtomFault, Batch, Cut, Graph, Grow, Interrupt, Observe};
use rustc_hash::FxHashMap;

use crate::liveness::weak_fairness::Labels;

/// Number of bytes before the system state.
pub(crate) const HEAD: usize = 4;

/// The claim's location in a product state.
#[inline]
pub(crate) fn location(state: &[u8]) -> u32 {
    state.first_chunk::<4>().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// Successors of a batch of product states.
#[derive(Default, Debug)]
pub(crate) struct Moves {
    /// All successors, one after the other.
    pub states: Vec<u8>,
    /// For each source, the end of its successors.
    pub ends: Vec<u32>,
    /// For each successor, its label.
    pub labels: Vec<u32>,
    /// For each source, under fairness, the bits of the enabled processes.
    pub enabled: Vec<u64>,
    /// For each source, the number of system successors.
    pub systems: Vec<u32>,
    /// For each source, the end of its entries in `edges`.
    pub edge_ends: Vec<u32>,
    /// The enabled edges.
    pub edges: Vec<u32>,
    /// Edges that are violations by themselves, with their sources.
    pub alarms: Vec<Alarm>,
    /// Faults of atoms whose values were required.
    pub faults: Vec<AtomFault>,
    /// Whether successors are missing because they exceed the memory available.
    pub cut: Option<Cut>,
}

/// An edge whose execution is a violation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Alarm {
    /// The source, counted from 0.
    pub source: u32,
    /// The edge of its location.
    pub edge: u32,
    /// Whether the edge's assertion fails; otherwise it leads to an end of the claim.
    pub assertion: bool,
}

impl Moves {
    fn clear(&mut self) {
        self.states.clear();
        self.ends.clear();
        self.labels.clear();
        self.enabled.clear();
        self.systems.clear();
        self.edge_ends.clear();
        self.edges.clear();
        self.alarms.clear();
        self.faults.clear();
        self.cut = None;
    }

    /// The successors of a source, as positions in the batch.
    pub fn range(&self, source: usize) -> std::ops::Range<usize> {
        let start = if source == 0 { 0 } else { self.ends[source - 1] as usize };
        start..self.ends[source] as usize
    }

    /// The step from a source to its successor at this position, counted from the source's first.
    pub fn step(&self, source: usize, position: u32) -> LassoStep {
        let first = if source == 0 { 0 } else { self.edge_ends[source - 1] };
        let systems = self.systems[source];
        let edge = self.edges[(first + position / systems.max(1)) as usize];
        LassoStep { edge, system: (systems > 0).then(|| position % systems) }
    }
}

/// System, claim and observer.
pub(crate) struct Product<'a, G: Graph> {
    pub stepper: &'a mut G,
    pub observer: &'a mut dyn Observe,
    pub claim: &'a Claim,
    pub labels: Labels,
    pub coverage: ClaimCoverage,
    /// For each location, the atoms that its edges depend on, as a valuation.
    relevant: Vec<Vec<u64>>,
    /// For each location and edge, the label of its marks.
    plain: Vec<Vec<u32>>,
    /// Index of the enabled edges, by location and values of the relevant atoms.
    known: FxHashMap<(u32, u64), u32>,
    /// The same for valuations of several words.
    known_wide: FxHashMap<(u32, Vec<u64>), u32>,
    /// Lists of enabled edges.
    choices: Vec<Choice>,
    systems: Vec<u8>,
    bits: Vec<u64>,
    atom_faults: Vec<AtomFault>,
    batch: Batch<G::Site>,
    /// For each source, its choice, and its position among the sources with enabled edges.
    chosen: Vec<(u32, u32)>,
}

/// The enabled edges of a location under a valuation.
#[derive(Clone, Debug)]
struct Choice {
    edges: Vec<u32>,
    /// Those of them that are violations, and whether because of their assertion.
    alarms: Vec<(u32, bool)>,
}

/// The atoms among `unknown` whose values determine the enabled edges of a location.
fn needed(location: &Location, valuation: &[u64], unknown: &[u32]) -> Vec<u32> {
    let mut needed = Vec::new();
    for edge in &location.edges {
        let hangs_on = edge.guard.hangs_on(valuation, unknown);
        if !hangs_on.is_empty() || edge.guard.holds(valuation) {
            needed.extend(edge.asserts.filter(|atom| unknown.contains(atom)));
        }
        needed.extend(hangs_on);
    }
    needed
}

impl<'a, G: Graph> Product<'a, G> {
    /// The product; the claim must be well-formed. If the stepper's layout was widened before, the
    /// observer follows.
    pub fn new(
        stepper: &'a mut G,
        observer: &'a mut dyn Observe,
        claim: &'a Claim,
        fairness: Fairness,
    ) -> Product<'a, G> {
        if observer.width() != stepper.width() {
            observer.grow(stepper.size());
        }
        let mut labels = Labels::new(claim, fairness, stepper.slots());
        let asks = |edge: &Edge, words: &mut [u64]| {
            let literals = edge.guard.0.iter().flat_map(|cube| &cube.0).map(|literal| literal.atom);
            literals.chain(edge.asserts).for_each(|atom| words[atom as usize / 64] |= 1 << (atom % 64));
        };
        let relevant = claim.locations.iter().map(|location| {
            let mut words = vec![0; claim.words()];
            location.edges.iter().for_each(|edge| asks(edge, &mut words));
            words
        });
        let mut plain =
            |location: &Location| location.edges.iter().map(|edge| labels.plain(edge.marks)).collect();
        Product {
            relevant: relevant.collect(),
            plain: claim.locations.iter().map(&mut plain).collect(),
            coverage: ClaimCoverage::none(claim),
            stepper,
            observer,
            claim,
            labels,
            known: FxHashMap::default(),
            known_wide: FxHashMap::default(),
            choices: Vec::new(),
            systems: Vec::new(),
            bits: Vec::new(),
            atom_faults: Vec::new(),
            batch: Batch::default(),
            chosen: Vec::new(),
        }
    }

    /// Bytes of a product state.
    pub fn width(&self) -> usize {
        HEAD + self.stepper.width()
    }

    /// Widens the states of the system to this size; product states become wider.
    pub fn grow(&mut self, size: usize) {
        self.stepper.grow(size);
        self.observer.grow(size);
    }

    /// The product states before the first step, one for each initial location of the claim.
    pub fn initial(&mut self) -> Vec<u8> {
        let system = self.stepper.initial(&mut Vec::new());
        let mut states = Vec::new();
        for location in &self.claim.initial {
            states.extend_from_slice(&location.to_le_bytes());
            states.extend_from_slice(&system);
            self.coverage.locations[*location as usize] = true;
        }
        states
    }

    /// Sets the maximum number of bytes of system successors; beyond it the result is
    /// [`Moves::cut`].
    pub fn limit(&mut self, most: Option<usize>) {
        self.batch.most = most;
    }

    /// Sets the cancellation callback for long expansions.
    pub fn ask(&mut self, interrupt: Interrupt) {
        self.batch.interrupt = interrupt;
    }

    /// Replaces the contents of `out` by the successors of `sources`.
    pub fn expand(&mut self, sources: &[u8], out: &mut Moves) -> Result<(), Grow> {
        out.clear();
        let width = self.width();
        self.systems.clear();
        for source in sources.chunks_exact(width) {
            self.systems.extend_from_slice(&source[HEAD..]);
        }
        assert!(self.observer.width() + HEAD == width, "an observer of these states");
        self.observer.observe(&self.systems, &mut self.bits, &mut self.atom_faults);
        self.choose(sources, width, out);
        self.stepper.expand(&self.systems, &mut self.batch)?;
        if self.batch.cut.is_some() {
            out.cut = self.batch.cut;
            return Ok(());
        }
        for (source, state) in sources.chunks_exact(width).enumerate() {
            self.follow(source, state, out);
        }
        Ok(())
    }

    /// Computes the enabled claim edges of each source, and keeps in `systems` only the states of
    /// sources with enabled edges.
    fn choose(&mut self, sources: &[u8], width: usize, out: &mut Moves) {
        self.chosen.clear();
        let words = self.claim.words();
        let mut kept = 0u32;
        for (source, state) in sources.chunks_exact(width).enumerate() {
            let at = location(state);
            let choice = self.choice(at, source * words..(source + 1) * words);
            let known = &self.choices[choice as usize];
            let position = if known.edges.is_empty() { u32::MAX } else { kept };
            self.chosen.push((choice, position));
            out.alarms.extend(known.alarms.iter().map(|&(edge, assertion)| Alarm {
                source: source as u32,
                edge,
                assertion,
            }));
            if position != u32::MAX {
                if kept as usize != source {
                    let system = width - HEAD;
                    let from = source * system;
                    self.systems.copy_within(from..from + system, kept as usize * system);
                }
                kept += 1;
            }
        }
        self.systems.truncate(kept as usize * (width - HEAD));
        for faults in self.atom_faults.chunk_by(|a, b| a.source == b.source) {
            let source = faults[0].source as usize;
            let at = location(&sources[source * width..]);
            let valuation = &self.bits[source * words..(source + 1) * words];
            let unknown: Vec<u32> = faults.iter().map(|fault| fault.atom).collect();
            let needed = needed(&self.claim.locations[at as usize], valuation, &unknown);
            out.faults.extend(faults.iter().filter(|fault| needed.contains(&fault.atom)));
        }
    }

    /// The enabled edges of a location under the valuation at `range` of the bits.
    #[inline]
    fn choice(&mut self, at: u32, range: std::ops::Range<usize>) -> u32 {
        let relevant = &self.relevant[at as usize];
        match &self.bits[range] {
            [] => self.known.get(&(at, 0)).copied().unwrap_or_else(|| self.find_choice(at, Vec::new())),
            &[word] => match self.known.get(&(at, word & relevant[0])) {
                Some(&known) => known,
                None => self.find_choice(at, vec![word & relevant[0]]),
            },
            words => {
                let key: Vec<u64> = words.iter().zip(relevant).map(|(a, b)| a & b).collect();
                match self.known_wide.get(&(at, key.clone())) {
                    Some(&known) => known,
                    None => self.find_choice(at, key),
                }
            }
        }
    }

    #[cold]
    fn find_choice(&mut self, at: u32, valuation: Vec<u64>) -> u32 {
        let location = &self.claim.locations[at as usize];
        let mut choice = Choice { edges: Vec::new(), alarms: Vec::new() };
        for (number, edge) in (0u32..).zip(&location.edges) {
            if !edge.guard.holds(&valuation) {
                continue;
            }
            self.coverage.edges[at as usize][number as usize] = true;
            self.coverage.locations[edge.to as usize] = true;
            choice.edges.push(number);
            if edge.asserts.is_some_and(|atom| !bit(&valuation, atom)) {
                choice.alarms.push((number, true));
            } else if self.claim.locations[edge.to as usize].end {
                choice.alarms.push((number, false));
            }
        }
        let index = self.choices.len() as u32;
        self.choices.push(choice);
        match valuation.as_slice() {
            [] => self.known.insert((at, 0), index),
            &[word] => self.known.insert((at, word), index),
            _ => self.known_wide.insert((at, valuation), index),
        };
        index
    }

    /// Emits the successors of a source.
    fn follow(&mut self, source: usize, state: &[u8], out: &mut Moves) {
        let (choice, position) = self.chosen[source];
        let width = state.len();
        let fair = self.labels.fairness != Fairness::None;
        let first_bit = out.enabled.len();
        if fair {
            out.enabled.resize(first_bit + self.labels.words, 0);
        }
        let mut systems = 0;
        if position != u32::MAX {
            let at = location(state) as usize;
            let range = self.batch.range(position as usize);
            systems = range.len() as u32;
            if fair {
                for successor in range.clone() {
                    self.batch.movers.of(successor).each(|pid| {
                        let (word, bit) = self.labels.bit(pid);
                        out.enabled[first_bit + word] |= bit;
                    });
                }
            }
            for &edge in &self.choices[choice as usize].edges {
                let to = self.claim.locations[at].edges[edge as usize].to.to_le_bytes();
                let plain = self.plain[at][edge as usize];
                if range.is_empty() {
                    out.states.extend_from_slice(&to);
                    out.states.extend_from_slice(&state[HEAD..]);
                    out.labels.push(plain);
                    continue;
                }
                let system = width - HEAD;
                let bytes = &self.batch.states[range.start * system..range.end * system];
                out.states.reserve(range.len() * width);
                for successor in bytes.chunks_exact(system) {
                    out.states.extend_from_slice(&to);
                    out.states.extend_from_slice(successor);
                }
                if fair {
                    for successor in range.clone() {
                        let label = self.labels.of(plain, self.batch.movers.of(successor));
                        out.labels.push(label);
                    }
                } else {
                    out.labels.resize(out.labels.len() + range.len(), plain);
                }
            }
            out.edges.extend_from_slice(&self.choices[choice as usize].edges);
        }
        out.systems.push(systems);
        out.edge_ends.push(out.edges.len() as u32);
        out.ends.push(out.labels.len() as u32);
    }

    /// The edges of the model that were executed.
    pub fn taken(&self) -> Vec<Vec<bool>> {
        self.stepper.taken().to_vec()
    }
}
