//! The files of `assets/islands` are built from the sources in `islands/`.

use std::path::Path;

use axle_evidence::sha256::hexadecimal;
use sha2::{Digest, Sha256};

#[test]
fn built_files_belong_to_their_sources() {
    let islands = Path::new(env!("CARGO_MANIFEST_DIR")).join("islands");
    let mut paths: Vec<String> =
        ["build.js", "package-lock.json", "package.json"].map(str::to_string).to_vec();
    for entry in std::fs::read_dir(islands.join("src")).expect("the sources").flatten() {
        paths.push(format!("src/{}", entry.file_name().to_string_lossy()));
    }
    paths.sort();
    let mut hash = Sha256::new();
    for path in paths {
        hash.update(format!("{path}\n"));
        hash.update(std::fs::read(islands.join(path)).expect("a source"));
    }
    let built = include_str!("../../assets/islands/sources.sha256");
    let message = "assets/islands is out of date; execute `cargo xtask web`";
    assert_eq!(built.trim(), hexadecimal(&hash.finalize()), "{message}");
}
