//! Property test of `happens_before.rs`: on random executions, the bit sets find a race at an
//! access if and only if the happens-before relation, computed as the transitive closure of its
//! definition, does not order it after a conflicting one.
//!
//! *Source:* C11 5.1.2.4 (release sequences: p10, synchronises-with: p11, happens-before: p18, data
//! race: p25) and 7.17.4 (fences).

use axle_source::{Diagnostics, MemoryLoader, Sources};

use crate::observers::recorders::Machine;
use crate::state::program_state::Thread;
use crate::state::recorded_accesses::SECTION;
use crate::state::settings::Settings;
use axle_c::code::Order;
use axle_c::{Options, compile};

/// An operation of a random execution. Variables, atomic objects and locks by their number.
#[derive(Clone, Copy, Debug)]
enum Event {
    Access { variable: usize, write: bool },
    Atomic { object: usize, load: Option<Order>, store: Option<Order> },
    Fence(Order),
    Lock(usize),
    Unlock(usize),
}

/// Two variables and two atomic objects; the weak order makes the machine track happens-before.
const PROGRAM: &str = "
    #include <stdatomic.h>
    int x, y; atomic_int a, b;
    int main(void) { x = y = 1; return atomic_load_explicit(&a, memory_order_relaxed) + b; }";

const THREADS: usize = 3;
const EVENTS: usize = 14;

/// The pairs of earlier events that happen before each event.
fn happens_before(events: &[(usize, Event)]) -> Vec<Vec<bool>> {
    let count = events.len();
    let mut before = vec![vec![false; count]; count];
    let store_of = |at: usize, object: usize| match events[at].1 {
        Event::Atomic { object: own, load, store: Some(order) } if own == object => {
            Some((order, load.is_some()))
        }
        _ => None,
    };
    // Fences that are sequenced before (or after) an atomic operation of the same thread.
    let fences = |at: usize, later: bool, fits: fn(Order) -> bool| -> Vec<usize> {
        let range = if later { at + 1..count } else { 0..at };
        range
            .filter(|&f| events[f].0 == events[at].0)
            .filter(|&f| matches!(events[f].1, Event::Fence(order) if fits(order)))
            .collect()
    };
    for (at, &(thread, event)) in events.iter().enumerate() {
        for earlier in (0..at).filter(|&earlier| events[earlier].0 == thread) {
            before[earlier][at] = true;
        }
        match event {
            Event::Lock(lock) => {
                for earlier in 0..at {
                    before[earlier][at] |= matches!(events[earlier].1, Event::Unlock(own) if own == lock);
                }
            }
            Event::Atomic { object, load: Some(order), .. } => {
                let stores: Vec<usize> = (0..at).filter(|&s| store_of(s, object).is_some()).collect();
                let Some(&read) = stores.last() else { continue };
                // Every store whose release sequence contains the store that is read.
                let heads = stores.iter().copied().filter(|&head| {
                    let rest = stores.iter().filter(|&&s| s > head && s <= read);
                    rest.into_iter().all(|&s| {
                        events[s].0 == events[head].0 || store_of(s, object).is_some_and(|(_, is_rmw)| is_rmw)
                    })
                });
                let mut targets = if order.acquires() { vec![at] } else { Vec::new() };
                targets.extend(fences(at, true, Order::acquires));
                for head in heads {
                    let mut sources = fences(head, false, Order::releases);
                    sources
                        .extend(store_of(head, object).filter(|(order, _)| order.releases()).map(|_| head));
                    for &source in &sources {
                        targets.iter().for_each(|&target| before[source][target] = true);
                    }
                }
            }
            _ => {}
        }
    }
    for middle in 0..count {
        for first in 0..count {
            for last in 0..count {
                before[first][last] |= before[first][middle] && before[middle][last];
            }
        }
    }
    before
}

