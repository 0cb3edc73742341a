//! Distributes the facts of a step to the recorders that follow them.
//!
//! *Entry point:* the implementation of [`Observer`].
//! *Invariant:* an access is first logged, then a question about memory, then compared with the accesses
//! of other threads.

use axle_c::code::Order;

use crate::machine::Execution;
use crate::machine::observer::Observer;
use crate::memory::sequentially_consistent::SequentiallyConsistent;
use crate::observers::annotations;
use crate::observers::recorders::{Machine, Recorded, Recorders};
use crate::state::access::Access;
use crate::state::dependency::Dependency;
use crate::state::outcome::Outcome;
use crate::state::value::Place;

impl Execution for Recorded {
    type Memory = SequentiallyConsistent;
    type Observer = Recorders;
}

impl Observer<Recorded> for Recorders {
    #[inline]
    fn step(
        machine: &mut Machine<'_>,
        thread: usize,
        execute: impl FnOnce(&mut Machine<'_>) -> Outcome,
    ) -> Outcome {
        if machine.observer.annotation.is_none() {
            return execute(machine);
        }
        annotations::step(machine, thread, execute)
    }

    #[inline]
    fn begins(&mut self, (thread, code, pc): (usize, u32, u32)) {
        if let Some(record) = &mut self.record {
            record.push((thread as u32, code, pc));
        }
        if let Some(executed) = &mut self.executed {
            executed.add((code, pc));
        }
    }

    #[inline]
    fn accesses(machine: &mut Machine<'_>, access: Access) {
        if let Some(log) = &mut machine.observer.log {
            log.push(access);
        }
        let Access { object, offset, size, write, atomic } = access;
        machine.observer.depends_on_memory((object, offset), size, write);
        machine.touch((object, offset), size, write, atomic);
        if !atomic {
            machine.track((object, offset), size, write);
        }
    }

    fn frees(machine: &mut Machine<'_>, object: u32, size: u32) {
        machine.touch((object, 0), size.max(1), true, false);
        machine.track((object, 0), size.max(1), true);
        if let Some(log) = &mut machine.observer.log {
            log.push(Access { object, offset: 0, size, write: true, atomic: false });
        }
    }

    #[inline]
    fn ends(machine: &mut Machine<'_>, object: u32) {
        machine.end_of_object(object);
    }

    #[inline]
    fn publishes(machine: &mut Machine<'_>, object: u32) {
        machine.track_initialisation(object);
    }

    #[inline]
    fn atomic(
        machine: &mut Machine<'_>,
        place: Place,
        size: u32,
        orders: (Option<Order>, Option<Order>),
        counter: bool,
    ) {
        machine.track_atomic(place, size, orders, counter);
    }

    fn fence(machine: &mut Machine<'_>, thread: usize, order: Order) {
        machine.track_fence(thread, order);
    }

    fn acquires(machine: &mut Machine<'_>, thread: usize, place: Place) {
        machine.track_acquire(thread, place);
    }

    fn releases(machine: &mut Machine<'_>, thread: usize, place: Place) {
        machine.track_release(thread, place);
    }

    fn orders(machine: &mut Machine<'_>, first: usize, then: usize) {
        machine.track_order(first, then);
    }

    fn meets(machine: &mut Machine<'_>, together: &[usize]) {
        machine.track_meeting(together);
    }

    fn attempts(machine: &mut Machine<'_>) {
        machine.track_attempt();
    }

    #[inline]
    fn depends(&self, question: Dependency) {
        if let Some(read_set) = &mut *self.read_set.borrow_mut() {
            read_set.ask(question);
        }
    }

    #[inline]
    fn depends_on_all(&self) {
        self.mark_uncacheable();
    }

    fn wakes(&self, thread: usize) {
        if let Some(read_set) = &mut *self.read_set.borrow_mut() {
            read_set.woken.push(thread);
        }
    }

    fn faults(&mut self, access: Option<Access>) {
        self.faulty = access;
    }

    fn index_faults(&mut self, index: i64, length: u64) {
        self.faulty_index = Some((index, length));
    }

    fn prints(&mut self, bytes: &[u8], is_output: bool) {
        self.printed = true;
        if let Some(output) = &mut self.output
            && is_output
        {
            output.extend_from_slice(bytes);
        }
    }

    /// Annotated steps take longer, but for those that are left out.
    #[inline]
    fn weight(&self) -> Option<u64> {
        let Some(annotation) = &self.annotation else { return Some(0) };
        if annotation.most.is_some_and(|most| annotation.annotated.len() >= most) {
            return None;
        }
        Some(if annotation.is_brief() { 0 } else { crate::machine::POLL_AFTER / 100 })
    }
}
