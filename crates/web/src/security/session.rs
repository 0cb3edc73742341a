//! Sessions of browsers: a cookie that names a token and its role, with a message authentication code.
//!
//! The key is kept in the folder `.axle` of the project, so that sessions survive a restart of the
//! server. A session ends when its token is removed from the token file.
//!
//! *Entry points:* [`Sessions::issue`], [`Sessions::verify`], [`Sessions::form_token`].
//! *Invariant:* a cookie that this key did not issue, or that has expired, is no session.

use std::path::Path;

use super::role::Role;
use super::secret::{authenticate, equal, fingerprint, random};
use super::tokens::Token;

/// Milliseconds after which a session ends.
const LIFETIME: i64 = 30 * 24 * 3600 * 1000;

/// Who sent a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    /// The name of the token.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// The value of the session cookie; none for a request with a token.
    pub session: Option<String>,
}

/// Issues and verifies sessions.
#[derive(Clone, Debug)]
pub struct Sessions {
    key: [u8; 32],
    /// The name of the cookie, which tells apart servers on several ports of a machine.
    pub cookie: String,
}

impl Sessions {
    /// Sessions with a key.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Sessions {
        let cookie = format!("axle-{}", &authenticate(&key, b"cookie")[..8]);
        Sessions { key, cookie }
    }

    /// Reads the key of a file, which is created if there is none.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn open(path: &Path) -> Result<Sessions, String> {
        let fault = |fault: std::io::Error| format!("'{}': {fault}", path.display());
        match std::fs::read(path) {
            Ok(bytes) => {
                let key = bytes.try_into().map_err(|_| {
                    format!("'{}' contains no key; remove it to end all sessions", path.display())
                })?;
                Ok(Sessions::new(key))
            }
            Err(missing) if missing.kind() == std::io::ErrorKind::NotFound => {
                let key = random()?;
                write_private(path, &key).map_err(fault)?;
                Ok(Sessions::new(key))
            }
            Err(other) => Err(fault(other)),
        }
    }

    /// The value of a cookie for the holder of a token.
    #[must_use]
    pub fn issue(&self, token: &Token, now: i64) -> String {
        let content = format!("{}.{}.{now}", token.name, token.role);
        let code = self.code(&content, &token.hash);
        format!("{content}.{code}")
    }

    /// Who holds a cookie.
    #[must_use]
    pub fn verify(&self, cookie: &str, tokens: &[Token], now: i64) -> Option<Principal> {
        let (content, code) = cookie.rsplit_once('.')?;
        let mut parts = content.split('.');
        let (name, role, issued) = (parts.next()?, Role::parse(parts.next()?)?, parts.next()?);
        let issued: i64 = issued.parse().ok()?;
        let token = tokens.iter().find(|token| token.name == name && token.role == role)?;
        let valid = equal(&self.code(content, &token.hash), code)
            && parts.next().is_none()
            && now.checked_sub(issued).is_some_and(|age| age < LIFETIME);
        valid.then(|| Principal { name: name.to_string(), role, session: Some(cookie.to_string()) })
    }

    /// The token that forms of a session contain.
    #[must_use]
    pub fn form_token(&self, session: &str) -> String {
        authenticate(&self.key, format!("form {}", fingerprint(session)).as_bytes())
    }

    /// The hash of the token that the server prints at its start. It is the same after a restart, so
    /// that its sessions survive.
    #[must_use]
    pub fn start_hash(&self) -> String {
        authenticate(&self.key, b"start")
    }

    fn code(&self, content: &str, hash: &str) -> String {
        authenticate(&self.key, format!("session {content} {hash}").as_bytes())
    }
}

/// Writes a file that only its owner can read.
pub(super) fn write_private(path: &Path, content: &[u8]) -> std::io::Result<()> {
    use std::io::Write;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)?.write_all(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_issued_cookies_are_sessions() {
        let token = Token { name: "ci".into(), role: Role::Runner, hash: fingerprint("secret") };
        let sessions = Sessions::new([7; 32]);
        let cookie = sessions.issue(&token, 1000);
        let tokens = [token.clone()];
        let found = sessions.verify(&cookie, &tokens, 2000).map(|it| (it.name, it.role));
        assert_eq!(found, Some(("ci".to_string(), Role::Runner)));
        assert_eq!(sessions.verify(&cookie, &[], 2000), None, "the token was removed");
        assert_eq!(sessions.verify(&cookie, &tokens, 1000 + LIFETIME), None, "expired");
        assert_eq!(Sessions::new([8; 32]).verify(&cookie, &tokens, 2000), None, "another key");
        for forged in [
            cookie.replace("runner", "editor"),
            cookie.replace("1000", "1001"),
            cookie.replace("ci", "cj"),
            format!("{cookie}0"),
            String::new(),
            "...".into(),
        ] {
            assert_eq!(sessions.verify(&forged, &tokens, 2000), None, "{forged}");
        }
        assert_ne!(sessions.form_token(&cookie), sessions.form_token("other"));
    }
}
