//! Moves that were made before. For a process and the bits that its moves depend on ([`crate::footprint`]): what each
//! move changes in a packed state. Packed forms are added by exclusive or, so that a change is one row too. Main type:
//! [`Moves`]. Kept: nothing goes wrong in a move that is here.

use std::ops::Range;

use crate::table::hash;

/// Words of changes, and entries, after which all is forgotten: so many are not asked for again soon.
const MOST_WORDS: usize = 1 << 23;
const MOST_ENTRIES: usize = 1 << 20;

/// Which moves were made.
#[derive(Debug)]
pub(crate) struct Moves {
    /// Words of a row.
    words: usize,
    /// Entry numbers plus 1, by hash; its length is a power of two.
    index: Vec<u32>,
    /// For each entry the process and the bits.
    keys: Vec<u64>,
    /// For each entry where its changes end.
    ends: Vec<usize>,
    changes: Vec<u64>,
}

impl Moves {
    /// None yet, of packed states of so many words.
    pub(crate) fn new(words: usize) -> Moves {
        Moves { words, index: vec![0; 1 << 10], keys: Vec::new(), ends: Vec::new(), changes: Vec::new() }
    }

    /// Where the entry of a key is, or the place for its number. A key is the process, and the bits.
    fn find(&self, key: &[u64]) -> Result<usize, usize> {
        let mask = self.index.len() - 1;
        let mut place = hash(key) as usize & mask;
        loop {
            match self.index[place].checked_sub(1) {
                None => return Err(place),
                Some(entry) => {
                    let start = entry as usize * key.len();
                    let there = &self.keys[start..start + key.len()];
                    if there.iter().zip(key).all(|(there, word)| there == word) {
                        return Ok(entry as usize);
                    }
                }
            }
            place = (place + 1) & mask;
        }
    }

    /// The changes of the moves, one row each, where they are known.
    pub(crate) fn get(&self, key: &[u64]) -> Option<&[u64]> {
        let entry = self.find(key).ok()?;
        Some(&self.changes[self.range(entry)])
    }

    fn range(&self, entry: usize) -> Range<usize> {
        let start = if entry == 0 { 0 } else { self.ends[entry - 1] };
        start..self.ends[entry]
    }

    /// Takes note of the moves that lead from a packed state to others.
    pub(crate) fn put(&mut self, key: &[u64], row: &[u64], to: &[u64]) {
        if self.ends.len() >= MOST_ENTRIES || self.changes.len() >= MOST_WORDS {
            *self = Moves::new(self.words);
        }
        if 2 * self.ends.len() >= self.index.len() {
            self.index = vec![0; 2 * self.index.len()];
            for (entry, key) in self.keys.chunks_exact(self.words + 1).enumerate() {
                let mask = self.index.len() - 1;
                let mut place = hash(key) as usize & mask;
                while self.index[place] != 0 {
                    place = (place + 1) & mask;
                }
                self.index[place] = entry as u32 + 1;
            }
        }
        if let Err(place) = self.find(key) {
            self.keys.extend_from_slice(key);
            let changes =
                to.chunks_exact(self.words).flat_map(|to| to.iter().zip(row).map(|(to, row)| to ^ row));
            self.changes.extend(changes);
            self.ends.push(self.changes.len());
            self.index[place] = self.ends.len() as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_those_that_were_noted() {
        let mut moves = Moves::new(2);
        for number in 0..5_000u64 {
            let (key, row) = ([number % 3, number, 7], [number, 1]);
            assert_eq!(moves.get(&key), None);
            let to: Vec<u64> = (0..number % 4).flat_map(|i| [number ^ i, 5]).collect();
            moves.put(&key, &row, &to);
        }
        for number in 0..5_000u64 {
            let wanted: Vec<u64> = (0..number % 4).flat_map(|i| [i, 4]).collect();
            assert_eq!(moves.get(&[number % 3, number, 7]), Some(&wanted[..]));
        }
        assert_eq!(moves.get(&[1, 0, 7]), None, "of another process");
    }
}
