//! What `gcc -fsyntax-only` accepts the front end accepts, and what gcc rejects it rejects: the
//! programs of this project (also as gcc's own preprocessor leaves them, with glibc's headers
//! inside), and small texts that are wrong.

use std::path::PathBuf;
use std::process::Command;

use axle_c::{Options, compile};
use axle_source::{Diagnostics, MemoryLoader, Sources, Style};

fn has_gcc() -> bool {
    let found = Command::new("gcc").arg("--version").output().is_ok();
    if !found {
        // The comparison is with gcc; continuous integration installs it.
        println!("skipped: gcc is not installed");
    }
    found
}

fn programs() -> Vec<PathBuf> {
    let folders = ["/../c-exec/tests/probes", "/../../tests/c"]
        .map(|folder| format!("{}{folder}", env!("CARGO_MANIFEST_DIR")));
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten()).flatten();
    let mut list: Vec<PathBuf> =
        files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|e| e == "c")).collect();
    list.sort();
    list
}

fn accepts(name: &str, text: &[u8]) -> (bool, String) {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let (main, _) = sources.add_bytes(name, text);
    let options = Options::default();
    let program = compile(&[main], &options, &MemoryLoader::default(), &mut sources, &mut diagnostics);
    (program.is_some(), diagnostics.iter().map(|d| d.render(&sources, Style::default())).collect())
}

fn gcc_accepts(name: &str, text: &str) -> bool {
    let path = std::env::temp_dir().join(format!("axle-{name}-{}.c", std::process::id()));
    std::fs::write(&path, text).expect("a temporary file can be written");
    let output = Command::new("gcc").args(["-w", "-fsyntax-only"]).arg(&path).output().expect("gcc runs");
    std::fs::remove_file(&path).expect("the temporary file can be removed");
    output.status.success()
}

#[test]
fn preprocessed_programs_are_accepted() {
    if !has_gcc() {
        return;
    }
    let list = programs();
    assert!(list.len() > 100, "there are programs to read");
    let mut wrong = Vec::new();
    for path in list {
        let output = Command::new("gcc").args(["-E", "-pthread"]).arg(&path).output().expect("gcc runs");
        let (fine, messages) = accepts("t.i", &output.stdout);
        if !fine {
            wrong.push(format!("{}: {messages}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Bodies of files; each line is one. `+` is accepted by gcc, `-` is not.
const SMALL: &str = include_str!("small.txt");

#[test]
fn small_texts_are_judged_as_gcc_judges_them() {
    let gcc = has_gcc();
    let mut wrong = Vec::new();
    for line in SMALL.lines().filter(|line| !line.is_empty()) {
        let (sign, text) = line.split_at(1);
        let whole = format!("{}\n int main(void) {{ return 0; }}\n", text.trim());
        let (fine, messages) = accepts("t.c", whole.as_bytes());
        if fine != (sign == "+") {
            wrong.push(format!("{line}\n{messages}"));
        }
        if gcc && gcc_accepts("small", &whole) != (sign == "+") {
            wrong.push(format!("gcc disagrees: {line}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Declarations, and the objects, functions and types that they declare at file scope. The parser of
/// programs and the extraction of models are compared with it where their results are accessible.
const DECLARATIONS: &str = include_str!("declarations.txt");

#[test]
fn declarations_are_accepted() {
    let gcc = has_gcc();
    let mut wrong = Vec::new();
    for text in DECLARATIONS.lines().filter_map(|line| line.split(" => ").next()) {
        let (fine, messages) =
            accepts("t.c", format!("{text}\n int main(void) {{ return 0; }}\n").as_bytes());
        // Assembler names are read, and refused because the parser knows no object of that name.
        let expected = !text.contains("asm(");
        if fine != expected || messages.contains("error[") == expected {
            wrong.push(format!("{text}\n{messages}"));
        }
        if gcc && !gcc_accepts("declarations", text) {
            wrong.push(format!("gcc rejects: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
