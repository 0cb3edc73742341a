//! The compiler against the interpreter, byte for byte, on the full state space of every
//! conformance model.

use axle_compare::lockstep::engines::agree;

use crate::promela::compiled;
use std::path::Path;

#[test]
fn engines_agree_on_every_conformance_model() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance");
    let (mut compared, mut states, mut interpreted) = (0, 0, 0);
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the conformance models") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "pml") {
            continue;
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = std::fs::read_to_string(&path).expect("a readable model");
        let Some(model) = compiled(&text) else { continue };
        let options = axle_step::Options { messages_left: true, movers: true, ..Default::default() };
        match agree(&model, options, 100_000) {
            Ok(agreed) => {
                compared += 1;
                states += agreed.states;
                interpreted += agreed.interpreted;
            }
            Err(why) => wrong.push(format!("{name}: {why}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 200, "only {compared} models were compared");
    // Only faults are left to the interpreter, and most models have few.
    assert!(interpreted * 20 < states as u64, "{interpreted} of {states} states were interpreted");
}
