//! The files of a project by hash.
//!
//! A project that was prepared has read all files that its runs depend on. Their contents are stored
//! by hash; the list of paths and hashes is a content, too, and its hash is in every job.
//!
//! *Entry points:* [`Inputs::of`], [`Inputs::fetch`].
//! *Invariant:* a fetched content has the hash that it was asked for by.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::project::folder::{Folder, Seen};
use crate::results::key::Hash;

/// The files and folders of a project.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Inputs {
    /// Paths relative to the project, with the hashes of the contents.
    pub files: BTreeMap<String, Hash>,
    /// Files that exist but were not read.
    pub present: BTreeSet<String>,
    /// Folders.
    pub folders: BTreeSet<String>,
}

impl Inputs {
    /// The inputs of a project that was prepared, from what its folder has seen.
    #[must_use]
    pub fn of(seen: &Seen) -> Inputs {
        let files = seen.files.iter().map(|(path, content)| (path.clone(), Hash::of(content))).collect();
        Inputs { files, present: seen.present.clone(), folders: seen.folders.clone() }
    }

    /// The list as a content.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        // Strings and hashes have a JSON form.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// The project of a list, in memory. `fetch` returns the content of a hash.
    ///
    /// # Errors
    /// A content cannot be fetched or has another hash, or the first one is no list.
    pub fn fetch<E: From<String>>(
        list: Hash,
        mut fetch: impl FnMut(Hash) -> Result<Vec<u8>, E>,
    ) -> Result<Folder, E> {
        let mut verified = |hash: Hash| {
            let content = fetch(hash)?;
            match Hash::of(&content) == hash {
                true => Ok(content),
                false => Err(E::from(format!("the content {hash} was received with another hash"))),
            }
        };
        let inputs: Inputs = serde_json::from_slice(&verified(list)?)
            .map_err(|fault| E::from(format!("the list of inputs cannot be read: {fault}")))?;
        let mut known: BTreeMap<Hash, Arc<[u8]>> = BTreeMap::new();
        let mut files = BTreeMap::new();
        for (path, hash) in inputs.files {
            let content = match known.get(&hash) {
                Some(content) => Arc::clone(content),
                None => verified(hash)?.into(),
            };
            known.insert(hash, Arc::clone(&content));
            files.insert(path, content);
        }
        Ok(Folder::in_memory(Seen { files, present: inputs.present, folders: inputs.folders }))
    }
}
