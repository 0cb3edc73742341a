//! Objects of a repository by their names: commits, trees and files.
//!
//! *Entry points:* [`Objects::commit`], [`Objects::entry`], [`Objects::blob`].
//! *Source:* Git, Documentation/gitformat-loose.
//! *Invariant:* an object has the size that its header states, and its compressed form has the right
//! checksum. Its name is not computed again.

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::files::{Fault, fault, read};
use super::packs::Packs;

/// The largest object.
pub(super) const LARGEST: usize = 32 << 20;

/// Bytes of all objects that are read for one question.
const MOST_BYTES: usize = 256 << 20;

/// Objects that are read for one question.
const MOST_OBJECTS: usize = 100_000;

/// Parents of a commit that count.
const MOST_PARENTS: usize = 64;

/// The name of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub [u8; 20]);

impl Id {
    /// Reads 40 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Id> {
        let digits = Some(text.as_bytes()).filter(|digits| digits.len() == 40)?;
        let mut id = [0; 20];
        for (byte, pair) in id.iter_mut().zip(digits.chunks_exact(2)) {
            let digit = |digit: u8| char::from(digit).to_digit(16);
            *byte = (digit(pair[0])? * 16 + digit(pair[1])?) as u8;
        }
        Some(Id(id))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Commit {
    /// Its name.
    pub id: Id,
    /// Its files.
    pub tree: Id,
    /// The commits that it follows.
    pub parents: Vec<Id>,
    /// The name of the author, without the address.
    pub author: String,
    /// When it was written, in seconds since 1970.
    pub time: i64,
    /// The first line of its message.
    pub subject: String,
}

/// The kind of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Commit,
    Tree,
    Blob,
    Tag,
}

impl Kind {
    fn named(name: &[u8]) -> Option<Kind> {
        match name {
            b"commit" => Some(Kind::Commit),
            b"tree" => Some(Kind::Tree),
            b"blob" => Some(Kind::Blob),
            b"tag" => Some(Kind::Tag),
            _ => None,
        }
    }
}

/// The objects of a repository.
#[derive(Debug)]
pub(super) struct Objects {
    folder: PathBuf,
    packs: Packs,
    commits: HashMap<Id, Arc<Commit>>,
    /// The entries of trees that were looked for.
    entries: HashMap<(Id, String), Option<(bool, Id)>>,
    bytes: usize,
    count: usize,
}

impl Objects {
    pub(super) fn new(folder: PathBuf) -> Objects {
        Objects {
            packs: Packs::new(folder.join("pack")),
            folder,
            commits: HashMap::new(),
            entries: HashMap::new(),
            bytes: 0,
            count: 0,
        }
    }

    pub(super) fn commit(&mut self, id: Id) -> Result<Arc<Commit>, Fault> {
        if let Some(known) = self.commits.get(&id) {
            return Ok(Arc::clone(known));
        }
        let commit = Arc::new(self.read_commit(id)?);
        self.commits.insert(id, Arc::clone(&commit));
        Ok(commit)
    }

