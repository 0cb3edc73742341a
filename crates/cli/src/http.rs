//! Requests over HTTP and HTTPS.
//!
//! *Entry point:* [`config`].
//! *Invariant:* a certificate is accepted only if the system trusts it.

use std::sync::Arc;
use std::time::Duration;

use rustls::crypto::ring;
use ureq::Agent;
use ureq::config::ConfigBuilder;
use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};
use ureq::typestate::AgentScope;

/// Whether an address is one of HTTP or HTTPS.
pub fn is_address(address: &str) -> bool {
    address.starts_with("http://") || address.starts_with("https://")
}

/// Whether a request failed because the certificate of the host was not accepted.
pub fn is_certificate_fault(fault: &ureq::Error) -> bool {
    let invalid = |fault: &rustls::Error| matches!(fault, rustls::Error::InvalidCertificate(_));
    match fault {
        ureq::Error::Rustls(fault) => invalid(fault),
        // A handshake fails while the connection is read.
        ureq::Error::Io(fault) => fault.get_ref().and_then(|fault| fault.downcast_ref()).is_some_and(invalid),
        _ => false,
    }
}

/// The configuration of a client. A request that takes longer than `timeout` fails; an answer with a
/// status of an error is an answer.
pub fn config(timeout: Duration) -> ConfigBuilder<AgentScope> {
    let trusted = rustls_native_certs::load_native_certs().certs;
    let trusted: Vec<_> = trusted.iter().map(|one| Certificate::from_der(one).to_owned()).collect();
    let tls = TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .root_certs(RootCerts::from(trusted))
        .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
        .build();
    Agent::config_builder().timeout_global(Some(timeout)).http_status_as_error(false).tls_config(tls)
}
