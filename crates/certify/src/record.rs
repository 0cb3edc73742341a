//! Writes a certificate during a search. [`Recorded`] wraps the successor function of the search,
//! and [`Recorder`] records every state that is expanded. A breadth-first search expands every
//! state once, so no further set and no memory is needed.
//!
//! *Entry points:* [`Recorded`], [`Recorder::finish`].
//! *Invariant:* the written file is only a claim. Its acceptance depends on the verifier alone.

use std::io::{self, Write};

use axle_step::{Batch, Fault, Graph, Grow, ModelSite, Statistics, Successors, Wrapper};

use crate::delta;
use crate::format::{Account, Claim, Head, checksum};

/// Bytes of states per block.
const BLOCK: usize = 1 << 18;

/// Writes a certificate.
pub struct Recorder<W> {
    out: W,
    written: u64,
    account: Account,
    /// States of one width that are not yet written.
    waiting: Vec<u8>,
    width: usize,
    scratch: Vec<u8>,
    /// The first I/O error; nothing is written after it.
    failed: Option<io::Error>,
}

impl<W: Write> Recorder<W> {
    /// Starts a certificate with this claim.
    pub fn new(out: W, claim: &Claim) -> Recorder<W> {
        let mut recorder = Recorder {
            out,
            written: 0,
            account: Account::default(),
            waiting: Vec::new(),
            width: 0,
            scratch: Vec::new(),
            failed: None,
        };
        let text = claim.text();
        recorder.account.text = checksum([text.as_bytes(), &[]]);
        recorder.write(text.as_bytes());
        recorder
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.failed.is_none() {
            self.failed = self.out.write_all(bytes).err();
            self.written += bytes.len() as u64;
        }
    }

    /// Records states that the search expands, each once, and the number of their transitions.
    pub fn note(&mut self, states: &[u8], width: usize, steps: u64) {
        if width != self.width {
            self.flush();
            self.width = width;
            if self.account.states == 0 {
                self.account.base = states[..width].to_vec();
            }
            self.account.base.resize(width, 0);
            self.account.mask.resize(width, 0);
        }
        for state in states.chunks_exact(width) {
            let bytes = self.account.mask.iter_mut().zip(state.iter().zip(&self.account.base));
            bytes.for_each(|(mask, (byte, base))| *mask |= byte ^ base);
            self.account.states += 1;
        }
        self.account.steps += steps;
        self.waiting.extend_from_slice(states);
        if self.waiting.len() >= BLOCK {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let mut inside = std::mem::take(&mut self.scratch);
        inside.clear();
        delta::encode(&self.waiting, self.width, &mut inside);
        let states = (self.waiting.len() / self.width) as u32;
        let head = Head { states, width: self.width as u32 };
        self.write(&head.bytes(&inside));
        self.write(&inside);
        self.waiting.clear();
        self.scratch = inside;
    }

    /// Completes the certificate. `slots` is the final number of process slots. Returns the size of
    /// the file in bytes.
    pub fn finish(mut self, slots: usize) -> io::Result<u64> {
        self.flush();
        self.account.slots = slots as u32;
        let (begin, inside) = (self.written, self.account.bytes());
        let head = Head { states: 0, width: self.account.base.len() as u32 };
        self.write(&head.bytes(&inside));
        self.write(&inside);
        self.write(&begin.to_le_bytes());
        match self.failed {
            Some(fault) => Err(fault),
            None => self.out.flush().map(|()| self.written),
        }
    }
}

/// A successor function whose expanded states are recorded.
pub struct Recorded<'a, G, W> {
    inner: &'a mut G,
    recorder: &'a mut Recorder<W>,
}

impl<'a, G: Graph<Site = ModelSite>, W: Write> Recorded<'a, G, W> {
    /// Wraps `inner`.
    pub fn new(inner: &'a mut G, recorder: &'a mut Recorder<W>) -> Recorded<'a, G, W> {
        Recorded { inner, recorder }
    }
}

impl<G: Graph<Site = ModelSite>, W: Write> Successors for Recorded<'_, G, W> {
    type Site = ModelSite;

    fn width(&self) -> usize {
        self.inner.width()
    }

    fn initial(&mut self, faults: &mut Vec<Fault>) -> Vec<u8> {
        self.inner.initial(faults)
    }

    fn expand(&mut self, states: &[u8], out: &mut Batch) -> Result<(), Grow> {
        self.inner.expand(states, out)?;
        let steps = out.ends.last().copied().unwrap_or(0);
        self.recorder.note(states, self.inner.width(), steps.into());
        Ok(())
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn grow(&mut self, size: usize) {
        self.inner.grow(size);
    }
}

impl<G: Graph<Site = ModelSite>, W: Write> Wrapper for Recorded<'_, G, W> {
    type Inner = G;

    fn inner(&self) -> &G {
        self.inner
    }
}

impl<G: Graph<Site = ModelSite>, W: Write> Statistics for Recorded<'_, G, W> {
    fn taken(&self) -> &[Vec<bool>] {
        self.inner.taken()
    }
}
