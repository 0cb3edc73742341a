//! Files of the machine, for the preprocessor and for results.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use axle_source::{LoadError, Loader};

use crate::advice::absent;
use crate::deadline::Deadline;

/// Reads files of the machine.
pub struct Disk;

impl Loader for Disk {
    fn load(&self, path: &str, limit: u64) -> Result<Vec<u8>, LoadError> {
        let unreadable = |fault: &dyn std::fmt::Display| LoadError::Unreadable(fault.to_string());
        let file = fs::File::open(path).map_err(|fault| match fault.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => LoadError::NotFound,
            _ => unreadable(&fault),
        })?;
        let about = file.metadata().map_err(|fault| unreadable(&fault))?;
        if about.is_dir() {
            return Err(LoadError::NotFound);
        }
        let mut bytes = Vec::new();
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|fault| unreadable(&fault))?;
        if bytes.len() as u64 > limit {
            return Err(LoadError::Unreadable(format!("it is larger than {limit} bytes")));
        }
        Ok(bytes)
    }
}

/// Why a file cannot be read, for an error message.
pub fn unreadable(name: &str, fault: &LoadError) -> String {
    match fault {
        LoadError::NotFound => absent(name),
        LoadError::Unreadable(why) => format!("cannot read '{name}': {why}"),
    }
}

/// Reads a file of at most `limit` bytes; the message names the file. Devices and pipes are read up
/// to the limit too, so that no input is endless.
pub fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let name = path.display();
    Disk.load(&path.to_string_lossy(), limit).map_err(|fault| match fault {
        LoadError::NotFound => absent(&name.to_string()),
        LoadError::Unreadable(why) => format!("cannot read '{name}': {why}"),
    })
}

/// Reads a text, as [`read_bytes`] does.
pub fn read_text(path: &Path, limit: u64) -> Result<String, String> {
    String::from_utf8(read_bytes(path, limit)?)
        .map_err(|_| format!("cannot read '{}': it is not UTF-8 text", path.display()))
}

/// Reads a regular file of at most `limit` bytes once more; the message names the file. A pipe has
/// no second content.
pub fn read_regular(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let name = path.display();
    if !fs::metadata(path).is_ok_and(|about| about.is_file()) {
        return Err(format!("cannot read '{name}' again: it is not a regular file"));
    }
    Disk.load(&path.to_string_lossy(), limit).map_err(|fault| match fault {
        LoadError::NotFound => absent(&name.to_string()),
        LoadError::Unreadable(why) => format!("cannot read '{name}': {why}"),
    })
}

/// Writes a result file; the message names the file. The write is atomic: the text goes to a
/// temporary file beside it, which replaces it at the end. A device or a pipe is written to
/// directly. Until then, `deadline` removes the temporary file.
pub fn write(path: &Path, text: &str, deadline: &Deadline) -> Result<(), String> {
    let cannot = |fault: std::io::Error| format!("cannot write '{}': {fault}", path.display());
    if fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        return fs::write(path, text).map_err(cannot);
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = path.with_file_name(name);
    deadline.begin_file(&beside);
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
    deadline.end_file(&beside);
    written.map_err(|fault| {
        // The message names the first error.
        let _ = fs::remove_file(&beside);
        cannot(fault)
    })
}

/// Removes a result of an earlier run, which could be mistaken for one of this run: a regular file
/// that contains `mark` within its first bytes. Other files stay until they are overwritten.
pub fn remove_result(path: &Path, mark: &str) -> Result<(), String> {
    /// Bytes that are searched for the mark.
    const HEAD: u64 = 4096;
    if !fs::metadata(path).is_ok_and(|about| about.is_file()) {
        return Ok(());
    }
    let cannot = |fault: std::io::Error| format!("cannot remove '{}': {fault}", path.display());
    let mut head = Vec::new();
    fs::File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head)).map_err(cannot)?;
    if head.windows(mark.len()).any(|window| window == mark.as_bytes()) {
        fs::remove_file(path).map_err(cannot)?;
    }
    Ok(())
}

/// Checks before a search that its results can be written: each with its option, none twice, none
/// an input.
///
/// # Errors
/// The first option whose file cannot be written, with the reason.
pub fn check_outputs(outputs: &[(&str, Option<&PathBuf>)], inputs: &[&Path]) -> Result<(), String> {
    let given: Vec<(&str, &PathBuf)> =
        outputs.iter().filter_map(|(option, path)| Some((*option, (*path)?))).collect();
    for (index, (option, path)) in given.iter().enumerate() {
        let name = path.display();
        if path.is_dir() {
            return Err(format!("{option} '{name}': this is a directory; name a file"));
        }
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !parent.is_dir() {
            return Err(format!("{option} '{name}': there is no directory '{}'", parent.display()));
        }
        let same = |other: &Path| other == path.as_path() || same_file(other, path);
        if inputs.iter().any(|input| same(input)) {
            return Err(format!("{option} '{name}': this is an input file; choose another name"));
        }
        if let Some((other, _)) = given[..index].iter().find(|(_, other)| same(other)) {
            return Err(format!("{option} '{name}': {other} writes the same file; choose another name"));
        }
        let existing = fs::metadata(path);
        if existing.is_ok_and(|about| about.permissions().readonly()) {
            return Err(format!("{option} '{name}': the file is read-only"));
        }
    }
    Ok(())
}

/// Whether two paths lead to the same existing regular file.
fn same_file(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok().filter(|path| path.is_file());
    real(one).is_some_and(|one| real(other) == Some(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("axle-files-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        folder
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is_left() {
        let folder = folder("replaced");
        let deadline = Deadline::new(std::sync::Arc::default());
        let path = folder.join("report.json");
        write(&path, "first", &deadline).expect("it can be written");
        write(&path, "second", &deadline).expect("it can be written again");
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "second");
        assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 1);
        fs::remove_dir_all(folder).expect("it can be removed");
    }

    #[test]
    fn outputs_that_cannot_be_written_are_refused_with_their_option() {
        let folder = folder("refused");
        let input = folder.join("model.pml");
        fs::write(&input, "").expect("it can be written");
        let refused = |path: &Path| check_outputs(&[("--sarif", Some(&path.to_path_buf()))], &[&input]);
        assert!(refused(&folder).expect_err("a directory").contains("this is a directory"));
        assert!(
            refused(&folder.join("no/where")).expect_err("no directory").contains("there is no directory")
        );
        assert!(
            refused(&folder.join("./model.pml")).expect_err("the input").contains("this is an input file")
        );
        let twice = folder.join("x");
        let both = [("--html", Some(&twice)), ("--sarif", Some(&twice))];
        assert!(check_outputs(&both, &[&input]).expect_err("twice").contains("--html writes the same file"));
        assert_eq!(refused(&folder.join("new.sarif")), Ok(()));
        fs::remove_dir_all(folder).expect("it can be removed");
    }
}
