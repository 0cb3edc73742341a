//! Results of runs that were read last. A page of a run and those around it read the same result, which
//! contains a whole execution.
//!
//! *Entry point:* [`Recent::kept`].
//! *Invariant:* a result is found by the hash of its content, so that it is never an earlier one.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use axle_feaver::jobs::error::StoreError;
use axle_feaver::results::database::Database;
use axle_feaver::results::key::Hash;
use axle_feaver::results::ledger::Kept;
use axle_feaver::results::verdict::{Phase, Record};

/// Bytes of the contents whose results are kept.
const MOST_BYTES: usize = 16 << 20;

/// A result and the bytes of its content.
struct Entry {
    hash: Hash,
    bytes: usize,
    kept: Arc<Kept>,
}

/// The results that were read last, the latest one first.
#[derive(Default)]
pub struct Recent(Mutex<VecDeque<Entry>>);

impl Recent {
    /// The result of a run that a phase has recorded.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn kept(
        &self,
        database: &dyn Database,
        record: &Record,
        of: Phase,
    ) -> Result<Option<Arc<Kept>>, StoreError> {
        let Some((_, hash)) = record.witnesses.iter().find(|(phase, _)| *phase == of) else {
            return Ok(None);
        };
        if let Some(known) = self.known(*hash) {
            return Ok(Some(known));
        }
        let Some(content) = database.content(*hash)? else { return Ok(None) };
        let Ok(kept) = serde_json::from_slice(&content) else { return Ok(None) };
        let kept = Arc::new(kept);
        self.add(Entry { hash: *hash, bytes: content.len(), kept: Arc::clone(&kept) });
        Ok(Some(kept))
    }

    fn known(&self, hash: Hash) -> Option<Arc<Kept>> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = entries.iter().position(|entry| entry.hash == hash)?;
        let entry = entries.remove(at)?;
        let kept = Arc::clone(&entry.kept);
        entries.push_front(entry);
        Some(kept)
    }

    fn add(&self, entry: Entry) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|known| known.hash != entry.hash);
        entries.push_front(entry);
        let mut bytes = 0;
        entries.retain(|entry| {
            bytes += entry.bytes;
            bytes <= MOST_BYTES
        });
    }
}
