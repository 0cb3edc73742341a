//! One symbolic search for all runs of a property, where their own searches take long.
//!
//! The runs of a property differ in the provisioning, which is chosen before everything else and multiplies
//! states, but hardly decision diagrams. From the second cycle on, half of its time is spent on one search of the
//! model with the provisionings of all runs, unless that has ended before. Each run takes its own answer.
//!
//! *Entry point:* [`answer`].
//! *Invariant:* an answer is *holds*, from a search that has ended. A violated run is searched on its own,
//! for its execution.

use std::sync::Arc;

use axle_check::{CheckedModel, Config, Verdict, check_in_parts};
use axle_model::Model;
use axle_tabled::Origin;

use super::configuration::{EXACT, property_config};
use super::deadline::{Control, Deadline};
use super::time_of;
use crate::prepare::{Options, Run, Subject};
use crate::provisioning::joint::{Found, Together, joint};

/// The first cycle with such a search: in the cycle before, the search of the run alone has not ended.
const FIRST: u8 = 1;

/// The result of a run that was decided together with others.
pub(super) fn answer(run: &Run, options: &Options, cycle: u8, control: &mut Control) -> Option<CheckedModel> {
    let member = run.member.as_ref()?;
    // Another thread searches.
    let mut found = member.together.found.try_lock().ok()?;
    let is_due = (FIRST..EXACT).contains(&cycle) && found.tried < Some(cycle);
    if found.answers.is_empty() && is_due {
        found.tried = Some(cycle);
        search(&member.together, &mut found, (options, cycle), control);
    }
    let mut checked = found.answers.get(member.number)?.clone()?;
    let others = member.together.runs.len() - 1;
    let remark = match others {
        1 => "decided together with the other run of the property, by one search".to_string(),
        _ => format!("decided together with the {others} other runs of the property, by one search"),
    };
    checked.report.properties.iter_mut().for_each(|row| row.remarks.push(remark.clone()));
    let Some(Some(joint)) = &found.joint else { return None };
    let config = configuration(&joint.model, options);
    if let Subject::Extracted(_, origin) = &run.subject {
        qualify(origin, &joint.model, &config, &mut checked, control)?;
    }
    Some(checked)
}

/// Turns the answer for an extracted model into that for its program, if that holds, too.
fn qualify(
    origin: &Origin,
    model: &Arc<Model>,
    config: &Config,
    checked: &mut CheckedModel,
    control: &mut Control,
) -> Option<()> {
    use axle_search::Monitor;
    let interrupt = Deadline { control, limit: None, extended: true }.interrupt();
    let qualified = origin.qualify(model, config, checked, &interrupt).ok()?;
    checked.report.warnings.extend(qualified.labels.warnings);
    holds(checked).then_some(())
}

/// Searches for all runs.
fn search(together: &Together, found: &mut Found, (options, cycle): (&Options, u8), control: &mut Control) {
    let make = || joint(&together.model, &together.flags, &together.runs);
    let Some(joint) = found.joint.get_or_insert_with(make) else { return };
    let limit = time_of(cycle, options.limits.time).map(|limit| limit / 2);
    let mut deadline = Deadline { control, limit, extended: true };
    let config = configuration(&joint.model, options);
    let checked = check_in_parts(&joint.model, &config, &joint.parts, &mut deadline);
    if checked.len() == joint.parts.len() {
        found.answers = checked.into_iter().map(|one| holds(&one).then_some(one)).collect();
    }
}

/// The configuration of an exact search.
fn configuration(model: &Model, options: &Options) -> Config {
    Config { attempts: false, ..property_config(model, options, EXACT) }
}

fn holds(checked: &CheckedModel) -> bool {
    let report = &checked.report;
    report.internal.is_none() && report.properties.iter().all(|row| row.verdict == Verdict::Holds)
}
