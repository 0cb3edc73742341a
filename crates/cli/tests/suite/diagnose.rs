//! `axle diagnose`: the sequences of `examples/exchange/diagnosis`, models, lines, and mistakes.

use std::fs;
use std::path::Path;

use crate::support::{Ran, examples, folder, run};

/// Each row of `cases.tsv`: a sequence, a constraint, the fault that is compiled in, and the number of
/// events of the longest feasible prefix.
#[test]
fn sequences_of_faulty_exchanges_are_reproduced_and_impossible_ones_rejected() {
    let project = examples().join("exchange");
    let table = fs::read_to_string(project.join("diagnosis/cases.tsv")).expect("the cases");
    let (mut reproduced, mut rejected) = (0, 0);
    let mut wrong = Vec::new();
    for row in table.lines().skip(1) {
        let [events, constraint, define, feasible] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a row has four columns: {row}");
        };
        let file = format!("diagnosis/{events}.events");
        let mut arguments = vec!["diagnose", ".", "--events", &file, "--constraint", constraint, "--json"];
        if define != "-" {
            arguments.extend(["-D", define]);
        }
        let Ran { exit, out, err } = run(&project, &arguments, "");
        let answer: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{row}: {err}"));
        let all = answer["events"].as_array().map_or(0, Vec::len) as u64;
        let expected = if feasible == "all" { all } else { feasible.parse().expect("a number") };
        let prefix = answer["prefix"].as_u64();
        let code = i32::from(expected < all);
        if (prefix, exit) != (Some(expected), code) {
            wrong.push(format!("{row}: prefix {prefix:?} of {all}, exit code {exit}"));
        }
        // The execution shows the events of the prefix in order.
        let steps = answer["trace"]["steps"].as_array().expect("steps");
        let shown: Vec<&str> = (steps.iter())
            .filter_map(|step| step["observed"]["holds"].as_array())
            .flatten()
            .filter_map(serde_json::Value::as_str)
            .collect();
        let wanted: Vec<&str> = (answer["events"].as_array().into_iter().flatten())
            .filter_map(serde_json::Value::as_str)
            .take(prefix.unwrap_or(0) as usize)
            .collect();
        assert_eq!(shown, wanted, "{row}");
        if expected == all { reproduced += 1 } else { rejected += 1 }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(reproduced >= 10 && rejected >= 5, "{reproduced} reproduced, {rejected} rejected");
}

const MODEL: &str = "mtype = { req, ack, nak };
chan to = [1] of { mtype, byte };
chan back = [0] of { mtype };
byte n;
active proctype client()
{
    do
    :: n < 2 -> to!req(n); n++;
waiting:
       if :: back?ack :: back?nak -> break fi
    od
}
active proctype server()
{
    byte got;
    do
    :: to?req(got);
       if :: got == 0 -> back!ack :: else -> back!nak fi
    od
}
";

fn diagnose(folder: &Path, events: &str, more: &[&str]) -> Ran {
    fs::write(folder.join("m.pml"), MODEL).expect("a model");
    diagnose_file(folder, "m.pml", events, more)
}

fn diagnose_file(folder: &Path, file: &str, events: &str, more: &[&str]) -> Ran {
    fs::write(folder.join("t.events"), events).expect("events");
    run(folder, &[&["diagnose", file, "--events", "t.events"], more].concat(), "")
}

/// Expects an exit code and a part of the output.
fn expect(ran: &Ran, events: &str, exit: i32, text: &str) {
    assert_eq!(ran.exit, exit, "{events}: {}{}", ran.out, ran.err);
    assert!(ran.out.contains(text), "{events}: {}", ran.out);
}

