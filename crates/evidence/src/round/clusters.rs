//! Violations with the same cause: the same last decisive statement.
//!
//! The decisive statement of a violation is the one at fault, if the report names it. For a temporal
//! property it is the one that matters in the account of the violation: that of the forbidden event, or
//! of the last event before the missing one. Where this is a call of the outermost function, the loop
//! that hands events on, it is the last statement before it that changes a variable of the property.
//! Without an account it is the last statement that changes a
//! proposition, before the cycle if there is one, and without propositions the last one that changes
//! anything.
//!
//! *Entry point:* [`clusters`].

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{RoundProperty, RoundRun};
use crate::place::PlaceReport;
use crate::trace::{Trace, TraceStep};

/// Violated runs with the same last decisive statement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cluster {
    /// The statement, as written; empty if there is none.
    pub statement: String,
    /// Its location.
    pub place: Option<PlaceReport>,
    /// The violated runs.
    pub runs: Vec<String>,
}

/// The violated runs by decisive statement, the largest clusters first.
pub fn clusters(properties: &[RoundProperty]) -> Vec<Cluster> {
    let mut found: BTreeMap<(String, u32, String), Cluster> = BTreeMap::new();
    for run in properties.iter().flat_map(|property| &property.runs) {
        let Some((statement, place)) = decisive(run) else { continue };
        let (file, line) =
            place.as_ref().map_or((String::new(), 0), |place| (place.file.clone(), place.line));
        let cluster = found.entry((file, line, statement.clone())).or_insert_with(|| Cluster {
            statement,
            place,
            runs: Vec::new(),
        });
        cluster.runs.push(run.name.clone());
    }
    let mut all: Vec<Cluster> = found.into_values().collect();
    all.sort_by_key(|cluster| std::cmp::Reverse(cluster.runs.len()));
    all
}

/// The decisive statement of a violated run.
fn decisive(run: &RoundRun) -> Option<(String, Option<PlaceReport>)> {
    let violation = run.violation.as_ref()?;
    if let Some(place) = &violation.place {
        return Some((violation.statement.clone().unwrap_or_default(), Some(place.clone())));
    }
    let step = run.trace.as_ref().and_then(last_decisive);
    Some(step.map_or((String::new(), None), |step| (step.by.statement.clone(), step.by.place.clone())))
}

fn last_decisive(trace: &Trace) -> Option<&TraceStep> {
    let named = trace.account.as_ref().map(|account| account.step).filter(|step| *step > 0);
    if let Some(step) = named.and_then(|number| trace.steps.iter().find(|step| step.step == number)) {
        return Some(below_event_loop(trace, step));
    }
    let before = |step: &&TraceStep| trace.cycle.is_none_or(|first| step.step < first);
    let steps: Vec<&TraceStep> = trace.steps.iter().filter(before).collect();
    let mut last = None;
    let mut holds = trace.start.as_ref().map(|observed| &observed.holds);
    for step in &steps {
        let Some(observed) = &step.observed else { continue };
        if holds.is_some_and(|holds| *holds != observed.holds) {
            last = Some(*step);
        }
        holds = Some(&observed.holds);
    }
    let changes = |step: &&&TraceStep| !step.changes.is_empty() || !step.messages.is_empty();
    last.or_else(|| steps.iter().rev().find(changes).copied()).or_else(|| trace.steps.last())
}

/// The last statement in a function that changes a variable of the property, for a call by the outermost
/// function that changes none: the loop that hands events on is the cause of nothing. Other steps stay.
fn below_event_loop<'t>(trace: &'t Trace, step: &'t TraceStep) -> &'t TraceStep {
    let is_observed = |step: &TraceStep| step.changes.iter().any(|one| trace.observed.contains(&one.name));
    if step.depth > 0 || step.calls.is_empty() || is_observed(step) {
        return step;
    }
    let before = trace.steps.iter().filter(|one| one.step < step.step && one.depth > 0);
    before.rev().find(|one| is_observed(one)).unwrap_or(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::round::Judgement;
    use crate::round::tests::{property, run};
    use crate::trace::{Account, Call, Changed, Mover, Observed, tests::single_step};

    #[test]
    fn the_last_change_of_a_proposition_is_decisive() {
        let step = |number: u64, statement: &str, holds: &[&str]| {
            let by = Mover { pid: 0, process: "p".into(), place: None, statement: statement.into() };
            let mut step = single_step(by, "").steps.remove(0);
            step.step = number;
            let holds = holds.iter().map(|text| text.to_string()).collect();
            step.observed = Some(Observed { holds, claim: None });
            step
        };
        let trace = Trace {
            start: Some(Observed { holds: Vec::new(), claim: None }),
            cycle: Some(3),
            ..Trace::of(vec![
                step(1, "a = 1", &["a"]),
                step(2, "b = 1", &["a", "b"]),
                step(3, "skip", &["a", "b"]),
            ])
        };
        assert_eq!(last_decisive(&trace).map(|step| &*step.by.statement), Some("b = 1"));
        let violated = |name: &str| {
            let mut run = run(name, "any", Judgement::Failed);
            run.violation = Some(crate::report::ViolationReport {
                property: name.into(),
                kind: "formula".into(),
                message: "m".into(),
                process: None,
                place: None,
                statement: None,
                depth: 3,
                count: 1,
                details: Vec::new(),
                path: Vec::new(),
                cycle: Some(1),
                attempt: None,
                rows: Vec::new(),
            });
            run.trace = Some(trace.clone());
            property(name, "f", vec![run])
        };
        let found = clusters(&[violated("one"), violated("two")]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].runs, ["one@any", "two@any"]);
    }

    #[test]
    fn the_event_loop_is_not_a_cause() {
        let step = |number: u64, depth: u32, statement: &str| {
            let by = Mover { pid: 0, process: "main(0)".into(), place: None, statement: statement.into() };
            TraceStep { depth, ..TraceStep::of(number, by) }
        };
        let mut change = step(2, 2, "x = 1");
        change.changes.push(Changed { name: "x".into(), old: None, new: Some("1".into()), frame: None });
        let mut outer = step(3, 0, "dispatch(m)");
        outer.calls.push(Call { function: "dispatch".into(), arguments: Vec::new() });
        let account = Account { sentence: "s".into(), step: 3, events: Vec::new() };
        let mut trace = Trace::of(vec![step(1, 0, "dispatch(m)"), change, outer]);
        (trace.account, trace.observed) = (Some(account), vec!["x".into()]);
        assert_eq!(last_decisive(&trace).map(|step| step.step), Some(2));
        // A function that another one calls is named.
        trace.steps[2].depth = 1;
        assert_eq!(last_decisive(&trace).map(|step| step.step), Some(3));
    }
}
