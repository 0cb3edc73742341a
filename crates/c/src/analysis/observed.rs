//! Input classes of a program whose variables are observed, by the propositions of a formula for
//! example.
//!
//! The classes of [`inputs`](super::inputs) contain values that the program treats alike. An observer
//! may tell them apart if a copy of the input reaches a variable that it reads.
//!
//! *Entry point:* [`Program::observing`].
//! *Invariant:* two executions that differ only in the values of an input within a class have the
//! same values in all observed objects at any time.

use rustc_hash::FxHashMap;

use crate::analysis::inputs::{Classes, analyse};
use crate::program::Program;

impl Program {
    /// The program with input classes that account for the observation of these static objects:
    /// values of an input are in one class only if the objects have the same values for both.
    #[must_use]
    pub fn observing(&self, objects: &[u32]) -> Program {
        // Inputs that are irrelevant to the program may be relevant to an observer, so their single
        // class is not kept.
        Program { inputs: self.input_classes(objects), observed: objects.to_vec(), ..self.clone() }
    }

    pub(crate) fn input_classes(&self, observed: &[u32]) -> FxHashMap<(u32, u32), Classes> {
        let pointers = self.image_pointers.iter().map(|&(_, object, _)| object);
        let wide = self.types.pointer_size() == 8;
        let (codes, statics) = (&self.codes, &self.statics);
        analyse(codes, statics, pointers, self.main, wide, observed)
    }
}
