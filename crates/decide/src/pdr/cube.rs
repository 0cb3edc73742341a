//! Cubes: sets of states in which some latches have given values.
//!
//! *Entry point:* [`Cube`].
//! *Invariant:* the literals are sorted, and a latch occurs once.

/// A latch with a value: twice the position of the latch, plus 1 if the value is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct CubeLit(pub u32);

impl CubeLit {
    pub fn new(latch: usize, value: bool) -> CubeLit {
        CubeLit((latch as u32) << 1 | u32::from(!value))
    }

    pub fn latch(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn value(self) -> bool {
        self.0 & 1 == 0
    }
}

/// A cube.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Cube(pub Vec<CubeLit>);

impl Cube {
    /// Whether all literals are among those of another cube, so that this one contains the other.
    pub fn subsumes(&self, other: &Cube) -> bool {
        if self.0.len() > other.0.len() {
            return false;
        }
        let mut rest = other.0.iter();
        self.0.iter().all(|literal| rest.by_ref().find(|of| *of >= literal) == Some(literal))
    }

    /// Whether a state, given by its values, is in the cube.
    pub fn contains(&self, state: &[bool]) -> bool {
        self.0.iter().all(|literal| state[literal.latch()] == literal.value())
    }

    /// The cube without a literal.
    pub fn without(&self, literal: CubeLit) -> Cube {
        Cube(self.0.iter().copied().filter(|of| *of != literal).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_with_fewer_literals_contain_others() {
        let cube = |literals: &[u32]| Cube(literals.iter().map(|literal| CubeLit(*literal)).collect());
        assert!(cube(&[2, 7]).subsumes(&cube(&[0, 2, 5, 7])) && cube(&[]).subsumes(&cube(&[1])));
        assert!(!cube(&[2, 7]).subsumes(&cube(&[2, 6])) && !cube(&[2, 7]).subsumes(&cube(&[2])));
        assert!(cube(&[0, 3]).contains(&[true, false]) && !cube(&[0, 3]).contains(&[true, true]));
        assert_eq!(cube(&[0, 3]).without(CubeLit(0)), cube(&[3]));
    }
}
