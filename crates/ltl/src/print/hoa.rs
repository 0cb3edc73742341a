//! An automaton in the Hanoi omega-automata format (Babiak and others, CAV 2015), version 1.

use crate::automaton::{Automaton, Cube};
use std::fmt::Write;

/// The automaton in HOA v1, with generalised Büchi acceptance on transitions.
pub fn hoa(automaton: &Automaton, atoms: &[String], name: &str) -> String {
    let quoted = |s: &str| format!("\"{}\"", s.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text = String::from("HOA: v1\n");
    let _ = writeln!(text, "name: {}", quoted(name));
    let _ = writeln!(text, "States: {}", automaton.states.len());
    let _ = writeln!(text, "Start: {}", automaton.initial);
    let names: Vec<String> = atoms.iter().map(|a| quoted(a)).collect();
    let _ = writeln!(text, "AP: {} {}", atoms.len(), names.join(" "));
    match automaton.sets {
        0 => text.push_str("acc-name: all\nAcceptance: 0 t\n"),
        1 => text.push_str("acc-name: Buchi\nAcceptance: 1 Inf(0)\n"),
        n => {
            let all: Vec<String> = (0..n).map(|i| format!("Inf({i})")).collect();
            let _ = writeln!(text, "acc-name: generalized-Buchi {n}\nAcceptance: {n} {}", all.join("&"));
        }
    }
    text.push_str("properties: trans-labels explicit-labels trans-acc\n--BODY--\n");
    for (s, out) in automaton.states.iter().enumerate() {
        let _ = writeln!(text, "State: {s}");
        for t in out {
            let _ = write!(text, "[{}] {}", label(t.label), t.to);
            if t.marks != 0 {
                let sets: Vec<String> =
                    (0..automaton.sets).filter(|i| t.marks >> i & 1 == 1).map(|i| i.to_string()).collect();
                let _ = write!(text, " {{{}}}", sets.join(" "));
            }
            text.push('\n');
        }
    }
    text.push_str("--END--\n");
    text
}

fn label(cube: Cube) -> String {
    let literals: Vec<String> = (0..64)
        .filter_map(|atom| {
            if cube.must >> atom & 1 == 1 {
                Some(atom.to_string())
            } else if cube.must_not >> atom & 1 == 1 {
                Some(format!("!{atom}"))
            } else {
                None
            }
        })
        .collect();
    if literals.is_empty() { "t".to_owned() } else { literals.join("&") }
}
