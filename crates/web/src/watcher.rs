//! Learns from the operating system that files of a project may have changed.
//!
//! Network file systems and exhausted limits give no notice, so the files are compared from time to time
//! in any case: [`Watcher::is_due`].
//!
//! *Entry point:* [`Watcher::start`].
//! *Invariant:* a change is noticed within `COMPARED`, with or without a notice.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _, recommended_watcher};

/// The interval at which files are compared without a notice.
const COMPARED: Duration = Duration::from_secs(5);

/// Notices of changes.
pub struct Watcher {
    /// Its end ends the notices; none where the system gives none.
    notices: Option<RecommendedWatcher>,
    changed: Arc<AtomicBool>,
    compared: Option<Instant>,
}

impl Watcher {
    /// Asks for notices about a folder and everything below it.
    #[must_use]
    pub fn start(root: &Path) -> Watcher {
        let changed = Arc::new(AtomicBool::new(false));
        let (seen, own) = (Arc::clone(&changed), root.to_path_buf());
        let watcher = recommended_watcher(move |event: notify::Result<notify::Event>| {
            // An error may be a lost notice.
            let is_change = event.map_or(true, |event| {
                let is_read = matches!(event.kind, EventKind::Access(_));
                !is_read && (event.paths.is_empty() || event.paths.iter().any(|path| !is_hidden(&own, path)))
            });
            seen.fetch_or(is_change, Ordering::Relaxed);
        });
        let watcher = watcher.and_then(|mut watcher| {
            watcher.watch(root, RecursiveMode::Recursive)?;
            Ok(watcher)
        });
        Watcher { notices: watcher.ok(), changed, compared: None }
    }

    /// Whether the files have to be compared now.
    pub fn is_due(&mut self) -> bool {
        let changed = self.changed.swap(false, Ordering::Relaxed);
        let waited = self.compared.is_none_or(|last| last.elapsed() >= COMPARED);
        let due = changed || waited || self.notices.is_none();
        if due {
            self.compared = Some(Instant::now());
        }
        due
    }
}

/// Whether a path lies in a hidden folder of the project, such as that of the history.
fn is_hidden(root: &Path, path: &Path) -> bool {
    let inner = path.strip_prefix(root).unwrap_or(path);
    inner.components().any(|part| part.as_os_str().to_string_lossy().starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_noticed_except_in_hidden_folders() {
        let root = std::env::temp_dir().join(format!("axle-watcher-{}", std::process::id()));
        std::fs::create_dir_all(root.join(".axle")).expect("a folder");
        let root = std::fs::canonicalize(root).expect("a folder");
        let mut watcher = Watcher::start(&root);
        assert!(watcher.is_due(), "the first comparison");
        if watcher.notices.is_none() {
            // Without notices all files are compared, which the tests of the observer cover.
            println!("skipped: this system gives no notices of changes");
            return;
        }
        std::fs::write(root.join(".axle/history.db"), "x").expect("a file");
        std::thread::sleep(Duration::from_millis(300));
        assert!(!watcher.is_due(), "a hidden file");
        std::fs::write(root.join("model.pml"), "x").expect("a file");
        let noticed = (0..40).any(|_| {
            std::thread::sleep(Duration::from_millis(50));
            watcher.is_due()
        });
        assert!(noticed && watcher.compared.is_some_and(|last| last.elapsed() < COMPARED));
        // A temporary folder that stays behind does no harm.
        let _ = std::fs::remove_dir_all(root);
    }
}
