//! The right command for a command line that names an input of another command: a folder instead of a
//! file, a file instead of a project, a file without a command.
//!
//! *Entry points:* [`usage`], [`absent`], [`project`].
//! *Invariant:* advice is text beside an error; it changes neither what is done nor the exit code.

use std::ffi::OsString;
use std::path::Path;

use axle_feaver::project::MANIFEST;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::input_kind::is_program;

/// Options of other programs, with the option that has their meaning.
const OPTIONS: [(&str, &str); 5] = [
    ("--port", "--listen 127.0.0.1:PORT"),
    ("--bind", "--listen ADDRESS:PORT"),
    ("--host", "--listen ADDRESS:PORT"),
    ("--unwind", "the search has no bound of loops; --depth limits executions"),
    ("--properties", "--property NAME"),
];

/// The right command for a command line that has none, if the first word is an input; the right option for
/// an unknown one.
pub fn usage(fault: &clap::Error, words: &[OsString]) -> Option<String> {
    let named = |kind: ContextKind| match fault.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    match fault.kind() {
        ErrorKind::InvalidSubcommand => {
            let first = named(ContextKind::InvalidSubcommand)?;
            let rest: Vec<String> =
                words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
            command_for(Path::new(&first), &rest.join(" "))
        }
        ErrorKind::UnknownArgument => {
            let unknown = named(ContextKind::InvalidArg)?;
            let unknown = unknown.split('=').next().unwrap_or_default();
            let (_, right) = OPTIONS.iter().find(|(name, _)| *name == unknown)?;
            Some(format!("instead of {unknown}: {right}"))
        }
        _ => None,
    }
}

/// The command for an input; `words` are those of the command line.
fn command_for(input: &Path, words: &str) -> Option<String> {
    let name = input.display();
    if input.is_dir() {
        return Some(of_folder(input));
    }
    let extension = input.extension()?.to_str()?;
    match extension {
        _ if is_program(input) => Some(format!("`axle check {words}` checks a C program")),
        "pml" | "prom" | "promela" => Some(format!("`axle check {words}` checks a model")),
        "trail" => Some(format!("`axle replay {name}` shows the execution of a trail")),
        "timeline" | "tl" => Some(format!("`axle check MODEL --timeline {name}` checks a timeline")),
        "toml" if input.is_file() => Some(of_folder(input.parent()?)),
        _ => None,
    }
}

/// What to do with a folder.
fn of_folder(folder: &Path) -> String {
    let name = if folder.as_os_str().is_empty() { Path::new(".") } else { folder }.display();
    match folder.join(MANIFEST).is_file() {
        true => {
            format!("`axle run {name}` verifies the project, `axle serve {name}` shows it in the browser")
        }
        false => format!(
            "name the files of a program, as in `axle check {name}/FILE.c`, or create a project with `axle init \
             {name}`"
        ),
    }
}

/// The message for a file that cannot be read because there is none of this name.
pub fn absent(name: &str) -> String {
    match Path::new(name).is_dir() {
        true => format!("'{name}' is a folder: {}", of_folder(Path::new(name))),
        false => format!("there is no file '{name}'"),
    }
}

/// Refuses an input of `axle check` that belongs to a project.
pub fn no_manifest(input: &Path) -> Result<(), String> {
    let is_manifest = input.file_name().is_some_and(|name| name == MANIFEST) && input.is_file();
    match is_manifest {
        true => {
            let folder = input.parent().unwrap_or(Path::new(""));
            Err(format!("'{}' is the manifest of a project: {}", input.display(), of_folder(folder)))
        }
        false => Ok(()),
    }
}

/// Refuses a file where the folder of a project is expected.
pub fn project(folder: &Path) -> Result<(), String> {
    if !folder.is_file() && (folder.exists() || !is_program(folder)) {
        return Ok(());
    }
    let name = folder.display();
    let advice = command_for(folder, &name.to_string());
    let advice = advice.unwrap_or_else(|| "name the folder that contains axle.toml".to_string());
    Err(format!("'{name}' is not the folder of a project: {advice}"))
}
