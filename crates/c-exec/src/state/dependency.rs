//! Questions on whose answers a step depends.

use crate::state::value::Place;

/// A question about a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dependency {
    /// What are these bytes, and their tags? Object, offset, size.
    Read(u32, i32, u32),
    /// What is overwritten: tags, and bytes where a pointer is among them?
    Over(u32, i32, u32),
    /// May another thread still do what this bit of its future stands for (`locksets.rs`)?
    Future(u32),
    /// The threads that wait for the condition variable.
    Waiters(Place),
    /// Does anybody wait for it with another mutex than this?
    OtherMutex(Place, Place),
    /// Is there a thread that this object stands for, has it ended, and is it detached?
    Thread(u32),
    /// Which shape does the state have?
    ComponentShape,
}
