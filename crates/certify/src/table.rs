//! The exact set of packed states: an open-addressing hash table with linear probing. It is filled
//! once and then read-only, so threads share it.
//!
//! *Entry points:* [`Table::insert`], [`Table::contains`].
//! *Invariant:* a row is free if and only if its first word is 0, and there is always a free row.

/// A set of rows of words.
pub(crate) struct Table {
    rows: Vec<u64>,
    words: usize,
    room: u64,
    count: u64,
}

/// Hashes a row. Only performance depends on its quality.
pub(crate) fn hash(row: &[u64]) -> u64 {
    row.iter().fold(0x243f_6a88_85a3_08d3, |hash, word| {
        let mixed = u128::from(hash ^ word) * 0x9e37_79b9_7f4a_7c15;
        (mixed as u64) ^ ((mixed >> 64) as u64)
    })
}

impl Table {
    /// An empty set with capacity for `count` rows; `None` if there is not enough memory.
    pub(crate) fn new(count: u64, words: usize) -> Option<Table> {
        let room = count.checked_add(count / 2)?.checked_add(8)?;
        let length = usize::try_from(room).ok()?.checked_mul(words)?;
        // Reserved first, because a failed allocation aborts the program.
        Vec::<u64>::new().try_reserve_exact(length).ok()?;
        Some(Table { rows: vec![0; length], words, room, count: 0 })
    }

    /// The home position of the row.
    fn home(&self, row: &[u64]) -> u64 {
        ((u128::from(hash(row)) * u128::from(self.room)) >> 64) as u64
    }

    /// Prefetches the home positions of several rows by reading a word near each; the cache misses
    /// overlap.
    pub(crate) fn approach(&self, rows: &[u64], homes: &mut Vec<u64>) -> u64 {
        homes.clear();
        homes.extend(rows.chunks_exact(self.words).map(|row| self.home(row)));
        homes.iter().fold(0, |all, &home| all ^ self.rows[home as usize * self.words])
    }

    /// The position of a row, or the free position for it, searching from its home position.
    fn find(&self, row: &[u64], home: u64) -> Result<usize, usize> {
        let mut place = home;
        loop {
            let start = place as usize * self.words;
            let there = &self.rows[start..start + self.words];
            if there[0] == 0 {
                return Err(start);
            }
            // Compared word by word, because a comparison of short slices is a function call.
            if there.iter().zip(row).all(|(there, word)| there == word) {
                return Ok(start);
            }
            place = if place + 1 == self.room { 0 } else { place + 1 };
        }
    }

    /// Inserts a row whose first word is not 0; false if it was present or the set is full.
    pub(crate) fn insert(&mut self, row: &[u64], home: u64) -> bool {
        match self.find(row, home) {
            Err(start) if self.count + 8 <= self.room => {
                self.rows[start..start + self.words].copy_from_slice(row);
                self.count += 1;
                true
            }
            Ok(_) | Err(_) => false,
        }
    }

    /// Whether the set contains a row.
    pub(crate) fn contains(&self, row: &[u64], home: u64) -> bool {
        self.find(row, home).is_ok()
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> u64 {
        self.count
    }

    /// Number of positions, including free ones.
    pub(crate) fn places(&self) -> u64 {
        self.room
    }

    /// The row at a position, if there is one.
    pub(crate) fn at(&self, place: u64) -> Option<&[u64]> {
        let start = place as usize * self.words;
        let row = self.rows.get(start..start + self.words)?;
        (row[0] != 0).then_some(row)
    }

    /// Bytes of memory.
    pub(crate) fn memory(&self) -> u64 {
        8 * self.rows.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axle_generate::Random;
    use std::collections::HashSet;

    #[test]
    fn holds_what_was_inserted_and_nothing_else() {
        for words in 1..4 {
            let count = 1_000;
            let mut table = Table::new(count, words).expect("a little memory");
            let (mut known, mut homes) = (HashSet::new(), Vec::new());
            let mut random = Random::of(1, 0);
            while table.len() < count {
                let number = random.number();
                let most = if words == 1 { 4_000 } else { 60 };
                let row: Vec<u64> = (0..words).map(|i| (number >> (20 + 13 * i)) % most * 2 + 1).collect();
                table.approach(&row, &mut homes);
                assert_eq!(table.contains(&row, homes[0]), known.contains(&row));
                assert_eq!(table.insert(&row, homes[0]), known.insert(row.clone()));
                assert!(table.contains(&row, homes[0]));
            }
            let rows = (0..table.places()).filter_map(|place| table.at(place)).map(<[u64]>::to_vec);
            assert_eq!(rows.collect::<HashSet<_>>(), known);
        }
    }

    #[test]
    fn a_full_table_takes_no_more_and_ends_every_search() {
        let mut table = Table::new(0, 1).expect("a little memory");
        let mut homes = Vec::new();
        let taken = (0..20u64)
            .filter(|number| {
                let row = [2 * number + 1];
                table.approach(&row, &mut homes);
                table.insert(&row, homes[0])
            })
            .count();
        assert_eq!(taken, 1);
    }
}
