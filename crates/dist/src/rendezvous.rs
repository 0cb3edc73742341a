//! The meeting of the processes of a search: sockets between all pairs, each authenticated before any
//! other byte is read.
//!
//! The first process listens; the others connect to it and say where they listen themselves. When all have
//! come, each learns its number and the addresses of those before it, and connects to them. Every
//! connection begins with a handshake by which both sides prove that they know the token, without sending
//! it. The token also covers what is searched, so that a process of another model or version is refused.
//!
//! *Entry points:* [`Host::gather`], [`join`].
//!
//! *Source:* mutual challenge and response with a keyed hash, ISO/IEC 9798-4.
//!
//! *Invariant:* a socket is returned only if its peer has proved that it knows the token and searches the
//! same. The connection itself is neither encrypted nor authenticated afterwards: outside of one machine
//! it needs a protected network.

use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::failure::Failure;

/// The first bytes of a connection, with the version of the protocol.
const HELLO: &[u8; 8] = b"axledst1";

/// How long a peer may take for its part of a handshake.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a process sleeps between two attempts to meet another one.
const PAUSE: Duration = Duration::from_millis(10);

/// Maximum number of processes.
const MOST: usize = 1024;

/// What the processes of a search have in common.
pub struct Common {
    token: Vec<u8>,
    about: String,
    /// A random number that this process has never used before.
    nonce: [u8; 32],
}

/// The side of a connection.
#[derive(Clone, Copy)]
enum Side {
    Caller,
    Called,
}

impl Common {
    /// The token of the search, and what is searched: the model, the options and the version of the
    /// program.
    ///
    /// # Errors
    ///
    /// If the system has no random numbers.
    pub fn new(token: &[u8], about: &str) -> Result<Common, Failure> {
        let mut nonce = [0; 32];
        getrandom::fill(&mut nonce).map_err(|error| Failure::Network(error.to_string()))?;
        Ok(Common { token: token.to_vec(), about: about.to_string(), nonce })
    }

    /// The proof of a side for the numbers of both.
    fn proof(&self, side: Side, caller: &[u8; 32], called: &[u8; 32]) -> [u8; 32] {
        let key = Sha256::new().chain_update(b"axle token").chain_update(&self.token).finalize();
        let about = Sha256::digest(self.about.as_bytes());
        let role = match side {
            Side::Caller => 1u8,
            Side::Called => 2,
        };
        // All parts have fixed lengths. The outer hash prevents extensions of the inner one.
        let inner = Sha256::new()
            .chain_update(key)
            .chain_update([role])
            .chain_update(about)
            .chain_update(caller)
            .chain_update(called)
            .finalize();
        Sha256::new().chain_update(key).chain_update(inner).finalize().into()
    }

    /// The number for a connection: numbers of different connections differ.
    fn nonce_of(&self, connection: u64) -> [u8; 32] {
        Sha256::new().chain_update(self.nonce).chain_update(connection.to_le_bytes()).finalize().into()
    }

    /// Authenticates the connection to a listening process.
    fn call(&self, socket: &mut TcpStream, connection: u64) -> Result<(), Failure> {
        patient(socket)?;
        let own = self.nonce_of(connection);
        socket.write_all(HELLO).map_err(network)?;
        socket.write_all(&own).map_err(network)?;
        let (mut theirs, mut proof) = ([0; 32], [0; 32]);
        socket.read_exact(&mut theirs).map_err(network)?;
        socket.read_exact(&mut proof).map_err(network)?;
        if !is_equal(&proof, &self.proof(Side::Called, &own, &theirs)) {
            return Err(refused());
        }
        socket.write_all(&self.proof(Side::Caller, &own, &theirs)).map_err(network)
    }

    /// Authenticates a connection that was accepted.
    fn answer(&self, socket: &mut TcpStream, connection: u64) -> Result<(), Failure> {
        patient(socket)?;
        let (mut hello, mut theirs, mut proof) = ([0; 8], [0; 32], [0; 32]);
        socket.read_exact(&mut hello).map_err(network)?;
        if &hello != HELLO {
            return Err(refused());
        }
        socket.read_exact(&mut theirs).map_err(network)?;
        let own = self.nonce_of(connection);
        socket.write_all(&own).map_err(network)?;
        socket.write_all(&self.proof(Side::Called, &theirs, &own)).map_err(network)?;
        socket.read_exact(&mut proof).map_err(network)?;
        let expected = self.proof(Side::Caller, &theirs, &own);
        if is_equal(&proof, &expected) { Ok(()) } else { Err(refused()) }
    }
}

