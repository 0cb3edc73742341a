//! `cargo xtask tidy`: checks the tree against ARCHITECTURE.md.
//!
//! Each check is a function from text to violations, so that tests can cover both cases. The checks
//! cover the crate graph and the list of dependencies (against `cargo metadata`), unused dependencies
//! and licences, import cycles, decisions on the text of reports, lengths and names of files,
//! forbidden words and replaced phrases, reasons for lints, the location of unsafe code, and the tests and files that the documentation cites.
//!
//! *Entry point:* [`problems`].

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

/// Maximum number of lines of a source file.
const MAX_LINES: usize = 900;

/// Words that mark unfinished work or identify the development machine; split, so that this file
/// does not contain them.
const FORBIDDEN: [(&str, &str); 10] = [
    ("FIX", "ME"),
    ("XX", "X:"),
    ("TO", "DO:"),
    ("todo", "!("),
    ("unimplemented", "!("),
    ("dbg", "!("),
    ("#[ign", "ore"),
    ("../sha", "red"),
    ("/ro", "ot/"),
    ("/wo", "rk/"),
];

/// Uninformative file names.
const VAGUE: [&str; 6] = ["utils.rs", "util.rs", "misc.rs", "manager.rs", "helpers.rs", "common.rs"];

/// Directories in which unsafe code is allowed.
const UNSAFE_HOMES: [&str; 2] = ["crates/store/", "crates/step/src/compile"];

/// Prints all violations.
pub fn run(root: &Path) -> Result<(), String> {
    let problems = problems(root)?;
    problems.iter().for_each(|p| eprintln!("{p}"));
    match problems.len() {
        0 => Ok(()),
        n => Err(format!("{n} violations")),
    }
}

/// Missing files of the algorithm index. `{a,b}` in a path stands for alternatives.
fn algorithm_index(architecture: &str, exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let section = architecture.split("## Algorithm index").nth(1).and_then(|text| text.split("\n## ").next());
    let Some(section) = section else {
        return vec!["ARCHITECTURE.md: the algorithm index is missing".to_string()];
    };
    let rows = section.lines().filter(|line| line.starts_with("| ") && line.contains('/'));
    let paths =
        rows.flat_map(|line| line.split('`').skip(1).step_by(2)).flat_map(crate::citations::alternatives);
    let missing = paths.filter(|path| !exists(path));
    missing
        .map(|path| format!("ARCHITECTURE.md: crates/{path} of the algorithm index does not exist"))
        .collect()
}

