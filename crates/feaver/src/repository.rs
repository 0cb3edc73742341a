//! The Git repository of a project, read without Git: the checked out commit, commits, trees and files.
//!
//! A repository is data that others wrote. No hook or configuration is executed and no other program is
//! started; what is read has limits, and a damaged repository is a [`Fault`] with its place.
//!
//! *Entry points:* [`Repository::find`], [`Repository::origin`].
//! *Source:* Git, Documentation/gitformat-pack, gitrepository-layout (version 0; SHA-1).
//! *Invariant:* nothing is written, and only regular files are opened.
//!
//! | file | content |
//! | --- | --- |
//! | `references.rs` | the folder of a repository, worktrees, branches |
//! | `objects.rs` | objects in files of their own, commits and trees |
//! | `packs.rs` | objects in packs |

mod objects;
mod packs;
mod references;

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use objects::Objects;
pub use objects::{Commit, Id};

/// Commits that are read in a search for the one that made a change.
const MOST_COMMITS: usize = 2_000;

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

fn fault(place: impl fmt::Display, problem: impl fmt::Display) -> Fault {
    Fault { place: place.to_string(), problem: problem.to_string() }
}

/// A repository, as far as a project in it is concerned.
#[derive(Debug)]
pub struct Repository {
    /// The folder of the checked out version: `.git`, or that of a worktree.
    folder: PathBuf,
    /// The folder of branches and objects.
    common: PathBuf,
    /// The path of the project in the repository; empty, or with a `/` at its end.
    prefix: String,
    objects: Objects,
}

impl Repository {
    /// The repository that contains a folder; none if there is none.
    ///
    /// # Errors
    /// There is a repository that cannot be read.
    pub fn find(project: &Path) -> Result<Option<Repository>, Fault> {
        let project = project.canonicalize().map_err(|fault_| fault(project.display(), fault_))?;
        for root in project.ancestors() {
            let Some(folder) = references::folder(&root.join(".git"))? else { continue };
            let common = references::common(&folder)?;
            let inside = project.strip_prefix(root).unwrap_or(Path::new(""));
            let parts: Vec<String> = inside
                .components()
                .map(|part| part.as_os_str().to_string_lossy().into_owned() + "/")
                .collect();
            let objects = Objects::new(common.join("objects"));
            return Ok(Some(Repository { folder, common, prefix: parts.concat(), objects }));
        }
        Ok(None)
    }

    /// The checked out commit; none before the first commit.
    ///
    /// # Errors
    /// A reference cannot be read.
    pub fn head(&self) -> Result<Option<Id>, Fault> {
        references::head(&self.folder, &self.common)
    }

    /// A commit.
    ///
    /// # Errors
    /// The commit cannot be read.
    pub fn commit(&mut self, id: Id) -> Result<Arc<Commit>, Fault> {
        self.objects.commit(id)
    }

    /// A file of the project in a commit; none if the commit has no such file.
    ///
    /// # Errors
    /// A tree or the file cannot be read.
    pub fn file(&mut self, commit: &Commit, path: &str) -> Result<Option<Vec<u8>>, Fault> {
        let found = self.objects.entry(commit.tree, &format!("{}{path}", self.prefix))?;
        found.map(|blob| self.objects.blob(blob)).transpose()
    }

    /// The commit that made a change of a file: the content satisfies a condition, and that in the
    /// commits before does not. The search follows a parent whose content satisfies it, too (history
    /// simplification). None if no commit that was read has such a content.
    ///
    /// # Errors
    /// A commit, tree or file cannot be read.
    pub fn origin(
        &mut self,
        path: &str,
        holds: &mut dyn FnMut(Option<&[u8]>) -> bool,
    ) -> Result<Option<Arc<Commit>>, Fault> {
        let path = format!("{}{path}", self.prefix);
        let Some(head) = self.head()? else { return Ok(None) };
        let mut commit = self.objects.commit(head)?;
        let mut known: HashMap<Option<Id>, bool> = HashMap::new();
        let mut is_found = false;
        for _ in 0..MOST_COMMITS {
            is_found = is_found || self.satisfies(&commit, &path, holds, &mut known)?;
            let mut next = None;
            for &parent in &commit.parents {
                let parent = self.objects.commit(parent)?;
                // Before a commit with the content is found, the first parents lead back.
                if !is_found || self.satisfies(&parent, &path, holds, &mut known)? {
                    next = Some(parent);
                    break;
                }
            }
            match next {
                Some(next) => commit = next,
                // A first commit with a file that was never there has not made that.
                None => {
                    let is_made = is_found && (!commit.parents.is_empty() || !holds(None));
                    return Ok(Some(commit).filter(|_| is_made));
                }
            }
        }
        Ok(None)
    }

    fn satisfies(
        &mut self,
        commit: &Commit,
        path: &str,
        holds: &mut dyn FnMut(Option<&[u8]>) -> bool,
        known: &mut HashMap<Option<Id>, bool>,
    ) -> Result<bool, Fault> {
        let blob = self.objects.entry(commit.tree, path)?;
        if let Some(known) = known.get(&blob) {
            return Ok(*known);
        }
        let content = blob.map(|blob| self.objects.blob(blob)).transpose()?;
        let own = holds(content.as_deref());
        known.insert(blob, own);
        Ok(own)
    }
}

/// The content of a regular file of at most `most` bytes; none if there is none.
fn read(path: &Path, most: u64) -> Result<Option<Vec<u8>>, Fault> {
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
fn opened(path: &Path) -> Result<Option<(File, u64)>, Fault> {
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
fn read_at(file: &mut File, path: &Path, at: u64, length: usize) -> Result<Vec<u8>, Fault> {
    let mut bytes = vec![0; length];
    let done = file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut bytes));
    done.map_err(|_| fault(path.display(), format!("the file ends before byte {}", at + length as u64)))?;
    Ok(bytes)
}
