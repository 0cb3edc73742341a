//! The Git repository of a project, read without Git: the checked out commit, commits, trees and files.
//!
//! A repository is data that others wrote. No hook or configuration is executed and no other program is
//! started; what is read has limits, and a damaged repository is a [`Fault`] with its place.
//!
//! *Entry points:* [`Repository::find`], [`Repository::changes_of`].
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

use std::fmt;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use objects::Objects;
pub use objects::{Commit, Id};

/// Commits that are read of the history of a file.
const MOST_COMMITS: usize = 2_000;

/// Commits with changes of a file that are reported.
const MOST_CHANGES: usize = 200;

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

/// A commit that changed a file, and the contents behind and before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileChange {
    /// The commit.
    pub commit: Commit,
    /// The content in the commit; none if it removed the file.
    pub after: Option<Vec<u8>>,
    /// The content before.
    pub before: Option<Vec<u8>>,
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
    pub fn commit(&mut self, id: Id) -> Result<Commit, Fault> {
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

    /// The commits that changed a file, the latest first: on the first way that leads from the checked
    /// out commit to the contents (history simplification). `more` ends the list.
    ///
    /// # Errors
    /// A commit, tree or file cannot be read.
    pub fn changes_of(&mut self, path: &str, mut more: impl FnMut(&FileChange) -> bool) -> Result<(), Fault> {
        let path = format!("{}{path}", self.prefix);
        let Some(head) = self.head()? else { return Ok(()) };
        let mut commit = self.objects.commit(head)?;
        let mut blob = self.objects.entry(commit.tree, &path)?;
        let mut reported = 0;
        for _ in 0..MOST_COMMITS {
            let mut parents = Vec::new();
            for &parent in &commit.parents {
                let parent = self.objects.commit(parent)?;
                let own = self.objects.entry(parent.tree, &path)?;
                parents.push((parent, own));
            }
            if let Some(at) = parents.iter().position(|(_, own)| *own == blob) {
                commit = parents.swap_remove(at).0;
                if blob.is_none() && commit.parents.is_empty() {
                    break;
                }
                continue;
            }
            let before = parents.first().and_then(|(_, own)| *own);
            if blob.is_none() && before.is_none() {
                break;
            }
            let mut content = |id: Option<Id>| id.map(|id| self.objects.blob(id)).transpose();
            let change =
                FileChange { commit: commit.clone(), after: content(blob)?, before: content(before)? };
            reported += 1;
            if !more(&change) || reported == MOST_CHANGES || parents.is_empty() {
                break;
            }
            (commit, blob) = parents.swap_remove(0);
        }
        Ok(())
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
