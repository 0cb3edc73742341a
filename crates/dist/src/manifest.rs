//! The manifest of a search that can be resumed: the last level whose states are all in the level logs,
//! and the results up to it.
//!
//! The first worker writes it when all workers have committed the level. It replaces the preceding one
//! at once, so a directory holds a complete manifest at every moment.
//!
//! *Entry points:* [`Manifest::write`], [`Manifest::read`].
//!
//! *Invariant:* every file of the manifest has at least the length that it states, and the states in
//! these parts are those of the levels up to its level.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::report::{read_taken, write_taken};
use crate::wire::{Reader, Writer};

/// The first byte of a manifest. It changes with the format.
const MANIFEST: u8 = 0xa2;

/// Its name in the directory.
const NAME: &str = "manifest";

/// A committed level.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Manifest {
    /// What is searched: a fingerprint of the graph and of the options.
    pub about: String,
    /// Number of attempts so far.
    pub attempt: u64,
    /// The last level in the logs. Its states are not expanded.
    pub level: u64,
    /// Size of the states, in the unit of the engine.
    pub size: u64,
    /// Number of states up to this level, and of transitions of the expanded ones.
    pub states: u64,
    pub expanded: u64,
    pub transitions: u64,
    /// Further counters of the graph.
    pub tally: [u64; 3],
    /// Whether a state beyond the limit on depth exists.
    pub truncated: bool,
    /// Whether the visited states did not fit into memory.
    pub on_disk: bool,
    /// Edges executed.
    pub taken: Vec<Vec<bool>>,
    /// The violations found, as bytes.
    pub shown: Vec<u8>,
    /// The level logs: name and committed bytes.
    pub files: Vec<(String, u64)>,
}

/// The name of the level log of a worker in an attempt. Attempts never share a file, so a worker that
/// outlives its attempt damages nothing.
pub(crate) fn log_name(attempt: u64, worker: usize) -> String {
    format!("levels-{attempt}-{worker}")
}

/// Prefix of the folders with the visited states of a worker, which no later attempt reads.
const VISITED: &str = "visited-";

/// The name of the folder with the visited states of a worker in an attempt.
pub(crate) fn visited_name(attempt: u64, worker: usize) -> String {
    format!("{VISITED}{attempt}-{worker}")
}

/// Removes the folders that earlier attempts have left.
pub(crate) fn remove_visited(directory: &Path, attempt: u64) -> Result<(), Failure> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let number = name.and_then(|name| name.strip_prefix(VISITED)?.split_once('-')?.0.parse().ok());
        if number.is_some_and(|number: u64| number < attempt) {
            fs::remove_dir_all(&path)?;
        }
    }
    Ok(())
}

impl Manifest {
    /// Writes the manifest of a directory.
    pub fn write(&self, directory: &Path) -> Result<(), Failure> {
        let mut out = Writer::new(MANIFEST);
        out.bytes(self.about.as_bytes());
        let [a, b, c] = self.tally;
        for number in [self.attempt, self.level, self.size, self.states, self.expanded, self.transitions] {
            out.number(number);
        }
        let flags = u64::from(self.truncated) | u64::from(self.on_disk) << 1;
        for number in [a, b, c, flags] {
            out.number(number);
        }
        write_taken(&self.taken, &mut out);
        out.bytes(&self.shown);
        out.number(self.files.len() as u64);
        for (name, length) in &self.files {
            out.bytes(name.as_bytes());
            out.number(*length);
        }
        let (new, path) = (directory.join("manifest.new"), path_in(directory));
        let mut file = File::create(&new)?;
        file.write_all(&out.end())?;
        file.sync_all()?;
        fs::rename(&new, &path)?;
        File::open(directory)?.sync_all()?;
        Ok(())
    }

    /// The manifest of a directory; none if there is none.
    pub fn read(directory: &Path) -> Result<Option<Manifest>, Failure> {
        let bytes = match fs::read(path_in(directory)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let mut input = Reader::new(MANIFEST, &bytes)?;
        let about = text(input.bytes()?)?;
        let mut numbers = [0; 10];
        for number in &mut numbers {
            *number = input.number()?;
        }
        let [attempt, level, size, states, expanded, transitions, a, b, c, flags] = numbers;
        let taken = read_taken(&mut input)?;
        let shown = input.bytes()?.to_vec();
        let mut files = Vec::new();
        for _ in 0..input.number()? {
            let name = text(input.bytes()?)?;
            // A name is one of this directory.
            if name.contains(['/', '\\']) {
                return Err(Failure::Corrupt);
            }
            files.push((name, input.number()?));
        }
        input.end()?;
        let (tally, truncated, on_disk) = ([a, b, c], flags & 1 == 1, flags & 2 == 2);
        Ok(Some(Manifest {
            about,
            attempt,
            level,
            size,
            states,
            expanded,
            transitions,
            tally,
            truncated,
            on_disk,
            taken,
            shown,
            files,
        }))
    }
}

fn path_in(directory: &Path) -> PathBuf {
    directory.join(NAME)
}

fn text(bytes: &[u8]) -> Result<String, Failure> {
    String::from_utf8(bytes.to_vec()).map_err(|_| Failure::Corrupt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    fn some() -> Manifest {
        Manifest {
            about: "a model".to_string(),
            attempt: 2,
            level: 7,
            size: 3,
            states: 100,
            expanded: 80,
            transitions: 300,
            tally: [4, 5, 6],
            truncated: true,
            on_disk: true,
            taken: vec![vec![true, false], Vec::new()],
            shown: vec![1, 2, 3],
            files: vec![(log_name(0, 1), 77), (log_name(1, 0), 0)],
        }
    }

    #[test]
    fn a_manifest_is_read_back() {
        let scratch = Scratch::new("manifest");
        assert_eq!(Manifest::read(scratch.path()), Ok(None));
        Manifest { level: 6, ..some() }.write(scratch.path()).unwrap();
        some().write(scratch.path()).unwrap();
        assert_eq!(Manifest::read(scratch.path()), Ok(Some(some())));
    }

    #[test]
    fn a_damaged_manifest_is_an_error() {
        let scratch = Scratch::new("manifest_damaged");
        some().write(scratch.path()).unwrap();
        let whole = fs::read(path_in(scratch.path())).unwrap();
        for at in 0..whole.len() {
            let mut wrong = whole.clone();
            wrong[at] ^= 4;
            fs::write(path_in(scratch.path()), wrong).unwrap();
            assert_eq!(Manifest::read(scratch.path()), Err(Failure::Corrupt), "byte {at}");
        }
        for end in 0..whole.len() {
            fs::write(path_in(scratch.path()), &whole[..end]).unwrap();
            assert_eq!(Manifest::read(scratch.path()), Err(Failure::Corrupt), "{end} bytes");
        }
    }

    #[test]
    fn a_file_outside_of_the_directory_is_refused() {
        let scratch = Scratch::new("manifest_outside");
        let outside = Manifest { files: vec![("../other".to_string(), 1)], ..some() };
        outside.write(scratch.path()).unwrap();
        assert_eq!(Manifest::read(scratch.path()), Err(Failure::Corrupt));
    }
}
