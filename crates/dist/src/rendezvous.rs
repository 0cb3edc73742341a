//! The meeting of the processes of a search: channels between all pairs.
//!
//! The first process listens; the others connect to it and say where they listen themselves. When all have
//! come, each learns its number and the addresses of those before it, and connects to them. Every
//! connection begins with the handshake of [`crate::handshake`]. Processes that do not know the model enlist
//! before: they receive an assignment from the first process, and join its search afterwards.
//!
//! *Entry points:* [`gather`], [`join`]; [`enlist`], [`take_assignment`].
//!
//! *Invariant:* a channel is returned only if its peer has proved that it knows the token and searches the
//! same. A peer that is slow, silent or hostile delays no other one, and one that leaves while the others
//! are awaited may come again.

use std::cell::RefCell;
use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::channel::Channel;
use crate::failure::{Failure, Refusal};
use crate::handshake::{PATIENCE, Secret, network, of_peer};

/// How long a process sleeps between two attempts to meet another one.
const PAUSE: Duration = Duration::from_millis(10);

/// How long a connection may take at least.
const SHORTEST: Duration = Duration::from_secs(2);

/// Maximum number of processes.
const MOST: usize = 1024;

/// Maximum number of unfinished handshakes.
const PENDING: usize = 128;

/// Maximum bytes of an assignment.
const LONGEST: u64 = 1 << 28;

/// Reports a connection that was refused.
pub type OnRefusal<'r> = &'r mut dyn FnMut(SocketAddr, &Failure);

/// Accepts connections until `take` has enough. Each handshake has a thread of its own.
fn admit<T: Send + 'static>(
    listener: &TcpListener,
    (secret, about): (&Secret, &str),
    greet: fn(Channel) -> Result<(Channel, T), Failure>,
    mut take: impl FnMut(SocketAddr, Channel, T) -> Result<ControlFlow<()>, Failure>,
    refused: OnRefusal<'_>,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<(), Failure> {
    listener.set_nonblocking(true).map_err(network)?;
    let (sender, handshakes) = mpsc::channel();
    let mut pending = 0;
    loop {
        while let Ok((from, met)) = handshakes.try_recv() {
            pending -= 1;
            match met {
                Ok((channel, met)) => match take(from, channel, met) {
                    Ok(ControlFlow::Break(())) => return Ok(()),
                    Ok(ControlFlow::Continue(())) => {}
                    Err(failure) => refused(from, &failure),
                },
                Err(failure) => refused(from, &failure),
            }
        }
        match listener.accept() {
            Ok((_, from)) if pending >= PENDING => refused(from, &Failure::Refused(Refusal::Crowded)),
            Ok((socket, from)) => {
                pending += 1;
                let (secret, about, sender) = (secret.clone(), about.to_string(), sender.clone());
                thread::spawn(move || {
                    let answered = socket.set_nonblocking(false).map_err(network);
                    let met = answered.and_then(|()| secret.answer(socket, &about)).and_then(greet);
                    // The meeting may have ended.
                    let _ = sender.send((from, met));
                });
            }
            Err(error) => match error.kind() {
                std::io::ErrorKind::WouldBlock => {
                    if !goes_on() {
                        return Err(Failure::Network("not all processes have come".to_string()));
                    }
                    thread::sleep(PAUSE);
                }
                // The peer has ended already.
                std::io::ErrorKind::ConnectionAborted | std::io::ErrorKind::Interrupted => {}
                _ => return Err(network(error)),
            },
        }
    }
}

