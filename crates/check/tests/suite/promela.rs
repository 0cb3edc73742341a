//! Models of Promela texts.

use std::sync::Arc;

use axle_model::Model;
use axle_source::{Diagnostics, MemoryLoader, Sources};

/// The model of a text; none if the text has errors.
pub fn compiled(text: &str) -> Option<Arc<Model>> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("m.pml", text);
    let (options, loader) = (axle_promela::Options::default(), MemoryLoader::default());
    axle_promela::compile(&mut sources, main, &loader, &options, &mut diagnostics).map(Arc::new)
}

/// The model of a text.
pub fn model(text: &str) -> Arc<Model> {
    compiled(text).unwrap_or_else(|| panic!("a model: {text}"))
}
