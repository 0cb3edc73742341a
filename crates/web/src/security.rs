//! Who may do what: tokens, sessions, names of the server, roles, rates, and the headers of answers.
//!
//! *Entry point:* [`Access`]. `guard.rs` checks every request by it.

pub mod headers;
pub mod origin;
pub mod rates;
pub mod role;
pub mod secret;
pub mod session;
pub mod signature;
pub mod tokens;

use origin::Names;
use role::Role;
use session::{Principal, Sessions};
use signature::Secret;
use tokens::{Token, Tokens};

/// The access rules of a server.
#[derive(Clone, Debug)]
pub struct Access {
    /// The names under which it may be addressed.
    pub names: Names,
    /// Issues and verifies sessions.
    pub sessions: Sessions,
    /// The tokens of the token file.
    pub tokens: Tokens,
    /// The token that is printed at the start, for a server that only this machine reaches.
    pub start: Option<String>,
    /// Whether cookies are sent over TLS only.
    pub secure: bool,
    /// The secret of the repository's hook; without one, no hook is admitted.
    pub hook: Option<Secret>,
}

/// The name of the token that is printed at the start.
const START: &str = "local";

impl Access {
    /// All tokens, with the hash that their sessions are bound to.
    #[must_use]
    pub fn holders(&self) -> Vec<Token> {
        let start = self.start.as_ref().map(|_| Token {
            name: START.to_string(),
            role: Role::Editor,
            hash: self.sessions.start_hash(),
        });
        self.tokens.current().iter().cloned().chain(start).collect()
    }

    /// The holder of a token.
    #[must_use]
    pub fn holder(&self, token: &str) -> Option<Token> {
        if self.start.as_ref().is_some_and(|start| secret::equal(start, token)) {
            return self.holders().pop();
        }
        self.tokens.current().iter().find(|known| known.is(token)).cloned()
    }

    /// The cookie that ends a session.
    #[must_use]
    pub fn closing_cookie(&self) -> String {
        format!("{}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0", self.sessions.cookie)
    }

    /// Whether the token of a principal still exists with this role.
    #[must_use]
    pub fn admits(&self, principal: &Principal) -> bool {
        self.holders().iter().any(|one| one.name == principal.name && one.role == principal.role)
    }
}
