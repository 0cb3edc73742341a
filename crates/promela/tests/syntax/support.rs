//! Reading models in tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use axle_promela::ast::{Item, Program};
use axle_source::{
    Diagnostics, Dialect, LoadError, Loader, MemoryLoader, Options, Severity, Sources, Style, preprocess,
};

/// Files of a folder.
pub struct Disk(pub PathBuf);

impl Loader for Disk {
    fn load(&self, path: &str, _: u64) -> Result<Vec<u8>, LoadError> {
        std::fs::read(self.0.join(path)).map_err(|_| LoadError::NotFound)
    }
}

/// A parsed model.
pub struct Parsed {
    pub program: Program,
    pub sources: Sources,
    pub diagnostics: Diagnostics,
}

impl Parsed {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.has_errors()
    }

    /// The first error, on one line.
    pub fn first_error(&self) -> String {
        let error = self.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
        error.map_or_else(String::new, |error| {
            let line = error.place(&self.sources).map_or(0, |place| place.start.line);
            format!("{line}: {} {}", error.code, error.message)
        })
    }

    pub fn rendered(&mut self) -> String {
        self.diagnostics.sort(&self.sources);
        self.diagnostics.render(&self.sources, Style::default())
    }

    /// The declarations without those of inlines.
    pub fn items(&self) -> Vec<&Item> {
        self.program.items.iter().filter(|item| !matches!(item, Item::Inline(_))).collect()
    }
}

pub fn parse_with(name: &str, text: &[u8], loader: &dyn Loader) -> Parsed {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let (main, warning) = sources.add_bytes(name, text);
    diagnostics.extend(warning);
    let input = preprocess(main, &Options::new(Dialect::Promela), loader, &mut sources, &mut diagnostics);
    let program = axle_promela::parse(&input, &mut sources, &mut diagnostics);
    Parsed { program, sources, diagnostics }
}

pub fn parse_text(text: &str) -> Parsed {
    parse_with("model.pml", text.as_bytes(), &MemoryLoader::default())
}

pub fn parse_file(path: &Path) -> Parsed {
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let text = std::fs::read(path).unwrap_or_default();
    parse_with(&name, &text, &Disk(folder))
}

/// All `.pml` files below a folder, sorted.
pub fn models_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "pml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The models of the project.
pub fn conformance() -> Vec<PathBuf> {
    models_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance"))
}

/// The models that come with Debian's `spin`, none where it is not installed.
pub fn spin_examples() -> Vec<PathBuf> {
    let found = models_below(Path::new("/usr/share/doc/spin/examples"));
    if found.is_empty() {
        // The examples come with Spin and are not ours to copy; continuous integration installs them.
        println!("skipped: Spin's examples are not installed");
    }
    found
}

/// Whether `spin -a` accepts a model, or nothing where there is no `spin`. It runs in a folder of
/// its own, with a copy of what lies beside the model.
pub fn spin_accepts(text: &[u8], beside: Option<&Path>, tag: &str) -> Option<bool> {
    let folder = std::env::temp_dir().join(format!("axle-promela-{}-{tag}", std::process::id()));
    std::fs::create_dir_all(&folder).ok()?;
    if let Some(beside) = beside {
        for entry in std::fs::read_dir(beside).ok()?.flatten() {
            if entry.path().is_file() {
                std::fs::copy(entry.path(), folder.join(entry.file_name())).ok()?;
            }
        }
    }
    std::fs::write(folder.join("axle_model.pml"), text).ok()?;
    let result = Command::new("spin").args(["-a", "axle_model.pml"]).current_dir(&folder).output();
    let accepted = result.ok().map(|output| output.status.success() && folder.join("pan.c").exists());
    // A folder that remains does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    if accepted.is_none() {
        // The comparison is with Spin; continuous integration installs it.
        println!("skipped: spin is not installed");
    }
    accepted
}
