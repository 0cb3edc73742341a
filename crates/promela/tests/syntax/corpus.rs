//! Every model that Spin accepts parses, and its tree survives being printed and parsed again.

use std::path::Path;

use crate::support::{Parsed, conformance, parse_file, parse_text, spin_accepts, spin_examples};
use axle_promela::print::print;

fn round_trip(path: &Path, parsed: &Parsed) {
    let text = print(&parsed.program);
    let again = parse_text(&text);
    assert!(!again.has_errors(), "{}: {}\n{text}", path.display(), again.first_error());
    assert!(parsed.items() == again.items(), "{}: the tree changed\n{text}", path.display());
}

#[test]
fn every_conformance_model_parses_and_prints() {
    let models = conformance();
    assert!(models.len() > 200, "the conformance models are missing");
    for path in &models {
        let parsed = parse_file(path);
        assert!(!parsed.has_errors(), "{}: {}", path.display(), parsed.first_error());
        round_trip(path, &parsed);
    }
}

#[test]
fn examples_that_spin_accepts_parse_and_print() {
    let mut faults = Vec::new();
    for (index, path) in spin_examples().iter().enumerate() {
        let parsed = parse_file(path);
        if !parsed.has_errors() {
            round_trip(path, &parsed);
            continue;
        }
        let text = std::fs::read(path).unwrap_or_default();
        if spin_accepts(&text, path.parent(), &format!("example-{index}")) == Some(true) {
            faults.push(format!("{}: {}", path.display(), parsed.first_error()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
