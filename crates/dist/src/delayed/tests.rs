//! The set on disk against a set of the standard library, level by level.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::scratch::Scratch;

/// Bytes of memory with which some hundred states are written to disk.
const TINY: u64 = 1 << 13;

fn set(scratch: &Scratch, width: usize, limit: u64) -> DelayedSet {
    DelayedSet::create(scratch.path().join("visited"), width, limit, Interrupt::default()).unwrap()
}

/// A state with these numbers in different words.
fn state(width: usize, numbers: [u16; 2]) -> Vec<u8> {
    let mut state = vec![0; width];
    let words = width / 4;
    for (at, number) in [(0, numbers[0]), (words / 2, numbers[1])] {
        state[4 * at..4 * at + 2].iter_mut().zip(number.to_le_bytes()).for_each(|(byte, new)| *byte ^= new);
    }
    state
}

/// Levels of candidates, and by how many words states are widened within the level.
type Levels = Vec<(Vec<[u16; 2]>, usize)>;

fn levels() -> impl Strategy<Value = (usize, Levels)> {
    let number = prop_oneof![0..40u16, any::<u16>()];
    let level = (
        prop::collection::vec((number, 0..9u16).prop_map(|(a, b)| [a, b]), 0..900),
        prop_oneof![9 => 0..1usize, 1 => 0..4usize],
    );
    (1..24usize, prop::collection::vec(level, 1..9)).prop_map(|(words, levels)| (4 * words, levels))
}

/// The new states of a level, as the set reports them, which must be those that it returns.
fn settled(set: &mut DelayedSet) -> Vec<Vec<u8>> {
    let mut fresh = Vec::new();
    let count = set.settle(|state| {
        fresh.push(state.to_vec());
        Ok(())
    });
    assert_eq!(count, Ok(fresh.len() as u64));
    let mut taken = Vec::new();
    while set.take(7, &mut taken) > 0 {}
    assert_eq!(taken, fresh.concat());
    fresh
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn each_state_is_new_once((mut width, levels) in levels(), limit in TINY..8 * TINY) {
        let scratch = Scratch::new("delayed_levels");
        let mut set = set(&scratch, width, limit);
        let mut known = BTreeSet::new();
        let mut flags = Vec::new();
        for (candidates, words) in levels {
            let middle = candidates.len() / 2;
            let mut expected = BTreeSet::new();
            for (number, numbers) in candidates.into_iter().enumerate() {
                if number == middle && words > 0 {
                    width += 4 * words;
                    set.widen(width).unwrap();
                    let widened = |all: BTreeSet<Vec<u8>>| -> BTreeSet<Vec<u8>> {
                        all.into_iter().map(|mut state| { state.resize(width, 0); state }).collect()
                    };
                    (known, expected) = (widened(known), widened(expected));
                }
                let state = state(width, numbers);
                set.insert(&state, &mut flags).unwrap();
                if !known.contains(&state) {
                    expected.insert(state);
                }
            }
            let fresh = settled(&mut set);
            prop_assert_eq!(fresh.len(), expected.len());
            prop_assert_eq!(fresh.into_iter().collect::<BTreeSet<_>>(), expected.clone());
            known.extend(expected);
            prop_assert_eq!(set.len(), known.len() as u64);
        }
        prop_assert!(!flags.contains(&true));
    }

    /// Few hash values, so that equal ones are in several blocks.
    #[test]
    fn a_reader_finds_all_states_of_a_hash_value(
        mut hashes in prop::collection::vec(0..60u64, 0..400),
        mut sought in prop::collection::vec(0..70u64, 0..40),
        buffer in prop_oneof![Just(0usize), Just(1 << 20)],
    ) {
        let scratch = Scratch::new("delayed_reader");
        let mut folder = RunFolder::create(scratch.path().join("runs"), 5, buffer).unwrap();
        let mut writer = RunWriter::new(&mut folder, 8);
        hashes.sort_unstable();
        sought.sort_unstable();
        let state = |number: usize| [7, 7, number as u8, (number >> 8) as u8, 0, number as u8 & 3, 7, 7];
        for (number, &hash) in hashes.iter().enumerate() {
            writer.push(hash, &state(number)).unwrap();
        }
        let mut reader = RunReader::new(Rc::new(writer.end().unwrap())).unwrap();
        let mut at = 0;
        for hash in sought {
            reader.seek(hash).unwrap();
            at += hashes[at..].partition_point(|&other| other < hash);
            prop_assert_eq!(reader.hash(), hashes.get(at).copied());
            while reader.hash() == Some(hash) {
                let mut found = Vec::new();
                reader.append_state(12, &mut found).unwrap();
                prop_assert_eq!(&found[..8], state(at));
                prop_assert_eq!(&found[8..], [0; 4]);
                reader.advance().unwrap();
                at += 1;
            }
        }
    }
}

/// Fills a set level by level with numbers, some of which repeat those of earlier levels.
fn fill(set: &mut DelayedSet, levels: u16) -> Result<u64, Halt> {
    let mut flags = Vec::new();
    for level in 0..levels {
        let states: Vec<u8> =
            (0..600).flat_map(|number| state(16, [level / 2 * 600 + number, level % 2])).collect();
        if set.insert(&states, &mut flags).is_err() {
            return Err(set.take_halt().unwrap());
        }
        set.settle(|_| Ok(()))?;
    }
    Ok(set.len())
}

#[test]
fn few_runs_are_left_after_many_levels() {
    let scratch = Scratch::new("delayed_runs");
    let mut set = set(&scratch, 16, TINY);
    assert_eq!(fill(&mut set, 60), Ok(60 * 600));
    let files = || std::fs::read_dir(scratch.path().join("visited")).unwrap().count();
    // A run has a file of hash values and one of states.
    assert!(set.visited.len() < 2 * MANY && files() < 4 * MANY, "{} runs", set.visited.len());
    assert!(set.memory() < 4 * TINY + set.len(), "{} bytes", set.memory());
    drop(set);
    assert!(!scratch.path().join("visited").exists());
}

#[test]
fn a_damaged_run_is_an_error() {
    let scratch = Scratch::new("delayed_damaged");
    let mut set = set(&scratch, 16, TINY);
    fill(&mut set, 8).unwrap();
    for entry in std::fs::read_dir(scratch.path().join("visited")).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.iter_mut().skip(20).step_by(50).for_each(|byte| *byte ^= 1);
        // The set has the same file open.
        std::fs::write(&path, bytes).unwrap();
    }
    assert_eq!(fill(&mut set, 8), Err(Halt::Failed(Failure::Corrupt)));
}

/// Every write to `/dev/full` fails for lack of space.
// Only Linux has this device; a failing write has no other cause that a test could bring about without a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let scratch = Scratch::new("delayed_full");
    let mut set = set(&scratch, 16, TINY);
    for number in 0..9 {
        std::os::unix::fs::symlink("/dev/full", scratch.path().join(format!("visited/{number}"))).unwrap();
    }
    assert_eq!(fill(&mut set, 8), Err(Halt::Failed(Failure::Full)));
}

#[test]
fn an_interrupt_ends_a_merge() {
    let scratch = Scratch::new("delayed_interrupt");
    let path = scratch.path().join("visited");
    let interrupt = Interrupt::new(|| Some(axle_step::Cut::Interrupted));
    let mut set = DelayedSet::create(path, 16, TINY, interrupt).unwrap();
    assert!(matches!(fill(&mut set, 120), Err(Halt::Stop(_))));
}
