//! Files of a repository: regular ones of limited size, and why one cannot be read.
//!
//! *Entry points:* [`read`], [`opened`].

use std::fmt;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// Why a repository cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The file, or the object.
    pub place: String,
    /// The problem.
    pub problem: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)
    }
}

impl std::error::Error for Fault {}

pub(super) fn fault(place: impl fmt::Display, problem: impl fmt::Display) -> Fault {
    Fault { place: place.to_string(), problem: problem.to_string() }
}

/// The content of a regular file of at most `most` bytes; none if there is none.
pub(super) fn read(path: &Path, most: u64) -> Result<Option<Vec<u8>>, Fault> {
    let Some((mut file, size)) = opened(path)? else { return Ok(None) };
    if size > most {
        return Err(fault(path.display(), format!("the file has more than {most} bytes")));
    }
    let mut bytes = Vec::new();
    let read = file.by_ref().take(most).read_to_end(&mut bytes);
    read.map_err(|problem| fault(path.display(), problem))?;
    Ok(Some(bytes))
}

/// A regular file and its size; none if there is no such file.
pub(super) fn opened(path: &Path) -> Result<Option<(File, u64)>, Fault> {
    let known = match std::fs::metadata(path) {
        Ok(known) => known,
        Err(problem) if problem.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(problem) if problem.kind() == std::io::ErrorKind::NotADirectory => return Ok(None),
        Err(problem) => return Err(fault(path.display(), problem)),
    };
    // Opening a pipe would wait for its other end.
    if !known.is_file() {
        return Ok(None);
    }
    let file = File::open(path).map_err(|problem| fault(path.display(), problem))?;
    Ok(Some((file, known.len())))
}

/// Some bytes of a file.
pub(super) fn read_at(file: &mut File, path: &Path, at: u64, length: usize) -> Result<Vec<u8>, Fault> {
    let mut bytes = vec![0; length];
    let done = file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut bytes));
    done.map_err(|_| fault(path.display(), format!("the file ends before byte {}", at + length as u64)))?;
    Ok(bytes)
}
