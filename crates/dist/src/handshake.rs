//! The handshake of two processes that know the same token. Nothing else is read from a connection before
//! the other side has proved that it knows it.
//!
//! Both sides send a random number. Then the caller sends a keyed hash of both numbers, and the called side
//! answers with its own. The token is never sent, and a process that does not know it receives nothing but
//! a random number. Keys of the encryption follow from the same numbers. Over the encrypted connection both
//! sides compare what they search.
//!
//! *Entry points:* [`Secret::call`], [`Secret::answer`].
//!
//! *Source:* mutual challenge and response with a keyed hash, ISO/IEC 9798-4.
//!
//! *Invariant:* a channel is returned only if its peer knows the token and searches the same.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::channel::{Channel, Keys, Side};
use crate::failure::{Failure, Refusal};

/// The first bytes of a connection, and the version of the protocol.
pub(crate) const NAME: &[u8; 7] = b"axledst";
pub(crate) const VERSION: u8 = 2;

/// Bytes of the first message: name, version, mode and a random number.
pub(crate) const HELLO: usize = NAME.len() + 2 + 32;

/// How long a peer may take for its part of a handshake.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// What the processes of a search know, and others do not.
#[derive(Clone)]
pub struct Secret {
    key: Arc<[u8]>,
    is_encrypted: bool,
}

/// The numbers of a handshake.
struct Numbers {
    caller: [u8; 32],
    called: [u8; 32],
}

impl Secret {
    /// A token, and whether connections are encrypted.
    pub fn new(token: &[u8], is_encrypted: bool) -> Secret {
        let key = Sha256::new().chain_update(b"axle token").chain_update(token).finalize();
        Secret { key: Arc::from(&key[..]), is_encrypted }
    }

    /// A value for a side of a connection that only those who know the token can compute.
    fn derived(&self, purpose: &[u8; 5], side: Side, numbers: &Numbers) -> [u8; 32] {
        let role = match side {
            Side::Caller => 1u8,
            Side::Called => 2,
        };
        // All parts have fixed lengths. The outer hash prevents extensions of the inner one.
        let inner = Sha256::new()
            .chain_update(&self.key)
            .chain_update(purpose)
            .chain_update([role, VERSION, self.is_encrypted.into()])
            .chain_update(numbers.caller)
            .chain_update(numbers.called)
            .finalize();
        Sha256::new().chain_update(&self.key).chain_update(inner).finalize().into()
    }

    fn hello(&self) -> Result<[u8; HELLO], Failure> {
        let mut hello = [0; HELLO];
        let (head, nonce) = hello.split_at_mut(HELLO - 32);
        head[..NAME.len()].copy_from_slice(NAME);
        head[NAME.len()..].copy_from_slice(&[VERSION, self.is_encrypted.into()]);
        getrandom::fill(nonce).map_err(|error| Failure::Network(error.to_string()))?;
        Ok(hello)
    }

    /// Checks the first message of the other side.
    fn check(&self, hello: &[u8; HELLO]) -> Result<(), Failure> {
        let refusal = match hello.strip_prefix(NAME) {
            None => Refusal::Protocol,
            Some(rest) if rest[0] != VERSION => Refusal::Version,
            Some(rest) if rest[1] != u8::from(self.is_encrypted) => Refusal::Mode,
            Some(_) => return Ok(()),
        };
        Err(Failure::Refused(refusal))
    }

    /// Authenticates a connection to a listening process, which may take a while to accept it.
    pub(crate) fn call(
        &self,
        mut socket: TcpStream,
        about: &str,
        patience: Duration,
    ) -> Result<Channel, Failure> {
        let until = Instant::now() + patience;
        let (own, mut theirs) = (self.hello()?, [0; HELLO]);
        write(&mut socket, &own)?;
        read(&mut socket, &mut theirs, until)?;
        self.check(&theirs)?;
        let numbers = Numbers { caller: nonce(&own), called: nonce(&theirs) };
        write(&mut socket, &self.derived(b"proof", Side::Caller, &numbers))?;
        let mut proof = [0; 32];
        // The other side answers only those who know the token.
        read(&mut socket, &mut proof, until).map_err(|failure| match failure {
            Failure::Refused(Refusal::Closed) => Failure::Refused(Refusal::Token),
            other => other,
        })?;
        if !is_equal(&proof, &self.derived(b"proof", Side::Called, &numbers)) {
            return Err(Failure::Refused(Refusal::Token));
        }
        self.settle(socket, Side::Caller, &numbers, about)
    }

