//! Why an input is not checked.
//!
//! *Entry point:* [`Refused`].

use crate::exit::Exit;

/// Why an input is not checked: the message, or the exit code after messages on standard error.
pub enum Refused {
    Message(String),
    Reported(Exit),
}

impl From<String> for Refused {
    fn from(message: String) -> Refused {
        Refused::Message(message)
    }
}

impl From<Exit> for Refused {
    fn from(exit: Exit) -> Refused {
        Refused::Reported(exit)
    }
}
