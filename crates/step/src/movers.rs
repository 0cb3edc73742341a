//! Executing processes of each successor of a batch, on which fairness depends.
//!
//! A step executes one process, a rendezvous two, and an atomic sequence whose control passes on by
//! rendezvous more. One or two of them, sorted, are encoded in one word per successor; longer lists
//! are stored separately.
//!
//! *Entry points:* [`Movers::push`], [`Movers::of`].
//!
//! *Invariant:* A list is sorted and free of duplicates, so equal sets of processes have equal
//! lists.

/// Marks a word that is an index in [`Movers::more`].
const ASIDE: u64 = 1 << 63;

/// The executing processes of each successor. Empty unless requested.
#[derive(Clone, Default, Debug)]
pub struct Movers {
    /// For each successor its first process, and the second plus 1 in the upper half; or an index
    /// in `more`.
    words: Vec<u64>,
    /// Lists of three or more.
    more: Vec<Vec<u32>>,
}

/// The set of processes executed by one step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Moved<'a> {
    /// This one alone.
    One(u32),
    /// These two, the smaller number first.
    Two(u32, u32),
    /// These, in order.
    More(&'a [u32]),
}

impl Moved<'_> {
    /// Calls `see` with the number of each process.
    #[inline]
    pub fn each(self, mut see: impl FnMut(u32)) {
        match self {
            Moved::One(a) => see(a),
            Moved::Two(a, b) => {
                see(a);
                see(b);
            }
            Moved::More(list) => list.iter().for_each(|&pid| see(pid)),
        }
    }

    /// The numbers, in order.
    pub fn to_vec(self) -> Vec<u32> {
        let mut list = Vec::new();
        self.each(|pid| list.push(pid));
        list
    }
}

impl Movers {
    /// Discards all entries and keeps the memory.
    pub fn clear(&mut self) {
        self.words.clear();
        self.more.clear();
    }

    /// Number of successors with an entry.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there is no entry: none was requested, or there are no successors.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The processes executed on the way to the successor at this position of the batch.
    #[inline]
    pub fn of(&self, successor: usize) -> Moved<'_> {
        let word = self.words[successor];
        if word & ASIDE != 0 {
            return Moved::More(&self.more[(word & !ASIDE) as usize]);
        }
        match word >> 32 {
            0 => Moved::One(word as u32),
            second => Moved::Two(word as u32, (second - 1) as u32),
        }
    }

    /// Adds a successor whose step executes this process only.
    #[inline]
    pub fn push_one(&mut self, pid: u32) {
        self.words.push(pid.into());
    }

    /// Adds a successor whose step executes these processes; the nonempty list is sorted and
    /// deduplicated.
    pub fn push(&mut self, list: &mut Vec<u32>) {
        self.words.push(0);
        self.set(self.words.len() - 1, list);
    }

    /// Adds processes to the successor at this position.
    pub(crate) fn add(&mut self, successor: usize, pids: &[u32]) {
        if let (Moved::One(own), &[a, b]) = (self.of(successor), pids)
            && (own == a || own == b)
            && a < b.min(1 << 30)
        {
            self.words[successor] = u64::from(a) | (u64::from(b) + 1) << 32;
            return;
        }
        let mut list = self.of(successor).to_vec();
        list.extend_from_slice(pids);
        self.set(successor, &mut list);
    }

    fn set(&mut self, successor: usize, list: &mut Vec<u32>) {
        list.sort_unstable();
        list.dedup();
        self.words[successor] = match **list {
            [only] => only.into(),
            [first, second] if second < (1 << 31) - 1 => u64::from(first) | (u64::from(second) + 1) << 32,
            _ => {
                self.more.push(list.clone());
                ASIDE | (self.more.len() - 1) as u64
            }
        };
    }

    /// Discards all but the first `successors` entries.
    pub(crate) fn truncate(&mut self, successors: usize) {
        self.words.truncate(successors);
    }

    /// Appends the entries of another batch.
    pub(crate) fn append(&mut self, other: &Movers) {
        for successor in 0..other.len() {
            self.push(&mut other.of(successor).to_vec());
        }
    }
}

/// Two batches are equal if the same processes are executed for each successor.
impl PartialEq for Movers {
    fn eq(&self, other: &Movers) -> bool {
        self.len() == other.len() && (0..self.len()).all(|i| self.of(i) == other.of(i))
    }
}

impl Eq for Movers {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back_sorted() {
        let mut movers = Movers::default();
        movers.push_one(7);
        movers.push(&mut vec![5, 3, 5]);
        movers.push(&mut vec![9, 1, 4]);
        movers.push(&mut vec![2, u32::MAX]);
        movers.push(&mut vec![u32::MAX]);
        assert_eq!(movers.of(0), Moved::One(7));
        assert_eq!(movers.of(1), Moved::Two(3, 5));
        assert_eq!(movers.of(2), Moved::More(&[1, 4, 9]));
        assert_eq!(movers.of(3), Moved::More(&[2, u32::MAX]));
        assert_eq!(movers.of(4), Moved::One(u32::MAX));
        movers.add(0, &[2]);
        movers.add(1, &[0]);
        movers.push_one(4);
        movers.add(5, &[4, 6]);
        assert_eq!(movers.of(5), Moved::Two(4, 6));
        movers.add(5, &[6, 4]);
        assert_eq!(movers.of(5), Moved::Two(4, 6));
        assert_eq!(movers.of(0), Moved::Two(2, 7));
        assert_eq!(movers.of(1), Moved::More(&[0, 3, 5]));
    }
}