/// Accepts `others` processes, and returns their channels, addresses and what they have sent. The first that
/// have come are dropped if they end before the last one comes.
fn welcome<T: Send + 'static>(
    listener: &TcpListener,
    secret_of: (&Secret, &str),
    others: usize,
    greet: fn(Channel) -> Result<(Channel, T), Failure>,
    refused: OnRefusal<'_>,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<(Channel, SocketAddr, T)>, Failure> {
    assert!((1..MOST).contains(&others), "fewer than {MOST} processes");
    let members: RefCell<Vec<(Channel, SocketAddr, T)>> = RefCell::default();
    let refused = RefCell::new(refused);
    let dismiss = || {
        members.borrow_mut().retain(|(channel, from, _)| {
            let waits = channel.is_waiting();
            if !waits {
                refused.borrow_mut()(*from, &Failure::Left);
            }
            waits
        });
    };
    let take = |from: SocketAddr, channel, sent| {
        dismiss();
        members.borrow_mut().push((channel, from, sent));
        Ok(if members.borrow().len() == others { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    let mut note = |from: SocketAddr, failure: &Failure| refused.borrow_mut()(from, failure);
    let mut goes_on = || {
        dismiss();
        goes_on()
    };
    admit(listener, secret_of, greet, take, &mut note, &mut goes_on)?;
    Ok(members.take())
}

/// Reads the two bytes that follow a handshake: a port, or a number.
fn short(mut channel: Channel) -> Result<(Channel, u16), Failure> {
    let mut bytes = [0; 2];
    channel.read_exact(&mut bytes).map_err(of_peer)?;
    Ok((channel, u16::from_le_bytes(bytes)))
}

/// Waits until `others` further processes of the search `about` have come, and returns their channels by
/// number. `refused` is called for every connection that is refused. `goes_on` is polled while no process
/// comes; if it returns false, the meeting ends.
///
/// # Errors
///
/// If the meeting ends, or a process that was accepted is lost.
pub fn gather(
    listener: &TcpListener,
    secret: &Secret,
    about: &str,
    others: usize,
    refused: OnRefusal<'_>,
    mut goes_on: impl FnMut() -> bool,
) -> Result<Vec<Option<Channel>>, Failure> {
    let members = welcome(listener, (secret, about), others, short, refused, &mut goes_on)?;
    let addresses: Vec<SocketAddr> =
        members.iter().map(|(_, from, port)| SocketAddr::new(from.ip(), *port)).collect();
    let mut channels = vec![None];
    for (index, (mut channel, ..)) in members.into_iter().enumerate() {
        let mut list = Vec::new();
        list.extend((others as u16 + 1).to_le_bytes());
        list.extend((index as u16 + 1).to_le_bytes());
        addresses[..index].iter().for_each(|address| write_address(*address, &mut list));
        channel.write_all(&list).map_err(network)?;
        channels.push(Some(settled(channel)?));
    }
    Ok(channels)
}

/// Waits until `others` processes have enlisted, and sends each the assignment. They then [`join`].
///
/// # Errors
///
/// If the meeting ends, or a process that was accepted is lost.
pub fn enlist(
    listener: &TcpListener,
    secret: &Secret,
    about: &str,
    (others, assignment): (usize, &[u8]),
    refused: OnRefusal<'_>,
    mut goes_on: impl FnMut() -> bool,
) -> Result<(), Failure> {
    if assignment.len() as u64 > LONGEST {
        return Err(Failure::Network("the model is too long to be sent".to_string()));
    }
    let greet = |channel| Ok((channel, ()));
    let members = welcome(listener, (secret, about), others, greet, refused, &mut goes_on)?;
    for (mut channel, ..) in members {
        channel.write_all(&(assignment.len() as u64).to_le_bytes()).map_err(network)?;
        channel.write_all(assignment).map_err(network)?;
    }
    Ok(())
}

/// Connects to a process that may start later.
fn connect(host: SocketAddr, until: Instant) -> Result<TcpStream, Failure> {
    loop {
        let left = until.saturating_duration_since(Instant::now()).max(SHORTEST);
        match TcpStream::connect_timeout(&host, left) {
            Ok(socket) => return Ok(socket),
            Err(_) if Instant::now() < until => thread::sleep(PAUSE),
            Err(error) => return Err(network(error)),
        }
    }
}

/// Enlists at a process, and returns its assignment. Waits `limit` for the process to exist, and `patience`
/// for it to have time.
///
/// # Errors
///
/// If the process cannot be reached, does not know the token, or ends.
pub fn take_assignment(
    host: SocketAddr,
    secret: &Secret,
    about: &str,
    (limit, patience): (Duration, Duration),
) -> Result<Vec<u8>, Failure> {
    let socket = connect(host, Instant::now() + limit)?;
    let mut channel = secret.call(socket, about, patience)?;
    channel.set_patience(Some(patience)).map_err(network)?;
    let mut length = [0; 8];
    channel.read_exact(&mut length).map_err(of_peer)?;
    let length = u64::from_le_bytes(length);
    let mut assignment = Vec::new();
    // The memory grows with the bytes that arrive.
    channel.take(length.min(LONGEST)).read_to_end(&mut assignment).map_err(of_peer)?;
    if assignment.len() as u64 == length { Ok(assignment) } else { Err(Failure::Refused(Refusal::Closed)) }
}

/// Joins the processes of the search `about`, and returns the channels by number; the one of this process is
/// empty.
///
/// # Errors
///
/// If the host or another process cannot be reached within `limit`, or does not know the token.
pub fn join(
    host: SocketAddr,
    secret: &Secret,
    about: &str,
    limit: Duration,
) -> Result<Vec<Option<Channel>>, Failure> {
    let until = Instant::now() + limit;
    let socket = connect(host, until)?;
    let own = socket.local_addr().map_err(network)?.ip();
    let listener = TcpListener::bind(SocketAddr::new(own, 0)).map_err(network)?;
    // The host may be busy with what comes before the search.
    let mut first = secret.call(socket, about, limit)?;
    let port = listener.local_addr().map_err(network)?.port();
    first.write_all(&port.to_le_bytes()).map_err(of_peer)?;
    // The others may come later.
    first.set_patience(Some(limit)).map_err(network)?;
    let mut numbers = [0; 4];
    first.read_exact(&mut numbers).map_err(of_peer)?;
    let [a, b, c, d] = numbers;
    let (count, index) = (usize::from(u16::from_le_bytes([a, b])), usize::from(u16::from_le_bytes([c, d])));
    if index == 0 || index >= count || count > MOST {
        return Err(Failure::Network("the host has sent no number".to_string()));
    }
    let mut channels: Vec<Option<Channel>> = (0..count).map(|_| None).collect();
    for place in channels.iter_mut().take(index).skip(1) {
        let address = read_address(&mut first)?;
        let mut peer = secret.call(connect(address, until)?, about, PATIENCE)?;
        peer.write_all(&(index as u16).to_le_bytes()).map_err(of_peer)?;
        *place = Some(settled(peer)?);
    }
    let mut missing = count - index - 1;
    if missing > 0 {
        let take = |_, channel, number: u16| {
            let number = usize::from(number);
            match channels.get_mut(number) {
                Some(place @ None) if number > index => *place = Some(settled(channel)?),
                _ => return Err(Failure::Refused(Refusal::Number)),
            }
            missing -= 1;
            Ok(if missing == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        // A process without the token does not belong to this search; the host reports those that try.
        let mut unnoted = |_: SocketAddr, _: &Failure| {};
        let mut goes_on = || Instant::now() < until;
        admit(&listener, (secret, about), short, take, &mut unnoted, &mut goes_on)?;
    }
    channels[0] = Some(settled(first)?);
    Ok(channels)
}

/// Removes the limits after the handshakes.
fn settled(channel: Channel) -> Result<Channel, Failure> {
    channel.set_patience(None).map_err(network)?;
    Ok(channel)
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

fn read_address(channel: &mut impl Read) -> Result<SocketAddr, Failure> {
    let (mut octets, mut port) = ([0; 16], [0; 2]);
    channel.read_exact(&mut octets).map_err(of_peer)?;
    channel.read_exact(&mut port).map_err(of_peer)?;
    let ip = std::net::Ipv6Addr::from(octets);
    let ip = ip.to_ipv4_mapped().map_or(IpAddr::V6(ip), IpAddr::V4);
    Ok(SocketAddr::new(ip, u16::from_le_bytes(port)))
}

#[cfg(test)]
mod attacks;
#[cfg(test)]
mod tests;
