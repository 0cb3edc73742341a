//! What is known of dynamic objects besides their state; `trace/object_history.rs` records it.
//!
//! *Invariant:* `records[i]` describes the dynamic object at place i of the state.

/// A step of a thread in the user's code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The name of the thread.
    pub thread: String,
    pub code: u32,
    pub pc: u32,
}

/// What is known of a dynamic object besides its state.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ObjectRecord {
    /// The number of a heap block in order of allocation, from 1; 0 for other objects.
    pub number: u32,
    /// The name of a thread or of a local variable; empty for heap blocks.
    pub name: String,
    /// The step that called the allocation function: code and step, as in `Machine::site`.
    pub site: u32,
    /// The size of a heap block in bytes. The state has none of a freed block.
    pub size: u32,
    pub allocated: Option<Event>,
    pub freed: Option<Event>,
    /// The variable with static storage duration that was the first to point to a heap block.
    pub holder: Option<String>,
}

/// The records of all dynamic objects.
#[derive(Clone, Default, Debug)]
pub struct ObjectRecords {
    pub records: Vec<ObjectRecord>,
    /// Heap blocks that were allocated so far.
    pub(crate) allocated: u32,
}
