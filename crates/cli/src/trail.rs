//! Trail files on disk. A trail never takes the place of a file that is not one.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axle_evidence::trail;
use axle_model::Model;
use axle_search::Violation;

use crate::args::ModelArgs;
use crate::files;

/// The violation of a trail, if the trail belongs to this model.
pub fn read(file: &Path, model: &Arc<Model>) -> Result<Violation, String> {
    let name = file.display();
    let text = fs::read_to_string(file).map_err(|fault| format!("cannot read '{name}': {fault}"))?;
    let trail = trail::read(&text).map_err(|fault| format!("{name}: {fault}"))?;
    trail.check(model).map_err(|fault| format!("{name}: {fault}"))?;
    trail.violation().map_err(|fault| format!("{name}: {fault}"))
}

/// Refuses to write trails over something else, before the search rather than after it.
pub fn refuse_others(file: &Path) -> Result<(), String> {
    match fs::read_to_string(file) {
        Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Ok(text) if text.is_empty() || trail::read(&text).is_ok() => Ok(()),
        Ok(_) | Err(_) => {
            Err(format!("'{}' exists and is no trail; remove it, or choose another name", file.display()))
        }
    }
}

/// Writes the trails of all violations: the first to `file`, the others beside it with a number.
pub fn write_all(
    file: &Path,
    model: &Arc<Model>,
    args: &ModelArgs,
    violations: &[Violation],
) -> Result<Vec<PathBuf>, String> {
    let mut written = Vec::new();
    let arguments = arguments(args);
    for (index, violation) in violations.iter().enumerate() {
        let path = numbered(file, index);
        refuse_others(&path)?;
        let name = args.model.to_string_lossy();
        let trail = trail::Trail::new(model, &name, &arguments, env!("CARGO_PKG_VERSION"), violation);
        files::write(&path, &trail::write(&trail))?;
        written.push(path);
    }
    Ok(written)
}

/// `a.trail`, `a-2.trail`, `a-3.trail`, ...
pub fn numbered(file: &Path, index: usize) -> PathBuf {
    if index == 0 {
        return file.to_path_buf();
    }
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let name = match file.extension() {
        Some(extension) => format!("{stem}-{}.{}", index + 1, extension.to_string_lossy()),
        None => format!("{stem}-{}", index + 1),
    };
    file.with_file_name(name)
}

/// The options that decide what the model is.
fn arguments(args: &ModelArgs) -> Vec<String> {
    let mut arguments: Vec<String> = args.define.iter().map(|define| format!("-D{define}")).collect();
    arguments.extend(args.undefine.iter().map(|name| format!("-U{name}")));
    if args.lossy {
        arguments.push("--lossy".to_string());
    }
    if args.max_processes != 255 {
        arguments.push(format!("--max-processes {}", args.max_processes));
    }
    arguments
}
