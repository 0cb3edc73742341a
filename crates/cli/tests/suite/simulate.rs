//! `axle simulate` on C programs: random, along a trail, interactive; input, limits, and the end of
//! an execution.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{folder, run};

const WORKERS: &str = r#"#include <pthread.h>
#include <stdio.h>

int counter;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
	pthread_mutex_lock(&m);
	counter++;
	printf("counter %d\n", counter);
	pthread_mutex_unlock(&m);
	return 0;
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
	for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
	printf("%s\n", argc > 1 ? argv[1] : "no argument");
	return counter;
}
"#;

const READS: &str = r#"#include <assert.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	int a, b;
	char word[20], line[40], rest[4];
	assert(scanf("%d %d", &a, &b) == 2 && a == 3 && b == -4);
	assert(scanf("%19s", word) == 1);
	printf("word %s\n", word);
	assert(getchar() == '\n');
	fgets(line, sizeof line, stdin);
	printf("line %s", line);
	assert(getc(stdin) == 'x' && !feof(stdin));
	assert(read(0, rest, 4) == 3 && rest[0] == 'y');
	assert(getchar() == EOF && feof(stdin));
	assert(scanf("%d", &a) == -1);
	return 0;
}
"#;

#[test]
fn a_program_is_executed_with_its_arguments_and_output() {
    let folder = folder("simulate_random");
    std::fs::write(folder.join("p.c"), WORKERS).unwrap();
    let once = run(&folder, &["simulate", "p.c", "--seed", "1", "--arg", "hello"], "");
    assert_eq!((once.exit, once.err.as_str()), (0, ""));
    assert_eq!(once.out, run(&folder, &["simulate", "p.c", "--seed", "1", "--arg", "hello"], "").out);
    for part in
        ["p.c:9 ", "locks m; [holds m]", "counter: 1 -> 2", "prints \"hello\\n\"", "exited with status 2\n"]
    {
        assert!(once.out.contains(part), "{part}\n{}", once.out);
    }
    let output = run(&folder, &["simulate", "p.c", "--trace", "none"], "");
    assert!(output.out.starts_with("counter 1\ncounter 2\nno argument\nafter "), "{}", output.out);
    let columns = run(&folder, &["simulate", "p.c", "--trace", "columns"], "");
    assert!(columns.out.lines().next().unwrap().contains("worker(2)"), "{}", columns.out);
    let chart = run(&folder, &["simulate", "p.c", "--trace", "chart"], "");
    assert!(chart.exit == 0 && chart.out.contains("worker(1)"), "{}", chart.out);
    let differ = (2..12).any(|seed| {
        run(&folder, &["simulate", "p.c", "--arg", "hello", "--seed", &seed.to_string()], "").out != once.out
    });
    assert!(differ, "all seeds give one execution");
}

#[test]
fn a_step_limit_ends_an_execution() {
    let folder = folder("simulate_steps");
    std::fs::write(folder.join("p.c"), WORKERS).unwrap();
    let ran = run(&folder, &["simulate", "p.c", "--steps", "7", "--trace", "short"], "");
    assert_eq!((ran.exit, ran.out.lines().count()), (0, 8), "{}", ran.out);
    assert!(ran.out.ends_with("stopped after 7 steps (--steps); more steps are possible\n"), "{}", ran.out);
    // One transition without end is cut.
    let spin = "int main(void) { unsigned x = 0; for (;;) x++; }\n";
    std::fs::write(folder.join("spin.c"), spin).unwrap();
    let ran = run(&folder, &["simulate", "spin.c", "--steps", "10", "--trace", "short"], "");
    assert!(ran.exit == 0 && ran.out.contains("(--steps)"), "{}", ran.out);
}

#[test]
fn a_simulation_stops_at_the_first_violation_of_a_program() {
    let folder = folder("simulate_violation");
    let text = "#include <assert.h>\nint main(void) {\n\tint x = 1;\n\tassert(x == 2);\n\treturn 0;\n}\n";
    std::fs::write(folder.join("p.c"), text).unwrap();
    let ran = run(&folder, &["simulate", "p.c"], "");
    assert_eq!(ran.exit, 1, "{}", ran.err);
    assert!(ran.out.contains("** assertion violated: x == 2"), "{}", ran.out);
    assert!(ran.out.ends_with("after 2 steps: stopped at the first violation\n"), "{}", ran.out);
    std::fs::write(folder.join("u.c"), "int unknown(void);\nint main(void) { return unknown(); }\n").unwrap();
    let ran = run(&folder, &["simulate", "u.c", "-q"], "");
    assert_eq!(ran.exit, 3, "{}", ran.out);
    assert!(ran.out.contains("cannot be continued: undefined function `unknown`"), "{}", ran.out);
}

#[test]
fn a_trail_of_a_program_is_followed() {
    let folder = folder("simulate_trail");
    let text = "#include <pthread.h>\nint x;\nvoid *f(void *u) { x = 1; return 0; }\n\
                int main(void) {\n\tpthread_t t;\n\tpthread_create(&t, 0, f, 0);\n\tx = 2;\n\
                \tpthread_join(t, 0);\n\treturn 0;\n}\n";
    std::fs::write(folder.join("p.c"), text).unwrap();
    assert_eq!(run(&folder, &["check", "p.c", "-q", "--trail", "a.trail"], "").exit, 1);
    let ran = run(&folder, &["simulate", "p.c", "--trail", "a.trail"], "");
    assert_eq!(ran.exit, 1, "{}", ran.err);
    assert!(ran.out.contains("data race") && ran.out.contains("first violation"), "{}", ran.out);
    std::fs::write(folder.join("q.c"), text.replace("x = 2", "x = 3")).unwrap();
    let other = run(&folder, &["simulate", "q.c", "--trail", "a.trail"], "");
    assert_eq!((other.exit, other.out.as_str()), (2, ""));
    assert!(other.err.contains("trail does not match"), "{}", other.err);
}

