//! An automaton as a picture.
//!
//! States are placed in layers, along the transitions, and each label has room of its own on its transition. The
//! layout is that of `dagre`; here is what it has to know, the sizes of states and labels, and the image.
//!
//! *Entry point:* [`svg`].
//! *Source:* K. Sugiyama, S. Tagawa, M. Toda, Methods for visual understanding of hierarchical system structures,
//! IEEE Transactions on Systems, Man, and Cybernetics 11, 1981; U. Brandes, B. Köpf, Fast and simple horizontal
//! coordinate assignment, GD 2001.
//! *Invariant:* no label covers another one or a state, and all lie inside the image.

use std::fmt::Write;

use dagre::graph::{Graph, GraphOptions};
use dagre::layout::types::LabelPos;
use dagre::{EdgeLabel, LayoutOptions, NodeLabel, RankDir};

use super::grouped;
use crate::automaton::Automaton;

/// Pixels: the radius of a state, the room around the picture, and the arrow that leads to the initial state.
const RADIUS: f64 = 20.0;
const MARGIN: f64 = 12.0;
const ENTRY: f64 = 30.0;
/// The handles of a loop are at most this far from its middle; the loop itself is within three quarters of it.
const WIDEST: f64 = 44.0;
/// The most width of a character of a label, and the height of a line of labels.
const CHARACTER: f64 = 7.8;
const LINE: f64 = 18.0;

/// The most characters of a label beside which the next layer is drawn; below longer ones, the image would be wider
/// than a page.
const SHORT: usize = 24;

/// The most transitions of a picture. No one reads more, and the time of a layout grows with their square: a thousand
/// take 3 s.
const MOST: usize = 300;

/// A transition of the picture.
struct Arrow {
    from: usize,
    to: usize,
    label: String,
    /// Whether it is in an acceptance set.
    is_thick: bool,
    /// The centre of the label.
    at: (f64, f64),
    /// From one state to the other; the ends are not on their circles yet.
    points: Vec<(f64, f64)>,
}

/// States and transitions with their places.
struct Picture {
    states: Vec<(f64, f64)>,
    arrows: Vec<Arrow>,
    size: (f64, f64),
    /// Whether the layers are rows.
    is_downwards: bool,
}

/// The transitions, without places.
fn arrows(automaton: &Automaton, atoms: &[String]) -> Vec<Arrow> {
    let mut arrows = Vec::new();
    for (from, out) in automaton.states.iter().enumerate() {
        for (condition, to, marks) in grouped(out, atoms) {
            let sets: String =
                (0..automaton.sets).filter(|i| marks >> i & 1 == 1).map(|i| format!(" {{{i}}}")).collect();
            arrows.push(Arrow {
                from,
                to: to as usize,
                label: format!("{condition}{sets}"),
                is_thick: marks != 0,
                at: (0.0, 0.0),
                points: Vec::new(),
            });
        }
    }
    arrows
}

/// The width of a label.
fn width_of(label: &str) -> f64 {
    label.chars().count() as f64 * CHARACTER
}

/// Gives states and transitions their places.
fn placed(states: usize, initial: usize, mut arrows: Vec<Arrow>) -> Picture {
    let is_downwards = arrows.iter().any(|arrow| arrow.label.chars().count() > SHORT);
    let mut graph = Graph::with_options(GraphOptions { directed: true, multigraph: true, compound: true });
    // The first state is placed first: the layers begin at it.
    let order = std::iter::once(initial).chain((0..states).filter(|state| *state != initial));
    for state in order {
        let node = NodeLabel { width: 2.0 * RADIUS, height: 2.0 * RADIUS, ..NodeLabel::default() };
        graph.set_node(state.to_string(), Some(node));
    }
    for (index, arrow) in arrows.iter().enumerate() {
        let label = EdgeLabel {
            width: width_of(&arrow.label) + 8.0,
            height: LINE,
            labelpos: LabelPos::Center,
            ..EdgeLabel::default()
        };
        graph.set_edge(arrow.from.to_string(), arrow.to.to_string(), Some(label), Some(&index.to_string()));
    }
    let options = LayoutOptions {
        rankdir: if is_downwards { RankDir::TB } else { RankDir::LR },
        nodesep: 36.0,
        edgesep: 12.0,
        ranksep: 36.0,
        ..LayoutOptions::default()
    };
    dagre::layout(&mut graph, Some(options));
    let mut places = vec![(0.0, 0.0); states];
    for (state, place) in places.iter_mut().enumerate() {
        if let Some(node) = graph.node(&state.to_string()) {
            *place = (node.x.unwrap_or(0.0), node.y.unwrap_or(0.0));
        }
    }
    for (index, arrow) in arrows.iter_mut().enumerate() {
        let (from, to) = (arrow.from.to_string(), arrow.to.to_string());
        if let Some(edge) = graph.edge(&from, &to, Some(&index.to_string())) {
            arrow.at = (edge.x.unwrap_or(0.0), edge.y.unwrap_or(0.0));
            arrow.points = edge.points.iter().map(|point| (point.x, point.y)).collect();
        }
    }
    let mut picture = Picture { states: places, arrows, size: (0.0, 0.0), is_downwards };
    picture.move_inside(initial);
    picture
}

