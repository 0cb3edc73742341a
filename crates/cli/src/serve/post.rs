//! Requests to the receivers of notifications.
//!
//! *Entry point:* [`Post`].
//! *Invariant:* a redirect is not followed, an answer is not read, and an error names no address.

use std::time::Duration;

use axle_web::letters::Deliver;
use ureq::Agent;

use crate::http;

/// Time after which a request is given up.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Sends notifications over HTTP and HTTPS.
pub struct Post {
    agent: Agent,
}

impl Post {
    /// A sender.
    pub fn new() -> Post {
        let config = http::config(TIMEOUT)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("axle/", env!("CARGO_PKG_VERSION")))
            .build();
        Post { agent: config.into() }
    }
}

impl Deliver for Post {
    fn deliver(&self, address: &str, body: &str, signature: Option<&str>) -> Result<(), String> {
        let mut request = self.agent.post(address).header("content-type", "application/json");
        if let Some(signature) = signature {
            request = request.header("x-axle-signature-256", signature);
        }
        let response = request.send(body).map_err(|fault| reason(&fault))?;
        let status = response.status().as_u16();
        match status {
            200..300 => Ok(()),
            _ => Err(format!("the receiver answered with status {status}")),
        }
    }
}

/// Why a request failed. The text of an error may contain the address.
fn reason(fault: &ureq::Error) -> String {
    let reason = match fault {
        ureq::Error::Timeout(_) => "the receiver did not answer in time",
        ureq::Error::HostNotFound => "the host was not found",
        fault if http::is_certificate_fault(fault) => "the certificate of the host was not accepted",
        ureq::Error::ConnectionFailed | ureq::Error::Io(_) => "the connection failed",
        _ => "the request failed",
    };
    reason.to_string()
}
