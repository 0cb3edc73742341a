//! Concurrent table of numbered rows of bytes, the basis of the shared sets.
//!
//! All rows are in one arena, in the order of their numbers; a [`SharedIndex`] finds them. Numbers
//! are allocated in blocks, so that a thread writes to memory of its own and rarely touches the
//! block counter. A row is written under the next number of the thread's block and then published
//! by the index. If another thread has published an equal row first, the number is used for the
//! next row.
//!
//! *Entry points:* [`Look::insert`], [`Table::grow`].
//!
//! *Invariants:* The row of a published number is never written again, except by
//! [`Table::refill_all`], while the index is empty. Numbers below `claimed` that are not in an open
//! block belong to one row each. Arena and index have memory for all numbers below `capacity`, and
//! no thread claims a block beyond.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use super::index::{Lines, SharedIndex};
use crate::line::prefetch;
use crate::pages::{PAGE, Pages};
use crate::{LEAST_GROWTH, OutOfMemory};

/// Numbers per block: few enough to waste little memory, enough to make claims cheap.
pub(super) const BLOCK: u32 = 256;

/// Number of blocks refilled or rewritten by one thread as a unit of work.
const STRIDE: u32 = 16;

/// Maximum bytes of an index that grows by a factor of four.
const SMALL: u64 = 32 << 20;

/// Upper bound (exclusive) of all numbers.
const MOST: u64 = (u32::MAX - 2 * STRIDE * BLOCK) as u64;

/// Memory for another block is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Full;

/// The open block of a thread: its next number and its end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Open {
    pub next: u32,
    pub end: u32,
}

/// Result of an insertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Placed {
    Old(u32),
    New(u32),
}

/// The numbers of a range that are in no hole.
pub(super) fn without(range: Range<u32>, holes: &[Open]) -> Vec<Range<u32>> {
    let mut inside: Vec<&Open> =
        holes.iter().filter(|hole| range.start < hole.end && hole.next < range.end).collect();
    inside.sort_unstable_by_key(|hole| hole.next);
    let (mut rows, mut from) = (Vec::new(), range.start);
    for hole in inside {
        rows.push(from..hole.next.max(from));
        from = hole.end.min(range.end);
    }
    rows.push(from..range.end);
    rows
}

/// Result of [`Table::grow`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Grown {
    /// The capacity was increased.
    Done,
    /// The capacity was increased, and the index is empty: all rows must be entered again.
    Emptied,
}

/// Rows of one width.
pub(super) struct Table {
    pages: Pages,
    width: usize,
    index: SharedIndex,
    /// Number of row numbers that belong to blocks.
    claimed: AtomicU32,
    capacity: u32,
    /// Next row number for threads that process all rows.
    cursor: AtomicU32,
    /// Whether the index was emptied and is incomplete.
    emptied: bool,
    limit: u64,
}

impl Table {
    /// An empty table without capacity for rows of `width` bytes, limited to `limit` bytes.
    pub fn new(width: usize, limit: u64) -> Result<Table, OutOfMemory> {
        Ok(Table {
            pages: Pages::reserve(limit)?,
            width,
            index: SharedIndex::new()?,
            claimed: AtomicU32::new(0),
            capacity: 0,
            cursor: AtomicU32::new(0),
            emptied: false,
            limit,
        })
    }

    /// Bytes of a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Bytes of memory used.
    pub fn memory(&self) -> u64 {
        self.pages.committed() as u64 + self.index.memory()
    }

    /// Number of row numbers that belong to blocks.
    pub fn claimed(&self) -> u32 {
        self.claimed.load(Ordering::Relaxed)
    }

    /// Number of row numbers with memory.
    pub fn places(&self) -> usize {
        self.capacity as usize
    }