impl Picture {
    /// Moves everything so that the image begins at 0, and sets its size.
    fn move_inside(&mut self, initial: usize) {
        let mut low = (f64::MAX, f64::MAX);
        let mut high = (f64::MIN, f64::MIN);
        let mut cover = |(x, y): (f64, f64), half: f64, over: f64| {
            low = (low.0.min(x - half), low.1.min(y - over));
            high = (high.0.max(x + half), high.1.max(y + over));
        };
        for state in &self.states {
            cover(*state, 0.75 * WIDEST, 0.75 * WIDEST);
        }
        let (x, y) = self.states[initial];
        let entry = if self.is_downwards { (x, y - ENTRY - RADIUS) } else { (x - ENTRY - RADIUS, y) };
        cover(entry, 0.0, 0.0);
        for arrow in &self.arrows {
            cover(arrow.at, width_of(&arrow.label) / 2.0, LINE / 2.0);
            arrow.points.iter().for_each(|point| cover(*point, 0.0, 0.0));
        }
        let shift = (MARGIN - low.0, MARGIN - low.1);
        let moved = |at: &mut (f64, f64)| *at = (at.0 + shift.0, at.1 + shift.1);
        self.states.iter_mut().for_each(moved);
        for arrow in &mut self.arrows {
            moved(&mut arrow.at);
            arrow.points.iter_mut().for_each(moved);
        }
        self.size = (high.0 - low.0 + 2.0 * MARGIN, high.1 - low.1 + 2.0 * MARGIN);
    }

    /// The path of a transition: a curve near its points, from circle to circle.
    fn path(&self, arrow: &Arrow) -> String {
        if arrow.from == arrow.to {
            return self.loop_path(arrow);
        }
        let mut points = arrow.points.clone();
        let (Some(&second), Some(&last_but_one)) = (points.get(1), points.iter().rev().nth(1)) else {
            return String::new();
        };
        let end = points.len() - 1;
        points[0] = on_circle(self.states[arrow.from], second);
        points[end] = on_circle(self.states[arrow.to], last_but_one);
        let mut path = format!("M{:.1} {:.1}", points[0].0, points[0].1);
        for (at, point) in points.iter().enumerate().skip(1) {
            // Each inner point attracts the curve between the middles of the lines that meet in it.
            let (x, y) = match at == end {
                true => *point,
                false => ((point.0 + points[at + 1].0) / 2.0, (point.1 + points[at + 1].1) / 2.0),
            };
            let _ = match at == end {
                true => write!(path, " L{x:.1} {y:.1}"),
                false => write!(path, " Q{:.1} {:.1} {x:.1} {y:.1}", point.0, point.1),
            };
        }
        path
    }

    /// A loop whose tip is its label. It is the wider the farther off that is, so that loops of a state do not meet.
    fn loop_path(&self, arrow: &Arrow) -> String {
        let (x, y) = self.states[arrow.from];
        let (along_x, along_y) = (arrow.at.0 - x, arrow.at.1 - y);
        let far = along_x.hypot(along_y).max(1.0);
        let (along_x, along_y) = (along_x / far, along_y / far);
        // The tip of a cubic curve lies at three quarters of the height of its handles.
        let handle = RADIUS + (far - RADIUS) / 0.75;
        let at = |along: f64, across: f64| {
            format!(
                "{:.1} {:.1}",
                x + along * along_x - across * along_y,
                y + along * along_y + across * along_x
            )
        };
        let (wide, narrow) = ((16.0 + 0.45 * far).min(WIDEST), RADIUS * 0.6);
        let foot = RADIUS * 0.8;
        format!("M{} C{} {} {}", at(foot, narrow), at(handle, wide), at(handle, -wide), at(foot, -narrow))
    }
}

/// The point of the circle of a state nearest to a point outside.
fn on_circle(centre: (f64, f64), towards: (f64, f64)) -> (f64, f64) {
    let (x, y) = (towards.0 - centre.0, towards.1 - centre.1);
    let length = x.hypot(y).max(1.0);
    (centre.0 + x / length * RADIUS, centre.1 + y / length * RADIUS)
}

