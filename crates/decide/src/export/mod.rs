//! Transition systems in the exchange formats of hardware model checkers.
//!
//! *Entry points:* [`aiger_ascii`], [`aiger_binary`], [`btor2`].
//! *Source:* Biere, Heljanko and Wieringa, "AIGER 1.9 and Beyond", 2011; Niemetz, Preiner, Wolf and
//! Biere, "Btor2, BtorMC and Boolector 3.0", CAV 2018.
//! *Invariant:* the file has the same inputs, states, bad states, justice and fairness conditions as the
//! system; symbols are their names.

mod aiger;
mod btor2;

pub use aiger::{aiger_ascii, aiger_binary};
pub use btor2::btor2;

use crate::system::{Cause, System};

/// The name of a bad condition: the kind of fault, the process and the edge, or the property.
pub(crate) fn bad_name(system: &System, cause: Cause) -> String {
    let of = |claim: u32| &system.claims[claim as usize];
    match cause {
        Cause::Alarm { claim } => of(claim).clone(),
        Cause::Cycle { claim } => format!("cycle:{}", of(claim)),
        Cause::Proposition { claim, atom, kind } => format!("{}:{}:{atom}", kind.name(), of(claim)),
        Cause::Beyond => "beyond-the-limit-of-processes".to_owned(),
        Cause::Fault { kind, pid, edge: None } => format!("{}:{pid}", kind.name()),
        Cause::Fault { kind, pid, edge: Some(edge) } => format!("{}:{pid}:{}", kind.name(), edge.0),
    }
}
