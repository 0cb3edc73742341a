//! What changes affect: the files that differ, the properties whose verdicts depend on them, the parts of
//! the software that have changed, and the verdicts that still apply or have turned.
//!
//! Each run is compared with its own last verdict, whichever round has found it: a round may have verified
//! some of the properties only.
//!
//! *Entry points:* [`present`] for the files of the project, [`of_round`] for a round, [`last_turned`] for
//! the verdicts. The pages and the JSON interface show them.
//! *Invariant:* a run is affected if and only if its key differs from that of its last verdict.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use axle_feaver::changes::Origins;
use axle_feaver::changes::explanation::{ChangedRun, Part, explain};
use axle_feaver::changes::versions::{self as contents, Files, stored_until};
use axle_feaver::jobs::job::RoundId;
use axle_feaver::prepare::key::{MODEL, PROGRAM, SLICE, SOFTWARE};
use axle_feaver::project::Expected;
use axle_feaver::results::verdict::{Record, Round};

use crate::application::Application;
use crate::fault::Fault;
use crate::round_changes::Version;
use crate::snapshot::{RunState, Snapshot};
use crate::versions;
use crate::view::state::State;

pub use crate::round_changes::{Affected, Changes, Turned};

/// A round before which all rounds are.
const END: RoundId = RoundId(i64::MAX);

/// The parts of a key in words.
pub fn part(name: &str) -> &str {
    match name {
        SLICE => "the part of the model that it depends on",
        MODEL => "the model",
        PROGRAM => "the functions that it depends on",
        "property" => "the property itself",
        "provisioning" => "the provisioning",
        "options" => "the options of the search",
        "version" => "the version of Axle",
        other => other,
    }
}

/// What the present files of the project change.
///
/// # Errors
/// The history cannot be read.
pub fn present(app: &Application, snapshot: &Snapshot) -> Result<Changes, Fault> {
    let database = &*app.database;
    let new = snapshot.project.as_ref().map(|project| contents::present(&project.folder)).unwrap_or_default();
    let last = database.last_verdicts(END, 1)?;
    let lacking = || snapshot.runs.iter().filter(|run| run.known.state.lacks_verdict());
    let mut changed_runs: BTreeMap<RoundId, Vec<ChangedRun>> = BTreeMap::new();
    let mut bases: BTreeMap<RoundId, Option<(Round, Files)>> = BTreeMap::new();
    for run in lacking() {
        let own = |record: &&Record| {
            record.run.property == run.property && record.run.provisioning == run.constraint
        };
        let Some(record) = last.iter().find(own) else { continue };
        if let Entry::Vacant(unknown) = bases.entry(record.round) {
            unknown.insert(stored_until(database, record.round)?);
        }
        if run.known.changed.iter().any(|part| is_software(part)) {
            let changed = ChangedRun::of(database, record, snapshot.property(&run.property))?;
            changed_runs.entry(record.round).or_default().push(changed);
        }
    }
    // The oldest version of which a verdict is left.
    let oldest = bases.values().flatten().min_by_key(|(round, _)| round.id).cloned();
    let base = match oldest {
        Some(base) => Some(base),
        None => stored_until(database, END)?,
    };
    let files = match &base {
        Some((_, files)) => versions::differences(database, files, &new)?,
        None => Vec::new(),
    };
    let mut origins = Origins::of(&app.root);
    let mut parts: BTreeMap<String, Vec<Part>> = BTreeMap::new();
    for (round, changed_runs) in &changed_runs {
        if let Some(Some((_, old))) = bases.get(round) {
            explain(database, (old, &new), (changed_runs, true), &mut origins, &mut parts)?;
        }
    }
    Ok(Changes {
        since: base.map(|(round, _)| round),
        before: None,
        files,
        affected: affected(snapshot, &mut parts),
        kept: snapshot.runs.iter().filter(|run| !run.known.state.lacks_verdict()).count(),
        turned: last_turned(app, snapshot)?,
        warning: origins.fault.map(|fault| fault.to_string()),
    })
}

