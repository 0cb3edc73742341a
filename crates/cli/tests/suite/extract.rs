//! `axle extract` and `axle check --table`, as a user runs them.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs `axle` in a folder: exit code, standard output, standard error.
fn axle(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_axle")).args(arguments).current_dir(folder).output();
    let output = output.expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

fn example(name: &str) -> std::path::PathBuf {
    crate::support::examples().join("extract").join(name)
}

/// A copy of an example, for tests that write files.
fn copy_of(example: &str, name: &str) -> std::path::PathBuf {
    let folder = crate::support::folder(name);
    for entry in fs::read_dir(self::example(example)).expect("the example").flatten() {
        fs::copy(entry.path(), folder.join(entry.file_name())).expect("a copy");
    }
    folder
}

#[test]
fn a_table_is_made_kept_and_brought_in_line() {
    let folder = crate::support::folder("extract-sync");
    let (c, lut, spn) = (folder.join("x.c"), folder.join("f.lut"), folder.join("f.spn"));
    fs::write(&c, "void f(int n) { a(); if (n) b(); }").expect("a file");
    assert_eq!(axle(&folder, &["extract", "-a", "f", "x.c", "--check-table"]).0, 1);
    assert!(!lut.exists() && !spn.exists());
    assert_eq!(axle(&folder, &["extract", "-a", "f", "x.c"]).0, 0);
    let first = fs::read_to_string(&lut).expect("the table");
    assert!(first.contains("F: a()\tprint\n"), "{first}");
    assert!(fs::read_to_string(&spn).expect("the process").contains("active proctype f()"));
    assert_eq!(axle(&folder, &["extract", "-a", "f", "x.c", "--check-table"]).0, 0);

    let mine = first.replace("F: a()\tprint", "F: a()\tq!1\t/* mine */");
    fs::write(&lut, &mine).expect("a file");
    fs::write(&c, "void f(int n) { if (n) b(); c(); }").expect("a file");
    let (exit, _, said) = axle(&folder, &["extract", "-a", "f", "x.c", "--check-table"]);
    assert_eq!(exit, 1, "{said}");
    assert!(said.contains("W0831") && said.contains("x.c:1:") && said.contains("W0832"), "{said}");
    assert!(said.contains("f.lut:2:1"), "{said}");
    assert_eq!(fs::read_to_string(&lut).expect("the table"), mine, "a check writes nothing");
    assert_eq!(axle(&folder, &["extract", "-a", "f", "x.c"]).0, 0);
    let next = fs::read_to_string(&lut).expect("the table");
    assert!(
        next.contains("#- F: a()\tq!1\t/* mine */\n") && next.contains("F: c()\tprint\t# new\n"),
        "{next}"
    );
    fs::write(&c, "void f(int n) { a(); if (n) b(); }").expect("a file");
    assert_eq!(axle(&folder, &["extract", "-a", "f", "x.c"]).0, 0);
    assert_eq!(fs::read_to_string(&lut).expect("the table"), mine);
}

#[test]
fn bad_input_leaves_files_as_they_were() {
    let folder = crate::support::folder("extract-bad");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
    let table = "A: n=1\tkepe\n#- F: old()\tq!1\n";
    for (c, table) in [
        ("void f(int n) { n = 1; }", table),
        ("void f(int n) { n = 1 }", "A: n=1\thide\n"),
        ("void f(int n) { n = *p; }", "A: n=*p\tkeep\n"),
        ("void g(int n) { n = 1; }", "A: n=1\thide\n"),
    ] {
        write("x.c", c);
        write("f.lut", table);
        write("f.spn", "as it was");
        let (exit, _, said) = axle(&folder, &["extract", "-a", "f", "x.c"]);
        assert_eq!(exit, 2, "{c}: {said}");
        assert_eq!(fs::read_to_string(folder.join("f.lut")).expect("the table"), table);
        assert_eq!(fs::read_to_string(folder.join("f.spn")).expect("the process"), "as it was");
    }
    let (exit, _, said) = axle(&folder, &["extract", "x.c"]);
    assert!(exit == 2 && said.contains("there are: g"), "{said}");
    assert_eq!(axle(&folder, &["extract", "-a", "f", "none.c"]).0, 2);
    write("x.c", "void f(int n) { n = 1; }");
    write("f.lut", "A: n=1\thide\n");
    let (exit, _, said) = axle(&folder, &["extract", "-a", "f", "-p", "f", "x.c"]);
    assert!(exit == 2 && said.contains("in two forms"), "{said}");
    assert_eq!(fs::read_to_string(folder.join("f.spn")).expect("the process"), "as it was");
}

#[test]
fn exact_rows_prove_and_refute() {
    let folder = copy_of("publish", "extract-exact");
    let check = |file: &str, table: &str| {
        axle(&folder, &["check", file, "--table", table, "--wrapper", "publish.pml", "-q"])
    };
    let (exit, out, said) = check("publish.c", "publish.lut");
    assert!(exit == 0 && out.contains("publish.c: holds"), "{out}{said}");
    let plan =
        ["check", "publish.c", "--table", "publish.lut", "--wrapper", "publish.pml", "-q", "--explain-plan"];
    let (exit, out, said) = axle(&folder, &plan);
    assert!(exit == 0 && out.starts_with("publish.c: ") && out.contains("exact search"), "{out}{said}");
    let (exit, out, said) = check("early.c", "publish.lut");
    assert!(exit == 1 && out.contains("confirmed: the program makes this run"), "{out}{said}");
    assert!(out.contains("early.c:20  F: assert((value==42))"), "{out}");
    // What leaves nothing in the model is a part of the execution of the program.
    let table = fs::read_to_string(folder.join("publish.lut")).expect("the table");
    let hides = table.replace("printf(...)\tprint", "printf(...)\thide");
    assert_ne!(hides, table);
    fs::write(folder.join("hides.lut"), hides).expect("a file");
    let (exit, out, said) = check("early.c", "hides.lut");
    assert_eq!(exit, 1, "{out}{said}");
    let lines: Vec<&str> = out.lines().map(str::trim).collect();
    let at = lines.iter().position(|line| line.ends_with("F: printf(\"publishing\\n\")  (hidden)"));
    let next = at.and_then(|at| lines.get(at + 1));
    assert!(next.is_some_and(|line| line.contains("producer(0)") && line.ends_with("A: ready=1")), "{out}");
    let (_, out, _) = axle(
        &folder,
        &["check", "early.c", "--table", "hides.lut", "--wrapper", "publish.pml", "-q", "--color", "always"],
    );
    let dimmed =
        |line: &str| line.starts_with("\x1b[2m") && line.contains("(hidden)") && line.ends_with("\x1b[0m");
    assert!(out.lines().any(dimmed), "{out:?}");
}

#[test]
fn a_run_that_the_program_cannot_make_is_spurious() {
    let folder = copy_of("publish", "extract-spurious");
    let arguments = ["check", "publish.c", "--table", "coarse.lut", "--wrapper", "publish.pml", "-q"];
    let (exit, out, said) = axle(&folder, &arguments);
    assert_eq!(exit, 3, "{out}{said}");
    for text in [
        "spurious: the program does not make this run",
        "publish.c:20:3  F: assert((value==42))",
        "the data that matter: ready, value",
        "coarse.lut:4  A: value=42 -> hide",
        "coarse.lut:5  A: ready=1 -> hide",
        "coarse.lut:8  C: (ready) -> true",
    ] {
        assert!(out.contains(text), "{text}: {out}");
    }
    let json = axle(&folder, &[&arguments[..], &["--json"]].concat()).1;
    assert!(json.contains("\"unknown\"") && json.contains("over: C: (ready) -> true"), "{json}");
    assert!(json.contains("spurious: ") && json.contains("publish.c:20  F: assert((value==42))"), "{json}");
    let sarif = axle(&folder, &[&arguments[..], &["--sarif", "r.sarif"]].concat());
    let sarif = (sarif.0, fs::read_to_string(folder.join("r.sarif")).expect("the report"));
    for part in ["spurious: ", "over: C: (ready) -> true", "coarse.lut", "the execution in C"] {
        assert!(sarif.1.contains(part), "{part}: {}", sarif.1);
    }
}

#[test]
fn what_is_left_out_weakens_a_proof() {
    let folder = example("abp_paper");
    let arguments = [
        "check",
        "abp.c",
        "--table",
        "abp_receiver.lut",
        "--table",
        "abp_sender.lut",
        "--wrapper",
        "abp.pml",
        "-q",
    ];
    let (exit, out, said) = axle(&folder, &arguments);
    assert!(exit == 3 && out.contains("holds of the model, which omits"), "{out}{said}");
    assert!(out.contains("abp_sender.lut:5  under: C: !(cnt++<N) -> false"), "{out}");
    let (exit, _, said) =
        axle(&folder, &["check", "abp.c", "--table", "abp_sender.lut", "--wrapper", "abp.pml"]);
    assert!(exit == 2 && said.contains("--table abp_receiver.lut"), "{said}");
}

#[test]
fn a_fault_in_a_mapping_is_told_at_its_row() {
    let folder = crate::support::folder("extract-blame");
    fs::write(folder.join("x.c"), "void f(int n) {\n  g(n);\n}\n").expect("a file");
    fs::write(folder.join("f.lut"), "F: g(n)\tn = = 1\nR: return\thide\n").expect("a file");
    let (exit, _, said) = axle(&folder, &["check", "x.c", "--table", "f.lut"]);
    assert!(exit == 2 && said.contains("f.lut:1:1") && said.contains("x.c:2:3"), "{said}");
}

#[test]
fn what_a_property_reads_is_no_data_that_may_be_left_out() {
    let folder = crate::support::folder("extract-around");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
    write("x.c", "int turn;\nvoid f(void) { turn = 1; }\nint main(void) { f(); return 0; }\n");
    write("f.lut", "A: turn=1\thide\nR: return\thide\n");
    write("turn.pml", "int turn;\n");
    write("watch.pml", "active proctype watch() { assert(turn == 0) }\n");
    let own = "int turn;\n#include \"f.spn\"\nactive proctype watch() { assert(turn == 0) }\n";
    let included = "#include \"turn.pml\"\n#include \"f.spn\"\n#include \"watch.pml\"\n";
    let named = "#define IT turn\nint IT;\n#include \"f.spn\"\nactive proctype watch() { assert(IT == 0) }\n";
    let defined = "int IT;\n#include \"f.spn\"\nactive proctype watch() { assert(IT == 0) }\n";
    let formula = "#include \"turn.pml\"\n#include \"f.spn\"\n";
    let cases: [(&str, &[&str]); 5] = [
        (own, &[]),
        (included, &[]),
        (named, &[]),
        (defined, &["-DIT=turn"]),
        (formula, &["--ltl", "[] (turn == 0)"]),
    ];
    for (wrapper, more) in cases {
        write("w.pml", wrapper);
        let mut arguments = vec!["check", "x.c", "--table", "f.lut", "--wrapper", "w.pml", "-q"];
        arguments.extend(more);
        let (exit, said, complaint) = axle(&folder, &arguments);
        assert_eq!(exit, 3, "{wrapper}{said}{complaint}");
        assert!(said.contains("hides a change of `turn`, which the model has"), "{wrapper}{said}");
    }
    // No statement reads it: hiding it is exact.
    write("w.pml", "#include \"f.spn\"\n");
    let arguments = ["check", "x.c", "--table", "f.lut", "--wrapper", "w.pml", "-q"];
    assert_eq!(axle(&folder, &arguments).0, 0);
}

#[test]
fn a_table_keeps_its_bytes() {
    let folder = crate::support::folder("extract-bytes");
    let (c, lut) = (folder.join("x.c"), folder.join("f.lut"));
    fs::write(&c, "void f(int n) { a(); }").expect("a file");
    assert_eq!(axle(&folder, &["extract", "-a", "f", "x.c"]).0, 0);
    let made = fs::read_to_string(&lut).expect("the table");
    // Lines as Windows ends them, no end of the last one, a mark of the byte order.
    let windows = made.replace('\n', "\r\n");
    for given in [windows.clone(), made.trim_end().to_string(), format!("\u{feff}{windows}")] {
        fs::write(&lut, &given).expect("a file");
        let (exit, _, said) = axle(&folder, &["extract", "-a", "f", "x.c"]);
        assert_eq!(exit, 0, "{said}");
        assert_eq!(fs::read_to_string(&lut).expect("the table"), given, "needs no change, so gets none");
    }
    fs::write(&lut, &windows).expect("a file");
    fs::write(&c, "void f(int n) { a(); b(); }").expect("a file");
    assert_eq!(axle(&folder, &["extract", "-a", "f", "x.c"]).0, 0);
    let next = fs::read_to_string(&lut).expect("the table");
    assert!(next.contains("F: b()\tprint\t# new\r\n"), "{next:?}");
    assert_eq!(next.matches('\n').count(), next.matches("\r\n").count(), "{next:?}");
    // A comment in another encoding would be lost.
    let latin = [b"# \xe9t\xe9\n", made.as_bytes()].concat();
    fs::write(&lut, &latin).expect("a file");
    let (exit, _, said) = axle(&folder, &["extract", "-a", "f", "x.c"]);
    assert!(exit == 2 && said.contains("f.lut:1: a table is UTF-8"), "{said}");
    assert_eq!(fs::read(&lut).expect("the table"), latin);
}

#[test]
fn other_commands_accept_tables() {
    let folder = copy_of("publish", "extract-commands");
    let tables = ["--table", "publish.lut", "--wrapper", "publish.pml", "-q"];
    let run = |command: &[&str]| axle(&folder, &[command, &tables[..]].concat());
    assert_eq!(run(&["check", "early.c", "--trail", "e.trail"]).0, 1);
    let (exit, out, said) = run(&["replay", "early.c", "e.trail"]);
    assert!(exit == 1 && out.contains("early.c:20  F: assert((value==42))"), "{out}{said}");
    let (exit, out, said) = run(&["simulate", "publish.c", "--trace", "short"]);
    assert!(exit == 0 && out.contains("producer.spn"), "{out}{said}");
    assert_eq!(run(&["simulate", "early.c", "--trail", "e.trail"]).0, 1);
    let (exit, out, said) = run(&["swarm", "early.c", "--members", "4", "-j", "1"]);
    assert!(exit == 1 && out.contains("confirmed: the program makes this run"), "{out}{said}");
    let coarse = ["swarm", "publish.c", "--members", "4", "-j", "1", "--table", "coarse.lut"];
    let (exit, out, said) = axle(&folder, &[&coarse[..], &["--wrapper", "publish.pml", "-q"]].concat());
    assert!(exit == 3 && out.contains("spurious"), "{out}{said}");
    let (exit, out, said) = run(&["slice", "publish.c", "--for", "ready"]);
    assert!(exit == 0 && out.contains("Slice for ready") && out.contains("proctype producer"), "{out}{said}");
    let (exit, _, said) = axle(&folder, &["replay", "early.c", "e.trail", "-q"]);
    assert!(exit == 2 && said.contains("extracted from a program"), "{said}");
    assert!(said.contains("--table publish.lut --wrapper publish.pml"), "{said}");
}

/// A folder of `tests/faults`.
fn faulty(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/faults").join(name)
}

#[test]
fn one_row_serves_every_lock_in_structures() {
    let folder = faulty("extract_members");
    for table in ["box.lut", "box2.lut"] {
        let (exit, out, said) =
            axle(&folder, &["check", "box.c", "--table", table, "--wrapper", "box.pml", "-q"]);
        // What a person wrote by hand is not exact.
        assert_eq!(exit, 3, "{table}: {out}{said}");
        assert!(out.contains("holds of the model") && !said.contains("no row"), "{table}: {out}{said}");
    }
    let (exit, out, said) =
        axle(&folder, &["check", "box.c", "--table", "library.lut", "--wrapper", "box.pml", "-q"]);
    assert!(exit == 0 && out.contains("abstraction: 4 exact"), "{out}{said}");
    assert!(out.contains("library.lut:2  assumed: `b->lock` is `lock` in the model"), "{out}");
}

#[test]
fn a_violation_is_confirmed_on_all_files() {
    let folder = faulty("extract_two_files");
    let tables = ["--table", "worker.lut", "--wrapper", "w.pml", "-q"];
    let check = |files: &[&str]| axle(&folder, &[&["check"], files, &tables].concat());
    let (exit, out, said) = check(&["worker.c", "main.c"]);
    assert!(exit == 1 && !out.contains("it has no `main`"), "{out}{said}");
    assert!(out.contains("the program executes these statements in this order"), "{out}");
    let (_, out, _) = check(&["worker.c"]);
    assert!(out.contains("it has no `main`"), "{out}");
    // The other commands take the files, too.
    let trail = crate::support::folder("extract-files").join("w.trail");
    let trail = trail.to_str().expect("a name");
    assert_eq!(
        axle(&folder, &[&["check", "worker.c", "main.c", "--trail", trail], &tables[..]].concat()).0,
        1
    );
    let replayed = ["replay", "worker.c", trail, "--also", "main.c"];
    let (exit, out, said) = axle(&folder, &[&replayed[..], &tables].concat());
    assert!(exit == 1 && out.contains("worker.c:2  A: level=1"), "{out}{said}");
    for command in
        [&["simulate", "worker.c", "main.c"][..], &["slice", "worker.c", "main.c", "--for", "level"]]
    {
        let (exit, _, said) = axle(&folder, &[command, &tables].concat());
        assert!(exit != 2, "{command:?}: {said}");
    }
}

#[test]
fn extract_takes_several_files_and_makes_its_folder() {
    let folder = copy_of("buffer", "extract-folder");
    fs::write(folder.join("more.c"), "int extra;\nvoid more(void) { extra = 1; }\n").expect("a file");
    let arguments = ["extract", "-a", "producer", "-a", "more", "-o", "made/here", "buffer.c", "more.c"];
    let (exit, _, said) = axle(&folder, &arguments);
    assert_eq!(exit, 0, "{said}");
    for file in ["producer.spn", "producer.lut", "more.spn", "more.lut"] {
        assert!(folder.join("made/here").join(file).is_file(), "{file}: {said}");
    }
}

#[test]
fn statements_without_a_row_are_reported_when_quiet() {
    let folder = crate::support::folder("extract-quiet");
    fs::write(folder.join("x.c"), "void f(int n) { n = 1; g(); n = 2; }\n").expect("a file");
    fs::write(folder.join("f.lut"), "A: n=1\thide\nA: gone=1\thide\nR: return\thide\n").expect("a file");
    for arguments in [&["check", "x.c", "--table", "f.lut", "-q"][..], &["extract", "-a", "f", "x.c", "-q"]] {
        let (_, _, said) = axle(&folder, arguments);
        assert_eq!(said.matches("W0831").count(), 2, "{arguments:?}: {said}");
        assert!(!said.contains("W0832"), "{arguments:?}: {said}");
    }
}

#[test]
fn programs_with_threads_are_checked_by_a_table_alone() {
    for (example, states) in [("buffer", 469), ("pipeline", 924), ("readers_writers", 621)] {
        let folder = self::example(example);
        let (program, table) = (format!("{example}.c"), format!("{example}.lut"));
        let (exit, out, said) = axle(&folder, &["check", &program, "--table", &table, "-q"]);
        assert!(
            exit == 0 && out.contains(&format!("{states} states")) && !out.contains("under:"),
            "{out}{said}"
        );
        // The program itself agrees.
        let (exit, out, said) = axle(&folder, &["check", &program, "-q"]);
        assert_eq!(exit, 0, "{out}{said}");
    }
}

#[test]
fn seeded_faults_in_programs_with_threads_are_found_by_their_table() {
    let cases = [
        // A thread wakes without a signal.
        ("buffer", "while (b->count == 0)", "if (b->count == 0)", "confirmed: the program makes this run"),
        // A signal is missing,
        ("buffer", "pthread_cond_signal(&b->not_empty);", "", "invalid end state (deadlock)"),
        // it wakes the wrong thread,
        (
            "buffer",
            "pthread_cond_wait(&b->not_empty,",
            "pthread_cond_wait(&b->not_full,",
            "invalid end state",
        ),
        // or a lock is not released.
        ("buffer", "\t\tpthread_mutex_unlock(&b->lock);\n\t\tassert", "\t\tassert", "invalid end state"),
        ("pipeline", "sem_post(&slots[0].empty);", "", "invalid end state"),
        ("pipeline", "sem_wait(&slots[1].empty);", "", "assertion violated"),
        ("readers_writers", "pthread_join(writers[i], NULL);", "", "assertion violated"),
        ("readers_writers", "high = high + 1;\n", "high = high + 1;\n\t\tlow = low;\n", "holds"),
    ];
    for (at, (example, from, to, wanted)) in cases.into_iter().enumerate() {
        let folder = copy_of(example, &format!("extract-seeded-{at}"));
        let (program, table) = (format!("{example}.c"), format!("{example}.lut"));
        let text = fs::read_to_string(folder.join(&program)).expect("the program");
        assert!(text.contains(from), "{example}: {from}");
        fs::write(folder.join(&program), text.replacen(from, to, 1)).expect("a file");
        let (exit, out, said) = axle(&folder, &["check", &program, "--table", &table, "-q"]);
        assert_eq!(exit, i32::from(wanted != "holds"), "{example}: {to}: {out}{said}");
        assert!(out.contains(wanted), "{example}: {to}: {out}");
        let (direct, ..) = axle(&folder, &["check", &program, "-q", "--disable", "data-races"]);
        assert_eq!(direct, exit, "{example}: {to}: the program itself");
    }
}

/// Two threads take two locks in different orders.
const OPPOSITE_ORDERS: &str = "#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *one(void *p) {
    pthread_mutex_lock(&a); pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
    return 0;
}
void *two(void *p) {
    pthread_mutex_lock(&b); pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0); pthread_create(&t, 0, two, 0);
    pthread_join(s, 0); pthread_join(t, 0);
    return 0;
}
";

