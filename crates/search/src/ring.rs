//! Lists of successors that a depth-first search will ask for soon: those that were made ahead, the
//! oldest overwritten by the newest.
//!
//! *Entry points:* [`Ring::begin`], [`Ring::end`] around [`Ring::push`] to write a list,
//! [`Ring::read`] to have it.
//! *Invariant:* What is read is a list as it was written, or nothing.

/// An edge in a list: the number of the target below, the label above.
pub(crate) type Entry = u64;

/// The number of the target.
#[inline]
pub(crate) fn target(entry: Entry) -> u32 {
    entry as u32
}

/// The label.
#[inline]
pub(crate) fn label(entry: Entry) -> u32 {
    (entry >> 32) as u32
}

/// An edge.
#[inline]
pub(crate) fn entry(target: u32, label: u32) -> Entry {
    u64::from(target) | u64::from(label) << 32
}

/// Words of the ring at first; it grows with the states, at a word to `SHARE` of them.
const WORDS: usize = 1 << 15;
const SHARE: usize = 8;

/// The lists of some states, each a head, then words that stand for sets of bits, then edges.
#[derive(Debug)]
pub(crate) struct Ring {
    words: Vec<u64>,
    /// Where the next list goes, counting on for ever.
    head: u64,
    /// By the low bits of a number: where its list is, if it still is.
    places: Vec<u64>,
}

impl Ring {
    /// No lists.
    pub fn new() -> Ring {
        Ring::of(WORDS)
    }

    /// What stands in for a ring for a moment, and holds nothing.
    pub fn none() -> Ring {
        Ring { words: Vec::new(), head: 1, places: Vec::new() }
    }

    fn of(words: usize) -> Ring {
        // Position 0 is nowhere.
        Ring { words: vec![0; words], head: 1, places: vec![0; words / 4] }
    }

    /// Forgets all lists.
    pub fn clear(&mut self) {
        *self = Ring::of(self.words.len());
    }

    fn mask(&self) -> usize {
        self.words.len() - 1
    }

    /// Where the list of a state is.
    #[inline]
    fn find(&self, number: u32) -> Option<u64> {
        let at = self.places[number as usize & (self.places.len() - 1)];
        let live = at != 0 && self.head - at <= self.words.len() as u64;
        (live && self.words[at as usize & self.mask()] as u32 == number).then_some(at)
    }

    /// Whether there is a list of a state.
    #[inline]
    pub fn has(&self, number: u32) -> bool {
        self.find(number).is_some()
    }

    /// Makes sure that a list of so many words leaves most of the others, where so many states are known.
    pub fn make_room(&mut self, most: usize, known: usize) {
        if 4 * most > self.words.len() || SHARE * self.words.len() < known {
            *self = Ring::of((2 * self.words.len()).max((8 * most).next_power_of_two()));
        }
    }

    /// Begins a list; what it gives is for [`Ring::end`].
    pub fn begin(&mut self) -> u64 {
        let at = self.head;
        self.push(0);
        at
    }

    /// Appends a word to a list that was begun.
    #[inline]
    pub fn push(&mut self, word: u64) {
        let at = self.head as usize & self.mask();
        self.words[at] = word;
        self.head += 1;
    }

    /// Ends the list of a state with so many edges.
    pub fn end(&mut self, at: u64, number: u32, edges: u32) {
        let mask = self.mask();
        self.words[at as usize & mask] = u64::from(number) | u64::from(edges) << 32;
        let place = number as usize & (self.places.len() - 1);
        self.places[place] = at;
    }

    /// Replaces `list` by the edges of a state, and `bits` by the first `words` words of its list; false where there is none.
    pub fn read(&self, number: u32, words: usize, list: &mut Vec<Entry>, bits: &mut Vec<u64>) -> bool {
        let Some(at) = self.find(number) else { return false };
        list.clear();
        bits.clear();
        let word = |i: u64| self.words[(at + i) as usize & self.mask()];
        let (words, edges) = (words as u64, word(0) >> 32);
        bits.extend((1..=words).map(word));
        list.extend((1 + words..1 + words + edges).map(word));
        true
    }

    /// Bytes held.
    pub fn memory(&self) -> u64 {
        8 * (self.words.len() + self.places.len()) as u64
    }
}
