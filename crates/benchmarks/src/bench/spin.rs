//! The Spin runs: generation, compilation, exploration, and parsing of pan's output.
//!
//! *Entry points:* [`build`], [`explore`].

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use super::measure::{self, Usage};
use super::subjects::Counts;

/// A compiled verifier.
pub struct Pan {
    /// Path of the program.
    pub program: PathBuf,
    /// Wall time of generation and compilation in seconds.
    pub seconds: f64,
}

/// The resources and counts of pan; counts only of a complete search without errors.
pub struct Explored {
    /// Resources of the search.
    pub usage: Usage,
    /// Counts of a complete search, or the reason why there are none.
    pub counts: Result<Counts, String>,
}

/// Generates and compiles a verifier without any optimisation that changes the state space.
pub fn build(source: &Path, scratch: &Path) -> Result<Pan, String> {
    build_for(source, scratch, &["-w", "-O2", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=64000"])
}

/// The same with these compiler flags.
pub fn build_for(source: &Path, scratch: &Path, flags: &[&str]) -> Result<Pan, String> {
    build_with(source, scratch, &["-o1", "-o2", "-o3"], flags)
}

/// Generates a verifier with these options and compiles it with these flags.
pub fn build_with(source: &Path, scratch: &Path, options: &[&str], flags: &[&str]) -> Result<Pan, String> {
    let begin = Instant::now();
    let text = std::fs::read(source).map_err(|e| format!("{}: {e}", source.display()))?;
    std::fs::write(scratch.join("model.pml"), text).map_err(|e| e.to_string())?;
    call("spin", &[options, &["-a", "model.pml"]].concat(), scratch)?;
    let flags = [flags, &["-o", "pan", "pan.c"]].concat();
    call("gcc", &flags, scratch)?;
    Ok(Pan { program: scratch.join("pan"), seconds: begin.elapsed().as_secs_f64() })
}

fn call(program: &str, args: &[&str], folder: &Path) -> Result<(), String> {
    let output = Command::new(program).args(args).current_dir(folder).output();
    let output = output.map_err(|e| format!("{program}: {e}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{program} failed: {}", String::from_utf8_lossy(&output.stdout))),
    }
}

/// Explores with a maximum depth of `depth` and a table of 2^`slots` entries.
pub fn explore(pan: &Path, depth: u64, slots: u32, scratch: &Path) -> Result<Explored, String> {
    let args = ["-n".to_string(), "-c1".into(), format!("-m{depth}"), format!("-w{slots}")];
    let output = measure::run(pan, &args, scratch)?;
    Ok(Explored { usage: output.usage, counts: counts(&output.stdout) })
}

/// The number of states stored by pan, for a complete search without errors.
pub fn stored(text: &str) -> Result<u64, String> {
    for trouble in ["max search depth too small", "out of memory", "Search not completed", "aborting"] {
        if text.contains(trouble) {
            return Err(format!("pan: {trouble}"));
        }
    }
    match (after(text, "errors: "), before(text, " states, stored")) {
        (Some(0), Some(states)) => Ok(states),
        other => Err(format!("pan printed {other:?}")),
    }
}

/// Parses pan's counts.
fn counts(text: &str) -> Result<Counts, String> {
    stored(text)?;
    let found = (|| {
        Some(Counts {
            states: before(text, " states, stored")?,
            transitions: before(text, " transitions (")?,
            depth: after(text, "depth reached ")?,
            vector: after(text, "State-vector ")?,
        })
    })();
    found.ok_or_else(|| "pan printed no figures".to_string())
}

fn before(text: &str, words: &str) -> Option<u64> {
    text.split(words).next()?.split_whitespace().last()?.parse().ok()
}

fn after(text: &str, words: &str) -> Option<u64> {
    let rest = text.split(words).nth(1)?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "State-vector 48 byte, depth reached 75068, errors: 0\n  1143373 states, stored\n  \
         3088040 states, matched\n  4231413 transitions (= stored+matched)\n";

    #[test]
    fn the_figures_of_pan_are_read() {
        let found = Counts { states: 1_143_373, transitions: 4_231_413, depth: 75_068, vector: 48 };
        assert_eq!(counts(OUTPUT), Ok(found));
    }

    #[test]
    fn a_search_that_ended_early_or_found_something_gives_no_figures() {
        assert!(counts(&format!("error: max search depth too small\n{OUTPUT}")).is_err());
        assert!(counts(&OUTPUT.replace("errors: 0", "errors: 1")).is_err());
        assert!(counts("").is_err());
    }
}
