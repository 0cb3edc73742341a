//! A worker connects over TLS. `tests/tls` contains the certificate of a test authority, and the key and
//! the certificate for `localhost` that it signed.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::thread;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned, crypto};

/// What the server answers to every request.
const ANSWER: &str = r#"{"error":{"message":"this token has another role"}}"#;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tls").join(name)
}

/// A server that refuses the worker of the first connection; its address.
fn server() -> String {
    let certificate = CertificateDer::from_pem_file(file("server.pem")).expect("a certificate");
    let key = PrivateKeyDer::from_pem_file(file("server.key")).expect("a key");
    let config = ServerConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions of the provider")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("a certificate and its key");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        let (socket, _) = listener.accept().expect("a connection");
        let connection = ServerConnection::new(Arc::new(config)).expect("a connection");
        let mut stream = StreamOwned::new(connection, socket);
        // A client that does not accept the certificate sends nothing.
        if stream.read(&mut [0; 4096]).is_ok() {
            let length = ANSWER.len();
            let head =
                format!("HTTP/1.1 403 Forbidden\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
            stream.write_all((head + ANSWER).as_bytes()).expect("an answer");
        }
    });
    format!("https://localhost:{port}")
}

/// What a worker says whose system trusts the certificates of a file.
fn worker(trusted: &str) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_axle"))
        .args(["worker", "--server", &server()])
        .env("AXLE_TOKEN", "secret")
        .env("SSL_CERT_FILE", file(trusted))
        .env_remove("SSL_CERT_DIR")
        .output()
        .expect("the program starts");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_worker_connects_to_a_server_that_the_system_trusts() {
    let (code, said) = worker("authority.pem");
    assert!(said.contains("the server refuses the worker: this token has another role"), "{said}");
    assert_eq!(code, Some(2), "{said}");
}

#[test]
fn a_certificate_of_an_unknown_authority_is_not_accepted() {
    let (code, said) = worker("server.pem");
    assert!(said.contains("the certificate of the server was not accepted"), "{said}");
    assert_eq!(code, Some(2), "{said}");
}
