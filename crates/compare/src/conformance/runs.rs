//! The liveness rows of `expected.tsv`: `-a` (acceptance cycles, with or without a claim) and `-l`
//! (non-progress cycles), with or without weak fairness (`-f`).
//!
//! The verdict is compared for every applicable search. The number of product states is compared
//! too, if Spin uses the same automaton (a never claim or labels) and searched the whole product.
//!
//! *Entry point:* [`compare`].

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use axle_check::{Check, Config, Verdict, check, claims};
use axle_model::{Model, PropertyKind};
use axle_search::{Algorithm, Fairness, Silent};

use super::{Args, model, table};

/// A row and the results of Axle.
pub struct Row {
    name: String,
    flags: String,
    expected: String,
    /// Number of product states, if it is compared.
    states: Option<u64>,
    why: Option<String>,
    said: Vec<(&'static str, String, Option<u64>)>,
}

impl Row {
    fn agrees(&self) -> bool {
        self.said.iter().all(|(_, verdict, states)| {
            *verdict == self.expected && self.states.is_none_or(|wanted| *states == Some(wanted))
        })
    }

    /// The row as text.
    fn told(&self) -> String {
        let number = |n: Option<u64>| n.map_or(String::new(), |n| format!(", {n} states"));
        let said: Vec<String> =
            self.said.iter().map(|(how, verdict, n)| format!("{how}: {verdict}{}", number(*n))).collect();
        let Row { name, flags, expected, .. } = self;
        format!("| {name} | {flags} | {expected}{} | {} |", number(self.states), said.join("; "))
    }
}

/// Prints the table and returns the number of rows that differ.
pub fn print(folder: &Path, args: &Args) -> Result<usize, String> {
    let rows = compare(folder, &args.models)?;
    println!("\n| model | pan | expected | said | |\n| --- | --- | --- | --- | --- |");
    let mut wrong = 0;
    for row in &rows {
        wrong += usize::from(!row.agrees());
        let note = match (&row.why, row.agrees()) {
            (_, false) => "DIFFERS".to_string(),
            (Some(why), true) => format!("argued: {why}"),
            (None, true) if args.differences => continue,
            (None, true) => String::new(),
        };
        println!("{} {note} |", row.told());
    }
    let argued = rows.iter().filter(|row| row.why.is_some()).count();
    let as_spin = rows.len() - argued - wrong;
    println!("\n{} liveness rows: {as_spin} as Spin, {argued} argued, {wrong} differ", rows.len());
    Ok(wrong)
}

/// Checks every liveness row (of the selected models).
pub fn compare(folder: &Path, models: &[String]) -> Result<Vec<Row>, String> {
    let mut argued: BTreeMap<(String, String), Vec<String>> = (table(&folder.join("argued_runs.tsv"))?)
        .into_iter()
        .map(|row| ((row[0].clone(), row[1].clone()), row))
        .collect();
    let full = table(&folder.join("expected_full.tsv"))?;
    let mut seen = BTreeSet::new();
    let mut rows = Vec::new();
    for row in table(&folder.join("expected.tsv"))? {
        let (name, flags) = (row[0].clone(), row[2].clone());
        let about_runs = flags.split(' ').any(|flag| matches!(flag, "-a" | "-l"));
        if !about_runs || !seen.insert((name.clone(), flags.clone())) {
            continue;
        }
        let exception = argued.remove(&(name.clone(), flags.clone()));
        if !models.is_empty() && !models.contains(&name) {
            continue;
        }
        let path = folder.join(format!("{name}.pml"));
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let Some(model) = model(&name, &text, false) else {
            let said = vec![("front end", "refused".to_string(), None)];
            rows.push(Row { name, flags, expected: "refused".into(), states: None, why: None, said });
            continue;
        };
        let expected = match (&exception, &row[3][..]) {
            (Some(row), _) => row[2].clone(),
            (None, "0") => "holds".into(),
            (None, "SPIN-ERROR") => "refused".into(),
            (None, _) => "violated".into(),
        };
        // For a complete search without optimisation, with an automaton that neither tool
        // generates.
        let same = full.iter().find(|f| f[0] == name && f[2] == flags && f[3] == "0");
        let ours = exception.is_none() && by_hand(&model);
        let states = same.filter(|_| ours).and_then(|f| f[4].parse().ok());
        let said = say(&model, &flags);
        rows.push(Row { name, flags, expected, states, why: exception.map(|row| row[3].clone()), said });
    }
    match argued.keys().next() {
        Some((name, flags)) => Err(format!("argued_runs.tsv: {name} {flags} is not a liveness row")),
        None => Ok(rows),
    }
}

/// Whether all properties of the model are never claims or labels, so that Spin's product is the
/// same.
fn by_hand(model: &Model) -> bool {
    !model.properties.iter().any(|property| matches!(property.kind, PropertyKind::Ltl(_)))
}

/// The verdicts of Axle for the properties that pan checks with these flags.
fn say(model: &std::sync::Arc<Model>, flags: &str) -> Vec<(&'static str, String, Option<u64>)> {
    let flags: Vec<&str> = flags.split(' ').collect();
    let fairness = if flags.contains(&"-f") { Fairness::Weak } else { Fairness::None };
    let mut only = BTreeSet::new();
    if flags.contains(&"-l") {
        only.insert(claims::PROGRESS.to_string());
    } else {
        // Of several claims pan uses the first, or the named one.
        let named = flags.iter().position(|&flag| flag == "-N").and_then(|at| flags.get(at + 1));
        let first = model.properties.first().map(|property| property.name.as_str());
        only.extend(named.copied().or(first).map(str::to_string));
        only.insert(claims::ACCEPTANCE.to_string());
    }
    let mut said = Vec::new();
    for (how, algorithm) in [("scc", Algorithm::Components), ("nested", Algorithm::NestedDfs)] {
        if algorithm == Algorithm::NestedDfs && fairness != Fairness::None {
            continue;
        }
        // Pan checks assertions during the search, but no end states if there is a claim.
        let checks = BTreeSet::from([Check::Assertions, Check::Properties]);
        let config = Config { checks, only: Some(only.clone()), fairness, algorithm, ..Config::default() };
        let report = check(model, &config, &mut Silent).report;
        let verdict = match (&report.internal, report.verdict) {
            (Some(fault), _) => format!("internal: {fault}"),
            (None, Verdict::Holds) => "holds".to_string(),
            (None, Verdict::Violated) => "violated".to_string(),
            (None, Verdict::Unknown) => "unknown".to_string(),
        };
        let first = report.properties.iter().find_map(|property| property.search.as_ref());
        said.push((how, verdict, first.map(|search| search.states.saturated())));
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_about_runs_is_as_spin_says_or_as_argued() {
        let root = crate::repository();
        let rows = compare(&root.join("tests/conformance"), &[]).expect("the tables can be read");
        assert!(rows.len() > 50, "the table is there");
        let wrong: Vec<String> = rows.iter().filter(|row| !row.agrees()).map(Row::told).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
