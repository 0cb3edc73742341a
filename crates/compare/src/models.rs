//! The models of the tests: from texts, or from all files of a folder of the repository.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axle_model::Model;
use axle_source::{Diagnostics, MemoryLoader, Sources};

/// The model of a text; `None` if it is invalid.
pub fn compile(text: &str) -> Option<Arc<Model>> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("model.pml", text);
    let options = axle_promela::Options::default();
    axle_promela::compile(&mut sources, main, &MemoryLoader::default(), &options, &mut diagnostics)
        .map(Arc::new)
}

/// The models of a folder, by name.
pub fn models(folder: &str) -> Vec<(String, Arc<Model>)> {
    let folder = crate::repository().join(folder);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let model = |path: &Path| compile(&std::fs::read_to_string(path).unwrap());
    paths.iter().filter_map(|path| Some((name(path), model(path)?))).collect()
}
