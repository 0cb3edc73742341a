//! The token file: names, roles and hashes of tokens for a server that others may reach.
//!
//! *Entry points:* [`read`], [`add`].
//! *Invariant:* the file contains hashes only; a token is shown once, when it is created.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

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
    let file: File = toml::from_str(&text).map_err(|fault| format!("'{shown}': {}", fault.message()))?;
    let mut tokens: Vec<Token> = Vec::new();
    for entry in file.token {
        let problem = |what: &str| format!("'{shown}': the token '{}' {what}", entry.name);
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