    /// Claims a new block for a thread.
    #[cold]
    pub fn claim(&self, open: &mut Open) -> Result<(), Full> {
        let more = |claimed: u32| (self.capacity - claimed >= BLOCK).then(|| claimed + BLOCK);
        let from = self.claimed.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).map_err(|_| Full)?;
        *open = Open { next: from, end: from + BLOCK };
        self.pages.prepare(open.end as usize * self.width);
        Ok(())
    }

    /// The rows and the index in their current form, to be borrowed once for many operations.
    #[inline(always)]
    pub fn look(&self) -> Look<'_> {
        let Table { width, capacity, .. } = *self;
        Look { base: self.pages.base(), width, capacity, lines: self.index.lines() }
    }

    /// The rows of consecutive numbers, none of which is being written.
    pub fn rows(&self, numbers: Range<u32>) -> &[u8] {
        assert!(numbers.start <= numbers.end && numbers.end <= self.capacity, "numbers that were given out");
        let len = (numbers.end - numbers.start) as usize * self.width;
        let start = numbers.start as usize * self.width;
        // SAFETY: as for `row`.
        unsafe { std::slice::from_raw_parts(self.pages.base().wrapping_add(start), len) }
    }

    /// Reserves at least `blocks` further blocks, with at most `allowance` further bytes. After an
    /// error the table is unchanged.
    pub fn grow(&mut self, blocks: u32, allowance: u64) -> Result<Grown, OutOfMemory> {
        let claimed = self.claimed();
        let need = u64::from(claimed) + u64::from(blocks) * u64::from(BLOCK);
        if need <= u64::from(self.capacity) {
            return Ok(Grown::Done);
        }
        if need > MOST {
            return Err(OutOfMemory);
        }
        let need = need as usize;
        let before = self.memory();
        self.grow_arena(need, allowance)?;
        let mut grown = Grown::Done;
        if need > self.index.capacity() {
            let most = before.saturating_add(allowance).saturating_sub(self.pages.committed() as u64);
            // Grow by a large factor, because a rebuild stops all threads; but not beyond the
            // number of rows that the limit permits.
            let possible = usize::try_from(self.limit / (self.width as u64 + 6)).unwrap_or(usize::MAX);
            let times = |times: usize| (self.index.capacity() * times).min(possible).max(need);
            let want = times(if self.index.memory() < SMALL { 4 } else { 2 });
            let fits = |&entries: &usize| SharedIndex::bytes_for(entries) <= most;
            let sizes = [want, times(2), need + need / 16, need + need / LEAST_GROWTH];
            let entries = sizes.into_iter().find(fits).ok_or(OutOfMemory)?;
            self.index.renew(entries, most)?;
            self.rewind();
            self.emptied = true;
            grown = Grown::Emptied;
        }
        let rows = self.pages.committed() / self.width;
        self.capacity = rows.min(self.index.capacity()).min(MOST as usize) as u32;
        Ok(grown)
    }

    fn grow_arena(&mut self, rows: usize, allowance: u64) -> Result<(), OutOfMemory> {
        let need = rows.checked_mul(self.width).ok_or(OutOfMemory)?;
        let have = self.pages.committed();
        if need <= have {
            return Ok(());
        }
        let generous = Pages::rounded(need.max(have + (have / 8).max(64 * PAGE)));
        let fits = |bytes: usize| (bytes - have) as u64 <= allowance;
        if fits(generous) && self.pages.commit(generous).is_ok() {
            return Ok(());
        }
        let exact = Pages::rounded(need);
        if fits(exact) { self.pages.commit(exact) } else { Err(OutOfMemory) }
    }

    /// Widens every row to `width` bytes, padded with zeros, using at most `allowance` further
    /// bytes. The index remains valid if the hash of a row does not change.
    pub fn widen(&mut self, width: usize, allowance: u64) -> Result<(), OutOfMemory> {
        assert!(width >= self.width, "rows only get wider");
        let claimed = self.claimed() as usize;
        // The number of rows must not decrease.
        let rows = self.capacity as usize;
        let old = std::mem::replace(&mut self.width, width);
        if let Err(full) = self.grow_arena(rows, allowance) {
            self.width = old;
            return Err(full);
        }
        let bytes = self.pages.slice_mut::<u8>();
        // From the last to the first, so that no row is overwritten before it was moved.
        for i in (0..claimed).rev() {
            bytes.copy_within(i * old..(i + 1) * old, i * width);
            bytes[i * width + old..(i + 1) * width].fill(0);
        }
        Ok(())
    }

    /// Whether the index must be rebuilt before the table is used.
    pub fn is_emptied(&self) -> bool {
        self.emptied
    }

    /// Marks the index as complete.
    pub fn filled(&mut self) {
        self.emptied = false;
    }

    /// Starts an iteration over all rows.
    pub fn rewind(&mut self) {
        self.cursor = AtomicU32::new(0);
    }

    /// Whether [`Table::next_part`] has returned all rows.
    pub fn is_through(&self) -> bool {
        self.cursor.load(Ordering::Relaxed) >= self.claimed()
    }

    /// The next numbers for a thread in an iteration; `None` at the end.
    pub fn next_part(&self) -> Option<Range<u32>> {
        let claimed = self.claimed();
        let more = |from: u32| (from < claimed).then(|| claimed.min(from + STRIDE * BLOCK));
        let from = self.cursor.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok()?;
        Some(from..claimed.min(from + STRIDE * BLOCK))
    }

    /// Takes part in the rebuild of an emptied index until no work is left. `holes` are the blocks
    /// that are not full. If rows are rewritten, `map` computes the new contents of some rows; no
    /// thread may read rows until the index is complete.
    pub fn refill_all(&self, holes: &[Open], mut map: Option<Map>, hash: impl Fn(&[u8]) -> u64) {
        if self.emptied {
            self.index.prepare();
        }
        while self.emptied
            && let Some(part) = self.next_part()
        {
            for rows in without(part, holes) {
                if let Some(map) = &mut map {
                    self.rewrite(rows.clone(), map);
                }
                self.refill(rows, &hash);
            }
        }
    }

    /// Replaces the rows of a part assigned to this thread.
    fn rewrite(&self, numbers: Range<u32>, map: Map) {
        assert!(self.emptied, "no lookups take place");
        let mut new = vec![0; BLOCK as usize * self.width];
        for start in numbers.clone().step_by(BLOCK as usize) {
            let end = numbers.end.min(start + BLOCK);
            let old = self.rows(start..end);
            let new = &mut new[..old.len()];
            map(old, new);
            let to = self.pages.base().wrapping_add(start as usize * self.width);
            // SAFETY: these rows are below the capacity, as was just checked, so that they are
            // committed, and the source is memory of this function. No other thread reads or writes
            // them: each part of the numbers is assigned to one thread, no lookups take place while
            // the index is emptied, the set returns no states before it is complete
            // (`SharedSet::read`), and the slice that `map` has read is not used any more.
            unsafe { std::ptr::copy_nonoverlapping(new.as_ptr(), to, new.len()) };
        }
    }

    /// Enters rows into an emptied index again.
    fn refill(&self, numbers: Range<u32>, hash: impl Fn(&[u8]) -> u64) {
        const AHEAD: u32 = 32;
        let look = self.look();
        let mut hashes = [0; AHEAD as usize];
        for start in numbers.clone().step_by(AHEAD as usize) {
            let end = numbers.end.min(start + AHEAD);
            for number in start..end {
                let hash = hash(look.row::<0>(number));
                look.lines.prefetch(hash);
                hashes[(number - start) as usize] = hash;
            }
            for number in start..end {
                // All rows are different, so no comparison is needed.
                look.lines.enter(hashes[(number - start) as usize], number);
            }
        }
    }
}

