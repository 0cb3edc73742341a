//! The history of a project's verdicts on disk.
//!
//! *Entry points:* [`open`], [`open_existing`].
//! *Invariant:* only the folder `.axle` of a project is written, and nothing before the project was read
//! without errors.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

use axle_feaver::jobs::job::Timestamp;
use axle_feaver::results::database::{self, Database};

/// The folder of what Axle writes in a project.
const FOLDER: &str = ".axle";

/// The history in this folder.
const FILE: &str = "history.db";

/// The folder of the history, which is created if there is none. A link could lead out of the
/// project.
pub fn folder(project: &Path) -> Result<PathBuf, String> {
    let folder = project.join(FOLDER);
    let fault = |fault: std::io::Error| format!("{}: {fault}", folder.display());
    match std::fs::symlink_metadata(&folder) {
        Ok(known) if known.is_dir() => return Ok(folder),
        Ok(_) => return Err(format!("{} is not a folder; remove it, or use --store", folder.display())),
        Err(_) => std::fs::create_dir_all(&folder).map_err(fault)?,
    }
    // The history belongs to a machine, not to the sources.
    std::fs::write(folder.join(".gitignore"), "*\n").map_err(fault)?;
    Ok(folder)
}

/// Where the history of a project is. Its folder is created if there is none.
pub fn location(project: &Path, store: Option<&str>) -> Result<String, String> {
    Ok(match store {
        Some(location) => location.to_string(),
        None => folder(project)?.join(FILE).display().to_string(),
    })
}

/// Opens the history of a project, which is created if there is none.
pub fn open(project: &Path, store: Option<&str>) -> Result<Box<dyn Database>, String> {
    open_at(&location(project, store)?)
}

/// Opens the history at a location.
pub fn open_at(location: &str) -> Result<Box<dyn Database>, String> {
    database::open(location).map_err(|fault| format!("history: {fault}"))
}

/// Opens the history of a project if there is one.
pub fn open_existing(project: &Path, store: Option<&str>) -> Result<Option<Box<dyn Database>>, String> {
    let exists = match store {
        Some(location) => database::is_server(location) || Path::new(location).exists(),
        None => project.join(FOLDER).join(FILE).exists(),
    };
    if exists { open(project, store).map(Some) } else { Ok(None) }
}

/// The version of this program, and a hash of it: verdicts of another build are not carried over, and
/// workers of another build execute no job.
pub fn build() -> String {
    static BUILD: OnceLock<String> = OnceLock::new();
    let version = env!("CARGO_PKG_VERSION");
    // Read in pieces: the program is large.
    let program = || {
        let file = File::open(std::env::current_exe()?)?;
        Ok::<_, std::io::Error>((file.metadata()?.len(), rapidhash::v3::rapidhash_v3_file(file)?))
    };
    BUILD
        .get_or_init(|| match program() {
            Ok((bytes, hash)) => format!("{version} ({bytes} bytes, hash {hash:016x})"),
            Err(_) => version.to_string(),
        })
        .clone()
}

/// The present time.
pub fn now() -> Timestamp {
    SystemTime::now().into()
}
