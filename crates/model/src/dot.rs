//! Process automata as graphs in the DOT language of Graphviz.
//!
//! *Entry point:* [`automaton`].
//!
//! Nodes are control locations, edges are statements. A double circle is an acceptance location, a
//! grey node a valid end location, a green one a progress location. A dashed edge keeps control
//! (`atomic`, `d_step`).

use std::fmt::Write;

use crate::process::{Atomicity, Location, Process};

/// The automaton of a process type.
#[must_use]
pub fn automaton(process: &Process) -> String {
    let mut out = format!("digraph {} {{\n", quoted(&process.name));
    out.push_str("  node [shape=circle];\n  entry [shape=point];\n");
    let mut line = |text: String| writeln!(out, "  {text}").expect("a string accepts all text");
    line(format!("entry -> {};", process.entry));
    for (index, location) in process.locations.iter().enumerate() {
        let id = crate::ids::LocId::new(index);
        line(format!("{id} [label={}{}];", quoted(&label(&id.to_string(), location)), marks(location)));
    }
    for edge in &process.edges {
        let style = match edge.keep {
            Atomicity::Release => "",
            Atomicity::Atomic | Atomicity::Deterministic => ", style=dashed",
        };
        line(format!("{} -> {} [label={}{style}];", edge.source, edge.target, quoted(&edge.text)));
    }
    out.push_str("}\n");
    out
}

/// The number of a location, its labels and its line.
fn label(id: &str, location: &Location) -> String {
    let mut label = id.to_string();
    for name in &location.labels {
        label.push('\n');
        label.push_str(name);
    }
    if location.origin.line > 0 {
        label.push_str(&format!("\nline {}", location.origin.line));
    }
    label
}

fn marks(location: &Location) -> String {
    let mut marks = String::new();
    if location.accept {
        marks.push_str(", shape=doublecircle");
    }
    match (location.progress, location.end) {
        (true, _) => marks.push_str(", style=filled, fillcolor=palegreen"),
        (false, true) => marks.push_str(", style=filled, fillcolor=lightgrey"),
        (false, false) => {}
    }
    if location.progress && location.end {
        marks.push_str(", peripheries=3");
    }
    marks
}

/// A string of DOT: quotes and backslashes escaped, line breaks as `\n`.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn strings_are_escaped() {
        assert_eq!(quoted("printf(\"a\\n\")\nx"), r#""printf(\"a\\n\")\nx""#);
    }
}
