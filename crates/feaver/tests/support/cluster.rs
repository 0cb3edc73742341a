//! A temporary PostgreSQL cluster from the server programs of Debian, on a local socket only.

use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::directory::Directory;
use super::{Databases, Place};

/// A running cluster, stopped when dropped.
pub struct Cluster {
    directory: Directory,
    programs: PathBuf,
    owner: Option<(u32, u32)>,
    /// Whether commits are flushed to the disk, which only a measurement needs: the tests end the
    /// server, not the machine.
    durable: bool,
    number: u32,
}

impl Cluster {
    /// Creates and starts a cluster, or states why that is impossible.
    pub fn start(durable: bool) -> Result<Self, String> {
        let programs = programs().ok_or("no /usr/lib/postgresql/*/bin/initdb")?;
        let owner = owner()?;
        let directory = Directory::new("pg");
        if let Some((user, group)) = owner {
            chown(directory.path(), Some(user), Some(group)).map_err(|error| error.to_string())?;
        }
        let it = Self { directory, programs, owner, durable, number: 0 };
        it.execute("initdb", &["-A", "trust", "-U", "axle", "-N", "-E", "UTF8", "--locale", "C"])?;
        it.resume()?;
        Ok(it)
    }

    /// Starts the stopped server.
    pub fn resume(&self) -> Result<(), String> {
        // A limit on connections above that of the tests, and no port that others could use.
        let options = format!(
            "-c listen_addresses= -c max_connections=100 -c fsync={} -k {}",
            self.durable,
            self.directory.path().display()
        );
        let log = self.directory.path().join("log");
        self.execute("pg_ctl", &["start", "-w", "-s", "-o", &options, "-l", &log.to_string_lossy()])
    }

    /// Ends the server without a checkpoint, as a crash does.
    pub fn crash(&self) -> Result<(), String> {
        self.execute("pg_ctl", &["stop", "-w", "-s", "-m", "immediate"])
    }

    /// The connection string of a database.
    pub fn url(&self, database: &str) -> String {
        format!("host={} user=axle dbname={database}", self.directory.path().display())
    }

    fn execute(&self, program: &str, arguments: &[&str]) -> Result<(), String> {
        let mut command = Command::new(self.programs.join(program));
        command.arg("-D").arg(self.directory.path().join("data")).args(arguments);
        command.current_dir(self.directory.path()).stdin(Stdio::null()).stdout(Stdio::null());
        if let Some((user, group)) = self.owner {
            command.uid(user).gid(group);
        }
        // The server must not inherit the error output: the test harness waits for its end.
        let errors = self.directory.path().join("errors");
        command.stderr(std::fs::File::create(&errors).map_err(|error| error.to_string())?);
        match command.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => {
                let text = std::fs::read_to_string(&errors).unwrap_or_default();
                Err(format!("{program}: {status}: {text}"))
            }
            Err(error) => Err(format!("{program}: {error}")),
        }
    }
}

impl Databases for Cluster {
    fn create(&mut self) -> Place {
        self.number += 1;
        let name = format!("test{}", self.number);
        let mut client = postgres::Client::connect(&self.url("postgres"), postgres::NoTls).unwrap();
        client.batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
        Place::Postgres(self.url(&name))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // A test may have ended the server already.
        let _ = self.crash();
    }
}

/// The directory with the newest server programs.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let directories = versions.flatten().map(|version| version.path().join("bin"));
    directories.filter(|path: &PathBuf| Path::exists(&path.join("initdb"))).max()
}

/// The unprivileged user and group of the server if the test runs as root, which initdb refuses.
fn owner() -> Result<Option<(u32, u32)>, String> {
    if !nix::unistd::Uid::effective().is_root() {
        return Ok(None);
    }
    match nix::unistd::User::from_name("postgres") {
        Ok(Some(user)) => Ok(Some((user.uid.as_raw(), user.gid.as_raw()))),
        _ => Err("the test runs as root, and there is no user `postgres`".to_owned()),
    }
}