#[test]
fn a_user_chooses_threads_and_inputs() {
    let folder = folder("simulate_interactive");
    std::fs::write(folder.join("p.c"), WORKERS).unwrap();
    let session = "2\np counter\ns\nb\nb\nwhat\n99\nc\nq\n1\n";
    let ran = run(&folder, &["simulate", "p.c", "-i"], session);
    assert_eq!((ran.exit, ran.err.as_str()), (0, ""));
    for part in [
        "2  worker(1)",
        "counter = 0",
        "main(0) at p.c:19",
        "this is the first state",
        "unknown command 'what'",
        "there is no step 99",
        "no channels",
    ] {
        assert!(ran.out.contains(part), "{part}\n{}", ran.out);
    }
    let input =
        "int __VERIFIER_nondet_int(void);\nint main(void) { return __VERIFIER_nondet_int() > 300; }\n";
    std::fs::write(folder.join("i.c"), input).unwrap();
    let ran = run(&folder, &["simulate", "i.c", "-i"], "1\n");
    assert!(ran.out.contains("(input ") && ran.out.contains("exited with status "), "{}", ran.out);
}

#[test]
fn a_program_that_has_ended_has_no_variables() {
    let folder = folder("simulate_ended");
    std::fs::write(folder.join("p.c"), "int x;\nint main(void) { x = 1; return 0; }\n").unwrap();
    let ran = run(&folder, &["simulate", "p.c", "-i"], "s\np x\np\nq\n");
    assert_eq!((ran.exit, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("there is no variable 'x'"), "{}", ran.out);
}

#[test]
fn standard_input_has_the_contents_of_a_file() {
    let folder = folder("simulate_stdin");
    std::fs::write(folder.join("p.c"), READS).unwrap();
    std::fs::write(folder.join("in.txt"), "3 -4\nhello\nsome line\nxyz\n").unwrap();
    let ran = run(&folder, &["simulate", "p.c", "--stdin", "in.txt", "--trace", "none"], "");
    assert_eq!((ran.exit, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.starts_with("word hello\nline some line\nafter "), "{}", ran.out);
    let checked = run(&folder, &["check", "p.c", "--stdin", "in.txt", "-q"], "");
    assert_eq!(checked.exit, 0, "{}", checked.out);
    assert!(checked.out.contains("contents of in.txt as standard input"), "{}", checked.out);
    std::fs::write(folder.join("in.txt"), "3 5\n").unwrap();
    assert_eq!(run(&folder, &["check", "p.c", "--stdin", "in.txt", "-q", "--trail", "t"], "").exit, 1);
    assert_eq!(run(&folder, &["replay", "p.c", "t", "--stdin", "in.txt", "-q"], "").exit, 1);
    std::fs::write(folder.join("in.txt"), "3 6\n").unwrap();
    assert_eq!(run(&folder, &["replay", "p.c", "t", "--stdin", "in.txt", "-q"], "").exit, 2);
    assert_eq!(run(&folder, &["simulate", "p.c", "--stdin", "missing.txt"], "").exit, 2);
    // Threads that read at the same time share the position, and race for nothing.
    let threads = "#include <assert.h>\n#include <pthread.h>\n#include <stdio.h>\nint a, b;\n\
                   void *f(void *u) { *(int *)u = getchar(); return 0; }\nint main(void) {\n\tpthread_t s, t;\n\
                   \tpthread_create(&s, 0, f, &a);\n\tpthread_create(&t, 0, f, &b);\n\tpthread_join(s, 0);\n\
                   \tpthread_join(t, 0);\n\tassert(a + b == 'x' + 'y');\n\treturn 0;\n}\n";
    std::fs::write(folder.join("t.c"), threads).unwrap();
    std::fs::write(folder.join("in.txt"), "xyz").unwrap();
    let checked = run(&folder, &["check", "t.c", "--stdin", "in.txt", "-q"], "");
    assert_eq!(checked.exit, 0, "{}", checked.out);
}

#[test]
fn a_simulation_keeps_its_time_limit_and_answers_signals() {
    let folder = folder("simulate_limits");
    let text = "#include <pthread.h>\nvolatile _Atomic int x;\n\
                void *f(void *u) { for (;;) x++; }\nint main(void) {\n\tpthread_t t;\n\
                \tpthread_create(&t, 0, f, 0);\n\tfor (;;) x++;\n}\n";
    std::fs::write(folder.join("p.c"), text).unwrap();
    let start = Instant::now();
    let many = ["simulate", "p.c", "--steps", "100000000", "--trace", "none", "--time", "1s"];
    let ran = run(&folder, &many, "");
    assert!(ran.exit == 0 && ran.out.contains("time limit reached"), "{}", ran.out);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    let child = Command::new(env!("CARGO_BIN_EXE_axle"))
        .args(&many[..6])
        .current_dir(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(Duration::from_millis(700));
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(signal.success());
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&ended.stdout).contains("interrupted after"), "{ended:?}");
}
