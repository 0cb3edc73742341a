//! Kind and place of a fault of a step or a state, in the terms of the engine that executes it.
//!
//! A search stores and compares fault sites, and reads nothing else from them.
//! *Entry point:* [`FaultSite`].
//! *Invariant:* two fault sites are equal if and only if they are the same defect, found in the same
//! statement, for a process of the same type.

use std::fmt::Debug;
use std::hash::Hash;

use axle_model::EdgeId;
use serde::{Deserialize, Serialize};

use crate::fault_kind::FaultKind;

/// Kind and place of the faults of an engine.
pub trait FaultSite: Copy + Ord + Hash + Debug + Send + Sync {
    /// The kind of fault by which the options of a search ignore it; `None` if the engine has kinds of
    /// its own, and ignores them itself.
    fn kind(&self) -> Option<FaultKind>;

    /// Its bytes, for checkpoints.
    fn encode(&self) -> Vec<u8>;

    /// The site with these bytes; `None` if there is none.
    fn decode(bytes: &[u8]) -> Option<Self>;
}

/// Kind and place of a fault of a model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ModelSite {
    /// The kind of the fault.
    pub kind: FaultKind,
    /// The edge that was executed or tried; `None` for faults of a whole state.
    pub edge: Option<EdgeId>,
}

impl FaultSite for ModelSite {
    fn kind(&self) -> Option<FaultKind> {
        Some(self.kind)
    }

    /// The number of the edge (0: none) in 8 bytes, and the name of the kind.
    fn encode(&self) -> Vec<u8> {
        let edge = self.edge.map_or(0, |edge| u64::from(edge.0) + 1);
        [&edge.to_le_bytes()[..], self.kind.name().as_bytes()].concat()
    }

    fn decode(bytes: &[u8]) -> Option<ModelSite> {
        let (edge, name) = bytes.split_first_chunk()?;
        let edge = match u64::from_le_bytes(*edge).checked_sub(1) {
            Some(edge) => Some(EdgeId(u32::try_from(edge).ok()?)),
            None => None,
        };
        Some(ModelSite { kind: FaultKind::named(std::str::from_utf8(name).ok()?)?, edge })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_back() {
        for kind in FaultKind::all() {
            for edge in [None, Some(EdgeId(0)), Some(EdgeId(u32::MAX))] {
                let site = ModelSite { kind, edge };
                assert_eq!(ModelSite::decode(&site.encode()), Some(site));
            }
        }
        assert_eq!(ModelSite::decode(&[]), None);
        assert_eq!(ModelSite::decode(b"\0\0\0\0\0\0\0\0asertion"), None);
        assert_eq!(ModelSite::decode(b"\0\0\0\0\0\0\0\xffassertion"), None);
    }
}
