//! Attacks on connections: requests inside of requests, slow ones, too large heads.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axle_web::connections::MOST_OF_ADDRESS;
use axle_web::server::{bind, serve};

use crate::support::{Site, secret};

struct Running {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
    _site: Site,
}

impl Running {
    fn start() -> Running {
        let site = Site::empty();
        let listener = bind("127.0.0.1:0".parse().expect("an address")).expect("a listener");
        let address = listener.local_addr().expect("an address");
        let stop = Arc::new(AtomicBool::new(false));
        let (app, flag) = (Arc::clone(&site.app), Arc::clone(&stop));
        let thread = std::thread::spawn(move || {
            serve(&app, listener, move || flag.load(Ordering::Relaxed)).expect("it serves");
        });
        Running { address, stop, thread: Some(thread), _site: site }
    }

    /// Sends bytes and returns everything that is answered.
    fn exchange(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
        // The server may close the connection before everything is sent.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        // It may close it without an answer, too.
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            // A second panic would hide the first.
            assert!(ended.is_ok() || std::thread::panicking(), "the server panicked");
        }
    }
}

#[test]
fn no_request_is_smuggled_or_exhausts_the_server() {
    let server = Running::start();
    let authorization = format!("Authorization: Bearer {}\r\n", secret("runner"));
    let inner = format!(
        "POST /api/rounds HTTP/1.1\r\nHost: 127.0.0.1:8747\r\n{authorization}Connection: close\r\nContent-Length: 0\r\n\r\n"
    );
    let head = "POST /login HTTP/1.1\r\nHost: 127.0.0.1:8747\r\n";
    let attacks = [
        (
            "length and encoding",
            format!("{head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{inner}"),
        ),
        ("two lengths", format!("{head}Content-Length: 4\r\nContent-Length: 0\r\n\r\n{inner}")),
        ("negative length", format!("{head}Content-Length: -1\r\n\r\n{inner}")),
        ("encoding with blank", format!("{head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n{inner}")),
        ("unknown encoding", format!("{head}Transfer-Encoding: xchunked\r\n\r\n{inner}")),
        ("wrong chunk", format!("{head}Transfer-Encoding: chunked\r\n\r\nZZ\r\n{inner}")),
        ("bare line feeds", format!("{head}X: a\nContent-Length: 0\n\n{inner}")),
        ("folded header", format!("{head}X: a\r\n Content-Length: 0\r\n\r\n{inner}")),
        ("no version", "GET /\r\n\r\n".to_string()),
        ("binary", "\u{16}\u{3}\u{1}\u{0}\u{0}".to_string()),
        ("many headers", format!("{head}{}\r\n", "X-Y: z\r\n".repeat(200))),
        ("large head", format!("{head}X: {}\r\n\r\n", "y".repeat(100_000))),
    ];
    for (name, bytes) in attacks {
        let answer = server.exchange(bytes.as_bytes());
        assert!(!answer.contains("\"started\":true"), "{name}: {answer}");
        assert!(!answer.contains("HTTP/1.1 200") && !answer.contains("HTTP/1.1 202"), "{name}: {answer}");
    }
    assert!(server._site.rounds.orders.lock().expect("no panic").is_empty(), "no round was started");
    let alive = format!(
        "GET /api/project HTTP/1.1\r\nHost: 127.0.0.1:8747\r\n{authorization}Connection: close\r\n\r\n"
    );
    assert!(server.exchange(alive.as_bytes()).starts_with("HTTP/1.1 200"), "the server is alive");
}

#[test]
fn silent_connections_delay_no_other() {
    let server = Running::start();
    let alive = format!(
        "GET /api/project HTTP/1.1\r\nHost: 127.0.0.1:8747\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\r\n",
        secret("runner")
    );
    let open = |first: &str| -> Vec<TcpStream> {
        let connect = |_| {
            let mut stream = TcpStream::connect(server.address).expect("a connection");
            // The server may have closed it.
            let _ = stream.write_all(first.as_bytes());
            stream
        };
        (0..520).map(connect).collect()
    };
    for (name, first) in [
        ("silent", ""),
        ("half a head", "GET / HTTP/1.1\r\nHost: "),
        (
            "half a login",
            "POST /login HTTP/1.1\r\nHost: 127.0.0.1:8747\r\nOrigin: http://127.0.0.1:8747\r\nContent-Length: 9\r\n\r\nt",
        ),
        ("a wrong token", "GET / HTTP/1.1\r\nHost: 127.0.0.1:8747\r\nAuthorization: Bearer wrong\r\n\r\n"),
        ("a public file", "GET /assets/page.js HTTP/1.1\r\nHost: 127.0.0.1:8747\r\n\r\n"),
        ("a hook", "POST /api/hook HTTP/1.1\r\nHost: 127.0.0.1:8747\r\nContent-Length: 9\r\n\r\nt"),
    ] {
        let held = open(first);
        let begin = std::time::Instant::now();
        assert!(server.exchange(alive.as_bytes()).starts_with("HTTP/1.1 200"), "{name}: the server is alive");
        assert!(begin.elapsed() < Duration::from_secs(3), "{name}: {:?}", begin.elapsed());
        assert!(server._site.app.unidentified.len() <= MOST_OF_ADDRESS, "{name}");
        drop(held);
    }
}

#[test]
fn a_client_with_a_token_keeps_its_connection() {
    let server = Running::start();
    let request = format!(
        "GET /api/project HTTP/1.1\r\nHost: 127.0.0.1:8747\r\nAuthorization: Bearer {}\r\n\r\n",
        secret("runner")
    );
    let mut own = TcpStream::connect(server.address).expect("a connection");
    own.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
    let mut buffer = [0; 65536];
    own.write_all(request.as_bytes()).expect("a request");
    assert!(own.read(&mut buffer).expect("an answer") > 0);
    let others: Vec<TcpStream> =
        (0..200).map(|_| TcpStream::connect(server.address).expect("a connection")).collect();
    own.write_all(request.as_bytes()).expect("the connection is open");
    let read = own.read(&mut buffer).expect("an answer");
    assert!(String::from_utf8_lossy(&buffer[..read]).starts_with("HTTP/1.1 200"));
    drop(others);
}

#[test]
fn a_slow_head_and_a_slow_body_end_the_connection() {
    let server = Running::start();
    let authorization = format!("Authorization: Bearer {}\r\n", secret("runner"));
    let mut head = TcpStream::connect(server.address).expect("a connection");
    head.write_all(b"GET / HTTP/1.1\r\nHost: ").expect("a part");
    let mut body = TcpStream::connect(server.address).expect("a connection");
    let request = format!(
        "POST /api/rounds HTTP/1.1\r\nHost: 127.0.0.1:8747\r\n{authorization}Content-Length: 10\r\n\r\n{{"
    );
    body.write_all(request.as_bytes()).expect("a part");
    for stream in [&mut head, &mut body] {
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a timeout");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("the connection is closed by the server");
        let answer = String::from_utf8_lossy(&answer);
        assert!(!answer.contains("HTTP/1.1 20"), "{answer}");
    }
    assert!(server._site.rounds.orders.lock().expect("no panic").is_empty());
}
