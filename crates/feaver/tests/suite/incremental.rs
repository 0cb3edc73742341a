//! Incremental verification: after random edits, the verdicts that are carried over and those of the
//! executed runs together are the verdicts of a full round.
//!
//! The project `tests/templates/switch` is a template: `<<a|b>>` is one of several texts. An edit chooses
//! another text at one place: in the code of a feature, in a comment, in a property or in a constraint.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use axle_check::Verdict;
use axle_feaver::execute::{Control, EXACT, Outcome, execute};
use axle_feaver::prepare::{Run, Selection, prepare};
use axle_feaver::project::{Limits, load};
use axle_feaver::results::database;
use axle_feaver::results::ledger::{carried, run_record, verdict};
use axle_feaver::results::verdict::{NewRound, Phase};
use axle_generate::Random;

use crate::support::Temporary;

const EDITS: usize = 200;

/// A file as texts between places, and the texts to choose from at each place.
struct Template {
    path: PathBuf,
    between: Vec<String>,
    places: Vec<Vec<String>>,
    chosen: Vec<usize>,
}

impl Template {
    fn read(root: &Path, path: &Path) -> Template {
        let text = fs::read_to_string(root.join(path)).expect("a file");
        let mut template = Template {
            path: path.to_path_buf(),
            between: Vec::new(),
            places: Vec::new(),
            chosen: Vec::new(),
        };
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once("<<") {
            let (place, after) = after.split_once(">>").expect("`>>` behind `<<`");
            template.between.push(before.to_string());
            // `||` is an operator.
            let place = place.replace("||", "\u{1}");
            let texts = place.split('|').map(|text| text.replace('\u{1}', "||"));
            template.places.push(texts.collect());
            template.chosen.push(0);
            rest = after;
        }
        template.between.push(rest.to_string());
        template
    }

    fn write(&self, root: &Path) {
        let mut text = String::new();
        for (index, between) in self.between.iter().enumerate() {
            text.push_str(between);
            text.extend(self.places.get(index).map(|place| place[self.chosen[index]].as_str()));
        }
        fs::write(root.join(&self.path), text).expect("the file is written");
    }
}

fn files(root: &Path, folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root.join(folder)).expect("a folder").flatten() {
        let path = Path::new(folder).join(entry.file_name());
        match entry.path().is_dir() {
            true => found.extend(files(root, &path.to_string_lossy())),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

fn exact(run: &Run) -> Outcome {
    let start = Instant::now();
    let mut control = Control {
        elapsed: Arc::new(move || start.elapsed()),
        cancelled: Arc::new(|| false),
        progress: Box::new(|_| {}),
    };
    execute(run, EXACT, &Limits::default(), &mut control)
}

#[test]
fn carried_verdicts_are_those_of_a_full_round() {
    let copy = Temporary::copy_of("../templates/switch");
    let mut templates: Vec<Template> =
        files(&copy.0, "").iter().map(|path| Template::read(&copy.0, path)).collect();
    templates.retain(|template| !template.places.is_empty());
    templates.iter().for_each(|template| template.write(&copy.0));
    let location = copy.0.join("history.db").display().to_string();
    let (mut random, mut executed, mut all) = (Random::of(1, 0), 0, 0);
    // Full rounds are remembered by everything that was written.
    let mut turned: BTreeMap<String, Verdict> = BTreeMap::new();
    let mut turns = 0;
    for edit in 0..EDITS {
        let loaded = load(&copy.0);
        assert!(loaded.project.is_some(), "edit {edit}");
        let prepared = prepare(loaded, &Selection::default());
        assert!(!prepared.diagnostics.has_errors(), "edit {edit}");
        let round = NewRound {
            source_version: edit.to_string(),
            axle_version: "test".to_string(),
            budget: Duration::from_secs(60),
        };
        let now = || SystemTime::now().into();
        let database = database::open(&location).expect("the history");
        let records: Vec<_> =
            (0u32..).zip(&prepared.runs).map(|(number, run)| run_record(number, run)).collect();
        let begun = database.begin_round(&round, &records, now()).expect("a round");
        for (number, run) in (0u32..).zip(&prepared.runs) {
            let full = exact(run);
            assert_ne!(full.verdict, Verdict::Unknown, "{}: {:?}", run.name, full.reason);
            turns += usize::from(
                turned.insert(run.name.clone(), full.verdict).is_some_and(|old| old != full.verdict),
            );
            all += 1;
            let (outcome, from) = match carried(&*database, run, "test").expect("the history") {
                Some(earlier) => {
                    assert_eq!(
                        earlier.outcome.verdict, full.verdict,
                        "edit {edit}: {} is carried over",
                        run.name
                    );
                    assert_eq!(earlier.outcome.vacuity, full.vacuity, "edit {edit}: {}", run.name);
                    (earlier.outcome, Some(earlier.round))
                }
                None => {
                    executed += 1;
                    (full, None)
                }
            };
            let own = verdict((begun, number), &run.key, &outcome, Phase::First, from).expect("JSON");
            database.record(&own, now()).expect("recorded");
        }
        database.end_round(begun, now()).expect("recorded");
        let which: usize = random.below(templates.iter().map(|template| template.places.len()).sum());
        let mut place = which;
        for template in &mut templates {
            if place < template.places.len() {
                let choices = template.places[place].len();
                template.chosen[place] = (template.chosen[place] + 1 + random.below(choices - 1)) % choices;
                template.write(&copy.0);
                break;
            }
            place -= template.places.len();
        }
    }
    println!("{executed} of {all} runs executed over {EDITS} edits; {turns} verdicts turned");
    assert!(turns > 20, "the edits change verdicts: {turns}");
    assert!(executed * 3 < all, "{executed} of {all} runs executed");
}
