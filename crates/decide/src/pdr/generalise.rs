//! Inductive generalisation: literals of a blocked cube are removed while the rest stays inductive
//! relative to the frame before. A state that prevents it (a counterexample to generalisation) is
//! blocked itself where that is possible, or joined with the cube.
//!
//! *Entry point:* [`Pdr::generalised`].
//! *Source:* Hassan, Bradley and Somenzi, "Better Generalization in IC3", FMCAD 2013.
//! *Invariant:* the result contains the cube, does not contain the initial state, and has no predecessor
//! outside itself in the frame.

use axle_outcome::Stop;

use super::Pdr;
use super::cube::{Cube, CubeLit};
use super::frames::Predecessor;

/// How deep counterexamples to generalisation are generalised themselves.
const MOST_NESTED: u32 = 1;
/// The counterexamples that are blocked for one literal.
const MOST_BLOCKED: usize = 3;
/// The literals that could not be removed, after which a cube is kept.
const MOST_FAILED: usize = 8;

impl Pdr<'_, '_, '_> {
    /// A cube with fewer literals that is blocked relative to a frame as well.
    pub(super) fn generalised(&mut self, cube: Cube, frame: usize, nested: u32) -> Result<Cube, Stop> {
        let mut order = cube.0.clone();
        order.sort_by_key(|literal| (self.activity[literal.0 as usize], literal.0));
        let mut cube = cube;
        let (mut failed, mut kept) = (0, Vec::new());
        for literal in order {
            if !cube.0.contains(&literal) {
                continue;
            }
            if failed >= MOST_FAILED {
                break;
            }
            match self.reduced(cube.without(literal), frame, nested, &kept)? {
                Some(smaller) => cube = smaller,
                None => {
                    failed += 1;
                    kept.push(literal);
                }
            }
        }
        Ok(cube)
    }

    /// A cube that contains this one and is blocked relative to a frame, if one is found.
    fn reduced(
        &mut self,
        mut cube: Cube,
        frame: usize,
        nested: u32,
        kept: &[CubeLit],
    ) -> Result<Option<Cube>, Stop> {
        let mut blocked = 0;
        loop {
            if cube.0.is_empty() || self.frames.is_initial(&cube) {
                return Ok(None);
            }
            let (state, inputs) = match self.frames.predecessor(frame, &cube, true, self.watch)? {
                Predecessor::None(core) => return Ok(Some(core)),
                Predecessor::Found(state, inputs) => (state, inputs),
            };
            if nested >= MOST_NESTED {
                return Ok(None);
            }
            let around = self.frames.lift(&state, &inputs, Some(&cube), self.watch)?;
            if blocked < MOST_BLOCKED
                && frame > 0
                && !self.frames.is_initial(&around)
                && let Predecessor::None(core) =
                    self.frames.predecessor(frame - 1, &around, true, self.watch)?
            {
                blocked += 1;
                let core = self.generalised(core, frame - 1, nested + 1)?;
                self.block(core, frame)?;
                continue;
            }
            // The least cube around both, if it keeps the literals that are known to be needed.
            blocked = 0;
            let before = cube.0.len();
            cube.0.retain(|literal| state[literal.latch()] == literal.value());
            if cube.0.len() == before || kept.iter().any(|literal| !cube.0.contains(literal)) {
                return Ok(None);
            }
        }
    }
}
