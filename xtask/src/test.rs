//! `cargo xtask test`: what has to pass before a change lands, cheapest first.
//!
//! A test that needs something the machine lacks prints `skipped: REASON` and passes. Such reasons
//! are collected from nextest's report and listed; a reason that is not in [`ALLOWED`] is a
//! failure. Where `CI` is `true`, only [`ALLOWED_IN_CI`] counts.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::tidy;

/// The cargo commands, in this order; the last one names the crates that it tests.
const STEPS: [(&str, &[&str]); 4] = [
    ("format", &["fmt", "--all", "--check"]),
    ("lints", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]),
    ("tests", &["nextest", "run", "--workspace"]),
    ("documentation tests", &["test", "--doc", "--quiet"]),
];

/// Reasons for which a test may be skipped on the machine of a developer.
const ALLOWED: [&str; 9] = [
    "gcc is not installed",
    "z3 is not installed",
    "ABC is not installed",
    "spin is not installed",
    "Spin's examples are not installed",
    "AXLE_SPIN is not set",
    "this system gives no notices of changes",
    "no PostgreSQL cluster can be started",
    "the program `git` is not installed",
];

/// Reasons for which a test may be skipped in continuous integration: comparisons that take many
/// minutes and are commands of their own.
const ALLOWED_IN_CI: [&str; 1] = ["AXLE_SPIN is not set"];

/// What marks a skipped test in its output.
const MARK: &str = "skipped: ";

/// The random cases of the property tests are the same on every machine and every day, so that a
/// change that passes here passes elsewhere; another number, in `PROPTEST_RNG_SEED`, tries others.
const SEED: &str = "1";

/// Runs all steps, and stops at the first failure.
pub fn run(root: &Path) -> Result<(), String> {
    tidy::run(root)?;
    for (name, args) in STEPS {
        let mut args: Vec<String> = args.iter().map(|&arg| arg.to_string()).collect();
        if name == "documentation tests" {
            let packages = packages_with_examples(root)?;
            if packages.is_empty() {
                eprintln!("── {name}: no crate has examples");
                continue;
            }
            args.extend(packages.into_iter().flat_map(|package| ["-p".to_string(), package]));
        }
        eprintln!("── {name}: cargo {}", args.join(" "));
        let begin = Instant::now();
        let mut command = Command::new(env!("CARGO"));
        command.args(&args).current_dir(root);
        if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
            command.env("PROPTEST_RNG_SEED", SEED);
        }
        let status = command.status();
        let status = status.map_err(|e| format!("cargo cannot be run: {e}"))?;
        if !status.success() {
            let hint = match name {
                "tests" => " (if nextest is missing: cargo install --locked cargo-nextest)",
                "format" => " (cargo fmt --all formats the sources)",
                _ => "",
            };
            return Err(format!("{name} failed{hint}"));
        }
        if name == "tests" {
            judge_skips(&report(root))?;
        }
        eprintln!("── {name}: passed in {:.0} s", begin.elapsed().as_secs_f64());
    }
    Ok(())
}

/// The packages with an example in a documentation comment. The compiler reads a whole crate to find its
/// examples, which takes minutes for all crates.
fn packages_with_examples(root: &Path) -> Result<Vec<String>, String> {
    let mut packages = BTreeSet::new();
    for file in tidy::files(root)? {
        let within = file.strip_prefix(root.join("crates")).ok().and_then(|path| path.iter().next());
        let Some(folder) = within.filter(|_| file.extension().is_some_and(|end| end == "rs")) else {
            continue;
        };
        let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        if has_example(&text) {
            packages.insert(format!("axle-{}", folder.to_string_lossy()));
        }
    }
    Ok(packages.into_iter().collect())
}

/// Whether a block of code in a documentation comment is Rust, which it is if it names no language.
fn has_example(text: &str) -> bool {
    let mut is_inside = false;
    text.lines().map(str::trim_start).any(|line| {
        let comment = line.strip_prefix("///").or(line.strip_prefix("//!"));
        let Some(language) = comment.and_then(|text| text.trim_start().strip_prefix("```")) else {
            return false;
        };
        is_inside = !is_inside;
        is_inside && language.split(',').all(|word| !matches!(word.trim(), "text" | "ignore" | "c" | "sh"))
    })
}

/// Whether no test may be skipped.
fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

/// Nextest's report, as `.config/nextest.toml` configures it.
fn report(root: &Path) -> PathBuf {
    // Relative to the workspace, wherever `CARGO_TARGET_DIR` is.
    root.join("target/nextest/default/junit.xml")
}

