//! Ends expansions of random models in which a sequence counts through the values of a wide
//! variable.

use std::sync::atomic::{AtomicU32, Ordering};

use axle_step::{Cut, Interrupt};

/// Polls in one expansion, each after thousands of steps inside sequences.
const MOST: u32 = 320;

/// A callback for one expansion.
pub fn patience() -> Interrupt {
    let asked = AtomicU32::new(0);
    Interrupt::new(move || (asked.fetch_add(1, Ordering::Relaxed) >= MOST).then_some(Cut::Time))
}
