//! The payload of a job: everything that a worker needs to know of it.
//!
//! *Entry point:* [`Payload`].
//! *Invariant:* a payload contains no paths of a machine. Its inputs are named by hash, and the key of
//! the run lets the worker verify that it prepared the same run.

use serde::{Deserialize, Serialize};

use crate::prepare::key::Key;
use crate::results::key::Hash;

/// The description of a job. The task itself is the key of the job ([`crate::jobs::task::Task`]).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Payload {
    /// The build of Axle that prepared the run. Only the same build may execute it.
    pub build: String,
    /// The hash of the list of files ([`crate::round::inputs::Inputs`]).
    pub inputs: Hash,
    /// The name of the property.
    pub property: String,
    /// The name of the constraint.
    pub constraint: String,
    /// What the verdict depends on: subject, property, provisioning and options.
    pub key: Key,
    /// In the second phase: the content with the first violating execution
    /// ([`crate::results::ledger::Kept`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Hash>,
}

impl Payload {
    /// The name of the run.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}@{}", self.property, self.constraint)
    }

    /// The bytes that are stored with a job.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        // Strings and hashes have a JSON form.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Reads the bytes of a job.
    ///
    /// # Errors
    /// The bytes are no payload, for example because another version of Axle submitted the job.
    pub fn read(bytes: &[u8]) -> Result<Payload, String> {
        serde_json::from_slice(bytes)
            .map_err(|fault| format!("the job was submitted by another version of Axle: {fault}"))
    }
}
