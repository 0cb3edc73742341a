//! The memory of an execution: the interface by which the semantics loads and stores.
//!
//! Every load and store that a program makes goes through [`Memory`]: scalars, ranges of bytes, atomic
//! operations, fences, and the words of locks and conditions that library functions access. The bytes of
//! a new object are initialised without it (no thread can access them before), and names and encodings
//! read states without executing anything.
//!
//! Today every execution is sequentially consistent ([`SequentiallyConsistent`]): a store changes the
//! bytes of the state at once, and a load reads them. Executions under weaker orders are *recognised*
//! (`observers/happens_before.rs`) and make a verdict unknown. This trait is the place where they will be
//! executed. An implementation with store buffers, or with messages and views, keeps these in the state,
//! answers [`Memory::atomic_load`] with one of several values (`Done::Choices`), propagates stores as
//! steps of its own, and gives [`Mem::order`] its meaning. Its additions are then part of the encoding
//! (`machine/encode.rs`), and of what memoisation and partial-order reduction depend on.
//!
//! [`SequentiallyConsistent`]: crate::memory::sequentially_consistent::SequentiallyConsistent
//!
//! *Entry point:* [`Memory`].
//! *Invariant:* an access outside of an object that exists is an error, and changes nothing.

use axle_c::code::{Mem, Order};

use crate::machine::{Execution, Machine};
use crate::state::error_kind::ErrorKind;
use crate::state::value::{Place, Value};

/// What a compare-and-exchange does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exchange {
    /// The values are equal: this one is stored.
    Store(Value),
    /// They are not, or it fails although they are.
    Keep,
    /// So many alternatives; nothing has changed.
    Choices(u32),
}

/// Loads and stores of an execution. See the head of this file.
pub trait Memory<E: Execution<Memory = Self>> {
    /// Loads a scalar.
    fn load(machine: &mut Machine<'_, E>, place: Place, mem: Mem) -> Result<Value, ErrorKind>;

    /// Stores a scalar.
    fn store(machine: &mut Machine<'_, E>, place: Place, value: Value, mem: Mem) -> Result<(), ErrorKind>;

    /// Copies bytes with their tags; the ranges may overlap.
    fn copy(machine: &mut Machine<'_, E>, to: Place, from: Place, size: u64) -> Result<(), ErrorKind>;

    /// Fills a range with one byte.
    fn fill(machine: &mut Machine<'_, E>, to: Place, byte: u8, size: u64) -> Result<(), ErrorKind>;

    /// An atomic load of the program (C11 7.17.7.2), with the order of `mem`.
    fn atomic_load(machine: &mut Machine<'_, E>, place: Place, mem: Mem) -> Result<Value, ErrorKind>;

    /// An atomic store of the program (7.17.7.1).
    fn atomic_store(
        machine: &mut Machine<'_, E>,
        place: Place,
        value: Value,
        mem: Mem,
    ) -> Result<(), ErrorKind>;

    /// An atomic read-modify-write (7.17.7.3, 7.17.7.5): stores the value that `new` gives for the old
    /// one, and returns both. `counter`: it commutes with others of its kind, and its result is unused.
    fn modify(
        machine: &mut Machine<'_, E>,
        place: Place,
        mem: Mem,
        counter: bool,
        new: impl FnOnce(&Machine<'_, E>, Value) -> Result<Value, ErrorKind>,
    ) -> Result<(Value, Value), ErrorKind>;

    /// A compare-and-exchange (7.17.7.4): does what `decide` says of the old value, and returns both.
    /// Without a store it is a load of the order `failure`.
    fn compare_exchange(
        machine: &mut Machine<'_, E>,
        place: Place,
        orders: (Mem, Order),
        decide: impl FnOnce(&Machine<'_, E>, Value) -> Result<Exchange, ErrorKind>,
    ) -> Result<(Value, Exchange), ErrorKind>;

    /// A fence (7.17.4).
    fn fence(machine: &mut Machine<'_, E>, thread: usize, order: Order);
}
