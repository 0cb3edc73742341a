//! Automata and formulas as text: a never claim for Spin, HOA for other tools, DOT and SVG for a
//! picture, a table for reading.

pub mod dot;
pub mod explain;
pub mod hoa;
pub mod never;
pub mod svg;
pub mod table;

use crate::automaton::{Cube, Transition};
use crate::formula::Formula;

/// A cube as a Promela condition; what is always true is `true`.
pub fn condition(cube: Cube, atoms: &[String]) -> String {
    let literals: Vec<String> = (0..64)
        .filter_map(|atom| {
            let name = || atom_text(atoms, atom as u32);
            if cube.must >> atom & 1 == 1 {
                Some(name())
            } else if cube.must_not >> atom & 1 == 1 {
                Some(format!("!{}", name()))
            } else {
                None
            }
        })
        .collect();
    if literals.is_empty() { "true".to_owned() } else { literals.join(" && ") }
}

/// The text of an atom, in parentheses where it is more than a name or a reference such as `x[1]`
/// or `P@label`.
pub fn atom_text(atoms: &[String], atom: u32) -> String {
    match atoms.get(atom as usize) {
        Some(text) if text.chars().all(|c| c.is_alphanumeric() || "_[]@:.".contains(c)) => text.clone(),
        Some(text) => format!("({text})"),
        None => format!("p{atom}"),
    }
}

/// Transitions with the same target and marks under one condition each, as the conditions'
/// disjunction.
pub(crate) fn grouped(out: &[Transition], atoms: &[String]) -> Vec<(String, u32, u64)> {
    let mut groups: Vec<(Vec<String>, u32, u64)> = Vec::new();
    for t in out {
        let text = condition(t.label, atoms);
        match groups.iter_mut().find(|g| g.1 == t.to && g.2 == t.marks) {
            Some(group) => group.0.push(text),
            None => groups.push((vec![text], t.to, t.marks)),
        }
    }
    let join = |texts: Vec<String>| match texts.len() {
        1 => texts.concat(),
        _ => texts
            .iter()
            .map(|t| if t.contains("&&") { format!("({t})") } else { t.clone() })
            .collect::<Vec<_>>()
            .join(" || "),
    };
    groups.into_iter().map(|(texts, to, marks)| (join(texts), to, marks)).collect()
}

/// The formula in Spin's notation, with as few parentheses as a careful reader wants.
pub fn formula(f: &Formula, atoms: &[String]) -> String {
    let prefix = |op: &str, a: &Formula| match a {
        Formula::And(..)
        | Formula::Or(..)
        | Formula::Implies(..)
        | Formula::Equivalent(..)
        | Formula::Until(..)
        | Formula::WeakUntil(..)
        | Formula::Release(..) => format!("{op} ({})", formula(a, atoms)),
        _ => format!("{op} {}", formula(a, atoms)),
    };
    let side = |a: &Formula| match a {
        Formula::And(..)
        | Formula::Or(..)
        | Formula::Implies(..)
        | Formula::Equivalent(..)
        | Formula::Until(..)
        | Formula::WeakUntil(..)
        | Formula::Release(..) => format!("({})", formula(a, atoms)),
        _ => formula(a, atoms),
    };
    match f {
        Formula::True => "true".to_owned(),
        Formula::False => "false".to_owned(),
        Formula::Atom(atom) => atom_text(atoms, *atom),
        Formula::Not(a) => match **a {
            Formula::Atom(_) | Formula::True | Formula::False => format!("!{}", formula(a, atoms)),
            _ => format!("!({})", formula(a, atoms)),
        },
        Formula::Next(a) => prefix("X", a),
        Formula::Always(a) => prefix("[]", a),
        Formula::Eventually(a) => prefix("<>", a),
        Formula::And(a, b) => format!("{} && {}", side(a), side(b)),
        Formula::Or(a, b) => format!("{} || {}", side(a), side(b)),
        Formula::Implies(a, b) => format!("{} -> {}", side(a), side(b)),
        Formula::Equivalent(a, b) => format!("{} <-> {}", side(a), side(b)),
        Formula::Until(a, b) => format!("{} U {}", side(a), side(b)),
        Formula::WeakUntil(a, b) => format!("{} W {}", side(a), side(b)),
        Formula::Release(a, b) => format!("{} V {}", side(a), side(b)),
    }
}
