//! If the system refuses memory, a set reports it and remains usable; nothing aborts.
#![cfg(target_os = "linux")]

use axle_store::{AutoSet, OutOfMemory, PlainTable, StateSet, TreeTable};
use std::process::Command;

/// Inserts unrelated states until memory is exhausted, then looks some of them up again.
fn fill(mut set: impl StateSet) {
    let width = set.width();
    let state = |number: u64, out: &mut Vec<u8>| {
        let start = out.len();
        let mut x = number;
        while out.len() < start + width {
            x = (x ^ x >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number;
            out.extend_from_slice(&(x ^ x >> 29).to_le_bytes());
        }
        out.truncate(start + width);
    };
    let (mut batch, mut fresh) = (Vec::with_capacity(512 * width), Vec::with_capacity(512));
    let mut inserted = 0u64;
    loop {
        batch.clear();
        fresh.clear();
        (inserted..inserted + 512).for_each(|number| state(number, &mut batch));
        match set.insert(&batch, &mut fresh) {
            Ok(()) => inserted += 512,
            Err(OutOfMemory) => break,
        }
        assert!(set.memory() < 2 << 30, "more than there can be");
    }
    assert!(inserted > 50_000, "only {inserted} states were inserted");
    assert_eq!(set.len(), inserted);
    batch.clear();
    (0..3).for_each(|number| state(number * 1000, &mut batch));
    assert_eq!(set.take(1, &mut Vec::new()), 1);
    println!("{inserted} states in {} bytes", set.memory());
}

/// Runs this test again in a process with a limited address space in kilobytes.
fn rationed(name: &str, kilobytes: u32, run: impl FnOnce()) {
    if std::env::var_os("AXLE_STORE_RATIONED").is_some() {
        return run();
    }
    let script = format!("ulimit -v {kilobytes}; exec \"$0\" --exact {name} --nocapture --test-threads 1");
    let this = std::env::current_exe().expect("a test knows its own path");
    // By default the allocator may reserve half of the addresses for each thread.
    let status = (Command::new("sh").arg("-c").arg(script).arg(this))
        .envs([("AXLE_STORE_RATIONED", "1"), ("MALLOC_ARENA_MAX", "1")])
        .status();
    assert!(status.expect("a shell").success());
}

#[test]
fn plain() {
    rationed("plain", 120_000, || fill(PlainTable::new(64).unwrap()));
}

#[test]
fn tree() {
    rationed("tree", 120_000, || fill(TreeTable::new(64).unwrap()));
}

#[test]
fn auto() {
    rationed("auto", 120_000, || fill(AutoSet::new(64).unwrap()));
}