/// All violations in the tree.
pub fn problems(root: &Path) -> Result<Vec<String>, String> {
    let architecture = read(&root.join("ARCHITECTURE.md"))?;
    let packages = packages(root)?;
    let mut problems = graph(&architecture, &packages);
    problems.extend(dependencies(&architecture, &packages));
    problems.extend(algorithm_index(&architecture, &|path| root.join("crates").join(path).exists()));
    problems.extend(lint_reasons(&read(&root.join("Cargo.toml"))?));
    let mut sources = Vec::new();
    for path in files(root)? {
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        if name.ends_with("/Cargo.toml") && !read(&path)?.contains("[lints]\nworkspace = true") {
            problems.push(format!("{name}: does not inherit the lints of the workspace"));
        }
        // Binary files are not searched.
        let Ok(text) = fs::read_to_string(&path) else { continue };
        problems.extend(words(&name, &text));
        problems.extend(crate::wording::problems(&name, &text));
        if name.ends_with(".md") {
            problems.extend(crate::citations::problems(&name, &text, &|path| root.join(path).exists()));
        }
        if name.ends_with(".rs") {
            problems.extend(shape(&name, &text));
            problems.extend(crate::report_text::problems(&name, &text)?);
            sources.push((name, text));
        }
    }
    problems.extend(crate::dependencies::problems(root, &sources)?);
    problems.extend(crate::imports::problems(&sources)?);
    Ok(problems)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// A package of the workspace.
#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

/// A declared dependency; `kind` is `None` for an ordinary one.
#[derive(Deserialize)]
struct Dependency {
    name: String,
    kind: Option<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

fn packages(root: &Path) -> Result<Vec<Package>, String> {
    let args = ["metadata", "--format-version", "1", "--no-deps", "--offline"];
    let output = Command::new(env!("CARGO")).args(args).current_dir(root).output();
    let output = output.map_err(|e| format!("cargo metadata: {e}"))?;
    let metadata: Metadata =
        serde_json::from_slice(&output.stdout).map_err(|e| format!("cargo metadata: {e}"))?;
    Ok(metadata.packages)
}

/// Checks the crate graph against the list in ARCHITECTURE.md.
fn graph(architecture: &str, packages: &[Package]) -> Vec<String> {
    let allowed = allowed(architecture);
    let names: BTreeSet<&str> = packages.iter().map(|p| p.name.as_str()).collect();
    let mut problems = Vec::new();
    for package in packages {
        let Some(may_use) = allowed.get(package.name.as_str()) else {
            problems.push(format!("ARCHITECTURE.md: the crate graph has no line for {}", package.name));
            continue;
        };
        let uses = package.dependencies.iter().filter(|d| d.kind.is_none()).map(|d| d.name.as_str());
        for used in uses.filter(|used| names.contains(used) && !may_use.contains(used)) {
            problems.push(format!("{} uses {used}, which the crate graph does not allow", package.name));
        }
    }
    for gone in allowed.keys().filter(|name| !names.contains(**name)) {
        problems.push(format!("ARCHITECTURE.md: the crate graph lists {gone}, which does not exist"));
    }
    problems
}

/// The list in the ```` ```crates ```` block: the allowed dependencies of each crate.
fn allowed(architecture: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let block = architecture.split("```crates\n").nth(1).and_then(|rest| rest.split("```").next());
    block
        .unwrap_or_default()
        .lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(name, uses)| (name, uses.split_whitespace().collect()))
        .collect()
}

/// Checks external dependencies against the table of reasons in ARCHITECTURE.md.
fn dependencies(architecture: &str, packages: &[Package]) -> Vec<String> {
    let reasons = architecture.split("## Dependencies").nth(1).unwrap_or_default();
    let own: BTreeSet<&str> = packages.iter().map(|p| p.name.as_str()).collect();
    let used: BTreeSet<&str> =
        packages.iter().flat_map(|p| &p.dependencies).map(|d| d.name.as_str()).collect();
    used.difference(&own)
        .filter(|name| !reasons.contains(&format!("`{name}`")))
        .map(|name| format!("ARCHITECTURE.md: no reason is given for {name}"))
        .collect()
}

/// Checks that every lint of the workspace has a comment on the line above.
fn lint_reasons(manifest: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let mut in_lints = false;
    let mut before = "";
    for (i, line) in manifest.lines().enumerate() {
        if line.starts_with('[') {
            in_lints = line.starts_with("[workspace.lints");
        } else if in_lints && line.contains('=') && !before.starts_with('#') {
            problems.push(format!("Cargo.toml:{}: a lint without a reason above it", i + 1));
        }
        before = line;
    }
    problems
}

fn words(name: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    for (first, second) in FORBIDDEN {
        let word = format!("{first}{second}");
        for (i, _) in text.lines().enumerate().filter(|(_, line)| line.contains(&word)) {
            problems.push(format!("{name}:{}: contains `{word}`", i + 1));
        }
    }
    problems
}

/// Checks the length, name, header and `allow` attributes of a source file.
fn shape(name: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let lines = text.lines().count();
    if lines > MAX_LINES {
        problems.push(format!("{name}: {lines} lines, more than {MAX_LINES}"));
    }
    if VAGUE.iter().any(|vague| name.ends_with(&format!("/{vague}"))) {
        problems.push(format!("{name}: uninformative file name"));
    }
    if !text.starts_with("//!") {
        problems.push(format!("{name}: no `//!` header"));
    }
    let lets_in = format!("allow({}_code", "unsafe");
    if text.contains(&lets_in) && !UNSAFE_HOMES.iter().any(|home| name.starts_with(home)) {
        problems.push(format!("{name}: unsafe code is only allowed in {}", UNSAFE_HOMES.join(" or ")));
    }
    if name.starts_with("crates/cli/src/") {
        problems.extend(shared_state(name, text));
    }
    problems
}

/// Checks that a file of the command line passes what its phases share as values.
fn shared_state(name: &str, text: &str) -> Vec<String> {
    let is_shared = |line: &str| {
        let is_mutable = ["Mutex<", "RwLock<", "Atomic"].iter().any(|kind| line.contains(kind));
        line.contains("static ") && is_mutable
            || ["Box::leak(", "Vec::leak("].iter().any(|leak| line.contains(leak))
    };
    let lines = text.lines().enumerate().filter(|(_, line)| is_shared(line));
    lines.map(|(i, _)| format!("{name}:{}: process-wide state; pass a value", i + 1)).collect()
}

/// All files of the project except build products and hidden directories.
pub(crate) fn files(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for entry in entries.flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            let foreign = name.starts_with("target") || name == ".git" || name == "node_modules";
            let skipped = foreign || path == root.join("Cargo.toml");
            match path.is_dir() {
                _ if skipped => {}
                true => folders.push(path),
                false => found.push(path),
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_algorithm_index_lists_files_that_exist() {
        let text = "## Algorithm index\n| a | `x/src/{b,c}.rs` |\n| d | `e/src/f.rs` |\n\n## Invariants\n| g | `h/i.rs` |\n";
        let missing = algorithm_index(text, &|path| path != "x/src/c.rs");
        assert_eq!(missing, ["ARCHITECTURE.md: crates/x/src/c.rs of the algorithm index does not exist"]);
        assert_eq!(algorithm_index("", &|_| true).len(), 1);
    }

    #[test]
    fn the_tree_is_tidy() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder above xtask");
        assert_eq!(problems(root).expect("the tree can be read"), Vec::<String>::new());
    }

    const ARCHITECTURE: &str = "```crates\na:\nb: a\n```\n## Dependencies\n| `clap` | so |\n";

    fn package(name: &str, uses: &[(&str, Option<&str>)]) -> Package {
        let dependency = |(name, kind): &(&str, Option<&str>)| Dependency {
            name: (*name).to_string(),
            kind: kind.map(str::to_string),
        };
        Package { name: name.into(), dependencies: uses.iter().map(dependency).collect() }
    }

    #[test]
    fn an_edge_that_is_listed_is_allowed_and_tests_may_use_anything() {
        let packages = [package("a", &[("b", Some("dev"))]), package("b", &[("a", None), ("clap", None)])];
        assert_eq!(graph(ARCHITECTURE, &packages), Vec::<String>::new());
        assert_eq!(dependencies(ARCHITECTURE, &packages), Vec::<String>::new());
    }

    #[test]
    fn an_edge_that_is_not_listed_is_a_problem() {
        let packages = [package("a", &[("b", None)]), package("b", &[])];
        assert_eq!(graph(ARCHITECTURE, &packages), ["a uses b, which the crate graph does not allow"]);
    }

    #[test]
    fn the_list_and_the_tree_name_the_same_crates() {
        let problems = graph(ARCHITECTURE, &[package("a", &[]), package("c", &[])]);
        assert_eq!(
            problems,
            [
                "ARCHITECTURE.md: the crate graph has no line for c",
                "ARCHITECTURE.md: the crate graph lists b, which does not exist"
            ]
        );
    }

    #[test]
    fn a_dependency_needs_a_reason() {
        let packages = [package("a", &[("serde", None)])];
        assert_eq!(dependencies(ARCHITECTURE, &packages), ["ARCHITECTURE.md: no reason is given for serde"]);
    }

    #[test]
    fn a_lint_needs_a_reason() {
        let manifest = "[workspace.lints.rust]\n# Because.\na = \"warn\"\nb = \"deny\"\n[profile]\nx = 1\n";
        assert_eq!(lint_reasons(manifest), ["Cargo.toml:4: a lint without a reason above it"]);
    }

    #[test]
    fn marks_of_unfinished_work_are_found() {
        let text = format!("fine\n// {}{} later", FORBIDDEN[0].0, FORBIDDEN[0].1);
        assert_eq!(words("a.rs", &text).len(), 1);
        assert_eq!(words("a.rs", "fine"), Vec::<String>::new());
    }

    #[test]
    fn long_vague_and_unsafe_files_are_found() {
        let long = "//! Long.\n".repeat(MAX_LINES + 1);
        assert_eq!(shape("crates/a/src/x.rs", &long).len(), 1);
        assert_eq!(shape("crates/a/src/utils.rs", "//! Things.").len(), 1);
        assert_eq!(shape("crates/a/src/x.rs", "fn f() {}").len(), 1);
        let lets_in = format!("//! X.\n#![{}({}_code, reason = \"\")]", "allow", "unsafe");
        assert_eq!(shape("crates/a/src/x.rs", &lets_in).len(), 1);
        assert_eq!(shape("crates/store/src/x.rs", &lets_in).len(), 0);
    }

    #[test]
    fn process_wide_state_of_the_command_line_is_found() {
        let text = "//! X.\nstatic DONE: Mutex<u8> = Mutex::new(0);\nfn f(a: Box<u8>) { Box::leak(a); }";
        assert_eq!(shape("crates/cli/src/x.rs", text).len(), 2);
        assert_eq!(
            shape("crates/cli/src/x.rs", "//! X.\nstatic NAMES: [u8; 1] = [0];"),
            Vec::<String>::new()
        );
    }
}
