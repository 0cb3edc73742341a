//! Checks the same program with Spin: verdicts, and states and transitions without reductions.
//!
//! *Entry point:* [`compare`].
//!
//! `spin -o1 -o2 -o3 -a`, then pan without reduction: once for safety violations, continuing after
//! errors, and once for each property. Spin does not continue in the same way after some violations
//! (index out of bounds, blocking `d_step`); only their presence is compared. Programs beyond pan's
//! abilities (a loop of one step, a search deeper than its limit) are counted as not compared, with
//! the reason.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use axle_check::Verdict;
use axle_step::FaultKind;

use super::modes::{Came, Compared};

/// A separate directory, because Spin writes into its working directory.
struct Folder(PathBuf);

static FOLDERS: AtomicU64 = AtomicU64::new(0);

impl Folder {
    fn new() -> std::io::Result<Folder> {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("axle-fuzz-{}-{number}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A file that remains is in the directory for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The output of a Spin command.
fn said(folder: &Path, line: &str) -> Result<String, String> {
    let output = Command::new("sh").arg("-c").arg(line).current_dir(folder).output();
    let output = output.map_err(|e| format!("sh: {e}"))?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    if output.status.code() == Some(124) {
        return Err("pan timed out".into());
    }
    Ok(text)
}

/// The number before these words in pan's report.
fn count(report: &str, words: &str) -> Option<u64> {
    let line = report.lines().find(|line| line.contains(words))?;
    line.trim().split(' ').next()?.parse().ok()
}

/// Compares the common result of all modes of Axle with Spin.
pub fn compare(text: &str, came: Came) -> Compared {
    match ask(text, &came) {
        Ok(Ok(())) => Compared::Agreed(Came { spin: Some(Ok(())), ..came }),
        Ok(Err((kind, why))) => Compared::Differs(format!("spin: {kind}"), why),
        Err(why) => Compared::Agreed(Came { spin: Some(Err(why)), ..came }),
    }
}

type Difference = (String, String);

fn ask(text: &str, came: &Came) -> Result<Result<(), Difference>, String> {
    let folder = Folder::new().map_err(|e| format!("folder: {e}"))?;
    let said = ask_in(&folder.0, text, came)?;
    if said.is_err() && fs::read_to_string(folder.0.join("pan.b")).is_ok_and(|back| receives_twice(&back)) {
        return Err("different result, where pan undoes a receive into one variable twice".into());
    }
    Ok(said)
}

/// Whether pan undoes a receive into a variable that is bound to two fields. The undone message
/// then contains the last field twice, so pan continues with a different state.
fn receives_twice(back: &str) -> bool {
    let mut from: Vec<&str> = Vec::new();
    back.lines().any(|line| {
        // `unrecv(channel, slot, field, variable, whether it is the first);`
        let Some(given) = line.trim().strip_prefix("unrecv(") else {
            from.clear();
            return false;
        };
        let variable = given.splitn(4, ", ").nth(3).and_then(|rest| rest.rsplit_once(", "));
        let variable = variable.map_or("", |(variable, _)| variable);
        let known = from.contains(&variable);
        from.push(variable);
        known && !variable.chars().all(|c| c.is_ascii_digit())
    })
}

fn ask_in(at: &Path, text: &str, came: &Came) -> Result<Result<(), Difference>, String> {
    fs::write(at.join("m.pml"), text).map_err(|e| format!("folder: {e}"))?;
    let front = said(at, "timeout 20 spin -o1 -o2 -o3 -a m.pml 2>&1")?;
    // Spin warns about `else` beside sends and receives, but handles it correctly.
    let refused = |line: &&str| line.contains("Error") && !line.contains("dubious use of 'else'");
    if front.lines().any(|line| refused(&line)) || !at.join("pan.c").exists() {
        let line = front.lines().find(refused).unwrap_or("no pan.c").to_string();
        // The exit of a loop leads to the start of the sequence, not into it.
        if line.contains("jump into d_step") {
            return Err("a loop immediately before a d_step, which Spin rejects".into());
        }
        return Ok(Err(("refused".into(), line)));
    }
    let gcc = "gcc -w -O0 -fwrapv -DNOREDUCE -DVECTORSZ=8192";
    let built = said(at, &format!("{gcc} -DSAFETY -DNOCLAIM -o safe pan.c 2>&1"))?;
    if !at.join("safe").exists() {
        return Err(format!("gcc: {}", built.lines().next().unwrap_or_default()));
    }
    let report = said(at, "timeout 20 ./safe -c0 -n -w16 -m100000 2>&1")?;
    if let Err(difference) = states(&report, came)? {
        return Ok(Err(difference));
    }
    let asked: Vec<_> = came.properties.iter().filter(|(_, verdict)| **verdict != Verdict::Unknown).collect();
    let asked: Vec<_> = asked.into_iter().filter(|(name, _)| is_claim(text, name)).collect();
    if asked.is_empty() {
        return Ok(Ok(()));
    }
    // Spin accepts a run that visits either infinitely often; Axle reports them separately.
    if came.properties.contains_key("acceptance") {
        return Err("accept labels beside a claim".into());
    }
    if text.contains("assert(!(") {
        return Err("an assertion similar to one of a claim".into());
    }
    said(at, &format!("{gcc} -o live pan.c 2>&1"))?;
    for (name, verdict) in asked {
        let chosen = if text.contains("never {") { String::new() } else { format!("-N {name}") };
        let report = said(at, &format!("timeout 20 ./live -a -E -c0 -n -w16 -m100000 {chosen} 2>&1"))?;
        complete(&report)?;
        let violated = report.lines().any(breaks_claim);
        if violated != (*verdict == Verdict::Violated) {
            let line = report.lines().find(|line| breaks_claim(line)).unwrap_or("no error");
            return Ok(Err(("property".into(), format!("{name} {verdict:?}; pan: {line}"))));
        }
    }
    Ok(Ok(()))
}

/// Whether a property is a formula or claim in the text, not a label.
fn is_claim(text: &str, name: &str) -> bool {
    text.contains(&format!("ltl {name} "))
        || (text.contains("never {") && !["acceptance", "progress"].contains(&name))
}

/// Whether a line of pan's report is a violation of the claim. Spin's assertion for a bad prefix of
/// a formula starts with a negation.
fn breaks_claim(line: &str) -> bool {
    let asserted =
        line.split_once("assertion violated").is_some_and(|(_, text)| text.trim().starts_with("!("));
    let words = ["acceptance cycle", "accept stutter", "end state in claim reached"];
    line.starts_with("pan:") && (asserted || words.iter().any(|words| line.contains(words)))
}

/// Checks that pan's search was complete.
fn complete(report: &str) -> Result<(), String> {
    for (words, why) in [
        ("max search depth too small", "deeper than pan's limit"),
        ("unconditional self-loop", "a loop of one step"),
        ("Search not completed", "pan did not complete"),
        ("VECTORSZ", "the size of pan's states"),
    ] {
        if report.contains(words) {
            return Err(why.into());
        }
    }
    match report.contains("errors:") {
        true => Ok(()),
        false => Err(format!("pan: {}", report.lines().next_back().unwrap_or_default())),
    }
}

fn states(report: &str, came: &Came) -> Result<Result<(), Difference>, String> {
    complete(report)?;
    // Violations after which Spin continues in the same way.
    let same = [FaultKind::Assertion, FaultKind::InvalidEnd, FaultKind::Truncation, FaultKind::MessagesLeft];
    let errors = |words: &[&str]| {
        report.lines().any(|line| line.starts_with("pan:") && words.iter().any(|word| line.contains(word)))
    };
    let has = |kind| came.violations.contains(&kind);
    if let Some(other) = came.violations.iter().find(|kind| !same.contains(kind)) {
        return match errors(&[""]) {
            true => Err(format!("{other:?} in both")),
            false => Ok(Err(("verdict".into(), format!("{other:?}, which pan does not report")))),
        };
    }
    let assertion = errors(&["assertion violated"]);
    let end = errors(&["invalid end state"]);
    if assertion != has(FaultKind::Assertion) || end != has(FaultKind::InvalidEnd) {
        let line = report.lines().find(|line| line.starts_with("pan:")).unwrap_or("no error");
        return Ok(Err(("verdict".into(), format!("{came}; pan: {line}"))));
    }
    let stored = count(report, "states, stored");
    let transitions = count(report, "transitions (= stored+matched)");
    if (stored, transitions) != (Some(came.states), Some(came.transitions)) {
        // pan undoes a receive with the truncated value of the variable, so it continues with a
        // different state.
        if has(FaultKind::Truncation) {
            return Err("different counts, where pan undoes a truncating receive".into());
        }
        return Ok(Err((
            "counts".into(),
            format!("{came}; pan: {stored:?} states, {transitions:?} transitions"),
        )));
    }
    Ok(Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receive_into_one_variable_twice_is_seen() {
        let back = |third: &str| {
            format!(
                "\t\tunrecv(now.c, XX-1, 0, ((int)now.x), 1);\n\t\tunrecv(now.c, XX-1, 1, 0, 0);\n\
                \t\tunrecv(now.c, XX-1, 2, 0, 0);\n\t\tunrecv(now.c, XX-1, 3, {third}, 0);\n"
            )
        };
        assert!(receives_twice(&back("((int)now.x)")));
        assert!(!receives_twice(&back("((int)now.y)")));
        assert!(!receives_twice(&format!("{}\n;\n{}", back("now.y"), back("now.y"))));
    }
}
