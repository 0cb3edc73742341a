//! What changes affect: the files that differ, the properties whose verdicts depend on them, and the
//! verdicts that still apply or have turned.
//!
//! *Entry points:* [`present`] for the files of the project, [`of_round`] for a round and the one before
//! it. The pages and the JSON interface show both.
//! *Invariant:* a run is affected if and only if its key differs from that of its verdict.

use std::collections::BTreeMap;

use axle_feaver::jobs::job::RoundId;
use axle_feaver::project::Expected;
use axle_feaver::results::verdict::{Record, Round};

use crate::application::Application;
use crate::pages::fault::Fault;
use crate::snapshot::{RunState, Snapshot};
use crate::versions::{self, Difference, Files};
use crate::view::state::State;

/// Rounds that are searched for stored files.
const MOST_ROUNDS: u32 = 50;

/// The changes between two versions.
pub struct Changes {
    /// The round whose files are the earlier ones; none if no round has stored any.
    pub since: Option<Round>,
    /// The round with whose verdicts those of a round are compared.
    pub before: Option<RoundId>,
    /// The files that differ.
    pub files: Vec<Difference>,
    /// The properties without a verdict of the later version, or those that the round has verified.
    pub affected: Vec<Affected>,
    /// The number of runs whose verdicts still apply.
    pub kept: usize,
    /// The runs with another verdict than in the round before.
    pub turned: Vec<Turned>,
}

/// A property that is affected.
pub struct Affected {
    /// Its name.
    pub property: String,
    /// Its feature.
    pub feature: Option<String>,
    /// The number of its runs that are affected.
    pub runs: usize,
    /// The state of the run that needs most attention.
    pub state: State,
    /// Why it is affected.
    pub reason: String,
    /// The state before the change.
    pub before: Option<State>,
    /// The state after it, if it has been verified.
    pub after: Option<State>,
}

/// A run with another verdict than in the round before.
pub struct Turned {
    /// The property.
    pub property: String,
    /// The constraint.
    pub constraint: String,
    /// The number of the run in the later round.
    pub run: u32,
    /// The later round.
    pub round: RoundId,
    /// The earlier verdict.
    pub before: State,
    /// The later verdict.
    pub after: State,
}

/// The parts of a key in words.
pub fn part(name: &str) -> &str {
    match name {
        "model" | "slice" => "the part of the model that it depends on",
        "program" => "the functions that it depends on",
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
    let rounds = app.database.rounds(MOST_ROUNDS)?;
    let base = stored(app, rounds.iter())?;
    let files = match &base {
        Some((_, files)) => versions::differences(&*app.database, files, &versions::present(snapshot))?,
        None => Vec::new(),
    };
    let turned = match &rounds[..] {
        [latest, before, ..] => {
            let (now, then) = (app.database.verdicts(latest.id)?, app.database.verdicts(before.id)?);
            turned(snapshot, &now, &then, latest.id)
        }
        _ => Vec::new(),
    };
    Ok(Changes {
        since: base.map(|(round, _)| round),
        before: None,
        files,
        affected: affected(snapshot),
        kept: snapshot.runs.iter().filter(|run| !run.known.state.lacks_verdict()).count(),
        turned,
    })
}

/// What a round found different from the one before it.
///
/// # Errors
/// There is no such round, or the history cannot be read.
pub fn of_round(app: &Application, snapshot: &Snapshot, number: i64) -> Result<Changes, Fault> {
    let rounds = app.database.rounds_until(RoundId(number), MOST_ROUNDS + 1)?;
    let (round, earlier) = (rounds.split_first().filter(|(round, _)| round.id == RoundId(number)))
        .ok_or_else(|| Fault::missing(format!("There is no round {number}.")))?;
    let now = app.database.verdicts(round.id)?;
    let then = match earlier.first() {
        Some(before) => app.database.verdicts(before.id)?,
        None => Vec::new(),
    };
    let new = versions::of_round(&*app.database, round.id)?;
    let base = stored(app, earlier.iter())?;
    let files = match (&base, &new) {
        (Some((_, old)), Some(new)) => versions::differences(&*app.database, old, new)?,
        _ => Vec::new(),
    };
    Ok(Changes {
        since: base.map(|(round, _)| round),
        before: earlier.first().map(|before| before.id),
        files,
        affected: verified(snapshot, &now, &then),
        kept: now.iter().filter(|record| record.verdict.carried_from.is_some()).count(),
        turned: turned(snapshot, &now, &then, round.id),
    })
}

/// The latest of some rounds that has stored its files.
fn stored<'a>(
    app: &Application,
    rounds: impl Iterator<Item = &'a Round>,
) -> Result<Option<(Round, Files)>, Fault> {
    for round in rounds {
        if let Some(files) = versions::of_round(&*app.database, round.id)? {
            return Ok(Some((round.clone(), files)));
        }
    }
    Ok(None)
}

fn affected(snapshot: &Snapshot) -> Vec<Affected> {
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
            before: before.min(),
            after: None,
        }
    };
    by_property.into_iter().map(one).collect()
}

/// The properties that a round has verified, not carried over.
fn verified(snapshot: &Snapshot, now: &[Record], then: &[Record]) -> Vec<Affected> {
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
            (None, _) => "not in the round before",
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

/// The runs whose verdicts differ in two rounds.
pub fn turned(snapshot: &Snapshot, now: &[Record], then: &[Record], latest: RoundId) -> Vec<Turned> {
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
            round: latest,
            before: state(old),
            after: state(record),
        });
    }
    turned
}
