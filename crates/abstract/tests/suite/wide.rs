//! Models with 32-bit data, half of them with a seeded fault (`../models`). The name says whether a model
//! has a fault. No answer may be wrong, and at most half of the models may stay open in the short time of
//! a test.
//!
//! With `AXLE_ABSTRACT_WRITE` the figures are written to `bench/results/abstract.tsv`, model by model; with
//! the value `all` also the answers of k-induction and property-directed reachability in the same time. With
//! `AXLE_ABSTRACT_RESUME` models are left out that have all of these with at least this time, and with
//! `AXLE_ABSTRACT_ONLY` those whose name does not contain it.
//!
//! With `AXLE_ABSTRACT_FOLDER` the models of another folder are decided, each for `AXLE_ABSTRACT_SECONDS`,
//! those whose name contains `AXLE_ABSTRACT_ONLY`; the course of each is printed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use axle_abstract::Options;
use axle_abstract::cegar::Course;
use axle_decide::answer::Answer;
use axle_decide::prove::{self, Method};
use axle_outcome::{Limits, Stop};

use crate::case::{Case, Checked};
use crate::cases;

/// The models of a folder.
fn models(folder: &Path, only: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|path| path.extension().is_some_and(|of| of == "pml"));
    files.retain(|path| path.to_string_lossy().contains(only));
    files.sort();
    files
}

/// The processor time of this thread, which other programs on the machine do not change; elsewhere the time since
/// the first call.
fn clock() -> Duration {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    let scheduled = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = scheduled.and_then(|text| text.split(' ').next()?.parse().ok());
    match nanoseconds {
        Some(nanoseconds) => Duration::from_nanos(nanoseconds),
        None => BEGIN.get_or_init(Instant::now).elapsed(),
    }
}

/// The answer about a model, which must not be wrong.
fn answer(path: &Path, seconds: u64) -> (Checked, Course) {
    let name = path.file_stem().expect("a name").to_string_lossy();
    let case = Case::of(&std::fs::read_to_string(path).expect("a model"));
    let begin = clock();
    let mut stop = |_| (clock() - begin).as_secs() >= seconds;
    let separate = std::env::var_os("AXLE_ABSTRACT_SEPARATE").is_some();
    let options = Options { clock: Some(clock), separate, ..Options::default() };
    let (checked, course) = case.decide_watched(&options, &mut stop).expect(&name);
    println!(
        "{name:20} {checked:?} {:.2} s, {} iterations, {} predicates, {} states, {} queries, {} known",
        (clock() - begin).as_secs_f64(),
        course.iterations,
        course.predicates.len(),
        course.states,
        course.queries,
        course.hits
    );
    match checked {
        Checked::Holds => assert!(!name.ends_with("fault"), "{name}: the fault is missed"),
        Checked::Violated(_) => assert!(name.ends_with("fault"), "{name}: a false alarm"),
        Checked::Open(_) => {}
    }
    (checked, course)
}

#[test]
fn models_with_32_bits_are_decided() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let all = models(&folder, "");
    let faults = all.iter().filter(|path| path.to_string_lossy().ends_with("-fault.pml")).count();
    assert!(all.len() >= 96 && 2 * faults == all.len(), "{} models, {faults} with a fault", all.len());
    let only = match std::env::var_os("AXLE_ABSTRACT_FOLDER") {
        Some(_) => String::new(),
        None => std::env::var("AXLE_ABSTRACT_ONLY").unwrap_or_default(),
    };
    let models = models(&folder, &only);
    let seconds = cases("AXLE_ABSTRACT_SECONDS", 4);
    let mut figures = std::env::var("AXLE_ABSTRACT_WRITE").ok().map(|what| Figures::read(what == "all"));
    let mut open = Vec::new();
    for path in &models {
        if figures.as_ref().is_some_and(|figures| figures.has(path, seconds)) {
            continue;
        }
        let begin = clock();
        let (checked, course) = answer(path, seconds);
        let taken = (clock() - begin).as_secs_f64();
        if let Some(figures) = &mut figures {
            figures.add(path, seconds, taken, &checked, &course);
        }
        if matches!(checked, Checked::Open(_)) {
            open.push(path);
        }
    }
    // A third of the models need more predicates than are found in this time.
    assert!(open.len() <= models.len().div_ceil(2), "not decided: {open:?}");
}

