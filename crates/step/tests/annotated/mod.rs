//! The models of `tests/steps`, each with what it expects.

use std::path::Path;
use std::sync::Arc;

use axle_model::Model;

use crate::parsed::model;

/// The models beside the tests, by name, with the summary that each expects.
pub fn models() -> Vec<(String, Arc<Model>, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/steps");
    let mut models = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder of models is there") {
        let path = entry.expect("the folder can be listed").path();
        let text = std::fs::read_to_string(&path).expect("a model can be read");
        let name = path.file_stem().expect("a model has a name").to_string_lossy().into_owned();
        let expected = text.lines().find_map(|line| line.strip_prefix("// expect: "));
        let expected = expected.unwrap_or_else(|| panic!("{name} says what to expect")).to_owned();
        models.push((name.clone(), model(&text), expected));
    }
    models.sort_by(|a, b| a.0.cmp(&b.0));
    models
}
