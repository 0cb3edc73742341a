//! The connection between two processes that know the same token: a socket, encrypted by TLS 1.3 unless
//! both sides agree on plain bytes.
//!
//! TLS needs no certificates here. Each side derives the key pairs of both sides from its handshake, in
//! which both have proved that they know the token, and accepts no key but that of the other side.
//!
//! *Entry points:* [`Channel::secure`], [`Channel::plain`].
//!
//! *Source:* RFC 8446 (TLS 1.3), RFC 7250 (raw public keys), RFC 8032 (Ed25519).
//!
//! *Invariant:* one thread reads and one thread writes. Bytes are read from and written to the socket
//! without the lock of the session, so neither waits for the other.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{AlwaysResolvesClientRawPublicKeys, Resumption};
use rustls::crypto::ring::{default_provider, sign::any_eddsa_type};
use rustls::crypto::{CryptoProvider, WebPkiSupportedAlgorithms, verify_tls13_signature_with_raw_key};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, ServerName, SubjectPublicKeyInfoDer, UnixTime};
use rustls::server::AlwaysResolvesServerRawPublicKeys;
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::sign::{CertifiedKey, SigningKey};
use rustls::{
    CertificateError, ClientConfig, ClientConnection, Connection, DigitallySignedStruct, DistinguishedName,
    Error, ServerConfig, ServerConnection, SignatureScheme, version::TLS13,
};

use crate::failure::{Failure, Refusal};

/// The side of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// It has connected.
    Caller,
    /// It has accepted.
    Called,
}

/// Secrets that only the two sides of one connection can compute.
pub(crate) struct Keys {
    pub own: [u8; 32],
    pub theirs: [u8; 32],
}

/// A connection whose other side has proved that it knows the token.
pub struct Channel {
    socket: TcpStream,
    session: Option<Arc<Session>>,
}

/// The state of the encryption, which both directions share.
struct Session {
    connection: Mutex<Connection>,
    incoming: Mutex<Incoming>,
    outgoing: Mutex<Vec<u8>>,
}

/// Bytes of the socket that the session has not read.
struct Incoming {
    buffer: Vec<u8>,
    start: usize,
    end: usize,
}

/// Bytes that are read from a socket at once.
const BUFFER: usize = 1 << 16;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A session that a panic has left is used no more: all workers of the process have failed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Channel {
    /// A connection without encryption.
    pub fn plain(socket: TcpStream) -> Channel {
        Channel { socket, session: None }
    }

    /// Encrypts a connection. Both sides call this at the same time.
    pub(crate) fn secure(mut socket: TcpStream, side: Side, keys: &Keys) -> Result<Channel, Failure> {
        let refused = |_: Error| Failure::Refused(Refusal::Encryption);
        let mut connection = connection(side, keys).map_err(refused)?;
        while connection.is_handshaking() {
            connection.complete_io(&mut socket).map_err(|error| match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Failure::Refused(Refusal::Slow),
                _ => Failure::Refused(Refusal::Encryption),
            })?;
        }
        let incoming = Incoming { buffer: vec![0; BUFFER], start: 0, end: 0 };
        let session = Session {
            connection: Mutex::new(connection),
            incoming: Mutex::new(incoming),
            outgoing: Mutex::new(Vec::new()),
        };
        Ok(Channel { socket, session: Some(Arc::new(session)) })
    }

    /// A further handle of the same connection.
    ///
    /// # Errors
    ///
    /// If the system has no further handle.
    pub fn try_clone(&self) -> io::Result<Channel> {
        Ok(Channel { socket: self.socket.try_clone()?, session: self.session.clone() })
    }

    /// Ends a direction of the connection, or both. Only the end of what this side writes is announced: to write may
    /// take long if the other side does not answer.
    ///
    /// # Errors
    ///
    /// If the connection has ended already.
    pub fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        if let Some(session) = &self.session
            && how == Shutdown::Write
        {
            lock(&session.connection).send_close_notify();
            session.send(&self.socket)?;
        }
        self.socket.shutdown(how)
    }

    /// Limits the time of each read and write.
    pub(crate) fn set_patience(&self, patience: Option<Duration>) -> io::Result<()> {
        self.socket.set_read_timeout(patience)?;
        self.socket.set_write_timeout(patience)
    }

    /// Whether reads return at once.
    pub(crate) fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.socket.set_nonblocking(nonblocking)
    }

    /// Whether the other side waits: it has neither sent anything nor ended.
    pub(crate) fn is_waiting(&self) -> bool {
        let peeked = self.socket.set_nonblocking(true).and_then(|()| self.socket.peek(&mut [0]));
        let waits = matches!(peeked, Err(error) if error.kind() == io::ErrorKind::WouldBlock);
        waits && self.socket.set_nonblocking(false).is_ok()
    }

    /// Sends small messages at once.
    pub(crate) fn set_nodelay(&self) -> io::Result<()> {
        self.socket.set_nodelay(true)
    }
}

