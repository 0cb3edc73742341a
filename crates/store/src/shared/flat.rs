//! Concurrent insertion of uncompressed states: the software pipeline of [`crate::plain`] over a
//! shared [`Table`].
//!
//! Three blocks of a batch are in flight at once. The first is hashed and its index lines are
//! prefetched. In the second, tags are compared and likely states prefetched. In the third, states
//! are compared, and inserted if they are new.
//!
//! *Entry point:* [`insert`].

use super::table::{Full, Open, Placed, Table};
use crate::hash::StateHash;
use crate::plain::equal;

/// Number of states per block of the pipeline.
const WAVE: usize = 32;

/// Invalid state number.
const NONE: u32 = u32::MAX;

/// Inserts states and returns the number of new ones, even if memory is insufficient for all. `cut`
/// is called before a thread's block is replaced; `note` receives the number of each state and
/// whether it is new.
pub(super) fn insert<H: StateHash>(
    (table, hasher): (&Table, &H),
    open: &mut Open,
    states: &[u8],
    hashes: &mut Vec<u64>,
    mut cut: impl FnMut(&mut Open) -> Result<(), Full>,
    mut note: impl FnMut(u32, bool),
    lost: &mut u64,
) -> Result<u64, (u64, Full)> {
    macro_rules! by_width {
        ($($narrow:literal)*) => {
            match table.width() {
                $($narrow => insert_wide::<$narrow, H>((table, hasher), open, states, hashes, &mut cut, &mut note, lost),)*
                _ => insert_wide::<0, H>((table, hasher), open, states, hashes, &mut cut, &mut note, lost),
            }
        };
    }
    by_width!(4 8 12 16 20 24 28 32 36 40 44 48 52 56 60 64)
}

/// Like [`insert`], for states of `W` bytes, or of any width if `W` is 0.
fn insert_wide<const W: usize, H: StateHash>(
    (table, hasher): (&Table, &H),
    open: &mut Open,
    states: &[u8],
    hashes: &mut Vec<u64>,
    cut: &mut impl FnMut(&mut Open) -> Result<(), Full>,
    note: &mut impl FnMut(u32, bool),
    lost: &mut u64,
) -> Result<u64, (u64, Full)> {
    let width = if W == 0 { table.width() } else { W };
    let look = table.look();
    let count = states.len() / width;
    if hashes.len() < count {
        hashes.resize(count, 0);
    }
    let state = |i: usize| &states[i * width..][..width];
    let mut guesses = [NONE; 2 * WAVE];
    let mut inserted = 0;
    // Two additional rounds fill and drain the pipeline.
    for round in 0..count.div_ceil(WAVE) + 2 {
        let wave = |delay: usize| {
            let start = (round.wrapping_sub(delay)).saturating_mul(WAVE).min(count);
            start..(start + WAVE).min(count)
        };
        for i in wave(0) {
            let hash = hasher.hash(state(i));
            look.prefetch(hash);
            hashes[i] = hash;
        }
        for i in wave(1) {
            guesses[i % (2 * WAVE)] = look.guess(hashes[i]).unwrap_or(NONE);
        }
        for i in wave(2) {
            let (hash, state, guess) = (hashes[i], state(i), guesses[i % (2 * WAVE)]);
            if guess != NONE && equal(look.row::<W>(guess), state) {
                note(guess, false);
                continue;
            }
            if open.next == open.end {
                cut(open).map_err(|full| (inserted, full))?;
            }
            match look.insert::<W>(open, hash, state, equal, lost) {
                Placed::Old(number) => note(number, false),
                Placed::New(number) => {
                    note(number, true);
                    inserted += 1;
                }
            }
        }
    }
    Ok(inserted)
}
