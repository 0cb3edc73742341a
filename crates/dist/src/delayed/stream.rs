//! The bytes of a run: in a file or, if they are few, in memory.
//!
//! Bytes are written and read in parts, each with a checksum. Who reads one part after the other reads several
//! at once.
//!
//! *Entry points:* [`StreamWriter::append`], [`Window::part`].
//!
//! *Invariant:* bytes that no writer produced are an error.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use crate::failure::Failure;

/// Bytes of a checksum.
const SUM: usize = 4;

/// Part of the bytes that a stream keeps in memory: the most bytes that are read ahead.
const AHEAD: u64 = 4;

/// Where the runs of a worker are, and how they are divided.
#[derive(Debug)]
pub(super) struct RunFolder {
    /// The folder, which belongs to the worker alone. It exists as long as this.
    directory: PathBuf,
    /// Number of files so far.
    files: u64,
    /// States per block.
    pub per_block: usize,
    /// Bytes of a stream that are kept in memory; a longer stream has a file.
    pub buffer: usize,
}

impl RunFolder {
    /// A new folder in place of one that an earlier attempt may have left.
    pub fn create(directory: PathBuf, per_block: usize, buffer: usize) -> Result<RunFolder, Failure> {
        if directory.exists() {
            fs::remove_dir_all(&directory)?;
        }
        fs::create_dir(&directory)?;
        Ok(RunFolder { directory, files: 0, per_block, buffer })
    }

    fn new_file(&mut self) -> Result<RunFile, Failure> {
        let path = self.directory.join(self.files.to_string());
        self.files += 1;
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path)?;
        Ok(RunFile { file, path })
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // The next attempt removes what remains.
        let _ = fs::remove_dir_all(&self.directory);
    }
}

/// A file that is removed when the last run that needs it is dropped.
#[derive(Debug)]
struct RunFile {
    file: File,
    path: PathBuf,
}

impl Drop for RunFile {
    fn drop(&mut self) {
        // The whole folder is removed at the end.
        let _ = fs::remove_file(&self.path);
    }
}

#[derive(Debug)]
enum Storage {
    Memory(Vec<u8>),
    File(RunFile),
}

/// Bytes that are complete.
#[derive(Debug)]
pub(super) struct Stream {
    storage: Storage,
    length: u64,
    /// The most bytes that are read ahead.
    ahead: u64,
}

impl Stream {
    /// Number of bytes.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Bytes of memory used.
    pub fn memory(&self) -> usize {
        match &self.storage {
            Storage::Memory(bytes) => bytes.capacity(),
            Storage::File(_) => 0,
        }
    }
}

/// Writes a stream.
#[derive(Default)]
pub(super) struct StreamWriter {
    /// Bytes that are not written.
    pending: Vec<u8>,
    file: Option<RunFile>,
    length: u64,
}

impl StreamWriter {
    /// Number of bytes so far.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Appends a part, which `fill` writes, and its checksum.
    pub fn append(&mut self, folder: &mut RunFolder, fill: impl FnOnce(&mut Vec<u8>)) -> Result<(), Failure> {
        let begin = self.pending.len();
        fill(&mut self.pending);
        let sum = crc32c::crc32c(&self.pending[begin..]);
        self.pending.extend_from_slice(&sum.to_le_bytes());
        self.length += (self.pending.len() - begin) as u64;
        if self.pending.len() > folder.buffer { self.write(folder) } else { Ok(()) }
    }

    /// Writes the pending bytes to the file.
    fn write(&mut self, folder: &mut RunFolder) -> Result<(), Failure> {
        let RunFile { file, .. } = match &mut self.file {
            Some(file) => file,
            none => none.insert(folder.new_file()?),
        };
        file.write_all(&self.pending)?;
        self.pending.clear();
        Ok(())
    }

    /// The stream.
    pub fn end(mut self, folder: &mut RunFolder) -> Result<Stream, Failure> {
        if self.file.is_some() {
            self.write(folder)?;
        }
        let storage = match self.file {
            Some(file) => Storage::File(file),
            None => {
                self.pending.shrink_to_fit();
                Storage::Memory(self.pending)
            }
        };
        Ok(Stream { storage, length: self.length, ahead: folder.buffer as u64 / AHEAD })
    }
}

/// The bytes of a stream that a reader has in memory.
#[derive(Default)]
pub(super) struct Window {
    bytes: Vec<u8>,
    start: u64,
    /// Number of bytes to read ahead if the next part is read next.
    ahead: u64,
}

impl Window {
    /// A part, given where it starts and ends, without its checksum.
    pub fn part<'a>(&'a mut self, stream: &'a Stream, start: u64, end: u64) -> Result<&'a [u8], Failure> {
        let bytes = match &stream.storage {
            Storage::Memory(bytes) => &bytes[start as usize..end as usize],
            Storage::File(file) => {
                let known = self.start + self.bytes.len() as u64;
                if start < self.start || end > known {
                    let follows = start >= self.start && start <= known;
                    self.ahead = if follows { (2 * self.ahead + end - start).min(stream.ahead) } else { 0 };
                    self.read(file, start, stream.length.min(end + self.ahead))?;
                }
                &self.bytes[(start - self.start) as usize..(end - self.start) as usize]
            }
        };
        let (contents, sum) = bytes.split_last_chunk::<SUM>().ok_or(Failure::Corrupt)?;
        if crc32c::crc32c(contents).to_le_bytes() == *sum { Ok(contents) } else { Err(Failure::Corrupt) }
    }

    fn read(&mut self, RunFile { file, .. }: &RunFile, start: u64, end: u64) -> Result<(), Failure> {
        self.start = start;
        self.bytes.resize((end - start) as usize, 0);
        let read = file.read_exact_at(&mut self.bytes, start);
        if read.is_err() {
            self.bytes.clear();
        }
        Ok(read?)
    }
}
