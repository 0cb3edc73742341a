//! Compares the shared set with the standard library's, with many threads in rounds and every kind
//! of change.

use std::collections::HashSet;
use std::sync::{Mutex, RwLock};

use super::*;

/// A pseudo-random number.
fn mixed(x: u64) -> u64 {
    let x = (x ^ x >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ x >> 32
}

/// A state of a graph with many paths to each state: pseudo-random bits, more for wider states.
fn state(number: u64, width: usize) -> Vec<u8> {
    let mut state = vec![7; width];
    let parts = if width < 64 { 5 } else { 16 };
    for (i, byte) in [number, mixed(number)].iter().flat_map(|x| x.to_le_bytes()).enumerate().take(parts) {
        state[i * (width / parts)] ^= byte;
    }
    state
}

/// Change of the set after the threads have inserted a given number of batches each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Event {
    Nothing,
    Widen,
    Compress,
    /// Start compression and fail for lack of memory.
    GiveUp,
}

const BATCH: u64 = 24;

/// Lets threads insert `count` states, several times each, in batches and rounds; a round ends when
/// the set must change. All states of a round are then read again and their segments released.
fn fill(threads: usize, width: usize, count: u64, event: Event, at: u64) {
    let set = SharedSet::new(&state(0, width), threads, u64::MAX).unwrap();
    let hands: Vec<Mutex<(ThreadHandle, u64)>> = (0..threads).map(|i| Mutex::new((set.hand(i), 0))).collect();
    let set = RwLock::new(set);
    let batches = 3 * count.div_ceil(BATCH);
    let segments = Mutex::new(Vec::new());
    let all = |round: &(dyn Fn(usize) + Sync)| {
        std::thread::scope(|scope| (0..threads).for_each(|thread| drop(scope.spawn(move || round(thread)))));
    };
    let help = || {
        while set.read().unwrap().work() {
            all(&|thread| set.read().unwrap().help(&mut hands[thread].lock().unwrap().0));
            set.write().unwrap().settle().unwrap();
        }
    };
    let (mut over, mut found, mut rounds) = (event == Event::Nothing, Vec::new(), 0);
    loop {
        all(&|thread| {
            let set = set.read().unwrap();
            let (hand, next) = &mut *hands[thread].lock().unwrap();
            let mut states = Vec::new();
            while *next < batches && (over || *next < at) {
                // Each thread processes all batches, from a different start.
                let at = (*next + thread as u64 * batches / threads as u64) % batches;
                states.clear();
                for i in 0..BATCH {
                    states.extend_from_slice(&state(mixed(at * BATCH + i) % count, width));
                    states.resize(states.len() + set.width() - width, 0);
                }
                if set.insert(hand, &states, &[]).is_err() {
                    break;
                }
                *next += 1;
            }
            set.quiesce(hand, &mut segments.lock().unwrap());
        });
        rounds += 1;
        let mut set_now = set.write().unwrap();
        let done = |limit: u64| hands.iter().all(|hand| hand.lock().unwrap().1 >= limit);
        let mut new = std::mem::take(&mut *segments.lock().unwrap());
        if !over && done(at) {
            over = true;
            match event {
                Event::Nothing => {}
                Event::Widen => set_now.widen(width + 8).unwrap(),
                Event::Compress | Event::GiveUp => {
                    set_now.compress().unwrap();
                    assert!(set_now.is_tree());
                    drop(set_now);
                    match event {
                        Event::Compress => help(),
                        _ => all(&|thread| set.read().unwrap().help(&mut hands[thread].lock().unwrap().0)),
                    }
                    set_now = set.write().unwrap();
                    if event == Event::GiveUp {
                        set_now.give_up_compression();
                    }
                    let hand = &mut hands[threads - 1].lock().unwrap().0;
                    new = set_now.carry_over(hand, &new).unwrap();
                }
            }
        }
        let mut states = Vec::new();
        for &segment in &new {
            set_now.read(&mut hands[0].lock().unwrap().0, segment, &mut states);
        }
        found.extend(states.chunks_exact(set_now.width()).map(|state| state[..width].to_vec()));
        if done(batches) {
            break;
        }
        drop(set_now);
        release(&set, &hands, &new);
        set.write().unwrap().change().unwrap();
        help();
    }
    assert!(rounds > 3 || cfg!(miri), "{rounds} rounds");
    let inserted: u64 = hands.iter().map(|hand| hand.lock().unwrap().0.inserted()).sum();
    let wanted: HashSet<Vec<u8>> = (0..batches * BATCH).map(|i| state(mixed(i) % count, width)).collect();
    assert_eq!((inserted, found.len()), (wanted.len() as u64, wanted.len()));
    assert!(found.into_iter().collect::<HashSet<_>>() == wanted);
    assert_eq!(set.read().unwrap().is_tree(), event == Event::Compress);
}

