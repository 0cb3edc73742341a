//! Temporary directories of tests.

use std::fs;
use std::path::{Path, PathBuf};

/// A directory that is removed when this is dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// An empty directory for a test of this name.
    pub fn new(test: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("axle-dist-{test}-{}", std::process::id()));
        // It exists only if an earlier process with this number was killed.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a temporary directory can be created");
        Scratch(path)
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What remains is in the temporary folder.
        let _ = fs::remove_dir_all(&self.0);
    }
}
