//! What of a model a property depends on, told statement by statement.
//!
//! Main function: [`slice_of`]; the slice itself is made by [`axle_reduce::slice`].

use axle_model::{Edge, Effect, Expr, Model, Origin};
use axle_reduce::slice::{Relevant, slice};

use crate::claims::{self, Source};
use crate::runs::visible;

/// A slice, told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sliced {
    /// What the property says.
    pub meaning: String,
    /// Where statements stand that are relevant.
    pub relevant: Vec<Origin>,
    /// The statements that are not, in order of the text.
    pub removed: Vec<Removed>,
}

/// A statement that is not relevant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Removed {
    /// Where it stands.
    pub origin: Origin,
    /// As written.
    pub text: String,
    /// Why it is not relevant.
    pub why: String,
}

/// The slice of a model for the property with this name, or why there is none.
pub fn slice_of(model: &Model, name: &str) -> Result<Sliced, String> {
    let stated = claims::stated(model);
    let Some(one) = stated.iter().find(|one| one.name == name) else {
        let known = stated.iter().map(|one| one.name.as_str());
        let near = axle_source::nearest(name, known);
        let near = near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
        return Err(format!("the model has no property '{name}'{near}"));
    };
    let Source::Formula(formula) = &one.source else {
        return Err(format!("'{name}' is not a formula: a slice is for what formulas say of variables"));
    };
    if axle_ltl::stutter::is_stutter_invariant(formula) != Ok(true) {
        return Err(format!(
            "'{name}' can tell a step that changes nothing from none, and a slice has fewer"
        ));
    }
    let sliced = slice(model, &visible(&one.atoms))
        .map_err(|reason| format!("the model cannot be sliced for '{name}': {reason}"))?;
    let mut relevant = Vec::new();
    let mut removed: Vec<Removed> = Vec::new();
    for (process, edges) in model.processes.iter().zip(&sliced.edges) {
        for (edge, kept) in process.edges.iter().zip(edges) {
            if kept.any() {
                relevant.extend(edge.origins.iter().copied());
            } else if let Some(why) = why(edge, kept) {
                let origin = edge.origins.first().copied().unwrap_or(Origin::NONE);
                removed.push(Removed { origin, text: edge.text.clone(), why: why.to_string() });
            }
        }
    }
    removed.retain(|one| one.origin.line > 0 && !relevant.contains(&one.origin));
    removed.sort();
    removed.dedup();
    Ok(Sliced { meaning: one.meaning.clone(), relevant, removed })
}

/// Why an edge is not relevant; none for what does nothing in the first place.
fn why(edge: &Edge, kept: &Relevant) -> Option<&'static str> {
    let mut effects = edge.effects.iter().zip(&kept.effects).filter(|(_, kept)| !**kept);
    if edge.is_else {
        return Some("which way is taken here is not relevant");
    }
    if edge.comm.is_some() {
        return Some("what goes through the channel is not relevant, and nothing relevant waits for it");
    }
    if edge.guard != Expr::TRUE {
        return match edge.effects.iter().any(|effect| matches!(effect, Effect::Exit)) {
            true => None,
            false => Some("nothing relevant waits for it"),
        };
    }
    effects.find_map(|(effect, _)| match effect {
        Effect::Assign(..) | Effect::Clear(_) => Some("nothing relevant depends on the variable"),
        Effect::Assert(..) => Some("an assertion changes nothing"),
        Effect::Print(..) => Some("printing changes nothing"),
        Effect::Run { .. } => Some("the process does nothing relevant, and ends"),
        Effect::SetPriority(..) | Effect::Exit => None,
    })
}
