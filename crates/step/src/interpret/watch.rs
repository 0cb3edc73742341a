//! The hook on the accesses of the interpreter: records the bits of a state that it reads or writes
//! while it computes the moves of a process, if that is asked for.
//!
//! *Entry point:* [`Watch`]; `crate::memo` enables it.
//!
//! *Invariant:* while recording is enabled, every access to a field of a state is reported to this
//! module. Copies and comparisons of whole states inside one sequence are not reported, because
//! these states are equal in all bits that were not written.

use std::sync::atomic::{AtomicU64, Ordering};

use axle_model::{Expr, ProcId};

use crate::layout::{Data, Field};

/// Recorder of bits; inactive by default.
#[derive(Default, Debug)]
pub(crate) struct Watch(Option<Box<Noted>>);

#[derive(Debug)]
struct Noted {
    /// The bits of a state, 64 per word. They are not shared between threads; they are atomic so
    /// that a machine is `Sync`.
    bits: Vec<AtomicU64>,
    /// For each process type the channels from which it may ever receive in a rendezvous, if they
    /// are independent of its location.
    from: Vec<Option<Vec<Expr>>>,
}

impl Clone for Watch {
    /// A copy has a recorder of its own.
    fn clone(&self) -> Watch {
        let noted = |noted: &Noted| {
            let words = noted.bits.iter().map(|word| AtomicU64::new(word.load(Ordering::Relaxed)));
            Box::new(Noted { bits: words.collect(), from: noted.from.clone() })
        };
        Watch(self.0.as_deref().map(noted))
    }
}

impl Watch {
    /// Records an access to a field whose owner begins at bit `base`.
    #[inline]
    pub fn field(&self, field: Field, base: u32) {
        if self.0.is_some() {
            // A write of several bytes writes all bits of these bytes.
            let bits = if field.bits <= 8 { u32::from(field.bits) } else { 8 * field.bytes() };
            self.range(base + field.bit, base + field.bit + bits);
        }
    }

    /// Records an access to a range of bits.
    #[inline]
    pub fn range(&self, from: u32, to: u32) {
        if self.0.is_some() {
            let mut from = from;
            while from < to {
                let end = to.min((from / 64 + 1) * 64);
                let bits = u64::MAX >> (64 - (end - from)) << (from % 64);
                self.word(from as usize / 64, bits);
                from = end;
            }
        }
    }

    /// Whether recording is enabled.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Records an access to bits of a word.
    #[inline]
    pub fn word(&self, index: usize, bits: u64) {
        if let Some(noted) = &self.0 {
            let word = &noted.bits[index];
            word.store(word.load(Ordering::Relaxed) | bits, Ordering::Relaxed);
        }
    }

    /// Records an access to a set of bits.
    pub fn add(&self, bits: &[u64]) {
        bits.iter().enumerate().for_each(|(index, bits)| self.word(index, *bits));
    }

    /// Moves the recorded bits to `bits` and clears the recorder.
    pub fn take(&self, bits: &mut Vec<u64>) {
        let noted = self.0.iter().flat_map(|noted| &noted.bits);
        bits.clear();
        bits.extend(noted.map(|word| word.swap(0, Ordering::Relaxed)));
    }

    /// Records an access to a whole variable.
    pub fn data(&self, data: &Data, base: u32) {
        if self.0.is_none() {
            return;
        }
        match data {
            Data::Scalar(field) => self.field(*field, base),
            Data::Record(fields) => fields.iter().for_each(|field| self.data(field, base)),
            Data::Array { first, stride, len } => {
                (0..*len).for_each(|index| self.data(first, base + index * stride));
            }
        }
    }

    /// An enabled recorder for states of this number of words, and for each process type the
    /// channels from which its processes may receive.
    pub fn enabled(words: usize, from: Vec<Option<Vec<Expr>>>) -> Watch {
        let bits = (0..words).map(|_| AtomicU64::new(0)).collect();
        Watch(Some(Box::new(Noted { bits, from })))
    }

    /// Number of words of the states whose accesses are recorded; 0 if recording is disabled.
    pub fn words(&self) -> usize {
        self.0.as_ref().map_or(0, |noted| noted.bits.len())
    }

    /// The channels from which a process of a type may receive in a rendezvous at any location.
    /// `None` if its location decides, and always while recording is disabled.
    pub fn receives(&self, proc: ProcId) -> Option<&[Expr]> {
        self.0.as_ref().and_then(|noted| noted.from[proc.index()].as_deref())
    }
}
