//! Damaged texts must never make the front end panic, nor those that it still accepts make the
//! machine panic. `AXLE_FUZZ=N` tries N texts. And generated inputs, the same ones on every
//! machine, up to the graphs: `cargo xtask fuzz c` runs more of them.

use crate::support;
use std::collections::VecDeque;

use axle_c::Program;
use axle_c_exec::{Settings, Stepper, run};
use axle_compare::fuzz::{corpus, mutate, pieces_c, target_c};
use axle_source::{MemoryLoader, Sources};
use axle_step::{Batch, Grow, Successors};

fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize
}

const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "=",
    "==",
    "->",
    ".",
    "...",
    "?",
    ":",
    "0",
    "1",
    "-1",
    "99999999999",
    "int",
    "char",
    "unsigned",
    "long",
    "struct S",
    "union U {",
    "enum E {",
    "typedef",
    "static",
    "extern",
    "const",
    "void",
    "float",
    "double",
    "if (",
    "else",
    "while (",
    "for (;;)",
    "do",
    "switch (",
    "case 1:",
    "default:",
    "break;",
    "return",
    "goto x;",
    "x:",
    "sizeof",
    "_Generic(",
    "_Alignof(int)",
    "_Static_assert(",
    "__attribute__((packed))",
    "\"s\"",
    "'c'",
    "#",
    "##",
    "/*",
    "*/",
    "//",
    "\\\n",
    "_Atomic",
    "_Thread_local",
    "typeof(",
    "__builtin_offsetof(",
    "__atomic_fetch_add(",
    "({",
    "})",
    "(int[]){1,2}",
    "[0] =",
    ".a =",
    "int (*f)(int)",
    "asm(\"\")",
    "__int128",
    "1.0e",
    "0x",
    "u8",
    "L'x'",
    "%",
    "<<",
    ">>=",
    "main",
    "x++",
    "--y",
    "!",
    "~",
    "malloc(4)",
    "free(p);",
    "pthread_mutex_lock(&m);",
    "assert(0);",
    "va_arg(ap, int)",
];

fn damage(text: &[u8], other: &[u8], state: &mut u64) -> Vec<u8> {
    let mut out = text.to_vec();
    for _ in 0..1 + next(state) % 6 {
        let at = next(state) % (out.len() + 1);
        match next(state) % 6 {
            0 => {
                let end = (at + next(state) % 30).min(out.len());
                out.drain(at..end);
            }
            1 | 2 => {
                let piece = PIECES[next(state) % PIECES.len()];
                let spaced = format!(" {piece} ");
                out.splice(at..at, spaced.bytes());
            }
            3 => {
                let from = next(state) % (other.len() + 1);
                let to = (from + next(state) % 60).min(other.len());
                out.splice(at..at, other[from..to].iter().copied());
            }
            4 => {
                if let Some(byte) = out.get_mut(at) {
                    *byte = (next(state) % 256) as u8;
                }
            }
            _ => {
                let end = (at + next(state) % 40).min(out.len());
                let copy = out[at..end].to_vec();
                out.splice(at..at, copy);
            }
        }
    }
    out
}

/// Expands the first states of a program; how many.
fn explore(program: &Program, settings: &Settings) -> usize {
    let mut stepper = Stepper::new(program, settings);
    stepper.grow(64);
    let mut todo = VecDeque::from([stepper.initial(&mut Vec::new())]);
    let mut batch = Batch::default();
    for expanded in 0..40 {
        let Some(mut state) = todo.pop_front() else { return expanded };
        // States become wider with the stepper.
        state.resize(stepper.width(), 0);
        while let Err(Grow { size }) = stepper.expand(&state, &mut batch) {
            stepper.grow(size);
            state.resize(stepper.width(), 0);
        }
        todo.extend(batch.states.chunks_exact(state.len()).map(<[u8]>::to_vec));
    }
    40
}

#[test]
fn damaged_programs_do_no_harm() {
    let folders = ["/tests/probes", "/../../tests/c"];
    let mut seeds: Vec<Vec<u8>> = folders
        .iter()
        .flat_map(|folder| {
            std::fs::read_dir(format!("{}{folder}", env!("CARGO_MANIFEST_DIR"))).into_iter().flatten()
        })
        .flatten()
        .filter(|file| file.path().extension().is_some_and(|ext| ext == "c"))
        .map(|file| std::fs::read(file.path()).unwrap_or_default())
        .collect();
    seeds.sort();
    assert!(seeds.len() > 60, "there are programs to damage");
    let count: usize = std::env::var("AXLE_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000);
    let mut state = 0x1234_5678_9abc_def1;
    let settings = Settings { memory: 1 << 20, stack_depth: 100, steps: 2_000, ..Settings::default() };
    let (mut ran, mut expanded) = (0, 0);
    for _ in 0..count {
        let (a, b) = (next(&mut state) % seeds.len(), next(&mut state) % seeds.len());
        let text = damage(&seeds[a], &seeds[b], &mut state);
        let shown = text.clone();
        let outcome = std::panic::catch_unwind(|| {
            let mut sources = Sources::new();
            let (program, _) = support::compile_text("t.c", &text, &mut sources);
            if let Some(program) = &program {
                // Whatever the verdict: nothing may panic.
                let _ = run(program, &settings, 2_000);
            }
            program.map(|program| explore(&program, &settings))
        });
        match outcome {
            Ok(Some(states)) => {
                ran += 1;
                expanded += states;
            }
            Ok(None) => {}
            Err(_) => panic!("this text makes us panic:\n{}", String::from_utf8_lossy(&shown)),
        }
    }
    println!("{ran} of {count} were accepted, {expanded} states expanded");
    assert!(
        expanded >= ran,
        "each accepted program has an initial state: {expanded} states of {ran} programs"
    );
}

/// The broken invariant of the front end for an input, in words.
fn fault(input: &[u8], thorough: bool) -> Option<String> {
    match std::panic::catch_unwind(|| target_c::run(input, &mut MemoryLoader::default(), thorough)) {
        Ok(Ok(_)) => None,
        Ok(Err(promise)) => Some(promise),
        Err(_) => Some("a panic".into()),
    }
}

#[test]
fn four_thousand_inputs_to_the_front_end() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = corpus::Corpus::read(&pieces_c::VOCABULARY, &root, false);
    assert!(corpus.entries.len() > 150, "the corpus is there");
    for index in 0..4_000 {
        let input = mutate::input(&corpus, 1, index);
        if let Some(fault) = fault(&input, index % 8 == 0) {
            panic!("input {index}: {fault}\n{}", String::from_utf8_lossy(&input));
        }
    }
}

#[test]
fn types_named_inside_one_another_are_bounded() {
    for word in ["_Atomic(", "typeof("] {
        let text = format!("int main(void) {{ {} int; }}", word.repeat(5_000));
        let mut sources = Sources::new();
        let (program, printed) = support::compile_text("t.c", text.as_bytes(), &mut sources);
        assert!(program.is_none() && printed.contains("E0702"), "{word}: {printed}");
    }
}
