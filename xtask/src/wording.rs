//! Words and phrases that the project has replaced, in comments, string literals and documentation.
//!
//! *Entry point:* [`problems`].
//! *Invariant:* a phrase is found as whole words, without regard to case and across line breaks.
//! Entries of the glossary marked "formerly" are exempt.

/// A phrase, and what to write instead.
const PHRASES: [(&str, &str); 49] = [
    ("nobody", "no thread, no process, none"),
    ("nobody's", "without an owner"),
    ("whoever", "the process that, the user that"),
    ("whomever", "the process that, the user that"),
    ("whosoever", "the process that, the user that"),
    ("for ever", "forever, infinitely often"),
    ("in vain", "without success"),
    ("comes to nothing", "is irrelevant"),
    ("come to nothing", "are irrelevant"),
    ("came to nothing", "was irrelevant"),
    ("is held to", "must satisfy, is compared with"),
    ("are held to", "must satisfy, are compared with"),
    ("goes wrong", "fails, is violated"),
    ("go wrong", "fail, are violated"),
    ("going wrong", "failing"),
    ("went wrong", "failed"),
    ("gone wrong", "failed"),
    ("mend", "repair, fix"),
    ("mended", "repaired, fixed"),
    ("mending", "repairing, fixing"),
    ("told", "reported"),
    ("may rest", "is in a valid end state"),
    ("gets on", "executes a statement"),
    ("got on", "executed a statement"),
    ("round again", "repeat"),
    ("who has", "the owner"),
    ("who is", "the process that"),
    ("who waits", "the waiting thread"),
    ("who gets", "the process that"),
    ("who goes", "the process that"),
    ("what has none", "a value, process or thread without one"),
    ("what has no", "a value, process or thread without"),
    ("what comes of", "the result of"),
    ("crowd", "counter abstraction, folded threads"),
    ("crowds", "counter abstraction, folded threads"),
    ("stretch", "transaction"),
    ("stretches", "transactions"),
    ("takes turns", "alternates"),
    ("a turn of its own", "a transition"),
    ("breathe", "poll"),
    ("melt", "merge"),
    ("moot", "irrelevant"),
    ("no process can move", "every process is blocked"),
    ("gets stuck where", "has an invalid end state"),
    ("is stuck", "is blocked"),
    ("are stuck", "are blocked"),
    ("indivisible sequence", "atomic or d_step sequence"),
    ("is handed over", "rendezvous"),
    ("is at fault", "is the cause"),
];

/// Folders and files with text of other authors, and this list.
const EXEMPT: [&str; 5] =
    ["xtask/src/wording.rs", "tests/conformance/", "LICENSE", "Cargo.lock", "bench/results/"];

/// The occurrences of the phrases in a file.
pub fn problems(name: &str, text: &str) -> Vec<String> {
    if EXEMPT.iter().any(|exempt| name.starts_with(exempt)) {
        return Vec::new();
    }
    let is_rust = name.ends_with(".rs");
    if !is_rust && !name.ends_with(".md") && !name.ends_with(".html") {
        return Vec::new();
    }
    let mut words: Vec<(usize, String)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let formerly = name.ends_with("glossary.md") && line.contains("formerly");
        let is_comment = line.trim_start().starts_with("//");
        // Of code, the string literals.
        let step = if is_rust && !is_comment { 2 } else { 1 };
        let parts = line.split('"').skip(step - 1).step_by(step).filter(|_| !formerly);
        for part in parts {
            let own = part
                .split(|c: char| !(c.is_alphanumeric() || "'_-{}".contains(c)))
                .filter(|word| !word.is_empty());
            words.extend(own.map(|word| (number + 1, word.to_lowercase())));
        }
    }
    let mut problems = Vec::new();
    for (phrase, better) in PHRASES {
        let wanted: Vec<&str> = phrase.split(' ').collect();
        for found in words.windows(wanted.len()) {
            if found.iter().map(|(_, word)| word.as_str()).eq(wanted.iter().copied()) {
                problems.push(format!("{name}:{}: `{phrase}` (use: {better})", found[0].0));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_in_comments_strings_and_documents() {
        let text = "fn whoever() {\n    // Waits in\n    // vain.\n    let s = \"Told\";\n}\n";
        let wanted = ["a.rs:2: `in vain` (use: without success)", "a.rs:4: `told` (use: reported)"];
        assert_eq!(problems("a.rs", text), wanted);
        assert_eq!(
            problems("a.md", "it waits for\never"),
            ["a.md:1: `for ever` (use: forever, infinitely often)"]
        );
        assert_eq!(problems("a.md", "foretold, moots"), Vec::<String>::new());
    }

    #[test]
    fn the_glossary_may_name_replaced_words() {
        let glossary = "transaction (formerly: stretch)\nstretch\n";
        assert_eq!(problems("docs/reference/glossary.md", glossary).len(), 1);
    }
}