    fn read_commit(&mut self, id: Id) -> Result<Commit, Fault> {
        let bytes = self.of_kind(id, Kind::Commit)?;
        let damaged = |problem: &str| fault(format!("commit {id}"), problem);
        let text = String::from_utf8_lossy(&bytes);
        let (head, message) = text.split_once("\n\n").unwrap_or((&text, ""));
        let values = |key: &'static str| {
            head.lines().filter_map(move |line| line.split_once(' ').filter(|(own, _)| *own == key))
        };
        let tree = values("tree").next().and_then(|(_, id)| Id::parse(id));
        let tree = tree.ok_or_else(|| damaged("it names no tree"))?;
        let parents: Option<Vec<Id>> =
            values("parent").take(MOST_PARENTS).map(|(_, id)| Id::parse(id)).collect();
        let parents = parents.ok_or_else(|| damaged("a parent has no valid name"))?;
        let author = values("author").next().map_or("", |(_, author)| author);
        let (name, rest) = author.rsplit_once('<').unwrap_or((author, ""));
        let time = rest.split_once('>').and_then(|(_, time)| time.split_whitespace().next()?.parse().ok());
        let shown =
            |text: &str| -> String { text.trim().chars().filter(|c| !c.is_control()).take(200).collect() };
        Ok(Commit {
            id,
            tree,
            parents,
            author: shown(name),
            time: time.unwrap_or(0),
            subject: shown(message.lines().find(|line| !line.trim().is_empty()).unwrap_or_default()),
        })
    }

    pub(super) fn blob(&mut self, id: Id) -> Result<Vec<u8>, Fault> {
        self.of_kind(id, Kind::Blob)
    }

    /// The object at a path in a tree.
    pub(super) fn entry(&mut self, tree: Id, path: &str) -> Result<Option<Id>, Fault> {
        let mut at = tree;
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            let key = (at, part.to_string());
            let found = match self.entries.get(&key) {
                Some(found) => *found,
                None => {
                    let found = find(&self.of_kind(at, Kind::Tree)?, part.as_bytes());
                    self.entries.insert(key, found);
                    found
                }
            };
            let Some((is_tree, id)) = found else { return Ok(None) };
            if is_tree != parts.peek().is_some() {
                return Ok(None);
            }
            at = id;
        }
        Ok(Some(at))
    }

    fn of_kind(&mut self, id: Id, wanted: Kind) -> Result<Vec<u8>, Fault> {
        let (kind, bytes) = self.object(id)?;
        match kind == wanted {
            true => Ok(bytes),
            false => Err(fault(format!("object {id}"), format!("it is a {kind:?} instead of a {wanted:?}"))),
        }
    }

    fn object(&mut self, id: Id) -> Result<(Kind, Vec<u8>), Fault> {
        let place = format!("object {id}");
        if self.bytes > MOST_BYTES || self.count > MOST_OBJECTS {
            return Err(fault(place, "the history is too large: the search ends here"));
        }
        let Objects { packs, folder, .. } = self;
        let found = match loose(folder, id)? {
            Some(found) => found,
            // A difference may be from an object in a file of its own.
            None => (packs.object(id, &mut |base| loose(folder, base))?)
                .ok_or_else(|| fault(place, "the repository does not contain it"))?,
        };
        self.count += 1;
        self.bytes += found.1.len();
        Ok(found)
    }
}

/// An object in a file of its own.
fn loose(folder: &std::path::Path, id: Id) -> Result<Option<(Kind, Vec<u8>)>, Fault> {
    let name = id.to_string();
    let path = folder.join(&name[..2]).join(&name[2..]);
    let Some(packed) = read(&path, LARGEST as u64)? else { return Ok(None) };
    let damaged = |problem: &str| fault(path.display(), problem);
    let bytes = decompress_to_vec_zlib_with_limit(&packed, LARGEST)
        .map_err(|_| damaged("the object is damaged or too large"))?;
    let end = bytes.iter().position(|byte| *byte == 0).ok_or_else(|| damaged("the object has no header"))?;
    let mut words = bytes[..end].split(|byte| *byte == b' ');
    let kind = words.next().and_then(Kind::named).ok_or_else(|| damaged("the object is of no known kind"))?;
    let size = words.next().and_then(|size| std::str::from_utf8(size).ok()?.parse::<usize>().ok());
    let content = bytes[end + 1..].to_vec();
    match size == Some(content.len()) {
        true => Ok(Some((kind, content))),
        false => Err(damaged("the object has another size than its header states")),
    }
}

/// An entry of a tree: whether it is a tree itself, and its name.
fn find(tree: &[u8], name: &[u8]) -> Option<(bool, Id)> {
    let mut rest = tree;
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| *byte == 0)?;
        let (head, tail) = (&rest[..end], rest.get(end + 1..)?);
        let id = tail.get(..20)?;
        rest = &tail[20..];
        let space = head.iter().position(|byte| *byte == b' ')?;
        if &head[space + 1..] == name {
            let mut own = [0; 20];
            own.copy_from_slice(id);
            return Some((&head[..space] == b"40000", Id(own)));
        }
    }
    None
}