    /// Authenticates a connection that was accepted.
    pub(crate) fn answer(&self, mut socket: TcpStream, about: &str) -> Result<Channel, Failure> {
        let until = Instant::now() + PATIENCE;
        let (own, mut theirs) = (self.hello()?, [0; HELLO]);
        read(&mut socket, &mut theirs, until)?;
        let checked = self.check(&theirs);
        if checked != Err(Failure::Refused(Refusal::Protocol)) {
            // Another version learns that it is another one.
            write(&mut socket, &own)?;
        }
        checked?;
        let numbers = Numbers { caller: nonce(&theirs), called: nonce(&own) };
        let mut proof = [0; 32];
        read(&mut socket, &mut proof, until)?;
        if !is_equal(&proof, &self.derived(b"proof", Side::Caller, &numbers)) {
            return Err(Failure::Refused(Refusal::Token));
        }
        write(&mut socket, &self.derived(b"proof", Side::Called, &numbers))?;
        self.settle(socket, Side::Called, &numbers, about)
    }

    /// Encrypts an authenticated connection, and compares what both sides search.
    fn settle(
        &self,
        socket: TcpStream,
        side: Side,
        numbers: &Numbers,
        about: &str,
    ) -> Result<Channel, Failure> {
        socket.set_read_timeout(Some(PATIENCE)).map_err(network)?;
        socket.set_write_timeout(Some(PATIENCE)).map_err(network)?;
        let mut channel = if self.is_encrypted {
            let other = match side {
                Side::Caller => Side::Called,
                Side::Called => Side::Caller,
            };
            let key = |side| self.derived(b"tls13", side, numbers);
            Channel::secure(socket, side, &Keys { own: key(side), theirs: key(other) })?
        } else {
            Channel::plain(socket)
        };
        let (own, mut theirs) = (Sha256::digest(about.as_bytes()), [0; 32]);
        channel.write_all(&own).map_err(of_peer)?;
        channel.read_exact(&mut theirs).map_err(of_peer)?;
        if is_equal(&theirs, &own.into()) { Ok(channel) } else { Err(Failure::Refused(Refusal::Search)) }
    }
}

/// The random number of a first message.
fn nonce(hello: &[u8; HELLO]) -> [u8; 32] {
    *hello.last_chunk().expect("a message with a number")
}

/// Compares without telling by its duration where the difference is.
fn is_equal(one: &[u8; 32], other: &[u8; 32]) -> bool {
    one.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

pub(crate) fn network(error: io::Error) -> Failure {
    Failure::Network(error.to_string())
}

/// What an error of a connection says about the other side.
pub(crate) fn of_peer(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Failure::Refused(Refusal::Slow),
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe => Failure::Refused(Refusal::Closed),
        io::ErrorKind::InvalidData => Failure::Refused(Refusal::Encryption),
        _ => network(error),
    }
}

/// Reads until a moment at most: a peer that sends byte by byte does not gain time.
fn read(socket: &mut TcpStream, bytes: &mut [u8], until: Instant) -> Result<(), Failure> {
    let mut filled = 0;
    while filled < bytes.len() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Failure::Refused(Refusal::Slow));
        }
        socket.set_read_timeout(Some(left)).map_err(network)?;
        match socket.read(&mut bytes[filled..]) {
            Ok(0) => return Err(Failure::Refused(Refusal::Closed)),
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(of_peer(error)),
        }
    }
    Ok(())
}

fn write(socket: &mut TcpStream, bytes: &[u8]) -> Result<(), Failure> {
    socket.set_write_timeout(Some(PATIENCE)).map_err(network)?;
    socket.write_all(bytes).map_err(of_peer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_differ_by_purpose_side_numbers_mode_and_token() {
        let numbers = |caller, called| Numbers { caller: [caller; 32], called: [called; 32] };
        let secret = Secret::new(b"token", true);
        let mut values = vec![
            secret.derived(b"proof", Side::Caller, &numbers(1, 2)),
            secret.derived(b"tls13", Side::Caller, &numbers(1, 2)),
            secret.derived(b"proof", Side::Called, &numbers(1, 2)),
            secret.derived(b"proof", Side::Caller, &numbers(2, 1)),
            Secret::new(b"token", false).derived(b"proof", Side::Caller, &numbers(1, 2)),
            Secret::new(b"Token", true).derived(b"proof", Side::Caller, &numbers(1, 2)),
        ];
        values.sort_unstable();
        values.dedup();
        assert_eq!(values.len(), 6);
    }

    #[test]
    fn numbers_are_fresh() {
        let secret = Secret::new(b"token", true);
        assert_ne!(nonce(&secret.hello().unwrap()), nonce(&secret.hello().unwrap()));
    }
}
