//! The control-flow graph of a C function in the DOT language of Graphviz.
//!
//! *Entry point:* [`flow_graph`].

use std::fmt::Write;

use axle_c::{Outcome, Program};
use axle_model::dot::quoted;
use axle_source::Sources;

use crate::place::{place, spelled};

/// The control-flow graph of a function; or a message with a suggestion if there is no such
/// function.
pub fn flow_graph(program: &Program, sources: &Sources, function: &str) -> Result<String, String> {
    let Some(graph) = axle_c::flow_graph(program, function) else {
        let near = axle_source::nearest(function, axle_c::functions(program));
        let near = near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
        return Err(format!("`main` reaches no function '{function}'{near}"));
    };
    let mut out = format!("digraph {} {{\n", quoted(function));
    out.push_str("  node [shape=box];\n  entry [shape=point];\n  exit [shape=doublecircle, label=\"\"];\n");
    let mut line = |text: String| writeln!(out, "  {text}").expect("a string accepts all text");
    for (index, &loc) in graph.nodes.iter().enumerate() {
        let label = format!("{}: {}", place(sources, loc).line, spelled(sources, loc));
        line(format!("{index} [label={}];", quoted(&label)));
    }
    match graph.entry {
        Some(entry) => line(format!("entry -> {entry};")),
        None => line("entry -> exit;".to_string()),
    }
    for (from, to, outcome) in &graph.edges {
        let to = to.map_or_else(|| "exit".to_string(), |to| to.to_string());
        let label = match outcome {
            Outcome::Always => String::new(),
            Outcome::True => " [label=true]".to_string(),
            Outcome::False => " [label=false]".to_string(),
            Outcome::Case(first, last) if first == last => format!(" [label=\"case {}\"]", *first as i64),
            Outcome::Case(first, last) => format!(" [label=\"case {} ... {}\"]", *first as i64, *last as i64),
            Outcome::Default => " [label=default]".to_string(),
        };
        line(format!("{from} -> {to}{label};"));
    }
    out.push_str("}\n");
    Ok(out)
}