fn conflict(a: Event, b: Event) -> bool {
    match (a, b) {
        (Event::Access { variable, write }, Event::Access { variable: other, write: writes }) => {
            variable == other && (write || writes)
        }
        _ => false,
    }
}

/// A generator of pseudo-random numbers (Marsaglia, "Xorshift RNGs", 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn order(&mut self) -> Order {
        [Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst][self.below(5)]
    }

    fn event(&mut self, thread: usize, locks: &mut [Option<usize>; 2]) -> Event {
        loop {
            let which = self.below(2);
            return match self.below(10) {
                0..=3 => Event::Access { variable: which, write: self.below(2) == 0 },
                4 => Event::Atomic { object: which, load: Some(self.order()), store: None },
                5 => Event::Atomic { object: which, load: None, store: Some(self.order()) },
                6 => {
                    let order = Some(self.order());
                    Event::Atomic { object: which, load: order, store: order }
                }
                7 => Event::Fence(self.order()),
                _ => match locks[which] {
                    None => {
                        locks[which] = Some(thread);
                        Event::Lock(which)
                    }
                    Some(owner) if owner == thread => {
                        locks[which] = None;
                        Event::Unlock(which)
                    }
                    Some(_) => continue,
                },
            };
        }
    }
}

#[test]
fn races_are_those_of_the_definition() {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("t.c", PROGRAM);
    let loader = MemoryLoader::default();
    let program = compile(&[main], &Options::default(), &loader, &mut sources, &mut diagnostics);
    let program = program.expect("the program is well formed");
    let object = |name: &str| {
        let place = program.statics.iter().position(|fixed| &*fixed.name == name);
        place.expect("the variable exists") as u32 + 1
    };
    let (variables, atomics) = ([object("x"), object("y")], [object("a"), object("b")]);
    let settings = Settings { locksets: false, ..Settings::default() };
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut races, mut ordered) = (0, 0);
    for _ in 0..20_000 {
        let mut machine = Machine::new(&program, &settings);
        machine.state.threads =
            (0..THREADS).map(|t| Thread { object: 1_000 + t as u32, ..Thread::default() }).collect();
        let mut locks = [None; 2];
        let mut events = Vec::new();
        for at in 0..EVENTS {
            let thread = random.below(THREADS);
            events.push((thread, random.event(thread, &mut locks)));
            (machine.mover, machine.site) = (thread, at as u32);
            match events[at].1 {
                Event::Access { variable, write } => machine.track((variables[variable], 0), 4, write),
                Event::Atomic { object, load, store } => {
                    machine.track_atomic((atomics[object], 0), 4, (load, store), false);
                }
                Event::Fence(order) => machine.track_fence(thread, order),
                Event::Lock(lock) => machine.acquire(thread, (SECTION.0, lock as i32)),
                Event::Unlock(lock) => machine.release(thread, (SECTION.0, lock as i32)),
            }
            let found: Vec<usize> = (machine.observer.deferred_races.drain(..))
                .map(|site| site.accesses.expect("a race has two accesses")[1].pc as usize)
                .collect();
            let before = happens_before(&events);
            let unordered =
                |&earlier: &usize| conflict(events[earlier].1, events[at].1) && !before[earlier][at];
            let expected: Vec<usize> = (0..at).filter(unordered).collect();
            assert!(
                found.iter().all(|earlier| expected.contains(earlier)),
                "{found:?} {expected:?} {events:?}"
            );
            assert_eq!(found.is_empty(), expected.is_empty(), "{found:?} {expected:?} {events:?}");
            races += usize::from(!found.is_empty());
            let conflicts = (0..at)
                .any(|earlier| conflict(events[earlier].1, events[at].1) && events[earlier].0 != thread);
            ordered += usize::from(conflicts && found.is_empty());
            if random.below(2) == 0 {
                machine.prune_accesses().expect("the accesses fit");
            }
        }
    }
    assert!(races > 1_000 && ordered > 200, "{races} races, {ordered} ordered conflicts");
}
