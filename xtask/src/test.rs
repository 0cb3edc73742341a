//! `cargo xtask test`: all checks that must pass before a change lands, fastest first.
//!
//! *Entry point:* [`run`].

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::tidy;

/// The cargo commands, in this order.
const STEPS: [(&str, &[&str]); 4] = [
    ("format", &["fmt", "--all", "--check"]),
    ("lints", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]),
    ("tests", &["nextest", "run", "--workspace"]),
    ("documentation tests", &["test", "--workspace", "--doc", "--quiet"]),
];

/// Fixed random cases of the property tests, equal on every machine, so results are reproducible;
/// `PROPTEST_RNG_SEED` selects others.
const SEED: &str = "1";

/// Runs all steps, and stops at the first failure.
pub fn run(root: &Path) -> Result<(), String> {
    tidy::run(root)?;
    for (name, args) in STEPS {
        eprintln!("── {name}: cargo {}", args.join(" "));
        let begin = Instant::now();
        let mut command = Command::new(env!("CARGO"));
        command.args(args).current_dir(root);
        if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
            command.env("PROPTEST_RNG_SEED", SEED);
        }
        let status = command.status();
        let status = status.map_err(|e| format!("cargo cannot be run: {e}"))?;
        if !status.success() {
            let hint = match name {
                "tests" => " (if nextest is missing: cargo install --locked cargo-nextest)",
                "format" => " (run cargo fmt --all)",
                _ => "",
            };
            return Err(format!("{name} failed{hint}"));
        }
        eprintln!("── {name}: passed in {:.0} s", begin.elapsed().as_secs_f64());
    }
    Ok(())
}
