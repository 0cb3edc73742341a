//! The last checkpoint of a search, as bytes.

use axle_search::{Checkpoint, Keep};

/// Keeps the last checkpoint as bytes.
#[derive(Default)]
pub struct LastCheckpoint {
    /// Asks for a checkpoint each time it has been asked so often; never if 0.
    every: u32,
    asked: u32,
    /// The checkpoint, if there was one.
    pub kept: Option<Vec<u8>>,
    /// How many checkpoints there were.
    pub count: u32,
}

impl LastCheckpoint {
    /// Asks for a checkpoint each time it has been polled so often; never if 0.
    pub fn every(every: u32) -> LastCheckpoint {
        LastCheckpoint { every, ..LastCheckpoint::default() }
    }
}

impl Keep for LastCheckpoint {
    fn due(&mut self) -> bool {
        self.asked += 1;
        self.asked.is_multiple_of(self.every)
    }

    fn keep(&mut self, point: &Checkpoint<'_>) {
        let mut bytes = Vec::new();
        point.write(&mut bytes).unwrap();
        self.kept = Some(bytes);
        self.count += 1;
    }
}