/// The automaton as an SVG image; a transition shows its acceptance sets behind the condition, and
/// is drawn thick where it is in one. In place of an automaton with more than 300 transitions, the image has its size.
pub fn svg(automaton: &Automaton, atoms: &[String]) -> String {
    let initial = automaton.initial as usize;
    let arrows = arrows(automaton, atoms);
    if arrows.len() > MOST {
        let (states, transitions) = (automaton.states.len(), arrows.len());
        return format!(
            "{}<text x=\"230\" y=\"25\">{states} states and {transitions} transitions are too many for a picture.</text>\n</svg>\n",
            head(460.0, 40.0)
        );
    }
    let picture = placed(automaton.states.len(), initial, arrows);
    let mut text = head(picture.size.0, picture.size.1);
    for arrow in &picture.arrows {
        let stroke = if arrow.is_thick { 2.5 } else { 1.0 };
        let _ = writeln!(
            text,
            "<path d=\"{}\" fill=\"none\" stroke=\"#1f4e79\" stroke-width=\"{stroke}\" marker-end=\"url(#head)\"/>",
            picture.path(arrow)
        );
    }
    // Labels lie on their transitions, and cover these only.
    for Arrow { label, at: (x, y), .. } in &picture.arrows {
        let width = width_of(label);
        let _ = writeln!(
            text,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{LINE}\" fill=\"#ffffff\"/>\n\
             <text x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
            x - width / 2.0,
            y - LINE / 2.0,
            y + 4.5,
            escape(label)
        );
    }
    for (state, (x, y)) in picture.states.iter().enumerate() {
        let _ = writeln!(
            text,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\" fill=\"#eef3f8\" stroke=\"#1f4e79\"/>\n\
             <text x=\"{x:.1}\" y=\"{:.1}\">{state}</text>",
            y + 5.0
        );
    }
    let (x, y) = picture.states[initial];
    let (x, y) = if picture.is_downwards { (x, y - RADIUS) } else { (x - RADIUS, y) };
    let (from_x, from_y) = if picture.is_downwards { (x, y - ENTRY) } else { (x - ENTRY, y) };
    let _ = writeln!(
        text,
        "<line x1=\"{from_x:.1}\" y1=\"{from_y:.1}\" x2=\"{x:.1}\" y2=\"{y:.1}\" stroke=\"#1f4e79\" \
         marker-end=\"url(#head)\"/>\n</svg>"
    );
    text
}

/// The beginning of an image.
fn head(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"13\" text-anchor=\"middle\">\n\
         <defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"9\" markerHeight=\"9\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"#1f4e79\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of an attribute.
    fn value(line: &str, name: &str) -> f64 {
        let rest = line.split(&format!(" {name}=\"")).nth(1).expect("an attribute");
        rest.split('"').next().and_then(|value| value.parse().ok()).expect("a number")
    }

    /// The labels of an image: left, right and base line.
    fn labels(image: &str) -> Vec<(f64, f64, f64)> {
        let label = |line: &str| {
            let text = line.split('>').nth(1)?.split('<').next()?;
            let text = text.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">");
            let (x, half) = (value(line, "x"), text.chars().count() as f64 * CHARACTER / 2.0);
            Some((x - half, x + half, value(line, "y")))
        };
        image.lines().filter(|line| line.starts_with("<text")).filter_map(label).collect()
    }

    /// Fails if a label covers another one or the circle of a state, or is cut.
    fn check(formula: &str, image: &str, states: usize) {
        let labels = labels(image);
        assert!(labels.len() > states, "{image}");
        for (at, one) in labels.iter().enumerate() {
            let (width, height) = (value(image, "width"), value(image, "height"));
            let is_inside = one.0 >= 0.0 && one.1 <= width && one.2 >= LINE - 5.0 && one.2 + 5.0 <= height;
            assert!(is_inside, "{formula}: {one:?} is cut\n{image}");
            for circle in image.lines().filter(|line| line.starts_with("<circle")) {
                let (x, y) = (value(circle, "cx"), value(circle, "cy"));
                // The number of the state itself is in the circle.
                let is_its_own = (one.0 + one.1 - 2.0 * x).abs() < 1.0 && (one.2 - y - 5.0).abs() < 1.0;
                let (top, bottom) = (one.2 - 4.5 - LINE / 2.0, one.2 - 4.5 + LINE / 2.0);
                let (across, along) = (x.clamp(one.0, one.1) - x, y.clamp(top, bottom) - y);
                let is_apart = across.hypot(along) >= RADIUS - 1.0;
                assert!(is_its_own || is_apart, "{formula}: {one:?} covers a state\n{image}");
            }
            for other in &labels[..at] {
                let is_apart = one.1 <= other.0 || other.1 <= one.0 || (one.2 - other.2).abs() > 12.0;
                assert!(is_apart, "{formula}: {one:?} covers {other:?}\n{image}");
            }
        }
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
                check(formula, &svg(&automaton, &parsed.atoms), automaton.states.len());
            }
        }
    }

    #[test]
    fn a_large_automaton_is_counted() {
        let formula = (0..5).map(|i| format!("<> (a{i} && X b{i})")).collect::<Vec<_>>().join(" && ");
        let parsed = crate::parse(&formula).expect("a formula");
        let automaton = crate::translate(&parsed.formula).expect("an automaton");
        let image = svg(&automaton, &parsed.atoms);
        assert!(image.contains("243 states and 1024 transitions are too many for a picture."), "{image}");
    }

    #[test]
    fn random_automata_have_pictures() {
        let atoms: Vec<String> = (0..8).map(|i| format!("p{i}")).collect();
        let mut random = crate::testing::Random::new(7);
        for _ in 0..200 {
            let formula = crate::testing::formula(&mut random, 7);
            let Ok(automaton) = crate::translate(&formula) else { continue };
            if automaton.states.is_empty() || automaton.states.iter().all(Vec::is_empty) {
                continue;
            }
            check("a random formula", &svg(&automaton, &atoms), automaton.states.len());
        }
    }
}