/// What a round found different from the last verdicts before it.
///
/// # Errors
/// There is no such round, or the history cannot be read.
pub fn of_round(app: &Application, snapshot: &Snapshot, number: i64) -> Result<Changes, Fault> {
    let mut origins = Origins::of(&app.root);
    let history = app.pulse.borrow().history;
    let version = Version { generation: snapshot.generation, history, head: origins.head() };
    app.round_changes.get(number, version, || changes_of_round(app, snapshot, number, &mut origins))
}

fn changes_of_round(
    app: &Application,
    snapshot: &Snapshot,
    number: i64,
    origins: &mut Origins,
) -> Result<Changes, Fault> {
    let database = &*app.database;
    let rounds = database.rounds_until(RoundId(number), 2)?;
    let (round, earlier) = (rounds.split_first().filter(|(round, _)| round.id == RoundId(number)))
        .ok_or_else(|| Fault::missing(format!("There is no round {number}.")))?;
    let now = database.verdicts(round.id)?;
    let then = database.last_verdicts(round.id, 1)?;
    let new = contents::of_round(database, round.id)?;
    let mut parts: BTreeMap<String, Vec<Part>> = BTreeMap::new();
    let mut oldest: Option<(Round, Files)> = None;
    if let Some(new) = &new {
        let mut changed_runs: BTreeMap<RoundId, Vec<ChangedRun>> = BTreeMap::new();
        for record in now.iter().filter(|record| record.verdict.carried_from.is_none()) {
            let Some(old) = then.iter().find(|old| is_same_run(old, record)) else { continue };
            if old.run.key != record.run.key {
                changed_runs.entry(old.round).or_default().push(ChangedRun::of(database, old, None)?);
            }
        }
        for (round, changed_runs) in &changed_runs {
            let Some((base, old)) = stored_until(database, *round)? else { continue };
            explain(database, (&old, new), (changed_runs, false), origins, &mut parts)?;
            if oldest.as_ref().is_none_or(|(known, _)| base.id < known.id) {
                oldest = Some((base, old));
            }
        }
    }
    let base = match oldest {
        Some(base) => Some(base),
        None => match earlier.first() {
            Some(before) => stored_until(database, before.id)?,
            None => None,
        },
    };
    let files = match (&base, &new) {
        (Some((_, old)), Some(new)) => versions::differences(database, old, new)?,
        _ => Vec::new(),
    };
    Ok(Changes {
        since: base.map(|(round, _)| round),
        before: earlier.first().map(|before| before.id),
        files,
        affected: verified(snapshot, &now, &then, &mut parts),
        kept: now.iter().filter(|record| record.verdict.carried_from.is_some()).count(),
        turned: turned(snapshot, &now, &then),
        warning: origins.fault.as_ref().map(ToString::to_string),
    })
}

/// The runs of the project whose last verdict differs from the one before, whichever rounds have found
/// them.
///
/// # Errors
/// The history cannot be read.
pub fn last_turned(app: &Application, snapshot: &Snapshot) -> Result<Vec<Turned>, Fault> {
    let mut last = app.database.last_verdicts(END, 2)?;
    // While the project has errors, its runs are not known.
    let is_known = |record: &Record| {
        let mut runs = snapshot.runs_of(&record.run.property);
        snapshot.runs.is_empty() || runs.any(|run| run.constraint == record.run.provisioning)
    };
    last.retain(is_known);
    let (mut now, mut then): (Vec<Record>, Vec<Record>) = (Vec::new(), Vec::new());
    for record in last {
        match now.last().is_some_and(|latest| is_same_run(latest, &record)) {
            true => then.push(record),
            false => now.push(record),
        }
    }
    let mut found = turned(snapshot, &now, &then);
    // Those that need attention come first.
    found.sort_by_key(|one| (one.after, std::cmp::Reverse(one.round), one.run));
    Ok(found)
}