#[test]
fn messages_channels_labels_and_lines_of_models_are_events() {
    let folder = folder("diagnose-models");
    for (events, exit, text) in [
        ("req(0)\nack\nreq(1)\nnak\n", 0, "feasible: 4 of 4"),
        ("req(0)\nnak\n", 1, "follows 1 of 2 events"),
        ("req(0)\n...\nnak\n", 0, "feasible: 2 of 2"),
        ("nak\n! ack\n", 1, "follows 0 of 1 events"),
        ("to!req,0\nto?req,0\nto!req,1\n", 0, "feasible: 3 of 3"),
        ("to?req\nto!req\n", 1, "follows 0 of 2 events"),
        ("client@waiting\nback?ack\nclient@waiting\nback?nak\n", 0, "feasible: 4 of 4"),
        ("@m.pml:17\n@m.pml:17\n", 0, "feasible: 2 of 2"),
        ("req(2)\n", 1, "req(0)"),
    ] {
        expect(&diagnose(&folder, events, &[]), events, exit, text);
    }
    let ran = diagnose(&folder, "req(0)\nack\nreq(1)\nack\n", &["--trace", "none"]);
    for part in ["4  ack", "not possible here", "behind event 3"] {
        assert!(ran.out.contains(part), "{}", ran.out);
    }
}

