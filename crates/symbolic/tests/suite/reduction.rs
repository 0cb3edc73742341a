//! The reduced state space: what it must share with the full one.

use axle_relation::{Part, Relation};
use axle_symbolic::Facts;

use crate::{SMALL, Strategy, Symbolic, compiled, relation};

/// Compares facts. A reduced state space has the same values of locations, of locals and of globals, and
/// the same steps; lengths and messages of channels may differ, because a receive may be executed early.
pub fn same_facts(relation: &Relation, full: &Facts, other: &Facts, reduced: bool) -> Result<(), String> {
    for (index, variable) in relation.variables.list().iter().enumerate() {
        let is_channel = matches!(variable.part, Part::Length(_) | Part::Message(..) | Part::LastPid);
        if !(reduced && is_channel) && full.ranges[index] != other.ranges[index] {
            let (wanted, found) = (full.ranges[index], other.ranges[index]);
            return Err(format!("{:?} is {found:?}, not {wanted:?}", variable.part));
        }
    }
    match full.executed == other.executed {
        true => Ok(()),
        false => Err("other steps are executed".to_string()),
    }
}

/// The number of states of the reduced and of the full search.
fn states(text: &str) -> (String, String) {
    let model = compiled(text).expect("a correct model");
    let relation = relation(&model, 8).expect("a small relation");
    let count = |strategy| {
        let mut symbolic = Symbolic::new(&relation, SMALL).expect("memory");
        let reached = symbolic.explore(strategy, &mut |_| None).expect("memory");
        assert_eq!(reached.stop, None);
        reached.states.to_string()
    };
    (count(Strategy::Improviso), count(Strategy::BreadthFirst))
}

/// The figure of the paper loses the states in which a process has no safe step: here the first process
/// waits for the second, which only then makes its safe steps.
#[test]
fn states_without_a_safe_step_are_passed_on() {
    let text = "byte go; active proctype A() { go == 1; go = 2 }\n\
                active proctype B() { byte x; x = 1; x = 2; go = 1; x = 3 }";
    let (reduced, full) = states(text);
    assert_eq!((reduced.as_str(), full.as_str()), ("11", "13"));
}

/// The figure of the paper subtracts the visited states from those to be expanded, so that the successors
/// of phase 2 are never expanded.
#[test]
fn visited_states_that_were_not_expanded_are_expanded() {
    let text = "byte g; active proctype A() { do :: g < 3 -> g++ od }\n\
                active proctype B() { do :: g > 0 -> g-- od }";
    let (reduced, full) = states(text);
    assert_eq!(reduced, full);
}

/// A process expands a state once in a phase; otherwise the cycles of the processes multiply.
#[test]
fn cycles_of_processes_do_not_multiply() {
    let text = "active [7] proctype P() { byte x; do :: x = 1; x = 2; x = 0 od }";
    assert_eq!(states(text), ("15".to_string(), "2187".to_string()));
}

/// A step that a cycle postpones forever is executed in phase 2.
#[test]
fn no_step_is_ignored() {
    let text = "byte g; active proctype A() { byte x; do :: x = 1; x = 0 od }\n\
                active proctype B() { g = 1; g = 2; assert(g == 1) }";
    let model = compiled(text).expect("a correct model");
    let relation = relation(&model, 8).expect("a small relation");
    let mut symbolic = Symbolic::new(&relation, SMALL).expect("memory");
    let reached = symbolic.explore(Strategy::Improviso, &mut |_| None).expect("memory");
    assert_eq!(reached.violations.len(), 1);
}

/// A receive is safe where the channel is not empty, a send where it is not full; a second receiver or the
/// observation of a length makes them dependent.
#[test]
fn channels_with_one_user_at_each_end_reduce() {
    let pipe = "chan q = [3] of { byte }; active proctype S() { byte n; do :: n < 3 -> q!n; n++ :: else -> break od }\n\
                active proctype R() { byte m; end: do :: q?m od }";
    let (reduced, full) = states(pipe);
    assert!(
        reduced.parse::<u32>().expect("a number") * 2 < full.parse().expect("a number"),
        "{reduced} {full}"
    );
    let observed = pipe.replace("q?m od }", "q?m od }\nactive proctype O() { len(q) == 2; assert(false) }");
    let (observing, all) = states(&observed);
    assert!(observing.parse::<u32>().expect("a number") > reduced.parse().expect("a number"));
    assert!(all.parse::<u32>().expect("a number") >= observing.parse().expect("a number"));
}

/// A process with an alternative to a receive is not safe where a send may enable the receive: from an
/// empty channel, and for any position, from one without the message.
#[test]
fn a_receive_that_a_send_enables_is_not_skipped() {
    let first = "chan q = [1] of { byte }; active proctype R() { byte x; if :: q?1 -> assert(false) :: x = 1 fi }\n\
                 active proctype S() { q!1 }";
    let any = "chan q = [3] of { byte }; active proctype R() { byte x; if :: q??2 -> assert(false) :: x = 1 fi }\n\
               active proctype S() { q!1; q!2 } active proctype T() { q!3 }";
    for text in [first, any] {
        let model = compiled(text).expect("a correct model");
        let relation = relation(&model, 8).expect("a small relation");
        let mut symbolic = Symbolic::new(&relation, SMALL).expect("memory");
        let reached = symbolic.explore(Strategy::Improviso, &mut |_| None).expect("memory");
        let kinds: Vec<_> = reached.violations.iter().map(|violation| violation.site.kind).collect();
        assert!(kinds.contains(&axle_outcome::FaultKind::Assertion), "{kinds:?}\n{text}");
    }
}
