//! Models from their texts.

use std::sync::Arc;

use axle_model::Model;

/// Reads a model, which must be well-formed.
pub fn model(text: &str) -> Arc<Model> {
    let model = axle_model::parse::parse(text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let wrong = axle_model::verify::verify(&model);
    assert!(wrong.is_empty(), "{wrong:?}\n{text}");
    Arc::new(model)
}
