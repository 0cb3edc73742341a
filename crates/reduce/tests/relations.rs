//! Relations of small models: dependence, waits, gates, residual predicates and feedback edges
//! (`tests/dependence`), model passes (`tests/passes`) and slices (`tests/slices`).
//!
//! Each model states the expected relations in comments that begin with `//~`; [`Expected`] lists
//! their forms. `PID@sN` is process number PID at location N.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use axle_model::access::written_globals;
use axle_model::{Expr, GlobalId, LocalId, Model, Place, ProcId};
use axle_reduce::fixed::{fixed_locals, leaves};
use axle_reduce::passes::{Asked, Pass, apply};
use axle_reduce::slice::{Criterion, slice};
use axle_reduce::{Conflicts, Instance, References, Values, Visible, analyse};

/// A process at a location.
#[derive(Clone, Copy, Debug)]
struct At {
    pid: usize,
    loc: usize,
}

/// The words of one expectation, after an optional `no`.
struct Expected<'a> {
    negated: bool,
    words: Vec<&'a str>,
    rest: &'a str,
}

fn expectations(text: &str) -> Vec<Expected<'_>> {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("//~"));
    lines
        .map(|line| {
            let line = line.trim();
            let (negated, line) = match line.strip_prefix("no ") {
                Some(line) => (true, line),
                None => (false, line),
            };
            Expected { negated, words: line.split_whitespace().collect(), rest: line }
        })
        .collect()
}

fn number(word: &str, letter: &str) -> usize {
    let digits = word.strip_prefix(letter).unwrap_or_else(|| panic!("`{word}` begins with `{letter}`"));
    digits.parse().unwrap_or_else(|_| panic!("`{word}` is no number"))
}

fn at(word: &str) -> At {
    let (pid, loc) = word.split_once('@').unwrap_or_else(|| panic!("`{word}` is PID@sN"));
    At { pid: number(pid, ""), loc: number(loc, "s") }
}

/// The models of a folder, with their texts.
fn models(folder: &str) -> Vec<(PathBuf, String, Model)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the folder").flatten().map(|e| e.path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a text");
        let model = axle_model::parse::parse(&text);
        let model = model.unwrap_or_else(|why| panic!("{}: {why:?}", path.display()));
        let faults = axle_model::verify::verify(&model);
        assert!(faults.is_empty(), "{}: {faults:?}", path.display());
        (path, text, model)
    };
    paths.into_iter().map(read).collect()
}

/// The observations that `//~ visible gN` states.
fn visible(expected: &[Expected]) -> Visible {
    let lines = expected.iter().filter(|line| line.words[0] == "visible");
    let load = |line: &Expected| Expr::Load(Place::global(GlobalId::new(number(line.words[1], "g"))));
    Visible { expressions: lines.map(load).collect(), accepting: false }
}

/// The constant globals, all of which are 0 in these models, and the processes; `//~ value PID lN V`
/// gives the value of a constant local.
fn conflicts(model: &Model, expected: &[Expected]) -> Conflicts {
    let zeros = |(variable, written): (&axle_model::Variable, bool)| match written {
        true => None,
        false => leaves(model, &variable.ty).map(|count| vec![0; count]),
    };
    let globals = model.globals.iter().zip(written_globals(model)).map(zeros).collect();
    let values = Values { model, globals };
    let mut instances: Vec<Instance> = (model.start.iter())
        .map(|start| Instance {
            proc: start.proc,
            locals: vec![None; model.process(start.proc).locals.len()],
        })
        .collect();
    for line in expected.iter().filter(|line| line.words[0] == "value") {
        let (pid, local) = (number(line.words[1], ""), number(line.words[2], "l"));
        assert!(fixed_locals(model.process(instances[pid].proc))[local], "l{local} is constant and tells");
        instances[pid].locals[local] = Some(line.words[3].parse().expect("a value"));
    }
    let visible = visible(expected);
    let asked = &visible.expressions.clone()[..];
    let visible = (!visible.expressions.is_empty()).then_some(&visible);
    analyse(&values, &References::new(model, asked, false), &instances, false, visible)
        .expect("the model is small")
}

