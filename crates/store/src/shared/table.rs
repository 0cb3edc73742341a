//! Rows of bytes under numbers, for many threads: what the shared sets are made of.
//!
//! All rows lie in one arena, in the order of their numbers; a [`SharedIndex`] finds them. Numbers
//! are handed out by the block, so that a thread writes where no other does and the counter of
//! blocks is seldom touched: a row is written under the next number of the thread's own block, then
//! published by the index. If another thread was faster with an equal row the number is used for
//! the next one.
//!
//! *Entry points:* [`Look::insert`], [`Table::grow`].
//!
//! Invariants: the row under a number that the index has is never written again, but for
//! [`Table::refill_all`], when the index has nothing; numbers below `claimed` that are in no block
//! that is open belong to one row each; there is room in the arena and in the index for all numbers
//! below `capacity`, and nobody claims a block beyond.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use super::index::{Lines, SharedIndex};
use crate::OutOfMemory;
use crate::line::prefetch;
use crate::pages::{PAGE, Pages};

/// Numbers a block: few enough that open ones are no waste, enough that claiming one is nothing.
pub(super) const BLOCK: u32 = 256;

/// Blocks that are refilled or rewritten by one thread in one go.
const STRIDE: u32 = 16;

/// Bytes of an index up to which it becomes four times as large at once.
const SMALL: u64 = 32 << 20;

/// No number is as large.
const MOST: u64 = (u32::MAX - 2 * STRIDE * BLOCK) as u64;

/// There is no room for another block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Full;

/// The block that a thread fills: its next number, and where it ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Open {
    pub next: u32,
    pub end: u32,
}

/// Whether a row was there.
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

/// What [`Table::grow`] did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Grown {
    /// There is room.
    Done,
    /// There is room, and the index is empty: all rows have to be entered again.
    Emptied,
}

/// Rows of one width.
pub(super) struct Table {
    pages: Pages,
    width: usize,
    index: SharedIndex,
    /// Numbers that belong to blocks so far.
    claimed: AtomicU32,
    capacity: u32,
    /// Where the next thread goes on that goes through all rows.
    cursor: AtomicU32,
    /// Whether the index was emptied and is not complete again.
    emptied: bool,
    limit: u64,
}

impl Table {
    /// An empty table without room, for rows of `width` bytes, that will not grow beyond `limit` bytes.
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

    /// Bytes held.
    pub fn memory(&self) -> u64 {
        self.pages.committed() as u64 + self.index.memory()
    }

    /// Numbers that belong to blocks.
    pub fn claimed(&self) -> u32 {
        self.claimed.load(Ordering::Relaxed)
    }

    /// Numbers for which there is room.
    pub fn places(&self) -> usize {
        self.capacity as usize
    }

    /// Gives a thread a new block.
    #[cold]
    pub fn claim(&self, open: &mut Open) -> Result<(), Full> {
        let more = |claimed: u32| (self.capacity - claimed >= BLOCK).then(|| claimed + BLOCK);
        let from = self.claimed.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).map_err(|_| Full)?;
        *open = Open { next: from, end: from + BLOCK };
        self.pages.prepare(open.end as usize * self.width);
        Ok(())
    }

    /// The rows and the index as they stand, to be borrowed once for many operations.
    #[inline(always)]
    pub fn look(&self) -> Look<'_> {
        let Table { width, capacity, .. } = *self;
        Look { base: self.pages.base(), width, capacity, lines: self.index.lines() }
    }

    /// The rows of neighbouring numbers of which none is being written.
    pub fn rows(&self, numbers: Range<u32>) -> &[u8] {
        assert!(numbers.start <= numbers.end && numbers.end <= self.capacity, "numbers that were given out");
        let len = (numbers.end - numbers.start) as usize * self.width;
        let start = numbers.start as usize * self.width;
        // SAFETY: as for `row`.
        unsafe { std::slice::from_raw_parts(self.pages.base().wrapping_add(start), len) }
    }

    /// Makes room for `blocks` more blocks at least, with at most `allowance` bytes more. After an error the table is
    /// as it was.
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
            // Much larger, so that filling it anew, for which everybody stops, is seldom; but no larger than for all that
            // the limit has room for.
            let possible = usize::try_from(self.limit / (self.width as u64 + 6)).unwrap_or(usize::MAX);
            let times = |times: usize| (self.index.capacity() * times).min(possible).max(need);
            let want = times(if self.index.memory() < SMALL { 4 } else { 2 });
            let fits = |&entries: &usize| SharedIndex::bytes_for(entries) <= most;
            let sizes = [want, times(2), need + need / 16, need];
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

    /// Makes every row `width` bytes wide, zeros at its end, using at most `allowance` bytes more. The index stays,
    /// if the hash of a row does not change by that.
    pub fn widen(&mut self, width: usize, allowance: u64) -> Result<(), OutOfMemory> {
        assert!(width >= self.width, "rows only get wider");
        let claimed = self.claimed() as usize;
        // As many rows as before have to find room.
        let rows = self.capacity as usize;
        let old = std::mem::replace(&mut self.width, width);
        if let Err(full) = self.grow_arena(rows, allowance) {
            self.width = old;
            return Err(full);
        }
        let bytes = self.pages.slice_mut::<u8>();
        // From the last to the first, so that no row is written over before it has moved.
        for i in (0..claimed).rev() {
            bytes.copy_within(i * old..(i + 1) * old, i * width);
            bytes[i * width + old..(i + 1) * width].fill(0);
        }
        Ok(())
    }

    /// Whether the index has to be filled before the table is used.
    pub fn is_emptied(&self) -> bool {
        self.emptied
    }

    /// The index is complete.
    pub fn filled(&mut self) {
        self.emptied = false;
    }

    /// Begins to go through all rows.
    pub fn rewind(&mut self) {
        self.cursor = AtomicU32::new(0);
    }

    /// Whether all rows were given out by [`Table::next_part`].
    pub fn is_through(&self) -> bool {
        self.cursor.load(Ordering::Relaxed) >= self.claimed()
    }

    /// The next numbers for a thread that goes through all rows; none where all are done.
    pub fn next_part(&self) -> Option<Range<u32>> {
        let claimed = self.claimed();
        let more = |from: u32| (from < claimed).then(|| claimed.min(from + STRIDE * BLOCK));
        let from = self.cursor.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok()?;
        Some(from..claimed.min(from + STRIDE * BLOCK))
    }

    /// Takes part in filling an index that was emptied, until there is no more to do. `holes` are the blocks that
    /// are not full. Where rows are to become others, `map` writes for some of them what they become; until the index is
    /// filled nobody may read rows then.
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

    /// Replaces rows, of a part that was given to this thread.
    fn rewrite(&self, numbers: Range<u32>, map: Map) {
        assert!(self.emptied, "nobody looks for rows");
        let mut new = vec![0; BLOCK as usize * self.width];
        for start in numbers.clone().step_by(BLOCK as usize) {
            let end = numbers.end.min(start + BLOCK);
            let old = self.rows(start..end);
            let new = &mut new[..old.len()];
            map(old, new);
            let to = self.pages.base().wrapping_add(start as usize * self.width);
            // SAFETY: these rows are below the capacity, as was just checked, so that they are committed, and the source is
            // memory of this function. Nobody else reads or writes them: each part of the numbers is given to one thread,
            // nothing is looked up while the index is emptied, the set does not hand out states before it is filled
            // (`SharedSet::read`), and the slice that `map` has read is not used any more.
            unsafe { std::ptr::copy_nonoverlapping(new.as_ptr(), to, new.len()) };
        }
    }

    /// Enters rows again into an index that was emptied.
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
                // All rows are different, so there is nothing to compare.
                look.lines.enter(hashes[(number - start) as usize], number);
            }
        }
    }
}