#[test]
fn mistakes_in_events_have_a_line() {
    let folder = folder("diagnose-mistakes");
    for (events, text) in [
        ("req(\n", "t.events:1: `)` is missing"),
        ("\n# only a comment\n", "t.events: the sequence has no events"),
        (
            "req(0)\nakc\n",
            "t.events:2: the model has no message `akc` (a constant of an mtype); did you mean `ack`?",
        ),
        ("too!req\n", "the model has no channel `too`; did you mean `to`?"),
        ("client@there\n", "no process `client` has a label `there`"),
        ("@m.pml:99\n", "no statement begins at m.pml:99"),
        ("n = 1\n", "changes of variables are events of C programs"),
    ] {
        let ran = diagnose(&folder, events, &[]);
        assert_eq!(ran.exit, 2, "{events}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(text), "{events}: {}", ran.err);
    }
}

const PROGRAM: &str = "extern unsigned char __VERIFIER_nondet_uchar(void);
enum level { LOW, HIGH };
int count;
static void set(int value, enum level level) { count = level == HIGH ? 100 : value; }
int main(void)
{
    unsigned char input = __VERIFIER_nondet_uchar();
    set(input, input > 7 ? HIGH : LOW);
    if (count > 1000)
        count = 0;
    return 0;
}
";

#[test]
fn calls_changes_and_lines_of_programs_are_events() {
    let folder = folder("diagnose-programs");
    fs::write(folder.join("p.c"), PROGRAM).expect("a program");
    for (events, exit, text) in [
        ("set(_, HIGH)\ncount = 100\n", 0, "feasible: 2 of 2"),
        ("set(8, 1)\n", 0, "feasible: 1 of 1"),
        ("set(_, LOW)\ncount = 100\n", 1, "follows 1 of 2 events"),
        ("nothing(1)\n", 2, ""),
        ("count = 5\n! set\n", 1, "follows 0 of 1 events"),
    ] {
        expect(&diagnose_file(&folder, "p.c", events, &[]), events, exit, text);
    }
    let ran = run(&folder, &["diagnose", "p.c", "--reach", "p.c:11"], "");
    assert!(ran.exit == 0 && ran.out.starts_with("reachable in "), "{}{}", ran.out, ran.err);
    let ran = run(&folder, &["diagnose", "p.c", "--reach", "p.c:10"], "");
    assert!(ran.exit == 1 && ran.out.starts_with("unreachable"), "{}{}", ran.out, ran.err);
    let ran = run(&folder, &["diagnose", "p.c", "--reach", "p.c:1"], "");
    assert_eq!(ran.exit, 2, "{}{}", ran.out, ran.err);
    // Samples of an input prove nothing.
    let wide = PROGRAM.replace("unsigned char", "int").replace("nondet_uchar", "nondet_int");
    fs::write(folder.join("p.c"), wide).expect("a program");
    let ran = diagnose_file(&folder, "p.c", "set(12345, HIGH)\n", &[]);
    assert!(ran.exit == 3 && ran.out.starts_with("unknown"), "{}{}", ran.out, ran.err);
}

#[test]
fn an_execution_that_satisfies_a_violated_timeline_is_found() {
    let project = folder("diagnose-satisfying");
    assert_eq!(run(&project, &["init", "."], "").exit, 0);
    fs::write(project.join("timelines/opens.tl"), "e crosses = crossing\nt open = !closed\n")
        .expect("a file");
    let property = "+++\nname = \"opens\"\ntimeline = \"opens.tl\"\n+++\n\nThe gate opens.\n";
    fs::write(project.join("properties/opens.md"), property).expect("a file");
    let Ran { exit, out, err } = run(&project, &["diagnose", ".", "--satisfying", "opens", "--json"], "");
    assert_eq!(exit, 0, "{err}");
    let answer: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let steps = answer["example"]["trace"]["steps"].as_array().expect("steps");
    let crosses = steps.iter().position(|step| step["observed"]["holds"].to_string().contains("crossing"));
    assert!(crosses.is_some_and(|at| at + 1 < steps.len()), "{out}");
    let none = run(&project, &["diagnose", ".", "--satisfying", "nothing"], "");
    assert_eq!(none.exit, 2, "{}", none.err);
}

/// Each row of `tests/nearest/expected.tsv`: an input, a property that it violates, the fairness, the
/// number of steps that the nearest satisfying execution shares with the violating one, the statement
/// behind them, and whether the premise happens.
#[test]
fn the_nearest_satisfying_execution_is_found() {
    let inputs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/nearest");
    let table = fs::read_to_string(inputs.join("expected.tsv")).expect("the table");
    let mut wrong = Vec::new();
    for (number, row) in table.lines().skip(1).enumerate() {
        let [input, formula, fairness, common, next, premise] = row.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("a row has six columns: {row}");
        };
        let project = folder(&format!("diagnose-nearest-{number}"));
        fs::create_dir_all(project.join("properties")).expect("a folder");
        fs::copy(inputs.join(input), project.join(input)).expect("the input");
        let kind = if input.ends_with(".c") { "c" } else { "promela" };
        let manifest = format!("name = \"nearest\"\n\n[sources]\n{kind} = [\"{input}\"]\n");
        fs::write(project.join("axle.toml"), manifest).expect("a file");
        let property = format!(
            "+++\nname = \"p\"\nformula = \"{formula}\"\nfairness = \"{fairness}\"\n+++\n\nA property.\n"
        );
        fs::write(project.join("properties/p.md"), property).expect("a file");
        let round = run(&project, &["run", ".", "--quiet"], "");
        assert_eq!(round.exit, 1, "{row}: {}{}", round.out, round.err);
        let near = ["diagnose", ".", "--satisfying", "p", "--near", "latest", "--json"];
        let Ran { exit, out, err } = run(&project, &near, "");
        let answer: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{row}: {err}"));
        let found = &answer["nearest"];
        let steps = answer["example"]["trace"]["steps"].as_array();
        let behind = found["common_steps"].as_u64().and_then(|common| {
            steps?.iter().find(|step| step["step"] == common + 1)?["by"]["statement"].as_str()
        });
        let told = match (exit, answer["satisfiable"].as_bool()) {
            (1, Some(false)) => "unsatisfiable",
            _ => match found["premise"].as_bool() {
                Some(true) => "happens",
                Some(false) => "avoided",
                None => "-",
            },
        };
        let is_longest = found["longest"].as_bool() == Some(true) || told == "unsatisfiable";
        let shared = found["common_steps"].as_u64().map_or("-".to_string(), |common| common.to_string());
        let seen = (&*shared, behind.unwrap_or("-"), told, is_longest);
        if seen != (common, next, premise, true) {
            wrong.push(format!("{row}: {seen:?}, exit code {exit}\n{out}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