/// Whether a relation holds.
fn holds(conflicts: &Conflicts, words: &[&str]) -> bool {
    let index = |at: At| conflicts.first[at.pid] + at.loc;
    let contains = |row: &[u64], at: At| row[index(at) / 64] >> (index(at) % 64) & 1 == 1;
    let one = at(words[1]);
    let here = index(one);
    // The gates of an edge, by its position at the location.
    let gates = |position: &str| {
        let way = &conflicts.gates.ways[here][number(position, "")];
        way.gates.iter().map(|gate| &conflicts.gates.list[*gate as usize]).collect::<Vec<_>>()
    };
    match words {
        // A process at a location and any later transition of another process.
        ["conflict", _, other] => conflicts.conflicting[here] >> number(other, "") & 1 == 1,
        // The next transitions of two processes.
        ["next", _, other] => contains(conflicts.next_step_dependence(here), at(other)),
        // A wait for room or a message that another transition may end.
        ["wait", _, what, other] => {
            let wait = conflicts.waits[here].iter().find(|wait| wait.room == (*what == "room"));
            wait.is_some_and(|wait| contains(&wait.enders, at(other)))
        }
        ["waits", _] => !conflicts.waits[here].is_empty(),
        ["ends", _] => conflicts.ends[here],
        ["fit", _] => conflicts.fit[here],
        ["sticky", _] => conflicts.fit[here] && !conflicts.proper[here],
        ["private", _] => conflicts.private[here],
        // The number of gates of an edge.
        ["gates", _, position, count] => gates(position).len() == number(count, ""),
        // A transition in the necessary enabling set of a gate of an edge.
        ["opens", _, position, other] => {
            gates(position).iter().any(|gate| contains(&gate.necessary_enabling, at(other)))
        }
        // The scalars that the first gate of an edge reads.
        ["leaves", _, position, leaves @ ..] => {
            let found = gates(position);
            let found: Vec<String> =
                found[0].question.leaves.iter().map(|leaf| format!("{leaf:?}")).collect();
            found.join(" ") == leaves.join(" ")
        }
        // The value of the first gate of an edge, `fault`, for given values of its scalars.
        ["value-of-gate", _, position, value, leaves @ ..] => {
            let leaves: Vec<i64> = leaves.iter().map(|leaf| leaf.parse().expect("a value")).collect();
            let answer = gates(position)[0].question.answer(&mut |leaf| leaves[leaf as usize]);
            answer == value.parse().ok()
        }
        _ => panic!("unknown expectation {words:?}"),
    }
}

#[test]
fn dependence() {
    let (mut count, mut wrong) = (0, Vec::new());
    for (path, text, model) in models("dependence") {
        let expected = expectations(&text);
        let conflicts = conflicts(&model, &expected);
        let relations = expected.iter().filter(|line| !matches!(line.words[0], "visible" | "value"));
        for line in relations {
            count += 1;
            if holds(&conflicts, &line.words) == line.negated {
                let negation = if line.negated { "no " } else { "" };
                wrong.push(format!("{}: `{negation}{}`", path.display(), line.rest));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 50, "{count} relations");
}

/// The line of an edge in the dump of a model.
fn edge_line(model: &Model, proc: usize, edge: &str) -> String {
    let dump = axle_model::dump::dump(model);
    let process = dump.split("\nprocess ").nth(1 + proc).expect("the process");
    let line = process.lines().map(str::trim).find(|line| line.starts_with(&format!("{edge} ")));
    line.unwrap_or_else(|| panic!("p{proc} has {edge}")).to_string()
}

#[test]
fn passes() {
    for (path, text, model) in models("passes") {
        let expected = expectations(&text);
        let visible = visible(&expected);
        let has = |word: &str| expected.iter().any(|line| line.words[0] == word);
        let asked = Asked { visible: &visible, blind: !has("next"), truncation: has("truncation") };
        let named = expected.iter().find(|line| line.words[0] == "pass").expect("a pass").words[1];
        let pass = Pass::ALL.into_iter().find(|pass| pass.name() == named).expect("a pass");
        let smaller = apply(&model, &BTreeSet::from([pass]), &asked);
        let changed = smaller.as_ref().map_or(0, |smaller| smaller.changed[0].1);
        let result = smaller.map_or_else(|| model.clone(), |smaller| smaller.model);
        for line in &expected {
            match line.words[..] {
                ["visible" | "pass" | "next" | "truncation", ..] => {}
                ["changed", count] => assert_eq!(changed, number(count, ""), "{}", path.display()),
                ["becomes", proc, edge, ..] => {
                    let wanted = &line.rest[line.rest.find(edge).expect("the edge")..];
                    let found = edge_line(&result, number(proc, "p"), edge);
                    assert_eq!(found, wanted, "{}", path.display());
                }
                _ => panic!("{}: unknown expectation `{}`", path.display(), line.rest),
            }
        }
        assert!(has("changed"), "{} states the number of changes", path.display());
        let faults = axle_model::verify::verify(&result);
        assert!(faults.is_empty(), "{}: {faults:?}", path.display());
    }
}

#[test]
fn slices() {
    for (path, text, model) in models("slices") {
        let expected = expectations(&text);
        let mut criterion = Criterion { visible: visible(&expected), ..Criterion::default() };
        for line in &expected {
            match line.words[..] {
                ["local", proc, local] => {
                    criterion.locals.push((ProcId::new(number(proc, "p")), LocalId::new(number(local, "l"))))
                }
                ["termination"] => criterion.termination = true,
                _ => {}
            }
        }
        let slice = slice(&model, &criterion);
        for line in &expected {
            match line.words[..] {
                ["visible" | "local" | "termination", ..] => {}
                ["refused", ..] => {
                    let why = slice.as_ref().expect_err("the model is refused");
                    assert_eq!(format!("refused {why}"), line.rest, "{}", path.display());
                }
                ["edge", proc, edge] => {
                    let slice = slice.as_ref().unwrap_or_else(|why| panic!("{}: {why}", path.display()));
                    let relevant = slice.edges[number(proc, "p")][number(edge, "t")].any();
                    assert_eq!(relevant, !line.negated, "{}: `{}`", path.display(), line.rest);
                }
                ["global", global] => {
                    let slice = slice.as_ref().unwrap_or_else(|why| panic!("{}: {why}", path.display()));
                    let relevant = slice.globals[number(global, "g")];
                    assert_eq!(relevant, !line.negated, "{}: `{}`", path.display(), line.rest);
                }
                _ => panic!("{}: unknown expectation `{}`", path.display(), line.rest),
            }
        }
    }
}
