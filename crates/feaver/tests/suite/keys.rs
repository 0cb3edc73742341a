//! The key of a run changes if and only if something changes that its verdict depends on.

use std::collections::BTreeMap;

use axle_feaver::prepare::key::Key;

use super::runs::runs_of;
use crate::support::Temporary;

fn keys(copy: &Temporary) -> BTreeMap<String, Key> {
    runs_of(&copy.0).into_iter().map(|run| (run.name, run.key)).collect()
}

/// Edits a project and compares the runs whose keys change, with the parts that do.
fn changed(project: &str, edit: impl FnOnce(&Temporary)) -> Vec<(String, String)> {
    let copy = Temporary::copy_of(project);
    let before = keys(&copy);
    edit(&copy);
    let after = keys(&copy);
    let differs = |(name, key): (&String, &Key)| {
        let old = before.get(name)?;
        assert_eq!(old.hash == key.hash, key.changed(old).is_empty(), "{name}");
        (old.hash != key.hash).then(|| (name.clone(), key.changed(old).join(" ")))
    };
    after.iter().filter_map(differs).collect()
}

/// Each row: a file, an old and a new text, and the runs whose keys change with the changed parts.
type Row<'a> = (&'a str, &'a str, &'a str, &'a [(&'a str, &'a str)]);

fn check(project: &str, rows: &[Row<'_>]) {
    for (file, old, new, expected) in rows {
        let found = changed(project, |copy| copy.replace(file, old, new));
        // The check of the software has a test of its own.
        let found: Vec<_> = found.into_iter().filter(|(name, _)| !name.starts_with("safety@")).collect();
        let found: Vec<(&str, &str)> = found.iter().map(|(name, parts)| (&**name, &**parts)).collect();
        assert_eq!(found, *expected, "{file}: `{old}` -> `{new}`");
    }
}

const QUIET: &str = "properties/quiet.md";

/// The check of the software depends on everything but comments, words and names, and on the labels of
/// states, which no formula observes.
#[test]
fn keys_of_the_software() {
    for (file, old, new, expected) in [
        ("phone.pml", "/* Provisioning. */", "/* Flags. */\n\n", None),
        (QUIET, "never rings", "does not ring", None),
        ("phone.pml", "refused = true", "refused = false", Some("model")),
        ("phone.pml", "offhook -> state = dialtone", "offhook -> end_here: state = dialtone", Some("model")),
        ("axle.toml", "time = \"20s\"", "time = \"30s\"", Some("options")),
        ("axle.toml", "[schedule]", "[safety]\nchecks = [\"assertions\"]\n[schedule]", Some("property")),
    ] {
        let found = changed("phone", |copy| copy.replace(file, old, new));
        let own = found.iter().find(|(name, _)| name == "safety@any").map(|(_, parts)| parts.as_str());
        assert_eq!(own, expected, "{file}: `{old}` -> `{new}`");
    }
}

#[test]
fn keys_of_models() {
    let all = [
        ("dial-tone@any", "slice"),
        ("forwarded@forwards", "slice"),
        ("forwarded@plain", "slice"),
        ("no-ringing-when-quiet@busy-only", "slice"),
        ("no-ringing-when-quiet@plain", "slice"),
        ("two-calls@any", "slice"),
    ];
    let options = all.map(|(name, _)| (name, "options"));
    check(
        "phone",
        &[
            // Comments, layout, words, tags, weights, and unused declarations.
            ("phone.pml", "/* Provisioning. */", "/* Flags. */\n\n", &[]),
            ("phone.pml", "byte forwarding;", "byte forwarding;\nint unused;", &[all[0], all[5]]),
            ("phone.pml", "bool offhook", "int unused;\nbool offhook", &[all[0], all[5]]),
            (QUIET, "never rings", "does not ring", &[]),
            (QUIET, "tags = [\"safety\"]", "tags = [\"other\"]", &[]),
            ("properties/dial_tone.md", "weight = 2", "weight = 5", &[]),
            ("requirements/basic.md", "does not ring", "never rings", &[]),
            ("axle.toml", "budget = \"10min\"", "budget = \"20min\"", &[]),
            ("axle.toml", "features = [\"basic\"]", "features = [\"basic\", \"other\"]", &[]),
            // The software.
            ("phone.pml", "offhook -> state = dialtone", "offhook -> state = talking", &all),
            // No safety formula depends on `refused`.
            ("phone.pml", "refused = true", "refused = false", &[all[0], all[5]]),
            // Properties.
            (
                QUIET,
                "!(state == ringing)",
                "state != ringing",
                &[
                    ("no-ringing-when-quiet@busy-only", "slice property"),
                    ("no-ringing-when-quiet@plain", "slice property"),
                ],
            ),
            (QUIET, "[] (do_not_disturb", "[]  (do_not_disturb", &[]),
            ("timelines/dial_tone.tl", "bar offhook", "bar called", &[("dial-tone@any", "slice property")]),
            ("properties/two_calls.pml", "calls > 2", "calls > 1", &[("two-calls@any", "slice property")]),
            // Provisioning.
            (
                "axle.toml",
                "forwards = \"forwarding > 0\"",
                "forwards = \"forwarding > 1\"",
                &[
                    ("forwarded@forwards", "slice provisioning"),
                    ("no-ringing-when-quiet@busy-only", "provisioning"),
                ],
            ),
            // Options.
            ("axle.toml", "time = \"20s\"", "time = \"30s\"", &options),
            (
                QUIET,
                "tags =",
                "fairness = \"weak\"\ntags =",
                &[("no-ringing-when-quiet@busy-only", "options"), ("no-ringing-when-quiet@plain", "options")],
            ),
        ],
    );
}

#[test]
fn keys_of_programs() {
    let all = [
        ("alarm@loud", "program"),
        ("alarm@silent", "program"),
        ("capacity@any", "program"),
        ("initial-level@loud", "program"),
        ("no-ringing@loud", "program"),
        ("no-ringing@silent", "program"),
    ];
    check(
        "gate",
        &[
            ("properties/alarm.md", "Only a gate", "No gate but one", &[]),
            ("gate.c", "inside > 0", "inside != 0", &all),
            // Layout, comments, and declarations that nothing uses.
            (
                "include/gate.h",
                "extern int inside;",
                "/* Inside. */\nextern int unused;\nextern int inside; ",
                &[],
            ),
            ("axle.toml", "CAPACITY=2", "CAPACITY=3", &all),
            (
                "axle.toml",
                "silent = \"!alarm\"",
                "silent = \"alarm == 0 && level == 0\"",
                &[("alarm@silent", "program provisioning"), ("no-ringing@silent", "program provisioning")],
            ),
        ],
    );
}