/// A hidden lock adds behaviours. The model continues where the program is blocked, so that it says
/// nothing of deadlocks.
#[test]
fn a_row_that_hides_a_lock_proves_no_absence_of_deadlocks() {
    let folder = crate::support::folder("extract-over");
    fs::write(folder.join("p.c"), OPPOSITE_ORDERS).expect("a file");
    let rest = "D: ...\tkeep\nA: ...\tkeep\nE: ...\tkeep\nC: ...\tkeep\nR: ...\thide\n";
    let hidden = "F: pthread_mutex_lock(&b)\thide\tover\nF: pthread_mutex_unlock(&b)\thide\tover\n";
    assert_eq!(axle(&folder, &["check", "p.c", "-q"]).0, 1, "the program has a deadlock");
    for (rows, expected, verdict) in [("", 1, "end-states  violated"), (hidden, 3, "end-states  unknown")] {
        fs::write(folder.join("p.lut"), format!("Include <threads>\n{rows}{rest}")).expect("a file");
        let (exit, out, said) = axle(&folder, &["check", "p.c", "--table", "p.lut", "-q"]);
        assert_eq!(exit, expected, "{rows}: {out}{said}");
        assert!(out.contains(verdict), "{rows}: {out}");
        assert!(rows.is_empty() || out.contains("assertions  holds"), "steps are added only: {out}");
    }
}

