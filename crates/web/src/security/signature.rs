//! Requests of a repository's hook, and those to receivers of notifications: signed with one secret.
//!
//! GitHub, Gitea and Forgejo send `X-Hub-Signature-256: sha256=CODE`, where CODE is the HMAC-SHA-256 of
//! the body; GitLab sends the secret itself in `X-Gitlab-Token`.
//!
//! *Entry points:* [`Secret::admits`], [`Secret::sign`].
//! *Invariant:* without a secret no hook is admitted.

use std::path::Path;

use axle_evidence::sha256::hexadecimal;
use axum::http::HeaderMap;

use super::secret::{authenticate, equal, random};
use super::session::write_private;

/// The shortest secret: one that a person chose must not be guessed.
const SHORTEST: usize = 16;

/// The secret of a repository's hook.
#[derive(Clone)]
pub struct Secret(String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl Secret {
    /// A secret that was agreed on.
    ///
    /// # Errors
    /// It is too short.
    pub fn new(text: &str) -> Result<Secret, String> {
        let text = text.trim();
        match text.len() >= SHORTEST {
            true => Ok(Secret(text.to_string())),
            false => Err(format!("the secret of the hook is shorter than {SHORTEST} characters")),
        }
    }

    /// The secret of a file; none if there is no such file.
    ///
    /// # Errors
    /// The file cannot be read, or the secret is too short.
    pub fn read(file: &Path) -> Result<Option<Secret>, String> {
        match std::fs::read_to_string(file) {
            Ok(text) => Secret::new(&text).map(Some).map_err(|fault| format!("{}: {fault}", file.display())),
            Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(fault) => Err(format!("{}: {fault}", file.display())),
        }
    }

    /// Writes a new secret into a file that only its owner can read.
    ///
    /// # Errors
    /// The file exists or cannot be written.
    pub fn create(file: &Path) -> Result<String, String> {
        let text = hexadecimal(&random()?);
        write_private(file, format!("{text}\n").as_bytes())
            .map_err(|fault| format!("{}: {fault}", file.display()))?;
        Ok(text)
    }

    /// Whether a request of a hook is signed with the secret.
    #[must_use]
    pub fn admits(&self, headers: &HeaderMap, body: &[u8]) -> bool {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        match (text("x-hub-signature-256"), text("x-gitlab-token")) {
            (Some(given), None) => equal(given, &self.sign(body)),
            (None, Some(given)) => equal(given, &self.0),
            // Without a signature, or with two of which one may be wrong.
            _ => false,
        }
    }

    /// The signature of a body.
    #[must_use]
    pub fn sign(&self, body: &[u8]) -> String {
        format!("sha256={}", authenticate(self.0.as_bytes(), body))
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_str(value).expect("a header"));
        }
        headers
    }

    #[test]
    fn only_signed_requests_are_admitted() {
        // The example of GitHub's documentation of webhooks.
        let secret = Secret::new("It's a Secret to Everybody").expect("long enough");
        let code = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
        let signed = headers(&[("x-hub-signature-256", code)]);
        assert!(secret.admits(&signed, b"Hello, World!"));
        assert!(!secret.admits(&signed, b"Hello, World?"));
        assert!(secret.admits(&headers(&[("x-gitlab-token", "It's a Secret to Everybody")]), b"any"));
        assert!(!secret.admits(&headers(&[("x-gitlab-token", "another")]), b"any"));
        assert!(!secret.admits(&headers(&[]), b"Hello, World!"));
        let both = headers(&[("x-hub-signature-256", code), ("x-gitlab-token", "another")]);
        assert!(!secret.admits(&both, b"Hello, World!"));
        assert!(Secret::new("short").is_err());
    }
}
