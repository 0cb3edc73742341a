//! Measurements: the commands `cargo xtask bench`, `limits` and `coverage`, and the records of all
//! developer commands that measure.
//!
//! *Entry points:* [`bench::run`], [`limits::run`], [`coverage::run`]; [`results::record`] writes
//! `bench/results`, [`results::pages`] the tables of the documentation.

pub mod bench;
pub mod coverage;
pub mod limits;
pub mod results;

/// The root directory of the repository of this build, for tests.
#[cfg(test)]
fn repository() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
