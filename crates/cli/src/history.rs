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
use axle_feaver::results::database;
use axle_feaver::results::database::Database;

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

/// The environment variable with the location of the database.
pub const VARIABLE: &str = "AXLE_STORE";

/// The location of a database outside of the project: that of the option, or else of the variable.
pub fn chosen(store: Option<&str>) -> Result<Option<String>, String> {
    if let Some(location) = store {
        return match database::password(location) {
            Some(_) => Err(format!(
                "the list of processes shows the password in --store to all users of this machine; remove the \
                 option and set the environment variable {VARIABLE} to the location"
            )),
            None => Ok(Some(location.to_string())),
        };
    }
    match std::env::var(VARIABLE) {
        Ok(location) => Ok(Some(location).filter(|location| !location.is_empty())),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => Err(format!("the variable {VARIABLE} is not UTF-8")),
    }
}

/// The folder of what the server of a project keeps beside the history: keys, tokens and locks. It is that
/// of the history in the project, or beside a history elsewhere if the project cannot be written.
pub fn server_folder(project: &Path, store: Option<&str>) -> Result<PathBuf, String> {
    let own = folder(project).and_then(|own| is_writable(&own).map(|()| own));
    let fault = match own {
        Ok(own) => return Ok(own),
        Err(fault) => fault,
    };
    let beside = match chosen(store)? {
        Some(location) if database::is_server(&location) => user_folder(project),
        Some(location) => Some(PathBuf::from(format!("{location}.server"))),
        None => None,
    };
    let Some(beside) = beside else {
        return Err(format!("{fault}; use --store FILE with a file in another folder"));
    };
    let message = |fault: std::io::Error| format!("{}: {fault}", beside.display());
    let mut builder = std::fs::DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(builder.recursive(true), 0o700);
    builder.create(&beside).map_err(message)?;
    is_writable(&beside)?;
    Ok(beside)
}

/// A folder of this user for a project whose history is on a server.
fn user_folder(project: &Path) -> Option<PathBuf> {
    let home = PathBuf::from(std::env::var_os("HOME").filter(|home| !home.is_empty())?);
    let project = std::fs::canonicalize(project).unwrap_or_else(|_| project.to_path_buf());
    let name = axle_evidence::sha256::sha256(project.display().to_string().as_bytes());
    Some(home.join(".local/state/axle").join(&name[..16]))
}

/// Whether files can be created in a folder.
fn is_writable(folder: &Path) -> Result<(), String> {
    let probe = folder.join(format!("writable-{}", std::process::id()));
    let fault = |fault: std::io::Error| format!("{}: {fault}", folder.display());
    File::create(&probe).map_err(fault)?;
    std::fs::remove_file(&probe).map_err(fault)
}

/// Where the history of a project is. Its folder is created if there is none.
pub fn location(project: &Path, store: Option<&str>) -> Result<String, String> {
    Ok(match chosen(store)? {
        Some(location) => location,
        None => folder(project)?.join(FILE).display().to_string(),
    })
}

/// Opens the history of a project, which is created if there is none.
pub fn open(project: &Path, store: Option<&str>) -> Result<Box<dyn Database>, String> {
    open_at(&location(project, store)?)
}

/// Opens the history at a location.
pub fn open_at(location: &str) -> Result<Box<dyn Database>, String> {
    database::open(location)
        .map_err(|fault| database::without_password(&format!("history: {fault}"), location))
}

/// Opens the history of a project if there is one.
pub fn open_existing(project: &Path, store: Option<&str>) -> Result<Option<Box<dyn Database>>, String> {
    let exists = match chosen(store)? {
        Some(location) => database::is_server(&location) || Path::new(&location).exists(),
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
