//! Connections that have shown no token yet, and their limits.
//!
//! A connection is unidentified until a request on it was admitted. Beyond the limits the oldest one of the
//! address with the most is closed, so that new connections are accepted however many are silent. A client
//! with a token is identified by its first request, which it sends at once.
//!
//! *Entry points:* [`Unidentified::enter`], [`Admission::admit`].
//! *Invariant:* no more unidentified connections than the limits are open.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The most unidentified connections.
pub const MOST: usize = 256;

/// The most of one address. A proxy sends its requests at once, so that its connections are identified.
pub const MOST_OF_ADDRESS: usize = 64;

/// The unidentified connections, oldest first.
#[derive(Default)]
pub struct Unidentified {
    list: Mutex<List>,
}

#[derive(Default)]
struct List {
    open: VecDeque<Entry>,
    /// The number of the next connection.
    next: u64,
}

struct Entry {
    number: u64,
    address: IpAddr,
    end: Arc<Notify>,
}

/// An unidentified connection; it leaves the list when it is dropped.
pub struct Guest {
    admission: Admission,
    end: Arc<Notify>,
}

/// The right of a connection to stay, which a request with a token obtains.
#[derive(Clone)]
pub struct Admission {
    all: Arc<Unidentified>,
    number: u64,
}

impl Unidentified {
    /// Takes account of a new connection. Beyond a limit another one has to end.
    #[must_use]
    pub fn enter(self: &Arc<Self>, address: IpAddr) -> Guest {
        let end = Arc::new(Notify::new());
        let mut list = self.list();
        let number = list.next;
        list.next += 1;
        if let Some(crowded) = list.crowded(address)
            && let Some(oldest) = list.open.iter().position(|entry| entry.address == crowded)
            && let Some(entry) = list.open.remove(oldest)
        {
            entry.end.notify_one();
        }
        list.open.push_back(Entry { number, address, end: Arc::clone(&end) });
        Guest { admission: Admission { all: Arc::clone(self), number }, end }
    }

    /// The number of unidentified connections.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list().open.len()
    }

    /// Whether there is no unidentified connection.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn list(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl List {
    /// The address one of whose connections has to end before one of `address` is accepted.
    fn crowded(&self, address: IpAddr) -> Option<IpAddr> {
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        for entry in &self.open {
            *counts.entry(entry.address).or_default() += 1;
        }
        if counts.get(&address).is_some_and(|count| *count >= MOST_OF_ADDRESS) {
            return Some(address);
        }
        let most = counts.into_iter().max_by_key(|(_, count)| *count).map(|(address, _)| address);
        most.filter(|_| self.open.len() >= MOST)
    }
}

impl Guest {
    /// The right to stay, for the requests of the connection.
    #[must_use]
    pub fn admission(&self) -> Admission {
        self.admission.clone()
    }

    /// Waits until the connection has to end.
    pub async fn ended(&self) {
        self.end.notified().await;
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.admission.admit();
    }
}

impl Admission {
    /// The connection has shown a token.
    pub fn admit(&self) {
        let mut list = self.all.list();
        if let Ok(at) = list.open.binary_search_by_key(&self.number, |entry| entry.number) {
            list.open.remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    #[test]
    fn the_oldest_of_the_most_crowded_address_ends() {
        let all = Arc::new(Unidentified::default());
        let mut guests: Vec<Guest> = (0..MOST_OF_ADDRESS).map(|_| all.enter(address(1))).collect();
        guests.push(all.enter(address(2)));
        assert_eq!(all.len(), MOST_OF_ADDRESS + 1);
        guests.push(all.enter(address(1)));
        assert_eq!(all.len(), MOST_OF_ADDRESS + 1, "the first of the same address has left the list");
        guests[1].admission().admit();
        assert_eq!(all.len(), MOST_OF_ADDRESS);
        for other in 3..200 {
            guests.push(all.enter(address(other)));
            guests.push(all.enter(address(other)));
        }
        assert_eq!(all.len(), MOST);
        assert!(all.list().open.iter().any(|entry| entry.address == address(2)), "a single one stays");
        drop(guests);
        assert!(all.is_empty());
    }
}
