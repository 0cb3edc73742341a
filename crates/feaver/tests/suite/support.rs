//! Temporary copies of projects, and edits of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A temporary folder, which is removed at the end.
pub struct Temporary(pub PathBuf);

impl Temporary {
    /// An empty folder.
    pub fn new() -> Temporary {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("axle-feaver-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder");
        Temporary(path)
    }

    /// A copy of a project of the tests.
    pub fn copy_of(project: &str) -> Temporary {
        let copy = Temporary::new();
        copy_into(&projects().join(project), &copy.0);
        copy
    }

    /// Replaces text that occurs once in a file.
    pub fn replace(&self, file: &str, old: &str, new: &str) {
        let path = self.0.join(file);
        let text = fs::read_to_string(&path).expect("the file");
        assert_eq!(text.matches(old).count(), 1, "`{old}` occurs once in {file}");
        fs::write(path, text.replace(old, new)).expect("the file can be written");
    }

    /// Writes a file.
    pub fn write(&self, file: &str, bytes: &[u8]) {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder");
        fs::write(path, bytes).expect("the file can be written");
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // A temporary folder that stays behind does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The folder of the projects.
pub fn projects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/projects")
}

pub fn copy_into(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the folder");
    for entry in fs::read_dir(from).expect("the project") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        match path.is_dir() {
            true => copy_into(&path, &target),
            false => drop(fs::copy(&path, &target).expect("a copy")),
        }
    }
}
