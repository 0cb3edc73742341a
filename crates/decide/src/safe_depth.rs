//! The number of steps within which no bad state is reached, as engines on the same problem tell each other:
//! the base case of an induction is the work of bounded model checking, and each frame of PDR has it as a
//! by-product.
//!
//! *Entry point:* [`SafeDepth`].
//! *Invariant:* engines read only what was published, so that their work depends on when that happens, and
//! not on how fast others are. A proof does not rely on it: the certificate checker searches all depths.

use std::sync::{Arc, Mutex, PoisonError};

/// See the file. Clones share their knowledge.
#[derive(Clone, Default, Debug)]
pub struct SafeDepth(Arc<Mutex<Depths>>);

/// What is published, and what was noted since.
#[derive(Default, Debug)]
struct Depths {
    published: Safe,
    noted: Safe,
}

/// None of these bad conditions holds within fewer than so many steps.
#[derive(Clone, Default, Debug)]
struct Safe {
    bads: Vec<usize>,
    steps: u64,
}

impl SafeDepth {
    /// Notes that none of the bad conditions at these positions holds within fewer than so many steps.
    pub fn note(&self, bads: &[usize], steps: u64) {
        self.with(|depths| {
            if steps > depths.noted.steps {
                depths.noted = Safe { bads: bads.to_vec(), steps };
            }
        });
    }

    /// Makes known what was noted.
    pub fn publish(&self) {
        self.with(|depths| depths.published = depths.noted.clone());
    }

    /// The number of steps below which none of these bad conditions holds, as far as is known.
    #[must_use]
    pub fn steps(&self, bads: &[usize]) -> u64 {
        self.with(|Depths { published, .. }| {
            let is_known = bads.iter().all(|bad| published.bads.contains(bad));
            if is_known { published.steps } else { 0 }
        })
    }

    fn with<T>(&self, act: impl FnOnce(&mut Depths) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_depth_is_known_for_parts_of_the_conditions_once_it_is_published() {
        let safe = SafeDepth::default();
        safe.note(&[1, 2], 5);
        safe.note(&[1, 2], 3);
        assert_eq!(safe.steps(&[1]), 0);
        safe.publish();
        assert_eq!([safe.steps(&[1]), safe.steps(&[2, 1]), safe.steps(&[3])], [5, 5, 0]);
    }
}