/// The columns of the figures, after the name.
const COLUMNS: [&str; 14] = [
    "limit",
    "verdict",
    "seconds",
    "longest_iteration",
    "iterations",
    "predicates",
    "states",
    "queries",
    "cached",
    "abstraction",
    "deciding",
    "length",
    "induction",
    "pdr",
];

/// The figures of the models.
struct Figures {
    rows: BTreeMap<String, Vec<String>>,
    has_others: bool,
}

impl Figures {
    fn file() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/results/abstract.tsv")
    }

    /// The name of a model.
    fn name(path: &Path) -> String {
        path.file_stem().expect("a name").to_string_lossy().into_owned()
    }

    /// The rows that were written; with or without the answers of other methods.
    fn read(has_others: bool) -> Figures {
        let text = std::fs::read_to_string(Figures::file()).unwrap_or_default();
        let rows = text.lines().skip(2).map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
        let rows = rows.filter(|row| row.len() == COLUMNS.len() + 1);
        Figures { rows: rows.map(|row| (row[0].clone(), row[1..].to_vec())).collect(), has_others }
    }

    /// Whether a model need not be measured.
    fn has(&self, path: &Path, seconds: u64) -> bool {
        let is_measured = self.rows.get(&Figures::name(path)).is_some_and(|row| {
            let limit: u64 = row[0].parse().unwrap_or(0);
            limit >= seconds && (!self.has_others || row[COLUMNS.len() - 1] != "-")
        });
        std::env::var_os("AXLE_ABSTRACT_RESUME").is_some() && is_measured
    }

    /// Measures other methods, and writes all rows.
    fn add(&mut self, path: &Path, seconds: u64, taken: f64, checked: &Checked, course: &Course) {
        let (verdict, length) = match checked {
            Checked::Holds => ("holds", "-".to_owned()),
            Checked::Violated(length) => ("violated", length.to_string()),
            Checked::Open(_) => ("unknown", "-".to_owned()),
        };
        let Course { iterations, predicates, states, queries, hits, times, .. } = course;
        let [longest, all, deciding] =
            [times.longest_iteration, times.all, times.deciding].map(|time| time.as_secs_f64());
        let others = [Method::Induction, Method::Reachability].map(|method| match self.has_others {
            true => other(path, method, seconds),
            false => "-",
        });
        let row = format!(
            "{seconds}\t{verdict}\t{taken:.2}\t{longest:.2}\t{iterations}\t{}\t{states}\t{queries}\t{hits}\t\
             {all:.3}\t{deciding:.3}\t{length}\t{}\t{}",
            predicates.len(),
            others[0],
            others[1]
        );
        // Another process may have measured other models.
        self.rows = Figures::read(self.has_others).rows;
        self.rows.insert(Figures::name(path), row.split('\t').map(str::to_owned).collect());
        let mut text = format!(
            "# Models with 32-bit data by predicate abstraction, and by k-induction and PDR in the same time\nmodel\t{}\n",
            COLUMNS.join("\t")
        );
        for (name, row) in &self.rows {
            text.push_str(&format!("{name}\t{}\n", row.join("\t")));
        }
        std::fs::write(Figures::file(), text).expect("a folder of results");
    }
}

/// The answer of another method of proof alone.
fn other(path: &Path, method: Method, seconds: u64) -> &'static str {
    let case = Case::of(&std::fs::read_to_string(path).expect("a model"));
    let bads: Vec<usize> = (0..case.problem.system.bads.len()).collect();
    let begin = clock();
    let mut poll = |_| ((clock() - begin).as_secs() >= seconds).then_some(Stop::Time);
    let limits = Limits::default();
    match prove::decide(&case.problem, &case.relation, &bads, method, &limits, &mut poll) {
        Answer::Holds(_) => "holds",
        Answer::Violated(_) => "violated",
        Answer::Unknown(_) => "unknown",
    }
}

#[test]
fn models_of_another_folder() {
    let Ok(folder) = std::env::var("AXLE_ABSTRACT_FOLDER") else { return };
    let only = std::env::var("AXLE_ABSTRACT_ONLY").unwrap_or_default();
    let models = models(Path::new(&folder), &only);
    let mut decided = 0;
    for path in &models {
        let (checked, course) = answer(path, cases("AXLE_ABSTRACT_SECONDS", 5));
        decided += usize::from(!matches!(checked, Checked::Open(_)));
        if !only.is_empty() {
            course.spurious.iter().for_each(|one| println!("    {one:?}"));
            course.predicates.iter().for_each(|one| println!("    {one}"));
        }
    }
    println!("{decided} of {} decided", models.len());
}
