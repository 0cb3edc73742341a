//! A server of a project as a process, and requests to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// `axle serve` on a free port, which ends with the value.
pub struct Served {
    child: Child,
    /// The folder of the project.
    pub folder: PathBuf,
    /// Host and port.
    pub address: String,
    /// The token of the start, with the role editor.
    pub token: String,
}

impl Served {
    /// Serves the project of a folder.
    pub fn start(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Served {
        let mut child = Command::new(env!("CARGO_BIN_EXE_axle"))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(arguments)
            .current_dir(folder)
            .env_remove("AXLE_STORE")
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("axle starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("a pipe");
        BufReader::new(stdout).read_line(&mut line).expect("the address");
        let parts = line.trim().strip_prefix("http://").and_then(|rest| rest.split_once("/?token="));
        let Some((address, token)) = parts else {
            let mut said = String::new();
            let _ = child.stderr.take().expect("a pipe").read_to_string(&mut said);
            panic!("no address: {line}{said}");
        };
        let (address, token) = (address.to_string(), token.to_string());
        let folder = std::fs::canonicalize(folder).expect("a folder");
        let mut served = Served { child, folder, address, token };
        // A full pipe would hold the server up.
        let mut stderr = served.child.stderr.take().expect("a pipe");
        std::thread::spawn(move || {
            // The end of the server ends the thread.
            let _ = std::io::copy(&mut stderr, &mut std::io::sink());
        });
        served.until("the project was read", |served| {
            !served.get("/api/project").1.contains("\"generation\":0,")
        });
        served
    }

    /// The id of the process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a request with a token; status and body of the answer.
    pub fn send(&self, token: &str, method: &str, path: &str, body: &str) -> (u16, String) {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        stream.write_all(request.as_bytes()).expect("the request is sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        let answer = String::from_utf8_lossy(&answer);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        (status, body.to_string())
    }

    /// Reads an address with the token of the start.
    pub fn get(&self, path: &str) -> (u16, String) {
        self.send(&self.token, "GET", path, "")
    }

    /// Starts a round, or says why not.
    pub fn start_round(&self, body: &str) -> u16 {
        self.send(&self.token, "POST", "/api/rounds", body).0
    }

    /// Opens an event stream.
    pub fn events(&self) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        let request = format!(
            "GET /events?after=0 HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\r\n",
            self.address, self.token
        );
        stream.write_all(request.as_bytes()).expect("the request is sent");
        stream
    }

    /// Waits for a condition.
    pub fn until(&mut self, what: &str, condition: impl Fn(&Served) -> bool) {
        let begin = Instant::now();
        while !condition(self) {
            assert!(begin.elapsed() < Duration::from_secs(120), "without success: {what}");
            if let Ok(Some(status)) = self.child.try_wait() {
                panic!("the server has ended: {status}");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Ends the server as a power failure does.
    pub fn kill(&mut self) {
        self.child.kill().expect("a process");
        self.child.wait().expect("an end");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
