//! Files of the machine, for the preprocessor and for results.

use std::fs;
use std::io::{self, ErrorKind, Read};
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

/// The most bytes of a trail.
const LARGEST_TRAIL: u64 = 1 << 28;

/// Reads a trail. Special files without an end, such as `/dev/zero`, are refused as too large.
pub fn read_trail(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(LARGEST_TRAIL + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_TRAIL {
        let message = format!("it is larger than {LARGEST_TRAIL} bytes");
        return Err(io::Error::new(ErrorKind::FileTooLarge, message));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8 text"))
}

/// Writes a result file; the message names the file.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|fault| format!("cannot write '{}': {fault}", path.display()))
}