/// A test that was skipped, and the reason that it printed.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Skip {
    test: String,
    reason: String,
}

/// The skipped tests of a report.
fn skips(report: &str) -> Vec<Skip> {
    let (mut found, mut test) = (Vec::new(), String::new());
    for line in report.lines() {
        if let Some((_, rest)) = line.split_once("<testcase name=\"") {
            test = rest.split('"').next().unwrap_or_default().to_string();
        }
        // The first line of an output follows its element.
        let text = line.rsplit_once("<system-out>").map_or(line, |(_, text)| text).trim();
        if let Some(reason) = text.strip_prefix(MARK) {
            let reason = reason.split('<').next().unwrap_or_default();
            let reason = reason.replace("&apos;", "'").replace("&quot;", "\"").replace("&amp;", "&");
            found.push(Skip { test: test.clone(), reason: reason.trim().to_string() });
        }
    }
    found.dedup();
    found
}

/// Lists the skipped tests, and fails if one must not be.
fn judge_skips(report: &Path) -> Result<(), String> {
    let text = fs::read_to_string(report).map_err(|e| format!("{}: {e}", report.display()))?;
    let skips = skips(&text);
    eprintln!("── tests: {} skipped", skips.len());
    for Skip { test, reason } in &skips {
        eprintln!("   {test}: {reason}");
    }
    let unexpected = unexpected(&skips, is_ci());
    if unexpected.is_empty() { Ok(()) } else { Err(format!("tests must not be skipped:\n{unexpected}")) }
}

/// The skips that are failures, one a line.
fn unexpected(skips: &[Skip], is_ci: bool) -> String {
    let allowed = |reason: &str| match is_ci {
        true => ALLOWED_IN_CI.contains(&reason),
        false => ALLOWED.contains(&reason),
    };
    skips.iter().filter(|skip| !allowed(&skip.reason)).fold(String::new(), |mut out, skip| {
        let _ = writeln!(out, "   {}: {}", skip.test, skip.reason);
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "<testsuite>\n<testcase name=\"first\" classname=\"c\">\n\
        <system-out>\nrunning 1 test\nskipped: gcc is not installed\ntest first ... ok\n</system-out></testcase>\n\
        <testcase name=\"second\" classname=\"c\"><system-out>skipped: Spin&apos;s examples are not installed</system-out>\n\
        </testcase>\n<testcase name=\"third\"><system-out>nothing was skipped: good</system-out></testcase>\n";

    #[test]
    fn skips_are_found_with_test_and_reason() {
        let skip = |test: &str, reason: &str| Skip { test: test.into(), reason: reason.into() };
        let expected =
            [skip("first", "gcc is not installed"), skip("second", "Spin's examples are not installed")];
        assert_eq!(skips(REPORT), expected);
    }

    #[test]
    fn a_known_reason_is_allowed_only_outside_of_continuous_integration() {
        let known = skips(REPORT);
        assert_eq!(unexpected(&known, false), "");
        assert_eq!(unexpected(&known, true).lines().count(), 2);
        let unknown = [Skip { test: "t".into(), reason: "no reason".into() }];
        assert_eq!(unexpected(&unknown, false), "   t: no reason\n");
    }

    #[test]
    fn only_blocks_of_rust_are_examples() {
        assert!(has_example("/// Doubles.\n///\n/// ```\n/// let x = 1;\n/// ```\nfn f() {}"));
        assert!(has_example(
            "//! ```text\n//! a\n//! ```\n    /// ```should_panic\n    /// f()\n    /// ```"
        ));
        assert!(!has_example("//! ```text\n//! a\n//! ```\nlet s = \"```\";"));
    }

    #[test]
    fn every_reason_that_a_test_prints_is_listed() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder above xtask");
        let mut reasons = 0;
        let mut folders: Vec<PathBuf> = vec![root.join("crates")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let text = fs::read_to_string(&path).unwrap_or_default();
                    for (_, rest) in text
                        .match_indices("println!(\"skipped: ")
                        .map(|(at, mark)| (at, &text[at + mark.len()..]))
                    {
                        let reason = rest.split("\")").next().unwrap_or_default();
                        assert!(ALLOWED.contains(&reason), "{}: {reason}", path.display());
                        reasons += 1;
                    }
                }
            }
        }
        assert!(reasons >= ALLOWED.len(), "{reasons}");
    }
}