#[test]
fn a_row_that_leaves_ways_out_may_block_the_model() {
    let folder = faulty("under_row");
    let (exit, out, said) = axle(&folder, &["check", "p.c", "--table", "p.lut", "--wrapper", "w.pml", "-q"]);
    assert_eq!(exit, 3, "{out}{said}");
    assert!(!out.contains(" violated  "), "{out}");
    assert_eq!(axle(&folder, &["check", "q.c", "--ltl", "ends=<> (finished != 0)", "-q"]).0, 0);
    // An execution that goes on, or that is wrong by itself, is one of the program.
    let other = crate::support::folder("extract-under");
    for file in ["p.c", "p.lut"] {
        fs::copy(folder.join(file), other.join(file)).expect("a copy");
    }
    let cycle = "int ready = 1;\nint finished;\n#include \"consumer.spn\"\n\
                 active proctype spin() { do :: skip od }\nltl ends { <> (finished != 0) }\n";
    let prefix =
        "int ready;\nint finished;\n#include \"consumer.spn\"\nltl unfinished { [] (finished == 0) }\n";
    for wrapper in [cycle, prefix] {
        fs::write(other.join("w.pml"), wrapper).expect("a file");
        let (exit, out, said) =
            axle(&other, &["check", "p.c", "--table", "p.lut", "--wrapper", "w.pml", "-q"]);
        assert_eq!(exit, 1, "{wrapper}{out}{said}");
    }
    // Under fairness, the process that is blocked could move.
    fs::write(other.join("w.pml"), cycle).expect("a file");
    let fair = ["check", "p.c", "--table", "p.lut", "--wrapper", "w.pml", "-q", "--fairness", "weak"];
    let (exit, out, said) = axle(&other, &fair);
    assert_eq!(exit, 3, "{out}{said}");
}
