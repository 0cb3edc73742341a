//! What the phases of one command share.

use std::sync::Arc;

use crate::deadline::Deadline;
use crate::messages::Messages;
use crate::signals::Signals;

/// The execution of one command. A clone is the same session.
#[derive(Clone)]
pub struct Session {
    /// SIGINT and SIGTERM.
    pub signals: Arc<Signals>,
    /// The clock, and the last resort for limits.
    pub deadline: Arc<Deadline>,
    /// Errors and warnings about the input.
    pub messages: Arc<Messages>,
}

impl Session {
    /// A session that begins now.
    pub fn new() -> Session {
        let signals = Arc::new(Signals::default());
        let deadline = Arc::new(Deadline::new(Arc::clone(&signals)));
        Session { signals, deadline, messages: Arc::default() }
    }
}
