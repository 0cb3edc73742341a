//! What follows an execution: the interface by which the semantics informs access logs, the
//! happens-before relation, read sets and traces.
//!
//! The semantics announces facts ("this access is made", "this lock is released", "this step depends on
//! that"), in the order in which they happen, and knows nothing of their use. Each function has an empty
//! body, so that an observer implements the facts that it follows.
//!
//! *Entry point:* [`Observer`]. `observers/` has the observer of searches and traces.
//! *Invariant:* no function changes what the step that it is called in does to memory, registers or
//! control. An observer may add to the parts of a state that are its own: access logs and recorded
//! accesses.

use axle_c::code::Order;

use crate::machine::{Execution, Machine};
use crate::state::access::Access;
use crate::state::dependency::Dependency;
use crate::state::outcome::Outcome;
use crate::state::value::Place;

/// Informed of the steps of an execution. See the head of this file.
pub trait Observer<E: Execution<Observer = Self>>: Clone + Default + std::fmt::Debug {
    /// A step of a thread, which `execute` executes: an observer can compare the state before with the
    /// one after.
    #[inline]
    fn step(
        machine: &mut Machine<'_, E>,
        _thread: usize,
        execute: impl FnOnce(&mut Machine<'_, E>) -> Outcome,
    ) -> Outcome {
        execute(machine)
    }

    /// A step begins: its thread, code and number.
    #[inline]
    fn begins(&mut self, _step: (usize, u32, u32)) {}

    /// An access of the program to an object that exists, within its bounds.
    #[inline]
    fn accesses(_machine: &mut Machine<'_, E>, _access: Access) {}

    /// A heap block is freed: an access to all of it.
    #[inline]
    fn frees(_machine: &mut Machine<'_, E>, _object: u32, _size: u32) {}

    /// An automatic object is about to end.
    #[inline]
    fn ends(_machine: &mut Machine<'_, E>, _object: u32) {}

    /// An object becomes reachable by other threads.
    #[inline]
    fn publishes(_machine: &mut Machine<'_, E>, _object: u32) {}

    /// An atomic operation on an object: the orders of its load and of its store. `counter`: a relaxed
    /// read-modify-write that commutes with others of its kind, and whose result is unused.
    #[inline]
    fn atomic(
        _machine: &mut Machine<'_, E>,
        _place: Place,
        _size: u32,
        _orders: (Option<Order>, Option<Order>),
        _counter: bool,
    ) {
    }

    /// A fence of a thread.
    #[inline]
    fn fence(_machine: &mut Machine<'_, E>, _thread: usize, _order: Order) {}

    /// A thread acquires the lock at a place.
    #[inline]
    fn acquires(_machine: &mut Machine<'_, E>, _thread: usize, _place: Place) {}

    /// A thread releases the lock at a place.
    #[inline]
    fn releases(_machine: &mut Machine<'_, E>, _thread: usize, _place: Place) {}

    /// All operations so far of the first thread happen before the next one of the second.
    #[inline]
    fn orders(_machine: &mut Machine<'_, E>, _first: usize, _then: usize) {}

    /// Threads meet at a barrier.
    #[inline]
    fn meets(_machine: &mut Machine<'_, E>, _together: &[usize]) {}

    /// A call gives information about a lock without synchronisation: an attempt, or a look at a
    /// semaphore.
    #[inline]
    fn attempts(_machine: &mut Machine<'_, E>) {}

    /// The step depends on the answer to a question about the state.
    #[inline]
    fn depends(&self, _question: Dependency) {}

    /// The step depends on the state, or changes it, in a way that no question describes.
    #[inline]
    fn depends_on_all(&self) {}

    /// A thread is woken that waited for a condition variable.
    #[inline]
    fn wakes(&self, _thread: usize) {}

    /// The access that a memory error is about; none if the error was averted.
    #[inline]
    fn faults(&mut self, _access: Option<Access>) {}

    /// The index, and the number of elements, of an index that is out of bounds.
    #[inline]
    fn index_faults(&mut self, _index: i64, _length: u64) {}

    /// The program prints bytes: to standard output, or to another stream.
    #[inline]
    fn prints(&mut self, _bytes: &[u8], _is_output: bool) {}

    /// The work of observing one step, in steps; none if the observer takes no further step.
    #[inline]
    fn weight(&self) -> Option<u64> {
        Some(0)
    }
}

/// Announcements by the semantics, as methods.
impl<E: Execution> Machine<'_, E> {
    /// See [`Observer::ends`].
    #[inline]
    pub(crate) fn ends(&mut self, object: u32) {
        E::Observer::ends(self, object);
    }

    /// See [`Observer::acquires`].
    #[inline]
    pub(crate) fn acquire(&mut self, thread: usize, place: Place) {
        E::Observer::acquires(self, thread, place);
    }

    /// See [`Observer::releases`].
    #[inline]
    pub(crate) fn release(&mut self, thread: usize, place: Place) {
        E::Observer::releases(self, thread, place);
    }

    /// See [`Observer::orders`].
    #[inline]
    pub(crate) fn precedes(&mut self, first: usize, then: usize) {
        E::Observer::orders(self, first, then);
    }

    /// See [`Observer::meets`].
    #[inline]
    pub(crate) fn meet(&mut self, together: &[usize]) {
        E::Observer::meets(self, together);
    }

    /// See [`Observer::attempts`].
    #[inline]
    pub(crate) fn attempt(&mut self) {
        E::Observer::attempts(self);
    }
}
