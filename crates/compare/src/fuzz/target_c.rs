//! The fuzz target for C: compilation to control-flow graphs, as in `axle check FILE.c` before the
//! search. A fault is a panic or a violated invariant: a program in spite of errors, none without
//! an error, or a location outside its file.
//!
//! *Entry point:* [`run`].

use std::sync::LazyLock;

use axle_c::{Options, compile, listing};
use axle_c_exec::{Settings, fingerprint};
use axle_source::{Diagnostics, Loc, MemoryLoader, Sources, Style};

/// The directory of the abbreviated headers.
const SHORT: &str = "short";

/// The most frequent headers without their function declarations. Reading them would dominate the
/// time of small inputs, and C accepts calls of undeclared functions.
static HEADERS: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(|| {
    let names = [
        "assert.h",
        "errno.h",
        "limits.h",
        "pthread.h",
        "sched.h",
        "semaphore.h",
        "stdatomic.h",
        "stdbool.h",
        "stddef.h",
        "stdint.h",
        "stdio.h",
        "stdlib.h",
        "string.h",
        "sys/types.h",
        "threads.h",
        "time.h",
        "unistd.h",
    ];
    let short = |name: &str| {
        let text = axle_c::header(name).unwrap_or_default();
        let keep = |line: &&str| {
            let number = line.starts_with("#define ") && line.ends_with(|last: char| last.is_ascii_digit());
            let function = line.ends_with(");") && !line.starts_with("typedef");
            !number && (!function || line.starts_with("void *"))
        };
        let lines: Vec<&str> = text.lines().filter(keep).collect();
        (format!("{SHORT}/{name}"), lines.join("\n").into_bytes())
    };
    names.into_iter().map(short).collect()
});

/// Compiles `input`; `loader` provides included files. Returns true if it has no error, and an
/// error for a violated invariant. `thorough` also renders the diagnostics, lists the program, and
/// uses the complete headers.
pub fn run(input: &[u8], loader: &mut MemoryLoader, thorough: bool) -> Result<bool, String> {
    loader.files.insert("main.c".into(), input.to_vec());
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let (main, warning) = sources.add_bytes("main.c", input);
    diagnostics.extend(warning);
    let mut options = Options::default();
    // Time is proportional to the text read: see `target.rs`.
    options.limits.include_depth = 20;
    options.limits.source_bytes = 1 << 20;
    options.limits.use_tokens = 100_000;
    options.limits.expanded_tokens = 1_000_000;
    if !thorough {
        for (name, text) in HEADERS.iter() {
            loader.files.entry(name.clone()).or_insert_with(|| text.clone());
        }
        options.include_dirs.push(SHORT.into());
    }
    let program = compile(&[main], &options, loader, &mut sources, &mut diagnostics);
    let sound = match program {
        None if diagnostics.has_errors() => false,
        None => return Err("no program and no error".into()),
        Some(_) if diagnostics.has_errors() => return Err("a program in spite of an error".into()),
        Some(program) => {
            if thorough {
                if listing(&program).is_empty() {
                    return Err("the listing of the program is empty".into());
                }
                if fingerprint(&program, &Settings::default()).is_empty() {
                    return Err("the program has no fingerprint".into());
                }
            }
            true
        }
    };
    places(&diagnostics, &sources)?;
    if thorough && !diagnostics.is_empty() && diagnostics.render(&sources, Style::default()).is_empty() {
        return Err("the rendered diagnostics are empty".into());
    }
    Ok(sound)
}

/// Checks that every location of a diagnostic is inside its file.
fn places(diagnostics: &Diagnostics, sources: &Sources) -> Result<(), String> {
    let inside = |loc: Loc| {
        let span = sources.outermost(loc);
        span.start <= span.end && span.end as usize <= sources.file(span.file).text().len()
    };
    match diagnostics.iter().find(|d| d.labels.iter().any(|label| !inside(label.loc))) {
        None => Ok(()),
        Some(diagnostic) => Err(format!("{} is located outside its file", diagnostic.code)),
    }
}