fn release(set: &RwLock<SharedSet>, hands: &[Mutex<(ThreadHandle, u64)>], segments: &[Segment]) {
    let set = &mut *set.write().unwrap();
    hands.iter().for_each(|hand| set.begin_level(&mut hand.lock().unwrap().0));
    set.release(segments);
}

const MANY: u64 = if cfg!(miri) { 50 } else { 12_000 };

#[test]
fn threads_fill_one_set() {
    for threads in [1, 2, 3, 7] {
        for width in [8, 20, 68, 260] {
            fill(threads, width, MANY, Event::Nothing, 0);
        }
    }
}

#[test]
fn threads_fill_a_set_that_gets_wider() {
    for threads in [1, 3] {
        for width in [20, 100] {
            fill(threads, width, MANY, Event::Widen, 100);
        }
    }
}

#[test]
fn threads_fill_a_tree() {
    for threads in [1, 2, 3, 7] {
        for (width, at) in [(68, 1), (68, 400), (100, 60), (260, 200)] {
            fill(threads, width, MANY, Event::Compress, at.min(MANY / BATCH));
        }
    }
}

#[test]
fn a_set_goes_on_where_it_was_when_there_is_no_room_for_a_tree() {
    for threads in [1, 3] {
        fill(threads, 68, MANY, Event::GiveUp, 300.min(MANY / BATCH));
    }
}

/// Inserts states until memory is exhausted, and checks the limit throughout.
fn until_full(limit: u64, tree: bool) {
    let Ok(mut set) = SharedSet::new(&state(0, 68), 2, limit) else { return };
    let mut hand = set.hand(1);
    let mut next = 0;
    'full: for _ in 0..if cfg!(miri) { 200 } else { 10_000 } {
        while set.insert(&mut hand, &state(next, 68), &[]).is_err() {
            set.quiesce(&mut hand, &mut Vec::new());
            let mut changed = set.change();
            while changed.is_ok() && set.work() {
                set.help(&mut hand);
                changed = set.settle();
            }
            assert!(set.memory() <= limit, "{} of {limit}", set.memory());
            if changed.is_err() {
                break 'full;
            }
        }
        next += 1;
        if tree && next == 150 {
            set.quiesce(&mut hand, &mut Vec::new());
            let mut moved = set.compress();
            while moved.is_ok() && set.work() {
                set.help(&mut hand);
                moved = set.settle();
            }
            if moved.is_err() {
                set.give_up_compression();
            }
            set.carry_over(&mut hand, &[]).unwrap();
        }
    }
    assert!(set.memory() <= limit);
    // A change may be requested after the insertion has taken effect.
    assert!((next..=next + 1).contains(&hand.inserted()));
    set.quiesce(&mut hand, &mut Vec::new());
    // Rebuild the index emptied before memory was exhausted.
    if set.work() {
        set.settle().unwrap();
    }
    for known in 0..next {
        assert_eq!(set.insert(&mut hand, &state(known, 68), &[]).unwrap_or(0), 0, "{known}");
    }
    assert!((next..=next + 1).contains(&hand.inserted()));
}

