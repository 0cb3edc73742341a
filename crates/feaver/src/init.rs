//! The files of a new project: from the C files or models of a folder, or a small example.
//!
//! *Entry points:* [`files`], [`write()`]. *Invariant:* no existing file is changed.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::project::MANIFEST;
use crate::project::folder::Folder;

/// A file that a new project has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewFile {
    /// Its path in the project.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// What became of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// It was created.
    Created,
    /// It was there already, and was left as it is.
    Kept,
}

/// The most files that are named in a new manifest.
const MOST: usize = 200;

const EXAMPLE_MODEL: &str = include_str!("init/crossing.pml");
const EXAMPLE_REQUIREMENTS: &str = include_str!("init/requirements.md");
const EXAMPLE_SAFETY: &str = include_str!("init/safety.md");
const EXAMPLE_LIVENESS: &str = include_str!("init/closes.md");
const EXAMPLE_TIMELINE: &str = include_str!("init/closes.tl");
const PLACEHOLDER: &str = include_str!("init/placeholder.md");

/// The files of a new project in a folder.
#[must_use]
pub fn files(root: &Path) -> Vec<NewFile> {
    let folder = Folder::open(root).ok();
    let list = |extension: &str| {
        let found = folder.as_ref().and_then(|folder| folder.list(".", &[extension]).ok());
        let mut found = found.unwrap_or_default();
        found.truncate(MOST);
        found
    };
    let (programs, models) = (list("c"), list("pml"));
    let name = name_of(root);
    let file = |path: &str, text: String| NewFile { path: path.to_string(), text };
    if programs.is_empty() && models.is_empty() {
        let text = manifest(&name, "promela = [\"crossing.pml\"]\n", EXAMPLE_FLAGS);
        return vec![
            file(MANIFEST, text),
            file("crossing.pml", EXAMPLE_MODEL.to_string()),
            file("requirements/crossing.md", EXAMPLE_REQUIREMENTS.to_string()),
            file("properties/safety.md", EXAMPLE_SAFETY.to_string()),
            file("properties/closes.md", EXAMPLE_LIVENESS.to_string()),
            file("timelines/closes.tl", EXAMPLE_TIMELINE.to_string()),
        ];
    }
    let (sources, model) = match programs.is_empty() {
        false => {
            let includes = folder.as_ref().is_some_and(|folder| folder.folder("include").is_ok());
            let include = if includes { "include = [\"include\"]\n" } else { "" };
            (format!("c = {}\n{include}", quoted(&programs)), None)
        }
        true => {
            let model = models.first().filter(|_| models.len() > 1).cloned();
            (format!("promela = {}\n", quoted(&models)), model)
        }
    };
    let model = model.map_or_else(String::new, |model| format!("model = {}\n", toml_string(&model)));
    vec![
        file(MANIFEST, manifest(&name, &sources, FLAGS)),
        file("requirements/overview.md", format!("# Overview\n\nWhat {name} must do.\n")),
        file("properties/example.md", PLACEHOLDER.replace("MODEL\n", &model)),
    ]
}

/// Creates files; those that exist are kept.
///
/// # Errors
/// The first file that cannot be created, with the reason.
pub fn write(root: &Path, files: &[NewFile]) -> Result<Vec<Written>, String> {
    let mut written = Vec::new();
    for file in files {
        let path = root.join(&file.path);
        let fault = |fault: std::io::Error| format!("cannot create '{}': {fault}", path.display());
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(fault)?;
        }
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut created) => {
                created.write_all(file.text.as_bytes()).map_err(fault)?;
                written.push(Written::Created);
            }
            Err(found) if found.kind() == ErrorKind::AlreadyExists => written.push(Written::Kept),
            Err(found) => return Err(fault(found)),
        }
    }
    Ok(written)
}

/// The name of a project in a folder.
fn name_of(root: &Path) -> String {
    let root = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_path_buf());
    let folder = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let name: String = folder.chars().map(|c| if is_part(c) { c } else { '-' }).take(100).collect();
    let name = name.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    if name.is_empty() { "project".to_string() } else { name.to_string() }
}

fn toml_string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn quoted(paths: &[String]) -> String {
    let quoted: Vec<String> = paths.iter().map(|path| toml_string(path)).collect();
    format!("[{}]", quoted.join(", "))
}

const FLAGS: &str = "
# Feature flags: global variables that are chosen at the start and do not change.
# [flags]
# forwarding = \"forwarding_enabled\"
# level = { variable = \"alarm_level\", values = [0, 1, 2] }

# Provisioning constraints, which properties name.
# [constraints]
# plain = { forwarding = 0, level = 0 }
# alarms = \"level > 0 && !forwarding\"
";

const EXAMPLE_FLAGS: &str = "
# Feature flags: global variables that are chosen at the start and do not change.
[flags]
sensor = \"has_sensor\"

# Provisioning constraints, which properties name.
[constraints]
with-sensor = \"sensor == 1\"
";

fn manifest(name: &str, sources: &str, flags: &str) -> String {
    format!(
        "name = \"{name}\"\n\n[sources]\n{sources}{flags}\n[schedule]\nbudget = \"1h\"\n\n[limits]\nmemory = \"2G\"\n"
    )
}
