//! Records of the paths of a search: a spanning tree for breadth-first search, an undo stack for
//! depth-first search, and cheapest paths.
//!
//! *Entry points:* [`spanning_tree::SpanningTree`], [`undo_stack::UndoStack`], [`cheapest::Measure`].

pub(crate) mod bit_string;
pub mod cheapest;
pub mod spanning_tree;
pub mod undo_stack;
