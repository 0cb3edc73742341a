//! States that wait to be expanded, whole, where the set that they belong to has kept nothing of
//! them.
//!
//! First in, first out, in chunks; of each state only the bits that vary (`varying.rs`), so that
//! one waits in a few bytes. When bits vary for the first time a new chunk is begun with the new
//! form, and each chunk knows its own.
//!
//! *Entry points:* [`Waiting::push`] and [`Waiting::pop`].
//!
//! *Invariant:* a state comes out as it went in, with zeros at its end where states have become
//! wider since.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::varying::Varying;

/// Bytes of a full chunk.
const CHUNK: usize = 32 << 10;

/// States until the order of bits is looked at, and how many times as many each time after.
const FIRST: u64 = 256;
const TIMES: u64 = 2;

/// Some states of one form.
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
    /// Bytes held.
    pub(crate) fn memory(&self) -> u64 {
        let forms = self.form.as_ref().map_or(0, |form| form.memory());
        self.held + (self.chunks.capacity() * size_of::<Chunk>() + 8 * self.news.capacity()) as u64 + forms
    }

    /// Bytes that `count` more states of `width` bytes take at most.
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
                // Taken back, and put in with a place for every bit.
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

    /// Packs a state behind the others.
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
        // The last chunk gets no longer.
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
        // Forms change often at first.
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

    /// Takes the oldest state off and appends it, `width` bytes, to `out`; false where there is none.
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

    /// States are `width` bytes wide from now on.
    pub(crate) fn widen(&mut self, width: usize) {
        if let Some(form) = &self.form {
            let mut wider = Varying::clone(form);
            wider.widen(width);
            self.form = Some(Arc::new(wider));
        }
    }
}
