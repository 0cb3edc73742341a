//! An automaton as a picture: states in a row, transitions as arcs, forwards above and backwards
//! below.
//!
//! No layout is searched for: automata of formulas are small, and a row of states with arcs that
//! are the higher the farther they reach never puts one state on another (arc diagrams: Wattenberg,
//! InfoVis 2002). An arc whose label would cover another one is drawn higher. Graphviz makes a finer
//! picture of [`super::dot`].
//!
//! *Entry point:* [`svg`].
//! *Invariant:* no label covers another one, and all lie inside the image.

use std::fmt::Write;

use super::grouped;
use crate::automaton::Automaton;

/// Pixels from a state to the next, and the radius of a state.
const APART: f64 = 190.0;
const RADIUS: f64 = 20.0;
/// Room for the height of arcs: for a step to the neighbour, and more for each state farther on.
const FIRST: f64 = 60.0;
const MORE: f64 = 34.0;
/// The most width of a character of a label, and the height of a line of labels.
const CHARACTER: f64 = 7.8;
const LINE: f64 = 18.0;

/// A transition of the picture.
struct Arc {
    from: usize,
    to: usize,
    /// The height of its top over the row of states, or its depth below it.
    height: f64,
    label: String,
    /// Whether it is in an acceptance set.
    is_thick: bool,
}

impl Arc {
    fn is_below(&self) -> bool {
        self.to < self.from
    }

    /// The left and right end of the label, for states at these places.
    fn extent(&self, x_of: &dyn Fn(usize) -> f64) -> (f64, f64) {
        let middle = (x_of(self.from) + x_of(self.to)) / 2.0;
        let half = self.label.chars().count() as f64 * CHARACTER / 2.0;
        (middle - half, middle + half)
    }
}

/// Raises arcs until no label covers one of a lower arc.
fn separate(arcs: &mut [Arc], x_of: &dyn Fn(usize) -> f64) {
    let mut order: Vec<usize> = (0..arcs.len()).collect();
    order.sort_by(|a, b| arcs[*a].height.total_cmp(&arcs[*b].height));
    for (at, own) in order.iter().enumerate() {
        let (left, right) = arcs[*own].extent(x_of);
        // Each round raises the arc over at least one other.
        while let Some(other) = order[..at].iter().map(|other| &arcs[*other]).find(|other| {
            let (from, to) = other.extent(x_of);
            other.is_below() == arcs[*own].is_below()
                && left < to
                && from < right
                && (other.height - arcs[*own].height).abs() < LINE
        }) {
            arcs[*own].height = other.height + LINE;
        }
    }
}

/// The automaton as an SVG image; a transition shows its acceptance sets behind the condition, and
/// is drawn thick where it is in one.
pub fn svg(automaton: &Automaton, atoms: &[String]) -> String {
    let mut arcs: Vec<Arc> = Vec::new();
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
            let sets: String =
                (0..automaton.sets).filter(|i| marks >> i & 1 == 1).map(|i| format!(" {{{i}}}")).collect();
            arcs.push(Arc { from, to, height, label: format!("{condition}{sets}"), is_thick: *marks != 0 });
        }
    }
    let plain = |state: usize| APART * state as f64 + APART / 2.0 + 20.0;
    separate(&mut arcs, &plain);
    let highest = |is_below: bool| {
        let heights = arcs.iter().filter(|arc| arc.is_below() == is_below).map(|arc| arc.height);
        heights.fold(0.0, f64::max)
    };
    let (above, below) = (highest(false).max(FIRST), highest(true));
    let extents = || arcs.iter().map(|arc| arc.extent(&plain));
    let shift = extents().fold(0.0, |most: f64, (left, _)| most.max(8.0 - left));
    let states = APART * automaton.states.len() as f64 + 40.0;
    let width = extents().fold(states, |most, (_, right)| most.max(right + 8.0)) + shift;
    let middle = above + 40.0;
    let height = middle + below.max(RADIUS) + 40.0;
    let x_of = |state: usize| plain(state) + shift;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\" text-anchor=\"middle\">\n\
         <defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"9\" markerHeight=\"9\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"#1f4e79\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for Arc { from, to, height, label, is_thick } in arcs {
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
        let stroke = if is_thick { 2.5 } else { 1.0 };
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The labels of an image: left, right and base line.
    fn labels(image: &str) -> Vec<(f64, f64, f64)> {
        let value = |line: &str, name: &str| -> f64 {
            let rest = line.split(&format!("{name}=\"")).nth(1).expect("an attribute");
            rest.split('"').next().and_then(|value| value.parse().ok()).expect("a number")
        };
        let label = |line: &str| {
            let text = line.split('>').nth(1)?.split('<').next()?;
            let text = text.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">");
            let (x, half) = (value(line, " x"), text.chars().count() as f64 * CHARACTER / 2.0);
            Some((x - half, x + half, value(line, " y")))
        };
        image.lines().filter(|line| line.starts_with("<text")).filter_map(label).collect()
    }

    #[test]
    fn no_label_covers_another_one() {
        for formula in [
            "[] (p -> <> q)",
            "[] ({lift[0].motor && lift[0].state == MOVING} -> <> {lift[0].door == OPEN})",
            "!(<> ({lift[0].motor} && X ({lift[0].motor} U {lift[0].door == OPEN})))",
            "([] <> {a_rather_long_name}) -> ([] <> {another_long_name} && <> [] {yet_another_name})",
            "p U (q U (r U {the_end_of_all_things}))",
        ] {
            let parsed = crate::parse(formula).expect("a formula");
            for automaton in [crate::translate(&parsed.formula), crate::translate_negation(&parsed.formula)] {
                let automaton = automaton.expect("an automaton");
                let image = svg(&automaton, &parsed.atoms);
                let labels = labels(&image);
                assert!(labels.len() > automaton.states.len(), "{image}");
                for (at, one) in labels.iter().enumerate() {
                    assert!(one.0 >= 0.0, "{formula}: a label is cut");
                    for other in &labels[..at] {
                        let is_apart = one.1 <= other.0 || other.1 <= one.0 || (one.2 - other.2).abs() > 12.0;
                        assert!(is_apart, "{formula}: {one:?} covers {other:?}");
                    }
                }
            }
        }
    }
}
