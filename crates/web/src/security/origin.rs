//! The names under which a server may be addressed: protection against DNS rebinding and requests
//! of foreign pages.
//!
//! *Entry point:* [`Names`].
//! *Source:* RFC 6454, "The Web Origin Concept"; W3C, "Fetch Metadata Request Headers".
//! *Invariant:* names are compared completely, never by a prefix.

use std::net::SocketAddr;

/// The hosts and origins of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Names {
    /// The names of a server that listens on an address: the address itself, and `localhost` if only
    /// this machine reaches it.
    #[must_use]
    pub fn of_address(address: SocketAddr) -> Names {
        let port = address.port();
        let mut hosts = vec![address.to_string()];
        if address.ip().is_loopback() {
            hosts.extend([format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")]);
        }
        hosts.dedup();
        let origins = hosts.iter().map(|host| format!("http://{host}")).collect();
        Names { hosts, origins }
    }

    /// Adds the address under which a proxy publishes the server: `https://axle.example.org`.
    ///
    /// # Errors
    /// It is no origin of HTTP.
    pub fn publish(&mut self, url: &str) -> Result<(), String> {
        let origin = url.trim_end_matches('/').to_ascii_lowercase();
        let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
        let is_host = |host: &&str| {
            !host.is_empty() && host.bytes().all(|b| b.is_ascii_alphanumeric() || b".-:[]".contains(&b))
        };
        let Some(host) = host.filter(is_host) else {
            return Err(format!("'{url}' is no address of a server; use https://HOST without a path"));
        };
        self.hosts.push(host.to_string());
        self.origins.push(origin.clone());
        Ok(())
    }

    /// Whether the header `Host` names this server.
    #[must_use]
    pub fn is_host(&self, host: &str) -> bool {
        self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host))
    }

    /// Whether the header `Origin` names this server.
    #[must_use]
    pub fn is_origin(&self, origin: &str) -> bool {
        self.origins.iter().any(|own| own.eq_ignore_ascii_case(origin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_complete_names_are_accepted() {
        let mut names = Names::of_address("127.0.0.1:8080".parse().expect("an address"));
        assert!(names.is_host("localhost:8080") && names.is_host("127.0.0.1:8080"));
        for host in ["", "localhost", "localhost:80", "127.0.0.1:8080.evil.org", "evil.org", "127.0.0.1"] {
            assert!(!names.is_host(host), "{host}");
        }
        assert!(names.is_origin("http://127.0.0.1:8080"));
        for origin in ["null", "http://127.0.0.1", "https://127.0.0.1:8080", "http://127.0.0.1:8080.evil"] {
            assert!(!names.is_origin(origin), "{origin}");
        }
        assert!(names.publish("https://axle.example.org/").is_ok());
        assert!(names.is_host("axle.example.org") && names.is_origin("https://axle.example.org"));
        for wrong in ["", "axle", "ftp://x", "https://", "https://a/b", "https://a b"] {
            assert!(names.publish(wrong).is_err(), "{wrong}");
        }
    }
}
