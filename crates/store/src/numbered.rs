//! Sets with numbered states: numbers are assigned in order of insertion, from 0, and never change.
//! A search stores its data per state in an array indexed by number.

use crate::{OutOfMemory, StateSet};

/// A state set in which the number of a state is the number of states inserted before it.
pub trait Numbered: StateSet {
    /// Inserts states as [`StateSet::insert`] does, and appends the number of each. A state is new
    /// if its number was not assigned before; the numbers of new states count up from
    /// [`StateSet::len`]. `ends` is a hint as in [`StateSet::insert_successors`], for the states
    /// returned by the last [`Numbered::append_states`].
    fn insert_numbered(
        &mut self,
        states: &[u8],
        ends: &[u32],
        numbers: &mut Vec<u32>,
    ) -> Result<(), OutOfMemory>;

    /// Appends the states with these numbers, all of which must exist, to `out`.
    fn append_states(&mut self, numbers: &[u32], out: &mut Vec<u8>);

    /// Removes all states, so that numbers are assigned from 0 again. The width does not change.
    fn clear(&mut self) -> Result<(), OutOfMemory>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlainTable;

    #[test]
    fn numbers_follow_insertion() {
        let mut set = PlainTable::new(4).unwrap();
        let mut numbers = Vec::new();
        let states = |list: &[u32]| -> Vec<u8> { list.iter().flat_map(|x| x.to_le_bytes()).collect() };
        set.insert_numbered(&states(&[7, 8, 7, 9]), &[], &mut numbers).unwrap();
        set.insert_numbered(&states(&[9, 10, 8, 10]), &[], &mut numbers).unwrap();
        assert_eq!(numbers, [0, 1, 0, 2, 2, 3, 1, 3]);
        set.widen(8).unwrap();
        let mut state = Vec::new();
        set.append_states(&[2, 0], &mut state);
        assert_eq!(state, [9, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]);
        set.clear().unwrap();
        set.insert_numbered(&state, &[], &mut numbers).unwrap();
        assert_eq!((set.len(), set.width(), &numbers[8..]), (2, 8, &[0, 1][..]));
    }
}
