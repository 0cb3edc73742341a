//! The preprocessor over `tests/corpus`: each file's tokens stand beside it in `NAME.out`, one
//! output line a line (`BLESS=1` writes them anew), and gcc, where it is installed, must agree on
//! tokens, lines and line numbers.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use axle_source::{
    Diagnostics, Dialect, MemoryLoader, Options, Severity, Sources, Style, Token, TokenKind, preprocess,
};

fn corpus() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c" || extension == "pml"));
    files.sort();
    assert!(files.len() >= 14, "the corpus is there");
    files
}

fn dialect(path: &Path) -> Dialect {
    if path.extension().is_some_and(|extension| extension == "pml") { Dialect::Promela } else { Dialect::C }
}

struct Run {
    sources: Sources,
    tokens: Vec<Token>,
    errors: String,
}

fn run(name: &str, text: &str, dialect: Dialect) -> Run {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let main = sources.add(name, text);
    let options = Options::new(dialect);
    let output = preprocess(main, &options, &MemoryLoader::default(), &mut sources, &mut diagnostics);
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let errors = errors.map(|error| error.render(&sources, Style::default())).collect();
    let mut tokens = output.tokens;
    assert_eq!(tokens.pop().map(|token| token.kind), Some(TokenKind::End));
    Run { sources, tokens, errors }
}

/// Tokens with a blank between any two and a line end where one stands before a token.
fn shown(tokens: &[Token]) -> String {
    let mut text = String::new();
    for token in tokens {
        if !text.is_empty() {
            text.push(if token.newline_before { '\n' } else { ' ' });
        }
        text.push_str(&token.text);
    }
    text.push('\n');
    text
}

#[test]
fn tokens_are_as_recorded() {
    for path in corpus() {
        let text = fs::read_to_string(&path).unwrap();
        let run = run(&path.file_name().unwrap().to_string_lossy(), &text, dialect(&path));
        assert_eq!(run.errors, "", "{}", path.display());
        let recorded = path.with_extension("out");
        let found = shown(&run.tokens);
        if std::env::var_os("BLESS").is_some() {
            fs::write(&recorded, &found).unwrap();
        }
        let expected = fs::read_to_string(&recorded).unwrap();
        assert_eq!(found, expected, "{}", path.display());
    }
}

/// The file as gcc preprocesses it, read back through our own preprocessor for its line markers.
fn by_gcc(path: &Path, text: &str) -> Option<Run> {
    let standard = if dialect(path) == Dialect::C { "-std=gnu11" } else { "-std=gnu99" };
    let mut gcc = Command::new("gcc")
        .args(["-E", standard, "-undef", "-w", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    gcc.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = gcc.wait_with_output().ok()?;
    assert!(output.status.success(), "gcc refuses {}", path.display());
    Some(run("gcc", &String::from_utf8(output.stdout).ok()?, dialect(path)))
}

#[test]
fn gcc_agrees() {
    for path in corpus() {
        let text = fs::read_to_string(&path).unwrap();
        let Some(theirs) = by_gcc(&path, &text) else {
            // The comparison is with the preprocessor of gcc; continuous integration installs it.
            println!("skipped: gcc is not installed");
            return;
        };
        // As gcc calls its standard input.
        let ours = run("<stdin>", &text, dialect(&path));
        assert_eq!(shown(&ours.tokens), shown(&theirs.tokens), "{}", path.display());
        let spelled = |run: &Run, token: &Token| {
            let place = run.sources.place(run.sources.outermost(token.loc()));
            (place.file.to_string(), place.start.line, token.text.to_string())
        };
        for (mine, other) in ours.tokens.iter().zip(&theirs.tokens) {
            assert_eq!(spelled(&ours, mine), spelled(&theirs, other), "{}", path.display());
        }
    }
}
