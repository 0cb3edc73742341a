//! An automaton as a graph for Graphviz.

use super::grouped;
use crate::automaton::Automaton;
use std::fmt::Write;

/// The automaton in DOT; a transition shows its acceptance sets behind the condition.
pub fn dot(automaton: &Automaton, atoms: &[String]) -> String {
    let mut text =
        String::from("digraph automaton {\n  rankdir=LR;\n  node [shape=circle];\n  start [shape=point];\n");
    let _ = writeln!(text, "  start -> {};", automaton.initial);
    for (s, out) in automaton.states.iter().enumerate() {
        for (condition, to, marks) in grouped(out, atoms) {
            let sets: String =
                (0..automaton.sets).filter(|i| marks >> i & 1 == 1).map(|i| format!(" {{{i}}}")).collect();
            let label = format!("{condition}{sets}").replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "  {s} -> {to} [label=\"{label}\"];");
        }
    }
    text.push_str("}\n");
    text
}
