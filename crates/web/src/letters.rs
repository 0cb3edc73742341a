//! Notifications on their way: the queue, and the contract with the sender.
//!
//! *Entry points:* [`queue`], [`Deliver`].
//! *Invariant:* of an address, only the host is shown: the rest may contain a secret.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Notifications that wait; beyond, new ones are dropped with a message to the operator.
pub const MOST: usize = 256;

/// Sends notifications.
pub trait Deliver: Send + Sync {
    /// Sends a body to an address. The signature belongs into the header `X-Axle-Signature-256`.
    ///
    /// # Errors
    /// The reason, which contains no part of the address.
    fn deliver(&self, address: &str, body: &str, signature: Option<&str>) -> Result<(), String>;
}

/// A body for an address.
pub struct Letter {
    /// The address.
    pub address: String,
    /// The body.
    pub body: String,
}

/// The queue of notifications: its beginning belongs into [`letters`](crate::application::Application::letters).
#[must_use]
pub fn queue() -> (SyncSender<Letter>, Receiver<Letter>) {
    sync_channel(MOST)
}

/// The host of an address. The rest may contain a secret.
#[must_use]
pub fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::host;

    #[test]
    fn the_host_of_an_address_is_all_that_is_shown() {
        assert_eq!(host("http://127.0.0.1:9000/T0/secret?key=1"), "127.0.0.1:9000");
        assert_eq!(host("http://host?key=secret"), "host");
    }
}