#[test]
fn the_limit_is_kept() {
    for limit in (1..if cfg!(miri) { 3 } else { 40 }).map(|i| i * 70_000) {
        until_full(limit, false);
        until_full(limit, true);
    }
}

/// Otherwise entries of other threads in the block are lost when the roots grow again: states were
/// counted twice.
#[test]
fn a_hand_that_was_idle_while_the_roots_grew_keeps_no_block_of_them() {
    let mut set = SharedSet::new(&state(0, 64), 1, u64::MAX).unwrap();
    let mut hand = set.hand(0);
    let put = |set: &mut SharedSet, hand: &mut ThreadHandle, number: u64| {
        while set.insert(hand, &state(number, 64), &[]).is_err() {
            set.quiesce(hand, &mut Vec::new());
            set.change().unwrap();
            set.settle().unwrap();
        }
        set.quiesce(hand, &mut Vec::new());
    };
    (0..100).for_each(|number| put(&mut set, &mut hand, number));
    set.compress().unwrap();
    while set.work() {
        set.help(&mut hand);
        set.settle().unwrap();
    }
    set.carry_over(&mut hand, &[]).unwrap();
    set.begin_level(&mut hand);
    put(&mut set, &mut hand, 100);
    // Simulates an entry in the overflow.
    let block = |set: &SharedSet| set.open_blocks()[0][tree::OVERFLOW];
    hand.opens[tree::OVERFLOW] = Open { next: 3, end: BLOCK };
    // Other threads grow the roots and finish the level while this handle is idle.
    set.growth += 1;
    set.opens.get_mut().unwrap().iter_mut().flatten().for_each(SharedTree::give_up_overflow);
    set.begin_level(&mut hand);
    assert_eq!((block(&set).next, block(&set).end), (0, 0));
}

/// Bits that start to vary one by one are reordered when the index grows, by all threads; the
/// states do not change.
#[test]
fn threads_rewrite_states_in_order() {
    const WIDTH: usize = 24;
    // The count ends soon after a rebuild of the index, before another bit varies.
    let count = if cfg!(miri) { 1_000 } else { 52_000 };
    let state = |number: u64| {
        // The bits of two words alternate; those of the third vary with all others.
        let (low, high) = (number & 0x55, number >> 1 & 0x55);
        [high, low, number].map(u64::to_le_bytes).concat()
    };
    let mut set = SharedSet::new(&state(0), 3, u64::MAX).unwrap();
    let hands: Vec<Mutex<ThreadHandle>> = (0..3).map(|number| Mutex::new(set.hand(number))).collect();
    let (mut segments, mut reordered) = (Vec::new(), 0);
    for number in 0..count {
        while set.insert(&mut hands[0].lock().unwrap(), &state(number), &[]).is_err() {
            set.quiesce(&mut hands[0].lock().unwrap(), &mut segments);
            set.change().unwrap();
            reordered += u32::from(set.former.is_some());
            while set.work() {
                let help = |hand: &Mutex<ThreadHandle>| set.help(&mut hand.lock().unwrap());
                std::thread::scope(|scope| {
                    hands.iter().for_each(|hand| drop(scope.spawn(move || help(hand))))
                });
                set.settle().unwrap();
            }
        }
    }
    set.quiesce(&mut hands[0].lock().unwrap(), &mut segments);
    assert!(reordered > 1, "{reordered} times");
    assert_eq!(set.varying.steps(), set.varying.ordered().steps());
    let mut states = Vec::new();
    let hand = &mut hands[1].lock().unwrap();
    segments.iter().for_each(|&segment| set.read(hand, segment, &mut states));
    assert!(states.chunks_exact(WIDTH).eq((0..count).map(state)));
    let again: Vec<u8> = (0..count).flat_map(state).collect();
    assert_eq!(set.insert(hand, &again, &[]), Ok(0));
}
