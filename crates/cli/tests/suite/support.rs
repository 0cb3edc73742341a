//! Runs the program `axle` as a user would, in a folder with models.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run of the program came to.
pub struct Ran {
    pub exit: i32,
    pub out: String,
    pub err: String,
}

/// The folder of the examples.
pub fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// Runs `axle` with these arguments, separated by blanks, in the folder of the examples.
pub fn axle(arguments: &str) -> Ran {
    run(&examples(), &arguments.split_whitespace().collect::<Vec<_>>(), "")
}

/// Runs `axle` in a folder, with a text to read.
pub fn run(folder: &Path, arguments: &[&str], input: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_axle"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .env_remove("COLUMNS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it has an input");
    if let Err(fault) = stdin.write_all(input.as_bytes()) {
        // A program may end without reading its input.
        assert_eq!(fault.kind(), ErrorKind::BrokenPipe);
    }
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    Ran {
        exit: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// An empty folder of its own for a test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("the folder of an earlier run can be removed");
    }
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// Copies a project, without its history.
pub fn copy_all(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("the project").flatten() {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true if entry.file_name() == ".axle" => {}
            true => {
                std::fs::create_dir_all(&target).expect("a folder");
                copy_all(&entry.path(), &target);
            }
            false => {
                std::fs::copy(entry.path(), target).expect("a copy");
            }
        }
    }
}
