//! Limits on what one token may hold at once, such as event streams.
//!
//! *Entry point:* [`Slots::take`].
//! *Invariant:* a token never holds more than its limit, so that it leaves the others their share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A number of slots, some of which each name may take.
#[derive(Debug)]
pub struct Slots {
    most: usize,
    most_of_name: usize,
    taken: Mutex<HashMap<String, usize>>,
}

/// Why there is no slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The name has its share.
    Name,
    /// All are taken.
    All,
}

/// A slot, until it is dropped.
#[derive(Debug)]
pub struct Slot {
    slots: Arc<Slots>,
    name: String,
}

impl Slots {
    /// A number of slots.
    #[must_use]
    pub fn new(most: usize, most_of_name: usize) -> Slots {
        Slots { most, most_of_name, taken: Mutex::default() }
    }

    /// A slot for a name.
    ///
    /// # Errors
    /// The name has its share, or all slots are taken.
    pub fn take(self: &Arc<Slots>, name: &str) -> Result<Slot, Exhausted> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.get(name).is_some_and(|own| *own >= self.most_of_name) {
            return Err(Exhausted::Name);
        }
        if taken.values().sum::<usize>() >= self.most {
            return Err(Exhausted::All);
        }
        *taken.entry(name.to_string()).or_default() += 1;
        Ok(Slot { slots: Arc::clone(self), name: name.to_string() })
    }

    /// The number of slots that are taken.
    #[must_use]
    pub fn len(&self) -> usize {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }

    /// Whether no slot is taken.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut taken = self.slots.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = taken.get_mut(&self.name) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_its_share() {
        let slots = Arc::new(Slots::new(3, 2));
        let first = slots.take("a").expect("a slot");
        let _second = slots.take("a").expect("a slot");
        assert_eq!(slots.take("a").err(), Some(Exhausted::Name));
        let _third = slots.take("b").expect("a slot");
        assert_eq!(slots.take("b").err(), Some(Exhausted::All));
        drop(first);
        assert!(slots.take("b").is_ok());
        assert_eq!(slots.len(), 2);
    }
}
