//! Meetings of processes, simulated by threads.

use super::*;

pub(super) const LIMIT: Duration = Duration::from_secs(20);

pub(super) fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

pub(super) fn patience() -> impl FnMut() -> bool {
    let until = Instant::now() + LIMIT;
    move || Instant::now() < until
}

/// Sends a byte through every channel and reads those of the others.
fn greet(index: usize, channels: &mut [Option<Channel>]) {
    for channel in channels.iter_mut().flatten() {
        channel.write_all(&[index as u8]).unwrap();
    }
    for (number, channel) in channels.iter_mut().enumerate() {
        assert_eq!(channel.is_none(), number == index);
        if let Some(channel) = channel {
            let mut byte = [0];
            channel.read_exact(&mut byte).unwrap();
            assert_eq!(usize::from(byte[0]), number);
        }
    }
}

/// A process that joins and greets the others; it returns its number.
fn joins(address: SocketAddr, secret: &Secret) -> thread::JoinHandle<usize> {
    let secret = secret.clone();
    thread::spawn(move || {
        let mut channels = join(address, &secret, "model", LIMIT).unwrap();
        let index = channels.iter().position(Option::is_none).unwrap();
        greet(index, &mut channels);
        index
    })
}

#[test]
fn all_processes_are_connected() {
    for (others, is_encrypted) in [(1, true), (2, false), (5, true)] {
        let (listener, address) = listener();
        let secret = Secret::new(b"secret", is_encrypted);
        let joined: Vec<_> = (0..others).map(|_| joins(address, &secret)).collect();
        let mut refused = |_: SocketAddr, failure: &Failure| panic!("{failure}");
        let mut channels = gather(&listener, &secret, "model", others, &mut refused, patience()).unwrap();
        greet(0, &mut channels);
        let mut numbers: Vec<usize> = joined.into_iter().map(|one| one.join().unwrap()).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=others).collect::<Vec<_>>());
    }
}

#[test]
fn assignments_reach_those_who_enlist() {
    let (listener, address) = listener();
    let secret = Secret::new(b"secret", true);
    let assignment: Vec<u8> = (0..200_000u32).map(|number| (number % 251) as u8).collect();
    let enlisted: Vec<_> = (0..3)
        .map(|_| {
            let secret = secret.clone();
            thread::spawn(move || take_assignment(address, &secret, "version", (LIMIT, LIMIT)).unwrap())
        })
        .collect();
    let mut refused = |_: SocketAddr, failure: &Failure| panic!("{failure}");
    enlist(&listener, &secret, "version", (3, &assignment), &mut refused, patience()).unwrap();
    for one in enlisted {
        assert!(one.join().unwrap() == assignment);
    }
}

/// A process is killed and started again while the others are awaited.
#[test]
fn a_process_that_leaves_may_come_again() {
    let (listener, address) = listener();
    let secret = Secret::new(b"secret", true);
    let (left, comes) = mpsc::channel();
    let others = {
        let secret = secret.clone();
        thread::spawn(move || {
            let socket = connect(address, Instant::now() + LIMIT).unwrap();
            let mut killed = secret.call(socket, "model", LIMIT).unwrap();
            killed.write_all(&[1, 0]).unwrap();
            drop(killed);
            // The host has noticed.
            comes.recv_timeout(LIMIT).unwrap();
            let members: Vec<_> = (0..2).map(|_| joins(address, &secret)).collect();
            for member in members {
                member.join().unwrap();
            }
        })
    };
    let mut refusals = Vec::new();
    let mut refused = |_: SocketAddr, failure: &Failure| {
        refusals.push(failure.clone());
        left.send(()).unwrap();
    };
    let mut channels = gather(&listener, &secret, "model", 2, &mut refused, patience()).unwrap();
    greet(0, &mut channels);
    others.join().unwrap();
    assert_eq!(refusals, [Failure::Left]);
}

#[test]
fn a_false_host_learns_nothing() {
    let (listener, address) = listener();
    let host = thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        // A first message like that of a host, without the token.
        let hello = [&b"axledst\x02\x01"[..], &[7; 32]].concat();
        socket.write_all(&[&hello[..], &[7; 32]].concat()).unwrap();
        let mut heard = Vec::new();
        let _ = socket.read_to_end(&mut heard);
        heard
    });
    let secret = Secret::new(b"secret", true);
    assert_eq!(join(address, &secret, "model", LIMIT).err(), Some(Failure::Refused(Refusal::Token)));
    // A random number and a keyed hash, and nothing of the search.
    assert_eq!(host.join().unwrap().len(), 41 + 32);
}

#[test]
fn a_meeting_ends_without_processes() {
    let (listener, _) = listener();
    let mut polls = 0;
    let goes_on = || {
        polls += 1;
        polls < 3
    };
    let secret = Secret::new(b"secret", true);
    let ended = gather(&listener, &secret, "model", 1, &mut |_, _| {}, goes_on);
    assert!(matches!(ended, Err(Failure::Network(_))));
}

#[test]
fn addresses_are_read_back() {
    for address in ["127.0.0.1:80", "[::1]:65535", "10.1.2.3:1"] {
        let address: SocketAddr = address.parse().unwrap();
        let mut bytes = Vec::new();
        write_address(address, &mut bytes);
        assert_eq!(read_address(&mut &bytes[..]), Ok(address));
    }
}
