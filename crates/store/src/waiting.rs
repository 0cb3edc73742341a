//! Queue of states to expand, for sets that do not store states.
//!
//! First in, first out, in chunks; of each state only the varying bits are stored (`varying.rs`).
//! When a bit varies for the first time, a new chunk with a new format is started; each chunk knows
//! its format.
//!
//! *Entry points:* [`Waiting::push`] and [`Waiting::pop`].
//!
//! *Invariant:* a state is returned as it was added, padded with zeros if states were widened
//! since.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::varying::Varying;

/// Bytes of a full chunk.
const CHUNK: usize = 32 << 10;

/// Number of states at the first review of the bit order; growth factor until the next one.
const FIRST: u64 = 256;
const TIMES: u64 = 2;

/// Some states in one format.
struct Chunk {
    form: Arc<Varying>,
    bytes: Vec<u8>,
    read: usize,
}

/// The queue.
#[derive(Default)]
pub(crate) struct Waiting {
    chunks: VecDeque<Chunk>,
    /// None before the first state.
    form: Option<Arc<Varying>>,
    pushed: u64,
    review: u64,
    news: Vec<u64>,
    /// Bytes of all chunks.
    held: u64,
}

impl Waiting {
    /// Bytes of memory used.
    pub(crate) fn memory(&self) -> u64 {
        let forms = self.form.as_ref().map_or(0, |form| form.memory());
        self.held + (self.chunks.capacity() * size_of::<Chunk>() + 8 * self.news.capacity()) as u64 + forms
    }

    /// Maximum number of bytes for `count` further states of `width` bytes.
    pub(crate) fn most(&self, count: usize, width: usize) -> u64 {
        (count * width + 3 * CHUNK) as u64
    }

    /// Appends a state.
    pub(crate) fn push(&mut self, state: &[u8]) {
        let form = match &self.form {
            Some(form) => Arc::clone(form),
            None => Arc::new(Varying::new(state)),
        };
        self.news.clear();
        self.news.resize(form.words(), 0);
        let form = self.append(form, state);
        let form = match self.news.iter().any(|&new| new != 0) {
            true => {
                // Remove the state and add it again in a format with all bits.
                self.drop_last(form.packed());
                let more = Arc::new(form.admit(&self.news));
                self.append(more, state)
            }
            false => form,
        };
        self.form = Some(form);
        self.pushed += 1;
        if self.pushed >= self.review.max(FIRST) {
            self.review = self.pushed * TIMES;
            self.form = self.form.as_ref().map(|form| match form.steps() > 2 * form.ordered().steps() {
                true => Arc::new(form.ordered()),
                false => Arc::clone(form),
            });
        }
    }

    /// Appends a packed state.
    fn append(&mut self, form: Arc<Varying>, state: &[u8]) -> Arc<Varying> {
        let size = form.packed();
        let fits = self.chunks.back().is_some_and(|chunk| {
            Arc::ptr_eq(&chunk.form, &form) && chunk.bytes.len() + size <= chunk.bytes.capacity()
        });
        if !fits {
            self.begin(&form, size);
        }
        if let Some(chunk) = self.chunks.back_mut() {
            let start = chunk.bytes.len();
            chunk.bytes.resize(start + size, 0);
            form.pack(state, &mut chunk.bytes[start..], &mut self.news);
        }
        form
    }

    #[cold]
    fn begin(&mut self, form: &Arc<Varying>, size: usize) {
        // The last chunk is complete.
        let mut empty = None;
        if let Some(last) = self.chunks.back_mut() {
            self.held -= last.bytes.capacity() as u64;
            last.bytes.shrink_to_fit();
            self.held += last.bytes.capacity() as u64;
            empty = Some(last.read == last.bytes.len());
        }
        if empty == Some(true) {
            self.drop_chunk(true);
        }
        // Formats change often at first.
        let room = if self.pushed < 4 * FIRST { 8 * size } else { CHUNK.max(size) };
        let bytes = Vec::with_capacity(room / size * size);
        self.held += bytes.capacity() as u64;
        self.chunks.push_back(Chunk { form: Arc::clone(form), bytes, read: 0 });
    }

    fn drop_chunk(&mut self, last: bool) {
        let chunk = if last { self.chunks.pop_back() } else { self.chunks.pop_front() };
        self.held -= chunk.map_or(0, |chunk| chunk.bytes.capacity() as u64);
    }

    fn drop_last(&mut self, size: usize) {
        if let Some(chunk) = self.chunks.back_mut() {
            chunk.bytes.truncate(chunk.bytes.len() - size);
        }
    }

    /// Removes the oldest state and appends it, `width` bytes, to `out`; returns false if the queue
    /// is empty.
    pub(crate) fn pop(&mut self, width: usize, out: &mut Vec<u8>) -> bool {
        while let Some(chunk) = self.chunks.front_mut() {
            if chunk.read == chunk.bytes.len() {
                self.drop_chunk(false);
                continue;
            }
            let start = out.len();
            let size = chunk.form.packed();
            chunk.form.unpack(&chunk.bytes[chunk.read..chunk.read + size], out);
            out.resize(start + width, 0);
            chunk.read += size;
            return true;
        }
        false
    }

    /// Widens the states to `width` bytes from now on.
    pub(crate) fn widen(&mut self, width: usize) {
        if let Some(form) = &self.form {
            let mut wider = Varying::clone(form);
            wider.widen(width);
            self.form = Some(Arc::new(wider));
        }
    }
}
