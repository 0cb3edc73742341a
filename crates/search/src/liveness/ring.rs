//! Ring buffer of successor lists that a depth-first search will request soon; new lists overwrite
//! the oldest ones.
//!
//! *Entry points:* [`Ring::begin`], [`Ring::end`] around [`Ring::push`] to write a list,
//! [`Ring::read`] to read it.
//!
//! *Invariant:* A read returns a list exactly as it was written, or nothing.

/// An edge in a list: the target's number in the low half, the label in the high half.
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

/// Packs an edge.
#[inline]
pub(crate) fn entry(target: u32, label: u32) -> Entry {
    u64::from(target) | u64::from(label) << 32
}

/// Initial number of words; the ring grows to one word per `SHARE` states.
const WORDS: usize = 1 << 15;
const SHARE: usize = 8;

/// Successor lists of some states: each has a header, then words of bit sets, then edges.
#[derive(Debug)]
pub(crate) struct Ring {
    words: Vec<u64>,
    /// Position of the next list; it increases without wrapping.
    head: u64,
    /// Position of the list of each state, indexed by the low bits of its number; it may be
    /// overwritten.
    places: Vec<u64>,
}

impl Ring {
    /// A ring without lists.
    pub fn new() -> Ring {
        Ring::of(WORDS)
    }

    /// A placeholder without memory.
    pub fn none() -> Ring {
        Ring { words: Vec::new(), head: 1, places: Vec::new() }
    }

    fn of(words: usize) -> Ring {
        // Position 0 means that no list exists.
        Ring { words: vec![0; words], head: 1, places: vec![0; words / 4] }
    }

    /// Discards all lists.
    pub fn clear(&mut self) {
        *self = Ring::of(self.words.len());
    }

    fn mask(&self) -> usize {
        self.words.len() - 1
    }

    /// Position of the list of a state.
    #[inline]
    fn find(&self, number: u32) -> Option<u64> {
        let at = self.places[number as usize & (self.places.len() - 1)];
        let live = at != 0 && self.head - at <= self.words.len() as u64;
        (live && self.words[at as usize & self.mask()] as u32 == number).then_some(at)
    }

    /// Whether the ring contains the list of a state.
    #[inline]
    pub fn has(&self, number: u32) -> bool {
        self.find(number).is_some()
    }

    /// Grows the ring for `known` states so that a list of `most` words overwrites only a small
    /// part of it.
    pub fn make_room(&mut self, most: usize, known: usize) {
        if 4 * most > self.words.len() || SHARE * self.words.len() < known {
            *self = Ring::of((2 * self.words.len()).max((8 * most).next_power_of_two()));
        }
    }

    /// Begins a list; the result is the argument of [`Ring::end`].
    pub fn begin(&mut self) -> u64 {
        let at = self.head;
        self.push(0);
        at
    }

    /// Appends a word to the current list.
    #[inline]
    pub fn push(&mut self, word: u64) {
        let at = self.head as usize & self.mask();
        self.words[at] = word;
        self.head += 1;
    }

    /// Ends the list of a state, with the number of its edges.
    pub fn end(&mut self, at: u64, number: u32, edges: u32) {
        let mask = self.mask();
        self.words[at as usize & mask] = u64::from(number) | u64::from(edges) << 32;
        let place = number as usize & (self.places.len() - 1);
        self.places[place] = at;
    }

    /// Replaces `list` by the edges of a state, and `bits` by the first `words` words of its list;
    /// returns false if the ring does not contain it.
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

    /// Bytes of memory used.
    pub fn memory(&self) -> u64 {
        8 * (self.words.len() + self.places.len()) as u64
    }
}
