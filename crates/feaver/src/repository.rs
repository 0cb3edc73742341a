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
//! | `files.rs` | regular files of limited size, and faults |
//! | `references.rs` | the folder of a repository, worktrees, branches |
//! | `objects.rs` | objects in files of their own, commits and trees |
//! | `packs.rs` | objects in packs |

mod files;
mod objects;
mod packs;
mod references;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use files::Fault;
use files::fault;
use objects::Objects;
pub use objects::{Commit, Id};

/// Commits that are read in a search for the one that made a change.
const MOST_COMMITS: usize = 2_000;

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
        let project = project.canonicalize().map_err(|problem| fault(project.display(), problem))?;
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
