//! Files of the machine, for the preprocessor and for results.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::Path;

use axle_source::{LoadError, Loader};

/// Reads files of the machine.
pub struct Disk;

impl Loader for Disk {
    fn load(&self, path: &str, limit: u64) -> Result<Vec<u8>, LoadError> {
        let unreadable = |fault: &dyn std::fmt::Display| LoadError::Unreadable(fault.to_string());
        let file = fs::File::open(path).map_err(|fault| match fault.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => LoadError::NotFound,
            _ => unreadable(&fault),
        })?;
        let about = file.metadata().map_err(|fault| unreadable(&fault))?;
        if about.is_dir() {
            return Err(LoadError::NotFound);
        }
        let mut bytes = Vec::new();
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|fault| unreadable(&fault))?;
        if bytes.len() as u64 > limit {
            return Err(LoadError::Unreadable(format!("it is larger than {limit} bytes")));
        }
        Ok(bytes)
    }
}

/// Writes a result file; the message names the file.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|fault| format!("cannot write '{}': {fault}", path.display()))
}
