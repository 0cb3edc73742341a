//! What of a model is independent of what: the analysis behind partial order reduction. It looks at models only,
//! and knows nothing of how states are stored, of searches, or of the source language.
//!
//! Start at [`conflicts::analyse`], which says for every process at every location which other processes could get
//! in its way. It rests on [`footprint`] (what each edge reads and writes, in the cells of [`cells`]), on
//! [`fixed`] (what never changes after a process is created) and on [`cycles`] (which edges every endless run must
//! take). docs/theory/reduction.md has the argument why all this is sound.

pub mod bits;
pub mod cells;
pub mod conflicts;
pub mod cycles;
pub mod fixed;
pub mod footprint;
pub mod gates;
pub mod passes;
pub mod residual_predicate;
pub mod slice;

pub use conflicts::{Conflicts, Visible, Wait, analyse, obstacle};
pub use fixed::{Instance, Values};
