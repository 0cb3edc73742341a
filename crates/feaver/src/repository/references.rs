//! Where a repository is, and the commit that is checked out.
//!
//! *Entry points:* [`folder`], [`common`], [`head`].

use std::path::{Path, PathBuf};

use super::files::{Fault, fault, read};
use super::objects::Id;

/// The largest file with a reference.
const LARGEST: u64 = 64 << 10;

/// The largest `packed-refs`.
const LARGEST_PACKED: u64 = 64 << 20;

/// Symbolic references on the way to a commit.
const MOST_LINKS: usize = 5;

/// The folder of a repository: `.git`, or what a file `.git` of a worktree names.
pub(super) fn folder(dot_git: &Path) -> Result<Option<PathBuf>, Fault> {
    if dot_git.is_dir() {
        // Other programs have folders of this name, too.
        return Ok(dot_git.join("HEAD").is_file().then(|| dot_git.to_path_buf()));
    }
    let Some(text) = text(dot_git)? else { return Ok(None) };
    let Some(named) = text.strip_prefix("gitdir:") else {
        return Err(fault(dot_git.display(), "the file names no folder with `gitdir:`"));
    };
    let folder = dot_git.parent().unwrap_or(Path::new("")).join(named.trim());
    match folder.is_dir() {
        true => Ok(Some(folder)),
        false => Err(fault(dot_git.display(), format!("there is no folder {}", folder.display()))),
    }
}

/// The folder that a worktree shares with the others.
pub(super) fn common(folder: &Path) -> Result<PathBuf, Fault> {
    let common = match text(&folder.join("commondir"))? {
        Some(named) => folder.join(named.trim()),
        None => folder.to_path_buf(),
    };
    let config = common.join("config");
    let settings = text(&config)?.unwrap_or_default();
    let value = |key: &str| {
        let mut lines = settings.lines().rev().filter_map(|line| line.split_once('='));
        lines.find(|(own, _)| own.trim().eq_ignore_ascii_case(key)).map(|(_, value)| value.trim())
    };
    if let Some(format) = value("objectformat").filter(|format| *format != "sha1") {
        return Err(fault(config.display(), format!("object names by {format} are not supported")));
    }
    if let Some(storage) = value("refstorage").filter(|storage| *storage != "files") {
        return Err(fault(config.display(), format!("references in a {storage} are not supported")));
    }
    Ok(common)
}

/// The checked out commit.
pub(super) fn head(folder: &Path, common: &Path) -> Result<Option<Id>, Fault> {
    let place = folder.join("HEAD");
    let mut value =
        text(&place)?.ok_or_else(|| fault(place.display(), "the repository has no checked out version"))?;
    for _ in 0..MOST_LINKS {
        let Some(name) = value.trim().strip_prefix("ref:").map(|name| name.trim().to_string()) else {
            let id = Id::parse(value.trim());
            return id.map(Some).ok_or_else(|| fault(place.display(), "this is no name of a commit"));
        };
        let is_part = |part: &str| {
            !part.is_empty()
                && !part.starts_with('.')
                && !part.contains(|c: char| c == '\\' || c.is_control())
        };
        let is_valid = name.starts_with("refs/") && name.split('/').all(is_part);
        if !is_valid {
            return Err(fault(place.display(), format!("`{}` is no valid reference", name.escape_debug())));
        }
        let loose = match text(&folder.join(&name))? {
            Some(own) => Some(own),
            None => text(&common.join(&name))?,
        };
        match loose {
            Some(next) => value = next,
            None => return packed(&common.join("packed-refs"), &name),
        }
    }
    Err(fault(place.display(), "the reference leads to others again and again"))
}

/// A reference in `packed-refs`.
fn packed(place: &Path, name: &str) -> Result<Option<Id>, Fault> {
    let Some(bytes) = read(place, LARGEST_PACKED)? else { return Ok(None) };
    let all = String::from_utf8_lossy(&bytes);
    let line = all.lines().find_map(|line| line.split_once(' ').filter(|(_, own)| *own == name));
    let Some((id, _)) = line else { return Ok(None) };
    Id::parse(id).map(Some).ok_or_else(|| fault(place.display(), format!("{name} names no commit")))
}

fn text(path: &Path) -> Result<Option<String>, Fault> {
    Ok(read(path, LARGEST)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}
