//! The frontier of a level under tree compression, as root pairs: the table of root pairs keeps no
//! insertion order, so the states to expand are stored separately.
//!
//! Pairs are stored in blocks, each filled by one thread; the blocks of a completed level are
//! reused.
//!
//! *Entry points:* [`Frontier::push`], [`Frontier::pairs`], [`Frontier::release`].
//!
//! *Invariant:* A block is filled from its start by the thread that claimed it, and is not claimed
//! again before it was released.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::table::{BLOCK, Full, Open};
use crate::OutOfMemory;
use crate::pages::{PAGE, Pages};

/// Bytes of a block.
const BYTES: usize = BLOCK as usize * 8;

/// Maximum number of blocks: pair numbers are 32 bits wide.
const MOST: u32 = u32::MAX / BLOCK - 1;

/// Root pairs of states that are not expanded yet.
pub(super) struct Frontier {
    pages: Pages,
    /// Number of blocks claimed so far, and number of blocks with memory.
    claimed: AtomicU32,
    capacity: u32,
    free: Mutex<Vec<u32>>,
}

impl Frontier {
    /// An empty frontier.
    pub fn new(limit: u64) -> Result<Frontier, OutOfMemory> {
        let (claimed, free) = (AtomicU32::new(0), Mutex::new(Vec::new()));
        Ok(Frontier { pages: Pages::reserve(limit)?, claimed, capacity: 0, free })
    }

    /// Bytes of memory used.
    pub fn memory(&self) -> u64 {
        let free = self.free.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).capacity();
        self.pages.committed() as u64 + 4 * free as u64
    }

    fn slots(&self) -> &[AtomicU64] {
        // SAFETY: `capacity` blocks from the page-aligned base are committed and were initialised
        // to 0; they are only used as atomic words, so any number of threads may hold this slice.
        // Growth takes `&mut self`.
        unsafe {
            std::slice::from_raw_parts(self.pages.base().cast(), self.capacity as usize * BLOCK as usize)
        }
    }

    /// Claims a block for a thread.
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

    /// Appends a pair to the block of a thread, which must not be full.
    #[inline(always)]
    pub fn push(&self, open: &mut Open, left: u32, right: u32) {
        assert!(open.next < open.end, "a block with room");
        let pair = u64::from(left) << 32 | u64::from(right);
        self.slots()[open.next as usize].store(pair, Ordering::Relaxed);
        open.next += 1;
    }

    /// The pairs with these numbers.
    pub fn pairs(&self, numbers: Range<u32>) -> impl Iterator<Item = (u32, u32)> + '_ {
        let slots = &self.slots()[numbers.start as usize..numbers.end as usize];
        slots.iter().map(|slot| {
            let pair = slot.load(Ordering::Relaxed);
            ((pair >> 32) as u32, pair as u32)
        })
    }

    /// Releases the blocks with these numbers; each number occurs once.
    pub fn release(&mut self, blocks: impl Iterator<Item = u32>) {
        self.free.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner()).extend(blocks);
    }

    /// Reserves `blocks` further blocks with at most `allowance` further bytes.
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
