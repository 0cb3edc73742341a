//! `cargo xtask test`: what has to pass before a change lands, cheapest first.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::tidy;

/// What is run with cargo, in this order.
const STEPS: [(&str, &[&str]); 4] = [
    ("format", &["fmt", "--all", "--check"]),
    ("lints", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]),
    ("tests", &["nextest", "run", "--workspace"]),
    ("documentation tests", &["test", "--workspace", "--doc", "--quiet"]),
];

/// The random cases of the property tests are the same on every machine and every day, so that a change that passes here
/// passes elsewhere; another number, in `PROPTEST_RNG_SEED`, tries others.
const SEED: &str = "1";

/// Runs all steps, and stops at the first that fails.
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
                "format" => " (cargo fmt --all mends it)",
                _ => "",
            };
            return Err(format!("{name} failed{hint}"));
        }
        eprintln!("── {name}: passed in {:.0} s", begin.elapsed().as_secs_f64());
    }
    Ok(())
}
