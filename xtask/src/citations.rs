//! The documentation cites tests and source files that exist: a command such as
//! `cargo test -p axle-step --test paths` names a test program, and a filter names a module of it.
//!
//! *Entry point:* [`problems`].

/// Commands that run a part of the tests.
const COMMANDS: [&str; 2] = ["cargo test ", "cargo nextest run "];

/// The citations of a page that name nothing; `exists` is asked for paths relative to the repository.
pub fn problems(name: &str, text: &str, exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut problems = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for quoted in line.split('`').skip(1).step_by(2) {
            if let Some(missing) = missing_test(quoted, exists).or_else(|| missing_file(quoted, exists)) {
                problems.push(format!("{name}:{}: {missing} does not exist", number + 1));
            }
        }
    }
    problems
}

/// The test program or module that a command names and that does not exist.
fn missing_test(command: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
    let command = without_assignments(command);
    COMMANDS.iter().find(|prefix| command.starts_with(**prefix))?;
    let words: Vec<&str> = command.split_whitespace().collect();
    let after = |flag: &str| words.iter().position(|word| *word == flag).and_then(|at| words.get(at + 1));
    let package = after("-p")?.strip_prefix("axle-")?;
    let tests = format!("crates/{package}/tests");
    let Some(program) = after("--test") else {
        return (!exists(&format!("crates/{package}"))).then(|| format!("the crate {package}"));
    };
    if exists(&format!("{tests}/{program}.rs")) {
        return None;
    }
    let module = words.last().and_then(|filter| filter.strip_suffix("::")).unwrap_or("main");
    let file = format!("{tests}/{program}/{module}.rs");
    (!exists(&file)).then_some(file)
}

/// A command without the variables that are set for it.
fn without_assignments(command: &str) -> &str {
    match command.split_once(' ') {
        Some((first, rest)) if first.contains('=') => without_assignments(rest),
        Some(_) | None => command,
    }
}

/// The source file that is named and does not exist.
fn missing_file(path: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
    let is_source = path.starts_with("crates/") && path.ends_with(".rs");
    let mut paths = is_source.then(|| alternatives(path)).into_iter().flatten();
    paths.find(|path| !exists(path))
}

/// Expands `{a,b}` from left to right; `{}` stands for itself.
pub fn alternatives(text: &str) -> Vec<String> {
    let parts = text.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    let Some((before, (inner, after))) = parts else { return vec![text.to_string()] };
    let rest = alternatives(after);
    let inner = if inner.is_empty() { "{}" } else { inner };
    let expand = |choice: &str| rest.iter().map(|end| format!("{before}{choice}{end}")).collect::<Vec<_>>();
    inner.split(',').flat_map(expand).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a path is one of those of the tests below.
    fn exists(path: &str) -> bool {
        ["crates/a", "crates/a/tests/one.rs", "crates/a/tests/suite/main.rs", "crates/a/tests/suite/part.rs"]
            .contains(&path)
    }

    #[test]
    fn what_is_cited_exists() {
        let page = "`cargo test -p axle-a --test one` and `cargo test -p axle-a`, \
                    `cargo test -p axle-a --test suite part::`, `crates/a/tests/{one,suite/main}.rs`";
        assert_eq!(problems("p.md", page, &exists), Vec::<String>::new());
    }

    #[test]
    fn what_is_missing_is_named() {
        let page = "\n`cargo test -p axle-a --test two`\n`A=all cargo nextest run -p axle-a --test suite other::`\n`crates/a/src/lib.rs`, `cargo test -p axle-b`";
        let expected = [
            "p.md:2: crates/a/tests/two/main.rs does not exist",
            "p.md:3: crates/a/tests/suite/other.rs does not exist",
            "p.md:4: crates/a/src/lib.rs does not exist",
            "p.md:4: the crate b does not exist",
        ];
        assert_eq!(problems("p.md", page, &exists), expected);
    }
}
