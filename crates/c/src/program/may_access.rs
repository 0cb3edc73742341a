//! May-access sets: for each step, the accesses that may still follow to variables that no pointer
//! refers to, with the locks that are not held at each. `locksets.rs` computes them.
//!
//! *Entry point:* [`MayAccess::may`].
//! *Invariant:* a set has one bit for each variable, lock and kind of access ([`MayAccess::bit`]);
//! lock 0 stands for all accesses, whatever locks are held.

/// The accesses that may follow each step of a program.
#[derive(Clone, Default, Debug)]
pub struct MayAccess {
    /// For each static object its index among the tracked objects plus 1; 0 if it is not tracked.
    pub(crate) tracked: Vec<u32>,
    pub(crate) count: usize,
    /// The locks: object and offset.
    pub locks: Vec<(u32, i32)>,
    pub(crate) words: usize,
    /// For each function, the sets of its steps in order.
    pub(crate) sets: Vec<Box<[u64]>>,
    /// Accesses that the end of any thread may make.
    pub(crate) always: Box<[u64]>,
}

impl MayAccess {
    /// The index of a tracked object.
    pub fn index(&self, object: u32) -> Option<usize> {
        let index = *self.tracked.get((object as usize).wrapping_sub(1))?;
        (index > 0).then(|| index as usize - 1)
    }

    /// Number of tracked objects.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether a write (`write`) or read of the variable may follow a step. With a lock number from
    /// 1, only accesses without that lock count.
    pub fn may(&self, code: u32, pc: u32, index: usize, lock: usize, write: bool) -> bool {
        let bit = self.bit(index, lock, write);
        let has = |set: &[u64]| set.get(bit / 64).is_none_or(|word| word >> (bit % 64) & 1 == 1);
        let start = pc as usize * self.words;
        let set = self.sets.get(code as usize).and_then(|sets| sets.get(start..start + self.words));
        has(&self.always) || set.is_none_or(has)
    }

    /// Words per set.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Adds the set of a step to `to`.
    pub fn add(&self, code: u32, pc: u32, to: &mut [u64]) {
        let start = pc as usize * self.words;
        match self.sets.get(code as usize).and_then(|sets| sets.get(start..start + self.words)) {
            Some(set) => {
                to.iter_mut().zip(set).zip(&self.always).for_each(|((to, set), always)| *to |= set | always)
            }
            None => to.fill(u64::MAX),
        }
    }

    /// Whether two functions conflict: one writes a variable that the other accesses.
    pub fn conflict(&self, a: u32, b: u32) -> bool {
        let may = |code: u32, index: usize, write: bool| self.may(code, 0, index, 0, write);
        (0..self.count).any(|index| {
            let (x, y) = (may(a, index, true), may(b, index, true));
            x && (y || may(b, index, false)) || y && may(a, index, false)
        })
    }

    /// The bit of an access; see [`MayAccess::may`].
    pub fn bit(&self, index: usize, lock: usize, write: bool) -> usize {
        2 * (lock * self.count + index) + usize::from(write)
    }
}