/// Compares without telling by its duration where the difference is.
fn is_equal(one: &[u8; 32], other: &[u8; 32]) -> bool {
    one.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

fn refused() -> Failure {
    Failure::Network("the peer does not know the token, or searches another model".to_string())
}

fn network(error: std::io::Error) -> Failure {
    Failure::Network(error.to_string())
}

/// Limits the time of every read and write of a handshake.
fn patient(socket: &TcpStream) -> Result<(), Failure> {
    socket.set_read_timeout(Some(PATIENCE)).map_err(network)?;
    socket.set_write_timeout(Some(PATIENCE)).map_err(network)
}

/// Removes the limits after the handshakes.
fn settled(socket: TcpStream) -> Result<TcpStream, Failure> {
    socket.set_read_timeout(None).map_err(network)?;
    socket.set_write_timeout(None).map_err(network)?;
    Ok(socket)
}

/// The first process, which waits for the others.
pub struct Host {
    listener: TcpListener,
    common: Common,
}

impl Host {
    /// Listens at an address.
    ///
    /// # Errors
    ///
    /// If the address cannot be used.
    pub fn listen(address: SocketAddr, common: Common) -> Result<Host, Failure> {
        Ok(Host { listener: TcpListener::bind(address).map_err(network)?, common })
    }

    /// Where this process listens.
    ///
    /// # Errors
    ///
    /// If the socket has no address.
    pub fn address(&self) -> Result<SocketAddr, Failure> {
        self.listener.local_addr().map_err(network)
    }

    /// Waits until `others` further processes have come, and returns their sockets by number. `refused` is
    /// called for every connection that is refused. `goes_on` is polled while no process comes; if it returns
    /// false, the meeting ends.
    ///
    /// # Errors
    ///
    /// If the meeting ends, or a process that was accepted is lost.
    pub fn gather(
        &self,
        others: usize,
        mut refused: impl FnMut(SocketAddr, &Failure),
        mut goes_on: impl FnMut() -> bool,
    ) -> Result<Vec<Option<TcpStream>>, Failure> {
        assert!(others < MOST, "fewer than {MOST} processes");
        let mut members: Vec<(TcpStream, SocketAddr)> = Vec::new();
        let mut connections = 0;
        while members.len() < others {
            let (mut socket, from) = accept(&self.listener, &mut goes_on)?;
            connections += 1;
            let port = self.common.answer(&mut socket, connections).and_then(|()| {
                let mut port = [0; 2];
                socket.read_exact(&mut port).map_err(network)?;
                Ok(u16::from_le_bytes(port))
            });
            match port {
                Ok(port) => members.push((socket, SocketAddr::new(from.ip(), port))),
                Err(failure) => refused(from, &failure),
            }
        }
        let addresses: Vec<SocketAddr> = members.iter().map(|(_, address)| *address).collect();
        let mut sockets = vec![None];
        for (index, (mut socket, _)) in members.into_iter().enumerate() {
            let mut list = Vec::new();
            list.extend((others as u16 + 1).to_le_bytes());
            list.extend((index as u16 + 1).to_le_bytes());
            addresses[..index].iter().for_each(|address| write_address(*address, &mut list));
            socket.write_all(&list).map_err(network)?;
            sockets.push(Some(settled(socket)?));
        }
        Ok(sockets)
    }
}

/// Accepts the next connection.
fn accept(
    listener: &TcpListener,
    goes_on: &mut impl FnMut() -> bool,
) -> Result<(TcpStream, SocketAddr), Failure> {
    listener.set_nonblocking(true).map_err(network)?;
    loop {
        match listener.accept() {
            Ok((socket, from)) => {
                socket.set_nonblocking(false).map_err(network)?;
                return Ok((socket, from));
            }
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(network(error)),
        }
        if !goes_on() {
            return Err(Failure::Network("not all processes have come".to_string()));
        }
        std::thread::sleep(PAUSE);
    }
}

/// Joins the processes of a search, and returns the sockets by number; the one of this process is empty.
///
/// # Errors
///
/// If the host or another process cannot be reached within `limit`, or does not know the token.
pub fn join(host: SocketAddr, common: &Common, limit: Duration) -> Result<Vec<Option<TcpStream>>, Failure> {
    let until = Instant::now() + limit;
    // The host may start later.
    let mut socket = loop {
        match TcpStream::connect_timeout(&host, limit) {
            Ok(socket) => break socket,
            Err(_) if Instant::now() < until => std::thread::sleep(PAUSE),
            Err(error) => return Err(network(error)),
        }
    };
    let own = socket.local_addr().map_err(network)?.ip();
    let listener = TcpListener::bind(SocketAddr::new(own, 0)).map_err(network)?;
    common.call(&mut socket, 0)?;
    let port = listener.local_addr().map_err(network)?.port();
    socket.write_all(&port.to_le_bytes()).map_err(network)?;
    // The others may come later.
    socket.set_read_timeout(Some(limit)).map_err(network)?;
    let mut numbers = [0; 4];
    socket.read_exact(&mut numbers).map_err(network)?;
    let [a, b, c, d] = numbers;
    let (count, index) = (usize::from(u16::from_le_bytes([a, b])), usize::from(u16::from_le_bytes([c, d])));
    if index == 0 || index >= count || count > MOST {
        return Err(Failure::Network("the host has sent no number".to_string()));
    }
    let mut sockets: Vec<Option<TcpStream>> = (0..count).map(|_| None).collect();
    for (number, place) in sockets.iter_mut().enumerate().take(index).skip(1) {
        let address = read_address(&mut socket)?;
        let left = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        let mut peer = TcpStream::connect_timeout(&address, left).map_err(network)?;
        common.call(&mut peer, number as u64)?;
        peer.write_all(&(index as u16).to_le_bytes()).map_err(network)?;
        *place = Some(settled(peer)?);
    }
    let mut connections = MOST as u64;
    while sockets.iter().skip(index + 1).any(Option::is_none) {
        let (mut peer, _) = accept(&listener, &mut || Instant::now() < until)?;
        connections += 1;
        // A process without the token does not belong to this search.
        let number = common.answer(&mut peer, connections).and_then(|()| {
            let mut number = [0; 2];
            peer.read_exact(&mut number).map_err(network)?;
            Ok(usize::from(u16::from_le_bytes(number)))
        });
        if let Ok(number) = number
            && number > index
            && let Some(place @ None) = sockets.get_mut(number)
        {
            *place = Some(settled(peer)?);
        }
    }
    sockets[0] = Some(settled(socket)?);
    Ok(sockets)
}

/// An address as 18 bytes: 16 of the IPv6 form, and the port.
fn write_address(address: SocketAddr, out: &mut Vec<u8>) {
    let ip = match address.ip() {
        IpAddr::V4(ip) => ip.to_ipv6_mapped(),
        IpAddr::V6(ip) => ip,
    };
    out.extend(ip.octets());
    out.extend(address.port().to_le_bytes());
}

fn read_address(socket: &mut TcpStream) -> Result<SocketAddr, Failure> {
    let (mut octets, mut port) = ([0; 16], [0; 2]);
    socket.read_exact(&mut octets).map_err(network)?;
    socket.read_exact(&mut port).map_err(network)?;
    let ip = std::net::Ipv6Addr::from(octets);
    let ip = ip.to_ipv4_mapped().map_or(IpAddr::V6(ip), IpAddr::V4);
    Ok(SocketAddr::new(ip, u16::from_le_bytes(port)))
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::thread;

    use super::*;

    fn common(token: &str, about: &str, nonce: u8) -> Common {
        Common { token: token.into(), about: about.to_string(), nonce: [nonce; 32] }
    }

    fn local() -> SocketAddr {
        SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0)
    }

    const LIMIT: Duration = Duration::from_secs(20);

    /// Sends a byte through every socket and reads those of the others.
    fn greet(index: usize, sockets: &mut [Option<TcpStream>]) {
        for socket in sockets.iter_mut().flatten() {
            socket.write_all(&[index as u8]).unwrap();
        }
        for (number, socket) in sockets.iter_mut().enumerate() {
            assert_eq!(socket.is_none(), number == index);
            if let Some(socket) = socket {
                let mut byte = [0];
                socket.read_exact(&mut byte).unwrap();
                assert_eq!(usize::from(byte[0]), number);
            }
        }
    }

    #[test]
    fn all_processes_are_connected() {
        for others in [1, 2, 5] {
            let host = Host::listen(local(), common("secret", "model", 0)).unwrap();
            let address = host.address().unwrap();
            let joined: Vec<_> = (0..others)
                .map(|number| {
                    let common = common("secret", "model", number + 1);
                    thread::spawn(move || {
                        let mut sockets = join(address, &common, LIMIT).unwrap();
                        let index = sockets.iter().position(Option::is_none).unwrap();
                        greet(index, &mut sockets);
                        index
                    })
                })
                .collect();
            let until = Instant::now() + LIMIT;
            let refused = |_: SocketAddr, failure: &Failure| panic!("{failure}");
            let mut sockets = host.gather(usize::from(others), refused, || Instant::now() < until).unwrap();
            greet(0, &mut sockets);
            let mut numbers: Vec<usize> = joined.into_iter().map(|one| one.join().unwrap()).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, (1..=usize::from(others)).collect::<Vec<_>>());
        }
    }

    /// Attackers connect first, each in another way; the search begins all the same.
    #[test]
    fn attackers_are_refused() {
        let host = Host::listen(local(), common("secret", "model", 0)).unwrap();
        let address = host.address().unwrap();
        let speak = |bytes: Vec<u8>| {
            thread::spawn(move || {
                let mut socket = TcpStream::connect(address).unwrap();
                socket.set_read_timeout(Some(LIMIT)).unwrap();
                // The host may close the connection at any byte.
                let _ = socket.write_all(&bytes);
                let mut answer = Vec::new();
                let _ = socket.read_to_end(&mut answer);
                answer
            })
        };
        let hello = |rest: &[u8]| [&HELLO[..], rest].concat();
        let mut attacks = vec![
            speak(b"GET / HTTP/1.1\r\n\r\n".to_vec()),
            speak(vec![0; 200]),
            speak(vec![0xff; 100_000]),
            speak(b"axledst0".repeat(30)),
            speak(hello(&[0; 32 + 32 + 2])),
            speak(hello(&[1; 100_000])),
        ];
        // A proof of an earlier handshake, or one of the host, is not a proof of the caller.
        let own = common("secret", "model", 9);
        let (a, b) = (own.nonce_of(0), own.nonce_of(1));
        for proof in [own.proof(Side::Caller, &a, &b), own.proof(Side::Called, &a, &b)] {
            attacks.push(speak(hello(&[&a[..], &proof, &[1, 1]].concat())));
        }
        for (token, about) in [("Secret", "model"), ("", "model"), ("secret", "other"), ("secret", "")] {
            let common = common(token, about, 3);
            attacks.push(thread::spawn(move || {
                assert!(join(address, &common, LIMIT).is_err(), "{token}, {about}");
                Vec::new()
            }));
        }
        let attackers = attacks.len();
        let mut failures = 0;
        let gathered = thread::scope(|scope| {
            let host = scope.spawn(|| {
                let until = Instant::now() + LIMIT;
                host.gather(1, |_, _| failures += 1, || Instant::now() < until)
            });
            // Nothing but nonces and proofs is sent to those who do not know the token.
            let longest = attacks.into_iter().map(|attack| attack.join().unwrap().len()).max();
            assert!(longest <= Some(64), "{longest:?}");
            let member = join(address, &common("secret", "model", 1), LIMIT).unwrap();
            assert_eq!(member.len(), 2);
            host.join().unwrap()
        });
        assert_eq!((gathered.unwrap().len(), failures), (2, attackers));
    }

    #[test]
    fn a_false_host_learns_nothing() {
        let listener = TcpListener::bind(local()).unwrap();
        let address = listener.local_addr().unwrap();
        let host = thread::spawn(move || {
            let (mut socket, _) = listener.accept().unwrap();
            socket.write_all(&[7; 64]).unwrap();
            let mut heard = Vec::new();
            let _ = socket.read_to_end(&mut heard);
            heard
        });
        assert!(join(address, &common("secret", "model", 1), LIMIT).is_err());
        // The greeting and a nonce, but no proof.
        assert_eq!(host.join().unwrap().len(), 40);
    }

    #[test]
    fn a_meeting_ends_without_processes() {
        let host = Host::listen(local(), common("secret", "model", 0)).unwrap();
        let mut polls = 0;
        let ended = host.gather(
            1,
            |_, _| {},
            || {
                polls += 1;
                polls < 3
            },
        );
        assert!(matches!(ended, Err(Failure::Network(_))));
    }

    #[test]
    fn addresses_are_read_back() {
        for address in ["127.0.0.1:80", "[::1]:65535", "10.1.2.3:1"] {
            let address: SocketAddr = address.parse().unwrap();
            let mut bytes = Vec::new();
            write_address(address, &mut bytes);
            let listener = TcpListener::bind(local()).unwrap();
            let mut sender = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let mut receiver = listener.accept().unwrap().0;
            sender.write_all(&bytes).unwrap();
            assert_eq!(read_address(&mut receiver), Ok(address));
        }
    }
}
