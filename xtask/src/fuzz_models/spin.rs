//! The same program by Spin: verdicts, and states and transitions with all of its reductions off.
//!
//! *Entry point:* [`compare`].
//!
//! `spin -o1 -o2 -o3 -a`, then pan without reduction: once for what goes wrong in states, past
//! every error, and once for each property. Where something goes wrong that Spin does not go on
//! past in the same way (an index out of range, a `d_step` that blocks), only that it goes wrong is
//! compared. What pan cannot do (a loop of one step, a search deeper than its limit) is counted as
//! not compared, with the reason.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use axle_check::Verdict;
use axle_step::FaultKind;

use super::ways::{Came, Compared};

/// A folder of its own, since Spin writes into the one that it runs in.
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
        // What stays behind is in the folder for what may be lost.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What a program of Spin's said.
fn said(folder: &Path, line: &str) -> Result<String, String> {
    let output = Command::new("sh").arg("-c").arg(line).current_dir(folder).output();
    let output = output.map_err(|e| format!("sh: {e}"))?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    if output.status.code() == Some(124) {
        return Err("pan took too long".into());
    }
    Ok(text)
}

/// The number before these words on a line of pan's report.
fn count(report: &str, words: &str) -> Option<u64> {
    let line = report.lines().find(|line| line.contains(words))?;
    line.trim().split(' ').next()?.parse().ok()
}

/// Compares what all ways of Axle say with Spin.
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
        return Err("another answer, where pan undoes a receive into one variable twice".into());
    }
    Ok(said)
}

/// Whether pan puts a message back from a variable that two of its fields went to. It then holds the last of them twice,
/// and what pan sees after going back is another state.
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
    // Spin's name for what it does not like in an `else` beside sends and receives, and then does as it should.
    let refused = |line: &&str| line.contains("Error") && !line.contains("dubious use of 'else'");
    if front.lines().any(|line| refused(&line)) || !at.join("pan.c").exists() {
        let line = front.lines().find(refused).unwrap_or("no pan.c").to_string();
        // The way out of a loop leads to the beginning of the sequence, not into it.
        if line.contains("jump into d_step") {
            return Err("a loop straight before a d_step, which Spin refuses".into());
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
    // Spin accepts a run where either is passed again and again; Axle says something of each.
    if came.properties.contains_key("acceptance") {
        return Err("accept labels beside a claim".into());
    }
    if text.contains("assert(!(") {
        return Err("an assertion that looks like one of a claim".into());
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

/// Whether a property stands in the text as a formula or a claim, rather than being said by labels.
fn is_claim(text: &str, name: &str) -> bool {
    text.contains(&format!("ltl {name} "))
        || (text.contains("never {") && !["acceptance", "progress"].contains(&name))
}

/// Whether a line of pan's report says that the claim is violated. The assertion that Spin makes of a formula's bad
/// prefix begins with a negation.
fn breaks_claim(line: &str) -> bool {
    let asserted =
        line.split_once("assertion violated").is_some_and(|(_, text)| text.trim().starts_with("!("));
    let words = ["acceptance cycle", "accept stutter", "end state in claim reached"];
    line.starts_with("pan:") && (asserted || words.iter().any(|words| line.contains(words)))
}

/// That pan has seen everything.
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
    // What Spin goes on past, and in the same way.
    let same = [FaultKind::Assertion, FaultKind::InvalidEnd, FaultKind::Truncation, FaultKind::MessagesLeft];
    let errors = |words: &[&str]| {
        report.lines().any(|line| line.starts_with("pan:") && words.iter().any(|word| line.contains(word)))
    };
    let has = |kind| came.violations.contains(&kind);
    if let Some(other) = came.violations.iter().find(|kind| !same.contains(kind)) {
        return match errors(&[""]) {
            true => Err(format!("{other:?} in both")),
            false => Ok(Err(("verdict".into(), format!("{other:?}, of which pan says nothing")))),
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
        // pan puts a received message back from the variable that it went to, cut to size: what it sees after going back
        // is another state.
        if has(FaultKind::Truncation) {
            return Err("other counts, where pan undoes a receive that was cut to size".into());
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
