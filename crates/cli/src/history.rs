//! The history of a project's verdicts on disk.
//!
//! *Entry points:* [`open`], [`open_existing`].
//! *Invariant:* only the folder `.axle` of a project is written, and nothing before the project was read
//! without errors.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use axle_feaver::jobs::job::Timestamp;
use axle_feaver::results::database::{self, Database};

/// The folder of what Axle writes in a project.
const FOLDER: &str = ".axle";

fn file(project: &Path) -> PathBuf {
    project.join(FOLDER).join("history.db")
}

fn is_url(location: &str) -> bool {
    location.starts_with("postgres://") || location.starts_with("postgresql://")
}

/// Opens the history of a project, which is created if there is none.
pub fn open(project: &Path, store: Option<&str>) -> Result<Box<dyn Database>, String> {
    let location = match store {
        Some(location) => location.to_string(),
        None => {
            let path = file(project);
            let folder = project.join(FOLDER);
            let is_new = !folder.exists();
            std::fs::create_dir_all(&folder).map_err(|fault| format!("{}: {fault}", folder.display()))?;
            if is_new {
                // The history belongs to a machine, not to the sources.
                let ignore = folder.join(".gitignore");
                std::fs::write(&ignore, "*\n").map_err(|fault| format!("{}: {fault}", ignore.display()))?;
            }
            path.display().to_string()
        }
    };
    database::open(&location).map_err(|fault| format!("history: {fault}"))
}

/// Opens the history of a project if there is one.
pub fn open_existing(project: &Path, store: Option<&str>) -> Result<Option<Box<dyn Database>>, String> {
    let exists = match store {
        Some(location) => is_url(location) || Path::new(location).exists(),
        None => file(project).exists(),
    };
    if exists { open(project, store).map(Some) } else { Ok(None) }
}

/// The present time.
pub fn now() -> Timestamp {
    SystemTime::now().into()
}
