//! The token file: names, roles and hashes of tokens for a server that others may reach.
//!
//! *Entry points:* [`Tokens`], [`read`], [`add`].
//! *Invariant:* the file contains hashes only; a token is shown once, when it is created.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use serde::Deserialize;

use super::role::Role;
use super::secret::{equal, fingerprint, random};
use axle_evidence::sha256::hexadecimal;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The name, for pages and logs.
    pub name: String,
    /// What its holder may do.
    pub role: Role,
    /// The SHA-256 of the token in hexadecimal.
    pub hash: String,
}

impl Token {
    /// Whether a text is this token.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        equal(&fingerprint(text), &self.hash)
    }
}

/// The tokens of a server. Those of a file are read again when it changes: a token that was added is known
/// at once, and one that was removed opens nothing any more, nor do its sessions.
#[derive(Clone, Debug)]
pub struct Tokens {
    file: Option<PathBuf>,
    read: Arc<Mutex<Read>>,
}

/// What was read last.
#[derive(Debug)]
struct Read {
    state: Option<FileState>,
    tokens: Arc<Vec<Token>>,
    /// Why the file could not be read since; the tokens are those of before.
    fault: Option<String>,
}

/// A file changes its content if it changes one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileState {
    length: u64,
    modified: Option<SystemTime>,
    identity: u64,
}

impl FileState {
    fn of(path: &Path) -> Option<FileState> {
        let about = std::fs::metadata(path).ok()?;
        #[cfg(unix)]
        let identity = std::os::unix::fs::MetadataExt::ino(&about);
        #[cfg(not(unix))]
        let identity = 0;
        Some(FileState { length: about.len(), modified: about.modified().ok(), identity })
    }
}

impl Tokens {
    /// Tokens that do not change.
    #[must_use]
    pub fn fixed(tokens: Vec<Token>) -> Tokens {
        let read = Read { state: None, tokens: Arc::new(tokens), fault: None };
        Tokens { file: None, read: Arc::new(Mutex::new(read)) }
    }

    /// The tokens of a file.
    ///
    /// # Errors
    /// The file cannot be read or contains an error.
    pub fn of_file(path: &Path) -> Result<Tokens, String> {
        let state = FileState::of(path);
        let read = Read { state, tokens: Arc::new(read(path)?), fault: None };
        Ok(Tokens { file: Some(path.to_path_buf()), read: Arc::new(Mutex::new(read)) })
    }

    /// The present tokens. While the file has an error, they are those of before.
    #[must_use]
    pub fn current(&self) -> Arc<Vec<Token>> {
        let mut known = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = &self.file {
            let state = FileState::of(path);
            // A file that was changed a moment ago may change again within the resolution of its time.
            let is_fresh = state.and_then(|state| state.modified?.elapsed().ok());
            if state != known.state || is_fresh.is_some_and(|age| age.as_secs() < 2) {
                known.state = state;
                // The fault is shown on pages, which name no path of the server.
                let parsed = match std::fs::read_to_string(path) {
                    Ok(text) => parse(&text),
                    Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
                    Err(fault) => Err(fault.to_string()),
                };
                match parsed {
                    Ok(tokens) => (known.tokens, known.fault) = (Arc::new(tokens), None),
                    Err(fault) => known.fault = Some(fault),
                }
            }
        }
        Arc::clone(&known.tokens)
    }

    /// Why the file could not be read since the present tokens were.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).fault.clone()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    token: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    role: String,
    sha256: String,
}

/// Reads a token file; a missing one contains no tokens.
///
/// # Errors
/// The file cannot be read or contains an error.
pub fn read(path: &Path) -> Result<Vec<Token>, String> {
    let shown = path.display();
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(fault) => return Err(format!("cannot read the tokens in '{shown}': {fault}")),
    };
    parse(&text).map_err(|fault| format!("'{shown}': {fault}"))
}

/// The tokens in the text of a file.
fn parse(text: &str) -> Result<Vec<Token>, String> {
    let file: File = toml::from_str(text).map_err(|fault| fault.message().to_string())?;
    let mut tokens: Vec<Token> = Vec::new();
    for entry in file.token {
        let problem = |what: &str| format!("the token '{}' {what}", entry.name);
        check_name(&entry.name).map_err(|what| problem(&what))?;
        if tokens.iter().any(|token| token.name == entry.name) {
            return Err(problem("is defined twice"));
        }
        let role = Role::parse(&entry.role)
            .ok_or_else(|| problem("has an unknown role; use viewer, runner, editor or worker"))?;
        let hash = entry.sha256.to_ascii_lowercase();
        if hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(problem("has no SHA-256 of 64 hexadecimal digits"));
        }
        tokens.push(Token { name: entry.name, role, hash });
    }
    Ok(tokens)
}

/// Creates a token, appends its hash to the file, and returns it.
///
/// # Errors
/// The name is used or invalid, or the file cannot be written.
pub fn add(path: &Path, name: &str, role: Role) -> Result<String, String> {
    check_name(name).map_err(|what| format!("the token '{name}' {what}"))?;
    if read(path)?.iter().any(|token| token.name == name) {
        return Err(format!("'{}' already has a token '{name}'", path.display()));
    }
    let token = hexadecimal(&random()?);
    let fault = |fault: std::io::Error| format!("cannot write '{}': {fault}", path.display());
    let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(fault)?;
    let hash = fingerprint(&token);
    let entry = format!("[[token]]\nname = \"{name}\"\nrole = \"{role}\"\nsha256 = \"{hash}\"\n");
    file.write_all(entry.as_bytes()).map_err(fault)?;
    Ok(token)
}

fn check_name(name: &str) -> Result<(), String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match !name.is_empty() && name.len() <= 64 && name.chars().all(is_part) {
        true => Ok(()),
        false => Err("needs a name of at most 64 letters, digits, `-` and `_`".to_string()),
    }
}
