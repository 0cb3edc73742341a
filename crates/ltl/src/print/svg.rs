//! An automaton as a picture: states in a row, transitions as arcs, forwards above and backwards
//! below.
//!
//! No layout is searched for: automata of formulas are small, and a row of states with arcs that
//! are the higher the farther they reach never puts one state on another (arc diagrams: Wattenberg,
//! InfoVis 2002). Graphviz makes a finer picture of [`super::dot`].
//!
//! *Entry point:* [`svg`].

use std::fmt::Write;

use super::grouped;
use crate::automaton::Automaton;

/// Pixels from a state to the next, and the radius of a state.
const APART: f64 = 190.0;
const RADIUS: f64 = 20.0;
/// Room for the height of arcs: for a step to the neighbour, and more for each state farther on.
const FIRST: f64 = 60.0;
const MORE: f64 = 34.0;

/// The automaton as an SVG image; a transition shows its acceptance sets behind the condition, and
/// is drawn thick where it is in one.
pub fn svg(automaton: &Automaton, atoms: &[String]) -> String {
    let mut arcs = Vec::new();
    let (mut above, mut below) = (FIRST, 0.0_f64);
    for (from, out) in automaton.states.iter().enumerate() {
        let groups = grouped(out, atoms);
        for (index, (condition, to, marks)) in groups.iter().enumerate() {
            let to = *to as usize;
            // Several between the same two states lie above each other.
            let before = groups[..index].iter().filter(|g| g.1 as usize == to).count();
            let height = match to.abs_diff(from) {
                0 => FIRST + 22.0 * before as f64,
                far => FIRST + MORE * (far as f64 - 1.0) + 26.0 * before as f64,
            };
            if to < from {
                below = below.max(height);
            } else {
                above = above.max(height);
            }
            let sets: String =
                (0..automaton.sets).filter(|i| marks >> i & 1 == 1).map(|i| format!(" {{{i}}}")).collect();
            arcs.push((from, to, height, format!("{condition}{sets}"), *marks != 0));
        }
    }
    let width = APART * automaton.states.len() as f64 + 40.0;
    let middle = above + 40.0;
    let height = middle + below.max(RADIUS) + 40.0;
    let x_of = |state: usize| APART * state as f64 + APART / 2.0 + 20.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\" text-anchor=\"middle\">\n\
         <defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"9\" markerHeight=\"9\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"#1f4e79\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for (from, to, height, label, thick) in arcs {
        let (x1, x2) = (x_of(from), x_of(to));
        let side = if to < from { 1.0 } else { -1.0 };
        let (y, lean) = (middle + side * RADIUS * 0.9, RADIUS * 0.45);
        // The top of a cubic arc lies at three quarters of the height of its handles.
        let handle = middle + side * (RADIUS + (height - RADIUS) / 0.75);
        let path = match from == to {
            true => {
                format!("M{} {y} C{} {handle} {} {handle} {} {y}", x1 - lean, x1 - 45.0, x1 + 45.0, x1 + lean)
            }
            false => {
                let lean = if to > from { lean } else { -lean };
                format!("M{} {y} C{x1} {handle} {x2} {handle} {} {y}", x1 + lean, x2 - lean)
            }
        };
        let stroke = if thick { 2.5 } else { 1.0 };
        let _ = writeln!(
            text,
            "<path d=\"{path}\" fill=\"none\" stroke=\"#1f4e79\" stroke-width=\"{stroke}\" marker-end=\"url(#head)\"/>"
        );
        let (x, y) = ((x1 + x2) / 2.0, middle + side * height + if side > 0.0 { 16.0 } else { -5.0 });
        let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\">{}</text>", escape(&label));
    }
    for state in 0..automaton.states.len() {
        let x = x_of(state);
        let _ = writeln!(
            text,
            "<circle cx=\"{x}\" cy=\"{middle}\" r=\"{RADIUS}\" fill=\"#eef3f8\" stroke=\"#1f4e79\"/>\n\
             <text x=\"{x}\" y=\"{}\">{state}</text>",
            middle + 5.0
        );
    }
    let x = x_of(automaton.initial as usize) - RADIUS;
    let _ = writeln!(
        text,
        "<line x1=\"{}\" y1=\"{middle}\" x2=\"{x}\" y2=\"{middle}\" stroke=\"#1f4e79\" marker-end=\"url(#head)\"/>\n</svg>",
        x - 30.0
    );
    text
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
