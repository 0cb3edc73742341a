//! `cargo xtask dist`: the archive of a release for the machine that builds it.
//!
//! The program is built with the release profile, which `cargo install` uses too, and writes its
//! own completions and man pages. The archive is `target/dist/axle-VERSION-TARGET.tar.gz`.
//!
//! *Entry point:* [`run`].
//! *Invariant:* a program of more than [`LIMIT`] bytes is not packed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The shells for which `axle completions` writes a script, and the names under which they look
/// for it.
const COMPLETIONS: [(&str, &str); 3] = [("bash", "axle.bash"), ("zsh", "_axle"), ("fish", "axle.fish")];

/// Files of the root directory that belong to every copy.
const TEXTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// Size of the largest program that is distributed, in bytes.
const LIMIT: u64 = 40_000_000;

/// Builds the program, collects what belongs to it, and packs the archive.
pub fn run(root: &Path) -> Result<(), String> {
    let build = ["build", "--release", "--locked", "--bin", "axle"];
    succeed(Command::new(env!("CARGO")).args(build).current_dir(root))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let program = target.join("release").join("axle");
    let size = fs::metadata(&program).map_err(|e| format!("{}: {e}", program.display()))?.len();
    if size > LIMIT {
        return Err(format!("{} has {size} bytes; a release has at most {LIMIT}", program.display()));
    }

    let name = format!("axle-{}-{}", env!("CARGO_PKG_VERSION"), host()?);
    let all = target.join("dist");
    let folder = all.join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    let completions = folder.join("completions");
    fs::create_dir_all(&completions).map_err(|e| format!("{}: {e}", completions.display()))?;
    copy(&program, &folder.join("axle"))?;
    for text in TEXTS {
        copy(&root.join(text), &folder.join(text))?;
    }
    for (shell, file) in COMPLETIONS {
        let path = completions.join(file);
        let file = fs::File::create(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        succeed(Command::new(&program).args(["completions", shell]).stdout(file))?;
    }
    succeed(Command::new(&program).args(["man", "--output"]).arg(folder.join("man")))?;

    let archive = format!("{name}.tar.gz");
    succeed(Command::new("tar").args(["-czf", &archive, &name]).current_dir(&all))?;
    println!("{} (program: {:.1} MB)", all.join(archive).display(), size as f64 / 1e6);
    Ok(())
}

/// The target for which the compiler of this machine builds, such as `x86_64-unknown-linux-gnu`.
fn host() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").stderr(Stdio::inherit()).output();
    let output = output.map_err(|e| format!("rustc cannot be run: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_string).ok_or_else(|| "rustc -vV names no host".to_string())
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(|_| ()).map_err(|e| format!("{} to {}: {e}", from.display(), to.display()))
}

fn succeed(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|e| format!("{name} cannot be run: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name}: {status}")) }
}
