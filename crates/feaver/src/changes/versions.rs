//! The files of a project's versions: those that a round has verified, and the present ones.
//!
//! *Entry points:* [`of_round`], [`stored_until`], [`present`].
//! *Invariant:* contents are found by the hashes that a round has stored.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::jobs::error::StoreError;
use crate::jobs::job::RoundId;
use crate::project::folder::Folder;
use crate::results::database::Database;
use crate::results::key::Hash;
use crate::results::verdict::Round;
use crate::round::inputs::Inputs;
use crate::round::payload::Payload;

/// Rounds that are searched for stored files.
const MOST_ROUNDS: u32 = 50;

/// The content of a file by its path.
pub type Files = BTreeMap<String, Content>;

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// Its hash.
    pub hash: Hash,
    /// The content, unless it is only in the history.
    pub bytes: Option<Arc<[u8]>>,
}

/// The files of a round, as its jobs name them; none if it had no job.
///
/// # Errors
/// The history cannot be read.
pub fn of_round(database: &dyn Database, round: RoundId) -> Result<Option<Files>, StoreError> {
    let jobs = database.round_jobs(round, None)?;
    let Some(job) = jobs.first() else { return Ok(None) };
    let payload: Option<Payload> = serde_json::from_slice(&job.submitted.payload).ok();
    let Some(payload) = payload else { return Ok(None) };
    let list = database.content(payload.inputs)?;
    let inputs: Option<Inputs> = list.and_then(|list| serde_json::from_slice(&list).ok());
    Ok(inputs.map(|inputs| {
        inputs.files.into_iter().map(|(path, hash)| (path, Content { hash, bytes: None })).collect()
    }))
}

/// The latest round up to one that has stored its files, with these. A round without jobs has found that
/// everything that it depends on is as before.
///
/// # Errors
/// The history cannot be read.
pub fn stored_until(database: &dyn Database, last: RoundId) -> Result<Option<(Round, Files)>, StoreError> {
    for round in database.rounds_until(last, MOST_ROUNDS)? {
        if let Some(files) = of_round(database, round.id)? {
            return Ok(Some((round, files)));
        }
    }
    Ok(None)
}

/// The files of a project as they were read last.
#[must_use]
pub fn present(folder: &Folder) -> Files {
    let content = |bytes: Arc<[u8]>| Content { hash: Hash::of(&bytes), bytes: Some(bytes) };
    folder.seen().files.into_iter().map(|(path, bytes)| (path, content(bytes))).collect()
}

/// A content as text.
///
/// # Errors
/// The history cannot be read.
pub fn text(database: &dyn Database, content: &Content) -> Result<String, StoreError> {
    let bytes = match &content.bytes {
        Some(bytes) => bytes.to_vec(),
        None => database.content(content.hash)?.unwrap_or_default(),
    };
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
