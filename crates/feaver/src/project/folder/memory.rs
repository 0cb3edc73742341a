//! A folder in memory: the same answers as for one on disk, from what was seen there.
//!
//! *Entry points:* [`file`], [`exists`], [`folder`], [`list`].

use std::sync::Arc;

use super::{MOST_FILES, Refusal, Seen, is_wanted, normal};

/// The content of a file.
pub(super) fn file(seen: &Seen, path: &str) -> Result<Arc<[u8]>, Refusal> {
    let plain = normal(path).ok_or(Refusal::Outside)?;
    // The project may spell a path in several ways.
    let spelled = || seen.files.iter().find(|(own, _)| normal(own).as_ref() == Some(&plain)).map(|one| one.1);
    seen.files.get(path).or_else(spelled).cloned().ok_or(Refusal::NotFound)
}

/// Whether a path is a file.
pub(super) fn exists(seen: &Seen, path: &str) -> Result<(), Refusal> {
    let plain = normal(path).ok_or(Refusal::Outside)?;
    let is_present = seen.present.iter().any(|own| normal(own).as_ref() == Some(&plain));
    if is_present { Ok(()) } else { file(seen, path).map(drop) }
}

/// Whether a path is a folder: one that was seen, or one with a file in it.
pub(super) fn folder(seen: &Seen, path: &str) -> Result<(), Refusal> {
    let plain = normal(path).ok_or(Refusal::Outside)?;
    let inside = format!("{plain}/");
    let is_known = plain.is_empty()
        || seen.folders.iter().any(|own| normal(own).as_ref() == Some(&plain))
        || seen.files.keys().any(|own| normal(own).is_some_and(|own| own.starts_with(&inside)));
    if is_known { Ok(()) } else { Err(Refusal::NotFound) }
}

/// The files with one of the extensions below a folder, by path.
pub(super) fn list(seen: &Seen, path: &str, extensions: &[&str]) -> Result<Vec<String>, Refusal> {
    folder(seen, path)?;
    let head = match path.trim_end_matches('/') {
        "" | "." => String::new(),
        path => format!("{path}/"),
    };
    let below = seen.files.keys().filter_map(|own| own.strip_prefix(&head).map(|rest| (own, rest)));
    let visible = below.filter(|(_, rest)| !rest.split('/').any(|part| part.starts_with('.')));
    let found: Vec<String> =
        visible.filter(|(_, rest)| is_wanted(rest, extensions)).map(|(own, _)| own.clone()).collect();
    if found.len() > MOST_FILES { Err(Refusal::TooMany) } else { Ok(found) }
}