/// Whether a part of a key is the software.
fn is_software(part: &str) -> bool {
    SOFTWARE.contains(&part)
}

fn affected(snapshot: &Snapshot, changed: &mut BTreeMap<String, Vec<Part>>) -> Vec<Affected> {
    let mut by_property: BTreeMap<&str, Vec<&RunState>> = BTreeMap::new();
    for run in snapshot.runs.iter().filter(|run| run.known.state.lacks_verdict()) {
        by_property.entry(&run.property).or_default().push(run);
    }
    let one = |(property, runs): (&str, Vec<&RunState>)| {
        let mut parts: Vec<&str> =
            runs.iter().flat_map(|run| &run.known.changed).map(|name| part(name)).collect();
        parts.sort_unstable();
        parts.dedup();
        let before = runs
            .iter()
            .filter_map(|run| Some(State::of(run.known.verdict?, run.expected == Expected::Violated, false)));
        Affected {
            property: property.to_string(),
            feature: runs[0].feature.clone(),
            runs: runs.len(),
            state: runs.iter().map(|run| run.known.state).min().unwrap_or_default(),
            reason: if parts.is_empty() { "not verified yet".to_string() } else { parts.join(", ") },
            parts: changed.remove(property).unwrap_or_default(),
            before: before.min(),
            after: None,
        }
    };
    by_property.into_iter().map(one).collect()
}

/// The properties that a round has verified, not carried over.
fn verified(
    snapshot: &Snapshot,
    now: &[Record],
    then: &[Record],
    changed: &mut BTreeMap<String, Vec<Part>>,
) -> Vec<Affected> {
    let mut by_property: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
    for record in now.iter().filter(|record| record.verdict.carried_from.is_none()) {
        by_property.entry(&record.run.property).or_default().push(record);
    }
    let worst = |records: &mut dyn Iterator<Item = &Record>| {
        records.map(|record| snapshot.state_of(&record.run.property, Some(record))).min()
    };
    let one = |(property, records): (&str, Vec<&Record>)| {
        let same = |old: &&Record| records.iter().any(|new| is_same_run(new, old));
        let differs =
            |new: &&Record| then.iter().any(|old| is_same_run(new, old) && old.run.key != new.run.key);
        let before = worst(&mut then.iter().filter(same));
        let reason = match (before, records.iter().any(differs)) {
            (None, _) => "not verified before",
            (Some(_), true) => "something that it depends on has changed",
            (Some(_), false) => "not decided before, or asked for again",
        };
        let after = worst(&mut records.iter().copied());
        Affected {
            property: property.to_string(),
            feature: Some(records[0].run.feature.clone()).filter(|feature| !feature.is_empty()),
            runs: records.len(),
            state: after.unwrap_or_default(),
            reason: reason.to_string(),
            parts: changed.remove(property).unwrap_or_default(),
            before,
            after,
        }
    };
    by_property.into_iter().map(one).collect()
}

/// Whether two records are of the same property under the same constraint.
fn is_same_run(one: &Record, other: &Record) -> bool {
    one.run.property == other.run.property && one.run.provisioning == other.run.provisioning
}

/// The runs whose verdicts differ from earlier ones.
fn turned(snapshot: &Snapshot, now: &[Record], then: &[Record]) -> Vec<Turned> {
    let state = |record: &Record| snapshot.state_of(&record.run.property, Some(record));
    let mut turned = Vec::new();
    for record in now {
        let Some(old) = then.iter().find(|old| is_same_run(old, record)) else { continue };
        if old.verdict.answer == record.verdict.answer {
            continue;
        }
        turned.push(Turned {
            property: record.run.property.clone(),
            constraint: record.run.provisioning.clone(),
            run: record.run.number,
            round: record.round,
            before: state(old),
            after: state(record),
        });
    }
    turned
}
