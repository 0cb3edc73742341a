//! The folder of a project: reads files below its root, and nothing else.
//!
//! A folder is on disk, or in memory: a worker on another machine has the bytes of the files that
//! were read there. A folder on disk keeps what was read, so that these bytes can be sent.
//!
//! *Entry points:* [`Folder::open`], [`Folder::in_memory`], [`Folder::seen`].
//! *Invariant:* the canonical path of every file that is read lies below the canonical root, so
//! neither `..` nor a symbolic link leads out of the project. A file is read once: its later readers
//! see the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axle_source::{LoadError, Loader};

mod memory;

/// The most files that are listed in one folder.
const MOST_FILES: usize = 10_000;

/// The deepest nesting of folders that are listed.
const DEEPEST: usize = 16;

/// The reason why a path cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It is absolute, or leads out of the project.
    Outside,
    /// There is no such file or folder.
    NotFound,
    /// It is not a regular file, or not a folder, as needed.
    WrongKind,
    /// The operating system refuses, or the file is too large.
    Unreadable(String),
    /// The folder contains too many files.
    TooMany,
}

/// Files and folders of a project by their paths as the project spells them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Seen {
    /// The content of files.
    pub files: BTreeMap<String, Arc<[u8]>>,
    /// Files that exist, whether they were read or not.
    pub present: BTreeSet<String>,
    /// Folders.
    pub folders: BTreeSet<String>,
}

/// A project's folder. A clone shares what was read.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
    seen: Arc<Mutex<Seen>>,
    /// Files that are not on disk or have another content there; what was seen contains them.
    proposed: BTreeSet<String>,
    /// Whether there is nothing besides what was seen.
    in_memory: bool,
}

impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    /// The path is not a folder.
    pub fn open(root: &Path) -> Result<Folder, Refusal> {
        let root = fs::canonicalize(root).map_err(|fault| refusal(&fault))?;
        let seen = Arc::default();
        match root.is_dir() {
            true => Ok(Folder { root, seen, proposed: BTreeSet::new(), in_memory: false }),
            false => Err(Refusal::WrongKind),
        }
    }

    /// A folder that consists of these files and folders.
    #[must_use]
    pub fn in_memory(seen: Seen) -> Folder {
        let (root, seen) = (PathBuf::from("the project"), Arc::new(Mutex::new(seen)));
        Folder { root, seen, proposed: BTreeSet::new(), in_memory: true }
    }

    /// The folder with a file of this content, which is not written.
    ///
    /// # Errors
    /// The path is not the normal form of one inside the project.
    pub fn propose(mut self, path: &str, content: &[u8]) -> Result<Folder, Refusal> {
        if normal(path).as_deref() != Some(path) {
            return Err(Refusal::Outside);
        }
        self.known().files.insert(path.to_string(), content.into());
        self.proposed.insert(path.to_string());
        Ok(self)
    }

    /// What was read or looked for and found so far.
    #[must_use]
    pub fn seen(&self) -> Seen {
        self.known().clone()
    }

    fn known(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The canonical path of the root.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The canonical path of a path relative to the root.
    fn resolve(&self, path: &str) -> Result<PathBuf, Refusal> {
        normal(path).ok_or(Refusal::Outside)?;
        let real = fs::canonicalize(self.root.join(path)).map_err(|fault| refusal(&fault))?;
        if real.starts_with(&self.root) { Ok(real) } else { Err(Refusal::Outside) }
    }

    /// Whether a path relative to the root is a folder of the project.
    ///
    /// # Errors
    /// It is none.
    pub fn folder(&self, path: &str) -> Result<(), Refusal> {
        if self.in_memory {
            return memory::folder(&self.known(), path);
        }
        if !self.resolve(path)?.is_dir() {
            return Err(Refusal::WrongKind);
        }
        self.known().folders.insert(path.to_string());
        Ok(())
    }

    /// Whether a path relative to the root is a regular file of the project.
    ///
    /// # Errors
    /// It is none.
    pub fn file(&self, path: &str) -> Result<(), Refusal> {
        if self.in_memory {
            return memory::exists(&self.known(), path);
        }
        if !self.proposed.contains(path) && !self.resolve(path)?.is_file() {
            return Err(Refusal::WrongKind);
        }
        self.known().present.insert(path.to_string());
        Ok(())
    }

    /// Reads a file of at most `limit` bytes.
    ///
    /// # Errors
    /// There is no such regular file, or it is too large.
    pub fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, Refusal> {
        let known = match self.in_memory {
            true => Some(memory::file(&self.known(), path)?),
            false => self.known().files.get(path).cloned(),
        };
        let bytes = match known {
            Some(bytes) => bytes,
            None => self.read_disk(path, limit)?,
        };
        if bytes.len() as u64 > limit {
            return Err(Refusal::Unreadable(format!("it is larger than {limit} bytes")));
        }
        Ok(bytes.to_vec())
    }

    /// Reads a file and keeps it. Of a file that is too large, one byte more than the limit is returned.
    fn read_disk(&self, path: &str, limit: u64) -> Result<Arc<[u8]>, Refusal> {
        let real = self.resolve(path)?;
        let about = fs::metadata(&real).map_err(|fault| refusal(&fault))?;
        if !about.is_file() {
            return Err(Refusal::WrongKind);
        }
        let file = fs::File::open(&real).map_err(|fault| refusal(&fault))?;
        let mut bytes = Vec::new();
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|fault| refusal(&fault))?;
        let bytes: Arc<[u8]> = bytes.into();
        if bytes.len() as u64 <= limit {
            self.known().files.insert(path.to_string(), Arc::clone(&bytes));
        }
        Ok(bytes)
    }

    /// The files with one of the extensions in a folder and its subfolders, by path; without
    /// extensions, all files. Hidden ones are left out. Files that lead out of the project and folders
    /// with such a name are listed, and refused by [`Folder::read`].
    ///
    /// # Errors
    /// There is no such folder, or it contains too many files.
    pub fn list(&self, path: &str, extensions: &[&str]) -> Result<Vec<String>, Refusal> {
        if self.in_memory {
            return memory::list(&self.known(), path, extensions);
        }
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        self.list_into(path, extensions, &mut seen, &mut found, 0)?;
        let start = join(path, "");
        let added = self.proposed.iter().filter(|one| one.starts_with(&start) && is_wanted(one, extensions));
        found.extend(added.cloned());
        found.sort();
        found.dedup();
        Ok(found)
    }

    fn list_into(
        &self,
        path: &str,
        extensions: &[&str],
        seen: &mut BTreeSet<PathBuf>,
        found: &mut Vec<String>,
        depth: usize,
    ) -> Result<(), Refusal> {
        let real = self.resolve(path)?;
        if !real.is_dir() {
            return Err(Refusal::WrongKind);
        }
        // A symbolic link may lead back to a folder above.
        if depth > DEEPEST || !seen.insert(real.clone()) {
            return Ok(());
        }
        for entry in fs::read_dir(&real).map_err(|fault| refusal(&fault))? {
            let name = entry.map_err(|fault| refusal(&fault))?.file_name();
            let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
            let own = join(path, name);
            if self.resolve(&own).is_ok_and(|real| real.is_dir()) {
                self.list_into(&own, extensions, seen, found, depth + 1)?;
            }
            if is_wanted(name, extensions) {
                found.push(own);
            }
            if found.len() > MOST_FILES {
                return Err(Refusal::TooMany);
            }
        }
        Ok(())
    }
}