/// Writes what rows, one behind the other, become.
pub(super) type Map<'a> = &'a mut dyn FnMut(&[u8], &mut [u8]);

/// A table while it does not grow: where its rows are, and how to find them. Apart from the table, so that the compiler
/// sees that what threads do does not change that.
#[derive(Clone, Copy)]
pub(super) struct Look<'a> {
    base: *mut u8,
    width: usize,
    /// Rows for which there is room.
    capacity: u32,
    lines: Lines<'a>,
}

impl<'a> Look<'a> {
    /// The row of a number that was read from the index, or of one that no thread can be writing any more.
    #[inline(always)]
    pub fn row<const W: usize>(self, number: u32) -> &'a [u8] {
        let width = if W == 0 { self.width } else { W };
        assert!(number < self.capacity, "a number that was given out");
        let address = self.base.wrapping_add(number as usize * width);
        // SAFETY: the arena is committed for `capacity` rows, and initialised (0 until written). Callers pass
        // numbers from the index, whose rows were written before they were published and are not written while
        // the table is shared, or numbers of blocks that their threads have left behind.
        unsafe { std::slice::from_raw_parts(address, width) }
    }

    /// Fetches what a search for a row with this hash reads first.
    #[inline(always)]
    pub fn prefetch(self, hash: u64) {
        self.lines.prefetch(hash);
    }

    /// Fetches a row.
    #[inline(always)]
    pub fn fetch(self, number: u32) {
        // SAFETY: no bytes are read through this slice: it only says where the arena begins.
        let arena: &[u8] = unsafe { std::slice::from_raw_parts(self.base, 0) };
        prefetch(arena, number as usize * self.width);
    }

    /// The number that a row with this hash likely has, if it is there; fetches the row of that number.
    #[inline(always)]
    pub fn guess(self, hash: u64) -> Option<u32> {
        let guess = self.lines.guess(hash);
        // Where there is no number, a line too many is soon fetched.
        let at = guess.unwrap_or(0) as usize * self.width;
        // SAFETY: no bytes are read through this slice: it only says where the arena begins.
        let arena: &[u8] = unsafe { std::slice::from_raw_parts(self.base, 0) };
        prefetch(arena, at);
        // The row may reach into a second line; longer ones the processor follows itself.
        prefetch(arena, at + self.width.min(128) - 1);
        guess
    }

    /// Puts a row in, unless it is there. The block has to have a number left.
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
            // The index waits until the row is written: the next one's memory is asked for before it is needed.
            self.fetch(own + (64 / width as u32).max(1));
            // SAFETY: the arena is committed for `capacity` rows, `own` is below that, and the row is as wide as
            // one. `own` is in the block of this thread and was not published, so that nobody else reads or
            // writes these bytes; the source is not part of the arena, as it is borrowed from outside.
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

    /// Threads put the same rows in, in different orders; each row gets one number, and one thread gets it.
    fn together(threads: u32, rows: u32, hash: impl Fn(&[u8]) -> u64 + Sync) {
        let mut table = Table::new(4, u64::MAX).unwrap();
        assert_eq!(table.grow(threads + rows / BLOCK + 1, u64::MAX), Ok(Grown::Emptied));
        let work = |thread: u32| {
            let (mut open, mut new, mut lost) = (Open::default(), Vec::new(), 0);
            for i in 0..rows {
                // Every thread in an order of its own, so that they meet; 7 and 11 are prime to the number of rows.
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
