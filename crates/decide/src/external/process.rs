//! A process with limits: its output goes to a file, its memory is read from the system, and it is ended
//! when the caller stops or it exceeds a limit.
//!
//! *Entry point:* [`run`].
//! *Invariant:* no process remains after the function returns.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::ExternalError;
use crate::watch::Watch;

/// The time between two polls.
const PAUSE: Duration = Duration::from_millis(20);
/// The most bytes of output that are read.
const MOST_OUTPUT: u64 = 256 << 20;
/// The name of the file of the output.
const OUTPUT: &str = "output.txt";

/// A process that has ended.
pub(super) struct Ended {
    pub output: String,
    pub code: Option<i32>,
}

/// A process that ends with its owner.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // A process that has ended already cannot be killed, which is no error.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs the first of some programs that exists.
pub(super) fn run(
    programs: &[PathBuf],
    arguments: &[OsString],
    folder: &Path,
    watch: &mut Watch<'_>,
) -> Result<Ended, ExternalError> {
    let file = folder.join(OUTPUT);
    let failed = |error| ExternalError::Io(file.clone(), error);
    let mut running = None;
    for program in programs {
        let output = File::create(&file).map_err(failed)?;
        let errors = output.try_clone().map_err(failed)?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder);
        command.stdin(Stdio::null()).stdout(output).stderr(errors);
        match command.spawn() {
            Ok(child) => {
                running = Some(Running(child));
                break;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(ExternalError::Io(program.clone(), error)),
        }
    }
    let Some(mut running) = running else {
        return Err(ExternalError::Missing(programs.first().cloned().unwrap_or_default()));
    };
    let code = loop {
        let used = resident(running.0.id()).unwrap_or(0);
        watch.check(used).map_err(ExternalError::Stopped)?;
        match running.0.try_wait().map_err(failed)? {
            Some(status) => break status.code(),
            None => std::thread::sleep(PAUSE),
        }
    };
    let mut bytes = Vec::new();
    let read = File::open(&file).and_then(|open| open.take(MOST_OUTPUT).read_to_end(&mut bytes));
    read.map_err(failed)?;
    Ok(Ended { output: String::from_utf8_lossy(&bytes).into_owned(), code })
}

/// The memory of a process in bytes, where the system says so.
fn resident(id: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