impl fmt::Debug for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.session.is_some() { "encrypted" } else { "plain" };
        write!(f, "{:?}, {how}", self.socket)
    }
}

impl Session {
    /// Writes what is ready to the socket. Only one thread does.
    fn send(&self, mut socket: &TcpStream) -> io::Result<()> {
        let mut outgoing = lock(&self.outgoing);
        outgoing.clear();
        let mut connection = lock(&self.connection);
        while connection.wants_write() {
            connection.write_tls(&mut *outgoing)?;
        }
        drop(connection);
        socket.write_all(&outgoing)
    }

    fn read(&self, mut socket: &TcpStream, out: &mut [u8]) -> io::Result<usize> {
        let mut incoming = lock(&self.incoming);
        let Incoming { buffer, start, end } = &mut *incoming;
        let mut has_ended = false;
        loop {
            let mut connection = lock(&self.connection);
            // The session reads no more while it holds bytes that were not taken.
            match connection.reader().read(out) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && !has_ended => {}
                // An end without the notice of the other side is an error of the reader.
                read => return read,
            }
            if start == end {
                drop(connection);
                (*start, *end) = (0, socket.read(buffer)?);
                has_ended = *end == 0;
                connection = lock(&self.connection);
            }
            let mut rest = &buffer[*start..*end];
            connection.read_tls(&mut rest)?;
            *start = *end - rest.len();
            connection
                .process_new_packets()
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))?;
        }
    }
}

impl Read for Channel {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match &self.session {
            None => self.socket.read(out),
            Some(session) => session.read(&self.socket, out),
        }
    }
}

impl Write for Channel {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &self.session {
            None => self.socket.write(bytes),
            Some(session) => {
                let written = lock(&session.connection).writer().write(bytes)?;
                session.send(&self.socket)?;
                Ok(written)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.socket.flush()
    }
}

/// The session of a side, before its first byte.
fn connection(side: Side, keys: &Keys) -> Result<Connection, Error> {
    let provider = Arc::new(default_provider());
    let own = signing_key(&keys.own)?;
    let certified = CertifiedKey::new(vec![CertificateDer::from(public_key(&*own)?.to_vec())], own);
    let certified = Arc::new(certified);
    let pinned = Arc::new(Pinned::new(&keys.theirs, &provider)?);
    match side {
        Side::Caller => {
            let resolver = Arc::new(AlwaysResolvesClientRawPublicKeys::new(certified));
            let builder = ClientConfig::builder_with_provider(provider).with_protocol_versions(&[&TLS13])?;
            let mut config = builder
                .dangerous()
                .with_custom_certificate_verifier(pinned)
                .with_client_cert_resolver(resolver);
            config.resumption = Resumption::disabled();
            config.enable_sni = false;
            let name =
                ServerName::try_from("axle.invalid").map_err(|error| Error::General(error.to_string()))?;
            Ok(Connection::Client(ClientConnection::new(Arc::new(config), name)?))
        }
        Side::Called => {
            let resolver = Arc::new(AlwaysResolvesServerRawPublicKeys::new(certified));
            let builder = ServerConfig::builder_with_provider(provider).with_protocol_versions(&[&TLS13])?;
            let mut config = builder.with_client_cert_verifier(pinned).with_cert_resolver(resolver);
            config.send_tls13_tickets = 0;
            Ok(Connection::Server(ServerConnection::new(Arc::new(config))?))
        }
    }
}

/// An Ed25519 private key: version, algorithm and key as in RFC 8410.
const PKCS8: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];

