//! The states of a level under tree compression, as root pairs: the table itself keeps no order, so
//! whoever expands a level needs them apart.
//!
//! Blocks of pairs, each filled by one thread; those of a level that is done are used again.
//!
//! *Entry points:* [`Frontier::push`], [`Frontier::pairs`], [`Frontier::release`].
//! *Invariant:* A block is filled by the thread that claimed it, from its start, and not given out
//! again before it was released.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::table::{BLOCK, Full, Open};
use crate::OutOfMemory;
use crate::pages::{PAGE, Pages};

/// Bytes of a block.
const BYTES: usize = BLOCK as usize * 8;

/// The most blocks: numbers of pairs are 32 bits wide.
const MOST: u32 = u32::MAX / BLOCK - 1;

/// Root pairs that wait to be read.
pub(super) struct Frontier {
    pages: Pages,
    /// Blocks that were ever given out, and for how many there is room.
    claimed: AtomicU32,
    capacity: u32,
    free: Mutex<Vec<u32>>,
}

impl Frontier {
    /// Nothing waits.
    pub fn new(limit: u64) -> Result<Frontier, OutOfMemory> {
        let (claimed, free) = (AtomicU32::new(0), Mutex::new(Vec::new()));
        Ok(Frontier { pages: Pages::reserve(limit)?, claimed, capacity: 0, free })
    }

    /// Bytes held.
    pub fn memory(&self) -> u64 {
        let free = self.free.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).capacity();
        self.pages.committed() as u64 + 4 * free as u64
    }

    fn slots(&self) -> &[AtomicU64] {
        // SAFETY: `capacity` blocks from the page-aligned base are committed and began as 0; they are only ever used
        // as atomic words, so that any number of threads may hold this slice. Growth takes `&mut self`.
        unsafe {
            std::slice::from_raw_parts(self.pages.base().cast(), self.capacity as usize * BLOCK as usize)
        }
    }

    /// Gives a thread a block.
    #[cold]
    pub fn claim(&self, open: &mut Open) -> Result<(), Full> {
        let free = self.free.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).pop();
        let block = match free {
            Some(block) => block,
            None => {
                let more = |claimed: u32| (claimed < self.capacity).then(|| claimed + 1);
                self.claimed.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).map_err(|_| Full)?
            }
        };
        *open = Open { next: block * BLOCK, end: (block + 1) * BLOCK };
        Ok(())
    }

    /// Appends a pair to the block of a thread, which has room.
    #[inline(always)]
    pub fn push(&self, open: &mut Open, left: u32, right: u32) {
        assert!(open.next < open.end, "a block with room");
        let pair = u64::from(left) << 32 | u64::from(right);
        self.slots()[open.next as usize].store(pair, Ordering::Relaxed);
        open.next += 1;
    }

    /// The pairs under these numbers.
    pub fn pairs(&self, numbers: Range<u32>) -> impl Iterator<Item = (u32, u32)> + '_ {
        let slots = &self.slots()[numbers.start as usize..numbers.end as usize];
        slots.iter().map(|slot| {
            let pair = slot.load(Ordering::Relaxed);
            ((pair >> 32) as u32, pair as u32)
        })
    }

    /// The blocks with these numbers may be given out again; each is named once.
    pub fn release(&mut self, blocks: impl Iterator<Item = u32>) {
        self.free.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner()).extend(blocks);
    }

    /// Makes room for so many more blocks with at most `allowance` bytes more.
    pub fn grow(&mut self, blocks: u32, allowance: u64) -> Result<(), OutOfMemory> {
        let free = self.free.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner()).len() as u32;
        let need = (*self.claimed.get_mut() + blocks).saturating_sub(free);
        if need <= self.capacity {
            return Ok(());
        }
        if need > MOST {
            return Err(OutOfMemory);
        }
        let have = self.pages.committed();
        let need = need as usize * BYTES;
        let sizes = [need.max(have + (have / 4).max(64 * PAGE)), need].map(Pages::rounded);
        let fits = |&bytes: &usize| (bytes - have) as u64 <= allowance;
        self.pages.commit(sizes.into_iter().find(fits).ok_or(OutOfMemory)?)?;
        self.capacity = ((self.pages.committed() / BYTES) as u32).min(MOST);
        Ok(())
    }
}