impl Loader for Folder {
    fn load(&self, path: &str, limit: u64) -> Result<Vec<u8>, LoadError> {
        self.read(path, limit).map_err(|refusal| match refusal {
            Refusal::NotFound | Refusal::WrongKind => LoadError::NotFound,
            Refusal::Outside => LoadError::Unreadable("it lies outside of the project".to_string()),
            Refusal::Unreadable(why) => LoadError::Unreadable(why),
            Refusal::TooMany => LoadError::Unreadable("there are too many files".to_string()),
        })
    }
}

/// A path below another; `/` separates folders.
#[must_use]
pub fn join(folder: &str, name: &str) -> String {
    match folder.trim_end_matches('/') {
        "" | "." => name.to_string(),
        folder => format!("{folder}/{name}"),
    }
}

/// The folder of a file's path, empty for the root.
#[must_use]
pub fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// A relative path without `.` and `..`; none if it is absolute or leads out of the root.
#[must_use]
pub fn normal(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    if path.contains('\0') {
        return None;
    }
    for part in Path::new(path).components() {
        match part {
            Component::Normal(name) => parts.push(name.to_str()?),
            Component::CurDir => {}
            Component::ParentDir => drop(parts.pop()?),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.join("/"))
}

/// Whether a name has one of the extensions, if there are any.
fn is_wanted(name: &str, extensions: &[&str]) -> bool {
    extensions.is_empty()
        || Path::new(name).extension().is_some_and(|own| extensions.iter().any(|one| own == *one))
}

fn refusal(fault: &std::io::Error) -> Refusal {
    match fault.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Refusal::NotFound,
        _ => Refusal::Unreadable(fault.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_paths_stay_below_the_root() {
        assert_eq!(normal("a/./b/../c").as_deref(), Some("a/c"));
        assert_eq!(normal("."), Some(String::new()));
        assert_eq!(normal("a/../../b"), None);
        assert_eq!(normal("/etc"), None);
        assert_eq!(normal("a\0b"), None);
        assert_eq!(join(".", "x"), "x");
        assert_eq!(join("a/", "x"), "a/x");
        assert_eq!(parent("a/b/c.md"), "a/b");
        assert_eq!(parent("c.md"), "");
    }
}
