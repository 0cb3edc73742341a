//! Mutations of verification projects: each is visible in the output and the exit codes of `axle run` and
//! `axle status` and in the overview of the browser, for the right reason. The rows of
//! tests/mutations/mutations.tsv are data.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::served::Served;
use crate::support::{copy_all, folder, run};

/// A row of the table.
struct Mutation<'t> {
    project: &'t str,
    file: &'t str,
    before: String,
    after: String,
    exit: i32,
    row: &'t str,
    verdict: &'t str,
    /// A text of the output, if the row expects one.
    reason: Option<&'t str>,
    state: &'t str,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/mutations")
}

fn mutations(table: &str) -> Vec<Mutation<'_>> {
    let rows = table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    rows.map(|row| {
        let [project, file, before, after, exit, row, verdict, reason, state] = row[..] else {
            panic!("nine columns: {row:?}")
        };
        Mutation {
            project,
            file,
            before: before.replace("\\n", "\n"),
            after: after.replace("\\n", "\n"),
            exit: exit.parse().expect("an exit code"),
            row,
            verdict,
            reason: Some(reason).filter(|reason| *reason != "-"),
            state,
        }
    })
    .collect()
}

/// The difference between what a mutation shows and what is expected; empty if there is none.
fn differences(number: usize, mutation: &Mutation<'_>) -> Vec<String> {
    let copy = folder(&format!("mutations/{number}"));
    copy_all(&root().join(mutation.project), &copy);
    let path = copy.join(mutation.file);
    let text = fs::read_to_string(&path).expect("the file that is changed");
    assert!(text.contains(&mutation.before), "{number}: {} has this text", mutation.file);
    fs::write(&path, text.replace(&mutation.before, &mutation.after)).expect("a changed file");

    let mut wrong = Vec::new();
    let mut expect = |what: &str, holds: bool, shown: &str| {
        if !holds {
            wrong.push(format!("{number} ({} {}): {what}\n{shown}", mutation.project, mutation.after));
        }
    };
    // `axle run`, with all messages: an error is explained there.
    let ran = run(&copy, &["run", "--workers", "2"], "");
    let all = ran.out.clone() + &ran.err;
    expect("exit code of axle run", ran.exit == mutation.exit, &format!("{}\n{all}", ran.exit));
    expect("row of axle run", has_row(&ran.out, mutation), &all);
    expect("reason", mutation.reason.is_none_or(|reason| all.contains(reason)), &all);
    let status = run(&copy, &["status"], "");
    let text = status.out.clone() + &status.err;
    expect("exit code of axle status", status.exit == mutation.exit, &format!("{}\n{text}", status.exit));
    expect("row of axle status", has_row(&status.out, mutation), &text);

    let served = Served::start(&copy, &[], &[]);
    let (_, body) = served.get("/api/project");
    let project: Value = serde_json::from_str(&body).expect("JSON");
    let counted = project["states"].as_array().expect("states").iter();
    let counted = counted.filter(|one| one["state"] == mutation.state).filter_map(|one| one["runs"].as_u64());
    expect("state in the overview", counted.sum::<u64>() > 0, &body);
    let (status, page) = served.get("/");
    let property = mutation.row.split('@').next().unwrap_or_default();
    let is_shown = mutation.exit == 0 || page.contains(property);
    expect("property in the overview", status == 200 && is_shown, &page);
    wrong
}

/// Whether a table has the row with its verdict.
fn has_row(table: &str, mutation: &Mutation<'_>) -> bool {
    table.lines().any(|line| {
        let mut words = line.split_whitespace();
        words.next() == Some(mutation.row) && words.next() == Some(mutation.verdict)
    })
}

#[test]
fn every_mutation_is_visible() {
    let table = fs::read_to_string(root().join("mutations.tsv")).expect("the table");
    let mutations = mutations(&table);
    assert!(mutations.len() >= 20, "{} mutations", mutations.len());
    let wrong: Vec<String> =
        mutations.iter().enumerate().flat_map(|(number, one)| differences(number, one)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
