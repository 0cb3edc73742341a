//! A temporary directory that is removed at the end.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Distinguishes the directories of one process.
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// A directory, removed with its content when dropped.
pub struct Directory(PathBuf);

impl Directory {
    /// An empty directory. The path is short: a socket in it has at most 107 bytes.
    pub fn new(name: &str) -> Self {
        Self::within(&std::env::temp_dir(), name)
    }

    /// An empty directory within another one.
    pub fn within(parent: &Path, name: &str) -> Self {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("axle-{name}-{}-{number}", std::process::id()));
        if path.exists() {
            std::fs::remove_dir_all(&path)
                .expect("what an earlier process with this number left can be removed");
        }
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // A temporary directory that stays behind does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