fn signing_key(seed: &[u8; 32]) -> Result<Arc<dyn SigningKey>, Error> {
    any_eddsa_type(&PrivatePkcs8KeyDer::from([&PKCS8[..], seed].concat()))
}

fn public_key(key: &dyn SigningKey) -> Result<SubjectPublicKeyInfoDer<'_>, Error> {
    key.public_key().ok_or_else(|| Error::General("a key without a public part".to_string()))
}

/// Accepts the key of the other side of one connection, and no other.
#[derive(Debug)]
struct Pinned {
    key: Vec<u8>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl Pinned {
    fn new(seed: &[u8; 32], provider: &CryptoProvider) -> Result<Pinned, Error> {
        let key = public_key(&*signing_key(seed)?)?.to_vec();
        Ok(Pinned { key, algorithms: provider.signature_verification_algorithms })
    }

    fn accepts(&self, key: &CertificateDer<'_>) -> Result<(), Error> {
        if key.as_ref() == self.key {
            Ok(())
        } else {
            Err(Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure))
        }
    }

    fn verifies(
        &self,
        message: &[u8],
        key: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let key = SubjectPublicKeyInfoDer::from(key.as_ref());
        verify_tls13_signature_with_raw_key(message, &key, signature, &self.algorithms)
    }
}

/// Only version 1.3 is offered.
fn other_version() -> Error {
    Error::General("another version of TLS".to_string())
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        key: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.accepts(key).map(|()| ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(other_version())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        key: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.verifies(message, key, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ED25519]
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}

impl ClientCertVerifier for Pinned {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        key: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.accepts(key).map(|()| ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(other_version())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        key: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.verifies(message, key, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ED25519]
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    fn sockets() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let caller = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (caller, listener.accept().unwrap().0)
    }

    /// The channels of both sides, with these secrets of theirs.
    fn secured(caller: [u8; 32], called: [u8; 32]) -> (Result<Channel, Failure>, Result<Channel, Failure>) {
        let (one, other) = sockets();
        let first =
            thread::spawn(move || Channel::secure(one, Side::Caller, &Keys { own: caller, theirs: [2; 32] }));
        let second = Channel::secure(other, Side::Called, &Keys { own: called, theirs: [1; 32] });
        (first.join().unwrap(), second)
    }

    #[test]
    fn both_directions_carry_bytes_at_once() {
        let (one, other) = secured([1; 32], [2; 32]);
        let sends = |mut channel: Channel, seed: u8| {
            thread::spawn(move || {
                for part in 0..60u8 {
                    channel.write_all(&vec![part.wrapping_mul(seed); 1000 * usize::from(part)]).unwrap();
                }
                channel.shutdown(Shutdown::Write).unwrap();
            })
        };
        let receives = |mut channel: Channel, seed: u8| {
            thread::spawn(move || {
                let mut all = Vec::new();
                channel.read_to_end(&mut all).unwrap();
                let parts =
                    (0..60u8).flat_map(|part| vec![part.wrapping_mul(seed); 1000 * usize::from(part)]);
                assert!(parts.eq(all), "the bytes that were sent");
            })
        };
        let (one, other) = (one.unwrap(), other.unwrap());
        let threads = [
            sends(one.try_clone().unwrap(), 3),
            sends(other.try_clone().unwrap(), 5),
            receives(one, 5),
            receives(other, 3),
        ];
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    }

    #[test]
    fn another_key_is_refused() {
        let (_, called) = secured([9; 32], [2; 32]);
        assert_eq!(called.err(), Some(Failure::Refused(Refusal::Encryption)));
        let (caller, _) = secured([1; 32], [9; 32]);
        assert_eq!(caller.err(), Some(Failure::Refused(Refusal::Encryption)));
    }

    /// A connection that is cut is not one that has ended.
    #[test]
    fn an_end_without_notice_is_an_error() {
        let (one, other) = secured([1; 32], [2; 32]);
        let (mut one, other) = (one.unwrap(), other.unwrap());
        other.socket.shutdown(Shutdown::Both).unwrap();
        assert!(one.read(&mut [0; 8]).is_err());
    }
}
