//! The table `[lanes]` of the manifest: the lanes of charts of an event-driven program.
//!
//! *Entry point:* [`lanes`].

use axle_evidence::trace::{Lanes, Trace};
use axle_source::{Diagnostic, Span};

use super::data::Project;
use super::fields::{Fields, Located};
use crate::codes::EXCLUSIVE;

/// The declared lanes, with the positions of the functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredLanes {
    /// The declaration.
    pub lanes: Lanes,
    /// The functions that it names.
    pub functions: Vec<(String, Span)>,
}

/// Reads the table.
pub(super) fn lanes(fields: &mut Fields<'_, '_>) -> Option<DeclaredLanes> {
    let handler = fields.required("handler", "name the function that handles an event");
    let party = fields.required("party", "name the parameter of the handler that each lane stands for");
    let send = fields.string("send");
    let receiver = fields.string("receiver");
    let sender = fields.string("sender");
    if let (None, Some(alone)) = (&send, receiver.as_ref().or(sender.as_ref())) {
        let error = Diagnostic::error(EXCLUSIVE, "a sender or receiver belongs to the function `send`");
        let help = "add `send = \"FUNCTION\"`, the function that appends a message";
        fields.diagnostics().push(error.at(alone.at.into(), "").help(help));
    }
    let (handler, party) = (handler?, party?);
    let functions = send.iter().chain([&handler]).map(|one| (one.value.clone(), one.at)).collect();
    let value = |one: Option<Located<String>>| one.map(|one| one.value);
    let (send, receiver, sender) = (value(send), value(receiver), value(sender));
    let lanes = Lanes { handler: handler.value, party: party.value, send, receiver, sender };
    Some(DeclaredLanes { lanes, functions })
}

impl Project {
    /// Adds the declared lanes to an execution.
    pub fn declare_lanes(&self, trace: &mut Trace) {
        trace.lanes = self.lanes.as_ref().map(|declared| declared.lanes.clone());
    }
}
