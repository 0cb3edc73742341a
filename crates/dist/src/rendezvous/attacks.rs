//! Attacks on the port of a meeting, as data: each is refused for its reason, none delays the search.

use sha2::{Digest, Sha256};

use super::tests::{LIMIT, listener, patience};
use super::*;
use crate::handshake::{HELLO, NAME, VERSION};

/// What an attacker does with its connection.
enum Deed {
    /// Sends bytes, closes its side, and reads what comes.
    Says(Vec<u8>),
    /// Sends bytes one by one, with a pause after each.
    Drips(Vec<u8>),
    /// Sends bytes and then nothing.
    Stalls(Vec<u8>),
    /// Sends a first message and answers the random number of the host as the function says.
    Answers(fn(&[u8]) -> Vec<u8>),
    /// Repeats what a process that knows the token has said before.
    Replays,
    /// Follows the protocol with this token, encryption and search.
    Joins(&'static str, bool, &'static str),
    /// Is authenticated, and then sends bytes that are not those of a member.
    Authenticated(&'static [u8]),
}

fn hello(version: u8, mode: u8, nonce: u8) -> Vec<u8> {
    [&NAME[..], &[version, mode], &[nonce; 32]].concat()
}

/// Name, deed, and the reasons for which the host may refuse it.
fn attacks() -> Vec<(&'static str, Deed, Vec<Refusal>)> {
    use Deed::*;
    use Refusal::{Closed, Mode, Protocol, Search, Slow, Token, Version};
    let says = |bytes: &[u8]| Says(bytes.to_vec());
    vec![
        ("nothing", says(b""), vec![Closed]),
        ("a request of the web", says(&b"GET / HTTP/1.1\r\nHost: axle\r\n\r\n".repeat(3)), vec![Protocol]),
        ("a greeting of TLS", says(&[&[0x16, 3, 1, 2, 0, 1][..], &[0; 600]].concat()), vec![Protocol]),
        ("zeros", says(&[0; 200]), vec![Protocol]),
        ("an oversized message", says(&vec![0xff; 8 << 20]), vec![Protocol, Closed]),
        ("half a greeting", says(&NAME[..4]), vec![Closed]),
        ("an earlier version", says(&hello(1, 1, 3)), vec![Version]),
        ("a later version", says(&hello(VERSION + 1, 1, 3)), vec![Version]),
        ("a request for plain bytes", says(&hello(VERSION, 0, 3)), vec![Mode]),
        ("no proof", says(&hello(VERSION, 1, 3)), vec![Closed]),
        ("a guessed proof", says(&[&hello(VERSION, 1, 3)[..], &[0; 32]].concat()), vec![Token]),
        (
            "a greeting and much more",
            says(&[&hello(VERSION, 1, 3)[..], &[9; 1 << 20]].concat()),
            vec![Token, Closed],
        ),
        ("the number of the host as proof", Answers(|heard| heard[HELLO - 32..].to_vec()), vec![Token]),
        (
            "a hash without the token",
            Answers(|heard| Sha256::digest(&heard[HELLO - 32..]).to_vec()),
            vec![Token],
        ),
        ("a replayed handshake", Replays, vec![Token]),
        ("byte by byte", Drips(hello(VERSION, 1, 4)), vec![Slow]),
        ("a silent peer", Stalls(Vec::new()), vec![Slow]),
        ("a peer that stalls after its greeting", Stalls(hello(VERSION, 1, 5)), vec![Slow]),
        ("no token", Joins("", true, "model"), vec![Token]),
        ("a wrong token", Joins("Secret", true, "model"), vec![Token]),
        ("a longer token", Joins("secret ", true, "model"), vec![Token]),
        ("without encryption", Joins("secret", false, "model"), vec![Mode]),
        ("another model", Joins("secret", true, "other"), vec![Search]),
        ("no model", Joins("secret", true, ""), vec![Search]),
        ("a member that says nothing", Authenticated(b""), vec![Closed]),
        ("a member that says too little", Authenticated(b"\x01"), vec![Closed]),
    ]
}

fn commit(deed: Deed, address: SocketAddr, recorded: &[u8]) -> usize {
    let speak = |bytes: &[u8]| {
        let mut socket = TcpStream::connect(address).unwrap();
        socket.set_read_timeout(Some(LIMIT)).unwrap();
        // The host may close the connection at any byte.
        let _ = socket.write_all(bytes);
        socket
    };
    let rest = |mut socket: TcpStream| {
        let _ = socket.shutdown(std::net::Shutdown::Write);
        let mut heard = Vec::new();
        let _ = socket.read_to_end(&mut heard);
        heard.len()
    };
    match deed {
        Deed::Says(bytes) => rest(speak(&bytes)),
        Deed::Replays => rest(speak(recorded)),
        Deed::Stalls(bytes) => {
            let mut heard = Vec::new();
            let _ = speak(&bytes).read_to_end(&mut heard);
            heard.len()
        }
        Deed::Drips(bytes) => {
            let mut socket = speak(b"");
            for byte in bytes {
                if socket.write_all(&[byte]).is_err() {
                    break;
                }
                thread::sleep(Duration::from_millis(300));
            }
            rest(socket)
        }
        Deed::Answers(answer) => {
            let mut socket = speak(&hello(VERSION, 1, 6));
            let mut heard = [0; HELLO];
            socket.read_exact(&mut heard).unwrap();
            let _ = socket.write_all(&answer(&heard));
            HELLO + rest(socket)
        }
        Deed::Joins(token, is_encrypted, about) => {
            assert!(join(address, &Secret::new(token.as_bytes(), is_encrypted), about, LIMIT).is_err());
            0
        }
        Deed::Authenticated(bytes) => {
            let secret = Secret::new(b"secret", true);
            let socket = TcpStream::connect(address).unwrap();
            let mut channel = secret.call(socket, "model", PATIENCE).unwrap();
            channel.write_all(bytes).unwrap();
            channel.shutdown(std::net::Shutdown::Both).unwrap();
            0
        }
    }
}

/// The bytes that a process which knows the token has sent to another host.
fn recording() -> Vec<u8> {
    let (listener, address) = listener();
    let (relay, relayed) = self::listener();
    let recorder = thread::spawn(move || {
        let (mut caller, _) = relay.accept().unwrap();
        let mut host = TcpStream::connect(address).unwrap();
        let mut sent = vec![0; HELLO];
        caller.read_exact(&mut sent).unwrap();
        host.write_all(&sent).unwrap();
        let mut hello = [0; HELLO];
        host.read_exact(&mut hello).unwrap();
        caller.write_all(&hello).unwrap();
        let mut proof = [0; 32];
        caller.read_exact(&mut proof).unwrap();
        sent.extend(proof);
        sent
    });
    let secret = Secret::new(b"secret", true);
    let host = secret.clone();
    thread::spawn(move || {
        let (socket, _) = listener.accept().unwrap();
        assert!(host.answer(socket, "model").is_err(), "the relay ends");
    });
    assert!(join(relayed, &secret, "model", LIMIT).is_err());
    recorder.join().unwrap()
}

/// Twenty-six attackers come first, all at once; each is refused with its reason, and the search begins.
#[test]
fn attackers_are_refused_with_their_reasons() {
    let recorded = recording();
    let (listener, address) = listener();
    let secret = Secret::new(b"secret", true);
    let (sender, refusals) = mpsc::channel();
    let host = {
        let secret = secret.clone();
        thread::spawn(move || {
            let mut refused = |_: SocketAddr, failure: &Failure| sender.send(failure.clone()).unwrap();
            gather(&listener, &secret, "model", 1, &mut refused, patience()).map(|channels| channels.len())
        })
    };
    let slow = |deed: &Deed| matches!(deed, Deed::Drips(_) | Deed::Stalls(_));
    let (slow, fast): (Vec<_>, Vec<_>) = attacks().into_iter().partition(|(_, deed, _)| slow(deed));
    assert!(slow.len() + fast.len() >= 20);
    // The slow ones hold their connections while the others are refused.
    let expected = slow.iter().flat_map(|(_, _, reasons)| reasons.clone()).collect::<Vec<_>>();
    let slow: Vec<_> =
        slow.into_iter().map(|(_, deed, _)| thread::spawn(move || commit(deed, address, &[]))).collect();
    for (name, deed, reasons) in fast {
        let heard = commit(deed, address, &recorded);
        // No one without the token hears more than a first message.
        assert!(heard <= HELLO, "{name}: {heard} bytes");
        match refusals.recv_timeout(LIMIT) {
            Ok(Failure::Refused(refusal)) => assert!(reasons.contains(&refusal), "{name}: {refusal}"),
            other => panic!("{name}: {other:?}"),
        }
    }
    for attack in slow {
        assert!(attack.join().unwrap() <= HELLO);
    }
    for reason in expected {
        assert_eq!(refusals.recv_timeout(LIMIT), Ok(Failure::Refused(reason)));
    }
    assert_eq!(join(address, &secret, "model", LIMIT).unwrap().len(), 2);
    assert_eq!(host.join().unwrap(), Ok(2));
}

/// More connections than handshakes may be pending: the search begins when the first are given up.
#[test]
fn a_crowd_of_silent_peers_is_bounded() {
    let (listener, address) = listener();
    let secret = Secret::new(b"secret", true);
    let crowd: Vec<_> = (0..PENDING).map(|_| TcpStream::connect(address)).collect();
    let host = {
        let secret = secret.clone();
        thread::spawn(move || {
            let mut crowded = 0;
            let mut refused = |_: SocketAddr, failure: &Failure| {
                crowded += usize::from(*failure == Failure::Refused(Refusal::Crowded));
            };
            let met = gather(&listener, &secret, "model", 1, &mut refused, patience());
            (met.map(|channels| channels.len()), crowded)
        })
    };
    let more: Vec<_> = (0..9).map(|_| TcpStream::connect(address)).collect();
    let until = Instant::now() + LIMIT;
    let member = loop {
        match join(address, &secret, "model", LIMIT) {
            Ok(member) => break member,
            Err(failure) => assert!(Instant::now() < until, "{failure}"),
        }
        thread::sleep(Duration::from_millis(100));
    };
    assert_eq!(member.len(), 2);
    let (met, crowded) = host.join().unwrap();
    assert!(met == Ok(2) && crowded > 0, "{met:?}, {crowded}");
    drop((crowd, more));
}
