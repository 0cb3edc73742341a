//! Error sequences that a person can read: `tests/sequences` has a project with a seeded fault in each
//! folder, and the parts of the view of its violation.
//!
//! *Entry point:* [`default_view`], also for other projects.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Ran, copy_all, folder, run};

/// The most rows of the default view of an execution.
const MOST_ROWS: usize = 25;

/// The text of the default view of a run, from its headline on.
pub fn default_view<'t>(text: &'t str, headline: &str) -> &'t str {
    let at = text.find(&format!("\n{headline}")).unwrap_or_else(|| panic!("{headline} in {text}"));
    let own = &text[at + 1..];
    let end = own.find("; --trace tree").expect("the line below the rows");
    let own = &own[..end];
    let (_, rows) = own.split_once("\n\n").expect("a headline and rows");
    let is_row = |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let count = rows.lines().filter(is_row).count();
    assert!((3..=MOST_ROWS).contains(&count), "{count} rows: {own}");
    for word in ["axle_", "claim state", "{}", "<provisioning>"] {
        assert!(!own.contains(word), "{word} in {own}");
    }
    own
}

/// A line with its margin removed: lines are broken at the width of the terminal.
fn unbroken(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A copy of a project with its fault.
fn faulty(project: &Path, name: &str) -> PathBuf {
    let copy = folder(&format!("readable-{name}"));
    copy_all(project, &copy);
    let manifest = copy.join("axle.toml");
    let text = fs::read_to_string(&manifest).expect("the manifest");
    let changed = text.replace("[sources]\n", "[sources]\ndefine = [\"FAULT\"]\n");
    assert_ne!(text, changed, "the manifest has sources");
    fs::write(&manifest, changed).expect("the manifest");
    copy
}

/// Without its fault a project has no violation. With it, the view and the chart of the violation have the
/// listed parts in this order.
#[test]
fn the_default_view_shows_cause_events_and_violation() {
    let projects = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/sequences");
    let table = fs::read_to_string(projects.join("cases.tsv")).expect("the cases");
    let mut cases = 0;
    for row in table.lines().skip(1) {
        let [project, headline, view, chart] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a row has four columns: {row}");
        };
        cases += 1;
        let correct = folder(&format!("readable-{project}-correct"));
        copy_all(&projects.join(project), &correct);
        let Ran { exit, out, err } = run(&correct, &["run", "--quiet"], "");
        assert_eq!(exit, 0, "{project}: {out}{err}");
        let copy = faulty(&projects.join(project), project);
        let Ran { exit, out, err } =
            run(&copy, &["run", "--quiet", "--trace", "calls", "--html", "report.html"], "");
        assert_eq!(exit, 1, "{project}: {out}{err}");
        in_order(default_view(&out, &format!("{headline}: ")), view);
        let page = fs::read_to_string(copy.join("report.html")).expect("the report");
        assert!(
            !page.contains("axle_provision") && !page.contains("&lt;provisioning&gt;"),
            "{project}: {page}"
        );
        let Ran { out, .. } = run(&copy, &["run", "--quiet", "--trace", "chart"], "");
        let at = out.find(&format!("\n{headline}: ")).expect("the run");
        let (_, drawn) = out[at + 1..].split_once("\n\n").expect("a chart");
        in_order(drawn, chart);
    }
    assert_eq!(cases, 3, "every project has a row");
}

fn in_order(text: &str, parts: &str) {
    let text = unbroken(text);
    let mut rest = text.as_str();
    for part in parts.split(';') {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part}, behind the parts before it, in {text}"));
        rest = &rest[at + part.len()..];
    }
}
