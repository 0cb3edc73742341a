//! Charts and automata as figures of a page.
//!
//! *Entry points:* [`chart`], [`automaton`].
//! *Invariant:* a page allows no inline style, so the style of an image is left to the style sheet.

use axle_evidence::chart::{Chart, render_svg};
use axle_ltl::Automaton;
use axle_ltl::print::svg::svg;

/// A sequence chart.
#[must_use]
pub fn chart(chart: &Chart) -> String {
    without_style(&render_svg(chart))
}

/// An automaton. Its colours are those of the style sheet.
#[must_use]
pub fn automaton(automaton: &Automaton, atoms: &[String]) -> String {
    let image = svg(automaton, atoms).replacen("<svg ", "<svg class=\"automaton\" role=\"img\" ", 1);
    let title = format!("<title>Automaton with {} states</title>", automaton.states.len());
    let image = match image.split_once('>') {
        Some((open, rest)) => format!("{open}>{title}{rest}"),
        None => image,
    };
    image
        .replace("fill=\"#ffffff\"", "class=\"ground\"")
        .replace("fill=\"#eef3f8\" stroke=\"#1f4e79\"", "class=\"state\"")
        .replace("fill=\"none\" stroke=\"#1f4e79\"", "class=\"edge\"")
        .replace("fill=\"#1f4e79\"", "class=\"head\"")
        .replace("stroke=\"#1f4e79\"", "class=\"edge\"")
        .replace("\"head\"", "\"automaton-head\"")
        .replace("#head", "#automaton-head")
}

/// An image without its element `style`.
fn without_style(image: &str) -> String {
    match image
        .split_once("<style>")
        .and_then(|(before, rest)| Some((before, rest.split_once("</style>")?.1)))
    {
        Some((before, after)) => format!("{before}{after}"),
        None => image.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_no_inline_style() {
        let parsed = axle_ltl::parse("[] (p -> <> q)").expect("a formula");
        let automaton_of = axle_ltl::translate_negation(&parsed.formula).expect("an automaton");
        let figures = [automaton(&automaton_of, &parsed.atoms), chart(&Chart::default())];
        for figure in figures {
            assert!(!figure.contains("<style") && !figure.contains("style="), "{figure}");
            assert!(figure.contains("role=\"img\""), "{figure}");
        }
    }
}
