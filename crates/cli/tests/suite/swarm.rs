//! `axle swarm` for C programs, as a user runs it. `--members` and `-j 1` make the result
//! independent of time.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use axle_evidence::report::{Report, Verdict};

fn faults() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/faults")
}

/// Exit code and report of a command.
fn report(folder: &Path, arguments: &[&str]) -> (i32, Report) {
    let ran = crate::support::run(folder, &[arguments, &["--json", "-q"]].concat(), "");
    let report = serde_json::from_str(&ran.out).unwrap_or_else(|fault| panic!("{fault}: {}", ran.err));
    (ran.exit, report)
}

fn verdict(report: &Report, property: &str) -> Verdict {
    report.properties.iter().find(|row| row.name == property).expect("the property").verdict
}

#[test]
fn a_swarm_finds_violations_of_every_property_and_shortens_them() {
    let never = "never=[]{count<4}";
    let exact = ["check", "refine_program.c", "--ltl", never, "--max-violations", "all", "--shortest"];
    let swarm = ["swarm", "refine_program.c", "--ltl", never, "--max-violations", "all", "-j", "1"];
    let (exit, found) = report(&faults(), &[&swarm[..], &["--members", "16"]].concat());
    assert_eq!(exit, 1);
    assert_eq!(verdict(&found, "assertions"), Verdict::Violated);
    assert_eq!(verdict(&found, "never"), Verdict::Violated);
    assert_eq!(found.search.order, "swarm");
    assert!(found.refinement.is_empty());
    assert_eq!(found.search.approximation.map_or(0, |told| told.runs.len()), 16);
    for checked in [vec!["--disable", "properties"], vec!["--only", "properties"]] {
        let (_, shortest) = report(&faults(), &[&exact[..], &checked].concat());
        for known in &shortest.violations {
            let own = found
                .violations
                .iter()
                .find(|own| own.property == known.property && own.place == known.place);
            let own = own.unwrap_or_else(|| panic!("{} is found", known.message));
            assert!(own.depth <= known.depth, "{}: {} steps, {} known", own.message, own.depth, known.depth);
        }
    }
}

#[test]
fn a_swarm_proves_nothing_about_a_program() {
    let folder = crate::support::folder("swarm-holds");
    fs::write(folder.join("p.c"), "int x;\nint main(void) { for (x = 0; x < 5; x++) ; return 0; }\n")
        .unwrap();
    let options = ["swarm", "p.c", "--ltl", "end=<>{x==5}", "--members", "4", "-j", "1"];
    let (exit, found) = report(&folder, &options);
    assert_eq!(exit, 3);
    assert!(found.properties.iter().all(|row| row.verdict == Verdict::Unknown));
    assert_eq!(found.stop.map(|stop| stop.reason.name()), Some("approximate"));
}

#[test]
fn a_trail_of_a_swarm_replays_and_replaces_those_of_an_earlier_one() {
    let folder = crate::support::folder("swarm-trail");
    fs::copy(faults().join("refine_program.c"), folder.join("p.c")).unwrap();
    fs::write(folder.join("t-2.trail"), "{\"axle-trail\": 1}\n").unwrap();
    let trail = ["--trail", "t.trail", "--members", "8", "-j", "1"];
    let (exit, _) = report(&folder, &[&["swarm", "p.c"][..], &trail].concat());
    assert_eq!(exit, 1);
    assert!(!folder.join("t-2.trail").exists(), "a stale trail");
    let ran = crate::support::run(&folder, &["replay", "p.c", "t.trail", "-q"], "");
    assert_eq!(ran.exit, 1, "{}", ran.err);
    assert!(ran.out.contains("assertion"), "{}", ran.out);
    fs::write(folder.join("p.c"), "int main(void) { return 0; }\n").unwrap();
    report(&folder, &["swarm", "p.c", "--members", "2", "-j", "1", "--trail", "t.trail"]);
    assert!(!folder.join("t.trail").exists(), "a stale trail");
}

#[test]
fn a_swarm_over_a_program_ends_at_its_time() {
    let folder = crate::support::folder("swarm-time");
    let text = "volatile unsigned x, y;\nint main(void) { for (;;) { x++; y += x; } }\n";
    fs::write(folder.join("p.c"), text).unwrap();
    for threads in ["1", "2"] {
        let start = Instant::now();
        let (exit, _) = report(&folder, &["swarm", "p.c", "--time", "2s", "--memory", "200M", "-j", threads]);
        assert_eq!(exit, 3);
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
}

#[test]
fn a_swarm_links_the_files_of_a_program_and_refuses_more_files_of_a_model() {
    let folder = crate::support::folder("swarm-files");
    fs::write(folder.join("a.c"), "int f(void);\nint main(void) { return 10 / f(); }\n").unwrap();
    fs::write(folder.join("b.c"), "int f(void) { return 0; }\n").unwrap();
    fs::write(folder.join("m.pml"), "init { skip }\n").unwrap();
    let (exit, found) = report(&folder, &["swarm", "a.c", "b.c", "--members", "1", "-j", "1"]);
    assert_eq!((exit, verdict(&found, "arithmetic")), (1, Verdict::Violated));
    assert_eq!(crate::support::run(&folder, &["swarm", "m.pml", "b.c"], "").exit, 2);
}
