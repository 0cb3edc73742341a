//! The lasting effects of several steps: changes by variable, without those of variables that no longer
//! exist.
//!
//! *Entry points:* [`lasting`], [`words`].

use super::text::{changed, happenings};
use super::{Changed, TraceStep};

/// Notes and outputs of a row.
const MOST_NOTES: usize = 4;

/// The changes of steps from before the first to behind the last one. Changes of automatic variables
/// count up to the depth `outer`, all of them without it.
pub(super) fn lasting(steps: &[TraceStep], outer: Option<u32>) -> Vec<Changed> {
    let mut all: Vec<Changed> = Vec::new();
    let remains = |change: &&Changed| match (change.frame, outer) {
        (Some(frame), Some(outer)) => frame <= outer,
        (None, _) | (_, None) => true,
    };
    for change in steps.iter().flat_map(|step| &step.changes).filter(remains) {
        match all.iter_mut().find(|known| (&known.name, known.frame) == (&change.name, change.frame)) {
            Some(known) => known.new.clone_from(&change.new),
            None => all.push(change.clone()),
        }
    }
    all.retain(|change| change.old != change.new);
    all
}

/// Effects in words, changes of observed variables first. A single statement has all its effects.
pub(super) fn words(
    steps: &[TraceStep],
    changes: &[Changed],
    observed: &dyn Fn(&str) -> bool,
    single: bool,
) -> Vec<String> {
    let Some(first) = steps.first() else { return Vec::new() };
    let notes = steps.iter().flat_map(|step| &step.notes).map(|note| note.text.clone());
    let printed = steps.iter().filter(|step| !step.printed.is_empty());
    let printed = printed.map(|step| format!("prints {:?}", step.printed));
    let messages = steps.iter().flat_map(|step| &step.messages).map(super::label);
    let mut all: Vec<String> = match single {
        true => Vec::new(),
        false => {
            let all = notes.filter(|text| !text.is_empty()).chain(messages).chain(printed);
            all.take(MOST_NOTES).collect()
        }
    };
    let mut order: Vec<&Changed> = changes.iter().collect();
    order.sort_by_key(|change| !observed(&change.name));
    match single {
        true => all.extend(Some(happenings(first)).filter(|text| !text.is_empty())),
        false => all.extend(order.into_iter().map(|change| changed(first, change))),
    }
    all
}
