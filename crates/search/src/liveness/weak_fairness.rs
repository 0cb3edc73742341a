//! Acceptance marks of a component as bits: the acceptance sets of the claim, and weak fairness of
//! each process.
//!
//! A set of product states and edges between them leaves a bit *unmet* while no element meets its
//! condition:
//!
//! * bit `i` below the number of acceptance sets: no edge carries mark `i`;
//! * bit `sets + p`, under weak fairness: process `p` is enabled in every state, and no edge
//!   executes it.
//!
//! The unmet bits of a union are those unmet in all its parts. A strongly connected set without
//! unmet bits contains an execution accepted by the claim. Weak fairness thus becomes generalised
//! Büchi acceptance, and states are not copied. Strong fairness is not of this form: its edges
//! carry the same bits, and [`crate::liveness::strong_fairness`] decides.
//!
//! A *label* of an edge is a small number that identifies the set of bits that the edge meets.
//!
//! *Entry point:* [`Labels::of`].
//!
//! *Source:* C. Courcoubetis, M. Vardi, P. Wolper and M. Yannakakis, Memory-efficient algorithms
//! for the verification of temporal properties, 1992.
//!
//! *Invariant:* A label never changes its meaning. If processes appear for which no bit exists, the
//! bit sets get more words, and existing labels meet none of the new bits.

use axle_outcome::{Claim, Fairness};
use axle_step::Moved;
use rustc_hash::FxHashMap;

/// Meaning of edge labels.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    /// Number of acceptance sets of the claim.
    sets: u32,
    pub fairness: Fairness,
    /// Number of words of a bit set.
    pub words: usize,
    /// For each label, the bits that its edges meet.
    met: Vec<u64>,
    /// For each set of marks, the label of edges that execute no process.
    plain: FxHashMap<u64, u32>,
    /// For a plain label and a process, the label of edges that also execute this process; 0 if
    /// unused.
    single: Vec<Vec<u32>>,
    double: FxHashMap<(u32, u32, u32), u32>,
    more: FxHashMap<(u32, Vec<u32>), u32>,
}

impl Labels {
    /// No labels, for a claim and an initial number of processes.
    pub fn new(claim: &Claim, fairness: Fairness, processes: usize) -> Labels {
        let mut labels = Labels {
            sets: claim.sets,
            fairness,
            words: 0,
            met: Vec::new(),
            plain: FxHashMap::default(),
            single: Vec::new(),
            double: FxHashMap::default(),
            more: FxHashMap::default(),
        };
        let bits = match fairness {
            Fairness::None => 0,
            Fairness::Weak | Fairness::Strong => processes,
        };
        labels.words = (claim.sets as usize + bits).div_ceil(64).max(1);
        // Label 0 has no marks and executes no process.
        labels.plain(0);
        labels
    }

    /// Whether bits for this number of processes exist.
    pub fn fits(&self, processes: usize) -> bool {
        match self.fairness {
            Fairness::None => true,
            Fairness::Weak | Fairness::Strong => self.sets as usize + processes <= 64 * self.words,
        }
    }

    /// Creates bits for this number of processes; bit sets then have more words.
    pub fn widen(&mut self, processes: usize) {
        let words = (self.sets as usize + processes).div_ceil(64).max(2 * self.words);
        self.met = restride(&self.met, self.words, words);
        self.words = words;
    }

    /// Bit of a process: word index and mask.
    #[inline]
    pub fn bit(&self, pid: u32) -> (usize, u64) {
        let bit = (self.sets + pid) as usize;
        (bit / 64, 1 << (bit % 64))
    }

    /// Whether edges with this label are accepting; for at most one acceptance set, without
    /// fairness.
    #[inline]
    pub fn accepts(&self, label: u32) -> bool {
        self.met(label)[0] & self.marks() == self.marks()
    }

    /// The bits that edges with this label meet.
    #[inline]
    pub fn met(&self, label: u32) -> &[u64] {
        &self.met[label as usize * self.words..][..self.words]
    }

    /// The bits of all acceptance sets.
    pub fn marks(&self) -> u64 {
        if self.sets == 0 { 0 } else { u64::MAX >> (64 - self.sets) }
    }

    /// The label of edges with these marks that execute no process.
    pub fn plain(&mut self, marks: u64) -> u32 {
        if let Some(&known) = self.plain.get(&marks) {
            return known;
        }
        let label = self.make(marks, &[]);
        self.plain.insert(marks, label);
        label
    }

    /// The label of edges with the marks of a plain label that execute the processes in `moved`.
    #[inline]
    pub fn of(&mut self, plain: u32, moved: Moved) -> u32 {
        let known = match moved {
            Moved::One(pid) => self.single.get(plain as usize).and_then(|list| list.get(pid as usize)),
            Moved::Two(a, b) => self.double.get(&(plain, a, b)),
            Moved::More(list) => self.more.get(&(plain, list.to_vec())),
        };
        match known {
            Some(&known) if known != 0 => known,
            _ => self.new_label(plain, moved),
        }
    }

    #[cold]
    fn new_label(&mut self, plain: u32, moved: Moved) -> u32 {
        let label = self.make(self.met(plain)[0] & self.marks(), &moved.to_vec());
        match moved {
            Moved::One(pid) => {
                let (plain, pid) = (plain as usize, pid as usize);
                if self.single.len() <= plain {
                    self.single.resize(plain + 1, Vec::new());
                }
                if self.single[plain].len() <= pid {
                    self.single[plain].resize(pid + 1, 0);
                }
                self.single[plain][pid] = label;
            }
            Moved::Two(a, b) => {
                self.double.insert((plain, a, b), label);
            }
            Moved::More(list) => {
                self.more.insert((plain, list.to_vec()), label);
            }
        }
        label
    }

    fn make(&mut self, marks: u64, movers: &[u32]) -> u32 {
        let label = self.met.len() / self.words;
        self.met.resize(self.met.len() + self.words, 0);
        self.met[label * self.words] |= marks;
        for &pid in movers {
            let (word, bit) = self.bit(pid);
            self.met[label * self.words + word] |= bit;
        }
        label as u32
    }
}

/// Converts bit sets of `old` words to bit sets of `new` words.
pub(crate) fn restride(sets: &[u64], old: usize, new: usize) -> Vec<u64> {
    let mut wide = Vec::with_capacity(sets.len() / old * new);
    for set in sets.chunks_exact(old) {
        wide.extend_from_slice(set);
        wide.resize(wide.len() + new - old, 0);
    }
    wide
}