/// Computes the new contents of consecutive rows.
pub(super) type Map<'a> = &'a mut dyn FnMut(&[u8], &mut [u8]);

/// A table while it does not grow: its rows and its index. A separate type, so that the compiler
/// knows that concurrent insertions do not change the pointers.
#[derive(Clone, Copy)]
pub(super) struct Look<'a> {
    base: *mut u8,
    width: usize,
    /// Number of rows with memory.
    capacity: u32,
    lines: Lines<'a>,
}

impl<'a> Look<'a> {
    /// The row of a number read from the index, or of one that no thread can be writing any more.
    #[inline(always)]
    pub fn row<const W: usize>(self, number: u32) -> &'a [u8] {
        let width = if W == 0 { self.width } else { W };
        assert!(number < self.capacity, "a number that was given out");
        let address = self.base.wrapping_add(number as usize * width);
        // SAFETY: the arena is committed for `capacity` rows, and initialised (0 until written).
        // Callers pass numbers from the index, whose rows were written before they were published
        // and are not written while the table is shared, or numbers of blocks that their threads
        // have closed.
        unsafe { std::slice::from_raw_parts(address, width) }
    }

    /// Prefetches the data that a lookup of this hash reads first.
    #[inline(always)]
    pub fn prefetch(self, hash: u64) {
        self.lines.prefetch(hash);
    }

    /// Prefetches a row.
    #[inline(always)]
    pub fn fetch(self, number: u32) {
        // SAFETY: no bytes are read through this slice: it only denotes the start of the arena.
        let arena: &[u8] = unsafe { std::slice::from_raw_parts(self.base, 0) };
        prefetch(arena, number as usize * self.width);
    }

    /// The number that a row with this hash likely has, if present; prefetches its row.
    #[inline(always)]
    pub fn guess(self, hash: u64) -> Option<u32> {
        let guess = self.lines.guess(hash);
        // If there is no number, one superfluous line is prefetched.
        let at = guess.unwrap_or(0) as usize * self.width;
        // SAFETY: no bytes are read through this slice: it only denotes the start of the arena.
        let arena: &[u8] = unsafe { std::slice::from_raw_parts(self.base, 0) };
        prefetch(arena, at);
        // The row may extend into a second line; for longer rows the hardware prefetcher suffices.
        prefetch(arena, at + self.width.min(128) - 1);
        guess
    }

    /// Inserts a row unless it is present. The block must have a number left.
    #[inline(always)]
    pub fn insert<const W: usize>(
        self,
        open: &mut Open,
        hash: u64,
        row: &[u8],
        equal: impl Fn(&[u8], &[u8]) -> bool,
        lost: &mut u64,
    ) -> Placed {
        let (own, width) = (open.next, if W == 0 { self.width } else { W });
        assert!(own < open.end && open.end <= self.capacity, "a block with room");
        assert!(row.len() == width, "a whole row");
        let write = || {
            // Publication depends on this write: prefetch the memory of the next row in advance.
            self.fetch(own + (64 / width as u32).max(1));
            // SAFETY: the arena is committed for `capacity` rows, `own` is below that, and the row
            // has the width of one. `own` is in the block of this thread and was not published, so
            // that no other thread reads or writes these bytes; the source is not part of the
            // arena, as it is borrowed from outside.
            unsafe {
                std::ptr::copy_nonoverlapping(
                    row.as_ptr(),
                    self.base.wrapping_add(own as usize * width),
                    row.len(),
                )
            };
        };
        match self.lines.place(hash, own, write, |number| equal(self.row::<W>(number), row), lost) {
            Some(number) => Placed::Old(number),
            None => {
                open.next += 1;
                Placed::New(own)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Threads insert the same rows in different orders; each row gets one number, for one thread.
    fn together(threads: u32, rows: u32, hash: impl Fn(&[u8]) -> u64 + Sync) {
        let mut table = Table::new(4, u64::MAX).unwrap();
        assert_eq!(table.grow(threads + rows / BLOCK + 1, u64::MAX), Ok(Grown::Emptied));
        let work = |thread: u32| {
            let (mut open, mut new, mut lost) = (Open::default(), Vec::new(), 0);
            for i in 0..rows {
                // Each thread uses another order, so that they conflict; 7 and 11 are coprime to
                // the number of rows.
                let row = ((i * [1, 7, 11][thread as usize % 3] + thread) % rows).to_le_bytes();
                if open.next == open.end {
                    table.claim(&mut open).unwrap();
                }
                let placed = table.look().insert::<4>(&mut open, hash(&row), &row, |a, b| a == b, &mut lost);
                let number = match placed {
                    Placed::New(number) => {
                        new.push(number);
                        number
                    }
                    Placed::Old(number) => number,
                };
                assert_eq!(table.look().row::<0>(number), row);
            }
            new
        };
        let work = &work;
        let all: Vec<u32> = std::thread::scope(|scope| {
            let running: Vec<_> = (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
            running.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(all.len() as u32, rows, "each row is new to one thread");
        let found: HashSet<&[u8]> = all.iter().map(|&number| table.look().row::<0>(number)).collect();
        assert_eq!(found.len() as u32, rows);
    }

    #[test]
    fn threads_agree_on_each_row() {
        let rows = if cfg!(miri) { 60 } else { 30_000 };
        for threads in [1, 2, 5, 9] {
            together(threads, rows, |row| {
                let word = u64::from(u32::from_le_bytes([row[0], row[1], row[2], row[3]]));
                word.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            });
        }
    }

    #[test]
    fn threads_agree_when_all_hashes_are_equal() {
        for _ in 0..if cfg!(miri) { 1 } else { 20 } {
            together(4, if cfg!(miri) { 40 } else { 1000 }, |_| u64::MAX);
        }
    }

    #[test]
    fn threads_agree_when_tags_are_equal() {
        for _ in 0..if cfg!(miri) { 1 } else { 5 } {
            together(4, if cfg!(miri) { 40 } else { 4000 }, |row| u64::from(row[0]) << 62);
        }
    }

    #[test]
    fn rows_are_found_after_refilling_and_widening() {
        let mut table = Table::new(4, u64::MAX).unwrap();
        let hash = |row: &[u8]| {
            let word = u64::from(u32::from_le_bytes([row[0], row[1], row[2], row[3]]));
            word.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        let mut open = Open::default();
        let mut refilled = 0;
        for i in 0..20_000u32 {
            if i == 9_999 {
                table.widen(8, u64::MAX).unwrap();
            }
            if open.next == open.end && table.claim(&mut open).is_err() {
                if table.grow(1, u64::MAX).unwrap() == Grown::Emptied {
                    refilled += 1;
                    while let Some(part) = table.next_part() {
                        table.refill(part, hash);
                    }
                }
                table.claim(&mut open).unwrap();
            }
            let mut row = [0; 8];
            row[..4].copy_from_slice(&i.to_le_bytes());
            let row = &row[..table.width()];
            let mut put = || table.look().insert::<0>(&mut open, hash(row), row, |a, b| a == b, &mut 0);
            assert_eq!(put(), Placed::New(i));
        }
        assert!(refilled > 2);
        for i in 0..20_000u32 {
            let mut row = [0; 8];
            row[..4].copy_from_slice(&i.to_le_bytes());
            open.end += 1;
            let placed = table.look().insert::<0>(&mut open, hash(&row), &row, |a, b| a == b, &mut 0);
            open.end -= 1;
            assert_eq!(placed, Placed::Old(i));
        }
    }

    #[test]
    fn an_allowance_is_kept() {
        for allowance in (0..60).map(|i| i * 10_000) {
            let mut table = Table::new(12, u64::MAX).unwrap();
            while table.memory() <= allowance {
                if table.grow(1, allowance - table.memory()).is_err() {
                    break;
                }
                assert!(table.memory() <= allowance);
                while table.claim(&mut Open::default()).is_ok() {}
            }
            assert!(table.memory() <= allowance);
        }
    }
}
